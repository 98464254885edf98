"""What ranking remembers."""

from contextlib import nullcontext

import numpy as np
import pytest

from tests.fakes import HashingEmbedder
from tilth.episodes.episode import Passage
from tilth.recall import lexicon as module
from tilth.recall.lexicon import Lexicon


@pytest.fixture
def lexicon():
    return Lexicon(HashingEmbedder(), nullcontext())


def load(*texts):
    return lambda seqs: [Passage(seq, "Ada", texts[seq]) for seq in seqs if seq < len(texts)]


def test_an_episode_is_read_once(lexicon):
    asked = []

    def reads(seqs):
        asked.append(seqs)
        return load("a kettle", "some tea")(seqs)

    lexicon.readings("one", [0], reads)
    lexicon.readings("one", [0, 1], reads)
    lexicon.readings("other", [0], reads)

    assert asked == [[0], [1], [0]]


def test_what_may_not_be_read_is_left_out(lexicon):
    assert list(lexicon.readings("one", [0, 7], load("a kettle"))) == [0]


def test_a_reading_keeps_every_word_and_knows_its_speaker(lexicon):
    reading = lexicon.readings("one", [0], load("kettles and a kettle, kettles"))[0]

    assert reading.words.tolist() == lexicon.numbers(["ada", "kettles", "kettle", "kettles"])
    assert lexicon.terms_of(reading) == {lexicon.term_number("ada"), lexicon.term_number("kettl")}
    assert reading.speaker == "Ada"


def test_words_keep_their_vectors_as_more_come(lexicon):
    first = lexicon.numbers(["kettle"])
    before = lexicon.vectors(first)
    lexicon.numbers(f"word{number}" for number in range(10_000))

    assert np.array_equal(before, lexicon.vectors(first))
    assert lexicon.stems()[first] == lexicon.term_number("kettl")


def test_past_its_bounds_it_forgets_and_reads_again(lexicon, monkeypatch):
    lexicon.readings("one", [0], load("a kettle"))
    lexicon.stems()
    monkeypatch.setattr(module, "WORDS_MAX", 1)

    reading = lexicon.readings("one", [0], load("some tea"))[0]

    assert reading.words.tolist() == lexicon.numbers(["ada", "tea"]) == [0, 1]
    assert len(lexicon.stems()) == 2


def test_how_near_words_are_is_worked_out_again_where_there_is_no_room(lexicon, monkeypatch):
    said = np.array(lexicon.numbers(["kettle", "tea", "cup"]), np.int32)
    _, before, _ = lexicon.cosines([0, 1], said)
    monkeypatch.setattr(module, "NEAR_MAX", 1)

    for _ in range(2):
        heard, cosines, column = lexicon.cosines([0, 1], said)

        assert np.array_equal(cosines, before)
        assert np.array_equal(heard[column], said)


def test_a_lexicon_takes_the_vectors_that_another_has_read():
    asked = []

    class Counting(HashingEmbedder):
        def word_vectors(self, said):
            asked.extend(said)
            return super().word_vectors(said)

    known = Lexicon(Counting(), nullcontext())
    known.vectors(known.numbers(["kettle", "tea"]))
    fresh = Lexicon(known, nullcontext())

    assert np.array_equal(
        fresh.vectors(fresh.numbers(["tea", "milk"])),
        known.vectors(known.numbers(["tea", "milk"])),
    )
    assert asked == ["kettle", "tea", "milk"]


@pytest.mark.parametrize("room", [0, 10_000])
def test_what_is_taken_from_another_is_what_reading_it_alone_gives(lexicon, monkeypatch, room):
    texts = ["tea in the kettle", "milk", "the kettle and the cup of milk", ""]

    def loading(seqs):
        # In another order than they are asked for in.
        return [Passage(seq, "Ada" if seq % 2 else "", texts[seq]) for seq in sorted(seqs)[::-1]]

    known = Lexicon(HashingEmbedder(), nullcontext())
    known.readings("one", [2, 0], loading)
    monkeypatch.setattr(module, "WORDS_MAX", room)
    fresh = Lexicon(known, nullcontext(), earlier=known)
    for each in (lexicon, fresh):
        each.numbers(["boils", "kettle"])

    for seqs in ([1, 2], [0, 3, 2, 1]):
        own, taken = lexicon.readings("one", seqs, loading), fresh.readings("one", seqs, loading)

        assert [*taken] == [*own] == seqs
        for seq in seqs:
            assert taken[seq].words.tolist() == own[seq].words.tolist()
            assert taken[seq].speaker == own[seq].speaker
        assert fresh.stems().tolist() == lexicon.stems().tolist()
