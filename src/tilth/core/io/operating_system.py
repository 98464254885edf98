"""The operating systems that Tilth supports."""

import sys

from tilth.core.errors import UnsupportedError


def check_system(platform: str = sys.platform) -> None:
    """
    Refuse a system that lacks what a store needs: locks of files, their owners and modes.

    Raises:
        UnsupportedError: the system is Windows.
    """
    if platform in {"win32", "cygwin"}:
        raise UnsupportedError(
            "Tilth runs on Linux and macOS, not on Windows itself",
            hint="install it in the Windows Subsystem for Linux (WSL 2)",
        )
