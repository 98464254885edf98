"""The exit code and the HTTP status of each error, in one table for every surface."""

from tilth.core.dataclass import dataclass
from tilth.core.errors import (
    ConflictError,
    CorruptionError,
    ForbiddenError,
    InvalidInputError,
    NotFoundError,
    TilthError,
    UnavailableError,
    UnsupportedError,
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The exit code of a command and the HTTP status for one class of errors."""

    exit_code: int
    http_status: int


OUTCOMES: dict[type[TilthError], Outcome] = {
    InvalidInputError: Outcome(2, 400),
    NotFoundError: Outcome(3, 404),
    ConflictError: Outcome(4, 409),
    ForbiddenError: Outcome(5, 403),
    UnsupportedError: Outcome(6, 501),
    UnavailableError: Outcome(7, 503),
    CorruptionError: Outcome(8, 500),
}
# Not errors of ours, so not in the table: a bug, a broken pipe, Ctrl-C.
EXIT_UNEXPECTED = 1
# What `test` and `grep` say where the answer to a yes-or-no question is no.
EXIT_NO = 1
EXIT_INTERRUPTED = 130
EXIT_PIPE_CLOSED = 141


def outcome_of(error: TilthError) -> Outcome:
    """Return the codes for *error*, by its nearest ancestor in the table."""
    return next(OUTCOMES[kind] for kind in type(error).__mro__ if kind in OUTCOMES)


def error_body(code: str, message: str, hint: str = "") -> dict[str, dict[str, str]]:
    """Return the one JSON shape that errors have on every surface."""
    return {"error": {"code": code, "message": message, "hint": hint}}


def is_interruption(error: BaseException) -> bool:
    """Say whether *error* comes from Ctrl-C; Python wraps what is raised while a class is made."""
    one: BaseException | None = error
    while one is not None and not isinstance(one, KeyboardInterrupt):
        one = one.__cause__ or one.__context__
    return one is not None
