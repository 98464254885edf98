"""What another owner keeps in the same store is on no page, and asking for it tells nothing."""

import pytest

import tilth
from tests.interfaces.http.served import serving
from tilth.core.actor import Human
from tilth.interfaces.web.pages import all_screens

CANARY = "quetzalcanary"


@pytest.fixture
def two_owners(tmp_path):
    """Serve the store of two owners to one of them; yield the server and the other's IDs."""
    place = tmp_path / "tilth.db"
    with tilth.connect(place, create=True, actor=Human("eve"), owner="eve") as other:
        entity = other.entities.add(CANARY, type="person").entity
        said = other.remember(f"The word is {CANARY}.", session_id=f"s-{CANARY}", speaker=CANARY)
        fact = other.facts.add(
            f"The safe of {CANARY} is open.", about=[CANARY], evidence=[said], scope="project:shed"
        ).fact
        gap = other.gaps.add(f"It should whistle {CANARY}").gap
        asked = other.review.question(fact.id, reason=f"is it {CANARY}")
        skill = other.skills.add(f"---\nname: whistle\ndescription: {CANARY}.\n---\n\n1. Go.\n")
        topic = other.topics.add(f"whistling {CANARY}")
        plan = other.erase.plan(episodes=[other.remember("Forget me.")])
        gone = other.erase.confirm(plan.digest, episodes=[*plan.ids])
        theirs = {
            "topic": topic.id, "erasure": str(gone.erasure_id),
            "session": f"s-{CANARY}", "episode": said, "fact": fact.id, "proposal": asked.id,
            "gap": gap.id, "skill": skill.id, "name": entity.id, "scope": "project:shed",
            "receipt": "rcp_01J00000000000000000000000", "host": "claude-code",
            "playbook": "plb_01J00000000000000000000000",
            "conversation": "cnv_01J00000000000000000000000",
        }  # fmt: skip
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
