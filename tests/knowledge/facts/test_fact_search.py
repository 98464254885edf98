"""The indexes of facts, on both engines: in step with the ledger, told apart, and checked."""

import pytest

from tests.brains import a_brain
from tests.fakes import HashingEmbedder
from tilth.core.actor import Actor, ActorKind
from tilth.core.ids import ProposalId
from tilth.core.lifecycle import Lifecycle
from tilth.core.scope import GLOBAL, Owner, Scope, Visibility
from tilth.episodes.filters import EpisodeFilter
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.ranking_inputs import FactPlaces
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.proposals.events import ProposalDecided, ProposalOpened
from tilth.knowledge.proposals.proposal import Action, ProposalDraft, ProposalKind, Ruling
from tilth.ledger.search import Search

ALL = Visibility()
EMBEDDER = HashingEmbedder()
TOLD = frozenset({Lifecycle.CURRENT, Lifecycle.SUPERSEDED, Lifecycle.HISTORICAL})
HOME, WORK = Scope("project:home"), Scope("project:work")
ANY_FACT = FactFilter(within=ALL, lifecycles=TOLD)


@pytest.fixture
def human(store, place):
    return a_brain(store, place.clock, by=Actor("ada", ActorKind.HUMAN))


def ruled(store, brain, fact_id, action, others=(), **ruling):
    """Let a human rule about facts in one go."""
    recorder = brain._parts.recorder
    facts = (fact_id, *others)
    draft = ProposalDraft(
        kind=ProposalKind.CONTRADICTION, reason="look at it", scope=GLOBAL, facts=facts
    )
    with store.begin() as tx:
        opened = tx.append(ProposalOpened(draft), by=recorder.by, owner=recorder.owner)
        decided = ProposalDecided(
            proposal_id=ProposalId("prp_" + opened.recorded.event_id),
            digest="00",
            ruling=Ruling(action=action, facts=facts, **ruling),
        )
        tx.append(decided, by=recorder.by, owner=recorder.owner)


def matched(store, *terms, which=ANY_FACT):
    with store.read() as view:
        found = Search(view).lexical(terms, which, limit=100)
        facts = Facts(view).at([one.seq for one in found], Visibility(which.within.owner))
    return sorted(fact.said.text for fact in facts)


def nearest(store, text, which=ANY_FACT, limit=10):
    with store.read() as view:
        vector = EMBEDDER.embed([text])[0]
        found = Search(view).nearest(EMBEDDER.space, vector, which, limit=limit)
        return [one.seq for one in found]


@pytest.mark.row("EM-005")
def test_a_fact_is_found_by_the_next_read_with_a_vector(store, human):
    fact = human.facts.add("The kettle stands in Bergen.", about=["kettle"]).fact

    assert matched(store, "kettl") == [fact.said.text]
    assert nearest(store, "The kettle stands in Bergen.") == [fact.seq]


def test_a_fact_is_found_by_what_its_text_leaves_out(store, human):
    human.facts.add("healthy", system="pi-hole", component="status")
    human.facts.add("She left.", subject="Marina", predicate="employer", object="Acme")

    assert matched(store, "hole") == ["healthy"]
    assert matched(store, "acm") + matched(store, "acme") == ["She left."]


def test_facts_and_episodes_are_never_found_in_place_of_each_other(store, human):
    fact = human.facts.add("The kettle stands in Bergen.", about=["kettle"]).fact
    episodes = EpisodeFilter(within=ALL)
    with store.read() as view:
        lexical = [one.seq for one in Search(view).lexical(["kettl"], episodes, limit=10)]

    assert fact.seq not in lexical
    assert fact.seq not in nearest(store, "The kettle stands in Bergen.", episodes)
    assert lexical == nearest(store, "The kettle stands in Bergen.", episodes)


@pytest.mark.row("KB-050")
def test_facts_of_another_scope_or_owner_are_not_found(store, place, human):
    human.facts.add("The kettle stands in Bergen.", about=["kettle"], scope=HOME)
    other = Owner("other")
    a_brain(store, place.clock, owner=other).facts.add("My kettle is red.", about=["kettle"])
    elsewhere = FactFilter(within=Visibility(scopes=frozenset({WORK})))

    assert matched(store, "kettl", which=elsewhere) == []
    assert nearest(store, "The kettle stands in Bergen.", elsewhere) == []
    assert matched(store, "kettl") == ["The kettle stands in Bergen."]
    theirs = FactFilter(within=Visibility(other))
    assert matched(store, "kettl", which=theirs) == ["My kettle is red."]


def test_a_fact_whose_scope_was_restricted_is_found_from_there_alone(store, human):
    fact = human.facts.add("The kettle stands in Bergen.", about=["kettle"], scope=WORK).fact
    ruled(store, human, fact.id, Action.RESTRICT_SCOPE, scope=HOME)
    home = FactFilter(within=Visibility(scopes=frozenset({HOME})))
    work = FactFilter(within=Visibility(scopes=frozenset({WORK})))

    assert matched(store, "kettl", which=home) == [fact.said.text]
    assert nearest(store, fact.said.text, home) == [fact.seq]
    assert matched(store, "kettl", which=work) == nearest(store, fact.said.text, work) == []


def test_the_nearest_are_found_behind_any_number_of_hidden_ones(store, human):
    for number in range(30):
        human.facts.add(
            f"The kettle number {number} is on.", about=["kettle"], scope="project:other"
        )
    fact = human.facts.add("Rain in Bergen.", about=["Bergen"], scope=HOME).fact
    which = FactFilter(within=Visibility(scopes=frozenset({HOME})))

    assert nearest(store, "the kettle is on", which, limit=1) == [fact.seq]


def test_facts_without_a_vector_are_in_the_backlog(store, human):
    human.facts.add("The kettle stands in Bergen.", about=["kettle"])
    with store.begin() as tx:
        tx.drop_space(EMBEDDER.space)

    assert human.embed_backlog() == 2
    assert len(nearest(store, "The kettle stands in Bergen.")) == 1


def test_a_rebuild_finds_the_facts_again(store, human):
    human.facts.add("The kettle stands in Bergen.", about=["kettle"])
    before = nearest(store, "kettle")
    human.rebuild()

    assert matched(store, "kettl") == ["The kettle stands in Bergen."]
    assert nearest(store, "kettle") == before
    assert human.verify().is_whole


def test_what_a_transaction_stated_it_finds_before_it_commits(store, human):
    human.facts.add("Rain in Bergen.", about=["Bergen"])
    with store.begin() as tx:
        assert len(Search(tx).lexical(["rain"], ANY_FACT, limit=10)) == 1


@pytest.mark.parametrize("at", range(3))
def test_verify_finds_what_somebody_changed_in_the_index_of_facts(store, place, human, at):
    human.facts.add("The kettle stands in Bergen.", about=["kettle"])
    store.close()
    edit = [edit.replace("episode_terms", "fact_terms") for edit in place.text_edits][at]
    place.run(edit.replace("seq = 3", "seq > 0"))
    opened = place.open()

    assert "text index" in {finding.part for finding in opened.verify()}
    opened.close()


def test_a_fact_can_be_taken_out_of_the_index(store, place, human):
    fact = human.facts.add("The kettle stands in Bergen.", about=["kettle"]).fact
    store.close()
    row = "rowid" if "rowid" in place.text_edits[0] else "seq"
    place.run(f"DELETE FROM fact_terms WHERE {row} = {fact.seq}")
    opened = place.open()

    assert matched(opened, "kettl") == []
    opened.close()


def test_only_proposals_of_a_fact_are_its_rivals(store, place, human):
    agent = a_brain(store, place.clock)
    held = human.facts.add("healthy", system="pi-hole", component="status").fact
    other = agent.facts.add("gone", system="pi-hole", component="status")
    assert other.proposal_id
    with store.read() as view:
        rivals = FactPlaces(view).rivals([held.seq])

    assert rivals[held.seq] == [other.fact.seq]
