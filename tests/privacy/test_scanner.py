"""The quick look before the patterns misses nothing that they would find."""

import re2

from bench.secrets_corpus import negatives, positives
from tilth.privacy.families import FAMILIES
from tilth.privacy.families.family import bytes_options
from tilth.privacy.scanner import _compiled, _hinted

TEXTS = [positive.text.encode("ascii", "replace") for positive in positives()]
HINTS = [re2.compile(family.hint.encode("ascii"), bytes_options()) for family in FAMILIES]


def test_every_family_has_its_hint_wherever_its_pattern_is_found():
    missed = [
        (family.name, text)
        for family, hint in zip(FAMILIES, HINTS, strict=True)
        for text in TEXTS
        if _compiled(family)[0].search(text) and not hint.search(text)
    ]
    assert missed == []


def test_the_set_of_hints_finds_in_a_large_text_what_each_hint_finds_alone():
    # A set that runs out of memory finds nothing, and says so only on standard error.
    large = b"\n".join([*TEXTS, *(text.encode("ascii", "replace") for text in negatives())]) * 25
    alone = [index for index, hint in enumerate(HINTS) if hint.search(large)]
    assert len(large) > 1_000_000
    assert sorted(_hinted().Match(large)) == alone
