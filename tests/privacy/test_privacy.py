"""What scrubbing promises for any text."""

import random  # noqa: TID251 - seeded by hypothesis
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.secrets import hostile_texts
from bench.secrets_corpus import COMMON, DISGUISES, positives
from tilth.privacy.finding import placeholder
from tilth.privacy.personal import mask_personal
from tilth.privacy.private_tags import PrivateTagFilter, strip_private
from tilth.privacy.redaction import redact, scrub
from tilth.privacy.scanner import find_secrets

CANARY = "\N{BIRD}canary"
SECRETS = [positive.secret for positive in positives() if positive.family in COMMON]

names = st.tuples(
    *(st.sampled_from((letter, letter.upper(), chr(ord(letter) + 0xFEE0))) for letter in "private")
)
unseen = st.sampled_from(["", "", "", "\u200b", "\u2060\u00ad", "\ufe0f"])
spaces = st.sampled_from(["", " ", "\n", "\t "])
attributes = st.sampled_from(
    ["", " a", ' a="x > y"', " a='</private>'", " a = b", " a=/b/", " it's", " a=\"'\" b='\"'"]
)
public = st.text("ab <>/=\"'\n&;\u200b", max_size=12).filter(lambda text: "<" not in text)


@st.composite
def openers(draw):
    """Draw an opening tag in some spelling."""
    letters = [letter + draw(unseen) for letter in draw(names)]
    return "<" + draw(unseen) + "".join(letters) + draw(attributes) + draw(spaces) + ">"


@st.composite
def closers(draw):
    """Draw a closing tag in some spelling."""
    return "<" + draw(unseen) + "/" + draw(spaces) + "".join(draw(names)) + draw(spaces) + ">"


def spans(inner):
    """Return private spans around *inner*."""
    return st.tuples(openers(), public, inner, public, closers()).map("".join)


inside = st.recursive(
    st.just(CANARY), lambda inner: spans(inner) | st.tuples(inner, inner).map("".join), max_leaves=5
)
closed = spans(inside)
unclosed = st.tuples(openers(), inside, public).map("".join)
fragments = st.text("<>/private PRIVATE\"'=\u200bx", max_size=20)


def in_chunks(text, seed):
    """Feed *text* in chunks of random sizes and return what is kept."""
    chance = random.Random(seed)
    stream = PrivateTagFilter()
    kept = []
    while text:
        size = chance.randint(1, 9)
        kept.append(stream.feed(text[:size]))
        text = text[size:]
    return "".join(kept) + stream.close()


@pytest.mark.row("I34")
@given(st.lists(public | closed, max_size=4), st.none() | unclosed, st.integers())
def test_nothing_private_survives_in_any_spelling_or_chunking(pieces, last, seed):
    text = "".join(pieces) + (last or "")
    stripped = strip_private(text)
    assert CANARY not in stripped.text
    assert stripped.removed == sum(CANARY in piece for piece in pieces) + (last is not None)
    assert in_chunks(text, seed) == stripped.text


@pytest.mark.row("I34")
@given(st.lists(public | closed, max_size=5))
def test_what_is_public_survives(pieces):
    kept = "".join("[private]" if CANARY in piece else piece for piece in pieces)
    assert strip_private("".join(pieces)).text == kept


@given(fragments, st.integers())
def test_any_fragments_of_tags_are_stripped_alike_in_any_chunking(text, seed):
    stripped = strip_private(text)
    assert in_chunks(text, seed) == stripped.text
    assert strip_private(stripped.text).text == stripped.text


secrets = st.sampled_from(SECRETS)
disguises = st.sampled_from(sorted(DISGUISES)).map(DISGUISES.get)
wrapped = st.builds(lambda secret, disguise: disguise(secret), secrets, disguises)
store_environment = st.sampled_from(
    [" ", "\n", "", "=", "password=", 'token: "', '"', "%", "\\", "\\u00", "&#", "[secret:", "]",
     "://u:", "@", "Bearer ", "<private>", "</private>", "-", "_", "QUJD", "[private]", "的"]
)  # fmt: skip
texts = st.lists(secrets | wrapped | store_environment | st.text(max_size=8), max_size=8).map(
    "".join
)


@pytest.mark.row("I32")
@given(texts)
def test_nothing_is_found_in_what_has_been_scrubbed(text):
    scrubbed = scrub(text)
    assert find_secrets(scrubbed.text) == []
    assert scrub(scrubbed.text).text == scrubbed.text


@given(texts)
def test_only_what_was_found_is_replaced(text):
    redacted = redact(text)
    rebuilt, at = "", 0
    for finding in redacted.findings:
        assert at <= finding.start < finding.end <= len(text)
        rebuilt += text[at : finding.start] + placeholder(finding.family)
        at = finding.end
    assert redacted.text == rebuilt + text[at:]


@given(
    st.text("ab1 \n.:é密", max_size=20),
    st.sampled_from(SECRETS),
    st.text("ab1 .,\n密", max_size=20),
)
def test_a_secret_among_words_is_always_found(before, secret, after):
    assert secret not in redact(f"{before} {secret} {after}").text


@given(st.text("1234567890.:@ab+-() ", max_size=40))
def test_masking_twice_is_masking_once(text):
    assert mask_personal(mask_personal(text)) == mask_personal(text)


def calls(function, text):
    """Count the calls of Python and of C that *function* makes on *text*."""
    count = 0

    def counted(_frame, event, _argument):
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        function(text)
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.row("I40")
@pytest.mark.parametrize("name", hostile_texts(1))
def test_the_work_on_hostile_text_grows_no_faster_than_the_text(name):
    scrub(hostile_texts(4_000)[name])  # whatever is compiled or cached is so now
    once = calls(scrub, hostile_texts(4_000)[name])
    assert calls(scrub, hostile_texts(16_000)[name]) <= 5 * once + 200
