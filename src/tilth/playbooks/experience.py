"""
From uses of tools to experiences, and from experiences to clusters.

An experience is one session's way to one end: a deployment, a push, a pull request, a task
of the project. What it is like is told by what it comes down to, the key of its last
command, in which environments and targets stay apart: nothing is folded by the likeness of
words. Steps are what most of the sessions ran before it, in the order of their last success.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import timedelta
from statistics import median
from typing import TypeAlias

from tilth.core.ids import SessionId
from tilth.core.scope import Scope
from tilth.playbooks.model import CHECK, Cluster, Experience, SessionEnd, Step
from tilth.practice.command_lines import ON_FILES, Command, is_whole, without_chatter
from tilth.practice.model import CommandKind, RunResult
from tilth.practice.tool_uses import Use

WINDOW = timedelta(days=90)
EXPERIENCES_MAX = 400
MINUTES_MAX = 240
_STEPS_MAX = 12
# What work can come down to, beginning with what comes last.
_ENDS = (CommandKind.DEPLOY, CommandKind.SHIP, CommandKind.TASK)
# Acts that are a step of any work, and the end of none.
_NO_END = frozenset({"ship:git commit", "ship:git merge", "ship:git rebase", "ship:git tag"})
# What is done with a change that is pushed already, and so no step towards anything.
_NO_STEP = ("ship:gh ", "ship:glab ")
_CHECKS = frozenset(
    {
        CommandKind.TEST,
        CommandKind.LINT,
        CommandKind.TYPES,
        CommandKind.FORMAT,
        CommandKind.BUILD,
    }
)
_Ran: TypeAlias = tuple[Use, Command, RunResult]
_ENDED = {
    RunResult.OK: SessionEnd.OK,
    RunResult.FAILED: SessionEnd.FAILED,
    RunResult.UNKNOWN: SessionEnd.UNKNOWN,
}
# The share of the sessions of a cluster that ran a step of it.
_STEP_SHARE = 0.4


def experiences(uses: Iterable[Use]) -> list[Experience]:
    """Return what each session came to, the newest `EXPERIENCES_MAX` within `WINDOW`."""
    by_session: defaultdict[tuple[Scope, str], list[Use]] = defaultdict(list)
    for use in uses:
        by_session[use.call.scope, use.root].append(use)
    found = [
        one
        for (scope, root), session in by_session.items()
        for one in _of_session(scope, SessionId(root), session)
    ]
    found.sort(key=lambda one: one.at)
    since = found[-1].at - WINDOW if found else None
    return [one for one in found[-EXPERIENCES_MAX:] if since is None or one.at >= since]


def _of_session(scope: Scope, root: SessionId, uses: Sequence[Use]) -> Iterator[Experience]:
    """Yield the experience of each end that a session came to: the last way there."""
    ran = [(use, command, verdict) for use in uses for command, verdict in use.commands()]
    keys = (
        command.key for _, command, _ in ran if command.kind in _ENDS and command.key not in _NO_END
    )
    for key in dict.fromkeys(keys):
        # A session that did it twice is one experience: how it ended, and what led there.
        last = _last(ran, {key})
        steps = _steps(ran[:last], key)
        yield _experience(key, scope, root, ran[: last + 1], steps)
    checks = {command.key for _, command, _ in ran if command.kind in _CHECKS}
    tests = {command.key for _, command, _ in ran if command.kind is CommandKind.TEST}
    if tests:
        last = _last(ran, tests)
        steps = tuple(one for one in _steps(ran, "") if one.key in checks)
        yield _experience(CHECK, scope, root, ran[: last + 1], steps)


def _experience(
    key: str, scope: Scope, root: SessionId, ran: Sequence[_Ran], steps: tuple[Step, ...]
) -> Experience:
    use, command, verdict = ran[-1]
    spent = use.call.at - ran[0][0].call.at
    return Experience(
        key=key,
        root=root,
        scope=scope,
        goal=_step(use, command),
        steps=steps,
        ended=_ENDED[verdict],
        at=use.call.at,
        minutes=min(max(int(spent.total_seconds() // 60), 1), MINUTES_MAX),
        outcome_no=use.outcome.episode_no if use.outcome else None,
    )


def _last(ran: Sequence[_Ran], keys: Collection[str]) -> int:
    """Return where one of *keys* was run last, with an end that is known if any is."""
    places = [place for place, (_, command, _) in enumerate(ran) if command.key in keys]
    known = [place for place in places if ran[place][2] is not RunResult.UNKNOWN]
    return (known or places)[-1]


def _steps(ran: Sequence[_Ran], goal: str) -> tuple[Step, ...]:
    """Return what came through before an end, each once, in the order of its last success."""
    passed: dict[str, Step] = {}
    for use, command, verdict in ran:
        is_step = command.key != goal and not command.key.startswith(_NO_STEP)
        if is_step and (verdict is RunResult.OK or _is_unsaid(use, verdict)):
            passed.pop(command.key, None)
            passed[command.key] = _step(use, command)
    return tuple(passed.values())


def _is_unsaid(use: Use, verdict: RunResult) -> bool:
    """Say whether nothing speaks against a run whose exit code a pipe hides."""
    outcome = use.outcome
    is_ended = outcome is not None and outcome.verdict is RunResult.OK
    return verdict is RunResult.UNKNOWN and is_ended


def _step(use: Use, command: Command) -> Step:
    return Step(
        key=command.key,
        line=without_chatter(command.line),
        kind=command.kind,
        call_no=use.call.episode_no,
    )


def clusters(found: Sequence[Experience], *, sessions_min: int) -> list[Cluster]:
    """
    Return the ends to which so many sessions came, what saves most first.

    An end that only leads to another one of the same sessions is a part of that.
    """
    groups: defaultdict[tuple[Scope, str], list[Experience]] = defaultdict(list)
    for one in found:
        groups[one.scope, one.key].append(one)
    made = [
        _cluster(scope, key, group)
        for (scope, key), group in groups.items()
        if len({one.root for one in group if one.ended is SessionEnd.OK}) >= sessions_min
    ]
    whole = [one for one in made if not any(_is_part(one, other) for other in made)]
    return sorted(whole, key=lambda one: (-one.score, one.key))


def _cluster(scope: Scope, key: str, group: Sequence[Experience]) -> Cluster:
    passed = [one for one in group if one.ended is SessionEnd.OK]
    needed = max(2, len(passed) * _STEP_SHARE)
    counts = Counter(step.key for one in passed for step in one.steps)
    common = {step for step, count in counts.items() if count >= needed}
    places: defaultdict[str, list[float]] = defaultdict(list)
    for one in passed:
        kept = [step.key for step in one.steps if step.key in common]
        for place, step in enumerate(kept):
            places[step].append((place + 1) / len(kept))
    ordered = sorted(common, key=lambda step: (sum(places[step]) / len(places[step]), step))
    goal = _usual([one.goal for one in passed])
    before = [
        _usual([step for one in passed for step in one.steps if step.key == key]) for key in ordered
    ]
    # A test that each session picked anew is work on the change, where all are run besides.
    whole = {one.kind for one in before if not one.line.endswith("…")}
    before = [one for one in before if not (one.line.endswith("…") and one.kind in whole)]
    return Cluster(
        key=key,
        scope=scope,
        goal=goal,
        steps=tuple(before[-_STEPS_MAX:]) if key == CHECK else (*before[1 - _STEPS_MAX :], goal),
        passed=passed,
        failed=[one for one in group if one.ended is SessionEnd.FAILED],
        minutes=int(median(one.minutes for one in passed)),
    )


def _usual(steps: Sequence[Step]) -> Step:
    """Return a step in its usual wording; where there is none, in what all wordings share."""
    line, count = Counter(step.line for step in steps).most_common(1)[0]
    last = steps[-1]
    whole = [step.line for step in steps if step.kind in ON_FILES and is_whole(step.line)]
    if whole:
        # What one change was tested by tells nobody how the next one is.
        line = whole[-1]
    elif len(steps) > 1 and count * 2 <= len(steps):
        line = f"{last.key.partition(':')[2]} …"
    return Step(key=last.key, line=line, kind=last.kind, call_no=last.call_no)


def _is_part(one: Cluster, other: Cluster) -> bool:
    """Say whether most of the sessions that came to *one* did so on their way to *other*."""
    if one is other or one.scope != other.scope or other.key == CHECK:
        return False
    if one.key != CHECK and one.goal.key not in {step.key for step in other.steps}:
        return False
    shared = {each.root for each in one.passed} & {each.root for each in other.passed}
    return len(shared) * 2 >= len({each.root for each in one.passed})
