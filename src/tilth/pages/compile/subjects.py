"""Turn a request for a page into its subject: its name, scope and heading."""

from collections.abc import Sequence
from datetime import datetime

from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError
from tilth.core.ids import EntityId
from tilth.core.scope import GLOBAL, Owner, Scope, Visibility, key_of, seen_from
from tilth.core.text.tokens import index_terms
from tilth.knowledge.entities.resolve_name import entities_meant
from tilth.ledger.snapshot import Snapshot
from tilth.pages.model import FILED, PageKind, Subject, name_of
from tilth.pages.tables import Pages

_TITLES = {
    PageKind.SYSTEM_STATE: "State",
    PageKind.PENDING_TASKS: "Pending tasks",
    PageKind.TOPOLOGY: "Topology",
    PageKind.SUMMARY: "Summary",
    PageKind.EVENT_LOG: "Event log",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A request for a page; see `Subject`. `what` names the entity or topic."""

    kind: PageKind
    what: str = ""
    scope: Scope | None = None
    name: str = ""
    title: str = ""
    area: str = ""
    environment: str = ""
    system: str = ""
    without: Sequence[str] | None = None
    is_foundational: bool | None = None


def subject_of(view: Snapshot, wanted: Wanted, owner: Owner, now: datetime) -> Subject:
    """
    Return the subject of a page; fields not given are taken from the page of that name.

    Raises:
        InvalidInputError: the kind needs a field that is missing, or does not take one.
        NotFoundError: there is no entity of that name.
    """
    made = _made(view, wanted, owner)
    known = Pages(view).find(made.name, owner, made.scope, now)
    before = known.subject if known is not None else made
    return Subject(
        name=made.name,
        kind=made.kind,
        scope=made.scope,
        title=made.title if wanted.title or known is None else before.title,
        area=made.area,
        environment=made.environment,
        system=made.system,
        entity=made.entity,
        topic=made.topic,
        without=before.without if wanted.without is None else tuple(wanted.without),
        is_foundational=(
            before.is_foundational if wanted.is_foundational is None else wanted.is_foundational
        ),
    )


def _made(view: Snapshot, wanted: Wanted, owner: Owner) -> Subject:
    kind, what = wanted.kind, " ".join(wanted.what.split())
    if kind in FILED:
        if what:
            raise InvalidInputError(
                f"a page of the kind {kind} is about what is filed, not about {what[:60]!r}",
                hint="narrow it: --area, --environment, --system; or compile a topic",
            )
        places = (wanted.area, wanted.environment, wanted.system)
        heading = " · ".join(part for part in places if part) or key_of(wanted.scope or GLOBAL)
        title = f"{_TITLES[kind]}: {heading}" if heading else _TITLES[kind]
        return _subject(wanted, wanted.scope or GLOBAL, name_of(kind, *places), title)
    if kind is PageKind.PROJECT:
        scope = wanted.scope
        if scope is None or not key_of(scope):
            raise InvalidInputError(
                "a page of a project names it", hint="give it: --scope project:KEY"
            )
        key = key_of(scope).rpartition("/")[2]
        return _subject(wanted, scope, name_of(key), key)
    if kind is PageKind.TOPIC:
        if not index_terms(what):
            raise InvalidInputError("a page of a topic names it", hint="in words: release process")
        title = what[:1].upper() + what[1:]
        return _subject(wanted, wanted.scope or GLOBAL, name_of(what), title, topic=what)
    if not what:
        raise InvalidInputError("a page of an entity names it", hint="by a name or an ID")
    within = seen_from(owner, wanted.scope) if wanted.scope else Visibility(owner)
    entity = entities_meant(view, what, within)[0]
    scope = wanted.scope or entity.scope
    return _subject(wanted, scope, name_of(entity.name), entity.name, entity=entity.id)


def _subject(
    wanted: Wanted,
    scope: Scope,
    name: str,
    title: str,
    *,
    entity: EntityId | None = None,
    topic: str = "",
) -> Subject:
    return Subject(
        name=wanted.name or name,
        kind=wanted.kind,
        scope=scope,
        title=" ".join(wanted.title.split()) or title,
        area=wanted.area,
        environment=wanted.environment,
        system=wanted.system,
        entity=entity,
        topic=topic,
    )
