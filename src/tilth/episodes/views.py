"""Episodes, sessions and documents as lines for a person, and as JSON where that says less."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

from tilth.core.event import Recorded
from tilth.core.instant import written_day, written_minute
from tilth.core.view import Bold, Dim, Line, Note, Row, number_of, page_end
from tilth.episodes.changes import Changes, Effect
from tilth.episodes.document import Document, DocumentSection
from tilth.episodes.duplicates import Duplicate
from tilth.episodes.episode import OUTCOMES, Episode, EpisodeKind
from tilth.episodes.events import EpisodeRecorded, SessionDescribed
from tilth.episodes.session import Session
from tilth.episodes.sessions import SessionPage
from tilth.privacy.redaction import scrub
from tilth.privacy.terminal_text import one_line

_TITLE_CHARS, _TEXT_CHARS = 60, 100
_CHANGE_CHARS = 300
_OF_TOOLS = OUTCOMES | {EpisodeKind.TOOL_CALL}
# Set in, so that no text can pass for a line of ours.
_INDENT = "  "


def session_table(sessions: Sequence[Session], *, limit: int, offset: int) -> Iterator[Line]:
    """Yield sessions, a row each, and how to go on."""
    for session in sessions:
        yield Row(
            (
                written_minute(session.last_at),
                Bold(one_line(title_of(session), _TITLE_CHARS)),
                number_of(session.episode_count, "episode"),
                session.info.host or "-",
                Dim(session.id),
            )
        )
    none = "there are no such sessions; bring some in with: tilth import"
    yield from page_end(sessions, none, limit=limit, offset=offset)


def session_page(page: SessionPage, *, limit: int) -> Iterator[Line]:
    """Yield a session and its episodes."""
    session, episodes = page.session, page.episodes
    yield (Bold(title_of(session)),)
    yield Dim(
        f"{session.info.host or 'no host'} · {session.scope}"
        f" · {number_of(session.episode_count, 'episode')}"
        f" · {written_minute(session.started_at)} to {written_minute(session.last_at)}"
    )
    for episode in episodes:
        yield ""
        yield from headed(episode)
    if episodes and len(episodes) == limit:
        yield Note(f"more: tilth session show {session.id} --after {episodes[-1].seq}")


def title_of(session: Session) -> str:
    """Return what a person knows the session by."""
    return session.info.title or session.info.folder or session.id


def headed(episode: Episode) -> Iterator[Line]:
    """Yield one episode for a person: who and when, then its text, set in."""
    what = "" if episode.kind == "message" else f" {episode.kind}"
    when = Dim(f"  {written_minute(episode.occurred_at)}  {episode.id}")
    yield (Bold(episode.author or episode.role), what, when)
    yield from (f"{_INDENT}{line}" for line in episode.text.split("\n"))


def episode_pages(episodes: Sequence[Episode]) -> Iterator[Line]:
    """Yield episodes word for word, each with where it belongs."""
    for number, episode in enumerate(episodes):
        if number:
            yield ""
        yield from headed(episode)
        place = episode.session_id or "no session"
        origin = f"{episode.scope} · {episode.transport} · {episode.lifecycle}"
        yield Dim(f"{_INDENT}{place} · {origin} · seq {episode.seq}")


def document_list(
    documents: Sequence[tuple[Document, Sequence[DocumentSection]]], *, limit: int, offset: int
) -> Iterator[Line]:
    """Yield documents, under each its sections, and how to go on."""
    for document, sections in documents:
        place = f"  {document.session.scope}{_tags(document)}"
        yield (Bold(document.slug), f"  {document.title}", Dim(place))
        yield from (f"{_INDENT}{section.slug}" for section in sections)
    none = "no documents; bring some in with: tilth import PATH"
    yield from page_end(documents, none, limit=limit, offset=offset)


def document_page(found: tuple[Document, Sequence[DocumentSection]]) -> Iterator[Line]:
    """Yield a document with the text of its sections."""
    document, sections = found
    place = f"  {document.slug}  {document.session.info.uri}{_tags(document)}"
    yield (Bold(document.title), Dim(place))
    for section in sections:
        first, last = section.pieces[0], section.pieces[-1]
        yield ""
        yield (Bold(section.slug), Dim(f"  {written_day(last.occurred_at)}  {first.id}"))
        yield from (f"{_INDENT}{line}" for line in section.text.rstrip().split("\n"))


def document_tags(document: Document) -> Iterator[Line]:
    """Yield a document and its tags."""
    yield (Bold(document.slug), _tags(document) or "  no tags")


def _tags(document: Document) -> str:
    return "".join(f"  #{tag}" for tag in document.session.info.tags)


def documents_as_json(
    documents: Sequence[tuple[Document, Sequence[DocumentSection]]],
) -> dict[str, object]:
    """Return documents without the texts of their sections."""
    return {"documents": [_outline(document, sections) for document, sections in documents]}


def document_as_json(found: tuple[Document, Sequence[DocumentSection]]) -> dict[str, object]:
    """Return a document with the texts of its sections."""
    return _outline(*found) | {"texts": [section.text for section in found[1]]}


def _outline(document: Document, sections: Sequence[DocumentSection]) -> dict[str, object]:
    return {
        "slug": document.slug,
        "title": document.title,
        "session_id": document.session.id,
        "scope": document.session.scope,
        "sections": [
            {
                "slug": section.slug,
                "heading": section.heading,
                "episode_ids": [piece.id for piece in section.pieces],
            }
            for section in sections
        ],
    }


def changes_page(page: Changes) -> Iterator[Line]:
    """
    Yield what was recorded, and how to go on.

    Uses of tools in a row are one line, and a session stands once, as it is called now.
    """
    last = {_described_by(one): one.seq for one in page.items}
    told = [one for one in page.items if one.seq == last[_described_by(one)]]
    for session_id, run in groupby(told, _tools_of):
        items = list(run)
        if session_id and len(items) > 1:
            yield from _tools(items)
        else:
            yield from (line for one in items for line in _change(one, page))
    if page.has_more:
        yield Note("the oldest come first; those of today alone: tilth changes --since today")
    yield Note(f"{'more' if page.has_more else 'later'}: tilth changes --since {page.cursor}")


def _described_by(recorded: Recorded) -> str:
    """Return the session that is described by that; of something else, what is its own alone."""
    event = recorded.event
    return event.session_id if isinstance(event, SessionDescribed) else recorded.event_id


def _tools_of(recorded: Recorded) -> str:
    """Return the session in which a tool was used by that; empty if it is something else."""
    event = recorded.event
    if not isinstance(event, EpisodeRecorded) or event.draft.kind not in _OF_TOOLS:
        return ""
    return event.draft.session_id or ""


def _tools(run: Sequence[Recorded]) -> Iterator[Line]:
    """Yield on one line how often tools were used in a row, and the episodes that tell it."""
    kinds = Counter(one.headline.kind for one in run)
    first, last = run[0], run[-1]
    when, by = f"{first.recorded_at:%Y-%m-%d %H:%M}", first.by
    failed = kinds[EpisodeKind.TOOL_FAILURE]
    count = kinds[EpisodeKind.TOOL_CALL] or len(run)
    told = f"{count} {'use' if count == 1 else 'uses'}{f', {failed} failed' if failed else ''}"
    ids = f"{first.headline.id} to {last.headline.id}"
    yield (Bold("tools"), f"  {told}", Dim(f"  {when}  {ids}  by {by.name} ({by.kind})"))


def _change(recorded: Recorded, page: Changes) -> Iterator[Line]:
    line = recorded.headline
    when, by = f"{recorded.recorded_at:%Y-%m-%d %H:%M}", recorded.by
    event = recorded.event
    said = event.draft if isinstance(event, EpisodeRecorded) else None
    who = f"  {said.author or said.role}" if said and said.kind is EpisodeKind.MESSAGE else ""
    yield (Bold(line.kind), who, Dim(f"  {when}  {line.id}  by {by.name} ({by.kind})"))
    if told := page.line_of(recorded):
        width = _TEXT_CHARS if told == line.text else _CHANGE_CHARS
        yield f"{_INDENT}{one_line(told, width)}"
    for effect in page.effects.get(recorded.seq, ()):
        yield f"{_INDENT}{effect_line(effect)}"


def effect_line(effect: Effect) -> str:
    """Return what ceased to hold or holds, and what came in its place, on one line."""
    said = f"“{one_line(effect.text, _TEXT_CHARS)}” {effect.id}"
    if effect.now == "stale":
        return f"went stale: the page {said}"
    if effect.holds:
        return f"holds from now on: {said} (was {effect.was})"
    if effect.successor:
        new = f"“{one_line(effect.successor_text, _TEXT_CHARS)}” {effect.successor}"
        return f"ceased to hold: {said}; in its place: {new}"
    return f"ceased to hold: {said} ({effect.now})"


def changes_as_json(page: Changes) -> dict[str, object]:
    """Return what was recorded as headlines, by whom, and what each event did to facts."""
    items = [
        {
            "recorded_at": one.recorded_at,
            "seq": one.seq,
            # By it a change is undone that made nothing new, and so has no other ID.
            "operation": one.event_id,
            **one.headline._asdict(),
            "by": one.by,
            "effects": page.effects.get(one.seq, ()),
        }
        for one in page.items
    ]
    return {"items": items, "cursor": page.cursor, "has_more": page.has_more}


def recorded(episode_id: str, text: str) -> Iterator[Line]:
    """Yield the ID of what was recorded, and what of the *text* was not kept."""
    yield episode_id
    yield from map(Note, scrub(text).taken_out())


def duplicates(found: Sequence[Duplicate]) -> Iterator[Line]:
    """Yield episodes that say nearly the same."""
    yield from ((f"{one.likeness:.2f}  {one.id}  ", one.text) for one in found)
    if not found:
        yield Note("nothing here says nearly the same")
