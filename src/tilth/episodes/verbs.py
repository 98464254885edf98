"""The verbs on episodes, sessions and documents."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Annotated, Protocol, TypeAlias, Unpack, cast

from tilth.core.calls.paging import PAGE_MAX
from tilth.core.errors import InvalidInputError, LimitExceededError, NotFoundError
from tilth.core.ids import EntityId, EpisodeId, SessionId, parse_session_id
from tilth.core.scope import GLOBAL, parse_scope
from tilth.core.verb import ANYONE, VERBS, Arg, Section, noun, verb
from tilth.embedding.embedder import Embedder
from tilth.episodes import remember as recording
from tilth.episodes import sessions, views
from tilth.episodes.context import Context, Narrowed, Place
from tilth.episodes.document import Document, DocumentSection, document_of
from tilth.episodes.documents import document_called, documents_in, names_near, sections_in
from tilth.episodes.duplicates import DUPLICATES_MAX, LIKENESS_MIN, Duplicate
from tilth.episodes.episode import (
    ALWAYS,
    REPLACES,
    Episode,
    EpisodeDraft,
    EpisodeFields,
    EpisodeKind,
    parse_draft,
    words_of,
)
from tilth.episodes.events import SessionDescribed
from tilth.episodes.filters import EpisodeFilter, SessionFilter
from tilth.episodes.session import Session, SessionInfo
from tilth.episodes.sessions import SessionPage, masked, scrubbed_info
from tilth.episodes.tables import Episodes
from tilth.ledger.search import Search
from tilth.privacy.redaction import scrub

noun("session", "what was said and done together, in order", section=Section.AGENTS, bare="list")
noun("episode", "single messages, tool calls and notes", section=Section.ADVANCED)
noun("document", "imported documents, section by section", section=Section.ADVANCED, bare="list")

# How many episodes are read at once: what a caller asked for must fit into one answer.
SHOWN_MAX = 20

EpisodeArg: TypeAlias = Annotated[
    EpisodeId, Arg("the episode's ID", metavar="ID", id=EpisodeId.prefix)
]
SessionArg: TypeAlias = Annotated[
    SessionId, Arg("the session's ID, as listed", metavar="ID", parse=parse_session_id)
]
Limit: TypeAlias = Annotated[int, Arg("the most to return", metavar="N", least=1)]
Offset: TypeAlias = Annotated[int, Arg("how many to skip", metavar="N", least=0)]
After: TypeAlias = Annotated[
    int, Arg("only items after this place in the ledger", metavar="SEQ", least=0)
]


class Embedding(Context, Protocol):
    """What comparing texts needs of a brain besides what every verb needs."""

    @property
    def first(self) -> Embedder:
        """The embedder that is in step with every write."""


@verb(
    "session list",
    roles=ANYONE,
    view=views.session_table,
    key="sessions",
    examples=("tilth session list", "tilth session list --host codex --title invoice --limit 5"),
)
def list_sessions(
    brain: Context,
    *,
    host: Annotated[str, Arg("only of this agent program, such as codex")] = "",
    title: Annotated[str, Arg("only with these words in the title")] = "",
    since: Annotated[datetime | None, Arg("only sessions active at or after this instant")] = None,
    until: Annotated[datetime | None, Arg("only sessions active before this instant")] = None,
    limit: Limit = 20,
    offset: Offset = 0,
    scope: Narrowed = None,
) -> Sequence[Session]:
    """
    List sessions, the last active first.

    Returns:
        At most 1,000 visible sessions.
    """
    which = SessionFilter(host=host, words=title, active_from=since, active_before=until)
    with brain.store.read() as view:
        return Episodes(view).sessions(
            brain.within(scope), limit=min(limit, PAGE_MAX), offset=offset, which=which
        )


@verb("", python="sessions.get", roles=ANYONE)
def get_session(brain: Context, session_id: SessionArg, *, scope: Narrowed = None) -> Session:
    """
    Return one session, without its episodes.

    Returns:
        The session: its time, its number of episodes, and its description.

    Raises:
        NotFoundError: there is no such session, or it cannot be seen from the scope.
    """
    with brain.store.read() as view:
        return Episodes(view).session(session_id, brain.within(scope))


@verb(
    "session show",
    roles=ANYONE,
    view=views.session_page,
    examples=("tilth session show planning", "tilth session show planning --limit 20"),
)
def show_session(
    brain: Context,
    session_id: Annotated[
        SessionId,
        Arg(
            "the session's ID as listed or as its program tells it, or the beginning of one",
            metavar="ID",
            parse=parse_session_id,
        ),
    ],
    *,
    limit: Limit = 100,
    after: After = 0,
    scope: Narrowed = None,
) -> SessionPage:
    """
    Show a session and its episodes.

    Returns:
        The session, and its episodes in the order of the ledger.

    Raises:
        NotFoundError: there is no such session, or it cannot be seen from the scope.
        InvalidInputError: the IDs of several sessions begin with it.
    """
    within = brain.within(scope)
    with brain.store.read() as view:
        session = Episodes(view).session(Episodes(view).session_id_of(session_id, within), within)
    episodes = list_episodes(brain, session_id=session.id, limit=limit, after=after, scope=scope)
    return SessionPage(session, episodes)


@verb("", python="sessions.describe", roles=ANYONE)
def describe_session(
    brain: Context,
    session_id: SessionArg,
    info: Annotated[SessionInfo, Arg("its title, host, folder, source and tags")],
    *,
    scope: Place = GLOBAL,
) -> None:
    """
    Describe a session as a whole.

    The description replaces the earlier one. Secrets and private spans are removed.
    """
    sessions.describe(brain.store, session_id, info, scope=scope, recorder=brain.recorder)


@verb("", python="episodes.list", roles=ANYONE)
def list_episodes(
    brain: Context,
    *,
    session_id: Annotated[SessionArg | None, Arg("only those of this session")] = None,
    limit: Limit = 100,
    after: After = 0,
    newest: Annotated[bool, Arg("the newest first, instead of the order of the ledger")] = False,
    scope: Narrowed = None,
) -> Sequence[Episode]:
    """
    List episodes in the order of the ledger.

    Returns:
        At most 1,000 visible episodes, word for word.
    """
    which = EpisodeFilter(within=brain.within(scope), session_id=session_id)
    with brain.store.read() as view:
        return Episodes(view).select(
            which, limit=min(limit, PAGE_MAX), after=after, newest_first=newest
        )


@verb("", python="episodes.get", roles=ANYONE)
def get_episode(
    brain: Context,
    episode_id: EpisodeArg,
    *,
    is_masked: Annotated[bool, Arg("hide emails, addresses, numbers and keys")] = False,
    scope: Narrowed = None,
) -> Episode:
    """
    Return one episode, word for word.

    Returns:
        The episode; with *is_masked*, personal data in it is hidden, and IDs stay.

    Raises:
        NotFoundError: there is no such episode, or it cannot be seen from the scope.
    """
    with brain.store.read() as view:
        episode = Episodes(view).get(episode_id, brain.within(scope))
    return masked(episode) if is_masked else episode


@verb(
    "episode show",
    roles=ANYONE,
    view=views.episode_pages,
    key="episodes",
    examples=("tilth episode show epi_01KAR", "tilth episode show mem_01KAR --mask"),
)
def show_episodes(
    brain: Context,
    episodes: Annotated[Sequence[EpisodeArg], Arg(f"as recalled; at most {SHOWN_MAX}")],
    *,
    is_masked: Annotated[
        bool, Arg("hide emails, addresses, numbers and keys", flags=("--mask",))
    ] = False,
    scope: Narrowed = None,
) -> Sequence[Episode]:
    """
    Show episodes word for word.

    Returns:
        The episodes, in the order in which they were asked for.

    Raises:
        NotFoundError: there is no such episode, or it cannot be seen from the scope.
        LimitExceededError: more than 20 are asked for.
    """
    if len(episodes) > SHOWN_MAX:
        raise LimitExceededError(f"at most {SHOWN_MAX} episodes are shown at once")
    brain.within(scope)  # No scope at all is told even where nothing is asked for.
    return [get_episode(brain, one, is_masked=is_masked, scope=scope) for one in episodes]


@verb(
    "document list",
    roles=ANYONE,
    view=views.document_list,
    as_json=views.documents_as_json,
    examples=("tilth document list",),
)
def list_documents(
    brain: Context, *, limit: Limit = 100, offset: Offset = 0, scope: Narrowed = None
) -> Sequence[tuple[Document, Sequence[DocumentSection]]]:
    """
    List documents and their sections.

    Returns:
        At most 1,000 documents with their sections, the one imported last first.
    """
    within = brain.within(scope)
    with brain.store.read() as view:
        return [
            (document, sections_in(view, document, within))
            for document in documents_in(view, within, limit=min(limit, PAGE_MAX), offset=offset)
        ]


@verb(
    "document show",
    python="documents.read",
    roles=ANYONE,
    view=views.document_page,
    as_json=views.document_as_json,
    examples=("tilth document show guide", "tilth document show guide set-up"),
    old=("document read",),
)
def show_document(
    brain: Context,
    slug: Annotated[str, Arg("its name, as listed, or without the digits", metavar="NAME")],
    section: Annotated[str, Arg("only this section, by its name or heading")] = "",
    *,
    scope: Narrowed = None,
) -> tuple[Document, Sequence[DocumentSection]]:
    """
    Show a document, or a section of it.

    Returns:
        The document, and all its sections or the one asked for.

    Raises:
        NotFoundError: there is no such document or section, or it cannot be seen from the scope.
        ConflictError: several documents have that name.
    """
    within = brain.within(scope)
    with brain.store.read() as view:
        document = document_called(view, slug, within)
        sections = sections_in(view, document, within)
    if not section:
        return document, sections
    chosen = [one for one in sections if section in {one.slug, one.heading}]
    if not chosen:
        known = [one.slug for one in sections]
        raise NotFoundError(
            f"{document.slug} has no section {section!r}", hint=names_near(section, known)
        )
    return document, chosen


@verb(
    "document tag",
    roles=ANYONE,
    view=views.document_tags,
    examples=("tilth document tag guide set-up linux", "tilth document tag guide linux --remove"),
)
def tag_document(
    brain: Context,
    slug: Annotated[str, Arg("its name, as listed, or without the digits", metavar="NAME")],
    tags: Annotated[Sequence[str], Arg("what to add", metavar="TAG")],
    *,
    is_removed: Annotated[bool, Arg("remove them instead", flags=("--remove",))] = False,
    scope: Narrowed = None,
) -> Document:
    """
    Tag a document.

    Hits in any of its sections show the tags at once. Importing the file after it changed replaces
    them by those that the file names.

    Returns:
        The document with its tags.

    Raises:
        NotFoundError: there is no such document, or it cannot be seen from the scope.
        ConflictError: several documents have that name.
        LimitExceededError: there are too many tags, or one is too long.
    """
    within = brain.within(scope)
    with brain.store.begin() as tx:
        session = document_called(tx, slug, within).session
        kept = [tag for tag in session.info.tags if tag not in tags]
        info = scrubbed_info(
            replace(session.info, tags=(*kept, *(() if is_removed else dict.fromkeys(tags))))
        )
        if info != session.info:
            event = SessionDescribed(session_id=session.id, info=info, scope=session.scope)
            tx.append(event, by=brain.recorder.by, owner=brain.recorder.owner)
    return document_of(replace(session, info=info))


class Recording(Embedding, Protocol):
    """What recording needs of a brain besides."""

    def entity_id_of(self, name: str, scope: str | None) -> EntityId:
        """Return the entity with a name or an ID."""


@verb(
    "remember",
    roles=ANYONE,
    section=Section.TELL,
    view=views.recorded,
    key="episode_id",
    examples=(
        "tilth remember 'We chose PostgreSQL for the ledger.' --session planning",
        "git log -1 | tilth remember - --kind note --scope project:work/shop",
        "tilth remember 'No new dependency without asking me.' --always --scope project:work/shop",
        "tilth remember 'The API is on port 4400.' --replaces epi_01KAR",
    ),
)
def remember(
    brain: Recording,
    text: Annotated[
        str,
        Arg(
            "what was said or done, quoted or not; - reads standard input",
            metavar="TEXT",
            is_words=True,
            is_stdin=True,
        ),
    ],
    *,
    entity: Annotated[
        str | None,
        Arg(
            "whom it was said to or by, as an ID or a name, if there is no --address",
            metavar="NAME",
        ),
    ] = None,
    always: Annotated[
        bool, Arg("a note of what holds in all work there: told first when a session begins")
    ] = False,
    replaces: Annotated[
        Sequence[EpisodeId],
        Arg("a note that is over by this one", metavar="ID", id=EpisodeId.prefix),
    ] = (),
    **saying: Unpack[EpisodeFields],
) -> EpisodeId:
    """
    Record one thing that was said or done.

    The next recall finds it. Secrets and private spans are removed first. No fact is made of an
    episode outside of any session and conversation. A note that another replaces is told to no
    agent unasked, and recall finds it behind the other.

    Returns:
        The ID of the episode; if the key was used for the same text before, the same ID as then.

    Raises:
        InvalidInputError: the text is empty or too long, the transport is unknown, a note that
            always holds or replaces another is given a session, or the ID to replace is not that of
            a note there.
        NotFoundError: no entity has that name or ID, or there is no note with the ID to replace.
        ForbiddenError: a person wrote the note to replace, and the caller is not a human.
        IdempotencyConflictError: the key was used before, for something else.
    """
    told = {"text": text, "entity": entity, "always": always, "replaces": replaces, **saying}
    return _recorded(brain, [_draft(brain, told)])[0]


@verb("", python="remember_many", roles=ANYONE)
def remember_many(
    brain: Recording,
    drafts: Annotated[
        Iterable[EpisodeDraft | Mapping[str, object]],
        Arg("drafts, or mappings with the arguments of `remember`", rows="remember"),
    ],
) -> list[EpisodeId]:
    """
    Record episodes in one transaction, all of them or none.

    Returns:
        Their IDs, in the same order.

    Raises:
        InvalidInputError: a draft has no text, or names an unknown transport.
        IdempotencyConflictError: a key was used before, for something else.
    """
    return _recorded(brain, [_draft(brain, draft) for draft in drafts])


# What the verb is told besides the fields of an episode, and the fields that no note has.
_OF_REMEMBER = frozenset({"text", "entity", "always", "replaces"})
_NO_NOTE = ("session_id", "conversation_id", "address", "entity_id")


def _recorded(brain: Embedding, drafts: Sequence[EpisodeDraft]) -> list[EpisodeId]:
    return recording.remember(brain.store, brain.first, drafts, recorder=brain.recorder)


def _draft(brain: Recording, draft: EpisodeDraft | Mapping[str, object]) -> EpisodeDraft:
    if isinstance(draft, EpisodeDraft):
        # A program may have put any words into it, whatever its types say.
        draft = VERBS["remember"].row(brain, words_of(draft))
    text, entity = str(draft["text"]), draft.get("entity")
    told = {name: value for name, value in draft.items() if name not in _OF_REMEMBER}
    saying = cast("EpisodeFields", told)
    always, replaces = bool(draft.get("always")), list(cast("list[str]", draft.get("replaces", [])))
    if always or replaces:
        kind = saying.setdefault("kind", EpisodeKind.NOTE)
        if kind != EpisodeKind.NOTE or entity or any(told.get(name) for name in _NO_NOTE):
            what, left = ("holds always", "always") if always else ("replaces a note", "replaces")
            raise InvalidInputError(
                f"what {what} is a note, which belongs to no session and no conversation",
                hint=f"leave out {left}, or the kind, session, conversation, address or person",
            )
        marks = {ALWAYS: True} if always else {}
        saying["metadata"] = {**saying.get("metadata", {}), **marks}
    if replaces:
        saying["metadata"] = {**saying["metadata"], REPLACES: _replaced(brain, replaces, saying)}
    if entity is not None:
        saying["entity_id"] = brain.entity_id_of(str(entity), saying.get("scope"))
    return parse_draft(text, saying)


def _replaced(brain: Recording, ids: Sequence[str], saying: EpisodeFields) -> list[str]:
    """Return the IDs of the notes that a new one may replace."""
    scope = parse_scope(saying.get("scope", GLOBAL))
    named = [EpisodeId.parse(one) for one in ids]
    with brain.store.read() as view:
        within = brain.within(None)
        by = brain.recorder.by
        return [one.id for one in recording.replaced_notes(view, named, within, scope, by)]


@verb(
    "duplicates",
    roles=ANYONE,
    section=Section.ASK,
    view=views.duplicates,
    key="duplicates",
    examples=("tilth duplicates 'We chose PostgreSQL for the ledger.'",),
    old=("remember --check",),
)
def duplicates(
    brain: Embedding,
    text: Annotated[
        str,
        Arg(
            "what may have been said before; - reads standard input", metavar="TEXT", is_stdin=True
        ),
    ],
    *,
    likeness_min: Annotated[float, Arg("the least cosine, 0 to 1")] = LIKENESS_MIN,
    scope: Narrowed = None,
) -> Sequence[Duplicate]:
    """
    Find episodes that say nearly the same.

    Returns:
        At most 20 episodes with their cosine, the most similar first.

    Raises:
        InvalidInputError: *likeness_min* is not from 0 to 1.
    """
    seen = brain.within(scope)
    if not 0 <= likeness_min <= 1:
        raise InvalidInputError(f"a likeness is from 0 to 1, not {likeness_min}")
    vector = brain.first.embed([scrub(text).text])[0]
    with brain.store.read() as view:
        which = EpisodeFilter(within=seen)
        nearest = Search(view).nearest(brain.first.space, vector, which, limit=DUPLICATES_MAX)
        likeness = {found.seq: found.score for found in nearest if found.score >= likeness_min}
        episodes = Episodes(view).at(list(likeness), seen)
    found = [Duplicate(one.id, round(likeness[one.seq], 6), one.text) for one in episodes]
    return sorted(found, key=lambda one: -one.likeness)
