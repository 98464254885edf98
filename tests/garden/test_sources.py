"""What several sources say: the same, the contrary, or a copy of one another."""

from dataclasses import replace

import pytest

from tests.discovery.internet import Answers
from tests.discovery.test_verbs import Provider
from tests.garden.plots import DAY, cycle, planted, plot
from tilth.core.actor import ActorKind
from tilth.core.lifecycle import Lifecycle, Review
from tilth.core.scope import GLOBAL
from tilth.discovery.model import Found, WebAccess
from tilth.discovery.web.read_pages import Web, WebPages
from tilth.discovery.web.robots import Robots
from tilth.garden.reports import uncertainty
from tilth.knowledge.proposals.ask import open_proposal
from tilth.knowledge.proposals.proposal import ProposalDraft, ProposalKind
from tilth.runtime.brain import Brain

KEPT = "Backups of the Bluebird database must be kept for thirty days on two machines."
OWN_WORDS = (
    "Our company moved to Lisbon last spring. Backups of the Bluebird database must be kept for"
    " thirty days, on two machines. The canteen serves soup on Tuesdays and fish on Fridays."
    " Visitors park behind the old mill, next to the river."
)
FIRST = (
    f"The Bluebird handbook explains operations. {KEPT} Operators rotate the keys of the archive"
    " each month. Alerts reach the person on duty within a minute. Upgrades happen at night."
)
REPHRASED = (
    f"Operations are explained by the handbook of Bluebird. {KEPT} Each month the keys of the"
    " archive are rotated by operators. Within a minute alerts reach the person who is on duty."
    " At night upgrades happen."
)


@pytest.fixture
def web(store, place, tmp_path, fetcher, internet):
    """A garden that reads the scripted internet, page by page as they are found."""
    brain = plot(store, place.clock, tmp_path)
    reading, provider = Web(fetcher, Robots(fetcher)), Provider()
    web_access = WebAccess((provider,), lambda keeping: WebPages(reading, keeping))

    def published(host, text, title):
        url = f"http://{host}/page"
        body = "".join(f"<p>{one}</p>" for one in text.split("\n"))
        page = f"<html><head><title>{title}</title></head><body><article>{body}</article></body>"
        internet.sites[url] = Answers(body=page.encode())
        found = Found(address=url, title=title, snippet=text[:200], provider="fake")
        provider.found = (*provider.found, found)

    return Brain(replace(brain.parts, web_access=web_access)), published


def the_candidate(brain):
    (one,) = (one for one in brain.garden.candidates() if "thirty days" in one.fact.said.text)
    return one


def test_an_independent_source_that_says_the_same_makes_a_candidate_surer(web):
    brain, published = web
    brain.topics.add("backups")
    published("handbook.example", FIRST, "Backups of Bluebird")
    published("company.example", OWN_WORDS, "Backups and other news")

    cycle(brain)

    one = the_candidate(brain)
    assert len(one.said_by) == 2
    assert one.confidence > one.fact.confidence.value
    digest = brain.garden.digest()
    assert uncertainty(one.confidence) in digest
    assert "<http://handbook.example/page>" in digest


@pytest.mark.parametrize("host", ["mirror.example", "handbook.example"])
def test_a_rephrased_copy_and_a_page_of_the_same_site_make_it_no_surer(web, host):
    brain, published = web
    brain.topics.add("backups")
    published("handbook.example", FIRST, "Backups of Bluebird")
    text = REPHRASED if host == "mirror.example" else OWN_WORDS
    published(f"{'www.' if host == 'handbook.example' else ''}{host}", text, "Backups again")

    cycle(brain)

    one = the_candidate(brain)
    assert len(one.said_by) == 2
    assert one.confidence == one.fact.confidence.value


def test_what_the_brain_holds_twice_is_one_source(store, place, tmp_path):
    brain = plot(store, place.clock, tmp_path)
    planted(brain, {"one": f"# Backups\n\n{KEPT}\n", "two": f"# Backups again\n\n{OWN_WORDS}\n"})
    brain.topics.add("backups")

    cycle(brain)

    one = the_candidate(brain)
    assert len(one.said_by) == 2
    assert one.confidence == one.fact.confidence.value


@pytest.mark.row("GA-015", "GA-016")
@pytest.mark.parametrize(
    "address", ["http://[::1/page", "http://lies.example:port/page", "http://lies.example/\ud83d"]
)
def test_a_search_that_names_an_address_that_can_be_none_costs_the_cycle_nothing(web, address):
    brain, published = web
    brain.topics.add("backups")
    published("handbook.example", FIRST, "Backups of Bluebird")
    (provider,) = brain.parts.web_access.searches
    lie = Found(address=address, title="Backups", snippet="Backups of it all.", provider="fake")
    provider.found = (lie, *provider.found)

    cycle(brain)

    assert the_candidate(brain)


@pytest.mark.row("GA-004", "X-15")
@pytest.mark.parametrize("url", ["http://handbook.example/page", "http://[::1/page"])
def test_an_agent_does_not_say_where_a_page_was_fetched(web, tmp_path, url):
    brain, published = web
    brain.topics.add("backups")
    published("handbook.example", FIRST, "Backups of Bluebird")
    published("company.example", REPHRASED.replace(KEPT, "They are kept."), "Other news")
    told = {"fetched": {"url": url, "domain": "trusted.example", "sha256": ""}}
    as_agent = {"store": brain.parts.store, "clock": brain.parts.clock, "folder": tmp_path}
    agent = plot(**as_agent, by="agent", kind=ActorKind.AGENT)
    agent.remember(OWN_WORDS, session_id="docs:x.md", kind="document", metadata=told)

    cycle(brain)

    one = the_candidate(brain)
    assert one.said_by
    assert "trusted.example" not in {source.domain for source in brain.sources.list()}


THIRTY = "Backups of the Bluebird database are kept for thirty days."
NINETY = "Backups of the Bluebird database are kept for ninety days."


@pytest.mark.row("GA-005", "GA-015", "GA-019")
def test_two_candidates_that_cannot_both_hold_are_asked_about_once_and_told_in_the_digest(
    store, place, tmp_path
):
    brain = plot(store, place.clock, tmp_path)
    planted(brain, {"old": f"# Backups\n\n{THIRTY}\n", "new": f"# Backups anew\n\n{NINETY}\n"})
    brain.topics.add("backups")
    cycle(brain)
    cycle(brain, is_forced=True)

    found = {one.fact.said.text: one for one in brain.garden.candidates()}
    (asked,) = brain.review.list(kinds=[ProposalKind.CONTRADICTION]).proposals

    assert set(found) == {THIRTY, NINETY}
    assert {*asked.draft.facts} == {one.fact.id for one in found.values()}
    assert 0 < asked.draft.detail["score"] <= 1
    digest = brain.garden.digest()
    assert "What cannot both be true" in digest
    assert digest.count(asked.id) == 1


@pytest.mark.row("GA-005")
def test_two_documents_of_one_kind_do_not_contradict_each_other_by_their_numbers(
    store, place, tmp_path
):
    brain = plot(store, place.clock, tmp_path)
    told = {
        f"pep-{number}": f"# PEP {number}: Metadata for Software Packages {version}\n\n"
        f":Status: Superseded\n\nThis PEP specifies version {version} of the metadata format.\n"
        for number, version in (("314", "1.1"), ("345", "1.2"))
    }
    planted(brain, told)
    brain.topics.add("packaging metadata")
    cycle(brain)
    cycle(brain, is_forced=True)

    assert len(brain.garden.candidates()) == 2
    assert not brain.review.list(kinds=[ProposalKind.CONTRADICTION]).proposals


@pytest.mark.row("GA-005", "GA-012", "GA-027")
@pytest.mark.parametrize(
    ("action", "lifecycle", "review"),
    [
        ("confirm", Lifecycle.ARCHIVED, Review.CONFIRMED),
        ("dispute", Lifecycle.CURRENT, Review.DISPUTED),
        ("reject", Lifecycle.CURRENT, Review.UNREVIEWED),
    ],
)
def test_a_contradiction_is_resolved_by_a_side_acknowledged_or_dismissed(
    store, place, tmp_path, action, lifecycle, review
):
    brain = plot(store, place.clock, tmp_path)
    known = brain.facts.add(THIRTY, about=["Bluebird"]).fact
    planted(brain, {"new": f"# Backups anew\n\n{NINETY}\n"})
    brain.topics.add("backups")
    cycle(brain)
    (asked,) = brain.review.list(kinds=[ProposalKind.CONTRADICTION]).proposals
    assert known.id in asked.draft.facts
    (new,) = (one for one in asked.draft.facts if one != known.id)
    assert "disputed" in [need for one in brain.garden.run().needy for need in one.needs]

    digest = brain.review.show(asked.id).digest
    side = {"keeps": new, "retires": [known.id]} if action == "confirm" else {}
    brain.review.decide(asked.id, action, digest=digest, note="two databases", **side)

    assert brain.review.list(kinds=[ProposalKind.CONTRADICTION]).count == 0
    needy = [need for one in brain.garden.run().needy for need in one.needs]
    assert "disputed" not in needy
    old, candidate = (brain.facts.get(one).life for one in (known.id, new))
    assert (old.lifecycle, candidate.review) == (lifecycle, review)


def test_a_topic_is_disputed_however_many_others_wait(store, place, tmp_path, monkeypatch):
    monkeypatch.setattr("tilth.ledger.snapshot._PAGE", 2)
    brain = plot(store, place.clock, tmp_path)
    topic = brain.topics.add("backups")
    for name in ("lamp", "door", "kettle", "Bluebird"):
        sides = [brain.facts.add(f"The {name} is {one}.", about=[name]).fact for one in "ab"]
        with store.begin() as tx:
            draft = ProposalDraft(
                kind=ProposalKind.CONTRADICTION,
                reason="one or the other",
                scope=GLOBAL,
                facts=tuple(one.id for one in sides),
            )
            open_proposal(tx, draft, brain.parts.recorder)
    brain.topics.contain(topic.id, sides[0].id)

    (needy,) = brain.garden.run().needy

    assert "disputed" in needy.needs


@pytest.mark.row("GA-010")
def test_what_was_rejected_stays_away_in_other_words_and_in_another_document(
    store, place, tmp_path
):
    brain = plot(store, place.clock, tmp_path)
    planted(brain, {"one": f"# Backups\n\n{THIRTY}\n"})
    brain.topics.add("backups")
    cycle(brain)
    (one,) = brain.garden.candidates()
    digest = brain.review.show(one.proposal.id).digest
    brain.review.reject(one.proposal.id, digest=digest, note="it is sixty by now")
    again = "Backups, for the Bluebird database, are of course still kept for thirty days."
    planted(brain, {"two": f"# Backups elsewhere\n\n{again}\n\n{NINETY}\n"})
    place.clock.at += 8 * DAY

    cycle(brain)

    assert [one.fact.said.text for one in brain.garden.candidates()] == [NINETY]
