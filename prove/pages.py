"""
The pages in a real browser: signed in by a link, driven by keyboard alone, read by axe.

`python -m prove.pages [--axe FILE] [--shots FOLDER]`. Chromium is Debian's; Playwright comes from
`pip install playwright`, and axe from npm (`axe-core/axe.min.js`). Where the browser is not there,
it says so and proves nothing.
"""

import argparse
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import tilth
from prove.ground import conclude
from tests.interfaces.http.served import Served, serving
from tilth.context.model import BriefRequest
from tilth.core.actor import Human
from tilth.interfaces.web.pages import all_screens

_DECISIONS = 12
_STROKES_MAX = 1.5
SIZES = {"wide": (1440, 900), "phone": (390, 844), "narrow": (320, 640)}
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


def run(axe: Path | None, shots: Path | None) -> tuple[dict[str, object], list[str]]:
    """Drive every screen; return what was counted, and what is not as it should be."""
    chromium = shutil.which("chromium")
    if chromium is None or find_spec("playwright") is None:
        return {"programme": "pages", "skipped": "no Chromium, or no Playwright"}, []
    # By its name, since it is not everywhere, and types are checked there too.
    sync_playwright = import_module("playwright.sync_api").sync_playwright

    failures: list[str] = []
    report: dict[str, object] = {"programme": "pages"}
    with _brain() as served, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for scheme, size in (("light", "wide"), ("dark", "phone"), ("light", "narrow")):
            width, height = SIZES[size]
            context = browser.new_context(
                color_scheme=scheme, viewport={"width": width, "height": height}, bypass_csp=True
            )
            page = context.new_page()
            watch(page, served.url, failures)
            sign_in(page, served)
            for path in _paths(served):
                failures += looked(page, f"{served.url}{path}", path, axe)
                if shots:
                    name = path.strip("/").replace("/", "-") or "today"
                    page.screenshot(path=str(shots / f"{name}-{scheme}-{size}.png"))
        context = browser.new_context()
        page = context.new_page()
        sign_in(page, served)
        report |= _decided(page, served, failures)
        browser.close()
    return {**report, "screens": len(all_screens()), "axe": axe is not None}, failures


@contextmanager
def _brain() -> Iterator[Served]:
    """Serve a store in which something of every kind is."""
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "tilth.db"
        with tilth.connect(store, create=True, actor=Human("ana")) as person:
            _fill(person)
        with tilth.connect(store) as agent:
            for number in range(_DECISIONS):
                text = f"The host {number} is at 192.0.2.{number + 100}."
                agent.facts.add(text, system="lab", component=f"host{number}")
            with serving(agent, Path(folder)) as served:
                yield served


def _fill(person: Any) -> None:  # noqa: ANN401 - typed by its stub
    for number in range(_DECISIONS):
        slot = {"system": "lab", "component": f"host{number}"}
        person.facts.add(f"The host {number} is at 192.0.2.{number}.", **slot)
    person.entities.add("router", type="host", aliases=["gate"])
    person.entities.add("Ada Lovelace", type="person")
    person.edges.add("router", "part_of", "Ada Lovelace")
    person.remember("Where is the router?", session_id="s1")
    person.remember("It stands in the hall.", role="assistant", session_id="s1")
    person.gaps.add("It should export invoices to Excel.")
    person.topics.add("backups")
    person.pages.compile("entity", "lab")
    brief = person.brief(BriefRequest())
    person.receipts.keep(brief.context)
    plan = person.erase.plan(episodes=[person.remember("The safe opens with 99.")])
    person.erase.confirm(plan.digest, episodes=[*plan.ids])


def _paths(served: Served) -> list[str]:
    fact = served.brain.facts.list(limit=1)[0]
    proposal = served.brain.review.list(limit=1).proposals[0]
    open_ones = [one.path for one in all_screens() if "{" not in one.path]
    return [
        *open_ones,
        "/ask?q=where+is+the+router",
        "/graph?name=router",
        "/things/router",
        "/people/Ada%20Lovelace",
        "/sessions/s1",
        "/projects/global",
        "/briefs/global",
        f"/facts/{fact.id}",
        f"/seen/{served.brain.receipts.list(limit=1)[0].id}",
        f"/gaps/{served.brain.gaps.list(limit=1)[0].id}",
        f"/pages/{served.brain.pages.list()[0].name}",
        f"/topics/{served.brain.topics.list()[0].id}",
        f"/forget/{served.brain.parts.store.erasures.known()[-1].event_id}",
        f"/inbox/{proposal.id}",
    ]


def sign_in(page: Any, served: Served) -> None:  # noqa: ANN401 - Playwright's
    """Sign in by a link, as a terminal prints it."""
    page.goto(f"{served.url}/login#{served.tokens.add_link('ana')}")
    page.wait_for_url(f"{served.url}/")


def looked(page: Any, url: str, path: str, axe: Path | None) -> Iterator[str]:  # noqa: ANN401
    """Open a page, and yield what is wrong with it: its status, its width, what axe finds."""
    answer = page.goto(url)
    if answer.status != 200:
        yield f"{path}: {answer.status}"
    across = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    if page.evaluate(across) > 0:
        yield f"{path}: wider than the screen"
    if axe is None:
        return
    page.evaluate(axe.read_text(encoding="utf-8"))
    found = page.evaluate(f"axe.run(document, {{runOnly: {RULES}}})")
    for one in found["violations"]:
        yield f"{path}: {one['id']} {one['nodes'][0]['html'][:100]}"


def watch(page: Any, ours: str, failures: list[str]) -> None:  # noqa: ANN401
    """Note scripts that fail, and whatever asks elsewhere."""

    def check(asked: Any) -> None:  # noqa: ANN401 - Playwright's
        if not asked.url.startswith((ours, "data:")):
            failures.append(f"elsewhere: {asked.url}")

    page.on("pageerror", lambda error: failures.append(f"script: {error}"))
    page.on("request", check)


def _decided(page: Any, served: Served, failures: list[str]) -> dict[str, object]:  # noqa: ANN401
    """Decide by keyboard alone: accept and reject by turns, and undo one."""
    strokes, decided = 0, 0
    page.goto(f"{served.url}/inbox")
    before = served.brain.review.list().waiting
    while served.brain.review.list().waiting > 2:
        with page.expect_navigation():
            page.keyboard.press("ar"[decided % 2])
        strokes, decided = strokes + 1, decided + 1
    with page.expect_navigation():
        page.keyboard.press("u")
    if served.brain.review.list().waiting != 3:
        failures.append("undo brought nothing back")
    strokes, decided = strokes + 1, decided - 1
    for key in "xjxjx":
        page.keyboard.press(key)
    with page.expect_navigation():
        page.keyboard.press("a")
    strokes, decided = strokes + 6, decided + 3
    left = served.brain.review.list().waiting
    if left:
        failures.append(f"{left} of {before} still wait")
    each = strokes / decided
    if each > _STROKES_MAX:
        failures.append(f"{each:.2f} keystrokes a decision")
    return {"decisions": decided, "strokes_each": round(each, 2)}


def main() -> None:
    """Drive the pages, and exit with 1 if something is not as it should be."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--axe", type=Path, help="axe.min.js of npm's axe-core")
    parser.add_argument("--shots", type=Path, help="where screenshots go")
    arguments = parser.parse_args()
    if arguments.shots:
        arguments.shots.mkdir(parents=True, exist_ok=True)
    conclude(*run(arguments.axe, arguments.shots))


if __name__ == "__main__":
    main()
