"""What a person reads of playbooks and skills: where they are, why, and what may be done next."""

from pathlib import Path

import pytest

from tests.playbooks.deployments import deployment
from tests.practice.sessions import SHOP
from tilth.context.model import BriefRequest
from tilth.playbooks import views as of_playbooks
from tilth.reflection import views as of_reflection
from tilth.skills import views as of_skills


def lines(found):
    """Return the lines of a view, each as one text."""
    return "\n".join(one if isinstance(one, str) else "".join(one) for one in found)


@pytest.fixture
def skill(brain):
    for day in range(3):
        deployment(brain, f"s{day}", day=day, scope="global")
    brain.reflect()
    (one,) = brain.skills.list()
    return one


def approved(human, skill, folder):
    return human.skills.approve(skill.id, digest=skill.digest, folder=str(folder))


def test_a_run_says_what_waits_for_a_person_and_how_it_is_read(brain):
    for day in range(3):
        deployment(brain, f"s{day}", day=day)

    shown = lines(of_reflection.reflected(brain.reflect()))

    assert "tilth playbook list --state candidate" in shown
    assert "tilth skill list --state candidate" in shown
    assert "--state candidate" not in lines(of_reflection.reflected(brain.reflect()))


def test_a_playbook_says_how_often_it_came_through_and_what_may_be_done(brain, human):
    for day in range(3):
        deployment(brain, f"s{day}", day=day, failed=day == 0)
    brain.reflect()
    (book,) = brain.playbooks.list()

    shown = lines(of_playbooks.story(brain.playbooks.get(book.id)))
    assert "2 sessions came through, 1 failed" in shown
    assert f"tilth playbook confirm {book.id} --digest {book.digest}" in shown
    assert f"tilth playbook veto {book.id}" in shown

    vetoed = human.playbooks.veto(book.id, note="we release by CI now")
    assert f"tilth undo {vetoed.playbook.moved_in}" in lines(of_skills.playbook_changed(vetoed))
    shown = lines(of_playbooks.story(brain.playbooks.get(book.id)))
    assert f"tilth playbook restore {book.id}" in shown
    assert "confirm" not in shown

    for day in range(4, 6):
        deployment(brain, f"s{day}", day=day)
    brain.reflect()
    (again,) = brain.playbooks.list(state="candidate")
    shown = lines(of_playbooks.story(brain.playbooks.get(again.id)))
    assert f"vetoed before, as {book.id}: “we release by CI now”" in shown


def test_a_veto_says_which_skill_and_which_files_went_with_it(human, skill, tmp_path):
    installed = approved(human, skill, tmp_path).skill
    (book,) = human.playbooks.list()
    shown = lines(of_skills.playbook_changed(human.playbooks.veto(book.id)))

    assert f"its skill {installed.draft.name}  retired" in shown
    assert all(f"removed  {path}" in shown for path in installed.places)


def test_what_was_lifted_says_from_where(brain):
    for number, scope in enumerate((SHOP, "project:work/forge")):
        for day in range(2):
            deployment(brain, f"{number}-{day}", day=day, scope=scope)
    brain.reflect()
    (lifted,) = [one for one in brain.playbooks.list() if one.draft.lifted_from]

    shown = lines(of_playbooks.story(brain.playbooks.get(lifted.id)))

    assert f"lifted from {SHOP}, " in shown
    assert "lifted from project:work/forge, " in shown


def test_a_brief_tells_the_same_words_once_for_the_narrowest_scope(brain, human):
    for number, scope in enumerate((SHOP, "project:work/forge")):
        for day in range(2):
            deployment(brain, f"{number}-{day}", day=day, scope=scope)
    brain.reflect()
    books = {one.draft.scope: one for one in brain.playbooks.list()}
    for one in books.values():
        human.playbooks.confirm(one.id, digest=one.digest)

    told = brain.brief(BriefRequest(via="test"), scope=SHOP).text

    assert books[SHOP].id in told
    assert books["global"].id not in told
    assert books["global"].id in brain.brief(BriefRequest(via="test"), scope="project:x").text


def test_a_skill_says_where_it_is_installed_and_how_it_comes_back(human, skill, tmp_path):
    candidate = lines(of_skills.story(human.skills.get(skill.id)))
    assert f"tilth skill approve {skill.id} --digest {skill.digest}" in candidate
    done = approved(human, skill, tmp_path)
    assert f"tilth undo {done.skill.moved_in}" in lines(of_skills.moved(done))

    installed = lines(of_skills.story(human.skills.get(skill.id)))
    assert all(f"installed  {path}" in installed for path in done.skill.places)
    assert "approve" not in installed.splitlines()[-1]
    first, second = map(Path, done.skill.places)
    first.unlink()
    second.write_text("1. Mine.")
    found = human.skills.get(skill.id)
    assert [one.done for one in found.files] == ["missing", "changed"]
    assert "tilth reflect" in lines(of_skills.story(found))

    human.skills.disable(skill.id)
    disabled = lines(of_skills.story(human.skills.get(skill.id)))
    assert "installed" not in disabled
    assert f"tilth skill approve {skill.id} --digest {skill.digest}" in disabled


def test_the_command_that_approves_a_projects_skill_names_a_folder(brain):
    for day in range(3):
        deployment(brain, f"s{day}", day=day)
    brain.reflect()
    (skill,) = brain.skills.list()

    shown = lines(of_skills.story(brain.skills.get(skill.id)))

    assert f"--digest {skill.digest} --folder ." in shown


@pytest.mark.row("KB-108", "I26")
def test_a_run_names_the_files_that_it_changed_and_where_work_of_somebody_went(
    brain, human, skill, tmp_path
):
    done = approved(human, skill, tmp_path)
    first, second = done.skill.places
    with Path(first).open("a") as file:
        file.write("- mine\n")
    (tmp_path / second).unlink()

    run = brain.reflect()

    (files,) = [one.files for one in run.stages if one.name == "coherence"]
    assert {one.path: one.done for one in files} == {first: "put aside", second: "written"}
    shown = lines(of_reflection.reflected(run))
    assert f"put aside  {first}" in shown
    assert f"written  {second}" in shown


def test_a_run_says_what_the_next_one_drafts(brain):
    for number in range(5):
        for day in range(2):
            line = f"./scripts/deploy-{number}.sh production"
            deployment(brain, f"s{number}-{day}", day=day, line=line)

    shown = lines(of_reflection.reflected(brain.reflect()))

    assert shown.count("a run drafts 3; the next one does it") == 2
    assert "the next one" not in lines(of_reflection.reflected(brain.reflect()))
