"""What people and agents settle, want, promise, put off and state in so many words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.learning.voices import a_turn, read, the_one
from tilth.episodes.episode import EpisodeKind, Role
from tilth.knowledge.facts.statement import Statement
from tilth.learning.candidate import Candidate, Turn
from tilth.learning.spoken.plain_statements import speech

DECISIONS = (
    "let's go with Postgres for the queue",
    "ok then let's use pnpm",
    "We decided to drop Internet Explorer",
    "we've agreed on 12k for the whole project",
    "The board decided against the merger.",
    "I'm switching to the staging cluster for this",
    "agreed: no deploys on Fridays",
    "Final decision: we ship without the dashboard.",
    "Decision: Postgres stays.",
    "We chose B-tree over skip list for the new index",
    "going with option B",
    "Postgres it is",
    "we're moving to GitLab next year",
    "we won't support Windows 7",
    "payment is decided, Paylark",
    "max 3 retries",
)
PREFERENCES = (
    "I prefer short answers",
    "I'd rather have tabs",
    "always use British spelling in the docs",
    "please never push to main",
    "don't ever reformat files that I didn't ask about",
    "dont use emojis in commits",
    "I hate when tests depend on the clock",
    "Marina likes her reports on Mondays",
    "Karis told me she'd rather have bullet points",
    "from now on write the changelog in English",
    "keep the diffs minimal",
    "call me Gunilla",
    "stop adding comments to every line",
    "In general with customers: first name only if they sign with it",
    "you don't need to explain every step",
    "no meetings on fridays",
    "my favourite editor is helix",
    "make sure to never commit the .env file",
    "it really annoys me when you amend commits",
    "mornings work best for me",
    "tabs over spaces please",
    "the API should never return null",
)
COMMITMENTS = (
    ("I'll send you the contract tonight", "2026-03-11"),
    ("I will have it ready by Tuesday", "2026-03-17"),
    ("I'll bring the scores back next tuesday then", "2026-03-17"),
    ("Nadia promised the logo for next week", "2026-03-20"),
    ("Ewa from legal will tell us by the end of the month", "2026-03-31"),
    ("I'm committing to fixing the import before month-end", "2026-03-31"),
    ("Promised Doreth I'd email her the schedule by Friday", "2026-03-13"),
    ("you will have the letter from me by the 27th", "2026-03-27"),
    ("postmortem is due friday", "2026-03-13"),
)
DEFERRALS = (
    "let's park the search for now",
    "let's leave the redesign for v2",
    "we'll do the mobile version later",
    "punt on the metrics until after the release",
    "the other two can wait till the school holidays start",
    "the redesign is postponed to autumn",
    "let's revisit pricing next quarter",
    "put it on the backlog",
    "the billing page is on hold until March",
    "internationalisation is out of scope",
    "it's not a priority for this release",
)
GOALS = (
    "eventually we want to move to Postgres",
    "the goal is to be profitable by 2028",
    "our aim is zero downtime",
    "I want to hand in the thesis before the summer",
    "we want to open in Lyon next year",
    "we need a second reviewer so that releases don't depend on me",
    "I want at-most-once per recipient",
)
GAPS = (
    "it's still unclear who pays the invoice",
    "I wish you could read PDFs",
    "there is no way to undo an import",
    "it still can't export to csv",
    "we still have no monitoring for the cron jobs",
    "there's no documentation for the import format",
    "nobody knows the root password",
    "it would be nice to search by date",
    "nothing tells me when a renewal fails",
)
OPINIONS = (
    "I think Vue is easier to teach than React",
    "my take: the new layout is worse than the old one",
    "honestly, the field has overrated this",
    "in my view we pay too much for hosting",
    "the second take is the better one imo",
)
ANNOUNCED = (
    "just confirmed: the server room is at 19°C",
    "turns out the sensor reports fahrenheit",
    "FYI the office is closed on friday",
    "note that prices are in cents",
    "for the record: the vote was on a Tuesday",
    "remember that the demo account is read-only",
    "Quick fact for the file: the diligence period is 30 days",
)
STATED = (
    "Tomasz owns the billing service now",
    "we deploy from the release branch",
    "our linter is ruff",
    "Piet is in Japan till november",
    "grandma lives in Salerno",
    "the key is under the flower pot",
    "firmware 1.14 on the inverter",
    "my daughter Lena starts school in September",
    "we're in Leeds",
)
NOTHING = (
    "thanks, that works!",
    "can you run the tests again?",
    "could we use Redis for that?",
    "if we had more time we'd rewrite it in Rust",
    "what if the cache is cold?",
    "suppose the user prefers tabs",
    "maybe Postgres would be better",
    "please fix the failing test",
    "add a test for the empty case",
    "it doesn't work",
    "I think so",
    "never mind",
    "ok, I'm going for lunch",
    "sounds good, let's talk later",
    "let's say the port is 80",
    "that's great!",
    "good morning everybody",
    "I'm getting a 500 now",
    "have we decided on Postgres?",
    "did you say you prefer tabs?",
    "> we decided to use Postgres",
    "```\nwe decided to use Postgres\n```",
    '"we decided to use Postgres and stay there"',
)
OF_AN_AGENT = (
    "I'll read the file now.",
    "Let me check the logs.",
    "Now I'll update the config.",
    "I could also add a cache if you like.",
    "Should I go ahead?",
    "I think the issue is in the parser.",
    "This function returns None when the list is empty.",
    "Never run this in production without a backup.",
    "Great question!",
    "There are several ways to do this.",
)


@pytest.mark.row("DU-054")
@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (kind, text)
        for kind, texts in (
            ("decision", DECISIONS),
            ("preference", PREFERENCES),
            ("commitment", [text for text, _ in COMMITMENTS]),
            ("deferral", DEFERRALS),
            ("goal", GOALS),
            ("gap", GAPS),
            ("opinion", OPINIONS),
            ("fact", ANNOUNCED),
            ("fact", STATED),
        )
        for text in texts
    ],
)
def test_each_kind_is_known_by_how_it_is_said(kind, text):
    found = read(text)
    assert kind in [str(one.kind) for one in found]
    assert all(one.quote in text for one in found)


@pytest.mark.row("DU-054")
@pytest.mark.parametrize("text", NOTHING)
def test_what_states_nothing_is_left_alone(text):
    assert not read(text)


@pytest.mark.row("DU-054")
@pytest.mark.parametrize("text", OF_AN_AGENT)
def test_what_an_agent_is_about_to_do_is_no_statement(text):
    assert not read(text, role=Role.ASSISTANT)


@pytest.mark.row("DU-055")
@pytest.mark.parametrize(("text", "day"), COMMITMENTS)
def test_a_promise_has_its_deadline(text, day):
    found = the_one(text)
    assert found.due is not None
    assert found.due.date().isoformat() == day


def test_an_agent_settles_with_less_weight_than_a_person():
    text = "We decided to use Postgres."
    assert the_one(text).confidence > the_one(text, role=Role.ASSISTANT).confidence


def test_what_somebody_says_of_themselves_is_told_with_their_name():
    found = the_one("I prefer my tests small when I run them.", speaker="Marina")
    assert found.said.text == "Marina prefers Marina's tests small when Marina runs them."


def test_who_has_no_name_is_the_user():
    found = the_one("I prefer dark mode")
    assert found.said.text == "The user prefers dark mode"


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I'm not a fan of microservices", "Ana is not a fan of microservices"),
        ("I never push on Fridays", "Ana never pushes on Fridays"),
        ("I don't like popups", "Ana doesn't like popups"),
        ("we decided that I write the docs", "We decided that Ana writes the docs"),
        ("I prefer `my_theme` over the default", "Ana prefers `my_theme` over the default"),
        ("For the audit I need every invoice", "For the audit Ana needs every invoice"),
    ],
)
def test_the_first_person_becomes_the_third(said, told):
    assert the_one(said, speaker="Ana").said.text == told


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("the boiler leaks btw, since Monday", "The boiler leaks, since Monday"),
        ("haha the boiler is from 1987 lol", "The boiler is from 1987"),
        ("Marta's cat is called Bruno :) 😂", "Marta's cat is called Bruno"),
        ("im from Ghent, by the way", "Ana is from Ghent"),
    ],
)
def test_what_is_thrown_in_is_left_out(said, told):
    assert the_one(said, speaker="Ana").said.text == told


def test_what_is_put_off_is_due_when_its_sentence_says():
    found = read("let's postpone the roof, we look at it again on the 20th")[0]
    assert str(found.kind) == "deferral"
    assert found.due is not None
    assert found.due.isoformat()[:10] == "2026-03-20"


def test_an_answer_is_told_after_the_question_in_a_sentence_of_its_own():
    found = the_one("rye bread", after="who brings what on Saturday")
    assert found.said.text == "Who brings what on Saturday? Rye bread"


def test_a_sentence_that_says_what_it_is_stays_whole():
    found = the_one("Decision: we move to Bergen in May, stop at 17:00, and Ola drives the van.")
    assert found.said.text.endswith("stop at 17:00, and Ola drives the van.")


def test_a_list_without_verbs_stays_whole():
    found = the_one("3 pears, 4 plums, 12 figs", after="What shall I order?")
    assert found.said.text == "What shall the assistant order? 3 pears, 4 plums, 12 figs"


def test_a_clause_beside_one_that_states_something_is_told_too():
    text = "we've got 40 hives, and the fence keeps the badgers out"
    told = " ".join(found.said.text for found in read(text))
    assert "40 hives" in told
    assert "keeps the badgers out" in told


def test_a_statement_begins_where_it_says_something_and_is_quoted_word_for_word():
    found = the_one("ok cool, thanks! btw we **decided** to use uv, since it is faster")
    assert found.quote == "we **decided** to use uv, since it is faster"
    assert found.said.text == "We decided to use uv, since it is faster"


def test_one_breath_may_state_several_things():
    text = "tuva is the old dell, it has 32 GB of ram, and don't put the llm there"
    found = read(text)
    assert [str(one.kind) for one in found] == ["fact", "preference"]
    assert "32 GB" in found[0].said.text
    assert found[1].quote == "don't put the llm there"


@pytest.mark.parametrize(
    ("asked", "answered", "kind", "told"),
    [
        ("What page size?", "5000 rows", "decision", "What page size? 5000 rows"),
        ("Which port shall it have?", "8081", "decision", "Which port shall it have? 8081"),
        ("Who reviews it?", "Tobias", "fact", "Who reviews it? Tobias"),
        ("Rest or grpc?", "grpc", "decision", "Rest or grpc? Grpc"),
        ("Shall I prepare that?", "some other day", "deferral", None),
    ],
)
def test_a_few_words_are_told_with_the_question_that_they_answer(asked, answered, kind, told):
    found = the_one(answered, after=asked)
    assert (str(found.kind), found.quote) == (kind, answered)
    assert told is None or found.said.text == told


@pytest.mark.parametrize("answered", ["yes", "ok", "up to you", "I don't know", "both", "go ahead"])
def test_an_answer_that_says_nothing_is_none(answered):
    assert not read(answered, after="Which one shall I take?")


def test_what_only_points_is_told_with_what_it_points_at():
    found = read("Solveig mixes it. She's got the studio in Groningen.")[-1]
    assert found.quote == "She's got the studio in Groningen."
    assert found.said.text == "Solveig mixes it. She's got the studio in Groningen."


def test_what_a_tool_puts_out_is_not_said_by_anybody():
    turn = a_turn("We decided to use Postgres.", role=Role.TOOL)
    assert not list(speech(turn))


def test_a_document_is_not_said_by_anybody():
    turn = a_turn("We decided to use Postgres.")
    told = type(turn.episode)(
        **{name: getattr(turn.episode, name) for name in turn.episode.__slots__}
        | {"kind": EpisodeKind.DOCUMENT}
    )
    assert not list(speech(Turn(told)))


PHRASES = st.sampled_from(
    [
        *("no, ", "actually ", "it's ", "5433", "not 5432", "I ", "we ", "decided ", "to ", "by "),
        *(
            "Friday",
            "the port ",
            "is ",
            "and ",
            ", ",
            ". ",
            "? ",
            ": ",
            "\n",
            '"',
            "`",
            "**",
            "I'll ",
        ),
        *("never ", "prefer ", "Marina ", "let's ", "use ", "- ", "<system-reminder>", "> ", "```"),
    ]
)


@given(
    st.lists(PHRASES, min_size=1, max_size=30).map("".join).filter(str.strip),
    st.lists(PHRASES, max_size=10).map("".join),
    st.sampled_from([Role.USER, Role.ASSISTANT]),
)
def test_whatever_is_said_is_quoted_as_it_stands_and_never_fails(text, before, role):
    before = before if before.strip() else "Well?"
    for found in speech(a_turn(text, after=before, role=role)):
        assert isinstance(found, Candidate)
        assert isinstance(found.said, Statement)
        assert found.quote
        assert found.quote in text
        assert 0 < found.confidence < 1
