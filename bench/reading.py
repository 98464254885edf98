"""
What of what is learned is worth keeping, as a reader graded it.

    python -m bench.reading STREAMS [--project NAME]… [--all]

Every project of the streams (`bench.streams`) is learned up to each of its cuts. What is told of
it is printed, each line once: facts that are known or corroborated, the lines of the brief of a
session start, commands, failures that were overcome, and playbooks. Before each line stands the
grade that a reader gave it, or `?` where nobody read it yet: A worth keeping for weeks, B true but
trivial or over, C garbled or without its referent, D false or overtaken, E said again. Grades stand
in `bench/data/read.jsonl` by the digest of the words alone: the words are other people's. There
are also those of 48 lines laid beside prompts, drawn with the seed 13, of how exchanges ended, and
of entities, of which A is true and of the right type.
`--all` prints what is graded, too. The last line is one JSON object.
"""

import argparse
import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from bench.machine import store_environment
from bench.streams import Stream, learned, shown
from tilth.core.scope import Scope
from tilth.playbooks.model import PlaybookState
from tilth.runtime.brain import Brain

_GRADES = Path(__file__).parent / "data" / "read.jsonl"
_JUNK = frozenset("CDE")
# What a line is of stands behind it, and is another one in each store.
_ID = re.compile(r" \[\w+\]$")
_MANY = 1_000


class Line(NamedTuple):
    """Something that is told: what it is, and its words."""

    read: str
    kind: str
    words: str

    @property
    def digest(self) -> str:
        """Return what it is kept under."""
        return hashlib.sha256(self.words.encode()).hexdigest()[:12]


def main() -> None:
    """Print what is told and how it was graded, and count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("streams", type=Path, help="the folder that holds dev/")
    parser.add_argument("--project", action="append", default=[], help="only this one")
    parser.add_argument("--all", action="store_true", help="print what is graded, too")
    options = parser.parse_args()
    graded = [json.loads(line) for line in _GRADES.read_text("utf-8").splitlines()]
    grades = {(one["project"], one["words"]): one["grade"] for one in graded}
    counts: dict[str, Counter[str]] = {}
    for folder in sorted(one.parent for one in (options.streams / "dev").glob("*/01-*.gz")):
        if options.project and folder.name not in options.project:
            continue
        for line in dict.fromkeys(_told(folder)):
            grade = grades.get((folder.name, line.digest), "?")
            counts.setdefault(line.read, Counter())[grade] += 1
            if options.all or grade == "?":
                print(folder.name, grade, line.digest, line.read, line.kind, line.words, sep="\t")
    print(json.dumps(_report(counts) | store_environment()))


def _report(counts: dict[str, Counter[str]]) -> dict[str, object]:
    """Return how many of each grade there are, by what was read, and the share of junk."""
    every: Counter[str] = sum(counts.values(), Counter())
    read = sum(count for grade, count in every.items() if grade != "?")
    junk = sum(count for grade, count in every.items() if grade in _JUNK)
    told = {name: dict(sorted(grades.items())) for name, grades in sorted(counts.items())}
    return told | {"read": read, "unread": every["?"], "junk": round(junk / max(1, read), 3)}


def _told(folder: Path) -> Iterator[Line]:
    """Yield what is told of a project after each of its cuts, and after its last session."""
    gold = folder / "gold.jsonl"
    lines = gold.read_text("utf-8").splitlines() if gold.exists() else []
    cuts = {int(json.loads(line)["after"]) for line in lines}
    for cut in sorted(cuts | {len(list(folder.glob("*.gz")))}):
        with learned(Stream(folder), cut) as brain:
            yield from _told_by(brain, Scope(f"project:{folder.name}"))


def _told_by(brain: Brain, scope: Scope) -> Iterator[Line]:
    """Yield what is told of a project in one store, a playbook line by line."""
    for fact in brain.facts.list(limit=_MANY, scope=scope):
        yield Line("fact", str(fact.grade), fact.said.text)
    kind = ""
    for line in shown(brain, "", scope).splitlines():
        if line.startswith("- "):
            yield Line("brief line", kind, _ID.sub("", line))
        kind = line if line.endswith(":") else kind
    for command in brain.commands.list(scope=scope):
        yield Line("command", str(command.kind), command.shown)
    for fix in brain.fixes.list(limit=_MANY, scope=scope):
        told = fix.instead or fix.cause or ", ".join(fix.changed)
        yield Line("failure → fix", "", f"{fix.line}: {fix.symptom}; {told}")
    yield from _playbooks_of(brain, scope)


def _playbooks_of(brain: Brain, scope: Scope) -> Iterator[Line]:
    brain.reflect()
    for playbook in brain.playbooks.list(scope=scope):
        if playbook.state is not PlaybookState.VETOED:
            said = playbook.draft
            for words in (said.title, said.applies_when, *said.steps, *said.pitfalls):
                yield Line("playbook", said.title, words)


if __name__ == "__main__":
    main()
