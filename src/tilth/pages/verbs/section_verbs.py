"""
The verbs by which people change pages.

Nobody writes pages: the facts that they state are corrected. A changed line proposes
the new text for the fact that it cites; a missing line proposes that its facts end. Words without a
citation are a person's own: they are kept word for word in a locked section, until the person
unlocks it.
"""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from datetime import datetime
from typing import Annotated, TypeAlias

from tilth.core.actor import require_human, require_known
from tilth.core.dataclass import dataclass
from tilth.core.errors import (
    ConflictError,
    ForbiddenError,
    InvalidInputError,
    LimitExceededError,
    NotFoundError,
)
from tilth.core.ids import FactId, ProposalId
from tilth.core.scope import Visibility
from tilth.core.verb import HUMANS, KNOWN, Arg, verb
from tilth.episodes.context import Narrowed
from tilth.episodes.remember import WriteContext
from tilth.knowledge.facts.fact import Fact, FactDraft, reworded
from tilth.knowledge.facts.fact_lifecycle import removal_in
from tilth.knowledge.facts.facts import check_stated, propose_facts
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.facts.write.write_fact import Writing
from tilth.ledger.store import Store, Transaction
from tilth.pages import views
from tilth.pages.compile.freshness import with_freshness
from tilth.pages.document import EditedSection, described, read_edited
from tilth.pages.events import (
    LinesRemoved,
    SectionArranged,
    SectionDeclined,
    SectionLocked,
    SectionUnlocked,
)
from tilth.pages.model import (
    Arranged,
    Edited,
    Page,
    PageSection,
    Sentence,
    line_key,
    name_of,
    without_date,
)
from tilth.pages.tables import Pages
from tilth.pages.verbs.page_verbs import Name, Needs
from tilth.privacy.exclusion import Exclusion, parse_exclusion
from tilth.privacy.redaction import scrub

logger = logging.getLogger(__name__)

TEXT_CHARS_MAX = 20_000
_NOTES = "Notes"


SectionName: TypeAlias = Annotated[
    str, Arg("its section, as page show tells it", metavar="SECTION")
]
Signature: TypeAlias = Annotated[
    str,
    Arg(
        "the signature of what waits, as page show tells it", metavar="SIGNATURE", is_required=True
    ),
]
Words: TypeAlias = Annotated[str, Arg("the words", metavar="TEXT", is_words=True, is_stdin=True)]


@dataclass(frozen=True, slots=True)
class _Editor:
    """Who edits, in which store and scope, and the excluded terms."""

    store: Store
    writing: Writing
    excluded: Exclusion
    within: Visibility

    @property
    def now(self) -> datetime:
        """The present time."""
        return self.writing.clock.now()


@dataclass(slots=True)
class _Change:
    """What an edit asks for."""

    reworded: list[tuple[FactId, str]] = field(default_factory=list)
    removed: list[Sentence] = field(default_factory=list)
    notes: dict[str, str] = field(default_factory=dict)


@verb(
    "page edit",
    roles=KNOWN,
    view=views.edited,
    examples=(
        "tilth page show network-state --json | jq -r .markdown > page.md",
        'tilth page edit network-state "$(cat page.md)"',
    ),
)
def edit(brain: Needs, name: Name, text: Words, *, scope: Narrowed = None) -> Edited:
    """
    Propose what somebody changed in a page.

    The edit itself is not written into the page. A changed line proposes a change of the fact that
    it cites, a deleted line proposes to end its facts, and words that cite nothing become a locked
    section. A line that a person deletes twice within a month is not compiled there again; a text
    from a pipe is nobody's word, and only proposes.

    Returns:
        The page as it is, the waiting proposals, and what is locked now.

    Raises:
        ForbiddenError: the caller is anonymous, or adds own words and is not a human.
        NotFoundError: there is no such page.
        ConflictError: a line cites something that the page does not.
        InvalidInputError: a changed line does not rest on exactly one fact.
    """
    editor = _editor(brain, scope)
    require_known(editor.writing.recorder.by, "edit pages")
    _check_length(text)
    with editor.store.read() as view:
        page = Pages(view).get(name, editor.within, editor.now)
        change = _changes(page, read_edited(text))
        within = Visibility(page.owner)
        drafts = [_draft(Facts(view).get(one, within), said) for one, said in change.reworded]
    if change.notes:
        require_human(editor.writing.recorder.by, "put words of their own on a page")
    check_stated(drafts, editor.excluded)
    reason = f"the page {page.name} was edited"
    stated = propose_facts(editor.store, drafts, editor.writing, reason=reason) if drafts else []
    asked = [one.proposal_id for one in stated if one.proposal_id is not None]
    asked += _removals(editor, page, change.removed)
    for title, words in change.notes.items():
        _lock(editor, page, title, words)
    logger.info("page edited: proposals=%d locked=%d", len(asked), len(change.notes))
    with editor.store.read() as view:
        page = Pages(view).get(name, editor.within, editor.now)
        off = Pages(view).removals(page.name, page.owner, page.scope, editor.now)
        page = with_freshness(view, page, editor.now, editor.excluded)
    gone = [without_date(one.text) for one in change.removed]
    return Edited(
        page,
        tuple(asked),
        tuple(name_of(title) for title in change.notes),
        tuple(one for one in gone if line_key(one) in off.once),
        tuple(one for one in gone if line_key(one) in off.banned),
    )


@verb(
    "page lock",
    roles=HUMANS,
    view=views.one,
    key="page",
    examples=("tilth page lock shop decided 'We decided it all in 2024; ask Ana.'",),
)
def lock(
    brain: Needs, name: Name, section: SectionName, text: Words = "", *, scope: Narrowed = None
) -> Page:
    """
    Replace a section by your own words, which are kept word for word.

    What would be compiled there is shown beside it, and can be taken or declined.

    Returns:
        The page.

    Raises:
        NotFoundError: there is no such page.
    """
    editor = _editor(brain, scope)
    require_human(editor.writing.recorder.by, "lock a section")
    _check_length(text)
    with editor.store.read() as view:
        page = Pages(view).get(name, editor.within, editor.now)
    there = _find(page, section)
    title = there.section.title if there else section
    words = text.strip() or (_text_of(there) if there else "")
    if not words:
        raise InvalidInputError("a locked section says something", hint="give its text")
    _lock(editor, page, title, words, slug=there.section.slug if there else name_of(section))
    return _reread(editor, page)


@verb(
    "page unlock",
    roles=HUMANS,
    view=views.one,
    key="page",
    examples=("tilth page unlock shop decided",),
)
def unlock(brain: Needs, name: Name, section: SectionName, *, scope: Narrowed = None) -> Page:
    """
    Let a section be compiled again, which removes your words from the page.

    Returns:
        The page.

    Raises:
        NotFoundError: there is no such page or section.
        ConflictError: the section is not locked.
    """
    editor = _editor(brain, scope)
    require_human(editor.writing.recorder.by, "unlock a section")
    page, there = _locked(editor, name, section)
    event = SectionUnlocked(scope=page.scope, name=page.name, section=there.section.slug)
    return _append(editor, page, event)


@verb(
    "page arrange",
    roles=HUMANS,
    view=views.one,
    key="page",
    examples=(
        "tilth page arrange shop decided --pinned",
        "tilth page arrange shop decided --position 2",
        "tilth page arrange shop built --no-told",
        "tilth page arrange shop run --description 'What works on a laptop' --without sudo",
    ),
)
def arrange(
    brain: Needs,
    name: Name,
    section: SectionName,
    *,
    is_pinned: Annotated[bool | None, Arg("show the section first")] = None,
    position: Annotated[
        int | None, Arg("its place on the page: 1 is first, 0 as compiled", least=0)
    ] = None,
    is_told: Annotated[bool | None, Arg("show the section when a session begins")] = None,
    description: Annotated[str | None, Arg("what it is for, in one line")] = None,
    without: Annotated[
        Sequence[str] | None, Arg("leave out lines that hold this term; may be repeated")
    ] = None,
    scope: Narrowed = None,
) -> Page:
    """
    Set where a section stands, what it is for, and what is left out of it.

    That lasts, however often the page is compiled. Lines that hold a term to leave out go at once.

    Returns:
        The page.

    Raises:
        NotFoundError: there is no such page or section.
        LimitExceededError: there are more than 32 terms, or the description is too long.
    """
    editor = _editor(brain, scope)
    require_human(editor.writing.recorder.by, "arrange a page")
    page, there = _section_of(editor, name, section)
    was = there.arranged
    told = was.description if description is None else description
    how = Arranged(
        is_pinned=was.is_pinned if is_pinned is None else is_pinned,
        is_told=was.is_told if is_told is None else is_told,
        description=scrub(told.strip()).text,
        without=parse_exclusion(was.without if without is None else tuple(without)).terms,
        position=was.position if position is None else position,
    )
    slug = there.section.slug
    event = SectionArranged(scope=page.scope, name=page.name, section=slug, how=how)
    return _append(editor, page, event)


@verb(
    "page take",
    roles=HUMANS,
    view=views.one,
    key="page",
    examples=("tilth page take shop decided --signature 1f3a",),
)
def take(
    brain: Needs,
    name: Name,
    section: SectionName,
    *,
    signature: Signature,
    scope: Narrowed = None,
) -> Page:
    """
    Replace a locked section by what would be compiled there; it stays locked.

    Returns:
        The page.

    Raises:
        NotFoundError: there is no such page or section.
        ConflictError: nothing waits there, or something else than was shown.
    """
    editor = _editor(brain, scope)
    require_human(editor.writing.recorder.by, "decide about a section")
    page, there = _waiting(editor, name, section, signature)
    words = "\n".join(there.section.lines)
    _lock(editor, page, there.section.title, words, slug=there.section.slug)
    return _reread(editor, page)


@verb(
    "page decline",
    roles=HUMANS,
    view=views.one,
    key="page",
    examples=("tilth page decline shop decided --signature 1f3a",),
)
def decline(
    brain: Needs,
    name: Name,
    section: SectionName,
    *,
    signature: Signature,
    scope: Narrowed = None,
) -> Page:
    """
    Keep a locked section as it is; the declined text is not offered again.

    Returns:
        The page.

    Raises:
        NotFoundError: there is no such page or section.
        ConflictError: nothing waits there, or something else than was shown.
    """
    editor = _editor(brain, scope)
    require_human(editor.writing.recorder.by, "decide about a section")
    page, there = _waiting(editor, name, section, signature)
    return _append(
        editor,
        page,
        SectionDeclined(
            scope=page.scope,
            name=page.name,
            section=there.section.slug,
            signature=there.section.signature,
        ),
    )


def _editor(brain: Needs, scope: str | None) -> _Editor:
    return _Editor(brain.store, brain.writing, brain.excluded, brain.within(scope))


def _check_length(text: str) -> None:
    if len(text) > TEXT_CHARS_MAX:
        raise LimitExceededError(f"a page has at most {TEXT_CHARS_MAX:,} characters")


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


def _removals(editor: _Editor, page: Page, lines: Sequence[Sentence]) -> list[ProposalId]:
    """Propose that the facts of *lines* end, and record that a person removed the lines."""
    recorder, reason = editor.writing.recorder, f"its line on the page {page.name} was removed"
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


def _find(page: Page, section: str) -> PageSection | None:
    wanted = {section, name_of(section)}
    return next((one for one in page.sections if one.section.slug in wanted), None)


def _text_of(there: PageSection) -> str:
    if there.lock is not None:
        return there.lock.text
    return "\n".join(there.section.lines)


def _section_of(editor: _Editor, name: str, section: str) -> tuple[Page, PageSection]:
    with editor.store.read() as view:
        page = Pages(view).get(name, editor.within, editor.now)
    there = _find(page, section)
    if there is None:
        slugs = ", ".join(one.section.slug for one in page.sections)
        raise NotFoundError(f"{page.name} has no section {section[:60]!r}", hint=f"it has {slugs}")
    return page, there


def _locked(editor: _Editor, name: str, section: str) -> tuple[Page, PageSection]:
    page, there = _section_of(editor, name, section)
    if there.lock is None:
        raise ConflictError(f"{there.section.slug} is not locked")
    return page, there


def _waiting(editor: _Editor, name: str, section: str, signature: str) -> tuple[Page, PageSection]:
    page, there = _locked(editor, name, section)
    if there.lock is None or not there.lock.pending:
        raise ConflictError(f"nothing waits for {there.section.slug}")
    if signature != there.lock.signature:
        raise ConflictError(
            "what waits is not what was shown", hint=f"look again: tilth page show {page.name}"
        )
    return page, there


def _lock(editor: _Editor, page: Page, title: str, words: str, *, slug: str = "") -> None:
    if parse_exclusion(page.subject.without).hides(words):
        raise InvalidInputError(
            f"a term in it is left out of the page {page.name}",
            hint=f"it leaves out {', '.join(page.subject.without)}: say it without",
        )
    there = _find(page, slug or title)
    event = SectionLocked(
        scope=page.scope,
        name=page.name,
        section=slug or name_of(title),
        title=title,
        text=scrub(words).text,
        cites=there.section.cites if there else (),
    )
    _append(editor, page, event)


def _append(
    editor: _Editor,
    page: Page,
    event: SectionLocked | SectionUnlocked | SectionDeclined | SectionArranged,
) -> Page:
    recorder = editor.writing.recorder
    with editor.store.begin() as tx:
        tx.append(event, by=recorder.by, owner=recorder.owner)
    return _reread(editor, page)


def _reread(editor: _Editor, page: Page) -> Page:
    with editor.store.read() as view:
        found = Pages(view).find(page.name, page.owner, page.scope, editor.now)
        return with_freshness(view, found or page, editor.now, editor.excluded)
