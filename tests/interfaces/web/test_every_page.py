"""Every page of a store with something of everything, on both engines, and odd addresses."""

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

import pytest

from bench.full_store import Size, fill
from tests.garden.plots import plot
from tests.interfaces.http.served import serving
from tests.interfaces.web.crawling import crawl, twin_of
from tilth.interfaces.web.pages import all_screens

ODD = (
    "0", "-1", "1000001", "9" * 30, "1e3", "٣", "x" * 3000, "a\x00b", "%ed%a0%80", "' OR 1=1 --",
    "../../etc/passwd", "0001-01-01", "9999-12-31", "2026-13-45", "project:", "[[", "💥",
    "fct_01J00000000000000000000000", "epi_ZZZZZZZZZZZZZZZZZZZZZZZZZZ", "top_8ZZ",
)  # fmt: skip
_MARKED = re.compile(r'<li><a href="[^"]*" aria-current=')


def filled(store, clock):
    """A store with something of everything."""
    with TemporaryDirectory() as folder:
        fill(plot(store, clock, Path(folder)), Size())


@pytest.fixture
def everything(make_place, tmp_path):
    place = make_place(filled)
    brain = plot(place.open(), place.clock, tmp_path)
    with serving(brain, tmp_path) as one:
        yield one
    brain.close()


@pytest.mark.row("T7")
def test_every_link_leads_to_a_page_and_an_odd_address_is_no_error_of_ours(everything):
    browser, store = everything.browser(), everything.brain.parts.store
    with store.read() as view:
        before = view.head()
    visits, seen = list(crawl(browser)), set()
    for visit in visits:
        assert visit.answer.status_code == 200, (visit.path, visit.answer.text[:2000])
        twin = browser.get(twin_of(visit.path))
        assert isinstance(twin.json(), dict), visit.path
        assert len(_MARKED.findall(visit.answer.text)) == 1, visit.path
        assert "Times are in UTC." in visit.answer.text, visit.path
        seen.add(visit.kind.partition("?")[0])
    assert seen == {one.path for one in all_screens()}

    addresses = dict.fromkeys(odd_addresses(visit.path for visit in visits))
    wrong = {path: status for path in addresses if (status := browser.get(path).status_code) >= 500}
    assert len(addresses) > 400
    assert wrong == {}
    # Who looks changes nothing, whatever the address says.
    with store.read() as view:
        assert view.head() == before


def test_every_list_has_a_next_page(everything):
    browser = everything.browser()
    for name, rows in (("seen", "receipts"), ("playbooks", "playbooks"), ("skills", "skills")):
        whole = browser.get(f"/{name}.json").json()[rows]
        assert whole, name
        rest = browser.get(f"/{name}.json?offset=1").json()[rows]
        assert [one["id"] for one in rest] == [one["id"] for one in whole[1:]]
        assert "Earlier on the list" in browser.get(f"/{name}?offset=1").text


def test_today_tells_of_playbooks_and_skills_that_wait_for_a_word(everything):
    browser = everything.browser()
    page = browser.get("/").text
    for rows in ("playbooks", "skills"):
        listed = browser.get(f"/{rows}.json").json()[rows]
        waiting = {one["id"]: one["state"] == "candidate" for one in listed}
        assert any(waiting.values()), rows
        told = {id_: f'href="/{rows}/{id_}"' in page for id_ in waiting}
        assert told == waiting, rows


def odd_addresses(known):
    """Put each odd value in the place of each value that the pages' own addresses have."""
    narrowed = {}
    for path in known:
        for key, _ in parse_qsl(urlsplit(path).query):
            narrowed[urlsplit(path).path.split("/")[1], key] = path
    for (_, key), path in narrowed.items():
        told = dict(parse_qsl(urlsplit(path).query))
        yield from (f"{urlsplit(path).path}?{urlencode(told | {key: odd})}" for odd in ODD)
    stems = [one.path.partition("{")[0] for one in all_screens() if "{" in one.path]
    yield from (f"{stem}{quote(odd, safe='')}" for stem in stems for odd in ODD)
