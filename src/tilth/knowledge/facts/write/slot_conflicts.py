"""Find the existing fact that a new statement meets."""

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
# How many facts with the same statement are read, the last ones first.
_SAME_MAX = 100


def holder_of(
    reader: Snapshot, slot_key: str, realm: Visibility, moment: Moment = NOW
) -> Fact | None:
    """Return the current fact in a slot; None if it is empty."""
    which = FactFilter(within=realm, slot=slot_key, moment=moment)
    found = Facts(reader).select(which, limit=1)
    return found[0] if found else None


def incumbent_of(reader: Snapshot, placed: Placed, realm: Visibility, by: Actor) -> Fact | None:
    """
    Return what a draft meets: the fact it names, the holder of its slot, or an equal fact.

    Raises:
        NotFoundError: the named fact is not visible.
        ConflictError: the named fact is not current, or another fact holds the slot or says the
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
    """Return the lifecycles in which an equal fact counts for *by*."""
    lifecycles = _TOLD if by.kind is ActorKind.IMPORT else _HOLDING
    return lifecycles if by.is_human else lifecycles | _WAITING


def _same(
    reader: Snapshot, placed: Placed, realm: Visibility, lifecycles: frozenset[Lifecycle]
) -> Fact | None:
    # A draft without a time begins when it is recorded, after everything before it (ADR 42).
    is_now = placed.draft.valid_from is None
    begins = max(placed.begins, reader.recorded_until()) if is_now else placed.begins
    return next(equal_facts(reader, placed.key, realm, begins, lifecycles), None)


def equal_facts(
    reader: Snapshot,
    key: str,
    realm: Visibility,
    begins: datetime,
    lifecycles: frozenset[Lifecycle] = _HOLDING,
) -> Iterator[Fact]:
    """Yield facts that say the same and are not over by *begins*; later ones begin anew."""
    which = FactFilter(
        within=realm,
        key=key,
        lifecycles=lifecycles,
        reviews=frozenset(Review) - {Review.REJECTED},
    )
    for fact in Facts(reader).select(which, limit=_SAME_MAX):
        if not is_over(fact, begins):
            yield fact
