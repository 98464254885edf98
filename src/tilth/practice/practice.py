"""Read what works in a project: commands with outcomes, and failures that were overcome."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import islice

from tilth.core.errors import NotFoundError
from tilth.core.ids import event_id_of
from tilth.core.scope import Scope, Visibility
from tilth.core.text.pattern import pattern
from tilth.episodes.episode import Episode, EpisodeKind, Role
from tilth.episodes.filters import EpisodeFilter
from tilth.episodes.tables import Episodes
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.life import Grade
from tilth.knowledge.facts.tables import Facts
from tilth.ledger.records import find_place
from tilth.ledger.snapshot import Snapshot
from tilth.practice.call_cache import Failure, cached_calls, failed_no
from tilth.practice.command_counts import most_used
from tilth.practice.command_lines import Command, without_chatter
from tilth.practice.command_requests import is_asked, is_refused, kinds_asked, refused_in
from tilth.practice.fixes import Overcome
from tilth.practice.model import LISTED, CommandKind, CommandStats, Fix, FixId, RunResult
from tilth.practice.outputs import (
    cause_in,
    explains,
    is_about,
    symptom_key,
    without_place,
)
from tilth.practice.tool_uses import Use

PAGE_MAX = 1000
# How many fixes are read for each one shown, since some are the same.
_READ_FOR_ONE = 4
# How many messages after a failure are searched for its reason, the last one first.
_MESSAGES_READ = 12
_MESSAGES_AFTER_PASS = 8
# In how many sessions a command must run to be a habit; without a habit of its purpose, one that
# runs everything counts if it succeeded often.
_SESSIONS_MIN = 2
_CAME_THROUGH_MIN = 3
_OF_A_KIND = 2
_NAME = pattern(r"[\w-]+")
# Findings of these are fixed along with other work, whose reasons are not theirs.
_OF_FORM = frozenset({CommandKind.LINT, CommandKind.TYPES, CommandKind.FORMAT})


def uses_in_sight(view: Snapshot, within: Visibility) -> Sequence[Use]:
    """Return the newest uses of tools visible in *within*, in ledger order."""
    return cached_calls(view, within).uses


def commands_in_sight(view: Snapshot, within: Visibility) -> Sequence[CommandStats]:
    """Return the commands run in *within*, those of most sessions first."""
    return cached_calls(view, within).commands


def working_commands(view: Snapshot, within: Visibility) -> list[CommandStats]:
    """
    Return the commands for a brief: those that work, by purpose.

    They were run in several sessions or, if there is none for a purpose, again and again in one.
    Commands that somebody asks not to use are left out, however often they succeeded.
    """
    listed = (one for one in commands_in_sight(view, within) if one.kind in LISTED)
    known = [one for one in listed if _is_habit(one) or _is_proven(one)]
    allowed = _not_refused(view, known, within)
    habits = most_used(filter(_is_habit, allowed), of_a_kind=_OF_A_KIND)
    met = {one.kind for one in habits}
    habits += most_used((one for one in allowed if one.kind not in met), of_a_kind=1)
    order = list(CommandKind)
    return sorted(habits, key=lambda one: order.index(one.kind))


def commands_asked(
    view: Snapshot, terms: Sequence[str], within: Visibility, *, limit: int
) -> list[CommandStats]:
    """Return working commands that a question of *terms* asks for, of most sessions first."""
    kinds = kinds_asked(terms)
    if not kinds:
        return []
    asked = [
        one
        for one in commands_in_sight(view, within)
        if one.kind in kinds and one.works and _is_habit(one) and is_asked(terms, one)
    ]
    return _not_refused(view, asked, within)[:limit]


def _is_habit(one: CommandStats) -> bool:
    return one.session_count >= _SESSIONS_MIN


def _is_proven(one: CommandStats) -> bool:
    """Say whether a command runs everything, and succeeded often."""
    return bool(one.all_of_it) and one.works and one.ok_count >= _CAME_THROUGH_MIN


def _not_refused(
    view: Snapshot, known: Sequence[CommandStats], within: Visibility
) -> list[CommandStats]:
    """Return those of *known* that nobody asks not to use."""
    refused = refused_here(view, within) if known else ()
    return [one for one in known if not is_refused(one.line, refused)]


def refused_here(view: Snapshot, within: Visibility) -> list[tuple[str, ...]]:
    """Return the first words of commands that somebody asks not to use."""
    stated = Facts(view).select(FactFilter(within=within, has_channel=True), limit=PAGE_MAX)
    relied_on = [one for one in stated if one.grade is not Grade.CANDIDATE]
    return [words for one in relied_on for words in refused_in(one.said.text)]


def fixes_in_sight(view: Snapshot, within: Visibility) -> Iterator[Fix]:
    """Yield the overcome failures visible in *within*, newest first."""
    for one in cached_calls(view, within).failures:
        if fix := _fix(view, one, within):
            yield fix


def fixes_told_once(view: Snapshot, within: Visibility) -> Iterator[Fix]:
    """
    Yield overcome failures without repetitions, the last to come up first.

    Of failures with the same symptom, the last one with a reason or remedy is kept.
    """
    same: defaultdict[tuple[Scope, str], list[Failure]] = defaultdict(list)
    for one in cached_calls(view, within).failures:
        what = symptom_key(one.symptom) or f"{failed_no(one.overcome)}"
        same[one.overcome.failed.call.scope, what].append(one)
    for some in same.values():
        fixes = [fix for one in some[:_READ_FOR_ONE] if (fix := _fix(view, one, within))]
        if fixes:
            yield next((fix for fix in fixes if fix.says_what_helped), fixes[0])


def telling_fixes(view: Snapshot, within: Visibility, *, limit: int) -> list[Fix]:
    """
    Return the fixes for a brief: those with a lasting reason, or that recurred.

    A fault of what was changed is over with the change; a description of how something is lasts.
    Repetitions are left out, as in `fixes_told_once`.
    """
    often = sorted(cached_calls(view, within).failures, key=lambda one: -one.recurrence)
    fixes = (fix for one in often if (fix := _fix(view, one, within)))
    told: dict[tuple[str, str], Fix] = {}
    for fix in islice((fix for fix in fixes if _lasts(fix)), limit * _READ_FOR_ONE):
        what = (fix.line, symptom_key(fix.symptom) or fix.symptom)
        known = told.setdefault(what, fix)
        if fix.says_what_helped and not known.says_what_helped:
            told[what] = fix
    return [_of_many(fix) for fix in list(told.values())[:limit]]


def _of_many(fix: Fix) -> Fix:
    """Return a fix; a checker's recurring finding without its place and former reason."""
    if fix.recurrence == 1 or fix.kind not in _OF_FORM or fix.instead:
        return fix
    return replace(fix, symptom=without_place(fix.symptom), cause="", changed=())


def came_through(
    view: Snapshot, within: Visibility, named: Sequence[str], *, after: datetime
) -> bool:
    """Say whether the last run of one of *named*, a command or a test, succeeded."""
    last: dict[str, RunResult] = {}
    later = (use for use in cached_calls(view, within).uses if use.call.at > after) if named else ()
    for command, verdict in (run for use in later for run in use.commands()):
        if verdict is not RunResult.UNKNOWN:
            last |= {one: verdict for one in named if _is_run(one, command)}
    return RunResult.OK in last.values()


def _is_run(named: str, command: Command) -> bool:
    """Say whether a command is the *named* one, or selects that test or file."""
    line = without_chatter(command.line)
    return named == line or named in {word.strip("\"'") for word in line.split()}


def _lasts(fix: Fix) -> bool:
    """Say whether a failure may recur: the command was wrong, or its reason still holds."""
    is_so = explains(fix.cause) and not _names_changed(fix)
    return fix.is_telling and bool(fix.instead or fix.recurrence > 1 or is_so)


def _names_changed(fix: Fix) -> bool:
    """Say whether the reason names a changed file, and so is over with the change."""
    stems = (one.rpartition("/")[2].split(".")[0].casefold() for one in fix.files)
    words = set(_NAME.findall(fix.cause.casefold()))
    return any(stem in words for stem in stems)


def find_command(view: Snapshot, line: str, within: Visibility) -> CommandStats:
    """
    Return the command of which *line* is a wording, or what is shown of all its wordings.

    Raises:
        NotFoundError: it was not run in *within*.
    """
    words = " ".join(line.split())
    asked, known = without_chatter(words), commands_in_sight(view, within)
    for one in known:
        if asked == one.line or asked in dict(one.wordings):
            return one
    for one in known:
        if _without_rest(words) in map(_without_rest, (one.shown, one.common)):
            return one
    raise NotFoundError(f"{line[:80]!r} was not run here", hint="see: tilth command list --all")


def _without_rest(shown: str) -> str:
    """Return what is shown of a command without the mark for what varies."""
    return shown.removesuffix("…").rstrip()


def find_fix(view: Snapshot, fix_id: FixId, within: Visibility) -> Fix:
    """
    Return one fix.

    Raises:
        NotFoundError: there is none with this ID that may be seen.
    """
    number = find_place(view.conn, fix_id)
    for one in cached_calls(view, within).failures:
        if failed_no(one.overcome) == number and (fix := _fix(view, one, within)):
            return fix
    raise NotFoundError(f"no fix {fix_id!r}", hint="see: tilth fix list --all")


def _passed_no(one: Overcome) -> int:
    return (one.passed.outcome or one.passed.call).episode_no


def _fix(view: Snapshot, failure: Failure, within: Visibility) -> Fix | None:
    """Return a failure with its reason; None if an episode of it is not visible any more."""
    if failure in failure.kept:
        return failure.kept[failure]
    fix = _read_fix(view, failure, within)
    # Until then somebody may still give the reason.
    if view.head().seq >= _passed_no(failure.overcome) + _MESSAGES_AFTER_PASS:
        failure.kept[failure] = fix
    return fix


def _read_fix(view: Snapshot, failure: Failure, within: Visibility) -> Fix | None:
    one, symptom = failure.overcome, failure.symptom
    seqs = [failed_no(one), _passed_no(one)]
    ends = {episode.seq: episode for episode in Episodes(view).at(seqs, within)}
    failed, passed = (ends.get(seq) for seq in seqs)
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
        ran=one.helped(symptom),
        instead=one.instead if failure.is_misused else "",
        recurrence=failure.recurrence,
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
    """Return the last message with a reason for a failure, up to soon after the success."""
    which = EpisodeFilter(
        within=within, session_id=failed.session_id, kinds=frozenset({EpisodeKind.MESSAGE})
    )
    end = passed.seq + _MESSAGES_AFTER_PASS
    said = Episodes(view).select(which, limit=_MESSAGES_READ, after=failed.seq, until=end)
    reasons = [one for one in said if one.role is Role.ASSISTANT and cause_in(one.text)]
    return reasons[-1] if reasons else None
