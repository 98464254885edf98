"""
Find the plans that a person approved, and whether they are over.

The work that a plan's title names is over when a session that changed the files it names proved it.
The plan's other statements hold on, as decisions do, until another plan replaces it or several
sessions pass without work on it.
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
from tilth.exchanges.actions import is_proof
from tilth.ledger.snapshot import Snapshot
from tilth.practice.model import RunResult
from tilth.practice.practice import uses_in_sight
from tilth.practice.tool_uses import Use

# The tools, by their hosts' names, with which an agent puts a plan before a person.
PLAN_TOOLS = frozenset({"ExitPlanMode", "exit_plan_mode"})
_APPROVED = pattern(r"\s*(?:\W{0,4})User has approved (?:your|the) plan\b", re.IGNORECASE)
_TITLE = pattern(r"^#[ \t]+(?:Plan:[ \t]*)?(\S[^\n]{9,160})$", re.MULTILINE)
_FILE = pattern(r"[\w@-][\w@.-]*(?P<ending>\.[A-Za-z]\w{0,7})\b")
# The share of a plan's files whose change completes it; some files it only refers to.
_SHARE_DONE = 0.5
# After this many sessions of other work, a plan counts as left behind.
_SESSIONS_MAX = 3


class Plan(NamedTuple):
    """An approved plan: its title, and the text below it."""

    title: str
    words: str


class PlanOver(NamedTuple):
    """A plan that is over: either carried out, or left or replaced."""

    title: str
    is_left: bool

    def ends(self, text: str) -> bool:
        """Say whether a plan's statement is over: its work when done, the rest when it is left."""
        return self.is_left or text.endswith(" ".join(self.title.split()))


class _Approval(NamedTuple):
    """The approval of a plan: its session, time, and the base names of the files it names."""

    id: EpisodeId
    title: str
    root: str
    at_us: int
    files: frozenset[str]


class _Work(NamedTuple):
    """A use of a tool, with its time in microseconds and its session, or a subagent's parent."""

    at_us: int
    root: str
    use: Use


def approved_plan(outcome: str) -> Plan | None:
    """Return the plan approved by the *outcome* of the tool that proposed it; None if none was."""
    title = _TITLE.search(outcome) if _APPROVED.match(outcome) else None
    return Plan(title[1].strip(), outcome[title.end() :]) if title else None


def plans_over(view: Snapshot, within: Visibility) -> Mapping[EpisodeId, PlanOver]:
    """Return the plans that are over, by the episode of their approval."""
    uses = uses_in_sight(view, within)
    plans = _approvals(view, within, uses)
    if not plans:
        return {}
    first = min(one.at_us for one in plans)
    works = [_Work(use.call.at_us, use.root, use) for use in uses if use.call.at_us > first]
    # An import that comes later may hold older work.
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
    # A word is a file name if it ends like the files that were changed here.
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
    """Say whether a plan replaces another: in its session, or for the same files."""
    shared = len(later.files & plan.files)
    is_same = shared > 0 and shared >= _SHARE_DONE * len(plan.files)
    return later.at_us > plan.at_us and (later.root == plan.root or is_same)


def _ends(plan: _Approval, later: Iterable[_Work]) -> tuple[bool, bool]:
    """Return whether *later* work carried a plan out, and whether it left the plan behind."""
    untouched, at_work, elsewhere = set(plan.files), set[str](), set[str]()
    is_done = False
    for _, root, use in later:
        # Changes to its files after the plan is done are other work.
        changed = set() if is_done else _changed(use)
        # A plan that names no file can only be carried out by its own session.
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
    """Return the base names of the files that a use of a tool changed."""
    if not use.call.is_edit or (use.outcome and use.outcome.verdict is RunResult.FAILED):
        return set()
    return {one.rpartition("/")[2] for one in use.call.about.split("\n")}
