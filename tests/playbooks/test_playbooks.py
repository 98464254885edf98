"""What several sessions did in the same way becomes a playbook, and stays a candidate."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest

from tests.brains import a_brain
from tests.playbooks.deployments import DEPLOY, deployment, troubled
from tests.practice.sessions import SHOP, Session
from tilth.context.model import BriefRequest
from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import ConflictError, ForbiddenError, InvalidInputError
from tilth.core.scope import GLOBAL
from tilth.playbooks import playbook_stages
from tilth.playbooks.events import PlaybookRevised
from tilth.playbooks.model import wilson
from tilth.playbooks.playbook_stages import REFLECTION, _lifted
from tilth.playbooks.tables import Playbooks
from tilth.runtime.settings import Settings


def books(brain, **told):
    return brain.playbooks.list(**told)


def made(reflected):
    return {one.name: one.made for one in reflected.stages}


@pytest.mark.row("KB-040", "KB-018", "KB-102")
def test_sessions_that_came_through_become_a_playbook_with_steps_pitfalls_and_sources(brain):
    for day in range(2):
        deployment(brain, f"s{day}", day=day)
    troubled(brain, "s2", day=2)

    brain.reflect()

    (book,) = books(brain)
    assert book.draft.title == f"Deploy with `{DEPLOY}`"
    assert book.draft.steps == (
        "Test with `make test`",
        "Build with `make build`",
        f"Deploy with `{DEPLOY}`",
    )
    (pitfall,) = book.draft.pitfalls
    assert "registry token" in pitfall
    assert "make login" in pitfall
    assert len({one.episode_id for one in book.draft.evidence}) >= 2
    quotes = brain.playbooks.get(book.id).quotes
    assert len(quotes) == len(book.draft.evidence)
    for quote in quotes:
        assert quote.text in brain.episodes.get(quote.episode_id).text
    assert (book.state, book.draft.scope, book.evidence.seeds) == ("candidate", SHOP, 3)


@pytest.mark.row("KB-018", "KB-044")
def test_the_fields_of_a_playbook_come_back_as_they_were_and_its_counts_add_up(brain, human):
    for day in range(2):
        deployment(brain, f"s{day}", day=day)
    troubled(brain, "s2", day=2)
    brain.reflect()
    (book,) = books(brain)
    least = book.evidence.success_least

    for number, outcome in enumerate(("ok", "failed", "unknown", "ok")):
        brain.playbooks.report(book.id, outcome, session_id=f"claude-code:x{number}")
    human.rebuild()

    again = brain.playbooks.get(book.id).playbook
    assert again.draft == book.draft
    assert DEPLOY in again.draft.applies_when
    assert again.draft.uses == ("make test", "make build", DEPLOY)
    assert again.draft.pitfalls
    counted = again.evidence
    assert (counted.ok, counted.failed, counted.unknown, counted.applied) == (2, 1, 1, 4)
    assert counted.success_least < least


@pytest.mark.row("KB-102", "KB-037", "C-15")
def test_one_success_among_failures_becomes_nothing(brain):
    deployment(brain, "s0")
    for day in range(1, 6):
        deployment(brain, f"s{day}", day=day, failed=True)

    brain.reflect()

    assert books(brain) == []


@pytest.mark.row("KB-102")
@pytest.mark.parametrize(("days", "is_made"), [(89, True), (91, False)])
def test_a_session_of_more_than_90_days_before_the_newest_is_no_experience(brain, days, is_made):
    deployment(brain, "s0", day=0)
    deployment(brain, "s1", day=days)

    brain.reflect()

    assert bool(books(brain)) is is_made


@pytest.mark.row("KB-102")
def test_what_saves_most_is_drafted_first_three_in_a_run(brain):
    """A score is the sessions that came through, times the median of their minutes."""
    lines = [f"./scripts/deploy-{number}.sh production" for number in range(4)]
    for number, line in enumerate(lines):
        for day in range(2 + number):
            deployment(brain, f"d{number}-{day}", day=day, line=line)

    brain.reflect()
    ends = [f"Deploy with `{line}`" for line in lines]
    assert {one.draft.steps[-1] for one in books(brain)} == set(ends[1:])

    brain.reflect()
    assert {one.draft.steps[-1] for one in books(brain)} == set(ends)


@pytest.mark.row("KB-037")
def test_how_often_is_often_enough_is_said_and_less_makes_nothing(brain):
    for day in range(2):
        deployment(brain, f"s{day}", day=day)
    deployment(brain, "s1", day=3)  # the same session once more is no other one

    brain.reflect(playbook_sessions=3)
    assert books(brain) == []
    with pytest.raises(InvalidInputError):
        brain.reflect(playbook_sessions=1)

    deployment(brain, "s2", day=4)
    brain.reflect(playbook_sessions=3)
    assert [one.state for one in books(brain)] == ["candidate"]


@pytest.mark.row("KB-034", "KB-100", "KB-101", "KB-064")
def test_the_stages_run_in_their_order_and_again_write_nothing(brain, store):
    for day in range(3):
        deployment(brain, f"s{day}", day=day)

    first = brain.reflect()
    with store.read() as view:
        head = view.head().seq
    again = [brain.reflect() for _ in range(10)]

    names = "experience draft outcomes retire promote lift archive coherence"
    assert [one.name for one in first.stages] == names.split()
    assert made(first)["draft"] == 1
    assert not any(one.made_count for one in again)
    with store.read() as view:
        assert view.head().seq == head
    assert list(store.verify()) == []


@pytest.mark.row("KB-103", "KB-034")
def test_whoever_asks_is_told_of_what_no_playbook_is_drafted_and_why(brain):
    for day in range(2):
        session = Session(brain, f"s{day}", day=day).asks("Deploy the shop to production, please.")
        session.ran("make test", "14 passed in 3.1s").ran(
            DEPLOY, "Deployed the shop to production."
        )

    for _ in range(2):
        draft = next(one for one in brain.reflect().stages if one.name == "draft")
        assert draft.made == 0
        assert draft.left == (f"Deploy with `{DEPLOY}`, {SHOP}: it has fewer than 3 steps",)
    due = brain.reflect(is_asked=False)
    assert not any(one.left for one in due.stages)

    for day in range(2, 4):
        deployment(brain, f"s{day}", day=day)
    assert not any(one.left for one in brain.reflect().stages)


@pytest.mark.row("KB-100")
def test_two_runs_at_once_draft_one_playbook(brain, store):
    for day in range(3):
        deployment(brain, f"s{day}", day=day)

    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(brain.reflect) for _ in range(4)]:
            assert not any(one.error for one in done.result().stages)

    assert len(books(brain)) == 1
    assert len(brain.skills.list()) == 1
    assert list(store.verify()) == []


@pytest.mark.row("KB-034", "KB-007")
def test_a_stage_that_fails_stops_no_other(brain, monkeypatch):
    for day in range(2):
        deployment(brain, f"s{day}", day=day)
    monkeypatch.setattr("tilth.playbooks.playbook_stages.observe", lambda *_: 1 / 0)

    done = brain.reflect()

    errors = {one.name: one.error for one in done.stages if one.error}
    assert errors == {"outcomes": "ZeroDivisionError"}
    assert made(done)["draft"] == 1


@pytest.mark.row("KB-043")
def test_a_session_counts_once_however_often_it_is_looked_at(brain):
    for day in range(2):
        deployment(brain, f"s{day}", day=day)
    brain.reflect()
    deployment(brain, "s3", day=3)
    deployment(brain, "s4", day=4, failed=True)

    brain.reflect()
    brain.reflect()

    (book,) = books(brain)
    assert (book.evidence.applied, book.evidence.ok, book.evidence.failed) == (2, 1, 1)


@pytest.mark.row("KB-043", "C-15")
def test_a_report_counts_once_a_session_and_never_promotes(brain):
    for day in range(2):
        deployment(brain, f"s{day}", day=day)
    brain.reflect()
    (book,) = books(brain)

    for _ in range(2):
        book = brain.playbooks.report(book.id, "ok", session_id="claude-code:x9")

    assert (book.evidence.applied, book.evidence.ok, book.evidence.proven) == (1, 1, 2)


@pytest.mark.row("KB-043")
@pytest.mark.parametrize("ended", ["ok", "failed"])
def test_a_report_about_a_session_that_it_was_drafted_from_counts_nothing_twice(brain, ended):
    for day in range(3):
        deployment(brain, f"s{day}", day=day)
    brain.reflect()
    (book,) = books(brain)

    for root in book.draft.sessions:
        told = brain.playbooks.report(book.id, ended, session_id=root)
        assert told.evidence == book.evidence
    brain.reflect()

    assert [one.evidence for one in books(brain)] == [book.evidence]
    assert (book.evidence.seeds, book.evidence.applied) == (3, 0)


@pytest.mark.row("KB-038")
def test_a_veto_sticks_until_new_sessions_bring_it_up_once_more(brain, human):
    for day in range(2):
        deployment(brain, f"s{day}", day=day)
    brain.reflect()
    (book,) = books(brain)
    human.playbooks.veto(book.id, note="we deploy by CI")

    brain.reflect()
    assert [one.state for one in books(brain)] == ["vetoed"]

    for day in range(5, 7):
        deployment(brain, f"s{day}", day=day)
    brain.reflect()
    new, old = books(brain)
    assert (new.state, new.draft.follows) == ("candidate", old.id)

    human.playbooks.veto(new.id)
    for day in range(10, 14):
        deployment(brain, f"s{day}", day=day)
    brain.reflect()
    assert [one.state for one in books(brain)] == ["vetoed", "vetoed"]


@pytest.mark.row("KB-038")
def test_what_was_recorded_before_a_veto_never_brings_the_playbook_up_again(brain, human):
    for day in range(2):
        deployment(brain, f"s{day}", day=day)
    brain.reflect()
    (book,) = books(brain)
    for day in range(2, 4):
        deployment(brain, f"s{day}", day=day)
        brain.reflect()
    deployment(brain, "s4", day=4)
    assert books(brain)[0].evidence.applied == 2
    human.playbooks.veto(book.id)

    brain.reflect()
    assert [one.state for one in books(brain)] == ["vetoed"]

    deployment(brain, "s5", day=5)
    brain.reflect()
    assert [one.state for one in books(brain)] == ["vetoed"]


@pytest.mark.row("KB-038")
def test_a_draft_that_is_revised_after_a_veto_still_tells_of_it_and_the_next_is_final(brain, human):
    for day in range(2):
        deployment(brain, f"s{day}", day=day)
    brain.reflect()
    (book,) = books(brain)
    human.playbooks.veto(book.id, note="we deploy by CI")
    for day in range(5, 7):
        deployment(brain, f"s{day}", day=day)
    brain.reflect()
    troubled(brain, "s8", day=8)
    brain.reflect()

    new, old = books(brain)
    assert new.draft.pitfalls
    assert (new.draft.follows, old.note) == (book.id, "we deploy by CI")

    human.playbooks.veto(new.id)
    for day in range(10, 14):
        deployment(brain, f"s{day}", day=day)
    brain.reflect()
    assert [one.state for one in books(brain)] == ["vetoed", "vetoed"]


@pytest.fixture
def confirmed(brain, human):
    for day in range(2):
        deployment(brain, f"s{day}", day=day)
    brain.reflect()
    (book,) = books(brain)
    return human.playbooks.confirm(book.id, digest=book.digest).playbook


@pytest.mark.row("KB-005", "KB-109")
def test_what_a_human_brings_back_is_not_retired_for_the_failures_of_before(
    brain, human, confirmed
):
    def state_after(*failed):
        for name in failed:
            deployment(brain, f"f{name}", day=name, failed=True)
            brain.reflect()
        return brain.playbooks.get(confirmed.id).playbook.state

    assert state_after(3, 4) == "retired"

    human.playbooks.restore(confirmed.id)
    brain.reflect()
    assert state_after() == "confirmed"
    assert state_after(5) == "confirmed"
    assert state_after(6) == "retired"


@pytest.mark.row("KB-043", "C-15")
def test_what_an_agent_reports_retires_no_playbook_that_a_human_confirmed(brain, confirmed):
    for number in range(3):
        root = f"claude-code:x{number}"
        book = brain.playbooks.report(confirmed.id, "failed", session_id=root)
    brain.reflect()

    assert book.evidence.failed == 3
    assert brain.playbooks.get(confirmed.id).playbook.state == "confirmed"


@pytest.mark.row("KB-039")
def test_a_human_confirms_the_words_that_were_shown_and_nobody_else_does(brain, human):
    for day in range(2):
        deployment(brain, f"s{day}", day=day)
    brain.reflect()
    (book,) = books(brain)

    with pytest.raises(ForbiddenError):
        brain.playbooks.confirm(book.id, digest=book.digest)
    with pytest.raises(ConflictError):
        human.playbooks.confirm(book.id, digest="0" * 16)

    confirmed = human.playbooks.confirm(book.id, digest=book.digest).playbook
    assert (confirmed.state, confirmed.moved_by.is_human) == ("confirmed", True)


def told(brain, scope):
    return brain.brief(BriefRequest(via="test"), scope=scope).text


@pytest.mark.row("KB-039", "KB-042")
def test_a_brief_tells_a_playbook_once_a_human_has_confirmed_it(brain, human):
    for day in range(2):
        deployment(brain, f"s{day}", day=day)
    brain.reflect()
    (book,) = books(brain)
    line = f"make test → make build → {DEPLOY}"
    assert line not in told(brain, SHOP)

    human.playbooks.confirm(book.id, digest=book.digest)

    assert line in told(brain, SHOP)
    assert line not in told(brain, "project:work/other")


@pytest.mark.row("KB-053")
def test_a_new_project_opens_with_what_was_lifted_and_confirmed(brain, human):
    for number, scope in enumerate((SHOP, "project:work/forge")):
        for day in range(2):
            deployment(brain, f"{number}-{day}", day=day, scope=scope)
    brain.reflect()
    (lifted,) = [one for one in books(brain) if one.draft.lifted_from]
    assert DEPLOY not in told(brain, "project:work/new")

    human.playbooks.confirm(lifted.id, digest=lifted.digest)

    assert DEPLOY in told(brain, "project:work/new")


@pytest.mark.row("KB-053")
def test_a_fresh_folder_of_a_domain_opens_with_the_playbook_of_that_domain(store, place):
    fresh, elsewhere = "project:work/new", "project:work/other"
    seen = (*(f"{one}=domain:d0" for one in (SHOP, "project:work/forge", fresh)),)
    settings = Settings(project_domains=(*seen, f"{elsewhere}=domain:d1"))
    human = a_brain(store, place.clock, by=Actor("ada", ActorKind.HUMAN), settings=settings)
    for number, scope in enumerate((SHOP, "project:work/forge")):
        for day in range(2):
            deployment(human, f"{number}-{day}", day=day, scope=scope)
    human.reflect()
    (lifted,) = [one for one in books(human) if one.draft.scope == "domain:d0"]
    assert DEPLOY not in told(human, fresh)

    human.playbooks.confirm(lifted.id, digest=lifted.digest)

    assert DEPLOY in told(human, fresh)
    assert DEPLOY not in told(human, elsewhere)


@pytest.mark.row("KB-006")
def test_two_environments_are_two_playbooks(brain):
    for day in range(2):
        deployment(brain, f"p{day}", day=day)
        deployment(brain, f"t{day}", day=day, line="./scripts/deploy.sh staging")

    brain.reflect()

    assert {one.draft.steps[-1] for one in books(brain)} == {
        "Deploy with `./scripts/deploy.sh production`",
        "Deploy with `./scripts/deploy.sh staging`",
    }


@pytest.mark.row("KB-044")
def test_a_candidate_of_which_nobody_hears_is_put_away_and_comes_back(brain, human, place):
    for day in range(2):
        deployment(brain, f"s{day}", day=day)
    brain.reflect()
    (book,) = books(brain)

    place.clock.at += timedelta(days=91)
    brain.reflect()
    assert [one.state for one in books(brain)] == ["archived"]

    assert human.playbooks.restore(book.id).playbook.state == "candidate"


@pytest.mark.row("KB-044", "KB-109")
def test_a_candidate_that_was_put_away_comes_back_once_several_sessions_do_it_again(brain, place):
    for day in range(2):
        deployment(brain, f"s{day}", day=day)
    brain.reflect()
    (book,) = books(brain)
    place.clock.at += timedelta(days=91)
    brain.reflect()
    place.clock.at += timedelta(days=3)

    deployment(brain, "s92", day=92)
    brain.reflect()
    assert [one.state for one in books(brain)] == ["archived"]

    deployment(brain, "s93", day=93)
    brain.reflect()
    (back,) = books(brain)
    assert (back.id, back.state, back.evidence.ok) == (book.id, "candidate", 2)
    assert brain.reflect().made_count == 0


@pytest.mark.row("KB-052")
def test_what_two_projects_do_is_lifted_without_a_word_of_theirs(brain):
    for number, scope in enumerate((SHOP, "project:work/forge")):
        for day in range(2):
            deployment(brain, f"{number}-{day}", day=day, scope=scope)

    brain.reflect()
    brain.reflect()

    lifted = [one for one in books(brain) if one.draft.lifted_from]
    (one,) = lifted
    assert (one.draft.scope, one.state) == ("global", "candidate")
    assert set(one.draft.lifted_from) == {each.id for each in books(brain)} - {one.id}
    assert one.draft.evidence == ()
    assert one.draft.pitfalls == ()


TEAMS = {f"project:work/p{number}": f"domain:d{number // 2}" for number in range(4)}


@pytest.mark.row("KB-052", "I27")
def test_what_projects_do_goes_up_to_their_domain_and_on_with_a_humans_word(store, place):
    seen = tuple(f"{project}={domain}" for project, domain in TEAMS.items())
    human = a_brain(
        store,
        place.clock,
        by=Actor("ada", ActorKind.HUMAN),
        settings=Settings(project_domains=seen),
    )
    for project in TEAMS:
        for day in range(2):
            deployment(human, f"{project[-1]}-{day}", day=day, scope=project)

    def lifted():
        human.reflect()
        human.reflect()
        return {one.draft.scope: one for one in books(human) if one.draft.lifted_from}

    found = lifted()
    assert set(found) == {"domain:d0", "domain:d1"}
    for scope, book in found.items():
        froms = {human.playbooks.get(one).playbook.draft.scope for one in book.draft.lifted_from}
        assert froms == {project for project, domain in TEAMS.items() if domain == scope}
        assert f"make build → {DEPLOY}" not in told(human, min(froms))
    human.playbooks.confirm(found["domain:d0"].id, digest=found["domain:d0"].digest)
    assert set(lifted()) == {"domain:d0", "domain:d1"}
    human.playbooks.confirm(found["domain:d1"].id, digest=found["domain:d1"].digest)

    found = lifted()

    assert set(found) == {"domain:d0", "domain:d1", "global"}
    assert found["global"].state == "candidate"
    assert set(found["global"].draft.lifted_from) == {
        found[one].id for one in ("domain:d0", "domain:d1")
    }
    human.playbooks.veto(found["global"].id)
    assert lifted()["global"].id == found["global"].id
    assert list(store.verify()) == []


@pytest.mark.row("KB-051", "KB-052")
def test_what_a_project_outside_of_a_domain_does_says_nothing_of_its_playbook(store, place):
    seen = ("project:work/p0=domain:d0", "project:work/p1=domain:d0")
    by, settings = Actor("ada", ActorKind.HUMAN), Settings(project_domains=seen)
    human = a_brain(store, place.clock, by=by, settings=settings)
    for number, project in enumerate(("project:work/p0", "project:work/p1")):
        for day in range(2):
            deployment(human, f"{number}-{day}", day=day, scope=project)
    human.reflect()
    (book,) = (one for one in books(human) if one.draft.lifted_from)
    human.playbooks.confirm(book.id, digest=book.digest)

    for day in range(3, 6):
        deployment(human, f"x{day}", day=day, scope="project:work/else", failed=True)
    deployment(human, "in", day=6, scope="project:work/p1")
    human.reflect()
    human.reflect()

    counted = human.playbooks.get(book.id).playbook
    assert (counted.state, counted.evidence.ok, counted.evidence.failed) == ("confirmed", 1, 0)


@pytest.mark.row("KB-052")
def test_a_title_of_one_project_does_not_leave_it(brain):
    scopes = (SHOP, "project:work/forge")
    for number, scope in enumerate(scopes):
        for day in range(2):
            deployment(brain, f"{number}-{day}", day=day, scope=scope)
    brain.reflect()
    for number, book in enumerate([one for one in books(brain) if not one.draft.lifted_from]):
        draft = replace(book.draft, title=f"Deploy the secret thing {number} of Acme")
        with brain.parts.store.begin() as tx:
            event = PlaybookRevised(playbook_id=book.id, draft=draft)
            tx.append(event, by=REFLECTION, owner=book.owner)
    with brain.parts.store.read() as view:
        found = Playbooks(view).select(brain.parts.within(None))
    projects = [one for one in found if not one.draft.lifted_from]

    made = _lifted(projects, GLOBAL)

    assert made is not None
    assert "Acme" not in str(made)


@pytest.mark.row("I33")
def test_an_erased_session_leaves_no_word_in_a_playbook(brain, human):
    for day in range(2):
        deployment(brain, f"s{day}", day=day)
    troubled(brain, "s2", day=2)
    brain.reflect()
    session = "claude-code:s2"

    human.erase.confirm(human.erase.plan(session=session).digest, session=session)

    assert books(brain) == []
    brain.reflect()
    (book,) = books(brain)
    assert "registry token" not in str(book)
    assert book.evidence.seeds == 2


def test_what_only_an_agent_tells_becomes_nothing(brain):
    for day in range(3):
        deployment(brain, f"s{day}", day=day, by=Actor("agent", ActorKind.AGENT))

    brain.reflect()

    assert books(brain) == []


def test_a_push_is_part_of_the_pull_request_that_most_sessions_open_with_it(brain):
    for day in range(3):
        session = Session(brain, f"s{day}", day=day).asks("Open a pull request for this.")
        session.ran("make fmt && make lint", "ok").ran("make test", "3 passed")
        session.ran("git commit -m 'x'", "[main 1] x").ran("git push", "main -> main, as ever")
        session.ran("gh pr create --fill", f"https://forge.example/pull/{day}").says("Done.")

    brain.reflect()

    (book,) = books(brain)
    assert book.draft.uses == (
        "make fmt",
        "make lint",
        "make test",
        "git commit",
        "git push",
        "gh pr create",
    )


@pytest.mark.parametrize(
    ("passed", "count", "least"), [(0, 0, 0.0), (3, 3, 0.646), (2, 2, 0.549), (1, 4, 0.078)]
)
def test_the_rate_to_be_expected_is_wilsons_lower_bound(passed, count, least):
    assert wilson(passed, count) == pytest.approx(least, abs=0.01)


@pytest.mark.row("C-19")
def test_a_run_that_is_killed_while_it_drafts_goes_on_within_its_budget(brain, place, monkeypatch):
    """Three are drafted in a run, and a run that was cut short is no new one."""
    for number in range(5):
        for day in range(2):
            line = f"./scripts/deploy-{number}.sh production"
            deployment(brain, f"s{number}-{day}", day=day, line=line)
    place.clock.at += timedelta(minutes=5)
    real, wrote = playbook_stages._write_draft, []

    def dies(*args):
        if len(wrote) == 2:
            raise SystemExit
        wrote.append(real(*args))
        return wrote[-1]

    with monkeypatch.context() as patch:
        patch.setattr(playbook_stages, "_write_draft", dies)
        with pytest.raises(SystemExit):
            brain.reflect(is_asked=False)
    assert len(books(brain)) == 2

    place.clock.at += timedelta(minutes=5)
    done = brain.reflect(is_asked=False)

    assert len(books(brain)) == playbook_stages.CLUSTERS_MAX == 3
    assert not brain.reflect(is_asked=False, after=done.through).is_due
    brain.reflect()
    assert len(books(brain)) == 5


def test_a_step_is_told_as_it_runs_all_there_is_where_one_session_ran_that(brain):
    for day, line in enumerate(("go test ./cart", "go test ./user", "go test ./...")):
        session = Session(brain, f"s{day}", day=day).asks("Deploy to production now, please.")
        session.ran(line, "ok  shop 0.2s").ran("make build", "Built shop:1.4 for production.")
        session.ran(DEPLOY, f"Deployed the shop of session {day} to production.")
        session.says("That is how it went.")

    brain.reflect()

    (book,) = books(brain)
    assert book.draft.steps[0] == "Test with `go test ./...`"


def test_the_reason_of_a_move_holds_no_secret(brain, human):
    for day in range(2):
        deployment(brain, f"s{day}", day=day)
    brain.reflect()
    key = "ghp_" + "a1B2" * 9

    story = human.playbooks.veto(books(brain)[0].id, note=f"we release by CI with {key} now")
    vetoed = story.playbook

    assert vetoed.note.startswith("we release by CI")
    assert key not in vetoed.note


@pytest.mark.row("KB-039")
def test_each_move_names_the_operation_by_which_it_is_undone(brain, human):
    for day in range(2):
        deployment(brain, f"s{day}", day=day)
    brain.reflect()
    (book,) = books(brain)
    confirmed = human.playbooks.confirm(book.id, digest=book.digest).playbook
    vetoed = human.playbooks.veto(book.id).playbook

    human.undo(vetoed.moved_in)
    assert books(brain) == [confirmed]
    human.undo(confirmed.moved_in)

    assert books(brain) == [book]
    with pytest.raises(ConflictError, match="is candidate already"):
        human.playbooks.restore(book.id)


def test_the_last_move_alone_is_named_where_all_of_a_playbook_would_be_undone(brain, human):
    for day in range(2):
        deployment(brain, f"s{day}", day=day)
    brain.reflect()
    (book,) = books(brain)
    confirmed = human.playbooks.confirm(book.id, digest=book.digest).playbook

    with pytest.raises(ConflictError) as refused:
        human.undo(book.id)

    assert refused.value.hint.endswith(f"alone: tilth undo {confirmed.moved_in}")
    assert human.changes(limit=1000).items[-1].event_id == confirmed.moved_in
