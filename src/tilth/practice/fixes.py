"""
Failures that were overcome: a command failed, something was changed, the command came through.

Told is what the record shows, in one session and in this order. The same command is the one
with the same key that picks the same cases, or all of them. A failure that went away by
itself is none, nor is a test that failed before what it tests was written.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import field

from tilth.core.dataclass import dataclass
from tilth.core.scope import Scope
from tilth.practice.command_lines import Command, key_of, without_chatter
from tilth.practice.model import RunResult
from tilth.practice.pairing import Use

# So many calls may lie between a failure and the pass that ends it.
USES_BETWEEN_MAX = 60
# A command that was refused as such was replaced within so many calls, or not at all.
_REPLACED_WITHIN = 6
CHANGED_TOLD = 4
# A conflict is no failure of how things are done.
_JOINS = frozenset({"ship:git merge", "ship:git rebase", "ship:git cherry-pick"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Overcome:
    """A failure, what was changed, and the pass: as uses, without a word of what they said."""

    failed: Use
    passed: Use
    command: Command
    changed: tuple[str, ...]
    ran: tuple[str, ...]
    instead: str = ""


@dataclass(slots=True)
class _Open:
    """A failure for which no pass was seen yet."""

    use: Use
    command: Command
    number: int
    changed: dict[str, None] = field(default_factory=dict)
    ran: dict[str, None] = field(default_factory=dict)


def replaced(found: Sequence[Overcome]) -> dict[tuple[Scope, str], str]:
    """Return what came through in place of a command, most often, by its scope and key."""
    counts: dict[tuple[Scope, str], Counter[str]] = {}
    for one in found:
        if one.instead:
            place = (one.failed.call.scope, one.command.key)
            counts.setdefault(place, Counter())[one.instead] += 1
    return {place: count.most_common(1)[0][0] for place, count in counts.items()}


def overcome_in(uses: Sequence[Use]) -> Iterator[Overcome]:
    """Yield every failure that was overcome in a session, in the order of the passes."""
    waiting: dict[str, _Open] = {}
    for number, use in enumerate(uses):
        if use.call.is_edit:
            for one in waiting.values():
                one.changed.update(dict.fromkeys(use.call.about.split("\n")))
            continue
        for command, verdict in use.commands():
            if verdict is RunResult.FAILED and command.key not in _JOINS:
                waiting[command.key] = _Open(use, command, number)
            elif verdict is RunResult.OK:
                yield from _ended(waiting, use, command, number)


def _ended(
    waiting: dict[str, _Open], use: Use, command: Command, number: int
) -> Iterator[Overcome]:
    """Yield the failures that a pass ends."""
    same = waiting.get(command.key)
    if same is not None and _is_same(same.command, command):
        del waiting[command.key]
        is_near = number - same.number <= USES_BETWEEN_MAX
        if (same.changed or same.ran) and is_near:
            yield _overcome(same, use)
        return
    for key, one in list(waiting.items()):
        one.ran[command.line] = None
        is_kin = one.command.kind is command.kind and not one.changed
        if is_kin and number - one.number <= _REPLACED_WITHIN:
            del waiting[key]
            yield _overcome(one, use, instead=without_chatter(command.line))


def _overcome(one: _Open, passed: Use, instead: str = "") -> Overcome:
    return Overcome(
        failed=one.use,
        passed=passed,
        command=one.command,
        changed=tuple(one.changed)[:CHANGED_TOLD],
        ran=tuple(one.ran)[:CHANGED_TOLD],
        instead=instead,
    )


def _is_same(failed: Command, passed: Command) -> bool:
    """Say whether a pass of one command shows that a failure of the other is over."""
    if without_chatter(failed.line) == without_chatter(passed.line):
        return True
    # All of it came through, so what was picked did.
    is_whole = without_chatter(passed.line).removesuffix(" ./...") == key_of(
        passed.line, passed.kind
    )
    return failed.key == passed.key and is_whole
