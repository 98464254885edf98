"""People in the pages: what is owed, the last contact, earlier versions, and their threads."""

import re
from html import unescape

import pytest

from tests.interfaces.http.served import Served
from tests.interfaces.web.forms import pressed, said
from tilth.core.actor import Human
from tilth.interfaces.http import call_verb


@pytest.fixture
def person(served: Served):
    return call_verb.acting(served.brain, Human("ana"))


@pytest.fixture
def thread(person):
    """A conversation with somebody who is owed an export."""
    person.people.introduce("Ada", transport="email", address="ada@example.org")
    for zone in ("Europe/London", "Europe/Lisbon"):
        person.people.tell("Ada", "time zone", zone)
    talk = person.conversations.create(
        "Ada", "email", address="ada@example.org", topic="The export"
    ).conversation
    add = person.conversations.add
    add(talk.id, "When does it come? I prefer CSV.", direction="inbound", at="2025-12-02T10:00Z")
    add(talk.id, "I will send it on Friday.", direction="outbound", at="2025-12-02T11:00Z")
    person.conversations.summarise(talk.id)
    return talk


def words(page: str) -> str:
    main = page.partition("<main")[2]
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", main)).split())


def test_a_person_shows_what_is_owed_the_last_contact_and_earlier_versions(served, thread):
    browser = served.browser()
    page = browser.get("/people/Ada").text
    owed = words("<main" + page.partition('id="owed"')[2].partition("</section>")[0])
    assert "I will send it on Friday." in owed
    assert "The export" in owed
    assert "last contact 29 days ago" in words(page)
    assert "ada@example.org" in words(page)
    # The value of now stands open, the one before is folded beside it.
    now, _, before = page.partition("Europe/Lisbon")[2].partition("Before (1)")
    assert "<details" in now
    assert "Europe/London" in before.partition("</details>")[0]
    assert browser.get("/people/Ada.json").json()["before"]["time zone"][0]["value"] == (
        "Europe/London"
    )
    listed = words(browser.get("/people").text)
    assert "ada@example.org last contact 29 days ago" in listed
    assert "with Ada by email 2 messages" in listed


def test_a_conversation_shows_what_is_open_its_summary_and_who_said_what(served, thread):
    page = served.browser().get(f"/conversations/{thread.id}").text
    told = words(page)
    assert "I will send it on Friday." in words(
        "<main" + page.partition('id="open"')[2].partition("</section>")[0]
    )
    assert "of 2 messages" in told
    assert "I prefer CSV." in told
    assert "you 2 Dec 2025, 11:00" in told
    assert "Ada 2 Dec 2025, 10:00" in told


def test_the_threads_of_who_was_erased_are_gone_with_them(served, person, thread):
    plan = person.erase.plan(entity=thread.draft.entity_id)
    person.erase.confirm(plan.digest, entity=thread.draft.entity_id)
    browser = served.browser()
    told = words(browser.get("/people").text)
    assert "Nobody is known yet." in told
    assert "The export" not in told
    assert browser.get(f"/conversations/{thread.id}").status_code == 404


def test_what_goes_with_a_person_is_told_in_words(served: Served, person, thread):
    ada = person.entities.get("Ada").entity
    page = served.browser().get(f"/forget?entity={ada.id}").text
    assert f'<a class="what" href="/conversations/{thread.id}">The export</a>' in page
    assert "1 thing" in words(page)
    assert ada.id not in words(page)


def test_whoever_keeps_people_alone_is_not_told_that_nothing_is_remembered(served, thread):
    browser = served.client(None)
    answer = browser.post("/login", data={"key": served.tokens.add_link("ana")})
    today = browser.get("/").text

    assert answer.headers["location"] == "/"
    assert "Nothing is remembered yet" not in today
    assert "Waits for you" in words(today)
    assert "Welcome" not in words(browser.get("/begin").text)


def test_who_was_merged_into_another_stands_once_among_the_persons(served, person, thread):
    person.people.introduce("Ada Lovelace")
    person.entities.merge("Ada Lovelace", "Ada")

    listed = served.browser().get("/people").text

    assert listed.count('<a class="what" href="/people/') == 1
    assert 'href="/people/Ada%20Lovelace"' in listed


def test_a_thread_without_a_topic_is_called_by_who_it_is_with(served, person, thread):
    talk = person.conversations.create("Ada", "matrix").conversation
    browser = served.browser()

    page = browser.get(f"/conversations/{talk.id}").text

    assert "<h1>Ada by matrix</h1>" in page.replace(' id="top"', "")
    assert f'href="/conversations/{talk.id}">Ada</a>' in browser.get("/people").text


def test_a_conversation_is_found_by_its_topic_or_whom_it_is_with(served, person, thread):
    browser = served.browser()
    for name in ("The export", "Ada", "ada@example.org"):
        page = browser.get(f"/conversations/{name}")
        assert page.status_code == 200, name
        assert "I will send it on Friday." in words(page.text)

    other = person.conversations.create("Ada", "irc").conversation
    page = browser.get("/conversations/Ada")
    assert page.status_code == 409
    assert "I will send it on Friday." in words(page.text)
    for one in (thread, other):
        assert f'href="/conversations/{one.id}"' in page.text


def test_a_person_is_added_with_names_and_addresses(served, person):
    browser = served.browser()
    page = pressed(
        browser,
        browser.get("/people").text,
        "people/add",
        name="Ada Lovelace",
        aliases="Ada\r\nLady Lovelace\r\n",
        transport=["email", "matrix", "email"],
        address=["Ada@Example.org", "@ada:example.org", ""],
        theirs="on",
    )
    assert page.url.path.startswith("/people/ent_")
    assert "Ada Lovelace is known." in said(page.text)
    known = person.entities.get("Ada Lovelace")
    assert set(known.names) == {"Ada Lovelace", "Ada", "Lady Lovelace"}
    assert known.entity.type == "person"
    assert [(one.address.words, one.confidence) for one in person.people.identities("Ada")] == [
        ("email ada@example.org", "confirmed"),
        ("matrix @ada:example.org", "confirmed"),
    ]


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ({"name": "A. King", "transport": ["email"], "address": ["ada@example.org"]}, "is Ada's"),
        ({"name": "Ada"}, "goes by 'Ada' already"),
    ],
)
def test_somebody_who_is_known_is_not_added_twice_but_linked(served, person, thread, typed, told):
    browser = served.browser()
    ada = person.entities.get("Ada").entity.id

    page = pressed(browser, browser.get("/people").text, "people/add", **typed)

    assert page.url.path == "/people"
    assert told in said(page.text)
    assert f'href="/things/{ada}">Ada<' in said(page.text)
    # What was typed stands there still, and nothing of it was kept.
    assert f'value="{typed["name"]}"' in page.text
    assert [one.name for one in person.entities.list(type="person")] == ["Ada"]
    assert "<details open" in page.text


def test_another_person_of_the_same_name_is_added_when_one_says_so(served, person, thread):
    browser = served.browser()
    pressed(browser, browser.get("/people").text, "people/add", name="Ada", namesake="on")
    assert [one.name for one in person.entities.list(type="person")] == ["Ada", "Ada"]


def test_a_form_for_a_person_refuses_what_the_command_does(served, person):
    browser = served.browser()
    listed = browser.get("/people").text
    for typed, told in (
        ({"name": "Bob", "theirs": "on"}, "nobody said of which address"),
        ({"name": "Bob", "transport": ["email"], "address": ["no address"]}, "no address"),
    ):
        page = pressed(browser, listed, "people/add", **typed)
        assert told in said(page.text)
    assert person.entities.list(type="person") == []


def test_a_further_address_is_added_on_the_page_of_a_person(served, person, thread):
    browser = served.browser()
    added = {"transport": "matrix", "address": "@ada:example.org", "is_verified": "on"}
    page = pressed(browser, browser.get("/people/Ada").text, "people/link", **added)
    assert "It is linked." in said(page.text)
    assert "@ada:example.org matrix" in words(page.text)
