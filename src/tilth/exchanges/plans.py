"""
Plans that a person approved, and whether they are over.

The work that a plan names in its title is over when a session that changed what it names proved
that. What else it lays down holds on, as decisions do, until another plan comes in its place or
several sessions go by that do not work on it.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from typing import NamedTuple

from tilth.core.ids import EpisodeId
from tilth.core.instant import to_micros
from tilth.core.scope import Visibility
from tilth.core.text.pattern import pattern
from tilth.episodes.tables import Episodes
from tilth.exchanges.deeds import is_proof
from tilth.ledger.snapshot import Snapshot
from tilth.practice.model import RunResult
from tilth.practice.pairing import Use
from tilth.practice.practice import uses_in_sight

# What hosts call the tool by which an agent puts a plan before a person.
PLAN_TOOLS = frozenset({"ExitPlanMode", "exit_plan_mode"})
_APPROVED = pattern(r"\s*(?:\W{0,4})User has approved (?:your|the) plan\b", re.IGNORECASE)
_TITLE = pattern(r"^#[ \t]+(?:Plan:[ \t]*)?(\S[^\n]{9,160})$", re.MULTILINE)
_FILE = pattern(r"[\w@-][\w@.-]*(?P<ending>\.[A-Za-z]\w{0,7})\b")
# A plan is done with this share of the files that it names: some it only refers to.
_SHARE_DONE = 0.5
# So many sessions of other work leave a plan behind.
_SESSIONS_MAX = 3


class Plan(NamedTuple):
    """A plan that a person approved: its title, and what stands below."""

    title: str
    words: str


class PlanOver(NamedTuple):
    """A plan that was carried out, or else left or replaced."""

    title: str
    is_left: bool

    def ends(self, text: str) -> bool:
        """Say whether what a plan said is over: the work at once, the rest when it is left."""
        return self.is_left or text.endswith(" ".join(self.title.split()))


class _Approval(NamedTuple):
    """Where and when a plan was approved, and the files that it names, each by its last part."""

    id: EpisodeId
    title: str
    root: str
    at_us: int
    files: frozenset[str]


class _Work(NamedTuple):
    """A use of a tool: when, in microseconds, and in which session, subagents' as of theirs."""

    at_us: int
    root: str
    use: Use


def approved_plan(outcome: str) -> Plan | None:
    """Return the plan that a person approved, by the outcome of the tool that put it."""
    title = _TITLE.search(outcome) if _APPROVED.match(outcome) else None
    return Plan(title[1].strip(), outcome[title.end() :]) if title else None


def plans_over(view: Snapshot, within: Visibility) -> Mapping[EpisodeId, PlanOver]:
    """Return the plans that are over, by the episodes of their approvals."""
    uses = uses_in_sight(view, within)
    plans = _approvals(view, within, uses)
    if not plans:
        return {}
    first = min(one.at_us for one in plans)
    works = [_Work(use.call.at_us, use.root, use) for use in uses if use.call.at_us > first]
    # What is imported later may be older.
    works.sort(key=itemgetter(0))
    over: dict[EpisodeId, PlanOver] = {}
    for one in plans:
        later = works[bisect_right(works, one.at_us, key=itemgetter(0)) :]
        is_done, is_left = _ends(one, later)
        is_left = is_left or any(_replaces(other, one) for other in plans)
        if is_done or is_left:
            over[one.id] = PlanOver(one.title, is_left=is_left)
    return over


def _approvals(view: Snapshot, within: Visibility, uses: Sequence[Use]) -> list[_Approval]:
    put = {
        use.outcome.episode_no: use
        for use in uses
        if use.call.tool in PLAN_TOOLS and use.outcome and use.outcome.verdict is RunResult.OK
    }
    if not put:
        return []
    # A word is a file's name if it ends as files do that were changed here.
    endings = {f".{name.rpartition('.')[2]}" for use in uses for name in _changed(use)}
    found = []
    for one in Episodes(view).at(sorted(put), within):
        if plan := approved_plan(one.text):
            words = _FILE.finditer(f"{plan.title}\n{plan.words}")
            files = frozenset(word[0] for word in words if word["ending"] in endings)
            found.append(
                _Approval(one.id, plan.title, put[one.seq].root, to_micros(one.occurred_at), files)
            )
    return found


def _replaces(later: _Approval, plan: _Approval) -> bool:
    """Say whether a plan came in the place of another: in its session, or for the same files."""
    shared = len(later.files & plan.files)
    is_same = shared > 0 and shared >= _SHARE_DONE * len(plan.files)
    return later.at_us > plan.at_us and (later.root == plan.root or is_same)


def _ends(plan: _Approval, later: Iterable[_Work]) -> tuple[bool, bool]:
    """Say whether *later* uses of tools carried a plan out, and whether they left it behind."""
    untouched, at_work, elsewhere = set(plan.files), set[str](), set[str]()
    is_done = False
    for _, root, use in later:
        # Whoever touches its files when it is done is at other work.
        changed = set() if is_done else _changed(use)
        # A plan that names no file is carried out by its own session, if by any.
        if changed & plan.files or (changed and not plan.files and root == plan.root):
            untouched -= changed
            at_work.add(root)
            elsewhere.clear()
        elif root in at_work:
            is_written = len(untouched) <= (1 - _SHARE_DONE) * len(plan.files)
            is_done = is_done or (is_written and is_proof(use))
        elif root != plan.root:
            elsewhere.add(root)
    return is_done, len(elsewhere) >= _SESSIONS_MAX


def _changed(use: Use) -> set[str]:
    """Return the files that a use of a tool changed, each by its last part."""
    if not use.call.is_edit or (use.outcome and use.outcome.verdict is RunResult.FAILED):
        return set()
    return {one.rpartition("/")[2] for one in use.call.about.split("\n")}
