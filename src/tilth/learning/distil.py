"""
Distil facts from what was said: read sessions for what they state.

A session is read when enough was said in it, when it is quiet, or when somebody asks. One
transaction records the facts and the event that says how far the session was read. So nothing is
read twice and nothing skipped, whenever a worker dies.
"""

import logging
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field, replace

from tilth.core.actor import DISTILLER, require_human
from tilth.core.dataclass import dataclass
from tilth.core.errors import ConflictError, ForbiddenError, InvalidInputError, NotFoundError
from tilth.core.lifecycle import Lifecycle
from tilth.core.scope import Visibility
from tilth.embedding.embedder import Vector
from tilth.episodes.episode import SPOKEN, Episode
from tilth.episodes.filters import EpisodeFilter
from tilth.episodes.remember import WriteContext
from tilth.episodes.tables import Episodes
from tilth.exchanges.actions import is_proof
from tilth.knowledge.facts.write.fact_entities import add_mentions
from tilth.knowledge.facts.write.normalise_fact import in_registered_words
from tilth.knowledge.facts.write.write_fact import Stated, Writing, state_in
from tilth.knowledge.graph.record_sightings import record_sightings
from tilth.knowledge.vocabulary.registries import Words
from tilth.knowledge.vocabulary.tables import KnownWords
from tilth.learning.candidate import Turn
from tilth.learning.correct import apply_correction, ask_for_ends
from tilth.learning.events import DistillationReopened, SessionsDistilled
from tilth.learning.extract import (
    HEARD,
    Extracted,
    Ready,
    Rules,
    corroborate,
    drop_copies,
    extract_statements,
    turns_of,
    with_proofs,
)
from tilth.learning.filter import Found, Left, are_of_same_words
from tilth.learning.habits import state_habits
from tilth.learning.memory_lines import read_command
from tilth.learning.model import EXTRACTORS_VERSION, Trigger, Waiting, Window, trigger_of
from tilth.learning.older_readings import (
    OF_IMPORTS,
    archive_readings,
    older_readings,
    restore_readings,
)
from tilth.learning.tables import Distillation
from tilth.learning.values.anchors import about_named_subject, in_known_channel, record_people
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store, Transaction
from tilth.practice.tables import ToolUses
from tilth.practice.tool_uses import uses_of

logger = logging.getLogger(__name__)

# How many episodes of a session are read at once (KB-119), and how many sessions.
EPISODES_AT_ONCE = 200
SESSIONS_AT_ONCE = 100
# How many windows one transaction records: stating a fact takes some 3 ms, for which writers wait
# (KB-033).
WINDOWS_AT_ONCE = 5


@dataclass(slots=True, kw_only=True)
class Distilled:
    """
    What reading sessions gave: what was stated, and what could not be.

    `left` counts what was found and not stated, by reason; `outdated_count` the sessions that an
    older list of extractors read; `acquainted_count` the things that became known because several
    sessions name them.
    """

    windows: list[Window] = field(default_factory=list)
    found_count: int = 0
    malformed_count: int = 0
    stated: list[Stated] = field(default_factory=list)
    left: Counter[Left] = field(default_factory=Counter)
    outdated_count: int = 0
    acquainted_count: int = 0

    @property
    def refused_count(self) -> int:
        """How many intended statements could not be recorded."""
        return self.malformed_count + self.left[Left.REFUSED]


@dataclass(frozen=True, slots=True)
class _ReadWindow:
    """A window of a session that was read from the place `after` on, and what it states."""

    window: Window
    after: int
    turns: Sequence[Turn]
    states: Extracted
    vectors: Vector


def distil(
    store: Store,
    writing: Writing,
    rules: Rules,
    *,
    is_asked: bool = False,
    at_most: int | None = None,
    progress: Callable[[int], None] = lambda _done: None,
) -> Distilled:
    """
    Read the sessions that are due, oldest first.

    Args:
        store: The store.
        writing: The recorder, with what recording needs.
        rules: What is kept.
        is_asked: Whether to read all that waits, due or not.
        at_most: A number of sessions soon after which to stop.
        progress: Called with the number of sessions so far. It may wait: no lock is held.

    Raises:
        UnavailableError: the store does not answer; what was read so far is recorded.
    """
    done = Distilled()
    job = _Job(store, writing, rules, done, is_asked=is_asked)
    while (at_most is None or len(done.windows) < at_most) and job.do_some(progress):
        pass
    by = replace(writing, recorder=replace(writing.recorder, by=DISTILLER))
    for scope in sorted({window.scope for window in done.windows}):
        sessions = {window.session_id for window in done.windows if window.scope == scope}
        done.stated += state_habits(store, by, scope, rules.excluded, sorted(sessions))
        done.acquainted_count += len(record_sightings(store, by.recorder, scope, rules.excluded))
    if is_asked:
        with store.read() as view:
            done.outdated_count = Distillation(view).outdated(
                Visibility(writing.recorder.owner), version=EXTRACTORS_VERSION
            )
    if done.windows:
        logger.info(
            "distilled: windows=%d found=%d stated=%d refused=%d left=%d",
            len(done.windows),
            done.found_count,
            len(done.stated),
            done.refused_count,
            done.left.total(),
        )
    return done


def reopen(store: Store, recorder: WriteContext) -> None:
    """
    Have every session read again; what was already stated from it is not stated twice.

    Raises:
        ForbiddenError: the caller is not a person.
    """
    require_human(recorder.by, "look through everything again")
    with store.begin() as tx:
        tx.append(DistillationReopened(), by=recorder.by, owner=recorder.owner)


class _Job:
    """Reads sessions, some at a time."""

    def __init__(
        self, store: Store, writing: Writing, rules: Rules, done: Distilled, *, is_asked: bool
    ) -> None:
        self._store = store
        self._writing = writing
        self._owner = writing.recorder.owner
        self._rules = rules
        self._done = done
        self._is_asked = is_asked

    def do_some(self, progress: Callable[[int], None]) -> int:
        """Read some sessions, record what they state, and return how many."""
        with self._store.read() as view:
            waiting = Distillation(view).waiting(Visibility(self._owner), limit=SESSIONS_AT_ONCE)
        count = 0
        for begin in range(0, len(waiting), WINDOWS_AT_ONCE):
            if due := [*self._due(waiting[begin : begin + WINDOWS_AT_ONCE], progress)]:
                self._record(due)
            count += len(due)
        progress(len(self._done.windows))
        return count

    def _due(
        self, waiting: Sequence[Waiting], progress: Callable[[int], None]
    ) -> Iterator[_ReadWindow]:
        """Read the sessions that are due, each in a snapshot of its own."""
        for one in waiting:
            with self._store.read() as view:
                look = self._read_window(view, one)
            if look is not None:
                yield look
                progress(len(self._done.windows))

    def _record(self, due: Sequence[_ReadWindow]) -> None:
        with self._store.begin() as tx:
            # Another worker may have read it meanwhile.
            due = [look for look in due if self._through(tx, look.window) == look.after]
            if not due:
                return
            words = KnownWords(tx).known(self._owner)
            for look in due:
                self._state(tx, look, words)
            windows = tuple(look.window for look in due)
            event = SessionsDistilled(windows, EXTRACTORS_VERSION)
            tx.append(event, by=DISTILLER, owner=self._owner)
        self._done.windows += windows

    def _through(self, view: Snapshot, window: Window) -> int:
        within = Visibility(self._owner, frozenset({window.scope}))
        return Distillation(view).through(window.session_id, within)

    def _read_window(self, view: Snapshot, waiting: Waiting) -> _ReadWindow | None:
        """Read what waits in a session; None if it is not due yet."""
        within = Visibility(self._owner, frozenset({waiting.scope}))
        which = EpisodeFilter(within=within, session_id=waiting.session_id, kinds=SPOKEN)
        spoken = Episodes(view).select(which, limit=EPISODES_AT_ONCE, after=waiting.after)
        trigger = self._trigger(waiting, spoken)
        if trigger is None:
            return None
        which = replace(which, kinds=HEARD)
        heard = Episodes(view).select(which, limit=EPISODES_AT_ONCE, after=waiting.after)
        if heard and heard[-1].seq > waiting.last:
            return None  # the session went on; the next call decides anew
        window = Window(
            session_id=waiting.session_id,
            scope=waiting.scope,
            through=waiting.last if len(heard) < EPISODES_AT_ONCE else heard[-1].seq,
            trigger=trigger,
            waits_for_model=self._rules.waits_for_model and bool(spoken),
        )
        turns = turns_of(view, heard, which, is_begun=waiting.after > 0)
        turns = with_proofs(turns, _proofs(view, within, waiting, window.through))
        states = extract_statements(turns, self._rules, self._writing.clock)
        drop_copies(view, states, within)
        corroborate(view, states, within, self._writing.clock)
        vectors = self._writing.embedder.embed([one.draft.said.words for one in states.ready])
        return _ReadWindow(window, waiting.after, turns, states, vectors)

    def _trigger(self, waiting: Waiting, spoken: Sequence[Episode]) -> Trigger | None:
        messages = [episode.text for episode in spoken]
        is_told = any(read_command(text) is not None for text in messages)
        now = self._writing.clock.now()
        return trigger_of(messages, waiting.last_at, now, is_asked=self._is_asked or is_told)

    def _state(self, tx: Transaction, look: _ReadWindow, words: Words) -> None:
        done, states = self._done, look.states
        done.found_count += len(states.ready) + states.malformed_count
        done.malformed_count += states.malformed_count
        done.left += states.left
        put_right: list[Found] = []
        for number, one in enumerate(states.ready):
            if any(are_of_same_words(one.found, other) for other in put_right):
                done.left[Left.REPEATED] += 1
                continue
            stated = state_read(tx, one, self._writing, words, look.vectors[number : number + 1])
            if isinstance(stated, Left):
                done.left[stated] += 1
            else:
                done.stated.append(stated)
                put_right += [one.found] if one.found.candidate.only_corrects else []
        by = replace(self._writing.recorder, by=DISTILLER)
        ask_for_ends(tx, look.turns, look.window.scope, by)


def _proofs(view: Snapshot, within: Visibility, waiting: Waiting, through: int) -> list[int]:
    """Return the places of calls that prove work: passed tests and commits."""
    halves = ToolUses(view).halves(
        within, after=waiting.after, until=through, session_id=waiting.session_id
    )
    return [use.call.episode_no for use in uses_of(halves) if is_proof(use)]


def state_read(
    tx: Transaction, one: Ready, writing: Writing, words: Words, vectors: Vector
) -> Stated | Left:
    """Record what was read from an episode, unless that was done before or cannot be."""
    episode = one.found.turn.episode
    draft = apply_correction(tx, one.draft, one.found, writing.recorder.owner)
    if draft is one.draft and one.found.candidate.only_corrects:
        return Left.UNSURE
    if draft is not one.draft:
        vectors = writing.embedder.embed([draft.said.words])
    earlier = older_readings(tx, in_registered_words(draft, words)[0], one.found)
    if earlier is None:
        return Left.REPEATED
    draft = about_named_subject(tx, draft, one.found, writing.recorder)
    record_people(tx, draft, one.found.turn.people, writing.recorder)
    draft = add_mentions(tx, draft, one.found.candidate.quote, writing.recorder)
    draft = in_known_channel(tx, draft, one.found, words)
    # A memory command inside of a file is nobody's command: it is recorded as history.
    is_forged = one.found.is_certain and episode.lifecycle is Lifecycle.HISTORICAL
    writer = OF_IMPORTS if is_forged else DISTILLER
    by = replace(writing, recorder=replace(writing.recorder, by=writer))
    put = archive_readings(tx, earlier, by.recorder)
    try:
        return state_in(tx, draft, by, words=words, vectors=vectors, reason=None)
    except (ConflictError, ForbiddenError, InvalidInputError, NotFoundError) as error:
        logger.warning("nothing was stated: episode=%s reason=%s", episode.id, error.code)
        restore_readings(tx, put, by.recorder)
        return Left.REFUSED
