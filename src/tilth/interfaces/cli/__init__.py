"""The command line: parse, call one verb, render."""

import atexit
import gc
import sys
from collections.abc import Sequence
from importlib import import_module

import tilth

# After so many new objects the young ones are looked through. A brief makes fewer and keeps them:
# to look them through after each 700, as Python does, is a twentieth of its work.
_COLLECTED_FROM = 100_000


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command, and return its exit code; see `tilth.interfaces.cli.program`."""
    words = sys.argv[1:] if argv is None else list(argv)
    if words == ["--version"]:
        # Answered before anything loads.
        print(f"tilth {tilth.__version__}")
        return 0
    lazy = import_module("tilth.runtime.lazy")
    lazy.import_lazily(*lazy.RARELY_USED)
    gc.set_threshold(_COLLECTED_FROM, 20, 10)
    # All that is left goes with the process: who ends need not look for what nobody holds.
    atexit.register(gc.freeze)
    try:
        status: int = import_module("tilth.interfaces.cli.program").main(words)
    except (KeyboardInterrupt, Exception) as error:  # noqa: BLE001 - raised again, if it is none
        # While it loads. From then on it says so itself.
        return _interrupted(error, is_json="--json" in words)
    return status


def _interrupted(error: BaseException, *, is_json: bool) -> int:
    import json  # noqa: PLC0415 - seldom

    from tilth.interfaces.error_codes import (  # noqa: PLC0415 - likewise
        EXIT_INTERRUPTED,
        error_body,
        is_interruption,
    )

    if not is_interruption(error):
        raise error
    if is_json:
        print(json.dumps(error_body("interrupted", "interrupted")))
    else:
        print("tilth: interrupted", file=sys.stderr)
    return EXIT_INTERRUPTED
