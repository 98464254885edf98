"""From what a hook tells to drafts of episodes."""

import json
from contextlib import suppress

import pytest

from tests.agents.replaying import EXPECTED, a_record, payloads
from tests.fakes import START
from tilth.agents.hook_record import HookRecord
from tilth.agents.hosts.hook_entries import HookEntries
from tilth.agents.hosts.registry import HOSTS, find_host
from tilth.agents.hosts.setup import Programs
from tilth.agents.read_record import parse_items
from tilth.core.errors import InvalidInputError
from tilth.episodes.episode import EpisodeDraft
from tilth.transfer.model import Described, Skipped
from tilth.transfer.reading.own_calls import is_own_call


def drafts_of(record, **how):
    return [item for item in parse_items(record, **how) if isinstance(item, EpisodeDraft)]


def replayed(host):
    for event, payload in payloads(host):
        yield from parse_items(HookRecord(host=host, event=event, at=START, payload=payload))


# Where the events of a host are not named in a file of ours: what its plugin tells.
PLUGIN_EVENTS = ("session.created", "message.user", "message.assistant", "tool")


def wired(host):
    """Return the events at which a host calls us."""
    (*_, edit) = find_host(host).setup(Programs("/bin/tilth-hook"), {"HOME": "/home/ada"}).edits
    if isinstance(edit, HookEntries):
        return set(edit.entries)
    if host == "opencode":
        return {*PLUGIN_EVENTS, "session.compacting"}
    return set(json.loads(edit.content)["hooks"])


@pytest.mark.parametrize("host", HOSTS)
def test_there_is_a_recorded_payload_of_every_event_at_which_a_host_calls(host):
    assert host in EXPECTED
    assert wired(host) <= {event for event, _ in payloads(host)}


@pytest.mark.parametrize("host", EXPECTED)
def test_the_recorded_payloads_of_a_host_become_the_expected_drafts(host):
    drafts = [item for item in replayed(host) if isinstance(item, EpisodeDraft)]

    keys = {draft.idempotency_key: draft for draft in drafts}
    said = [(one.session_id, one.kind, one.role, one.text) for one in keys.values()]
    assert said == EXPECTED[host]


@pytest.mark.parametrize("host", EXPECTED)
def test_everything_belongs_to_the_project_of_its_folder(host):
    for item in replayed(host):
        if not isinstance(item, Skipped):
            assert item.scope == "project:work/kettle"


@pytest.mark.parametrize("host", EXPECTED)
def test_the_first_prompt_gives_a_session_its_title_and_folder(host):
    titled = [item for item in replayed(host) if isinstance(item, Described) and item.info.title]

    assert titled
    assert all(item.info.folder == "/home/ada/work/kettle" for item in titled)
    assert all(item.info.host == host for item in titled)


def test_a_title_is_scrubbed_before_it_is_cut():
    words = "x" * 100 + " <private>the safe is behind the clock, and its code is 4711</private>"
    (described,) = [
        item for item in parse_items(a_record(prompt=words)) if isinstance(item, Described)
    ]

    assert "safe" not in described.info.title


@pytest.mark.parametrize("host", EXPECTED)
def test_unknown_events_and_fields_are_tolerated(host):
    payload = {"session_id": "s", "sessionID": "s", "conversation_id": "s", "new": [{"deep": 1}]}
    record = HookRecord(
        host=host, event="EventOfTomorrow", at=START, payload=json.dumps(payload).encode()
    )

    assert parse_items(record) == []


@pytest.mark.parametrize(
    "payload",
    [b"", b"{", b"[]", b"nonsense", b'"text"', b"{}", b"[" * 100_000, b'{"session_id": 7}'],
)
@pytest.mark.parametrize("host", EXPECTED)
def test_what_cannot_be_read_is_refused_with_a_reason(host, payload):
    with pytest.raises(InvalidInputError):
        parse_items(HookRecord(host=host, event="Stop", at=START, payload=payload))


def deepest(opener, closer):
    """Return how deep JSON may be nested before it is refused by its reader."""
    for depth in range(100, 2000):
        try:
            json.loads(f"{opener * depth}1{closer * depth}")
        except RecursionError:
            return depth
    return 2000


@pytest.mark.parametrize("field", ["tool_input", "tool_response"])
@pytest.mark.parametrize("host", ["claude-code", "codex", "cursor", "gemini-cli", "vscode"])
@pytest.mark.parametrize("shape", [("[", "]"), ('{"a":', "}"), ('[{"content":', "}]")])
def test_a_deep_payload_is_read_or_refused_and_never_ends_the_worker(host, field, shape):
    event = {"cursor": "afterMCPExecution", "gemini-cli": "AfterTool"}.get(host, "PostToolUse")
    opener, closer = shape
    limit = deepest(opener, closer)
    # Just below what can be read, the writing of it again gives up.
    for depth in range(limit - 30, limit + 2):
        deep = f"{opener * depth}1{closer * depth}"
        ids = '"session_id": "s", "conversation_id": "s", "tool_name": "t"'
        payload = f'{{{ids}, "{field}": {deep}}}'.encode()
        with suppress(InvalidInputError):
            parse_items(HookRecord(host=host, event=event, at=START, payload=payload))


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("mcp__plugin_tilth_tilth__recall", {"query": "x"}),  # Claude Code, as plugged in
        ("mcp__tilth__remember", {"text": "x"}),  # Claude Code by hand, and Codex
        ("mcp_tilth_recall", {"query": "x"}),  # Gemini CLI and VS Code
        ("tilth_recall", {"query": "x"}),  # opencode
        ("CallMcpTool", {"server": "user-tilth", "toolName": "recall", "arguments": {}}),
        ("mcp", {"serverIdentifier": "tilth", "toolName": "recall", "args": {}}),
    ],
)
def test_our_own_tools_are_known_by_the_names_that_hosts_give_them(name, arguments):
    assert is_own_call(name, arguments)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("mcp__tilthish__recall", {"query": "x"}),
        ("CallMcpTool", {"server": "user-tilth2", "toolName": "recall"}),
        ("CallMcpTool", {"server": "other", "toolName": "recall", "arguments": {"x": "tilth"}}),
        ("deploy", {"server": "tilth"}),
    ],
)
def test_calls_of_other_tools_are_not_ours(name, arguments):
    assert not is_own_call(name, arguments)


def called_in_cursor(name, arguments, text):
    answer = {"content": [{"type": "text", "text": text}], "structuredContent": {"items": [text]}}
    told = {
        "conversation_id": "c",
        "tool_name": name,
        "tool_input": json.dumps(arguments),
        "result_json": json.dumps(answer),
    }
    payload = json.dumps(told).encode()
    return HookRecord(host="cursor", event="afterMCPExecution", at=START, payload=payload)


EPISODE = "epi_01M8JEZKWPWQKKAM7PWXBW27BS"


@pytest.mark.parametrize(
    ("name", "arguments", "text"),
    [
        ("recall", {"query": "Which port?"}, '<tilth-context id="ctx_00">\n7443\n</tilth-context>'),
        ("remember", {"text": "The port is 7443."}, f"{EPISODE} is recorded."),
        ("remember", {"text": "x"}, f"{EPISODE} says that already; nothing was added."),
    ],
)
def test_our_own_tools_are_known_where_a_host_names_no_server(name, arguments, text):
    assert drafts_of(called_in_cursor(name, arguments, text)) == []


@pytest.mark.parametrize(
    ("name", "text"),
    [("recall", "7443"), ("database_query", f"{EPISODE} is recorded."), ("remember", "kept")],
)
def test_tools_of_others_that_a_host_names_so_are_captured(name, text):
    call, outcome = drafts_of(called_in_cursor(name, {"query": "Which port?"}, text))

    assert "Which port?" in call.text
    assert outcome.text == text


def test_a_record_of_an_unknown_host_is_refused():
    with pytest.raises(InvalidInputError, match="no host is called 'emacs'"):
        parse_items(a_record(host="emacs"))


def test_a_payload_that_was_cut_is_refused():
    record = HookRecord(
        host="codex", event="Stop", at=START, payload=b'{"session_id": "s"', is_cut=True
    )

    with pytest.raises(InvalidInputError, match="too large"):
        parse_items(record)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("prompt", {"not": "text"}),
        ("prompt", None),
        ("prompt", "undefined"),
        ("prompt", "   "),
        ("prompt", 7),
    ],
)
def test_a_prompt_that_says_nothing_becomes_no_episode(field, value):
    assert drafts_of(a_record(**{field: value})) == []


def test_half_a_character_is_replaced_and_not_fatal():
    (draft,) = drafts_of(a_record(prompt="half \ud83d done"))

    assert draft.text == "half \ufffd done"


def test_one_prompt_told_twice_has_one_key_and_two_prompts_have_two():
    first = drafts_of(a_record(prompt="yes", prompt_id="p1"))[0]
    again = drafts_of(a_record(prompt="yes", prompt_id="p1", seconds=0.1))[0]
    second = drafts_of(a_record(prompt="yes", prompt_id="p2", seconds=9))[0]

    assert first.idempotency_key == again.idempotency_key != second.idempotency_key


def test_without_an_id_the_instant_of_arrival_tells_two_prompts_apart():
    first, second = (drafts_of(a_record(prompt="yes", seconds=at))[0] for at in (0, 9))

    assert first.idempotency_key != second.idempotency_key


@pytest.mark.parametrize(
    "name",
    [
        "mcp__tilth__recall",
        "mcp__plugin_tilth_tilth__recall",
        "mcp_tilth_recall",
        "tilth_recall",
        "MCP:tilth:recall",
        "tilth.recall",
    ],
)
def test_what_our_own_tools_answer_is_no_new_evidence(name):
    record = a_record(event="PostToolUse", tool_name=name, tool_input={}, tool_response="a fact")

    assert drafts_of(record) == []


@pytest.mark.parametrize(
    "command",
    [
        "tilth recall kettle",
        "/opt/bin/tilth about kettle",
        "A=1 tilth brief",
        "cd ~/work && tilth recall kettle | head",
        "(tilth)",
        ["bash", "-lc", "tilth recall kettle"],
    ],
)
def test_what_our_own_command_prints_is_no_new_evidence(command):
    record = a_record(
        event="PostToolUse",
        tool_name="Bash",
        tool_input={"command": command},
        tool_response={"stdout": "a fact", "stderr": ""},
    )

    assert drafts_of(record) == []


@pytest.mark.parametrize(
    "command", ["tilthmeter --read", "ls tilth ", "echo tilth recall", "cd tilth; ls"]
)
def test_other_commands_are_kept(command):
    record = a_record(
        event="PostToolUse",
        tool_name="Bash",
        tool_input={"command": command},
        tool_response={"stdout": "a fact", "stderr": ""},
    )

    assert len(drafts_of(record)) == 2


def test_what_tilth_put_there_is_stripped_from_words_calls_and_results():
    def strip(text):
        return text.replace("ours", "")

    prompt = drafts_of(a_record(prompt="ours mine"), strip=strip)
    answer = drafts_of(a_record(event="Stop", last_assistant_message="ours mine"), strip=strip)
    tool = drafts_of(
        a_record(event="PostToolUse", tool_name="t", tool_input="ours", tool_response="ours b"),
        strip=strip,
    )

    assert [one.text.strip() for one in (*prompt, *answer, *tool)] == ["mine", "mine", "t:", "b"]


def test_the_tags_that_programs_put_into_a_prompt_are_no_words_of_the_users():
    prompt = "<system-reminder>be brief</system-reminder>\nBoil water."

    assert drafts_of(a_record(prompt=prompt))[0].text == "Boil water."
