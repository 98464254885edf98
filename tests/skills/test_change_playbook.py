"""What a person says of a playbook reaches its skills, and their files, in the same act."""

from pathlib import Path

import pytest

from tests.playbooks.deployments import deployment
from tests.skills.test_skills import approved, files


@pytest.fixture
def home(tmp_path):
    return str(tmp_path / "home")


@pytest.fixture
def installed(brain, human, home):
    """A confirmed playbook, and its skill, which is installed."""
    for day in range(3):
        deployment(brain, f"s{day}", day=day, scope="global")
    brain.reflect()
    (book,), (skill,) = brain.playbooks.list(), brain.skills.list()
    human.playbooks.confirm(book.id, digest=book.digest)
    approved(human, skill, home)
    assert len(files(home)) == 2
    return book, skill


@pytest.mark.row("KB-038", "KB-042", "I26")
@pytest.mark.parametrize(("act", "state"), [("veto", "vetoed"), ("retire", "retired")])
def test_a_playbook_that_goes_takes_its_installed_skill_away_at_once(
    human, installed, home, act, state
):
    book, skill = installed

    told = getattr(human.playbooks, act)(book.id, note="we deploy by CI")

    assert told.playbook.state == state
    (gone,) = told.skills
    assert (gone.id, gone.state, gone.note) == (skill.id, "retired", f"its playbook is {state}")
    assert {one.done for one in told.files} == {"removed"}
    assert {one.path for one in told.files} == set(gone.places)
    assert files(home) == []
    assert human.reflect().made_count == 0
    assert list(human.parts.store.verify()) == []


@pytest.mark.row("I27", "KB-038")
def test_undoing_a_veto_brings_back_the_skill_that_went_with_it(human, installed, home):
    book, skill = installed
    before = {path: Path(home, path).read_text() for path in files(home)}
    told = human.playbooks.veto(book.id)

    done = human.undo(told.playbook.moved_in)

    assert [one.kind for one in done.operations] == ["playbook_moved", "skill_moved"]
    assert human.skills.get(skill.id).skill.state == "approved"
    assert {path: Path(home, path).read_text() for path in files(home)} == before
    assert human.reflect().made_count == 0


@pytest.mark.row("KB-038")
def test_what_somebody_said_of_the_skill_since_stands_when_a_veto_is_undone(human, installed, home):
    book, skill = installed
    told = human.playbooks.veto(book.id)
    human.skills.revoke(skill.id)

    human.undo(told.playbook.moved_in)

    assert human.playbooks.get(book.id).playbook.state == "confirmed"
    assert human.skills.get(skill.id).skill.state == "revoked"
    assert files(home) == []


@pytest.mark.row("KB-005")
def test_a_candidate_goes_and_comes_back_with_its_playbook_in_the_same_act(brain, human):
    for day in range(3):
        deployment(brain, f"s{day}", day=day)
    brain.reflect()
    (book,), (skill,) = brain.playbooks.list(), brain.skills.list()

    assert [one.state for one in human.playbooks.veto(book.id).skills] == ["retired"]
    back = human.playbooks.restore(book.id)

    assert [(one.id, one.state) for one in back.skills] == [(skill.id, "candidate")]
    assert (back.playbook.state, list(back.files)) == ("candidate", [])


@pytest.fixture
def revised(brain, human, installed):
    """The revision of a confirmed playbook whose skill is installed; it waits."""
    book, _ = installed
    steps = [*book.draft.steps[:1], "Check with `make lint`", *book.draft.steps[1:]]
    return human.playbooks.revise(book.id, steps=steps).playbook


def text_of(home):
    return Path(home, ".claude/skills", Path(files(home)[0]).parts[2], "SKILL.md").read_text()


@pytest.mark.row("KB-042", "KB-108", "I26")
def test_a_skill_of_a_revised_playbook_is_stale_until_its_new_bytes_are_approved(
    human, installed, revised, home
):
    _, skill = installed
    before = text_of(home)
    assert human.skills.get(skill.id).skill.advice == ""

    told = human.playbooks.confirm(revised.id, digest=revised.digest)

    by_state = {one.state: one for one in told.skills}
    newer = by_state["candidate"]
    assert by_state["approved"].id == skill.id
    assert by_state["approved"].advice.startswith("stale")
    assert "make lint" in newer.draft.text
    assert newer.draft.derived_from == (revised.id,)
    story = human.skills.get(skill.id)
    assert (story.skill.advice.startswith("stale"), story.newer.id) == (True, newer.id)
    assert text_of(home) == before
    assert human.reflect().made_count == 0
    assert human.skills.get(skill.id).skill.state == "approved"

    done = human.skills.approve(newer.id, digest=newer.digest)

    assert done.skill.places == human.skills.get(skill.id).skill.places
    assert "make lint" in text_of(home)
    older = human.skills.get(skill.id).skill
    assert (older.state, older.advice, older.note) == (
        "retired",
        "",
        f"{newer.id} took its place",
    )
    assert human.reflect().made_count == 0
    assert list(human.parts.store.verify()) == []

    human.undo(done.skill.moved_in)

    assert text_of(home) == before
    assert human.skills.get(skill.id).skill.state == "approved"
    assert human.skills.get(newer.id).skill.state == "candidate"


@pytest.mark.row("KB-042", "I27")
def test_undoing_a_confirmed_revision_takes_its_skill_draft_back_and_nothing_is_stale(
    human, installed, revised, home
):
    book, skill = installed
    before = text_of(home)
    told = human.playbooks.confirm(revised.id, digest=revised.digest)

    human.undo(told.playbook.moved_in)

    assert [one.id for one in human.skills.list()] == [skill.id]
    assert human.skills.get(skill.id).skill.advice == ""
    assert human.playbooks.get(book.id).playbook.state == "confirmed"
    assert text_of(home) == before
    assert human.reflect().made_count == 0


@pytest.mark.row("KB-019", "KB-042")
def test_what_a_skill_leaves_open_stays_open_in_the_words_of_a_revision(human, brain, home):
    for day in range(3):
        deployment(brain, f"s{day}", day=day, scope="global")
    brain.reflect()
    (book,) = brain.playbooks.list()
    human.playbooks.confirm(book.id, digest=book.digest)
    made = human.skills.draft(book.id, params=["env=production"])
    approved(human, made, home)
    steps = [*book.draft.steps[:1], "Check with `make lint`", *book.draft.steps[1:]]
    waiting = human.playbooks.revise(book.id, steps=steps).playbook

    told = human.playbooks.confirm(waiting.id, digest=waiting.digest)

    (newer,) = [one for one in told.skills if one.state == "candidate"]
    assert newer.params == ("env",)
    assert "make lint" in newer.draft.text


@pytest.mark.row("KB-042")
def test_a_revision_that_nobody_confirmed_becomes_no_skill(human, installed, revised):
    _, skill = installed
    human.reflect()

    assert [one.id for one in human.skills.list()] == [skill.id]
    assert human.skills.get(skill.id).skill.advice == ""
