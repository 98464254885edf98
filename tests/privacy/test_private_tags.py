"""Private spans are recognised in whatever way people, tools and mischief write them."""

import sys
import unicodedata

import pytest

from tilth.privacy.private_tags import MARKER, PrivateTagFilter, strip_private


@pytest.mark.row("EM-040")
@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a <private>x</private> b", "a [private] b"),
        ("a <private>x\ny\nz</private> b", "a [private] b"),
        ("a <private>x<private>y</private>z</private> b", "a [private] b"),
        ("a <private>x", "a [private]"),
        ("a <private>x<private>y</private>z", "a [private]"),
        ("a <PRIVATE>x</Private> b", "a [private] b"),
        ('a <private reason="a > b">x</private> b', "a [private] b"),
        ("a <private\n reason='a > b' until=never>x</private \t> b", "a [private] b"),
        ("<private>x</private><private>y</private>", "[private][private]"),
    ],
    ids=[
        "single line", "multi-line", "nested", "unclosed", "unclosed after nesting", "upper case",
        "quoted attribute", "attributes over lines", "side by side",
    ],
)  # fmt: skip
def test_what_stands_in_a_private_tag_is_removed(text, kept):
    assert strip_private(text).text == kept


@pytest.mark.row("EM-040")
def test_a_private_span_is_removed_wherever_a_stream_is_cut():
    text = 'a <private why="x > y">p<Private>q</private>r</PRIVATE > b</private> c <priv'
    for cut in range(len(text) + 1):
        stream = PrivateTagFilter()
        kept = stream.feed(text[:cut]) + stream.feed(text[cut:]) + stream.close()
        assert kept == "a [private] b c <priv"
        assert stream.removed == 1


@pytest.mark.parametrize(
    "text",
    [
        "a < private > b",
        "a <privateer>x</privateer> b",
        "a <private-key>x</private-key> b",
        "x < private_limit and y > 0",
        "&lt;private&gt;x&lt;/private&gt;",
        "the end <privat",
        "<",
        "",
    ],
)
def test_what_is_no_private_tag_is_left_alone(text):
    assert strip_private(text).text == text


def test_a_stray_closer_goes_and_takes_nothing_along():
    stripped = strip_private("a</private> b </PRIVATE x=1> c")
    assert stripped.text == "a b  c"
    assert stripped.removed == 0


def test_a_self_closing_tag_hides_nothing():
    assert strip_private("a<private/> b <private a='1' /> c").text == "a b  c"


def test_a_slash_that_ends_an_unquoted_value_closes_nothing():
    assert strip_private("a <private path=/home/>x</private> b").text == "a [private] b"


def test_an_unclosed_attribute_hides_the_rest():
    assert strip_private('a <private why="oops>x</private> b').text == "a [private]"


def test_an_apostrophe_in_a_tag_opens_no_value():
    assert strip_private("a <private it's mine>x</private> b").text == "a [private] b"


def test_a_tag_that_the_text_ends_in_hides_nothing_and_leaves_nothing():
    assert strip_private("a <private why").text == "a [private]"
    assert strip_private("a </private").text == "a "


@pytest.mark.parametrize(
    "opener",
    [
        "\uff1cprivate\uff1e",
        "<pri\u200bvate>",
        "\ufe64\uff30\uff32\uff29\uff36\uff21\uff34\uff25>",
        "<\u2060private\u00ad why\uff1d\uff02 > \uff02>",
        "<\U0001d429rivate>",
    ],
)
def test_a_disguised_tag_is_a_tag(opener):
    assert strip_private(f"a {opener}x</private> b").text == "a [private] b"


def test_two_halves_of_a_tag_do_not_meet_when_a_stray_one_goes_from_between():
    for stray in ("</private>", "<private/>", "</private></private>"):
        once = strip_private(f"<pri{stray}vate>x")
        assert strip_private(once.text).text == once.text
        assert MARKER in once.text


def test_every_character_that_folds_to_an_opener_opens():
    folding = [
        c for c in map(chr, range(sys.maxunicode)) if unicodedata.normalize("NFKC", c) == "<"
    ]
    assert [c for c in folding if strip_private(f"{c}private>x").text != MARKER] == []
