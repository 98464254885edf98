"""The inbox: every action of a person, two sides to choose from, many at once, and undo."""

import json

import pytest

from tests.interfaces.http.served import Served, csrf_of
from tests.interfaces.web.forms import pressed, said
from tilth.core.actor import Human
from tilth.core.lifecycle import Lifecycle, Review
from tilth.interfaces.http import call_verb
from tilth.interfaces.to_json import to_json
from tilth.knowledge.proposals.proposal import Action

ACTION = 'name="action" value="{}"'.format
ASKED = 12


@pytest.fixture
def person(served: Served):
    return call_verb.acting(served.brain, Human("ana"))


def asked(served: Served, person, number: int = 0):
    """Have an agent ask to replace an address that a person told."""
    slot = {"system": "lab", "component": f"host{number}"}
    person.facts.add(f"The host {number} is at 192.0.2.{number}.", **slot)
    served.brain.facts.add(f"The host {number} is at 198.51.100.{number}.", **slot)
    return person.review.list(limit=100).proposals[-1]


def two_sides(served: Served, person):
    """Have the scan find two facts that speak against each other."""
    old = person.facts.add("The router runs 1.0.", about=["router"], valid_from="2025-01-01").fact
    new = served.brain.facts.add("The router runs 2.0.", about=["router"]).fact
    for _ in range(20):
        if (scanned := person.review.scan()).asked or scanned.is_done:
            break
    (proposal,) = person.review.list(kinds=["contradiction"]).proposals
    return proposal, old, new


@pytest.mark.row("XR-03")
def test_every_action_of_a_review_is_on_a_card_of_the_queue(served: Served, person):
    asked(served, person)
    two_sides(served, person)
    one, other = (person.entities.add(name, type="tool").entity for name in ("Postgres", "PGSQL"))
    served.brain.entities.merge(one.id, other.id, reason="both are the database")
    page = served.browser().get("/inbox").text
    offered = {action for action in Action if ACTION(action) in page}
    assert offered == set(Action) - {Action.EDIT}
    assert "#edit" in page


@pytest.mark.row("XR-03")
@pytest.mark.parametrize(
    ("action", "typed", "old", "new"),
    [
        (Action.CONFIRM, {}, "superseded confirmed", "current confirmed"),
        (Action.EDIT, {"text": "The host 0 is at 203.0.113.7."}, "superseded confirmed",
         "draft rejected"),
        (Action.EVIDENCE_ONLY, {}, "current confirmed", "historical unreviewed"),
        (Action.RESTRICT_SCOPE, {"scope": "project:lab"}, "current confirmed",
         "current confirmed"),
        (Action.MARK_STALE, {}, "current confirmed", "historical unreviewed"),
        (Action.REJECT, {}, "current confirmed", "draft rejected"),
        (Action.DISPUTE, {}, "current disputed", "draft disputed"),
    ],
)  # fmt: skip
def test_each_answer_to_a_change_is_pressed_with_before_and_after_and_taken_back(
    served: Served, person, action, typed, old, new
):
    proposal = asked(served, person)
    shown = person.review.show(proposal.id)
    (before,), (after,) = shown.retires, shown.facts
    browser = served.browser()
    page = browser.get(f"/inbox/{proposal.id}").text
    assert before.said.text in page
    assert after.said.text in page
    answer = pressed(browser, page, "review/decide", ACTION(action), **typed)
    assert 'class="flash done"' in answer.text, said(answer.text)
    for fact, wanted in ((before, old), (after, new)):
        life = person.facts.get(fact.id).life
        assert f"{life.lifecycle} {life.review}" == wanted
    decided = browser.get(f"/inbox/{proposal.id}").text
    assert action.replace("_", " ").capitalize() in decided
    assert after.said.text in decided
    # The page of the fact keeps both states, with who made it what it is.
    lives = browser.get(f"/facts/{after.id}.json").json()["lives"]
    assert len(lives) > 1
    assert lives[0]["life"] != lives[-1]["life"]
    pressed(browser, answer.text, "take-back")
    assert person.facts.get(before.id).life == before.life
    assert person.facts.get(after.id).life == after.life
    assert person.review.list().waiting == 1


@pytest.mark.row("XR-03")
@pytest.mark.parametrize(
    ("label", "lives"),
    [
        ("A holds, B does not", (Lifecycle.CURRENT, Review.REJECTED)),
        ("B holds, A does not", (Review.REJECTED, Lifecycle.CURRENT)),
        ("B came after A", (Lifecycle.SUPERSEDED, Lifecycle.CURRENT)),
        ("They say the same", (Lifecycle.CURRENT, Lifecycle.SUPERSEDED)),
        ("Both hold", (Lifecycle.CURRENT, Lifecycle.CURRENT)),
    ],
)
def test_of_two_sides_that_one_holds_which_was_chosen(served: Served, person, label, lives):
    proposal, *_ = two_sides(served, person)
    facts = person.review.show(proposal.id).facts[:2]
    sides, before = [one.id for one in facts], [person.facts.get(one.id).life for one in facts]
    browser = served.browser()
    page = browser.get("/inbox").text
    assert "<h3>A</h3>" in page
    assert all(one.said.text in page for one in facts)
    answer = pressed(browser, page, "review/decide", label)
    assert 'class="flash done"' in answer.text, said(answer.text)
    for fact_id, wanted in zip(sides, lives, strict=True):
        life = person.facts.get(fact_id).life
        assert wanted in (life.lifecycle, life.review), (label, fact_id, life)
    pressed(browser, answer.text, "take-back")
    assert [person.facts.get(one).life for one in sides] == before
    assert person.review.list(kinds=["contradiction"]).waiting == 1


def test_many_are_decided_in_one_request_and_one_undo_takes_all_back(served: Served, person):
    for number in range(ASKED):
        asked(served, person, number)
    browser = served.browser()
    page = browser.get("/inbox").text
    assert f"{ASKED} of a kind" in page
    seen = [person.review.show(one.id) for one in person.review.list(limit=100).proposals]
    answers = [
        {
            "proposal_id": one.proposal.id,
            "action": "confirm",
            "digest": one.digest,
            "retires": [fact.id for fact in one.retires],
        }
        for one in seen
    ]
    answers[0]["digest"] = "0" * 64
    answer = pressed(browser, page, "review/many", answers=json.dumps(answers))
    assert f"{ASKED - 1} of {ASKED} are decided." in said(answer.text)
    assert "Refused" in said(answer.text)
    assert person.review.list().waiting == 1
    one = browser.get("/inbox?state=decided").text
    pressed(browser, one, "review/undo")
    assert person.review.list().waiting == 2
    for number in range(1, ASKED):
        slot = {"system": "lab", "component": f"host{number}"}
        texts = [state.fact.said.text for state in person.state(**slot).facts]
        assert len(texts) == 1


def test_one_undo_takes_a_whole_bulk_back(served: Served, person):
    for number in range(3):
        asked(served, person, number)
    browser = served.browser()
    page = browser.get("/inbox").text
    seen = [person.review.show(one.id) for one in person.review.list(limit=100).proposals]
    answers = [
        {"proposal_id": one.proposal.id, "action": "reject", "digest": one.digest} for one in seen
    ]
    answer = pressed(browser, page, "review/many", answers=json.dumps(answers))
    assert person.review.list().waiting == 0
    answer = pressed(browser, answer.text, "take-back")
    assert "All 3 are as they were." in said(answer.text)
    assert person.review.list().waiting == 3


def test_an_answer_or_an_undo_that_comes_too_late_says_so_in_words(served: Served, person):
    """Another tab, or the command line, was there first."""
    proposal = asked(served, person)
    browser = served.browser()
    page = browser.get("/inbox").text
    accepted = pressed(browser, page, "review/decide", ACTION("confirm")).text
    assert 'class="flash done"' in accepted

    late = said(pressed(browser, page, "review/decide", ACTION("reject")).text)
    assert "This is decided already: confirm, by " in late
    assert "to answer otherwise, take that back first" in late
    person.review.undo(proposal.id)
    undone = said(pressed(browser, accepted, "take-back").text)

    assert "This is not decided: it waits" in undone
    assert not [one for one in (late, undone) if proposal.id in one or "tilth " in one]


def test_an_answer_to_what_changed_meanwhile_says_in_words_what_did(served: Served, person):
    asked(served, person)
    browser = served.browser()
    page = browser.get("/inbox").text
    (old,) = person.facts.list()
    person.facts.retire(old.id, reason="it is gone since the spring")

    late = said(pressed(browser, page, "review/decide", ACTION("confirm")).text)

    assert f"“{old.said.text}” is historical and confirmed since ana did that" in late
    assert "look at it as it is now" in late
    assert old.id not in late


@pytest.mark.parametrize("answers", ["", "{", "{}", "[1]", json.dumps([{}] * 201)])
def test_answers_that_cannot_be_read_decide_nothing(served: Served, person, answers):
    asked(served, person)
    browser = served.browser()
    answer = pressed(browser, browser.get("/inbox").text, "review/many", answers=answers)
    assert 'class="flash error"' in answer.text
    assert person.review.list().waiting == 1


def test_what_is_put_off_waits_again_by_undo(served: Served, person):
    asked(served, person)
    browser = served.browser()
    answer = pressed(browser, browser.get("/inbox").text, "review/later")
    assert (person.review.list().waiting, person.review.list().later) == (0, 1)
    assert "0 wait · 1 later" in answer.text
    pressed(browser, answer.text, "take-back")
    assert person.review.list().waiting == 1


def test_a_rejection_says_why_and_a_scope_restricts(served: Served, person):
    rejected, restricted = asked(served, person, 1), asked(served, person, 2)
    browser = served.browser()
    page = browser.get(f"/inbox/{rejected.id}").text
    assert "2 wait" in page
    pressed(browser, page, "review/decide", '<select name="note">', note="out of date")
    ruling = person.review.show(rejected.id).proposal.ruling
    assert (ruling.action, ruling.note) == (Action.REJECT, "out of date")
    page = browser.get(f"/inbox/{restricted.id}").text
    pressed(browser, page, "review/decide", "restrict_scope", scope="project:lab")
    ruling = person.review.show(restricted.id).proposal.ruling
    assert (ruling.action, ruling.scope) == (Action.RESTRICT_SCOPE, "project:lab")


@pytest.mark.row("C-17")
def test_a_decision_takes_a_person_what_was_shown_and_the_name_of_what_ends(served: Served, person):
    proposal = asked(served, person)
    browser, path = served.browser(), f"/inbox/{proposal.id}"
    form = {"verb": "review/decide", "proposal_id": proposal.id, "action": "confirm"}
    seen = person.review.show(proposal.id)
    csrf = csrf_of(browser.get(path).text)
    whole = {**form, "csrf": csrf, "digest": seen.digest, "retires": [seen.retires[0].id]}
    for lacking in ("csrf", "digest", "retires"):
        told = {name: value for name, value in whole.items() if name != lacking}
        browser.post("/act", data=told)
        assert person.review.list().waiting == 1, lacking
    agent = served.client()
    assert agent.post("/act", data=whole).status_code == 401
    told = {name: whole[name] for name in ("proposal_id", "action", "digest", "retires")}
    assert agent.post("/v1/review/decide", json=told).status_code == 403
    browser.post("/act", data=whole)
    assert person.review.list().waiting == 0


def test_a_card_of_the_list_shows_what_it_rests_on_folded_and_the_key_to_press_first(
    served: Served, person
):
    for number in range(2):
        asked(served, person, number)
    proposal, old, new = two_sides(served, person)
    page = served.browser().get("/inbox").text
    # What the cards of a group have in common is said once, and each words it rests on is there.
    assert page.count("confirmed what this would end") == 1
    assert page.count("The words it rests on") == len(person.review.list().proposals)
    card = page.partition(f'href="/inbox/{proposal.id}"')[2].partition("</article>")[0]
    folded = card.partition("The words it rests on")[2]
    assert folded.index(f"/facts/{old.id}") < folded.index(f"/facts/{new.id}")
    assert folded.count("In these very words") == 2
    assert f"/episodes/{old.evidence[0].episode_id}" in folded


def test_each_card_of_the_list_has_its_own_words_and_tells_of_those_that_were_erased(
    served: Served, person
):
    for number in range(3):
        slot = {"system": "lab", "component": f"host{number}"}
        said = [
            served.brain.remember(f"{beginning}: 198.51.100.{number} for host {number}.")
            for beginning in ("Dave gave it", "The router says")
        ]
        person.facts.add(f"The host {number} is at 192.0.2.{number}.", **slot)
        served.brain.facts.add(
            f"The host {number} is at 198.51.100.{number}.",
            evidence=[(one, f"198.51.100.{number}") for one in said],
            **slot,
        )
    plan = person.erase.plan(episodes=[said[0]])
    person.erase.confirm(plan.digest, episodes=[said[0]])
    lanes = served.browser().get("/inbox.json").json()["lanes"]
    cards = [card for _, _, groups in lanes for _, cards in groups for card in cards]
    told = [one for card in cards for one in card["evidence"]]
    for one in told:
        why = person.facts.why(one["fact"]["id"])
        assert one["supports"] == to_json(why.supports)
    erased = [one["tombstone"] for rest in told for one in rest["supports"] if not one["episode"]]
    assert (len(cards), len(told)) == (3, 6)
    assert [one["id"] for one in erased] == [said[0]]
