from datetime import UTC, datetime
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilth.context.context import Context
from tilth.context.events import ContextGiven, FeedbackGiven
from tilth.core.errors import CorruptionError
from tilth.core.ids import is_word_for_nothing
from tilth.episodes.episode import Direction, EpisodeDraft, EpisodeKind, Role
from tilth.episodes.events import EpisodeRecorded, SessionDescribed
from tilth.episodes.import_events import ImportFinished
from tilth.episodes.session import SessionInfo
from tilth.knowledge.entities.identity import Address, IdentityDraft, LinkConfidence
from tilth.learning.events import DistillationReopened, SessionRead, SessionsDistilled
from tilth.learning.model import Trigger, Window
from tilth.ledger.events import EVENT_KINDS, Event, decode, encode, kind_of, session_of
from tilth.ledger.store_created import StoreCreated
from tilth.llm.answers import Pace, Sentiment, ToneDraft
from tilth.people.conversation import ConversationDraft, ConversationStatus, DigestDraft
from tilth.people.conversation_events import ConversationBegun, ConversationMoved, SummaryWritten
from tilth.people.events import IdentityLinked, IdentityUnlinked, IdentityVerified, TraitTold
from tilth.people.profile import ProfileConfidence, TraitDraft
from tilth.recall.feedback import Feedback, Verdict

words = st.text(st.characters(codec="utf-8"), max_size=20)
drafts = st.builds(
    EpisodeDraft,
    text=words.filter(lambda text: not is_word_for_nothing(text)),
    kind=st.sampled_from(EpisodeKind),
    role=st.sampled_from(Role),
    speaker=words,
    session_id=st.none() | st.just("s1"),
    occurred_at=st.none() | st.datetimes(timezones=st.just(UTC)),
    scope=st.sampled_from(["global", "project:a/b"]),
    transport=st.sampled_from(["cli", "email"]),
    address=words,
    direction=st.none() | st.sampled_from(Direction),
    entity_id=st.none() | st.just("ent_1"),
    conversation_id=st.none() | st.just("con_1"),
    metadata=st.dictionaries(words, words | st.integers() | st.lists(words)),
)
counts = st.integers(0, 10**9)
addresses = st.builds(Address, st.sampled_from(["irc", "email"]), words.filter(bool))
events = (
    st.builds(StoreCreated, st.just("01JD3ZK9Q2C5T0V8XW7YB4N6HM"))
    | st.builds(EpisodeRecorded, drafts)
    | st.builds(
        SessionDescribed,
        session_id=st.just("s1"),
        info=st.builds(
            SessionInfo, title=words, host=words, folder=words, uri=words, tags=st.tuples(words)
        ),
        scope=st.sampled_from(["global", "domain:x"]),
    )
    | st.builds(
        ImportFinished,
        uri=words,
        format=words,
        sha256=words,
        new_count=counts,
        known_count=counts,
        skipped_count=counts,
    )
    | st.builds(
        ContextGiven,
        st.builds(
            Context,
            via=words,
            session_id=st.none() | st.just("s1"),
            scope=st.sampled_from(["global", "domain:x"]),
            tokens=counts,
            asked=words,
            shown=words,
            items=st.lists(st.tuples(words, words)).map(tuple),
        ),
    )
    | st.builds(
        FeedbackGiven,
        st.builds(
            Feedback,
            target=words.filter(bool),
            verdict=st.sampled_from(Verdict),
            session_id=st.none() | st.just("s1"),
            receipt_id=st.none() | st.just("rcp_01JD3ZK9Q2C5T0V8XW7YB4N6HM"),
            scope=st.sampled_from(["global", "domain:x"]),
        ),
    )
    | st.builds(
        IdentityLinked,
        entity_id=st.just("ent_1"),
        draft=st.builds(
            IdentityDraft,
            address=addresses,
            display_name=words,
            confidence=st.sampled_from(LinkConfidence),
        ),
    )
    | st.builds(IdentityVerified, entity_id=st.just("ent_1"), address=addresses)
    | st.builds(IdentityUnlinked, entity_id=st.just("ent_1"), address=addresses, reason=words)
    | st.builds(
        TraitTold,
        st.builds(
            TraitDraft,
            entity_id=st.just("ent_1"),
            key=st.just("language"),
            value=words.filter(lambda text: not is_word_for_nothing(text)),
            confidence=st.sampled_from(ProfileConfidence),
            evidence=st.just(("epi_1",)) | st.just(()),
        ),
    )
    | st.builds(
        ConversationBegun,
        st.builds(
            ConversationDraft,
            entity_id=st.just("ent_1"),
            transport=st.sampled_from(["irc", "email"]),
            address=words,
            topic=words,
            scope=st.sampled_from(["global", "domain:x"]),
        ),
    )
    | st.builds(
        ConversationMoved,
        conversation_id=st.just("cnv_1"),
        status=st.sampled_from(ConversationStatus),
    )
    | st.builds(
        SummaryWritten,
        st.builds(
            DigestDraft,
            conversation_id=st.just("cnv_1"),
            first=st.just("epi_1"),
            last=st.just("epi_2"),
            count=st.integers(1, 99),
            text=words,
            tone=st.builds(
                ToneDraft,
                formality=st.floats(0, 1),
                technical_level=st.floats(0, 1),
                sentiment=st.sampled_from(Sentiment),
                pace=st.sampled_from(Pace),
            ),
            pending=st.lists(words, max_size=3).map(tuple),
            supersedes=st.none() | st.just("sum_1"),
        ),
    )
    | st.builds(
        SessionsDistilled,
        st.lists(
            st.builds(
                Window,
                session_id=words,
                scope=st.sampled_from(["global", "domain:x"]),
                through=counts,
                trigger=st.sampled_from(Trigger),
                waits_for_model=st.booleans(),
            )
        ).map(tuple),
        st.integers(1, 9),
    )
    | st.builds(
        SessionRead,
        session_id=words,
        scope=st.sampled_from(["global", "domain:x"]),
        through=counts,
        model=words,
    )
    | st.just(DistillationReopened())
)


@given(events)
def test_what_happened_comes_back_whole(event):
    assert decode(kind_of(event), encode(event), session_of(event)) == event


def test_every_event_of_the_union_has_a_kind_of_its_own():
    assert len(get_args(Event)) == len(set(EVENT_KINDS))


@pytest.mark.row("I9")
def test_a_payload_is_the_one_that_was_written_before():
    draft = EpisodeDraft(
        text="naïve\n",
        role=Role.ASSISTANT,
        session_id="s1",
        occurred_at=datetime(2026, 11, 20, 12, 0, 0, 7, tzinfo=UTC),
        metadata={"b": [1], "a": None},
    )

    assert encode(EpisodeRecorded(draft)) == (
        '{"at":1795176000000007,"metadata":{"a":null,"b":[1]},"role":"assistant","text":"naïve\\n"}'
    )


@pytest.mark.parametrize(
    ("kind", "payload"),
    [
        ("episode_forgotten", "{}"),
        ("episode_recorded", "{}"),
        ("episode_recorded", "[]"),
        ("episode_recorded", '{"text":1}'),
        ("episode_recorded", '{"text":"x","role":"boss"}'),
        ("episode_recorded", '{"text":"x"'),
        ("session_described", "{}"),
    ],
)
def test_a_payload_that_cannot_be_read_is_our_fault(kind, payload):
    with pytest.raises(CorruptionError):
        decode(kind, payload, None)
