"""
The model of pages: documents that are compiled from facts, and never written.

A page has a name in its scope, and states facts of that scope only. Every sentence cites its facts.
A person may lock a section: its words stay, and the text that would have been compiled waits beside
them.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated

from tilth.core.codec import Inline, Row
from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError, LimitExceededError
from tilth.core.ids import EntityId, ProposalId
from tilth.core.json import canonical
from tilth.core.scope import GLOBAL, Owner, Scope
from tilth.core.text.names import index_key
from tilth.core.text.pattern import pattern
from tilth.core.text.tokens import index_terms
from tilth.knowledge.vocabulary.registries import word_key
from tilth.llm.spending import NOTHING_SPENT, Spending

# The most terms of a page or section (KB-110).
WITHOUT_MAX = 32
_NAME_CHARS_MAX = 100
_TITLE_CHARS_MAX = 200
_NAME = pattern(r"[a-z0-9][a-z0-9._-]*")
_NO_PART = pattern(r"[^a-z0-9]+")
_DATED = pattern(r"^\d{4}-\d{2}-\d{2}: ")
_DIGEST_CHARS = 16
# How long the removal of a line is remembered (KB-112).
_REMEMBERED = timedelta(days=30)
# The form of a page that no language model worded.
TEMPLATE = "template"
# The name of the list of all pages; no page has it.
INDEX = "index"


class PageKind(StrEnum):
    """What a page is about."""

    SYSTEM_STATE = "system-state"
    PENDING_TASKS = "pending-tasks"
    TOPOLOGY = "topology"
    SUMMARY = "summary"
    EVENT_LOG = "event-log"
    ENTITY = "entity"
    PROJECT = "project"
    TOPIC = "topic"


# Kinds of page on facts that are filed under an area, environment or system.
FILED = frozenset(PageKind) - {PageKind.ENTITY, PageKind.PROJECT, PageKind.TOPIC}


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """
    What a page is about, and its name.

    Attributes:
        name: Its name within the scope, such as `network-state`.
        kind: What it states, and in which sections.
        scope: The scope of its facts.
        title: Its heading.
        area: For a page of filed facts: only those of this area.
        environment: The same for the environment.
        system: The same for the system.
        entity: The thing that it is about.
        topic: The words that its facts contain.
        without: Terms; facts that contain one are left out.
        is_foundational: Whether every session reads it whole, by a person's word.
    """

    name: str
    kind: PageKind
    scope: Scope = GLOBAL
    title: str = ""
    area: str = ""
    environment: str = ""
    system: str = ""
    entity: EntityId | None = None
    topic: str = ""
    without: tuple[str, ...] = ()
    is_foundational: bool = False

    def __post_init__(self) -> None:
        check_name(self.name)
        if not self.title.strip() or len(self.title) > _TITLE_CHARS_MAX:
            raise InvalidInputError(f"a title has 1 to {_TITLE_CHARS_MAX} characters")
        if (self.kind is PageKind.ENTITY) != (self.entity is not None):
            raise InvalidInputError("a page about an entity names it, and no other page does")
        if (self.kind is PageKind.TOPIC) != bool(self.topic):
            raise InvalidInputError("a page about a topic names it, and no other page does")
        if self.kind not in FILED and (self.area or self.environment or self.system):
            raise InvalidInputError(
                f"a page of the kind {self.kind} is not narrowed by area, environment or system",
                hint=f"{', '.join(sorted(FILED))} are",
            )
        if len(self.without) > WITHOUT_MAX:
            raise LimitExceededError(f"a page leaves out at most {WITHOUT_MAX} terms")

    @property
    def key(self) -> str:
        """The digest of what it is about within its scope, whatever the page is called."""
        places = map(index_key, (self.area, self.environment, self.system))
        about = [self.kind.value, self.entity or word_key(self.topic), *places]
        return hashlib.sha256(canonical(about).encode()).hexdigest()[:_DIGEST_CHARS]

    @property
    def bare(self) -> "Subject":
        """The same without its title and what people set for the page."""
        return replace(self, title=self.name, without=(), is_foundational=False)


def check_name(name: str) -> None:
    """
    Check the name of a page.

    Raises:
        InvalidInputError: it is not valid.
    """
    if not _NAME.fullmatch(name) or len(name) > _NAME_CHARS_MAX or name == INDEX:
        raise InvalidInputError(
            f"{name[:60]!r} cannot name a page",
            hint=f"up to {_NAME_CHARS_MAX} of a to z, 0 to 9, '-', '_' and '.'; not {INDEX!r}",
        )


def name_of(*words: str) -> str:
    """Return *words* as the name of a page, or their digest if they have no usable letter."""
    said = " ".join(word for word in words if word)
    name = _NO_PART.sub("-", said.casefold()).strip("-")[:_NAME_CHARS_MAX].strip("-")
    if not name or name == INDEX:
        name = f"page-{hashlib.sha256(said.encode()).hexdigest()[:8]}"
    return name


@dataclass(frozen=True, slots=True)
class Sentence:
    """One line of a page, and the IDs of the facts and other things that it cites."""

    text: str
    cites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """Sentences under one heading; the slug identifies it, whatever the heading."""

    slug: str
    title: str
    sentences: tuple[Annotated[Sentence, Row()], ...]

    @property
    def cites(self) -> tuple[str, ...]:
        """The IDs that its sentences cite, each once."""
        return tuple(dict.fromkeys(id_ for one in self.sentences for id_ in one.cites))

    @property
    def lines(self) -> list[str]:
        """Its sentences as a Markdown list."""
        return [f"- {one.text}" for one in self.sentences]

    def says(self, text: str) -> bool:
        """Say whether *text* is its sentences word for word, as a list or without the marks."""
        told = [line.removeprefix("- ") for line in text.splitlines()]
        return " ".join(one.text for one in self.sentences).split() == " ".join(told).split()

    @property
    def signature(self) -> str:
        """The digest of its content."""
        said = [[one.text, [*one.cites]] for one in self.sentences]
        return hashlib.sha256(canonical(said).encode()).hexdigest()[:_DIGEST_CHARS]


@dataclass(frozen=True, slots=True, kw_only=True)
class PageDraft:
    """
    The result of compiling a page.

    Attributes:
        subject: What the page is about.
        sections: What it says.
        form: `template`, or the language model that worded it.
        why: Why a model that was asked did not word it.
        is_put_off: Whether the reason passes: a budget was spent, or the model was away. None on
            pages that were compiled before this field existed.
        read_to: The place in the ledger up to which it was read.
        holds_until: When a fact of it next begins or ends, if nothing is recorded.
        watches: The keys whose changes make it stale; see `tilth.pages.watches`.
        inputs: The digest of all that it was compiled from.
        left_out: How many facts had no room.
        cost: What language models cost, even if their words were not used.
    """

    subject: Inline[Subject]
    sections: tuple[Annotated[Section, Row()], ...]
    form: str = TEMPLATE
    why: str = ""
    is_put_off: bool | None = None
    read_to: int
    holds_until: datetime | None = None
    watches: tuple[str, ...]
    inputs: str
    left_out: int = 0
    cost: Annotated[Spending, Row()] = NOTHING_SPENT

    @property
    def scope(self) -> Scope:
        """The scope from which it is visible."""
        return self.subject.scope

    @property
    def cites(self) -> tuple[str, ...]:
        """The IDs that its sentences cite, each once."""
        return tuple(dict.fromkeys(id_ for one in self.sections for id_ in one.cites))

    @property
    def names(self) -> tuple[str, ...]:
        """The IDs whose erase erases it: what it cites, and what it is about."""
        return self.cites if self.subject.entity is None else (*self.cites, self.subject.entity)

    @property
    def says(self) -> tuple[str, ...]:
        """Its words."""
        return tuple(line.text for one in self.sections for line in one.sentences)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lock:
    """
    A section in a person's words.

    `pending` is the compiler's text, where it differs and nobody declined it; its `signature`
    identifies it when it is taken or declined.
    """

    text: str
    cites: tuple[str, ...]
    locked_at: datetime
    pending: tuple[Sentence, ...] = ()
    signature: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Arranged:
    """
    What a person set for a section, whatever its text.

    Attributes:
        is_pinned: Whether it stands first.
        is_told: Whether opening briefs contain it; otherwise only the page does.
        description: What it is for, in one line.
        without: Terms; lines that contain one are left out.
        position: Its position on the page, from 1; 0 for the compiled order.
    """

    is_pinned: bool = False
    is_told: bool = True
    description: str = ""
    without: tuple[str, ...] = ()
    position: int = 0

    def __post_init__(self) -> None:
        if self.position < 0:
            raise InvalidInputError("the first section stands at position 1; 0 is as compiled")
        if len(self.description) > _TITLE_CHARS_MAX or "\n" in self.description:
            raise LimitExceededError(
                f"a description is one line of at most {_TITLE_CHARS_MAX} characters"
            )
        if len(self.without) > WITHOUT_MAX:
            raise LimitExceededError(f"a section leaves out at most {WITHOUT_MAX} terms")


class Maintainer(StrEnum):
    """Who maintains a section: tools, sessions, a model, or a person."""

    SCANNER = "scanner"
    SESSION = "session"
    AI = "ai"
    HUMAN = "human"


@dataclass(frozen=True, slots=True, kw_only=True)
class PageSection:
    """
    A section as a reader sees it: compiled, or in a person's words.

    The compiler's text for a section that a person maintains waits beside it as a proposal.
    """

    section: Section
    lock: Lock | None = None
    arranged: Arranged = Arranged()
    maintainer: Maintainer = Maintainer.SCANNER

    @property
    def write_policy(self) -> str:
        """What happens to newly compiled text: `direct`, or `proposal`."""
        return "proposal" if self.lock is not None else "direct"


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """
    A page as it is now.

    `compiled_from` are exactly the facts that its text cites. `is_stale` says that something it was
    compiled from has changed, and `stale_since` when. A stale page can still be read. `is_put_off`
    says that a model is asked again for its words, another day. `version` is the place in the
    ledger of its text, `read_to` the place up to which it was read, `inputs` the digest of all that
    it was compiled from. `cost` is the total of language models, including days on which they
    worded nothing.
    """

    name: str
    scope: Scope
    kind: PageKind
    title: str
    owner: Owner
    subject: Subject
    sections: tuple[PageSection, ...]
    compiled_from: tuple[str, ...]
    form: str
    why: str
    is_put_off: bool
    generated_at: datetime
    is_stale: bool
    stale_since: datetime | None
    left_out: int
    read_to: int
    inputs: str
    version: int
    cost: Spending

    @property
    def entity(self) -> EntityId | None:
        """The entity that it is about, if any."""
        return self.subject.entity

    @property
    def is_foundational(self) -> bool:
        """Whether every session reads it whole."""
        return self.subject.is_foundational


@dataclass(frozen=True, slots=True, kw_only=True)
class Removals:
    """
    The lines of a page that people removed, by key.

    One removal moves a line to the end of its section for a month; a second within that time bans
    it.
    """

    once: frozenset[str] = frozenset()
    banned: frozenset[str] = frozenset()


def removals(taken_off: Iterable[tuple[str, datetime]], now: datetime) -> Removals:
    """Return what follows from removals of lines, given in order of time."""
    last: dict[str, datetime] = {}
    banned = set()
    for line, at in taken_off:
        if line in last and at - last[line] <= _REMEMBERED:
            banned.add(line)
        last[line] = at
    recent = {line for line, at in last.items() if now - at <= _REMEMBERED}
    return Removals(once=frozenset(recent - banned), banned=frozenset(banned))


def line_key(text: str) -> str:
    """Return the key of a line: the digest of its words, without citations and day."""
    said = " ".join(index_terms(without_date(text)))
    return hashlib.sha256(said.encode()).hexdigest()[:_DIGEST_CHARS]


def without_date(text: str) -> str:
    """Return the words of a line without a leading day."""
    return _DATED.sub("", text, count=1)


@dataclass(frozen=True, slots=True)
class Compiled:
    """
    The page that was asked for, and whether it changed.

    `is_back` says that a person had removed the page of this subject, and now made it again.
    """

    page: Page
    is_new: bool
    is_back: bool = False


def whole(sections: Sequence[Section]) -> tuple[Section, ...]:
    """Return the sections that contain something."""
    return tuple(one for one in sections if one.sentences)


@dataclass(frozen=True, slots=True)
class Edited:
    """
    The result of an edit: proposals that wait, and sections that are locked now.

    `moved` are lines that a person removed, which come last in their section for a month; `banned`
    are lines removed a second time, which this page no longer has.
    """

    page: Page
    proposals: tuple[ProposalId, ...] = ()
    locked: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()
    banned: tuple[str, ...] = ()
