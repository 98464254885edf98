"""What is steered from the settings page: hosts, capture, the worker, tokens, settings."""

import json
import os

import pytest

from tests.interfaces.http.served import Served, serving
from tests.interfaces.web.forms import pressed, said
from tilth.core.errors import ConflictError
from tilth.interfaces import mcp
from tilth.interfaces.http.tokens import Role
from tilth.interfaces.plug_hosts import check_store
from tilth.runtime import connect as bootstrap
from tilth.runtime import places
from tilth.runtime.system import SystemClock


def test_a_host_is_plugged_in_as_shown_and_taken_out_again(served: Served, home):
    hooks = home / ".claude" / "skills" / "tilth" / "hooks" / "hooks.json"
    browser = served.browser()
    page = browser.get("/hosts/claude-code").text
    assert "<h1>Plug in Claude Code</h1>" in page
    assert "hooks.json" in page
    assert not hooks.exists()
    page = pressed(browser, page, "hosts/plug").text
    assert "Claude Code is plugged in." in said(page)
    assert json.loads(hooks.read_text())["hooks"]
    assert "plugged in already" in browser.get("/hosts/claude-code").text
    page = pressed(browser, page, "hosts/unplug").text
    assert "Claude Code is unplugged." in said(page)
    assert not hooks.exists()


def test_a_host_is_given_the_tools_as_shown_with_its_hooks_or_later(served: Served, home):
    entry = home / ".claude" / "skills" / "tilth" / ".mcp.json"
    browser = served.browser()
    bare = browser.get("/hosts/claude-code").text
    assert "/hosts/claude-code?tools=on" in bare
    assert ".mcp.json" not in bare
    page = pressed(browser, bare, "hosts/plug").text
    assert not entry.exists()
    assert "/hosts/claude-code?tools=on" in browser.get("/settings").text

    later = browser.get("/hosts/claude-code?tools=on").text

    assert ".mcp.json" in later
    page = pressed(browser, later, "hosts/plug").text
    assert "Claude Code is plugged in." in said(page)
    assert json.loads(entry.read_text())["mcpServers"]["tilth"]["args"][0] == "mcp"
    assert "tools=on" not in browser.get("/settings").text
    pressed(browser, page, "hosts/unplug")
    assert not entry.exists()


def test_a_host_that_cannot_have_the_tools_is_told_why(served: Served, home, monkeypatch):
    monkeypatch.setattr(mcp, "find_spec", lambda name: None)

    page = served.browser().get("/hosts/codex?tools=on").text

    assert "tilth[mcp]" in page
    assert "hosts/plug" not in page


def test_a_host_whose_files_changed_since_they_were_shown_is_left_alone(served: Served, home):
    browser = served.browser()
    page = browser.get("/hosts/gemini-cli").text
    settings = home / ".gemini" / "settings.json"
    settings.parent.mkdir(exist_ok=True)
    settings.write_text('{"theme": "plain"}')
    answer = pressed(browser, page, "hosts/plug", digest="0" * 64)
    assert "changed since they were shown" in said(answer.text)
    assert settings.read_text() == '{"theme": "plain"}'


def test_a_store_that_hooks_do_not_record_into_is_plugged_into_nothing(
    served: Served, home, monkeypatch
):
    monkeypatch.setenv("TILTH_HOME", str(home / "elsewhere"))
    page = served.browser().get("/hosts/claude-code").text
    assert "hooks record into" in page
    assert "hosts/plug" not in page


def test_capture_is_paused_and_resumed(served: Served):
    browser = served.browser()
    state = bootstrap.hooks(os.environ).state
    page = pressed(browser, browser.get("/settings").text, "capture/pause")
    assert state.is_paused(SystemClock().now())
    pressed(browser, page.text, "capture/resume")
    assert not state.is_paused(SystemClock().now())


def test_a_token_is_shown_once_asks_and_is_revoked(served: Served):
    browser = served.browser()
    page = pressed(browser, browser.get("/settings").text, "tokens/add", name="bot", role="agent")
    bits = said(page.text).partition('tabindex="0">')[2].partition("<")[0]
    program = served.client(None)
    program.headers["authorization"] = f"Bearer {bits}"
    assert program.post("/v1/recall", json={"question": "kettle"}).status_code == 200
    page = browser.get("/settings")
    assert bits not in page.text
    assert bits not in (browser.get("/settings.json").text)
    pressed(browser, page.text, "tokens/revoke")
    assert program.post("/v1/recall", json={"question": "kettle"}).status_code == 401


def test_a_second_token_of_a_name_is_refused_and_the_first_one_stands(served: Served):
    served.tokens.add("bot", Role.AGENT)
    browser = served.browser()
    page = pressed(browser, browser.get("/settings").text, "tokens/add", name="bot", role="admin")
    assert "called 'bot' already" in said(page.text)
    assert [(one.name, one.role) for one in served.tokens.list()] == [("bot", Role.AGENT)]


@pytest.mark.parametrize(
    ("name", "value", "kept"),
    [
        ("excluded_terms", "Project X, Ada", ("Project X", "Ada")),
        ("spend_day", "calls=5", ("calls=5",)),
        ("reflection", "false", False),
        ("recall_limit", "7", 7),
    ],
)
def test_a_setting_is_set_and_told_as_it_is(served: Served, name, value, kept):
    browser = served.browser()
    page = browser.get("/settings").text
    answer = pressed(browser, page, "settings/set", f'value="{name}"', value=value)
    assert f"{name} is set" in said(answer.text)
    assert getattr(places.loaded(os.environ).settings, name) == kept


def test_a_setting_of_the_file_has_its_default_again(served: Served, home):
    (home / "config.toml").write_text("# mine\nrecall_limit = 3\n")
    browser = served.browser()
    page = browser.get("/settings").text
    assert page.count('value="settings/unset"') == 1

    answer = pressed(browser, page, "settings/unset", 'value="recall_limit"')

    assert "recall_limit has its default again" in said(answer.text)
    assert "settings/unset" not in answer.text
    assert (home / "config.toml").read_text() == "# mine\n"


def test_a_value_that_cannot_be_read_leaves_the_file_as_it_was(served: Served, home):
    (home / "config.toml").write_text("# mine\nrecall_limit = 3\n")
    browser = served.browser()
    page = browser.get("/settings").text
    answer = pressed(browser, page, "settings/set", 'value="recall_limit"', value="lots")
    assert "recall_limit stays as it was" in said(answer.text)
    assert (home / "config.toml").read_text() == "# mine\nrecall_limit = 3\n"


@pytest.mark.parametrize("name", ["store", "owner", "nothing"])
def test_where_the_store_lies_is_no_pages_to_change(served: Served, home, name):
    browser = served.browser()
    page = browser.get("/settings").text
    for verb in ("settings/set", "settings/unset"):
        answer = pressed(browser, page, "settings/set", verb=verb, name=name, value="x")
        assert "is not set from a page" in said(answer.text)
    assert not (home / "config.toml").exists()


class Hand:
    """A worker that runs nowhere."""

    def __init__(self) -> None:
        self.is_on = True

    def start(self) -> None:
        self.is_on = True

    def stop(self) -> None:
        self.is_on = False


def test_the_worker_beside_the_server_is_stopped_and_started(served: Served, tmp_path):
    hand = Hand()
    with serving(served.brain, tmp_path / "beside", worker=hand) as beside:
        browser = beside.browser()
        page = pressed(browser, browser.get("/settings").text, "worker/stop")
        assert not hand.is_on
        assert "What is left waits" in said(page.text)
        pressed(browser, page.text, "worker/start")
        assert hand.is_on


def test_no_act_is_done_without_the_secret_of_its_page(served: Served, home):
    browser = served.browser()
    for verb in ("tokens/add", "settings/set", "hosts/plug", "erase", "worker/stop", "take-back"):
        assert browser.post("/act", data={"verb": verb, "name": "x"}).status_code == 403
    assert served.tokens.list() == []
    assert served.client(Role.ADMIN).post("/act", data={"verb": "tokens/add"}).status_code == 401


def test_undo_with_nothing_to_undo_says_so(served: Served):
    browser = served.browser()
    data = {"verb": "take-back", "csrf": _secret(browser), "back": "/facts"}
    answer = browser.post("/act", data=data, follow_redirects=True)
    assert "nothing is left to take back" in said(answer.text)


def _secret(browser) -> str:
    return browser.get("/").text.partition('data-csrf="')[2].partition('"')[0]


def test_plugging_into_another_store_is_refused_by_name(home):
    with pytest.raises(ConflictError, match="hooks record into"):
        check_store("/elsewhere/tilth.db")
