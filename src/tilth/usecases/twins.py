"""
One thing that was heard in two ways is recorded once.

A session can be captured by hooks and later be read from its transcript, and a
host can be wired to call its hooks twice. Where the two share an id of the
host's their keys are equal; elsewhere they are known by session, kind, role,
words, and nearly the same time.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from tilth.domain.episode import Episode, EpisodeDraft
from tilth.domain.ids import SessionId
from tilth.domain.scope import Visibility
from tilth.ports import EpisodeFilter, Reader

# A transcript's line and the hook about it: apart by the length of a slow hook's wait.
NEAR = timedelta(seconds=60)
# Two hooks at one event run side by side; nobody says the same twice within this.
AT_ONCE = timedelta(seconds=2)
# A tool may run for long between its call in a transcript and the hook after it.
AROUND = timedelta(hours=1)
_PAGE = 1000


@dataclass(frozen=True, slots=True)
class _Sameness:
    """What twins have in common; *name* is the host's id of a tool's use, or else the words."""

    session_id: str
    kind: str
    role: str
    name: str
    has_id: bool


@dataclass(slots=True)
class _Heard:
    at: datetime
    is_hooked: bool
    is_matched: bool = False


def without_twins(
    view: Reader, drafts: Sequence[EpisodeDraft], within: Visibility
) -> list[EpisodeDraft]:
    """
    Return those of *drafts* that the store does not hold in another form.

    An episode of a transcript answers for one draft of a hook and the other
    way round, so that what was said twice is there twice. Drafts must be
    scrubbed already, as what the store holds is.
    """
    heard = _heard_around(view, drafts, within)
    kept = []
    for draft in drafts:
        if draft.occurred_at is None or draft.session_id is None:
            kept.append(draft)
            continue
        same = _sameness(draft)
        mine = _Heard(draft.occurred_at, "hook" in draft.metadata)
        if not any(_is_twin(other, mine, has_id=same.has_id) for other in heard[same]):
            kept.append(draft)
            if mine.is_hooked:
                heard[same].append(mine)
    return kept


def _is_twin(other: _Heard, mine: _Heard, *, has_id: bool) -> bool:
    apart = abs(other.at - mine.at)
    if mine.is_hooked and other.is_hooked:
        return has_id or apart < AT_ONCE
    if mine.is_hooked == other.is_hooked or other.is_matched:
        return False
    other.is_matched = has_id or apart < NEAR
    return other.is_matched


def _heard_around(
    view: Reader, drafts: Sequence[EpisodeDraft], within: Visibility
) -> defaultdict[_Sameness, list[_Heard]]:
    spans: dict[SessionId, tuple[datetime, datetime]] = {}
    for draft in drafts:
        if draft.occurred_at is not None and draft.session_id is not None:
            first, last = spans.get(draft.session_id, (draft.occurred_at, draft.occurred_at))
            spans[draft.session_id] = min(first, draft.occurred_at), max(last, draft.occurred_at)
    heard: defaultdict[_Sameness, list[_Heard]] = defaultdict(list)
    for session_id, (first, last) in spans.items():
        which = EpisodeFilter(
            within=within,
            session_id=session_id,
            occurred_from=first - AROUND,
            occurred_before=last + AROUND,
        )
        for episode in _all(view, which):
            other = _Heard(episode.occurred_at, "hook" in episode.metadata)
            heard[_sameness(episode)].append(other)
    return heard


def _all(view: Reader, which: EpisodeFilter) -> Iterator[Episode]:
    after = 0
    while page := view.episodes.select(which, limit=_PAGE, after=after):
        yield from page
        after = page[-1].seq


def _sameness(said: EpisodeDraft | Episode) -> _Sameness:
    # A tool's outcome has other words in a transcript than at its hook, but the same id.
    tool = said.metadata.get("tool_use_id")
    has_id = isinstance(tool, str) and bool(tool)
    name = str(tool) if has_id else said.text.strip()
    return _Sameness(str(said.session_id), said.kind, said.role, name, has_id)
