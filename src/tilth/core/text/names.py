"""
Check and compare names.

A name is kept as it was written and shown so. It is compared by its key, which joins what differs
in case, width, spaces, quotes, brackets and dashes alone. Two names that merely look alike have
different keys, or are not plain: they may be suggested to a human, and are never taken for one
another (DESIGN §4).
"""

import functools
import hashlib
import re
import unicodedata

from tilth.core.errors import InvalidInputError, LimitExceededError
from tilth.core.text.confusables import LOOKS, LOOKS_UNFOLDED
from tilth.core.text.pattern import pattern

NAME_CHARS_MAX = 200
# In characters: some letters fold into eighteen, and an index of PostgreSQL holds 2,704 bytes, for
# two keys of a slot.
_INDEX_KEY_CHARS_MAX = 300
_CACHED_NAMES_MAX = 1 << 14

# Characters that show nothing: zero width, joiners, soft hyphen, bidi marks, tags and variation
# selectors (Unicode 16, DerivedCoreProperties.txt, Default_Ignorable_Code_Point).
_INVISIBLE = pattern(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]"
)
# They show the letters around them in another order, so that the name read is not the one kept.
_OVERRIDES = frozenset("\u202d\u202e")
# Compatibility forms that stand for the very letter: width, unbreakable spaces, Arabic shaping.
# All others say more (m\u00b2 is not m2), or dress a letter up.
_SAME_LETTER = ("<wide>", "<narrow>", "<noBreak>", "<initial>", "<medial>", "<final>", "<isolated>")
_GENERIC_MARKS = pattern("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]")

# Punctuation that can be what tells two names apart: C#, AT&T, @scope/name, 50%, ~user.
_TELLING = frozenset("&@#%*./:\\,-")
# Symbols that only frame or part.
_FRAMES = frozenset("|`^\u00b4\u00a8")
_APOSTROPHES = frozenset("'\u2018\u2019\u201b\u02bc")
# N.A.S.A. and U.S. are words, however they are dotted.
_ACRONYM = pattern(r"(?:[^\W\d_]\.)+[^\W\d_]")
# A dash or comma is part of a number (2011-12, 1,5, -1) and parts words everywhere else.
_DASH = pattern(r"((?<=\d)[,-](?=\d)|(?<!\S)-(?=\d))|[,-]")
# A dot, colon or slash inside a word, or a dot or slash before it, belongs to an address, a path,
# a version or a file (node.js, 10.0.0.1:5432, .env, /etc); elsewhere it ends something.
_JOINT = pattern(r"((?<=\w)[.:/\\]+(?=\w)|(?<!\S)[./]+(?=\w))|[.:/\\]+")


def parse_name(text: str) -> str:
    """
    Check a name and return it with its spaces folded, otherwise as written.

    Raises:
        InvalidInputError: it has no visible character, or control characters, lone surrogates or
            overrides of the direction of writing.
        LimitExceededError: it is longer than `NAME_CHARS_MAX`.
    """
    name = unicodedata.normalize("NFC", " ".join(text.split()))
    if not name_key(name):
        raise InvalidInputError("a name is empty", hint="write at least one visible character")
    if len(name) > NAME_CHARS_MAX:
        raise LimitExceededError(
            f"a name has {len(name)} characters and may have {NAME_CHARS_MAX}",
            hint="use a short name, and keep the rest as a note",
        )
    for character in name:
        if unicodedata.category(character) in {"Cc", "Cs"} or character in _OVERRIDES:
            raise InvalidInputError(
                f"a name cannot hold U+{ord(character):04X}",
                hint="leave out control characters and overrides of the direction of writing",
            )
    return name


def name_key(name: str) -> str:
    """
    Return the key by which *name* is compared; empty if nothing of it is visible.

    A key is its own key. Texts longer than names have one too.
    """
    return _cached_key(name) if len(name) <= NAME_CHARS_MAX else _key(name)


def index_key(name: str) -> str:
    """Return the key of *name*, or its digest if the key does not fit into an index."""
    key = name_key(name).replace("\0", "\ufffd")
    return key if len(key) <= _INDEX_KEY_CHARS_MAX else hashlib.sha256(key.encode()).hexdigest()


def is_plain(name: str) -> bool:
    """
    Say whether *name* is what it looks like: nothing hidden in it, no letters in disguise.

    Names with one key may be taken for one another only if both are plain: `Post\u200bgres` and
    `\U0001d5e3ostgres` share a key with `Postgres`, and only a human can say why.
    """
    return name.isascii() or (
        not _INVISIBLE.search(name) and all(map(_is_plain, unicodedata.normalize("NFC", name)))
    )


def skeleton(name: str) -> str:
    """
    Return the appearance of *name*: equal for names that a reader may confuse.

    This follows the skeleton of Unicode Technical Standard 39, for the scripts that can imitate
    Latin, and is coarser: case and accents are removed too.
    """
    apart = unicodedata.normalize("NFKD", name.translate(LOOKS_UNFOLDED))
    apart = unicodedata.normalize("NFKD", name_key(apart.translate(LOOKS_UNFOLDED)))
    return unicodedata.normalize("NFC", _GENERIC_MARKS.sub("", apart)).translate(LOOKS)


def is_confusable(name: str, other: str) -> bool:
    """Say whether two names look alike without being the same plain name."""
    if name_key(name) == name_key(other):
        return not (is_plain(name) and is_plain(other))
    return skeleton(name) == skeleton(other)


def _is_plain(character: str) -> bool:
    form = unicodedata.decomposition(character)
    return (
        not form.startswith("<")
        or form.startswith(_SAME_LETTER)
        or unicodedata.category(character) == "Zs"
    )


def _key(name: str) -> str:
    folded = _folded(name)
    return _separated(folded) or "".join(filter(_is_seen, folded))


_cached_key = functools.lru_cache(_CACHED_NAMES_MAX)(_key)


def _folded(name: str) -> str:
    before, text = None, name
    # Folding can bring forth what another pass would fold again; two or three reach the end.
    while text != before:
        before = text
        text = unicodedata.normalize("NFKC", _INVISIBLE.sub("", text)).casefold()
    return text


def _separated(folded: str) -> str:
    text = _DASH.sub(_kept, folded.translate(_SEPARATORS))
    return " ".join(map(_spelled, _JOINT.sub(_kept, text).split()))


def _spelled(word: str) -> str:
    if word == "&":
        return "and"
    return word.replace(".", "") if _ACRONYM.fullmatch(word) else word


def _kept(found: re.Match[str]) -> str:
    return found[1] or " "


class _Separators(dict[int, str]):
    """Tells `str.translate` what stands for each character; remembers what it was asked."""

    def __missing__(self, code: int) -> str:
        self[code] = seen = _separator(chr(code))
        return seen


def _separator(character: str) -> str:
    category = unicodedata.category(character)
    if category == "Pd" or character == "\u2212":  # the minus sign
        return "-"
    if character in _APOSTROPHES:
        return ""
    parts_words = category.startswith("P") and character not in _TELLING
    if parts_words or character in _FRAMES or not _is_seen(character):
        return " "
    return character


def _is_seen(character: str) -> bool:
    return not unicodedata.category(character).startswith(("Z", "Cc", "Cs"))


_SEPARATORS: dict[int, str] = _Separators()
