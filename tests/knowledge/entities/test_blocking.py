"""Blocking: names worth comparing share a key."""

import pytest

from tilth.knowledge.entities.blocking import POSTINGS_MAX, blocking_keys, parts, worth_asking


@pytest.mark.parametrize(
    ("name", "other", "shared"),
    [
        ("Postgres", "POSTGRES", "=postgres"),
        ("P\u043estgres", "Postgres", "~postgres"),
        ("Home Assistant", "homeassistant", "+homeassistant"),
        ("AWS", "Amazon Web Services", "@aws"),
        ("MoD", "Ministry of Defence", "@mod"),
        ("Postgres 15", "svc-postgres", ":postgres"),
        ("Kubernets", "Kubernetes", "kub"),
        ("Café Müller", "cafe muller", ":muller"),
    ],
)
def test_names_that_may_mean_one_thing_share_a_key(name, other, shared):
    assert shared in blocking_keys(name) & blocking_keys(other)


def test_a_name_without_words_still_has_its_key():
    assert "=🚀" in blocking_keys("🚀")
    assert parts("🚀").words == ()


def test_what_is_rare_says_most_and_what_many_bear_is_not_asked():
    counts = {":redis": 3, ":server": 900, "ser": POSTINGS_MAX + 1, ":new": 0}

    worth = worth_asking(counts, 10_000)

    assert list(worth) == [":redis", ":server"]
    assert worth[":redis"] > worth[":server"] > 0


def test_a_long_name_has_few_keys():
    assert len(blocking_keys("x" * 200)) < 50
    assert len(blocking_keys("ab " * 66)) < 50
