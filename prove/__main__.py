"""
Every programme, one after the other.

`python -m prove [--full]`: the counts of the issue, or many times those. Each
programme also runs by itself: `python -m prove.kill`, `prove.corrupt`,
`prove.concurrency`, `prove.facts`, `prove.slots`, `prove.mcp`, `prove.erase`,
`prove.attacks`, `prove.days`, `prove.pages`, `prove.staleness`, `prove.http`, `prove.strangers`,
`prove.garden`.
`prove.browsing STREAMS` needs streams of sessions.
"""

import argparse
import json
from collections.abc import Callable

from prove import (
    concurrency,
    corrupt,
    erase,
    garden,
    http,
    kill,
    mcp,
    pages,
    slots,
    staleness,
    strangers,
)
from prove.attacks import __main__ as attacks
from prove.days import __main__ as days
from prove.facts import __main__ as facts
from prove.ground import conclude


def main() -> None:
    """Run them all; the last line holds all reports."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--full", action="store_true", help="ten times as many of everything")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    times = 10 if arguments.full else 1
    reports: dict[str, object] = {}
    failures: list[str] = []
    programmes: dict[str, Callable[[], tuple[dict[str, object], list[str]]]] = {
        "kill": lambda: kill.run(200 * times, arguments.seed),
        "corrupt": lambda: corrupt.run(500 * times, 200 * times, arguments.seed),
        "concurrency": lambda: concurrency.run(8, 4, 1600 * times, 40 * times),
        "facts": lambda: facts.run(10_000 * times, arguments.seed),
        "slots": lambda: slots.run(10_000 * times),
        "erase": lambda: erase.run(40 * times, arguments.seed),
        "attacks": attacks.run,
        "days": days.run,
        "pages": lambda: pages.run(None, None),
        "staleness": lambda: staleness.run(1000 * times, 200 * times),
        "mcp": lambda: mcp.run(300 * times, 5000 * times, arguments.seed),
        "http": lambda: http.run(3 * times, arguments.seed),
        "strangers": lambda: strangers.run(40 * times),
        "garden": lambda: garden.run(garden.Trial(kills=3 * times, seed=arguments.seed)),
    }
    for name, programme in programmes.items():
        report, failed = programme()
        print(json.dumps({**report, "failures": len(failed)}), flush=True)
        reports[name] = report
        failures += failed
    conclude({"programme": "all", "reports": reports}, failures)


if __name__ == "__main__":
    main()
