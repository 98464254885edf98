"""A correction finds the fact that it corrects, or replaces nothing."""

from datetime import timedelta

import pytest

from tests.fakes import START
from tilth.core.scope import DEFAULT_OWNER
from tilth.episodes.episode import Quote
from tilth.knowledge.facts.statement import Statement, Triple
from tilth.knowledge.vocabulary.registries import Channel
from tilth.knowledge.vocabulary.tables import KnownWords
from tilth.learning.candidate import Candidate, StatementKind, Turn
from tilth.learning.distil import state_read
from tilth.learning.extract import Extracted, Rules, keep
from tilth.learning.filter import Found, Left

WORK = "project:acme/api"
WORDS = "No, it's 5433, not 5432."


@pytest.fixture
def store(whole_store):
    return whole_store


@pytest.fixture
def corrects(store, agent):
    """Return what states a correction, which answers the message *before*."""

    def correct(*, old="5432", new="5433", triple=None, before=None, words=WORDS):
        episode_id = agent.remember(words, session_id="s1", scope=WORK)
        episodes = agent.fetch([episode_id, *([before] if before else [])])
        told = {one.id: one for one in episodes}
        candidate = Candidate(
            said=Statement(
                text=words,
                triple=triple and Triple(*triple),
                channel=Channel.ENTITY if triple else None,
            ),
            quote=words,
            kind=StatementKind.CORRECTION,
            confidence=0.9,
            old_value=old,
            new_value=new,
        )
        found = Found(Turn(told[episode_id], told.get(before)), candidate, 0)
        writing = agent._parts.writing
        states = Extracted()
        keep([found], states, Rules(), writing.clock)
        with store.begin() as tx:
            words_known = KnownWords(tx).known(DEFAULT_OWNER)
            vectors = writing.embedder.embed([one.draft.said.words for one in states.ready])
            (ready,) = states.ready
            return state_read(tx, ready, writing, words_known, vectors)

    return correct


def state(agent, value="5432", *, predicate="port", subject="api", **telling):
    told = {"subject": subject, "predicate": predicate, "object": value, "scope": WORK}
    return agent.facts.add(**told, valid_from=START - timedelta(days=1), **telling).fact


@pytest.mark.row("DU-054")
def test_a_correction_says_anew_what_it_corrects(agent, corrects):
    wrong = state(agent, predicate="current_version")

    stated = corrects()

    assert (stated.verdict, stated.retired) == ("superseded", wrong.id)
    triple = stated.fact.said.triple
    assert (triple.subject, triple.predicate, triple.object) == ("api", "current_version", "5433")
    assert stated.fact.metadata["old_value"] == "5432"
    assert stated.fact.metadata["polarity"] == "correction"
    assert stated.fact.about == wrong.about


def test_what_others_stand_on_is_corrected_when_a_human_agrees(agent, human, corrects):
    wrong = state(agent)

    stated = corrects()

    assert (stated.verdict, stated.retired) == ("proposed", None)
    assert agent.facts.get(wrong.id).is_contested
    assert [fact.id for fact in human.review.show(stated.proposal_id).retires] == [wrong.id]


def test_what_a_human_wrote_is_not_replaced_by_it(agent, human, corrects):
    human.facts.add(subject="api", predicate="phase", object="5432", scope=WORK, valid_from=START)

    assert corrects().verdict == "proposed"


def test_words_without_a_triple_are_corrected_in_words(agent, corrects):
    agent.facts.add("The api answers on 5432.", about=["api"], scope=WORK, valid_from=START)

    assert corrects().fact.said.text == "The api answers on 5433."


@pytest.mark.on_sqlite(but=1)
@pytest.mark.parametrize(
    "agrees",
    [
        "You updated the spec in the main workspace, not the session repo.",
        "The spec is never updated in a session repo.",
        "The user works in the main workspace instead of the session repo.",
    ],
)
def test_what_denies_the_old_value_itself_is_corrected_by_nothing(agent, human, corrects, agrees):
    kept = agent.facts.add(agrees, about=["spec"], scope=WORK, valid_from=START).fact

    words = 'Tasks always take place in the "main workspace", not a session repo.'
    stated = corrects(old="session repo", new="main workspace", words=words)

    assert stated is Left.UNSURE
    assert not agent.facts.get(kept.id).is_contested
    assert human.review.list().proposals == ()


def test_what_says_the_old_value_is_corrected_though_it_denies_another(agent, corrects):
    agent.facts.add("The spec is in the session repo, not in main.", about=["spec"], scope=WORK,
                    valid_from=START)  # fmt: skip

    stated = corrects(old="session repo", new="wiki", words="In the wiki, not the session repo.")
    assert stated.fact.said.text == "The spec is in the wiki, not in main."


def test_which_of_two_it_means_is_told_by_what_was_just_said(agent, corrects):
    before = agent.remember("The worker listens on 5432.", session_id="s1", scope=WORK)
    state(agent, predicate="current_version")
    meant = state(agent, subject="worker", predicate="current_version", evidence=[before])

    assert corrects(before=before).retired == meant.id


def test_what_could_mean_two_things_replaces_neither(agent, corrects):
    both = [
        state(agent, subject=subject, predicate="current_version") for subject in ("api", "worker")
    ]

    assert corrects() is Left.UNSURE
    assert {agent.facts.get(one.id).life.lifecycle for one in both} == {"current"}


def test_a_new_value_alone_corrects_the_value_of_its_sort_that_was_just_said(agent, corrects):
    before = agent.remember("The api is at 5432 and belongs to Ana.", session_id="s1", scope=WORK)
    meant = state(agent, predicate="current_version", evidence=[before])
    state(agent, "Ana", predicate="deal_stage", evidence=[before])

    assert corrects(old=None, before=before).retired == meant.id


@pytest.mark.row("DU-053")
@pytest.mark.parametrize("words", ["2", "  “2”."])
def test_a_bare_value_that_corrects_nothing_states_nothing(agent, corrects, words):
    assert corrects(old=None, new="2", words=words) is Left.UNSURE
    assert agent.facts.list(scope=WORK) == []

    before = agent.remember("The api has 3 workers.", session_id="s1", scope=WORK)
    meant = state(agent, "3", predicate="current_version", evidence=[before])
    assert corrects(old=None, new="2", words=words, before=before).retired == meant.id


def test_a_value_that_corrects_nothing_known_states_nothing_by_itself(agent, corrects):
    assert corrects() is Left.UNSURE
    assert agent.facts.list(scope=WORK) == []


def test_a_milestone_stays_whatever_is_said_of_it(agent, corrects):
    told = state(agent, channel="milestone", predicate="released")

    assert corrects() is Left.UNSURE
    assert agent.facts.get(told.id).life.lifecycle == "current"


def test_another_projects_value_is_not_corrected(agent, corrects):
    other = agent.facts.add(
        subject="api", predicate="phase", object="5432", scope="project:other"
    ).fact

    assert corrects() is Left.UNSURE
    assert agent.facts.get(other.id).life.lifecycle == "current"


def test_a_correction_that_names_its_subject_supersedes_what_it_names(agent, corrects):
    wrong = state(agent, predicate="uses")
    state(agent, subject="worker", predicate="uses")

    stated = corrects(triple=("api", "uses", "5433"))

    assert stated.fact.supersedes == wrong.id


def test_what_was_corrected_once_is_not_corrected_again_from_the_same_words(agent, store, corrects):
    state(agent, predicate="current_version")
    fact = corrects().fact
    episode_id = fact.evidence[0].episode_id
    assert Quote(episode_id, WORDS)

    assert [one.fact.id for one in agent.episodes.facts(episode_id)] == [fact.id]
