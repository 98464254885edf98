"""What a person reads on the pages: words, and no ID or raw call where words serve."""

import re
from contextlib import closing
from datetime import timedelta
from html import unescape

import apsw
import pytest

from tests.interfaces.http.served import Served
from tilth.context.model import BriefRequest
from tilth.core.actor import Human
from tilth.core.ids import EpisodeId
from tilth.interfaces.http import call_verb

SLOT = {"system": "lab", "component": "router"}
ID = re.compile(r"\b(?:prp|rcp)_[0-9A-Z]{26}\b")


@pytest.fixture
def person(served: Served):
    return call_verb.acting(served.brain, Human("ana"))


def words(page: str) -> str:
    """Return what a page says, without its tags."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", page)).split())


def test_a_session_begins_with_what_was_asked_and_calls_tell_their_command(served: Served):
    tell = served.brain.remember
    for number in range(2):
        tell(f"Please mend the gate {number}.", role="user", session_id="s1")
        call = 'Bash: {"command": "make gate", "description": "Mend it"}'
        tell(call, role="tool", kind="tool_call", session_id="s1")
        tell(f"The gate {number} is mended.", role="assistant", session_id="s1")
    page = served.browser().get("/sessions/s1").text
    asked = page.partition('<details class="asks"')[2].partition("</details>")[0]
    assert "What was asked, and how it ended (2)" in words(asked)
    assert words(asked).index("gate 0") < words(asked).index("gate 1")
    assert "The gate 1 is mended." in words(asked)
    for link in re.findall(r'href="#(epi_\w+)"', asked):
        assert f'id="{link}"' in page
    assert page.count("how it ended</span>") == 2
    assert "1 call: make gate" in words(page)
    assert "1 call: {" not in words(page)


def test_ask_offers_what_is_a_question_and_is_answered(served: Served):
    asked = {
        "Which port does the gateway use?": "The gateway uses port 8443.",
        "can you merge the branch": "I merged the branch.",
        "is it done, if not let's delete it": "It is done.",
    }
    for number, (question, answer) in enumerate(asked.items()):
        for role, text in (("user", question), ("assistant", answer)):
            served.brain.remember(text, role=role, session_id=f"s{number}")
    assert served.browser().get("/ask.json").json()["asked"] == [*asked][:1]


def test_today_tells_what_is_left_open_until_it_is_done_or_old(served: Served, person):
    def left() -> list[str]:
        (told,) = served.browser().get("/today.json").json()["projects"]
        return [one["said"]["text"] for digest in told[1] for one in digest["left"]]

    def said(session: str, ask: str, report: str) -> EpisodeId:
        served.brain.remember(ask, session_id=session)
        return served.brain.remember(report, role="assistant", session_id=session)

    # A probe of a harness is no work.
    said("probe", "Respond with exactly PASS", "PASS")
    rests = said("work", "Add the retry.", "The retry is in. The export of invoices comes later.")
    for text, days in (("The export of invoices comes later.", 0), ("Paint the shed later.", 40)):
        person.facts.add(
            text,
            about=["shop"],
            evidence=[rests],
            valid_from=served.brain.parts.clock.now() - timedelta(days=days),
            metadata={"kind": "deferral"},
        )
    assert left() == ["The export of invoices comes later."]
    said("later", "And the invoices?", "The export of invoices is done.")
    assert left() == []


def test_what_nothing_answers_is_said_and_what_came_closest_is_folded(served: Served):
    served.brain.remember("The garden gate squeaks in the wind.", session_id="s1")
    page = served.browser().get("/ask?q=what is the capital of Mongolia").text
    assert "Nothing here answers that." in page
    assert '<ol class="hits">' not in re.sub(r"<details.*?</details>", "", page, flags=re.DOTALL)


def test_a_report_is_told_as_the_agents_though_a_persons_words_were_found(served: Served):
    served.brain.remember("Log a Linear improvement in Project Troy.", session_id="s1")
    served.brain.remember("Made ENT-241 there.", role="assistant", session_id="s1")
    page = words(served.browser().get("/ask?q=a Linear improvement in Project Troy").text)
    assert "Asked: Log a Linear improvement in Project Troy. Made ENT-241 there." in page
    assert "an agent" in page
    assert "a person" not in page


def test_receipts_and_what_an_erase_takes_name_what_they_are_about(served: Served, person):
    fact = person.facts.add("The router is at 192.0.2.1.", **SLOT).fact
    served.brain.facts.add("The router is at 192.0.2.9.", **SLOT)
    brief = served.brain.brief(BriefRequest())
    receipt = served.brain.receipts.keep(brief.context)
    browser = served.browser()
    listed = browser.get("/seen").text
    assert re.search(rf'href="/seen/{receipt}">[^<]', listed)  # A link has a name.
    shown = browser.get(f"/seen/{receipt}").text
    assert "The router is at 192.0.2.9." in words(shown)
    assert not ID.search(words(shown))
    going = browser.get(f"/forget?fact={fact.id}").text
    assert "What an agent was shown on" in words(going)
    assert not ID.search(words(going))
    assert f'href="/seen/{receipt}">' in going  # Each can be read before it goes.


def test_today_says_whether_anything_is_captured(served: Served):
    served.brain.remember("Where is the router?", session_id="s1")
    assert "No agent is plugged in" in words(served.browser().get("/").text)


@pytest.mark.row("I42")
def test_a_page_of_a_store_that_does_not_answer_says_what_to_do(served: Served, tmp_path):
    browser = served.browser()
    (store,) = tmp_path.rglob("tilth.db")
    with closing(apsw.Connection(str(store))) as newer:
        newer.execute("PRAGMA user_version = 99")

    today = browser.get("/")
    nothing = browser.get("/no-such-page", headers={"accept": "text/html"})
    signed_in = served.client(None).post("/login", data={"key": served.tokens.add_link("ben")})

    assert (today.status_code, nothing.status_code) == (501, 404)
    assert "text/html" in today.headers["content-type"]
    assert "was brought to schema 99 by a newer tilth" in words(today.text)
    assert "end this process and start it again" in words(today.text)
    assert "No page of ours is at /no-such-page." in words(nothing.text)
    assert signed_in.status_code == 303
