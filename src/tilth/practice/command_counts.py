"""Count the commands of a project over its sessions, with their outcomes."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import field
from datetime import datetime

from tilth.core.dataclass import dataclass
from tilth.core.ids import SessionId
from tilth.core.scope import Scope
from tilth.practice.command_lines import (
    ON_FILES,
    Command,
    is_whole,
    unpicked,
    without_chatter,
)
from tilth.practice.model import CommandKind, CommandStats, RunResult
from tilth.practice.tool_uses import Use

# How many wordings of a command are listed, those of most sessions.
WORDINGS_TOLD = 5


@dataclass(slots=True)
class _Count:
    kind: CommandKind
    scope: Scope
    first_at: datetime
    last_at: datetime
    verdicts: Counter[RunResult] = field(default_factory=Counter)
    sessions: dict[str, None] = field(default_factory=dict)
    wordings: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    passed: set[str] = field(default_factory=set)
    is_seen: bool = False
    # The last call with each wording, by its place.
    places: dict[str, int] = field(default_factory=dict)

    def add(self, use: Use, line: str, verdict: RunResult) -> None:
        self.verdicts[verdict] += 1
        self.sessions[use.root] = None
        self.is_seen = self.is_seen or not use.call.is_imported
        self.wordings[line].add(use.root)
        self.places[line] = use.call.episode_no
        if verdict is RunResult.OK:
            self.passed.add(line)
        self.last_at = max(self.last_at, use.call.at)

    def wording(self) -> str:
        """
        Return the wording that runs everything, or else the one of most sessions.

        Successful ones are preferred.
        """
        among = self.passed or self.wordings.keys()
        # A wording with one file or test in it is of no use to others.
        is_picky = self.kind in ON_FILES
        return min(
            among,
            key=lambda line: (
                is_picky and not is_whole(line),
                -len(self.wordings[line]),
                len(line),
                line,
            ),
        )


def count_commands(
    uses: Iterable[Use], instead: dict[tuple[Scope, str], str]
) -> list[CommandStats]:
    """
    Count the commands of *uses*, those of most sessions first.

    Args:
        uses: Calls with their outcomes, in ledger order.
        instead: What succeeded in place of a command that never did, by scope and key.
    """
    counts: dict[tuple[Scope, str], _Count] = {}
    for use in uses:
        for command, verdict in use.commands():
            count = _count_of(counts, use, command)
            count.add(use, without_chatter(command.line), verdict)
    found = [_stats(key, one, instead.get(key, "")) for key, one in counts.items()]
    return sorted(found, key=lambda one: (-one.session_count, -one.ok_count, one.line))


def _count_of(counts: dict[tuple[Scope, str], _Count], use: Use, command: Command) -> _Count:
    at, place = use.call.at, (use.call.scope, command.key)
    if place not in counts:
        counts[place] = _Count(command.kind, use.call.scope, at, at)
    return counts[place]


def _stats(place: tuple[Scope, str], one: _Count, instead: str) -> CommandStats:
    shared = place[1].partition(":")[2]
    ranked = sorted(one.wordings.items(), key=lambda item: (-len(item[1]), item[0]))
    return CommandStats(
        line=one.wording(),
        common=shared if len(one.wordings) == 1 or shared.endswith("…") else f"{shared} …",
        kind=one.kind,
        scope=place[0],
        session_count=len(one.sessions),
        ok_count=one.verdicts[RunResult.OK],
        failed_count=one.verdicts[RunResult.FAILED],
        unknown_count=one.verdicts[RunResult.UNKNOWN],
        first_at=one.first_at,
        last_at=one.last_at,
        wordings=[(line, len(roots)) for line, roots in ranked[:WORDINGS_TOLD]],
        instead="" if one.verdicts[RunResult.OK] else instead,
        is_imported=not one.is_seen,
        session_ids=[SessionId(root) for root in one.sessions],
        called_at=one.places[one.wording()],
        all_of_it=_all_of_it(one),
    )


def _all_of_it(one: _Count) -> str:
    """Return a wording that runs more than one test; empty if all select files."""
    line = unpicked(one.wording())
    is_told = line != one.wording() or is_whole(line)
    return line if one.kind in ON_FILES and is_told else ""


def most_used(stats: Iterable[CommandStats], *, of_a_kind: int) -> list[CommandStats]:
    """Return the commands that work, with a limit for each purpose."""
    found: Counter[CommandKind] = Counter()
    kept = []
    for one in stats:
        if one.works and found[one.kind] < of_a_kind:
            found[one.kind] += 1
            kept.append(one)
    return kept
