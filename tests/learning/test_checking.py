"""Checking a text against what is known, on both engines."""

from datetime import timedelta

import pytest

from tests.brains import a_brain
from tilth.core.actor import HOOKS
from tilth.core.errors import InvalidInputError


@pytest.fixture
def store(whole_store):
    return whole_store


def kinds(brain, text, **more):
    return [issue.kind for issue in brain.facts.check(text, **more)]


def relate(brain, subject, predicate, object_):
    return brain.facts.add(
        subject=subject, predicate=predicate, object=object_, channel="relationship"
    ).fact


@pytest.mark.row("MP-13")
@pytest.mark.parametrize("written", ["Grafanna", "Garfana", "Grafna", "Graffanna", "grafanna"])
@pytest.mark.on_sqlite(but=2)
def test_a_name_up_to_two_edits_from_a_known_one_is_pointed_out(agent, written):
    entity = agent.entities.add("Grafana", type="service").entity

    (issue,) = agent.facts.check(f"The dashboards are in {written} now.")

    assert (issue.kind, issue.quote.lower()) == ("similar_name", written.lower())
    assert issue.entity_id == entity.id
    assert "Grafana" in issue.reason


@pytest.mark.row("MP-13")
@pytest.mark.parametrize("written", ["Grafana", "GRAFANA", "Grinder", "Kibana", "Pi"])
@pytest.mark.on_sqlite(but=2)
def test_the_name_itself_another_and_a_short_one_are_no_mistakes(agent, written):
    agent.entities.add("Grafana", type="service")
    agent.entities.add("Po", type="service")

    assert agent.facts.check(f"The dashboards are in {written} now.") == ()


@pytest.mark.row("MP-13")
def test_another_form_of_a_known_word_is_no_mistake(agent):
    agent.entities.add("kettle")

    assert agent.facts.check("Both kettles are hot.") == ()


@pytest.mark.row("MP-13")
def test_another_relation_between_the_same_two_is_pointed_out(agent):
    fact = relate(agent, "Ana Costa", "sister", "Maria Silva")

    (issue,) = agent.facts.check("Maria Silva is Ana Costa's mother.")

    assert (issue.kind, issue.facts) == ("relationship_mismatch", (fact.id,))
    assert agent.facts.check("Maria Silva is Ana Costa's sister.") == ()


@pytest.mark.row("MP-13")
def test_what_was_so_once_is_stale_and_what_never_was_is_another_value(agent):
    relate(agent, "Maria Silva", "lives_in", "Porto")
    now = relate(agent, "Maria Silva", "lives_in", "Lisbon")

    for town, kind in (("Porto", "stale"), ("Faro", "value_mismatch")):
        (issue,) = agent.facts.check(f"Maria Silva lives in {town}.")
        assert (issue.kind, issue.facts) == (kind, (now.id,))
        assert "Lisbon" in issue.reason
    assert agent.facts.check("Maria Silva lives in Lisbon.") == ()


@pytest.mark.row("MP-13")
@pytest.mark.parametrize("told", ["Marina is CTO at Acme", "Marina is the CTO of Acme."])
def test_a_role_that_is_known_is_no_mistake_and_one_that_was_is_stale(agent, store, place, told):
    captured = a_brain(store, place.clock, by=HOOKS)
    captured.remember('/remember "Marina is CTO at Acme"', session_id="s1")
    captured.distil()
    assert agent.facts.check(told) == ()

    place.clock.at += timedelta(days=1)
    captured.remember('/remember "Marina is CEO at Acme"', session_id="s2")
    captured.distil()

    (issue,) = agent.facts.check(told)
    assert (issue.kind, issue.reason) == ("stale", "known: Marina is CEO at Acme")
    assert kinds(agent, "Marina is CFO at Acme.") == ["value_mismatch"]


@pytest.mark.row("MP-13")
def test_a_sentence_that_held_once_is_stale_and_names_what_holds_now(agent, human):
    old = human.facts.add("DNS is answered by the router in the hall.", about=["DNS"]).fact
    new = human.facts.add("DNS is answered by the new box.", about=["DNS"], supersedes=old.id).fact

    (issue,) = agent.facts.check("DNS is answered by the router in the hall.")

    assert (issue.kind, issue.facts) == ("stale", (old.id, new.id))
    assert "the new box" in issue.reason
    assert agent.facts.check("DNS is answered by the new box.") == ()


@pytest.mark.row("MP-13")
@pytest.mark.parametrize("system", ["s", "s0", "nas", "the laboratory in the cellar"])
@pytest.mark.parametrize(
    ("before", "now"),
    [
        ("The NAS is in the attic.", "The NAS is in the cellar."),
        ("The router is at 192.0.2.1.", "The router is at 192.0.2.9."),
    ],
)
@pytest.mark.on_sqlite(but=2)
def test_where_a_fact_is_filed_does_not_hide_what_held_once(human, system, before, now):
    old, new = (
        human.facts.add(text, system=system, component="place").fact for text in (before, now)
    )

    (issue,) = human.facts.check(before)

    assert (issue.kind, issue.quote, issue.facts) == ("stale", before, (old.id, new.id))
    assert human.facts.check(now) == ()


@pytest.mark.row("MP-13")
def test_what_is_not_known_is_no_mistake_and_nothing_is_recorded(agent, store):
    agent.facts.add("The kettle is green.", about=["kettle"])
    before = store.digest()

    assert agent.facts.check("Zebras graze. Somebody is somebody's uncle in 1999.") == ()

    assert store.digest() == before


@pytest.mark.row("MP-13")
def test_only_what_may_be_seen_speaks_against_a_text(agent):
    agent.entities.add("Grafana", type="service", scope="project:lab")

    assert kinds(agent, "It is in Grafanna.", scope="project:lab") == ["similar_name"]
    assert kinds(agent, "It is in Grafanna.", scope="project:home") == []


@pytest.mark.on_sqlite(but=1)
@pytest.mark.row("MP-13")
@pytest.mark.parametrize("text", ["", "  ", "x" * 20_001])
def test_no_text_and_too_much_of_it_are_refused(agent, text):
    with pytest.raises(InvalidInputError, match="characters"):
        agent.facts.check(text)
