"""The audit of what is recorded: a field that nobody fills is found."""

import runpy
from dataclasses import fields
from pathlib import Path

import pytest

from tests.conftest import a_draft
from tilth.episodes.episode import EpisodeDraft
from tilth.episodes.events import EpisodeRecorded, ImportFinished, SessionDescribed
from tilth.episodes.session import SessionInfo
from tilth.knowledge.entities.entity import EntityDraft
from tilth.knowledge.facts.events import FactRecorded
from tilth.knowledge.facts.statement import Statement, Taxonomy, Triple
from tilth.learning.model import Window

SCRIPT = Path(__file__).parents[2] / "scripts" / "audit_fields.py"


@pytest.fixture(scope="module")
def audit():
    return runpy.run_path(str(SCRIPT))


def recorded(count, **changes):
    return [EpisodeRecorded(a_draft(f"so it is {number}", **changes)) for number in range(count)]


def idle(audit, events):
    return audit["idle"](audit["shares"](events))


@pytest.mark.row("OB-072")
def test_a_field_of_the_sample_that_nobody_fills_fails(audit, tmp_path):
    store = tmp_path / "sample.db"
    audit["make_sample"](store)

    found = audit["shares"](audit["recorded"](store))

    assert audit["idle"](found) == []
    assert found["EpisodeDraft.text"] == 1
    assert found["EpisodeDraft.speaker"] == 0


@pytest.mark.row("OB-072")
def test_filled_in_fewer_than_3_of_100_rows_is_idle(audit):
    assert "EpisodeDraft.metadata" in idle(audit, recorded(98) + recorded(2, metadata={"a": 1}))
    assert "EpisodeDraft.metadata" not in idle(audit, recorded(97) + recorded(3, metadata={"a": 1}))


@pytest.mark.row("OB-072")
def test_what_is_known_to_lie_idle_is_a_field_and_has_a_reason(audit):
    kinds = (
        EntityDraft,
        EpisodeDraft,
        FactRecorded,
        ImportFinished,
        SessionDescribed,
        SessionInfo,
        Statement,
        Taxonomy,
        Triple,
        Window,
    )
    known = {f"{kind.__name__}.{one.name}" for kind in kinds for one in fields(kind)}

    assert audit["RARE"].keys() <= known
    assert all(audit["RARE"].values())


@pytest.mark.row("OB-072")
@pytest.mark.parametrize(("words", "code"), [((), 0), (("mine.db",), 1)])
def test_the_program_fails_where_a_field_lies_idle(
    audit, tmp_path, monkeypatch, capsys, words, code
):
    monkeypatch.chdir(tmp_path)
    with audit["tilth"].connect(tmp_path / "mine.db", create=True) as brain:
        brain.remember("It rains.")
    monkeypatch.setattr("sys.argv", ["audit_fields.py", *words])

    assert audit["main"]() == code
    assert ("nobody fills EpisodeDraft.metadata" in capsys.readouterr().err) == bool(code)
