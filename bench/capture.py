"""
How much of what is worth remembering in a transcript becomes facts, without any model.

    python -m bench.capture bench/data/capture/first.jsonl [FILE…] [--misses] [--keep]

Each transcript goes into a fresh store, is distilled, and its facts are compared with its labels:
the words that a fact stands on lie in the label's, and it says what the label says. One fact is
for one label; a second one is wrong, and so is what is not labelled. A `.txt` has passages that
state nothing. Beside it stands what comes of stating each sentence that somebody typed. `--misses`
shows what was missed and what is wrong. The last line is one JSON object.
"""

import argparse
import json
import re
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import tilth
from bench.labelling import Found, Matched, Span, match
from bench.machine import keep, surroundings
from bench.transcripts import Transcript, fill, read_transcripts
from tilth.core.actor import Actor, ActorKind
from tilth.core.ids import EpisodeId
from tilth.episodes.episode import EpisodeKind
from tilth.knowledge.facts.fact import Fact

_WORKER = Actor("worker", ActorKind.JOB)
_SENTENCE = re.compile(r"[^\n.!?。！？]+")  # noqa: RUF001 - they end Chinese sentences
_SHOWN_CHARS = 110


def main(words: Sequence[str] | None = None) -> None:
    """Measure the files named on the command line, or in *words*."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--misses", action="store_true", help="show what was missed and is wrong")
    parser.add_argument("--keep", action="store_true", help="write bench/results/capture.json")
    options = parser.parse_args(words)
    closed = [path.name for path in options.files if is_held_out(path)]
    if options.misses and closed:
        parser.error(f"nobody looks into {', '.join(closed)}: --misses is for the other files")
    report: dict[str, object] = {}
    every: list[Result] = []
    for path in options.files:
        transcripts = read_transcripts(path)
        results = captured(transcripts)
        sentences = [Result(one, match(one, typed(one))) for one in transcripts]
        if options.misses:
            _show_misses(results)
        measured = totals(results) | {"each_sentence": _rates(sentences)}
        if not is_held_out(path):
            measured |= {"kinds": _by_kind(results), "genres": _by_genre(results)}
        report[path.stem] = measured
        every += results
        _show(path.stem, measured)
    if len(options.files) > 1:
        report["all"] = together = totals(every)
        _show("all", together)
    if options.keep:
        keep("capture", report)
    else:
        print(json.dumps(report | surroundings()))


def is_held_out(path: Path) -> bool:
    """Say whether only the totals of a file may be seen."""
    return "held_out" in path.name


@dataclass(frozen=True, slots=True)
class Result:
    """A transcript, and what came of it."""

    transcript: Transcript
    matched: Matched


def captured(transcripts: Sequence[Transcript]) -> list[Result]:
    """Distil each transcript, and compare what is known then with its labels."""
    return [Result(one, match(one, distilled(one))) for one in transcripts]


def distilled(transcript: Transcript) -> list[Found]:
    """Put a transcript into a store of its own, and say what is known then."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "brain.db"
        with tilth.connect(path, create=True, actor=_WORKER) as brain:
            turn_of = {id_: turn for turn, id_ in enumerate(fill(brain, transcript))}
            stated = brain.distil(is_asked=True).stated
            ids = dict.fromkeys(str(one.fact.id) for one in stated)
            return [_found(brain.facts.get(one), turn_of) for one in ids]


def _found(fact: Fact, turn_of: Mapping[EpisodeId, int]) -> Found:
    spans = [Span(turn_of[one.episode_id], one.start, one.end) for one in fact.evidence]
    due = str(fact.metadata.get("due") or "")[:10]
    return Found(
        words=fact.said.words,
        spans=spans,
        kind=str(fact.metadata.get("kind", "")),
        channel=fact.said.channel or "",
        due=date.fromisoformat(due) if due else None,
        old_value=str(fact.metadata.get("old_value", "")),
        is_triple=fact.said.triple is not None,
    )


def typed(transcript: Transcript) -> list[Found]:
    """Take each sentence of each message for a fact: the floor of precision."""
    return [
        Found(words=one.group(), spans=[Span(turn, one.start(), one.end())])
        for turn, draft in enumerate(transcript.drafts)
        if draft.kind is EpisodeKind.MESSAGE
        for one in _SENTENCE.finditer(draft.text)
    ]


def totals(results: Sequence[Result]) -> dict[str, object]:
    """Return what is measured over all transcripts."""
    every = [pair for one in results for pair in one.matched.pairs]
    pairs = [(label, found) for label, found in every if not label.is_optional]
    facts = [found for _, found in every]
    facts += [found for one in results for found, _ in one.matched.wrong]
    due = [(label, found) for label, found in pairs if label.due]
    corrected = [(label, found) for label, found in pairs if label.old_value and found.old_value]
    return _rates(results) | {
        "transcripts": len(results),
        "kind_right": _share(label.kind == found.kind for label, found in pairs),
        "channel_right": _share(found.channel in label.channels for label, found in pairs),
        "due_right": _share(label.due == found.due for label, found in due),
        "old_values": len(corrected),
        "triples_per_fact": _ratio(sum(one.is_triple for one in facts), len(facts)),
        "words_max": max((len(one.words.split()) for one in facts), default=0),
        "faults": dict(Counter(why for one in results for _, why in one.matched.wrong)),
    }


def _rates(results: Sequence[Result]) -> dict[str, object]:
    missed = sum(len(one.matched.missed) for one in results)
    required = sum(one.transcript.required for one in results)
    right = sum(len(one.matched.pairs) for one in results)
    facts = right + sum(len(one.matched.wrong) for one in results)
    captured, precision = _ratio(required - missed, required), _ratio(right, facts)
    return {
        "labels": required,
        "facts": facts,
        "captured": captured,
        "precision": precision,
        "f1": _ratio(2 * captured * precision, captured + precision),
        "facts_per_label": _ratio(facts, required),
    }


def _by_kind(results: Sequence[Result]) -> dict[str, str]:
    counts: defaultdict[str, list[bool]] = defaultdict(list)
    for one in results:
        for label, _ in one.matched.pairs:
            if not label.is_optional:
                counts[label.kind].append(True)
        for label in one.matched.missed:
            counts[label.kind].append(False)
    return {kind: f"{sum(marks)}/{len(marks)}" for kind, marks in sorted(counts.items())}


def _by_genre(results: Sequence[Result]) -> dict[str, dict[str, object]]:
    genres = dict.fromkeys(one.transcript.genre for one in results)
    return {
        genre: _rates([one for one in results if one.transcript.genre == genre]) for genre in genres
    }


def _show(name: str, measured: Mapping[str, object]) -> None:
    print(f"\n{name}")
    for key, value in measured.items():
        print(f"  {key:16} {value}")


def _show_misses(results: Iterable[Result]) -> None:
    for line in (line for one in results for line in _misses(one)):
        print(line)


def _misses(result: Result) -> Iterator[str]:
    yield f"\n{result.transcript.id}"
    for label in result.matched.missed:
        values = "; ".join("~".join(value) for value in label.values)
        yield f"  missed  {label.kind:12} {label.places[0].quote[:_SHOWN_CHARS]!r} ({values})"
    for found, why in result.matched.wrong:
        turn = found.spans[0].turn if found.spans else "?"
        yield f"  {why}  {found.kind:12} turn {turn}: {found.words[:_SHOWN_CHARS]!r}"
    for label, found in result.matched.pairs:
        if label.kind != found.kind and not label.is_optional:
            yield f"  {found.kind} for {label.kind}: {found.words[:_SHOWN_CHARS]!r}"


def _share(marks: Iterable[bool]) -> float:
    known = list(marks)
    return _ratio(sum(known), len(known))


def _ratio(part: float, whole: float) -> float:
    return round(part / whole, 3) if whole else 0.0


if __name__ == "__main__":
    main()
