"""
Steps of a day in the pages (`prove.browsing`): who decides, what is seen from where, and when.

Each drives a real browser, and looks up in the store what a key or a click did.
"""

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from prove.pages import sign_in
from tests.brains import a_brain
from tests.garden.plots import cycle, planted, plot
from tests.interfaces.http.served import serving
from tests.places import SqlitePlace
from tilth.context.model import BriefRequest
from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import ForbiddenError
from tilth.interfaces.http.tokens import Role
from tilth.knowledge.proposals.proposal import ProposalKind
from tilth.runtime.brain import Brain

if TYPE_CHECKING:
    from prove.browsing import Day

_CANARY = "the cellar door opens with 4711-canary"
_YEAR = timedelta(days=100)


def standing(day: "Day") -> None:
    """Let an agent try to confirm its own fact in every way; a person's key alone does."""
    agent, person = day.served.brain, day.person
    fact = agent.facts.add("The mirror is at 203.0.113.9.", about=["mirror"]).fact.id
    day.go(f"/facts/{fact}")
    day.holds("an agent's fact begins confirmed", _has(day, "not confirmed"))
    day.click("text=Ask about it")
    (card,) = [
        one
        for one in person.review.list(limit=1000).proposals
        if fact in {shown.id for shown in person.review.show(one.id).facts}
    ]
    digest = person.review.show(card.id).digest
    try:
        agent.review.confirm(card.id, digest=digest)
        day.failures.append("an agent decided")
    except ForbiddenError:
        pass
    told = {"proposal_id": card.id, "digest": digest}
    client = day.served.client(Role.AGENT)
    over_http = client.post("/v1/review/confirm", json=told).status_code
    on_page = client.post("/act", data={"verb": "review/decide", "action": "confirm", **told})
    refused = (over_http, on_page.status_code)
    day.holds(f"an agent's token is refused with {refused}", refused == (403, 401))
    day.holds("it is confirmed", person.facts.get(fact).life.review == "unreviewed")
    day.go(f"/inbox/{card.id}")
    day.press("a")
    day.holds("a key confirmed nothing", person.facts.get(fact).life.review == "confirmed")
    day.go(f"/facts/{fact}")
    last = day.page.locator(".lives tbody tr").last.inner_text()
    day.holds(f"who confirmed it is not told: {last}", "ana" in last and "human" in last)


def apart(day: "Day") -> None:
    """Find what belongs to one project on its pages, and nowhere where another is asked for."""
    cellar = "project:cellar"
    day.served.brain.remember(_CANARY, session_id="below", scope=cellar)
    day.person.facts.add(f"In short, {_CANARY}.", about=["cellar"], scope=cellar)
    day.person.pages.compile("project", scope=cellar)
    other = next(
        one.scope
        for one in day.person.sessions.list(limit=50)
        if one.scope.startswith("project:") and one.scope != cellar
    )
    asked = f"/ask?q={quote(_CANARY)}"
    for scope, is_there in ((cellar, True), (other, False)):
        for path in (
            f"/projects/{scope}", f"/facts?scope={scope}", f"{asked}&scope={scope}",
            f"/graph?scope={scope}", f"/pages?scope={scope}", f"/practice?scope={scope}",
            f"/sessions?scope={scope}", f"/briefs/{scope}",
        ):  # fmt: skip
            day.go(path)
            shown = day.page.locator("main").inner_text().replace(f"“{_CANARY}”", "")
            if "canary" in shown and not is_there:
                day.failures.append(f"{path} shows what belongs to another project")
            if path.startswith(("/projects", "/facts", "/ask")) and is_there:
                day.holds(f"{path} is without its own", "canary" in shown)


def joining(day: "Day") -> None:
    """Press a merge and a split in the queue: what was two is one, and two again."""
    person, entities = day.person, day.person.entities
    loser = entities.get("k8s cluster").entity.id
    before = _facts_of(day, "Kubernetes")
    day.go(f"/inbox?kind={ProposalKind.MERGE}")
    day.press("a")
    day.holds("the merge joined nothing", entities.get("k8s cluster").entity.id != loser)
    after = _facts_of(day, "Kubernetes")
    day.holds(f"{before} facts before, {after} after", (before, after) == (1, 2))
    day.holds("what was merged is not told", _has(day, "Merged into it"))
    day.served.brain.entities.split(loser, reason="they are two clusters")
    day.holds("an agent split them", entities.get("k8s cluster").entity.id != loser)
    for key, is_one in (("a", False), ("u", True), ("a", False)):
        if key == "a":
            day.go(f"/inbox?kind={ProposalKind.SPLIT}")
        day.press(key)
        together = entities.get("k8s cluster").entity.id != loser
        day.holds(f"after {key} on a split they are one: {together}", together is is_one)
    day.holds("a split moved facts", _facts_of(day, "Kubernetes") == before)
    day.holds("a split waits", not person.review.list(kinds=[ProposalKind.SPLIT]).proposals)


def seeing(day: "Day") -> None:
    """Each line that an agent saw has "never tell this again" beside it; it keeps its word."""
    agent = day.served.brain
    scope = max(
        {one.scope for one in day.person.sessions.list(limit=50)},
        key=lambda one: len(_sources(agent, one)),
    )
    given = agent.receipts.keep(agent.brief(BriefRequest(), scope=scope).context)
    day.go("/seen")
    day.click(f"a[href='/seen/{given}']")
    rows = day.page.locator("[aria-labelledby=shown] .rows > li")
    named = day.page.locator(
        "[aria-labelledby=shown] li:has(a[href^='/facts/']), "
        "[aria-labelledby=shown] li:has(a[href^='/episodes/'])"
    ).count()
    buttons = day.page.locator("text=Never tell this again").count()
    day.holds(f"{buttons} of {named} lines can be silenced", 0 < buttons == named)
    before = _sources(agent, scope)
    target = day.page.locator("form:has-text('Never tell this again') [name=target]").first
    silenced = target.get_attribute("value")
    day.click("text=Never tell this again")
    # What had room beside it may give way to something else.
    left = _sources(agent, scope)
    day.holds(f"{silenced} is told still", silenced in before and silenced not in left)
    day.holds("it is not marked", _has(day, "told no more"))
    day.press("u")
    day.holds("undo told it to nobody", _sources(agent, scope) == before)
    day.report["lines_seen"] = rows.count()


def sliding(day: "Day") -> None:
    """Move both sliders of a thing by keys: what held on a day, and what was known on one."""
    with tempfile.TemporaryDirectory() as folder:
        place = SqlitePlace(Path(folder))
        place.create()
        brain = a_brain(place.open(), place.clock, by=Actor("ana", ActorKind.HUMAN))
        brain.remember("Hello.", session_id="s")
        began = place.clock.at
        for number, port in enumerate((80, 8080, 8443)):
            place.clock.at = began + number * _YEAR
            brain.facts.add(
                f"The router listens on {port}.", system="router", component="port",
                valid_from=began + number * _YEAR - timedelta(days=30),
            )  # fmt: skip
        with serving(brain, Path(folder) / "served") as served, _elsewhere(day, served) as page:
            page.goto(f"{served.url}/things/router")
            found = {}
            for name, key in (("as_of", "Home"), ("known_at", "Home"), ("as_of", "End")):
                page.locator(f"[data-slider={name}] input").focus()
                with page.expect_navigation():
                    page.keyboard.press(key)
                found[name, key] = page.locator("[aria-labelledby=holds]").inner_text()
                is_focused = page.evaluate(
                    "document.activeElement.closest('[data-slider]')?.dataset.slider"
                )
                day.holds(f"the slider of {name} lost the focus", is_focused == name)
            day.holds("the first day shows no first port", "on 80." in found["as_of", "Home"])
            both = found["known_at", "Home"]
            day.holds("both times show another", "on 80." in both and "8443" not in both)
            now = found["as_of", "End"]
            day.holds("what was known then is not shown", "on 80." in now and "8443" not in now)
            with page.expect_navigation():
                page.locator("text=Back to now").click()
            shown = page.locator("[aria-labelledby=holds]").inner_text()
            day.holds("now is not shown", "on 8443." in shown and "on 80." not in shown)


def gardening(day: "Day") -> None:
    """Answer candidates on the page, and the same ones by signed files: one state."""
    states = []
    chosen: list[str] = []
    for by_file in (False, True):
        with tempfile.TemporaryDirectory() as folder:
            place = SqlitePlace(Path(folder))
            place.create()
            brain = plot(place.open(), place.clock, Path(folder))
            planted(brain)
            brain.topics.add("backups")
            brain.remember("Hello.", session_id="s")
            cycle(brain)
            known = {one.fact.said.text: one.fact.id for one in brain.garden.candidates()}
            if by_file:
                _by_file(brain, [known[one] for one in chosen])
            else:
                with serving(brain, Path(folder) / "served") as served:
                    chosen = _on_page(day, served)
            found = brain.garden.candidates(is_all=True)
            lives = [
                (one.fact.said.text, one.fact.life.lifecycle, one.fact.life.review, one.reason)
                for one in found
            ]
            (topic,) = brain.topics.list()
            states.append((sorted(lives), topic.counts))
    day.holds(f"pages and files differ: {states}", states[0] == states[1])
    day.report["answered_in_the_garden"] = len(chosen)


def _on_page(day: "Day", served: Any) -> list[str]:  # noqa: ANN401 - as served
    """Accept two candidates by a key and reject one with its reason; return their words."""
    with _elsewhere(day, served) as page:
        page.goto(f"{served.url}/garden")
        chosen = []
        for answer in ("a", "a", "reject"):
            card = page.locator("[data-card]").first
            chosen.append(str(card.get_attribute("aria-label")))
            if answer == "a":
                with page.expect_navigation():
                    page.keyboard.press("a")
                continue
            card.locator("summary", has_text="Other answers").click()
            card.locator("[name=note]").select_option("out of date")
            with page.expect_navigation():
                card.locator("form:has([name=note]) button").click()
        page.goto(f"{served.url}/topics/{served.brain.topics.list()[0].id}")
        told = page.locator("[aria-labelledby=decided]").inner_text()
        day.holds("the topic does not tell what was decided", "out of date" in told)
    return chosen


def _by_file(brain: Brain, ids: list[str]) -> None:
    folder = brain.parts.gardener.folder.root / "inbox"
    (folder / "approvals.json").write_text(json.dumps(ids[:2]))
    (folder / "rejections.json").write_text(
        json.dumps([{"id": one, "reason": "out of date"} for one in ids[2:]])
    )
    brain.garden.sign()


def compiling(day: "Day") -> None:
    """See a page go stale as its fact changes, compile it again, and lock words of one's own."""
    person = day.person
    fact = person.facts.add("The printer is on the second floor.", system="printer").fact.id
    page = person.pages.compile("entity", "printer").page
    day.go(f"/pages/{page.name}?scope={quote(page.scope)}")
    day.holds("a page is not fresh", _has(day, "fresh") and _has(day, "second floor"))
    day.page.locator(".cited").first.focus()
    source = day.page.locator(f".cited a[href='/facts/{fact}']")
    day.holds("a line does not lead to its fact", source.first.is_visible())
    person.facts.add("The printer is on the third floor.", supersedes=fact, system="printer")
    day.page.reload()
    is_stale = _has(day, "has changed") and _has(day, "second floor")
    day.holds("a page is not stale", is_stale)
    day.click("text=Compile it again")
    is_fresh = _has(day, "fresh") and _has(day, "third floor") and not _has(day, "second floor")
    day.holds("a page is not fresh again", is_fresh)
    day.page.locator("summary", has_text="into your own words").first.click()
    day.page.fill("section textarea >> nth=0", "Ask at the desk where it is.")
    day.click("text=Lock it")
    day.click("text=Compile it again")
    day.holds("a person's words are gone", _has(day, "Ask at the desk"))
    day.click("text=Give it back")
    day.holds("a section was not given back", not _has(day, "Ask at the desk"))


def _has(day: "Day", text: str) -> bool:
    return text in day.page.locator("main").inner_text()


def _facts_of(day: "Day", name: str) -> int:
    day.go(f"/things/{quote(name)}")
    return int(day.page.locator("[aria-labelledby=holds] .rows > li").count())


def _sources(agent: Brain, scope: str) -> set[str]:
    brief = agent.brief(BriefRequest(), scope=scope)
    sources = {item.source for block in brief.blocks for item in block.items}
    return {one for one in sources if one.startswith(("fct_", "epi_"))}


@contextmanager
def _elsewhere(day: "Day", served: Any) -> Iterator[Any]:  # noqa: ANN401 - Playwright's
    """Yield a page of another server, signed in, with cookies of its own."""
    context = day.page.context.browser.new_context(bypass_csp=True)
    page = context.new_page()
    sign_in(page, served)
    yield page
    context.close()


STEPS = (standing, apart, joining, seeing, sliding, gardening, compiling)
