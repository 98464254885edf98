"""
Join a sentence with what its speaker said next, where it means little alone.

In "We want one logger. Nobody should print.", the second sentence says what the first asks for;
either alone is less than half. ADR 35 gives what this was measured to bring.
"""

import re
from collections.abc import Iterator

from tilth.core.dataclass import dataclass
from tilth.core.text.pattern import pattern
from tilth.core.text.prose import Sentence
from tilth.episodes.episode import Role
from tilth.exchanges.model import PASSAGE_CHARS
from tilth.exchanges.sentences import breaks_off, own_sentences, supposes

# Offers that end an agent's message, whatever it said: "let me know if you want more".
_OFFERS = pattern(
    r"\W*(?:please )?(?:let me know|feel free|don'?t hesitate|i(?:'m| am) happy to)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Passage:
    """A speaker's own sentence, with the next one and the text between the two."""

    sentence: Sentence
    role: Role
    following: Sentence | None
    between: str

    @property
    def alone(self) -> str:
        """The sentence alone, on one line."""
        return _on_one_line(self.sentence)

    @property
    def whole(self) -> str:
        """The sentence on one line, followed by the next if that belongs to it and fits."""
        alone = self.alone
        if self.following is None or self._is_apart or _is_half(self.following.text):
            return alone
        both = f"{alone} {_on_one_line(self.following)}"
        return both if len(both) <= PASSAGE_CHARS else alone

    @property
    def _is_apart(self) -> bool:
        # A person breaks lines anywhere; a new line of an agent is a new topic.
        is_on_another_line = self.role is not Role.USER and "\n" in self.between
        return is_on_another_line or bool(self.between.strip())


def passages(text: str, role: Role) -> Iterator[Passage]:
    """Yield the own sentences of a speaker in *role*, in order, each with the next one."""
    own = own_sentences(text, role)
    for at, one in enumerate(own):
        following = own[at + 1] if at + 1 < len(own) else None
        between = "" if following is None else text[one.end : following.start]
        yield Passage(one, role, following, between)


def _on_one_line(one: Sentence) -> str:
    # A mark of emphasis may have begun before the sentence: drop its other half.
    return " ".join(one.said.replace("**", "").split())


def _is_half(text: str) -> bool:
    """Say whether a sentence adds nothing: it asks, offers, supposes, breaks off or has no word."""
    has_words = any(map(str.isalnum, text))
    is_offer = _OFFERS.match(text) is not None
    return (
        not has_words
        or is_offer
        or supposes(text)
        or breaks_off(text)
        or text.rstrip().endswith(":")
    )
