"""
BERT's uncased WordPiece, in the standard library.

A text becomes words: accents dropped, lower case, punctuation and ideographs on their own. A word
becomes the longest pieces of the vocabulary, from the left. Special tokens written in a text, such
as ``[MASK]``, are text: nobody who writes to the brain can put a control token into its model.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from operator import itemgetter

MAX_PIECES = 256  # What all-MiniLM-L6-v2 was trained to read, its two special tokens included.
_MAX_WORD_CHARACTERS = 100  # BERT's own bound; a longer word is unknown.
_CHARACTERS_PER_PIECE = 32  # Looked at for each piece wanted, so that huge texts cost no more.
_REMEMBERED_WORDS = 65_536
_REMEMBERED_CHARACTERS = 20_000
# Few pieces are longer, "##" included; how long one can be is told by how it begins.
_SHORT_CHARACTERS = 8
_BEGINNING = 5

# BERT's "Chinese characters": the CJK ideograph blocks of Unicode, each character its own word.
_IDEOGRAPHS = (
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0x2F800, 0x2FA1F),
)


class WordPiece:
    """
    Turns texts into the numbers of a vocabulary's pieces.

    Safe to share between threads.
    """

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self._ids = {piece: number for number, piece in enumerate(vocabulary)}
        long = sorted((piece for piece in vocabulary if len(piece) > _SHORT_CHARACTERS), key=len)
        begun = map(itemgetter(slice(_BEGINNING)), long)
        self._longest = dict(zip(begun, map(len, long), strict=True))
        self._unknown = self._ids["[UNK]"]
        self._start = self._ids["[CLS]"]
        self._end = self._ids["[SEP]"]
        self._spelling = _Spelling()
        self._pieces_of = lru_cache(_REMEMBERED_WORDS)(self._split)

    def pieces(self, text: str, *, limit: int = MAX_PIECES) -> list[int]:
        """Return the first *limit* pieces of *text*, without special tokens."""
        found: list[int] = []
        looked_at = text[: limit * _CHARACTERS_PER_PIECE]
        # Of plain letters and digits each is spelt alone, which takes longest to look up.
        is_plain = looked_at.isascii() and looked_at.isalnum()
        spelt = looked_at.lower() if is_plain else looked_at.translate(self._spelling)
        for word in spelt.split():
            if len(word) > _MAX_WORD_CHARACTERS:
                found.append(self._unknown)
            else:
                found += self._pieces_of(word)
            if len(found) >= limit:
                return found[:limit]
        return found

    def is_whole(self, word: str) -> bool:
        """Say whether *word*, folded and in lower case, is one piece of the vocabulary."""
        return word in self._ids

    def whole(self, beginning: str) -> Iterator[str]:
        """Yield the words of the vocabulary that are of letters and begin so."""
        begun = (piece for piece in self._ids if piece.startswith(beginning))
        return filter(str.isalpha, begun)

    def encode(self, text: str, *, limit: int = MAX_PIECES) -> list[int]:
        """Return the pieces of *text* between ``[CLS]`` and ``[SEP]``, *limit* in all."""
        return [self._start, *self.pieces(text, limit=limit - 2), self._end]

    def _split(self, word: str) -> tuple[int, ...]:
        found: list[int] = []
        left, begin, number_of = word, 0, self._ids.get
        while len(left) > begin:
            end = min(self._longest.get(left[:_BEGINNING], _SHORT_CHARACTERS), len(left))
            while (number := number_of(left[:end])) is None:
                end -= 1
                if end <= begin:
                    return (self._unknown,)
            found.append(number)
            # The vocabulary spells all but the first piece of a word so.
            left, begin = f"##{left[end:]}", len("##")
        return tuple(found)


class _Spelling(dict[int, str]):
    """How a character is written after cleaning; `str.translate` asks once for each."""

    def __missing__(self, codepoint: int) -> str:
        spelt = _clean(chr(codepoint))
        if len(self) < _REMEMBERED_CHARACTERS:
            self[codepoint] = spelt
        return spelt


def _clean(character: str) -> str:
    """Return *character* without accents, lower-cased, and spaced out when it stands alone."""
    if character.isspace() and character not in "\x0b\x0c\x1c\x1d\x1e\x1f\x85":
        return " "
    if character == "\ufffd" or unicodedata.category(character) in {"Cc", "Cf", "Cn", "Co", "Cs"}:
        return ""
    if any(first <= ord(character) <= last for first, last in _IDEOGRAPHS):
        return f" {unicodedata.normalize('NFD', character)} "
    parts = unicodedata.normalize("NFD", character)
    letters = [part.lower() for part in parts if unicodedata.category(part) != "Mn"]
    return "".join(f" {one} " if _is_punctuation(one) else one for one in letters)


def _is_punctuation(character: str) -> bool:
    """Tell whether BERT splits at *character*: all of ASCII's symbols, and Unicode's P."""
    is_symbol = character.isascii() and not character.isalnum() and not character.isspace()
    return is_symbol or unicodedata.category(character[0]).startswith("P")
