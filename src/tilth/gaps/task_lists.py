"""
The places for tasks: the outbox, and the task lists of repositories.

The outbox is a folder beside the store. A repository's tasks are lines of a TODO.md, or issues, by
way of GitHub's own program. No command goes through a shell. A failed attempt is reported, and made
again at the next run; a task that exists is not added again.
"""

import hashlib
import json
import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from tilth.core.errors import ConflictError, InvalidInputError, UnavailableError
from tilth.core.io.atomic_file import Disk
from tilth.core.io.file_lock import lock_folder
from tilth.core.io.os_errors import unavailable
from tilth.core.text.pattern import pattern
from tilth.gaps.todos import BLANK, Filing, Task, Way

FILE = "TODO.md"
_FILE_BYTES_MAX = 4 << 20
_TASK = pattern(r"^[ \t]*[-*+] \[(?P<mark>[ xX])\] .*$", re.MULTILINE)
_ISSUE = pattern(r"https://[\w.-]+/[\w.-]+/[\w.-]+/issues/[0-9]+")
_TICKED = pattern(r"^- \[[xX]\] ", re.MULTILINE)
_NAME = pattern(r"[a-z0-9][a-z0-9-]{0,80}\.md")
_DRAFT = pattern(r"todo-[0-9a-z]{26}\.md")
# An edited file of a skill that was moved aside, under the skill's name.
_OF_SKILL = pattern(r"(?P<skill>[a-z0-9-]+)-[0-9a-f]{12}\.md")
_TIMEOUT_S = 30.0
# How many issues are searched for one of Tilth's.
_ISSUES_MAX = 200
# The variables that `gh` needs: its path, its configuration, its network.
_NEEDED = frozenset(
    {"PATH", "HOME", "USER", "LOGNAME", "LANG", "TMPDIR", "TZ"}
    | {"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR"}
)
_QUIET = {"GH_PROMPT_DISABLED": "1", "GH_NO_UPDATE_NOTIFIER": "1", "NO_COLOR": "1"}


def outbox_of(where: str, data: Path) -> Path:
    """Return the outbox of the store at *where*; for a URL it is in *data*."""
    if "://" not in where:
        return Path(f"{where}.outbox")
    return data / f"{hashlib.sha256(where.encode()).hexdigest()[:16]}.outbox"


class OutboxFolder:
    """See `tilth.gaps.todos.Outbox`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._disk = Disk()

    def put(self, name: str, text: str) -> None:
        """See `tilth.gaps.todos.Outbox.put`."""
        path = self._path(name)
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise unavailable(error, "the outbox cannot be made") from error
        self._disk.write(str(path), text.encode("utf-8", "replace"))

    def read(self, name: str) -> str | None:
        """See `tilth.gaps.todos.Outbox.read`."""
        content = self._disk.read(str(self._path(name)))
        return None if content is None else content.decode("utf-8", "replace")

    def path_of(self, name: str) -> str:
        """See `tilth.gaps.todos.Outbox.path_of`."""
        return str(self._folder / name)

    def remove(self, name: str) -> None:
        """See `tilth.gaps.todos.Outbox.remove`."""
        self._disk.remove(str(self._path(name)), ())

    def forget(self, forms: Sequence[bytes], skills: Collection[str] = ()) -> list[Path]:
        """
        Erase words from the folder, and return the files that changed.

        Every draft loses its words but keeps its tick, and the next run writes it again. An edited
        skill file is somebody's work that cannot be written again: it is removed if it contains any
        of *forms*, or is of one of the erased *skills*, or, without forms, in any case.
        """
        return [*self._blanked(), *self._removed(forms, skills)]

    def of_skills(self) -> list[str]:
        """Return the edited skill files that were moved aside here."""
        return [str(one) for one in self._named(_OF_SKILL)]

    def _blanked(self) -> Iterator[Path]:
        for path in self._named(_DRAFT):
            ticked = _TICKED.search(self.read(path.name) or "")
            self.put(path.name, f"- [{'x' if ticked else ' '}] {BLANK}\n")
            yield path

    def _removed(self, forms: Sequence[bytes], skills: Collection[str]) -> Iterator[Path]:
        for path in self._named(_NAME):
            if _DRAFT.fullmatch(path.name) or path.is_symlink():
                continue
            of, content = _OF_SKILL.fullmatch(path.name), self._disk.read(str(path)) or b""
            is_gone = of is not None and of["skill"] in skills
            if is_gone or not forms or any(form in content for form in forms):
                self.remove(path.name)
                yield path

    def _named(self, form: re.Pattern[str]) -> list[Path]:
        return sorted(one for one in self._folder.glob("*.md") if form.fullmatch(one.name))

    def _path(self, name: str) -> Path:
        if not _NAME.fullmatch(name):
            raise InvalidInputError(f"{name[:60]!r} is no name of ours in the outbox")
        path = self._folder / name
        if self._folder.is_symlink() or path.is_symlink():
            raise UnavailableError(f"{str(path)!r} leads elsewhere", hint="remove the link")
        return path


class LocalTaskLists:
    """See `tilth.gaps.todos.TaskLists`."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ

    def check(self, filing: Filing) -> None:
        """See `tilth.gaps.todos.TaskLists.check`."""
        repository = Path(filing.repository)
        if not (repository.is_absolute() and repository.is_dir()):
            raise InvalidInputError(f"{filing.repository!r} is no folder here")
        if not (repository / ".git").exists():
            raise InvalidInputError(
                f"{filing.repository!r} is no repository", hint="name the folder that holds .git"
            )
        if filing.way is Way.GH and self._gh() is None:
            raise InvalidInputError("gh is not installed", hint="use the way todo_file")

    def of(self, filing: Filing) -> "TodoFile | GithubIssues":
        """See `tilth.gaps.todos.TaskLists.of`."""
        repository = Path(filing.repository)
        if filing.way is Way.TODO_FILE:
            return TodoFile(repository)
        return GithubIssues(repository, self._gh() or "gh", self._environ)

    def _gh(self) -> str | None:
        import shutil  # noqa: PLC0415 - for who files issues; it loads archivers

        return shutil.which("gh", path=self._environ.get("PATH", os.defpath))


class TodoFile:
    """The TODO.md of a repository: one line for each task, identified by the ID of its gap."""

    def __init__(self, repository: Path) -> None:
        self._repository = repository
        self._disk = Disk()

    def file(self, task: Task) -> str:
        """See `tilth.gaps.todos.TaskList.file`."""
        with lock_folder(self._repository):
            text = self._read()
            if _line(text, task.gap_id) is None:
                end = "\r\n" if "\r\n" in text else "\n"
                begin = "" if not text or text.endswith("\n") else end
                line = f"- [ ] {task.title} ({task.gap_id})"
                self._disk.check(str(self._path()))
                self._disk.write(str(self._path()), f"{text}{begin}{line}{end}".encode())
        return f"{FILE}#{task.gap_id}"

    def is_done(self, gap_id: str, ref: str) -> bool:  # noqa: ARG002 - the ID stands in the line
        """See `tilth.gaps.todos.TaskList.is_done`."""
        found = _line(self._read(), gap_id)
        return found is not None and found["mark"] in "xX"

    def _path(self) -> Path:
        path = self._repository / FILE
        if not path.resolve().is_relative_to(self._repository.resolve()):
            raise ConflictError(f"{str(path)!r} leads out of the repository")
        return path

    def _read(self) -> str:
        content = self._disk.read(str(self._path())) or b""
        if len(content) > _FILE_BYTES_MAX:
            raise ConflictError(f"{FILE} is too long to be added to")
        try:
            return content.decode()
        except UnicodeDecodeError as error:
            raise ConflictError(f"{FILE} is not in UTF-8") from error


class GithubIssues:
    """The issues of a repository, by `gh`, as the user who is signed in there."""

    def __init__(self, repository: Path, program: str, environ: Mapping[str, str]) -> None:
        self._repository = repository
        self._program = program
        self._environ = {
            name: value
            for name, value in environ.items()
            if name.upper() in _NEEDED or name.startswith(("LC_", "XDG_", "GH_", "GITHUB_TOKEN"))
        } | _QUIET

    def file(self, task: Task) -> str:
        """See `tilth.gaps.todos.TaskList.file`."""
        with lock_folder(self._repository):
            if known := self._known(task.gap_id):
                return known
            told = self._run(
                ["issue", "create", "--title", task.title, "--body-file", "-"], task.text
            )
        found = _ISSUE.findall(told)
        if not found:
            raise UnavailableError("gh told no address of the issue that it made")
        return str(found[-1])

    def is_done(self, gap_id: str, ref: str) -> bool:  # noqa: ARG002 - the address says it
        """See `tilth.gaps.todos.TaskList.is_done`."""
        if not _ISSUE.fullmatch(ref):
            return False
        return self._told(["issue", "view", ref, "--json", "state"]).get("state") == "CLOSED"

    def _known(self, gap_id: str) -> str:
        """Return the issue that names a gap, open or closed; a search would find it too late."""
        listed = ["issue", "list", "--state", "all", "--limit", str(_ISSUES_MAX)]
        issues = self._told([*listed, "--json", "url,body"]).get("issues", [])
        for issue in issues if isinstance(issues, list) else []:
            if gap_id in str(issue.get("body")) and _ISSUE.fullmatch(str(issue.get("url"))):
                return str(issue["url"])
        return ""

    def _told(self, arguments: Sequence[str]) -> dict[str, object]:
        try:
            told = json.loads(self._run(arguments, ""))
        except ValueError as error:
            raise UnavailableError("gh answered in a form that cannot be read") from error
        return told if isinstance(told, dict) else {"issues": told}

    def _run(self, arguments: Sequence[str], text: str) -> str:
        import subprocess  # noqa: PLC0415 - for who files issues; the outbox is in every brain

        try:
            done = subprocess.run(  # noqa: S603 - in no shell, with arguments of ours
                [self._program, *arguments],
                input=text,
                capture_output=True,
                encoding="utf-8",
                errors="replace",
                cwd=self._repository,
                env=self._environ,
                timeout=_TIMEOUT_S,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise UnavailableError(f"gh did not answer: {type(error).__name__}") from error
        if done.returncode:
            raise UnavailableError(
                f"gh ended with {done.returncode}",
                hint="does it work there by itself? gh auth status",
            )
        return done.stdout


def _line(text: str, gap_id: str) -> re.Match[str] | None:
    """Return the line of a gap's task."""
    return next((one for one in _TASK.finditer(text) if f"({gap_id})" in one.group()), None)
