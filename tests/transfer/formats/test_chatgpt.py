import json

import pytest

from tests.transfer.transcripts import read_known, zip_of
from tilth.transfer.formats import chatgpt

NOON = 1767610800.25  # 2026-01-05 11:00:00 UTC


def node(own, parent, role, text, **more):
    message = {
        "id": f"m-{own}",
        "author": {"role": role},
        "create_time": NOON,
        "content": {"content_type": "text", "parts": [text]},
        "recipient": "all",
        "metadata": {},
    } | more
    return {"id": own, "parent": parent, "children": [], "message": message}


def conversation(*nodes, current=None, **more):
    mapping = {"root": {"id": "root", "parent": None, "children": [], "message": None}}
    mapping |= {told["id"]: told for told in nodes}
    for told in nodes:
        mapping[told["parent"]]["children"].append(told["id"])
    return {
        "conversation_id": "c1",
        "title": "Bread",
        "create_time": NOON,
        "mapping": mapping,
        "current_node": current or nodes[-1]["id"],
    } | more


def read(folder, *conversations):
    return read_known(chatgpt, folder, "conversations.json", json.dumps(conversations))


def test_what_stands_is_the_way_from_the_current_node_to_the_root(tmp_path):
    reading = read(
        tmp_path,
        conversation(
            node("a", "root", "user", "how long does bread bake?"),
            node("b", "a", "assistant", "An hour."),
            node("c", "a", "assistant", "45 minutes."),
            node("d", "c", "user", "thanks"),
            node("e", "b", "user", "that long?"),
            current="d",
        ),
    )

    assert reading.said == [
        "user: how long does bread bake?",
        "assistant: 45 minutes.",
        "user: thanks",
    ]
    assert reading.reasons == {"left out: messages of abandoned branches": 2}
    (session,) = reading.sessions
    assert (session.session_id, session.info.title) == ("chatgpt:c1", "Bread")
    assert {draft.transport for draft in reading.drafts} == {"web"}
    assert reading.times[0] == "01-05 11:00:00"


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        ({"author": {"role": "system"}}, "messages of the system"),
        ({"metadata": {"is_visually_hidden_from_conversation": True}}, "hidden messages"),
        ({"metadata": {"is_user_system_message": True}}, "custom instructions"),
        ({"content": {"content_type": "thoughts", "thoughts": [{"content": "hm"}]}}, "thoughts"),
        ({"content": {"content_type": "thoughts", "parts": ["hm"]}}, "thoughts"),
        (
            {"content": {"content_type": "user_editable_context", "user_profile": "a baker"}},
            "custom instructions",
        ),
    ],
)
def test_what_nobody_said_is_left_out_and_counted(tmp_path, told, reason):
    reading = read(
        tmp_path,
        conversation(node("a", "root", "user", "hidden", **told), node("b", "a", "user", "shown")),
    )

    assert reading.said == ["user: shown"]
    assert reading.reasons == {f"left out: {reason}": 1}


def test_tool_calls_results_and_failures_are_told_apart(tmp_path):
    reading = read(
        tmp_path,
        conversation(
            node("a", "root", "assistant", '{"query": "rye"}', recipient="browser"),
            node("b", "a", "tool", "a page", author={"role": "tool", "name": "browser"}),
            node("c", "b", "tool", "", content={"content_type": "system_error", "text": "down"}),
            node("d", "c", "tool", "", content={"content_type": "code", "text": "print(1)"}),
        ),
    )

    assert [(str(draft.kind), draft.text) for draft in reading.drafts] == [
        ("tool_call", 'browser: {"query": "rye"}'),
        ("tool_result", "a page"),
        ("tool_failure", "down"),
        ("tool_result", "print(1)"),
    ]
    assert reading.drafts[1].speaker == "browser"


def test_images_and_files_are_named(tmp_path):
    picture = {"content_type": "image_asset_pointer", "asset_pointer": "file://x"}
    reading = read(
        tmp_path,
        conversation(
            node(
                "a",
                "root",
                "user",
                "",
                content={"content_type": "multimodal_text", "parts": ["my loaf", picture]},
                metadata={"attachments": [{"name": "loaf.jpg"}]},
            ),
            node("b", "a", "user", "", metadata={"attachments": [{"name": "recipe.pdf"}]}),
        ),
    )

    assert reading.said == ["user: my loaf\n[image]", "user: [recipe.pdf]"]
    assert reading.drafts[0].metadata == {"files": ["loaf.jpg"]}


def test_a_missing_time_is_that_of_the_message_before(tmp_path):
    reading = read(
        tmp_path,
        conversation(
            node("a", "root", "user", "one", create_time=None),
            node("b", "a", "user", "two", create_time=NOON + 60),
            node("c", "b", "user", "three", create_time=None),
        ),
    )

    assert reading.times == ["01-05 11:00:00", "01-05 11:01:00", "01-05 11:01:00"]
    assert reading.skipped == []


@pytest.mark.parametrize("current", ["nowhere", 7, None])
def test_without_a_current_node_the_last_leaf_stands(tmp_path, current):
    told = conversation(
        node("a", "root", "user", "one"), node("b", "a", "user", "two"), current="b"
    )
    reading = read(tmp_path, told | {"current_node": current})

    assert reading.said == ["user: one", "user: two"]


def test_a_tree_that_bites_its_tail_comes_to_an_end(tmp_path):
    told = conversation(node("a", "root", "user", "one"), node("b", "a", "user", "two"))
    told["mapping"]["a"]["parent"] = "b"

    assert read(tmp_path, told).said == ["user: one", "user: two"]


def test_a_broken_conversation_does_not_end_the_rest(tmp_path):
    whole = json.dumps([conversation(node("a", "root", "user", "one"))])
    reading = read_known(
        chatgpt, tmp_path, "conversations.json", whole.replace("[", '[{"id": tru}, "x", {}, ', 1)
    )

    assert reading.said == ["user: one"]
    assert [note.reason.partition(":")[0] for note in reading.skipped] == [
        "broken JSON",
        "not a JSON object",
        "not a conversation",
    ]


def test_an_export_is_read_in_its_zip_and_in_shards(tmp_path):
    one = conversation(node("a", "root", "user", "one"))
    two = conversation(node("a", "root", "user", "two"), conversation_id="c2")
    packed = zip_of(
        {"conversations-000.json": [one], "conversations-001.json": [two], "user.json": {}}
    )
    reading = read_known(chatgpt, tmp_path, "export.zip", packed)

    assert reading.said == ["user: one", "user: two"]
    assert [session.session_id for session in reading.sessions] == ["chatgpt:c1", "chatgpt:c2"]


def test_what_a_browser_captured_is_unwrapped(tmp_path):
    told = {"raw_provider_payload": conversation(node("a", "root", "user", "one"))}
    reading = read_known(chatgpt, tmp_path, "capture.json", json.dumps(told, indent=2))

    assert reading.said == ["user: one"]


@pytest.mark.row("MP-03")
def test_a_conversation_that_went_on_keeps_its_keys(tmp_path):
    first = node("a", "root", "user", "one")
    before = read(tmp_path, conversation(first))
    after = read(tmp_path, conversation(first | {"children": []}, node("b", "a", "user", "two")))

    assert after.keys[:1] == before.keys
