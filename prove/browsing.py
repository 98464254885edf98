"""
A person's first day in the pages, in a real browser, on real streams of sessions.

    python -m prove.browsing STREAMS [--files N] [--axe FILE] [--shots FOLDER]

STREAMS is a folder of transcripts, `PROJECT/*.gz`, laid out here as agents leave them on a machine.
Chromium is Debian's, Playwright from `pip install playwright`, axe from npm (`axe.min.js`). What a
key or a click did is looked up in the store, not on the page. Where the browser or the streams are
not there, it says so and proves nothing.
"""

import argparse
import gzip
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import quote

import tilth
from prove import access, reach
from prove.furnishing import furnish
from prove.ground import conclude
from prove.pages import SIZES, looked, sign_in, watch
from tests.interfaces.http.served import Served, serving
from tilth.context.model import BriefRequest
from tilth.core.actor import Human
from tilth.core.errors import NotFoundError
from tilth.core.lifecycle import Lifecycle
from tilth.core.scope import GLOBAL
from tilth.interfaces.http.call_verb import acting
from tilth.interfaces.web.pages import all_screens
from tilth.interfaces.web.screens.see.graph import NODES_MAX as _NODES_MAX
from tilth.knowledge.proposals.proposal import ProposalKind
from tilth.pages.model import Page
from tilth.runtime.brain import Brain
from tilth.skills.model import SkillState

_REVIEWED = 10
_GROUPED = 40
_STROKES_MAX = 1.5
_RATE_MIN = 200
_IMPORT_MS = 900_000
_LOOKS = (("light", "wide"), ("dark", "phone"), ("dark", "wide"), ("light", "phone"))
_SKILL = "---\nname: tidy-the-shed\ndescription: Tidy the shed before winter.\n---\n\n1. Sweep.\n"
_ANSWERLESS = "what is the capital of Mongolia"
_HELD = "[aria-labelledby=holds] .rows > li, [aria-labelledby=wider] .rows > li"
# An erase looks through the store and all its files for what is left.
_ERASE_MS = 300_000
_STARTED_BY = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"


@dataclass
class Day:
    """One browser before one server, and what it finds: failures, and figures to report."""

    page: Any
    served: Served
    person: Brain
    failures: list[str] = field(default_factory=list)
    report: dict[str, object] = field(default_factory=dict)

    def go(self, path: str) -> None:
        """Open a page of ours."""
        self.page.goto(f"{self.served.url}{path}")

    def press(self, key: str) -> None:
        """Press a key, and wait for the page that it leads to."""
        with self.page.expect_navigation():
            self.page.keyboard.press(key)

    def click(self, selector: str) -> None:
        """Click, and wait for the page that it leads to."""
        with self.page.expect_navigation():
            self.page.locator(selector).first.click()

    def holds(self, what: str, is_so: object) -> None:
        """Note a failure, unless it is so."""
        if not is_so:
            self.failures.append(what)


def run(
    streams: Path | None, files: int, axe: Path | None, shots: Path | None
) -> tuple[dict[str, object], list[str]]:
    """Live through the day; return what was counted, and what is not as it should be."""
    chromium = shutil.which("chromium")
    report: dict[str, object] = {"programme": "browsing"}
    if chromium is None or find_spec("playwright") is None:
        return {**report, "skipped": "no Chromium, or no Playwright"}, []
    if streams is None or not any(streams.glob("*/*.gz")):
        return {**report, "skipped": "no streams"}, []
    # By its name, since it is not everywhere, and types are checked there too.
    sync_playwright = import_module("playwright.sync_api").sync_playwright
    with _machine(streams, files) as served, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_context(bypass_csp=True).new_page()
        day = Day(page, served, acting(served.brain, Human("ana")), report=report)
        watch(page, served.url, day.failures)
        for part in _DAY:
            _lived(day, part)
        paths = _paths(day)
        for scheme, size in _LOOKS:
            _seen(browser, day, paths, (scheme, size), axe, shots)
        browser.close()
    return {**report, "screens": len(all_screens()), "axe": axe is not None}, day.failures


def _lived(day: Day, part: Callable[[Day], None]) -> None:
    """Live through one part; what breaks there does not keep the rest from being seen."""
    began, before = time.perf_counter(), len(day.failures)
    try:
        part(day)
    except Exception as error:  # noqa: BLE001 - the browser's, of many kinds
        day.failures.append(f"{part.__name__}: {type(error).__name__}: {str(error)[:300]}")
    told = day.failures[before:] or "as it should be"
    print(f"{part.__name__.strip('_')}: {time.perf_counter() - began:.1f} s, {told}", flush=True)


@contextmanager
def _machine(streams: Path, files: int) -> Iterator[Served]:
    """Serve an empty store where agents left *files* transcripts of each project."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        for project in sorted(one for one in streams.iterdir() if one.is_dir()):
            for file in sorted(project.glob("*.jsonl.gz"))[:files]:
                _lay_out(file, home)
        before = {name: os.environ.get(name) for name in ("HOME", "TILTH_HOME")}
        os.environ.update({"HOME": folder, "TILTH_HOME": folder})
        try:
            with (
                tilth.connect(home / "tilth.db", create=True) as agent,
                serving(agent, home) as served,
            ):
                yield served
        finally:
            for name, value in before.items():
                os.environ.pop(name, None)
                os.environ.update({} if value is None else {name: value})


def _lay_out(file: Path, home: Path) -> None:
    data, name = gzip.decompress(file.read_bytes()), file.name.removesuffix(".gz")
    is_codex = b'"session_meta"' in data[:400]
    folder = home / ".codex" / "sessions" / file.name[3:13].replace("-", "/")
    if not is_codex:
        folder = home / ".claude" / "projects" / file.parent.name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / (f"rollout-{name}" if is_codex else name)).write_bytes(data)


def _first_run(day: Day) -> None:
    """Sign in, import what lies there by one key, see what was learned, and end at Today."""
    page = day.page
    # The page may be open before the link is followed.
    page.goto(f"{day.served.url}/login")
    page.goto(f"{day.served.url}/login#{day.served.tokens.add_link('ana')}")
    page.wait_for_url(f"{day.served.url}/begin")
    day.press("a")
    page.wait_for_selector("progress")
    stages = {page.locator("[data-import-stage]").inner_text()}
    page.wait_for_selector("#came", timeout=_IMPORT_MS)
    day.click("a.primary")
    sessions, facts = day.person.sessions.list(limit=1000), day.person.facts.list(limit=1000)
    day.holds("the import showed no progress", stages)
    day.holds("nothing was imported", sessions)
    day.holds("nothing was learned", facts)
    day.holds("the first run does not end at Today", page.url == f"{day.served.url}/")
    day.report |= {"sessions": len(sessions), "facts": len(facts)}


def _asking(day: Day) -> None:
    """Ask by keyboard; the first hit is recall's first, and what nobody ever said has none."""
    fact = day.person.facts.list(limit=1)[0]
    page, question = day.page, fact.said.text[:120]
    page.keyboard.press("/")
    page.keyboard.type(question)
    day.press("Enter")
    first = day.person.recall(question, limit=12).hits[0]
    shown = page.locator(".hit").first.inner_html()
    day.holds("Ask shows another hit first than recall", str(first.id) in shown)
    day.go(f"/ask?q={quote(_ANSWERLESS)}")
    day.holds(
        "what nobody ever said is answered", page.locator("text=Nothing here answers that").count()
    )


def _reviewing(day: Day) -> None:
    """Decide ten by keyboard alone, undo one, and then forty by their group; each is reversible."""
    asked = _asked(day, _REVIEWED + _GROUPED)
    review = day.person.review
    day.go("/inbox")
    strokes, earlier = 0, review.list(limit=1).decided
    for number in range(_REVIEWED):
        day.press("ar"[number % 2])
        strokes += 1
    decided = review.list(limit=1).decided - earlier
    day.holds(f"{decided} of {_REVIEWED} were decided by keys", decided == _REVIEWED)
    day.press("u")
    undone = review.list(limit=1).decided - earlier == _REVIEWED - 1
    day.holds("undo brought nothing back", undone)
    day.press("a")
    each = (strokes + 2) / _REVIEWED
    began, before = time.perf_counter(), review.list(limit=1).decided
    while (
        waiting := review.list(limit=1)
    ).waiting and waiting.decided < earlier + _REVIEWED + _GROUPED:
        day.page.keyboard.press("X")
        day.press("a")
        if review.list(limit=1).waiting == waiting.waiting:
            day.failures.append(f"a group of {waiting.waiting} could not be decided")
            break
    seconds = time.perf_counter() - began
    done = review.list(states=["decided"], limit=1000).proposals
    grouped = review.list(limit=1).decided - before
    rate = 3600 * grouped / seconds
    day.holds(f"{each:.2f} keystrokes a decision", each <= _STROKES_MAX)
    day.holds(f"{rate:.0f} grouped items an hour", rate >= _RATE_MIN)
    back = _taken_back(day, len(done))
    day.holds(f"{back} of {len(done)} decisions could be taken back", back == len(done))
    day.report |= {
        "asked": asked, "strokes_each": round(each, 2), "grouped": grouped,
        "grouped_an_hour": round(rate), "reversed": back,
    }  # fmt: skip


def _asked(day: Day, count: int) -> int:
    """Have an agent ask to replace *count* addresses that a person laid down."""
    for number in range(count):
        for brain, network in ((day.person, "192.0.2"), (day.served.brain, "198.51.100")):
            brain.facts.add(
                f"The host {number} is at {network}.{number}.",
                system="lab",
                component=f"host{number}",
            )
    return day.person.review.list(limit=1).waiting


def _taken_back(day: Day, count: int) -> int:
    """Take decisions back on the list of them, one by one; return how many wait again."""
    for _ in range(count):
        day.go("/inbox?state=decided")
        day.click("main article button:text-is('Undo')")
    return count - day.person.review.list(limit=1).decided


def _merging(day: Day) -> None:
    """Merge two names as compared, undo, merge again, and split them off."""
    entities = day.person.entities
    one, other = (entities.add(name, type="tool").entity for name in ("PostgreSQL", "the database"))
    for taken_back in ("undo", "split"):
        day.go(f"/things/{one.id}")
        day.click("text=Merge…")
        day.page.fill("[name=loser]", "the database")
        day.click("text=Compare")
        day.page.locator("h1").click()
        day.press("a")
        day.holds("a merge joined nothing", entities.get("the database").entity.id == one.id)
        if taken_back == "undo":
            day.press("u")
        else:
            day.click("text=Split off")
        day.holds(f"{taken_back} left them one", entities.get("the database").entity.id == other.id)


def _travelling(day: Day) -> None:
    """Go back through the changes of a project by the slider's keys, and see what held then."""
    scope = day.person.sessions.list(limit=1)[0].scope
    for port, began in ((8080, "2025-01-01"), (8443, "2025-06-01")):
        day.person.facts.add(
            f"The web server listens on {port}.",
            system="web server",
            component="port",
            scope=scope,
            valid_from=began,
        )
    day.go(f"/projects/{scope}")
    now = day.page.locator(_HELD).count()
    as_of = _slid(day, "as_of", "Home")
    then = day.page.locator(_HELD).count()
    # On a day is by its end.
    held = len(day.person.facts.list(scope=scope, as_of=f"{as_of}T23:59:59Z", limit=1000))
    text = day.page.locator("[aria-labelledby=holds]").inner_text()
    day.holds(f"{then} facts are shown as of {as_of}, {held} held", then == min(held, 50))
    day.holds("what held then is not shown", "8080" in text and "8443" not in text)
    day.click("text=Back to now")
    # All was recorded today, so that there is nothing to slide through; the day before is typed.
    before = day.served.brain.parts.clock.now().date() - timedelta(days=1)
    for known_at, count in ((before, 0), (before + timedelta(days=1), now)):
        day.page.fill("[name=known_at]", known_at.isoformat())
        day.click("form.time button")
        shown = day.page.locator(_HELD).count()
        day.holds(f"{shown} facts are shown as known on {known_at}", shown == count)
    day.click("text=Back to now")
    day.report |= {"travelled": {"scope": scope, "as_of": as_of, "then": then, "now": now}}


def _slid(day: Day, name: str, key: str) -> str:
    """Move the slider of one time by a key; return the day that the address names then."""
    day.page.locator(f"[data-slider={name}] input").focus()
    day.press(key)
    return str(day.page.evaluate(f"new URLSearchParams(location.search).get('{name}')"))


def _approving(day: Day) -> None:
    """Approve the exact bytes of a skill by a key; they are installed, and gone by undo."""
    skill = day.person.skills.add(_SKILL)
    day.go(f"/skills/{skill.id}")
    day.press("a")
    state = day.person.skills.get(skill.id).skill.state
    day.holds("the skill is not approved", state is SkillState.APPROVED)
    files = {file.read_text() for file in Path.home().glob(".*/skills/tidy-the-shed/SKILL.md")}
    day.holds("the skill's files are not its bytes", files == {_SKILL})
    day.press("u")
    left = list(Path.home().glob(".*/skills/tidy-the-shed/SKILL.md"))
    day.holds("undo left a skill's files", not left)


def _correcting(day: Day) -> None:
    """Correct a fact where it stands on its project's page, and take that back."""
    fact = next(one for one in day.person.facts.list(limit=100) if one.said.triple is None)
    day.go(f"/projects/{fact.life.scope}")
    row = day.page.locator(f"#{fact.id}")
    row.locator("summary").click()
    row.locator("textarea").fill("The shed is to be painted red.")
    with day.page.expect_navigation():
        row.locator("text=Correct it").click()
    is_past = day.person.facts.get(fact.id).life.lifecycle is Lifecycle.SUPERSEDED
    texts = [one.said.text for one in day.person.facts.list(scope=fact.life.scope, limit=1000)]
    day.holds("the corrected fact holds still", is_past)
    day.holds("what was written holds not", "The shed is to be painted red." in texts)
    day.press("u")
    day.holds(
        "undo did not bring the fact back",
        day.person.facts.get(fact.id).life.lifecycle is Lifecycle.CURRENT,
    )


def _taking_off(day: Day) -> None:
    """Take a line off a page twice, and reject that it ends: it is not compiled there again."""
    scopes = {one.life.scope for one in day.person.facts.list(limit=1000)} - {GLOBAL}
    pages = [day.person.pages.compile("project", scope=one).page for one in sorted(scopes)]
    page = max(pages, key=lambda one: len(_cited(one)))
    line = _cited(page)[0]
    for _ in range(2):
        day.go(f"/pages/{page.name}?scope={quote(page.scope)}")
        day.page.locator("summary", has_text="Edit the page").click()
        lines = day.page.input_value("#text").splitlines()
        day.page.fill("#text", "\n".join(one for one in lines if line not in one))
        day.click("text=Propose it")
        for one in day.person.review.list(kinds=["removal"]).proposals:
            day.go(f"/inbox/{one.id}")
            day.press("r")
        day.go(f"/pages/{page.name}?scope={quote(page.scope)}")
        day.click("text=Compile it again")
    told = day.person.pages.get(page.name, scope=page.scope).markdown
    day.holds("a line that was taken off twice is compiled again", line not in told)


def _cited(page: Page) -> list[str]:
    """Return the lines of a page that rest on facts."""
    sentences = (line for one in page.sections for line in one.section.sentences)
    return [one.text for one in sentences if any(id_.startswith("fct_") for id_ in one.cites)]


def _muting(day: Day) -> None:
    """Have something never told again; the next brief is without it."""
    scopes = {one.scope for one in day.person.sessions.list(limit=50)}
    scope = next(one for one in sorted(scopes) if _told(day, one))
    before, tokens = _told(day, scope), day.served.brain.brief(BriefRequest(), scope=scope).tokens
    day.go(f"/briefs/{scope}")
    day.click("button:has-text('Never tell this')")
    gone = before - _told(day, scope)
    day.holds("what shall never be told is told", len(gone) == 1)
    after = day.served.brain.brief(BriefRequest(), scope=scope).tokens
    day.report |= {"brief_tokens": {"before": tokens, "after": after}}


def _told(day: Day, scope: str) -> set[str]:
    brief = day.served.brain.brief(BriefRequest(), scope=scope)
    sources = {item.source for block in brief.blocks for item in block.items}
    return {one for one in sources if one.startswith("fct_")}


def _furnishing(day: Day) -> None:
    """Put what sessions alone do not bring beside them: people, doubles, questions, topics."""
    furnish(day.person, day.served.brain, Path.home())


def _choosing(day: Day) -> None:
    """Answer a merge card and a contradiction card by keys, and take both back by one."""
    person = day.person
    for kind, key in ((ProposalKind.MERGE, "a"), (ProposalKind.CONTRADICTION, "2")):
        (card,) = person.review.list(kinds=[kind]).proposals
        day.go(f"/inbox?kind={kind}")
        sides = day.page.locator("[data-card] .side").count()
        day.holds(f"a {kind} shows {sides} sides", sides == 2)
        day.press(key)
        day.holds(f"a {kind} is not decided", person.review.show(card.id).proposal.ruling)
        if kind is ProposalKind.CONTRADICTION:
            one, other = (
                person.facts.get(fact.id).life for fact in person.review.show(card.id).facts
            )
            day.holds("not B holds", (one.review, other.lifecycle) == ("rejected", "current"))
        else:
            joined = person.entities.get("k8s cluster").entity.name
            day.holds("they are not one", joined == "Kubernetes")
        day.press("u")
        day.holds(f"a {kind} does not wait again", not person.review.show(card.id).proposal.ruling)


def _keying(day: Day) -> None:
    """Open what a card rests on, edit by e, put off by s, and take back by u."""
    person = day.person
    waiting = person.review.list(kinds=["supersession"])
    day.go("/inbox?kind=supersession")
    day.page.locator("[data-card] summary", has_text="The words it rests on").first.click()
    day.holds("no words are shown", day.page.locator("[data-card] blockquote").first.is_visible())
    day.press("s")
    later = person.review.list(kinds=["supersession"])
    day.holds("s put nothing off", later.waiting == waiting.waiting - 1)
    day.press("u")
    back = person.review.list(kinds=["supersession"])
    day.holds("u brought nothing back", back.waiting == waiting.waiting)
    day.press("e")
    day.page.fill("#text", "The gateway listens on 9443.")
    day.click("text=Accept this")
    texts = {one.said.text for one in person.facts.list(limit=20)}
    day.holds("what was edited holds not", "The gateway listens on 9443." in texts)
    day.press("u")


def _meeting(day: Day) -> None:
    """Read a person: open promises, last contact, earlier versions, and a conversation."""
    day.go("/people")
    day.click("main a:text-is('Ada Lovelace')")
    text = day.page.locator("main").inner_text()
    for told in ("Open promises", "I will send you the export", "last contact", "Europe/Lisbon"):
        day.holds(f"a person is without {told}", told in text)
    before = day.page.locator("text=Europe/London")
    day.holds("an earlier version stands open", not before.is_visible())
    day.page.locator("summary", has_text="Before (1)").click()
    day.holds("an earlier version cannot be read", before.is_visible())
    day.click("a:text-is('The export for the audit') >> nth=0")
    text = day.page.locator("main").inner_text()
    day.holds("a conversation is without its summary", "of 6 messages" in text)
    day.holds("a conversation is without its words", "I prefer CSV to Excel" in text)


def _plugging(day: Day) -> None:
    """Plug an agent in as shown and take it out; make a token, and revoke it."""
    folder = Path.home() / ".claude" / "skills" / "tilth"
    day.go("/settings")
    day.click("a[href='/hosts/claude-code']")
    day.press("a")
    problem = day.page.locator(".flash.error").count()
    day.holds("a host was not plugged in", folder.is_dir() or problem)
    if folder.is_dir():
        day.click("button:text-is('Unplug')")
        day.holds("unplugging left something", not folder.exists())
    day.page.fill("form:has-text('Make a token') [name=name]", "ci")
    day.click("text=Make a token")
    token = day.page.locator("#secret").inner_text()
    names = [one.name for one in day.served.tokens.list()]
    day.holds("no token is shown", token and "ci" in names)
    day.go("/settings")
    day.holds("a token is shown twice", token not in day.page.content())
    day.click("li:has-text('ci') button:text-is('Revoke')")
    day.holds("a token was not revoked", "ci" not in [one.name for one in day.served.tokens.list()])


def _drawing(day: Day) -> None:
    """Draw what is around a thing by depth and kind, no more than 150, with its table."""
    entities = day.person.entities
    billing = entities.get("billing").entity.id
    for depth, kind, count in ((1, "", 3), (2, "", 3), (1, "depends_on", 2)):
        day.go(f"/graph?name={billing}&depth={depth}&kind={kind}")
        drawn = day.page.locator(".graph circle").count()
        rows = day.page.locator("table").first.locator("tbody tr").count()
        day.holds(f"{drawn} of {count} are drawn, {rows} told", (drawn, rows) == (count, count))
    before = day.served.brain.parts.clock.now().date() - timedelta(days=1)
    day.go(f"/graph?name={billing}&as_of={before}")
    day.holds("what was not known then is drawn", not day.page.locator(".graph line").count())
    for number in range(_NODES_MAX + 10):
        one = entities.add(f"service {number}", type="service").entity
        day.person.edges.add(one.id, "depends_on", billing)
    day.go(f"/graph?name={billing}")
    around = day.page.locator(".graph circle").count()
    day.go("/graph")
    most = day.page.locator(".graph circle").count()
    day.holds(f"{around}, {most} nodes are drawn", 100 < around <= _NODES_MAX == most)


def _wanting(day: Day) -> None:
    """Follow a gap to the words that show it, and say that it will not be done."""
    (gap,) = [one for one in day.person.gaps.list() if "invoices" in one.description]
    day.go(f"/gaps/{gap.id}")
    day.holds(
        "a gap is without its words", "Can you export" in day.page.locator("main").inner_text()
    )
    day.click("button:text-is('Will not be done')")
    day.holds("a gap was not moved", day.person.gaps.get(gap.id).gap.status == "wont_fix")


def _forgetting(day: Day) -> None:
    """Forget an episode on which a fact rests: both go, and the certificate says so."""
    fact = next(one for one in day.person.facts.list(limit=100) if one.evidence)
    episode = fact.evidence[0].episode_id
    day.go(f"/episodes/{episode}")
    day.click("text=Forget this…")
    listed = day.page.locator("#goes ~ .rows").inner_html()
    is_told = f"/episodes/{episode}" in listed and f"/facts/{fact.id}" in listed
    day.holds("what an erase takes is not listed", is_told)
    day.page.check("[name=sure]")
    began = time.perf_counter()
    with day.page.expect_navigation(timeout=_ERASE_MS):
        day.page.locator("text=Forget it for good").click(timeout=_ERASE_MS)
    day.report["erase_s"] = round(time.perf_counter() - began, 1)
    day.holds("no certificate is shown", day.page.locator("text=Erased by").count())
    day.holds("an erased fact is there", _is_gone(lambda: day.person.facts.get(fact.id)))
    day.holds("an erased episode is there", _is_gone(lambda: day.person.episodes.get(episode)))


def _is_gone(read: Callable[[], object]) -> bool:
    try:
        read()
    except NotFoundError:
        return True
    return False


_DAY = (
    _first_run, _asking, _travelling, _correcting, _taking_off, _muting, _merging, _approving,
    _reviewing, _furnishing, _choosing, *reach.STEPS, *access.STEPS, _keying, _meeting, _plugging,
    _drawing, _wanting, _forgetting,
)  # fmt: skip


def _seen(
    browser: Any,  # noqa: ANN401 - Playwright's
    day: Day,
    paths: list[str],
    look: tuple[str, str],
    axe: Path | None,
    shots: Path | None,
) -> None:
    """Open every screen in one scheme and size: what overflows, what axe finds, when it paints."""
    scheme, size = look
    width, height = SIZES[size]
    context = browser.new_context(
        color_scheme=scheme, viewport={"width": width, "height": height}, bypass_csp=True
    )
    page = context.new_page()
    watch(page, day.served.url, day.failures)
    sign_in(page, day.served)
    paints = []
    for path in paths:
        found = list(looked(page, f"{day.served.url}{path}", path, axe))
        day.failures += [f"{scheme} {size} {one}" for one in found]
        paints.append(page.evaluate(_STARTED_BY) or 0)
        if shots:
            name = path.strip("/").split("?")[0].replace("/", "-").replace(":", "-") or "today"
            page.screenshot(path=str(shots / f"{name[:60]}-{scheme}-{size}.png"))
    ordered = sorted(paints)
    day.report[f"first_paint_ms_{scheme}_{size}"] = {
        "median": round(ordered[len(ordered) // 2]), "most": round(ordered[-1]),
    }  # fmt: skip
    context.close()
    print(f"{scheme} {size}: {len(paints)} screens, {day.failures[-3:]}", flush=True)


def _paths(day: Day) -> list[str]:
    person = day.person
    scope = person.sessions.list(limit=1)[0].scope
    fact = person.facts.list(limit=1)[0]
    entity = person.entities.list(limit=1)[0]
    skill = person.skills.list(limit=1)[0]
    waiting = person.review.list(limit=1).proposals
    plain = [one.path for one in all_screens() if "{" not in one.path]
    return [
        *plain,
        f"/ask?q={quote(fact.said.text[:80])}",
        f"/sessions/{quote(person.sessions.list(limit=1)[0].id, safe='')}",
        f"/projects/{scope}",
        f"/briefs/{scope}",
        f"/facts/{fact.id}",
        f"/things/{entity.id}",
        f"/graph?name={entity.id}",
        f"/merge?winner={entity.id}",
        f"/forget?fact={fact.id}",
        f"/skills/{skill.id}",
        f"/topics/{person.topics.add('backups').id}",
        f"/pages/{person.pages.compile('entity', 'lab').page.name}",
        f"/forget/{person.parts.store.erasures.known()[-1].event_id}",
        "/hosts/claude-code",
        *(f"/inbox/{one.id}" for one in waiting),
        *(f"/episodes/{one.episode_id}" for one in fact.evidence[:1]),
        *(f"/seen/{one.id}" for one in person.receipts.list(limit=1)),
        *(f"/conversations/{one.id}" for one in person.conversations.list(limit=1)),
        *(f"/gaps/{one.id}" for one in person.gaps.list(limit=1)),
        *(f"/playbooks/{one.id}" for one in person.playbooks.list(limit=1)),
        *(
            f"/people/{quote(one.name, safe='')}"
            for one in person.entities.list(type="person", limit=1)
        ),
    ]


def main() -> None:
    """Live through the day, and exit with 1 if something is not as it should be."""
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument("streams", type=Path, help="folder with PROJECT/*.gz")
    parser.add_argument("--files", type=int, default=1000, help="so many of each project")
    parser.add_argument("--axe", type=Path, help="axe.min.js of npm's axe-core")
    parser.add_argument("--shots", type=Path, help="where screenshots go")
    arguments = parser.parse_args()
    if arguments.shots:
        arguments.shots.mkdir(parents=True, exist_ok=True)
    conclude(*run(arguments.streams, arguments.files, arguments.axe, arguments.shots))


if __name__ == "__main__":
    main()
