"""What another owner keeps in the same store is on no page, and asking for it tells nothing."""

import pytest

import tilth
from tests.interfaces.anothers import CANARY, keep_anothers
from tests.interfaces.http.served import serving
from tilth.interfaces.web.pages import all_screens


@pytest.fixture
def two_owners(tmp_path):
    """Serve the store of two owners to one of them; yield the server and the other's IDs."""
    place = tmp_path / "tilth.db"
    theirs = keep_anothers(place)
    with tilth.connect(place) as mine, serving(mine, tmp_path) as served:
        mine.remember("The kettle is on.", session_id="s1")
        yield served, theirs


@pytest.mark.row("C-25")
def test_no_page_shows_or_betrays_what_another_owner_keeps(two_owners):
    served, theirs = two_owners
    browser = served.browser()
    asked = {
        "/ask": {"q": CANARY}, "/graph": {"name": CANARY}, "/things": {"q": CANARY},
        "/merge": {"winner": theirs["name"]}, "/forget": {"entity": theirs["name"]},
    }  # fmt: skip
    for one in all_screens():
        path = one.path.replace(":path", "")
        for name, value in theirs.items():
            path = path.replace(f"{{{name}}}", str(value))
        assert "{" not in path, f"nothing of another owner stands for {path}"
        page = browser.get(path, params=asked.get(one.path))
        assert f"The safe of {CANARY}" not in page.text, one.path
        assert f"The word is {CANARY}" not in page.text, one.path
        assert f"whistle {CANARY}" not in page.text, one.path
        if CANARY not in str(asked.get(one.path)):
            assert CANARY not in page.text.replace(str(theirs["session"]), ""), one.path


@pytest.mark.row("C-25")
def test_what_is_anothers_is_refused_as_what_is_nowhere(two_owners):
    served, theirs = two_owners
    browser = served.browser()
    for path, id_ in (
        ("/facts/", theirs["fact"]),
        ("/inbox/", theirs["proposal"]),
        ("/episodes/", theirs["episode"]),
        ("/things/", theirs["name"]),
        ("/forget/", theirs["erasure"]),
        ("/topics/", theirs["topic"]),
    ):
        anothers = browser.get(f"{path}{id_}")
        nowhere = browser.get(f"{path}{id_[:4]}01J00000000000000000000000")
        assert anothers.status_code == nowhere.status_code == 404, path
        assert _said(anothers.text, id_) == _said(
            nowhere.text, f"{id_[:4]}01J00000000000000000000000"
        )


def _said(page: str, id_: str) -> str:
    return page.partition("<main")[2].partition("</main>")[0].replace(id_, "ID")
