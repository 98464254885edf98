"""Read a user's file as text; what its host could not read is refused with a message."""

from collections.abc import Mapping

from tilth.agents.json_edit import Node, parse
from tilth.core.errors import InvalidInputError


def parsed(path: str, text: str, *, is_lenient: bool) -> Node:
    """
    Read the *text* of the file at *path*, which is to hold an object.

    Raises:
        InvalidInputError: its host would not read it.
    """
    try:
        root = parse(text, is_lenient=is_lenient)
    except InvalidInputError as error:
        raise refused(path, str(error)) from error
    if not isinstance(root.value, Mapping):
        raise refused(path, "it holds no object")
    return root


def is_blank(content: bytes) -> bool:
    """Say whether a file says nothing."""
    return not content.removeprefix(b"\xef\xbb\xbf").strip(b" \t\r\n")


def decoded(path: str, content: bytes) -> str:
    """
    Return the text of the file at *path*.

    Raises:
        InvalidInputError: it is no UTF-8.
    """
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise refused(path, f"byte {error.start} is no UTF-8") from error


def refused(path: str, why: str) -> InvalidInputError:
    """Return what is said where the file at *path* is not edited."""
    return InvalidInputError(
        f"{path!r} is not edited: {why}", hint="repair it, then try again; nothing was changed"
    )
