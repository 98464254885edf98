"""Facts and their lives, on both engines."""

from datetime import timedelta

import pytest

from tests.conftest import a_draft
from tests.fakes import START
from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import ConflictError
from tilth.core.ids import EntityId, EpisodeId, FactId, ProposalId
from tilth.core.lifecycle import Lifecycle, Review
from tilth.core.scope import DEFAULT_OWNER, Scope, Visibility
from tilth.episodes.events import EpisodeRecorded
from tilth.knowledge.entities.entity import EntityDraft
from tilth.knowledge.entities.events import EntityRecorded
from tilth.knowledge.facts.events import FactArchived, FactRecorded, FactReinforced, FactRetired
from tilth.knowledge.facts.fact import Evidence
from tilth.knowledge.facts.filters import FactFilter, Moment
from tilth.knowledge.facts.statement import Statement, Triple, statement_key
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.proposals.events import ChangeUndone, ProposalDecided, ProposalOpened
from tilth.knowledge.proposals.proposal import Action, ProposalDraft, ProposalKind, Ruling
from tilth.knowledge.proposals.tables import Proposals
from tilth.knowledge.vocabulary.registries import Channel, EntityType

AGENT = Actor("agent", ActorKind.AGENT)
HUMAN = Actor("human", ActorKind.HUMAN)
ALL = Visibility()
DAY = timedelta(days=1)


class Teller:
    """Appends to one store as directly as a use case does."""

    def __init__(self, store):
        self.store = store
        with store.begin() as tx:
            self.episode = EpisodeId(
                "epi_" + self._append(tx, EpisodeRecorded(a_draft("Anna leads Acme."))).event_id
            )
            draft = EntityDraft(name="Acme", type=EntityType.ORGANISATION)
            self.acme = EntityId("ent_" + self._append(tx, EntityRecorded(draft)).event_id)

    def _append(self, tx, event, by=AGENT):
        return tx.append(event, by=by, owner=DEFAULT_OWNER).recorded

    def tell(self, event, by=AGENT):
        with self.store.begin() as tx:
            return self._append(tx, event, by)

    def state(self, value, by=AGENT, **changes):
        said = Statement(
            text=f"{value} leads Acme.",
            triple=Triple("Acme", "ceo", value),
            channel=Channel.ENTITY,
        )
        fields = {
            "said": said,
            "key": statement_key(said),
            "about": (self.acme,),
            "evidence": (Evidence(self.episode, 0, 4),),
            "slot": '["entity","acme","ceo"]',
        }
        return FactId("fct_" + self.tell(FactRecorded(**fields | changes), by).event_id)

    def get(self, fact_id, moment=Moment()):  # noqa: B008 - it is frozen
        with self.store.read() as view:
            return Facts(view).get(fact_id, ALL, moment)

    def values(self, **which):
        with self.store.read() as view:
            facts = Facts(view).select(FactFilter(**{"within": ALL} | which), limit=100)
        return [fact.said.triple.object for fact in facts]


@pytest.fixture
def teller(place):
    store = place.open()
    yield Teller(store)
    assert list(store.verify()) == []
    before = store.digest()
    store.rebuild()
    assert store.digest() == before
    store.close()


def test_a_fact_comes_back_as_it_was_stated(teller):
    fact = teller.get(teller.state("Anna"))

    assert fact.said.triple == Triple("Acme", "ceo", "Anna")
    assert fact.about == (teller.acme,)
    assert fact.evidence == (Evidence(teller.episode, 0, 4),)
    assert fact.life.lifecycle is Lifecycle.CURRENT
    assert fact.life.review is Review.UNREVIEWED
    assert fact.by == AGENT


@pytest.mark.row("I13")
def test_a_slot_has_room_for_one_current_fact(teller):
    teller.state("Anna")

    with pytest.raises(ConflictError):
        teller.state("Boris")


@pytest.mark.row("I14")
def test_a_successor_begins_where_the_old_one_ends(teller):
    anna = teller.state("Anna")
    boris = teller.state("Boris", supersedes=anna)

    old, new = teller.get(anna), teller.get(boris)
    assert old.life.lifecycle is Lifecycle.SUPERSEDED
    assert old.life.valid_to == new.life.valid_from
    assert old.life.successor == boris
    assert teller.values() == ["Boris"]


@pytest.mark.row("I12")
def test_what_was_known_at_a_place_stays_known(teller):
    anna = teller.state("Anna")
    then = Moment(known_seq=teller.get(anna).seq)
    teller.state("Boris", supersedes=anna)

    assert teller.values(moment=then) == ["Anna"]
    assert teller.get(anna, then).life.valid_to is None


@pytest.mark.row("OB-057", "I12")
def test_the_boundary_belongs_to_the_new_one(teller):
    anna = teller.state("Anna", valid_from=START - 9 * DAY)
    teller.state("Boris", supersedes=anna, valid_from=START - 2 * DAY)

    def at(instant):
        return teller.values(moment=Moment(as_of=instant))

    assert at(START - 3 * DAY) == ["Anna"]
    assert at(START - 2 * DAY) == ["Boris"]
    assert at(START - 2 * DAY - timedelta(microseconds=1)) == ["Anna"]
    assert at(START - 10 * DAY) == []


@pytest.mark.row("OB-004", "I14")
def test_a_chain_of_fifty_is_whole_from_each_of_its_links(teller):
    chain = [teller.state("ceo 0")]
    for number in range(1, 51):
        chain.append(teller.state(f"ceo {number}", supersedes=chain[-1]))

    with teller.store.read() as view:
        for link in (chain[0], chain[25], chain[-1]):
            assert [fact.id for fact in Facts(view).history(link, ALL)] == chain


@pytest.mark.row("I24")
def test_saying_it_again_from_the_same_words_adds_no_evidence(teller):
    anna = teller.state("Anna")
    teller.tell(FactReinforced(fact_id=anna, evidence=(Evidence(teller.episode, 0, 4),)))
    teller.tell(FactReinforced(fact_id=anna, evidence=(Evidence(teller.episode, 0, 9),)))

    assert [one.end for one in teller.get(anna).evidence] == [4, 9]


@pytest.mark.row("OB-056")
def test_an_end_may_lie_in_the_past(teller):
    anna = teller.state("Anna", valid_from=START - 9 * DAY)
    teller.tell(FactRetired(fact_id=anna, reason="she left", valid_to=START - 3 * DAY))

    fact = teller.get(anna)
    assert fact.life.lifecycle is Lifecycle.HISTORICAL
    assert fact.life.valid_to == START - 3 * DAY
    assert teller.values() == []
    assert teller.values(moment=Moment(as_of=START - 4 * DAY)) == ["Anna"]


def test_undoing_a_supersession_gives_the_slot_back(teller):
    anna = teller.state("Anna")
    boris = teller.state("Boris", supersedes=anna)
    teller.tell(ChangeUndone(event_id=boris.removeprefix("fct_")), HUMAN)

    assert teller.values() == ["Anna"]
    assert teller.get(anna).life.valid_to is None
    assert teller.get(boris).life.lifecycle is Lifecycle.ARCHIVED


def test_archiving_is_taken_back_whole(teller):
    anna = teller.state("Anna")
    before = teller.get(anna).life
    put_away = teller.tell(FactArchived(fact_id=anna))
    assert teller.values() == []

    teller.tell(ChangeUndone(event_id=put_away.event_id))
    assert teller.get(anna).life == before


@pytest.mark.row("OB-009")
def test_a_decision_retires_and_confirms_in_one_event(teller):
    anna = teller.state("Anna")
    draft = teller.state("Boris", supersedes=anna, lifecycle=Lifecycle.DRAFT)
    asked = ProposalDraft(
        kind=ProposalKind.SUPERSESSION,
        reason="he was elected",
        scope=Scope("global"),
        facts=(draft,),
        retires=(anna,),
    )
    proposal = ProposalId("prp_" + teller.tell(ProposalOpened(asked)).event_id)
    assert teller.get(anna).is_contested
    assert teller.values() == ["Anna"]

    ruling = Ruling(action=Action.CONFIRM, facts=(draft,), retires=(anna,))
    decided = teller.tell(ProposalDecided(proposal_id=proposal, digest="00", ruling=ruling), HUMAN)

    old, new = teller.get(anna), teller.get(draft)
    assert teller.values() == ["Boris"]
    assert (new.life.review, old.is_contested) == (Review.CONFIRMED, False)
    assert old.life.valid_to == new.life.valid_from == decided.recorded_at
    with teller.store.read() as view:
        assert Proposals(view).get(proposal, ALL).ruling == ruling
        assert [past.fact_id for past in Facts(view).changed_by(decided.event_id, ALL)] == [
            anna,
            draft,
        ]


@pytest.mark.row("OB-054")
def test_a_component_needs_its_system_in_the_database_too(teller, place):
    teller.state("Anna")

    with pytest.raises(place.refusals):
        place.run("UPDATE facts SET component = 'k'")


@pytest.mark.row("OB-002")
def test_no_other_lifecycle_is_stored(teller, place):
    teller.state("Anna")

    with pytest.raises(place.refusals):
        place.run("UPDATE lives SET lifecycle = 'deprecated'")


def test_facts_of_another_owner_and_scope_are_neither_read_nor_counted(teller):
    hidden = teller.state("Anna", scope=Scope("project:secret/x"))
    elsewhere = Visibility(scopes=frozenset({Scope("global")}))

    assert teller.values(within=elsewhere) == []
    with teller.store.read() as view:
        assert Facts(view).count(FactFilter(within=elsewhere)) == 0
        assert Facts(view).at([teller.get(hidden).seq], elsewhere) == []


@pytest.mark.row("X-01")
def test_a_thing_is_asked_for_by_any_of_its_names(agent, human):
    agent.entities.add("Kubernetes", type="tool", aliases=["k8s"])
    for name, version in (("Kubernetes", "1.30"), ("k8s", "1.31")):
        agent.facts.add(subject=name, predicate="version", object=version, channel="entity")
    agent.facts.add("It has three nodes.", system="k8s", component="nodes")

    for name in ("Kubernetes", "k8s", "K8S"):
        (current,) = agent.state(subject=name).facts
        assert current.fact.said.triple.object == "1.31"
        ever = agent.facts.list(subject=name, lifecycles=["current", "superseded"])
        assert len(ever) == 2
        assert len(agent.state(system=name).facts) == 1
    assert agent.state(subject="k9s").facts == ()


@pytest.mark.row("X-01")
def test_what_was_merged_is_asked_for_by_the_names_of_its_parts_until_it_is_split(agent, human):
    one, two = (agent.entities.add(name, type="tool").entity for name in ("Postgres", "pg"))
    agent.facts.add(subject="pg", predicate="version", object="17", channel="entity")
    human.entities.merge(one.id, two.id)
    assert len(agent.state(subject="Postgres").facts) == 1
    human.entities.split(two.id)
    assert agent.state(subject="Postgres").facts == ()


@pytest.mark.row("X-01")
def test_a_name_that_may_not_be_seen_joins_nothing(agent):
    agent.entities.add("Kubernetes", type="tool", aliases=["k8s"], scope="project:secret")
    agent.facts.add(subject="k8s", predicate="version", object="1.31", channel="entity")

    assert agent.state(subject="Kubernetes", scope="project:other").facts == ()
