"""Provenance in both directions: why a fact is believed, and what rests on an episode (XR-08)."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress

from tilth.core.dataclass import dataclass
from tilth.core.errors import NotFoundError
from tilth.core.ids import EpisodeId, FactId
from tilth.core.lifecycle import Lifecycle
from tilth.core.scope import Visibility
from tilth.episodes.episode import Episode
from tilth.episodes.tables import Episodes
from tilth.knowledge.facts.fact import Evidence, Fact
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.life import PastLife
from tilth.knowledge.facts.tables import Facts
from tilth.ledger.events import Tombstone
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store
from tilth.ledger.tables import Tombstones


@dataclass(frozen=True, slots=True)
class Support:
    """
    The words that a fact rests on.

    The episode is None if it is not visible or was erased; then there is its tombstone.
    """

    evidence: Evidence
    episode: Episode | None
    quote: str
    tombstone: Tombstone | None = None


@dataclass(frozen=True, slots=True)
class Why:
    """
    Why a fact is believed.

    `supports` are the words that it rests on, `lives` the events and actors that made it what it
    is, and `history` its chain of supersession; the last two are oldest first.
    """

    fact: Fact
    supports: tuple[Support, ...]
    lives: tuple[PastLife, ...]
    history: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Resting:
    """A fact that rests on an episode, with the words, and what it superseded, oldest first."""

    fact: Fact
    quotes: tuple[str, ...]
    superseded: tuple[Fact, ...]


def supports_of(
    view: Snapshot, facts: Sequence[Fact], within: Visibility
) -> Mapping[FactId, tuple[Support, ...]]:
    """Return the words that each of *facts* rests on; all episodes are read at once."""
    named = dict.fromkeys(one.episode_id for fact in facts for one in fact.evidence)
    said = {one.id: one for one in Episodes(view).all_of([*named], within)}

    def support(evidence: Evidence) -> Support:
        if (episode := said.get(evidence.episode_id)) is not None:
            return Support(evidence, episode, _quoted(episode, evidence))
        return Support(evidence, None, "", Tombstones(view).find(evidence.episode_id, within))

    return {fact.id: tuple(map(support, fact.evidence)) for fact in facts}


def facts_on_each(
    store: Store, episodes: Iterable[Episode], within: Visibility, *, limit: int
) -> Mapping[EpisodeId, Sequence[Resting]]:
    """Return the facts that rest on each of *episodes*, latest first; others are left out."""
    by_seq = {one.seq: one for one in episodes}
    with store.read() as view:
        said = [by_seq[seq] for seq in Facts(view).grounds([*by_seq])]
        found = ((one.id, resting_on(view, one, within, limit)) for one in said)
        return {id_: facts for id_, facts in found if facts}


def resting_on(view: Snapshot, episode: Episode, within: Visibility, limit: int) -> list[Resting]:
    """Return the facts that rest on an episode, whatever their state, latest first."""
    every = frozenset(Lifecycle)
    which = FactFilter(within=within, episode_id=episode.id, lifecycles=every, is_once=True)
    found = Facts(view).with_beside(Facts(view).select(which, limit=limit), within)
    return [_resting(view, fact, episode, within) for fact in found]


def _resting(view: Snapshot, fact: Fact, episode: Episode, within: Visibility) -> Resting:
    chain = Facts(view).history(fact.id, within)
    before = chain[: [one.id for one in chain].index(fact.id)]
    quotes = [_quoted(episode, one) for one in fact.evidence if one.episode_id == episode.id]
    return Resting(fact, tuple(quotes), tuple(before))


def _quoted(episode: Episode, evidence: Evidence) -> str:
    return episode.text[evidence.start : evidence.end] if evidence.end else episode.text


_TALKED = """
SELECT v.fact_no, v.episode_no FROM evidence v JOIN ledger l ON l.seq = v.episode_no
WHERE v.fact_no IN {integers} AND l.payload LIKE '%"conversation_id":%'
"""


def conversations_of(view: Snapshot, fact: Fact) -> set[str | None]:
    """Return the conversations of a fact's evidence; None stands for evidence from elsewhere."""
    found: set[str | None] = set()
    for one in fact.evidence:
        # Erased evidence tells nothing.
        with suppress(NotFoundError):
            said = Episodes(view).get(one.episode_id, Visibility(fact.owner))
            found.add(said.conversation_id)
    return found


def hearsay(view: Snapshot, facts: Sequence[Fact]) -> frozenset[FactId]:
    """Return those of *facts* that were only stated in conversations."""
    # Few facts are, so one query on the index of evidence comes first.
    rows = view.select(_TALKED, [one.seq for one in facts])
    touched = {fact_no for fact_no, _ in rows}
    talks = ((one.id, conversations_of(view, one)) for one in facts if one.seq in touched)
    return frozenset(id_ for id_, talk in talks if talk and None not in talk)
