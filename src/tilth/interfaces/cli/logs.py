"""Where log records go when the command line runs: to standard error, as lines."""

import logging
import sys

from tilth.interfaces.cli.progress import AFRESH


def log_to_stderr(*, is_debug: bool, is_worker: bool) -> None:
    """Show warnings; in a worker every change of state, and with *is_debug* everything."""
    # It takes the line on which the progress stands.
    afresh = AFRESH if sys.stderr.isatty() else ""
    level = logging.INFO if is_worker else logging.WARNING
    logging.basicConfig(
        level=logging.DEBUG if is_debug else level,
        format=f"{afresh}%(asctime)s %(levelname)s %(name)s: %(message)s",
    )
