"""Pages state what holds and is known, cite it, and say when that has changed."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest

from tilth.core.errors import ConflictError, ForbiddenError, InvalidInputError, NotFoundError
from tilth.core.scope import Owner, Scope
from tilth.pages.compile import compile_pages as compiling
from tilth.pages.model import PageKind
from tilth.runtime.brain import Brain
from tilth.runtime.settings import Settings

LAB = {"area": "Network", "environment": "home"}


def told(brain, text, **where):
    if not {"about", "system", "subject"} & where.keys():
        where["about"] = ["place"]
    return brain.facts.add(text, **where).fact


def text_of(brain, name, **where):
    return brain.pages.get(name, **where).markdown


def cited_places(markdown):
    return [
        id_
        for line in markdown.splitlines()
        if line.startswith("- ")
        for id_ in line.rpartition("[")[2].rstrip("]").split(", ")
    ]


@pytest.fixture
def network(human):
    router = told(human, "The router is at 192.0.2.1.", system="lab", component="router", **LAB)
    told(human, "DNS answers on 192.0.2.53.", system="pi-hole", component="ip", **LAB)
    human.pages.compile("system-state", area="Network", name="network-state")
    return router


@pytest.mark.row("OB-015", "I16")
def test_a_page_is_compiled_from_exactly_the_facts_that_its_text_cites(human, network):
    page = human.pages.get("network-state")

    assert list(page.page.compiled_from) == cited_places(page.markdown)
    assert network.id in page.page.compiled_from
    assert "The router is at 192.0.2.1." in page.markdown
    assert page.page.generated_at is not None
    assert not page.page.is_stale


@pytest.mark.row("OB-015")
def test_every_kind_of_page_can_be_compiled_and_no_other(human):
    told(human, "pve2 runs on rack4.", subject="pve2", predicate="runs_on", object="rack4")
    told(human, "Order new cables.", tags=["todo"])
    for kind in PageKind:
        what = {PageKind.ENTITY: "pve2", PageKind.TOPIC: "cables"}.get(kind, "")
        if kind is not PageKind.PROJECT:
            page = human.pages.compile(kind, what).page
            assert page.compiled_from, kind
    told(human, "Releases go out on Monday.", scope="project:shop")
    assert human.pages.compile("project", scope="project:shop").page.name == "shop"
    with pytest.raises(InvalidInputError, match="no kind"):
        human.pages.compile("wiki")


def test_what_a_person_disputes_stands_on_no_page(human, network):
    asked = human.review.question(network.id, reason="is it still there?")
    digest = human.review.show(asked.id).digest
    human.review.decide(asked.id, "dispute", digest=digest)

    human.pages.refresh("network-state")

    assert "192.0.2.53" in text_of(human, "network-state")
    assert "The router" not in text_of(human, "network-state")


@pytest.mark.row("OB-018", "KB-025")
def test_nothing_known_leaves_the_page_that_is_there(human, network):
    before = text_of(human, "network-state")
    for fact in human.facts.list():
        human.facts.retire(fact.id)

    with pytest.raises(NotFoundError, match="nothing is known"):
        human.pages.refresh("network-state")

    after = human.pages.get("network-state")
    assert after.page.is_stale
    assert after.markdown.splitlines()[3:] == before.splitlines()[3:]


@pytest.mark.row("OB-018")
def test_a_page_holds_no_row_that_ended_waits_or_is_of_another_scope_or_owner(human, agent, make):
    ended = told(human, "The rack was full.", about=["rack"])
    human.facts.retire(ended.id)
    agent.facts.add("The rack may be blue.", about=["rack"])
    told(human, "The rack is tall.", about=["rack"], scope="project:shop")
    told(make("human", owner=Owner("bob")), "The rack is bobs.", about=["rack"])
    with pytest.raises(NotFoundError):
        human.pages.compile("summary", name="all")
    holds = told(human, "The rack is locked.", about=["rack"])

    page = human.pages.compile("summary", name="all").page

    assert (page.compiled_from, page.form, page.why) == ((holds.id,), "template", "")


@pytest.mark.row("XR-10")
def test_facts_win_on_compiled_lines_and_the_words_of_a_person_in_their_section(human):
    """What a fact says follows the fact; what a person makes of it stays theirs."""
    old = told(human, "The pump runs.", system="lab", component="pump", area="Lab")
    human.pages.compile("system-state", area="Lab", name="lab")
    human.pages.lock("lab", "what-it-means", "The pump runs, so nobody need carry water.")
    told(human, "The pump stands still.", system="lab", component="pump", area="Lab")
    assert human.facts.get(old.id).life.lifecycle != "current"
    assert old.id in str([one.detail for one in human.pages.lint()])

    human.pages.refresh("lab")

    shown = text_of(human, "lab")
    assert "- The pump stands still. [" in shown
    assert "- The pump runs." not in shown
    assert "The pump runs, so nobody need carry water." in shown
    assert not [one for one in human.pages.lint() if one.flaw == "stale citation"]


@pytest.mark.row("C-06")
def test_what_was_merely_said_is_no_ground_for_a_page(agent, human):
    told(agent, "The switch is at 192.0.2.9.", system="lab", component="switch", **LAB)

    with pytest.raises(NotFoundError) as refused:
        human.pages.compile("system-state", area="Network")

    assert "1 candidate" in refused.value.hint
    told(human, "The router is at 192.0.2.1.", system="lab", component="router", **LAB)
    page = human.pages.compile("system-state", area="Network").page
    assert len(page.compiled_from) == 1


def test_a_page_of_whom_only_talk_tells_is_refused_and_says_so(human):
    person = human.entities.add("Ada", type="person").entity
    talk = human.conversations.create(person.id, "email").conversation.id
    human.conversations.add(talk, "I live in Krakow.")
    human.distil()
    assert human.about(person.id).facts

    with pytest.raises(NotFoundError) as refused:
        human.pages.compile("entity", person.id)

    assert "told in conversations" in refused.value.hint


@pytest.mark.row("OB-016", "OB-017", "I16")
def test_what_is_ingested_makes_the_affected_pages_stale_and_no_others(human, network):
    pages = {
        "domain": human.pages.compile("summary", area="Network", name="domain"),
        "system": human.pages.compile("system-state", system="lab", name="system"),
        "other-system": human.pages.compile("system-state", system="pi-hole", name="other-system"),
        "all": human.pages.compile("event-log", name="all"),
        "words": human.pages.compile("topic", "router", name="words"),
    }
    assert all(one.is_new for one in pages.values())

    for number in range(20):
        told(human, f"Port {number} is in use.", system="lab", component=f"port{number}", **LAB)

    stale = {one.name for one in human.pages.list() if one.is_stale}
    assert stale == {"network-state", "domain", "system", "all"}
    assert "Port 19" not in text_of(human, "system")
    told(human, "Nobody enters the router's room.", area="Home")
    assert human.pages.get("words").page.is_stale
    assert not human.pages.get("other-system").page.is_stale


@pytest.mark.row("OB-017")
@pytest.mark.parametrize("act", ["supersede", "retire", "archive", "confirm", "restrict"])
def test_whatever_becomes_of_a_cited_fact_makes_the_page_stale(human, agent, network, act):
    match act:
        case "supersede":
            told(human, "The router is at 192.0.2.2.", system="lab", component="router", **LAB)
        case "retire":
            human.facts.retire(network.id)
        case "archive":
            human.facts.archive(network.id)
        case "confirm":
            asked = agent.facts.propose(
                "The router is at 192.0.2.3.",
                supersedes=network.id,
                system="lab",
                component="router",
                **LAB,
            )
            assert not human.pages.get("network-state").page.is_stale
            shown = human.review.show(asked.proposal_id)
            human.review.confirm(
                asked.proposal_id, digest=shown.digest, retires=[one.id for one in shown.retires]
            )
        case "restrict":
            asked = agent.facts.retire(network.id, reason="the router went to the other site")
            assert not human.pages.get("network-state").page.is_stale
            shown = human.review.show(asked.proposal_id)
            human.review.confirm(asked.proposal_id, digest=shown.digest, retires=[network.id])

    assert human.pages.get("network-state").page.is_stale


@pytest.mark.row("OB-017")
def test_an_undone_change_makes_the_page_stale_again(human, network):
    human.facts.archive(network.id)
    human.pages.refresh("network-state")

    human.facts.undo(network.id)

    assert human.pages.get("network-state").page.is_stale


@pytest.mark.row("OB-017")
def test_a_draft_makes_no_page_stale(agent, human, network):
    agent.facts.propose(
        "The router is at 192.0.2.9.",
        supersedes=network.id,
        system="lab",
        component="router",
        **LAB,
    )

    assert not human.pages.get("network-state").page.is_stale


@pytest.mark.row("OB-017")
def test_a_merge_makes_the_pages_of_both_stale_and_the_page_follows_it(human):
    for name in ("pve2", "proxmox-two"):
        told(human, f"{name} is in the rack.", about=[name])
    human.pages.compile("entity", "pve2")
    human.pages.compile("entity", "proxmox-two")

    winner, loser = (human.entities.get(name).entity.id for name in ("pve2", "proxmox-two"))
    human.entities.merge(winner, loser)

    assert [one.is_stale for one in human.pages.list()] == [True, True]
    page = human.pages.refresh("pve2").page
    assert len(page.compiled_from) == 2
    told(human, "proxmox-two has two disks.", about=["proxmox-two"])
    assert human.pages.get("pve2").page.is_stale


@pytest.mark.row("OB-017", "I16")
def test_a_fact_that_ends_by_itself_makes_its_page_stale(human, place):
    ends = place.clock.now() + timedelta(days=1)
    told(human, "Ana is on call.", valid_to=ends)
    told(human, "The rack is full.")
    human.pages.compile("summary", name="now")
    assert not human.pages.get("now").page.is_stale

    place.clock.at = ends

    assert human.pages.get("now").page.is_stale
    assert "Ana" not in "".join(
        line.text
        for one in human.pages.refresh("now").page.sections
        for line in one.section.sentences
    )


@pytest.mark.row("OB-017")
def test_a_new_name_of_an_area_makes_its_page_stale(human, network):
    told(human, "The cable is blue.", area="Netz")
    assert not human.pages.get("network-state").page.is_stale

    human.words.register("area", "Network", aliases=["Netz"])

    assert human.pages.get("network-state").page.is_stale
    assert "blue" in "\n".join(
        line.text
        for one in human.pages.refresh("network-state").page.sections
        for line in one.section.sentences
    )


@pytest.mark.row("OB-019")
def test_what_is_ingested_while_a_page_is_compiled_leaves_it_stale(human, network, monkeypatch):
    gather = compiling.gather

    def gathered(*given):
        material = gather(*given)
        told(human, "The switch is at 192.0.2.7.", system="lab", component="switch", **LAB)
        return material

    human.facts.retire(network.id)
    monkeypatch.setattr(compiling, "gather", gathered)
    human.pages.refresh("network-state")
    monkeypatch.undo()

    page = human.pages.get("network-state")
    assert "switch" not in page.markdown
    assert page.page.is_stale


@pytest.mark.row("OB-020")
def test_a_stale_page_can_be_read_and_an_unknown_one_is_not_found(human, network):
    human.facts.retire(network.id)

    page = human.pages.get("network-state")

    assert page.page.is_stale
    assert page.page.stale_since is not None
    assert "192.0.2.1" in page.markdown
    assert not page.sources[network.id].is_current
    with pytest.raises(NotFoundError, match="no page"):
        human.pages.get("nowhere")


@pytest.mark.row("OB-020")
@pytest.mark.parametrize("title", ["Marina Costa", "marina costa", "Команда", "The crew, 2026"])
def test_a_page_goes_by_its_title_too(human, title):
    human.entities.add("Marina Costa", type="person")
    told(human, "Marina Costa plans the crew.", about=["Marina Costa"])
    heading = title if title != "marina costa" else ""
    page = human.pages.compile("entity", "Marina Costa", title=heading, name="crew").page
    told(human, "Marina Costa sails.", about=["Marina Costa"])

    assert human.pages.get(title).page.name == "crew"
    assert human.pages.refresh(title).page.name == "crew"
    human.pages.remove(title)
    with pytest.raises(NotFoundError, match="no page"):
        human.pages.get(page.name)


def test_pages_of_one_title_are_told_apart_by_their_names(human):
    told(human, "The crew meets on Mondays.", about=["crew"])
    for name in ("crew-of-2025", "crew-of-2026"):
        human.pages.compile("entity", "crew", title="The crew", name=name)

    with pytest.raises(ConflictError) as refused:
        human.pages.get("The crew")

    assert "crew-of-2025" in refused.value.hint
    assert "crew-of-2026" in refused.value.hint


@pytest.mark.row("KB-051")
def test_a_page_states_facts_of_its_scope_alone_and_is_seen_there_alone(human, make):
    told(human, "The shop sells kettles.", scope="project:shop")
    told(human, "The lab is closed.", scope="project:lab")
    human.pages.compile("project", scope="project:shop")

    assert "lab" not in text_of(human, "shop")
    with pytest.raises(NotFoundError):
        human.pages.get("shop", scope="project:lab")
    with pytest.raises(NotFoundError):
        make("human", owner="other").pages.get("shop")
    assert make("human", owner="other").pages.list() == []
    confined = type(human)(replace(human.parts, readable_scopes=frozenset({Scope("project:lab")})))
    with pytest.raises(ForbiddenError):
        confined.pages.compile("project", scope="project:shop")


@pytest.mark.row("KB-113")
def test_of_pages_with_one_name_that_of_the_scope_asked_for_is_meant(human):
    project, domain = Scope("project:shop"), Scope("domain:go")
    settings = Settings(project_domains=(f"{project}={domain}",))
    seen = Brain(replace(human.parts, settings=settings))
    for scope, floor in ((project, "second"), (domain, "third")):
        told(seen, f"The printer is on the {floor} floor.", system="printer", scope=scope)
        seen.pages.compile("system-state", system="printer", name="printer", scope=scope)

    # A project sees the pages of its domain, and yet its own is the one that is meant.
    assert "second floor" in text_of(seen, "printer", scope=project)
    assert "third floor" in text_of(seen, "printer", scope=domain)
    with pytest.raises(ConflictError, match="several scopes have a page 'printer'"):
        seen.pages.get("printer")


def test_what_holds_an_excluded_term_is_left_out(human):
    told(human, "The budget is secret.")
    told(human, "The rack is full.")

    page = human.pages.compile("summary", name="all", without=["budget"]).page

    assert len(page.compiled_from) == 1
    assert len(human.pages.refresh("all").page.compiled_from) == 1


def test_the_same_again_is_checked_and_not_written_twice(human, network):
    human.facts.archive(network.id)
    human.facts.undo(network.id)
    before = human.pages.get("network-state").page

    told_ = human.pages.refresh("network-state")

    assert before.is_stale
    assert not told_.page.is_stale
    assert human.pages.get("network-state").page.sections == before.sections


def test_pages_are_the_same_after_a_rebuild(human, whole_store, network):
    human.pages.compile("entity", "lab")
    human.pages.lock("network-state", "lab", "Ask Ana.")
    told(human, "The router is at 192.0.2.2.", system="lab", component="router", **LAB)


def test_two_that_compile_at_once_leave_one_page(human, network, make):
    with ThreadPoolExecutor(4) as pool:
        made = list(
            pool.map(lambda _: make("human").pages.compile("summary", name="all"), range(4))
        )

    assert len({one.page.compiled_from for one in made}) == 1
    assert [one.name for one in human.pages.list()].count("all") == 1
