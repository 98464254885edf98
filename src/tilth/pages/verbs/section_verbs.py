"""
The verbs by which people change pages.

Nobody writes pages: the facts that they state are corrected (`tilth.pages.edit_page`). A person's
own words stand in a locked section, until the person unlocks it.
"""

from collections.abc import Sequence
from typing import Annotated, TypeAlias

from tilth.core.errors import ConflictError, InvalidInputError
from tilth.core.verb import HUMANS, KNOWN, Arg, verb
from tilth.episodes.context import Narrowed
from tilth.pages import views
from tilth.pages.edit_page import edit_page
from tilth.pages.editor import Editor, check_length, find_section
from tilth.pages.events import SectionArranged, SectionDeclined, SectionUnlocked
from tilth.pages.model import Arranged, Edited, Page, PageSection, name_of
from tilth.pages.verbs.page_verbs import Name, Needs
from tilth.privacy.exclusion import parse_exclusion
from tilth.privacy.redaction import scrub

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
    return edit_page(_editor(brain, scope), name, text)


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
    check_length(text)
    page = editor.page(name)
    there = find_section(page, section)
    title = there.section.title if there else section
    words = text.strip() or (_text_of(there) if there else "")
    if not words:
        raise InvalidInputError("a locked section says something", hint="give its text")
    slug = there.section.slug if there else name_of(section)
    return editor.lock(page, title, words, slug=slug)


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
    page, there = _locked(editor, name, section)
    event = SectionUnlocked(scope=page.scope, name=page.name, section=there.section.slug)
    return editor.record(page, event)


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
    page, there = editor.section(name, section)
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
    return editor.record(page, event)


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
    page, there = _waiting(editor, name, section, signature)
    words = "\n".join(there.section.lines)
    return editor.lock(page, there.section.title, words, slug=there.section.slug)


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
    page, there = _waiting(editor, name, section, signature)
    event = SectionDeclined(
        scope=page.scope,
        name=page.name,
        section=there.section.slug,
        signature=there.section.signature,
    )
    return editor.record(page, event)


def _editor(brain: Needs, scope: str | None) -> Editor:
    return Editor(brain.store, brain.writing, brain.excluded, brain.within(scope))


def _text_of(there: PageSection) -> str:
    if there.lock is not None:
        return there.lock.text
    return "\n".join(there.section.lines)


def _locked(editor: Editor, name: str, section: str) -> tuple[Page, PageSection]:
    page, there = editor.section(name, section)
    if there.lock is None:
        raise ConflictError(f"{there.section.slug} is not locked")
    return page, there


def _waiting(editor: Editor, name: str, section: str, signature: str) -> tuple[Page, PageSection]:
    page, there = _locked(editor, name, section)
    if there.lock is None or not there.lock.pending:
        raise ConflictError(f"nothing waits for {there.section.slug}")
    if signature != there.lock.signature:
        raise ConflictError(
            "what waits is not what was shown", hint=f"look again: tilth page show {page.name}"
        )
    return page, there
