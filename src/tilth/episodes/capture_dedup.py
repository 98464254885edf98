"""
One thing that was heard in two ways is recorded once.

A session can be captured by hooks and later be read from its transcript, other
programs retell it, and a host can be wired to call its hooks twice. Where the
two share an id of the host's their keys are equal; elsewhere they are known by
session, kind, role, words, and nearly the same time. Whether a tool failed is
not told by all who tell of its use, so what came of it is one kind.

Gemini CLI tells its hook an agent's words of a whole turn in one, line by line,
and its transcript message by message: those are parts of that.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import field, replace
from datetime import datetime, timedelta
from enum import Enum, auto

from tilth.core.actor import CameBy
from tilth.core.dataclass import dataclass
from tilth.core.ids import SessionId
from tilth.core.scope import Visibility
from tilth.episodes.episode import Episode, EpisodeDraft, EpisodeKind, Role
from tilth.episodes.filters import EpisodeFilter
from tilth.episodes.tables import every_episode
from tilth.ledger.snapshot import Snapshot

# A transcript's line and the hook about it: apart by the length of a slow hook's wait.
NEAR = timedelta(seconds=60)
# Two hooks at one event run side by side; nobody says the same twice within this.
AT_ONCE = timedelta(seconds=2)
# A tool may run for long between its call in a transcript and the hook after it.
AROUND = timedelta(hours=1)
# The metadata of what has the time of the prompt before it alone, since its host keeps no other.
AT_ABOUT = "at_about"
# Enough that no two texts of a session share one by chance.
_DIGEST_BYTES = 16
_TOOLS = frozenset({EpisodeKind.TOOL_CALL, EpisodeKind.TOOL_RESULT})
_WHOLE_TURN = "AfterAgent"
# The ways by which one session is heard twice. What an agent hands over in its user's words is no
# form of what the user typed, which makes a rule (ADR 27).
_OF_HOSTS = frozenset({CameBy.CAPTURED, CameBy.IMPORTED})


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
    turn: str = ""
    is_about: bool = False
    is_matched: bool = False


@dataclass(slots=True)
class _Part:
    """A text of an agent's that may be part of a turn, or all of one."""

    at: datetime
    form: _Form
    lines: str

    def takes(self, lines: str, at: datetime) -> bool:
        """Take *lines* out of it, if they are there as lines of their own and near in time."""
        begin = self.lines.find(lines) if abs(self.at - at) < AROUND else -1
        if begin < 0:
            return False
        self.lines = self.lines[:begin] + self.lines[begin + len(lines) - 1 :]
        return True


@dataclass(slots=True)
class Heard:
    """What was said when, in which form; with its words only where they may be parts of others."""

    _by_sameness: defaultdict[_Sameness, list[_Heard]] = field(
        default_factory=lambda: defaultdict(list)
    )
    _parts: defaultdict[str, list[_Part]] = field(default_factory=lambda: defaultdict(list))

    def note(self, said: Iterable[EpisodeDraft | Episode]) -> None:
        """Add what has a session and a time."""
        for one in said:
            if one.occurred_at is not None and one.session_id is not None:
                self._by_sameness[_sameness(one)].append(_heard(one, one.occurred_at))
                if _may_be_part(one):
                    part = _Part(one.occurred_at, _form(one), _lines(one.text))
                    self._parts[one.session_id].append(part)

    def parts(self, session_id: str) -> list[_Part]:
        """Return what an agent said in a session whose host tells of whole turns."""
        return self._parts[session_id]

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
        same, mine = _sameness(draft), _heard(draft, draft.occurred_at)
        others = known.setdefault(same, [*heard.alike(same), *also.alike(same)])
        parts = heard.parts(draft.session_id) if _may_be_part(draft) else []
        if any(_is_twin(other, mine, same) for other in others) or _is_made_of(draft, mine, parts):
            continue
        kept.append(draft)
        if mine.form is _Form.HOOK:
            others.append(mine)
    return kept


def _is_twin(other: _Heard, mine: _Heard, same: _Sameness) -> bool:
    apart = abs(other.at - mine.at)
    if mine.form is other.form is _Form.HOOK:
        is_elsewhen = mine.turn and other.turn and mine.turn != other.turn
        return same.has_id or (apart < AT_ONCE and not is_elsewhen)
    if mine.form is other.form or other.is_matched:
        return False
    # A call stands in a transcript before it ran, and a hook tells of it after.
    is_wide = same.kind in _TOOLS or mine.is_about or other.is_about
    other.is_matched = same.has_id or apart < (AROUND if is_wide else NEAR)
    return other.is_matched


def _is_made_of(draft: EpisodeDraft, mine: _Heard, parts: Sequence[_Part]) -> bool:
    """Say whether an agent's words are part of a turn that was heard, or made of such parts."""
    others = [part for part in parts if part.form is not mine.form]
    if mine.form is not _Form.HOOK:
        return any(other.takes(_lines(draft.text), mine.at) for other in others)
    whole = _Part(mine.at, mine.form, _lines(draft.text))
    for other in others:
        whole.takes(other.lines, other.at)
    return not whole.lines.strip()


def _may_be_part(said: EpisodeDraft | Episode) -> bool:
    is_whole = said.metadata.get("hook") == _WHOLE_TURN
    is_told_so = str(said.session_id).startswith("gemini-cli:")
    is_agents = said.kind is EpisodeKind.MESSAGE and said.role is Role.ASSISTANT
    return is_told_so and is_agents and (is_whole or "hook" not in said.metadata)


def _lines(text: str) -> str:
    return f"\n{text.strip()}\n"


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
        told = every_episode(view, which)
        heard.note(one for one in told if one.came_by in _OF_HOSTS)
    return heard


def _sameness(said: EpisodeDraft | Episode) -> _Sameness:
    # A tool's outcome has other words in a transcript than at its hook, but the same id.
    tool = said.metadata.get("tool_use_id")
    has_id = isinstance(tool, str) and bool(tool)
    # So has the summary with which a session goes on; there is no second one so near.
    words = "" if said.metadata.get("compaction") is True else said.text.strip()
    name = str(tool) if has_id else words
    digest = hashlib.sha256(name.encode()).digest()[:_DIGEST_BYTES]
    is_failure = said.kind is EpisodeKind.TOOL_FAILURE
    kind = EpisodeKind.TOOL_RESULT if is_failure else said.kind
    return _Sameness(str(said.session_id), kind, said.role, digest, has_id)


def _heard(said: EpisodeDraft | Episode, at: datetime) -> _Heard:
    turn = said.metadata.get("turn")
    is_about = said.metadata.get(AT_ABOUT) is True
    return _Heard(at, _form(said), turn if isinstance(turn, str) else "", is_about)


def _form(said: EpisodeDraft | Episode) -> _Form:
    if "hook" in said.metadata:
        return _Form.HOOK
    return _Form.RETOLD if "retold_by" in said.metadata else _Form.TRANSCRIPT
