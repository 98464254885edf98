"""Learning how much it is worth to remember what is said."""

import json

import numpy as np
import pytest

from bench.train_worth import _least, examples_in, learned_from, main

KEPT = ("The goat Mirabel owns {n} bells.", "The barn at Quill holds {n} carts.")
TALK = ("Haha, that goat again!", "Well, good luck with that then!")


def a_line(number):
    """Return a transcript of one thing to remember and one that is not."""
    said = KEPT[number % 2].format(n=number + 20)
    return {
        "id": f"t{number}",
        "genre": "people",
        "language": "en",
        "scope": "global",
        "transport": "discord",
        "began": "2026-03-02T09:00:00+00:00",
        "turns": [
            {"role": "user", "text": said, "speaker": "Ines"},
            {"role": "assistant", "text": "Noted."},
            {"role": "user", "text": TALK[number % 2], "speaker": "Ines"},
        ],
        "labels": [
            {
                "kind": "fact",
                "channels": ["entity"],
                "subject": "the barn",
                "values": [[str(number + 20)]],
                "places": [{"turn": 0, "quote": said}],
            }
        ],
    }


@pytest.fixture(scope="module")
def transcripts(tmp_path_factory):
    path = tmp_path_factory.mktemp("learning") / "invented.jsonl"
    lines = (json.dumps(a_line(number)) for number in range(6))
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def test_a_run_is_worth_remembering_where_it_tells_what_a_label_says(transcripts):
    examples = list(examples_in(transcripts))
    assert sum(one.is_worth for one in examples) == 6
    assert all("number" in one.features for one in examples if one.is_worth)


def test_learning_twice_from_the_same_gives_the_same(transcripts, tmp_path):
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    for path in (first, second):
        main([str(transcripts), "--to", str(path)])
    assert first.read_bytes() == second.read_bytes()
    assert set(json.loads(first.read_text(encoding="utf-8"))) == {"bias", "features", "words"}


def test_a_sign_of_what_is_worth_remembering_weighs_for_it(transcripts):
    features = learned_from(list(examples_in(transcripts)))["features"]
    assert features["number"] > 0
    assert features["exclaims"] < 0


def test_talk_states_nothing(tmp_path):
    path = tmp_path / "talk.txt"
    path.write_text("Lovely goat!\n\nIs it? Well, well.\n", encoding="utf-8")
    examples = list(examples_in(path))
    assert examples
    assert not any(one.is_worth for one in examples)


def test_l_bfgs_finds_the_least_of_a_quadratic():
    curved = np.array([[4.0, 1.0, 0.0], [1.0, 3.0, 0.5], [0.0, 0.5, 20.0]])
    toward = np.array([1.0, -2.0, 3.0])

    def quadratic(at):
        return float(0.5 * at @ curved @ at - toward @ at), curved @ at - toward

    found = _least(quadratic, np.zeros(3))
    assert np.allclose(found, np.linalg.solve(curved, toward), atol=1e-6)


def test_nothing_is_learned_from_what_is_held_out(capsys):
    with pytest.raises(SystemExit):
        main(["bench/data/capture/held_out.jsonl"])

    assert "nobody looks into held_out.jsonl" in capsys.readouterr().err
