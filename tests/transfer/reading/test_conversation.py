"""From what a source says to drafts."""

from datetime import UTC, datetime

import pytest

from tilth.core.text.surrogates import without_surrogates
from tilth.episodes.episode import TEXT_CHARS_MAX, EpisodeDraft, EpisodeKind, Role
from tilth.transfer.model import Described, Skipped
from tilth.transfer.reading.conversation import (
    Conversation,
    Tally,
    Utterance,
    in_one_line,
    session_id_of,
    session_info,
)

BEGAN = datetime(2026, 1, 5, 10, tzinfo=UTC)


def a_conversation(session="s1", **info):
    return Conversation(
        session_id_of("host", session), session_info("host", "", **info), started_at=BEGAN
    )


def said(text="By the door.", **more):
    return Utterance(where="f:1", text=text, **more)


def drafts(conversation, *utterances):
    items = [item for utterance in utterances for item in conversation.say(utterance)]
    return [item for item in items if isinstance(item, EpisodeDraft)]


def test_a_session_is_described_once_before_its_first_words():
    conversation = a_conversation()
    kinds = [type(item) for one in (said(), said()) for item in conversation.say(one)]
    assert kinds == [Described, EpisodeDraft, EpisodeDraft]


def test_a_session_without_words_is_not_described():
    assert list(a_conversation().say(said(" \n"))) == []


def test_what_the_user_said_first_is_the_title_unless_there_is_one():
    (described, _) = a_conversation().say(said("Where is\nthe till?"))
    assert described.info.title == "Where is the till?"
    (described, _) = a_conversation(title="The till").say(said())
    assert described.info.title == "The till"
    (described, _) = a_conversation().say(said(role=Role.TOOL, kind=EpisodeKind.TOOL_RESULT))
    assert described.info.title == ""


@pytest.mark.parametrize("command", ["!git status", "/add shop/till.py", "/clear"])
def test_a_command_is_no_title(command):
    conversation = a_conversation()
    first, _ = conversation.say(said(text=command))
    assert first.info.title == ""
    described, _ = conversation.say(said(text="/ask where is the till?"))
    assert described.info.title == "/ask where is the till?"


def test_a_word_for_nothing_is_skipped():
    (note,) = a_conversation().say(said("undefined"))
    assert isinstance(note, Skipped)


def test_a_time_that_is_none_is_said_and_the_time_before_it_taken():
    conversation = a_conversation()
    first, second = drafts(conversation, said(at="2026-01-05T11:00:00Z"), said(at=None))
    assert first.occurred_at == second.occurred_at == datetime(2026, 1, 5, 11, tzinfo=UTC)
    note, draft = conversation.say(said(at="soon"))
    assert "bad timestamp" in note.reason
    assert draft.occurred_at == first.occurred_at


@pytest.mark.row("MP-01")
def test_a_text_that_is_too_long_is_kept_whole_in_parts():
    text = "ab" * TEXT_CHARS_MAX + "c"
    parts = drafts(a_conversation(), said(text))
    assert "".join(part.text for part in parts) == text
    assert [part.metadata for part in parts] == [{"part": n, "parts": 3} for n in (1, 2, 3)]


def test_half_a_character_is_replaced():
    (draft,) = drafts(a_conversation(), said("a\ud800b", speaker="\udfff"))
    assert draft.text == "a\N{REPLACEMENT CHARACTER}b"
    assert without_surrogates("\ud83d\ude00") == "\N{GRINNING FACE}"


@pytest.mark.row("MP-03")
def test_keys_are_the_same_when_a_source_is_read_again():
    words = [said(), said(), said("Else."), said(id="m1")]
    first, again = drafts(a_conversation(), *words), drafts(a_conversation(), *words)
    assert [d.idempotency_key for d in first] == [d.idempotency_key for d in again]
    assert len({d.idempotency_key for d in first}) == 4


@pytest.mark.parametrize(
    "change",
    [{"text": "Else."}, {"role": Role.ASSISTANT}, {"speaker": "Ann"}, {"id": "m2"}, {"at": 1.7e9}],
)
def test_keys_differ_where_what_was_said_differs(change):
    one, other = drafts(a_conversation(), said(), said(**{"text": "By the door.", **change}))
    assert one.idempotency_key != other.idempotency_key


def test_keys_differ_from_session_to_session():
    (one,), (other,) = drafts(a_conversation("a"), said()), drafts(a_conversation("b"), said())
    assert one.idempotency_key != other.idempotency_key


def test_keys_hold_no_line_number():
    one = drafts(a_conversation(), Utterance(where="f:1", text="a"))
    other = drafts(a_conversation(), Utterance(where="f:9", text="a", metadata={"line": 9}))
    assert one[0].idempotency_key == other[0].idempotency_key


@pytest.mark.parametrize("external_id", ["", " ", "x" * 300, "a\nb", "\ud800"])
def test_an_id_that_cannot_serve_is_hashed(external_id):
    session_id = session_id_of("host", external_id)
    assert session_id.startswith("host:")
    assert len(session_id) == len("host:") + 32
    assert session_id == session_id_of("host", external_id)


def test_an_id_that_can_serve_is_kept():
    assert session_id_of("host", "s1") == "host:s1"


def test_what_a_session_says_of_itself_is_cut_to_what_it_may_say():
    info = session_info(
        "host", "u" * 5_000, title="t" * 500, folder="f" * 5_000, tags=("a" * 90, *"bbc", "")
    )
    assert len(info.title) == 120
    assert info.uri == ""
    assert [len(tag) for tag in info.tags] == [60, 1, 1]


def test_a_line_is_cut_at_a_word_with_an_ellipsis():
    assert in_one_line("a\n b\t c", 10) == "a b c"
    assert in_one_line("abcdef", 4) == "abc…"


def test_what_is_left_out_is_counted_by_its_reason():
    tally = Tally()
    for number in range(50):
        tally.add(f"reason {number}")
        tally.add("reason 1")
    notes = list(tally.skipped("f"))
    assert sum(note.count for note in notes) == 100
    assert len(notes) == 31
