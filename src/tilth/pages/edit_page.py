"""
Edit a page: find what somebody changed in its text, and propose it.

A changed line proposes the new text for the fact that it cites; a missing line proposes that its
facts end. Words without a citation are a person's own: they are kept word for word in a locked
section.
"""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import field, replace

from tilth.core.actor import require_human, require_known
from tilth.core.dataclass import dataclass
from tilth.core.errors import ConflictError, ForbiddenError, InvalidInputError
from tilth.core.ids import FactId, ProposalId
from tilth.core.scope import Visibility
from tilth.episodes.remember import WriteContext
from tilth.knowledge.facts.fact import Fact, FactDraft, reworded
from tilth.knowledge.facts.fact_lifecycle import removal_in
from tilth.knowledge.facts.facts import check_stated, propose_facts
from tilth.knowledge.facts.tables import Facts
from tilth.ledger.store import Transaction
from tilth.pages.compile.freshness import with_freshness
from tilth.pages.document import EditedSection, described, read_edited
from tilth.pages.editor import Editor, check_length
from tilth.pages.events import LinesRemoved
from tilth.pages.model import Edited, Page, Sentence, line_key, name_of, without_date
from tilth.pages.tables import Pages

logger = logging.getLogger(__name__)

_NOTES = "Notes"


@dataclass(slots=True)
class _Change:
    """What an edit asks for."""

    reworded: list[tuple[FactId, str]] = field(default_factory=list)
    removed: list[Sentence] = field(default_factory=list)
    notes: dict[str, str] = field(default_factory=dict)


def edit_page(editor: Editor, name: str, text: str) -> Edited:
    """
    Propose what *text* changes in a page.

    Raises:
        ForbiddenError: the caller is anonymous, or adds own words and is not a human.
        NotFoundError: there is no such page.
        ConflictError: a line cites something that the page does not.
        InvalidInputError: a changed line does not rest on exactly one fact.
        LimitExceededError: the text is too long.
    """
    require_known(editor.recorder.by, "edit pages")
    check_length(text)
    with editor.store.read() as view:
        page = Pages(view).get(name, editor.within, editor.now)
        change = _changes(page, read_edited(text))
        within = Visibility(page.owner)
        drafts = [_draft(Facts(view).get(one, within), said) for one, said in change.reworded]
    if change.notes:
        require_human(editor.recorder.by, "put words of their own on a page")
    check_stated(drafts, editor.excluded)
    reason = f"the page {page.name} was edited"
    stated = propose_facts(editor.store, drafts, editor.writing, reason=reason) if drafts else []
    asked = [one.proposal_id for one in stated if one.proposal_id is not None]
    asked += _removals(editor, page, change.removed)
    for title, words in change.notes.items():
        editor.lock(page, title, words)
    logger.info("page edited: proposals=%d locked=%d", len(asked), len(change.notes))
    with editor.store.read() as view:
        page = Pages(view).get(name, editor.within, editor.now)
        off = Pages(view).removals(page.subject, page.owner, editor.now)
        page = with_freshness(view, page, editor.now, editor.excluded)
    gone = [without_date(one.text) for one in change.removed]
    return Edited(
        page,
        tuple(asked),
        tuple(name_of(title) for title in change.notes),
        tuple(one for one in gone if line_key(one) in off.once),
        tuple(one for one in gone if line_key(one) in off.banned),
    )


def _changes(page: Page, edited: Sequence[EditedSection]) -> _Change:
    """Return how an edited page differs from *page*."""
    change = _Change()
    by_title = {one.section.title: one for one in page.sections}
    known = {line.cites: line for line in _lines(page)}
    kept: set[tuple[str, ...]] = set()
    for section in edited:
        there = by_title.get(section.title)
        for line in section.lines:
            kept.add(line.cites)
            _compare(change, known, line)
        was = there.lock.text.strip() if there and there.lock else ""
        text = section.text.removeprefix(described(there)).strip() if there else section.text
        if text and text != was:
            own = there is None or there.lock is not None
            change.notes[section.title if own else _NOTES] = text
    for cites, line in known.items():
        if cites not in kept:
            change.removed.append(line)
    return change


def _lines(page: Page) -> Iterator[Sentence]:
    """Yield the lines that can be edited: those that nobody locked."""
    for one in page.sections:
        if one.lock is None:
            yield from one.section.sentences


def _compare(change: _Change, known: dict[tuple[str, ...], Sentence], line: Sentence) -> None:
    before = known.get(line.cites)
    if before is None:
        raise ConflictError(
            f"this page has no line that cites {', '.join(line.cites)}",
            hint="begin from the page as it is now: tilth page show",
        )
    if line.text == before.text:
        return
    cited = _cited_facts(before)
    if len(before.cites) > 1:
        raise InvalidInputError(
            f"a line that rests on {len(cited)} facts is not put right as one",
            hint=f"correct the fact that is wrong: {', '.join(cited)}",
        )
    change.reworded.append((cited[0], without_date(line.text)))


def _cited_facts(line: Sentence, *, is_needed: bool = True) -> list[FactId]:
    cited = [FactId(one) for one in line.cites if one.startswith(FactId.prefix)]
    if is_needed and not cited:
        raise InvalidInputError(
            f"{line.text[:60]!r} tells what tools did, and no fact that could be corrected",
            hint="put the section into your own words: tilth page lock NAME SECTION",
        )
    return cited


def _draft(fact: Fact, said: str) -> FactDraft:
    """Return a draft that supersedes a fact with other words."""
    draft = replace(reworded(fact, said), valid_from=None, supersedes=fact.id)
    return replace(draft, authority=fact.life.authority)


def _removals(editor: Editor, page: Page, lines: Sequence[Sentence]) -> list[ProposalId]:
    """Propose that the facts of *lines* end, and record that a person removed the lines."""
    recorder, reason = editor.recorder, f"its line on the page {page.name} was removed"
    is_human = recorder.by.is_human
    facts = dict.fromkeys(id_ for one in lines for id_ in _cited_facts(one, is_needed=not is_human))
    asked = []
    with editor.store.begin() as tx:
        if is_human and lines:
            _record_removed(tx, recorder, page, lines)
        for one in facts:
            try:
                ended = removal_in(
                    tx, Facts(tx).get(one, Visibility(recorder.owner)), reason, recorder
                )
            except ForbiddenError:
                # A human confirmed the fact; removing its line says only that it does not belong
                # here.
                if not is_human:
                    raise
                continue
            asked += [ended.proposal_id] if ended.proposal_id is not None else []
    return asked


def _record_removed(
    tx: Transaction, recorder: WriteContext, page: Page, lines: Sequence[Sentence]
) -> None:
    """Record that a person removed lines, each once for each time that it was compiled."""
    known = Pages(tx).taken_off_since(page)
    gone = [one for one in lines if line_key(one.text) not in known]
    if gone:
        cites = tuple(dict.fromkeys(id_ for one in gone for id_ in one.cites))
        keys = tuple(dict.fromkeys(line_key(one.text) for one in gone))
        event = LinesRemoved(scope=page.scope, name=page.name, lines=keys, cites=cites)
        tx.append(event, by=recorder.by, owner=recorder.owner)
