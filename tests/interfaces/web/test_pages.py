"""The pages: signed in by a link, every screen with its twin, decisions that can be undone."""

import re

import pytest

from tests.interfaces.http.served import Served, csrf_of
from tests.interfaces.web.crawling import links_of
from tests.interfaces.web.forms import pressed, said
from tests.playbooks.deployments import deployment, troubled
from tilth.core.actor import Human
from tilth.core.io.projects import scope_of_folder
from tilth.core.scope import Scope
from tilth.episodes.session import SessionInfo
from tilth.interfaces.http import call_verb
from tilth.interfaces.http.tokens import Role
from tilth.interfaces.web.pages import all_screens
from tilth.interfaces.web.screen import PAGE

CONFIRM, REJECT = 'name="action" value="confirm"', 'name="action" value="reject"'
SLOT = {"system": "lab", "component": "router"}


def a_question(served: Served):
    """Have an agent ask to replace what a person said; return the proposal."""
    person = call_verb.acting(served.brain, Human("ana"))
    person.facts.add("The router is at 192.0.2.1.", **SLOT)
    served.brain.facts.add("The router is at 192.0.2.9.", **SLOT)
    return person.review.list().proposals[0]


def test_a_page_sends_strangers_to_sign_in(served: Served):
    stranger = served.client(None)
    answer = stranger.get("/inbox")
    assert (answer.status_code, answer.headers["location"]) == (303, "/login?back=/inbox")
    assert stranger.get("/inbox.json").status_code == 401
    assert stranger.get("/live").status_code == 401
    assert stranger.post("/act", data={}).status_code == 401
    assert served.client(Role.ADMIN).get("/inbox.json").status_code == 401


BROWSER = {"accept": "text/html,application/xhtml+xml"}
OF_YESTERDAY = BROWSER | {"cookie": "tilth_session=of-yesterday"}


def test_a_button_of_a_page_left_open_over_night_leads_to_the_sign_in_and_back(served: Served):
    """The server was started again, or twelve hours went by."""
    proposal = a_question(served)
    browser = served.browser()
    form = a_form(browser, proposal) | {"back": "/inbox?state=open&kind=supersession"}
    later = served.client(None)

    answer = later.post("/act", data=form, headers=OF_YESTERDAY)
    login = later.get(answer.headers["location"]).text

    assert answer.status_code == 303
    assert answer.headers["location"].startswith("/login?")
    assert "You were signed out, and what you asked for was not done." in login
    assert 'value="/inbox?state=open&amp;kind=supersession"' in login
    assert served.brain.review.show(proposal.id).proposal.state == "open"
    assert later.post("/act", data=form).status_code == 401


def test_a_page_of_yesterday_leads_back_to_where_it_stood(served: Served):
    later = served.client(None)
    answer = later.get("/inbox?state=decided", headers=OF_YESTERDAY)
    login = later.get(answer.headers["location"]).text

    assert "You were signed out." in login
    assert 'value="/inbox?state=decided"' in login
    assert "signed out" not in served.client(None).get("/login").text


def test_a_form_of_an_earlier_sign_in_does_nothing_and_says_so_where_it_stood(served: Served):
    proposal = a_question(served)
    browser = served.browser()
    form = a_form(browser, proposal) | {"csrf": "of yesterday"}

    answer = browser.post("/act", data=form, headers=BROWSER)
    page = browser.get(answer.headers["location"]).text

    assert (answer.status_code, answer.headers["location"]) == (303, "/inbox")
    assert "this page was of an earlier sign-in, so nothing was done" in page
    assert "it is shown anew; do it again here" in page
    assert served.brain.review.show(proposal.id).proposal.state == "open"


def test_a_button_of_what_has_ended_meanwhile_says_so_without_its_id(served: Served):
    person = call_verb.acting(served.brain, Human("ana"))
    fact = person.facts.add("The router is at 192.0.2.1.", **SLOT).fact
    gap = person.gaps.add("export invoices to Excel").gap
    browser = served.browser()
    old, missing = (browser.get(f"/{at}").text for at in (f"facts/{fact.id}", f"gaps/{gap.id}"))
    person.facts.retire(fact.id, reason="it is gone since the spring")
    person.gaps.move(gap.id, status="wont_fix")

    ended = pressed(browser, old, "facts/retire", reason="it is gone since the spring").text
    moved = pressed(browser, missing, "gaps/move", "resolved").text

    assert "This is historical already" in said(ended)
    assert "see what holds now" in said(ended)
    assert "This is wont_fix, and cannot become resolved" in said(moved)
    assert "record it anew" in said(moved)
    assert not [one for one in (said(ended), said(moved)) if "_01" in one or "tilth " in one]


def a_form(browser, proposal):
    """Return the fields by which the inbox accepts *proposal*."""
    page = browser.get("/inbox").text
    return {
        "csrf": csrf_of(page),
        "back": "/inbox",
        "verb": "review/decide",
        "proposal_id": proposal.id,
        "action": "confirm",
        "digest": "0" * 64,
    }


def test_a_link_signs_in_once_with_a_cookie_that_scripts_never_get(served: Served):
    key = served.tokens.add_link("ana")
    first, second = served.client(None), served.client(None)
    answer = first.post("/login", data={"key": key})
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert second.post("/login", data={"key": key}).status_code == 403
    pasted = f" {served.url}/login#{served.tokens.add_link('ana')} "
    assert second.post("/login", data={"key": pasted}).status_code == 303
    assert first.get("/").status_code == 200


@pytest.mark.parametrize(
    "back", ["//evil.example", "https://evil.example/", "/\\evil.example", "//["]
)
def test_signing_in_leads_to_no_other_site(served: Served, back):
    answer = served.client(None).post(
        "/login", data={"key": served.tokens.add_link("ana"), "back": back}
    )
    assert answer.headers["location"] == "/begin"


def test_every_screen_shows_an_empty_store_and_has_a_twin(served: Served):
    browser = served.browser()
    for one in all_screens():
        if "{" in one.path:
            continue
        page = browser.get(one.path)
        assert page.status_code == 200, (one.path, page.text[:500])
        heading = "Welcome" if one.path == "/begin" else one.title
        assert f"<h1>{heading}" in page.text
        twin = browser.get("/today.json" if one.path == "/" else f"{one.path}.json")
        assert twin.status_code == 200, one.path
        assert isinstance(twin.json(), dict)


@pytest.mark.parametrize("number", ["²", "9" * 5000, "-1", "3.5"])
def test_a_form_with_an_odd_number_is_refused_on_the_next_page(served: Served, number):
    browser = served.browser()
    page = browser.get("/garden").text
    answer = pressed(browser, page, "topics/add", name="backups", priority=number)
    assert answer.status_code == 200
    assert 'class="flash error"' in answer.text
    assert served.brain.topics.list() == []
    assert browser.get(f"/facts?offset={number}").status_code == 400


@pytest.mark.parametrize("name", ["package.json", "What is C#?", "50%41", "a/b//c", "..."])
def test_a_name_leads_to_its_page_whatever_stands_in_it(served: Served, name):
    person = call_verb.acting(served.brain, Human("ana"))
    person.entities.add(name, type="tool")
    browser = served.browser()
    listed = browser.get("/things").text
    (link,) = (one for one in links_of(listed) if one.startswith("/things/"))
    page = browser.get(link)
    assert (page.status_code, f"<h1>{name}</h1>" in page.text.replace("<wbr>", "")) == (200, True)
    assert browser.get(f"{link}.json").json()["heading"] == name
    # A form of the page goes back to it.
    back = next(
        one
        for one in re.findall(r'<form[^>]* action="([^"]*)"', page.text)
        if one.startswith("/things/")
    )
    then = browser.get(f"{back}?as_of=2026-01-01").text
    assert f"<h1>{name}</h1>" in then.replace("<wbr>", "")


def test_persons_and_things_of_a_type_have_a_next_page(served: Served):
    person = call_verb.acting(served.brain, Human("ana"))
    person.entities.add("hammer", type="tool")
    for number in range(PAGE + 1):
        person.entities.add(f"Person Number{number:03}", type="person")
    browser = served.browser()
    for path in ("/people", "/things?type=person"):
        first = browser.get(path).text
        (more,) = (one for one in links_of(first) if "after=" in one)
        rest = browser.get(more).text
        shown = set(re.findall(r"Person Number\d+", first)), set(re.findall(r"Number\d+", rest))
        assert (len(shown[0]), len(shown[1])) == (PAGE, 1)
        assert "hammer" not in rest


def test_what_is_not_there_is_said_on_a_page(served: Served):
    page = served.browser().get("/facts/fct_01J00000000000000000000000")
    assert page.status_code == 404
    assert "Nothing is here" in page.text


@pytest.mark.row("XR-03")
def test_nothing_is_at_an_address_and_each_is_told_so_in_its_own_way(served: Served):
    asked = {"accept": "text/html,*/*"}
    page = served.browser().get("/nowhere?q=<b>", headers=asked)
    assert page.status_code == 404
    assert "No page of ours is at /nowhere." in page.text
    assert 'aria-label="Screens"' in page.text
    program = served.client(Role.ADMIN).get("/nowhere")
    assert (program.status_code, program.json()["error"]["code"]) == (404, "not_found")
    # Whoever is not signed in is not told more than a program.
    assert served.client(None).get("/nowhere", headers=asked).json() == program.json()


def test_sessions_are_found_by_project_agent_day_and_title(served: Served):
    shop, yard = Scope("project:shop"), Scope("project:yard")
    for number, (scope, host, title) in enumerate(
        [(shop, "codex", "Fix the queue"), (yard, "codex", "Paint it"), (shop, "cursor", "Queue")]
    ):
        id_, at = f"s{number}", f"2025-12-0{number + 1}T23:30:00Z"
        served.brain.remember("Do it.", session_id=id_, scope=scope, at=at)
        served.brain.sessions.describe(id_, SessionInfo(title=title, host=host), scope=scope)
    browser = served.browser()
    for asked, found in (
        ("", ["s2", "s1", "s0"]),
        ("scope=project:shop", ["s2", "s0"]),
        ("host=codex", ["s1", "s0"]),
        ("day=2025-12-02", ["s1"]),
        ("title=QUEUE", ["s2", "s0"]),
        ("title=queue&host=codex&scope=project:shop&day=2025-12-01", ["s0"]),
        ("title=no+such", []),
    ):
        told = browser.get(f"/sessions.json?{asked}").json()["sessions"]
        assert [one["id"] for one in told] == found, asked
    assert "No session is like that" in browser.get("/sessions?title=no+such").text
    refused = browser.get("/sessions?day=yesterday")
    assert refused.status_code == 400
    assert "day is a day such as 2026-03-01" in refused.text


def test_a_decision_is_made_and_undone_by_forms(served: Served):
    a_question(served)
    browser = served.browser()
    page = pressed(browser, browser.get("/inbox").text, "review/decide", CONFIRM)
    assert "Accepted." in page.text
    state = served.brain.state(**SLOT)
    assert state.facts[0].fact.said.text == "The router is at 192.0.2.9."
    page = pressed(browser, page.text, "take-back")
    assert served.brain.state(**SLOT).facts[0].fact.said.text == "The router is at 192.0.2.1."
    assert "192.0.2.9" in browser.get("/inbox").text


def test_a_rejection_is_remembered_and_listed_among_the_decided(served: Served):
    proposal = a_question(served)
    browser = served.browser()
    pressed(browser, browser.get(f"/inbox/{proposal.id}").text, "review/decide", REJECT)
    assert "Reject by ana" in browser.get("/inbox?state=decided").text
    assert "All clear" in browser.get("/inbox").text


@pytest.mark.parametrize(
    "path", ["/inbox?state=soon", "/graph?kind=likes", "/graph?kind=likes&name=x", "/hosts/vi"]
)
def test_a_word_that_a_page_does_not_know_is_refused(served: Served, path):
    browser = served.browser()
    place, mark, query = path.partition("?")
    for asked in (path, f"{place}.json{mark}{query}"):
        refused = browser.get(asked)
        assert refused.status_code == 400
        assert "no kind" in refused.text or "no state" in refused.text or "no host" in refused.text


def test_each_choice_of_a_filter_refuses_what_it_does_not_offer(served: Served):
    browser = served.browser()
    asked = [("/forget?entity=x&", "mentions")]
    for one in all_screens():
        page = browser.get(one.path).text if "{" not in one.path else ""
        for form in re.findall(r'<form class="filters".*?</form>', page, re.DOTALL):
            chosen = re.findall(r'(?:<select|type="checkbox")[^>]* name="(\w+)"', form)
            # Whatever host or scope was ever named may be asked for.
            asked += [(f"{one.path}?", name) for name in chosen if name not in {"host", "scope"}]
    assert {"stale", "lint", "manifest", "kind"} <= {name for _, name in asked}
    for place, name in asked:
        refused = browser.get(f"{place}{name}=nonsense%2F1")
        assert (refused.status_code, name in refused.text) == (400, True), (place, name)


def test_a_form_without_its_pages_secret_changes_nothing(served: Served):
    proposal = a_question(served)
    browser = served.browser()
    seen = served.brain.review.show(proposal.id)
    data = {"verb": "review/reject", "proposal_id": proposal.id, "digest": seen.digest}
    for csrf in ("", "x", csrf_of(served.browser("eve").get("/").text)):
        assert browser.post("/act", data={**data, "csrf": csrf}).status_code == 403
        program = {"accept": "application/json"}
        refused = browser.post("/act", data={**data, "csrf": csrf}, headers=program)
        assert refused.json()["error"]["code"] == "forbidden"
        bad = browser.post("/v1/review/reject", json=data, headers={"x-csrf-token": csrf})
        assert bad.status_code in {400, 403}
    assert served.brain.review.list().waiting == 1


def test_what_changed_since_a_card_was_shown_is_not_decided(served: Served):
    proposal = a_question(served)
    browser = served.browser()
    page = browser.get(f"/inbox/{proposal.id}").text
    served.brain.facts.add("The router is at 192.0.2.9.", **SLOT)
    call_verb.acting(served.brain, Human("ana")).facts.retire(
        served.brain.review.show(proposal.id).retires[0].id
    )
    answer = pressed(browser, page, "review/decide", CONFIRM)
    assert 'class="flash error"' in answer.text


def test_a_fact_is_corrected_in_place_and_keeps_what_it_said(served: Served):
    person = call_verb.acting(served.brain, Human("ana"))
    fact = person.facts.add("The bakup runs at three.", **SLOT).fact
    browser = served.browser()
    page = browser.get(f"/facts/{fact.id}").text
    answer = pressed(browser, page, "facts/add", text="The backup runs at three.")
    assert "What it said before is kept" in answer.text
    assert "The backup runs at three." in browser.get("/facts").text
    assert "The bakup runs at three." in browser.get("/facts?lifecycle=superseded").text


def test_a_thing_is_shown_as_it_was(served: Served):
    person = call_verb.acting(served.brain, Human("ana"))
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


def test_sessions_that_are_alike_are_one_row_with_the_rest_behind_it(served: Served):
    asked = ("Fix the gate.", "[[ ## user_query ## ]]\nSay PASS.", "Fix the gate.",
             'Reply with only "OK".', "Paint the shed.")  # fmt: skip
    for number, text in enumerate(asked):
        served.brain.remember(text, session_id=f"s{number}", role="user")
        served.brain.sessions.describe(f"s{number}", SessionInfo(title=text))

    browser = served.browser()
    told, page = browser.get("/sessions.json").json(), browser.get("/sessions").text

    assert [one["id"] for one in told["sessions"]] == ["s4", "s3", "s2"]
    rest = {first: [one["id"] for one in ones] for first, ones in told["alike"].items() if ones}
    assert rest == {"s3": ["s1"], "s2": ["s0"]}
    assert page.count("1 more like it") == 2
    assert all(f'href="/sessions/s{number}"' in page for number in range(5))


def test_signing_out_ends_the_session(served: Served):
    browser = served.browser()
    csrf = csrf_of(browser.get("/").text)
    assert browser.post("/logout", data={"csrf": csrf}).status_code == 303
    assert browser.get("/").status_code == 303


def test_a_skill_is_approved_by_the_bytes_that_are_shown(served: Served):
    text = "---\nname: tidy-up\ndescription: Tidy the shed.\n---\n\n1. Sweep <b>all</b>.\n"
    skill = call_verb.acting(served.brain, Human("ana")).skills.add(text)
    browser = served.browser()
    page = browser.get(f"/skills/{skill.id}").text
    assert "Sweep &lt;b&gt;all&lt;/b&gt;." in page
    assert skill.digest in page


def test_a_projects_skill_is_approved_into_the_folder_that_is_named(served: Served, tmp_path):
    person = call_verb.acting(served.brain, Human("ana"))
    folder = tmp_path / "shed"
    folder.mkdir()
    text = "---\nname: tidy-up\ndescription: Tidy the shed.\n---\n\n1. Sweep.\n"
    (folder / ".git").mkdir()
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    origin = '[remote "origin"]\n\turl = https://github.com/acme/shed.git\n'
    (folder / ".git" / "config").write_text(origin)
    scope = scope_of_folder(str(folder))
    skill = person.skills.add(text, scope=scope)
    browser = served.browser()
    page = browser.get(f"/skills/{skill.id}").text
    answer = pressed(browser, page, "skills/approve")
    assert 'class="flash error"' in answer.text
    answer = pressed(browser, page, "skills/approve", folder=str(folder))
    story = person.skills.get(skill.id)
    assert "Approved, and installed." in answer.text
    assert {path.read_text() for path in folder.rglob("SKILL.md")} == {text}
    assert story.skill.state == "approved"
    pressed(browser, answer.text, "take-back")
    assert not list(folder.rglob("SKILL.md"))


@pytest.fixture
def drafted(served: Served):
    """A playbook that three sessions proved, and the skill of it."""
    for day in range(3):
        deployment(served.brain, f"s{day}", day=day, scope="global")
    served.brain.reflect()
    (book,), (skill,) = served.brain.playbooks.list(), served.brain.skills.list()
    return book, skill


def test_the_inbox_tells_of_drafts_that_wait_on_other_pages(served: Served, drafted):
    page = served.browser().get("/inbox").text
    assert "1 playbook waits" in page
    assert "1 skill waits" in page
    assert "All clear" not in page


def test_what_becomes_of_a_playbook_is_taken_back_to_where_it_was(served: Served, drafted):
    book, browser = drafted[0], served.browser()

    def state():
        return served.brain.playbooks.get(book.id).playbook.state

    path = f"/playbooks/{book.id}"
    page = pressed(browser, browser.get(path).text, "playbooks/confirm")
    assert state() == "confirmed"
    pressed(browser, page.text, "take-back")
    assert state() == "candidate"
    pressed(browser, browser.get(path).text, "playbooks/confirm")
    page = pressed(browser, browser.get(path).text, "playbooks/veto")
    pressed(browser, page.text, "take-back")
    assert state() == "confirmed"
    assert "Applies when:" in browser.get(path).text


def test_a_skill_says_where_it_is_why_it_went_and_comes_back(served: Served, drafted, tmp_path):
    person = call_verb.acting(served.brain, Human("ana"))
    book, skill = drafted
    story = person.skills.approve(skill.id, digest=skill.digest, folder=str(tmp_path))
    browser = served.browser()
    page = browser.get(f"/skills/{skill.id}").text
    assert all(path in page for path in story.skill.places)
    assert f'href="/playbooks/{book.id}"' in page
    for number in (4, 5):
        failing = deployment(served.brain, f"f{number}", day=number, scope="global", failed=True)
        failing.used(f'Skill: {{"skill": "{skill.draft.name}"}}', "loaded")
    person.playbooks.confirm(book.id, digest=book.digest)
    person.playbooks.retire(book.id, note="the script is gone")
    served.brain.reflect()
    page = browser.get(f"/skills/{skill.id}").text
    assert "Retired by" in page
    assert skill.draft.name in page
    assert not list(tmp_path.rglob("SKILL.md"))
    assert "the script is gone" in browser.get(f"/playbooks/{book.id}").text
    person.playbooks.restore(book.id)
    answer = pressed(browser, page, "skills/approve")
    assert "Approved, and installed." in answer.text


def test_a_playbook_is_revised_confirmed_and_gone_back_to_on_its_page(served: Served, drafted):
    book, _ = drafted
    browser, path = served.browser(), f"/playbooks/{book.id}"
    pressed(browser, browser.get(path).text, "playbooks/confirm")
    steps = "\n".join([*book.draft.steps[:2], "", "Log in with `make login`", book.draft.steps[2]])
    words = {"title": "Deploy it", "applies_when": book.draft.applies_when, "pitfalls": ""}
    page = pressed(
        browser, browser.get(path).text, "playbook/revise", steps=steps, note="soon", **words
    )
    assert "its title has fewer than 12 characters" in page.text
    assert "Log in with `make login`" in page.text
    words["title"] = book.draft.title
    page = pressed(
        browser, browser.get(path).text, "playbook/revise", steps=steps, note="it expires", **words
    )

    (waiting,) = served.brain.playbooks.list(state="candidate")
    assert page.url.path == f"/playbooks/{waiting.id}"
    assert "<ins>Log in with <code>make login</code></ins>" in page.text
    assert "it expires" in page.text
    assert "written by hand" in page.text
    assert f'href="/playbooks/{waiting.id}"' in browser.get(path).text
    assert "a revision" in browser.get("/playbooks").text
    page = pressed(browser, page.text, "playbooks/confirm")
    assert "and no more of the version before" in page.text
    assert "once you confirm it" not in page.text
    older = browser.get(path).text
    assert "Another version took its place" in older
    assert "Retired by" not in older
    assert served.brain.playbooks.get(book.id).playbook.state == "retired"
    pressed(browser, page.text, "take-back")
    assert served.brain.playbooks.get(book.id).playbook.state == "confirmed"
    page = pressed(browser, browser.get(f"/playbooks/{waiting.id}").text, "playbooks/veto")
    assert "Refused. The version that it revises stays as it is." in page.text
    assert served.brain.playbooks.get(book.id).playbook.state == "confirmed"


def test_an_installed_skill_of_a_revised_playbook_leads_to_its_new_file(
    served: Served, drafted, tmp_path
):
    person = call_verb.acting(served.brain, Human("ana"))
    book, skill = drafted
    person.playbooks.confirm(book.id, digest=book.digest)
    person.skills.approve(skill.id, digest=skill.digest, folder=str(tmp_path))
    waiting = person.playbooks.revise(book.id, title="Deploy the shop to production").playbook
    person.playbooks.confirm(waiting.id, digest=waiting.digest)
    browser = served.browser()

    page = browser.get(f"/skills/{skill.id}").text
    (newer,) = person.skills.list(state="candidate")
    assert "stale: its playbook was revised" in page
    assert f'href="/skills/{newer.id}"' in page
    answer = pressed(browser, browser.get(f"/skills/{newer.id}").text, "skills/approve").text
    assert "Approved, and installed." in answer
    assert (
        sorted(path.parent.name for path in tmp_path.rglob("SKILL.md"))
        == ["deploy-the-shop-to-production"] * 2
    )
    page = pressed(browser, browser.get(f"/playbooks/{waiting.id}").text, "playbooks/veto").text
    assert "Removed" in page
    assert not list(tmp_path.rglob("SKILL.md"))


def test_what_works_is_told_in_the_order_of_the_command_with_what_overcame_a_failure(
    served: Served,
):
    deployment(served.brain, "s0")
    troubled(served.brain, "s1", day=1)
    kinds = [one.kind for one in served.brain.commands.list()]
    page = served.browser().get("/practice").text
    places = [page.index(f"<h3>{kind.capitalize()}</h3>") for kind in kinds]
    assert places == sorted(places)
    assert "make login" in page
