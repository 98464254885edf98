"""Turn the errors of the operating system into ours, each with what a user can do about it."""

from errno import EACCES, EDQUOT, EEXIST, EISDIR, ENOSPC, ENOTDIR, EROFS

from tilth.core.errors import UnavailableError

_ROOM = "free some space on the disk, and try again"
_NO_FOLDER = "a folder belongs there: move that file away"
_TO_DO = {
    EACCES: "be the user whose it is, or name a place of your own: TILTH_HOME=FOLDER, --store PATH",
    EDQUOT: _ROOM,
    EEXIST: _NO_FOLDER,
    EISDIR: "a file of ours belongs there: move that folder away",
    ENOSPC: _ROOM,
    ENOTDIR: _NO_FOLDER,
    EROFS: "name another place: TILTH_HOME=FOLDER",
}
_OF_THE_DISK = frozenset({EDQUOT, ENOSPC})


def unavailable(error: OSError, told: str = "", *, hint: str = "") -> UnavailableError:
    """
    Return our error for one of the operating system, with what to do.

    Args:
        error: The system's error.
        told: What it was about; by default the file in the error.
        hint: What to do, if the caller knows better; not used for a full disk.
    """
    reason, is_full = error.strerror or type(error).__name__, error.errno in _OF_THE_DISK
    if told:
        told = f"{told}: {reason}"
    else:
        told = f"{reason}: {error.filename}" if error.filename else reason
    general = _TO_DO.get(error.errno or 0, "")
    return UnavailableError(told, hint=general if is_full else hint or general)
