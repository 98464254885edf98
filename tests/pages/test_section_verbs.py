"""An edit of a page is a proposal about what it cites, or a section in the words of a person."""

from datetime import timedelta

import pytest

from tests.pages.test_pages import told
from tilth.core.errors import (
    ConflictError,
    ForbiddenError,
    InvalidInputError,
    LimitExceededError,
    NotFoundError,
)
from tilth.pages.events import LinesRemoved
from tilth.pages.model import without_date
from tilth.pages.views import edited, removed

RULE, TASK = "Deploy on Mondays only.", "Rotate the keys in March."


@pytest.fixture
def page(human):
    for text in (RULE, TASK):
        told(human, text, scope="project:shop")
    human.pages.compile("project", scope="project:shop")
    return human.pages.get("shop")


def source_of(page, text):
    return next(one.id for one in page.sources.values() if one.text == text)


@pytest.mark.row("OB-021", "C-05", "KB-067", "KB-071", "KB-025")
def test_a_changed_line_proposes_that_of_the_fact_that_it_cites(human, page):
    edited = human.pages.edit("shop", page.markdown.replace("Mondays", "Tuesdays"))

    (proposal,) = edited.proposals
    shown = human.review.show(proposal)
    assert shown.facts[0].said.text == "Deploy on Tuesdays only."
    assert [one.id for one in shown.retires] == [source_of(page, RULE)]
    assert edited.page.sections == page.page.sections
    assert human.facts.get(source_of(page, RULE)).said.text == RULE

    human.review.confirm(proposal, digest=shown.digest, retires=[source_of(page, RULE)])

    assert human.pages.get("shop").page.is_stale
    assert "Tuesdays" in human.pages.refresh("shop").page.sections[0].section.sentences[0].text


@pytest.mark.row("C-05", "KB-067")
def test_a_line_that_is_gone_proposes_that_its_fact_ends(agent, human, page):
    kept = [line for line in page.markdown.splitlines() if RULE not in line]

    edited = agent.pages.edit("shop", "\n".join(kept))

    (proposal,) = edited.proposals
    shown = human.review.show(proposal)
    assert (shown.proposal.draft.kind, [one.id for one in shown.retires]) == (
        "removal",
        [source_of(page, RULE)],
    )
    assert human.facts.get(source_of(page, RULE)).life.lifecycle == "current"


@pytest.mark.row("OB-021")
def test_a_page_that_is_given_back_as_it_was_proposes_nothing(human, page):
    edited = human.pages.edit("shop", page.markdown)

    assert (edited.proposals, edited.locked) == ((), ())


@pytest.mark.row("C-05")
def test_words_that_cite_nothing_become_a_section_of_the_person_and_no_agents(human, agent, page):
    text = page.markdown + "\n## House rules\nAsk Ana before you touch the till.\n"
    with pytest.raises(ForbiddenError):
        agent.pages.edit("shop", text)

    edited = human.pages.edit("shop", text)

    assert edited.locked == ("house-rules",)
    human.pages.refresh("shop")
    assert "Ask Ana before you touch the till." in human.pages.get("shop").markdown
    again = human.pages.edit("shop", human.pages.get("shop").markdown)
    assert (again.proposals, again.locked) == ((), ())


def test_an_edit_of_another_page_is_refused_and_nothing_is_half_done(human, page):
    wrong = page.markdown.replace("Mondays", "Tuesdays") + "\n- Other. [fct_" + "0" * 26 + "]\n"

    with pytest.raises(ConflictError, match="no line that cites"):
        human.pages.edit("shop", wrong)
    with pytest.raises(InvalidInputError, match="in no section"):
        human.pages.edit("shop", "just words")
    with pytest.raises(InvalidInputError, match="no section"):
        human.pages.edit("shop", "# shop")
    with pytest.raises(NotFoundError):
        human.pages.edit("nowhere", page.markdown)

    assert human.review.list().proposals == ()


def swept(brain, place):
    """Let a page be stale for a while, and the sweep come by."""
    place.clock.at += timedelta(minutes=5)
    return brain.pages.sweep(at_most=9)


@pytest.mark.row("KB-110", "KB-111", "XR-05")
def test_a_locked_section_stays_word_for_word_and_what_would_stand_there_waits_beside_it(
    human, agent, page, place
):
    slug = page.page.sections[0].section.slug
    with pytest.raises(ForbiddenError):
        agent.pages.lock("shop", slug, "Mine.")
    human.pages.lock("shop", slug, "We deploy  when\nwe like.")
    told(human, "Nobody deploys on Fridays.", scope="project:shop")
    agent.pages.refresh("shop")

    there = human.pages.get("shop").page.sections[0]
    assert there.lock.text == "We deploy  when\nwe like."
    assert "Nobody deploys on Fridays." in [without_date(line.text) for line in there.lock.pending]

    human.pages.decline("shop", slug, signature=there.lock.signature)
    for _ in range(3):
        agent.pages.refresh("shop")
        assert human.pages.get("shop").page.sections[0].lock.pending == ()

    august = told(human, "Nobody deploys in August.", scope="project:shop")
    swept(agent, place)
    assert human.pages.get("shop").page.sections[0].lock.pending
    human.facts.retire(august.id)
    for _ in range(3):
        swept(agent, place)
        there = human.pages.get("shop").page.sections[0]
        assert there.lock.pending == (), "what was declined before comes back, and is not offered"
        told(human, f"Kettle {_} is sold.", scope="project:other")

    told(human, "Nobody deploys in August.", scope="project:shop")
    swept(agent, place)
    there = human.pages.get("shop").page.sections[0]
    with pytest.raises(ConflictError, match="not what was shown"):
        human.pages.take("shop", slug, signature="0" * 16)
    taken = human.pages.take("shop", slug, signature=there.lock.signature).sections[0]
    assert "Nobody deploys in August." in taken.lock.text
    told(human, "Nobody deploys at night.", scope="project:shop")
    swept(agent, place)
    there = human.pages.get("shop").page.sections[0]
    assert (there.lock.text, there.write_policy) == (taken.lock.text, "proposal"), "still locked"
    assert "Nobody deploys at night." in [without_date(one.text) for one in there.lock.pending]
    assert human.pages.unlock("shop", slug).sections[0].lock is None


@pytest.mark.row("KB-110")
def test_a_section_says_who_maintains_it_and_stays_where_a_person_put_it(human, agent, page):
    told(human, "We want to sell kettles.", scope="project:shop", metadata={"kind": "goal"})
    human.pages.refresh("shop")
    first, last = (one.section.slug for one in human.pages.get("shop").page.sections)
    with pytest.raises(ForbiddenError):
        agent.pages.arrange("shop", last, is_pinned=True)
    with pytest.raises(NotFoundError, match="has no section"):
        human.pages.arrange("shop", "nothing", is_pinned=True)

    human.pages.arrange("shop", last, is_pinned=True)
    human.pages.arrange("shop", first, is_told=False)
    human.pages.lock("shop", last, "Kettles, and nothing else.")

    told(human, "Nobody deploys on Fridays.", scope="project:shop")
    sections = human.pages.refresh("shop").page.sections
    assert [one.section.slug for one in sections] == [last, first]
    how = [(one.arranged.is_pinned, one.arranged.is_told) for one in sections]
    assert how == [(True, True), (False, False)]
    assert [one.maintainer for one in sections] == ["human", "session"]
    assert [one.write_policy for one in sections] == ["proposal", "direct"]
    read = human.pages.read(scope="project:shop").text
    assert "Kettles, and nothing else." in read
    assert RULE not in read


@pytest.mark.row("KB-110")
def test_a_section_stands_where_a_person_put_it_however_often_it_is_compiled(human, page):
    shop = "project:shop"
    told(human, "We want to sell kettles.", scope=shop, metadata={"kind": "goal"})
    human.pages.refresh("shop")
    human.pages.lock("shop", "Notes", "Ask Ana.")
    first, second, notes = (one.section.slug for one in human.pages.get("shop").page.sections)

    def order():
        return [one.section.slug for one in human.pages.get("shop").page.sections]

    human.pages.arrange("shop", notes, position=1)
    assert order() == [notes, first, second]
    human.pages.arrange("shop", first, position=99)
    told(human, "Nobody deploys on Fridays.", scope=shop)
    human.pages.refresh("shop")
    assert order() == [notes, second, first]
    human.pages.arrange("shop", second, is_pinned=True)
    assert order() == [second, notes, first]
    human.pages.arrange("shop", second, is_pinned=False)
    for slug in (first, notes):
        human.pages.arrange("shop", slug, position=0)
    assert order() == [first, second, notes]
    with pytest.raises(InvalidInputError):
        human.pages.arrange("shop", notes, position=-1)


@pytest.mark.row("KB-110", "KB-113")
def test_a_section_says_what_it_is_for_and_leaves_out_what_a_person_wants_out(
    human, agent, page, whole_store
):
    slug = page.page.sections[0].section.slug
    asked = {"description": "Before you ship.", "without": ["keys"]}
    with pytest.raises(ForbiddenError):
        agent.pages.arrange("shop", slug, **asked)
    with pytest.raises(LimitExceededError, match="at most 32 terms"):
        human.pages.arrange("shop", slug, without=[f"term{number}" for number in range(33)])
    with pytest.raises(LimitExceededError, match="one line"):
        human.pages.arrange("shop", slug, description="two\nlines")

    human.pages.arrange("shop", slug, **asked)

    shown = human.pages.get("shop")
    assert "Before you ship._" in shown.markdown
    assert "keys" not in shown.markdown
    assert RULE in shown.markdown
    assert shown.page.compiled_from == (source_of(page, RULE),)
    assert "keys" not in human.pages.read(scope="project:shop").text
    assert human.pages.edit("shop", shown.markdown).locked == ()
    told(human, "Never send keys by mail.", scope="project:shop")
    human.pages.refresh("shop")
    assert "keys" not in human.pages.get("shop").markdown
    human.pages.lock("shop", slug, "Mine.")
    pending = human.pages.get("shop").page.sections[0].lock.pending
    assert [without_date(line.text) for line in pending] == [RULE]
    human.pages.unlock("shop", slug)
    human.pages.arrange("shop", slug, without=[])
    assert "Before you ship._" in human.pages.get("shop").markdown
    assert human.pages.get("shop").markdown.count("keys") == 2


@pytest.mark.row("KB-111")
@pytest.mark.parametrize("form", ["- {}", "{}"])
def test_what_was_taken_is_not_offered_again(human, page, place, form):
    slug = page.page.sections[0].section.slug
    human.pages.lock("shop", slug, "Mine.")
    told(human, "Nobody deploys at night.", scope="project:shop")
    human.pages.refresh("shop")
    lock = human.pages.get("shop").page.sections[0].lock

    taken = human.pages.take("shop", slug, signature=lock.signature).sections[0]
    assert taken.lock.pending == ()
    words = "\n".join(form.format(line.text) for line in lock.pending)
    taken = human.pages.lock("shop", slug, words).sections[0]
    human.pages.refresh("shop")

    assert human.pages.get("shop").page.sections[0].lock.pending == ()
    assert [one for one in human.pages.lint() if "would say something else" in one.detail] == []
    told(human, "Nobody deploys in August.", scope="project:shop")
    swept(human, place)
    assert human.pages.get("shop").page.sections[0].lock.pending


@pytest.mark.row("KB-113")
def test_a_term_that_a_page_leaves_out_is_in_no_words_of_people_there(human, page):
    slug = page.page.sections[0].section.slug
    human.pages.lock("shop", slug, "Ask Ana about the budget.")
    human.pages.compile("project", scope="project:shop", without=["budget"])

    assert "budget" not in human.pages.get("shop").markdown
    with pytest.raises(InvalidInputError, match="left out of the page shop"):
        human.pages.lock("shop", slug, "The budget is large.")


class TestTakenOff:
    """KB-112: that a person deletes a line is a signal, whatever becomes of its fact."""

    def take_off(self, human, words):
        page = human.pages.get("shop").markdown.splitlines()
        kept = "\n".join(line for line in page if words not in line)
        for proposal in human.pages.edit("shop", kept).proposals:
            digest = human.review.show(proposal).digest
            human.review.reject(proposal, digest=digest)

    def lines(self, human):
        sections = human.pages.refresh("shop").page.sections
        return [without_date(line.text) for one in sections for line in one.section.sentences]

    @pytest.mark.row("KB-112")
    def test_once_moves_a_line_back_and_twice_bans_it(self, human, page, whole_store):
        before = self.lines(human)
        self.take_off(human, before[0])
        assert human.pages.get("shop").page.is_stale
        assert self.lines(human) == [*before[1:], before[0]]

        self.take_off(human, before[0])
        assert self.lines(human) == before[1:]
        told(human, before[0].upper(), scope="project:shop", about=["another"])
        assert self.lines(human) == before[1:]
        before_it = whole_store.digest()
        whole_store.rebuild()
        assert whole_store.digest() == before_it
        assert human.facts.get(source_of(page, before[0])).life.lifecycle == "current"

    @pytest.mark.row("KB-112")
    def test_once_is_forgotten_in_a_month_and_a_ban_never(self, human, page, place):
        before = self.lines(human)
        self.take_off(human, before[0])
        place.clock.at += timedelta(days=29)
        told(human, "Nobody deploys on Fridays.", scope="project:shop")
        assert self.lines(human)[-1] == before[0]
        place.clock.at += timedelta(days=2)
        told(human, "Nobody deploys in May.", scope="project:shop")
        assert before[0] in self.lines(human)[:-1]
        self.take_off(human, before[0])
        assert before[0] in self.lines(human)

        self.take_off(human, before[0])
        place.clock.at += timedelta(days=400)
        told(human, "Nobody deploys in August.", scope="project:shop")
        assert before[0] not in self.lines(human)

    @pytest.mark.row("KB-112")
    def test_whoever_takes_a_line_off_is_told_what_becomes_of_it(self, human, agent, page):
        gone = self.lines(human)[0]

        def take_off(brain):
            lines = human.pages.get("shop").markdown.splitlines()
            kept = "\n".join(line for line in lines if gone not in line)
            return brain.pages.edit("shop", kept)

        asked = take_off(agent)
        assert (asked.moved, asked.banned) == ((), ())
        once = take_off(human)
        assert (once.moved, once.banned) == ((gone,), ())
        human.pages.refresh("shop")
        twice = take_off(human)
        assert (twice.moved, twice.banned) == ((), (gone,))
        assert f"is on this page no more: {gone}" in [*edited(twice)]
        again = "to have it back: tilth undo OPERATION, which tilth changes names"
        assert again in [*edited(twice)]
        gone_in = [
            one.event_id
            for one in human.changes(limit=1000).items
            if isinstance(one.event, LinesRemoved)
        ]
        assert gone not in self.lines(human)
        human.undo(gone_in[-1])
        assert gone in self.lines(human)

    @pytest.mark.row("KB-112")
    def test_the_same_edit_again_and_an_agents_edit_count_for_nothing(self, human, agent, page):
        before = self.lines(human)
        kept = "\n".join(line for line in page.markdown.splitlines() if before[0] not in line)
        human.pages.edit("shop", kept)
        human.pages.edit("shop", kept)
        agent.pages.edit("shop", kept)

        assert before[0] in self.lines(human)


def test_what_tools_did_cannot_be_put_right_on_a_page(human, page):
    line = "- Test: `make` [epi_" + "0" * 26 + "]"
    with pytest.raises(ConflictError):
        human.pages.edit("shop", page.markdown + f"\n## How to run it\n{line}\n")


def test_a_page_that_was_removed_is_gone_and_its_facts_are_not(human, page):
    gone = ["".join(line) for line in removed(human.pages.remove("shop"))]

    assert gone[0].startswith("removed  shop")
    assert any("no sweep makes it anew" in line for line in gone)
    with pytest.raises(NotFoundError, match="no page 'shop': a person removed it") as refused:
        human.pages.get("shop")
    assert "tilth page compile" in refused.value.hint
    assert human.facts.get(source_of(page, RULE)).life.lifecycle == "current"
    assert human.pages.compile("project", scope="project:shop").page.name == "shop"
