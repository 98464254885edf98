"""What works here: commands with their outcomes, and failures that were overcome."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace

from tilth.core.errors import NotFoundError
from tilth.core.ids import event_id_of
from tilth.core.scope import Scope, Visibility
from tilth.episodes.episode import Episode, EpisodeKind, Role
from tilth.episodes.filters import EpisodeFilter
from tilth.episodes.tables import Episodes
from tilth.ledger.snapshot import Snapshot
from tilth.practice.command_lines import without_chatter
from tilth.practice.counting import counted, most_used
from tilth.practice.fixes import Overcome, overcome, replaced
from tilth.practice.model import LISTED, CommandKind, CommandStats, Fix, FixId
from tilth.practice.outputs import cause_in, is_about, is_misused, symptom_key, symptom_of
from tilth.practice.pairing import uses_of
from tilth.practice.tables import ToolUses

PAGE_MAX = 1000
# So many messages behind a failure are read for the reason that is given, the last one first.
_MESSAGES_READ = 12
_MESSAGES_AFTER_PASS = 8
# A command that was run in one session alone is nobody's habit yet.
_SESSIONS_MIN = 2
_OF_A_KIND = 2
# What these find is put right beside other work, whose reasons are not theirs.
_OF_FORM = frozenset({CommandKind.LINT, CommandKind.TYPES, CommandKind.FORMAT})


def commands_in_sight(view: Snapshot, within: Visibility) -> list[CommandStats]:
    """Return the commands that were run in sight of *within*, that of most sessions first."""
    uses = uses_of(ToolUses(view).halves(within))
    found = [one for one in overcome(uses) if one.instead]
    outputs = _outputs(view, found, within)
    wrong = [one for one in found if is_misused(outputs.get(_failed_no(one), ""))]
    return counted(uses, replaced(wrong))


def working_commands(view: Snapshot, within: Visibility) -> list[CommandStats]:
    """Return the commands that a brief tells: those that work, of several sessions, by kind."""
    known = commands_in_sight(view, within)
    often = [one for one in known if one.session_count >= _SESSIONS_MIN and one.kind in LISTED]
    order = list(CommandKind)
    return sorted(most_used(often, of_a_kind=_OF_A_KIND), key=lambda one: order.index(one.kind))


def fixes_in_sight(view: Snapshot, within: Visibility) -> list[Fix]:
    """Return every failure that was overcome in sight of *within*, the newest first."""
    found = overcome(uses_of(ToolUses(view).halves(within)))
    outputs = _outputs(view, found, within)
    symptoms = {_failed_no(one): symptom_of(outputs.get(_failed_no(one), "")) for one in found}
    seen: defaultdict[tuple[Scope, str], set[str]] = defaultdict(set)
    for one in found:
        if key := symptom_key(symptoms[_failed_no(one)]):
            seen[one.failed.call.scope, key].add(one.failed.root)
    fixes = []
    for one in reversed(found):
        symptom = symptoms[_failed_no(one)]
        roots = seen.get((one.failed.call.scope, symptom_key(symptom)), set())
        if fix := _fix(view, one, symptom, len(roots), within):
            fixes.append(fix)
    return fixes


def telling_fixes(view: Snapshot, within: Visibility, *, limit: int) -> list[Fix]:
    """Return the fixes that a brief tells: those that say why, or that came again."""
    found = [one for one in fixes_in_sight(view, within) if one.is_telling]
    return sorted(found, key=lambda one: -one.recurrence)[:limit]


def find_command(view: Snapshot, line: str, within: Visibility) -> CommandStats:
    """
    Return the command that *line* is a wording of.

    Raises:
        NotFoundError: it was not run in sight of *within*.
    """
    asked = without_chatter(" ".join(line.split()))
    for one in commands_in_sight(view, within):
        if asked == one.line or asked in dict(one.wordings):
            return one
    raise NotFoundError(f"{line[:80]!r} was not run here", hint="see: tilth command list --all")


def find_fix(view: Snapshot, fix_id: FixId, within: Visibility) -> Fix:
    """
    Return one fix.

    Raises:
        NotFoundError: there is none with this ID that may be seen.
    """
    for one in fixes_in_sight(view, within):
        if one.id == fix_id:
            return one
    raise NotFoundError(f"no fix {fix_id!r}", hint="see: tilth fix list --all")


def _failed_no(one: Overcome) -> int:
    outcome = one.failed.outcome
    return outcome.episode_no if outcome is not None else one.failed.call.episode_no


def _passed_no(one: Overcome) -> int:
    return (one.passed.outcome or one.passed.call).episode_no


def _outputs(view: Snapshot, found: Iterable[Overcome], within: Visibility) -> Mapping[int, str]:
    seqs = sorted({_failed_no(one) for one in found})
    return {one.seq: one.text for one in Episodes(view).at(seqs, within)}


def _fix(
    view: Snapshot, one: Overcome, symptom: str, recurrence: int, within: Visibility
) -> Fix | None:
    ends = {
        episode.seq: episode
        for episode in Episodes(view).at([_failed_no(one), _passed_no(one)], within)
    }
    failed, passed = ends.get(_failed_no(one)), ends.get(_passed_no(one))
    if failed is None or passed is None or failed.session_id is None:
        return None
    fix = Fix(
        id=FixId.of(event_id_of(failed.id)),
        scope=failed.scope,
        session_id=failed.session_id,
        line=without_chatter(one.command.line),
        kind=one.command.kind,
        symptom=symptom,
        cause="",
        changed=one.changed,
        ran=[without_chatter(line) for line in one.ran],
        instead=one.instead if is_misused(failed.text) else "",
        recurrence=recurrence,
        failed_at=failed.occurred_at,
        passed_at=passed.occurred_at,
        failed_in=failed.id,
        passed_in=passed.id,
    )
    told = _told(view, failed, passed, within)
    if told is None:
        return fix
    cause = cause_in(told.text)
    is_reason = one.command.kind not in _OF_FORM or is_about(cause, symptom)
    return replace(fix, cause=cause, told_in=told.id) if is_reason else fix


def _told(view: Snapshot, failed: Episode, passed: Episode, within: Visibility) -> Episode | None:
    """Return the last message about a failure that gives a reason, up to soon after the pass."""
    which = EpisodeFilter(
        within=within, session_id=failed.session_id, kinds=frozenset({EpisodeKind.MESSAGE})
    )
    said = Episodes(view).select(which, limit=_MESSAGES_READ, after=failed.seq)
    end = passed.seq + _MESSAGES_AFTER_PASS
    reasons = [
        one for one in said if one.seq <= end and one.role is Role.ASSISTANT and cause_in(one.text)
    ]
    return reasons[-1] if reasons else None
