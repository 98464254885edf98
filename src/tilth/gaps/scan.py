"""
Scan recent messages for gaps.

Patterns find most of them (`tilth.gaps.gap_detection`); a language model for this task, if there is
one, finds more. Its findings count if they quote a message word for word. Messages that are
evidence already are skipped, so a repeated scan finds nothing new.
"""

import logging
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta

from tilth.core.actor import require_known
from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError, LimitExceededError
from tilth.core.ids import EntityId, EpisodeId
from tilth.core.scope import Scope, Visibility
from tilth.episodes.episode import Episode, EpisodeKind
from tilth.episodes.filters import EpisodeFilter
from tilth.episodes.tables import Episodes
from tilth.gaps.gap_detection import DetectedGap, detect_gaps, kind_of
from tilth.gaps.gap_matching import GapMatcher
from tilth.gaps.model import DESCRIPTION_CHARS_MAX, GapId, GapKind
from tilth.gaps.record_gap import Noted, ShownWords, Sighting, known_gaps, record_in
from tilth.gaps.tables import Gaps
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Transaction
from tilth.llm.answers import GapsSeen
from tilth.llm.client import ModelClient, Question, Thought, think
from tilth.privacy.redaction import scrub

logger = logging.getLogger(__name__)

# What one scan reads and finds at most (EM-045).
SINCE_DEFAULT = timedelta(hours=24)
INTERACTIONS_MAX = 100
INTERACTIONS_MIN = 3
PATTERNS_MAX = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Scan:
    """
    What to scan: the messages of a period, the latest ones, up to a limit.

    `about` restricts it to an entity. A language model, which costs money, reads only what was
    recorded after the place `read_after`. A dry run returns what it would record, and records
    nothing.
    """

    within: Visibility
    since: timedelta = SINCE_DEFAULT
    about: EntityId | None = None
    limit: int = INTERACTIONS_MAX
    read_after: int = 0
    is_dry_run: bool = False

    def __post_init__(self) -> None:
        if self.since <= timedelta(0):
            raise InvalidInputError("a scan looks back", hint="write --since 24h, 7d or 90m")
        if not 1 <= self.limit <= INTERACTIONS_MAX:
            raise InvalidInputError(f"limit is 1 to {INTERACTIONS_MAX}, not {self.limit}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """
    A gap found by a scan, with its evidence.

    `gap_id` is None where a dry run would record a new gap. `frequency` includes this evidence.
    """

    description: str
    kind: GapKind
    episode_ids: tuple[EpisodeId, ...]
    frequency: int
    is_new: bool
    gap_id: GapId | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Scanned:
    """What a scan read and found, and the model that was used, if any."""

    interaction_count: int
    patterns: tuple[Pattern, ...]
    is_dry_run: bool
    model: str = ""


class _DryRunError(Exception):
    """Rolls back what a dry run recorded."""


def scan_gaps(thinker: ModelClient, matcher: GapMatcher, asked: Scan) -> Scanned:
    """
    Scan for gaps, and record them.

    Raises:
        ForbiddenError: the caller is anonymous.
        UnavailableError: the store does not answer.
    """
    recorder = thinker.recorder
    require_known(recorder.by, "look for gaps")
    with thinker.store.read() as view:
        said = _recent_messages(view, asked, thinker)
        fresh = _without_evidence(view, said, thinker)
        known = {scope: known_gaps(view, scope, recorder) for scope in {one.scope for one in fresh}}
    if len(said) < INTERACTIONS_MIN:
        return Scanned(interaction_count=len(said), patterns=(), is_dry_run=asked.is_dry_run)
    gaps, model = _detect(thinker, said, fresh, asked)
    for gap, episode in gaps:
        # Outside of the transaction, so that little is left to embed inside.
        matcher.match(gap.description, known.get(episode.scope, []))
    found: list[Pattern] = []
    try:
        with thinker.store.begin() as tx:
            found = list(_record(tx, gaps, thinker, matcher))
            if asked.is_dry_run:
                raise _DryRunError  # noqa: TRY301 - what rolls a transaction back
    except _DryRunError:
        found = [replace(one, gap_id=None) if one.is_new else one for one in found]
    logger.info("gaps looked for: interactions=%d patterns=%d", len(said), len(found))
    return Scanned(
        interaction_count=len(said),
        patterns=tuple(found),
        is_dry_run=asked.is_dry_run,
        model=model,
    )


def _recent_messages(view: Snapshot, asked: Scan, thinker: ModelClient) -> list[Episode]:
    """Return the last messages of the period, oldest first."""
    which = EpisodeFilter(
        within=asked.within,
        occurred_from=thinker.clock.now() - asked.since,
        kinds=frozenset({EpisodeKind.MESSAGE}),
        about=asked.about,
    )
    said = Episodes(view).select(which, limit=asked.limit, newest_first=True)
    return sorted(said, key=lambda one: (one.occurred_at, one.seq))


def _without_evidence(
    view: Snapshot, said: Sequence[Episode], thinker: ModelClient
) -> list[Episode]:
    shown = Gaps(view).shown_by([one.id for one in said], thinker.recorder.owner)
    return [one for one in said if one.id not in shown]


def _detect(
    thinker: ModelClient, said: Sequence[Episode], fresh: Sequence[Episode], asked: Scan
) -> tuple[list[tuple[DetectedGap, Episode]], str]:
    """Return gaps with the episodes that show them, and the model that was used."""
    by_id = {one.id: one for one in said}
    told = {gap.episode_id: gap for thread in _threads(said) for gap in detect_gaps(thread)}
    model = ""
    for scope, episodes in _by_scope(fresh).items():
        unread = [one for one in episodes if one.seq > asked.read_after]
        for gap in _detect_by_model(thinker, unread, scope):
            told[gap.episode_id], model = gap, gap.model
    new = {one.id for one in fresh}
    gaps = [(gap, by_id[id_]) for id_, gap in told.items() if id_ in new]
    return sorted(gaps, key=lambda one: (one[1].occurred_at, one[1].seq)), model


def _threads(said: Sequence[Episode]) -> list[list[Episode]]:
    """Return messages by conversation or session; each of the others is a thread by itself."""
    threads: dict[tuple[str, str], list[Episode]] = defaultdict(list)
    for one in said:
        thread = one.conversation_id or one.session_id or one.id
        threads[one.scope, thread].append(one)
    return list(threads.values())


def _by_scope(said: Sequence[Episode]) -> dict[Scope, list[Episode]]:
    scopes: dict[Scope, list[Episode]] = defaultdict(list)
    for one in said:
        scopes[one.scope].append(one)
    return scopes


def _detect_by_model(
    thinker: ModelClient, said: Sequence[Episode], scope: Scope
) -> Iterator[DetectedGap]:
    """Yield what a model finds in messages of one scope; nothing if no model answers."""
    if len(said) < INTERACTIONS_MIN:
        return
    try:
        thought = think(thinker, GapsSeen, Question(episodes=said, scope=scope))
    except LimitExceededError as error:
        logger.warning("no model was asked for gaps: %s", error.code)
        return
    if not isinstance(thought, Thought):
        return
    texts = {one.id: one.text for one in said}
    for seen in thought.answer.gaps:
        quote, description = seen.quote, scrub(seen.description or seen.name).text.strip()
        start = texts[quote.episode_id].find(quote.text)
        if description and start >= 0:
            yield DetectedGap(
                description=description[:DESCRIPTION_CHARS_MAX],
                kind=kind_of(f"{description} {quote.text}"),
                episode_id=quote.episode_id,
                start=start,
                end=start + len(quote.text) if quote.text else len(texts[quote.episode_id]),
                model=thought.model,
            )


def _record(
    tx: Transaction,
    gaps: Sequence[tuple[DetectedGap, Episode]],
    thinker: ModelClient,
    matcher: GapMatcher,
) -> Iterator[Pattern]:
    """Record gaps, and yield each of them once, in its final state."""
    owner = thinker.recorder.owner
    # Another process may have recorded evidence meanwhile.
    shown = Gaps(tx).shown_by([one.id for _, one in gaps], owner)
    noted: dict[GapId, Noted] = {}
    where: dict[GapId, list[EpisodeId]] = defaultdict(list)
    for gap, episode in gaps:
        if episode.id in shown or len(noted) >= PATTERNS_MAX:
            continue
        sighting = Sighting(
            description=scrub(gap.description).text,
            kind=gap.kind,
            scope=episode.scope,
            shown=(ShownWords(episode, gap.start, gap.end),),
            model=gap.model,
        )
        one = record_in(tx, sighting, thinker.recorder, matcher)
        is_new = one.is_new or (one.gap.id in noted and noted[one.gap.id].is_new)
        noted[one.gap.id] = replace(one, is_new=is_new)
        where[one.gap.id].append(episode.id)
    for gap_id, one in noted.items():
        yield Pattern(
            description=one.gap.description,
            kind=one.gap.kind,
            episode_ids=tuple(where[gap_id]),
            frequency=one.gap.frequency,
            is_new=one.is_new,
            gap_id=gap_id,
        )
