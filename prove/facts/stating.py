"""What must come of a statement."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import NamedTuple, cast

from prove.facts.world import (
    GLOBAL,
    Fact,
    Life,
    Proposal,
    Slot,
    Step,
    Thing,
    Who,
    World,
    counts,
    ended,
)
from tilth.core.errors import ConflictError, ForbiddenError, InvalidInputError, NotFoundError
from tilth.knowledge.facts.fact import FactFields, parse_fact
from tilth.knowledge.facts.statement import Statement
from tilth.knowledge.facts.write.rejections import claim_of, nearest
from tilth.knowledge.likeness.paraphrase import says_again

CAP = 0.8
# How the values of a predicate live, and who may replace one; nobody registered `colour` at first.
RULES = {
    "phase": ("single", "auto"),
    "port": ("single", "propose"),
    "rule": ("single", "human"),
    "likes": ("multi", "auto"),
}
ALIASES = {"stage": "phase", "listens_on": "port"}
_BY_CHANNEL = {"decision": ("immutable", "propose"), "milestone": ("multi", "auto")}


class Told(NamedTuple):
    """A statement in plain words: a triple, something about a component, or a text alone."""

    subject: str
    predicate: str = ""
    value: str = ""
    channel: str = "entity"
    component: str = ""
    text: str = ""
    scope: str = GLOBAL
    begins: datetime | None = None
    ends: datetime | None = None
    confidence: float = CAP
    authority: str = "evidence"
    named: str | None = None

    def telling(self) -> dict[str, object]:
        """Return the words for the product."""
        told: dict[str, object] = {
            "scope": self.scope,
            "valid_from": self.begins,
            "valid_to": self.ends,
            "confidence": self.confidence,
            "authority": self.authority,
            "supersedes": self.named,
        }
        if self.predicate:
            told |= {"subject": self.subject, "predicate": self.predicate, "object": self.value}
            return told | {"channel": self.channel}
        return told | (
            {"system": self.subject, "component": self.component}
            if self.component
            else {"about": [self.subject]}
        )

    @property
    def words(self) -> str:
        """What is recorded as an episode."""
        return self.text or f"{self.subject} {self.predicate.replace('_', ' ')} {self.value}"


class Named(NamedTuple):
    """
    What the product named: the fact, its place and its life's, and the proposal with it.

    `clock` is what the clock showed, which may be behind what was recorded last.
    """

    fact: str
    seq: int
    proposal: str
    since: int
    clock: datetime


@dataclass(frozen=True, slots=True)
class Placed:
    """A statement where it belongs; None is a thing that nobody named before."""

    told: Told
    thing: Thing | None
    by: Who
    now: datetime
    begins: datetime
    slot: Slot | None
    key: tuple[str, ...]
    rule: tuple[str, str] | None


# What it meets stays what it is; that a human rejected the draft is said first.
_FOR_GOOD = "for good"


def state(world: World, told: Told, by: Who, now: datetime, *, is_asking: bool = False) -> str:
    """
    Say what must come of a statement: a verdict, or the ID of the fact that says so already.

    Raises:
        TilthError: it must be refused.
    """
    if told.begins is not None and told.ends is not None and told.ends < told.begins:
        raise InvalidInputError("it ends before it begins")
    if is_asking and told.named is None:
        raise InvalidInputError("it names nothing")
    if by.kind == "job" and told.authority == "instruction":
        raise ForbiddenError("it rests on nothing that a person typed")
    placed = place(world, told, by, now)
    if told.ends is not None and told.ends < placed.begins:
        raise InvalidInputError("it ended, and nobody says when it began")
    met = _met(world, placed)
    rejected = None if by.is_human else _rejected(world, placed)
    verdict = _asked(placed, met) if is_asking else _verdict(placed, met)
    return _doubted(placed, verdict, rejected)


def _doubted(placed: Placed, verdict: str, rejected: Fact | None) -> str:
    """Say what becomes of what a human rejected: the same is refused, what says it again waits."""
    same = (placed.key, placed.told.scope)
    if rejected is not None and (rejected.key, rejected.life.scope) == same:
        raise ForbiddenError("a human rejected it")
    if verdict == _FOR_GOOD:
        raise ConflictError("it stands for good")
    if rejected is None:
        return verdict
    return {"recorded": "promotion", "superseded": "supersession"}.get(verdict, verdict)


def _rejected(world: World, placed: Placed) -> Fact | None:
    rejected = [
        one
        for one in sorted(world.facts.values(), key=lambda one: one.seq, reverse=True)
        if one.life.review == "rejected" and not _is_said_since(world, one)
    ]
    same = [one for one in rejected if one.key == placed.key]
    same.sort(key=lambda one: one.life.scope != placed.told.scope)
    if same:
        return same[0]
    said, about = said_of(placed.told), placed.thing and placed.thing.last
    again = (one for one in nearest(said, rejected) if _says_again(world, said, about, one))
    return next(again, None)


def _says_again(world: World, said: Statement, about: Thing | None, rejected: Fact) -> bool:
    ours, theirs = _things(world, said, about), _things(world, rejected.said, rejected.thing.last)
    shared = [world.names(one) for one in ours if one in theirs]
    return says_again(claim_of(said), claim_of(rejected.said), shared)


def _things(world: World, said: Statement, about: Thing | None) -> list[Thing]:
    names = [said.taxonomy.system, said.taxonomy.component]
    names += [said.triple.subject, said.triple.object] if said.triple else []
    named = (world.called(name) for name in names if name)
    return [one for one in (about, *named) if one is not None]


def _is_said_since(world: World, rejected: Fact) -> bool:
    return any(
        one.life.lifecycle == "current"
        and one.is_vouched
        and one.key == rejected.key
        and one.steps[-1].since > rejected.steps[-1].since
        for one in world.facts.values()
    )


def said_of(told: Told) -> Statement:
    """Return a statement as the product reads it."""
    return parse_fact(told.text, cast("FactFields", told.telling())).said


def place(world: World, told: Told, by: Who, now: datetime) -> Placed:
    """Return where a statement belongs: of what was merged, by the name of one of its parts."""
    known = world.thing(told.subject, told.scope)
    if known is None:
        return _placed_as(told, None, by, now, world)
    parts = world.parts(known, told.scope)
    as_part = {id(one): _placed_as(told, one, by, now, world) for one in parts}
    holding = [one for one in parts if world.holder(as_part[id(one)].slot, told.scope)]
    named = [one for one in parts if told.subject.lower() in map(str.lower, one.names)]
    if as_part[id(known)].slot is None:
        return as_part[id(known)]
    both = [one for one in named if one in holding]
    return as_part[id([*both, *holding, *named][0])]


def _placed_as(told: Told, thing: Thing | None, by: Who, now: datetime, world: World) -> Placed:
    subject = (thing.names[0] if thing else told.subject).lower()
    slot: Slot | None = None
    rule: tuple[str, str] | None = None
    key: tuple[str, ...] = ("text", told.text.lower())
    if told.component:
        slot, rule = ("system", subject, told.component.lower()), ("single", "propose")
        key = (*slot, told.text.lower())
    elif told.predicate:
        name = ALIASES.get(told.predicate, told.predicate)
        known_rule = (RULES | world.registered).get(name)
        rule = _BY_CHANNEL.get(told.channel, known_rule)
        place_ = (told.channel, subject, name)
        slot = None if rule is None or rule[0] == "multi" else place_
        key = (*place_, told.value.lower())
    return Placed(told, thing, by, now, told.begins or now, slot, key, rule)


def _met(world: World, placed: Placed) -> Fact | None:
    told = placed.told
    holder = world.holder(placed.slot, told.scope)
    if told.named is not None:
        named = world.facts.get(told.named)
        if named is None or named.life.scope != told.scope:
            raise NotFoundError("it is not there")
        if named.life.lifecycle != "current" or (holder is not None and holder is not named):
            raise ConflictError("it does not hold this place")
        if named.key != placed.key and _same(world, placed, {"current"}):
            raise ConflictError("another says that already")
        return named
    if holder is not None and holder.key == placed.key:
        return holder
    lifecycles = {"current"} | ({"historical"} if placed.by.kind == "import" else set())
    lifecycles |= set() if placed.by.is_human else {"draft"}
    same = _same(world, placed, lifecycles)
    return _last_first(same)[0] if same else holder


def _last_first(facts: Iterable[Fact]) -> list[Fact]:
    """Return the one that began last first, and of several that began at once the newest."""
    return sorted(facts, key=lambda one: (one.life.begins, one.seq), reverse=True)


def _same(world: World, placed: Placed, lifecycles: set[str]) -> list[Fact]:
    return [
        one
        for one in world.saying(placed.key, placed.told.scope)
        if one.life.lifecycle in lifecycles
        and one.life.review != "rejected"
        and not _is_over(one, placed)
    ]


def _verdict(placed: Placed, met: Fact | None) -> str:
    told, by = placed.told, placed.by
    takes_place = placed.slot is not None or told.named is not None
    if takes_place and placed.begins > placed.now:
        raise ConflictError("it has not begun")
    if not by.is_human and told.authority == "instruction":
        raise ForbiddenError("only a human may say so")
    if by.kind == "anonymous":
        return "promotion"
    if met is not None and met.key == placed.key and not _is_over(met, placed):
        return met.id
    if by.kind == "import":
        return "past"
    if met is None or (placed.slot is None and told.named is None):
        return _alone(placed)
    return _meeting(placed, met)


def _asked(placed: Placed, met: Fact | None) -> str:
    if met is None or met.key == placed.key:
        raise ConflictError("there is nothing to ask")
    return _FOR_GOOD if met.channel == "milestone" else "supersession"


def _alone(placed: Placed) -> str:
    if placed.rule is not None and placed.rule[1] == "human" and not placed.by.is_human:
        return "promotion"
    return "past" if _is_past(placed) else "recorded"


def _meeting(placed: Placed, met: Fact) -> str:
    cardinality, mode = placed.rule or ("", "")
    if met.channel == "milestone" or (cardinality == "immutable" and placed.told.named is None):
        return _FOR_GOOD
    if placed.begins < met.life.begins or _is_past(placed):
        return "late" if met.is_vouched and not placed.by.is_human else "past"
    if placed.by.is_human:
        return "superseded"
    if cardinality != "single" or mode == "human":
        return "supersession"
    is_free = _is_over(met, placed) or (mode == "auto" and not met.is_vouched)
    return "superseded" if is_free else "supersession"


def _is_over(met: Fact, placed: Placed) -> bool:
    return met.life.ends is not None and met.life.ends <= placed.begins


def _is_past(placed: Placed) -> bool:
    return placed.told.ends is not None and placed.told.ends <= placed.now


def _affirms(by: Who, life: Life, now: datetime) -> bool:
    """Say whether a human who says it again vouches for it; whoever did within a day does not."""
    if not by.is_human or life.lifecycle != "current":
        return False
    is_due = life.checked + timedelta(days=1) <= now
    return life.review == "unreviewed" or (life.review == "confirmed" and is_due)


def record(world: World, placed: Placed, verdict: str, named: Named) -> None:
    """Do what must come of a statement, under the names that the product gave."""
    told, by = placed.told, placed.by
    source = (*by, told.scope, told.words)
    about = placed.thing
    if about is None:
        about = Thing([told.subject], told.scope)
        world.things.append(about)
    if verdict in world.facts:
        known = world.facts[verdict]
        known.sources += [source] if source not in known.sources else []
        if _affirms(by, known.life, named.clock):
            life = replace(known.life, review="confirmed", checked=placed.now)
            known.step(life, named.since, "state", by)
        return
    met = _met(world, placed)
    next_begin = _next_begin(world, placed, met)
    retires = met if verdict in {"supersession", "superseded"} else None
    if (waiting := _waiting(world, placed, verdict, retires)) is not None:
        waiting.sources += [source] if source not in waiting.sources else []
        return
    if verdict == "superseded" and met is not None:
        met.step(ended(met.life, placed.begins, "superseded", named.fact), named.seq, "state", by)
    life = Life(
        scope=told.scope,
        lifecycle={"past": "historical", "recorded": "current", "superseded": "current"}.get(
            verdict, "draft"
        ),
        review="confirmed" if by.is_human else "unreviewed",
        authority=told.authority,
        begins=placed.begins,
        ends=_ends(placed, met, next_begin) if verdict in {"past", "late"} else told.ends,
        checked=placed.now,
    )
    world.facts[named.fact] = Fact(
        id=named.fact,
        seq=named.seq,
        by=by,
        recorded=placed.now,
        slot=placed.slot,
        key=placed.key,
        confidence=told.confidence,
        channel=told.channel if told.predicate else "",
        supersedes=None if retires is None else retires.id,
        said=said_of(told),
        thing=about,
        sources=[source],
        steps=[Step(life, named.seq, "state", by)],
    )
    if verdict in {"promotion", "late", "supersession"}:
        kind = "promotion" if verdict == "late" else verdict
        gone = [] if retires is None else [retires.id]
        world.proposals[named.proposal] = Proposal(
            named.proposal, named.seq + 1, kind, f"fact:{named.fact}", told.scope,
            [named.fact], gone,
        )  # fmt: skip


def _waiting(world: World, placed: Placed, verdict: str, retires: Fact | None) -> Fact | None:
    """Return the draft with which the same somebody asks the same already, if it would hold."""
    told, gone = placed.told, [] if retires is None else [retires.id]
    if told.begins is not None or told.ends is not None:
        return None
    return next(
        (
            one
            for one in _last_first(world.facts.values())
            if (one.key, one.by, one.life.scope) == (placed.key, placed.by, told.scope)
            and one.life.lifecycle == "draft"
            and one.life.begins <= placed.begins
            and not _is_over(one, placed)
            and any(
                (asked.action, asked.kind, asked.facts, asked.retires)
                == (None, verdict, [one.id], gone)
                for asked in world.proposals.values()
            )
        ),
        None,
    )


def _next_begin(world: World, placed: Placed, met: Fact | None) -> datetime | None:
    """Return when the next value began that is known to have held in the same slot."""
    begins = [
        one.life.begins
        for one in world.facts.values()
        if placed.slot is not None
        and (one.slot, one.life.scope) == (placed.slot, placed.told.scope)
        and counts(one.life)
        and one.life.begins > placed.begins
    ]
    return min(begins, default=None if met is None else met.life.begins)


def _ends(placed: Placed, met: Fact | None, next_begin: datetime | None) -> datetime | None:
    """Return when the past ended: with what came after it at the latest, if that is known."""
    ends = placed.told.ends
    is_import = placed.by.kind == "import"
    if is_import or met is None or placed.begins >= met.life.begins:
        return ends
    if placed.slot is None and placed.told.named is None:
        return ends
    known = [at for at in (ends, met.life.begins, next_begin) if at is not None]
    return min(known)
