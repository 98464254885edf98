"""The screens of pages: each line with its sources, stale or fresh, put right where it is read."""

import pytest

from tests.interfaces.http.served import Served
from tests.interfaces.web.forms import pressed, said
from tilth.core.actor import Human
from tilth.interfaces.http import call_verb
from tilth.interfaces.to_json import to_json
from tilth.pages import read_pages
from tilth.pages.compile.freshness import with_freshness_of_each

PROJECT = "project:shed"
ADDRESS = f"/pages/shed?scope={PROJECT}"


@pytest.fixture
def person(served: Served):
    person = call_verb.acting(served.brain, Human("ana"))
    person.facts.add("Deploy with `make <b>deploy`.", about=["make"], scope=PROJECT)
    person.facts.add("Deploy on Mondays only.", about=["deploys"], scope=PROJECT)
    person.pages.compile("project", scope=PROJECT)
    return person


@pytest.mark.row("OB-020", "KB-025")
def test_a_page_shows_each_sentence_with_its_sources_and_its_twin_says_the_same(served, person):
    browser = served.browser()
    listed = browser.get("/pages").text
    assert "/pages/shed" in listed
    page = browser.get(ADDRESS).text
    assert "Deploy with <code>make &lt;b&gt;deploy</code>." in page
    fact = person.facts.list(scope=PROJECT)[0]
    assert f'href="/facts/{fact.id}"' in page
    assert 'class="cited" tabindex="0"' in page

    twin = browser.get(f"/pages/shed.json?scope={PROJECT}").json()

    assert twin["page"] == to_json(person.pages.get("shed").page)
    person.facts.retire(fact.id)
    assert "Something that this page was compiled from has changed" in browser.get(ADDRESS).text
    assert "since" in browser.get("/pages?stale=on&lint=on").text


@pytest.mark.row("XR-06")
def test_how_pages_were_made_is_shown_to_who_asks_and_told_over_http_and_by_the_program(
    served, person
):
    browser = served.browser()
    assert "How the pages were made" not in browser.get("/pages").text
    shown = browser.get("/pages?manifest=on").text
    (made,) = person.pages.manifest()

    assert "How the pages were made" in shown
    assert f"version {made.version}, of all that was recorded up to {made.read_to}" in shown
    assert made.inputs[:12] in shown
    assert "no model call" in shown
    assert served.client().post("/v1/pages/manifest", json={}).json()["pages"] == [to_json(made)]


@pytest.mark.row("XR-06", "XR-09")
def test_the_list_its_lint_and_its_manifest_say_what_the_verbs_say_of_pages_compared_once(
    served, person, monkeypatch
):
    person.facts.add("Nobody deploys in August.", about=["deploys"], scope=PROJECT)
    compared = []
    monkeypatch.setattr(
        read_pages,
        "with_freshness_of_each",
        lambda *told: compared.append(1) or with_freshness_of_each(*told),
    )
    told = served.browser().get("/pages.json?lint=on&manifest=on").json()

    assert len(compared) == 1
    said = ("name", "scope", "kind", "title", "is_foundational", "is_stale", "version")
    shown = [{name: one[name] for name in said} for one in told["pages"]]
    assert shown == [{name: getattr(one, name) for name in said} for one in person.pages.list()]
    assert told["findings"] == to_json(person.pages.lint())
    assert told["manifest"] == to_json(person.pages.manifest())
    assert [one["is_stale"] for one in told["pages"]] == [True]
    only = served.browser().get("/pages.json?kind=topic&lint=on").json()
    assert (only["pages"], only["findings"]) == ([], told["findings"])
    refused = served.browser().get("/pages.json?kind=poem")
    assert refused.status_code == 400
    assert "'poem' is no kind" in refused.json()["error"]["message"]


@pytest.mark.row("KB-071", "C-05", "OB-021")
def test_a_line_is_put_right_on_its_page_and_waits_in_the_inbox(served, person):
    browser = served.browser()
    page = browser.get(ADDRESS).text
    text = person.pages.get("shed").markdown.replace("Mondays", "Tuesdays")

    answer = pressed(browser, page, "page/edit", text=text)

    assert "waits in the inbox" in said(answer.text)
    (waiting,) = person.review.list().proposals
    assert "Tuesdays" in person.review.show(waiting.id).facts[0].said.text
    assert "Mondays" in browser.get(ADDRESS).text


@pytest.mark.row("KB-110", "KB-111")
def test_a_section_is_locked_kept_offered_declined_and_given_back(served, person):
    browser = served.browser()
    page = browser.get(ADDRESS).text
    answer = pressed(browser, page, "pages/lock", text="Ask Ana first.")
    assert "Ask Ana first." in answer.text

    person.facts.add("Nobody deploys in August.", about=["deploys"], scope=PROJECT)
    answer = pressed(browser, answer.text, "pages/refresh")
    assert "Would be compiled here" in answer.text
    assert "Nobody deploys in August." in answer.text
    assert all(f'href="/facts/{one.id}"' in answer.text for one in person.facts.list(scope=PROJECT))
    answer = pressed(browser, answer.text, "pages/decline")
    assert "Would be compiled here" not in answer.text
    assert "Ask Ana first." in answer.text
    answer = pressed(browser, answer.text, "pages/unlock")
    assert "Ask Ana first." not in answer.text


@pytest.mark.row("KB-110")
def test_a_section_is_moved_up_on_its_page_and_stays_there(served, person):
    browser = served.browser()
    person.pages.lock("shed", "Notes", "Ask Ana first.")
    assert [one.section.slug for one in person.pages.get("shed").page.sections][-1] == "notes"

    answer = pressed(browser, browser.get(ADDRESS).text, "pages/arrange")

    assert "one place higher" in said(answer.text)
    assert next(one.section.slug for one in person.pages.get("shed").page.sections) == "notes"
    assert answer.text.index("Ask Ana first.") < answer.text.index("on Mondays only")


def test_a_page_is_compiled_from_the_list_and_taken_away(served, person):
    browser = served.browser()
    answer = pressed(
        browser, browser.get("/pages").text, "pages/compile", kind="topic", what="mondays",
        scope=PROJECT,
    )  # fmt: skip
    assert "The page is compiled." in said(answer.text)
    assert "Mondays" in answer.text
    there = browser.get(f"/pages/mondays?scope={PROJECT}").text
    answer = pressed(browser, there, "pages/remove")
    assert "/pages/mondays" not in answer.text


@pytest.mark.row("KB-112")
def test_a_line_that_is_taken_out_twice_is_not_compiled_again_though_its_fact_holds(served, person):
    browser = served.browser()
    line = "Deploy on Mondays only."
    found, answers = [], []
    for _ in range(2):
        page = browser.get(ADDRESS).text
        kept = "\n".join(
            one for one in person.pages.get("shed").markdown.splitlines() if line not in one
        )
        answers.append(said(pressed(browser, page, "page/edit", text=kept).text))
        if "One change waits in the inbox." in answers[-1]:
            pressed(browser, browser.get("/inbox").text, "review/decide", 'value="reject"')
        pressed(browser, browser.get(ADDRESS).text, "pages/refresh")
        sections = browser.get(f"/pages/shed.json?scope={PROJECT}").json()["page"]["sections"]
        told = [one["text"] for each in sections for one in each["section"]["sentences"]]
        found.append((any(line in one for one in told), line in told[-1]))
    # What was rejected is not asked again, and counts as taken out all the same.
    assert "One change waits" in answers[0]
    assert "is on this page no more" in answers[1]
    assert found == [(True, True), (False, False)]
    assert line in browser.get(f"/projects/{PROJECT}").text
