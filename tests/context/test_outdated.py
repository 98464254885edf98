"""What was done and said since ends what was told before, and nothing else."""

from datetime import timedelta

import pytest

from tests.practice.sessions import SHOP, Session
from tilth.context.model import Block, BriefRequest


def told(brain, *blocks):
    brain.distil()
    every = brain.brief(BriefRequest(via="test"), scope=SHOP).blocks
    return [item.text for one in every if one.kind in blocks for item in one.items]


def note(brain, text, **about):
    brain.remember(text, **{"kind": "note", "role": "assistant", "scope": SHOP} | about)


def committed(brain, title, day=1):
    Session(brain, f"c{day}", day=day).asks("Go on with the work of the shop.").edited(
        "till.py"
    ).ran(f"git commit -am '{title}'", f"[main 1] {title}").says("Done.")


@pytest.mark.parametrize(
    ("put_off", "title"),
    [
        ("We'll need page numbers at some point, not now.", "Add page numbers"),
        ("Someday we should print tickets.", "Print tickets on the Epson"),
        (
            "TODO: photos are rotated wrong when they carry EXIF orientation, do that another day.",
            "Turn photos by their EXIF orientation",
        ),
    ],
)
def test_what_was_put_off_and_then_committed_is_open_no_more(brain, put_off, title):
    Session(brain, "s1").asks(put_off).says("It is left for later.")
    assert len(told(brain, Block.OPEN, Block.ASKED)) == 1

    committed(brain, title)

    assert told(brain, Block.OPEN, Block.ASKED) == []


def test_what_was_committed_long_ago_is_open_no_more(brain):
    Session(brain, "s1").asks("We'll need page numbers at some point, not now.").says("Later.")
    committed(brain, "Add page numbers")
    for day in range(2, 9):
        session = Session(brain, f"s{day}", day=day)
        for number in range(6):
            session.asks(f"Look at shelf s{day}{number} of the shop.").says("It is full.")

    assert told(brain, Block.OPEN) == []


def test_a_commit_on_part_of_it_leaves_it_open(brain):
    put_off = "We'll need page numbers in the appendix at some point, not now."
    Session(brain, "s1").asks(put_off).says("Later.")
    committed(brain, "Fix page numbers in the index of names")

    assert len(told(brain, Block.OPEN)) == 1


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Open: page numbers in the print, the user wants them.", "Print: add page numbers"),
        ("The shop is on npm as @work/shop; 1.2.0 is next.", "Release 1.2.0"),
        ("The shop is on npm as @work/shop; 1.2.0 is next.", "Release 1.3.0"),
        ("Open: metrics, the user wants them some other time.", "sync: expose Prometheus metrics"),
        ("Open: retry logic for the printer, left for later.", "Retry the printer with backoff"),
        ("Issue #18 (clock drift of the tills) comes next.", "Stamp by the server clock (#18)"),
        ("Baskets are stored in bbolt.", "store: replace bbolt with SQLite"),
        ("The API version is 0.4.0.", "Release 0.5.0"),
        ("Receipts are set by typst 0.12 on each till.", "Upgrade typst to 0.13.1"),
        ("Formulas are set by KaTeX before the page is made.", "Remove KaTeX"),
    ],
)
@pytest.mark.on_sqlite(but=2)
def test_what_a_later_commit_did_otherwise_an_agents_note_tells_no_more(
    brain, place, human, text, title
):
    note(brain, text)
    human.remember(f"Ada says: {text}", scope=SHOP)
    assert len(told(brain, Block.NOTED)) == 1
    note(brain, "The till of the shop is in Oslo.")

    committed(brain, title)

    # What a person noted no commit of an agent ends.
    (other, persons) = sorted(told(brain, Block.NOTED), key=lambda one: "Ada" in one)
    assert "Oslo" in other
    assert text in persons


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("It broke since the version is 0.4.0 of the pump.", "Release 0.3.0"),
        ("Receipts are set by typst 0.13 on each till.", "Upgrade typst to 0.13.1"),
        ("The user wants no KaTeX in the shop.", "Remove KaTeX"),
        ("The user wants page numbers in the print.", "Print: add page numbers"),
        ("Open: metrics, the user wants them some other time.", "Fix the docs of metrics"),
        ("Issue #18 (clock drift of the tills) comes next.", "Stamp by the server clock (#19)"),
        ("Tickets are printed on the Epson.", "Replace print with log"),
        ("The user wants no tabs in the sources.", "Replace tabs with spaces"),
    ],
)
@pytest.mark.on_sqlite(but=2)
def test_what_holds_on_after_a_commit_is_told(brain, text, title):
    note(brain, text)
    committed(brain, title)

    assert any(text in one for one in told(brain, Block.NOTED))


def test_a_part_that_was_taken_out_is_over_though_another_is_turned_down_beside_it(brain):
    Session(brain, "s1").asks("Use KaTeX, and render it on our side, not in the browser.").says(
        "Done."
    )
    assert len(told(brain, Block.ASKED)) == 1

    Session(brain, "s2", day=1).asks("Remove KaTeX then.").says("KaTeX is gone.")

    assert told(brain, Block.ASKED) == []


def test_what_somebody_wants_after_all_ends_what_turned_it_down(brain, place):
    note(brain, "The user decided against a config file: flags only.", at=place.clock.at)
    note(brain, "The config file of the till holds no secrets.", at=place.clock.at)
    wanted = "We need a config file after all: the shop has eleven flags to type."
    Session(brain, "s1", day=1).asks(wanted).says("shop.toml is read.")

    assert [one.partition("agent: ")[2] for one in told(brain, Block.NOTED)] == [
        "“The config file of the till holds no secrets.”"
    ]


def test_a_ban_that_a_person_lifts_is_told_no_more(brain, place):
    for text in ("The user wants db/seeds untouched.", "The user wants db/fixtures untouched."):
        note(brain, text, always=True, at=place.clock.at)
    lifted = "Mara moved the demo data, so db/seeds can be changed again."
    Session(brain, "s1", day=1).asks(lifted).says("It is free.")

    (line,) = told(brain, Block.NOTED)
    assert "fixtures" in line


def test_what_held_until_a_day_that_passed_is_told_no_more(brain, place):
    note(brain, "Staging is frozen from Monday on: no deploys until Wednesday.")
    note(brain, "The till runs in Oslo until Wednesday, then in Bergen.")
    assert len(told(brain, Block.NOTED)) == 2

    place.clock.at += timedelta(days=9)

    (line,) = told(brain, Block.NOTED)
    assert "Bergen" in line


@pytest.mark.parametrize(
    "text",
    [
        "All 214 tests pass, lint is clean.",
        "Merge conflicts are resolved and the branch is pushed.",
        "The merge is done and pushed; go vet is clean.",
        "The work on the till is committed as 69ba36cf; 17 tests pass now.",
    ],
)
@pytest.mark.on_sqlite(but=2)
def test_how_one_run_ended_opens_no_session(brain, text):
    note(brain, text)

    assert told(brain, Block.NOTED) == []


@pytest.mark.parametrize(
    "text",
    [
        "The tests pass only with REDIS_URL set.",
        "CI is green on Windows since temporary files are numbered.",
        "The lock file is committed to the repository.",
        "The web tests needed @testing-library/svelte, which was missing; 3 web tests pass.",
    ],
)
@pytest.mark.on_sqlite(but=2)
def test_what_a_run_showed_that_holds_is_told(brain, text):
    note(brain, text)

    assert len(told(brain, Block.NOTED)) == 1


def test_what_was_to_come_on_a_day_is_told_again_once_it_came(brain, place):
    note(brain, "Rita joins on Monday and owns the frontend.")
    note(brain, "Bojan joins on Monday and owns the till.")
    note(brain, "Teo takes over the dashboard next week.")
    place.clock.at += timedelta(days=9)
    note(brain, "Rita joined and owns the frontend in web/, proxied to port 8000.")
    note(brain, "Teo has taken over the dashboard; he wants JSON lines.")

    lines = "\n".join(told(brain, Block.NOTED))
    assert "Rita joins" not in lines
    assert "Teo takes" not in lines
    assert "Rita joined" in lines
    assert "Bojan joins" in lines


def test_what_was_asked_for_once_comes_behind_what_the_user_wants(brain, place):
    note(brain, "The user wants receipts to be printed in blue.")
    place.clock.at += timedelta(days=1)
    note(brain, "The user asked for reviews of the till.")

    assert "receipts" in told(brain, Block.NOTED)[0]


@pytest.mark.parametrize(
    "ask",
    [
        # It names one run, only asks, or breaks off before it says anything.
        "CI failed, please mend the till: https://github.com/work/shop/actions/runs/27682195219",
        "If the till of the shop is closed, doesn't that mean that we use the printer of Oslo?",
        (
            "As far as I'm concerned the till of the shop in Oslo worked, not with the scale but"
            " with the lamp over the door, the belt and the bags, and later Mara and Bojan"
            " looked at the rest of it on Friday."
        ),
    ],
)
def test_an_ask_of_which_nothing_came_is_told_where_it_says_how_it_is_to_be(brain, ask):
    objects = "I don't want the till of the shop in Oslo to print receipts."
    Session(brain, "s1").asks(ask).says("I looked at it.")
    Session(brain, "s2", day=1).asks(objects).says("I looked at it.")

    lines = told(brain, Block.RECENT, Block.ASKED)
    assert any(objects in one for one in lines)
    assert not any(ask[:40] in one for one in lines)


@pytest.mark.parametrize(
    "sentence",
    [
        "Uses `refactor` type since this is code restructuring without changing functionality.",
        "The tests of `till.py` are failing because the mocks lack the methods that it needs.",
        "The only remaining dirty state is the untracked file `till.json`, which is ignored.",
        "Verified the public repository has no `till` heads since the push is filtered now.",
    ],
)
@pytest.mark.on_sqlite(but=2)
def test_what_leaves_out_its_subject_or_was_so_for_an_hour_is_not_reported(brain, sentence):
    holds = "The till accepts only one printer, since `printer.py` must never open a second queue."
    Session(brain, "s1").asks("How does the till of the shop of Oslo work?").says(
        f"{holds}\n\n{sentence}\n\nI read the files that you named."
    )

    lines = told(brain, Block.REPORTED, Block.RECENT)
    assert any(holds in one for one in lines)
    assert not any(sentence in one for one in lines)
