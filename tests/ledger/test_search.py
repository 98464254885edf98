"""What every store promises of its indexes: full text and vectors, in step with the ledger."""

from contextlib import closing
from random import Random  # noqa: TID251 - seeded

import numpy as np
import pytest

from tests.conftest import AGENT, a_draft, append, append_all
from tilth.core.errors import InvalidInputError
from tilth.core.ids import SessionId
from tilth.core.scope import DEFAULT_OWNER, Owner, Scope, Visibility
from tilth.core.text.tokens import query_terms
from tilth.episodes.events import EpisodeRecorded
from tilth.episodes.filters import EpisodeFilter
from tilth.ledger.search import Search

ALL = Visibility()
ANYTHING = EpisodeFilter(within=ALL)


def matched(store, *terms, which=ANYTHING, limit=100):
    with store.read() as view:
        return [one.seq for one in Search(view).lexical(terms, which, limit=limit)]


def said(store, *texts, **changes):
    return [
        one.recorded.seq for one in append_all(store, [a_draft(text, **changes) for text in texts])
    ]


def units(count: int, dimensions: int = 16, seed: int = 7):
    drawn = np.random.default_rng(seed).normal(size=(count, dimensions)) + 0.5
    return (drawn / np.linalg.norm(drawn, axis=1, keepdims=True)).astype(np.float32)


# The mean is drawn to zero while there are few, or one vector alone would be like nothing.
CENTRE_PRIOR = 20


def put(store, space, seqs, vectors):
    with store.begin() as tx:
        tx.put_vectors(space, zip(seqs, vectors, strict=True))


def centred_cosines(vectors, vector):
    centre = vectors.sum(axis=0) / (len(vectors) + CENTRE_PRIOR)
    apart, asked = vectors - centre, vector - centre
    return apart @ asked / (np.linalg.norm(apart, axis=1) * np.linalg.norm(asked))


@pytest.mark.row("EM-005")
def test_what_was_acknowledged_is_found_by_the_next_read(store):
    (seq,) = said(store, "the kettle is on")

    assert matched(store, "kettl") == [seq]
    assert matched(store, "teapot") == []


@pytest.mark.row("EM-005")
def test_the_speaker_is_found_too(store):
    seq = append(store, a_draft("the kettle is on", speaker="Marguerite")).recorded.seq

    assert matched(store, *query_terms("What did Marguerite say?")) == [seq]


def test_any_of_the_terms_will_do_and_the_better_fit_comes_first(store):
    tea, both, _, milk = said(store, "tea for two", "tea with milk", "coffee", "milk and honey")

    found = matched(store, "tea", "milk")

    assert found[0] == both
    assert set(found) == {tea, both, milk}


def test_a_rare_term_weighs_more_than_a_common_one(store):
    (rare,) = said(store, "saffron number")
    said(store, *[f"tea number {n} tea" for n in range(30)])

    assert matched(store, "tea", "saffron", limit=1) == [rare]


def test_ties_go_to_the_newer(store):
    seqs = said(store, *["the same words again"] * 5)

    assert matched(store, "word") == seqs[::-1]
    assert matched(store, "word", limit=2) == seqs[:-3:-1]


def scored(store, *terms, limit=100):
    with store.read() as view:
        return Search(view).lexical(terms, ANYTHING, limit=limit)


def test_who_asks_again_finds_the_same_with_the_same_scores(store, place):
    rng = Random(3)
    words = ["kettle", "tea", "milk", "honey", "saffron"]
    texts = [" ".join(rng.choices(words, k=rng.randint(1, 200))) for _ in range(300)]
    said(store, *texts, "kettle")
    asked = [("kettl",), ("saffron", "milk"), ("tea", "honey", "teapot"), ("teapot",)]

    first = []
    for terms in asked:
        with closing(place.open()) as fresh:
            first.append(scored(fresh, *terms, limit=20))

    assert [scored(store, *terms, limit=20) for terms in asked * 2] == first * 2


def test_who_asks_again_finds_what_another_said_meanwhile(store, place):
    said(store, "tea for two", "more tea")
    assert len(matched(store, "tea")) == len(matched(store, "tea")) == 2

    with closing(place.open()) as other:
        (late,) = said(other, "tea again")
        found = matched(other, "tea")

    assert late in found
    assert matched(store, "tea") == found


def test_scores_fall_from_best_to_worst(store):
    said(store, "tea", "tea milk", "tea milk honey", "tea milk honey lemon", "rain")

    with store.read() as view:
        scores = [one.score for one in Search(view).lexical(["tea", "lemon"], ANYTHING, limit=9)]

    assert scores == sorted(scores, reverse=True)
    assert len(scores) == 4


@pytest.mark.row("EM-005", "I36")
@pytest.mark.parametrize(
    "term",
    [
        '"', "'", '""', "AND", "OR", "NOT", "NEAR", "NEAR(a b)", "*", "kettl*", "^kettl", ":",
        "terms:kettl", "-kettl", "(", ")", "{", "kettl AND", "\x00", "kettl\x00", "\\", "%", "_",
        "_2", "&", "|", "!", "<->", "kettl:*", "'kettl'", "kettl' | '", "", " ", "kettl on",
        "$1", "?", ";--", "\u202e", "🌱", "x" * 100_000,
    ],
)  # fmt: skip
def test_a_term_is_never_syntax(store, term):
    said(store, "the kettle is on", "and near or not")

    assert matched(store, term) == []
    assert len(matched(store, term, "kettl")) == 1
    with store.read() as view:
        assert Search(view).corpus([term, "kettl"], ALL).frequencies == {term: 0, "kettl": 1}


@pytest.mark.row("I36")
def test_no_terms_find_nothing(store):
    said(store, "the kettle is on")

    assert matched(store) == []
    assert matched(store, "kettl", limit=0) == []


def test_many_terms_at_once_are_no_trouble(store):
    (seq,) = said(store, "the kettle is on")

    assert matched(store, *(f"word{n}" for n in range(2_000)), "kettl") == [seq]


@pytest.mark.parametrize(
    "text",
    ["naïve Ærøskøbing", "東京タワー", "ไทย", "x_y.z-1.12", "DON'T PANIC", "1,234,567", "émigré"],
)
def test_what_is_asked_as_it_was_said_is_found(store, text):
    (seq,) = said(store, f"before {text} after")
    said(store, "something else altogether")

    assert matched(store, *query_terms(text)) == [seq]


def test_an_episode_with_more_than_a_megabyte_of_terms_is_found_by_each(store):
    # Forty letters of four bytes: a tsvector, for one, holds no more than a megabyte.
    drawn = Random(3)
    letters = [chr(code) for code in range(0x10428, 0x10450)]
    long = ["".join(drawn.choices(letters, k=40)) for _ in range(7_000)]
    (seq,) = said(store, " ".join([*long, "zebra"]))

    for term in (long[0], long[3_500], long[-1], "zebra"):
        assert matched(store, term, "nowher") == [seq]
    assert list(store.verify()) == []
    with store.read() as view:
        asked = [long[0], long[-1], "zebra"]
        assert Search(view).corpus(asked, ALL).frequencies == dict.fromkeys(asked, 1)


@pytest.mark.row("I36")
def test_the_corpus_counts_only_what_may_be_seen(store):
    alice, bob, work = Owner("alice"), Owner("bob"), Scope("project:work")
    append(store, a_draft("tea milk"), owner=alice)
    append(store, a_draft("tea tea honey", scope=work), owner=alice)
    append(store, a_draft("tea tea tea tea"), owner=bob)

    with store.read() as view:
        every = Search(view).corpus(["tea", "milk", "rain"], Visibility(alice))
        some = Search(view).corpus(["tea", "milk"], Visibility(alice, frozenset({work})))
        none = Search(view).corpus(["tea"], Visibility(Owner("charlie")))

    assert (every.episode_count, every.mean_terms) == (2, 2.5)
    assert every.frequencies == {"tea": 2, "milk": 1, "rain": 0}
    assert (some.episode_count, some.mean_terms) == (1, 3)
    assert some.frequencies == {"tea": 1, "milk": 0}
    assert (none.episode_count, none.mean_terms, none.frequencies) == (0, 0, {"tea": 0})


def test_the_corpus_of_a_store_with_one_owner_counts_the_same(store):
    said(store, "tea milk", "tea tea", "rain")

    with store.read() as view:
        stats = Search(view).corpus(["tea", "rain", "snow"], ALL)

    assert stats.frequencies == {"tea": 2, "rain": 1, "snow": 0}


def test_vectors_come_back_as_they_were_put(store):
    seqs, vectors = said(store, "a", "b", "c"), units(3)

    put(store, "space", seqs, vectors)

    with store.read() as view:
        found = Search(view).vectors("space", [*seqs, 999])
        assert Search(view).vectors("other", seqs) == {}
    assert sorted(found) == seqs
    for seq, vector in zip(seqs, vectors, strict=True):
        # A byte a dimension is kept.
        np.testing.assert_allclose(found[seq], vector, atol=1 / 200)
        assert found[seq].dtype == np.float32


def test_a_vector_that_is_there_stays(store):
    seqs, vectors = said(store, "a", "b"), units(4)
    put(store, "space", seqs, vectors[:2])

    put(store, "space", seqs, vectors[2:])

    with store.read() as view:
        found = Search(view).vectors("space", seqs)
        (stats,) = Search(view).spaces()
    np.testing.assert_allclose(found[seqs[0]], vectors[0], atol=1 / 200)
    np.testing.assert_allclose(stats.mean, vectors[:2].mean(axis=0), atol=1 / 200)
    assert stats.vector_count == 2


def test_spaces_know_their_count_and_mean(store):
    seqs, vectors = said(store, *"abcdef"), units(6)
    put(store, "first", seqs[:4], vectors[:4])
    put(store, "second", seqs, units(6, dimensions=8))
    put(store, "first", seqs[4:], vectors[4:])

    with store.read() as view:
        first, second = Search(view).spaces()

    assert (first.space, first.vector_count) == ("first", 6)
    assert (second.space, second.vector_count) == ("second", 6)
    np.testing.assert_allclose(first.mean, vectors.mean(axis=0), atol=1 / 200)
    assert second.mean.shape == (8,)
    assert first.mean.dtype == np.float32


@pytest.mark.parametrize("count", [2, 40])
def test_nearest_is_what_brute_force_finds(store, count):
    seqs, vectors = said(store, *(f"{n} pots" for n in range(count))), units(count)
    for part in range(0, count, 7):
        put(store, "space", seqs[part : part + 7], vectors[part : part + 7])
    asked = units(1, seed=8)[0]

    with store.read() as view:
        kept = Search(view).vectors("space", seqs)
        found = Search(view).nearest("space", asked, ANYTHING, limit=10)

    expected = centred_cosines(np.stack([kept[seq] for seq in seqs]), asked)
    best = sorted(zip(expected, seqs, strict=True), reverse=True)[:10]
    assert [one.seq for one in found] == [seq for _, seq in best]
    np.testing.assert_allclose([one.score for one in found], [s for s, _ in best], atol=1e-4)


def test_nearest_under_a_filter_is_what_brute_force_finds_there(store):
    work = Scope("project:work")
    seqs = said(store, *(f"{n} pots" for n in range(20)))
    seqs += said(store, *(f"{n} pans" for n in range(20)), scope=work, session_id=SessionId("s"))
    vectors = units(40)
    put(store, "space", seqs, vectors)
    asked = units(1, seed=8)[0]
    expected = centred_cosines(vectors, asked)

    for which in (
        EpisodeFilter(within=Visibility(DEFAULT_OWNER, frozenset({work}))),
        EpisodeFilter(within=ALL, session_id=SessionId("s")),
    ):
        with store.read() as view:
            found = Search(view).nearest("space", asked, which, limit=5)
        best = 20 + np.argsort(-expected[20:])[:5]
        assert [one.seq for one in found] == [seqs[at] for at in best]


def test_cosines_at_given_places_are_those_of_brute_force(store):
    seqs, vectors = said(store, *"abcdef"), units(5)
    put(store, "space", seqs[:5], vectors)
    asked = units(1, seed=8)[0]

    with store.read() as view:
        found = Search(view).cosines("space", asked, [seqs[3], seqs[5], seqs[0], 999])
        elsewhere = Search(view).cosines("other", asked, seqs[:2])

    expected = centred_cosines(vectors, asked)
    np.testing.assert_allclose(found, [expected[3], np.nan, expected[0], np.nan], atol=0.01)
    assert np.isnan(elsewhere).all()


def test_how_alike_several_are_is_what_each_of_them_finds(store):
    seqs, vectors = said(store, *"abcdef"), units(5)
    put(store, "space", seqs[:5], vectors)
    places = [seqs[3], seqs[5], seqs[0]]

    with store.read() as view:
        search = Search(view)
        alike = search.alike("space", places)
        kept = search.vectors("space", seqs)
        expected = [search.cosines("space", kept[seqs[3]], places)]
        nowhere = search.alike("other", places)

    np.testing.assert_allclose(alike[0], expected[0], atol=1e-5)
    np.testing.assert_allclose(alike, alike.T)
    assert np.isnan(alike[1]).all()
    assert np.isnan(nowhere).all()


@pytest.mark.row("MP-04")
def test_a_space_whose_rows_are_gone_has_nothing_near_and_nothing_alike(store, place):
    seqs, asked = said(store, *"abc"), units(1, seed=8)[0]
    put(store, "space", seqs, units(3))
    place.tamper("DELETE FROM vectors")

    with store.read() as view:
        search = Search(view)
        assert search.nearest("space", asked, EpisodeFilter(within=Visibility()), limit=5) == []
        assert np.isnan(search.cosines("space", asked, seqs)).all()
        assert np.isnan(search.alike("space", seqs)).all()


def test_equal_vectors_are_told_newest_first(store):
    seqs, vectors = said(store, *"abcd"), units(2)
    put(store, "space", seqs, vectors[[0, 1, 0, 0]])

    with store.read() as view:
        found = Search(view).nearest("space", vectors[0], ANYTHING, limit=3)

    assert [one.seq for one in found] == [seqs[3], seqs[2], seqs[0]]


def test_a_single_vector_is_found_though_it_is_its_own_mean(store):
    seqs, vectors = said(store, "a"), units(1)
    put(store, "space", seqs, vectors)

    with store.read() as view:
        (found,) = Search(view).nearest("space", vectors[0], ANYTHING, limit=5)

    assert found.seq == seqs[0]
    assert abs(found.score) <= 1


def test_a_space_that_is_not_there_has_nothing_near(store):
    said(store, "a")

    with store.read() as view:
        assert Search(view).nearest("space", units(1)[0], ANYTHING, limit=5) == []


@pytest.mark.row("KB-124")
def test_spaces_are_never_compared(store):
    seqs = said(store, "a", "b")
    put(store, "first", seqs[:1], units(1))
    put(store, "second", seqs[1:], units(1))

    with store.read() as view:
        found = Search(view).nearest("first", units(1)[0], ANYTHING, limit=5)

    assert [one.seq for one in found] == seqs[:1]


def test_a_vector_of_another_length_is_refused(store):
    seqs = said(store, "a", "b")
    put(store, "space", seqs[:1], units(1))

    with pytest.raises(InvalidInputError, match="dimensions"):
        put(store, "space", seqs[1:], units(1, dimensions=8))
    with store.read() as view, pytest.raises(InvalidInputError, match="dimensions"):
        Search(view).nearest("space", units(1, dimensions=8)[0], ANYTHING, limit=5)


def test_no_vectors_make_no_space(store):
    put(store, "space", [], [])

    with store.read() as view:
        assert Search(view).spaces() == []


@pytest.mark.row("KB-124")
def test_what_has_no_vector_is_told_oldest_first_and_of_every_owner(store):
    seqs = said(store, *"abcd")
    seqs.append(append(store, a_draft("e"), owner=Owner("bob")).recorded.seq)
    put(store, "space", [seqs[1]], units(1))

    with store.read() as view:

        def missing(space="space", **how):
            return [one.seq for one in Search(view).unembedded(space, **how)]

        assert missing(limit=9) == [seqs[0], *seqs[2:]]
        assert missing(limit=2) == [seqs[0], seqs[2]]
        assert missing(limit=9, after=seqs[2]) == seqs[3:]
        assert missing("other", limit=9) == seqs
        counted = [Search(view).unembedded_count("space", at_most=most) for most in (2, 9)]
        assert counted == [2, 4]


def test_a_dropped_space_is_gone_and_may_come_again(store):
    seqs, vectors = said(store, *"abc"), units(6)
    put(store, "space", seqs, vectors[:3])
    put(store, "other", seqs, vectors[:3])
    with store.read() as view:
        Search(view).nearest("space", vectors[0], ANYTHING, limit=1)

    with store.begin() as tx:
        tx.drop_space("space")
        tx.drop_space("never there")

    with store.read() as view:
        assert [one.space for one in Search(view).spaces()] == ["other"]
        assert Search(view).nearest("space", vectors[0], ANYTHING, limit=1) == []
        assert Search(view).vectors("space", seqs) == {}
    put(store, "space", seqs[:2], vectors[3:5])
    with store.read() as view:
        found = Search(view).nearest("space", vectors[3], ANYTHING, limit=9)
        assert [one.seq for one in found] == seqs[:2]


@pytest.mark.row("I8")
def test_vectors_that_were_rolled_back_are_never_near(store):
    seqs, vectors = said(store, *"abcde"), units(5)
    put(store, "space", seqs[:2], vectors[:2])

    def break_off():
        with store.begin() as tx:
            tx.put_vectors("space", [(seqs[4], vectors[4])])
            Search(tx).nearest("space", vectors[4], ANYTHING, limit=9)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        break_off()
    put(store, "space", seqs[2:4], vectors[2:4])

    with store.read() as view:
        found = Search(view).nearest("space", vectors[4], ANYTHING, limit=9)
    assert {one.seq for one in found} == set(seqs[:4])


def test_an_open_snapshot_does_not_see_vectors_that_came_later(store):
    seqs, vectors = said(store, *"abc"), units(3)
    put(store, "space", seqs[:2], vectors[:2])
    with store.read() as early:
        early.head()
        put(store, "space", seqs[2:], vectors[2:])
        with store.read() as late:
            assert len(Search(late).nearest("space", vectors[2], ANYTHING, limit=9)) == 3

        assert len(Search(early).nearest("space", vectors[2], ANYTHING, limit=9)) == 2
        assert sorted(Search(early).vectors("space", seqs)) == seqs[:2]


def test_two_openings_find_each_others_vectors(place):
    store, other = place.open(), place.open()
    seqs, vectors = said(store, *"abcd"), units(4)
    for at, writer in enumerate([store, other, store, other]):
        put(writer, "space", [seqs[at]], vectors[at : at + 1])

        for reader in (store, other):
            with reader.read() as view:
                found = Search(view).nearest("space", vectors[at], ANYTHING, limit=9)
            assert {one.seq for one in found} == set(seqs[: at + 1])
    store.close()
    other.close()


@pytest.mark.row("OB-073")
def test_a_transaction_finds_what_it_just_put(store):
    vectors = units(2)

    with store.begin() as tx:
        seqs = [
            tx.append(EpisodeRecorded(a_draft(text)), by=AGENT, owner=DEFAULT_OWNER).recorded.seq
            for text in ("tea", "rain")
        ]
        tx.put_vectors("space", zip(seqs, vectors, strict=True))
        found = Search(tx).nearest("space", vectors[1], ANYTHING, limit=1)

    assert [one.seq for one in found] == seqs[1:]
