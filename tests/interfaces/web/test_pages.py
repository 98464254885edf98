"""The pages: signed in by a link, every screen with its twin, decisions that can be undone."""

import re
from html.parser import HTMLParser

import pytest

from tests.interfaces.http.served import Served, csrf_of
from tilth.core.actor import Human
from tilth.interfaces.http import calling
from tilth.interfaces.http.tokens import Role
from tilth.interfaces.web.pages import all_screens

SLOT = {"system": "lab", "component": "router"}
PAYLOADS = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "[x](javascript:alert(1))",
    "![x](http://evil.example/x.png)",
    "</title><script>alert(1)</script>",
    "<a href='data:text/html,<script>alert(1)</script>'>x</a>",
    "{{ 7*7 }}{% raw %}",
    "<style>*{display:none}</style>",
    "<iframe srcdoc='<script>alert(1)</script>'>",
)


class Found(HTMLParser):
    """The tags of a page, with what would run or load something."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.scripts: list[str] = []
        self.active: list[str] = []
        self.outside: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        told = dict(attrs)
        if tag == "script":
            self.scripts.append(told.get("src") or "inline")
        if tag in {"iframe", "object", "embed", "style", "base"}:
            self.active.append(tag)
        self.active += [name for name in told if name.startswith("on")]
        for name in ("src", "href", "action"):
            value = (told.get(name) or "").strip().lower()
            if value.startswith(("javascript:", "data:", "vbscript:")):
                self.active.append(value)
            if tag in {"img", "link", "script"} and name != "action" and "//" in value:
                self.outside.append(value)


def a_question(served: Served):
    """Have an agent ask to replace what a person said; return the proposal."""
    person = calling.acting(served.brain, Human("ana"))
    person.facts.add("The router is at 192.0.2.1.", **SLOT)
    served.brain.facts.add("The router is at 192.0.2.9.", **SLOT)
    return person.review.list().proposals[0]


def pressed(browser, page: str, verb: str, **typed: str):
    """Send the form of a page that calls *verb*."""
    for form in re.findall(r'<form method="post" action="/act".*?</form>', page, re.DOTALL):
        fields = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', form)
        if ("verb", verb) in fields:
            data: dict[str, list[str]] = {}
            for name, value in fields:
                data.setdefault(name, []).append(value.replace("&#39;", "'"))
            data |= {name: [text] for name, text in typed.items()}
            return browser.post("/act", data=data, follow_redirects=True)
    raise AssertionError(f"no form calls {verb}")


def test_a_page_sends_strangers_to_sign_in(served: Served):
    stranger = served.client(None)
    answer = stranger.get("/inbox")
    assert (answer.status_code, answer.headers["location"]) == (303, "/login?back=/inbox")
    assert stranger.get("/inbox.json").status_code == 401
    assert stranger.get("/live").status_code == 401
    assert stranger.post("/act", data={}).status_code == 401
    assert served.client(Role.ADMIN).get("/inbox.json").status_code == 401


def test_a_link_signs_in_once_with_a_cookie_that_scripts_never_get(served: Served):
    key = served.tokens.add_link("ana")
    first, second = served.client(None), served.client(None)
    answer = first.post("/login", data={"key": key})
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert second.post("/login", data={"key": key}).status_code == 403
    assert first.get("/").status_code == 200


@pytest.mark.parametrize("back", ["//evil.example", "https://evil.example/", "/\\evil.example"])
def test_signing_in_leads_to_no_other_site(served: Served, back):
    answer = served.client(None).post(
        "/login", data={"key": served.tokens.add_link("ana"), "back": back}
    )
    assert answer.headers["location"] == "/"


def test_every_screen_shows_an_empty_store_and_has_a_twin(served: Served):
    browser = served.browser()
    for one in all_screens():
        if "{" in one.path:
            continue
        page = browser.get(one.path)
        assert page.status_code == 200, (one.path, page.text[:500])
        assert f"<h1>{one.title}" in page.text
        twin = browser.get("/today.json" if one.path == "/" else f"{one.path}.json")
        assert twin.status_code == 200, one.path
        assert isinstance(twin.json(), dict)


def test_what_is_not_there_is_said_on_a_page(served: Served):
    page = served.browser().get("/facts/fct_01J00000000000000000000000")
    assert page.status_code == 404
    assert "Something is wrong" in page.text


@pytest.mark.row("XR-03")
def test_a_decision_is_made_and_undone_by_forms(served: Served):
    a_question(served)
    browser = served.browser()
    page = pressed(browser, browser.get("/inbox").text, "review/confirm")
    assert "Accepted." in page.text
    state = served.brain.state(**SLOT)
    assert state.facts[0].fact.said.text == "The router is at 192.0.2.9."
    page = pressed(browser, page.text, "review/undo")
    assert served.brain.state(**SLOT).facts[0].fact.said.text == "The router is at 192.0.2.1."
    assert "192.0.2.9" in browser.get("/inbox").text


def test_a_rejection_is_remembered_and_listed_among_the_decided(served: Served):
    proposal = a_question(served)
    browser = served.browser()
    pressed(browser, browser.get(f"/inbox/{proposal.id}").text, "review/reject")
    assert "Reject by ana" in browser.get("/inbox?state=decided").text
    assert "All clear" in browser.get("/inbox").text


def test_a_form_without_its_pages_secret_changes_nothing(served: Served):
    proposal = a_question(served)
    browser = served.browser()
    seen = served.brain.review.show(proposal.id)
    data = {"verb": "review/reject", "proposal_id": proposal.id, "digest": seen.digest}
    for csrf in ("", "x", csrf_of(served.browser("eve").get("/").text)):
        assert browser.post("/act", data={**data, "csrf": csrf}).status_code == 403
        bad = browser.post("/v1/review/reject", json=data, headers={"x-csrf-token": csrf})
        assert bad.status_code in {400, 403}
    assert served.brain.review.list().waiting == 1


def test_what_changed_since_a_card_was_shown_is_not_decided(served: Served):
    proposal = a_question(served)
    browser = served.browser()
    page = browser.get(f"/inbox/{proposal.id}").text
    served.brain.facts.add("The router is at 192.0.2.9.", **SLOT)
    calling.acting(served.brain, Human("ana")).facts.retire(
        served.brain.review.show(proposal.id).retires[0].id
    )
    answer = pressed(browser, page, "review/confirm")
    assert 'class="flash error"' in answer.text


def test_a_fact_is_corrected_in_place_and_keeps_what_it_said(served: Served):
    person = calling.acting(served.brain, Human("ana"))
    fact = person.facts.add("The bakup runs at three.", **SLOT).fact
    browser = served.browser()
    page = browser.get(f"/facts/{fact.id}").text
    answer = pressed(browser, page, "facts/add", text="The backup runs at three.")
    assert "It says what you wrote" in answer.text
    assert "The backup runs at three." in browser.get("/facts").text
    assert "The bakup runs at three." in browser.get("/facts?lifecycle=superseded").text


def test_a_thing_is_shown_as_it_was(served: Served):
    person = calling.acting(served.brain, Human("ana"))
    person.entities.add("router", type="host")
    for text, day in (
        ("The router runs 1.0.", "2025-01-01"),
        ("The router runs 2.0.", "2025-06-01"),
    ):
        person.facts.add(text, about=["router"], valid_from=day, **SLOT)
    browser = served.browser()
    now, then = (
        browser.get("/things/router").text,
        browser.get("/things/router?as_of=2025-03-01").text,
    )
    assert "runs 2.0" in now
    assert "not how it is now" in then
    assert "runs 1.0" in then.partition("Where it is named")[0]


@pytest.mark.parametrize("payload", PAYLOADS)
def test_nothing_recorded_runs_or_loads_on_any_page(served: Served, payload):
    person = calling.acting(served.brain, Human("ana"))
    episode = person.remember(f"look {payload} here", session_id="s1", speaker=payload[:90])
    served.brain.remember(f"reply {payload}", role="assistant", session_id="s1")
    fact = person.facts.add(f"The lamp says {payload} today.", about=["lamp"], **SLOT).fact
    served.brain.facts.add(f"The lamp says other {payload} now.", **SLOT)
    person.entities.add(f"thing {payload}"[:80], type="tool")
    gap = served.brain.gaps.add(f"It should export {payload}")
    proposal = person.review.list().proposals[0]
    browser = served.browser()
    paths = [one.path for one in all_screens() if "{" not in one.path]
    paths += ["/sessions/s1", f"/episodes/{episode}", f"/facts/{fact.id}", f"/inbox/{proposal.id}"]
    paths += [f"/gaps/{gap.gap.id}", "/projects/global"]
    for path in paths:
        page = browser.get(path, params={"q": payload, "scope": "", "name": ""})
        found = Found(page.text)
        assert set(found.scripts) <= {"/static/tilth.js"}, (path, found.scripts)
        assert not found.active, (path, found.active)
        assert not found.outside, (path, found.outside)
    assert Found(browser.get("/ask", params={"q": payload}).text).active == []


def test_assets_are_small_and_ours(served: Served):
    client = served.client(None)
    sizes = [
        len(client.get(f"/static/{name}").content)
        for name in ("tilth.css", "tilth.js", "login.js", "mark.svg")
    ]
    assert sum(sizes) < 300_000
    assert client.get("/static/../pages.py").status_code == 404


def test_the_feed_tells_what_is_recorded(served: Served):
    browser = served.browser()
    with browser.stream("GET", "/live") as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        lines = stream.iter_lines()
        assert next(lines) == "retry: 2000"
        served.brain.remember("The kettle is on.")
        told = next(line for line in lines if line.startswith("data:") and "kettle" in line)
        assert "The kettle is on." in told


def test_signing_out_ends_the_session(served: Served):
    browser = served.browser()
    csrf = csrf_of(browser.get("/").text)
    assert browser.post("/logout", data={"csrf": csrf}).status_code == 303
    assert browser.get("/").status_code == 303


def test_a_skill_is_approved_by_the_bytes_that_are_shown(served: Served):
    text = "---\nname: tidy-up\ndescription: Tidy the shed.\n---\n\n1. Sweep <b>all</b>.\n"
    skill = calling.acting(served.brain, Human("ana")).skills.add(text)
    browser = served.browser()
    page = browser.get(f"/skills/{skill.id}").text
    assert "Sweep &lt;b&gt;all&lt;/b&gt;." in page
    assert skill.digest in page
