"""Which of what was found counts as which of what was labelled."""

from datetime import UTC, date, datetime

import pytest

from bench.capture import main, typed
from bench.labelling import Found, Span, match
from bench.machine import ROOT
from bench.transcripts import Label, Place, Transcript, read_transcripts
from tilth.episodes.episode import EpisodeDraft
from tilth.knowledge.vocabulary.registries import Channel
from tilth.learning.candidate import StatementKind

CAPTURE = ROOT / "bench" / "data" / "capture"
SAID = "We moved to port 5433. Bo brings the list by Friday, I think. No, it's 5434."


def labels_in(path):
    return sum(one.required for one in read_transcripts(path))


def a_label(quote, *values, kind="fact", turn=0, **how):
    known = {"old_value": None, "due": None, "is_optional": False, "places": [Place(turn, quote)]}
    return Label(kind=kind, channels=["entity"], subject="", values=values, **(known | how))


def a_transcript(*labels, text=SAID):
    draft = EpisodeDraft(text=text, occurred_at=datetime(2026, 3, 2, tzinfo=UTC))
    return Transcript(id="t", genre="g", language="en", drafts=[draft, draft], labels=labels)


def found(quote, words=None, turn=0, **how):
    start = SAID.index(quote)
    span = Span(turn, start, start + len(quote))
    return Found(words=words or quote, spans=[span], **how)


MOVED = a_label("We moved to port 5433", ["5433"])


def test_a_label_is_met_where_it_stands_by_what_says_its_value():
    matched = match(a_transcript(MOVED), [found("moved to port 5433", "the port is 5433")])

    assert [label for label, _ in matched.pairs] == [MOVED]
    assert not matched.missed
    assert not matched.wrong


@pytest.mark.parametrize(
    ("one", "why"),
    [
        (found("it's 5434", "the port is 5433"), "nothing there"),
        (found("We moved", "the port is 5433", turn=1), "nothing there"),
        (found("We moved to port 5433", "we moved"), "lacks a value"),
        (found("We moved to port 5433", "the port is 54331"), "lacks a value"),
    ],
)
def test_other_words_and_other_values_are_wrong(one, why):
    matched = match(a_transcript(MOVED), [one])

    assert matched.missed == [MOVED]
    assert matched.wrong == [(one, why)]


def test_the_same_told_twice_is_one_label_and_one_wrong_fact():
    again = a_label("port 5433", ["5433"], places=[Place(0, "port 5433"), Place(1, "port 5433")])
    here, there = found("port 5433"), found("port 5433", turn=1)

    matched = match(a_transcript(again), [here, there])

    assert len(matched.pairs) == 1
    assert [why for _, why in matched.wrong] == ["duplicate"]


def test_labels_share_what_was_found_so_that_most_are_met():
    port, moved = a_label("port 5433", ["5433"]), a_label("We moved", ["moved"])
    both, number = found("We moved to port 5433"), found("port 5433")

    matched = match(a_transcript(port, moved), [both, number])

    assert {label.values[0][0]: one for label, one in matched.pairs} == {
        "5433": number,
        "moved": both,
    }


def test_one_spelling_of_a_value_is_enough_and_a_deadline_is_one():
    promise = a_label("brings the list by Friday", ["list"], ["Friday week", "2026-03-06"])

    late = found("Bo brings the list", "Bo brings the list", due=date(2026, 3, 6))

    assert match(a_transcript(promise), [late]).pairs
    assert not match(a_transcript(promise), [found("Bo brings the list")]).pairs


def test_a_value_may_be_told_with_its_unit_and_in_the_third_person():
    takes = a_label("it's 5434", ["5434"], ["don't"])

    (pair,) = match(a_transcript(takes), [found("it's 5434", "Bo doesn't take 5434ms")]).pairs

    assert pair[0] == takes


def test_what_is_optional_may_be_left_out_and_is_right_if_it_is_there():
    maybe = a_label("Bo brings the list", ["list"], is_optional=True)

    assert not match(a_transcript(maybe), []).missed
    assert not match(a_transcript(maybe), [found("Bo brings the list")]).wrong


@pytest.mark.parametrize("path", sorted(CAPTURE.glob("*.jsonl")), ids=lambda path: path.stem)
def test_every_label_stands_in_what_was_said_in_words_that_we_know(path):
    for transcript in read_transcripts(path):
        for label in transcript.labels:
            assert label.kind in set(StatementKind)
            assert set(label.channels) <= set(Channel)
            assert all(label.values)
            for place in label.places:
                assert place.quote in transcript.drafts[place.turn].text


def test_a_third_of_the_labels_is_held_out():
    counts = {path.stem: labels_in(path) for path in CAPTURE.glob("*.jsonl")}
    held_out = sum(count for name, count in counts.items() if "held_out" in name)
    tuned_on = sum(counts.values()) - held_out - counts["other_languages"]

    assert held_out >= 100
    assert 0.3 < held_out / (held_out + tuned_on) < 0.4


def test_nobody_looks_into_what_is_held_out(capsys):
    with pytest.raises(SystemExit):
        main(["bench/data/capture/held_out.jsonl", "--misses"])

    assert "nobody looks into held_out.jsonl" in capsys.readouterr().err


def test_the_floor_is_each_sentence_that_somebody_typed():
    sentences = [one.words.strip() for one in typed(a_transcript()) if one.spans[0].turn == 0]

    assert sentences[0] == "We moved to port 5433"
    assert len(sentences) == 3
