"""The inbox: what waits for a person, a card each, with what a decision rests on."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import field
from datetime import timedelta
from itertools import groupby

from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError, TilthError
from tilth.core.json import Json
from tilth.garden.candidates import suggested_in
from tilth.garden.model import SuggestedVerdict
from tilth.interfaces.describe_ids import question_of
from tilth.interfaces.drafts import drafts_waiting
from tilth.interfaces.web.screen import Ask, Done, Said, Told, act, screen
from tilth.knowledge.changes.provenance import supports_of
from tilth.knowledge.facts.decisions import Shown, shown_of
from tilth.knowledge.facts.fact import Fact
from tilth.knowledge.proposals.proposal import Action, ProposalKind, ProposalState
from tilth.runtime.brain import Brain

# A person reads what is meant beside it, and not an ID.
_ID = re.compile(r"\b[a-z]{3}_[0-9A-HJKMNP-TV-Z]{26}\b")
# Each card reads all that its decision rests on.
PAGE = 25
# How far a card looks for the ones before and after it.
_NEIGHBOURS = 500
_MANY_MAX = 200
_LATER = timedelta(days=1)
# What changes or joins something that stands; the rest is about something new or doubtful.
CHANGES = frozenset(
    {
        ProposalKind.SUPERSESSION,
        ProposalKind.REMOVAL,
        ProposalKind.MERGE,
        ProposalKind.SPLIT,
        ProposalKind.IDENTITY_LINK,
        ProposalKind.GAP_MERGE,
    }
)
REASONS = ("wrong", "out of date", "said already", "trivial", "private", "not mine")


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer that a card takes: how it reads, its keys, and what `review.decide` is told."""

    label: str
    keys: str
    action: Action
    said: str
    told: Mapping[str, Json] = field(default_factory=dict)


@screen(
    "/inbox",
    title="Inbox",
    group="Every day",
    place=14,
    lead="What agents ask you to decide. Nothing that you confirmed is replaced without "
    "you; each answer can be taken back.",
)
def inbox(ask: Ask) -> Told:
    """Gather what waits, in two lanes and in groups of a kind, the oldest first."""
    brain = ask.brain
    is_decided = ask.word("state", ProposalState) is ProposalState.DECIDED
    states = [ProposalState.DECIDED] if is_decided else None
    kinds = [ask.text("kind")] if ask.text("kind") else None
    queue = brain.review.list(limit=PAGE, offset=ask.offset, states=states, kinds=kinds)
    within = brain.parts.within(None)
    with brain.parts.store.read() as view:
        shown = [shown_of(view, one, within) for one in queue.proposals]
    cards = _cards(brain, shown)
    lanes = [
        ("Changes", "replace, remove or join something that stands", True),
        ("Facts", "new, doubtful or said twice", False),
    ]
    return {
        "queue": queue,
        "cards": cards,
        "has_more": ask.offset + len(queue.proposals) < queue.count,
        "lanes": [
            (
                name,
                meaning,
                _groups([one for one in cards if (one["kind"] in CHANGES) is is_change]),
            )
            for name, meaning, is_change in lanes
        ],
        "kinds": list(ProposalKind),
        "offset": ask.offset,
        "page_size": PAGE,
        "is_decided": is_decided,
        "drafts": {} if is_decided else drafts_waiting(brain),
        "reasons": REASONS,
    }


def _groups(cards: Sequence[Mapping[str, object]]) -> Sequence[tuple[str, object]]:
    """Return cards that one answer may suit together: of one kind, in one scope."""

    def same(card: Mapping[str, object]) -> tuple[str, str]:
        return str(card["kind"]), str(card["scope"])

    grouped = groupby(sorted(cards, key=same), key=same)
    return [(f"{kind} {scope}", list(ones)) for (kind, scope), ones in grouped]


@screen("/inbox/{proposal}", title="Decision")
def card(ask: Ask) -> Told:
    """Gather all that one decision rests on, and what comes after it."""
    brain = ask.brain
    shown = brain.review.show(brain.whole_id(ask.text("proposal")))
    queue = brain.review.list(limit=_NEIGHBOURS)
    waiting = [one.id for one in queue.proposals]
    here = waiting.index(shown.proposal.id) if shown.proposal.id in waiting else -1
    return {
        "card": _cards(brain, [shown])[0],
        "proposal": shown.proposal,
        "next": waiting[here + 1] if -1 < here < len(waiting) - 1 else "",
        "before": waiting[here - 1] if here > 0 else "",
        "left": queue.waiting,
        "reasons": REASONS,
    }


def _cards(brain: Brain, queue: Sequence[Shown]) -> Sequence[Mapping[str, object]]:
    """Return cards with the words that each rests on, which are read for all of them at once."""
    within = brain.parts.within(None)
    sides = [{one.id: one for one in (*shown.facts, *shown.retires)}.values() for shown in queue]
    with brain.parts.store.read() as view:
        said = suggested_in(view, within)
        supports = supports_of(view, [fact for side in sides for fact in side], within)
    return [
        {
            **card_of(
                brain, shown, [each for fact in shown.facts for each in said.get(fact.id, ())]
            ),
            "evidence": [{"fact": fact, "supports": supports[fact.id]} for fact in side],
        }
        for shown, side in zip(queue, sides, strict=True)
    ]


def card_of(
    brain: Brain, shown: Shown, suggested: Sequence[SuggestedVerdict] = ()
) -> Mapping[str, object]:
    """
    Return what a card shows: the question, its sides, and the answers that it takes.

    What is `suggested` in files that nobody signed is shown, and does nothing.
    """
    proposal = shown.proposal
    draft = proposal.draft
    choices = [] if proposal.ruling else choices_of(shown)
    return {
        "id": proposal.id,
        "kind": draft.kind,
        "title": question_of(shown),
        "reason": _reason_of(shown),
        "scope": draft.scope,
        "by": proposal.by,
        "at": proposal.recorded_at,
        "digest": shown.digest,
        "facts": shown.facts,
        "retires": shown.retires,
        "is_two": _is_two(shown),
        "things": [_thing(brain, one) for one in draft.entities],
        "suggested": suggested,
        "state": proposal.state,
        "ruling": proposal.ruling,
        "decided_by": proposal.decided_by,
        "decided_at": proposal.decided_at,
        "choices": [one for one in choices if one.keys],
        "more": [one for one in choices if not one.keys],
        "is_edited": bool(shown.facts) and not _is_two(shown),
    }


def _reason_of(shown: Shown) -> str:
    reason = shown.proposal.draft.reason
    if reason.startswith("a human stands behind ") and shown.retires:
        return "You or another person confirmed what this would end, so it waits for you."
    return _ID.sub("what would end" if shown.retires else "it", reason)


def choices_of(shown: Shown) -> Sequence[Choice]:
    """Return the answers that a question takes, the most usual first; the rest has no key."""
    if not shown.facts and not shown.retires:
        kind = shown.proposal.draft.kind
        if kind in {ProposalKind.MERGE, ProposalKind.GAP_MERGE}:
            yes = Choice("They are one", "a", Action.MERGE, "Joined.")
            return (yes, _rejected("They are two"))
        if kind is ProposalKind.SPLIT:
            yes = Choice("They are two", "a", Action.CONFIRM, "They are two again.")
            return (yes, _rejected("They are one"))
        return (Choice("Accept", "a", Action.CONFIRM, "Accepted."), _rejected("Reject"))
    return _of_two(shown) if _is_two(shown) else _of_one(shown)


def _is_two(shown: Shown) -> bool:
    """Say whether two sides stand against each other, and one is chosen."""
    kinds = {ProposalKind.CONTRADICTION, ProposalKind.DUPLICATE}
    return shown.proposal.draft.kind in kinds and len(shown.facts) > 1


def _of_one(shown: Shown) -> Sequence[Choice]:
    retires: Mapping[str, Json] = {"retires": [str(one.id) for one in shown.retires]}
    usual = [Choice("Accept", "a", Action.CONFIRM, "Accepted.", retires), _rejected("Reject")]
    rest = [
        Choice("Keep as evidence alone", "", Action.EVIDENCE_ONLY, "Kept as evidence."),
        Choice("Mark as out of date", "", Action.MARK_STALE, "Marked as out of date."),
        Choice("Disputed", "", Action.DISPUTE, "Marked as disputed."),
    ]
    return [*usual, *rest]


def _of_two(shown: Shown) -> Sequence[Choice]:
    one, other = shown.facts[:2]
    is_newer = other.life.valid_from >= one.life.valid_from
    is_same = shown.proposal.draft.kind is ProposalKind.DUPLICATE
    first = _holds("A holds, B does not", "1" if is_newer or is_same else "1 a", one, other)
    second = _holds("B holds, A does not", "2 a" if is_newer and not is_same else "2", other, one)
    follows = Choice(
        "B came after A", "3", Action.SUPERSEDE, "One follows the other.", _keeping(other, one)
    )
    joined = Choice(
        "They say the same",
        "m a" if is_same else "m",
        Action.MERGE,
        "Joined.",
        _keeping(one, other),
    )
    usual = [joined, first, second, follows] if is_same else [first, second, follows, joined]
    both = {"facts": [str(one.id), str(other.id)]}
    precedes = _keeping(one, other)
    return [
        *usual,
        _rejected("Both hold"),
        Choice("A came after B", "", Action.SUPERSEDE, "One follows the other.", precedes),
        Choice("Neither holds", "", Action.REJECT, "Both are rejected.", both),
        Choice("Disputed", "", Action.DISPUTE, "Marked as disputed."),
    ]


def _holds(label: str, keys: str, kept: Fact, other: Fact) -> Choice:
    return Choice(label, keys, Action.CONFIRM, "Decided.", _keeping(kept, other))


def _keeping(kept: Fact, other: Fact) -> Mapping[str, Json]:
    return {"keeps": str(kept.id), "retires": [str(other.id)]}


def _rejected(label: str) -> Choice:
    return Choice(label, "r", Action.REJECT, "Rejected. No agent can ask this again.")


def _thing(brain: Brain, entity: str) -> Mapping[str, object]:
    try:
        card = brain.entities.get(entity)
    except TilthError:  # It was erased since.
        return {"id": entity, "name": entity, "type": "", "names": (), "facts": ()}
    facts = brain.facts.list(about=card.entity.id, limit=3)
    return {
        "id": entity,
        "name": card.entity.name,
        "type": card.entity.type,
        "names": [one for one in card.names if one != card.entity.name],
        "facts": facts,
    }


@act("review/many")
def decide_many(ask: Ask) -> Said:
    """Decide many cards at once, each for itself; one undo takes all of them back."""
    answers = _answers(ask.text("answers"))
    decided = ask.brain.review.decide_many(answers)
    done = [one for one in decided if one.proposal is not None]
    refused = [
        ("Refused", f"{one.proposal_id}: {one.message}") for one in decided if one not in done
    ]
    undo = [Done(verb="review/undo", told={"proposal_id": one.proposal_id}) for one in done]
    return Said(f"{len(done):,} of {len(decided):,} are decided.", rows=refused, undo=undo)


@act("review/later")
def put_off(ask: Ask) -> Said:
    """Put cards off for a day; undo has them wait again."""
    ids, now = ask.many("proposal_id")[:_MANY_MAX], ask.brain.parts.clock.now()
    for one in ids:
        ask.brain.review.snooze(one, until=now + _LATER)
    undo = [
        Done(verb="review/snooze", told={"proposal_id": one, "until": now.isoformat()})
        for one in ids
    ]
    return Said("Put off for a day." if len(ids) == 1 else f"{len(ids)} are put off.", undo=undo)


def _answers(text: str) -> Sequence[Mapping[str, Json]]:
    try:
        told = json.loads(text)
    except ValueError as error:
        raise InvalidInputError("the answers are no JSON") from error
    if not isinstance(told, list) or not all(isinstance(one, dict) for one in told):
        raise InvalidInputError("the answers are a list of objects")
    if len(told) > _MANY_MAX:
        raise InvalidInputError(f"at most {_MANY_MAX} are decided at once")
    return told
