"""
Cache what is computed from tool calls, and update it as the ledger grows.

Commands and fixes are mostly asked for together, and a worker is asked after each message. New
records only add to what is known, and to where sessions end; sessions without news are kept. After
an erase, or after operations were set aside, everything is read anew.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from itertools import chain

from tilth.core.dataclass import dataclass
from tilth.core.scope import Scope, Visibility
from tilth.episodes.tables import Episodes
from tilth.ledger.chain import Head
from tilth.ledger.snapshot import Snapshot
from tilth.practice.command_counts import count_commands
from tilth.practice.fixes import Overcome, overcome_in, replaced
from tilth.practice.model import CommandStats, Fix
from tilth.practice.outputs import is_misused, symptom_key, symptom_of
from tilth.practice.tables import ToolUses
from tilth.practice.tool_uses import Half, Use, by_session, pair_session

# How many of the newest calls and outcomes are read: some forty sessions.
HALVES_READ = 8_000
# How many projects are cached, fewer if they are large: a worker writes the briefs of twenty.
_PROJECTS_MAX = 24
_HALVES_KEPT = 4 * HALVES_READ


@dataclass(frozen=True, slots=True)
class Output:
    """What is read from the output of a failed call."""

    symptom: str
    is_misused: bool


@dataclass(frozen=True, slots=True)
class Failure:
    """
    An overcome failure, its output, and in how many sessions it occurred.

    `kept` caches fixes by failure, until something is read anew.
    """

    overcome: Overcome
    symptom: str
    is_misused: bool
    recurrence: int
    kept: "dict[Failure, Fix | None]" = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class _Session:
    """The halves of a session, the uses made of them, and its overcome failures."""

    halves: Sequence[Half]
    uses: Sequence[Use]
    found: Sequence[Overcome]

    @classmethod
    def of(cls, halves: Sequence[Half]) -> "_Session":
        uses = pair_session(halves)
        return cls(halves, uses, [*overcome_in(uses)])


@dataclass(frozen=True)
class CachedCalls:
    """
    What is computed from tool calls up to *head* of the ledger.

    `newest` are the halves in ledger order, with None for those that an agent handed over.
    """

    head: Head
    newest: Sequence[Half | None]
    sessions: Mapping[int, _Session]
    outputs: Mapping[int, Output]
    fixes: dict[Failure, Fix | None]

    @cached_property
    def uses(self) -> Sequence[Use]:
        """The calls with their outcomes, in ledger order."""
        every = chain.from_iterable(one.uses for one in self.sessions.values())
        return sorted(every, key=lambda use: use.call.episode_no)

    @cached_property
    def found(self) -> Sequence[Overcome]:
        """All overcome failures, by session, in the order in which these began."""
        begun = sorted(
            (one for one in self.sessions.values() if one.found),
            key=lambda one: one.uses[0].call.episode_no,
        )
        return [*chain.from_iterable(one.found for one in begun)]

    @cached_property
    def commands(self) -> Sequence[CommandStats]:
        """All commands, those of most sessions first."""
        others = (one for one in self.found if one.instead)
        return count_commands(self.uses, replaced([one for one in others if self.is_misused(one)]))

    @cached_property
    def failures(self) -> Sequence[Failure]:
        """The overcome failures, newest first, without reasons."""
        same: defaultdict[tuple[Scope, str], set[str]] = defaultdict(set)
        read = ((one, self.outputs.get(failed_no(one))) for one in self.found)
        told = [
            (one, output)
            for one, output in read
            if output is not None and one.is_overcome(output.symptom)
        ]
        for one, output in told:
            if key := symptom_key(output.symptom):
                same[one.failed.call.scope, key].add(one.failed.root)
        return [
            Failure(
                one,
                output.symptom,
                output.is_misused,
                len(same.get((one.failed.call.scope, symptom_key(output.symptom)), ())),
                self.fixes,
            )
            for one, output in reversed(told)
        ]

    def is_misused(self, one: Overcome) -> bool:
        """Say whether a command was refused as such."""
        output = self.outputs.get(failed_no(one))
        return output is not None and output.is_misused


_NOTHING = CachedCalls(Head(0, b""), (), {}, {}, {})
# By visibility, the last requested one at the end.
_known: dict[Visibility, CachedCalls] = {}


def cached_calls(view: Snapshot, within: Visibility) -> CachedCalls:
    """Return what is computed from the newest tool calls visible in *within*."""
    head, known = view.head(), _known.get(within, _NOTHING)
    if known.head != head:
        known = _extended(
            view, within, head, known if _is_extended(view, head, known) else _NOTHING
        )
    _known.pop(within, None)
    _known[within] = known
    _make_room()
    return known


def _is_extended(view: Snapshot, head: Head, known: CachedCalls) -> bool:
    """Say whether the ledger only grew since, by no more than is read anyway."""
    before = known.head
    if not 0 <= head.seq - before.seq <= HALVES_READ:
        return False
    return view.chain_at(before.seq) == before.chain and not view.is_rebuilt_after(before.seq)


def _extended(view: Snapshot, within: Visibility, head: Head, known: CachedCalls) -> CachedCalls:
    uses = ToolUses(view)
    added = uses.newest(within, after=known.head.seq, at_most=HALVES_READ)
    newest = [*_kept(known, uses.sessions_after(known.head.seq)), *added][-HALVES_READ:]
    sessions = {
        number: same
        if (same := known.sessions.get(number)) is not None and same.halves == halves
        else _Session.of(halves)
        for number, halves in by_session([one for one in newest if one is not None]).items()
    }
    found = chain.from_iterable(one.found for one in sessions.values())
    failed = {failed_no(one) for one in found}
    # Another thread may add some meanwhile.
    told = [*known.fixes.items()]
    fixes = {one: fix for one, fix in told if failed_no(one.overcome) in failed}
    return CachedCalls(head, newest, sessions, _outputs(view, within, failed, known), fixes)


def _kept(known: CachedCalls, grown: set[int]) -> Iterable[Half | None]:
    """Yield known halves; in sessions with news, a last call is no longer the last."""
    for half in known.newest:
        is_over = half is not None and half.is_last and half.session_no in grown
        yield half._replace(is_last=False) if half is not None and is_over else half


def _outputs(
    view: Snapshot, within: Visibility, failed: set[int], known: CachedCalls
) -> Mapping[int, Output]:
    """Return what is read from outputs of failed calls; known ones are not read again."""
    outputs = {no: one for no, one in known.outputs.items() if no in failed}
    new = Episodes(view).at(sorted(failed - outputs.keys()), within)
    return outputs | {one.seq: Output(symptom_of(one.text), is_misused(one.text)) for one in new}


def _make_room() -> None:
    """Drop what was requested longest ago, beyond the limits."""
    halves = 0
    for number, (within, one) in enumerate(reversed([*_known.items()]), 1):
        halves += len(one.newest)
        if number > 1 and (number > _PROJECTS_MAX or halves > _HALVES_KEPT):
            _known.pop(within, None)


def failed_no(one: Overcome) -> int:
    """Return the place of the output of a failure, or of the call without one."""
    outcome = one.failed.outcome
    return outcome.episode_no if outcome is not None else one.failed.call.episode_no
