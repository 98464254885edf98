"""
Pages: documents that are compiled from facts, and never written.

A page is known by its name in its scope, and states facts of that scope alone. Every sentence cites
what it says. A person may lock a section: its words stay, and what the compiler would have written
waits beside them.
"""

import hashlib
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated

from tilth.core.codec import Inline, Row
from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError, LimitExceededError
from tilth.core.ids import EntityId
from tilth.core.json import canonical
from tilth.core.scope import GLOBAL, Owner, Scope
from tilth.core.text.pattern import pattern
from tilth.core.text.tokens import index_terms
from tilth.llm.spending import NOTHING_SPENT, Spending

# KB-110.
WITHOUT_MAX = 32
_NAME_CHARS_MAX = 100
_TITLE_CHARS_MAX = 200
_NAME = pattern(r"[a-z0-9][a-z0-9._-]*")
_NO_PART = pattern(r"[^a-z0-9]+")
_DATED = pattern(r"^\d{4}-\d{2}-\d{2}: ")
_DIGEST_CHARS = 16
# So long it is remembered that a line was taken off once (KB-112).
_REMEMBERED = timedelta(days=30)
# The form of a page that no language model put into words.
TEMPLATE = "template"
# What lists all pages; no page is called that.
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


# What is filed under an area, an environment and a system.
FILED = frozenset(PageKind) - {PageKind.ENTITY, PageKind.PROJECT, PageKind.TOPIC}


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """
    What a page is about, and under which name it is found.

    Attributes:
        name: Its name within the scope, such as `network-state`.
        kind: What it states, and in which sections.
        scope: Whose facts it states.
        title: Its heading.
        area: Of a page of filed facts: only those of this area.
        environment: Likewise.
        system: Likewise.
        entity: The thing that it is about.
        topic: The words that its facts hold.
        without: Terms; a fact that holds one is left out.
        is_foundational: Whether a person said that every session reads it, and whole.
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


def check_name(name: str) -> None:
    """
    Refuse what cannot be the name of a page.

    Raises:
        InvalidInputError: it cannot.
    """
    if not _NAME.fullmatch(name) or len(name) > _NAME_CHARS_MAX or name == INDEX:
        raise InvalidInputError(
            f"{name[:60]!r} cannot name a page",
            hint=f"up to {_NAME_CHARS_MAX} of a to z, 0 to 9, '-', '_' and '.'; not {INDEX!r}",
        )


def name_of(*words: str) -> str:
    """Return *words* as the name of a page; what has no letter of a name gets its digest."""
    said = " ".join(word for word in words if word)
    name = _NO_PART.sub("-", said.casefold()).strip("-")[:_NAME_CHARS_MAX].strip("-")
    if not name or name == INDEX:
        name = f"page-{hashlib.sha256(said.encode()).hexdigest()[:8]}"
    return name


@dataclass(frozen=True, slots=True)
class Sentence:
    """What a page says in one line, and the IDs of the facts and other things that it cites."""

    text: str
    cites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """Sentences under one heading; its slug names it, whatever its heading."""

    slug: str
    title: str
    sentences: tuple[Annotated[Sentence, Row()], ...]

    @property
    def cites(self) -> tuple[str, ...]:
        """What its sentences cite, each once."""
        return tuple(dict.fromkeys(id_ for one in self.sentences for id_ in one.cites))

    @property
    def lines(self) -> list[str]:
        """Its sentences as a list of markdown."""
        return [f"- {one.text}" for one in self.sentences]

    def says(self, text: str) -> bool:
        """Say whether *text* is its sentences word for word, as a list or without its marks."""
        told = [line.removeprefix("- ") for line in text.splitlines()]
        return " ".join(one.text for one in self.sentences).split() == " ".join(told).split()

    @property
    def signature(self) -> str:
        """The digest of what it says."""
        said = [[one.text, [*one.cites]] for one in self.sentences]
        return hashlib.sha256(canonical(said).encode()).hexdigest()[:_DIGEST_CHARS]


@dataclass(frozen=True, slots=True, kw_only=True)
class PageDraft:
    """
    What one compilation of a page came to.

    Attributes:
        subject: What the page is about.
        sections: What it says.
        form: `template`, or the language model that put it into words.
        why: Why no model did, where one was asked.
        is_put_off: Whether that passes: a budget was spent, or the model was away. None is of
            pages that were compiled before this was told.
        read_to: The place in the ledger up to which it was read.
        holds_until: When a fact of it ends, or another begins, if nothing else happens.
        watches: By what it goes stale; see `tilth.pages.watches`.
        inputs: The digest of all that it was compiled from.
        left_out: How many facts there was no room for.
        cost: What language models took for it, whether or not their words stand there.
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
        """Where it is seen."""
        return self.subject.scope

    @property
    def cites(self) -> tuple[str, ...]:
        """Everything that a sentence of it cites, each once."""
        return tuple(dict.fromkeys(id_ for one in self.sections for id_ in one.cites))

    @property
    def names(self) -> tuple[str, ...]:
        """What it goes with in an erase: what it cites, and what it is about."""
        return self.cites if self.subject.entity is None else (*self.cites, self.subject.entity)

    @property
    def says(self) -> tuple[str, ...]:
        """Its words."""
        return tuple(line.text for one in self.sections for line in one.sentences)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lock:
    """
    A section in the words of a person.

    `pending` is what the compiler would say instead, where that is something else and nobody has
    declined it; its `signature` names it when it is taken or declined.
    """

    text: str
    cites: tuple[str, ...]
    locked_at: datetime
    pending: tuple[Sentence, ...] = ()
    signature: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Arranged:
    """
    What a person said of a section, whatever it says.

    Attributes:
        is_pinned: Whether it stands first.
        is_told: Whether sessions begin with it; one that is not told is on the page alone.
        description: What it is for, in one line.
        without: Terms; a line that holds one is left out of it.
        position: At which place of the page it stands, from 1 on; 0 is where it is compiled.
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
    """Of whom a section is: what tools recorded, what sessions stated, a model, or a person."""

    SCANNER = "scanner"
    SESSION = "session"
    AI = "ai"
    HUMAN = "human"


@dataclass(frozen=True, slots=True, kw_only=True)
class PageSection:
    """
    A section as a reader sees it: compiled, or in the words of a person.

    What the compiler has for a section that a person maintains waits as a proposal beside it.
    """

    section: Section
    lock: Lock | None = None
    arranged: Arranged = Arranged()
    maintainer: Maintainer = Maintainer.SCANNER

    @property
    def write_policy(self) -> str:
        """What becomes of what is compiled for it: `direct`, or `proposal`."""
        return "proposal" if self.lock is not None else "direct"


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """
    A page as it is now.

    `compiled_from` are exactly the facts that its text cites. `is_stale` says that something it
    was compiled from has changed since, and `stale_since` when. A stale page can still be read.
    `is_put_off` says that a model is asked again for its words, another day.
    `version` is the place in the ledger of its words, `read_to` that up to which it was read, and
    `inputs` the digest of all that it was compiled from. `cost` is what language models took for
    it, also on days on which they put nothing into words.
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
        """The thing that it is about, if it is about one."""
        return self.subject.entity

    @property
    def is_foundational(self) -> bool:
        """Whether every session reads it, and whole."""
        return self.subject.is_foundational


@dataclass(frozen=True, slots=True, kw_only=True)
class Removals:
    """
    The lines of a page that people took off, by their keys.

    Once moves a line to the end of its section, for a month; twice within one bans it.
    """

    once: frozenset[str] = frozenset()
    banned: frozenset[str] = frozenset()


def removals(taken_off: Iterable[tuple[str, datetime]], now: datetime) -> Removals:
    """Return what follows from lines that were taken off, each with when, in that order."""
    last: dict[str, datetime] = {}
    banned = set()
    for line, at in taken_off:
        if line in last and at - last[line] <= _REMEMBERED:
            banned.add(line)
        last[line] = at
    recent = {line for line, at in last.items() if now - at <= _REMEMBERED}
    return Removals(once=frozenset(recent - banned), banned=frozenset(banned))


def line_key(text: str) -> str:
    """Return by what a line is known again: its words, whatever it cites and its day."""
    said = " ".join(index_terms(without_date(text)))
    return hashlib.sha256(said.encode()).hexdigest()[:_DIGEST_CHARS]


def without_date(text: str) -> str:
    """Return the words of a line without the day that stands before them."""
    return _DATED.sub("", text, count=1)


@dataclass(frozen=True, slots=True)
class Compiled:
    """A page after it was asked for: whether anything of it is new, and why no model wrote it."""

    page: Page
    is_new: bool


def whole(sections: Sequence[Section]) -> tuple[Section, ...]:
    """Return the sections that say something."""
    return tuple(one for one in sections if one.sentences)
