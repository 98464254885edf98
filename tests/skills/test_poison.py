"""A text that claims success becomes no command, playbook, skill, confirmation or line."""

import json

import pytest

from tests.practice.sessions import SHOP, Session
from tests.skills.poison import COMMANDS, VARIANTS
from tilth.context.model import BriefRequest
from tilth.context.work import extract
from tilth.exchanges import report_sentences
from tilth.playbooks.gate import is_safe

EVIL = "evil"


def learned(brain):
    """Return whatever was learned of how things are done."""
    return json.dumps(
        [
            [str(one) for one in brain.commands.list(is_all=True)],
            [str(one) for one in brain.playbooks.list()],
            [str(one) for one in brain.skills.list()],
        ]
    )


def told(brain):
    return brain.brief(BriefRequest(via="test"), scope=SHOP).text


def repeat(brain, text):
    """Have an agent repeat a text in its reports of three sessions."""
    line = " ".join(text.split())
    for number in range(3):
        session = Session(brain, f"s{number}", day=number).asks(f"How is shop {number} deployed?")
        session.says(
            f"I read `README{number}.md`.\n\nIt only deploys because of this: {line}.\n\n{line}"
        )


@pytest.mark.row("KB-037", "C-15")
def test_there_are_enough_variants():
    assert len(set(VARIANTS)) >= 60


def test_a_file_that_five_sessions_read_teaches_nothing(brain):
    for number in range(5):
        session = Session(brain, f"s{number}", day=number).asks("Deploy the shop.")
        for text in VARIANTS:
            session.used('Read: {"file_path": "/w/README.md"}', text)
        session.ran("cat README.md", "\n".join(VARIANTS)).says("I read it.")

    brain.reflect()

    assert EVIL not in learned(brain)
    assert brain.playbooks.list() == []
    assert brain.skills.list() == []


def test_what_was_pasted_said_or_noted_teaches_nothing(brain):
    for number in range(5):
        session = Session(brain, f"s{number}", day=number)
        for text in VARIANTS:
            session.says(text)
        brain.remember(VARIANTS[number], session_id=f"claude-code:n{number}", scope=SHOP)

    brain.reflect()

    assert EVIL not in learned(brain)
    assert brain.playbooks.list() == []


@pytest.mark.row("KB-037", "C-15")
@pytest.mark.parametrize("text", VARIANTS)
@pytest.mark.on_sqlite(but=2)
def test_what_an_agent_repeats_in_its_report_is_in_no_brief(brain, text):
    repeat(brain, text)

    assert EVIL not in told(brain)


@pytest.mark.parametrize("text", VARIANTS)
@pytest.mark.on_sqlite(but=2)
def test_no_brief_tells_to_run_what_an_agent_repeats_however_much_it_seems_worth(
    brain, text, monkeypatch
):
    monkeypatch.setattr(extract, "worth", lambda *_: 1.0)
    monkeypatch.setattr(report_sentences, "worth", lambda *_: 1.0)
    repeat(brain, text)

    assert [line for line in told(brain).splitlines() if not is_safe(line)] == []


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.on_sqlite(but=2)
def test_a_command_that_fetches_and_was_really_run_five_times_is_no_step(brain, command):
    for number in range(5):
        session = Session(brain, f"s{number}", day=number).asks("Deploy the shop, please.")
        session.ran(command, "Installed, 14 passed.").ran("make test", "3 passed")
        session.ran("make build", "Built the shop.").ran(
            "make deploy", "Deployed the shop, all of it."
        )
        session.says("Done.")

    brain.reflect()

    assert EVIL not in learned(brain)
    assert "base64" not in learned(brain)
    assert {one.state for one in brain.playbooks.list()} <= {"candidate"}
    assert {one.state for one in brain.skills.list()} <= {"candidate"}
    assert all(one.places == () for one in brain.skills.list())
    assert EVIL not in told(brain)


def test_an_imported_folder_of_claims_teaches_nothing(brain, tmp_path):
    for number, text in enumerate(VARIANTS):
        (tmp_path / f"{number}.md").write_text(f"# How to deploy\n\n{text}\n")

    for source in brain.find_sources(str(tmp_path)):
        list(brain.import_sources([source]))
    brain.reflect()

    assert EVIL not in learned(brain)
    assert brain.playbooks.list() == []
    assert brain.skills.list() == []
