"""
Find commands that sessions mention and no tool was seen to run.

Some hosts record no calls, and some people run everything themselves. A command line that several
sessions write, in a shell block or as inline code, is still how the project is run. The page says
that nobody saw it succeed.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import field

from tilth.core.dataclass import dataclass
from tilth.core.ids import EpisodeId, parent_session
from tilth.core.scope import Visibility
from tilth.episodes.episode import EpisodeKind, Role
from tilth.episodes.filters import EpisodeFilter
from tilth.episodes.tables import Episodes
from tilth.ledger.snapshot import Snapshot
from tilth.practice.command_lines import commands_in, without_chatter
from tilth.practice.command_requests import is_refused
from tilth.practice.model import CommandKind
from tilth.practice.practice import refused_here

# How many of the newest messages are read, and how many characters of each.
_MESSAGES_READ, _CHARS_READ = 1_000, 20_000
# A command in a single session may be only a suggestion.
_SESSIONS_MIN = 2
# Kinds that a newcomer needs; other commands are habits, and tools record those.
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
# A runner without anything to run.
_IS_BARE = re.compile(r"(?:go|uv|poetry|npm|pnpm|yarn|bun|deno|mise|docker|hatch) (?:run|exec)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class MentionedCommand:
    """A command line, the number of sessions that mention it, and the last mention."""

    kind: CommandKind
    line: str
    session_count: int
    told_in: EpisodeId


@dataclass(slots=True)
class _Mentions:
    """The mentions of one command; messages are read newest first."""

    kind: CommandKind
    told_in: EpisodeId
    sessions: set[str] = field(default_factory=set)
    wordings: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def add(self, line: str, session: str) -> None:
        self.sessions.add(session)
        self.wordings[line].add(session)

    @property
    def line(self) -> str:
        """The most common wording; of equally common ones the shortest."""
        return min(self.wordings, key=lambda line: (-len(self.wordings[line]), len(line), line))


def mentioned_commands(
    view: Snapshot, within: Visibility, *, without: frozenset[CommandKind]
) -> list[MentionedCommand]:
    """
    Return the most mentioned command of each kind, in the order of kinds.

    Args:
        view: The snapshot that is read.
        within: The owner and scopes that may be read.
        without: Kinds to leave out, since their runs were recorded.
    """
    which = EpisodeFilter(within=within, kinds=frozenset({EpisodeKind.MESSAGE}))
    said = Episodes(view).select(which, limit=_MESSAGES_READ, newest_first=True)
    refused, wanted = refused_here(view, within), _NEEDED - without
    found: dict[str, _Mentions] = {}
    for one in said:
        if one.role is Role.TOOL or one.session_id is None:
            continue
        for key, kind, line in _lines(one.text[:_CHARS_READ]):
            if kind in wanted and not (_IS_BARE.match(line) or is_refused(line, refused)):
                mentions = found.setdefault(key, _Mentions(kind, one.id))
                mentions.add(line, parent_session(one.session_id))
    return _most_mentioned(list(found.values()))


def _most_mentioned(found: Sequence[_Mentions]) -> list[MentionedCommand]:
    by_kind: defaultdict[CommandKind, list[_Mentions]] = defaultdict(list)
    for one in found:
        if len(one.sessions) >= _SESSIONS_MIN:
            by_kind[one.kind].append(one)
    # Of two mentioned equally often, the one mentioned last comes first.
    most = [
        max(by_kind[kind], key=lambda one: len(one.sessions))
        for kind in CommandKind
        if by_kind[kind]
    ]
    return [
        MentionedCommand(
            kind=one.kind, line=one.line, session_count=len(one.sessions), told_in=one.told_in
        )
        for one in most
    ]


def _lines(text: str) -> Iterator[tuple[str, CommandKind, str]]:
    """Yield the commands that a message writes: each with its key, its kind and its line."""
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
