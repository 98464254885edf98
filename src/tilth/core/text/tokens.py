"""
Split texts and questions into words, terms and sentences, in one way everywhere.

A word is folded (compatibility forms, case, diacritics) and has content; a term is its stem. Both
engines index exactly `index_terms`, so terms contain only letters and digits, and both find the
same. The functions accept any string, in linear time.
"""

import functools
import re
import unicodedata
from collections.abc import Callable, Iterable
from itertools import chain

import Stemmer

from tilth.core.text.pattern import pattern

TERM_CHARS_MAX = 64
# Longer chunks are blobs that do not recur, and would only push words out of the cache.
_CACHED_CHARS_MAX = 40
_CACHED_CHUNKS_MAX = 1 << 16
# Longer runs seldom recur.
_KEPT_CHARS_MAX = 80
_KEPT_RUNS_MAX = 1 << 16
# More pieces than this are a hash or a key rather than a name made of words.
_PIECES_MAX = 6

# Scripts that put no spaces between words: Thai, Lao, Myanmar, Khmer, kana, Han, Hangul.
_UNSPACED = (
    r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    r"\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
# Words with what may join them inside a name, a path's last part, a version or a number.
_CHUNK = pattern(r"\w+(?:[.'\u2019-]\w+|(?<=\d),\d{3}(?!\d)){0,15}")
_PART = pattern(rf"[{_UNSPACED}]+|[^\W_{_UNSPACED}]+")
# The same where nothing is beyond ASCII; the classes above take 4 ms each to compile.
_PLAIN_PART = pattern(r"[^\W_]+")
_IS_UNSPACED = pattern(rf"[{_UNSPACED}]")
# The plain characters that part words wherever they stand.
_PARTING = "".join(one for one in map(chr, range(128)) if not one.isalnum() and one not in "_.'-,")
_SPACED = bytes.maketrans(_PARTING.encode(), b" " * len(_PARTING))
_CAMEL = pattern(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_CONTRACTED = pattern(r"'(?:s|d|m|t|ll|re|ve)$")
_THOUSANDS = pattern(r"(?<=\d),(?=\d{3})")
_STEMMED = pattern(r"[a-z]{3,30}")

# Function words, question words and remains of contractions, chosen by hand: words of every
# conversation, which distinguish no moments.
_FUNCTION_WORDS = """
    a about all also am an and any are as at be been being but by can could did do does doing for
    from had has have having he her here hers him his how i if in into is it its just me my no
    nor not of off oh ok on or our ours out over own per she should so some such than that the
    their theirs them then there these they this those to too under until up us very was we were
    what when where which while who whom whose why will with would yes you your yours
    ain aint arent cant couldnt didnt doesnt dont hadnt hasnt havent hed hes im isnt ive
    mustnt shes shouldnt thats theres theyd theyll theyre theyve wasnt werent weve whats wont
    wouldnt youd youll youre youve s t d m re ve ll
"""
STOP_WORDS = frozenset(_FUNCTION_WORDS.split())
# Letters that Unicode does not take apart, though readers do.
_LETTERS = str.maketrans(
    {
        "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ð": "d", "Ð": "D", "ł": "l", "Ł": "L",
        "ħ": "h", "Ħ": "H", "\u0131": "i", "ŧ": "t", "Ŧ": "T", "æ": "ae", "Æ": "AE", "œ": "oe",
        "Œ": "OE", "þ": "th", "Þ": "Th",
    }
)  # fmt: skip


class _Marks(dict[int, int | None]):
    """Tells `str.translate` to drop marks and invisible characters, and to keep the rest."""

    def __missing__(self, code: int) -> int | None:
        return None if unicodedata.category(chr(code)) in {"Mn", "Mc", "Me", "Cf"} else code


_MARKS = _Marks({code: code for code in range(128)})


def fold(text: str) -> str:
    """Return *text* without compatibility forms, diacritics and invisible characters."""
    if text.isascii():
        return text
    apart = unicodedata.normalize("NFKD", text).translate(_MARKS)
    return unicodedata.normalize("NFC", apart).translate(_LETTERS)


def words(text: str) -> list[str]:
    """
    Return the words of *text* that say something, folded, in order, with repetitions.

    A compound (`getUserName`, `user_id`, `config.yaml`, `gpt-4`) gives its parts and the joined
    whole; scripts without spaces give pairs of characters.
    """
    found: list[str] = []
    for chunk in _CHUNK.findall(fold(text)):
        found += _cached_words(chunk) if len(chunk) <= _CACHED_CHARS_MAX else _words_of(chunk)
    return found


def split_sentences(text: str) -> list[str]:
    """
    Cut *text* after `.`, `!` or `?` before a space, and at line ends.

    A dot within a word, as in an address, ends nothing. Parts may be empty.
    """
    return re.split(r"(?<=[.!?])\s+|\n+", text)


def runs(text: str) -> list[str]:
    """
    Split *text* at spaces, and at other characters that separate words.

    Folding keeps these separators, and no chunk contains one. Most runs recur, so results for them
    are cached.
    """
    plain = text.encode(errors="surrogatepass").translate(_SPACED)
    return plain.decode(errors="surrogatepass").split()


def words_of_run(run: str) -> tuple[str, ...]:
    """Return the words of one of the `runs` of a text; they are remembered."""
    return _WORDS[run]


def index_terms(text: str) -> list[str]:
    """Return the terms under which *text* is found, in order, with repetitions."""
    return list(chain.from_iterable(map(_TERMS.__getitem__, runs(text))))


def query_terms(question: str) -> list[str]:
    """Return the terms that *question* looks for, each once, in order."""
    return list(dict.fromkeys(index_terms(question)))


@functools.lru_cache(maxsize=_CACHED_CHUNKS_MAX)
def stem(word: str) -> str:
    """Return the stem of *word*, by Porter's algorithm for what is written in plain letters."""
    if not _STEMMED.fullmatch(word):
        return word
    # A stemmer keeps the word it works on, so threads cannot share one; it is made in 2 µs.
    stemmed: str = Stemmer.Stemmer("porter", 0).stemWord(word)
    return stemmed


class _Runs(dict[str, tuple[str, ...]]):
    """
    Remembers what is made of each run of text; when it is full it begins anew.

    What is made of a text is made of its runs, and looking each of them up is all that most texts
    cost.
    """

    def __init__(self, made: Callable[[str], Iterable[str]], room: int) -> None:
        super().__init__()
        self._made = made
        self._room = room

    def __missing__(self, run: str) -> tuple[str, ...]:
        made = tuple(self._made(run))
        if len(run) <= _KEPT_CHARS_MAX:
            if len(self) >= self._room:
                self.clear()
            self[run] = made
        return made


_WORDS = _Runs(words, _KEPT_RUNS_MAX)
_TERMS = _Runs(lambda run: map(stem, words(run)), _KEPT_RUNS_MAX)


def _words_of(chunk: str) -> tuple[str, ...]:
    if chunk.isascii() and chunk.isalpha() and (chunk.islower() or chunk.istitle()):
        # Most are of one piece, and what is looked for below is not in them.
        word = chunk.lower()
        return () if word in STOP_WORDS else (word[:TERM_CHARS_MAX],)
    plain = _THOUSANDS.sub("", chunk.replace("\u2019", "'"))
    if plain.replace("'", "").casefold() in STOP_WORDS:
        return ()
    plain = _CONTRACTED.sub("", plain)
    parts = (_PLAIN_PART if plain.isascii() else _PART).findall(plain)
    found = [word for part in parts for word in _words_of_part(part)]
    if len(parts) > 1:
        # Digits keep a seam, so that version 1.12 is not the number 112.
        seam = "x" if all(part.isdecimal() for part in parts) else ""
        found.append(seam.join(parts).casefold())
    return tuple(_clean(word) for word in found if word not in STOP_WORDS)


_cached_words = functools.lru_cache(maxsize=_CACHED_CHUNKS_MAX)(_words_of)


def _words_of_part(part: str) -> list[str]:
    if not part.isascii() and _IS_UNSPACED.match(part):
        return [part[i : i + 2] for i in range(max(1, len(part) - 1))]
    pieces = _CAMEL.findall(part) if part.isascii() else []
    whole = part.casefold()
    if not 1 < len(pieces) <= _PIECES_MAX:
        return [whole]
    return [*(piece.lower() for piece in pieces), whole]


def _clean(word: str) -> str:
    # Folding case may leave marks of its own ("İ" gives "i̇"), and a blob is found by its start.
    kept = word if word.isalnum() else "".join(filter(str.isalnum, word))
    return kept[:TERM_CHARS_MAX]
