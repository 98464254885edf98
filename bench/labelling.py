"""Which of what was found is which of what was labelled."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from bench.transcripts import Label, Transcript

_NOT = re.compile(r"\b(?:doesn't|does not|do not)\b")
# Spellings as short as this are whole words; a longer one may go on ("page" in "pages").
_WHOLE_WORD_CHARS = 3


@dataclass(frozen=True, slots=True)
class Span:
    """Characters of a turn."""

    turn: int
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What was stated, and where it stands."""

    words: str
    spans: Sequence[Span]
    kind: str = ""
    channel: str = ""
    due: date | None = None
    old_value: str = ""
    is_triple: bool = False


@dataclass(frozen=True, slots=True)
class Matched:
    """Pairs of a label and what was found of it, the labels missed, and what is wrong and why."""

    pairs: Sequence[tuple[Label, Found]]
    missed: Sequence[Label]
    wrong: Sequence[tuple[Found, str]]


def match(transcript: Transcript, found: Sequence[Found]) -> Matched:
    """Pair as many labels as can be, each with one; the required ones first, kinds that agree."""
    graph = _Graph(transcript, found)
    labels = sorted(range(len(transcript.labels)), key=graph.is_optional)
    for label in labels:
        graph.pair(label, set())
    paired = {label: one for one, label in graph.label_of.items()}
    return Matched(
        [(transcript.labels[label], found[one]) for label, one in sorted(paired.items())],
        [
            label
            for number, label in enumerate(transcript.labels)
            if number not in paired and not label.is_optional
        ],
        [(one, graph.fault(number)) for number, one in enumerate(found) if graph.is_wrong(number)],
    )


@dataclass(slots=True)
class _Graph:
    """Augmenting paths find the largest pairing (Berge 1957)."""

    transcript: Transcript
    found: Sequence[Found]
    label_of: dict[int, int] = field(default_factory=dict)

    def is_optional(self, label: int) -> bool:
        return self.transcript.labels[label].is_optional

    def pair(self, label: int, seen: set[int]) -> bool:
        """Find something for a label, if others can be found for whoever has it."""
        for one in self._fitting(label):
            if one in seen:
                continue
            seen.add(one)
            if one not in self.label_of or self.pair(self.label_of[one], seen):
                self.label_of[one] = label
                return True
        return False

    def is_wrong(self, one: int) -> bool:
        return one not in self.label_of

    def fault(self, one: int) -> str:
        """Say what is wrong with something that has no label."""
        labels = range(len(self.transcript.labels))
        if any(one in self._fitting(label) for label in labels):
            return "duplicate"
        found = self.found[one]
        if any(_is_there(self.transcript, self.transcript.labels[n], found) for n in labels):
            return "lacks a value"
        return "nothing there"

    def _fitting(self, number: int) -> list[int]:
        label = self.transcript.labels[number]
        fitting = [at for at, one in enumerate(self.found) if is_told(self.transcript, label, one)]
        return sorted(fitting, key=lambda at: self.found[at].kind != label.kind)


def _is_there(transcript: Transcript, label: Label, one: Found) -> bool:
    """Say whether it stands on words of the label's; a span without an end is a whole turn."""
    for place in label.places:
        start = transcript.drafts[place.turn].text.index(place.quote)
        end = start + len(place.quote)
        for span in one.spans:
            is_whole = span.end == 0
            if span.turn == place.turn and (is_whole or (span.start < end and start < span.end)):
                return True
    return False


def is_told(transcript: Transcript, label: Label, one: Found) -> bool:
    """Say whether what was found tells what was labelled: there, and with its values."""
    return _is_there(transcript, label, one) and has_values(label, one)


def has_values(label: Label, one: Found) -> bool:
    """Say whether it states one spelling of each value, in its words or as its deadline."""
    words = _folded(f"{one.words} {one.due or ''}")
    return all(any(_says(words, spelling) for spelling in value) for value in label.values)


def _says(words: str, spelling: str) -> bool:
    folded = _folded(spelling)
    before = "(?<![a-z0-9])" if folded[0].isalnum() else ""
    # A number goes on to its unit at most.
    is_whole, is_number = len(folded) <= _WHOLE_WORD_CHARS, folded[-1].isdigit()
    after = r"(?![.,]?[0-9])" if is_number else "(?![a-z0-9])" if is_whole else ""
    return re.search(before + re.escape(folded) + after, words) is not None


def _folded(words: str) -> str:
    """Make a statement about oneself and one about somebody look alike."""
    straight = words.casefold().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    return _NOT.sub("don't", straight)
