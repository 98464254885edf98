"""
Read what a statement says was replaced, and whether another depends on just that.

"We switched from Redis to RabbitMQ for the job queue" ends "we use Redis for the job queue", but
neither what is kept in Redis for something else nor what another team does. A doubt ends nothing.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from tilth.core.text.pattern import Worded, pattern
from tilth.core.text.tokens import index_terms
from tilth.recall.order.stance import is_only_question, is_unasserted, sentences

_THING = r"(?:(?:the|our|an?|old|using)\s+){0,2}(?P<old>[\w+#./-]*\w(?:\s+[\w+#./-]*\w)?)"
_ONE = r"(?:(?:the|our|an?|old|using)\s+){0,2}(?P<old>[\w+#./-]*\w)"
_BREAK = (
    r"(?=\s*(?:$|[.,;:!)]"
    r"|\b(?:and|but|since|because|any\s?more|in favou?r|for|as|in|on|now|last)\b))"
)
_TO = r"(?:with|by|for)\s+\S+"
# Forms that name the successor by what was done; "instead of" also occurs in orders. Each has a
# word that it contains or begins with.
_SETTLED = {
    "switch mov migrat chang port transition convert": (
        r"(?:switch|mov|migrat|chang|port|transition|convert)(?:ed|ing)\s+"
        rf"(?P<what>(?:\S+\s+){{0,4}}?)(?:away\s+)?from\s+{_THING}\s+(?:over\s+)?to\b\s+\S+"
    ),
    "replaced swapped": rf"(?:replaced|swapped(?:\s+out)?)\s+{_THING}\s+{_TO}",
}
_ENDED = {
    "instead place": rf"(?:instead|in place)\s+of\s+{_THING}{_BREAK}",
    "longer any": (
        r"(?:no longer|(?:don't|do not|doesn't)(?=.*\bany\s?more))\s+(?:use|run|need|have)s?\s+"
        rf"{_THING}{_BREAK}"
    ),
    "stopped dropped retired removed ditched abandoned rid": (
        r"(?:stopped using|dropped|retired|removed|ditched|abandoned|got rid of)\s+"
        rf"{_THING}{_BREAK}"
    ),
}
_GONE = (
    rf"^(?P<subject>){_ONE}\s+(?:is|was|has been)\s+(?:now\s+)?(?:gone|retired|dropped"
    rf"|decommissioned|switched off|shut down|replaced\s+{_TO})\b(?P<rest>.*)$"
)


def _form(words: str, verb: str) -> Worded:
    return Worded(rf"^(?P<subject>.*?)\b(?:{verb})(?P<rest>.*)$", words, flags=re.DOTALL)


_SETTLING = tuple(_form(*one) for one in _SETTLED.items())
_IS_GONE = Worded(
    _GONE, "gone retired dropped decommissioned switched shut replaced", flags=re.DOTALL
)
_FORMS = (*_SETTLING, *(_form(*one) for one in _ENDED.items()), _IS_GONE)
_OURS = pattern(r"\b(?:we|i|we've|i've)\b", re.IGNORECASE)
# A statement with more terms is no plain statement of what is used.
_TERMS_MAX = 10
_TOPIC = pattern(r"\b(?:for|as|in|on)\s+(?:the\s+|our\s+)?([^.,;:!]+)", re.IGNORECASE)
_REASON = pattern(r"\b(?:because|since)\b", re.IGNORECASE)
# Words for speakers, times and actions, which do not distinguish topics.
_COMMON = frozenset(
    index_terms(
        "we our us i my now today finally just also then so use uses used using run runs running"
        " ran store stored keep kept go goes deploy have has always here there since last week"
        " month year day everything project work thing ok hi please from new old instead still"
    )
)


class Replacement(NamedTuple):
    """
    The terms of what was replaced, of whom or what, and of what it was used for.

    `is_settled` says that the successor is named, so that the statement tells how things are now.
    """

    old: frozenset[str]
    subject: frozenset[str]
    topic: frozenset[str]
    is_settled: bool = False

    def ends(self, older: str) -> bool:
        """Say whether *older* states that the replaced thing is in use."""
        every = frozenset(index_terms(older))
        terms = every - _COMMON
        if (
            not self.old
            or not self.old <= every
            or len(terms) > _TERMS_MAX
            or is_only_question(older)
        ):
            return False
        # A statement that says itself that the thing was given up is not outdated.
        if any(one.old & self.old for one in read_replacements(older)):
            return False
        rest = terms - self.old
        is_anothers = bool(self.subject) and not self.subject & terms
        is_for_another = bool(self.topic) and bool(rest) and not self.topic & rest
        return not (is_anothers or is_for_another)


def read_replacements(text: str) -> Iterator[Replacement]:
    """Yield what *text* asserts was replaced; a plan, a question or a report asserts nothing."""
    for sentence in sentences(text):
        matches = ((form, form.match(sentence.strip())) for form in _FORMS)
        form, found = next((one for one in matches if one[1]), (None, None))
        # Few sentences are about what is gone, and reading how one is meant costs ten times as
        # much.
        if found is None or is_unasserted(sentence):
            continue
        # In "Redis is gone, the queue is on RabbitMQ", the successor follows "on".
        rest = found["rest"]
        topic = rest.partition(" on ")[0] if form is _IS_GONE else _used_for(rest)
        what = found.groupdict().get("what") or ""
        subject = "" if _OURS.search(found["subject"]) else found["subject"]
        yield Replacement(
            old=frozenset(index_terms(found["old"])),
            subject=_terms(f"{subject} {what}") - _terms(found["old"]),
            topic=_terms(topic),
            is_settled=form in _SETTLING,
        )


def states_replacement(text: str) -> bool:
    """Say whether *text* asserts that one thing replaced another, which is a decision."""
    return any(one.is_settled for one in read_replacements(text))


def _used_for(rest: str) -> str:
    # The reason concerns something else: "because Caddy lacks it for our tokens".
    return " ".join(_TOPIC.findall(_REASON.split(rest, maxsplit=1)[0]))


def _terms(text: str) -> frozenset[str]:
    return frozenset(index_terms(text)) - _COMMON
