"""The pulse and its TODOs, on both engines, with real files."""

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from tests.brains import a_brain
from tests.fakes import START
from tests.gaps.test_gap_scan import NO, PDF
from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import (
    ConflictError,
    ForbiddenError,
    InvalidInputError,
    NotFoundError,
    UnavailableError,
)
from tilth.embedding.static import StaticEmbedder
from tilth.gaps.task_lists import FILE, LocalTaskLists, OutboxFolder
from tilth.runtime.brain import Brain

SIX_HOURS = timedelta(hours=6)
# A program in the place of GitHub's: its issues are files, and it writes down what it was told.
GH = """#!/bin/sh
here=$(dirname "$0")
printf '%s\\n' "$*" >> "$here/told"
[ -f "$here/broken" ] && exit 1
case "$1 $2" in
"issue create")
    number=$(($(ls "$here" | grep -c '^issue-') + 1))
    cat > "$here/issue-$number"
    echo "https://github.com/a/b/issues/$number" ;;
"issue list")
    printf '['
    sep=''
    for one in "$here"/issue-*; do
        [ -f "$one" ] || continue
        id=$(grep -o 'gap_[0-9A-Z]*' "$one" | head -1)
        printf '%s{"url":"https://github.com/a/b/issues/%s","body":"%s"}' \\
            "$sep" "${one##*-}" "$id"
        sep=','
    done
    printf ']' ;;
"issue view")
    [ -f "$here/closed" ] && echo '{"state":"CLOSED"}' || echo '{"state":"OPEN"}' ;;
esac
"""


@pytest.fixture
def store(whole_store):
    return whole_store


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "tilth.db.outbox"


@pytest.fixture
def repository(tmp_path):
    made = tmp_path / "repository"
    (made / ".git").mkdir(parents=True)
    return made


@pytest.fixture
def gh(tmp_path):
    made = tmp_path / "bin"
    made.mkdir()
    (made / "gh").write_text(GH)
    (made / "gh").chmod(0o700)
    return made


@pytest.fixture
def make_brain(store, place, folder, gh):
    def make(kind="agent"):
        brain = a_brain(
            store, place.clock, second=StaticEmbedder(), by=Actor("ada", ActorKind(kind))
        )
        environ = {"PATH": f"{gh}{os.pathsep}{os.environ['PATH']}"}
        parts = replace(
            brain._parts, outbox=OutboxFolder(folder), task_lists=LocalTaskLists(environ)
        )
        return Brain(parts)

    return make


@pytest.fixture
def brain(make_brain):
    return make_brain()


def ask(brain, *texts, start=0, **saying):
    """Ask for something in sessions of their own, and be declined."""
    said = []
    for number, text in enumerate(texts, start=start):
        said.append(brain.remember(text, session_id=f"s{number}", **saying))
        brain.remember(NO, role="assistant", session_id=f"s{number}", **saying)
    return said


def drafts(folder: Path) -> list[Path]:
    return sorted(folder.glob("*")) if folder.exists() else []


@pytest.mark.row("X-09", "EM-049")
def test_three_asks_make_one_todo_draft_with_three_ids(brain, folder, place):
    said = ask(brain, *PDF[:2])
    assert brain.gaps.run().drafted == []
    assert drafts(folder) == []

    place.clock.at += SIX_HOURS
    said += ask(brain, PDF[2], start=2)
    done = brain.gaps.run()

    (gap,) = done.drafted
    (path,) = drafts(folder)
    text = path.read_text()
    assert (gap.status, gap.frequency) == ("todo_created", 3)
    assert gap.todo_ref == f"outbox:{path.name}"
    assert all(episode_id in text for episode_id in said)
    assert f"- [ ] {gap.description} ({gap.id})" in text
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@pytest.mark.row("I31", "EM-049")
def test_there_is_never_a_second_todo(brain, folder, place):
    ask(brain, *PDF)
    brain.gaps.run()
    (path,) = drafts(folder)
    before = path.read_text()
    ask(brain, "I wish I had my notes as a PDF at last.", start=3)
    ask(brain, PDF[0], start=4)  # a copy advances nothing

    done = brain.gaps.run(is_forced=True)

    assert (done.drafted, drafts(folder), path.read_text()) == ([], [path], before)
    (gap,) = brain.gaps.list()
    assert gap.frequency == 4
    with pytest.raises(ConflictError, match="is todo_created"):
        brain.gaps.todo(gap.id)


@pytest.mark.row("I31")
def test_copies_do_not_bring_a_gap_to_its_threshold(brain, folder):
    ask(brain, PDF[0], PDF[0].lower(), PDF[0] + "!", PDF[0])

    assert brain.gaps.run().drafted == []
    assert brain.gaps.list()[0].evidence_count == 4


@pytest.mark.row("EM-049")
def test_the_threshold_is_a_setting_and_snippets_are_ten_and_short(brain, folder):
    long = "so that " + "very " * 40 + "long"
    ask(brain, *(f"Can you export page {n}0{n} of my notes as a PDF {long}?" for n in range(1)))
    gap = brain.gaps.scan(since="1d").patterns
    assert gap == ()  # two messages tell of no pattern
    for number in range(12):
        ask(brain, f"Can you export my notes as a PDF {long}, {'please ' * number}?", start=number)
    (drafted,) = brain.gaps.run(threshold=2).drafted

    lines = drafts(folder)[0].read_text().splitlines()
    shown = [line for line in lines if line.startswith("- 20")]
    assert len(shown) == 10
    assert max(len(line.split(": ", 1)[1]) for line in shown) <= 100
    assert f"- and {drafted.evidence_count - 10} more: tilth gap show {drafted.id}" in lines
    with pytest.raises(InvalidInputError, match="threshold"):
        brain.gaps.run(threshold=0)


@pytest.mark.row("EM-050")
def test_the_pulse_keeps_six_hours_and_can_be_forced(brain, place):
    place.clock.at, place.clock.step = START + SIX_HOURS, timedelta(0)
    first = brain.gaps.run()
    assert (first.is_due, first.next_at) == (True, START + 2 * SIX_HOURS)
    place.clock.at = first.next_at - timedelta(microseconds=1)
    early = brain.gaps.run()
    assert (early.is_due, early.next_at, early.scanned) == (False, first.next_at, None)
    forced = brain.gaps.run(is_forced=True)
    assert forced.is_due
    assert not brain.gaps.run().is_due
    place.clock.at += SIX_HOURS
    assert brain.gaps.run().is_due


@pytest.mark.row("EM-050")
def test_a_clock_that_went_far_ahead_holds_no_pulse_up_for_ever(brain, place):
    brain.gaps.run()
    place.clock.at -= timedelta(days=30)

    assert brain.gaps.run().is_due
    # Nor does it make every round of a worker a pulse.
    assert not brain.gaps.run().is_due


@pytest.mark.row("EM-050")
def test_a_pulse_drafts_five_and_the_next_goes_on(brain, folder, place):
    things = "green tea, oat milk, rye bread, sea salt, wild honey, brown rice, sweet corn"
    for number, thing in enumerate(things.split(", ")):
        ask(
            brain,
            f"Can you order {thing}?",
            f"Is there a way to get {thing}?",
            f"I wish you could bring {thing}.",
            start=number * 3,
        )
    brain.gaps.scan()
    assert [len(brain.gaps.run(is_forced=True).drafted) for _ in range(3)] == [5, 2, 0]
    assert len(drafts(folder)) == 7


@pytest.mark.row("EM-050")
def test_a_dry_run_tells_and_does_nothing(brain, store, folder):
    ask(brain, *PDF)
    brain.gaps.scan()
    before = store.digest()

    done = brain.gaps.run(is_dry_run=True)

    assert [gap.frequency for gap in done.drafted] == [3]
    assert (store.digest(), drafts(folder)) == (before, [])
    assert brain.gaps.run().is_due


@pytest.mark.row("EM-050")
def test_a_ticked_box_resolves_the_gap(brain, folder):
    ask(brain, *PDF)
    (gap,) = brain.gaps.run().drafted
    (path,) = drafts(folder)
    path.write_text(path.read_text().replace("- [ ] ", "- [x] "))

    (resolved,) = brain.gaps.run(is_forced=True).resolved

    assert (resolved.id, resolved.status) == (gap.id, "resolved")
    assert brain.gaps.get(gap.id).history[-1].by.kind is ActorKind.JOB


@pytest.mark.row("EM-049")
def test_two_at_once_make_one_todo(brain, make_brain, folder):
    ask(brain, *PDF)
    brains = [make_brain() for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(lambda one: one.gaps.run(is_forced=True), brains))

    assert sum(len(one.drafted) for one in done) == 1
    assert len(drafts(folder)) == 1
    (gap,) = brain.gaps.list()
    names = [type(one.event).__name__ for one in brain.gaps.get(gap.id).history]
    assert names.count("GapMoved") == 1


@pytest.mark.row("EM-050")
def test_two_at_once_have_one_pulse(brain, make_brain):
    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(lambda _: make_brain().gaps.run().is_due, range(4)))

    assert sorted(done) == [False, False, False, True]


class _DiesError(Exception):
    """Stands for the end of a process."""


def test_a_pulse_that_dies_leaves_no_todo_or_one(brain, folder, monkeypatch):
    ask(brain, *PDF)
    put = OutboxFolder.put

    def put_and_die(self, name, text):
        put(self, name, text)
        raise _DiesError

    monkeypatch.setattr(OutboxFolder, "put", put_and_die)
    with pytest.raises(_DiesError):
        brain.gaps.run()
    assert brain.gaps.list()[0].status == "detected"
    monkeypatch.setattr(OutboxFolder, "put", put)

    (gap,) = brain.gaps.run(is_forced=True).drafted

    assert [path.name for path in drafts(folder)] == [gap.todo_ref.removeprefix("outbox:")]


def test_an_outbox_that_cannot_be_written_is_told_and_tried_again(brain, folder):
    ask(brain, *PDF)
    folder.write_text("in the way")

    failed = brain.gaps.run()

    assert [code for _, code in failed.failed] == [UnavailableError.code]
    assert brain.gaps.list()[0].status == "detected"
    folder.unlink()
    assert len(brain.gaps.run(is_forced=True).drafted) == 1


@pytest.mark.row("C-16")
def test_todos_are_filed_in_a_repository_only_where_a_human_chose_so(brain, make_brain, repository):
    human = make_brain("human")
    for kind in ("agent", "job", "import", "anonymous"):
        with pytest.raises(ForbiddenError):
            make_brain(kind).gaps.opt_in(str(repository))
        with pytest.raises(ForbiddenError):
            make_brain(kind).gaps.opt_out()
    ask(brain, *PDF)
    assert brain.gaps.run().filed == []
    assert not (repository / FILE).exists()
    human.gaps.opt_in(str(repository), scope="project:other")
    assert brain.gaps.run(is_forced=True).filed == []

    chosen = human.gaps.opt_in(str(repository))
    assert human.gaps.filings(scope="global") == [chosen]
    (filed,) = brain.gaps.run(is_forced=True).filed

    assert filed.todo_ref == f"{FILE}#{filed.id}"
    assert (repository / FILE).read_text() == f"- [ ] {filed.description} ({filed.id})\n"
    human.gaps.opt_out()
    assert human.gaps.filings(scope="global") == []
    with pytest.raises(NotFoundError):
        human.gaps.opt_out()


@pytest.mark.row("EM-050")
def test_a_line_of_a_todo_file_is_added_once_and_closes_its_gap(brain, make_brain, repository):
    make_brain("human").gaps.opt_in(str(repository))
    path = repository / FILE
    path.write_bytes(b"# Mine\r\n- [x] something else\r\n")
    path.chmod(0o644)
    ask(brain, *PDF)
    (gap,) = brain.gaps.run().filed
    line = f"- [ ] {gap.description} ({gap.id})\r\n"
    assert path.read_bytes().decode() == f"# Mine\r\n- [x] something else\r\n{line}"
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    assert brain.gaps.run(is_forced=True).resolved == []

    path.write_bytes(path.read_bytes().replace(b"- [ ] ", b"- [X] "))
    (resolved,) = brain.gaps.run(is_forced=True).resolved

    assert resolved.id == gap.id
    assert path.read_bytes().count(gap.id.encode()) == 1


def test_a_filing_that_died_before_it_was_told_is_not_done_twice(brain, make_brain, repository):
    human = make_brain("human")
    ask(brain, *PDF)
    (gap,) = brain.gaps.run().drafted
    human.gaps.opt_in(str(repository))
    (repository / FILE).write_text(f"- [ ] by hand, in other words ({gap.id})\n")

    (filed,) = brain.gaps.run(is_forced=True).filed

    assert filed.todo_ref == f"{FILE}#{gap.id}"
    assert (repository / FILE).read_text().count(gap.id) == 1


def test_a_todo_file_that_leads_elsewhere_is_left_alone(brain, make_brain, repository, tmp_path):
    make_brain("human").gaps.opt_in(str(repository))
    (tmp_path / "mine").write_text("mine")
    (repository / FILE).symlink_to(tmp_path / "mine")
    ask(brain, *PDF)

    done = brain.gaps.run()

    assert (done.filed, [code for _, code in done.failed]) == ([], [ConflictError.code])
    assert (tmp_path / "mine").read_text() == "mine"


@pytest.mark.row("EM-050")
def test_an_issue_is_made_once_by_gh_and_closes_its_gap(brain, make_brain, repository, gh):
    make_brain("human").gaps.opt_in(str(repository), way="gh")
    ask(brain, *PDF)
    (gh / "broken").touch()
    (failed,) = brain.gaps.run().failed
    assert failed[1] == UnavailableError.code
    (gh / "broken").unlink()

    (gap,) = brain.gaps.run(is_forced=True).filed

    assert gap.todo_ref == "https://github.com/a/b/issues/1"
    assert gap.id in (gh / "issue-1").read_text()
    assert brain.gaps.run(is_forced=True).resolved == []
    (gh / "closed").touch()
    (resolved,) = brain.gaps.run(is_forced=True).resolved
    assert (resolved.id, resolved.status) == (gap.id, "resolved")
    assert not (gh / "issue-2").exists()


@pytest.mark.row("EM-065")
def test_what_is_filed_names_no_address_of_anybody(brain, make_brain, repository, gh):
    make_brain("human").gaps.opt_in(str(repository), way="gh")
    (said,) = ask(brain, "Can you mail the green report to ada@example.org every day?")
    gap = brain.gaps.add("mail reports to ada@example.org", evidence=[said]).gap
    brain.gaps.todo(gap.id)

    (filed,) = brain.gaps.run().filed

    issue = (gh / "issue-1").read_text()
    assert "ada@example.org" not in issue + (gh / "told").read_text()
    assert filed.id in issue
    assert said in issue


def test_a_place_that_does_not_answer_is_asked_once_in_a_pulse(brain, make_brain, repository, gh):
    make_brain("human").gaps.opt_in(str(repository), way="gh")
    for thing in ("order green tea", "paint a blue wall", "book a train seat"):
        brain.gaps.todo(brain.gaps.add(thing).gap.id)
    (gh / "broken").touch()

    assert len(brain.gaps.run().failed) == 1
    assert (gh / "told").read_text().count("issue") == 1
    (gh / "broken").unlink()
    assert len(brain.gaps.run(is_forced=True).filed) == 3
    (gh / "told").unlink()
    (gh / "broken").touch()
    assert len(brain.gaps.run(is_forced=True).failed) == 1
    assert (gh / "told").read_text().count("issue view") == 1


def test_an_issue_that_is_there_is_found_and_not_made_again(brain, make_brain, repository, gh):
    ask(brain, *PDF)
    (gap,) = brain.gaps.run().drafted
    make_brain("human").gaps.opt_in(str(repository), way="gh")
    (gh / "issue-7").write_text(f"made before the process died: {gap.id}")

    (filed,) = brain.gaps.run(is_forced=True).filed

    assert filed.todo_ref == "https://github.com/a/b/issues/7"
    assert "issue create" not in (gh / "told").read_text()


def test_what_no_todo_can_be_filed_in_is_refused(make_brain, tmp_path, repository):
    human = make_brain("human")
    for repository_, words in (
        ("relative", {}),
        (str(tmp_path / "missing"), {}),
        (str(tmp_path), {}),
        (str(repository), {"way": "post"}),
    ):
        with pytest.raises(InvalidInputError):
            human.gaps.opt_in(repository_, **words)
    assert human.gaps.filings() == []


def test_what_is_said_is_inert_in_a_draft_and_holds_no_secret(
    brain, make_brain, folder, repository
):
    make_brain("human").gaps.opt_in(str(repository))
    gap = brain.gaps.add(
        "open <script>x</script> ![a](http://x) \x1b[2J and\n- [x] tick this\n"
    ).gap
    brain.gaps.todo(gap.id)
    brain.gaps.run()

    for text in (drafts(folder)[0].read_text(), (repository / FILE).read_text()):
        assert "<script" not in text
        assert "![" not in text
        assert "\x1b" not in text
        assert not any(line.startswith("- [x]") for line in text.splitlines())
    assert brain.gaps.list()[0].status == "todo_created"


@pytest.mark.row("EM-048")
def test_an_erased_message_leaves_a_tombstone_and_the_others_their_gap(brain, make_brain, folder):
    human = make_brain("human")
    said = ask(brain, "Can you export the zebra notes as a PDF?", *PDF[1:])
    (gap,) = brain.gaps.run().drafted
    assert "zebra" in gap.description
    plan = human.erase.plan(episodes=[said[0]])
    human.erase.confirm(plan.digest, episodes=[said[0]])
    OutboxFolder(folder).forget(())
    assert "zebra" not in drafts(folder)[0].read_text()

    brain.gaps.run(is_forced=True)

    story = brain.gaps.get(gap.id)
    assert [one.is_erased for one in story.trail] == [True, False, False]
    assert [one.evidence.episode_id for one in story.trail] == said
    assert (story.gap.frequency, story.gap.status) == (3, "todo_created")
    assert story.gap.description == PDF[1]
    text = drafts(folder)[0].read_text()
    assert f"{said[0]}: erased" in text
    assert PDF[2] in text
    assert "zebra" not in text


@pytest.mark.row("C-04")
@pytest.mark.parametrize(("way", "number"), [("todo_file", 0), ("gh", 0), ("gh", 1)])
def test_a_task_that_was_filed_with_erased_words_is_named(
    brain, make_brain, repository, way, number
):
    human = make_brain("human")
    human.gaps.opt_in(str(repository), way=way)
    said = ask(brain, *PDF)
    (gap,) = brain.gaps.run().filed
    other = human.remember("The kettle is on.")

    unrelated = human.erase.plan(episodes=[other])
    assert human.erase.confirm(unrelated.digest, episodes=[other]).copies == ()
    plan = human.erase.plan(episodes=[said[number]])
    certificate = human.erase.confirm(plan.digest, episodes=[said[number]])

    place = gap.todo_ref if way == "gh" else f"{repository}/{FILE}#{gap.id}"
    assert certificate.copies == (place,)


@pytest.mark.row("EM-030")
def test_of_a_gap_that_only_the_erased_showed_no_word_is_left(brain, make_brain, store):
    human = make_brain("human")
    (said,) = ask(brain, "Can you export the Zanzibar notes as a PDF?")
    gap = brain.gaps.add("export Zanzibar notes", evidence=[said]).gap
    human.gaps.move(gap.id, status="wont_fix", note="Zanzibar is far")
    plan = human.erase.plan(episodes=[said])
    human.erase.confirm(plan.digest, episodes=[said])

    assert brain.gaps.list() == []
    story = brain.gaps.get(gap.id)
    assert (story.gap.description, story.gap.status) == ("", "wont_fix")
    assert [one.evidence.episode_id for one in story.trail] == [said]
    with store.read() as view:
        assert "Zanzibar" not in str(view.events())


def test_a_draft_that_a_person_put_away_stays_away(brain, folder):
    ask(brain, *PDF)
    brain.gaps.run()
    drafts(folder)[0].unlink()

    assert brain.gaps.run(is_forced=True).failed == []
    assert drafts(folder) == []
