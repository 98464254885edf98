"""The whole sentences of what somebody typed or reported, which stand by themselves or do not."""

import re
from collections.abc import Sequence

from tilth.core.text.prose import Sentence, sentences
from tilth.core.text.typed import typed_in
from tilth.episodes.episode import Role
from tilth.exchanges.model import is_question

# A sentence of which less was typed is somebody else's, with a word of the user's around it.
_TYPED_SHARE = 0.4
_LEAD = r"\W*(?:(?:ok|okay|yes|yeah|no|now|and|also|so|but|then|well|please|actually)\b\W*)*"
# What a sentence points at is in another one: it carries its neighbours, or is not told.
_LEANS = re.compile(
    rf"^{_LEAD}(?:this|that|it|its|these|those|they|them|he|she|both|neither|same|which|the "
    r"(?:fix|first|second|third|last|latter|former|above|rest|other|issue|problem|error|change"
    r"|changes|test|tests)\b|(?:that|it|this)'?s)\b"
    r"|\boption [\w\d]\b|\b(?:the above|as above|see above|below)\b|^\W*#?\d+\W"
    r"|\b(?:number|issue|point|item|finding|step) #?\d+\b(?! \w+ \w+ \w+ \w+)|[:…]\s*$",
    re.IGNORECASE,
)
_OBJECT = re.compile(r"\b(?:it|this|that|these|those|them|here|there)\b", re.IGNORECASE)
_NAMED = re.compile(
    r"`[^`\n]+`|[\w-]+[/.][\w/.-]+\w|\w+\(\)|\b[A-Z][\w-]*[A-Z]\w*|\b[a-z]+[A-Z]\w+|\B--?\w[\w-]+"
    r"|\b\w+_\w+|#\d+|\b[A-Z]{2,}-\d+"
)
_SUPPOSES = re.compile(
    rf"^{_LEAD}(?:let'?s (?:pause|see|say|assume|suppose)\W+)?"
    r"(?:if|unless|suppose|supposing|assuming|imagine|in case|hypothetically"
    r"|possibly|maybe|perhaps|i wonder|not sure (?:if|whether))\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]{3,}")
_OWN_WORDS_MIN = 3
_POINTING_WORDS_MIN = 8


def own_sentences(text: str, role: Role) -> Sequence[Sentence]:
    """
    Return the sentences that are the speaker's own.

    Of a user they are those that a person typed, as far as the text can tell: outside fences,
    quotations and pastes. How it came is not asked here; see `Episode.typed`.
    """
    found = sentences(text)
    if role is not Role.USER:
        return found
    typed = typed_in(text)
    return [
        one
        for one in found
        if len("".join(typed[one.start : one.end].split()))
        >= _TYPED_SHARE * len("".join(one.text.split()))
    ]


def stands_alone(text: str) -> bool:
    """Say whether a sentence can be read without its neighbours: it names what it is about."""
    if _LEANS.search(text):
        return False
    is_pointing = _OBJECT.search(text) is not None
    own = len(_WORD.findall(_OBJECT.sub("", text)))
    least = _POINTING_WORDS_MIN if is_pointing and not _NAMED.search(text) else _OWN_WORDS_MIN
    return own >= least


def supposes(text: str) -> bool:
    """Say whether a sentence asks, or only thinks something through: neither says what is so."""
    return text.rstrip().endswith("?") or is_question(text) or _SUPPOSES.match(text) is not None
