"""Names, for any text at all."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from tilth.core.errors import InvalidInputError
from tilth.core.text.names import is_confusable, is_plain, name_key, parse_name, skeleton

# Whatever folding, joining and parting could stumble over, mixed with anything.
TRICKY = st.sampled_from(
    "ab1I.,-:/\\'& ()_@#+|\u00df\u0130\u1e30\u017f\u200b\u200d\u202e\u00b2\u2160"
)
names = st.text(st.one_of(st.characters(), TRICKY), max_size=12)


@given(names)
def test_a_key_is_its_own_key(name):
    key = name_key(name)

    assert name_key(key) == key
    assert name_key(name.strip()) == key


@given(names, names)
def test_looking_alike_is_mutual(name, other):
    assert is_confusable(name, other) == is_confusable(other, name)


@given(names)
def test_a_plain_name_is_not_confusable_with_itself_otherwise_spelled(name):
    assert is_confusable(name, name.upper()) == (
        skeleton(name) == skeleton(name.upper())
        and (name_key(name) != name_key(name.upper()) or not is_plain(name + name.upper()))
    )


@given(st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=8))
def test_plain_letters_and_digits_share_a_key_only_where_case_and_width_differ(name):
    if is_plain(name):
        shown = unicodedata.normalize("NFKC", name).casefold()

        assert name_key(name) == unicodedata.normalize("NFKC", shown)


@given(names, st.integers(0, 12), st.sampled_from("\u200b\u200d\u2060\u00ad\u202a\u2069\ufeff"))
def test_what_is_hidden_in_a_name_makes_it_no_longer_plain(name, at, hidden):
    assert not is_plain(name[:at] + hidden + name[at:])
    assert is_confusable(name, name[:at] + hidden + name[at:])


@given(names)
def test_a_name_is_accepted_whole_or_refused(text):
    try:
        name = parse_name(text)
    except InvalidInputError:
        return
    assert parse_name(name) == name
    assert name_key(name) == name_key(text)
    name.encode()
