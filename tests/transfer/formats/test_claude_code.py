import pytest

from tests.transfer.read_lines import lines_of
from tests.transfer.transcripts import read_known
from tilth.transfer.formats import claude_code

NAME = "s1.jsonl"


def line(kind, content, *, uuid, second=0, **more):
    return {
        "type": kind,
        "uuid": uuid,
        "sessionId": "s1",
        "cwd": "/home/ana/work/api",
        "timestamp": f"2026-01-05T10:00:{second:02}.250Z",
        "message": {"role": kind, "content": content},
    } | more


def talk(*lines):
    return lines_of(*lines)


@pytest.mark.row("MP-01")
def test_words_calls_results_and_failures_come_out_as_they_were_said(tmp_path):
    reading = read_known(
        claude_code,
        tmp_path,
        NAME,
        talk(
            line("user", "why does  it\n\nfail?", uuid="a"),
            line(
                "assistant",
                [
                    {"type": "thinking", "thinking": "hm", "text": "a secret thought"},
                    {"type": "text", "text": "I look."},
                    {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "ls"}},
                ],
                uuid="b",
                second=1,
            ),
            line("user", [{"type": "tool_result", "content": "a.py"}], uuid="c", second=2),
            line(
                "user",
                [{"type": "tool_result", "is_error": True, "content": [{"text": "no such file"}]}],
                uuid="d",
                second=3,
            ),
        ),
    )

    assert reading.said == [
        "user: why does  it\n\nfail?",
        "assistant: I look.",
        'assistant: Bash: {"command": "ls"}',
        "tool: a.py",
        "tool: no such file",
    ]
    assert [draft.kind for draft in reading.drafts] == [
        "message",
        "message",
        "tool_call",
        "tool_result",
        "tool_failure",
    ]
    assert reading.drafts[1].occurred_at.isoformat() == "2026-01-05T10:00:01.250000+00:00"
    assert reading.reasons == {"left out: thoughts": 1}
    (session,) = reading.sessions
    assert session.session_id == "claude-code:s1"
    assert session.info.title == "why does it fail?"
    assert session.scope == "project:work/api"


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("<system-reminder>be nice</system-reminder>\nfix it", "fix it"),
        ("what does `<system-reminder>` mean?", "what does `<system-reminder>` mean?"),
        (
            "<command-name>/review</command-name><command-args>PR 7</command-args>",
            "/review PR 7",
        ),
        (
            "<command-name>/ask</command-name><command-args>why is <div> empty?</command-args>",
            "/ask why is <div> empty?",
        ),
        ("<bash-input>git status</bash-input>", "!git status"),
        ("<user-memory-input>always use bun</user-memory-input>", "always use bun"),
        (
            '<teammate-message teammate_id="lead">Never push.</teammate-message>\nfix it',
            "fix it",
        ),
    ],
)
def test_what_the_program_injected_is_no_words_of_the_users(tmp_path, typed, kept):
    reading = read_known(claude_code, tmp_path, NAME, talk(line("user", typed, uuid="a")))

    assert reading.said == [f"user: {kept}"]


def test_the_programs_own_words_are_no_words_of_the_users(tmp_path):
    reading = read_known(
        claude_code,
        tmp_path,
        NAME,
        talk(
            line("user", "Caveat: these are messages", uuid="a", isMeta=True),
            line("user", "This session is being continued from a previous conversation", uuid="b"),
            line("user", "[Request interrupted by user]", uuid="c"),
            line("user", "go on", uuid="d", second=9),
        ),
    )

    assert [draft.role for draft in reading.drafts] == ["system", "system", "user"]
    assert reading.drafts[0].metadata == {"compaction": True}
    assert reading.sessions[-1].info.title == "go on"


PLAN = (
    "Implement the following plan:\n\n# Move the till\n\nAlways use port 8080.\n\n"
    "If you need specific details from before exiting plan mode, "
    "read the full transcript at: /home/ada/s0.jsonl"
)


def test_an_agents_plan_is_no_word_of_the_users_who_let_it_begin(tmp_path):
    reading = read_known(claude_code, tmp_path, NAME, talk(line("user", PLAN, uuid="a")))

    assert reading.said == [
        "user: Implement the following plan: Move the till",
        f"system: {PLAN}",
    ]


@pytest.mark.parametrize(
    ("about", "role"),
    [
        ({"origin": {"kind": "human"}, "promptSource": "sdk", "turnOrigin": "human"}, "user"),
        ({"origin": {"kind": "peer", "from": "unknown"}}, "system"),
        ({"origin": {"kind": "auto-continuation"}}, "system"),
        ({"promptSource": "sdk", "turnOrigin": "sdk"}, "user"),
        ({"promptSource": "typed", "turnOrigin": "unknown"}, "user"),
        ({"turnOrigin": "scheduled"}, "system"),
        ({"turnOrigin": "host_synthetic"}, "system"),
        ({"promptSource": "system"}, "system"),
    ],
)
def test_a_prompt_that_no_person_typed_is_no_word_of_the_users(tmp_path, about, role):
    reading = read_known(
        claude_code, tmp_path, NAME, talk(line("user", "Always push at night.", uuid="a", **about))
    )

    assert reading.said == [f"{role}: Always push at night."]


def test_what_another_agent_says_is_no_word_of_the_users(tmp_path):
    peer = "Another Claude session sent a message:\n<teammate-message teammate_id='b'>Stop."
    reading = read_known(claude_code, tmp_path, NAME, talk(line("user", peer, uuid="a")))

    assert reading.said == []


def test_a_subagent_has_a_session_of_its_own(tmp_path):
    reading = read_known(
        claude_code,
        tmp_path,
        "agent-7.jsonl",
        talk(
            line("user", "count the tests", uuid="a", isSidechain=True),
            line("assistant", "There are seven.", uuid="b", isSidechain=True),
        ),
    )

    assert {session.session_id for session in reading.sessions} == {"claude-code:s1/7"}
    assert [draft.text for draft in reading.drafts] == ["There are seven."]


def test_a_second_prompt_after_the_same_answer_was_rewound_to(tmp_path):
    reading = read_known(
        claude_code,
        tmp_path,
        NAME,
        talk(
            line("user", "use tabs", uuid="b", parentUuid="a"),
            line("user", "use spaces", uuid="c", parentUuid="a", second=1),
        ),
    )

    assert [draft.metadata for draft in reading.drafts] == [{}, {"rewound": True}]


def test_broken_lines_are_told_and_the_rest_is_read(tmp_path):
    whole = talk(line("user", "one", uuid="a"), line("user", "two", uuid="b"))
    reading = read_known(claude_code, tmp_path, NAME, whole.replace("\n", '\n{"type": "us\n', 1))

    assert reading.said == ["user: one", "user: two"]
    assert [note.where.rpartition("/")[2] for note in reading.skipped] == ["s1.jsonl:2"]


def test_lines_of_unknown_types_are_counted(tmp_path):
    reading = read_known(
        claude_code,
        tmp_path,
        NAME,
        talk(line("user", "one", uuid="a"), {"type": "mode"}, {"type": "mode"}),
    )

    assert reading.reasons == {"left out: lines of type 'mode'": 2}


@pytest.mark.row("MP-03")
def test_a_file_that_grew_brings_only_what_is_new(tmp_path):
    first = line("user", "one", uuid="a")
    before = read_known(claude_code, tmp_path, NAME, talk(first))
    after = read_known(
        claude_code, tmp_path, NAME, talk({"type": "mode"}, first, line("user", "two", uuid="b"))
    )

    assert after.keys[0] == before.keys[0]
    assert len(set(after.keys)) == len(after.keys)


def test_equal_words_without_an_id_stay_two_messages(tmp_path):
    again = line("user", "proceed", uuid="")
    reading = read_known(claude_code, tmp_path, NAME, talk(again, again))

    assert len(set(reading.keys)) == len(reading.keys) == len([again, again])
