"""Drawing facts about one thing together, on both engines."""

import json

import pytest

from tests.brains import a_brain, a_model_pool, with_model_pool
from tests.model_server import Says, says
from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import ForbiddenError
from tilth.core.lifecycle import Lifecycle, Review
from tilth.knowledge.vocabulary.registries import EdgeKind
from tilth.llm.providers.openai_chat import OpenAiChatModel
from tilth.llm.task import Task

SAID = (
    "The kettle in the kitchen is green.",
    "The kettle in the kitchen whistles.",
    "The kettle in the kitchen holds 2 litres.",
)


@pytest.fixture
def cast(whole_store, place):
    """Make a brain for any kind of actor on a store that is whole in the end."""
    return lambda kind: a_brain(whole_store, place.clock, by=Actor("ada", ActorKind(kind)))


@pytest.fixture
def agent(cast):
    return cast("agent")


@pytest.fixture
def human(cast):
    return cast("human")


def state(brain, texts=SAID, about="kettle", **telling):
    return [brain.facts.add(text, about=[about], **telling).fact for text in texts]


@pytest.mark.row("EM-071")
def test_three_about_one_thing_become_one_that_derives_from_them(agent):
    sources = state(agent)

    (group,) = agent.consolidate().groups

    assert group.sources == tuple(one.id for one in sources)
    drawn = agent.facts.get(group.fact_id)
    assert drawn.said.text == (
        "About kettle: The kettle in the kitchen is green; The kettle in the kitchen whistles;"
        " The kettle in the kitchen holds 2 litres"
    )
    edges = agent.edges.list(node=drawn.id, kinds=["derived_from"])
    assert [(edge.kind, edge.target) for edge in edges] == [
        (EdgeKind.DERIVED_FROM, one.id) for one in sources
    ]
    assert (drawn.by.kind, drawn.life.review) == (ActorKind.JOB, Review.UNREVIEWED)
    assert drawn.confidence.value == min(one.confidence.value for one in sources)


@pytest.mark.row("I19", "EM-071")
def test_the_sources_stay_and_everything_that_they_rest_on_is_reached(agent):
    sources = state(agent)
    before = [agent.facts.get(one.id) for one in sources]

    (group,) = agent.consolidate().groups

    assert [agent.facts.get(one.id) for one in sources] == before
    drawn = agent.facts.get(group.fact_id)
    assert {one.episode_id for one in drawn.evidence} == {
        one.episode_id for source in sources for one in source.evidence
    }


@pytest.mark.row("I19")
def test_what_is_archived_after_it_was_drawn_together_is_reached_by_its_roots(agent, human):
    heard = [agent.remember(text, session_id="s1") for text in SAID]
    told = zip(SAID, heard, strict=True)
    sources = [agent.facts.add(text, about=["kettle"], evidence=[root]).fact for text, root in told]
    (group,) = agent.consolidate().groups

    for one in (*sources, agent.facts.get(group.fact_id)):
        human.facts.archive(one.id)

    for one, root in zip(sources, heard, strict=True):
        kept = agent.facts.get(one.id)
        assert kept.life.lifecycle is Lifecycle.ARCHIVED
        assert kept.said.text == one.said.text
        assert {each.episode_id for each in kept.evidence} == {root}
        assert agent.episodes.get(root).text == one.said.text
    drawn = agent.facts.get(group.fact_id)
    assert {each.episode_id for each in drawn.evidence} == set(heard)


@pytest.mark.row("EM-071")
def test_two_are_too_few_and_short_ones_do_not_count(agent, whole_store):
    state(agent, SAID[:2])
    state(agent, ("It is hot.", "It is on.", "It is off."), "stove")
    before = whole_store.digest()

    assert agent.consolidate().groups == ()

    assert whole_store.digest() == before
    state(agent, SAID[2:])
    assert len(agent.consolidate().groups) == 1


@pytest.mark.row("EM-071")
def test_a_second_run_draws_nothing_new_and_later_facts_need_to_be_three(agent, whole_store):
    state(agent)
    agent.consolidate()
    before = whole_store.digest()

    assert agent.consolidate().groups == ()

    assert whole_store.digest() == before
    more = [f"The kettle in the kitchen is {word}." for word in ("loud", "heavy", "expensive")]
    new = state(agent, more[:2])
    assert agent.consolidate().groups == ()
    new += state(agent, more[2:])
    (group,) = agent.consolidate().groups
    assert group.sources == tuple(one.id for one in new)


@pytest.mark.row("EM-071")
def test_what_a_human_rejects_or_takes_back_is_not_drawn_again(agent, human):
    state(agent)
    (group,) = agent.consolidate().groups

    human.facts.archive(group.fact_id)

    assert agent.consolidate().groups == ()
    assert len(agent.facts.list()) == 3


@pytest.mark.row("EM-071")
@pytest.mark.parametrize("kept", ["elsewhere", "another thing", "a slot", "a triple", "in doubt"])
def test_only_plain_facts_about_one_thing_in_one_scope_belong_together(agent, kept):
    *first, last = SAID
    state(agent, first)
    match kept:
        case "elsewhere":
            state(agent, [last], scope="project:lab")
        case "another thing":
            state(agent, [last], "teapot")
        case "a slot":
            state(agent, [last], system="kettle", component="size")
        case "a triple":
            agent.facts.add(last, subject="kettle", predicate="holds", object="2 litres")
        case "in doubt":
            (fact,) = state(agent, [last])
            agent.review.question(fact.id, reason="does it?")

    assert agent.consolidate().groups == ()


@pytest.mark.row("EM-071")
def test_what_has_nothing_to_do_with_the_rest_is_left_out(agent):
    sources = state(agent)
    state(agent, ["Somebody called Ada bought one yesterday."])

    (group,) = agent.consolidate().groups

    assert group.sources == tuple(one.id for one in sources)


@pytest.mark.row("EM-071")
def test_a_dry_run_says_what_the_real_run_draws_together_and_writes_nothing(agent, whole_store):
    state(agent)
    state(agent, [text.replace("kettle", "teapot") for text in SAID], "teapot")
    before = whole_store.digest()

    said = agent.consolidate(is_dry_run=True)

    assert whole_store.digest() == before
    done = agent.consolidate()
    assert [one.sources for one in said.groups] == [one.sources for one in done.groups]
    assert [one.fact_id for one in said.groups] == [None, None]
    assert all(one.fact_id for one in done.groups)


@pytest.mark.row("EM-071")
def test_nobody_in_particular_draws_nothing(cast):
    with pytest.raises(ForbiddenError):
        cast("anonymous").consolidate()


@pytest.fixture
def with_model(agent, server):
    """The same brain, with a model that sums up."""
    model = OpenAiChatModel(server.url, "small", "a-key")
    yield with_model_pool(agent, a_model_pool(model, [Task.SUMMARISE]))
    model.close()


def summed_up(sources, text, quote="green"):
    episode_id = sources[0].evidence[0].episode_id
    quotes = [{"episode_id": episode_id, "text": quote}]
    return {"summary": text, "open_questions": [], "quotes": quotes}


@pytest.mark.row("EM-071")
def test_a_model_sums_up_where_one_is_chosen_even_if_nobody_asks(agent, with_model, server):
    sources = state(agent)
    assert agent.consolidate(is_asked=False).groups == ()
    server.script = [says(summed_up(sources, "A green kettle of 2 litres whistles there."))]

    (group,) = with_model.consolidate(is_asked=False).groups

    assert agent.facts.get(group.fact_id).said.text == "A green kettle of 2 litres whistles there."


@pytest.mark.row("I19", "EM-071")
@pytest.mark.parametrize(
    "answer",
    [
        lambda sources: says(summed_up(sources, "A green kettle of 3 litres whistles.")),
        lambda sources: says(summed_up(sources, "It is green, they say.", "blue")),
        lambda sources: says(summed_up(sources, "Green.")),
        lambda _: Says(text="no JSON"),
        lambda _: Says(declines=True),
        lambda _: Says(status=500),
    ],
    ids=["an invented number", "an invented quote", "too short", "no JSON", "declined", "down"],
)
@pytest.mark.on_sqlite(but=2)
def test_a_model_that_says_what_does_not_hold_changes_nothing(agent, with_model, server, answer):
    sources = state(agent)
    server.script = [answer(sources)]

    (group,) = with_model.consolidate().groups

    assert group.fact_id is None
    assert [fact.id for fact in agent.facts.list()] == [one.id for one in reversed(sources)]
    assert all(agent.facts.get(one.id).life.lifecycle is Lifecycle.CURRENT for one in sources)


@pytest.mark.row("C-21", "EM-071")
def test_a_model_that_puts_a_private_span_into_its_words_ends_no_run(agent, with_model, server):
    sources = state(agent)
    shed = state(agent, [text.replace("kettle", "stove") for text in SAID], about="stove")
    server.script = [
        says(summed_up(sources, "The kettle of <private>Anna</private> is green and whistles.")),
        says(summed_up(shed, "A green stove of 2 litres whistles there.")),
    ]

    groups = with_model.consolidate().groups

    assert [one.fact_id is None for one in groups] == [True, False]


@pytest.mark.row("EM-071")
def test_a_model_is_shown_the_statements_and_nothing_secret(agent, with_model, server):
    sources = state(agent)
    server.script = [says(summed_up(sources, "A green kettle of 2 litres whistles there."))]

    with_model.consolidate()

    sent = json.dumps(server.requests)
    assert all(one.id in sent for one in sources)
