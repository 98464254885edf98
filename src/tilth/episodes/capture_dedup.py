"""
One thing that was heard in two ways is recorded once.

A session can be captured by hooks and later be read from its transcript, other
programs retell it, and a host can be wired to call its hooks twice. Where the
two share an id of the host's their keys are equal; elsewhere they are known by
session, kind, role, words, and nearly the same time.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import Enum, auto

from tilth.core.ids import SessionId
from tilth.core.scope import Visibility
from tilth.episodes.episode import Episode, EpisodeDraft
from tilth.episodes.filters import EpisodeFilter
from tilth.episodes.tables import every_episode
from tilth.ledger.snapshot import Snapshot

# A transcript's line and the hook about it: apart by the length of a slow hook's wait.
NEAR = timedelta(seconds=60)
# Two hooks at one event run side by side; nobody says the same twice within this.
AT_ONCE = timedelta(seconds=2)
# A tool may run for long between its call in a transcript and the hook after it.
AROUND = timedelta(hours=1)
# Enough that no two texts of a session share one by chance.
_DIGEST_BYTES = 16


class _Form(Enum):
    """How an episode was heard."""

    HOOK = auto()
    TRANSCRIPT = auto()
    RETOLD = auto()


@dataclass(frozen=True, slots=True)
class _Sameness:
    """What twins have in common: the digest of a tool use's id of the host's, or of the words."""

    session_id: str
    kind: str
    role: str
    digest: bytes
    has_id: bool


@dataclass(slots=True)
class _Heard:
    at: datetime
    form: _Form
    is_matched: bool = False


@dataclass(slots=True)
class Heard:
    """What was said when, in which form, without its words."""

    _by_sameness: defaultdict[_Sameness, list[_Heard]] = field(
        default_factory=lambda: defaultdict(list)
    )

    def note(self, said: Iterable[EpisodeDraft | Episode]) -> None:
        """Add what has a session and a time."""
        for one in said:
            if one.occurred_at is not None and one.session_id is not None:
                self._by_sameness[_sameness(one)].append(_Heard(one.occurred_at, _form(one)))

    def alike(self, same: _Sameness) -> list[_Heard]:
        """Return what has this in common, as of nothing matched yet."""
        return [replace(one) for one in self._by_sameness.get(same, ())]


def without_twins(
    view: Snapshot, drafts: Sequence[EpisodeDraft], within: Visibility, *, also: Heard | None = None
) -> list[EpisodeDraft]:
    """
    Return those of *drafts* that the store, or *also*, does not hold in another form.

    An episode of a transcript answers for one draft of a hook and the other
    way round, so that what was said twice is there twice. Drafts must be
    scrubbed already, as what the store holds is.
    """
    heard = _heard_around(view, drafts, within)
    also = also or Heard()
    known: dict[_Sameness, list[_Heard]] = {}
    kept = []
    for draft in drafts:
        if draft.occurred_at is None or draft.session_id is None:
            kept.append(draft)
            continue
        same, mine = _sameness(draft), _Heard(draft.occurred_at, _form(draft))
        others = known.setdefault(same, [*heard.alike(same), *also.alike(same)])
        if not any(_is_twin(other, mine, has_id=same.has_id) for other in others):
            kept.append(draft)
            if mine.form is _Form.HOOK:
                others.append(mine)
    return kept


def _is_twin(other: _Heard, mine: _Heard, *, has_id: bool) -> bool:
    apart = abs(other.at - mine.at)
    if mine.form is other.form is _Form.HOOK:
        return has_id or apart < AT_ONCE
    if mine.form is other.form or other.is_matched:
        return False
    other.is_matched = has_id or apart < NEAR
    return other.is_matched


def _heard_around(view: Snapshot, drafts: Sequence[EpisodeDraft], within: Visibility) -> Heard:
    spans: dict[SessionId, tuple[datetime, datetime]] = {}
    for draft in drafts:
        if draft.occurred_at is not None and draft.session_id is not None:
            first, last = spans.get(draft.session_id, (draft.occurred_at, draft.occurred_at))
            spans[draft.session_id] = min(first, draft.occurred_at), max(last, draft.occurred_at)
    heard = Heard()
    for session_id, (first, last) in spans.items():
        which = EpisodeFilter(
            within=within,
            session_id=session_id,
            occurred_from=first - AROUND,
            occurred_before=last + AROUND,
        )
        heard.note(every_episode(view, which))
    return heard


def _sameness(said: EpisodeDraft | Episode) -> _Sameness:
    # A tool's outcome has other words in a transcript than at its hook, but the same id.
    tool = said.metadata.get("tool_use_id")
    has_id = isinstance(tool, str) and bool(tool)
    name = str(tool) if has_id else said.text.strip()
    digest = hashlib.sha256(name.encode()).digest()[:_DIGEST_BYTES]
    return _Sameness(str(said.session_id), said.kind, said.role, digest, has_id)


def _form(said: EpisodeDraft | Episode) -> _Form:
    if "hook" in said.metadata:
        return _Form.HOOK
    return _Form.RETOLD if "retold_by" in said.metadata else _Form.TRANSCRIPT
