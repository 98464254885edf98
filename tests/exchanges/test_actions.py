"""The last word in a session wins: a fix ends a finding, a revert voids, a kept promise closes."""

import pytest

from tests.practice.sessions import SHOP, Session
from tilth.context.model import BriefRequest

REPORT = "The basket keeps its items for thirty days, since its cookie is signed."
ASK = "Please keep the items of the basket for thirty days."


def changed(brain, *, is_committed=False):
    session = Session(brain, "s1").asks(ASK).edited("src/shop/basket.py")
    if is_committed:
        session.ran("git commit -am 'Keep the basket for thirty days'", "[main 1] Keep the basket")
    return session.says(REPORT)


def first(brain):
    return next(one for one in brain.exchanges.list(scope=SHOP) if one.ask == ASK)


def told(brain):
    return brain.brief(BriefRequest(via="test"), scope=SHOP).text


def beside(brain, prompt):
    return brain.brief(BriefRequest(question=prompt, via="test"), scope=SHOP).text


@pytest.mark.parametrize(
    ("is_committed", "line"),
    [
        (False, "git checkout -- src/shop/basket.py"),
        (False, "git restore src/shop/basket.py"),
        (False, "cd shop && git checkout -- ."),
        (False, "git reset --hard HEAD"),
        (True, "git revert --no-edit HEAD"),
        (True, "git reset --hard HEAD~1"),
    ],
)
@pytest.mark.on_sqlite(but=2)
def test_what_was_taken_back_is_told_to_nobody_unasked_and_says_so_where_it_is_found(
    brain, is_committed, line
):
    session = changed(brain, is_committed=is_committed)
    question = "how many days does the signed cookie of the basket keep its items"
    assert REPORT[:40] in told(brain)
    assert REPORT[:40] in beside(brain, question)

    session.asks("We do not want that in this release.").ran(line, "HEAD is now at 1").says("Gone.")

    assert first(brain).is_taken_back
    assert REPORT[:40] not in told(brain)
    assert REPORT[:40] not in beside(brain, question)
    ours = first(brain).id
    found = [hit.exchange for hit in brain.recall(question, scope=SHOP).hits]
    cards = [card for card in found if card is not None and card.id == ours]
    assert cards
    assert all(card.is_taken_back for card in cards)


@pytest.mark.parametrize(
    ("is_committed", "lines"),
    [
        (False, ["git checkout -- src/shop/other.py"]),
        (False, ["git checkout main"]),
        (False, ["git restore --staged src/shop/basket.py"]),
        (False, ["git commit -am 'Keep it'", "git reset --hard HEAD"]),
        (True, ["git checkout -- src/shop/basket.py"]),
        (True, ["git reset --hard origin/main"]),
        (True, ["git commit -am 'Another thing'", "git revert --no-edit HEAD"]),
        (True, ["git log HEAD~1"]),
    ],
)
@pytest.mark.on_sqlite(but=2)
def test_what_only_looks_like_it_takes_nothing_back(brain, is_committed, lines):
    session = changed(brain, is_committed=is_committed).asks("Go on, please.")
    for line in lines:
        session.ran(line, "done")
    session.says("So it is.")

    assert not first(brain).is_taken_back
    assert REPORT[:40] in told(brain)


def test_a_command_that_takes_back_and_fails_takes_nothing_back(brain):
    session = changed(brain).asks("Undo it.")
    session.ran("git checkout -- src/shop/basket.py", "error: pathspec", failed=True).says("Hm.")

    assert not first(brain).is_taken_back


def test_a_finding_is_over_once_the_same_command_came_through(brain):
    session = Session(brain, "s1").asks(ASK).ran("make test", "1 failed", failed=True)
    session.says("One test fails, because the clock of the basket is local.")
    assert first(brain).commands == ("make test: failed",)

    session.asks("Mend it.").edited("src/shop/clock.py").ran("make test", "14 passed").says("Done.")

    assert first(brain).commands == ("make test: failed, passed later",)


def test_another_session_takes_nothing_back(brain):
    changed(brain)
    Session(brain, "s2", day=1).asks("Clean up.").ran("git reset --hard HEAD", "done").says("Yes.")

    assert not first(brain).is_taken_back


def test_what_was_put_off_is_open_until_a_commit_does_it(brain):
    later = "We still need to investigate why the import of orders in `queue.py` has no retry."
    Session(brain, "s1").asks(later).says("I noted it.")
    brain.distil(is_asked=True)
    assert "import of orders in" in told(brain).partition("Asked lately")[0]

    session = Session(brain, "s2", day=1).asks("Now do the import.")
    session.ran(
        "git commit -am 'Investigate the import of orders in queue.py, and retry'",
        "[main 2] Import",
    )
    session.says("It is committed.")

    assert "import of orders in" not in told(brain).partition("Asked lately")[0]


FINDING = "It fails because `make e2e` needs port 80, and `TestOrders` is wrong about it."


@pytest.mark.parametrize(
    ("runs", "is_told"),
    [
        ([], True),
        ([("make e2e", "ok", False)], False),
        ([("go test -run TestOrders ./...", "ok", False)], False),
        ([("make lint", "ok", False), ("make e2e-fast", "ok", False)], True),
        ([("make e2e", "exit code 2", True)], True),
        ([("make e2e", "ok", False), ("make e2e", "exit code 2", True)], True),
    ],
    ids=["nothing ran", "the command", "the test", "others", "it fails", "it fails again"],
)
@pytest.mark.on_sqlite(but=2)
def test_a_finding_ends_once_what_it_names_came_through_in_its_project(brain, runs, is_told):
    Session(brain, "s1").asks("Why does the suite fail?").says(FINDING)
    session = Session(brain, "s2", day=1).asks("Run it.")
    for line, output, failed in runs:
        session.ran(line, output, failed=failed)
    session.says("So it is.")

    assert (FINDING[:30] in told(brain)) is is_told


def test_a_finding_does_not_end_by_what_ran_in_another_project(brain):
    Session(brain, "s1").asks("Why does the suite fail?").says(FINDING)
    elsewhere = Session(brain, "s2", day=1, scope="project:work/other").asks("Run it.")
    elsewhere.ran("make e2e", "ok").says("So it is.")

    assert FINDING[:30] in told(brain)
