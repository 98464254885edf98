"""What is known, put right from its pages: corrected, merged, split, forgotten, seen as it was."""

from datetime import timedelta

import pytest

from tests.fakes import Nowhere
from tests.interfaces.http.served import Served, csrf_of, serving
from tests.interfaces.web.forms import pressed, said
from tests.learning.test_acquaint import works
from tests.practice.sessions import SHOP
from tilth.context.context import Context
from tilth.context.model import BriefRequest
from tilth.core.actor import Actor, ActorKind, Human
from tilth.core.errors import NotFoundError
from tilth.core.lifecycle import Lifecycle
from tilth.erasure import search_mentions
from tilth.interfaces.http import call_verb
from tilth.interfaces.to_json import to_json
from tilth.interfaces.web.screen import PAGE
from tilth.interfaces.web.screens.look_after import forget as forgetting
from tilth.interfaces.web.screens.see import projects
from tilth.knowledge.facts.life import BY_MODEL

SLOT = {"system": "lab", "component": "router"}
PROJECT = "project:shed"


@pytest.fixture
def person(served: Served):
    return call_verb.acting(served.brain, Human("ana"))


def test_a_full_last_page_leads_to_no_empty_one(served: Served, person):
    person.facts.add_many([{"text": f"Lamp {n} is on.", "about": ["lamp"]} for n in range(PAGE)])
    browser = served.browser()
    more = "/facts?offset=50"
    assert more not in browser.get("/facts").text
    person.facts.add("The door is shut.", about=["door"])
    assert more in browser.get("/facts").text
    last = browser.get(more).text
    assert ("No fact fits" in last, "Earlier on the list" in last) == (False, True)


def test_a_page_says_which_model_worded_a_fact(served: Served):
    model = Actor("extract", ActorKind.JOB)
    facts = call_verb.acting(served.brain, model).facts
    worded = facts.add(
        "The router has two ports.", about=["router"], metadata={BY_MODEL: "qwen3:4b"}
    ).fact
    to_json = facts.add("The kettle has one spout.", about=["kettle"]).fact
    browser = served.browser()

    assert "worded by qwen3:4b" in browser.get(f"/facts/{worded.id}").text
    assert "worded by" not in browser.get(f"/facts/{to_json.id}").text
    assert browser.get("/facts").text.count("worded by qwen3:4b") == 1


@pytest.mark.row("KB-002")
def test_the_page_of_a_thing_leads_to_those_of_the_same_name(served: Served, person):
    first, other = (
        person.entities.add("Ada", type="person", is_namesake=one).entity.id
        for one in (False, True)
    )
    browser = served.browser()

    assert f'href="/things/{other}"' in browser.get("/things/Ada").text
    assert "Others go by that name" not in browser.get(f"/things/{first}").text


@pytest.mark.row("KB-071")
@pytest.mark.parametrize("path", ["/things/router", f"/projects/{PROJECT}", "/people/Ada"])
def test_every_fact_on_a_page_is_corrected_there_and_that_is_undone(served: Served, person, path):
    person.entities.add("router", type="host")
    person.entities.add("Ada", type="person")
    about = ["router", "Ada"]
    facts = [
        person.facts.add(f"The router has port {port}.", about=about, scope=PROJECT).fact
        for port in (1, 2, 3)
    ]
    browser = served.browser()
    page = browser.get(path).text
    for fact in facts:
        right = f"{fact.said.text[:-1]}0."
        held = f'name="supersedes" value="{fact.id}"'
        answer = pressed(browser, page, "facts/add", held, text=right)
        assert "Corrected." in said(answer.text)
        assert right in answer.text
        assert person.facts.get(fact.id).life.lifecycle is Lifecycle.SUPERSEDED
        pressed(browser, answer.text, "take-back")
        assert person.facts.get(fact.id).life.lifecycle is Lifecycle.CURRENT


def test_a_fact_that_is_corrected_on_its_page_leads_to_what_holds_now(served: Served, person):
    fact = person.facts.add("The router is grey.", about=["router"]).fact
    browser = served.browser()
    page = browser.get(f"/facts/{fact.id}").text

    answer = pressed(browser, page, "facts/add", text="The router is blue.")

    assert "Corrected." in said(answer.text)
    assert "<h1>The router is blue.</h1>" in answer.text
    answer = pressed(browser, answer.text, "take-back")
    assert person.facts.get(fact.id).life.lifecycle is Lifecycle.CURRENT


def test_a_thing_names_the_conversations_that_it_stands_in_by_their_topics(served: Served, person):
    person.entities.add("Ada", type="person")
    talk = person.conversations.create("Ada", "cli", topic="The looms").conversation
    person.conversations.add(talk.id, "Ada asks about looms.", direction="inbound")
    assert person.entities.get("Ada").entity.named

    page = served.browser().get("/things/Ada").text

    assert f'<a href="/conversations/{talk.id}">The looms</a>' in page


def test_things_are_found_by_name_and_type(served: Served, person):
    person.entities.add("Ada", type="person")
    person.entities.add("Ada relay", type="service")
    browser = served.browser()

    assert "Ada relay" in browser.get("/things?q=Ada").text
    assert "Ada relay" not in browser.get("/things?q=Ada&type=person").text
    assert browser.get("/things?type=nothing").status_code == 400


def test_a_correction_that_changes_no_word_says_so_and_leaves_nothing_to_undo(
    served: Served, person
):
    fact = person.facts.add("The router is grey.", about=["router"]).fact
    browser = served.browser()
    page = browser.get(f"/facts/{fact.id}").text

    answer = pressed(browser, page, "facts/add", text="The router is grey.")

    assert "Nothing has changed." in said(answer.text)
    assert "take-back" not in answer.text
    assert person.facts.get(fact.id).life == fact.life


def test_what_would_turn_or_break_a_page_is_spelled_in_a_list_of_facts(served: Served, person):
    person.facts.add("The port is \u202e0808\u202c, or \x00.", **SLOT)
    page = served.browser().get("/facts").text

    assert r"The port is \u202e0808" in page
    assert not {"\u202e", "\x00"} & set(page)


def test_a_fact_ends_from_a_page_and_begins_again_by_undo(served: Served, person):
    person.entities.add("router", type="host")
    fact = person.facts.add("The router is grey.", about=["router"]).fact
    browser = served.browser()
    page = pressed(browser, browser.get("/things/router").text, "facts/retire")
    assert "grey" not in page.text.partition("What holds")[2].partition("not held for true now")[0]
    pressed(browser, page.text, "take-back")
    assert person.facts.get(fact.id).life.lifecycle is Lifecycle.CURRENT


@pytest.mark.row("C-22")
def test_the_page_of_what_was_so_until_a_day_names_that_day(served: Served, person):
    told = person.facts.add(
        "The router was rented.", about=["router"],
        valid_from="2024-01-01", valid_to="2024-12-31",
    )  # fmt: skip
    page = served.browser().get(f"/facts/{told.fact.id}").text

    assert "until" in page
    assert "31 Dec 2024" in page
    assert "1 Jan 2025" not in page


def test_two_names_are_merged_as_compared_undone_merged_again_and_split(served: Served, person):
    one = person.entities.add("postgres", type="tool").entity
    other = person.entities.add("PG server", type="tool").entity
    person.facts.add("PG server keeps the invoices.", about=[other.id])
    browser = served.browser()
    compare = f"/merge?winner={one.id}&loser=PG+server"
    page = browser.get(compare).text
    assert "keeps the invoices" in page
    page = pressed(browser, page, "entities/merge").text
    assert "PG server leads here now." in said(page)
    assert "keeps the invoices" in page
    assert person.entities.get("PG server").entity.id == one.id
    pressed(browser, page, "take-back")
    assert person.entities.get("PG server").entity.id == other.id
    page = pressed(browser, browser.get(compare).text, "entities/merge").text
    page = pressed(browser, page, "entities/split").text
    assert "is itself again" in said(page)
    assert person.entities.get("PG server").entity.id == other.id


def test_a_thing_is_not_merged_into_itself(served: Served, person):
    one = person.entities.add("postgres", type="tool").entity
    page = served.browser().get(f"/merge?winner={one.id}&loser=postgres").text
    assert "They are one already." in page
    assert "entities/merge" not in page


def test_forgetting_shows_what_goes_and_certifies_that_it_is_gone(served: Served, person, tmp_path):
    person.entities.add("Ada", type="person")
    said_it = person.remember("Ada's number is 4711-0815.", session_id="s1", speaker="Ada")
    fact = person.facts.add("Ada's number is 4711-0815.", about=["Ada"], evidence=[said_it]).fact
    browser = served.browser()
    page = browser.get(f"/episodes/{said_it}").text
    assert f"/forget?episode={said_it}" in page
    page = browser.get(f"/forget?episode={said_it}").text
    assert page.count("4711-0815") >= 2
    assert fact.id in page
    unsure = pressed(browser, page, "erase")
    assert "nothing was erased" in said(unsure.text)
    assert person.episodes.get(said_it).text
    answer = pressed(browser, page, "erase", sure="1")
    page = answer.text
    assert "Forgotten, for good." in said(page)
    assert "4711" not in page
    # The certificate has an address: a reload shows it again, and so does a later day.
    for again in (page, browser.get(answer.url.path).text):
        assert '<th scope="row">Erased by</th><td>ana, ' in again
        assert "Looked for its words in" in again
    told = browser.get(f"{answer.url.path}.json").json()["certificate"]
    assert fact.id in told["ids"]
    assert answer.url.path in browser.get("/forget").text
    with serving(served.brain, tmp_path / "restarted") as restarted:
        kept = restarted.browser().get(answer.url.path).text
    assert '<th scope="row">Erased by</th><td>ana, ' in kept
    assert "was told when it was done" in kept
    with pytest.raises(NotFoundError):
        person.facts.get(fact.id)
    assert "4711" not in browser.get("/facts").text
    assert "4711" not in browser.get("/sessions/s1").text


def test_a_certificate_names_what_says_the_same_and_stays(served: Served, person, monkeypatch):
    monkeypatch.setattr(Nowhere, "scan", lambda _, words: (1, {"tilth.db": [*words]}))
    both = "Nobody moves the blue teapot on Sundays."
    gone, stays = person.remember(both), person.remember(f"As we said: {both}")
    browser = served.browser()
    page = browser.get(f"/forget?episode={gone}").text

    answer = pressed(browser, page, "erase", sure="1")

    assert "Still there" not in answer.text
    assert "1 of the words is also in what was not erased" in answer.text
    assert f'href="/episodes/{stays}"' in answer.text


def test_what_else_names_somebody_is_looked_for_when_it_shall_go_too(served: Served, person):
    ada = person.entities.add("Ada Lovelace", type="person").entity
    named = person.remember("Please ask Ada Lovelace about the loom.")
    browser = served.browser()
    page = browser.get(f"/forget?entity={ada.id}").text
    assert "not looked for, and stay" in page
    assert named not in page
    assert f"/forget?entity={ada.id}&amp;mentions=on" in page
    whole = browser.get(f"/forget?entity={ada.id}&mentions=on").text
    assert named in whole
    assert f'href="/forget?entity={ada.id}"' in whole
    # Each page erases what it shows: the first nothing that only names her.
    answer = pressed(browser, page, "erase", sure="1")
    assert "Forgotten, for good." in said(answer.text)
    assert person.episodes.get(named).text


def test_a_large_store_is_looked_through_over_several_requests_and_nothing_is_missed(
    served: Served, person, monkeypatch
):
    ada = person.entities.add("Ada Lovelace", type="person").entity
    named = [person.remember(f"Ada Lovelace asked for loom {number}.") for number in range(9)]
    person.remember("The loom of nobody.")
    monkeypatch.setattr(search_mentions, "STRETCH", 4)
    monkeypatch.setattr(forgetting, "LOOKING_SECONDS", 0)
    browser, address = served.browser(), f"/forget?entity={ada.id}&mentions=on"
    page, rounds = browser.get(address).text, 0
    while "Look on</a>" in page:
        # Nothing can be forgotten before all that goes was found.
        assert 'value="erase"' not in page
        assert "looked through, " in page
        if rounds == 1:
            gone = {"episodes": [named[0]]}
            person.erase.confirm(person.erase.plan(**gone).digest, **gone)
            named.append(person.remember("Ada Lovelace came later."))
        page, rounds = browser.get(address).text, rounds + 1

    assert rounds > 2
    whole = person.erase.plan(entity=ada.id, mentions=True)
    assert set(named[1:]) < set(whole.ids)
    assert f'name="digest" value="{whole.digest}"' in page
    assert browser.get(f"/forget.json?entity={ada.id}&mentions=on").json()["plan"] == to_json(whole)
    person.entities.alias(ada.id, "the Countess")
    late = person.remember("Ask the Countess.")
    told = browser.get(f"/forget.json?entity={ada.id}&mentions=on").json()
    assert (told["plan"], told["looking"]["through"]) == (None, 4)
    while not told["plan"]:
        told = browser.get(f"/forget.json?entity={ada.id}&mentions=on").json()
    assert late in told["plan"]["ids"]
    answer = pressed(browser, browser.get(address).text, "erase", sure="1")
    assert "Forgotten, for good." in said(answer.text)
    for one in named:
        with pytest.raises(NotFoundError):
            person.episodes.get(one)


def test_what_came_since_it_was_shown_is_not_forgotten_unseen(served: Served, person):
    said_it = person.remember("The safe opens with 99.", session_id="s1")
    browser = served.browser()
    page = browser.get("/forget?session=s1").text
    person.remember("The safe opens with 42.", session_id="s1")
    answer = pressed(browser, page, "erase", sure="1")
    assert 'class="flash error"' in answer.text
    assert person.episodes.get(said_it).text


def test_a_project_is_shown_as_it_was_on_both_times(served: Served, person):
    told_on = []
    for text, day in (
        ("The router runs 1.0.", "2025-01-01"),
        ("The router runs 2.0.", "2025-06-01"),
    ):
        person.facts.add(text, valid_from=day, scope=PROJECT, **SLOT)
        told_on.append(f"{served.brain.parts.clock.now():%Y-%m-%d}")
        served.brain.parts.clock.at += timedelta(days=1)
    browser = served.browser()
    now = browser.get(f"/projects/{PROJECT}").text
    assert "runs 2.0" in now
    assert 'data-ticks="2025-01-01 2025-06-01"' in now
    then = browser.get(f"/projects/{PROJECT}?as_of=2025-03-01").text
    assert "runs 1.0" in then
    assert "runs 2.0" not in then
    assert "not how it is now" in then
    assert f'data-ticks="{" ".join(told_on)}"' in now
    # A slider has a place for each day; what lies between two stands at the one before it.
    assert 'min="0" max="2" value="0"' in then
    known = browser.get(f"/projects/{PROJECT}?known_at={told_on[0]}").text
    assert "runs 1.0" in known
    assert "runs 2.0" not in known
    unknown = browser.get(f"/projects/{PROJECT}?known_at=2024-01-01").text
    assert "No fact was known here then." in unknown
    assert browser.get(f"/projects/{PROJECT}?as_of=soon").status_code == 400


@pytest.mark.row("XR-02")
def test_what_is_never_told_again_is_missing_from_the_next_brief_and_comes_back(
    served: Served, person
):
    kept = person.facts.add("Deploys go out on Tuesdays.", about=["deploys"], scope=PROJECT).fact
    spared = person.facts.add(
        "The mascot of the shed is a heron.", about=["shed"], scope=PROJECT
    ).fact
    brief = served.brain.brief(BriefRequest(session_id="s9"), scope=PROJECT)
    assert "heron" in brief.text
    assert isinstance(brief.context, Context)
    receipt = served.brain.receipts.keep(brief.context)
    browser = served.browser()
    page = browser.get(f"/seen/{receipt}").text
    assert kept.said.text in page
    held = f'name="target" value="{spared.id}"'
    answer = pressed(browser, page, "seen/never", held)
    assert "tokens, was" in said(answer.text)
    assert "told no more" in answer.text
    after = served.brain.brief(BriefRequest(), scope=PROJECT)
    assert "heron" not in after.text
    assert "Tuesdays" in after.text
    assert "heron" in str(served.brain.recall("mascot of the shed", scope=PROJECT).hits[0])
    pressed(browser, answer.text, "take-back")
    assert "heron" in served.brain.brief(BriefRequest(), scope=PROJECT).text


def test_what_an_agent_calls_a_dead_end_is_told_all_the_same(served: Served, person):
    fact = person.facts.add(
        "The mascot of the shed is a heron.", about=["shed"], scope=PROJECT
    ).fact
    served.brain.feedback(fact.id, "dead_end")
    assert "heron" in served.brain.brief(BriefRequest(), scope=PROJECT).text


def test_an_empty_brief_says_whether_anything_was_read_there(served: Served, person):
    browser = served.browser()
    unseen = browser.get("/briefs/project:never/seen").text
    assert "Nothing is known of it: no session was read there." in unseen
    person.remember("hello", session_id="s1", scope="project:quiet")
    quiet = browser.get("/briefs/project:quiet").text
    assert "none of what its sessions said is worth telling" in quiet


@pytest.mark.row("KB-127")
def test_the_brief_of_a_project_at_rest_says_that_it_rests(served: Served, person):
    person.remember("hello", session_id="s1", scope="project:quiet")
    person.projects.move("project:quiet", "paused")
    told = served.browser().get("/briefs/project:quiet").text
    assert "This project is at rest" in told
    assert "worth telling" not in told


def test_a_page_that_a_brief_opened_with_is_a_link_on_its_receipt(served: Served, person):
    person.facts.add("The router has port 7.", about=["router"])
    page = person.pages.compile("entity", "router").page
    receipt = person.receipts.keep(served.brain.brief(BriefRequest()).context)
    browser = served.browser()
    shown = browser.get(f"/seen/{receipt}").text
    assert f'<a href="/pages/{page.name}">the page {page.name}</a>' in shown
    assert "is gone" not in shown
    assert browser.get(f"/pages/{page.name}").status_code == 200


def test_what_was_forgotten_is_named_nowhere_on_a_receipt(served: Served, person):
    fact = person.facts.add(
        "The mascot of the shed is a heron.", about=["shed"], scope=PROJECT
    ).fact
    brief = served.brain.brief(BriefRequest(session_id="s9"), scope=PROJECT)
    served.brain.receipts.keep(brief.context)
    plan = person.erase.plan(facts=[fact.id])
    person.erase.confirm(plan.digest, facts=[fact.id])
    assert "heron" not in served.browser().get("/seen").text


@pytest.mark.row("OB-024")
@pytest.mark.parametrize("limit", ["0", "-1", "x", "1000", "1.5", "²"])
def test_a_page_takes_a_limit_from_1_to_100_and_says_so(served: Served, person, limit):
    for number in range(3):
        person.facts.add(f"Lamp {number} is lit.", about=[f"lamp {number}"])
    browser = served.browser()
    for path in ("/ask", "/ask.json"):
        refused = browser.get(path, params={"q": "lamp", "limit": limit})
        assert refused.status_code == 400
        assert "limit is a number from 1 to 100, not" in refused.text
    for allowed, shown in (("1", 1), ("100", 3), ("", 3)):
        told = browser.get("/ask.json", params={"q": "lamp", "limit": allowed}).json()
        assert len(told["answer"]["hits"]) == shown
    deep = browser.get("/graph", params={"name": "lamp 0", "depth": "0"})
    assert deep.status_code == 400


@pytest.mark.row("X-01")
def test_after_a_move_every_page_gives_the_one_answer_and_history_shows_both(
    served: Served, person
):
    slot = {"area": "Network", "system": "lab", "component": "pve2"}
    old = person.facts.add("pve2 is on VLAN 20.", valid_from="2025-01-01", **slot).fact
    person.pages.compile("system-state", system="lab", name="lab")
    served.brain.facts.add("pve2 is on VLAN 30.", valid_from="2025-06-01", **slot)
    browser, agent = served.browser(), served.client()

    def page_by_http():
        told = agent.post("/v1/pages/get", json={"name": "lab"}).json()
        return (
            told["page"]["is_stale"],
            "VLAN 20" in told["markdown"],
            "VLAN 30" in told["markdown"],
        )

    # What waits for an answer changes nothing yet that the page says.
    assert page_by_http() == (False, True, False)
    (asked,) = person.review.list().proposals
    seen = person.review.show(asked.id)
    person.review.confirm(asked.id, digest=seen.digest, retires=[one.id for one in seen.retires])
    assert page_by_http() == (True, True, False)
    stale = browser.get("/pages/lab").text
    assert "Something that this page was compiled from has changed" in stale
    fresh = pressed(browser, stale, "pages/refresh").text
    assert "Something that this page was compiled from has changed" not in fresh
    assert "VLAN 30" in fresh
    assert page_by_http() == (False, False, True)
    state = browser.post(
        "/v1/state", json=slot, headers={"x-csrf-token": csrf_of(browser.get("/").text)}
    ).json()
    (held,) = state["facts"]
    assert held["fact"]["said"]["text"] == "pve2 is on VLAN 30."
    first = browser.get("/ask", params={"q": "which VLAN is pve2 on"}).text
    assert "VLAN 30" in first.partition('class="hit first"')[2].partition("</li>")[0]
    for path in ("/facts", "/things/lab"):
        page = browser.get(path).text.partition("Where it is named")[0]
        assert "VLAN 30" in page, path
    assert "VLAN 20" not in browser.get("/facts").text
    history = browser.get(f"/facts/{held['fact']['id']}").text
    assert old.id in history
    assert "VLAN 20" in history
    then = browser.get("/things/lab?as_of=2025-03-01").text.partition("Where it is named")[0]
    assert "VLAN 20" in then
    assert "VLAN 30" not in then


def test_a_project_tells_what_its_sessions_work_with_however_much_is_known_elsewhere(
    served: Served, person, monkeypatch
):
    monkeypatch.setattr(projects, "_THINGS_READ", 10)
    for no in range(20):
        person.entities.add(f"thing {no}")
    for day in range(2):
        works(served.brain, f"s{day}", day=day)
    served.brain.distil()

    told = served.browser().get(f"/projects/{SHOP}.json").json()["things"]

    assert {one["name"]: one["named"]["session_count"] for one in told} == dict.fromkeys(
        ("git", "bun", "docker", "zod", "payments", "src/pay.ts"), 2
    )
    assert "What its sessions work with" in served.browser().get(f"/projects/{SHOP}").text


def test_a_project_tells_what_was_asked_last_without_probes_of_programs(served: Served):
    probes = [("Respond with exactly PASS", "PASS")] * 6
    for no, (ask, report) in enumerate([("Mend the till.", "It is mended."), *probes]):
        for role, text in (("user", ask), ("assistant", report)):
            served.brain.remember(text, role=role, session_id=f"s{no}", scope=SHOP)

    told = served.browser().get(f"/projects/{SHOP}.json").json()["exchanges"]

    assert [one["ask"] for one in told] == ["Mend the till."]
