"""What a new statement meets."""

from collections.abc import Iterator
from datetime import datetime

from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import ConflictError
from tilth.core.ids import FactId
from tilth.core.lifecycle import Lifecycle, Review
from tilth.core.scope import Visibility
from tilth.knowledge.facts.fact import Fact
from tilth.knowledge.facts.filters import NOW, FactFilter, Moment
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.facts.write.supersession import Placed, is_over
from tilth.ledger.snapshot import Snapshot

_HOLDING, _WAITING = frozenset({Lifecycle.CURRENT}), frozenset({Lifecycle.DRAFT})
_TOLD = frozenset({Lifecycle.CURRENT, Lifecycle.HISTORICAL})
# More of one statement than this are over and over again, and the last ones come first.
_SAME_MAX = 100


def holder_of(
    reader: Snapshot, slot_key: str, realm: Visibility, moment: Moment = NOW
) -> Fact | None:
    """Return the one current fact in a slot."""
    which = FactFilter(within=realm, slot=slot_key, moment=moment)
    found = Facts(reader).select(which, limit=1)
    return found[0] if found else None


def incumbent_of(reader: Snapshot, placed: Placed, realm: Visibility, by: Actor) -> Fact | None:
    """
    Return what a draft meets: what it names, the holder of its slot, or what says the same.

    Raises:
        NotFoundError: what it names is not there, or may not be seen.
        ConflictError: what it names is not current, or another fact holds its slot, or says the
            same already.
    """
    holder = None if placed.slot is None else holder_of(reader, placed.slot.key, realm)
    if placed.draft.supersedes is not None:
        named = _named(reader, placed.draft.supersedes, holder, realm)
        if named.key != placed.key and (same := _same(reader, placed, realm, _HOLDING)):
            raise ConflictError(
                f"{same.id} says that already",
                hint=f"end what is not so: tilth fact retire {named.id}",
            )
        return named
    if holder is not None and holder.key == placed.key:
        return holder
    return _same(reader, placed, realm, _counting(by)) or holder


def _named(reader: Snapshot, named: FactId, holder: Fact | None, realm: Visibility) -> Fact:
    fact = Facts(reader).get(named, realm)
    if fact.life.lifecycle is not Lifecycle.CURRENT:
        raise ConflictError(
            f"{named} is {fact.life.lifecycle.value}, and only a current fact is superseded",
            hint=f"see what holds now: tilth fact history {named}",
        )
    if holder is not None and holder.id != named:
        raise ConflictError(
            f"{holder.id} holds this place, not {named}", hint=f"name it: --supersedes {holder.id}"
        )
    return fact


def _counting(by: Actor) -> frozenset[Lifecycle]:
    """Return in which a fact says the same: for agents a draft counts, for imports the past."""
    lifecycles = _TOLD if by.kind is ActorKind.IMPORT else _HOLDING
    return lifecycles if by.is_human else lifecycles | _WAITING


def _same(
    reader: Snapshot, placed: Placed, realm: Visibility, lifecycles: frozenset[Lifecycle]
) -> Fact | None:
    # What names no time of its own begins when it is recorded: behind all that was (ADR 42).
    is_now = placed.draft.valid_from is None
    begins = max(placed.begins, reader.recorded_until()) if is_now else placed.begins
    return next(said_still(reader, placed.key, realm, begins, lifecycles), None)


def said_still(
    reader: Snapshot,
    key: str,
    realm: Visibility,
    begins: datetime,
    lifecycles: frozenset[Lifecycle] = _HOLDING,
) -> Iterator[Fact]:
    """Yield what says the same; what is over when that *begins* does not: it begins anew."""
    which = FactFilter(
        within=realm,
        key=key,
        lifecycles=lifecycles,
        reviews=frozenset(Review) - {Review.REJECTED},
    )
    for fact in Facts(reader).select(which, limit=_SAME_MAX):
        if not is_over(fact, begins):
            yield fact
