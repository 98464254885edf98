"""
Estimate how much a sentence is worth in another session, from its form of speech.

This is a logistic regression over the forms of speech below, with one set of weights for what users
type and one for what agents report. `bench.train_worth` learned the weights in `worth.json` from
sentences of real sessions that a reader labelled; its scores are in the same file. A sentence is
always weighed whole, since a part has lost what it is about.
"""

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path

from tilth.core.text.pattern import AnyOf, pattern
from tilth.core.text.tokens import index_terms
from tilth.episodes.episode import Role
from tilth.exchanges.sentences import (
    EVERYDAY,
    names_something,
    passes,
    stands_alone,
    supposes,
)

_LETS = pattern(r"\W*(?:(?:now|next|first|then|so|ok|okay|great|good)\W+)*let'?s\b", re.IGNORECASE)
_LEAD = r"^\W*(?:(?:ok|okay|now|and|also|so|but|then|please)\W+)*"
# Words of assent to the message before; in a review they may follow a number and a mark.
_NOD = pattern(
    r"[\W\d]*\b(?:ok|okay|yes|yeah|yep|sure|thanks|great|perfect|good|nice|cool|done|right|exactly"
    r"|understood|(?:you're|that's) right)\b(?: \w+)?(?:\W+\s|\W*$)",
    re.IGNORECASE,
)
# A past form among the first words, with nothing before it that makes it a state or a property.
_DEED = pattern(
    r"\W*(?:(?:`[^`\n]+`|(?!(?:is|are|was|were|be|been|has|have|had|that|which|who|if|when|the|an?"
    r"|not|never|only)\b)[\w./-]+)[\W]+){0,3}?(?!need|exceed|proceed|embed|feed|speed|seed)"
    r"[a-z]{2,}ed\b",
    re.IGNORECASE,
)
_DECISION = AnyOf("decided, decision, agreed, chose, chosen, settled on, opted for")
FORMS: Mapping[str, re.Pattern[str] | AnyOf] = {
    "always or never": AnyOf(
        "always, never, ever, every time, each time, from now on, going forward"
    ),
    "not": AnyOf(
        "not, dont, don't, doesnt, doesn't, no longer, isnt, isn't, wont, won't, cant, can't, "
        "cannot, without, nothing"
    ),
    "begins with no": pattern(r"^\W*(?:no|nope|stop|wait|don'?t|do not)\b", re.IGNORECASE),
    "should or must": AnyOf(
        "should, must, need to, needs to, have to, has to, supposed to, required, ensure, "
        "make sure, be sure"
    ),
    "instead or only": AnyOf("instead, rather, only, except, unless, just"),
    "we or our": AnyOf("we, our, us, lets, let's"),
    "wants or likes": AnyOf("want, like, prefer, love, hate, happy with, go with"),
    "guesses": AnyOf("i think, i believe, i feel, seems, maybe, perhaps, probably"),
    "gives a reason": AnyOf("because, since, so that, otherwise, due to, root cause"),
    "uses, puts or calls": AnyOf(
        "use, using, used, keep, put, place, call, move, name, named, add, create, write, "
        "remove, goes, live, lives"
    ),
    "ends with ?": pattern(r"\?\W*$"),
    "begins as a question": pattern(
        r"^\W*(?:what|why|how|where|when|who|which|is|are|do|does|did|can|could|would|should"
        r"|have|has|will)\b",
        re.IGNORECASE,
    ),
    "asks for something": pattern(
        rf"{_LEAD}(?:can|could|would|will) (?:you|we)\b|^\W*please\b", re.IGNORECASE
    ),
    "begins with a task": pattern(
        rf"{_LEAD}(?:add|create|write|fix|run|update|check|look|review|show|implement|make|commit"
        r"|push|rebase|merge|read|find|explain|continue|proceed|try|start|open|do|give|tell|get"
        r"|go|remove|move|change|delete|rename|let me|help)\b",
        re.IGNORECASE,
    ),
    "acknowledges": pattern(
        r"^\W*(?:ok|okay|yes|yeah|yep|sure|thanks|thank you|great|perfect|good|nice|cool|done"
        r"|sounds good|looks good|right)\b",
        re.IGNORECASE,
    ),
    "begins with this": pattern(rf"{_LEAD}(?:this|that|it|these|those|they)\b", re.IGNORECASE),
    "points": AnyOf("this, that, these, those, it, here, above, below, now"),
    "announces": AnyOf(
        "ill, i'll, let me, i will, im going to, i'm going to, want me to, would you like, shall i"
    ),
    "you": AnyOf("you, your"),
    "i": AnyOf("i, my, me"),
    "code": pattern(
        r"`[^`\n]+`|\b\w+\(\)|\b[\w-]+/[\w./-]+|\b\w+\.(?:go|py|js|ts|tsx|md|json|ya?ml|toml|sh)\b"
        r"|\b[a-z]+[A-Z]\w+|\B--?\w[\w-]+"
    ),
    "number of an issue": pattern(r"\b[A-Z]{2,}-\d+\b|#\d+\b"),
    "something is wrong": AnyOf(
        "bug, bugs, root cause, caveat, silently, gotcha, fail, fails, failed, failing, "
        "broken, crash…, error, errors, wrong, issue, issues, problem, problems, regression, "
        "limitation, limitations"
    ),
    "something was done": AnyOf(
        "fixed, added, removed, moved, renamed, replaced, updated, changed, extracted, "
        "implemented, created"
    ),
    "something is open": AnyOf(
        "todo, followup, follow-up, follow up, later, investigate, remaining, pending, not "
        "yet, at some point, outstanding, open question, still need, still needs"
    ),
    "decides": AnyOf(
        "decid…, decision, agree, agreed, chose, choose, option, approach, deprecat…, "
        "default, convention, rule, pattern, standard, style, policy"
    ),
    "says how it is": AnyOf(
        "is, are, was, means, uses, contains, holds, runs, require, requires, depends"
    ),
    "practice": AnyOf(
        "test, tests, lint, ci, commit, commits, pr, prs, review, reviews, doc, docs, readme, "
        "branch, issue, issues"
    ),
    "number": pattern(r"\b\d+(?:\.\d+)*\b"),
    "aside": pattern(r"\("),
    # Somebody raises their voice, or names something that is written in capitals.
    "capitals or !": pattern(r"!|\b[A-Z]{4,}\b"),
    "heading": pattern(r"^\W*\*\*[^*]{1,60}\*\*:?\W*$|:\s*$"),
    "begins small": pattern(r"^[a-z]"),
    "all is well": AnyOf(
        "all, passes, passing, passed, pass, clean, green, successfully, complete, completed"
    ),
}
# In characters: the bounds of the classes of length, which predicts worth well.
LENGTHS = (25, 45, 80, 160, 300)
# How few content words are little, and how many are much.
_LITTLE, _MUCH = 4, 14
# Features that take more than one pattern.
READINGS: Mapping[str, Callable[[str], bool]] = {
    "only asks or supposes": supposes,
    "stands alone": stands_alone,
    "passes": passes,
    "says little": lambda text: _telling(text) < _LITTLE,
    "says much": lambda text: _telling(text) > _MUCH,
}


def _telling(text: str) -> int:
    return len(set(index_terms(text)) - EVERYDAY)


def forms_of(text: str) -> list[str]:
    """Return the names of a sentence's forms of speech, its class of length among them."""
    longer = next((length for length in LENGTHS if len(text) < length), 0)
    length = f"under {longer}" if longer else "long"
    found = [name for name, form in FORMS.items() if form.search(text)]
    return [*found, *(name for name, reads in READINGS.items() if reads(text)), length]


def announces(text: str) -> bool:
    """Say whether an agent's sentence announces or offers what it will do."""
    said = text.replace("\u2019", "'")
    return _LETS.match(said) is not None or bool(FORMS["announces"].search(said))


def orders(text: str) -> bool:
    """Say whether a sentence begins with an order; in a report it is a step of a plan."""
    is_of_code = text.lstrip("*_# ").startswith("`")
    return not is_of_code and bool(FORMS["begins with a task"].search(text))


def without_nod(text: str) -> str:
    """
    Return a report's sentence without assent at its beginning ("Good catch.", "Done —").

    The result is empty if the sentence says nothing else.
    """
    nod = _NOD.match(text)
    rest = text[nod.end() :] if nod else text
    if nod and not (names_something(rest) or _telling(rest) >= _LITTLE):
        return ""
    return rest[:1].upper() + rest[1:]


def tells_of_a_deed(text: str) -> bool:
    """Say whether a sentence tells what was done, or how something is."""
    return any(FORMS[form].search(text) for form in ("something was done", "says how it is"))


def reports_a_deed(text: str) -> bool:
    """
    Say whether a report begins with what was done: "Added a test", "Root cause documented".

    A decision is no deed: it holds on.
    """
    return _DEED.match(text) is not None and not tells_a_decision(text)


def tells_a_decision(text: str) -> bool:
    """Say whether a report states a decision."""
    return _DECISION.search(text)


def gives_a_reason(text: str) -> bool:
    """Say whether a report gives the reason for something."""
    return bool(FORMS["gives a reason"].search(text))


def tells_of_a_fault(text: str) -> bool:
    """Say whether a report states a fault."""
    return bool(FORMS["something is wrong"].search(text))


@lru_cache(maxsize=4096)
def worth(text: str, role: Role) -> float:
    """Return the probability, from 0 to 1, that a reader wants *text* kept for weeks."""
    weights = _weights()["user" if role is Role.USER else "agent"]
    score = weights["bias"] + sum(weights.get(form, 0.0) for form in forms_of(text))
    return 1 / (1 + math.exp(-score))


@cache
def _weights() -> Mapping[str, Mapping[str, float]]:
    source = Path(__file__).with_name("worth.json").read_text(encoding="utf-8")
    told: Mapping[str, Mapping[str, float]] = json.loads(source)
    return told


def all_forms() -> Sequence[str]:
    """Return the names of all forms of speech, in the order in which they are learned."""
    return [*FORMS, *READINGS, *(f"under {length}" for length in LENGTHS), "long"]
