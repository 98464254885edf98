"""
Is this value a secret? Judgements for values whose format alone is no proof.

Real code and prose are full of `password = getpass()` and "the token is expired";
what tells a secret apart is what a person or a generator would put there.
"""

from itertools import pairwise

import re2

from tilth.privacy.families.family import Candidate, bytes_options

_OPTIONS = bytes_options()

# What stands in documentation and templates in place of a value.
_PLACEHOLDER = re2.compile(
    rb"(?i)^(?:<.*|\[.*|\$.*|%.*%|\{.*|#\{.*|[*x.?#:-]+|x{3,}.*"
    rb"|(?:your|my|some|the|insert|enter|replace|put)[_ -].*|.*[_-]?here"
    rb"|.*(?:example|placeholder|change[_-]?me|changeit|redacted|dummy|todo|fixme|sample"
    rb"|<[a-z_ -]+>|\$\{|\{\{).*"
    rb"|none|null|nil|true|false|undefined|unset|empty|string|bool(?:ean)?|number|optional"
    rb"|required|invalid|incorrect|expired|missing|unknown|disabled|enabled|default|internal)$",
    _OPTIONS,
)
# A reference to where the value is kept, or code that computes it.
_REFERENCE = re2.compile(
    rb"(?i)^(?:[/~@!&]|\.{1,2}/|[a-z]:\\|https?://|file:|op://|vault:|arn:|ref[+:]|projects/"
    rb"|(?:os|env|process|self|this|config|cfg|settings|secrets|var|local|data|args|opts|options"
    rb"|request|req|ctx|import|params|props|state|user)\.)",
    _OPTIONS,
)
_IDENTIFIER = re2.compile(
    rb"^[A-Za-z_][A-Za-z]*[0-9]?(?:(?:_|-|\.|::|->|/)[A-Za-z0-9_]{0,2}[A-Za-z_]*[0-9]{0,2})*[:!?]?$",
    _OPTIONS,
)
_NAMES_A_SECRET = re2.compile(
    rb"(?i)pass(?:word|wd|phrase)|secret|token|credential|api_?key", _OPTIONS
)
_PASSWORD_KEY = re2.compile(rb"(?i)pass|pwd|contrase|mot[_ -]de|senha|secret|private", _OPTIONS)
_SHA_OR_UUID = re2.compile(
    rb"(?i)^(?:[0-9a-f]+|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$", _OPTIONS
)
# An identifier of our own: a short prefix and a ULID.
_OWN_ID = re2.compile(rb"^[a-z]{2,8}_[0-9A-HJKMNP-TV-Z]{26}$", _OPTIONS)

_DIGIT_IN_WORD = re2.compile(rb"[A-Za-z][0-9]+[A-Za-z]", _OPTIONS)
_PORT_AND_PATH = re2.compile(rb"^\d{1,5}/", _OPTIONS)

# Tokens that steer a program or a model, and protect nothing.
_HARMLESS_BEFORE_TOKEN = (
    b"page", b"next", b"continuation", b"eos", b"bos", b"pad", b"unk", b"cls", b"sep", b"mask",
    b"stop", b"cancellation", b"cancel", b"sync", b"per", b"publickey",
)  # fmt: skip

_UPPER, _LOWER, _DIGIT, _OTHER = range(4)
# Random base62, base36 and hex strings change between digit and letter, or from small to
# capital, in 40 to 47 % of their steps on average; camel case in 17 %.
_OPAQUE_CHANGES_MIN = 0.2
_OPAQUE_DISTINCT_MIN = 8
_TELLING_CHANGES = frozenset(
    {(_DIGIT, _LOWER), (_DIGIT, _UPPER), (_LOWER, _DIGIT), (_UPPER, _DIGIT), (_LOWER, _UPPER)}
)


def is_mixed(candidate: Candidate) -> bool:
    """Accept what has letters and digits and is not an identifier of our own."""
    value = candidate.value
    return _has_digit(value) and _has_letter(value) and not is_own_id(value)


def has_many_digits(candidate: Candidate) -> bool:
    """Accept what has at least three digits: names with hyphens have fewer."""
    return sum(_kind(byte) == _DIGIT for byte in candidate.value) >= 3  # noqa: PLR2004


def is_own_id(value: bytes) -> bool:
    """Tell whether *value* is an identifier that we made."""
    return _OWN_ID.search(value) is not None


def is_written_out(candidate: Candidate) -> bool:
    """Accept whatever is neither a placeholder nor a reference."""
    value = candidate.value
    return not _PLACEHOLDER.search(value) and not value.startswith((b"${", b"$("))


def is_url_password(candidate: Candidate) -> bool:
    """Accept what stands between a colon and an at sign, unless it is a port and a path."""
    return is_written_out(candidate) and not _PORT_AND_PATH.search(candidate.value)


def is_opaque(candidate: Candidate) -> bool:
    """Accept what looks generated: no word, path, digest, UUID or identifier."""
    return _is_opaque(candidate.value)


def is_quoted_secret(candidate: Candidate) -> bool:
    """Accept a quoted value that is assigned to the name of a secret."""
    value = candidate.value
    if not _may_be_assigned(candidate) or any(space in value for space in b" \t"):
        return False
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
    if not _may_be_assigned(candidate) or candidate.data[candidate.end :][:1] in (b"(", b"["):
        return False
    if _IDENTIFIER.search(value) and not _is_opaque(value) and not _is_word_with_number(value):
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
            _is_word_with_number(value)
            or _has_inner_symbol(value)
            or _DIGIT_IN_WORD.search(value) is not None
            or (_has_digit(value) and _has_symbol(value))
        )
    return _is_token(value)


def is_named_value(key: str, value: str) -> bool:
    """Tell whether *value* is a secret because it is kept under the name *key*."""
    data = value.encode("ascii", "replace")
    candidate = Candidate(data, key.encode("ascii", "replace"), 0, len(data))
    if not value or not _may_be_assigned(candidate):
        return False
    return _is_password_key(candidate.key) or _is_token(data)


def _may_be_assigned(candidate: Candidate) -> bool:
    value = candidate.value
    before = candidate.key.lower().removesuffix(b"token").rstrip(b"_-")
    return not (
        _PLACEHOLDER.search(value)
        or _REFERENCE.search(value)
        or before.endswith(_HARMLESS_BEFORE_TOKEN)
        or is_own_id(value)
    )


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
    kinds = [_kind(byte) for byte in value]
    changes = sum(pair in _TELLING_CHANGES for pair in pairwise(kinds))
    return changes >= _OPAQUE_CHANGES_MIN * len(value) and len(set(value)) >= _OPAQUE_DISTINCT_MIN


def _is_word_with_number(value: bytes) -> bool:
    """Tell whether *value* is one word mixed with digits, as people make passwords."""
    return value.isalnum() and _has_digit(value) and _has_letter(value)


def _has_digit(value: bytes) -> bool:
    return any(_kind(byte) == _DIGIT for byte in value)


def _has_letter(value: bytes) -> bool:
    return any(_kind(byte) in (_UPPER, _LOWER) for byte in value)


def _has_symbol(value: bytes) -> bool:
    return any(byte in b"!@#$%^&*+=~" for byte in value)


def _has_inner_symbol(value: bytes) -> bool:
    return _has_symbol(value[1:-1])


def _kind(byte: int) -> int:
    if 0x30 <= byte <= 0x39:  # noqa: PLR2004 - ASCII digits
        return _DIGIT
    if 0x41 <= byte <= 0x5A:  # noqa: PLR2004 - ASCII capitals
        return _UPPER
    if 0x61 <= byte <= 0x7A:  # noqa: PLR2004 - ASCII small letters
        return _LOWER
    return _OTHER
