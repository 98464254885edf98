"""
Does what was learned in sessions 1…k help in session k+1, on real streams of sessions?

    python -m bench.streams STREAMS [--project NAME]… [--notes FOLDER] [--keep FOLDER] [--per]

Each project is a stream of consecutive sessions with gold (the streams' own README): what a careful
teammate would still want after session k, and moments of need. At each cut of a project a fresh
store takes in the sessions up to it, and is asked at every moment. The streams' own `score.py`
judges without a judge. What is asked of the store:

start       the brief of a session start
prompt      what is laid beside the prompt of a moment, alone
shown       what an agent has at that moment: the brief of its session start, and what is beside
            its prompt; a session start has the first alone
held        everything the store states of itself: known and corroborated facts, cards of
            exchanges, commands
recalled    whether the first three hits of recall, asked in the gold's own words, hold it

All text is what a surface renders, without the markers around it. Sessions are filed under the
stream's project where their source names no folder. The last line is one JSON object. `--keep`
writes the JSON files that were scored, and what was shown, for reading. `bench.reading` tells how
one reader graded it. `--notes` names a folder with what an agent noted in each session, as it would
over MCP: PROJECT.jsonl, each line {"after": number of the session, "text": the note}, and
"always": true where it holds in all work, and "replaces" the numbers of the lines that it ends.
"""

import argparse
import hashlib
import importlib.util
import json
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time
from pathlib import Path
from types import ModuleType
from typing import Any

from typing_extensions import override

import tilth
from bench.machine import store_environment
from tilth.context.model import BriefRequest
from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import InvalidInputError
from tilth.core.ids import EpisodeId
from tilth.core.scope import Scope
from tilth.core.table import tables
from tilth.exchanges.model import Exchange
from tilth.runtime.brain import Brain
from tilth.runtime.features import load_features
from tilth.transfer.file_importer import FileImporter
from tilth.transfer.model import Item, Skipped, Source

RECALLED = 3
_READER = Actor("bench", ActorKind.AGENT)
# Whatever a file weighs and however many stores are asked for, each is made once and copied.
_CACHE = Path(tempfile.gettempdir()) / "tilth-streams"


@dataclass(slots=True)
class Result:
    """What a store showed and held, in the shapes that `score.py` reads."""

    start: dict[str, str] = field(default_factory=dict)
    prompt: dict[str, str] = field(default_factory=dict)
    shown: dict[str, str] = field(default_factory=dict)
    held: dict[str, list[str]] = field(default_factory=dict)
    recalled: dict[str, list[str]] = field(default_factory=dict)
    statements: int = 0
    sessions: int = 0


@dataclass(frozen=True, slots=True)
class Stream:
    """The folder of a project's sessions, and what an agent noted in each, by its number."""

    folder: Path
    notes: Sequence[Mapping[str, Any]] = ()

    @property
    def files(self) -> list[Path]:
        """Its sessions, in their order."""
        return sorted(self.folder.glob("*.gz"))

    @property
    def scope(self) -> Scope:
        """Its project."""
        return Scope(f"project:{self.folder.name}")


class _Filed(FileImporter):
    """Reads sources as ever, and files what names no folder under a project."""

    def __init__(self, scope: Scope) -> None:
        super().__init__()
        self._scope = scope

    @override
    def read(self, source: Source) -> Iterator[tuple[Item, int]]:
        """See `FileImporter.read`."""
        for item, position in super().read(source):
            if isinstance(item, Skipped):
                yield item, position
            else:
                yield replace(item, scope=self._scope), position


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("streams", type=Path, help="the folder that holds score.py and dev/")
    parser.add_argument("--project", action="append", default=[], help="only this one")
    parser.add_argument("--notes", type=Path, help="what an agent noted, by project")
    parser.add_argument("--keep", type=Path, help="write what was scored there")
    parser.add_argument("--per", action="store_true", help="print every moment")
    parser.add_argument("--no-recall", action="store_true", help="leave recall out")
    options = parser.parse_args()
    score, result = judge(options.streams), Result()
    wanted: dict[str, Any] = {}
    moments: dict[str, Any] = {}
    for gold in sorted((options.streams / "dev").glob("*/gold.jsonl")):
        if options.project and gold.parent.name not in options.project:
            continue
        of_wanted, of_moments = score.load([str(gold)])
        wanted |= of_wanted
        moments |= of_moments
        stream = Stream(gold.parent, _noted(options.notes, gold.parent.name))
        measure(stream, of_wanted, of_moments, result, is_recalled=not options.no_recall)
    report = summary(score, wanted, moments, result)
    if options.per:
        score.report(score.score(wanted, moments, result.shown, result.held), per=True)
    if options.keep:
        _keep(options.keep, result)
    for name, value in report.items():
        print(f"{name}: {value}")
    print(json.dumps(report | store_environment()))


def measure(
    stream: Stream,
    wanted: Mapping[str, Any],
    moments: Mapping[str, Any],
    result: Result,
    *,
    is_recalled: bool,
) -> None:
    """Replay a project up to each of its cuts, and ask."""
    for cut in sorted({one["after"] for one in (*wanted.values(), *moments.values())}):
        with learned(stream, cut) as brain:
            _ask(brain, stream.scope, cut, (stream.folder.name, wanted, moments), result)
            if is_recalled:
                _recall(brain, stream.scope, cut, wanted, result)


@contextmanager
def learned(stream: Stream, cut: int) -> Iterator[Brain]:
    """Give a brain of its own that read the sessions of a project up to *cut*."""
    with tempfile.TemporaryDirectory() as temporary:
        path = Path(shutil.copytree(episodes(stream, cut), f"{temporary}/store"))
        with tilth.connect(path / "brain.db", actor=_READER) as brain:
            known: dict[int, EpisodeId] = {}
            for number, one in enumerate(stream.notes, 1):
                if one["after"] <= cut:
                    known[number] = _note(brain, stream, one, known)
            brain.distil(is_asked=True)
            yield brain


def _noted(folder: Path | None, project: str) -> list[Mapping[str, Any]]:
    """Return what an agent noted in a project, each with the number of its session."""
    if folder is None:
        return []
    lines = (folder / f"{project}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def _note(
    brain: Brain, stream: Stream, note: Mapping[str, Any], known: Mapping[int, EpisodeId]
) -> EpisodeId:
    """Have an agent record *note* at the end of the day of its session, and return its ID."""
    after = note["after"]
    day = date.fromisoformat("-".join(stream.files[after - 1].name.split("-")[1:4]))
    at = datetime.combine(day, time(23, after % 60), UTC)
    return brain.remember(
        note["text"],
        kind="note",
        role="assistant",
        always=bool(note.get("always")),
        replaces=[known[number] for number in note.get("replaces", ())],
        scope=stream.scope,
        at=at,
    )


def episodes(stream: Stream, cut: int) -> Path:
    """Return a store with the sessions up to *cut*; nothing is learned from them yet."""
    load_features()
    made = hashlib.sha256(
        "".join(f"{table.name}{table.since}{table.columns}" for table in tables()).encode()
    )
    there = _CACHE / f"{stream.folder.name}-{cut}-{made.hexdigest()[:8]}"
    if not (there / "done").exists():
        shutil.rmtree(there, ignore_errors=True)
        there.mkdir(parents=True)
        with _open(there) as brain:
            parts = replace(brain.parts, importer=_Filed(stream.scope))
            importing = Brain(parts)
            for file in stream.files[:cut]:
                with suppress(InvalidInputError):  # a session of a format that nothing reads
                    list(importing.import_sources(importing.find_sources(str(file))))
        (there / "done").touch()
    return there


def _open(folder: Path) -> Brain:
    return tilth.connect(folder / "brain.db", create=True, actor=_READER)


def _ask(
    brain: Brain,
    scope: Scope,
    cut: int,
    gold: tuple[str, Mapping[str, Any], Mapping[str, Any]],
    result: Result,
) -> None:
    name, _, moments = gold
    start = shown(brain, "", scope)
    for id_, moment in moments.items():
        if moment["after"] != cut:
            continue
        is_start = moment["situation"].startswith("session start")
        beside = "" if is_start else shown(brain, moment["situation"], scope)
        result.prompt[id_] = beside
        result.shown[id_] = f"{start}\n\n{beside}"
        if is_start:
            result.start[id_] = start
    facts = [fact.said.text for fact in brain.facts.list(limit=1000, scope=scope)]
    cards = [card_text(one) for one in brain.exchanges.list(limit=1000, scope=scope)]
    commands = [one.shown for one in brain.commands.list(scope=scope)]
    result.held[f"{name}@{cut}"] = [*facts, *cards, *commands]
    result.statements += len(facts)
    result.sessions += len(brain.sessions.list(limit=1000, scope=scope))


def card_text(one: Exchange) -> str:
    """Return a card whole: what was asked, what was done, how it ended."""
    return "\n".join([one.ask, *one.files, *one.commands, *one.commits, one.report])


def shown(brain: Brain, question: str, scope: Scope) -> str:
    """Return what an agent is told unasked: at a session's start, or beside a prompt."""
    request = BriefRequest(question=question, via="bench", is_asked=False)
    return brain.brief(request, scope=scope).text


def _recall(
    brain: Brain, scope: Scope, cut: int, wanted: Mapping[str, Any], result: Result
) -> None:
    for id_, one in wanted.items():
        if one["after"] == cut:
            hits = brain.recall(one["what"], limit=RECALLED, scope=scope).hits
            result.recalled[id_] = ["\n".join(hit.words) for hit in hits]


def summary(
    score: ModuleType, wanted: Mapping[str, Any], moments: Mapping[str, Any], result: Result
) -> dict[str, object]:
    """Return the figures of the table in the streams' reference."""
    report: dict[str, object] = {}
    for name in ("shown", "prompt", "start"):
        shown = getattr(result, name)
        which = {id_: one for id_, one in moments.items() if id_ in shown}
        if name == "prompt":
            which = {
                id_: one
                for id_, one in which.items()
                if not one["situation"].startswith("session start")
            }
        report[name] = _moments(score.score(wanted, which, shown)["moments"])
    held = score.score(wanted, moments, None, result.held)["wanted"]
    report["held"] = _share(sum(ok for *_, ok in held), len(held))
    if result.recalled:
        recalled = score.score(wanted, moments, None, result.recalled)["wanted"]
        report["recalled"] = _share(sum(ok for *_, ok in recalled), len(recalled))
    report["statements a session"] = round(result.statements / max(1, result.sessions), 2)
    return report


def _moments(rows: Sequence[Mapping[str, Any]]) -> dict[str, object]:
    needing = [row for row in rows if row["needs"]]
    idle = [row for row in rows if not row["needs"]]
    return {
        "needs met": _share(sum(row["ok"] for row in rows), sum(row["needs"] for row in rows)),
        "one met": _share(sum(row["ok"] > 0 for row in needing), len(needing)),
        "misled": [row["id"] for row in rows if row["mislead"]],
        "stale": [row["id"] for row in rows if row["stale"]],
        "tokens": round(sum(row["tokens"] for row in needing) / max(1, len(needing))),
        "tokens idle": round(sum(row["tokens"] for row in idle) / max(1, len(idle))),
    }


def _share(count: int, total: int) -> str:
    return f"{100 * count / total:.0f} % ({count}/{total})" if total else "none"


def judge(streams: Path) -> ModuleType:
    """Return the module by which the streams say what a text holds."""
    spec = importlib.util.spec_from_file_location("streams_score", streams / "score.py")
    if spec is None or spec.loader is None:
        raise SystemExit(f"there is no score.py in {streams}")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _keep(folder: Path, result: Result) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("start", "prompt", "shown", "held", "recalled"):
        kept = json.dumps(getattr(result, name), ensure_ascii=False, indent=1)
        (folder / f"{name}.json").write_text(kept, "utf-8")


if __name__ == "__main__":
    main()
