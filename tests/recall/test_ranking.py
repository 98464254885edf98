"""Signals, ranking and grouping, on candidates that need no store."""

from contextlib import nullcontext
from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest

from tests.fakes import START, HashingEmbedder
from tilth.core.instant import to_micros
from tilth.episodes.episode import EpisodeKind, Passage, Place, Role
from tilth.ledger.search import CorpusStats
from tilth.recall.answer import answer
from tilth.recall.lexicon import Lexicon
from tilth.recall.model import RecallOptions
from tilth.recall.order.signals import Candidates
from tilth.recall.question import understand
from tilth.recall.recaller import DEFAULT

NONE = float("nan")


class Said:
    """Candidates, each a text with where it stands."""

    def __init__(self, *texts, recipe=DEFAULT):
        self.lexicon = Lexicon(HashingEmbedder(), nullcontext())
        self.texts = list(texts)
        self.places = [
            Place(seq, 1, seq, to_micros(START) + seq, EpisodeKind.MESSAGE, Role.USER)
            for seq in range(1, len(texts) + 1)
        ]
        self.first = np.full(len(texts), NONE, np.float32)
        self.second = np.full(len(texts), NONE, np.float32)
        self.recipe = recipe

    def at(self, number, **changes):
        self.places[number] = self.places[number]._replace(**changes)
        return self

    def asked(self, question, *, now=START, mean_terms=5.0, episode_count=0, **options):
        corpus = CorpusStats(episode_count or len(self.texts), mean_terms, {})
        passages = [
            Passage(place.seq, *self._spoken(text))
            for place, text in zip(self.places, self.texts, strict=True)
        ]
        known = self.lexicon.readings(
            "store", [place.seq for place in self.places], lambda _: passages
        )
        readings = [known[place.seq] for place in self.places]
        return answer(
            understand(question, now),
            Candidates(self.places, readings, self.first, self.second),
            corpus,
            self.lexicon,
            self.recipe,
            RecallOptions(**options),
        )

    def found(self, question, **options):
        return [self.texts[one.at] for one in self.asked(question, **options).chosen]

    @staticmethod
    def _spoken(text):
        speaker, colon, said = text.partition(": ")
        return (speaker, said) if colon else ("", text)


def test_the_candidate_that_covers_the_question_comes_first():
    said = Said("rain again", "the kettle is broken", "tea is ready")

    assert said.found("who broke the kettle?")[0] == "the kettle is broken"


def test_a_neighbour_lends_what_it_covers_to_its_own_session_only():
    said = Said("which kettle did you buy?", "the red one", "the blue one").at(2, session_no=2)

    assert said.found("kettle bought") == [
        "which kettle did you buy?", "the red one", "the blue one",
    ]  # fmt: skip


def test_episodes_without_a_session_are_nobodys_neighbours():
    said = Said("the kettle", "tea", "milk")
    for number in range(3):
        said.at(number, session_no=0, position=0)

    parts = said.asked("kettle").ranking.parts["coverage"]

    assert parts.tolist() == [1.0, 0.0, 0.0]


def test_a_neighbour_of_another_role_lends_nothing():
    said = Said("which kettle did you buy?", "the red one").at(1, role=Role.ASSISTANT)

    assert said.asked("kettle bought").ranking.parts["coverage"][1] == 0.0


def test_the_second_tier_counts_more_where_texts_are_long():
    said = Said("one", "two")
    said.first[:] = said.second[:] = [0.5, 0.1]

    short = said.asked("unrelated", mean_terms=20.0).ranking.parts["vectors"]
    long = said.asked("unrelated", mean_terms=300.0).ranking.parts["vectors"]

    assert short == pytest.approx([0.4, 0.08])
    assert long[0] > 1.5 * short[0]


@pytest.mark.parametrize(
    ("question", "weight"),
    [
        ("what happened on 2026-01-01", 1.5),
        ("the kettle and the tea of last week", 0.3),
        ("the kettle and the tea", 0.3),
    ],
)
def test_a_date_counts_as_far_as_it_is_what_is_asked(question, weight):
    assert Said("tea").asked(question).signals.date_weight == weight


def test_a_date_beside_other_words_counts_by_its_share():
    weight = (
        Said("tea").asked("who had the kettle and the tea on 3 January 2026").signals.date_weight
    )

    assert 0.3 < weight < 1.0


def test_an_assistant_counts_less_than_a_user_who_says_the_same():
    said = Said("the kettle is red", "the kettle is red").at(0, role=Role.ASSISTANT)

    ranking = said.asked("kettle red").ranking

    assert ranking.scores[1] > ranking.scores[0]


def test_a_long_text_covers_a_word_less_than_a_short_one():
    said = Said("kettle", "kettle " + " ".join(f"word{n}" for n in range(300)))

    coverage = said.asked("kettle").ranking.parts["coverage"]

    assert coverage[0] > coverage[1] > 0


def test_who_is_named_by_the_question_counts_a_little():
    said = Said("Ada: yes indeed", "Bob: yes indeed")
    said.places = [place._replace(session_no=place.seq) for place in said.places]

    assert said.found("What did Bob say indeed?")[0] == "Bob: yes indeed"


def test_a_date_in_the_question_pulls_what_happened_then():
    said = Said("tea was had", "tea was had")
    said.at(0, occurred_at=to_micros(START - timedelta(days=200)))

    signals = said.asked("what was had yesterday?", now=START + timedelta(days=1)).signals

    assert signals.date.tolist() == [0.0, 1.0]


def test_a_date_pulls_less_the_longer_ago_it_was():
    said = Said("a", "b", "c")
    for number, days in enumerate((2, 10, 60)):
        said.at(number, occurred_at=to_micros(START + timedelta(days=days)))

    date = said.asked("what was on 1 January 2026?").signals.date

    assert 1 > date[0] > date[1] > date[2] > 0


@pytest.mark.row("KB-124")
def test_an_episode_without_the_second_vector_is_ranked_by_the_first():
    said = Said("one", "two", "three")
    said.first[:] = [0.5, 0.5, 0.0]
    said.second[:] = [NONE, 0.5, 0.0]

    parts = said.asked("unrelated").ranking.parts["vectors"]

    assert parts == pytest.approx([0.2, 0.4, 0.0])


def test_without_any_vector_words_decide():
    said = Said("rain", "the kettle")

    assert said.found("kettle")[0] == "the kettle"
    assert said.asked("kettle").ranking.parts["vectors"].tolist() == [0.0, 0.0]


def test_explain_the_parts_add_up_to_the_score():
    said = Said("Ada: the kettle", "tea in the kettle", "rain")
    said.first[:] = [0.3, 0.1, -0.2]

    ranking = said.asked("What did Ada put in the kettle?").ranking

    assert np.sum(list(ranking.parts.values()), axis=0) == pytest.approx(ranking.scores)


def test_sessions_rank_by_their_best_turns():
    said = Said("rain", "kettle", "tea", "kettle again").at(0, session_no=2).at(1, session_no=2)

    assert said.asked("kettle again").sessions == [1, 2]


@pytest.mark.row("MP-06")
def test_what_changed_since_comes_newest_first():
    said = Said(
        "the deploy key lives in the red vault",
        "lunch was good",
        "the deploy key lives in the blue vault",
    )
    said.places = [place._replace(session_no=place.seq, position=1) for place in said.places]

    assert said.found("where does the deploy key live?")[:2] == [
        "the deploy key lives in the blue vault",
        "the deploy key lives in the red vault",
    ]


@pytest.mark.row("MP-06")
def test_what_is_like_another_thing_is_no_newer_word_on_it():
    lenient = replace(DEFAULT, changed_score=0.1)
    said = Said(
        "Ada's team plays the sport of cricket",
        "Bob's team plays the sport of tennis",
        recipe=lenient,
    )
    said.places = [place._replace(session_no=place.seq, position=1) for place in said.places]

    chosen = said.asked("which sport does Ada's team play?").chosen

    assert [one.at for one in chosen] == [0, 1]
    assert len({one.group for one in chosen}) == 2


@pytest.mark.row("MP-06")
def test_what_answers_much_worse_is_no_newer_word_on_it():
    said = Said("the sport of ada is cricket", "ada sport " + "and so many other words " * 3)
    said.places = [place._replace(session_no=place.seq, position=1) for place in said.places]
    said.first[:] = [0.9, -0.9]
    said.recipe = replace(DEFAULT, changed_since=0.0)

    assert len({one.group for one in said.asked("which sport is Ada's?").chosen}) == 2


@pytest.mark.row("MP-06")
def test_grouping_can_be_left_out_and_loses_nothing():
    said = Said(*(f"the kettle number {n}" for n in range(8)))

    grouped, plain = said.found("kettle number"), said.found("kettle number", is_grouped=False)

    assert sorted(grouped) == sorted(plain)


@pytest.mark.row("OB-066")
def test_a_document_is_found_once_by_its_best_section():
    said = Said("kettle care", "kettle kettle descaling", "kettle of mine")
    said.at(0, kind=EpisodeKind.DOCUMENT).at(1, kind=EpisodeKind.DOCUMENT).at(2, session_no=2)

    assert sorted(said.found("kettle descaling")) == ["kettle kettle descaling", "kettle of mine"]


def test_what_nothing_covers_is_not_answerable():
    said = Said("rain again", "tea is ready")

    assert not said.asked("which database was chosen?").answerable
    assert said.asked("is tea ready?").answerable


def test_in_a_large_store_a_likeness_by_chance_is_no_answer():
    """The best of a hundred thousand texts is a little like any question."""
    said = Said("tea is ready", "rain again")
    said.second[:] = [0.6, 0.1]
    asked = "quand le repas commence"
    found = said.asked(asked)

    assert DEFAULT.answerable_from <= found.confidence < 0.45
    assert found.answerable
    assert said.asked(asked, episode_count=DEFAULT.answerable_texts).answerable
    large = said.asked(asked, episode_count=100_000)
    assert (large.confidence, large.answerable) == (found.confidence, False)
    # A session, and a time, are a small part of any store.
    assert said.asked(asked, episode_count=100_000, session_id="shed").answerable
    assert said.asked(f"{asked} {START:%B %Y}", episode_count=100_000).answerable
    # What answers well answers in any store.
    assert said.asked("is tea ready?", episode_count=10_000_000).answerable


def test_the_second_tier_alone_carries_a_question_in_another_language():
    said = Said("rain again", "tea is ready")
    asked = "quand le repas commence"

    said.second[:] = [0.1, 0.55]
    assert said.asked(asked).answerable
    said.second[:] = [0.1, 0.4]
    assert not said.asked(asked).answerable


def test_a_name_that_is_not_here_is_met_by_no_other_name():
    said = Said("bob: the kettle is red", "ada: the kettle is blue")
    said.first[:] = [0.4, 0.4]

    assert said.asked("which kettle is blue?").answerable
    assert not said.asked("tell us what Priscilla is").answerable


def test_no_candidates_are_no_answer():
    found = Said().asked("anything?")

    assert (list(found.chosen), list(found.sessions), found.answerable) == ([], [], False)


def test_the_window_can_be_closed():
    said = Said("which kettle?", "the red one", recipe=replace(DEFAULT, window={}))

    assert said.asked("kettle").ranking.parts["coverage"].tolist() == [1.0, 0.0]
