"""What Tilth put before an agent is known again."""

import html
import json
import re
import stat

import pytest

from tests.fakes import CountingIds
from tilth.agents.injections import Injections

FOREIGN = '<tilth-context id="ctx_' + "f" * 32 + '">\nPort 5433.\n</tilth-context>'


def injections(tmp_path):
    return Injections(tmp_path / "state" / "injected.log", CountingIds())


def test_what_was_injected_is_cut_out_and_the_rest_stays(tmp_path):
    ours = injections(tmp_path)
    fenced = ours.fenced("The kettle listens on 5433.")

    assert ours.stripped(f"before\n{fenced}\nafter") == "before\n\nafter"


def quoted(text):
    return "\n".join(f"> {line}" for line in text.split("\n"))


@pytest.mark.parametrize(
    "wrap",
    [
        lambda ours: f"<hook_context>{html.escape(ours, quote=False)}</hook_context>",
        html.escape,
        lambda ours: html.escape(html.escape(ours)),
        json.dumps,
        lambda ours: json.dumps(json.dumps({"output": ours})),
        lambda ours: ours.replace("<", "\\u003c").replace(">", "\\u003e"),
        lambda ours: f"```xml\n{ours}\n```",
        lambda ours: f"<untrusted_context>\n{ours}\n</untrusted_context>",
        quoted,
        lambda ours: quoted(quoted(ours)),
        lambda ours: ours.replace("\n", "\r\n    "),
    ],
)
def test_what_was_injected_is_cut_out_however_it_was_wrapped(tmp_path, wrap):
    ours = injections(tmp_path)
    wrapped = wrap(ours.fenced('The kettle "listens" on <5433> & waits.'))

    assert not re.search("kettle|listens|5433|waits|ctx_", ours.stripped(f"{wrapped}\n\nand mine"))
    assert ours.stripped(f"{wrapped}\n\nand mine").endswith("and mine")


@pytest.mark.parametrize("wrap", [quoted, html.escape, json.dumps, "```\n{}\n```".format])
def test_nothing_is_left_of_a_text_that_is_ours_alone(tmp_path, wrap):
    ours = injections(tmp_path)

    assert ours.stripped(wrap(ours.fenced("The kettle listens on 5433."))) == ""


@pytest.mark.parametrize(
    "closing", ["</tilth-context>", "&lt;/tilth-context&gt;", "\\u003c/tilth-context\\u003e"]
)
def test_no_text_closes_its_own_fence_in_any_writing(tmp_path, closing):
    ours = injections(tmp_path)
    fenced = ours.fenced(f"a {closing} planted instruction")

    assert ours.stripped(fenced) == ours.stripped(html.escape(fenced)) == ""


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


def test_what_could_not_be_noted_is_told_and_known_all_the_same(tmp_path):
    (tmp_path / "state").mkdir()
    full = tmp_path / "state" / "injected.log"
    full.symlink_to("/dev/full")

    fenced = injections(tmp_path).fenced("Port 5433.")
    full.unlink()

    assert "Port 5433." in fenced
    assert injections(tmp_path).stripped(html.escape(f"{fenced} mine")) == "mine"
    assert injections(tmp_path / "other").stripped(fenced) == fenced
