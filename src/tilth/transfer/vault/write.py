"""Write a vault: only what changed, and never over somebody's edit."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import field
from pathlib import Path

from tilth.core.clock import Clock
from tilth.core.dataclass import dataclass
from tilth.core.errors import NotFoundError
from tilth.core.ids import ULID_CHARS, Id, ProposalId
from tilth.core.scope import Visibility
from tilth.knowledge.proposals.tables import Proposals
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store
from tilth.ledger.tables import Tombstones
from tilth.privacy.exclusion import Exclusion
from tilth.privacy.redaction import redact
from tilth.transfer.export_file import Exporting
from tilth.transfer.vault.folder import Manifest, VaultFolder, Written, check_same, digest_of
from tilth.transfer.vault.page_text import (
    Links,
    Page,
    is_sealed,
    line_marks,
    paths_for,
    render,
    split,
    with_left,
)
from tilth.transfer.vault.pages import index_page, pages_of

logger = logging.getLogger(__name__)

_GONE = "%% What stood above is gone from the brain. %%\n"


@dataclass(slots=True, kw_only=True)
class VaultWritten:
    """
    The result of writing a vault: how many pages it has, and the paths that changed.

    `edited` are pages that somebody changed and that were not read back yet, `conflicts` changed in
    the brain too, and `waiting` were read back and wait for a decision: all are left as they are.
    """

    path: str
    page_count: int
    written: list[str] = field(default_factory=list)
    renamed: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    edited: list[str] = field(default_factory=list)
    conflicts: list[str] = field(default_factory=list)
    waiting: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class VaultContext:
    """What writing a vault needs: the store, the excluded terms, and the clock."""

    store: Store
    excluded: Exclusion
    clock: Clock


def write_vault(
    brain: VaultContext,
    told: Exporting,
    *,
    progress: Callable[[int], None] = lambda _done: None,
) -> VaultWritten:
    """
    Write everything visible as a vault, or update one.

    The same brain gives the same bytes. An edit of Tilth's part of a page stays until it was read
    back and decided; the owner's part below the marker stays for ever, and gets the lines that
    could not be proposed. A second export at once waits for the first.

    Raises:
        InvalidInputError: the folder holds something else.
        ConflictError: it is a vault of another brain, or a link leads out of it.
        UnavailableError: it cannot be written.
    """
    store, within = brain.store, told.within
    folder = VaultFolder(Path(told.path).absolute())
    folder.manifest()
    with folder.locked(), store.read() as view:
        known = folder.manifest()
        if known is None:
            # Before any page, so that an interrupted export is recognised as a vault.
            known = Manifest(store.store_id, within.owner, told.links)
            folder.write_manifest(known)
        check_same(known, store.store_id, within.owner)
        folder.remove_leftovers()

        def cover(text: str) -> str:
            return brain.excluded.covered(redact(text).text)

        now = brain.clock.now()
        pages = pages_of(view, within, cover, now, brain.excluded, is_raw=told.is_raw)
        pages.append(index_page(pages))
        # A page keeps the name that somebody gave it.
        for id_, path in folder.moved(known).items():
            known.pages[id_].path = path
        present = {id_: one.path for id_, one in known.pages.items()}
        others = folder.foreign(known, {one.id for one in pages})
        links = Links(told.links)
        writer = _Writer(view, within, folder, known, paths_for(pages, present, others), links)
        for number, page in enumerate(pages):
            writer.page(page)
            progress(number + 1)
        writer.remove({page.id for page in pages})
        # Earlier names of a page may hold terms that were excluded since.
        renames = [
            dict(zip(one, map(brain.excluded.covered, one.values()), strict=True))
            for one in writer.renames
        ]
        made = Manifest(store.store_id, within.owner, links, writer.pages, renames)
        folder.write_manifest(made)
    writer.done.page_count = len(pages)
    logger.info("vault written: pages=%d changed=%d", len(pages), len(writer.done.written))
    return writer.done


class _Writer:
    """One export into a folder: writes pages, and gathers the new manifest and the result."""

    def __init__(
        self,
        view: Snapshot,
        within: Visibility,
        folder: VaultFolder,
        known: Manifest,
        paths: Mapping[str, str],
        links: Links,
    ) -> None:
        self._view = view
        self._within = within
        self._folder = folder
        self._known = known
        self._paths = paths
        self._links = links
        self.pages: dict[str, Written] = {}
        self.renames = list(known.renames)
        self.done = VaultWritten(path=str(folder.root), page_count=0)

    def page(self, page: Page) -> None:
        """Write one page, unless somebody changed it since."""
        path = self._paths[page.id]
        head = render(page, self._paths, self._links)
        before = self._known.pages.get(page.id) or Written(path, "")
        here = self._folder.read(before.path)
        ours, theirs = (here or "", "") if page.is_verbatim else split(here or "")
        if self._is_kept(before, here, ours, head):
            self.pages[page.id] = before
            is_changed = before.sha not in {"", digest_of(head)}
            if before.taken == ("gone" if here is None else digest_of(ours)):
                self.done.waiting.append(before.path)
            else:
                (self.done.conflicts if is_changed else self.done.edited).append(before.path)
            return
        text = head + with_left(theirs, before.left)
        if before.path != path:
            self.renames.append({"id": page.id, "from": before.path, "to": path})
            self.done.renamed.append(path)
        if self._folder.read(path) != text:
            self._folder.write(path, text)
            self.done.written.append(path)
        if before.path != path:
            self._folder.remove(before.path)
        marks = [] if page.is_verbatim else line_marks(head)
        self.pages[page.id] = Written(path, digest_of(head), dict(page.facts), marks)

    def remove(self, there: set[str]) -> None:
        """Remove pages whose ID is not in *there*; their owner's parts stay."""
        for id_, before in self._known.pages.items():
            if id_ in there:
                continue
            here = self._folder.read(before.path)
            ours, theirs = split(here or "")
            is_erased = self._is_erased(id_)
            if not is_erased and self._is_kept(before, here, ours, ""):
                self.pages[id_] = before
                self.done.conflicts.append(before.path)
                continue
            theirs = with_left(theirs, [] if is_erased else before.left)
            if theirs.strip():
                self._folder.write(before.path, theirs if here == theirs else _GONE + theirs)
            else:
                self._folder.remove(before.path)
            self.done.removed.append(before.path)

    def _is_kept(self, before: Written, here: str | None, ours: str, head: str) -> bool:
        """Say whether Tilth's part of a page was edited and the edit is not decided yet."""
        if here is None and not before.facts:
            return False
        now = "gone" if here is None else digest_of(ours)
        if now in {before.sha, digest_of(head)} or is_sealed(ours):
            return False
        return before.taken != now or any(map(self._waits, before.waits))

    def _is_erased(self, id_: str) -> bool:
        # The ID of a page of a scope or a week is of no record.
        is_id = id_[:-ULID_CHARS] in Id.by_prefix
        return is_id and Tombstones(self._view).find(id_, self._within) is not None

    def _waits(self, proposal_id: str) -> bool:
        try:
            found = Proposals(self._view).get(ProposalId(proposal_id), self._within)
        except NotFoundError:
            return False
        return found.ruling is None
