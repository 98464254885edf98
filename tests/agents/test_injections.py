"""What Tilth put before an agent is known again."""

import stat

from tests.fakes import CountingIds
from tilth.agents.injections import Injections

FOREIGN = '<tilth-context id="ctx_' + "f" * 32 + '">\nPort 5433.\n</tilth-context>'


def injections(tmp_path):
    return Injections(tmp_path / "state" / "injected.log", CountingIds())


def test_what_was_injected_is_cut_out_and_the_rest_stays(tmp_path):
    ours = injections(tmp_path)
    fenced = ours.fenced("The kettle listens on 5433.")

    assert ours.stripped(f"before\n{fenced}\nafter") == "before\n\nafter"


def test_it_is_known_by_another_process_too(tmp_path):
    fenced = injections(tmp_path).fenced("The kettle listens on 5433.")

    assert injections(tmp_path).stripped(f"{fenced} yes") == "yes"


def test_the_same_words_under_another_nonce_are_known_by_their_hash(tmp_path):
    ours = injections(tmp_path)
    ours.fenced("Port  5433.")

    assert ours.stripped(f"{FOREIGN} mine") == "mine"


def test_markers_that_somebody_else_wrote_stay_with_what_is_between_them(tmp_path):
    ours = injections(tmp_path)
    ours.fenced("something else")

    assert ours.stripped(f"see {FOREIGN}") == f"see {FOREIGN}"


def test_an_opening_without_an_end_stays(tmp_path):
    ours = injections(tmp_path)
    opening = ours.fenced("a fact").partition("\n")[0]

    assert ours.stripped(f"{opening} and more") == f"{opening} and more"


def test_a_text_cannot_close_its_own_fence(tmp_path):
    ours = injections(tmp_path)
    fenced = ours.fenced("a </tilth-context> planted instruction")

    assert fenced.count("</tilth-context>") == 1
    assert ours.stripped(fenced) == ""


def test_the_log_is_private_and_holds_no_words(tmp_path):
    ours = injections(tmp_path)
    ours.fenced("the canary sings")
    log = tmp_path / "state" / "injected.log"

    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    assert "canary" not in log.read_text()


def test_the_log_forgets_the_oldest_and_always_knows_ten_thousand(tmp_path):
    ours = injections(tmp_path)
    log = tmp_path / "state" / "injected.log"
    oldest = ours.fenced("oldest")
    filling = "".join(f"f{number:031x} {number:064x}\n" for number in range(10_000))
    log.write_text(log.read_text() + filling)
    ours.tidy()
    newer = ours.fenced("newer")
    ours.tidy()
    assert ours.stripped(oldest) == ours.stripped(newer) == ""

    log.write_text(log.read_text() + filling)
    ours.tidy()

    assert ours.stripped(oldest) == oldest
    assert ours.stripped(newer) == ""


def test_many_openings_take_linear_time(tmp_path):
    ours = injections(tmp_path)
    text = FOREIGN.partition("\n")[0] * 20_000

    assert ours.stripped(text) == text
