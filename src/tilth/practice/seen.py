"""
What was made of the calls of tools in sight, kept and brought up to date.

Whoever asks for commands asks for fixes too, and soon again, and a worker is asked after each
message. What is recorded since only adds halves behind those that are known, and ends that a
call was the last of its session; what is known of the sessions that nothing came to stays. An
erase, or setting operations aside, makes every table again, so all of it is read anew.
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
from tilth.practice.counting import counted
from tilth.practice.fixes import Overcome, overcome_in, replaced
from tilth.practice.model import CommandStats, Fix
from tilth.practice.outputs import is_misused, symptom_key, symptom_of
from tilth.practice.pairing import Half, Use, by_session, paired
from tilth.practice.tables import ToolUses

# So many of the newest calls and outcomes tell what works: those of some forty sessions.
HALVES_READ = 8_000
# A few projects are remembered, or many that have little: a worker writes the briefs of twenty.
_PROJECTS_MAX = 24
_HALVES_KEPT = 4 * HALVES_READ


@dataclass(frozen=True, slots=True)
class Output:
    """What the output of a failed call tells."""

    symptom: str
    is_misused: bool


@dataclass(frozen=True, slots=True)
class Failure:
    """
    A failure that was overcome, what it told, and in how many sessions the same was.

    `kept` is what fixes are kept in, by their failures, as long as nothing is read anew.
    """

    overcome: Overcome
    symptom: str
    is_misused: bool
    recurrence: int
    kept: "dict[Failure, Fix | None]" = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class _Session:
    """The halves of a session, what they are together, and what was overcome there."""

    halves: Sequence[Half]
    uses: Sequence[Use]
    found: Sequence[Overcome]

    @classmethod
    def of(cls, halves: Sequence[Half]) -> "_Session":
        uses = paired(halves)
        return cls(halves, uses, [*overcome_in(uses)])


@dataclass(frozen=True)
class Seen:
    """
    What was made of the calls of tools when the ledger ended with *head*.

    `newest` are the halves in ledger order, with None for what an agent handed over.
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
        """Every failure that was overcome, session by session as each began."""
        begun = sorted(
            (one for one in self.sessions.values() if one.found),
            key=lambda one: one.uses[0].call.episode_no,
        )
        return [*chain.from_iterable(one.found for one in begun)]

    @cached_property
    def commands(self) -> Sequence[CommandStats]:
        """Every command, that of most sessions first."""
        others = (one for one in self.found if one.instead)
        return counted(self.uses, replaced([one for one in others if self.is_misused(one)]))

    @cached_property
    def failures(self) -> Sequence[Failure]:
        """The failures that were overcome, the newest first; why is not read yet."""
        same: defaultdict[tuple[Scope, str], set[str]] = defaultdict(set)
        told = [
            (one, self.outputs[no]) for one in self.found if (no := failed_no(one)) in self.outputs
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


_NOTHING = Seen(Head(0, b""), (), {}, {}, {})
# By what may be seen, what was asked for last behind the others.
_known: dict[Visibility, Seen] = {}


def seen_in(view: Snapshot, within: Visibility) -> Seen:
    """Return what is to be made of the newest calls of tools in sight of *within*."""
    head, known = view.head(), _known.get(within, _NOTHING)
    if known.head != head:
        known = _grown(view, within, head, known if _goes_on(view, head, known) else _NOTHING)
    _known.pop(within, None)
    _known[within] = known
    _make_room()
    return known


def _goes_on(view: Snapshot, head: Head, known: Seen) -> bool:
    """Say whether the ledger only grew since, and not by more than what is read anyway."""
    before = known.head
    if not 0 <= head.seq - before.seq <= HALVES_READ:
        return False
    return view.chain_at(before.seq) == before.chain and not view.is_remade_after(before.seq)


def _grown(view: Snapshot, within: Visibility, head: Head, known: Seen) -> Seen:
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
    # Whoever else asks meanwhile may add some.
    told = [*known.fixes.items()]
    fixes = {one: fix for one, fix in told if failed_no(one.overcome) in failed}
    return Seen(head, newest, sessions, _outputs(view, within, failed, known), fixes)


def _kept(known: Seen, grown: set[int]) -> Iterable[Half | None]:
    """Yield what is known; where more came to its session, a call is the last there no more."""
    for half in known.newest:
        is_over = half is not None and half.is_last and half.session_no in grown
        yield half._replace(is_last=False) if half is not None and is_over else half


def _outputs(
    view: Snapshot, within: Visibility, failed: set[int], known: Seen
) -> Mapping[int, Output]:
    """Return what the outputs of failed calls tell; those that are known are not read again."""
    outputs = {no: one for no, one in known.outputs.items() if no in failed}
    new = Episodes(view).at(sorted(failed - outputs.keys()), within)
    return outputs | {one.seq: Output(symptom_of(one.text), is_misused(one.text)) for one in new}


def _make_room() -> None:
    """Forget what was asked for longest ago, beyond some projects and their halves."""
    halves = 0
    for number, (within, one) in enumerate(reversed([*_known.items()]), 1):
        halves += len(one.newest)
        if number > 1 and (number > _PROJECTS_MAX or halves > _HALVES_KEPT):
            _known.pop(within, None)


def failed_no(one: Overcome) -> int:
    """Return the place of the output that tells of a failure, or of the call that has none."""
    outcome = one.failed.outcome
    return outcome.episode_no if outcome is not None else one.failed.call.episode_no
