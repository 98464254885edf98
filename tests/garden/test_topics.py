"""Topics and sources: what is refused, what is one, what a change leaves."""

import pytest

from tilth.core.errors import ConflictError, ForbiddenError, InvalidInputError, NotFoundError
from tilth.garden import views
from tilth.garden.model import (
    Credibility,
    Outcomes,
    SourceDraft,
    credibility_by,
)
from tilth.garden.topics import normal_address, seen_source


@pytest.mark.row("GA-002")
@pytest.mark.parametrize("priority", [0, 6, -1])
def test_a_priority_outside_of_one_to_five_is_refused(brain, priority):
    with pytest.raises(InvalidInputError, match="priority"):
        brain.topics.add("backups", priority=priority)

    assert brain.topics.list() == []


@pytest.mark.row("GA-002")
def test_a_topic_has_a_name_a_priority_and_days_and_was_never_tended(brain):
    topic = brain.topics.add("  release   practice ", priority=5, freshness_days=3)

    assert (topic.name, topic.priority, topic.freshness_days) == ("release practice", 5, 3)
    assert topic.last_tended is None
    assert brain.topics.list() == [topic]


def test_two_topics_of_one_scope_have_two_names_whatever_their_case(brain):
    first = brain.topics.add("Backups")

    with pytest.raises(ConflictError, match=first.id):
        brain.topics.add("backups")
    other = brain.topics.add("backups", scope="project:shop")

    assert other.scope == "project:shop"


def test_an_edit_changes_what_it_names_and_says_why(brain):
    topic = brain.topics.add("backups", priority=2)

    edited = brain.topics.edit(topic.id, priority=4, reason="we lost a disk")

    assert (edited.name, edited.priority, edited.freshness_days) == ("backups", 4, 7)
    (line,) = [one for one in brain.changes().items if one.event.kind == "topic_changed"]
    assert line.headline.text == "priority 4: we lost a disk"
    with pytest.raises(ConflictError, match="says that already"):
        brain.topics.edit(topic.id, priority=4)


def test_an_archived_topic_is_listed_apart_and_comes_back(brain):
    topic = brain.topics.add("backups")

    brain.topics.archive(topic.id, reason="done")

    with pytest.raises(ConflictError, match="is archived already"):
        brain.topics.archive(topic.id)
    assert brain.topics.list() == []
    assert [one.id for one in brain.topics.list(is_archived=True)] == [topic.id]
    assert brain.topics.restore(topic.id).is_archived is False
    with pytest.raises(ConflictError, match="is in use already"):
        brain.topics.restore(topic.id)


def test_an_unknown_topic_is_told_with_how_to_find_one(brain):
    with pytest.raises(NotFoundError, match="no topic"):
        brain.topics.edit("top_01JAAAAAAAAAAAAAAAAAAAAAAA", priority=2)


@pytest.mark.parametrize("name", ["Release process", "release  PROCESS", "top_01"])
def test_a_topic_goes_by_its_name_and_by_the_beginning_of_its_id(brain, human, name):
    topic = brain.topics.add("Release process")
    name = topic.id[:-2] if name == "top_01" else name
    fact = human.facts.add("Releases are cut on Mondays.", about=["releases"]).fact

    assert brain.topics.contain(name, fact.id).id == topic.id
    assert brain.topics.get(name).topic.id == topic.id
    assert brain.topics.edit(name, priority=5).priority == 5
    assert brain.garden.candidates(topic_id=name) == []
    assert brain.topics.archive(name).id == topic.id
    assert brain.topics.restore(name).id == topic.id


def test_a_name_that_is_no_topics_or_several_is_told_to_be_that(brain):
    shop, lab = (brain.topics.add("backups", scope=f"project:{one}") for one in ("shop", "lab"))

    with pytest.raises(NotFoundError, match="no topic is called 'restores'"):
        brain.topics.get("restores")
    with pytest.raises(ConflictError, match="2 topics are called") as refused:
        brain.topics.get("backups")
    assert shop.id in refused.value.hint
    assert lab.id in refused.value.hint
    assert brain.topics.get("backups", scope="project:lab").topic.id == lab.id


@pytest.mark.row("GA-005")
def test_a_topic_contains_a_known_fact_once(brain, human):
    topic = brain.topics.add("backups")
    fact = human.facts.add("Backups run at four in the morning.", about=["backups"]).fact

    held = brain.topics.contain(topic.id, fact.id)

    assert held.counts.found == 1
    with pytest.raises(ConflictError, match="already"):
        brain.topics.contain(topic.id, fact.id)


@pytest.mark.row("GA-005")
def test_a_topic_tells_of_a_fact_that_nobody_reviewed(brain):
    topic = brain.topics.add("backups")
    fact = brain.facts.add("Backups run at four in the morning.", about=["backups"]).fact

    held = brain.topics.contain(topic.id, fact.id)

    assert (held.counts.unreviewed, held.counts.found) == (1, 1)
    assert any("1 unreviewed" in "".join(line) for line in views.topic(held))
    story = brain.topics.get(topic.id)
    assert [one.id for one in story.facts] == [fact.id]
    assert any("Backups run at four" in "".join(line) for line in views.topic_story(story))


@pytest.mark.row("GA-004")
@pytest.mark.parametrize(
    "other",
    [
        "HTTPS://Example.org:443/guide/",
        "https://example.org/guide#top",
        "https://example.org/guide?utm_source=mail&gclid=1",
    ],
)
def test_spellings_of_one_url_are_one_address(other):
    assert normal_address(other) == normal_address("https://example.org/guide")


@pytest.mark.row("GA-004")
def test_what_differs_in_more_than_spelling_is_another_address():
    one = normal_address("https://example.org/guide?page=1&lang=en")

    assert one == normal_address("https://example.org/guide?lang=en&page=1")
    assert one != normal_address("https://example.org/guide?lang=en&page=2")
    assert one != normal_address("http://example.org/guide?lang=en&page=1")


@pytest.mark.row("GA-004")
def test_a_source_that_is_read_again_is_the_same_source(brain, human):
    draft = SourceDraft(address="https://example.org/guide", title="Guide")
    parts = brain.parts
    with parts.store.begin() as tx:
        first = seen_source(tx, draft, parts.recorder)
        second = seen_source(tx, draft, parts.recorder)

    assert first.id == second.id
    assert [one.id for one in brain.sources.list()] == [first.id]
    with pytest.raises(ForbiddenError):
        brain.sources.rate(first.id, "high")
    assert human.sources.rate(first.id, "high", reason="ours").credibility is Credibility.HIGH


@pytest.mark.row("GA-032")
@pytest.mark.parametrize(
    ("confirmed", "rejected", "speaks_for"),
    [(4, 0, None), (5, 0, "high"), (4, 1, "high"), (3, 2, "medium"), (1, 4, "low"), (0, 5, "low")],
)
def test_decided_candidates_speak_for_a_credibility_once_there_are_five(
    confirmed, rejected, speaks_for
):
    assert credibility_by(Outcomes(confirmed=confirmed, rejected=rejected)) == speaks_for
