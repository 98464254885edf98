"""
What a person has taken out of a project, and whether another sentence is about just that.

"Let's remove the backend database code" ends what was reported of the backend database. What
forbids a thing, or tells itself that it went, goes on: "no prints" holds once the prints are gone.
"""

from collections.abc import Iterator
from typing import NamedTuple

from tilth.core.text.pattern import pattern
from tilth.core.text.tokens import index_terms
from tilth.episodes.episode import Role
from tilth.exchanges.speech import EVERYDAY, names_something, objects, own_sentences, supposes
from tilth.exchanges.taken_up import turns_down

_VERB = r"(?:remove|delete|drop|eliminate|rip out|take out|get rid of|throw (?:away|out))"
# Where a sentence or one of its clauses begins, with what people say before an order.
_BEGINS = (
    r"(?:^|[,;:]|\b(?:and|then)\b)\W*(?:(?:ok|okay|yes|now|and|then|so|please|also|just|safely"
    r"|completely|entirely|let'?s|thank you|thanks|go ahead and|i want (?:you )?to"
    r"|we (?:should|can))\b\W*)*"
)
_ENDS = (
    r"\s*(?:$|[,.;:!()]|\b(?:and|but|so|since|because|as|while|when|that|which|with|for|to|if"
    r"|by)\b)"
)
_TAKES_OUT = pattern(
    rf"{_BEGINS}{_VERB}\s+"
    r"(?P<one>(?:(?:all|any|every|the|our|this|that|these|those|old)\s+)*)"
    r"(?P<what>[\w./+#-]+(?:\s+[\w./+#-]+){0,3}?)"
    r"(?P<within>\s+(?:from|in|on|of|within)\s+[^,;.!?]+)?"
    rf"{_ENDS}"
)
_WENT = pattern(rf"\b(?:{_VERB}|remov\w+|delet\w+|dropp\w+|eliminat\w+|no (?:longer|more)|gone)\b")
# What any part is written in, and what is taken out to tidy up: no part itself; stems.
_NO_PART = EVERYDAY | frozenset(
    index_terms(
        "code file files script scripts stuff thing things part parts line lines everything dead"
        " unused duplicate comments imports whitespace"
    )
)
# A part keeps the mark before it, by which "slog, not logrus" is told from "logrus".
_PART = pattern(r"(?=[,;:.!?]\s)|(?=\bbut\b)")
# What is longer is a plan, and takes out what it says itself.
_ASK_CHARS = 400


class TakenOut(NamedTuple):
    """The terms of what was taken out, and of what it was taken out of."""

    what: frozenset[str]
    within: frozenset[str]

    def ends(self, older: str) -> bool:
        """Say whether *older* tells of just that as if it were there."""
        if not self.what | self.within <= frozenset(index_terms(older)):
            return False
        return not any(
            objects(part) or turns_down(part, self.what) or _WENT.search(part.lower())
            for part in self._parts(older)
        )

    def _parts(self, older: str) -> list[str]:
        """Return the parts of *older* that name it: what another turns down is another thing."""
        parts = _PART.split(older)
        return [one for one in parts if self.what & frozenset(index_terms(one))]


def taken_out_by(ask: str) -> Iterator[TakenOut]:
    """Yield what is taken out by an ask, whoever asks."""
    # Few asks take anything out, and to read who said what in one costs more than a look.
    if len(ask) <= _ASK_CHARS and _WENT.search(ask.lower()):
        for each in own_sentences(ask, Role.USER):
            yield from () if supposes(each.said) else _in(each.said)


def _in(text: str) -> Iterator[TakenOut]:
    for found in _TAKES_OUT.finditer(text.replace("`", "").lower()):
        within = frozenset(index_terms(found["within"] or "")) - _NO_PART
        for name in _names(found["what"]):
            what = frozenset(index_terms(name)) - _NO_PART
            # "The button" is one of many, "the backend database" and "pretraining" are a part.
            is_part = len(what) > 1 or not found["one"].strip() or names_something(name)
            if what and is_part:
                yield TakenOut(what, within)


def _names(what: str) -> list[str]:
    """Return the names in "pretrain/da"; a path is one."""
    return [what] if "." in what or " " in what else what.split("/")
