"""A proposal on one screen: what is claimed, what it would change, and what speaks for it."""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from tilth.core.instant import written_day
from tilth.core.view import Bold, Dim, Line
from tilth.interfaces.describe_ids import describe
from tilth.knowledge.facts.decisions import Shown
from tilth.knowledge.facts.fact import Fact
from tilth.knowledge.proposals.proposal import Proposal, ProposalKind, ProposalState
from tilth.privacy.terminal_text import one_line
from tilth.runtime.brain import Brain

_CHARS = 300
_QUOTE_CHARS = 160
_QUOTES_MAX = 3
_FACTS_MAX = 3


def summary(seen: Shown) -> Iterator[Line]:
    """Yield a proposal in two lines."""
    proposal = seen.proposal
    change = " → ".join(
        one_line(fact.said.text, _CHARS // 2) for fact in (*seen.retires, *seen.facts)
    )
    why = ": ".join(filter(None, (", ".join(_gaps(seen)), one_line(seen.reason, _CHARS // 2))))
    yield (Bold(proposal.draft.kind), "  ", change or why)
    until = proposal.snoozed_until
    later = "" if until is None else f"  put off until {until:%Y-%m-%d %H:%M}"
    decided = f"  {said}" if (said := _decided(proposal)) else ""
    yield Dim(f"  {proposal.id}  {proposal.state}  by {proposal.by.name}{later}{decided}")


def card(brain: Brain, seen: Shown) -> Iterator[Line]:
    """Yield a proposal whole. Everything in it was written by others: it stays on its lines."""
    proposal = seen.proposal
    draft, by = proposal.draft, proposal.by
    yield (Bold(draft.kind), Dim(f"  {proposal.id}  {proposal.state}  {draft.scope}"))
    yield f"  why: {one_line(seen.reason, _CHARS)}"
    yield Dim(f"  asked by {by.name} ({by.kind}) on {proposal.recorded_at:%Y-%m-%d %H:%M}")
    if said := _decided(proposal):
        yield (f"  {said}",)
    if slot := next(filter(None, map(_slot, (*seen.retires, *seen.facts))), ""):
        yield f"  slot: {slot}"
    yield from _entities(brain, proposal)
    if draft.kind is ProposalKind.GAP_MERGE:
        yield from (_gap(brain, gap_id) for gap_id in _gaps(seen))
    has_sides = draft.kind in {ProposalKind.CONTRADICTION, ProposalKind.DUPLICATE}
    sides = [("-", fact) for fact in seen.retires]
    sides += [("AB"[n % 2] if has_sides else "+", fact) for n, fact in enumerate(seen.facts)]
    texts = _marked([one_line(fact.said.text, _CHARS) for _, fact in sides])
    for (mark, fact), text in zip(sides, texts, strict=True):
        yield from _side(brain, mark, fact, text)
    if seen.rejected is not None:
        yield from _side(brain, "a human rejected before:", seen.rejected)
    if seen.retires:
        yield Dim(f"  confirming retires {', '.join(fact.id for fact in seen.retires)}")


def _entities(brain: Brain, proposal: Proposal) -> Iterator[Line]:
    is_of_two = proposal.draft.kind is ProposalKind.MERGE and proposal.state is ProposalState.OPEN
    for one in describe(brain, proposal.draft.entities):
        yield (f"  {one['words']}", Dim(f"  {one['kind']}  {one['id']}"))
        if is_of_two:
            yield from _known_of(brain, one["id"])


def _known_of(brain: Brain, entity_id: str) -> Iterator[Line]:
    """Yield what tells one of two from the other: a name alone says too little."""
    known = brain.about(entity_id, limit=_FACTS_MAX)
    if others := known.card.names[1:]:
        yield Dim(f"    also {one_line(', '.join(others), _CHARS)}")
    for one in known.card.identities:
        yield Dim(f"    {one_line(one.address.words, _CHARS)}  ({one.confidence})")
    for key, told in known.profile.items():
        yield Dim(f"    {one_line(f'{key}: {told}', _QUOTE_CHARS)}")
    for fact in known.facts:
        yield Dim(f"    “{one_line(fact.fact.said.text, _QUOTE_CHARS)}”")
    if (left := known.fact_count - len(known.facts)) > 0:
        yield Dim(f"    and {left} more: tilth about {entity_id}")


def _decided(proposal: Proposal) -> str:
    """Return what was decided, by whom and when; nothing while it waits."""
    if proposal.ruling is None or proposal.decided_by is None or proposal.decided_at is None:
        return ""
    note = f": {one_line(proposal.ruling.note, _CHARS)}" if proposal.ruling.note else ""
    action, who = proposal.ruling.action.replace("_", " "), proposal.decided_by.name
    return f"decided: {action}, by {who} on {proposal.decided_at:%Y-%m-%d %H:%M}{note}"


def _slot(fact: Fact) -> str:
    """Return the question that a fact is an answer to, where it fills a slot."""
    triple, filed = fact.said.triple, fact.said.taxonomy
    if triple is not None:
        return f"{triple.subject} · {triple.predicate}"
    return " · ".join(filter(None, (filed.environment, filed.system, filed.component)))


def _marked(texts: Sequence[str]) -> list[Sequence[str]]:
    """Return the sides, with the words that only one of two has standing out."""
    if len(texts) != len("AB"):
        return [(text,) for text in texts]
    one, other = words = [re.findall(r"\S+\s*", text) for text in texts]
    told: list[list[str]] = [[], []]
    for kind, *spans in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        for side, (begin, end) in enumerate((spans[:2], spans[2:])):
            part = "".join(words[side][begin:end])
            told[side].append(part if kind == "equal" else Bold(part))
    return [tuple(parts) for parts in told]


def _side(brain: Brain, mark: str, fact: Fact, text: Sequence[str] = ()) -> Iterator[Line]:
    life = fact.life
    yield (Bold(f"{mark} "), *(text or (one_line(fact.said.text, _CHARS),)))
    yield Dim(
        f"    {fact.id}  {life.lifecycle} {life.review}  holds since {written_day(life.valid_from)}"
        f"  said by {fact.by.name} ({fact.by.kind}) on {fact.recorded_at:%Y-%m-%d %H:%M}"
        f"  {life.scope}  confidence {fact.confidence.value:g}"
    )
    supports = brain.facts.why(fact.id).supports
    for support in supports[:_QUOTES_MAX]:
        quote = support.quote or "not seen from here"
        yield Dim(f"    {support.evidence.episode_id}  “{one_line(quote, _QUOTE_CHARS)}”")
    if len(supports) > _QUOTES_MAX:
        yield Dim(f"    and {len(supports) - _QUOTES_MAX} more: tilth fact why {fact.id}")


def _gaps(seen: Shown) -> tuple[str, ...]:
    draft = seen.proposal.draft
    if draft.kind is not ProposalKind.GAP_MERGE:
        return ()
    return str(draft.detail["winner"]), str(draft.detail["loser"])


def _gap(brain: Brain, gap_id: str) -> Line:
    gap = brain.gaps.get(gap_id).gap
    told = f"    {gap.id}  {gap.status}, {gap.how_often}"
    return (f"  {one_line(gap.description, _CHARS)}", Dim(told))
