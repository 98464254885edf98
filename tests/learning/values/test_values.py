"""Values in force: what sentences state them, of what, and which state none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.effort import at_most, tried
from tests.learning.turns import a_turn, triples
from tilth.episodes.episode import EpisodeKind, Role
from tilth.learning.candidate import StatementKind
from tilth.learning.values.values import values

STATED = [
    ("The API listens on 8443.", ("API", "port", "8443")),
    ("Grafana is on port 3000", ("Grafana", "port", "3000")),
    ("staging DB is at db2.internal:5433", ("staging DB", "located_in", "db2.internal:5433")),
    ("The prod box is 10.0.3.17", ("prod box", "ip_address", "10.0.3.17")),
    ("The docs live at https://docs.acme.dev/x.", ("docs", "located_in", "https://docs.acme.dev/x")),
    ("logs go to /var/log/acme", ("logs", "located_in", "/var/log/acme")),
    ("we're on Python 3.12", ("tilth", "uses", "Python 3.12")),
    ("The version of the SDK is 4.2.1", ("SDK", "current_version", "4.2.1")),
    ("The gateway timeout is 30s.", ("gateway timeout", "set_to", "30s")),
    ("max_connections is set to 200", ("max_connections", "set_to", "200")),
    ("our budget is $5,000 a month", ("budget", "set_to", "$5,000 a month")),
    ("The nightly backup runs at 02:00 UTC", ("nightly backup", "scheduled_for", "02:00 UTC")),
    ("The launch is on March 3.", ("launch", "scheduled_for", "March 3")),
    ("my own quota is 40 GB", ("user's own quota", "set_to", "40 GB")),
    ("the new gateway is on 1.24.2", ("gateway", "current_version", "1.24.2")),
    ("The room is garden-west2", ("room", "set_to", "garden-west2")),
    ("Our CI runs on GitHub Actions.", ("CI", "hosted_on", "GitHub Actions")),
    ("The worker depends on Redis 7", ("worker", "depends_on", "Redis 7")),
    ("we use pnpm for everything here", ("tilth", "uses", "pnpm")),
    ("FYI the rate limit is 100 req/s", ("rate limit", "set_to", "100 req/s")),
    ("From now on the API listens on 4200.", ("API", "port", "4200")),
    ("the db is on 5433, can you try again?", ("db", "port", "5433")),
    ("Remember that the vpn is vpn.acme.io:1194", ("vpn", "located_in", "vpn.acme.io:1194")),
]  # fmt: skip
# What says from when something holds, and no more, stands before it with a comma or without.
SINCE = [
    "From now on",
    "As of today",
    "As of now",
    "As from today",
    "From today on",
    "Since yesterday",
    "Since last week",
    "Since 3 November",
    "Starting today",
    "Starting now",
    "Effective immediately",
    "Going forward",
    "In future",
    "In the future",
    "Henceforth",
    "Today",
    "At the moment",
    "Right now",
    "For the record",
]
LATER = [
    "From next month",
    "From next month on",
    "From Monday",
    "From Monday on",
    "Starting Monday",
    "Starting next week",
    "Beginning tomorrow",
    "Effective 1 December",
    "As of 2027-01-01",
    "As from December",
]
UNSTATED = [
    "Could the API listen on 8443?",
    "Is staging at db2.internal:5433?",
    "if the timeout is 30s we lose requests",
    "If we move, the port is 8443",
    "We could use Redis for this.",
    "Maybe the port is 8443",
    "The API does not listen on 8443.",
    "The API used to listen on 8443.",
    "What about PostgreSQL 16?",
    "This is fine.",
    "It is on port 9000.",
    "There are 3 failing tests.",
    "The function returns 3 values.",
    "thanks, that works!",
    "```\nthe API listens on 8443\n```",
    "> the API listens on 8443",
    "<system-reminder>The API listens on 8443.</system-reminder>",
    "2026-01-02 10:00:00 INFO server listens on 8443",
]


# What the words say, a triple would not.
UNJOINED = [
    "We deploy on Thursdays",
    "The greenhouse is the old dairy",
    "Their limit is 40 GB",
    "the lake house is a fritz.box router behind a bridge",
    "The dialog is a v3 change",
    "Main is closed until the review is over",
    "The capital of Peru is Lima",
    "Our tariff tops out at 75 EUR",
    "Nora needs a lift on Sundays",
    "The new reader is six times faster than the old",
    "My pressure is 140 over 90",
]


@pytest.mark.parametrize("text", UNJOINED)
def test_what_no_predicate_joins_as_the_words_do_has_no_triple(text):
    assert triples(values, text) == []


@pytest.mark.row("DU-022")
@pytest.mark.parametrize(("text", "triple"), STATED)
def test_a_value_in_force_is_a_triple(text, triple):
    assert triples(values, text) == [triple]


@pytest.mark.row("DU-022")
@pytest.mark.parametrize("text", UNSTATED)
def test_what_asks_guesses_denies_points_or_is_pasted_states_no_value(text):
    assert list(values(a_turn(text))) == []


@pytest.mark.parametrize("comma", ["", ","])
@pytest.mark.parametrize("since", SINCE)
def test_since_when_it_holds_is_no_part_of_what_a_value_is_of(since, comma):
    assert triples(values, f"{since}{comma} the API port is 4400") == [("API", "port", "4400")]
    assert triples(values, f"{since}{comma} we use pnpm") == [("tilth", "uses", "pnpm")]


@pytest.mark.parametrize("comma", ["", ","])
@pytest.mark.parametrize("later", LATER)
@pytest.mark.parametrize("claim", ["the API port is 4400", "the API listens on port 4400"])
def test_what_begins_later_is_a_plan_and_no_value_in_force(later, comma, claim):
    assert triples(values, f"{later}{comma} {claim}") == []
    assert triples(values, f"Heads up: {later.lower()}{comma} {claim}") == []


@pytest.mark.parametrize(
    "text",
    ["From next month the API port will be 4400", "From now on the API port should be 4400?"],
)
def test_what_is_planned_or_asked_states_no_value(text):
    assert triples(values, text) == []


def test_two_values_in_one_breath_are_two_facts_in_their_own_words():
    text = "my salary expectation is 78k, and the gate listens on 9443"

    assert [one.quote for one in values(a_turn(text))] == [
        "my salary expectation is 78k",
        "the gate listens on 9443",
    ]


def test_what_an_agent_only_confirms_was_stated_before():
    said = "The limit is 512 MB now."

    assert triples(values, said, role=Role.ASSISTANT, before="how much is it?")
    assert not triples(values, said, role=Role.ASSISTANT, before="make it 512 then")


def test_a_question_after_a_value_is_no_part_of_it():
    (found,) = values(a_turn("the db is on 5433, can you try again?"))

    assert found.quote == "the db is on 5433"
    assert list(values(a_turn("the db is on 5433, right?"))) == []


@pytest.mark.row("DU-054")
def test_a_value_is_a_fact():
    (found,) = values(a_turn("The API listens on 8443."))

    assert found.kind is StatementKind.FACT


def test_an_agent_states_where_things_are_and_not_what_they_use():
    assert triples(values, "The API listens on 8443.", role=Role.ASSISTANT)
    assert triples(values, "The relay requires Redis 7.", role=Role.USER)
    assert not triples(values, "The relay requires Redis 7.", role=Role.ASSISTANT)


@pytest.mark.parametrize(
    ("role", "kind"),
    [(Role.TOOL, EpisodeKind.TOOL_RESULT), (Role.SYSTEM, EpisodeKind.MESSAGE)],
)
def test_tools_and_programs_state_no_values(role, kind):
    assert list(values(a_turn("The API listens on 8443.", role=role, kind=kind))) == []


WORDS = ["the", "API", "is", "on", "port", "8443", "at", "db:5432", ",", ".", "and", "uses", "`x`",
         "not", "?", "every", "Monday", "\n", "10.0.0.1", "https://a.b", "if", "v1.2", "30", "s",
         "listens", "$5", "\u2014", "\u2019s", "née", "\u200b"]  # fmt: skip


@tried(200)
@given(st.lists(st.sampled_from(WORDS), max_size=30).map(" ".join) | st.text(max_size=200))
def test_no_text_is_too_strange_and_every_quote_is_verbatim(text):
    if text.strip():
        for found in values(a_turn(f"so: {text}")):
            assert found.quote in f"so: {text}"


@pytest.mark.parametrize(
    "text",
    [
        "the api is " + "a" * 100_000,
        "the api is at " + "a." * 50_000,
        "the api is at " + "a/" * 50_000,
        "is " * 33_000,
        "1:" * 50_000,
        "the x is 1 " * 9_000,
        "`" * 100_000,
    ],
)
def test_hostile_texts_take_linear_time(text):
    with at_most(seconds=2):
        list(values(a_turn(text)))
