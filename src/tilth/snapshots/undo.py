"""
Undo one operation of any kind, and bring back what was set aside.

A decision is undone in the way of its kind. Any other operation is set aside: it stays in the
ledger, and a replay skips it. What depends on it is shown first, and goes with it only if that is
asked for.
"""

import json
import logging
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from operator import eq

from tilth.core.actor import require_human
from tilth.core.dataclass import dataclass
from tilth.core.errors import ConflictError, InvalidInputError, NotFoundError
from tilth.core.event import HasHeadline, Recorded, encode
from tilth.core.ids import EventId, FactId, ulid_of
from tilth.core.json import JsonObject
from tilth.core.scope import Owner, Visibility
from tilth.core.text.names import index_key
from tilth.episodes.remember import WriteContext
from tilth.knowledge.entities.events import EntityRecorded
from tilth.knowledge.facts.decisions import take_back
from tilth.knowledge.facts.events import FactRecorded
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.proposals.events import ChangeUndone, ProposalDecided, ProposalOpened
from tilth.knowledge.proposals.tables import Proposals
from tilth.ledger.events import SetAside
from tilth.ledger.records import find_place
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store, Transaction
from tilth.ledger.tables import Tombstones
from tilth.privacy.redaction import scrub
from tilth.privacy.terminal_text import one_line
from tilth.snapshots.changes_since import changed_since, changes
from tilth.snapshots.model import Operation, named_in, operation_of, stays, things_of

logger = logging.getLogger(__name__)

_NAMED_MAX = 20
# In places of the ledger: a record made for a question is followed at once by its proposal.
_AT_ONCE = 3
_CHARS = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """
    One operation in full: its payload as `after`, and the operations that depend on it.

    `before` is the payload of the last operation on the same thing, None if there is none.
    `undone_by` is the operation that undid it; empty while it is in force.
    """

    operation: Operation
    reason: str
    before: JsonObject | None
    after: JsonObject
    dependants: tuple[Operation, ...]
    undone_by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone:
    """
    The operations that were undone or brought back; `id` is the operation that did it.

    That can be undone, too. It is empty if a decision was undone: its proposal waits again.
    """

    id: str
    operations: tuple[Operation, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Aside:
    """A rollback or undo, and the operations that it set aside."""

    by: Operation
    operations: tuple[Operation, ...]


def story(store: Store, operation_id: str, within: Visibility) -> Story:
    """
    Return one operation with what it changed and what depends on it.

    Raises:
        NotFoundError: there is none of that ID, or it was erased.
    """
    with store.read() as view:
        found = _operation(view, operation_id, within.owner)
        later = _later(view, found)
        before = [one for one in _earlier(view, found) if _is_on_same_thing(one, found)]
        # On a section of a page, the section's own last operation comes before that of the page.
        exact = [one for one in before if one.event.named == found.event.named] or before
        return Story(
            operation=operation_of(found),
            reason=_reason(found) or _reason_of_proposal(found, before, later),
            before=_payload(exact[-1]) if exact else None,
            after=_payload(found),
            dependants=tuple(
                operation_of(one) for one in _dependants(found, later) if _is_listed(one, found)
            ),
            undone_by=_undone_by(view, found, later),
        )


def undo(
    store: Store,
    operation_id: str,
    recorder: WriteContext,
    *,
    dependants: Collection[str] = (),
    with_dependants: bool = False,
    reason: str = "",
) -> Undone:
    """
    Undo one operation and, if asked for, what depends on it.

    Args:
        store: The store.
        operation_id: The operation, or what it made.
        recorder: The recorder.
        dependants: The IDs of what goes with it.
        with_dependants: Whether everything that depends on it goes with it.
        reason: The reason.

    Raises:
        ForbiddenError: the caller is not a human.
        NotFoundError: there is no such operation.
        ConflictError: it is undone already, an operation that is not named depends on it, or
            another took its place.
        InvalidInputError: it cannot be undone: episodes stay, or are erased.
    """
    require_human(recorder.by, "undo an operation")

    def act(tx: Transaction) -> Undone:
        found = _operation(tx, operation_id, recorder.owner)
        if isinstance(found.event, SetAside):
            return _reapply(tx, found, (), recorder, reason)
        later = _later(tx, found)
        if undone_by := _undone_by(tx, found, later):
            raise ConflictError(f"{operation_id} was undone before, by {undone_by}")
        resting = _dependants(found, later)
        if not with_dependants:
            _check_named(operation_id, found, resting, dependants)
        return _undo(tx, found, resting, recorder, scrub(reason).text)

    done = store.change(act)
    logger.info("undone: operations=%d", len(done.operations))
    return done


def reapply(
    store: Store,
    operation_id: str,
    recorder: WriteContext,
    *,
    only: Collection[str] = (),
    reason: str = "",
) -> Undone:
    """
    Bring back what a rollback or undo set aside, or *only* some of it.

    Raises:
        ForbiddenError: the caller is not a human.
        NotFoundError: there is no such operation.
        InvalidInputError: it set nothing aside, or not what is named.
        ConflictError: its thing has changed since, or everything is back.
    """
    require_human(recorder.by, "bring back what was set aside")

    def act(tx: Transaction) -> Undone:
        found = _operation(tx, operation_id, recorder.owner)
        return _reapply(tx, found, only, recorder, reason)

    return store.change(act)


def _operation(view: Snapshot, operation_id: str, owner: Owner) -> Recorded:
    event_id = ulid_of(view.whole_id(owner, operation_id))
    place = find_place(view.conn, event_id)
    there = [] if place is None else Tombstones(view).present([event_id])
    if not there or there[0].owner != owner:
        raise NotFoundError(f"no operation {operation_id[:60]!r}", hint="see: tilth changes --json")
    return there[0]


def _earlier(view: Snapshot, found: Recorded) -> Iterator[Recorded]:
    """Yield the operations before *found* that can be undone."""
    for one in changes(view):
        if one.seq >= found.seq:
            return
        if not stays(one.event):
            yield one


def _is_on_same_thing(one: Recorded, found: Recorded) -> bool:
    """Say whether two operations concern one thing: by ID, or a page and its section by name."""
    mine, its = found.event.named, one.event.named
    is_named = bool(mine and its) and all(map(eq, mine, its))
    return is_named or bool(things_of(one) & things_of(found))


def _later(view: Snapshot, found: Recorded) -> list[Recorded]:
    """Return the operations in force after *found*, and events that name any of them."""
    aside = view.asides(view.head().seq)
    return [
        one
        for one in changed_since(view, found.seq)
        if one.owner == found.owner and one.event_id not in aside
    ]


def _dependants(found: Recorded, later: Iterable[Recorded]) -> list[Recorded]:
    """Return the later operations that name what *found* made, or changed it since."""
    gone, touched, resting = {found.event_id}, set(things_of(found)), []
    for one in later:
        if (named_in(one.event) & gone) or (not stays(one.event) and things_of(one) & touched):
            gone.add(one.event_id)
            resting.append(one)
            if not stays(one.event):
                touched |= things_of(one) & {one.event_id}
    return resting


def _is_listed(one: Recorded, found: Recorded) -> bool:
    """
    Say whether a person must name *one* for it to go with *found*.

    Receipts, and effects of the same act, go along without.
    """
    is_told = isinstance(one.event, HasHeadline) or stays(one.event)
    return is_told and one.event.cause != found.event_id


def _undone_by(view: Snapshot, found: Recorded, later: Sequence[Recorded]) -> str:
    now = view.asides(view.head().seq)
    moved: frozenset[EventId] = frozenset()
    if found.event_id in now:
        moved, later = frozenset({found.event_id}), [*changes(view, found.seq)]
    elif isinstance(found.event, SetAside) and now.isdisjoint(found.event.aside):
        moved = frozenset(found.event.aside or found.event.back)
    for one in reversed(later):
        event = one.event
        if isinstance(event, SetAside) and not moved.isdisjoint((*event.aside, *event.back)):
            return one.made
        if isinstance(event, ChangeUndone) and event.event_id == found.event_id:
            return one.event_id
    return ""


def _check_named(
    operation_id: str, found: Recorded, resting: Sequence[Recorded], named: Collection[str]
) -> None:
    told = {ulid_of(one) for one in named}
    left = [one for one in resting if _is_listed(one, found) and one.event_id not in told]
    if left:
        shown = ", ".join(_label(one) for one in left[:_NAMED_MAX])
        more = f" and {len(left) - _NAMED_MAX} more" if len(left) > _NAMED_MAX else ""
        hint = f"to undo them too: tilth undo {operation_id} --with-dependants"
        moves = [one for one in left if found.event_id in things_of(one)]
        if operation_id.startswith(FactId.prefix):
            hint += f"; to undo the last change of the fact alone: tilth fact undo {operation_id}"
        elif moves:
            hint += f"; to undo the last change of it alone: tilth undo {moves[-1].event_id}"
        raise ConflictError(f"{len(left)} later operations rest on it: {shown}{more}", hint=hint)


def _label(one: Recorded) -> str:
    return f"{one.made or one.event_id} ({one.event.kind.replace('_', ' ')})"


def _undo(
    tx: Transaction,
    found: Recorded,
    resting: Sequence[Recorded],
    recorder: WriteContext,
    reason: str,
) -> Undone:
    """Undo decisions in the way of their kinds, newest first, and set the rest aside."""
    every = (found, *resting)
    if happened := [one for one in every if one.event.aspects.stays]:
        raise InvalidInputError(
            f"{_label(happened[0])} is no operation that can be undone: it happened",
            hint="what was said is destroyed with: tilth erase",
        )
    if isinstance(found.event, ChangeUndone):
        undone = Tombstones(tx).present([found.event.event_id])
        if undone and isinstance(undone[0].event, ProposalDecided):
            raise InvalidInputError(
                "that took a decision back, and its proposal waits", hint="decide it: tilth review"
            )
    last = ""
    for one in reversed(every):
        if isinstance(one.event, ProposalDecided):
            within = Visibility(recorder.owner)
            proposal = Proposals(tx).get(one.event.proposal_id, within)
            if proposal.decision_id == one.event_id:
                take_back(tx, proposal, recorder, reason=reason)
    if not isinstance(found.event, ProposalDecided):
        ids = {one.event_id for one in every}
        ids |= {one.event_id for one in _later(tx, found) if named_in(one.event) & ids}
        event = SetAside(aside=tuple(sorted(ids)), reason=reason)
        last = _set_aside(tx, event, recorder)
    return Undone(id=last, operations=tuple(map(operation_of, every)))


def _reapply(
    tx: Transaction, found: Recorded, only: Collection[str], recorder: WriteContext, reason: str
) -> Undone:
    if not isinstance(found.event, SetAside):
        raise InvalidInputError(f"{found.event_id} set nothing aside", hint="see: tilth snapshot")
    now = tx.asides(tx.head().seq)
    wanted = [ulid_of(one) for one in only] or [one for one in found.event.aside if one in now]
    returned = () if only else tuple(one for one in found.event.back if one not in now)
    if unknown := set(wanted) - set(found.event.aside):
        raise InvalidInputError(f"{found.event_id} did not set {min(unknown)} aside")
    if (not wanted and not returned) or set(wanted) - now:
        raise ConflictError(f"what {found.event_id} set aside is back already")
    back = Tombstones(tx).present(wanted)
    since = _later(tx, found)
    check_things(back, since)
    _check_fit(back, now - set(wanted), since)
    event = SetAside(
        back=tuple(one.event_id for one in back), aside=returned, reason=scrub(reason).text
    )
    done = _set_aside(tx, event, recorder)
    logger.info("brought back: operations=%d", len(back))
    return Undone(id=done, operations=tuple(map(operation_of, back)))


def _set_aside(tx: Transaction, event: SetAside, recorder: WriteContext) -> str:
    """Set operations aside or bring them back; return the operation that did it."""
    twice = Facts(tx).doubled()
    done = tx.set_aside(event, by=recorder.by, owner=recorder.owner)
    check_facts(tx, twice, recorder.owner)
    return done.made


def _check_fit(
    back: Sequence[Recorded], aside: Collection[EventId], since: Sequence[Recorded]
) -> None:
    """Refuse to bring back what depends on something set aside, or whose thing has changed."""
    for one in back:
        if lacking := named_in(one.event) & set(aside):
            raise ConflictError(
                f"{_label(one)} rests on {min(lacking)}, which is aside", hint="bring back both"
            )
    touched = frozenset(thing for one in back for thing in things_of(one))
    for later in since:
        if not stays(later.event) and things_of(later) & touched:
            raise ConflictError(
                f"what {_label(later)} is about would change: it was recorded since",
                hint=f"undo that first: tilth undo {later.made or later.event_id};"
                " or name what is to come back: --only ID",
            )


def _reason(found: Recorded) -> str:
    event = found.event
    ruling = getattr(event, "ruling", None)
    draft = getattr(event, "draft", None)
    told = getattr(event, "reason", "") or getattr(event, "note", "")
    return str(told or getattr(ruling, "note", "") or getattr(draft, "reason", ""))


def _reason_of_proposal(
    found: Recorded, before: Sequence[Recorded], later: Sequence[Recorded]
) -> str:
    """Return the reason of the proposal that a decision answers, or that was opened with a fact."""
    if isinstance(found.event, ProposalDecided):
        asked = [one for one in reversed(before) if isinstance(one.event, ProposalOpened)]
    else:
        asked = [
            one
            for one in later[:_AT_ONCE]
            if isinstance(one.event, ProposalOpened)
            and one.by == found.by
            and found.event_id in named_in(one.event)
        ]
    return _reason(asked[0]) if asked else ""


def _payload(one: Recorded) -> JsonObject:
    said = json.loads(encode(one.event))
    return said if isinstance(said, dict) else {}


def check_facts(view: Snapshot, before: Collection[int], owner: Owner) -> None:
    """
    Refuse a change that makes a fact current twice.

    Args:
        view: The state after the change.
        before: The places of facts that were doubled before (`Facts.doubled`).
        owner: Their owner.

    Raises:
        ConflictError: a fact was stated anew since, in the same scope.
    """
    if new := Facts(view).doubled() - set(before):
        (fact,) = Facts(view).at([max(new)], Visibility(owner))
        raise _exists_already(fact.id, fact.said.text)


def check_things(back: Sequence[Recorded], since: Sequence[Recorded]) -> None:
    """
    Refuse to bring back something that was made anew *since*.

    That is an entity of the same name, type and scope, or anything else in the same words.
    `check_facts` checks doubled facts.

    Raises:
        ConflictError: it exists already.
    """
    made = {_content_key(one): one for one in since if _is_thing(one)}
    for one in back:
        if _is_thing(one) and (other := made.get(_content_key(one))) is not None:
            raise _exists_already(other.made, operation_of(one).text)


def _exists_already(id_: str, text: str) -> ConflictError:
    return ConflictError(
        f"{id_} stands by now, and says the same: “{one_line(text, _CHARS)}”",
        hint=f"keep it as it is, or undo that first: tilth undo {id_}",
    )


def _is_thing(one: Recorded) -> bool:
    return bool(one.made) and not isinstance(one.event, FactRecorded)


def _content_key(one: Recorded) -> Hashable:
    """Return a key that is equal for two records of the same thing."""
    event = one.event
    if isinstance(event, EntityRecorded):
        draft = event.draft
        return (event.kind, index_key(draft.name), draft.type, draft.scope)
    return (event.kind, encode(event))
