"""What is kept of what was found: sure enough, once, and not too much of it."""

from datetime import UTC, datetime

import pytest

from tilth.core.actor import HOOKS
from tilth.core.ids import EpisodeId
from tilth.core.scope import DEFAULT_OWNER
from tilth.episodes.episode import Episode, EpisodeDraft
from tilth.knowledge.facts.statement import Statement, Triple
from tilth.knowledge.vocabulary.registries import Channel
from tilth.learning.candidate import Candidate, StatementKind, Turn
from tilth.learning.filter import (
    KEPT_MAX,
    TRIPLES_OF_ONE_QUOTE_MAX,
    WORDS_MAX,
    Found,
    Left,
    filter_findings,
)

PORT = "the api listens on port 5433"


def an_episode(text, number=1):
    return Episode.recorded(
        EpisodeDraft(text=text),
        id=EpisodeId(f"epi_{number}"),
        seq=number,
        owner=DEFAULT_OWNER,
        recorded_at=datetime(2026, 1, 1, tzinfo=UTC),
        by=HOOKS,
    )


def found(
    quote=PORT, *, triple=None, kind=StatementKind.FACT, confidence=0.8, text="", within=None
):
    channel = None if triple is None else Channel.ENTITY
    parsed = None if triple is None else Triple(*triple)
    said = Statement(text=text or quote, triple=parsed, channel=channel)
    candidate = Candidate(said=said, quote=quote, kind=kind, confidence=confidence)
    within = within or an_episode(quote)
    return Found(Turn(within), candidate, within.text.index(quote))


def kept(*candidates, least=None):
    return [one.candidate.said.text for one in filter_findings(candidates, least or {}).kept]


@pytest.mark.row("DU-021")
def test_what_is_not_sure_enough_for_its_channel_is_left_out_and_counted():
    triple = ("api", "port", "5433")

    assert kept(found(triple=triple, confidence=0.7)) == [PORT]
    assert filter_findings([found(triple=triple, confidence=0.69)], {}).left == {Left.UNSURE: 1}
    assert kept(found(triple=triple, confidence=0.7), least={Channel.ENTITY: 0.75}) == []
    assert kept(found(triple=triple, confidence=0.7), least={Channel.INTENT: 0.75}) == [PORT]


@pytest.mark.row("DU-021")
def test_a_relation_of_somebody_who_is_named_nowhere_in_it_is_left_out():
    relation = StatementKind.RELATIONSHIP

    assert kept(found("Ada joined Globex.", kind=relation)) == ["Ada joined Globex."]
    assert kept(found("she joined Globex.", kind=relation, text="She joined Globex.")) == []


def test_words_without_a_triple_have_the_channel_of_their_kind():
    goal = found(kind=StatementKind.GOAL, confidence=0.7)

    assert goal.channel is Channel.INTENT
    assert kept(goal, least={Channel.INTENT: 0.75}) == []


@pytest.mark.row("DU-054")
def test_of_eleven_the_ten_surest_are_kept_in_their_order():
    words = [f"the api listens on port {number}" for number in range(KEPT_MAX + 1)]
    eleven = [
        found(text, confidence=0.71 if number == 3 else 0.8, within=an_episode(text, number + 1))
        for number, text in enumerate(words)
    ]

    done = filter_findings(eleven, {})

    assert [one.candidate.said.text for one in done.kept] == [*words[:3], *words[4:]]
    assert done.left[Left.OVER] == 1


@pytest.mark.row("DU-054")
def test_what_has_a_hundred_words_is_left_out():
    long = "word " * (WORDS_MAX - 1)

    assert kept(found(long.strip())) == [long.strip()]
    assert filter_findings([found(f"{long}word")], {}).left[Left.LONG] == 1


def test_what_somebody_wants_remembered_is_not_weighed():
    text = "word " * WORDS_MAX
    certain = [
        found(f"{text}{number}", confidence=1.0, within=an_episode(f"{text}{number}", number + 1))
        for number in range(KEPT_MAX + 1)
    ]

    assert len(filter_findings(certain, {Channel.ENTITY: 1.0}).kept) == KEPT_MAX + 1


@pytest.mark.row("KB-114")
@pytest.mark.parametrize("around", ["Don't mention that {} in the wiki.", "Forget that {}!"])
def test_what_is_said_to_the_memory_itself_is_left_out(around):
    done = filter_findings([found(within=an_episode(around.format(PORT)))], {})

    assert (done.kept, done.left[Left.OF_MEMORY]) == ([], 1)


def test_of_the_same_words_the_reading_that_tells_most_is_kept():
    triple = ("api", "port", "5433")
    decision = found(kind=StatementKind.DECISION, text="it was decided")

    assert kept(found(triple=triple), decision) == ["it was decided"]
    assert kept(decision, found(triple=triple)) == ["it was decided"]
    assert kept(found(text="in words"), found(triple=triple)) == [PORT]


def test_a_rule_leaves_its_value_beside_it():
    """ "From now on the api listens on port 5433": a rule has no slot, and its value has one."""
    rule = found(kind=StatementKind.RULE, text="it is so from now on", confidence=0.9)
    value = found(triple=("api", "port", "5433"))

    assert kept(value, rule) == [PORT, "it is so from now on"]
    assert kept(rule, value) == ["it is so from now on", PORT]
    assert kept(rule, found(text="in words")) == ["it is so from now on"]


def test_what_says_the_same_again_is_left_out():
    done = filter_findings([found(), found()], {})

    assert (len(done.kept), done.left[Left.REPEATED]) == (1, 1)


def test_one_sentence_states_a_few_triples_at_most():
    many = [
        found(triple=("api", "uses", f"tool{number}"))
        for number in range(TRIPLES_OF_ONE_QUOTE_MAX + 2)
    ]

    assert len(filter_findings(many, {}).kept) == TRIPLES_OF_ONE_QUOTE_MAX


def test_other_words_of_one_message_stand_beside_them():
    message = an_episode(f"{PORT}, and we chose Postgres")
    chosen = found("we chose Postgres", kind=StatementKind.DECISION, within=message)

    assert kept(found(within=message), chosen) == [PORT, "we chose Postgres"]


def test_a_part_of_a_sentence_goes_where_the_whole_is_kept_and_leaves_it_its_triple():
    whole = f"{PORT}, since 8080 is taken"
    within = an_episode(whole)
    triple = ("api", "port", "5433")

    for found_first in (
        [found(triple=triple, within=within), found(whole, within=within)],
        [found(PORT, within=within), found(whole, within=within)],
        [found(whole, within=within), found(PORT, within=within)],
    ):
        assert kept(*found_first) == [whole]
    (one,) = filter_findings(
        [found(triple=triple, within=within), found(whole, within=within)], {}
    ).kept
    assert one.candidate.said.triple == Triple(*triple)


def test_what_says_the_same_with_words_from_elsewhere_goes():
    borrowed = found(text=f"We looked at the gateway yesterday. {PORT}")

    assert kept(found(), borrowed) == kept(borrowed, found()) == [PORT]


def test_two_that_each_say_something_of_their_own_both_stay():
    within = an_episode("the api has 3 workers and 5 queues")
    of_workers = found("the api has 3 workers", within=within)
    of_queues = found("the api has 3 workers and 5 queues", text="5 queues", within=within)

    assert kept(of_workers, of_queues) == ["the api has 3 workers", "5 queues"]


@pytest.mark.row("DU-054")
def test_what_says_a_value_or_binds_somebody_goes_last():
    telling = [
        found(f"the queue holds {number}", within=an_episode(f"the queue holds {number}", number))
        for number in range(KEPT_MAX - 1)
    ]
    vague = "the soup smells of winter"
    goal = found(
        "they aim for calm", kind=StatementKind.GOAL, within=an_episode("they aim for calm", 90)
    )

    done = filter_findings(
        [found(vague, confidence=0.9, within=an_episode(vague, 91)), *telling, goal], {}
    )

    assert vague not in [one.candidate.said.text for one in done.kept]
    assert goal in done.kept


def test_of_several_runs_of_the_tests_the_last_is_kept():
    texts = ["212 tests passed", "213 tests passed", "Merged #7"]
    runs = [
        found(text, triple=("tilth", text.split()[-1].lower(), text), kind=StatementKind.MILESTONE,
              within=an_episode(text, number))
        for number, text in enumerate(texts)
    ]  # fmt: skip
    for run in runs[:2]:
        assert run.candidate.said.triple.predicate == "passed"

    assert kept(*runs) == ["213 tests passed", "Merged #7"]
