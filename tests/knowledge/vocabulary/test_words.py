"""The registries of an owner, on both engines."""

import pytest

from tests.brains import a_brain
from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import ConflictError, ForbiddenError, InvalidInputError, NotFoundError
from tilth.knowledge.vocabulary.registries import Cardinality, WriteMode

PAINT = {"subject": "Acme", "predicate": "paint", "object": "red"}


@pytest.fixture
def make(store, place):
    return lambda kind, **more: a_brain(
        store, place.clock, by=Actor("ada", ActorKind(kind)), **more
    )


@pytest.fixture
def agent(make):
    return make("agent")


@pytest.fixture
def human(make):
    return make("human")


def waiting(brain):
    return [(one.registry.value, one.word, one.count) for one in brain.words.queue()]


def names(brain, registry):
    return [entry.name for entry in brain.words.list(registry)]


@pytest.mark.row("C-10")
def test_an_unknown_predicate_waits_until_a_human_registers_it(agent, human):
    first = agent.facts.add(**PAINT)
    agent.facts.add(**(PAINT | {"object": "blue"}))
    assert waiting(agent) == [("predicate", "paint", 2)]

    human.words.register("predicate", "paint", aliases=["Painted In"], cardinality="single")
    known = agent.facts.add(**(PAINT | {"predicate": "painted in", "object": "green"}))
    again = agent.facts.add(**(PAINT | {"object": "white"}))

    assert waiting(agent) == []
    assert (known.verdict, known.fact.said.triple.predicate) == ("recorded", "paint")
    assert (again.verdict, again.retired) == ("superseded", known.fact.id)
    assert agent.facts.get(first.fact.id).slot == ""


@pytest.mark.row("OB-063")
def test_an_unknown_tag_becomes_an_alias_a_word_or_nothing(agent, human):
    tags = ["home lab", "rack", "misc"]
    kept = agent.facts.add("The rack is full.", about=["rack"], tags=tags).fact
    assert kept.said.taxonomy.tags == ("home lab", "rack", "misc")

    human.words.register("tag", "Homelab")
    human.words.alias("tag", "Home Lab", of="homelab")
    human.words.register("tag", "rack")
    human.words.ignore("tag", "misc")

    assert waiting(agent) == []
    assert {"Homelab", "rack"} <= set(names(agent, "tag"))
    assert "misc" not in names(agent, "tag")
    more = agent.facts.add("It is hot.", about=["rack"], tags=["HOME-LAB", "misc"]).fact
    assert more.said.taxonomy.tags == ("Homelab", "misc")
    assert waiting(agent) == []


@pytest.mark.row("OB-063")
def test_a_read_by_any_name_of_a_word_finds_what_any_of_them_filed(agent, human):
    told = {"about": ["rack"], "area": "DMZ", "tags": ["dmz"], "predicate": "sits_in"}
    agent.facts.add(subject="rack", object="cellar", **told)
    human.words.alias("area", "dmz", of="Network")
    human.words.register("tag", "edge", aliases=["dmz"])
    human.words.register("predicate", "stands_in", aliases=["sits in"])
    agent.facts.add(subject="switch", object="cellar", **told)

    for asked in (
        {"area": "Network"},
        {"area": "dmz"},
        {"tags": ["edge"]},
        {"tags": ["DMZ"]},
        {"predicate": "stands in"},
        {"predicate": "sits_in"},
    ):
        found = {one.fact.said.triple.subject for one in agent.state(**asked).facts}
        assert found == {"rack", "switch"}, asked
    assert len(agent.recall("cellar", area="dmz", tiers=["fact"]).hits) == 2


@pytest.mark.row("OB-063")
def test_what_is_ignored_can_be_registered_later(agent, human):
    agent.facts.add("It is hot.", about=["rack"], tags=["misc"])
    human.words.ignore("tag", "misc")
    human.words.register("tag", "Misc")

    assert "Misc" in names(agent, "tag")


@pytest.mark.row("C-10")
@pytest.mark.parametrize("kind", ["agent", "job", "import", "anonymous"])
@pytest.mark.on_sqlite(but=1)
def test_nobody_but_a_human_registers(make, kind):
    words = make(kind).words
    for verb in (
        lambda: words.register("tag", "x"),
        lambda: words.alias("predicate", "x", of="status"),
        lambda: words.ignore("area", "x"),
    ):
        with pytest.raises(ForbiddenError, match="only a human"):
            verb()


@pytest.mark.row("C-10")
def test_a_word_has_one_rule_by_whatever_name(human, agent):
    human.words.register("predicate", "status", cardinality="multi", mode="human")

    entries = {entry.name: entry for entry in agent.words.list("predicate")}
    assert entries["status"].cardinality is Cardinality.MULTI
    assert entries["status"].mode is WriteMode.HUMAN
    assert "has_status" in entries["status"].aliases
    waits = agent.facts.add(subject="Acme", predicate="has_status", object="open")
    assert waits.verdict == "proposed"


@pytest.mark.row("C-10")
def test_no_name_is_two_words(human):
    with pytest.raises(ConflictError, match="'status' already"):
        human.words.register("predicate", "tempo", aliases=["State"])
    with pytest.raises(ConflictError, match="'status' already"):
        human.words.alias("predicate", "state", of="phase")
    with pytest.raises(NotFoundError, match="is registered"):
        human.words.alias("predicate", "x", of="never heard of")
    with pytest.raises(ConflictError, match="is registered"):
        human.words.ignore("area", "network")
    with pytest.raises(InvalidInputError, match="unknown registry"):
        human.words.list("colour")


@pytest.mark.row("C-25")
def test_registries_belong_to_an_owner(make):
    make("human").words.register("tag", "Homelab")

    assert "Homelab" not in names(make("agent", owner="bob"), "tag")


def test_what_is_registered_is_replayed(human, store):
    human.words.register("predicate", "paint", cardinality="single", mode="propose")
    human.words.ignore("tag", "misc")
    before = store.digest()

    store.rebuild()

    assert store.digest() == before
    assert list(store.verify()) == []
