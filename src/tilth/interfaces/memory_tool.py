"""
A backend for the memory tool of Anthropic's API: files under `/memories`, kept as notes.

Every write is a note that holds the whole file, in one session; the files are
what the notes amount to, in their order, and nothing else is kept. Deleting and
renaming add notes too: the folder forgets, the history does not. The notes are
found by recall like all others. `/memories/brief.md` is made when it is read.

The words of the answers are those that the tool's documentation gives.
"""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from tilth.context.model import BriefRequest
from tilth.core.dataclass import dataclass
from tilth.core.errors import (
    ConflictError,
    ForbiddenError,
    InvalidInputError,
    LimitExceededError,
    NotFoundError,
    TilthError,
)
from tilth.core.ids import SessionId
from tilth.core.scope import GLOBAL
from tilth.episodes.episode import Episode
from tilth.runtime.brain import Brain

ROOT = "/memories"
BRIEF = f"{ROOT}/brief.md"
SESSION = SessionId("compat:memory-tool")
FILE_CHARS_MAX = 100_000
PATH_CHARS_MAX = 500
_LISTING = (
    "Here're the files and directories up to 2 levels deep in {}, excluding hidden items and"
    " node_modules:"
)
_PAGE = 1000
_DEPTH = 2
_SNIPPET_LINES = 4


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the model is told, and whether it is an error."""

    text: str
    is_error: bool = False


class MemoryTool:
    """The six commands of the memory tool, over a brain."""

    def __init__(self, brain: Brain, *, scope: str = GLOBAL) -> None:
        self._brain = brain
        self._scope = scope

    def call(self, command: Mapping[str, Any]) -> Outcome:
        """
        Run one command as the model wrote it: `{"command": "view", "path": …}`.

        Whatever is wrong with it becomes an answer; nothing is raised for it.
        """
        arguments = dict(command)
        run = self._commands.get(arguments.pop("command", ""))
        if run is None:
            return Outcome(f"Error: the commands are {', '.join(self._commands)}", is_error=True)
        try:
            _check_arguments(run, arguments)
            return Outcome(run(**arguments))
        except TilthError as error:
            return Outcome(str(error), is_error=True)

    def view(self, path: str, view_range: Sequence[int] | None = None) -> str:
        """
        Return a file with its lines numbered, or what is in a folder.

        Raises:
            NotFoundError: there is neither.
            InvalidInputError: the path leads outside, or the range is none.
        """
        path = _checked(path)
        if path == BRIEF:
            return _numbered(path, self._brief(), view_range)
        files = self._files()
        if path in files:
            return _numbered(path, files[path], view_range)
        if path != ROOT and not _inside(files, path):
            raise NotFoundError(f"The path {path} does not exist. Please provide a valid path.")
        return "\n".join(
            [
                _LISTING.format(path),
                *_listed(files, path),
            ]
        )

    def create(self, path: str, file_text: str) -> str:
        """
        Make a file.

        Raises:
            ConflictError: there is one.
            InvalidInputError: the path leads outside, or names a folder.
            ForbiddenError: it is made when it is read.
        """
        path, files = _writable(path), self._files()
        if path in files:
            raise ConflictError(f"Error: File {path} already exists")
        if _inside(files, path) or any(path.startswith(f"{file}/") for file in files):
            raise InvalidInputError(f"Error: {path} is a folder, or in a file")
        self._write(path, file_text)
        return f"File created successfully at: {path}"

    def str_replace(self, path: str, old_str: str, new_str: str = "") -> str:
        """
        Replace the one place where *old_str* stands.

        Raises:
            NotFoundError: there is no such file.
            InvalidInputError: the text stands nowhere in it, or more than once.
        """
        path, content = self._edited(path)
        count = content.count(old_str) if old_str else 0
        if count == 0:
            raise InvalidInputError(
                f"No replacement was performed, old_str `{old_str}` did not appear verbatim"
                f" in {path}."
            )
        if count > 1:
            raise InvalidInputError(
                f"No replacement was performed. Multiple occurrences of old_str `{old_str}` in"
                f" lines: {', '.join(map(str, _lines_of(content, old_str)))}."
                " Please ensure it is unique"
            )
        first = content[: content.index(old_str)].count("\n")
        self._write(path, content.replace(old_str, new_str))
        near = content.replace(old_str, new_str).split("\n")
        begin = max(first - _SNIPPET_LINES, 0)
        end = first + new_str.count("\n") + _SNIPPET_LINES + 1
        return "The memory file has been edited.\n" + _with_numbers(near[begin:end], begin + 1)

    def insert(self, path: str, insert_line: int, insert_text: str) -> str:
        """
        Put text behind a line; 0 is the beginning.

        Raises:
            NotFoundError: there is no such file.
            InvalidInputError: the file has no such line.
        """
        path, content = self._edited(path)
        lines = content.split("\n")
        if not 0 <= insert_line <= len(lines):
            raise InvalidInputError(
                f"Error: Invalid `insert_line` parameter: {insert_line}. It should be within the"
                f" range of lines of the file: [0, {len(lines)}]"
            )
        lines[insert_line:insert_line] = insert_text.removesuffix("\n").split("\n")
        self._write(path, "\n".join(lines))
        return f"The file {path} has been edited."

    def retract(self, path: str) -> str:
        """
        Take a file or folder back; its history stays.

        Raises:
            NotFoundError: there is neither.
            ForbiddenError: it is the folder of all memories.
        """
        path, files = _writable(path), self._files()
        if path not in files and not _inside(files, path):
            raise NotFoundError(f"Error: The path {path} does not exist")
        self._note(f"Deleted: {path}", ["gone", path])
        return f"Successfully deleted {path}"

    def rename(self, old_path: str, new_path: str) -> str:
        """
        Give a file or folder another name.

        Raises:
            NotFoundError: there is neither.
            ConflictError: the other name is taken.
        """
        old, new, files = _writable(old_path), _writable(new_path), self._files()
        if old not in files and not _inside(files, old):
            raise NotFoundError(f"Error: The path {old} does not exist")
        if new in files or _inside(files, new):
            raise ConflictError(f"Error: The destination {new} already exists")
        if new.startswith(f"{old}/") or any(new.startswith(f"{file}/") for file in files):
            raise InvalidInputError(f"Error: {new} is in {old}, or in a file")
        self._note(f"Renamed: {old} to {new}", ["moved", old, new])
        return f"Successfully renamed {old} to {new}"

    @property
    def _commands(self) -> Mapping[str, Callable[..., str]]:
        return {
            "view": self.view,
            "create": self.create,
            "str_replace": self.str_replace,
            "insert": self.insert,
            "delete": self.retract,
            "rename": self.rename,
        }

    def _edited(self, path: str) -> tuple[str, str]:
        path = _writable(path)
        content = self._files().get(path)
        if content is None:
            raise NotFoundError(
                f"Error: The path {path} does not exist. Please provide a valid path."
            )
        return path, content

    def _brief(self) -> str:
        brief = self._brain.brief(BriefRequest(via="memory-tool/view"), scope=self._scope)
        self._brain.receipts.keep(brief.context)
        return brief.text

    def _write(self, path: str, content: str) -> None:
        if len(content) > FILE_CHARS_MAX:
            raise LimitExceededError(f"Error: a file has at most {FILE_CHARS_MAX} characters")
        self._note(f"{path}\n{content}", ["written", path])

    def _note(self, text: str, change: list[str]) -> None:
        self._brain.remember(
            text,
            kind="note",
            role="assistant",
            session_id=SESSION,
            scope=self._scope,
            metadata={"memory_file": change},
        )

    def _files(self) -> dict[str, str]:
        files: dict[str, str] = {}
        for episode in self._notes():
            match episode.noted("memory_file"):
                case ["written", str(path)]:
                    files[path] = episode.text.partition("\n")[2]
                case ["gone", str(path)]:
                    files = {one: text for one, text in files.items() if not _is_at(one, path)}
                case ["moved", str(old), str(new)]:
                    files = {
                        new + one.removeprefix(old) if _is_at(one, old) else one: text
                        for one, text in files.items()
                    }
                case _:
                    continue
        return files

    def _notes(self) -> Iterator[Episode]:
        after = 0
        while True:
            page = self._brain.episodes.list(
                session_id=SESSION, limit=_PAGE, after=after, scope=self._scope
            )
            yield from (episode for episode in page if episode.scope == self._scope)
            if len(page) < _PAGE:
                return
            after = page[-1].seq


def _check_arguments(run: Callable[..., str], arguments: Mapping[str, object]) -> None:
    """
    Refuse what the command has no place for.

    Raises:
        InvalidInputError: an argument is missing, unknown, or not of its type.
    """
    try:
        inspect.signature(run).bind(**arguments)
    except TypeError as error:
        raise InvalidInputError(f"Error: {error}") from error
    for name, value in arguments.items():
        kind = {"insert_line": int, "view_range": list}.get(name, str)
        if not isinstance(value, kind) and (name, value) != ("view_range", None):
            raise InvalidInputError(f"Error: {name} is not a {kind.__name__}")
        if isinstance(value, list) and not all(isinstance(one, int) for one in value):
            raise InvalidInputError(f"Error: {name} holds numbers")


def _checked(path: str) -> str:
    """
    Return a path under `/memories` without an end that says nothing.

    Raises:
        InvalidInputError: it leads outside, or could be read as if it did.
    """
    path = path.removesuffix("/")
    parts = path.removeprefix(ROOT).split("/")[1:]
    is_inside = path == ROOT or path.startswith(f"{ROOT}/")
    is_plain = path.isprintable() and not any(mark in path for mark in "%\\<>")
    if not (is_inside and is_plain and len(path) <= PATH_CHARS_MAX) or any(
        part.strip() in ("", ".", "..") for part in parts
    ):
        raise InvalidInputError(f"Error: {path[:PATH_CHARS_MAX]!r} is not a path under {ROOT}")
    return path


def _writable(path: str) -> str:
    path = _checked(path)
    if path == ROOT:
        raise ForbiddenError(f"Error: {ROOT} itself stays as it is")
    if _is_at(path, BRIEF):
        raise ForbiddenError(f"Error: {BRIEF} is made when it is read; write what is new beside it")
    return path


def _is_at(path: str, place: str) -> bool:
    return path == place or path.startswith(f"{place}/")


def _inside(files: Mapping[str, str], folder: str) -> list[str]:
    return [path for path in files if path.startswith(f"{folder}/")]


def _listed(files: Mapping[str, str], folder: str) -> Iterator[str]:
    """Yield the size and path of a folder and of what is in it, two levels deep."""
    sizes: dict[str, int] = {folder: 0}
    for path in sorted(_inside(files, folder)):
        parts = path.removeprefix(f"{folder}/").split("/")
        if any(part.startswith(".") or part == "node_modules" for part in parts):
            continue
        size = len(files[path].encode())
        for depth in range(min(len(parts), _DEPTH) + 1):
            place = "/".join([folder, *parts[:depth]])
            sizes[place] = sizes.get(place, 0) + size
    return (f"{_size(size)}\t{path}" for path, size in sizes.items())


def _size(count: int) -> str:
    return f"{count}" if count < 1 << 10 else f"{count / (1 << 10):.1f}K"


def _numbered(path: str, content: str, view_range: Sequence[int] | None) -> str:
    lines = content.split("\n")
    first, last = 1, len(lines)
    if view_range:
        try:
            first, last = view_range
        except ValueError as error:
            raise InvalidInputError("Error: `view_range` is two numbers") from error
        last = len(lines) if last == -1 else last
        if not 1 <= first <= last <= len(lines):
            raise InvalidInputError(
                f"Error: Invalid `view_range` parameter: {[first, last]}. The file has"
                f" {len(lines)} lines"
            )
    shown = _with_numbers(lines[first - 1 : last], first)
    return f"Here's the content of {path} with line numbers:\n{shown}"


def _with_numbers(lines: Sequence[str], first: int) -> str:
    return "\n".join(f"{number:6d}\t{line}" for number, line in enumerate(lines, first))


def _lines_of(content: str, text: str) -> list[int]:
    found, at = [], content.find(text)
    while at >= 0:
        found.append(content[:at].count("\n") + 1)
        at = content.find(text, at + len(text))
    return found
