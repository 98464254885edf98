"""
Estimate how worth remembering words are, and where each such statement begins and ends.

A logistic regression over `features`, and over the mean of one weight for each word, estimates how
likely somebody wants to know it in another session. It was trained once, on labelled transcripts
that are no longer here (ADR 21).

A short message that is one statement is kept with less: "Our linter is ruff" has few of the
features learned from talk. Go-aheads and remarks on the moment are not kept, nor an agent's general
advice.
"""

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from itertools import groupby

from tilth.core.dataclass import dataclass
from tilth.learning.candidate import Turn
from tilth.learning.filter import CONFIDENCE_MIN
from tilth.learning.spoken.clause_forms import is_agents
from tilth.learning.spoken.decisions import is_task
from tilth.learning.spoken.features import Run, features
from tilth.learning.text.clause_context import leans, points
from tilth.learning.text.clauses import Clause, asks
from tilth.learning.text.verb_forms import is_claim

# The most clauses of one statement.
CLAUSES_MAX = 4
# The least worth of a person's and of an agent's words; chosen on seven held-out sets (ADR 21).
LEAST, LEAST_OF_AGENT = 0.4, 0.5
# The least worth of a whole short message.
LEAST_OF_LONE = 0.15
_WORD = re.compile(r"[a-z][a-z'\N{RIGHT SINGLE QUOTATION MARK}]*")


@dataclass(frozen=True, slots=True)
class Learned:
    """The weights of features and of words; `bias` is the constant term."""

    bias: float
    features: Mapping[str, float]
    words: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Weighed:
    """A run with its worth."""

    run: Run
    worth: float

    @property
    def confidence(self) -> float:
        """The confidence that follows from the worth: barely worthy is barely sure."""
        return round(CONFIDENCE_MIN + (1 - CONFIDENCE_MIN) * min(self.worth, 1.0) ** 2, 2)


def runs_of(said: Iterable[Clause], turn: Turn) -> Iterator[list[Run]]:
    """Yield for each sentence all runs of its clauses."""
    for _, of_sentence in groupby(said, key=lambda clause: clause.sentence.start):
        parts = list(of_sentence)
        yield [
            Run(turn, parts[begin:end], len(parts))
            for begin in range(len(parts))
            for end in range(begin + 1, min(begin + CLAUSES_MAX, len(parts)) + 1)
        ]


def worth_of(run: Run) -> float:
    """Return the probability, from 0 to 1, that a run is worth remembering."""
    learned = _learned()
    score = learned.bias + sum(learned.features.get(feature, 0.0) for feature in features(run))
    words = words_of(run)
    if words:
        score += sum(learned.words.get(word, 0.0) for word in words) / len(words)
    return 1 / (1 + math.exp(-score))


def words_of(run: Run) -> list[str]:
    """Return the words of a run that have weights."""
    return _WORD.findall(run.plain.lower())


def best_of(runs: Sequence[Weighed], least: float) -> list[Weighed]:
    """
    Return the disjoint runs of a sentence that are worth most together.

    Each counts with its worth above *least* (weighted interval scheduling).
    """
    ending: dict[int, list[Weighed]] = {}
    for one in runs:
        ending.setdefault(one.run.span[1], []).append(one)
    # The best choice among runs that end so far, by end.
    best: list[tuple[int, float, tuple[Weighed, ...]]] = [(0, 0.0, ())]
    for end in sorted(ending):
        gain, kept = best[-1][1:]
        for one in ending[end]:
            _, before, rest = max(
                (had for had in best if had[0] <= one.run.span[0]), key=lambda had: had[1]
            )
            if before + one.worth - least > gain:
                gain, kept = before + one.worth - least, (*rest, one)
        best.append((end, gain, kept))
    return list(best[-1][2])


@cache
def _learned() -> Learned:
    source = resources.files("tilth.learning.spoken").joinpath("salience.json")
    told = json.loads(source.read_text(encoding="utf-8"))
    words = {
        word: float(weight) for weight, group in told["words"].items() for word in group.split()
    }
    return Learned(told["bias"], told["features"], words)


# In characters, the longest message that counts as one statement.
SHORT_CHARS = 160
_OF_THE_MOMENT = re.compile(
    r"(?:i'?m|we're|i am|we are) (?:still |only |just )*\w+ing\b.*\b(?:now|at the moment)[.!]*$",
    re.IGNORECASE,
)
_GO_AHEAD = re.compile(r"(?:proceed|continue|carry on|keep going)\b", re.IGNORECASE)
_ADVICE = re.compile(r"(?:never|always|don't|do not|avoid|make sure|be sure)\b", re.IGNORECASE)
# Verbs of lasting states and habits.
_LASTING = (
    r"(?:only |always |never |also |usually |mostly |still |don't )*(?:live|work|use|own|have|"
    r"drive|study|speak|teach|eat|drink|play|sing|grow|rent|ride|run)"
)
# Guesses, wishes, questions, own deeds, next steps, and impressions.
_PASSING = re.compile(
    r".*\b(?:would|could|might|may|maybe|perhaps|probably|seems?|hope|wish|should)\b|"
    r".*'d\b|.*\.{2,}$|(?:can|could|let|lets|let's|dunno|everything|nothing|\w+ing)\b|"
    rf".*\b(?:fail(?:s|ed|ing)?|crash\w*|broken|stuck)\b|i(?!'?m\b| am\b| {_LASTING}\b)\b|"
    r"(?:i'?m|i am|we're|we are) (?:\w+ing|so|sure|sorry|done|back|ok|fine)\b",
    re.IGNORECASE,
)
# Without the apostrophe, in a hurry.
_HURRIED_IM = re.compile(r"im\b(?= \w)", re.IGNORECASE)


def is_lone(run: Run) -> bool:
    """Say whether a run is a person's short message with one claim."""
    plain = run.plain
    if is_agents(run.turn) or not is_message(run) or len(run.turn.episode.text) > SHORT_CHARS:
        return False
    if asks(plain) or leans(plain) or points(plain) or is_task(plain) or _PASSING.match(plain):
        return False
    return is_claim(_HURRIED_IM.sub("I'm", plain, count=1))


def is_passing(clause: Clause, run: Run) -> bool:
    """Say whether a clause is over at once: advice, a go-ahead, a moment."""
    is_opening = clause.start == run.sentence.start
    if is_agents(run.turn):
        return is_opening and _ADVICE.match(clause.plain) is not None
    is_go_ahead = _GO_AHEAD.match(clause.plain) is not None and is_message(run)
    return is_go_ahead or _OF_THE_MOMENT.match(clause.plain) is not None


def is_message(run: Run) -> bool:
    """Say whether a run is all that its message says: one clause in one sentence."""
    is_last = not run.turn.episode.text[run.sentence.end :].strip()
    return run.of == 1 and run.first.order == 0 and is_last
