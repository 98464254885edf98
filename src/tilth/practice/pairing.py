"""
From calls and outcomes to uses: which outcome is of which call.

Hosts that name their calls name their outcomes alike. Elsewhere an outcome is of the
last call that has none. A run that goes on in the background ends with the outcome of
the call that asked after it. What a session repeats of the one that it was forked from
happened there, and once (I24).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import chain
from typing import NamedTuple

from tilth.core.ids import SessionId, without_agent
from tilth.core.instant import from_micros
from tilth.core.scope import Scope
from tilth.practice.command_lines import Command, commands_in
from tilth.practice.model import RunResult

# Hosts draw the names of calls at random, or count calls: a count names none but its session's.
_DRAWN_CHARS_MIN = 16


class Half(NamedTuple):
    """A tool's call (no verdict), or what came of one; thousands are read at once."""

    episode_no: int
    handle: str
    tool: str
    about: str
    is_edit: bool
    run: str
    verdict: RunResult | None
    looks: RunResult
    session_no: int
    at_us: int
    scope: Scope
    session_id: SessionId
    is_last: bool
    is_imported: bool = False

    @property
    def at(self) -> datetime:
        """When it happened."""
        return from_micros(self.at_us)


class Use(NamedTuple):
    """A call and its outcome, if there is one."""

    call: Half
    outcome: Half | None = None

    @property
    def root(self) -> str:
        """The session that it belongs to; what a subagent did is its session's."""
        return without_agent(self.call.session_id)

    def commands(self) -> Iterator[tuple[Command, RunResult]]:
        """Yield the commands of its line, and how each ended."""
        if self.call.is_edit:
            return
        found = commands_in(self.call.about)
        for one in found:
            yield one, self._verdict(one, is_only=len(found) == 1)

    def _verdict(self, command: Command, *, is_only: bool) -> RunResult:
        outcome = self.outcome
        if self.call.looks is RunResult.FAILED:
            return RunResult.UNKNOWN
        if outcome is None:
            # A host that names its calls tells of each that failed; silence is success.
            is_silent = bool(self.call.handle) and not self.call.is_last
            return RunResult.OK if is_silent and not command.is_hidden else RunResult.UNKNOWN
        told = outcome.verdict or RunResult.UNKNOWN
        if told is RunResult.FAILED and not is_only:
            return RunResult.UNKNOWN
        if told is RunResult.OK and command.is_hidden:
            return outcome.looks
        return told


def uses_of(halves: Iterable[Half]) -> list[Use]:
    """Return every call with its outcome; both are in ledger order."""
    uses = chain.from_iterable(map(paired, by_session([*halves]).values()))
    return sorted(uses, key=_place)


def by_session(halves: Sequence[Half]) -> Mapping[int, Sequence[Half]]:
    """Return halves in ledger order by their session, without calls that another told before."""
    if len({half.session_no for half in halves}) == 1:
        return {halves[0].session_no: halves}
    first: dict[str, int] = {}
    told: dict[int, list[Half]] = {}
    for half in halves:
        number = half.session_no
        is_drawn = half.verdict is None and len(half.handle) >= _DRAWN_CHARS_MIN
        if is_drawn and first.setdefault(half.handle, number) != number:
            continue
        told.setdefault(number, []).append(half)
    return told


def paired(halves: Iterable[Half]) -> list[Use]:
    """Return the calls of one session with their outcomes, in ledger order."""
    pairing = _Pairing()
    for half in halves:
        if half.verdict is None:
            pairing.call(half)
        else:
            pairing.outcome(half)
    return pairing.uses


def _place(use: Use) -> int:
    return use.call.episode_no


class _Pairing:
    """Which calls of a session have no outcome yet."""

    def __init__(self) -> None:
        self.uses: list[Use] = []
        self._by_name: dict[str, int] = {}
        self._unnamed: list[int] = []
        self._running: dict[str, int] = {}

    def call(self, half: Half) -> None:
        """Note a call."""
        place = len(self.uses)
        self.uses.append(Use(half))
        if half.handle:
            self._by_name[half.handle] = place
        else:
            self._unnamed.append(place)

    def outcome(self, half: Half) -> None:
        """Give an outcome to the call that it is of."""
        place = self._place_of(half)
        if place is None:
            return
        use = self.uses[place] = Use(self.uses[place].call, half)
        if half.run:
            self._running[half.run] = place
        elif use.call.run:
            began = self._running.pop(use.call.run, None)
            if began is not None:
                self.uses[began] = Use(self.uses[began].call, half)

    def _place_of(self, half: Half) -> int | None:
        if half.handle:
            return self._by_name.pop(half.handle, None)
        return self._unnamed.pop() if self._unnamed else None
