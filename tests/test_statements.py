"""Which tests need no second engine, by what they ask."""

import json

from tests.statements import main, spared

ASKED = {f"t{n}": {"SELECT a"} for n in range(12)} | {"alone": {"SELECT a", "SELECT b"}}


def test_what_enough_others_ask_is_spared_dearest_first():
    seconds = {"t3": 2.0, "t7": 5.0}
    # Thirteen ask the one statement: with ten others for each, three at most go.
    assert list(spared(ASKED, dict.fromkeys(ASKED, 0.0) | seconds, ())) == ["t7", "t3", "t0"]


def test_what_holds_a_contract_and_what_asks_something_of_its_own_stays():
    seconds = dict.fromkeys(ASKED, 0.0) | {"alone": 9.0, "t7": 5.0}
    assert "alone" not in spared(ASKED, seconds, ())
    assert "t7" not in spared(ASKED, seconds, {"t7"})


def test_the_notes_of_all_workers_count_together(tmp_path, capsys):
    for worker in range(2):
        told = {
            f"t{worker}{n}": {"is_kept": n > 0, "seconds": n, "asked": ["SELECT a"]}
            for n in range(6)
        }
        (tmp_path / f"gw{worker}.json").write_text(json.dumps(told))

    main(tmp_path)

    assert capsys.readouterr().out == "t00\nt10\n"
