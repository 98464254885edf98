"""
Read what a person has taken out of a project, and whether another sentence is about it.

"Let's remove the backend database code" ends what was reported of the backend database. A sentence
that forbids the thing, or tells itself that it is gone, holds on: "no prints" holds once the prints
are gone.
"""

from collections.abc import Iterator
from typing import NamedTuple

from tilth.core.text.pattern import pattern
from tilth.core.text.tokens import index_terms
from tilth.episodes.episode import Role
from tilth.exchanges.reversals import turns_down
from tilth.exchanges.sentences import EVERYDAY, names_something, objects, own_sentences, supposes

_VERB = r"(?:remove|delete|drop|eliminate|rip out|take out|get rid of|throw (?:away|out))"
# The beginning of a sentence or clause, with words that people put before an order.
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
# Stems of words that name no part of a project: what any part is made of, and what is tidied up.
_NO_PART = EVERYDAY | frozenset(
    index_terms(
        "code file files script scripts stuff thing things part parts line lines everything dead"
        " unused duplicate comments imports whitespace"
    )
)
# Splits at marks; a part keeps the mark before it, which tells "slog, not logrus" from "logrus".
_PART = pattern(r"(?=[,;:.!?]\s)|(?=\bbut\b)")
# In characters. A longer ask is a plan, and takes out only what it says itself.
_ASK_CHARS = 400


class Removal(NamedTuple):
    """The terms of what was taken out, and of what it was taken out of."""

    what: frozenset[str]
    within: frozenset[str]

    def ends(self, older: str) -> bool:
        """Say whether *older* speaks of just that as if it were still there."""
        if not self.what | self.within <= frozenset(index_terms(older)):
            return False
        return not any(
            objects(part) or turns_down(part, self.what) or _WENT.search(part.lower())
            for part in _PART.split(older)
            if self.what & frozenset(index_terms(part))
        )


def removals_in(ask: str) -> Iterator[Removal]:
    """Yield what an ask takes out, whoever asks."""
    # Few asks take anything out, and reading an ask's own sentences costs more than this search.
    if len(ask) <= _ASK_CHARS and _WENT.search(ask.lower()):
        for each in own_sentences(ask, Role.USER):
            yield from () if supposes(each.said) else _removals(each.said)


def _removals(text: str) -> Iterator[Removal]:
    for found in _TAKES_OUT.finditer(text.replace("`", "").lower()):
        within = frozenset(index_terms(found["within"] or "")) - _NO_PART
        named = found["what"]
        # "Pretrain/da" names two; a path is one name.
        for name in [named] if "." in named or " " in named else named.split("/"):
            what = frozenset(index_terms(name)) - _NO_PART
            # "The button" is one of many; "the backend database" and "pretraining" name one part.
            is_part = len(what) > 1 or not found["one"].strip() or names_something(name)
            if what and is_part:
                yield Removal(what, within)
