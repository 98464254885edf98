"""
Judge whether a value is a secret, where its format alone is no proof.

Real code and prose are full of `password = getpass()` and "the token is expired"; what tells a
secret apart is what a person or a generator would put there.
"""

from functools import lru_cache
from itertools import pairwise

import re2

from tilth.privacy.families.family import Candidate, bytes_options
from tilth.privacy.families.variable_names import QUALIFIED_NAME

_OPTIONS = bytes_options()

# What stands in documentation and templates in place of a value.
_PLACEHOLDER_PATTERN = (
    rb"(?:<.*|\[.*|\$.*|%.*%|\{.*|#\{.*|[*x.?#:-]+|x{3,}.*"
    rb"|(?:your|my|some|the|insert|enter|replace|put)[_ -].*|.*[_-]?here"
    rb"|.*(?:example|placeholder|change[_-]?me|changeit|redacted|dummy|todo|fixme|sample"
    rb"|<[a-z_ -]+>|\$\{|\{\{).*"
    rb"|none|null|nil|true|false|undefined|unset|empty|string|bool(?:ean)?|number|optional"
    rb"|required|invalid|incorrect|expired|missing|unknown|disabled|enabled|default|internal)$"
)
# A reference to where the value is kept, or code that computes it.
_REFERENCE_PATTERN = (
    rb"(?:[/~@!&]|\.{1,2}/|[a-z]:\\|https?://|file:|op://|vault:|arn:|ref[+:]|projects/"
    rb"|(?:os|env|process|self|this|config|cfg|settings|secrets|var|local|data|args|opts|options"
    rb"|request|req|ctx|import|params|props|state|user)\.)"
)
_PLACEHOLDER = re2.compile(rb"(?i)^" + _PLACEHOLDER_PATTERN, _OPTIONS)
_NO_VALUE = re2.compile(
    rb"(?i)^(?:" + _PLACEHOLDER_PATTERN + rb"|" + _REFERENCE_PATTERN + rb")", _OPTIONS
)
_IDENTIFIER = re2.compile(
    rb"^[A-Za-z_][A-Za-z]*[0-9]?(?:(?:_|-|\.|::|->|/)[A-Za-z0-9_]{0,2}[A-Za-z_]*[0-9]{0,2})*[:!?]?$",
    _OPTIONS,
)
_NAMES_A_SECRET = re2.compile(
    rb"(?i)pass(?:word|wd|phrase)|secret|token|credential|api_?key", _OPTIONS
)
_PASSWORD_KEY = re2.compile(
    rb"(?i)pass|pwd|^pw$|psk|contrase|clave|kennwort|pa.wort|wachtwoord|senha|parol|has.o|l.senord"
    rb"|adgangskode|salasana|heslo|jelsz|.ifre|secret|private",
    _OPTIONS,
)
_SHA_OR_UUID = re2.compile(
    rb"(?i)^(?:[0-9a-f]+|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$", _OPTIONS
)
# An identifier of our own: a short prefix and a ULID.
_OWN_ID = re2.compile(rb"^[a-z]{2,8}_[0-9A-HJKMNP-TV-Z]{26}$", _OPTIONS)

_DIGIT_IN_WORD = re2.compile(rb"[A-Za-z][0-9]+[A-Za-z]", _OPTIONS)

# Tokens that steer a program or a model, and keys that are names: they protect nothing.
_HARMLESS_QUALIFIERS = frozenset(
    b"page nextpage next continuation eos bos pad unk cls sep mask stop cancellation cancel sync"
    b" nextsync publickey public cache primary foreign sort partition group routing".split()
)

_DIGITS = frozenset(b"0123456789")
_LETTERS = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
_SMALL = frozenset(b"abcdefghijklmnopqrstuvwxyz")
_SYMBOLS = frozenset(b"!@#$%^&*+=~")

# Random base62, base36 and hex strings change between digit and letter, or from small to
# capital, in 40 to 47 % of their steps on average; camel case in 17 %.
_OPAQUE_CHANGES_MIN = 0.2
_OPAQUE_DISTINCT_MIN = 8
_PHRASE_WORDS_MIN = 4
# Words that are joined for a password, and those with which people say something of one instead.
_PASS = re2.compile(rb"(?i)pass|pwd", _OPTIONS)
_JOINED_WORDS_MIN, _JOINED_CHARS_MIN, _JOINED_WORD_MIN = 3, 18, 4
_SAID_OF_ONE = frozenset(
    b"base64 based before case change changed characters check default encoded encrypted"
    b" environment field file first from generated hashed here length login manager must only"
    b" password protected random read required reset same secret sensitive stored text that this"
    b" type user username value vault with your".split()
)
# The name at the end of a key of metadata: `db_password`, not `password_length` or `compass`.
_NAME = re2.compile(rf"(?i){QUALIFIED_NAME}s?$".encode("ascii"), _OPTIONS)


def is_mixed(candidate: Candidate) -> bool:
    """Accept what has letters and digits and is not an identifier of our own."""
    value = candidate.value
    return _has_digit(value) and _has_letter(value) and not is_own_id(value)


def has_many_digits(candidate: Candidate) -> bool:
    """Accept what has at least three digits: names with hyphens have fewer."""
    return sum(byte in _DIGITS for byte in candidate.value) >= 3  # noqa: PLR2004


def is_own_id(value: bytes) -> bool:
    """Tell whether *value* is an identifier that we made."""
    return _OWN_ID.search(value) is not None


def is_written_out(candidate: Candidate) -> bool:
    """Accept whatever is neither a placeholder nor a reference."""
    value = candidate.value
    return not _PLACEHOLDER.search(value) and not value.startswith((b"${", b"$("))


def is_typed_secret(candidate: Candidate) -> bool:
    """Accept what stands where a password does, unless it says that one belongs there."""
    value = candidate.value
    names_one = _NAMES_A_SECRET.search(value) and not _has_digit(value)
    return is_written_out(candidate) and not names_one and not _NO_VALUE.search(value)


def is_url_password(candidate: Candidate) -> bool:
    """Accept what stands between a colon and an at sign, unless it is a port and a path."""
    port, slash, _ = candidate.value.partition(b"/")
    return is_written_out(candidate) and not (slash and port.isdigit())


def is_opaque(candidate: Candidate) -> bool:
    """Accept what looks generated: no word, path, digest, UUID or identifier."""
    return _is_opaque(candidate.value)


def is_quoted_secret(candidate: Candidate) -> bool:
    """Accept a quoted value that is assigned to the name of a secret."""
    value = candidate.value
    if not _may_be_assigned(candidate):
        return False
    if b" " in value or b"\t" in value:  # a message, unless it is to be a phrase
        return b"phrase" in candidate.key.lower() and len(value.split()) >= _PHRASE_WORDS_MIN
    if _is_password_key(candidate.key):
        return _is_password(value, letters_min=8)
    return _is_token(value)


def is_argument_secret(candidate: Candidate) -> bool:
    """Accept a value that follows the name of a secret as the next argument of a call."""
    value = candidate.value
    if not _may_be_assigned(candidate):
        return False
    return _is_word_with_number(value) or _is_token(value)


def is_bare_secret(candidate: Candidate) -> bool:
    """Accept an unquoted value that is assigned to the name of a secret."""
    value = candidate.value
    if not _may_be_assigned(candidate) or candidate.after in {b"(", b"["}:
        return False
    if _is_chosen_phrase(candidate):
        return True
    if not _is_word_with_number(value) and _IDENTIFIER.search(value) and not _is_opaque(value):
        return False
    if _is_password_key(candidate.key):
        return _has_digit(value) or _has_symbol(value)
    return _is_token(value)


def is_environment_secret(candidate: Candidate) -> bool:
    """Accept the value of an environment variable, where nothing is code."""
    value = candidate.value
    if not _may_be_assigned(candidate):
        return False
    return _is_password_key(candidate.key) or _is_token(value)


def is_told_secret(candidate: Candidate) -> bool:
    """Accept a value that a sentence states: a word alone is just prose."""
    value = candidate.value
    if not _may_be_assigned(candidate) or any(bracket in value for bracket in b"([{"):
        return False
    if _is_password_key(candidate.key):
        return _has_letter(value) and (
            _is_chosen_phrase(candidate)
            or _is_word_with_number(value)
            or _has_inner_symbol(value)
            or _DIGIT_IN_WORD.search(value) is not None
            or (_has_digit(value) and _has_symbol(value))
        )
    return _is_token(value)


def _is_chosen_phrase(candidate: Candidate) -> bool:
    """Tell whether it is a password of words with hyphens between: "correct-horse-battery"."""
    words = candidate.value.lower().split(b"-")
    return (
        _PASS.search(candidate.key) is not None
        and len(words) >= _JOINED_WORDS_MIN
        and len(candidate.value) >= _JOINED_CHARS_MIN
        and all(len(word) >= _JOINED_WORD_MIN and word.isalnum() for word in words)
        and _SAID_OF_ONE.isdisjoint(words)
    )


def is_named_secret(key: str, value: str) -> bool:
    """Tell whether *value* is a secret because it is kept under the name *key*."""
    named = _NAME.search(key.encode("ascii", "replace"))
    data = value.encode("ascii", "replace")
    if not data or named is None:
        return False
    candidate = Candidate(named.group(), data)
    if not _may_be_assigned(candidate):
        return False
    return _is_password_key(candidate.key) or _is_token(data)


def _may_be_assigned(candidate: Candidate) -> bool:
    value = candidate.value
    return not (_NO_VALUE.search(value) or _is_harmless(candidate.key) or is_own_id(value))


@lru_cache(maxsize=256)
def _is_harmless(key: bytes) -> bool:
    qualifier = key.lower().removesuffix(b"token").removesuffix(b"key").rstrip(b"_-")
    return qualifier.replace(b"-", b"_").rpartition(b"_")[2] in _HARMLESS_QUALIFIERS


@lru_cache(maxsize=256)
def _is_password_key(key: bytes) -> bool:
    return _PASSWORD_KEY.search(key) is not None


def _is_password(value: bytes, *, letters_min: int) -> bool:
    if _NAMES_A_SECRET.search(value) and not _has_digit(value):
        return False
    return _has_digit(value) or _has_inner_symbol(value) or len(value) >= letters_min


def _is_token(value: bytes) -> bool:
    """Tell whether *value* is what a generator makes: long enough, with letters and digits."""
    return (
        len(value) >= 12  # noqa: PLR2004 - 60 bits and more in the usual alphabets
        and _has_digit(value)
        and _has_letter(value)
        and (not _IDENTIFIER.search(value) or _is_opaque(value))
    )


def _is_opaque(value: bytes) -> bool:
    if _SHA_OR_UUID.search(value) or is_own_id(value) or not _has_digit(value):
        return False
    changes = sum(_changes_kind(one, other) for one, other in pairwise(value))
    return changes >= _OPAQUE_CHANGES_MIN * len(value) and len(set(value)) >= _OPAQUE_DISTINCT_MIN


def _changes_kind(one: int, other: int) -> bool:
    """Tell whether two neighbours go between letter and digit, or from small to capital."""
    if one in _LETTERS and other in _LETTERS:
        return one in _SMALL and other not in _SMALL
    return (one in _LETTERS and other in _DIGITS) or (one in _DIGITS and other in _LETTERS)


def _is_word_with_number(value: bytes) -> bool:
    """Tell whether *value* is one word mixed with digits, as people make passwords."""
    return value.isalnum() and _has_digit(value) and _has_letter(value)


def _has_digit(value: bytes) -> bool:
    return not _DIGITS.isdisjoint(value)


def _has_letter(value: bytes) -> bool:
    return not _LETTERS.isdisjoint(value)


def _has_symbol(value: bytes) -> bool:
    return not _SYMBOLS.isdisjoint(value)


def _has_inner_symbol(value: bytes) -> bool:
    return _has_symbol(value[1:-1])
