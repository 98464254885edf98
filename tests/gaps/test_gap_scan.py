"""Looking for gaps in what was said, on both engines: without any model, and with one by script."""

from datetime import timedelta

import pytest

from tests.brains import a_brain
from tests.fakes import START
from tilth.core.errors import ForbiddenError, InvalidInputError
from tilth.embedding.static import StaticEmbedder
from tilth.gaps.model import GapStatus

PDF = (
    "Can you export my notes as a PDF?",
    "Is there any way to get a PDF of my notes?",
    "I wish I could download my notes in PDF format.",
)
NO = "Sorry, I can't do that here."


@pytest.fixture
def store(whole_store):
    return whole_store


@pytest.fixture
def brain(store, place):
    return a_brain(store, place.clock, second=StaticEmbedder())


def say(brain, *texts, answer=NO, **saying):
    """Say something, each in a session of its own, and have it answered."""
    said = []
    for text in texts:
        number = brain.episodes_said = getattr(brain, "episodes_said", 0) + 1
        session = saying.get("session_id", f"s{number}")
        said.append(brain.remember(text, **saying | {"session_id": session}))
        if answer:
            brain.remember(answer, role="assistant", session_id=session)
    return said


@pytest.mark.row("EM-045")
def test_what_nobody_could_do_is_found_by_its_words(brain):
    say(brain, "Can you book me a flight?", "Read the Figma file.")
    say(brain, "What is the wifi password?", answer="I don't know the wifi password.")
    say(brain, "I have to copy the numbers by hand every time.", answer="That is a pity.")
    say(brain, "The settings page is so confusing.", answer="I see.")
    say(brain, "Can you fix the test?", answer="Done. I've fixed it, and all tests pass.")
    say(brain, "Run the build.", answer="Running it now.")

    found = brain.gaps.scan()

    assert found.interaction_count == 14
    assert {one.description: one.kind.value for one in found.patterns} == {
        "book me a flight": "missing_feature",
        "Read the Figma file": "integration_gap",
        "What is the wifi password": "knowledge_gap",
        "copy the numbers by hand every time": "workflow_gap",
        "The settings page is so confusing": "ux_friction",
    }
    assert all(one.is_new for one in found.patterns)


@pytest.mark.row("X-09", "EM-047")
def test_the_same_in_other_words_is_one_gap_of_frequency_3(brain):
    said = say(brain, *PDF)

    (found,) = brain.gaps.scan().patterns

    assert (found.frequency, found.episode_ids) == (3, tuple(said))
    (gap,) = brain.gaps.list()
    assert [one.evidence.episode_id for one in brain.gaps.get(gap.id).trail] == said


@pytest.mark.row("EM-047")
def test_a_later_paraphrase_adds_to_the_gap_and_a_repeated_scan_adds_nothing(brain, store):
    say(brain, *PDF[:2])
    first = brain.gaps.scan()
    say(brain, PDF[2])
    second = brain.gaps.scan()
    before = store.digest()

    assert [one.gap_id for one in first.patterns] == [one.gap_id for one in second.patterns]
    assert [(one.is_new, one.frequency) for one in second.patterns] == [(False, 3)]
    assert brain.gaps.scan().patterns == ()
    assert store.digest() == before


@pytest.mark.row("EM-047")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Can you open port 5432 on the firewall?", "Can you open port 5433 on the firewall?"),
        ("Can you sync my reminders with Slack?", "Can you sync my reminders with Discord?"),
        ("Can you import contacts from a CSV?", "Can you export contacts as a CSV?"),
    ],
)
def test_what_differs_in_a_number_a_name_or_its_direction_is_another_gap(brain, one, other):
    say(brain, one, other, "hello")

    assert len(brain.gaps.scan().patterns) == 2
    assert brain.review.list().count == 0


@pytest.mark.row("EM-053")
def test_a_likely_one_is_asked_about_and_merged_by_a_human_alone(brain, make):
    say(brain, "Can you deploy to staging?", "Can you deploy to production?", "hello")
    first, second = brain.gaps.scan().patterns

    (asked,) = brain.review.list().proposals
    assert asked.draft.kind == "gap_merge"
    assert asked.draft.detail == {"winner": first.gap_id, "loser": second.gap_id}
    with pytest.raises(ForbiddenError):
        decide(brain, asked, "merge")
    human = make("human")
    decide(human, asked, "merge")
    (gap,) = brain.gaps.list()
    assert (gap.id, gap.frequency) == (first.gap_id, 2)
    assert brain.gaps.get(second.gap_id).gap.merged_into == first.gap_id
    assert [one.id for one in brain.gaps.get(gap.id).merged] == [second.gap_id]
    human.review.undo(asked.id)
    assert {one.id for one in brain.gaps.list()} == {first.gap_id, second.gap_id}
    decide(human, asked, "reject")
    assert len(brain.gaps.list()) == 2
    assert (brain.review.list().waiting, brain.review.list().decided) == (0, 1)


def decide(brain, asked, action):
    return brain.review.decide(asked.id, action, digest=brain.review.show(asked.id).digest)


@pytest.mark.row("I24")
def test_copies_imports_quotations_and_answers_are_no_roots_of_their_own(brain):
    text = PDF[0]
    say(brain, text, speaker="Ada")
    say(brain, text.upper(), speaker="Ada")
    say(brain, f"{text} ", speaker="Ada", answer=f"You ask: {text} {NO}")
    say(brain, f"> {text}\nthat is what I said", speaker="Ada", answer="I see.")
    (found,) = brain.gaps.scan().patterns
    assert (found.frequency, len(found.episode_ids)) == (1, 3)

    say(brain, text, speaker="Bob")
    (found,) = brain.gaps.scan().patterns
    assert found.frequency == 2
    trail = brain.gaps.get(found.gap_id).trail
    root = trail[0].evidence.episode_id
    assert [one.evidence.root for one in trail] == [None, root, root, None]


@pytest.mark.row("EM-045")
def test_a_scan_looks_at_its_window_and_at_no_more_than_its_limit(brain, place):
    say(brain, PDF[0])
    place.clock.at = START + timedelta(hours=25)
    say(brain, "Can you book me a flight?")
    assert brain.gaps.scan().interaction_count == 2  # too few to tell of a pattern
    assert brain.gaps.scan().patterns == ()
    assert len(brain.gaps.scan(since="2d").patterns) == 2
    say(brain, *(f"Number {number}." for number in range(60)))
    assert brain.gaps.scan().interaction_count == 100
    assert brain.gaps.scan(limit=5).interaction_count == 5


@pytest.mark.row("EM-045")
def test_one_scan_makes_at_most_ten_patterns_and_the_next_goes_on(brain):
    things = [
        "tea",
        "coffee",
        "water",
        "bread",
        "cheese",
        "apples",
        "pears",
        "plums",
        "salt",
        "pepper",
        "sugar",
        "honey",
    ]
    say(brain, *(f"Can you order {thing}?" for thing in things))

    assert [len(brain.gaps.scan().patterns) for _ in range(3)] == [10, 2, 0]
    assert len(brain.gaps.list()) == 12


@pytest.mark.row("EM-051")
def test_a_dry_run_tells_the_same_and_notes_nothing(brain, store):
    say(brain, *PDF, "Can you book me a flight?")
    before = store.digest()

    dry = brain.gaps.scan(is_dry_run=True)

    assert store.digest() == before
    assert all(one.gap_id is None for one in dry.patterns)
    real = brain.gaps.scan()
    assert [(one.description, one.frequency, one.episode_ids) for one in dry.patterns] == [
        (one.description, one.frequency, one.episode_ids) for one in real.patterns
    ]


@pytest.mark.row("EM-047")
def test_a_resolved_gap_that_comes_again_is_a_new_one_and_linked(brain, place):
    say(brain, *PDF[:2])
    (old,) = brain.gaps.scan().patterns
    place.clock.at += timedelta(hours=1)
    brain.gaps.resolve(old.gap_id)
    place.clock.at += timedelta(hours=1)
    say(brain, PDF[2])

    (new,) = brain.gaps.scan().patterns

    assert (new.is_new, new.frequency) == (True, 1)
    assert brain.gaps.get(new.gap_id).gap.follows == old.gap_id
    assert brain.gaps.get(old.gap_id).gap.frequency == 2


@pytest.mark.row("EM-047")
def test_what_will_not_be_fixed_gathers_evidence_and_stays_so(brain, make, place):
    say(brain, *PDF[:2])
    (old,) = brain.gaps.scan().patterns
    make("human").gaps.move(old.gap_id, status="wont_fix")
    place.clock.at += timedelta(hours=1)
    say(brain, PDF[2])

    (again,) = brain.gaps.scan().patterns

    assert (again.gap_id, again.frequency) == (old.gap_id, 3)
    assert brain.gaps.get(old.gap_id).gap.status is GapStatus.WONT_FIX


@pytest.mark.row("EM-051")
def test_a_scan_of_one_entity_looks_at_nothing_else(brain):
    ada = brain.entities.add("Ada", type="person").entity.id
    talk = brain.conversations.create(ada, "matrix").conversation.id
    for text in (PDF[0], "Hello there.", "How are you?"):
        brain.conversations.add(talk, text)
    say(brain, "Can you book me a flight?")

    assert [one.description for one in brain.gaps.scan(entity="Ada").patterns] == [
        "export my notes as a PDF"
    ]


def test_gaps_of_one_project_are_unknown_in_another(brain):
    for scope in ("project:lab", "project:home"):
        say(brain, PDF[0], "hello", scope=scope)

    assert len(brain.gaps.scan(scope="project:lab").patterns) == 1
    assert len(brain.gaps.scan().patterns) == 1
    assert {one.scope for one in brain.gaps.list()} == {"project:lab", "project:home"}


def test_bad_input_of_a_scan_is_named(brain):
    for words in ({"since": "yesterday"}, {"since": "0h"}, {"limit": 0}, {"limit": 101}):
        with pytest.raises(InvalidInputError):
            brain.gaps.scan(**words)


def test_nobody_unknown_looks_for_gaps(make):
    with pytest.raises(ForbiddenError):
        make("anonymous").gaps.scan()
