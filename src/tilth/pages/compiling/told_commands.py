"""
Commands that sessions tell and no tool was seen to run.

Some hosts record no calls, and some people run everything themselves. What several sessions write
as a command line, in a shell's block or as code in a line, is how the project is run all the same;
nobody saw it come through, and whoever tells it says so.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import field

from tilth.core.dataclass import dataclass
from tilth.core.ids import EpisodeId, without_agent
from tilth.core.scope import Visibility
from tilth.episodes.episode import EpisodeKind, Role
from tilth.episodes.filters import EpisodeFilter
from tilth.episodes.tables import Episodes
from tilth.ledger.snapshot import Snapshot
from tilth.practice.asked import is_refused
from tilth.practice.command_lines import commands_in, without_chatter
from tilth.practice.model import CommandKind
from tilth.practice.practice import refused_here

# The newest so many messages are read, and so much of each.
_MESSAGES_READ, _CHARS_READ = 1_000, 20_000
# What one session alone tells may be a suggestion.
_SESSIONS_MIN = 2
# What a newcomer needs; the rest is habit, and habits are seen.
_NEEDED = frozenset(
    {
        CommandKind.SETUP,
        CommandKind.BUILD,
        CommandKind.RUN,
        CommandKind.TEST,
        CommandKind.DEPLOY,
    }
)
_BLOCK = re.compile(
    r"^[ \t]*```(?P<lang>\w*)[^\n]*\n(?P<text>.*?)^[ \t]*```", re.MULTILINE | re.DOTALL
)
_SHELL = frozenset({"", "sh", "bash", "shell", "zsh", "console", "terminal"})
_INLINE = re.compile(r"`(?P<text>[^`\n]{5,160})`")
_PROMPT = re.compile(r"^[^\n$%\u276f\u279c#]{0,60}[$%\u276f\u279c] (?=\S)")
_COMMENT = re.compile(r"\s+#.*$")
# A runner that is not told what to run.
_IS_BARE = re.compile(r"(?:go|uv|poetry|npm|pnpm|yarn|bun|deno|mise|docker|hatch) (?:run|exec)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldCommand:
    """A command line, in how many sessions it was told, and where it was told last."""

    kind: CommandKind
    line: str
    session_count: int
    told_in: EpisodeId


@dataclass(slots=True)
class _Told:
    """What was said of one command; messages are read the newest first."""

    kind: CommandKind
    told_in: EpisodeId
    sessions: set[str] = field(default_factory=set)
    wordings: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def add(self, line: str, session: str) -> None:
        self.sessions.add(session)
        self.wordings[line].add(session)

    @property
    def line(self) -> str:
        """The wording of most sessions, and of those the shortest."""
        return min(self.wordings, key=lambda line: (-len(self.wordings[line]), len(line), line))


def told_commands(
    view: Snapshot, within: Visibility, *, without: frozenset[CommandKind]
) -> list[ToldCommand]:
    """
    Return the command of each kind that most sessions told, in the order of the kinds.

    Args:
        view: Where it is read.
        within: Whose sessions.
        without: The kinds of which nothing is wanted, since runs of them were seen.
    """
    which = EpisodeFilter(within=within, kinds=frozenset({EpisodeKind.MESSAGE}))
    said = Episodes(view).select(which, limit=_MESSAGES_READ, newest_first=True)
    refused, wanted = refused_here(view, within), _NEEDED - without
    found: dict[str, _Told] = {}
    for one in said:
        if one.role is Role.TOOL or one.session_id is None:
            continue
        for key, kind, line in _lines(one.text[:_CHARS_READ]):
            if kind in wanted and not (_IS_BARE.match(line) or is_refused(line, refused)):
                told = found.setdefault(key, _Told(kind, one.id))
                told.add(line, without_agent(one.session_id))
    return _most_told(list(found.values()))


def _most_told(found: Sequence[_Told]) -> list[ToldCommand]:
    by_kind: defaultdict[CommandKind, list[_Told]] = defaultdict(list)
    for one in found:
        if len(one.sessions) >= _SESSIONS_MIN:
            by_kind[one.kind].append(one)
    # Of two that as many tell, the one that was told last comes first.
    most = [
        max(by_kind[kind], key=lambda one: len(one.sessions))
        for kind in CommandKind
        if by_kind[kind]
    ]
    return [
        ToldCommand(
            kind=one.kind, line=one.line, session_count=len(one.sessions), told_in=one.told_in
        )
        for one in most
    ]


def _lines(text: str) -> Iterator[tuple[str, CommandKind, str]]:
    """Yield the commands that a message writes: by what each is known, its kind and its line."""
    lines = [
        _COMMENT.sub("", _PROMPT.sub("", line.strip()))
        for block in _BLOCK.finditer(text)
        if block["lang"].lower() in _SHELL
        for line in block["text"].split("\n")
    ]
    # A program's name alone is no command line.
    lines += [one["text"] for one in _INLINE.finditer(_BLOCK.sub("", text)) if " " in one["text"]]
    for line in lines:
        for command in commands_in(line):
            yield command.key, command.kind, without_chatter(command.line)
