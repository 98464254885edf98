import pytest

from tests.transfer.transcripts import read_known, zip_of
from tilth.transfer.formats import slack

USERS = [
    {"id": "U1", "name": "ana.b", "profile": {"display_name": "ana", "real_name": "Ana B."}},
    {"id": "U2", "name": "bo", "profile": {"display_name": "", "real_name": "Bo C."}},
]
CHANNELS = [{"id": "C1", "name": "garden"}]


def message(ts, text, user="U1", **more):
    return {"type": "message", "ts": ts, "text": text, "user": user} | more


def read(folder, days, **lists):
    members = {"users.json": USERS, "channels.json": CHANNELS} | lists
    members |= {f"garden/{day}.json": said for day, said in days.items()}
    return read_known(slack, folder, "slack.zip", zip_of(members))


def test_a_day_of_a_channel_is_a_session_of_speakers_by_name(tmp_path):
    reading = read(
        tmp_path,
        {
            "2026-01-05": [
                message("1767606000.000200", "who waters? &lt;3"),
                message("1767606060.000000", "<@U1>: I do", "U2"),
                message("1767606070.000000", "me too", "U9"),
            ],
            "2026-01-06": [message("1767692400.000000", "thanks")],
        },
    )

    assert [(draft.speaker, draft.text) for draft in reading.drafts] == [
        ("ana", "who waters? &lt;3"),
        ("Bo C.", "<@U1>: I do"),
        ("U9", "me too"),
        ("ana", "thanks"),
    ]
    assert reading.drafts[0].occurred_at.isoformat() == "2026-01-05T09:40:00.000200+00:00"
    assert reading.drafts[1].metadata == {"mentions": ["ana"]}
    assert {draft.transport for draft in reading.drafts} == {"slack"}
    assert [(session.session_id, session.info.title) for session in reading.sessions] == [
        ("slack:C1/2026-01-05", "#garden 2026-01-05"),
        ("slack:C1/2026-01-06", "#garden 2026-01-06"),
    ]


def test_a_thread_is_one_session_over_all_its_days(tmp_path):
    root = "1767606000.000200"
    reading = read(
        tmp_path,
        {
            "2026-01-05": [message(root, "frost?", thread_ts=root), message("1767606001.0", "hi")],
            "2026-01-06": [message("1767692400.000000", "not yet", "U2", thread_ts=root)],
        },
    )

    assert [draft.session_id for draft in reading.drafts] == [
        f"slack:C1/{root}",
        "slack:C1/2026-01-05",
        f"slack:C1/{root}",
    ]
    assert reading.sessions[0].info.title == "#garden 2026-01-05: frost?"


def test_who_came_and_went_is_counted(tmp_path):
    joined = message("1767606000.000200", "<@U1> has joined", subtype="channel_join")
    reading = read(tmp_path, {"2026-01-05": [joined, joined, message("1767606001.0", "")]})

    assert reading.drafts == []
    assert reading.reasons == {
        "left out: notices of type 'channel_join'": 2,
        "left out: messages without words": 1,
    }


@pytest.mark.parametrize(
    ("told", "text"),
    [
        (
            {"subtype": "bot_message", "attachments": [{"title": "Build 7", "text": "failed"}]},
            "Build 7\nfailed",
        ),
        ({"bot_id": "B1", "attachments": [{"fallback": "Build 7 failed"}]}, "Build 7 failed"),
        (
            {"bot_id": "B1", "attachments": [{"fields": [{"title": "Took", "value": 3}]}]},
            "Took: 3",
        ),
    ],
)
def test_what_a_bot_attached_is_read_and_is_no_persons_word(tmp_path, told, text):
    said = {"type": "message", "ts": "1767606000.000200", "text": "", "username": "ci"} | told
    reading = read(tmp_path, {"2026-01-05": [said]})

    assert reading.said == [f"system: {text}"]
    assert reading.drafts[0].speaker == "ci"


def test_files_and_edits_are_told(tmp_path):
    reading = read(
        tmp_path,
        {
            "2026-01-05": [
                message("1767606000.000200", "", files=[{"name": "bed.jpg"}]),
                message("1767606001.000200", "fixed", edited={"user": "U1", "ts": "1"}),
            ]
        },
    )

    assert [(draft.text, draft.metadata) for draft in reading.drafts] == [
        ("[file bed.jpg]", {}),
        ("fixed", {"edited": True}),
    ]


def test_a_direct_message_lies_in_a_folder_of_its_number(tmp_path):
    packed = zip_of(
        {
            "users.json": USERS,
            "dms.json": [{"id": "D1", "members": ["U1", "U2"]}],
            "D1/2026-01-05.json": [message("1767606000.000200", "psst")],
        }
    )
    reading = read_known(slack, tmp_path, "slack.zip", packed)

    assert reading.sessions[0].session_id == "slack:D1/2026-01-05"


def test_without_a_list_of_people_numbers_stand_for_names(tmp_path):
    reading = read(tmp_path, {"2026-01-05": [message("1767606000.0", "hi")]}, **{"users.json": "?"})

    assert reading.drafts[0].speaker == "U1"


@pytest.mark.row("MP-03")
def test_a_new_export_brings_only_what_is_new(tmp_path):
    first = message("1767606000.000200", "hi")
    before = read(tmp_path, {"2026-01-05": [first]})
    renamed = [{"id": "U1", "profile": {"display_name": "Ana the Great"}}]
    after = read(
        tmp_path,
        {"2026-01-05": [first, message("1767606001.000200", "hi")]},
        **{"users.json": renamed},
    )

    assert after.keys[:1] == before.keys
    assert len(set(after.keys)) == len(after.keys)
