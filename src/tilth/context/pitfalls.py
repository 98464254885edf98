"""
Find how an earlier failure like the present one was overcome.

A warning repeats only what is recorded: the same tool failed with nearly the same error, and later
in that session a call with the same aim succeeded. If none did, or no failure is alike, there is no
warning.
"""

import json
from collections.abc import Iterator, Sequence
from datetime import datetime

from tilth.core.dataclass import dataclass
from tilth.core.ids import EpisodeId
from tilth.core.scope import Visibility
from tilth.core.text.pattern import pattern
from tilth.episodes.episode import OUTCOMES, Episode, EpisodeKind
from tilth.episodes.filters import EpisodeFilter
from tilth.episodes.tables import Episodes
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store
from tilth.recall.recaller import Recaller

# How many earlier failures are compared, and how many episodes behind each are searched for the
# call that worked.
FAILURES_READ = 12
EPISODES_AFTER = 60
# How many episodes may lie between a call and its outcome, as with calls made in parallel.
_CALL_WITHIN = 8
# Thresholds of likeness, from 0 to 1, chosen by hand; tests/context/test_pitfalls.py has cases on
# both sides of each. A wrong hint costs more than none. The same call needs less likeness of the
# errors than a different one.
_ERROR_LIKENESS_MIN = 0.5
_SAME_CALLS_LIKENESS_MIN = 0.25
_SHARED_WORDS_MIN = 2
_AIM_LIKENESS_MIN = 0.5
_ERROR_CHARS_MAX = 2_000
_STEPS_MAX = 2
_WORD = pattern(r"[^\W\d_]\w+")
# Words of nearly every error message, which tell no two failures apart.
_OFTEN_SAID = (
    "error errors exit code failed failure fatal the and for not with was command line file"
)
_EMPTY = frozenset(_OFTEN_SAID.split())
# The arguments that say what a call is about, by the names that hosts give them.
_AIMS = ("command", "cmd", "file_path", "filePath", "path", "url", "query", "pattern")


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolFailure:
    """A tool call that just failed, with its error, in the words in which they are recorded."""

    tool: str
    call: str
    error: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Pitfall:
    """
    An earlier failure, and how it was overcome.

    `steps` are the calls made before the same call succeeded or, if `is_instead`, the one call that
    succeeded in its place.
    """

    failed_at: datetime
    call: str
    steps: tuple[str, ...]
    is_instead: bool
    episode_id: EpisodeId


@dataclass(frozen=True, slots=True)
class _Use:
    """A tool call and its outcome."""

    call: str
    has_failed: bool


def known_pitfall(
    store: Store, recaller: Recaller, failure: ToolFailure, within: Visibility
) -> Pitfall | None:
    """
    Return how the latest failure like *failure* was overcome; None if there is none.

    Args:
        store: The store that is read.
        recaller: What recall works with.
        failure: The failure at hand.
        within: The owner and scopes that may be read.
    """
    from tilth.recall.model import RecallOptions  # noqa: PLC0415 - for who recalls
    from tilth.recall.recall import recall  # noqa: PLC0415 - it loads all that ranks

    words = _significant_words(failure.error)
    question = " ".join([*sorted(words), *sorted(_significant_words(aim_of(failure.call)))])
    if not question:
        return None
    options = RecallOptions(
        limit=FAILURES_READ, kinds=frozenset({EpisodeKind.TOOL_FAILURE}), is_grouped=False
    )
    hits = recall(store, recaller, question, within, options).hits
    with store.read() as view:
        earlier = [Episodes(view).get(hit.episode_ids[0], within) for hit in hits]
        for episode in sorted(earlier, key=lambda one: one.seq, reverse=True):
            call = _call_of(view, episode, within)
            if _is_alike(failure, call, episode.text):
                pitfall = _how_overcome(view, episode, call, within)
                if pitfall is not None:
                    return pitfall
    return None


def aim_of(call: str) -> str:
    """Return what a call is about: its command, file or address, or else its whole text."""
    _, _, told = call.partition(": ")
    try:
        arguments = json.loads(told)
    except (ValueError, RecursionError):
        return told or call
    if isinstance(arguments, dict):
        for name in _AIMS:
            if isinstance(arguments.get(name), str):
                return str(arguments[name])
    return told


def _is_alike(failure: ToolFailure, call: str, error: str) -> bool:
    if call.partition(":")[0] != failure.tool:
        return False
    now, then = _significant_words(failure.error), _significant_words(error)
    shared = now & then
    if aim_of(call) == aim_of(failure.call):
        return now == then or _likeness(now, then) >= _SAME_CALLS_LIKENESS_MIN
    return len(shared) >= _SHARED_WORDS_MIN and _likeness(now, then) >= _ERROR_LIKENESS_MIN


def _how_overcome(view: Snapshot, failed: Episode, call: str, within: Visibility) -> Pitfall | None:
    """Return how a failure was overcome; None if no later call with the same aim succeeded."""
    came_through = [use.call for use in _uses_after(view, failed, within) if not use.has_failed]
    tool = call.partition(":")[0]
    peers = [one for one in came_through if one.partition(":")[0] == tool]
    again = [one for one in peers if aim_of(one) == aim_of(call)]
    instead = [one for one in peers if _has_like_aim(one, call)]
    if not again and not instead:
        return None
    steps = came_through[: came_through.index(again[0])][-_STEPS_MAX:] if again else instead[:1]
    return Pitfall(
        failed_at=failed.occurred_at,
        call=call,
        steps=tuple(steps),
        is_instead=not again,
        episode_id=failed.id,
    )


def _uses_after(view: Snapshot, failed: Episode, within: Visibility) -> Iterator[_Use]:
    which = EpisodeFilter(within=within, session_id=failed.session_id)
    after = Episodes(view).select(which, limit=EPISODES_AFTER, after=failed.seq)
    for place, episode in enumerate(after):
        if episode.kind in OUTCOMES:
            call = _call_among(after[:place], episode)
            if call:
                yield _Use(call, episode.kind is EpisodeKind.TOOL_FAILURE)


def _call_of(view: Snapshot, outcome: Episode, within: Visibility) -> str:
    before = range(max(outcome.seq - _CALL_WITHIN, 1), outcome.seq)
    near = Episodes(view).at(list(before), within)
    return _call_among([one for one in near if one.session_id == outcome.session_id], outcome)


def _call_among(before: Sequence[Episode], outcome: Episode) -> str:
    """Return the call of *outcome*: the one with the host's call ID, or else the last one."""
    calls = [one for one in before if one.kind is EpisodeKind.TOOL_CALL]
    own_id = outcome.metadata.get("tool_use_id")
    named = [one for one in calls if own_id and one.metadata.get("tool_use_id") == own_id]
    found = named or ([] if own_id else calls)
    return found[-1].text if found else ""


def _has_like_aim(one: str, other: str) -> bool:
    """Say whether two calls have the same aim; the same program name is not enough."""
    aims = [_WORD.findall(aim_of(call).casefold()) for call in (one, other)]
    rests = [aim[1:] for aim in aims]
    first, second = map(frozenset[str], rests if all(rests) else aims)
    return _likeness(first, second) >= _AIM_LIKENESS_MIN


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the Jaccard index of two sets; 0 for two empty ones."""
    return len(one & other) / len(one | other) if one or other else 0.0


def _significant_words(text: str) -> frozenset[str]:
    # The first lines of an error say what it is; a stack trace follows.
    found = _WORD.findall(text[:_ERROR_CHARS_MAX].casefold())
    return frozenset(found) - _EMPTY
