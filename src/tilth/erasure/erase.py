"""
Erase for privacy: a human sees what goes, confirms exactly that, and gets a certificate.

Nothing else removes anything (DESIGN §4). An erase destroys words and leaves tombstones in their
places. A digest ties the confirmation to the plan that was shown.
"""

import json
import logging
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import NamedTuple, Protocol

from tilth.core.actor import Actor, require_human
from tilth.core.clock import Clock
from tilth.core.dataclass import dataclass
from tilth.core.errors import ConflictError, TilthError, UnavailableError
from tilth.core.event import Recorded, encode
from tilth.core.ids import EventId, is_identifier
from tilth.core.scope import Owner, Visibility
from tilth.episodes.remember import WriteContext
from tilth.erasure.closure import Closure, Seeds, closure
from tilth.erasure.erase_request import Erasing, ErasureRequest, read_request
from tilth.erasure.model import Found, SaidElsewhere, counted, erasure_digest, gone_of, strings_in
from tilth.erasure.search_mentions import MentionSearch, continue_search, mentions_in
from tilth.gaps.filings import filed_tasks
from tilth.ledger.events import Basis, Erased, Erasure, Gone
from tilth.ledger.records import id_made_by
from tilth.ledger.store import Store, Transaction
from tilth.ledger.tables import Tombstones
from tilth.people.events import SummaryWritten
from tilth.people.summarise import plain_digest, stretch_in
from tilth.skills.approval import places_of
from tilth.skills.install_files import names_at, remove_erased
from tilth.transfer.export import ExportContext, export
from tilth.transfer.export_file import Exporting
from tilth.transfer.vault.write import VaultContext, write_vault

logger = logging.getLogger(__name__)

_VERB = "erase what is kept"
# In characters. Shorter words are common, so finding them proves nothing.
_NEEDLE_CHARS_MIN = 12
_NEEDLE_CHARS_MAX = 60
_NEEDLES_MAX = 200
_TERM_CHARS_MIN = 6
_ELSEWHERE_TOLD = 5
_STAYING = """
SELECT owner, kind, event_id, payload FROM ledger WHERE payload IS NOT NULL ORDER BY seq DESC
"""
_WORD = re.compile(r"[a-z_]+")
# Metadata keys whose values are a host's names, which are alike everywhere.
_MACHINERY = frozenset({"hook", "tool"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasePlan:
    """
    What an erase would destroy: `ids` that people know, and `counts` of everything.

    `mentioned` counts what else mentions the entity, by name or address or as evidence of its
    facts; that stays unless it is asked for, and is empty where it was not counted. `digest` ties a
    confirmation to the plan.
    """

    basis: Basis
    ids: tuple[str, ...]
    counts: Mapping[str, int]
    mentioned: Mapping[str, int]
    mention_ids: tuple[str, ...]
    digest: str

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing left to erase."""
        return not self.counts


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """
    What an erase did.

    `is_purged` says that the database's own files were cleaned; otherwise the worker does that
    later. `cleaned` are other files from which words were removed, `copies` those that hold them
    and are not Tilth's to change: backups, which are erased when restored, and tasks filed in
    repositories. `found` is what a byte scan of all known files still found, except copies;
    `said_elsewhere` tells of words that remaining records contain as well. `limits` is what no scan
    reaches.
    """

    erasure_id: EventId | None
    at: datetime
    by: Actor
    basis: Basis
    ids: tuple[str, ...]
    counts: Mapping[str, int]
    is_purged: bool
    cleaned: tuple[str, ...] = ()
    scanned_count: int = 0
    found: tuple[Found, ...] = ()
    said_elsewhere: SaidElsewhere | None = None
    copies: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """How many erasures still had files to clean, and whether the files are clean now."""

    due_count: int
    is_clean: bool


class SurroundingFiles(Protocol):
    """The files around a store that may hold its words."""

    def forget(self, words: Sequence[str], skills: Collection[str] = ()) -> Sequence[str]:
        """
        Remove *words* from Tilth's own files, and erased records from stores moved aside.

        Edited files of *skills* that were moved aside are removed, too. Without words, any file may
        hold them.

        Returns:
            The files that were changed.
        """
        ...

    def forget_in_snapshots(self, store_id: str, gone: AbstractSet[EventId]) -> Sequence[str]:
        """Remove erased records from a store's snapshots; return the files that held any."""
        ...

    def scan(self, words: Sequence[str]) -> tuple[int, Mapping[str, Sequence[str]]]:
        """Return how many files were scanned, and which of *words* each holds, if any."""
        ...

    def copies(self, store_id: str, words: Sequence[str]) -> Sequence[str]:
        """Return the store's copies that hold any of *words*; without words, all copies."""
        ...

    def limits(self) -> Sequence[str]:
        """Return what else may hold the words and cannot be scanned."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Eraser:
    """What an erase needs: the store, the files around it, the exports, and the human."""

    store: Store
    surrounding_files: SurroundingFiles
    export_context: ExportContext
    recorder: WriteContext
    clock: Clock


def plan_erase(eraser: Eraser, told: Erasing, *, besides: bool = True) -> ErasePlan:
    """
    Return what an erase would destroy, and with *besides* what else mentions it.

    Raises:
        ForbiddenError: the caller is not a human.
        InvalidInputError: none or several of the fields are given.
        NotFoundError: there is no such thing, and never was.
        ConflictError: several entities have that name.
    """
    require_human(eraser.recorder.by, _VERB)
    with eraser.store.read() as view:
        asked = read_request(view, told, eraser.recorder.owner)
        return _plan(asked, closure(view, asked.seeds, looks_besides=besides))


def plan_in_steps(
    eraser: Eraser, told: Erasing, search: MentionSearch | None, is_enough: Callable[[], bool]
) -> tuple[MentionSearch, ErasePlan | None]:
    """
    Continue a search for mentions of an entity; return its state, and the plan once it is done.

    Args:
        eraser: As for `plan_erase`, which raises the same errors.
        told: The request.
        search: The state of the search; None to begin.
        is_enough: Returns whether to stop for now.
    """
    require_human(eraser.recorder.by, _VERB)
    owner = eraser.recorder.owner
    with eraser.store.read() as view:
        asked = read_request(view, told, owner)
        if search is None or search.terms != asked.seeds.terms:
            search = MentionSearch(terms=asked.seeds.terms)
        search = continue_search(view, search, owner, is_enough)
        if search.through < view.head().seq:
            return search, None
        return search, _plan(asked, closure(view, asked.seeds, mentions=mentions_in(view, search)))


def erase(eraser: Eraser, told: Erasing, digest: str, *, terms: Sequence[str] = ()) -> Certificate:
    """
    Erase what was shown.

    Args:
        eraser: The store, the files around it, and the human.
        told: The request, as for the plan.
        digest: The digest of the plan.
        terms: What the byte scan looks for besides the erased words.

    Raises:
        ForbiddenError: the caller is not a human.
        ConflictError: what would go is not what was shown.
        NotFoundError: there is no such thing, and never was.
        UnavailableError: the store did not answer; the error says whether the erase is recorded.
    """
    by, owner = eraser.recorder.by, eraser.recorder.owner
    require_human(by, _VERB)

    def act(tx: Transaction) -> _Done:
        asked = read_request(tx, told, owner)
        found = closure(tx, asked.seeds)
        plan = _plan(asked, found)
        if plan.digest != digest:
            raise ConflictError(
                "what would be erased is not what was shown",
                hint="look at it again: tilth erase, without --confirm",
            )
        gone = {one.event_id for one in found.gone}
        filed = filed_tasks(tx, gone, Visibility(owner))
        placed = places_of(tx, gone, Visibility(owner))
        event = _append_erasure(tx, asked.basis, found, by, owner) if found.gone else None
        names = asked.seeds.terms if asked.seeds.takes_mentions else ()
        long_names = [one for one in names if len(one) >= _TERM_CHARS_MIN]
        words = [*_needles(found.gone, event), *long_names, *terms]
        return _Done(plan, event, words, filed, placed)

    with _saying_if_recorded(eraser.store):
        done = eraser.store.change(act)
    certificate = _certify(eraser, done.plan, done.event, done.words, names_at(done.placed))
    elsewhere = (*done.filed, *remove_erased(done.placed))
    certificate = replace(certificate, copies=(*certificate.copies, *elsewhere))
    logger.info("erased: events=%d purged=%s", len(_gone_in(done.event)), certificate.is_purged)
    return certificate


class _Done(NamedTuple):
    """What one transaction destroyed, the words to scan for, and where else they are."""

    plan: ErasePlan
    event: Recorded | None
    words: Sequence[str]
    filed: Sequence[str]
    placed: Sequence[str]


@contextmanager
def _saying_if_recorded(store: Store) -> Iterator[None]:
    """Add to an error that the erase is recorded, if it is, and will be completed later."""
    before = len(store.erasures.known())
    try:
        yield
    except UnavailableError as error:
        if len(store.erasures.known()) == before:
            raise
        raise UnavailableError(
            f"{error}; the erase is noted, and done when the store is opened next",
            hint="free some space, or end what uses the store, then: tilth worker --once",
        ) from error


def finish(eraser: Eraser) -> Finished:
    """
    Complete an interrupted erase: in the store, around it, and in the store's own files.

    Only the IDs of the erased records are known by then, so every file that may hold them is
    rewritten.
    """
    reapply_erasures(eraser.store)
    if due := set(eraser.store.erasures.unpurged()):
        gone = [one for one in eraser.store.erasures.known() if one.event_id in due]
        _clean_around(eraser, {id_ for one in gone for id_ in one.event_ids}, ())
    return finish_erasures(eraser.store)


def finish_erasures(store: Store) -> Finished:
    """
    Apply known erasures to a store that lacks them, and clean its files if due.

    The store may be an older copy, or its process died.
    """
    reapply_erasures(store)
    due = len(store.erasures.unpurged())
    return Finished(due_count=due, is_clean=_purge_if_due(store))


def reapply_erasures(store: Store, known: Sequence[Erasure] = ()) -> int:
    """
    Repeat known erasures before a store is served.

    Args:
        store: The store, which may be an older copy.
        known: Further erasures, from the store that this one replaces.

    Returns:
        How many erasures had something to erase.
    """
    count = 0
    every: dict[EventId, Erasure] = {}
    for one in (*known, *store.erasures.known()):
        every.setdefault(one.first_id, one)
    for erasure in every.values():
        # The first events of an erasure are in every copy that has any of it.
        with store.read() as view:
            if not Tombstones(view).present(erasure.event_ids[:1]):
                continue
        count += store.change(partial(_repeat_erasure, erasure))
    if count:
        logger.warning("erased again what was erased before: erasures=%d", count)
        # The files around the store remain to be cleaned (`finish`).
        _purge(store)
    return count


def _repeat_erasure(erasure: Erasure, tx: Transaction) -> bool:
    """Erase what is left of a known erasure; return whether there was anything."""
    present = Tombstones(tx).present(erasure.event_ids)
    if not present:
        return False
    seeds = Seeds(owner=erasure.owner, event_ids=frozenset(one.event_id for one in present))
    found, by, owner = closure(tx, seeds), erasure.by, erasure.owner
    _append_erasure(tx, erasure.basis, found, by, owner, repeats=erasure.first_id)
    return True


def _append_erasure(
    tx: Transaction,
    basis: Basis,
    found: Closure,
    by: Actor,
    owner: Owner,
    *,
    repeats: EventId | None = None,
) -> Recorded:
    """Erase what goes, and summarise conversations that lost a summary."""
    gone = {one.event_id for one in found.gone}
    rows = tuple(gone_of(one.event_id, one.event, gone) for one in found.gone)
    event = Erased(basis=basis, gone=rows, repeats=repeats)
    recorded = tx.erase(event, by=by, owner=owner)
    for conversation_id in sorted(found.unsummarised):
        stretch = stretch_in(tx, conversation_id, Visibility(owner), is_forced=False)
        if stretch is not None:
            tx.append(SummaryWritten(plain_digest(stretch)), by=by, owner=owner)
    return recorded


def _certify(
    eraser: Eraser,
    plan: ErasePlan,
    done: Recorded | None,
    words: Sequence[str],
    skills: Collection[str],
) -> Certificate:
    store, files = eraser.store, eraser.surrounding_files
    gone = {one.event_id for one in _gone_in(done)}
    # The store's own files come last: a crash before that leaves everything due.
    cleaned = _clean_around(eraser, gone, words, skills)
    is_purged = _purge_if_due(store)
    scanned_count, held = files.scan(words)
    kept = _remaining_records_with(store, {word for found in held.values() for word in found})
    return Certificate(
        erasure_id=None if done is None else done.event_id,
        at=eraser.clock.now() if done is None else done.recorded_at,
        by=eraser.recorder.by,
        basis=plan.basis,
        ids=plan.ids,
        counts=plan.counts,
        is_purged=is_purged,
        cleaned=tuple(cleaned),
        scanned_count=scanned_count,
        found=tuple(
            Found(path=path, count=len(left))
            for path, found in held.items()
            if (left := [word for word in found if word not in kept])
        ),
        said_elsewhere=_elsewhere(kept, eraser.recorder.owner),
        copies=tuple(files.copies(store.store_id, words)),
        limits=tuple(files.limits()),
    )


def _remaining_records_with(
    store: Store, words: AbstractSet[str]
) -> Mapping[str, Sequence[tuple[Owner, str]]]:
    """Return the remaining records that contain each of *words*: owner and ID, newest first."""
    kept: defaultdict[str, list[tuple[Owner, str]]] = defaultdict(list)
    written = {json.dumps(word, ensure_ascii=False)[1:-1]: word for word in words}
    with store.read() as view:
        for owner, kind, event_id, payload in view.conn.stream(_STAYING) if words else ():
            for form in (one for one in written if one in payload):
                kept[written[form]].append((Owner(owner), id_made_by(kind, event_id)))
    return kept


def _elsewhere(
    kept: Mapping[str, Sequence[tuple[Owner, str]]], owner: Owner
) -> SaidElsewhere | None:
    """Return the certificate's note on words that remaining records contain."""
    if not kept:
        return None
    ids = dict.fromkeys(id_ for said in kept.values() for whose, id_ in said if whose == owner)
    return SaidElsewhere(words=len(kept), ids=tuple(one for one in ids if one)[:_ELSEWHERE_TOLD])


def _clean_around(
    eraser: Eraser,
    gone: AbstractSet[EventId],
    words: Sequence[str],
    skills: Collection[str] = (),
) -> Sequence[str]:
    """Clean the files around the store, and rewrite its exports; return the changed files."""
    cleaned = list(eraser.surrounding_files.forget(words, skills))
    cleaned += eraser.surrounding_files.forget_in_snapshots(eraser.store.store_id, gone)
    for told in eraser.export_context.exports.naming(eraser.store.store_id, gone):
        try:
            is_cleaned = _rewrite_export(eraser, told)
        except TilthError as error:
            # The certificate lists it among the copies.
            logger.warning("an export is not clean: %s", error)
        else:
            cleaned += [told.path] * is_cleaned
    return cleaned


def _rewrite_export(eraser: Eraser, told: Exporting) -> bool:
    """Rewrite an export or a vault; return whether that changed it."""
    if not told.links:
        export(eraser.store, eraser.export_context, told)
        return True
    context = VaultContext(
        eraser.store, eraser.export_context.excluded, eraser.export_context.clock
    )
    done = write_vault(context, told)
    return bool(done.written or done.removed)


def _purge_if_due(store: Store) -> bool:
    """Clean the database's files if due; return whether they are clean."""
    if not (due := store.erasures.unpurged()):
        return True
    if not _purge(store):
        return False
    store.erasures.note_purge(due)
    return True


def _purge(store: Store) -> bool:
    """Clean the database's files; return whether they are clean."""
    try:
        store.purge()
    except UnavailableError as error:
        logger.warning("the files are not clean yet: %s", error)
        return False
    return True


def _plan(asked: ErasureRequest, found: Closure) -> ErasePlan:
    return ErasePlan(
        basis=asked.basis,
        ids=tuple(one.made for one in found.gone if one.made),
        counts=counted(found.gone),
        mentioned=counted(found.mentions),
        mention_ids=tuple(one.made for one in found.mentions if one.made),
        digest=erasure_digest(one.event_id for one in found.gone),
    )


def _gone_in(done: Recorded | None) -> Sequence[Gone]:
    """Return the tombstones of an erasure."""
    return done.event.gone if done is not None and isinstance(done.event, Erased) else ()


def _pieces(payload: str) -> Iterator[str]:
    told = json.loads(payload)
    if isinstance(metadata := told.get("metadata"), dict):
        told["metadata"] = {key: one for key, one in metadata.items() if key not in _MACHINERY}
    for text in strings_in(told):
        yield from (line.strip()[:_NEEDLE_CHARS_MAX].strip() for line in text.splitlines())


def _needles(gone: Sequence[Recorded], done: Recorded | None) -> list[str]:
    """Return pieces of erased text that are long enough to be unique."""
    left = {piece for one in _gone_in(done) if one.left for piece in _pieces(one.left)}
    # A tombstone keeps the scope.
    left |= {one.scope[:_NEEDLE_CHARS_MAX] for one in _gone_in(done) if one.scope}
    pieces = (piece for one in gone for piece in _pieces(encode(one.event)) if piece not in left)
    known = dict.fromkeys(one for one in pieces if len(one) >= _NEEDLE_CHARS_MIN)
    # A single word may be one of Tilth's, such as the name of a channel.
    told = [one for one in known if not (is_identifier(one) or _WORD.fullmatch(one))]
    # Spread over the whole text, since the time of a scan grows with the number of pieces.
    return told[:: max(1, -(-len(told) // _NEEDLES_MAX))]
