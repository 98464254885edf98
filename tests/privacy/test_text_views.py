"""Every view of a text knows which stretch of the text it shows."""

import pytest

from tilth.privacy.decode import base64_readings, decoded_views
from tilth.privacy.text_views import View


def shown(view, text, needle):
    """Return the stretch of *text* behind *needle* in *view*."""
    start = view.data.index(needle)
    origin_start, origin_end = view.origin(start, start + len(needle))
    return text[origin_start:origin_end]


@pytest.mark.parametrize(
    ("text", "needle", "behind"),
    [
        ("plain", b"ai", "ai"),
        ("\u200bto\u2060\ufeffken\u00ad!", b"token", "to\u2060\ufeffken"),
        ("\uff54\uff4f\uff4b\uff45\uff4e", b"oke", "\uff4f\uff4b\uff45"),
        ("…token", b"token", "token"),
        ("a…b", b".", "…"),
        ("ﬁeld", b"field", "ﬁeld"),
        ("é密token", b"??token", "é密token"),
        ("\U000e0041to\U0001f600ken", b"to?ken", "to\U0001f600ken"),
        ("\ud800x", b"?x", "\ud800x"),
    ],
)
def test_a_folded_view_leads_back_to_the_text(text, needle, behind):
    assert shown(View.of(text), text, needle) == behind


@pytest.mark.parametrize(
    ("text", "needle", "behind"),
    [
        ("a%74%6f%6Ben", b"token", "%74%6f%6Ben"),
        ("%20%74%6f%20", b"to", "%74%6f"),
        (r"\u0074\u006foken", b"tooken", r"\u0074\u006foken"),
        (r"\x74\x6fken", b"token", r"\x74\x6fken"),
        (r"\ntoken\n", b"token", "token"),
        (r"https:\/\/x", b"://", r":\/\/"),
        ("&#116;&#x6F;ken &amp; x", b"token &", "&#116;&#x6F;ken &amp;"),
        ("\x1b[1;31mto\x1b[0mken", b"token", "to\x1b[0mken"),
        (r"\uff54oken", b"token", r"\uff54oken"),
    ],
)
def test_a_decoded_view_leads_back_to_the_text(text, needle, behind):
    assert shown(list(decoded_views(text))[1], text, needle) == behind


def test_a_text_without_escapes_has_one_view():
    assert len(list(decoded_views("100 % sure & done"))) == 1


def test_decoding_goes_two_levels_deep_and_no_further():
    views = [view.data for view in decoded_views("%252574")]
    assert views == [b"%252574", b"%2574", b"%74"]


@pytest.mark.parametrize("before", ["", "x", "xy", "xyz"])
def test_base64_is_read_at_every_alignment(before):
    assert b"a secret in here" in base64_readings(before.encode() + b"YSBzZWNyZXQgaW4gaGVyZQ==")
