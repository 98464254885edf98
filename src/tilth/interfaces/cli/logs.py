"""Where log records go when the command line runs: to standard error, as lines."""

import logging


def log_to_stderr(*, is_debug: bool, is_worker: bool) -> None:
    """Show warnings; in a worker every change of state, and with *is_debug* everything."""
    level = logging.INFO if is_worker else logging.WARNING
    logging.basicConfig(
        level=logging.DEBUG if is_debug else level,
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
    )
