"""What a person removed stays removed until a person makes it again; a ban outlives its page."""

from datetime import timedelta

import pytest

from tests.pages.test_missing_pages import backed_up, missing
from tests.pages.test_pages import told
from tilth.core.errors import ForbiddenError, NotFoundError
from tilth.pages.compile import compile_pages
from tilth.pages.events import PageRemoved
from tilth.pages.model import without_date
from tilth.pages.views import compiled

SHOP = "project:shop"
RULE, TASK = "Deploy on Mondays only.", "Rotate the keys in March."


@pytest.fixture
def rack(human):
    """Five facts about a rack that earn it a page, by a name of its own."""
    for number in range(5):
        told(human, f"The rack holds disk {number}.", about=["rack", f"disk{number}"])
    return human.pages.compile("entity", "rack", name="shelf").page


def names(human):
    return [one.name for one in human.pages.list()]


def lines(page):
    return [without_date(line.text) for one in page.sections for line in one.section.sentences]


def ban(human, name, words):
    """Take a line off a page twice, and leave its fact as it is."""
    for _ in range(2):
        kept = [one for one in human.pages.get(name).markdown.splitlines() if words not in one]
        for proposal in human.pages.edit(name, "\n".join(kept)).proposals:
            human.review.reject(proposal, digest=human.review.show(proposal).digest)
        human.pages.refresh(name)
    assert words not in lines(human.pages.get(name).page)


def removal(human):
    found = [one for one in human.changes(limit=1000).items if isinstance(one.event, PageRemoved)]
    return found[-1].event_id


@pytest.mark.row("KB-112", "XR-11")
@pytest.mark.parametrize("kind", ["project", "entity", "topic"])
def test_no_sweep_makes_what_a_person_removed(human, place, whole_store, kind):
    """Not by the name that the page had, and by no other."""
    backed_up(human)
    told(human, RULE, scope=SHOP)
    asked = {"project": "", "entity": "nas2", "topic": "backup"}[kind]
    scope = SHOP if kind == "project" else "global"
    human.pages.compile(kind, asked, scope=scope, name="mine")
    human.pages.sweep(at_most=9)
    others = [one for one in names(human) if one != "mine"]

    human.pages.remove("mine")
    told(human, "The backup of nas2 is loud.", about=["nas2", "attic"], tags=["backup"])
    told(human, TASK, scope=SHOP)
    place.clock.at += timedelta(days=40)

    assert human.pages.sweep(at_most=9).made == 0
    assert names(human) == others
    assert missing(human) == [], "nobody is told to make it"
    whole_store.rebuild()
    assert human.pages.sweep(at_most=9).made == 0


@pytest.mark.row("KB-112", "XR-11")
def test_a_page_is_removed_until_a_person_makes_it_again(human, agent, rack, whole_store):
    human.pages.remove("shelf")

    for name in ("", "shelf", "other"):
        with pytest.raises(ForbiddenError, match="that a person removed"):
            agent.pages.compile("entity", "rack", name=name)
    with pytest.raises(NotFoundError, match="no page 'shelf': a person removed it"):
        agent.pages.get("shelf")

    again = human.pages.compile("entity", "rack")
    assert (again.page.name, again.is_back) == ("rack", True)
    assert any("removed" in one for one in map(str, compiled(again)))
    told(human, "The rack is full.", about=["rack"])
    second = human.pages.compile("entity", "rack")
    assert (second.is_new, second.is_back) == (True, False)
    told(human, "The rack is loud.", about=["rack"])
    assert agent.pages.refresh("rack").is_new
    assert not agent.pages.compile("entity", "rack", name="other").is_back
    human.pages.remove("other")
    told(human, "The rack is red.", about=["rack"])
    assert agent.pages.refresh("rack").is_new, "the page beside it stays"
    with pytest.raises(ForbiddenError, match="that a person removed"):
        agent.pages.compile("entity", "rack", name="other")

    human.pages.remove("rack")
    assert human.pages.sweep(at_most=9).made == 0
    assert names(human) == []


@pytest.mark.row("KB-112")
def test_a_page_that_is_removed_while_it_is_swept_does_not_come_back(human, rack, monkeypatch):
    told(human, "The rack is full.", about=["rack"])
    human.pages.remove("shelf")
    subject, gather = rack.subject, compile_pages.gather
    monkeypatch.setattr(compile_pages, "find_missing_pages", lambda *_: [missing_page(subject)])

    assert human.pages.sweep(at_most=9).made == 0
    assert names(human) == []

    human.pages.compile("entity", "rack", name="shelf")

    def removed_meanwhile(*asked):
        material = gather(*asked)
        human.pages.remove("shelf")
        return material

    monkeypatch.setattr(compile_pages, "find_missing_pages", lambda *_: [])
    monkeypatch.setattr(compile_pages, "gather", removed_meanwhile)
    monkeypatch.setattr(compile_pages, "QUIET", timedelta())
    told(human, "The rack is loud.", about=["rack"])
    assert human.pages.sweep(at_most=9).compiled == 0
    assert names(human) == []


def missing_page(subject):
    return compile_pages.MissingPage(
        kind=subject.kind, scope=subject.scope, facts=5, entity=subject.entity, name="rack"
    )


@pytest.mark.row("KB-112")
@pytest.mark.parametrize("name", ["shelf", "rack", "other"])
def test_a_banned_line_never_comes_back_on_any_page_of_its_subject(
    human, rack, place, whole_store, name
):
    banned = lines(rack)[0]
    ban(human, "shelf", banned)
    human.pages.remove("shelf")
    place.clock.at += timedelta(days=400)

    page = human.pages.compile("entity", "rack", name=name).page
    assert len(lines(page)) == 4
    assert banned not in lines(page)

    human.pages.remove(name)
    assert banned not in lines(human.pages.compile("entity", "rack", name="third").page)
    whole_store.rebuild()
    told(human, "The rack is full.", about=["rack"])
    assert banned not in lines(human.pages.refresh("third").page)


@pytest.mark.row("KB-112")
def test_a_ban_holds_on_a_second_page_of_the_subject_and_on_no_page_of_another(human, rack):
    banned = lines(rack)[0]
    ban(human, "shelf", banned)

    assert banned not in lines(human.pages.compile("entity", "rack", name="other").page)
    assert banned in lines(human.pages.compile("summary").page)


@pytest.mark.row("KB-112")
def test_a_page_of_another_subject_by_the_same_name_has_no_bans_of_the_removed_one(human, rack):
    banned = lines(rack)[0]
    disk = next(f"disk{number}" for number in range(5) if f"disk {number}" in banned)
    ban(human, "shelf", banned)
    human.pages.remove("shelf")

    other = human.pages.compile("entity", disk, name="shelf").page
    assert (lines(other), other.subject.title) == ([banned], disk)
    human.pages.remove("shelf")
    page = human.pages.compile("entity", "rack", name="shelf").page
    assert len(lines(page)) == 4
    assert banned not in lines(page)
    human.pages.remove("shelf")
    assert lines(human.pages.compile("entity", disk, name="shelf").page) == [banned]


@pytest.mark.row("KB-112")
def test_what_was_merged_into_a_thing_stays_removed_and_banned(human, rack, whole_store):
    banned = lines(rack)[0]
    ban(human, "shelf", banned)
    human.pages.remove("shelf")
    human.entities.add("cabinet", type="thing")
    human.entities.merge("cabinet", "rack")
    for number in range(5):
        told(human, f"The cabinet has door {number}.", about=["cabinet", f"door{number}"])

    assert human.pages.sweep(at_most=9).made == 0
    assert banned not in lines(human.pages.compile("entity", "cabinet").page)


@pytest.mark.row("KB-112", "GA-023")
def test_undoing_a_removal_brings_back_the_page_and_its_bans(human, rack, whole_store):
    banned = lines(rack)[0]
    ban(human, "shelf", banned)
    slug = human.pages.get("shelf").page.sections[0].section.slug
    human.pages.lock("shelf", slug, "My own words.")
    before = human.pages.get("shelf")
    human.pages.remove("shelf")

    human.undo(removal(human))

    assert human.pages.get("shelf") == before
    human.pages.unlock("shelf", slug)
    assert banned not in lines(human.pages.refresh("shelf").page)


@pytest.mark.row("KB-112", "GA-023")
def test_a_page_whose_making_is_undone_is_removed_again(human, rack, whole_store):
    human.pages.remove("shelf")
    human.pages.compile("entity", "rack")
    human.undo(human.changes(limit=1000).items[-1].event_id)

    assert names(human) == []
    assert human.pages.sweep(at_most=9).made == 0


@pytest.mark.row("KB-112", "EM-029")
def test_an_erase_of_the_thing_takes_the_removal_along_and_one_of_a_fact_does_not(
    human, rack, place, whole_store
):
    human.pages.remove("shelf")
    one = told(human, "The rack is full.", about=["rack"])
    human.erase.confirm(human.erase.plan(facts=[one.id]).digest, facts=[one.id])
    gone = [*rack.compiled_from][:1]
    human.erase.confirm(human.erase.plan(facts=gone).digest, facts=gone)
    told(human, "The rack is loud.", about=["rack"])
    assert place.run("SELECT count(*) FROM removed_pages")[0][0] == 1
    assert human.pages.sweep(at_most=9).made == 0

    which = {"entity": rack.subject.entity}
    human.erase.confirm(human.erase.plan(**which).digest, **which)

    assert place.run("SELECT count(*) FROM removed_pages")[0][0] == 0
    assert not [
        one for one in human.changes(limit=1000).items if isinstance(one.event, PageRemoved)
    ]


@pytest.mark.row("KB-112")
def test_a_removal_of_before_that_says_no_subject_is_read_as_it_was(human, rack, whole_store):
    banned = lines(rack)[0]
    ban(human, "shelf", banned)
    with whole_store.begin() as tx:
        recorder = human.parts.recorder
        tx.append(PageRemoved(scope=rack.scope, name="shelf"), by=recorder.by, owner=recorder.owner)

    assert names(human) == []
    assert human.pages.sweep(at_most=9).made == 1
    assert banned in lines(human.pages.compile("entity", "rack", name="shelf").page)
