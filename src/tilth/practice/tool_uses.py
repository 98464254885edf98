"""
Pair calls of tools with their outcomes.

Hosts that give calls an ID repeat it in the outcome. Otherwise an outcome belongs to the last call
without one. A run in the background ends with the outcome of the call that asked about it. Calls
that a forked session repeats belong to the original, and count once (I24).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import chain
from typing import NamedTuple

from tilth.core.ids import SessionId, parent_session
from tilth.core.instant import from_micros
from tilth.core.scope import Scope
from tilth.practice.command_lines import Command, commands_in
from tilth.practice.model import RunResult

# In characters. Hosts draw call IDs at random or count calls; a short count is unique in its
# session only.
_DRAWN_CHARS_MIN = 16


class Half(NamedTuple):
    """A tool call (without a verdict) or its outcome; a tuple, since thousands are read at once."""

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
    """A call with its outcome, if there is one."""

    call: Half
    outcome: Half | None = None

    @property
    def root(self) -> str:
        """The session that it belongs to; a subagent's belongs to its parent."""
        return parent_session(self.call.session_id)

    def commands(self) -> Iterator[tuple[Command, RunResult]]:
        """Yield the commands of its line, with how each ended."""
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
            # A host that gives calls an ID reports each failure, so silence is success.
            is_silent = bool(self.call.handle) and not self.call.is_last
            return RunResult.OK if is_silent and not command.is_hidden else RunResult.UNKNOWN
        told = outcome.verdict or RunResult.UNKNOWN
        if told is RunResult.FAILED and not is_only:
            return RunResult.UNKNOWN
        if told is RunResult.OK and command.is_hidden:
            return outcome.looks
        return told


def uses_of(halves: Iterable[Half]) -> list[Use]:
    """Return all calls with their outcomes, in ledger order."""
    uses = chain.from_iterable(map(pair_session, by_session([*halves]).values()))
    return sorted(uses, key=lambda use: use.call.episode_no)


def by_session(halves: Sequence[Half]) -> Mapping[int, Sequence[Half]]:
    """Return halves by session, in ledger order, without calls that an earlier session has."""
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


def pair_session(halves: Iterable[Half]) -> list[Use]:
    """Return the calls of one session with their outcomes, in ledger order."""
    pairing = _Pairing()
    for half in halves:
        if half.verdict is None:
            pairing.call(half)
        else:
            pairing.outcome(half)
    return pairing.uses


class _Pairing:
    """The calls of a session that have no outcome yet."""

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
        """Add an outcome to its call."""
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
