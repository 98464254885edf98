"""
What real streams of sessions become, line by line, for a reader: every statement and ten starts.

    python -m bench.statements STREAMS [--starts]

Of each project every fact that is known or corroborated after its last session is printed with the
grade that a reader gave it (`bench/data/statements.jsonl`; `?` where nobody read it yet):

A  worth keeping for weeks
B  true, but trivial or over with the session
C  garbled, or what it speaks of is missing
D  false, or overtaken in the same session
E  said again

The grades of the streams were given by who made the rules, while they were made. Those of
`transcripts/…` (`../data/transcripts`, each folder as one project) were given by the same reader
to what the rules stated there at first sight; some of it was refused by class afterwards.

`--starts` prints what an agent is told when it begins a session, ten times over the streams. The
last line is one JSON object: of what was graded, how much is junk (C, D and E), and how much is A.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from bench.machine import ROOT, store_environment
from bench.streams import Stream, learned, shown
from tilth.core.scope import Scope

# After how many sessions of a project a start is looked at: ten in all.
STARTS = {
    "agentv": (20, 33),
    "entireio-cli": (6, 16, 26),
    "getspecstory": (15, 35),
    "polychrome": (12, 20, 29),
}
_GRADES = ROOT / "bench" / "data" / "statements.jsonl"


def main() -> None:
    """Print, and count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("streams", type=Path, help="the folder that holds dev/")
    parser.add_argument("--starts", action="store_true", help="print ten session starts instead")
    options = parser.parse_args()
    if options.starts:
        for name, cuts in STARTS.items():
            for cut in cuts:
                print(f"\n===== {name}, after {cut} sessions\n{start(options.streams, name, cut)}")
        return
    graded = grades()
    counted: Counter[str] = Counter()
    for name, cuts in STARTS.items():
        print(f"== {name}")
        for text in stated(options.streams, name, cuts[-1]):
            grade = graded.get((name, text), "?")
            counted[grade] += 1
            print(f"{grade}  {text}")
    read = sum(count for grade, count in counted.items() if grade != "?")
    report = {
        "stated": counted.total(),
        "read": read,
        "junk": round(sum(counted[grade] for grade in "CDE") / max(1, read), 3),
        "worth keeping": round(counted["A"] / max(1, read), 3),
    }
    print(json.dumps(report | store_environment()))


def stated(streams: Path, name: str, cut: int) -> Iterator[str]:
    """Yield what is known or corroborated of a project after *cut* sessions, the oldest first."""
    with learned(Stream(streams / "dev" / name), cut) as brain:
        facts = brain.facts.list(limit=1000, scope=Scope(f"project:{name}"))
        for fact in sorted(facts, key=lambda one: (one.life.valid_from, one.said.text)):
            yield fact.said.text


def start(streams: Path, name: str, cut: int) -> str:
    """Return what an agent is told when it begins the session after *cut*."""
    with learned(Stream(streams / "dev" / name), cut) as brain:
        return shown(brain, "", Scope(f"project:{name}"))


def grades() -> Mapping[tuple[str, str], str]:
    """Return the grade of each statement that a reader read, by its project and its words."""
    lines = map(json.loads, _GRADES.read_text("utf-8").splitlines())
    return {(one["project"], one["text"]): one["grade"] for one in lines}


if __name__ == "__main__":
    main()
