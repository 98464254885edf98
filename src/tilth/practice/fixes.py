"""
Find failures that were overcome: a command failed, something was changed, it succeeded.

Only what one session's record shows counts, in this order. The same command has the same key and
selects the same tests, or all. A failure that went away by itself does not count, nor does a test
that failed before its code was written.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import field
from itertools import filterfalse

from tilth.core.dataclass import dataclass
from tilth.core.scope import Scope
from tilth.core.text.pattern import pattern
from tilth.practice.command_lines import (
    Command,
    invocations,
    is_of_one_run,
    key_of,
    without_chatter,
)
from tilth.practice.model import RunResult
from tilth.practice.tool_uses import Use

# The most calls between a failure and the success that ends it.
USES_BETWEEN_MAX = 60
# The most calls after which another command replaces one that was refused as such.
_REPLACED_WITHIN = 6
CHANGED_TOLD = 4
# A conflict is no failure of procedure.
_JOINS = frozenset({"ship:git merge", "ship:git rebase", "ship:git cherry-pick"})
# Who signs in names himself, so only the act is told.
_SIGNS_IN = pattern(
    r"(?:ssh-add|kinit|(?:aws sso|gcloud auth|gh auth|glab auth|az|docker|podman|npm|pnpm|yarn|fly"
    r"|flyctl|heroku|vercel|netlify|firebase|wrangler|tsh|vault|op|doppler|cargo|terraform|bw|oc"
    r"|tailscale|helm registry|skopeo|huggingface-cli) (?:login|signin|application-default login"
    r"|configure-docker|refresh)|aws configure|gcloud config set|kubectl config use-context)\b"
)
# What sets up what a command needs: it is told whole, unless only one run needed it so.
_SETS_UP = pattern(
    r"(?:(?:npm|pnpm|yarn|bun|(?:uv )?pip3?|python3? -m pip|poetry|uv|composer|cargo|go|gem|brew"
    r"|apt|apt-get|dnf|apk|mise|asdf|rustup|corepack|nvm|pyenv|rbenv)"
    r" (?:install|i|ci|add|get|sync|update|use|enable|target|component|local|global|reinstall)"
    r"|git (?:pull|fetch|stash|lfs|submodule|config|remote set-url|clean)|direnv allow"
    r"|brew services (?:re)?start|service \S+ (?:re)?start|systemctl (?:re)?start|pg_ctl|initdb"
    r"|redis-server|colima start|minikube start|docker (?:compose up|start|network|volume)"
    r"|createdb|dropdb|createuser|pkill|killall|kill|fuser -k)\b"
)
# What makes, moves or removes files. Agents tidy at all times: it puts a failure right that names
# one of them.
_MOVES_FILES = pattern(r"(?:chmod|chown|mkdir|ln|rm|cp|mv|touch)\b")
_WILD = pattern(r"[*?\[{$]")
_TAKES_MODE = frozenset({"chmod", "chown"})


@dataclass(frozen=True, slots=True)
class Ran:
    """
    A command that was run between, as it may be told.

    `files` are the names of those that it made, moved or removed; None if it is for something else.
    """

    line: str
    files: frozenset[str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Overcome:
    """A failure, the changes, and the success, as uses without their texts."""

    failed: Use
    passed: Use
    command: Command
    changed: tuple[str, ...]
    ran: tuple[Ran, ...]
    instead: str = ""

    def helped(self, symptom: str) -> list[str]:
        """Return the commands that may have put right what *symptom* says, as they are told."""
        return [
            without_chatter(one.line)
            for one in self.ran
            if one.files is None or any(_names(symptom, file) for file in one.files)
        ][:CHANGED_TOLD]

    def is_overcome(self, symptom: str) -> bool:
        """Say whether something was changed that *symptom* may have needed."""
        return bool(self.changed or self.instead or self.helped(symptom))


@dataclass(slots=True)
class _Open:
    """A failure without a success so far."""

    use: Use
    command: Command
    number: int
    changed: dict[str, None] = field(default_factory=dict)
    ran: dict[Ran, None] = field(default_factory=dict)


def replaced(found: Sequence[Overcome]) -> dict[tuple[Scope, str], str]:
    """Return what most often succeeded in place of a command, by its scope and key."""
    counts: dict[tuple[Scope, str], Counter[str]] = {}
    for one in found:
        if one.instead:
            place = (one.failed.call.scope, one.command.key)
            counts.setdefault(place, Counter())[one.instead] += 1
    return {place: count.most_common(1)[0][0] for place, count in counts.items()}


def overcome_in(uses: Sequence[Use]) -> Iterator[Overcome]:
    """Yield the overcome failures of a session, in the order of the successes."""
    waiting: dict[str, _Open] = {}
    for number, use in enumerate(uses):
        _note_changes(waiting.values(), use)
        for command, verdict in use.commands():
            if verdict is RunResult.FAILED and command.key not in _JOINS:
                waiting[command.key] = _Open(use, command, number)
            elif verdict is RunResult.OK:
                yield from _ended(waiting, use, command, number)


def _note_changes(waiting: Collection[_Open], use: Use) -> None:
    """Note what a call changed with the failures that wait for a pass."""
    if not waiting:
        return
    if use.call.is_edit:
        changed = dict.fromkeys(use.call.about.split("\n"))
        for one in waiting:
            one.changed.update(changed)
        return
    ran = dict.fromkeys(_set_up_by(use))
    for one in waiting:
        one.ran.update(ran)


def _set_up_by(use: Use) -> Iterator[Ran]:
    """Yield what a call that came through put right of what commands need, as it may be told."""
    if use.outcome is not None and use.outcome.verdict is RunResult.FAILED:
        return
    for words in invocations(use.call.about):
        line = " ".join(words)
        if act := _SIGNS_IN.match(line):
            yield Ran(act[0])
        elif act := _SETS_UP.match(line) or _MOVES_FILES.match(line):
            told = f"{act[0]} …" if is_of_one_run(line) else line
            yield Ran(told, _files_of(words) if _MOVES_FILES.match(line) else None)


def _files_of(words: Sequence[str]) -> frozenset[str]:
    """Return the names of the files in the words of a command that moves some."""
    paths = [word.strip("'\"") for word in words[1:] if not word.startswith("-")]
    parts = ([*filter(None, path.split("/"))] for path in paths[words[0] in _TAKES_MODE :])
    return frozenset(named[-1] for path in parts if (named := [*filterfalse(_WILD.search, path)]))


def _names(symptom: str, file: str) -> bool:
    """Say whether a symptom names a file; a plain word is one where it stands in a path."""
    name = re.escape(file)
    if file.isalpha():
        return re.search(rf"[/'\"`]{name}\b|\b{name}[/'\"`]", symptom) is not None
    return re.search(rf"(?<![\w.-]){name}(?![\w-])", symptom) is not None


def _ended(
    waiting: dict[str, _Open], use: Use, command: Command, number: int
) -> Iterator[Overcome]:
    """Yield the failures that a success ends."""
    same = waiting.get(command.key)
    if same is not None and _is_same(same.command, command):
        del waiting[command.key]
        is_near = number - same.number <= USES_BETWEEN_MAX
        if (same.changed or same.ran) and is_near:
            yield _overcome(same, use)
        return
    for key, one in list(waiting.items()):
        one.ran[Ran(command.line)] = None
        is_kin = one.command.kind is command.kind and not one.changed
        if is_kin and number - one.number <= _REPLACED_WITHIN:
            del waiting[key]
            yield _overcome(one, use, instead=without_chatter(command.line))


def _overcome(one: _Open, passed: Use, instead: str = "") -> Overcome:
    return Overcome(
        failed=one.use,
        passed=passed,
        command=one.command,
        changed=tuple(one.changed)[:CHANGED_TOLD],
        ran=tuple(one.ran),
        instead=instead,
    )


def _is_same(failed: Command, passed: Command) -> bool:
    """Say whether a success of one command shows that a failure of the other is over."""
    if without_chatter(failed.line) == without_chatter(passed.line):
        return True
    # If everything succeeded, so did the selection.
    is_whole = without_chatter(passed.line).removesuffix(" ./...") == key_of(
        passed.line, passed.kind
    )
    return failed.key == passed.key and is_whole
