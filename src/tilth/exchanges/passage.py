"""
A sentence with what its speaker said next: one sentence alone has often lost what it was about.

"We want one logger. Nobody should print." tells in its second sentence what the first one asks
for: who reads either alone knows less than half. See ADR 35 for what this was measured to bring.
"""

from collections.abc import Iterator
from typing import NamedTuple

from tilth.core.text.prose import Sentence
from tilth.episodes.episode import Role
from tilth.exchanges.speech import breaks_off, own_sentences, supposes

# What is longer is a text to be read with its ID.
PASSAGE_CHARS = 300


class Passage(NamedTuple):
    """A speaker's own sentence, on one line, alone and with the next where that belongs to it."""

    sentence: Sentence
    alone: str
    whole: str


def passages(text: str, role: Role) -> Iterator[Passage]:
    """Yield the own sentences of who speaks in *role*, in order, each with what belongs to it."""
    own = own_sentences(text, role)
    for at, one in enumerate(own):
        following = own[at + 1] if at + 1 < len(own) else None
        alone = whole = _on_one_line(one)
        if following is not None and _goes_on(text[one.end : following.start], role, following):
            both = f"{alone} {_on_one_line(following)}"
            whole = both if len(both) <= PASSAGE_CHARS else alone
        yield Passage(one, alone, whole)


def _on_one_line(one: Sentence) -> str:
    # A mark of emphasis that began before the sentence is left alone in it.
    return " ".join(one.said.replace("**", "").split())


def _goes_on(gap: str, role: Role, following: Sentence) -> bool:
    """
    Say whether *following* belongs to the sentence before it, *gap* being what stands between.

    A person breaks lines where they please; what an agent sets on another line is another matter.
    """
    is_apart = gap.strip() or (role is not Role.USER and "\n" in gap)
    text = following.text
    is_half = supposes(text) or breaks_off(text) or text.rstrip().endswith(":")
    return not (is_apart or is_half)
