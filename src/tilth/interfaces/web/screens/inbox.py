"""The inbox: what waits for a person, a card each, with what a decision rests on."""

from collections.abc import Mapping, Sequence

from tilth.core.errors import TilthError
from tilth.core.ids import FactId
from tilth.interfaces.web.screen import Ask, Told, screen
from tilth.knowledge.facts.decisions import Shown
from tilth.knowledge.proposals.proposal import Action, ProposalKind
from tilth.runtime.brain import Brain

# Each card reads all that its decision rests on.
PAGE = 25
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


@screen("/inbox", title="Inbox", group="Decide", place=30)
def inbox(ask: Ask) -> Told:
    """Gather what waits, in two lanes, the oldest first."""
    brain = ask.brain
    states = ["decided"] if ask.text("state") == "decided" else None
    kinds = [ask.text("kind")] if ask.text("kind") else None
    queue = brain.review.list(limit=PAGE, offset=ask.offset, states=states, kinds=kinds)
    cards = [card_of(brain, brain.review.show(one.id)) for one in queue.proposals]
    lanes = [
        ("Changes", "replace, remove or join something that stands", True),
        ("Facts", "new, doubtful or said twice", False),
    ]
    return {
        "queue": queue,
        "cards": cards,
        "lanes": [
            (name, meaning, [one for one in cards if (one["kind"] in CHANGES) is is_change])
            for name, meaning, is_change in lanes
        ],
        "kinds": list(ProposalKind),
        "offset": ask.offset,
        "page_size": PAGE,
        "is_decided": states is not None,
    }


@screen("/inbox/{proposal}", title="Decision")
def card(ask: Ask) -> Told:
    """Gather all that one decision rests on, and what comes after it."""
    brain = ask.brain
    shown = brain.review.show(brain.whole_id(ask.text("proposal")))
    waiting = [one.id for one in brain.review.list(limit=PAGE).proposals]
    here = waiting.index(shown.proposal.id) if shown.proposal.id in waiting else -1
    return {
        "card": card_of(brain, shown),
        "proposal": shown.proposal,
        "evidence": [evidence_of(brain, one.id) for one in (*shown.facts, *shown.retires)],
        "next": waiting[here + 1] if -1 < here < len(waiting) - 1 else "",
        "before": waiting[here - 1] if here > 0 else "",
        "left": len(waiting),
    }


def card_of(brain: Brain, shown: Shown) -> Mapping[str, object]:
    """Return what a card shows: the question, its sides, and the answers that it takes."""
    proposal = shown.proposal
    draft = proposal.draft
    return {
        "id": proposal.id,
        "kind": draft.kind,
        "title": title_of(shown),
        "reason": draft.reason,
        "scope": draft.scope,
        "by": proposal.by,
        "at": proposal.recorded_at,
        "digest": shown.digest,
        "facts": shown.facts,
        "retires": shown.retires,
        "names": [_name(brain, one) for one in draft.entities],
        "state": proposal.state,
        "ruling": proposal.ruling,
        "decided_by": proposal.decided_by,
        "decided_at": proposal.decided_at,
        "answers": answers_to(draft.kind, bool(shown.facts)),
        "safe": draft.kind in CHANGES,
    }


def title_of(shown: Shown) -> str:
    """Return the question of a proposal in a line."""
    draft = shown.proposal.draft
    new = [one for one in shown.facts if one.id not in {old.id for old in shown.retires}]
    if draft.kind is ProposalKind.SUPERSESSION and new and shown.retires:
        old = shown.retires[0]
        slot = old.said.triple
        if slot is not None and new[0].said.triple is not None:
            changed = f"{slot.object} → {new[0].said.triple.object}"
            return f"{slot.subject} {slot.predicate}: {changed}"
    texts = [one.said.text for one in (*new, *shown.retires)]
    return texts[0] if texts else draft.reason


def answers_to(kind: ProposalKind, is_about_facts: bool) -> Sequence[Action]:  # noqa: FBT001
    """Return the answers that a kind of question takes, the most usual first."""
    if not is_about_facts:
        yes = (
            Action.MERGE if kind in {ProposalKind.MERGE, ProposalKind.GAP_MERGE} else Action.CONFIRM
        )
        return (yes, Action.REJECT)
    usual = [Action.CONFIRM, Action.REJECT, Action.EDIT]
    if kind in {ProposalKind.CONTRADICTION, ProposalKind.CORRECTION}:
        usual += [Action.DISPUTE, Action.MARK_STALE]
    return (*usual, Action.EVIDENCE_ONLY)


def evidence_of(brain: Brain, fact_id: FactId) -> Mapping[str, object]:
    """Return the words that a fact rests on, each with its session."""
    why = brain.facts.why(fact_id)
    return {"fact": why.fact, "supports": why.supports, "lives": why.lives}


def _name(brain: Brain, entity: str) -> str:
    try:
        return brain.entities.get(entity).entity.name
    except TilthError:
        return entity
