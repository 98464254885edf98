"""What an import promises on every store: it counts what it does, and goes on past what is gone."""

import hashlib
import itertools
import json
from dataclasses import fields
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from tests.conftest import a_draft, texts
from tests.effort import tried
from tests.fakes import START, HashingEmbedder
from tests.transfer.takers import a_taker
from tilth.core.errors import UnavailableError
from tilth.core.ids import SessionId
from tilth.core.scope import DEFAULT_OWNER, GLOBAL, Owner
from tilth.episodes.remember import WriteContext
from tilth.episodes.session import SessionInfo
from tilth.runtime.brain import IMPORTER
from tilth.transfer import import_sources
from tilth.transfer.model import Described, Skipped, Source

NUMBERS = itertools.count()


class AsideFolder:
    """An importer of what stands on it: sources by name, some gone, some torn off."""

    def __init__(self, sources, *, gone=(), torn=()):
        self.sources = sources
        self.gone = set(gone)
        self.torn = set(torn)

    def named(self, *names):
        return [Source(name, "shelf", len(self.sources[name])) for name in names]

    def find(self, path):
        return self.named(path)

    def read(self, source):
        self._check(source)
        yield from ((item, at) for at, item in enumerate(self.sources[source.uri]))
        if source.uri in self.torn:
            raise UnavailableError("it cannot be read: Input/output error")

    def fingerprint(self, source):
        self._check(source)
        return hashlib.sha256(repr(self.sources[source.uri]).encode()).hexdigest()

    def rows(self, source):
        return iter(())

    def _check(self, source):
        if source.uri in self.gone:
            raise UnavailableError("it cannot be read: No such file or directory")


def bring_in(store, shelf, names, *, is_dry_run=False, owner=DEFAULT_OWNER):
    return list(
        import_sources.import_sources(
            store,
            (shelf, HashingEmbedder(), a_taker(store, WriteContext(IMPORTER, owner))),
            shelf.named(*names),
            recorder=WriteContext(IMPORTER, owner),
            is_dry_run=is_dry_run,
        )
    )


def counted(reports):
    return [{one.name: getattr(report, one.name) for one in fields(report)} for report in reports]


# So few that much is said twice.
DRAFTS = [
    a_draft(
        text,
        session_id="s1",
        occurred_at=START + timedelta(seconds=seconds),
        metadata=form,
        idempotency_key=f"{text} {seconds} {form}" if has_key else None,
    )
    for text in ("yes", "<private>hush</private>")
    for seconds in (0, 61)
    for form in ({}, {"retold_by": "another"}, {"hook": "Stop"})
    for has_key in (True, False)
]
OTHERS = [
    Described(SessionId("s1"), SessionInfo(title="tea"), GLOBAL),
    Described(SessionId("s1"), SessionInfo(), GLOBAL),
    Skipped("here", "left out", 2),
]
ITEMS = st.lists(st.sampled_from([*DRAFTS, *OTHERS]), min_size=4, max_size=9)
NAMES = ["a", "b", "c"]


@given(
    contents=st.tuples(ITEMS, ITEMS, ITEMS),
    before=st.lists(st.sampled_from(NAMES), max_size=2),
    names=st.lists(st.sampled_from(NAMES), min_size=2, max_size=5),
    gone=st.sets(st.sampled_from(NAMES), max_size=1),
    torn=st.sets(st.sampled_from(NAMES), max_size=1),
)
@tried(60, HealthCheck.function_scoped_fixture)
def test_a_dry_run_counts_what_the_real_run_does_whatever_stands_there(  # noqa: PLR0913, PLR0917
    store, monkeypatch, contents, before, names, gone, torn
):
    monkeypatch.setattr(import_sources, "BATCH_ITEMS", 2)
    # An owner for each example: to it the store is empty.
    owner = Owner(f"owner{next(NUMBERS)}")
    shelf = AsideFolder(dict(zip(NAMES, contents, strict=True)))
    bring_in(store, shelf, before, owner=owner)
    shelf.gone, shelf.torn = gone, torn

    dry = bring_in(store, shelf, names, is_dry_run=True, owner=owner)
    real = bring_in(store, shelf, names, owner=owner)

    assert counted(dry) == counted(real)


def test_a_source_that_is_gone_since_it_was_found_is_told_and_the_rest_is_read(store):
    shelf = AsideFolder({"a": [a_draft("one")], "b": [a_draft("two")], "c": [a_draft("three")]})
    shelf.gone = {"b"}

    reports = bring_in(store, shelf, NAMES)

    assert [report.new_count for report in reports] == [1, 0, 1]
    assert reports[1].skipped == [Skipped("b", "it cannot be read: No such file or directory")]
    assert (reports[1].is_read_through, reports[1].is_unchanged) == (False, False)
    shelf.gone = set()
    assert [report.new_count for report in bring_in(store, shelf, NAMES)] == [0, 1, 0]


def test_a_source_that_breaks_off_is_kept_as_far_as_it_goes_and_read_again(store):
    said = [a_draft(text, idempotency_key=text) for text in ("one", "two")]
    shelf = AsideFolder({"a": said}, torn={"a"})

    for new_count in (2, 0):
        (report,) = bring_in(store, shelf, ["a"])
        assert (report.new_count, report.skipped_count) == (new_count, 1)
        assert not report.is_read_through
    shelf.torn = set()
    (whole,) = bring_in(store, shelf, ["a"])

    assert (whole.known_count, whole.is_read_through, whole.is_unchanged) == (2, True, False)
    assert bring_in(store, shelf, ["a"])[0].is_unchanged
    assert texts(store) == ["one", "two"]


@pytest.mark.parametrize("first", ["retold", "own"])
def test_a_session_that_another_program_retold_is_there_once(store, first):
    at = START.replace(microsecond=250_000)
    own = [
        a_draft("Boil water.", session_id="s", occurred_at=at, idempotency_key="own 1"),
        a_draft("yes", session_id="s", occurred_at=at + timedelta(seconds=4), idempotency_key="2"),
        a_draft("yes", session_id="s", occurred_at=at + timedelta(seconds=9), idempotency_key="3"),
    ]
    retold = [
        a_draft(
            draft.text,
            session_id="s",
            occurred_at=draft.occurred_at.replace(microsecond=0),
            metadata={"retold_by": "another"},
            idempotency_key=f"retold {number}",
        )
        for number, draft in enumerate(own)
    ]
    shelf = AsideFolder({"own": own, "retold": retold})
    names = sorted(shelf.sources, key=lambda name: name != first)

    counts = [report.new_count for report in bring_in(store, shelf, names)]
    shelf.sources["own"].append(
        a_draft("Tea.", session_id="s", occurred_at=at + timedelta(60), idempotency_key="4")
    )
    grown = [report.new_count for report in bring_in(store, shelf, names)]

    assert counts == [3, 0]
    assert sum(grown) == 1
    assert texts(store) == ["Boil water.", "yes", "yes", "Tea."]


HISTORY = """<!-- Generated by SpecStory, Markdown v2.1.0 -->

<!-- Claude Code Session ab-12 (2026-01-05 10:00:00Z) -->

_**User (2026-01-05 10:00:00Z)**_

Boil water.

---

_**Agent (model-1 2026-01-05 10:00:05Z)**_

I look first.

---

_**User (2026-01-05 10:00:30Z)**_

This session is being continued from a previous conversation. The kettle boils.

---
"""
SUMMARY = "This session is being continued from a previous conversation. The kettle boils."
TRANSCRIPT = [
    {
        "type": role,
        "uuid": f"u{number}",
        "sessionId": "ab-12",
        "timestamp": f"2026-01-05T10:00:{second}Z",
        "message": {"role": role, "content": [{"type": "text", "text": text}]},
    }
    for number, (role, second, text) in enumerate(
        [
            ("user", "00.271", "Boil water."),
            ("assistant", "05.903", "I look first."),
            ("user", "30.144", SUMMARY),
        ]
    )
]


@pytest.mark.parametrize("names", [("a.md", "b.jsonl"), ("b.md", "a.jsonl")])
def test_specstorys_history_and_the_hosts_transcript_are_one_session(brain, tmp_path, names):
    history, transcript = (tmp_path / name for name in names)
    history.write_text(HISTORY)
    transcript.write_text("".join(f"{json.dumps(line)}\n" for line in TRANSCRIPT))

    sources = brain.find_sources(str(tmp_path))
    dry = list(brain.import_sources(sources, is_dry_run=True))
    real = list(brain.import_sources(sources))

    assert [report.new_count for report in dry] == [report.new_count for report in real] == [3, 0]
    assert [report.known_count for report in real] == [0, 3]
    assert [one.text for one in brain.episodes.list()] == ["Boil water.", "I look first.", SUMMARY]
