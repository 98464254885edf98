"""
Compile pages, one or a bounded number at a time.

Writing never compiles a page: somebody asks for it, or the worker does it. A page that changes
while it is compiled is stale.
"""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from tilth.core.actor import require_human, require_known
from tilth.core.dataclass import dataclass
from tilth.core.errors import ForbiddenError, NotFoundError
from tilth.core.ids import FactId
from tilth.core.scope import Owner, Visibility
from tilth.episodes.remember import WriteContext
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store
from tilth.llm import answers
from tilth.llm.budget import midnight
from tilth.llm.client import ModelClient, Question, Reason, Thought, think, why_unavailable
from tilth.llm.spending import NOTHING_SPENT, Spending
from tilth.llm.task import Task
from tilth.pages.compile.material import Material, gather
from tilth.pages.compile.missing_pages import MissingPage, find_missing_pages
from tilth.pages.compile.subjects import Wanted, subject_of
from tilth.pages.compile.templates import fact_sections, inputs_of, sections_of
from tilth.pages.events import PageChecked, PageCompiled
from tilth.pages.model import (
    TEMPLATE,
    Compiled,
    Page,
    PageDraft,
    PageKind,
    Section,
    Sentence,
    Subject,
    name_of,
    whole,
)
from tilth.pages.tables import Pages
from tilth.privacy.exclusion import Exclusion

logger = logging.getLogger(__name__)

# How long a page is stale before the sweep compiles it, so that a live session does not cause a
# compilation after each sentence.
QUIET = timedelta(minutes=2)
_DAY = timedelta(days=1)
# The most facts that a model is shown.
_SHOWN_MAX = 120
# Reasons for which a model words nothing today, but may another day.
_PASSING = frozenset(
    {
        Reason.NO_PRICE,
        Reason.BUDGET,
        Reason.SILENT,
        Reason.UNUSABLE,
        Reason.LEFT_ALONE,
        Reason.CANCELLED,
    }
)


@dataclass(frozen=True, slots=True)
class Compiler:
    """What compiling needs: the client of a language model, if any, and the excluded terms."""

    thinker: ModelClient
    excluded: Exclusion

    @property
    def store(self) -> Store:
        """The store of the pages."""
        return self.thinker.store

    @property
    def recorder(self) -> WriteContext:
        """The recorder: actor, owner and clock."""
        return self.thinker.recorder

    @property
    def owner(self) -> Owner:
        """The owner of the pages."""
        return self.thinker.recorder.owner


@dataclass(frozen=True, slots=True)
class PagesSwept:
    """
    What a sweep did: how many pages were stale or in doubt, compiled again, and made.

    `next_at` is when the next page is due if nothing more is recorded; None if none will be.
    """

    stale: int = 0
    compiled: int = 0
    made: int = 0
    next_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class _Wording:
    """What a model made of facts: sections, or the reason why not, and the cost."""

    sections: tuple[Section, ...] = ()
    form: str = TEMPLATE
    why: str = ""
    is_put_off: bool = False
    cost: Spending = NOTHING_SPENT


def compile_page(compiler: Compiler, subject: Subject) -> Compiled:
    """
    Compile a page from what holds now, and record it; if it says nothing new, record a check.

    Raises:
        ForbiddenError: the caller is anonymous, or no human and a person removed the page.
        NotFoundError: nothing is known of its subject; an existing page stays as it is.
    """
    require_known(compiler.recorder.by, "compile pages")
    now = compiler.thinker.clock.now()
    with compiler.store.read() as view:
        known = Pages(view).find(subject.name, compiler.owner, subject.scope, now)
        is_back = known is None and _is_made_again(view, compiler, subject)
        material = gather(view, subject, compiler.owner, now, compiler.excluded)
    sections = sections_of(material)
    if not sections:
        raise _nothing_known(subject, material)
    inputs = inputs_of(material, sections)
    same = known if known is not None and known.inputs == inputs else None
    if same is not None and not (same.is_put_off and _may_ask(compiler)):
        return _record_check(compiler, same, material, now)
    written = _word_with_model(compiler, material)
    if same is not None and written.is_put_off:
        return _record_check(compiler, same, material, now, took=written.cost)
    if written.sections:
        sections = _join_sections(written.sections, sections)
    # The cost of a page's words includes days on which a model was asked in vain.
    before = same.cost if same is not None else NOTHING_SPENT
    draft = PageDraft(
        subject=subject,
        sections=sections,
        form=written.form,
        why=written.why,
        is_put_off=written.is_put_off,
        cost=before.plus(written.cost),
        read_to=material.read_to,
        holds_until=material.holds_until,
        watches=material.watches,
        inputs=inputs,
        left_out=_left_out(material, sections),
    )
    page = _record_page(compiler, draft, now)
    logger.info("page compiled: facts=%d form=%s", len(page.compiled_from), page.form)
    return Compiled(page, is_new=True, is_back=is_back)


def recompile(compiler: Compiler, page: Page) -> Compiled:
    """Compile a known page again, on the same subject."""
    return compile_page(compiler, page.subject)


def sweep_pages(compiler: Compiler, *, at_most: int) -> PagesSwept:
    """
    Compile stale pages and make missing ones: foundational ones first, topics last.

    A page that is plain for want of a model is worded on another day, if a model may be asked then:
    once a day, so that not every sweep asks an absent model.

    A page of which nothing is known any more stays as it is, and stale.

    Raises:
        ForbiddenError: the caller is anonymous.
        UnavailableError: the store does not answer.
    """
    require_known(compiler.recorder.by, "compile pages")
    now, owner = compiler.thinker.clock.now(), compiler.owner
    with compiler.store.read() as view:
        pages = Pages(view).select(Visibility(owner), now)
        wanted = find_missing_pages(view, pages, Visibility(owner), now, compiler.excluded)
        put_off = [
            one for one in pages if one.is_put_off and Pages(view).read_at(one) < midnight(now)
        ]
        since = [(one.stale_since or Pages(view).practised(one), one) for one in pages]
        ends = Pages(view).next_end(Visibility(owner), now)
    doubted = [(at, one) for at, one in since if at is not None and at + QUIET <= now]
    stale = [one for _, one in sorted(doubted, key=lambda dated: dated[0])]
    wordless = [one for one in put_off if one not in stale] if _may_ask(compiler) else []
    # The sort is stable: within its group the page that is stale longest comes first, then missing
    # ones, then those without a model's words.
    due: list[Page | MissingPage] = sorted([*stale, *wanted, *wordless], key=_priority)
    compiled = made = 0
    for one in due[:at_most]:
        try:
            if isinstance(one, Page):
                compiled += recompile(compiler, one) is not None
            else:
                made += _compile_missing(compiler, one, now)
        except NotFoundError:
            logger.info("a page is not compiled: nothing is known of its subject")
        except ForbiddenError:
            logger.info("a page is not compiled: a person removed it meanwhile")
    turns = [at for at, _ in since if at is not None] + ([] if ends is None else [ends])
    another_day = [midnight(now) + _DAY for one in pages if one.is_put_off]
    to_come = [at + QUIET for at in turns if at + QUIET > now] + another_day
    return PagesSwept(len(stale), compiled, made, min(to_come, default=None))


def _may_ask(compiler: Compiler) -> bool:
    return why_unavailable(compiler.thinker.model_pool, Task.COMPILE_PAGE) is None


def _priority(one: Page | MissingPage) -> tuple[bool, bool]:
    """Return the sort key of due pages: foundational ones, others, then topics."""
    is_foundational = isinstance(one, Page) and one.is_foundational
    return (not is_foundational, one.kind is PageKind.TOPIC)


def _compile_missing(compiler: Compiler, one: MissingPage, now: datetime) -> bool:
    """Compile a missing page, and say whether it is new."""
    what = one.entity or one.name
    asked = Wanted(kind=one.kind, what=what, scope=one.scope)
    with compiler.store.read() as view:
        subject = subject_of(view, asked, compiler.owner, now)
    return compile_page(compiler, subject).is_new


def _is_made_again(view: Snapshot, compiler: Compiler, subject: Subject) -> bool:
    """
    Say whether a page that is not there is one that a person removed.

    Raises:
        ForbiddenError: it is, and not by a human.
    """
    is_removed = Pages(view).is_removed(subject, compiler.owner)
    if is_removed:
        require_human(compiler.recorder.by, "make a page again that a person removed")
    return is_removed


def _nothing_known(subject: Subject, material: Material) -> NotFoundError:
    waiting = material.waiting
    hint = "pages state what is known or corroborated: tilth fact list"
    if material.heard:
        hint = "what only others told in conversations is on no page: tilth about NAME shows it"
    elif waiting:
        what = "1 candidate is" if waiting == 1 else f"{waiting} candidates are"
        hint = (
            f"{what} no ground for a page until a person confirms: "
            "tilth fact list --review unreviewed, then tilth review ask ID"
        )
    return NotFoundError(f"nothing is known for a page {subject.name!r}", hint=hint)


def _record_check(
    compiler: Compiler,
    known: Page,
    material: Material,
    now: datetime,
    *,
    took: Spending | None = None,
) -> Compiled:
    """Record that a page holds up to where the ledger was read, and what a model cost meanwhile."""
    with compiler.store.begin() as tx:
        page = Pages(tx).find(known.name, known.owner, known.scope, now)
        if (
            page is not None
            and page.read_to < material.read_to
            and (
                # The check of a fresh page in whose project nobody worked is worth no event.
                took is not None or page.is_stale or Pages(tx).practised(page) is not None
            )
        ):
            event = PageChecked(
                scope=known.scope,
                name=known.name,
                read_to=material.read_to,
                inputs=known.inputs,
                holds_until=material.holds_until,
                cost=page.cost.plus(took or NOTHING_SPENT) if page.is_put_off else NOTHING_SPENT,
            )
            tx.append(event, by=compiler.recorder.by, owner=compiler.owner)
        found = Pages(tx).find(known.name, known.owner, known.scope, now)
    return Compiled(found or known, is_new=False)


def _record_page(compiler: Compiler, draft: PageDraft, now: datetime) -> Page:
    """Record a page, unless another that was read later is there by now."""
    subject = draft.subject
    with compiler.store.begin() as tx:
        known = Pages(tx).find(subject.name, compiler.owner, subject.scope, now)
        if known is None:
            # A person may have removed it meanwhile.
            _is_made_again(tx, compiler, subject)
        if known is None or known.read_to <= draft.read_to:
            tx.append(PageCompiled(draft), by=compiler.recorder.by, owner=compiler.owner)
        found = Pages(tx).find(subject.name, compiler.owner, subject.scope, now)
    assert found is not None
    return found


def _word_with_model(compiler: Compiler, material: Material) -> _Wording:
    """Return the facts in the words of a model, or why they keep the plain form."""
    cited = {id_ for one in fact_sections(material) for id_ in one.cites}
    things = {str(one.id): one.said.text for one in material.facts if one.id in cited}
    if not things or len(things) > _SHOWN_MAX:
        return _Wording(why="there are too many facts to be put into words" if things else "")
    subject = material.subject
    question = Question(things=things, scope=subject.scope)
    thought = think(compiler.thinker, answers.PageDraft, question)
    if not isinstance(thought, Thought):
        why = "" if thought.reason is Reason.OFF else thought.detail
        is_put_off = thought.reason in _PASSING
        return _Wording(why=why, is_put_off=is_put_off, cost=thought.spent)
    said = [
        Section(
            name_of(one.heading),
            one.heading.strip(),
            tuple(
                Sentence(" ".join(line.text.split()), tuple(map(str, line.cites)))
                for line in one.sentences
                if not material.hidden.hides(line.text)
            ),
        )
        for one in thought.answer.sections
    ]
    if not whole(said):
        return _Wording(why="the model wrote nothing", cost=thought.spent)
    return _Wording(whole(said), form=thought.model, cost=thought.spent)


def _join_sections(said: Sequence[Section], template: Sequence[Section]) -> tuple[Section, ...]:
    """Return a model's sections on facts, with the template's sections that state no facts."""
    practised = [
        one for one in template if not any(id_.startswith(FactId.prefix) for id_ in one.cites)
    ]
    taken = {one.slug for one in practised}
    return (*_with_unique_slugs(said, taken), *practised)


def _with_unique_slugs(said: Sequence[Section], taken: set[str]) -> Iterator[Section]:
    """Yield sections, each with a slug of its own."""
    for one in said:
        slug, number = one.slug, 1
        while slug in taken:
            number += 1
            slug = f"{one.slug}-{number}"
        taken.add(slug)
        yield replace(one, slug=slug)


def _left_out(material: Material, sections: Sequence[Section]) -> int:
    cited = {id_ for one in sections for id_ in one.cites}
    if material.subject.kind in {PageKind.PENDING_TASKS, PageKind.TOPOLOGY}:
        return 0
    return sum(one.id not in cited for one in material.facts)
