"""Files in the inboxes: what was signed counts, what was not suggests, nothing counts twice."""

import errno
import json
import os
import re
import stat
from pathlib import Path

import pytest

from tests.garden.plots import DAY, cycle, planted, plot
from tilth.core.actor import ActorKind
from tilth.core.errors import ForbiddenError, InvalidInputError, NotFoundError, UnavailableError
from tilth.core.lifecycle import Lifecycle, Review
from tilth.garden.model import RequestState
from tilth.garden.tables import Inbox


def put(folder, name, told, inbox="inbox"):
    place = folder / "inbox" if inbox == "inbox" else folder / "inbox" / inbox
    place.mkdir(exist_ok=True)
    (place / name).write_text(told if isinstance(told, str) else json.dumps(told))


def life(brain, fact_id):
    return brain.facts.get(fact_id).life


def alerts(folder):
    return (folder / "outbox/alerts.md").read_text()


@pytest.mark.row("GA-006")
def test_init_makes_every_file_of_the_protocol_for_its_owner_alone(garden, folder):
    made = garden.garden.init()

    for name in (
        "inbox/approvals.json", "inbox/rejections.json", "inbox/requests.md",
        "outbox/digest.md", "outbox/alerts.md", "logs/activity.md",
    ):  # fmt: skip
        assert (folder / name).is_file()
        assert (folder / name).stat().st_mode & 0o077 == 0
    for name in ("outbox/candidates", "snapshots", "inbox"):
        assert (folder / name).is_dir()
    assert made
    assert garden.garden.init() == []


@pytest.mark.row("GA-009")
def test_a_signed_approval_confirms_with_who_and_when_and_twice_has_no_more_effect(
    garden, found, folder
):
    put(folder, "approvals.json", found[:2])

    report = garden.garden.sign()

    assert report.applied == found[:2]
    for fact_id in found[:2]:
        one = life(garden, fact_id)
        assert (one.lifecycle, one.review) == (Lifecycle.CURRENT, Review.CONFIRMED)
    why = garden.facts.why(found[0])
    assert why.lives[-1].by.name == "ana"
    assert life(garden, found[2]).review is Review.UNREVIEWED
    before = garden.parts.store.digest()
    again = garden.garden.sign()
    assert (again.applied, again.answered) == ([], [])
    assert garden.parts.store.digest() == before


@pytest.mark.row("GA-009", "C-17")
def test_an_unsigned_approval_is_a_suggestion_beside_the_question(garden, found, folder, place):
    put(folder, "approvals.json", [{"id": found[0], "reason": "I know it"}])
    place.clock.at += DAY

    cycle(garden)

    assert life(garden, found[0]).review is Review.UNREVIEWED
    digest = (folder / "outbox/digest.md").read_text()
    assert "suggested: approve (inbox, not signed): I know it" in digest
    assert "1 answer in the inbox is not signed" in alerts(folder)
    garden.garden.sign()
    assert life(garden, found[0]).review is Review.CONFIRMED


@pytest.mark.row("C-17")
def test_nobody_but_a_human_signs_and_changed_bytes_are_not_signed(
    garden, found, folder, store, place, tmp_path
):
    agent = plot(store, place.clock, tmp_path, by="bot", kind=ActorKind.AGENT)
    put(folder, "approvals.json", found[:1])
    with pytest.raises(ForbiddenError):
        agent.garden.sign()
    garden.garden.sign()

    put(folder, "approvals.json", found[:3])
    place.clock.at += DAY
    cycle(garden)

    assert life(garden, found[0]).review is Review.CONFIRMED
    assert life(garden, found[1]).review is Review.UNREVIEWED


@pytest.mark.row("C-17")
@pytest.mark.parametrize("inbox", ["inbox", "bob"])
def test_nothing_counts_from_a_folder_into_which_others_may_write(
    garden, found, folder, place, inbox
):
    put(folder, "approvals.json", found[:1], inbox)
    opened = folder / "inbox" if inbox == "inbox" else folder / "inbox" / inbox
    for mode in (0o770, 0o702):
        opened.chmod(mode)
        with pytest.raises(UnavailableError, match="others than its owner may write") as refused:
            garden.garden.sign(inbox)
        assert f"chmod go-w {opened}" in refused.value.hint
        place.clock.at += DAY
        cycle(garden)
        assert "others than its owner may write" in alerts(folder)
        assert "suggested: approve" not in (folder / "outbox/digest.md").read_text()
        assert life(garden, found[0]).review is Review.UNREVIEWED

    opened.chmod(0o700)
    garden.garden.sign(inbox)
    assert life(garden, found[0]).review is Review.CONFIRMED


@pytest.mark.row("GA-009")
def test_an_unknown_id_is_reported_in_the_outbox_and_the_rest_is_done(garden, found, folder, place):
    unknown = "fct_01JAAAAAAAAAAAAAAAAAAAAAAA"
    put(folder, "approvals.json", [unknown, found[0], "not an id"])

    report = garden.garden.sign()

    assert report.applied == [found[0]]
    assert len(report.unknown) == 2
    put(folder, "rejections.json", [unknown])
    place.clock.at += DAY
    cycle(garden)
    assert f"No candidate has this ID: inbox/rejections.json: {unknown}" in alerts(folder)


@pytest.mark.row("GA-009")
@pytest.mark.parametrize(
    "content", ["[no json", '{"a": [], "b": []}', "[1]", '[{"id": 3}]', '"fct"', "[[[[]]]]"]
)
@pytest.mark.on_sqlite(but=2)
def test_a_malformed_file_is_set_aside_and_reported_and_the_cycle_goes_on(
    garden, found, folder, place, content
):
    put(folder, "approvals.json", content)
    place.clock.at += DAY

    report = cycle(garden)

    assert report.cycle.ended_at is not None
    assert not (folder / "inbox/approvals.json").exists()
    (kept,) = (folder / "inbox/set-aside").iterdir()
    assert kept.read_text() == content
    assert f"inbox/set-aside/{kept.name}" in alerts(folder)


@pytest.mark.row("GA-009", "GA-010")
@pytest.mark.parametrize("odd", ["\\ud83d", "\\u0000", "\\u202e"])
@pytest.mark.parametrize("is_signed", [True, False])
def test_what_no_file_can_hold_in_an_answer_stops_no_cycle(
    garden, found, folder, place, odd, is_signed
):
    known = f'{{"id": "{found[0]}", "reason": "it is {odd} sixty by now"}}'
    unknown = f'{{"id": "fct_{odd}", "reason": "who knows"}}'
    put(folder, "rejections.json", f"[{known}, {unknown}]")
    if is_signed:
        garden.garden.sign()
    place.clock.at += DAY

    report = cycle(garden)

    assert report.cycle.ended_at is not None
    assert life(garden, found[0]).review is (Review.REJECTED if is_signed else Review.UNREVIEWED)


def test_signing_what_cannot_be_read_or_says_nothing_is_refused(garden, found, folder):
    with pytest.raises(NotFoundError, match="says anything"):
        garden.garden.sign()
    put(folder, "approvals.json", "[no json")
    with pytest.raises(InvalidInputError, match=r"approvals\.json cannot be read: it is no JSON"):
        garden.garden.sign()
    with pytest.raises(NotFoundError, match="no inbox"):
        garden.garden.sign("bo")


@pytest.mark.row("GA-010")
def test_a_rejection_keeps_its_reason_and_what_was_rejected_never_comes_back(
    garden, found, folder, place
):
    put(folder, "rejections.json", [{"id": found[0], "reason": "too old"}])
    rejected = garden.facts.get(found[0]).said.text
    garden.garden.sign()

    for _ in range(12):
        place.clock.at += 6 * DAY
        cycle(garden)

    every = garden.garden.candidates(is_all=True)
    assert [one.reason for one in every if one.fact.id == found[0]] == ["too old"]
    assert sum(one.fact.said.text == rejected for one in every) == 1


@pytest.mark.row("GA-010")
def test_a_rejection_without_a_reason_is_asked_about_once(garden, found, folder, place):
    put(folder, "rejections.json", found[:2])
    garden.garden.sign()
    for _ in range(3):
        place.clock.at += DAY
        cycle(garden)

    asked = [one for one in garden.review.list().proposals if "why were" in one.draft.reason]

    (one,) = asked
    assert set(one.draft.detail["facts"]) == set(found[:2])


@pytest.mark.row("GA-011")
def test_a_new_question_is_queued_once_and_asked_first(garden, found, folder, place):
    put(folder, "requests.md", "# Questions\n\n- where are backups kept?\n- what is the moon?\n")
    for _ in range(3):
        place.clock.at += DAY
        report = cycle(garden)

    with garden.parts.store.read() as view:
        inbox = Inbox(view)
        asked = inbox.requests(garden.parts.within(None), state=RequestState.ASKED)
        still = inbox.requests(garden.parts.within(None))
    assert [one.text for one in asked] == ["where are backups kept?"]
    assert [one.text for one in still] == ["what is the moon?"]
    assert "what is the moon?" in (folder / "outbox/digest.md").read_text()
    assert report.cycle is not None


@pytest.mark.row("GA-031")
def test_two_reviewers_who_differ_make_it_disputed_and_both_are_recorded(
    garden, found, folder, store, place, tmp_path
):
    bo = plot(store, place.clock, tmp_path, by="bo")
    put(folder, "approvals.json", found[:2])
    garden.garden.sign()
    put(folder, "rejections.json", [{"id": found[0], "reason": "outdated"}], inbox="bo")

    report = bo.garden.sign("bo")

    assert report.disputed == found[:1]
    assert life(garden, found[0]).review is Review.DISPUTED
    assert life(garden, found[1]).review is Review.CONFIRMED
    lives = garden.facts.why(found[0]).lives
    assert [one.by.name for one in lives[-2:]] == ["ana", "bo"]


@pytest.mark.row("GA-031")
def test_one_who_signs_for_two_reviewers_is_not_both_of_them(garden, found, folder):
    put(folder, "approvals.json", found[:2])
    put(folder, "rejections.json", [{"id": found[0], "reason": "outdated"}], inbox="bo")
    garden.garden.sign()

    report = garden.garden.sign("bo")

    assert report.disputed == found[:1]
    assert life(garden, found[0]).review is Review.DISPUTED
    lives = garden.facts.why(found[0]).lives
    assert [one.by.name for one in lives[-2:]] == ["ana", "bo"]
    decided = garden.review.list(about=found[0], states=["decided"]).proposals
    assert "ana says confirm, bo says reject" in decided[-1].ruling.note
    again = garden.garden.sign("bo")
    assert (again.disputed, again.applied) == ([], [])


def test_what_leads_elsewhere_is_neither_read_nor_written(garden, found, folder, tmp_path, place):
    secret = tmp_path / "secret.json"
    secret.write_text(json.dumps(found))
    (folder / "inbox/approvals.json").unlink()
    (folder / "inbox/approvals.json").symlink_to(secret)
    place.clock.at += DAY

    cycle(garden)

    assert "leads elsewhere" in alerts(folder)
    assert life(garden, found[0]).review is Review.UNREVIEWED


@pytest.mark.row("GA-027")
def test_files_and_the_queue_come_to_the_same_state(store, make_place, tmp_path):
    states = []
    for number, by_file in enumerate((True, False)):
        where = make_place() if number else None
        opened = where.open() if where else store
        clock = where.clock if where else make_place().clock
        brain = plot(opened, clock, tmp_path / str(number))
        planted(brain)
        brain.topics.add("backups")
        cycle(brain)
        ids = [one.fact.id for one in sorted(
            brain.garden.candidates(), key=lambda one: one.fact.said.text
        )]  # fmt: skip
        if by_file:
            folder = brain.parts.gardener.folder.root
            put(folder, "approvals.json", ids[:2])
            put(folder, "rejections.json", [{"id": ids[2], "reason": "no"}])
            brain.garden.sign()
        else:
            for fact_id, verb in zip(ids[:3], ("confirm", "confirm", "reject"), strict=True):
                (asked,) = brain.review.list(about=fact_id).proposals
                digest = brain.review.show(asked.id).digest
                note = {"note": "no"} if verb == "reject" else {}
                getattr(brain.review, verb)(asked.id, digest=digest, **note)
        states.append([
            (one.fact.said.text, one.fact.life.lifecycle, one.fact.life.review, one.reason)
            for one in sorted(
                brain.garden.candidates(is_all=True), key=lambda one: one.fact.said.text
            )
        ])  # fmt: skip
        if where:
            opened.close()

    assert states[0] == states[1]


@pytest.mark.row("I37")
def test_files_of_the_garden_lie_in_its_folder_under_names_of_its_own_and_are_whole_or_as_before(
    garden, folder, tmp_path, monkeypatch
):
    for number, name in enumerate(("../../backups", "/etc/backups", "Etc: backups", "lost")):
        garden.topics.add(name, priority=5 - number)
    before = {one for one in tmp_path.rglob("*") if folder not in one.parents} | {folder}
    garden.garden.init()
    digest = folder / "outbox/digest.md"
    digest.write_text("as it was")
    done, replace, fsync = [], Path.replace, os.fsync
    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", full)
        with pytest.raises(UnavailableError, match="No space left"):
            cycle(garden)
    assert digest.read_text() == "as it was"
    assert list(folder.rglob("*.tilth")) == []
    monkeypatch.setattr(os, "fsync", lambda fd: (done.append(kind_of(fd)), fsync(fd)))
    monkeypatch.setattr(
        Path, "replace", lambda one, to: (done.append("renamed"), replace(one, to))[1]
    )

    cycle(garden)

    assert digest.read_text().startswith("# Digest")
    assert is_in_order(done)
    made = {one for one in tmp_path.rglob("*") if folder not in one.parents} - before
    assert {one.relative_to(tmp_path).parts[0] for one in made} <= {"snapshots"}
    named = sorted(one.name for one in (folder / "outbox/candidates").iterdir())
    assert [one.split("_", 1)[1] for one in named] == [
        "backups.md", "etc-backups-2.md", "etc-backups.md",
    ]  # fmt: skip
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\d_[\w-]{1,60}\.md", one) for one in named)


def full(*_):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def kind_of(fd):
    return "folder" if stat.S_ISDIR(os.fstat(fd).st_mode) else "file"


def is_in_order(done):
    """Say whether what is written is on the disk before it takes its name, and then the name is."""
    renamed = [at for at, one in enumerate(done) if one == "renamed"]
    return bool(renamed) and all(
        done[at - 1] == "file" and done[at + 1] == "folder" for at in renamed
    )


@pytest.mark.row("GA-011")
def test_a_line_without_a_dash_is_a_question_too(garden, found, folder, place):
    garden.garden.init()
    first = (folder / "inbox/requests.md").read_text()
    former = "One in each line that begins with a dash, such as `- how are backups restored?`\n"
    put(
        folder, "requests.md",
        f"{first}{former}\nhow is the moon made?\nwhy is the sky blue?\n- [ ] who owns the\n"
        "  red kettle?\n2. when does the shop open?\n> as said before\n---\n```\nls -l\n```\n"
        "<!-- not\nthis -->\n",
    )  # fmt: skip
    for _ in range(2):
        place.clock.at += DAY
        cycle(garden)

    with garden.parts.store.read() as view:
        asked = Inbox(view).requests(garden.parts.within(None))
    assert sorted(one.text for one in asked) == [
        "how is the moon made?",
        "when does the shop open?",
        "who owns the red kettle?",
        "why is the sky blue?",
    ]
