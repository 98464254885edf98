"""
Compute features of words that may state something, without knowing what they mean.

The features are length, speaker and context, numbers, names and verbs, and the pattern of function
words. `worth` estimates from them what is worth remembering.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from tilth.core.dataclass import dataclass
from tilth.core.text.prose import Sentence, sentences
from tilth.core.text.tokens import stem
from tilth.learning.candidate import Turn
from tilth.learning.spoken.clause_forms import is_agents
from tilth.learning.spoken.decisions import is_task
from tilth.learning.text.clause_context import (
    is_offer,
    is_pasted,
    last_asked,
    last_said,
    leans,
    points,
)
from tilth.learning.text.clauses import Clause
from tilth.learning.text.verb_forms import is_claim

_WORDS_OVER = (2, 3, 4, 6, 8, 11, 15, 20, 30)
_CHARS_OVER = (40, 80, 160, 280, 450, 900, 1500)
_TOKEN = re.compile(r"[A-Za-z][\w'-]*|\d[\d.,:/xX-]*\w*|[^\w\s]")
_SMALL_WORDS = """
a an the this that these those my our your his her its their i we you he she it they me us him
them who what which where when why how is are was were be been being am has have had do does did
will would can could shall should may might must not no never and or but so because if then than
as at by for from in into of off on onto out over to up down with without after before until till
since during about there here now still already yet just only also too again always usually never
often every each any some all both either neither none most more less few many much ok yes yeah no
nope please thanks thank sorry let let's lets btw maybe perhaps probably think guess know mean want
need like make go get keep use put take set done today tomorrow yesterday tonight week month year
monday tuesday wednesday thursday friday saturday sunday morning evening night i'm i'll i've i'd
it's that's there's we're we'll we've don't doesn't didn't can't won't isn't aren't wasn't he's
she's they're you're what's
"""
_SMALL = frozenset(_SMALL_WORDS.split())
_ENDINGS = ("ing", "ed", "ly", "tion", "s")
_QUESTIONS = frozenset({"what", "which", "who", "where", "when", "why", "how"})
# In events. A message this much later is no reaction to the one before.
_FAR = 5
_FORMS = {
    "path": re.compile(r"\w/\w|\w\.\w{2,}\b|\w_\w|@"),
    "money": re.compile(r"[$€£%]"),
    "day": re.compile(
        r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b"
        r"|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day",
        re.IGNORECASE,
    ),
    "code": re.compile("x{3}"),
    "colon": re.compile(r":\s*$"),
    "trails": re.compile(r"(?:\.\.|…)\s*$"),
    "of me": re.compile(r"\b(?:i|me|my)\b", re.IGNORECASE),
    "of us": re.compile(r"\b(?:we|our|us)\b", re.IGNORECASE),
    "of you": re.compile(r"\b(?:you|your)\b", re.IGNORECASE),
    "by me": re.compile(r"\W*i\b", re.IGNORECASE),
    "by you": re.compile(r"\W*you\b", re.IGNORECASE),
    "doubt": re.compile(r"\b(?:would|could|might|may|should)\b", re.IGNORECASE),
    "will": re.compile(r"\bwill\b|'ll\b", re.IGNORECASE),
    "not": re.compile(r"\b(?:not|no|never|none|without|nothing|nobody)\b|n't\b", re.IGNORECASE),
    "doing": re.compile(r"\W*\w+ing\b", re.IGNORECASE),
    "done": re.compile(r"\W*\w+ed\b", re.IGNORECASE),
    "number": re.compile(r"(?<![A-Za-z])\d"),
    "name": re.compile(r"\w\W+[A-Z]"),
    "acronym": re.compile(r"\b[A-Z][A-Z\d]+\b"),
}
_SUPPOSED = re.compile(r"\W*(?:if|when|unless|suppose|say)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Run:
    """Adjacent clauses of a sentence that has `of` clauses."""

    turn: Turn
    clauses: Sequence[Clause]
    of: int

    @property
    def first(self) -> Clause:
        """Its first clause."""
        return self.clauses[0]

    @property
    def sentence(self) -> Sentence:
        """Its sentence."""
        return self.first.sentence

    @property
    def span(self) -> tuple[int, int]:
        """Its start and end in the text."""
        return self.first.start, self.clauses[-1].end

    @property
    def plain(self) -> str:
        """Its words in normal form."""
        start = self.sentence.start
        return self.sentence.plain[self.span[0] - start : self.span[1] - start]


def features(run: Run) -> Iterator[str]:
    """Yield the names of a run's features; some occur more than once."""
    seen = {*_of_turn(run.turn), *_of_place(run), *_of_form(run)}
    yield from seen
    yield from (f"{one} & {other}" for one, other in _TOGETHER if {one, other} <= seen)
    yield from _of_size(run)
    yield from _of_words(run)
    yield from _around(run)
    yield from _before(run)


# Pairs of features that say more together.
_TOGETHER = (
    ("person", "claim"),
    ("person", "number"),
    ("person", "name"),
    ("person", "answer"),
    ("number", "claim"),
    ("number", "clauses: 2"),
)


def _of_turn(turn: Turn) -> Iterator[str]:
    episode, before = turn.episode, turn.before
    yield _who(turn)
    if is_pasted(turn):
        yield "pasted"
    yield from (f"chars > {least}" for least in _CHARS_OVER if len(episode.text) > least)
    said = last_said(turn)
    if before is not None and "?" in before.text[-60:]:
        yield "question before"
    if said is not None and is_offer(said.plain):
        yield "offer before"


def _who(turn: Turn) -> str:
    return "agent" if is_agents(turn) else "person"


def _of_place(run: Run) -> Iterator[str]:
    first, whole = run.first, run.sentence.plain.rstrip()
    is_sentence = len(run.clauses) == run.of
    seen = {
        "first": first.order == 0,
        "answer": first.order == 0 and last_asked(run.turn) is not None,
        "denying": first.is_denying,
        "asked": first.is_asked,
        "question": whole.endswith("?"),
        "exclaims": whole.endswith("!"),
        "supposed": _SUPPOSED.match(whole) is not None,
        "sentence": is_sentence,
        "message": is_sentence and len(sentences(run.turn.episode.text)) == 1,
    }
    yield from (name for name, is_so in seen.items() if is_so)


def _of_form(run: Run) -> Iterator[str]:
    plain, first = run.plain, run.first.plain
    yield from (name for name, form in _FORMS.items() if form.search(plain))
    if is_claim(first):
        yield "claim"
    if leans(first):
        yield "leans"
    if points(first):
        yield "points"
    if is_task(first):
        yield "task"


def _of_size(run: Run) -> Iterator[str]:
    length = len(run.plain.split())
    yield from (f"words > {least}" for least in _WORDS_OVER if length > least)
    claims = sum(is_claim(one.plain) for one in run.clauses)
    numbers = sum(any(map(str.isdigit, one.plain)) for one in run.clauses)
    count = len(run.clauses)
    yield f"clauses: {count}"
    yield from (f"claims > {least}" for least in range(claims))
    yield from (f"numbers > {least}" for least in range(numbers))
    yield from (f"clauses without claim > {least}" for least in range(count - claims))


def _of_words(run: Run) -> Iterator[str]:
    tokens = _TOKEN.findall(run.plain)
    stems = [stem(one.lower()) if one.isalpha() else "#" for one in tokens]
    who = _who(run.turn)
    yield from {f"word {one}" for one in stems}
    yield from {f"{who} word {one}" for one in stems}
    yield from {f"words {one} {other}" for one, other in pairwise(("^", *stems))}
    kinds = [_kind(one, is_first=place == 0) for place, one in enumerate(tokens)]
    framed = ("^", *kinds, "$")
    yield from {f"form {one}" for one in kinds}
    yield from {f"form {one} {other}" for one, other in pairwise(framed)}
    threes = zip(framed, framed[1:], framed[2:], strict=False)
    yield from {f"form {one} {other} {last}" for one, other, last in threes}
    yield f"form {who} {' '.join(kinds[:1])}"
    endings = {one.lower() for one in tokens if one[0].isalpha()} - _SMALL
    yield from {f"ending {one[-length:]}" for one in endings for length in (2, 3)}
    said = last_said(run.turn)
    if said is not None and run.first.order == 0:
        asked = {one.lower() for one in _TOKEN.findall(said.plain)} & _SMALL
        yield from (f"form after {one}" for one in asked)


def _around(run: Run) -> Iterator[str]:
    """Yield features of what stands before and after it in its sentence."""
    plain, (begin, end), start = run.sentence.plain, run.span, run.sentence.start
    ahead = [_kind(one) for one in _TOKEN.findall(plain[: begin - start])[-2:]]
    behind = [_kind(one) for one in _TOKEN.findall(plain[end - start :])[:2]]
    opening = next(iter(_TOKEN.findall(run.plain)), "")
    yield f"around < {' '.join(ahead[-1:]) or '^'}"
    yield f"around > {' '.join(behind[:1]) or '$'}"
    yield f"around << {' '.join(ahead)}"
    yield f"around >> {' '.join(behind)}"
    yield f"around < {' '.join(ahead[-1:]) or '^'} {_kind(opening, is_first=True)}"


def _before(run: Run) -> Iterator[str]:
    """Yield features of its relation to the other side's words before it."""
    turn, before = run.turn, run.turn.before
    if before is None:
        return
    who = _who(turn)
    yield f"before {who} {min(_FAR, turn.episode.seq - before.seq)} away"
    yield f"before {before.role}"
    yield from (f"before chars > {least}" for least in _CHARS_OVER if len(before.text) > least)
    said = last_said(turn)
    if said is None:
        return
    spoken = [one.lower() for one in _TOKEN.findall(said.plain)]
    yield from {f"before word {stem(one)}" for one in spoken[:3]}
    told = "asks" if said.plain.rstrip().endswith("?") else "tells"
    by = next((one for one in spoken if one in _QUESTIONS), "") if told == "asks" else ""
    yield f"before {who} {told} {by}"
    if run.first.order == 0:
        yield f"before first {told} {by}"


def _kind(token: str, *, is_first: bool = False) -> str:
    """Return the kind of a word: a function word itself, else its shape."""
    low = token.lower()
    if low in _SMALL or not token[:1].isalnum():
        return low
    if token[0].isdigit():
        return "NUMBER"
    if any(map(str.isdigit, token)):
        return "CODE"
    if token.isupper() and len(token) > 1:
        return "ACRONYM"
    if token[0].isupper() and not is_first:
        return "NAME"
    ending = next((one for one in _ENDINGS if low.endswith(one) and len(low) > len(one) + 2), "")
    return f"-{ending}"
