"""`tilth conversation`."""

import pytest

from tilth.core.actor import Actor, ActorKind
from tilth.interfaces.cli import invocation

_NO, _INVALID, _NOT_FOUND, _CONFLICT = 1, 2, 3, 4


@pytest.fixture
def as_human(monkeypatch):
    """Let a person sit at the terminal."""
    human = Actor("human", ActorKind.HUMAN)
    monkeypatch.setattr(invocation, "caller", lambda *_, **__: human)


@pytest.fixture
def talk(ready):
    ready("entity", "add", "Ada", "--type", "person")
    words = ("conversation", "create", "Ada", "email", "--address", "Ada+x@Example.org", "--json")
    return ready(*words).answer["conversation"]["id"]


@pytest.mark.row("EM-008")
def test_a_conversation_lives_at_the_command_line(ready, talk):
    assert (
        "open already"
        in ready("conversation", "create", "Ada", "email", "--address", "ada@example.org").err
    )
    for text in ("We decided on pumps.", "Please call Bob\nby Friday."):
        assert ready("conversation", "add", talk, text).code == 0
    run = ready("conversation", "archive", talk)
    assert "summarised 2 messages" in run.err
    assert (
        ready("conversation", "list", "--status", "idle", "--json").answer["conversations"][0]["id"]
        == talk
    )
    assert "  Ada  idle  email" in ready("conversation", "list").out
    assert "active" in ready("conversation", "resume", talk).out
    assert "closed" in ready("conversation", "close", talk).out
    assert ready("conversation", "add", talk, "hello").code == _CONFLICT
    assert ready("conversation", "close", "cnv_" + "0" * 26).code == _NOT_FOUND
    assert ready("conversation", "close", "nonsense").code == _NOT_FOUND
    assert ready("conversation", "begin").code == _INVALID


def test_a_person_who_is_not_known_is_told_how_to_be_recorded(ready):
    assert "tilth entity add NAME" in ready("conversation", "create", "Zoe", "email").err


@pytest.mark.row("EM-009")
def test_summaries_are_listed_with_the_current_one_marked(ready, talk):
    assert "nothing to summarise" in ready("conversation", "summarise", talk).err
    ready("conversation", "add", talk, "We decided on pumps.")
    ready("conversation", "summarise", talk)
    ready("conversation", "summarise", talk, "--force")

    told = ready("conversation", "summaries", talk, "--json").answer["summaries"]
    assert [one["is_current"] for one in told] == [False, True]
    assert "CURRENT" in ready("conversation", "summaries", talk).out


@pytest.mark.row("EM-013", "EM-042")
def test_a_context_is_shown_as_text_and_json_and_masked(ready, talk):
    ready("entity", "profile", "Ada", "--key", "language", "--value", "French")
    ready("conversation", "add", talk, "Write to bob@example.com please.")
    ready("conversation", "archive", talk)

    text = ready("conversation", "context", talk)
    assert "- language: French (medium)" in text.out
    assert "bob@example.com" in text.out
    for words in ((), ("--json",)):
        run = ready("conversation", "context", talk, "--privacy-filter", *words)
        assert run.code == 0
        assert "bob@example.com" not in run.out
        assert "ada@example.org" not in run.out
        assert "[email]" in run.out


@pytest.mark.row("EM-012")
def test_idle_says_which_rest(ready, talk):
    rests = ready("conversation", "idle", talk)
    assert (rests.code, rests.out) == (0, f"{talk}  idle\n")
    ready("conversation", "add", talk, "hello")
    assert ready("conversation", "idle", talk).code == _NO
    run = ready("conversation", "idle", "--json")
    assert run.code == 0
    assert run.answer == {
        "conversations": [{"conversation_id": talk, "is_idle": False, "model": ""}]
    }


@pytest.mark.row("EM-012")
@pytest.mark.model
def test_the_worker_puts_to_rest_what_is_silent_and_sums_it_up(ready, talk):
    ready("conversation", "add", talk, "We decided on pumps.", "--at", "2026-01-05T10:00:00Z")
    live = ready("conversation", "create", "Ada", "irc", "--json").answer["conversation"]["id"]
    ready("conversation", "add", live, "Hello.")
    assert ready("worker", "--once").code == 0

    told = ready("conversation", "list", "--json").answer["conversations"]
    assert {one["id"]: one["status"] for one in told} == {talk: "idle", live: "active"}
    (summary,) = ready("conversation", "summaries", talk, "--json").answer["summaries"]
    assert (summary["by"]["kind"], summary["draft"]["count"]) == ("job", 1)


@pytest.mark.row("EM-011")
def test_a_tone_is_heard_and_shown_as_text_and_json(ready, talk):
    assert ready("conversation", "tone", talk).code == _INVALID
    ready("conversation", "add", talk, "Hey, the API is broken, please hurry!")

    assert "sentiment negative, pace fast" in ready("conversation", "tone", talk).out
    told = ready("conversation", "tone", talk, "--json").answer["tone"]
    assert sorted(told) == ["formality", "pace", "sentiment", "technical_level"]


@pytest.mark.row("EM-008")
def test_one_is_shown_and_all_are_counted(ready, talk):
    ready("conversation", "add", talk, "We decided on pumps.")
    ready("conversation", "archive", talk)

    assert (
        ready("conversation", "show", talk, "--json").answer["conversation"]["tally"]["count"] == 1
    )
    assert ready("conversation", "show", "cnv_" + "0" * 26).code == _NOT_FOUND
    assert ready("conversation", "stats", "--json").answer == {
        "conversations": {"idle": 1},
        "transports": {"email": 1},
        "messages": {"email": 1},
        "summaries": {"current": 1},
    }
    assert "messages: email 1" in ready("conversation", "stats").out


@pytest.mark.row("EM-008")
@pytest.mark.parametrize(
    "name", ["Ada", "ada@example.org", "Ada by email", "email ada@example.org", "Lady Lovelace"]
)
def test_a_conversation_goes_by_whom_it_is_with_and_where(ready, as_human, talk, name):
    ready("entity", "alias", "Ada", "Lady Lovelace")
    ready("conversation", "add", talk, "We decided on pumps.")

    for verb in ("show", "summarise", "summaries", "context", "tone", "archive", "resume", "close"):
        assert ready("conversation", verb, name).code == 0, verb
    assert talk in ready("conversation", "show", name).out
    assert ready("conversation", "resume", name).code == 0
    assert ready("conversation", "add", name, "And on valves.").code == 0
    assert ready("conversation", "idle", name).code == _NO


@pytest.mark.row("EM-008")
@pytest.mark.parametrize("name", ["The lease", "the  LEASE"])
def test_a_conversation_goes_by_its_topic_before_a_name(ready, talk, name):
    words = ("conversation", "create", "Ada", "irc", "--topic", "The lease", "--json")
    lease = ready(*words).answer["conversation"]["id"]

    assert lease in ready("conversation", "show", name).out
    assert lease in ready("conversation", "show", lease[:-4]).out


@pytest.mark.row("EM-008")
def test_where_several_conversations_are_meant_each_is_told_with_its_last_message(ready, talk):
    words = ("conversation", "create", "Ada", "irc", "--topic", "The lease", "--json")
    lease = ready(*words).answer["conversation"]["id"]
    ready("conversation", "add", talk, "We decided on pumps.", "--at", "2026-01-05T10:00:00Z")

    run = ready("conversation", "show", "Ada")

    assert (run.code, run.out) == (_CONFLICT, "")
    assert "2 conversations go by 'Ada'" in run.err
    assert "give the ID of one" in run.err
    assert f"{talk}: email ada@example.org, active, 2026-01-05 10:00 We decided on pum" in run.err
    assert f"{lease}: The lease, irc, active, no message" in run.err
    assert ready("conversation", "close", "Ada").code == _CONFLICT
    assert "active" in ready("conversation", "show", lease).out


@pytest.mark.row("EM-008")
def test_who_has_no_conversation_or_is_nobody_is_told_as_that(ready, talk):
    ready("entity", "add", "Bob", "--type", "person")

    bob, ada = (ready("conversation", "show", name) for name in ("Bob", "ada"))

    assert (bob.code, ada.code) == (_NOT_FOUND, _NOT_FOUND)
    assert "there is no conversation with Bob" in bob.err
    assert "tilth conversation list" in bob.err
    assert "no conversation goes by 'ada'" in ada.err
    assert "close: Ada" in ada.err


@pytest.mark.row("KB-113")
def test_an_excluded_word_is_covered_where_several_are_told(ready, as_human, talk):
    ready("conversation", "create", "Ada", "irc")
    ready("conversation", "add", talk, "We decided on pumps.")
    ready("settings", "set", "excluded_terms", "pumps")

    told = ready("conversation", "show", "Ada").err

    assert "We decided on █████" in told


@pytest.mark.row("EM-008")
def test_a_long_list_is_read_on(ready, talk):
    other = ready("conversation", "create", "Ada", "irc", "--json").answer["conversation"]["id"]

    first = ready("conversation", "list", "--limit", "1")
    assert (other in first.out, "there may be more: --skip 1" in first.err) == (True, True)
    assert talk in ready("conversation", "list", "--limit", "5", "--skip", "1").out
    assert "that was all" in ready("conversation", "list", "--skip", "2").err


@pytest.mark.row("EM-003")
def test_what_is_told_beside_a_message_is_an_object_in_json(ready, talk):
    run = ready("conversation", "add", talk, "hello", "--metadata", '{"thread": 7}', "--json")
    shown = ready("episode", "show", run.answer["episode_id"], "--json").answer["episodes"][0]

    assert shown["metadata"] == {"thread": 7}
    noted = ready("remember", "hello", "--metadata", '{"n": 1}', "--json").answer["episode_id"]
    (kept,) = ready("episode", "show", noted, "--json").answer["episodes"]
    assert kept["metadata"] == {"n": 1}
    assert ready("remember", "hello", "--metadata", "{").code == _INVALID
    for bad in ("{", "[1]", '"a"', "[" * 100_000):
        refused = ready("conversation", "add", talk, "hello", "--metadata", bad)
        assert refused.code == _INVALID
        assert "JSON" in refused.err
    assert ready("conversation", "add", talk, "hello", "--direction", "sideways").code == _INVALID


@pytest.mark.row("EM-004")
def test_a_setting_adds_a_transport(ready, talk):
    words = ("conversation", "create", "Ada", "pigeon", "--address", "loft 3", "--json")
    assert ready(*words).code == _INVALID
    added = {"TILTH_TRANSPORTS": "pigeon"}
    other = ready(*words, environ=added).answer["conversation"]["id"]
    assert ready("conversation", "add", other, "Coo.", environ=added).code == 0
    assert "Coo." in ready("entity", "context", "Ada", "--transport", "pigeon", environ=added).out

    refused = ready("entity", "context", "Ada", "--transport", "pigeon")
    assert (refused.code, "setting 'transports'" in refused.err) == (_INVALID, True)
    assert "Coo." in ready("conversation", "context", other).out


def test_what_is_written_to_a_name_of_two_people_is_refused(ready, talk):
    ready("entity", "add", "Ada", "--type", "person", "--namesake")

    for words in (
        ("conversation", "create", "Ada", "irc"),
        ("entity", "link", "Ada", "irc", "ada"),
        ("entity", "profile", "Ada", "--key", "language", "--value", "French"),
    ):
        run = ready(*words)
        assert run.code == _CONFLICT
        assert "name one by its ID" in run.err


@pytest.mark.row("EM-015")
@pytest.mark.usefixtures("as_human")
def test_a_person_is_known_across_transports_and_restarts(ready, talk):
    ready("entity", "link", "Ada", "email", "ada@example.org", "--verified")
    ready("entity", "link", "Ada", "matrix", "@ada:example.org", "--verified")
    ready("conversation", "add", talk, "We decided on the blue pump.")
    ready("conversation", "archive", talk)
    other = ready("conversation", "create", "Ada", "matrix", "--json").answer["conversation"]["id"]

    assert "blue pump" in ready("conversation", "context", other).out
    assert "blue pump" not in ready("conversation", "context", other, "--transport", "matrix").out
    assert "blue pump" in ready("entity", "context", "Ada").out
