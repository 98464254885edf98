"""One ask with the report that ended it: read from episodes, and told once."""

from datetime import timedelta
from random import Random  # noqa: TID251 - seeded

import pytest

from tests.conftest import a_draft
from tests.fakes import START
from tilth.core.errors import NotFoundError
from tilth.core.scope import Scope
from tilth.episodes.episode import EpisodeKind, Role
from tilth.episodes.tables import Episodes
from tilth.exchanges.exchanges import SESSIONS_READ, Exchanges
from tilth.exchanges.model import Ending, Turn, doubts, is_question, is_scripted, span_at, spans_of

WORK = Scope("project:acme/api")


def said(text, role=Role.USER, *, minutes=0, session="s1", **changes):
    at = START + timedelta(minutes=minutes)
    return a_draft(text, role=role, session_id=session, occurred_at=at, scope=WORK, **changes)


def ran(command, output, *, minutes, has_failed=False):
    kind = EpisodeKind.TOOL_FAILURE if has_failed else EpisodeKind.TOOL_RESULT
    call = said(
        f'Bash: {{"command": "{command}"}}',
        Role.ASSISTANT,
        minutes=minutes,
        kind=EpisodeKind.TOOL_CALL,
    )
    return [call, said(output, Role.TOOL, minutes=minutes, kind=kind)]


def test_as_many_are_listed_as_were_asked_for(captured):
    captured.remember_many(
        said(text, role, minutes=number, session=f"s{number}")
        for number in range(SESSIONS_READ + 20)
        for text, role in (("Why?", Role.USER), ("So it is.", Role.ASSISTANT))
    )

    assert len(captured.exchanges.list(limit=SESSIONS_READ + 10)) == SESSIONS_READ + 10


@pytest.fixture
def work(captured):
    """A session of two exchanges, in the first of which something was done."""
    return captured.remember_many(
        [
            said("Why does the import of orders fail?"),
            said("Let me look.", Role.ASSISTANT, minutes=1),
            *ran("pytest tests/orders", "1 failed", minutes=2, has_failed=True),
            *ran("pytest tests/orders", "12 passed", minutes=3),
            said("The date was parsed as local time; it is UTC now.", Role.ASSISTANT, minutes=4),
            said("Are you sure?", minutes=5),
            said("No, I assumed it.", Role.ASSISTANT, minutes=6),
        ]
    )


@pytest.mark.row("KB-003")
def test_an_exchange_has_the_ask_what_was_done_and_the_last_report(brain, work):
    one = brain.exchanges.get(work[3])

    assert one.id == work[0]
    assert one.ask == "Why does the import of orders fail?"
    assert one.report == "The date was parsed as local time; it is UTC now."
    assert one.commands == ("pytest tests/orders: passed",)
    assert one.ending is Ending.REPORTED
    assert one.is_doubted


def test_what_an_import_brings_late_is_not_the_report(brain, captured, work):
    last = work[-1]
    captured.remember_many(
        [
            said("Let me look first.", Role.ASSISTANT, minutes=1),
            said("Now the second file.", Role.ASSISTANT, minutes=5.5),
        ]
    )

    one = brain.exchanges.get(last)
    assert one.report == "No, I assumed it."
    assert brain.exchanges.get(work[0]).report.startswith("The date was parsed")
    assert brain.exchanges.list(session_id="s1")[0].report == "No, I assumed it."


def test_a_clock_that_is_set_back_gives_no_report_to_another_ask(brain, captured):
    asked = captured.remember_many(
        [
            said("Which proxy stands in front of staging?", minutes=180),
            said("We decided to use Caddy.", Role.ASSISTANT, minutes=182),
            said("Caddy cannot do mutual TLS, take Traefik.", minutes=3),
            said("We decided on Traefik instead of Caddy.", Role.ASSISTANT, minutes=5),
        ]
    )
    captured.remember_many(
        [
            said("Let me look first.", Role.ASSISTANT, minutes=181),
            said("Now the configuration.", Role.ASSISTANT, minutes=4),
        ]
    )

    reports = [brain.exchanges.get(one).report for one in asked]
    assert reports[:2] == ["We decided to use Caddy."] * 2
    assert reports[2:] == ["We decided on Traefik instead of Caddy."] * 2


@pytest.mark.parametrize("seed", range(3))
def test_an_exchange_is_the_same_wherever_it_is_read_from(brain, captured, seed):
    # Read from one of its messages, the search begins there, unless a clock was set back before.
    chance, minutes, drafts = Random(seed), 0, []
    for number in range(40):
        minutes += chance.choice([1, 1, 1, 1, 0, -20 if number > 20 else 1])
        role = chance.choice([Role.USER, Role.USER, Role.ASSISTANT, Role.ASSISTANT, Role.SYSTEM])
        drafts.append(said(f"Message {number}.", role, minutes=minutes))
    messages = captured.remember_many(drafts)

    listed = {one.id: one for one in brain.exchanges.list(session_id="s1")}
    begun = sorted(messages.index(one) for one in listed)
    for number, one in enumerate(messages[begun[0] :], begun[0]):
        ask = messages[max(at for at in begun if at <= number)]
        assert brain.exchanges.get(one) == listed[ask]


def test_exchanges_are_listed_the_newest_first_and_by_session(brain, work):
    asks = [one.ask for one in brain.exchanges.list(scope=WORK)]

    assert asks == ["Are you sure?", "Why does the import of orders fail?"]
    assert [one.ask for one in brain.exchanges.list(session_id="s1")] == asks
    assert brain.exchanges.list(scope="project:other") == []


def test_a_session_that_is_taken_up_again_brings_its_old_asks_before_no_newer_ones(brain, captured):
    def worked(ask, session, minutes):
        return [
            said(ask, minutes=minutes, session=session),
            said(f"Done: {ask}", Role.ASSISTANT, minutes=minutes + 1, session=session),
        ]

    # s1 waits while s2 works, and is resumed a week later.
    captured.remember_many([*worked("Add the queue.", "s1", 0), *worked("Name it.", "s1", 10)])
    captured.remember_many(worked("Test the queue.", "s2", 60))
    captured.remember_many(worked("Ship the queue.", "s1", 7 * 24 * 60))

    asks = [one.ask for one in brain.exchanges.list(scope=WORK)]

    assert asks == ["Ship the queue.", "Test the queue.", "Name it.", "Add the queue."]
    assert [one.ask for one in brain.exchanges.list(scope=WORK, limit=2)] == asks[:2]


def test_of_sessions_that_go_on_at_once_no_more_is_read_than_is_told(brain, captured):
    begun = [(f"s{number}", 10 * number) for number in range(20)]
    captured.remember_many(
        [said(f"Mend part {at}.", minutes=at, session=session) for session, at in begun]
    )
    captured.remember_many(
        [
            said(f"Mended part {at}.", Role.ASSISTANT, minutes=300 + at, session=session)
            for session, at in begun
        ]
    )
    read = []
    with brain.parts.store.read() as view:
        within = brain.parts.within(WORK)

        def episodes(seqs):
            read.extend(seqs)
            return Episodes(view).at(sorted(seqs), within)

        found = Exchanges(view, within, episodes).last(limit=2)

    assert [one.report for one in found] == ["Mended part 190.", "Mended part 180."]
    assert len(read) == 4


def test_a_session_of_very_many_exchanges_is_read_whole(brain, captured):
    captured.remember_many(
        [
            said(text, role, minutes=number)
            for number in range(510)
            for text, role in ((f"Mend {number}.", Role.USER), (f"Did {number}.", Role.ASSISTANT))
        ]
    )
    assert len(brain.exchanges.list(session_id="s1", limit=1000)) == 510


def test_what_belongs_to_no_exchange_is_said_to(brain):
    alone = brain.remember("The kettle is on.", role="assistant", session_id="s9")

    with pytest.raises(NotFoundError, match="belongs to no exchange"):
        brain.exchanges.get(alone)


def test_recall_tells_an_exchange_once_with_the_answer_in_front(brain, work):
    hits = brain.recall("why does the import of orders fail", scope=WORK).hits

    told = [hit for hit in hits if hit.exchange and hit.exchange.id == work[0]]
    assert len(told) == 1
    assert told[0].text == "The date was parsed as local time; it is UTC now."
    assert told[0].exchange.asked == "Why does the import of orders fail?"
    assert told[0].exchange.commands == ("pytest tests/orders: passed",)


def test_an_exchange_is_told_once_however_far_down_its_parts_stand(brain, captured, work):
    steps = [
        said(f"Step {step} of the import of orders failed too.", Role.ASSISTANT, minutes=20 + step)
        for step in range(8)
    ]
    captured.remember_many([said("Import orders once more.", minutes=19), *steps])

    hits = brain.recall("step of the import of orders failed", scope=WORK, limit=2).hits

    told = [hit.exchange.id for hit in hits if hit.exchange]
    assert told
    assert len(told) == len(set(told))


def test_single_episodes_are_found_where_they_are_asked_for(brain, work):
    hits = brain.recall("orders", kinds=[EpisodeKind.TOOL_CALL], scope=WORK).hits

    assert [hit.exchange for hit in hits] == [None, None]


def test_what_is_said_while_nothing_is_answered_adds_to_the_ask():
    turns = [
        Turn(1, 1, Role.ASSISTANT),
        Turn(2, 2, Role.USER),
        Turn(3, 3, Role.USER),
        Turn(5, 5, Role.ASSISTANT),
        Turn(9, 9, Role.ASSISTANT),
        Turn(10, 10, Role.USER),
    ]

    first, second = spans_of(7, turns)

    assert (first.asks, first.report, first.last, first.after) == ((2, 3), 9, 9, 10)
    assert (second.asks, second.report, second.before) == ((10,), None, 9)
    assert span_at([first, second], 7) is first
    assert span_at([first, second], 99) is second
    assert span_at([first, second], 1) is None


@pytest.mark.parametrize("text", ["Why?", "what do we use", "Is it up? Or down?"])
def test_what_only_asks_is_a_question(text):
    assert is_question(text)


@pytest.mark.parametrize("text", ["We use Redis. Why?", "Use Redis.", "what a day\nwe use Redis"])
def test_what_tells_something_is_none(text):
    assert not is_question(text)


def test_a_doubt_is_told_from_a_go_ahead():
    assert doubts("are you sure?")
    assert doubts("No, that's the wrong file")
    assert doubts("it still fails in CI")
    assert not doubts("great, commit it")


@pytest.mark.parametrize(
    ("ask", "is_doubted"),
    [
        ("There are two errors in the tests of orders.", True),
        ("Now we have 3 errors:\n\n FAIL  src/orders.test.js > dates", True),
        ("Traceback (most recent call last):\n  File orders.py", True),
        ("FAILED tests/orders.py::test_dates", True),
        ("that did not really fix it", True),
        ("This is not working on my phone.", True),
        ("same damn error: orders.js:12 items is not defined", True),
        ("the error persists", True),
        ("Say \u201cConnection failed. If the problem persists, call us\u201d there.", False),
        ("Write the same error text on both pages.", False),
        ("Error handling should go through one function.", False),
        ("Show a message when an import of orders fails.", False),
    ],
)
def test_what_fails_all_the_same_doubts_the_report_before_it(ask, is_doubted):
    assert doubts(ask) is is_doubted


@pytest.mark.parametrize(
    ("ask", "is_programs"),
    [
        ("[[ ## user_query ## ]]\n@[System]: Respond with exactly PASS. No punctuation.", True),
        ("<|im_start|>user\nSay something.", True),
        ('Reply with only "OK".', True),
        ("Answer with exactly one word: YES", True),
        ("You write titles.\nRespond with only the JSON object, no prose.\n- Be short.", True),
        ("Name the branch. Reply ONLY with valid JSON.", True),
        ("Respond with JSON from the new endpoint, and only for admins.", False),
        ("The endpoint should return only JSON.", False),
        ("Return only the rows that changed from `list_rows`.", False),
        ("Why does `[[ ## x ## ]]` stand in our prompts?", False),
        ("just say what is wrong", False),
        # A command of a host is filled in; a plan that somebody hands over has a word before it.
        (f"## Context\n\n- Current git status: On branch dev\n{'M x.py ' * 90}", True),
        (f"/pr-review 12\n\n## Context\n\n- state:\tOPEN\n{'M x.py ' * 90}", True),
        (f"Implement the following plan:\n\n# Plan: one log\n\n{'Move it. ' * 80}", False),
        ("## Why\n\nThe log is lost.", False),
    ],
)
def test_a_programs_prompt_is_known_by_its_form(ask, is_programs):
    assert is_scripted(ask) is is_programs


def test_exchanges_that_are_read_together_are_as_each_is_alone(brain, captured):
    asks = []
    for number in range(6):
        at = 20 * number
        made = captured.remember_many(
            [
                said(f"Mend the import of the part {number}.", minutes=at),
                *ran(f"pytest tests/part{number}", "1 failed", minutes=at + 1, has_failed=True),
                said(f"The part {number} is not mended yet.", Role.ASSISTANT, minutes=at + 2),
                *ran(f"pytest tests/part{number - 1}", "1 passed", minutes=at + 3),
            ]
        )
        asks.append(made[0])

    together = brain.exchanges.list(session_id="s1")

    assert [one.id for one in together] == asks[::-1]
    assert together[0].commands == ("pytest tests/part5: failed",)
    assert together[1].commands[0] == "pytest tests/part4: failed, passed later"
    assert together == [brain.exchanges.get(one) for one in asks[::-1]]


def test_an_outcome_that_comes_after_the_report_ends_the_command_all_the_same(captured):
    call, outcome = ran("pytest tests/orders", "1 failed", minutes=3, has_failed=True)
    captured.remember_many(
        [
            said("Run the tests of the import."),
            call,
            said("They run in the background.", Role.ASSISTANT, minutes=3),
            outcome,
        ]
    )

    (exchange,) = captured.exchanges.list()

    assert exchange.commands == ("pytest tests/orders: failed",)
