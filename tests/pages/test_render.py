"""Each kind of thing has its document: an index, a reference, a procedure, a file."""

import pytest

from tests.playbooks.deployments import DEPLOY, deployment
from tests.practice.sessions import SHOP
from tilth.core.errors import InvalidInputError, NotFoundError


@pytest.mark.row("KB-020")
def test_an_entity_is_an_index_of_what_is_known_of_it(human):
    human.entities.add("router", type="host", aliases=["gw"])
    human.entities.add("lab", type="project")
    fact = human.facts.add("The router answers at 192.0.2.7.", about=["router"])
    edge = human.edges.add("router", "used_by", "lab")
    router = human.entities.get("router").entity

    told = human.render(router.id)

    assert (told.kind, told.title) == ("entity", "router")
    assert told.text.startswith("# router\n_host · global_\nAlso: gw\n")
    assert f"- The router answers at 192.0.2.7. (known) [{fact.fact.id}]" in told.text
    assert "## Linked\n- router used by lab" in told.text
    assert edge.edge.id in told.text


@pytest.mark.row("KB-020")
def test_a_fact_is_a_reference_with_the_words_that_it_rests_on(human):
    said = human.remember("We moved: the router answers at 192.0.2.7 now.", session_id="s1")
    quote = "the router answers at 192.0.2.7"
    fact = human.facts.add("The router answers at 192.0.2.7.", about=["router"], evidence=[said])
    told = human.render(fact.fact.id)

    assert told.kind == "fact"
    assert told.text.startswith("# The router answers at 192.0.2.7.\n_current · known")
    assert "About: router" in told.text
    assert quote in told.text.partition("## Rests on")[2]
    assert said in told.text


@pytest.mark.row("KB-020")
def test_a_playbook_is_a_procedure_and_a_skill_its_file(human):
    for day in range(3):
        deployment(human, f"s{day}", day=day)
    human.reflect()
    (book,), (skill,) = human.playbooks.list(), human.skills.list()

    told = human.render(book.id)
    assert told.text.splitlines()[0] == f"# Deploy with `{DEPLOY}`"
    assert f"3. Deploy with `{DEPLOY}`" in told.text.splitlines()

    assert human.render(skill.id).text == skill.draft.text
    with pytest.raises(NotFoundError):
        human.render(skill.id, scope="project:work/other")
    with pytest.raises(InvalidInputError, match="is a document"):
        human.render(human.sessions.list(scope=SHOP)[0].id)
