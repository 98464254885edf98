"""
Ten days of simulated work: no line of a brief is wrong, doubled, foreign or older than it says.

`python -m prove.days [--print]`: plays sessions of four hosts, in their recorded shapes, in three
projects, one of which has a worktree and a clone, and one of which is a temporary folder. Rules
are set and lifted, by words and by hand; decisions are replaced; promises are made and kept; what
was wrong is put right. Two sessions go on at once, one is forked, one resumed, one compacted, two
have a subagent; in one the clock is set back; a day is idle; each evening the transcripts are
imported after the hooks. Each line of each brief is looked at by a model of what is true.
"""

import argparse
import tempfile
from pathlib import Path

from prove.days.desk import START, desk
from prove.days.story import DAYS, STORY
from prove.days.truth import Truth
from prove.ground import conclude


def main() -> None:
    """Read the command line, play, and report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--print", action="store_true", help="print each brief")
    conclude(*run(is_printing=parser.parse_args().print))


def run(*, is_printing: bool = False) -> tuple[dict[str, object], list[str]]:
    """Play the days; return the report and what was wrong."""
    truth, failures, lines, briefs = Truth(START), [], 0, 0
    with tempfile.TemporaryDirectory() as folder, desk(Path(folder), truth) as one:
        for told in one.played(STORY, DAYS):
            briefs += bool(told.text)
            lines += len(told.lines)
            failures += [
                f"{told.at:%a %H:%M} {told.place}: {fault}" for fault in truth.faults(told)
            ]
            if is_printing:
                print(f"\n{told.at:%a %d %H:%M} {told.session.host} {told.place} {told.event}")
                print(told.text or "(nothing)")
        failures += [f"doubled by the import: {it}" for it in one.doubled]
    # It would prove nothing if little was told.
    failures += [f"only {lines} lines were told"] if lines < len(STORY) * 4 else []
    sessions = len(STORY)
    told_of = {"sessions": sessions, "briefs": briefs, "lines": lines}
    return {"programme": "days", "days": DAYS, **told_of}, failures


if __name__ == "__main__":
    main()
