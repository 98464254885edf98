"""
Read edits of a vault back as proposals.

Anybody who can write to the folder can edit a file, an agent too. So the actor of every proposal is
the vault, whoever reads it back, and a person decides.
"""

import logging
from dataclasses import field, replace
from pathlib import Path

from tilth.core.actor import Actor, ActorKind
from tilth.core.dataclass import dataclass
from tilth.core.errors import NotFoundError, TilthError
from tilth.core.ids import EntityId, FactId
from tilth.core.lifecycle import Lifecycle
from tilth.core.scope import GLOBAL, Scope, Visibility
from tilth.knowledge.facts.fact import Fact, FactDraft
from tilth.knowledge.facts.fact_lifecycle import retire_fact
from tilth.knowledge.facts.facts import check_stated, propose_fact, reworded_draft
from tilth.knowledge.facts.statement import Statement
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.facts.write.normalise_fact import scrubbed_fact
from tilth.knowledge.facts.write.write_fact import Writing, embedded, nominate_in
from tilth.knowledge.vocabulary.tables import KnownWords
from tilth.ledger.store import Store
from tilth.pages.model import without_date
from tilth.privacy.exclusion import COVER, Exclusion
from tilth.transfer.vault.folder import VaultFolder, Written, check_same, digest_of
from tilth.transfer.vault.page_text import Bullet, bullets_in, is_ended, is_sealed, line_mark, split

logger = logging.getLogger(__name__)

VAULT = Actor("vault", ActorKind.IMPORT)
_CUT_OFF = "its last line is missing: put it back (%% tilth:end …), and import again"
_COVERED = "a word in the name of this page is excluded; see the setting excluded_terms"
_AS_IT_IS = (
    "nothing on it can be proposed, and it stays as it is; a skill is proposed with "
    '`tilth skill add "$(cat FILE)"`; delete the file, and the next export writes it again'
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """
    One edit of a page: the text before and after, and its result.

    `proposal_id` is the proposal that waits. If the fact changed in the brain too, `theirs` is its
    text there, and nothing is proposed; otherwise `refused` says why nothing is. `line` is the line
    in the file; if nothing is proposed, the next export puts it below the marker.
    """

    path: str
    fact_id: str
    before: str
    after: str
    proposal_id: str = ""
    theirs: str = ""
    refused: str = ""
    line: str = ""


@dataclass(slots=True, kw_only=True)
class VaultRead:
    """
    The result of reading a vault back: proposals by kind, conflicts, and refusals.

    `missed` are pages with lines that propose nothing; the next export puts them below the marker.
    """

    path: str
    corrections: list[Edit] = field(default_factory=list)
    removals: list[Edit] = field(default_factory=list)
    statements: list[Edit] = field(default_factory=list)
    conflicts: list[Edit] = field(default_factory=list)
    refused: list[Edit] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)


def read_vault(store: Store, path: str, writing: Writing, excluded: Exclusion) -> VaultRead:
    """
    Propose the edits of a vault that were not read back yet.

    Raises:
        NotFoundError: there is no vault.
        ConflictError: it is a vault of another brain, or a link leads out of it.
        CorruptionError: its manifest cannot be read.
    """
    folder = VaultFolder(Path(path).absolute())
    manifest = folder.manifest()
    if manifest is None:
        raise NotFoundError(f"no vault at {path}", hint="make one: tilth vault export FOLDER")
    owner = writing.recorder.owner
    check_same(manifest, store.store_id, owner)
    writing = replace(writing, recorder=replace(writing.recorder, by=VAULT))
    done = VaultRead(path=str(folder.root))
    with folder.locked():
        manifest = folder.manifest() or manifest
        moved = folder.moved(manifest)
        reader = _Reader(store, writing, excluded, done)
        for id_, page in manifest.pages.items():
            page.path = moved.get(id_, page.path)
            text = folder.read(page.path)
            ours = "" if text is None else split(text)[0]
            now = "gone" if text is None else digest_of(ours)
            if now in {page.sha, page.taken} or is_sealed(ours) or not (text or page.facts):
                continue
            if page.lines and text is not None and not is_ended(ours):
                # Without its marker the page may be cut off, so a missing line is no removal.
                edit = Edit(path=page.path, fact_id="", before="", after="", refused=_CUT_OFF)
                done.refused.append(edit)
            elif page.lines:
                reader.page(id_, page, ours)
                page.taken = now
                folder.write_manifest(manifest)
            else:
                # Nothing can be put below a marker: the page stays until its owner restores it.
                edit = Edit(path=page.path, fact_id="", before="", after="", refused=_AS_IT_IS)
                done.refused.append(edit)
    logger.info("vault read: proposals=%d", len(done.corrections) + len(done.removals))
    return done


def _message(error: TilthError) -> str:
    return "; ".join(filter(None, (str(error), error.hint)))


@dataclass(frozen=True, slots=True)
class _Reader:
    """Proposes the edits of each page, and adds them to *done*."""

    store: Store
    writing: Writing
    excluded: Exclusion
    done: VaultRead

    def page(self, id_: str, page: Written, ours: str) -> None:
        """Propose the edits of a page; note their proposals and the lines that propose nothing."""
        is_compiled = id_.startswith("page:")
        bullets = bullets_in(ours, is_compiled=is_compiled)
        stands = {one.fact_id: one for one in bullets if one.fact_id}
        for fact_id, told in page.facts.items():
            now, before = stands.get(fact_id, Bullet("", fact_id)), told
            if is_compiled:
                # The day at the beginning of a line is the page's, and not the fact's.
                now, before = replace(now, text=without_date(now.text)), without_date(told)
            if now.text != before:
                self._changed(page.path, fact_id, before, now)
        known = set(page.facts.values())
        for one in bullets:
            # A fact's line that was moved here from another page states nothing new.
            is_home = id_.startswith(("scope:", EntityId.prefix))
            if is_home and not one.fact_id and one.text not in known:
                self._new(page.path, id_, one)
        made = (*self.done.corrections, *self.done.removals, *self.done.statements)
        mine = [one for one in made if one.path == page.path]
        page.waits = [one.proposal_id for one in mine if one.proposal_id]
        taken = {*page.lines, *(line_mark(one.line) for one in mine if one.line)}
        page.left = [
            line for line in ours.splitlines() if line.strip() and line_mark(line) not in taken
        ]
        if page.left:
            self.done.missed.append(page.path)

    def _changed(self, path: str, fact_id: str, before: str, now: Bullet) -> None:
        edit = Edit(path=path, fact_id=fact_id, before=before, after=now.text, line=now.line)
        within = Visibility(self.writing.recorder.owner)
        with self.store.read() as view:
            try:
                fact = Facts(view).get(FactId(fact_id), within)
            except NotFoundError:
                self.done.conflicts.append(replace(edit, theirs="(gone)"))
                return
            theirs = _text_now(Facts(view), fact, within)
        if theirs is not None:
            self.done.conflicts.append(replace(edit, theirs=theirs))
            return
        try:
            made = self._correction(fact, edit) if now.text else self._removal(fact, edit)
        except TilthError as error:
            self.done.refused.append(replace(edit, refused=_message(error)))
            return
        (self.done.corrections if now.text else self.done.removals).append(made)

    def _correction(self, fact: Fact, edit: Edit) -> Edit:
        within = Visibility(self.writing.recorder.owner)
        value = _new_object(fact, edit.after)
        draft = reworded_draft(self.store, fact.id, edit.after, value, within)
        check_stated([draft], self.excluded)
        reason = f"{edit.path} was edited: {edit.before[:400]!r} became {edit.after[:400]!r}"
        stated = propose_fact(self.store, draft, self.writing, reason=reason)
        return replace(edit, proposal_id=stated.proposal_id or "")

    def _removal(self, fact: Fact, edit: Edit) -> Edit:
        reason = f"its line was deleted from {edit.path} in the vault"
        ended = retire_fact(self.store, fact.id, self.writing.recorder, reason=reason)
        return replace(edit, proposal_id=ended.proposal_id or "")

    def _new(self, path: str, id_: str, one: Bullet) -> None:
        edit = Edit(path=path, fact_id="", before="", after=one.text, line=one.line)
        if COVER in id_:
            self.done.refused.append(replace(edit, refused=_COVERED))
            return
        scope = Scope(id_.removeprefix("scope:")) if id_.startswith("scope:") else GLOBAL
        about = id_ if not id_.startswith("scope:") else scope.rpartition("/")[2]
        try:
            draft = FactDraft(said=Statement(text=one.text), scope=scope, about=(about,))
            check_stated([draft], self.excluded)
            clean = scrubbed_fact(draft)
            vectors = embedded([clean], self.writing.embedder)
            with self.store.begin() as tx:
                words = KnownWords(tx).known(self.writing.recorder.owner)
                reason = f"it was written into {path} by hand"
                stated = nominate_in(
                    tx, clean, self.writing, words=words, vectors=vectors, reason=reason
                )
        except TilthError as error:
            self.done.refused.append(replace(edit, refused=_message(error)))
            return
        made = replace(edit, fact_id=stated.fact.id, proposal_id=stated.proposal_id or "")
        self.done.statements.append(made)


def _text_now(facts: Facts, fact: Fact, within: Visibility) -> str | None:
    """Return the text that replaced a fact, or its state; None if the fact did not change."""
    if fact.life.lifecycle in {Lifecycle.CURRENT, Lifecycle.DRAFT, Lifecycle.HISTORICAL}:
        return None
    successor = fact.life.successor
    return facts.get(successor, within).said.text if successor else f"({fact.life.lifecycle})"


def _new_object(fact: Fact, text: str) -> str:
    """Return the new object of an edited triple; empty if anything else of it changed."""
    triple = fact.said.triple
    if triple is None or not fact.said.text.endswith(triple.object):
        return ""
    stem = fact.said.text.removesuffix(triple.object)
    return text.removeprefix(stem) if stem and text.startswith(stem) else ""
