"""The garden's pages: candidates are shown with their words, and answered by the same verbs."""

import json

import pytest

from tests.garden.plots import DAY, cycle, planted, plot
from tests.interfaces.http.served import serving
from tests.interfaces.web.forms import pressed


@pytest.fixture
def place(make_place_on):
    return make_place_on("sqlite")


@pytest.fixture
def tended(tmp_path, place):
    brain = plot(place.open(), place.clock, tmp_path)
    planted(brain)
    brain.topics.add("backups")
    cycle(brain)
    with serving(brain, tmp_path) as one:
        yield one, brain
    brain.close()


@pytest.mark.row("GA-006", "GA-027")
def test_a_candidate_is_shown_with_its_source_and_accepted_on_the_page(tended):
    served, brain = tended
    browser = served.browser()
    first = brain.garden.candidates()[0]

    page = browser.get("/garden").text

    assert "next cycle" in page
    assert "Run the cycle that is due" in page
    assert "likely (0.6)" in page
    assert "Backup policy" in page
    answer = pressed(browser, page, "review/decide", action="confirm")
    assert answer.status_code == 200
    decided = [one for one in brain.garden.candidates(is_all=True) if not one.waits]
    assert [one.fact.life.review for one in decided] == ["confirmed"]
    story = browser.get(f"/topics/{first.topic_id}").text
    assert decided[0].fact.said.text.split("`")[0] in story


@pytest.mark.row("GA-009", "C-17")
def test_what_a_file_without_a_name_under_it_says_is_shown_and_decides_nothing(tended, place):
    served, brain = tended
    one, other = brain.garden.candidates()[:2]
    folder = brain.parts.gardener.folder.root
    told = [{"id": one.fact.id, "reason": "<b>I know it"}]
    (folder / "inbox/approvals.json").write_text(json.dumps(told))
    (folder / "inbox/bo").mkdir()
    (folder / "inbox/bo/rejections.json").write_text(json.dumps([one.fact.id]))
    place.clock.at += DAY
    cycle(brain)
    browser = served.browser()

    for path in ("/garden", f"/topics/{one.topic_id}", "/inbox", f"/inbox/{one.proposal.id}"):
        page = browser.get(path).text
        assert "A file in the inbox that nobody signed says: approve, “&lt;b&gt;I know it”" in page
        assert "A file in bo&#39;s inbox that nobody signed says: reject." in page
    assert "nobody signed" not in browser.get(f"/inbox/{other.proposal.id}").text
    waiting = {one.fact.id for one in brain.garden.candidates()}
    assert f"{len(waiting)} wait</span>" in browser.get("/garden").text
    assert one.fact.id in waiting


def test_a_garden_without_topics_offers_no_cycle(place, tmp_path):
    with plot(place.open(), place.clock, tmp_path) as brain, serving(brain, tmp_path) as served:
        page = served.browser().get("/garden").text

    assert "No topic yet" in page
    assert "cycle that is due" not in page
    assert "<span>next cycle" not in page


def test_the_page_of_a_garden_without_a_folder_is_told_plainly(served):
    assert "No topic yet" in served.browser().get("/garden").text
