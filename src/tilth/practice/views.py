"""Commands and fixes as lines for a person."""

from collections.abc import Iterator, Sequence

from tilth.core.instant import written_day
from tilth.core.view import Bold, Dim, Line, Row, list_end
from tilth.practice.model import SYMPTOM_CHARS, CommandStats, Fix
from tilth.privacy.sanitize import sanitized
from tilth.privacy.terminal_text import one_line

_LINE_CHARS, _TOLD_CHARS = 90, 160
_CAUSE_CHARS = 320


def commands(found: Sequence[CommandStats], *, limit: int) -> Iterator[Line]:
    """Yield commands, a line each, and whether there may be more."""
    yield from habits(found)
    none = "no command is known; they are read from what agents ran in captured sessions"
    yield from list_end(found, none, limit=limit)


def habits(found: Sequence[CommandStats]) -> Iterator[Line]:
    """Yield commands, a line each: what for, how often, and where if that differs."""
    is_of_several = len({one.scope for one in found}) > 1
    for one in found:
        instead = f"; use: {one_line(one.instead, _LINE_CHARS)}" if one.instead else ""
        told = (one.kind, one_line(one.shown, _LINE_CHARS), f"{_counts(one)}{instead}")
        yield Row((*told, one.scope) if is_of_several else told)


def command(one: CommandStats) -> Iterator[Line]:
    """Yield one command with its wordings."""
    yield (Bold(one_line(one.shown, _LINE_CHARS)), f"  {one.kind}  {one.scope}")
    yield _counts(one)
    if one.instead:
        yield f"never came through here; use: {one_line(one.instead, _LINE_CHARS)}"
    yield Dim(f"from {written_day(one.first_at)} to {written_day(one.last_at)}")
    yield from (Row((f"{count}", one_line(line, _LINE_CHARS))) for line, count in one.wordings)
    yield from (Dim(session_id) for session_id in one.session_ids)


def fixes(found: Sequence[Fix], *, limit: int, is_all: bool) -> Iterator[Line]:
    """Yield fixes, a few lines each, and whether there may be more."""
    for one in found:
        yield from fix(one)
    none = "no failure that was overcome tells why; see all with: tilth fix list --all"
    if is_all:
        none = "no failure was overcome here; they are read from what agents ran in sessions"
    yield from list_end(found, none, limit=limit)


def fix(one: Fix) -> Iterator[Line]:
    """Yield one fix: what failed and how, why, and what was changed."""
    again = f"  in {one.recurrence} sessions" if one.recurrence > 1 else ""
    name = one_line(one.line, _LINE_CHARS)
    yield (Dim(f"{written_day(one.failed_at)}  "), Bold(name), f"{again}  ", Dim(one.id))
    if one.symptom:
        # The symptom was cut, so it may go on.
        more = "…" * (len(one.symptom) == SYMPTOM_CHARS)
        yield f"   failed: {one_line(one.symptom, _CAUSE_CHARS)}{more}"
    if one.cause:
        yield f"   because: {one_line(one.cause, _CAUSE_CHARS)}"
    if one.instead:
        yield f"   came through instead: {one_line(one.instead, _LINE_CHARS)}"
    changed = [one_line(path.rpartition("/")[2], 60) for path in one.changed]
    ran = [one_line(line, _LINE_CHARS) for line in one.ran]
    if changed or ran:
        yield f"   then: {', '.join([*changed, *ran])}"


def as_evidence(one: CommandStats) -> str:
    """Return a command as an agent is told it: what it is for, and how its runs ended."""
    return f"{one.kind}: `{one_line(sanitized(one.shown), _TOLD_CHARS)}` ({_counts(one)})"


def _counts(one: CommandStats) -> str:
    told = [f"{one.session_count} session{'s' * (one.session_count > 1)}", f"{one.ok_count} ok"]
    if one.failed_count:
        told.append(f"{one.failed_count} failed")
    return ", ".join(told)
