"""
What of a memory is shown to somebody who sees it for the first time, and what they could ask.

A question is made of one stretch of what was said: what something was chosen for, what it was
taken instead of, or a thing that it names. Never of words that stand far apart. It is pure:
whether the answer is found is for whoever asks to see.
"""

import re
from collections.abc import Iterator
from itertools import groupby, takewhile

from tilth.core.text.tokens import STOP_WORDS

# The best that `showing_score` gives.
SCORE_MAX = 3
_CHARS = range(30, 320)
_WORDS_LEAST = 5
_DECIDES = re.compile(
    r"\bdecision:|\b(?:decided|resolved|agreed|chose|instead of|rather than|no need|always"
    r"|never|must|prefer)\b"
    r"|\bthe (?:fix|cause|reason) (?:is|was)\b|\bwe should\b|\bdon't\b|\bdo not\b"
    r"|\bwe(?: are|'re)? (?:will|use|keep|going to|need no|(?:do not|don't) need)\b"
    r"|\blet'?s (?:use|go with|keep|call|stick|move|switch)\b|\bensure that\b",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"(?:does|do|did|is|are|can|could|should|would|will|what|how|why|which|who|when|where)\b"
    r"(?! not\b)",
    re.IGNORECASE,
)
# What was to be done then, and says nothing of what holds since.
_CHORE = re.compile(
    r"(?:please )?(?:add|address|check|commit|confirm|continue|create|fix|format|generate"
    r"|implement|list|look|make|provide|review|run|show|spawn|tell|update|write)\b",
    re.IGNORECASE,
)
# What it means stands elsewhere.
_POINTS = re.compile(
    r"\b(?:this|that|these|those|above|below|option \w|your)\b|^(?:\w+ ){0,3}(?:it|them)\b",
    re.IGNORECASE,
)
_INSTEAD = re.compile(r"\b(?:instead of|rather than) (?:the |a |an )?", re.IGNORECASE)
_CHOSEN = re.compile(
    r"\b(?:chose|choose|picked|use|using|adopted?|go(?:ing)? with|went with)\b[^.;:]{2,60}?"
    r" for (?:the |our |a |an )?",
    re.IGNORECASE,
)
# A host asked in so many words, and was told.
_ASKED = re.compile("^Asked \u201c([^\u201c\u201d]+\\?)\u201d, ")
_PIECE = re.compile(r"[^\W_][\w./+#'-]*[^\W_]|[^\W_]|\S")
_THING = re.compile(r"[^\W_][\w./+#'-]*")
_ARTICLES = frozenset({"the", "our", "a", "an", "every", "each", "this"})
# Words of talk about work rather than of the work; nothing is asked about them.
_DULL_WORDS = """
    add also answered change code decision decided done file files first get good keep let lets
    like line make more need needs new next now one only possible sure thing things time told two
    use used using want way well work instead let's assistant user put remove reason future discuss
    yes please before after again better best worse
"""
_DULL = STOP_WORDS | frozenset(_DULL_WORDS.split())
_NAME_WORDS_MAX = 3
# What no language but a program's writes: `max_items`, `onRunComplete`, `src/app.py`.
_CODE = re.compile(r"\w[_/]\w|[a-z][A-Z]|\w\.[a-z]")
# What commands answer, if any do.
COMMAND_QUESTIONS = (
    "How do I run the tests?",
    "How do I run the linter?",
    "How do I check the types?",
    "How do I build it?",
    "How do I format the code?",
    "How do I deploy it?",
)
_PARTICIPLES = ("ed", "ing")


def showing_score(text: str) -> int:
    """Say how well a statement shows what is remembered: 0 is not at all, `SCORE_MAX` is best."""
    if _ASKED.match(text):
        return SCORE_MAX - 1
    is_short = len(text) not in _CHARS or len(text.split()) < _WORDS_LEAST
    if is_short or "?" in text or _ASKS.match(text):
        return 0
    if _CHORE.match(text):
        return 1
    return 1 + bool(_DECIDES.search(text)) + (not _POINTS.search(text))


def questions_on(statement: str, *, is_decision: bool = True) -> Iterator[str]:
    """Yield what *statement* answers, the question that fits it most closely first."""
    if asking := _ASKED.match(statement):
        yield asking[1]
    for pattern, asked in (
        (_CHOSEN, "What did we choose for the {}?"),
        (_INSTEAD, "What do we use instead of {}?"),
    ):
        for found in pattern.finditer(statement):
            if thing := _leading(statement[found.end() :].lstrip("`\"'")):
                yield asked.format(thing)
    asked = "What did we decide about {}?" if is_decision else "What did we say about {}?"
    # Of more words, and names of programs, are closer to one thing alone.
    for name in sorted(_names(statement), key=_order):
        yield asked.format(name)


def _order(name: str) -> tuple[bool, int]:
    return not _CODE.search(name), -len(name.split())


def _leading(text: str) -> str:
    """Return the thing that a text begins with: its first words, or of a sentence the first."""
    words = [*takewhile(_is_telling, _PIECE.findall(text))]
    return " ".join(words if words and _is_one_thing(words) else words[:1])


def _names(text: str) -> Iterator[str]:
    """Yield the things that a text names, in its words, each once."""
    yielded: set[str] = set()
    before = ""
    for is_name, run in groupby(_PIECE.findall(text), key=_is_telling):
        words = list(run)
        # What stands first is written large, as names are, and is mostly a verb.
        is_first = not before and words[0].istitle()
        if (
            is_name
            and not is_first
            and _is_one_thing(words)
            and (name := " ".join(words)) not in yielded
        ):
            yielded.add(name)
            article = "the " if before.casefold() in _ARTICLES else ""
            yield f"{article}{name}"
        before = words[-1]


def _is_telling(piece: str) -> bool:
    return bool(_THING.fullmatch(piece)) and piece.casefold() not in _DULL


def _is_one_thing(words: list[str]) -> bool:
    """Say whether a run of words names one thing: no sentence, number or day among them."""
    *first, last = words
    return (
        len(words) <= _NAME_WORDS_MAX
        and last[0].isalpha()
        and (len(last) > len("id") or last.isupper())
        and not any(word.endswith(("ly", "n't")) for word in words)
        # "the worker writes briefs", "duplicates answered": a verb stands within.
        and not any(word.islower() and word.endswith("s") for word in first)
        # "specified via cli", "start moving commands": so does a participle.
        and not (first and any(word.islower() and word.endswith(_PARTICIPLES) for word in words))
    )
