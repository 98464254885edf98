"""A note that another replaces: told to no session again, and found behind what replaced it."""

from datetime import timedelta

import pytest

from tests.context.test_notes import GEN, OTHER, REDIS, WORK, beside, note, noted
from tilth.core.errors import ForbiddenError, InvalidInputError, NotFoundError
from tilth.core.lifecycle import Lifecycle
from tilth.core.scope import GLOBAL

OLD = "The staging database is restored from the dump of Sunday."
NEW = "Staging has no database of its own: it reads a replica, since the dump held real customers."


def known(brain, **which):
    return {one.id: one.over for one in brain.notes.list(is_all=True, **which)}


@pytest.mark.row("OB-007")
def test_what_an_agent_replaces_by_name_is_told_no_more_and_found_behind_it(brain, place):
    old = note(brain, OLD)
    assert len(noted(brain)) == 1
    place.clock.at += timedelta(days=1)
    new = note(brain, NEW, replaces=[old])

    assert noted(brain) == [f"2026-01-02, noted by an agent: “{NEW}”"]
    assert beside(brain, OLD) == [] or all("Sunday" not in one for one in beside(brain, OLD))
    hits = brain.recall(OLD, scope=WORK).hits
    assert [(one.id, one.lifecycle, one.successor) for one in hits] == [
        (new, Lifecycle.CURRENT, None),
        (old, Lifecycle.SUPERSEDED, new),
    ]
    assert brain.episodes.get(old).text == OLD
    assert [one.id for one in brain.notes.list()] == [new]
    assert known(brain) == {new: "", old: new}


def test_an_earlier_time_is_answered_by_what_was_known_then(brain, place):
    old = note(brain, OLD)
    then = place.clock.at
    place.clock.at += timedelta(days=1)
    note(brain, NEW, replaces=[old])

    (hit,) = brain.recall(OLD, known_at=then, scope=WORK).hits
    assert (hit.id, hit.lifecycle) == (old, Lifecycle.CURRENT)


def test_a_note_that_stands_for_several_ends_each_and_one_of_all_work_too(brain):
    olds = [note(brain, text, always=True) for text in (OLD, GEN)]
    new = note(brain, NEW, replaces=olds)

    assert len(noted(brain)) == 1
    assert known(brain) == {new: "", **dict.fromkeys(olds, new)}


def test_what_was_put_in_the_place_of_a_note_may_be_replaced_in_turn(brain, place):
    first = note(brain, OLD)
    place.clock.at += timedelta(days=1)
    second = note(brain, "The staging database is restored from Monday's dump.", replaces=[first])
    place.clock.at += timedelta(days=1)
    third = note(brain, NEW, replaces=[second])

    assert len(noted(brain)) == 1
    found = [one.id for one in brain.recall("staging database restored dump", scope=WORK).hits]
    assert found == [third, second, first]


def test_no_agent_ends_what_a_person_noted_and_is_told_what_helps(human, brain):
    old = human.remember(OLD, scope=WORK)

    with pytest.raises(ForbiddenError, match="a person noted") as refused:
        note(brain, NEW, replaces=[old])
    assert "told beside it" in refused.value.hint
    with pytest.raises(ForbiddenError):
        brain.notes.end(old)
    # Nor by what it writes itself into what it records.
    note(brain, NEW, metadata={"replaces": [old, "epi_nothing", 7]})
    assert len(noted(brain)) == 2


def test_a_person_ends_and_edits_notes_of_agents_and_of_persons(human, brain):
    by_agent, by_person = note(brain, REDIS, always=True), human.remember(OLD, scope=WORK)
    new = human.notes.edit(by_agent, "The integration tests need no Redis.")
    over = human.notes.end(by_person, "We gave staging up.")

    (line,) = noted(human)
    assert "need no Redis" in line
    assert human.episodes.get(new).holds_always
    assert known(human) == {new: "", by_agent: new, by_person: over}
    found = {one.id: one.lifecycle for one in human.recall("staging database", scope=WORK).hits}
    assert found[by_person] is Lifecycle.SUPERSEDED


def test_what_only_says_that_a_note_is_over_opens_no_session(human, brain):
    human.notes.end(note(brain, REDIS))

    assert noted(human) == []
    assert beside(human, "Why do the integration tests fail with REDIS_URL?") == []


@pytest.mark.parametrize(
    ("text", "about", "error"),
    [
        (NEW, {"scope": OTHER}, InvalidInputError),
        (NEW, {"session_id": "one"}, InvalidInputError),
        (NEW, {"kind": "message"}, InvalidInputError),
    ],
)
def test_a_note_is_replaced_in_its_scope_and_by_a_note_alone(brain, text, about, error):
    old = note(brain, OLD)

    with pytest.raises(error):
        note(brain, text, replaces=[old], **about)
    assert len(noted(brain)) == 1


def test_what_is_no_note_or_is_nothing_is_not_replaced(brain):
    said = brain.remember("Use the staging dump.", session_id="one", scope=WORK)

    with pytest.raises(InvalidInputError, match="is no note"):
        note(brain, NEW, replaces=[said])
    with pytest.raises(NotFoundError):
        note(brain, NEW, replaces=["epi_01KE00000000000000000000ZZ"])
    assert noted(brain) == []


def test_a_note_for_all_projects_is_ended_where_it_stands(human):
    old = human.remember("Our office closes at six.", scope=GLOBAL)
    human.notes.end(old)

    assert noted(human) == []


def test_what_replaced_a_note_is_the_same_after_a_rebuild(brain, store):
    old = note(brain, OLD)
    new = note(brain, NEW, replaces=[old])

    assert list(store.verify()) == []
    store.rebuild()
    assert list(store.verify()) == []
    assert known(brain) == {new: "", old: new}


def test_what_a_note_ended_is_over_after_the_note_is_erased(human, brain):
    """As of facts: what was outdated does not hold again because its successor is gone."""
    old = note(brain, OLD)
    new = note(brain, NEW, replaces=[old])
    plan = human.erase.plan(episodes=[new])
    human.erase.confirm(plan.digest, episodes=[new])

    assert noted(human) == []
    assert known(human) == {old: new}


def test_notes_are_listed_with_who_noted_them_and_what_ended_them(human, brain, place):
    wrong = note(brain, REDIS)
    human.feedback(wrong, "wrong", scope=WORK)
    old = note(brain, "The API listens on port 4300.")
    place.clock.at += timedelta(days=1)
    new = note(brain, "The API listens on port 4400 now.")
    human.remember("No new dependency without asking me.", always=True, scope=WORK)

    listed = human.notes.list(is_all=True, scope=WORK)
    assert [(one.by, one.always, one.over) for one in listed] == [
        ("you", True, ""),
        ("agent", False, ""),
        ("agent", False, new),
        ("agent", False, "wrong"),
    ]
    assert [one.id for one in listed][2:] == [old, wrong]
    assert len(human.notes.list(limit=1)) == 1
