"""
Every error this package raises on purpose.

* TilthError
  x InvalidInputError      the request is wrong; ask differently
    + LimitExceededError
  x NotFoundError          no such thing, or not visible from this scope
    + StoreMissingError
    + ErasedError
  x ConflictError          the thing changed underneath; read it again
    + IdempotencyConflictError
    + ForeignStoreError
  x ForbiddenError         this actor may not do this
  x UnsupportedError       needs an extra, a setting or a version that is absent
    + NewerSchemaError
    + UnsafeSqliteError
  x UnavailableError       a store or a model did not answer; try again later
  x CorruptionError        stored data breaks an invariant; this is our fault

The second level is closed. Surfaces translate it, and only it, to an exit
code, an HTTP status and an MCP error; see `tilth.interfaces.error_codes`.
"""

from enum import StrEnum
from typing import ClassVar, TypeVar

_Member = TypeVar("_Member", bound=StrEnum)


class TilthError(Exception):
    """Base of every error raised on purpose."""

    code: ClassVar[str] = "error"

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint
        if hint:
            # Tracebacks show notes, so the hint is visible there.
            self.add_note(hint)


class InvalidInputError(TilthError):
    """The request is wrong; ask differently."""

    code = "invalid_input"


class LimitExceededError(InvalidInputError):
    """The input is larger, deeper or longer than is read."""

    code = "limit_exceeded"


class NotFoundError(TilthError):
    """No such thing, or not visible from this scope."""

    code = "not_found"


class StoreMissingError(NotFoundError):
    """There is no store where one was expected."""

    code = "store_missing"


class ErasedError(NotFoundError):
    """It was erased; its ID is all that is left."""

    code = "erased"


class ConflictError(TilthError):
    """The thing changed underneath the caller."""

    code = "conflict"


class IdempotencyConflictError(ConflictError):
    """An idempotency key was used before, with other content."""

    code = "idempotency_conflict"


class ForeignStoreError(ConflictError):
    """The file is not a store of ours, or not the store that was expected."""

    code = "foreign_store"


class ForbiddenError(TilthError):
    """This actor may not do this."""

    code = "forbidden"


class UnsupportedError(TilthError):
    """Something optional that the request needs is absent."""

    code = "unsupported"


class NewerSchemaError(UnsupportedError):
    """The store was written by a newer version of this program."""

    code = "newer_schema"


class UnsafeSqliteError(UnsupportedError):
    """This SQLite can lose committed transactions."""

    code = "unsafe_sqlite"


class UnavailableError(TilthError):
    """A store or a model did not answer."""

    code = "unavailable"


class CorruptionError(TilthError):
    """Stored data breaks an invariant."""

    code = "corruption"


def parse_word(words: type[_Member], word: str, noun: str) -> _Member:
    """
    Read *word* as one of *words*, which people call a *noun*.

    Raises:
        InvalidInputError: it is none of them; the hint names all.
    """
    try:
        return words(word)
    except ValueError as error:
        raise InvalidInputError(
            f"unknown {noun} {word[:60]!r}", hint=f"use one of {', '.join(words)}"
        ) from error


def error_of(code: str, message: str, hint: str = "") -> TilthError:
    """Return the error of its class from the code that an interface reported."""
    waiting: list[type[TilthError]] = [TilthError]
    for kind in waiting:
        if kind.code == code:
            return kind(message, hint=hint)
        waiting += kind.__subclasses__()
    return TilthError(message, hint=hint)
