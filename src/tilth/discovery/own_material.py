"""
The brain's own material: what people and agents said, and the documents that it holds.

All of it is one source, `OWN`, whoever said it: a brain that cites itself corroborates nothing.
Only a page that was fetched keeps the domain that it came from. What tools put out is left out,
and so is what Tilth itself told, which captures and imports never record.
"""

from urllib.parse import quote, unquote

from tilth.core.dataclass import dataclass
from tilth.core.errors import NotFoundError
from tilth.core.ids import EpisodeId, SessionId, parse_session_id
from tilth.core.instant import written_day
from tilth.core.lifecycle import Lifecycle
from tilth.core.scope import Visibility
from tilth.discovery.model import (
    DOCUMENT_ADDRESS,
    OWN,
    Found,
    RefusedError,
    SourceText,
    fetched_from,
    page_session,
)
from tilth.discovery.rules import cluster_of
from tilth.episodes.document import document_of
from tilth.episodes.documents import sections_in
from tilth.episodes.episode import PROSE, Episode, EpisodeKind
from tilth.episodes.episode import Quote as Span
from tilth.episodes.session import Session
from tilth.episodes.tables import Episodes
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store
from tilth.privacy.exclusion import Exclusion
from tilth.recall.model import RecallOptions, Tier
from tilth.recall.recall import recall
from tilth.recall.recaller import Recaller

NAME = "own"
_EPISODE = "tilth:episode/"


@dataclass(frozen=True, slots=True)
class OwnMaterial:
    """
    Searches and reads what the brain holds; it needs no network.

    A page that was fetched is read by its URL, too, as it was kept last.

    Args:
        store: Where it is.
        recaller: What finds it.
        within: Whose, in which scopes; nothing beyond is found or read.
        excluded: The terms that are covered in all that is given out.
    """

    store: Store
    recaller: Recaller
    within: Visibility
    excluded: Exclusion

    @property
    def name(self) -> str:
        """See `tilth.discovery.model.Search`."""
        return NAME

    def search(self, question: str, *, limit: int) -> tuple[Found, ...]:
        """See `tilth.discovery.model.Search`; of a document the section that answers best."""
        options = RecallOptions(
            limit=limit, tiers=frozenset({Tier.EPISODE}), kinds=PROSE, is_full=False
        )
        hits = recall(self.store, self.recaller, question, self.within, options).hits
        found: dict[str, Found] = {}
        for hit in hits:
            if hit.lifecycle is Lifecycle.SUPERSEDED:
                # Of a document whose file is gone, or a section that was cut from it.
                continue
            address = _address(hit.kind, hit.session_id, EpisodeId(hit.id))
            title = hit.session_title or f"{written_day(hit.valid_from)} {hit.who}"
            found.setdefault(
                address,
                Found(
                    address=address,
                    title=self.excluded.covered(title),
                    snippet=self.excluded.covered(hit.text),
                    provider=NAME,
                ),
            )
        return tuple(found.values())

    def read(self, address: str) -> SourceText:
        """See `tilth.discovery.model.Read`; the sections of a document come as one text."""
        with self.store.read() as view:
            title, pieces = self._read(view, address)
        text = self.excluded.covered("".join(piece.text for piece in pieces))
        fetched = fetched_from(pieces[0])
        return SourceText(
            address=address,
            title=self.excluded.covered(title),
            text=text,
            read_at=self.recaller.clock.now(),
            domain=fetched.domain if fetched else OWN,
            cluster=cluster_of(text),
            published=pieces[0].occurred_at,
        )

    def pieces(self, address: str) -> list[Episode]:
        """
        Return the episodes that *address* stands for, in order.

        Raises:
            NotFoundError: nothing is at *address* that may be seen.
        """
        with self.store.read() as view:
            return self._read(view, address)[1]

    def located(self, address: str, words: str) -> Span | None:
        """
        Return *words* as evidence: the episode of *address* in which they stand, verbatim.

        Returns:
            None if they stand in none; then nothing may rest on them.

        Raises:
            NotFoundError: nothing is at *address* that may be seen.
        """
        if not words.strip():
            return None
        for piece in self.pieces(address):
            if words in piece.text:
                return Span(piece.id, words)
        return None

    def _read(self, view: Snapshot, address: str) -> tuple[str, list[Episode]]:
        """Return the title and the episodes, at least one, that *address* stands for."""
        episodes = Episodes(view)
        if address.startswith(_EPISODE):
            episode = episodes.get(EpisodeId(address.removeprefix(_EPISODE)), self.within)
            if episode.kind not in PROSE:
                raise RefusedError(
                    f"{address} is what a tool put out, and no source",
                    hint="read what the tool itself read",
                )
            session = self._session(view, episode.session_id)
            return (session.info.title if session else ""), [episode]
        is_own = address.startswith(DOCUMENT_ADDRESS)
        if is_own:
            session_id = parse_session_id(unquote(address.removeprefix(DOCUMENT_ADDRESS)))
        elif address.startswith(("http://", "https://")):
            session_id = page_session(address)
        else:
            raise NotFoundError(f"no address of this brain: {address[:100]!r}")
        document = document_of(episodes.session(session_id, self.within))
        sections = sections_in(view, document, self.within)
        every = [piece for section in sections for piece in section.pieces]
        # What somebody else put into the session of a page is not on that page.
        fetched = [piece for piece in every if fetched_from(piece)]
        pieces = every if is_own and not fetched else fetched
        if not pieces:
            raise NotFoundError(f"{address[:100]} holds no document")
        return document.title, pieces

    def _session(self, view: Snapshot, session_id: SessionId | None) -> Session | None:
        return None if session_id is None else Episodes(view).session(session_id, self.within)


def addresses_of(episode: Episode) -> tuple[str, ...]:
    """Return the addresses at which an episode is read: the URL of what was fetched comes first."""
    own = _address(episode.kind, episode.session_id, episode.id)
    fetched = fetched_from(episode)
    return (fetched.url, own) if fetched else (own,)


def _address(kind: EpisodeKind | None, session_id: str | None, episode_id: EpisodeId) -> str:
    """Return the address of a document for its sections, and of its own for another episode."""
    if kind is EpisodeKind.DOCUMENT and session_id is not None:
        return f"{DOCUMENT_ADDRESS}{quote(session_id, safe='')}"
    return f"{_EPISODE}{episode_id}"
