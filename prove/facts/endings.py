"""What must come of ending, undoing and deciding."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from prove.facts.world import Fact, Life, Proposal, Who, World, check_human, ended
from tilth.core.errors import ConflictError, ForbiddenError, InvalidInputError

REASON_MIN = 20


class At(NamedTuple):
    """Where and when a step is, and whose it is."""

    seq: int
    now: datetime
    by: Who


def retire(fact: Fact, ends: datetime | None, at: At) -> None:
    """End a fact; a human does."""
    check_ending(fact, ends)
    fact.step(ended(fact.life, ends or at.now, "historical"), at.seq, "retire", at.by)


def ask_to_retire(world: World, fact: Fact, ends: datetime | None, reason: str) -> Proposal | None:
    """Return the proposal that waits already; None if a new one must be opened."""
    check_ending(fact, ends)
    if len(reason) < REASON_MIN:
        raise InvalidInputError("it says too little")
    known = _asked(world, f"removal:{fact.id}", fact.life.scope)
    if known is not None and known.decided is not None:
        raise ForbiddenError("a human decided about it")
    return known


def check_ending(fact: Fact, ends: datetime | None) -> None:
    """Refuse to end what is not current, or before it began."""
    if fact.life.lifecycle != "current" or fact.channel == "milestone":
        raise ConflictError("it does not end")
    if ends is not None and ends < fact.life.begins:
        raise InvalidInputError("it ends before it begins")


def ask_to_promote(world: World, fact: Fact, by: Who) -> Proposal | None:
    """Return the proposal that was opened already; None if a new one must be."""
    if fact.life.lifecycle != "historical":
        raise ConflictError("it is not past")
    if fact.life.review == "rejected" and not by.is_human:
        raise ForbiddenError("a human rejected it")
    return _asked(world, f"promotion:{fact.id}", fact.life.scope)


def ask(world: World, kind: str, fact: Fact, id_: str, seq: int) -> None:
    """Open a proposal about a fact."""
    holder = world.holder(fact.slot, fact.life.scope)
    facts, gone = ([], [fact.id]) if kind == "removal" else ([fact.id], [])
    if kind == "promotion" and holder is not None:
        gone = [holder.id]
    key = f"{kind}:{fact.id}"
    world.proposals[id_] = Proposal(id_, seq, kind, key, fact.life.scope, facts, gone)


def retires_now(world: World, proposal: Proposal) -> list[str]:
    """Return what a proposal would end today: what came in the place of what it named, if any."""
    is_replacing = proposal.kind in {"supersession", "promotion"} and proposal.facts
    if proposal.decided is not None or not is_replacing:
        return proposal.retires
    proposed = world.facts[proposal.facts[0]]
    if proposed.slot is not None:
        holder = None if proposed.is_past else world.holder(proposed.slot, proposed.life.scope)
        return [] if holder is None or holder.id in proposal.facts else [holder.id]
    heads = [_head(world, world.facts[one]) for one in proposal.retires]
    return list(dict.fromkeys(one.id for one in heads if one.life.lifecycle == "current"))


def _head(world: World, fact: Fact) -> Fact:
    while fact.life.successor is not None:
        fact = world.facts[fact.life.successor]
    return fact


def _asked(world: World, key: str, scope: str) -> Proposal | None:
    known = [one for one in world.proposals.values() if (one.key, one.scope) == (key, scope)]
    return known[-1] if known else None


def archive(fact: Fact, at: At) -> None:
    """Put a fact away."""
    if fact.life.lifecycle == "archived":
        raise ConflictError("it is put away")
    if not at.by.is_human and (fact.is_vouched or fact.by != at.by):
        raise ForbiddenError("it is somebody else's")
    fact.step(replace(fact.life, lifecycle="archived"), at.seq, "archive", at.by)


def restore(world: World, fact: Fact, at: At) -> None:
    """Bring back what was put away."""
    if fact.steps[-1].verb != "archive":
        raise ConflictError("it is not put away")
    undo(world, fact, at)


def undo(world: World, fact: Fact, at: At) -> None:
    """Take back what happened to a fact last."""
    last = fact.steps[-1]
    if last.verb == "undo":
        raise ConflictError("it was taken back")
    _take_back(world, last.since, last.by, at)


def undo_decision(world: World, proposal: Proposal, at: At) -> None:
    """Take back what a human decided."""
    check_human(at.by)
    if proposal.decided is None:
        raise ConflictError("it is open")
    _take_back(world, proposal.decided, at.by, at)


def _take_back(world: World, event: int, whose: Who, at: At) -> None:
    touched = [
        one for one in world.facts.values() if any(step.since == event for step in one.steps)
    ]
    if any(one.steps[-1].since != event for one in touched):
        raise ConflictError("it has changed since")
    if not at.by.is_human and whose != at.by:
        raise ForbiddenError("it is somebody else's doing")
    before = {one.id: one.steps[-2].life for one in touched if len(one.steps) > 1}
    for one in touched:
        if one.id in before and before[one.id].lifecycle == "current":
            scope, leaving = before[one.id].scope, {other.id for other in touched}
            _check_room(world, [one], scope, leaving)
            _check_said_once(world, one, scope, leaving)
    for one in touched:
        life = before.get(one.id, replace(one.life, lifecycle="archived"))
        one.step(life, at.seq, "undo", at.by)
    for proposal in world.proposals.values():
        if proposal.decided == event:
            proposal.decided = proposal.action = None


class Answer(NamedTuple):
    """What a human says: the action, what ends by it, what stays, and where it belongs then."""

    action: str
    retires: Collection[str] = ()
    keeps: str | None = None
    scope: str | None = None


class Ruled(NamedTuple):
    """What an answer falls on, what ends by it, and what is not so."""

    facts: list[Fact]
    retires: list[Fact]
    rejects: list[Fact]


def decide(world: World, proposal: Proposal, answer: Answer, at: At, *, is_stale: bool) -> None:
    """Decide a proposal."""
    check_human(at.by)
    if proposal.decided is not None or is_stale:
        raise ConflictError("it is not what was shown")
    facts, retires, rejects = ruled = _ruled(world, proposal, answer)
    since = _turn(proposal, answer, ruled)
    _check_begun(world, proposal, ruled, answer.action, since, at.now)
    after = {one.id: _after(one.life, answer, since, at.now) for one in facts}
    for one in facts:
        if after[one.id].lifecycle == "current":
            _check_room(world, [one], after[one.id].scope, set(facts_ids([*facts, *retires])))
            _check_alone(world, one, after, {*facts_ids(retires), *facts_ids(rejects)})
    for one in retires:
        by = facts[0].id if facts else None
        life = ended(one.life, since or at.now, "superseded" if by else "historical", by)
        one.step(life, at.seq, "decide", at.by)
    for one in rejects:
        one.step(_rejected(one.life), at.seq, "decide", at.by)
    for one in facts:
        one.step(after[one.id], at.seq, "decide", at.by)
    if answer.action == "merge":
        _share_sources(ruled)
    proposal.decided, proposal.action = at.seq, answer.action


def _ruled(world: World, proposal: Proposal, answer: Answer) -> Ruled:
    facts = [world.facts[one] for one in proposal.facts]
    retires = [world.facts[one] for one in retires_now(world, proposal)]
    match answer.action:
        case "confirm":
            _check_named(answer, retires)
            _check_current(retires)
            _check_room(world, facts, None, {*proposal.facts, *facts_ids(retires)})
            return Ruled(facts, retires, [])
        case "supersede" | "merge":
            return _keeping([*facts, *retires], answer)
        case "reject":
            return Ruled([], [], facts)
        case "restrict_scope":
            if answer.scope is None:
                raise InvalidInputError("it names no scope")
            for one in facts or retires:
                _check_room(world, [one], answer.scope, {one.id})
        case "dispute" | "mark_stale":
            return Ruled([*facts, *retires], [], [])
        case _:
            pass
    return Ruled(facts or retires, [], [])


def _keeping(sides: list[Fact], answer: Answer) -> Ruled:
    kept = [one for one in sides if one.id == answer.keeps]
    if not kept:
        raise InvalidInputError("it names no side")
    others = [one for one in sides if one.id != answer.keeps]
    _check_named(answer, others)
    if answer.action == "supersede":
        _check_current(others)
    return Ruled(kept, others, [])


def _share_sources(ruled: Ruled) -> None:
    (kept,) = ruled.facts
    for one in ruled.retires:
        kept.sources += [source for source in one.sources if source not in kept.sources]


def facts_ids(facts: list[Fact]) -> list[str]:
    """Return the IDs of facts."""
    return [one.id for one in facts]


def _check_named(answer: Answer, retires: list[Fact]) -> None:
    if set(answer.retires) != set(facts_ids(retires)):
        raise InvalidInputError("it does not name what ends")


def _check_current(facts: list[Fact]) -> None:
    if any(one.life.lifecycle != "current" for one in facts):
        raise ConflictError("it has ended by now")


def _check_room(world: World, facts: list[Fact], scope: str | None, leaving: set[str]) -> None:
    for one in facts:
        if one.is_past:
            continue
        holder = world.holder(one.slot, scope or one.life.scope)
        if holder is not None and holder.id not in leaving:
            raise ConflictError("its place is taken")


def _check_said_once(world: World, fact: Fact, scope: str, leaving: set[str]) -> None:
    said = world.saying(fact.key, scope)
    if any(one.life.lifecycle == "current" and one.id not in leaving for one in said):
        raise ConflictError("another says the same")


def _check_alone(
    world: World, fact: Fact, after: Mapping[str, Life], leaving: Collection[str]
) -> None:
    """Refuse that a fact becomes current beside one that says the same and goes on holding."""
    life = after[fact.id]
    if (fact.life.lifecycle, fact.life.scope) == ("current", life.scope):
        return
    for one in world.facts.values():
        its = after.get(one.id, one.life)
        is_same = (one.key, its.scope, its.lifecycle) == (fact.key, life.scope, "current")
        is_over = its.ends is not None and its.ends <= life.begins
        if is_same and not is_over and one is not fact and one.id not in leaving:
            raise ConflictError("another says that already")


def _since(facts: list[Fact], retires: list[Fact]) -> datetime | None:
    told = [one.life.begins for one in facts if one.life.begins != one.recorded]
    if retires:
        told += [one.life.begins for one in facts if one.life.lifecycle == "current"]
    return max([*told, *(one.life.begins for one in retires)]) if told else None


def _turn(proposal: Proposal, answer: Answer, ruled: Ruled) -> datetime | None:
    """Return when what ends by an answer gives way to what stays, if anybody told it."""
    if answer.action == "confirm" and proposal.ends is not None:
        return proposal.ends
    if answer.action == "merge" and ruled.facts[0].life.lifecycle == "current":
        return ruled.facts[0].life.begins
    return _since(ruled.facts, ruled.retires)


def _check_begun(
    world: World,
    proposal: Proposal,
    ruled: Ruled,
    action: str,
    since: datetime | None,
    now: datetime,
) -> None:
    """Refuse that something takes a place before it begins."""
    facts = [world.facts[one] for one in proposal.facts]
    leaving = [world.facts[one] for one in retires_now(world, proposal)]
    is_new = any(one.life.lifecycle != "current" for one in facts) or proposal.ends is not None
    begins_by_it = {"confirm": is_new, "supersede": True, "merge": True, "restrict_scope": True}
    takes_place = bool(ruled.retires) or any(one.slot is not None for one in facts)
    now = max([now, *(at for one in (*facts, *leaving) for at in (one.recorded, one.life.checked))])
    if begins_by_it.get(action) and takes_place and since is not None and since > now:
        raise InvalidInputError("it has not begun")


def _after(life: Life, answer: Answer, since: datetime | None, now: datetime) -> Life:
    match answer.action:
        case "confirm" | "supersede" | "merge":
            if since is None and life.lifecycle == "current":
                return replace(life, review="confirmed", checked=now)
            return _confirmed(life, since or now, now)
        case "dispute":
            return replace(life, review="disputed")
        case "mark_stale" if life.lifecycle != "draft":
            return replace(life, checked=min(life.checked, life.begins))
        case "restrict_scope":
            narrow = replace(life, scope=answer.scope or life.scope)
            is_draft = life.lifecycle == "draft"
            return _confirmed(narrow, since or now, now) if is_draft else narrow
        case _:
            return replace(life, lifecycle="historical", authority="evidence")


def _rejected(life: Life) -> Life:
    away = "archived" if life.lifecycle == "current" else life.lifecycle
    return replace(life, review="rejected", lifecycle=away)


def _confirmed(life: Life, since: datetime, now: datetime) -> Life:
    is_draft = life.lifecycle == "draft"
    if is_draft and life.ends is not None and life.ends <= max(since, now):
        # What is over by then was so, and is not.
        return replace(life, lifecycle="historical", review="confirmed", checked=now)
    return replace(
        life,
        lifecycle="current",
        review="confirmed",
        begins=since,
        ends=life.ends if is_draft else None,
        checked=now,
        successor=None,
    )
