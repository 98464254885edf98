"""What the machine refuses, in our words, each with what a user does about it."""

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


def refused(error: OSError, told: str = "", *, hint: str = "") -> UnavailableError:
    """
    Return what says that the machine refused something, and what to do.

    Args:
        error: What the machine said.
        told: What it was about; without it, the file that the error names.
        hint: What to do, where it knows better than the machine; nobody does of a full disk.
    """
    reason, is_full = error.strerror or type(error).__name__, error.errno in _OF_THE_DISK
    if told:
        told = f"{told}: {reason}"
    else:
        told = f"{reason}: {error.filename}" if error.filename else reason
    general = _TO_DO.get(error.errno or 0, "")
    return UnavailableError(told, hint=general if is_full else hint or general)
