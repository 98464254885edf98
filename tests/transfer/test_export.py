"""An export tells everything that one may see, the same each time, and is there whole or not."""

import json
import stat
import tracemalloc
from datetime import timedelta

import pytest

from tests.conftest import a_draft, append
from tests.reads import counted
from tilth.core.errors import ConflictError, InvalidInputError, UnavailableError
from tilth.episodes.session import SessionInfo

KEY = "sk-" + "a1B2c3D4" * 4


@pytest.fixture
def store(whole_store):
    return whole_store


@pytest.fixture
def file(tmp_path):
    return tmp_path / "out" / "brain.jsonl"


@pytest.fixture
def exported(file):
    """Export a brain, and read the rows back: all but the first and the last line."""
    file.parent.mkdir()

    def run(brain, **how):
        brain.export(str(file), is_forced=True, **how)
        first, *rows, last = map(json.loads, file.read_text(encoding="utf-8").splitlines())
        assert (first["type"], first["version"]) == ("tilth-export", 1)
        assert (last["type"], sum(last["counts"].values())) == ("end", len(rows))
        return rows

    return run


def of(rows, type_):
    return [row for row in rows if row["type"] == type_]


@pytest.fixture
def scene(agent, human):
    """A little of everything."""
    agent.remember("The pump is blue.", session_id="s1", speaker="Ada", metadata={"n": 1})
    first = human.facts.add(subject="Acme", predicate="phase", object="pilot", tags=["crm"]).fact
    human.facts.add(subject="Acme", predicate="phase", object="rollout")
    ada = human.people.introduce(
        "Ada", transport="email", address="Ada+x@Example.org", traits={"notes": "likes pumps"}
    ).added.entity
    human.people.tell(ada.id, "notes", "likes blue pumps")
    human.edges.add("Ada", "uses", "pump")
    talk = agent.conversations.create(ada.id, "email", address="ada@example.org").conversation
    agent.conversations.add(talk.id, "Please call the shop.")
    agent.conversations.archive(talk.id)
    return {"first": first, "ada": ada, "talk": talk}


def test_an_export_has_a_row_for_everything_in_the_order_of_the_ledger(agent, scene, exported):
    rows = exported(agent)

    assert {row["type"] for row in rows} == {
        "session", "episode", "fact", "entity", "identity", "trait", "edge", "conversation",
        "summary",
    }  # fmt: skip
    assert [row["type"] for row in rows][:2] == ["session", "episode"]
    said = of(rows, "episode")
    assert said[0]["text"] == "The pump is blue."
    assert (said[0]["session_id"], said[0]["metadata"]) == ("s1", {"n": 1})
    old, new = of(rows, "fact")
    assert (old["id"], old["object"]) == (scene["first"].id, "pilot")
    assert [life["lifecycle"] for life in old["lives"]] == ["current", "superseded"]
    assert (old["lifecycle"], old["successor"]) == ("superseded", new["id"])
    assert (new["about"], new["lives"][0]["by"]["kind"]) == (["Acme"], "human")
    (told,) = of(rows, "identity")
    assert (told["entity_id"], told["address"]) == (scene["ada"].id, "ada@example.org")
    assert [(one["value"], one["is_current"]) for one in of(rows, "trait")] == [
        ("likes pumps", False),
        ("likes blue pumps", True),
    ]
    (edge,) = of(rows, "edge")
    assert (edge["source_name"], edge["kind"], edge["target_name"]) == ("Ada", "uses", "pump")
    (summary,) = of(rows, "summary")
    assert summary["conversation_id"] == scene["talk"].id
    assert (summary["count"], summary["is_current"]) == (1, True)


def test_the_same_history_is_the_same_export(agent, scene, exported):
    assert exported(agent) == exported(agent)


def test_what_is_over_is_told_no_more(agent, human, scene, exported):
    human.people.unlink("email", "ada@example.org")
    human.edges.retire(human.edges.list()[0].id)
    rows = exported(agent)
    assert of(rows, "identity") == of(rows, "edge") == []
    human.people.link(scene["ada"].id, "email", "ada@example.org")
    assert len(of(exported(agent), "identity")) == 1


def test_another_owner_and_another_scope_see_nothing_of_it(make, agent, scene, exported):
    agent.remember("hidden", scope="project:a")
    agent.facts.add("The fan is loud.", about=["fan"], scope="project:a")

    assert exported(make("agent", "mallory", "other")) == []
    elsewhere = exported(agent, scope="project:b")
    assert "hidden" not in [row.get("text") for row in elsewhere]
    assert len(of(elsewhere, "fact")) == 2
    assert len(of(exported(agent), "fact")) == 3


@pytest.mark.row("EM-065")
def test_what_is_shared_has_no_mail_home_or_credentials(agent, human, exported):
    home = "/home/ada/pumps and C:\\Users\\Ada\\pumps and /Users/ada/x and /root/x"
    agent.remember(
        f"Write to bob@example.org, {home}.",
        session_id="s1",
        transport="email",
        address="eve@example.org",
        metadata={"cwd": "/home/ada", "by": "dan@example.org"},
    )
    info = SessionInfo(folder="/home/ada/pumps", title="pumps of carl@example.org")
    agent.sessions.describe("s1", info)
    ada = human.people.introduce("Ada", transport="irc", address="ada_l").added.entity
    human.people.tell(ada.id, "mail", "fred@example.org")
    human.facts.add("The shop is at gus@example.org.", about=["shop"])

    rows = exported(agent, is_shared=True)
    text = json.dumps(rows)
    for name in ("bob", "eve", "dan", "carl", "fred", "gus"):
        assert f"{name}@" not in text
    for private in ("/home/", "Users", "ada_l", "/root"):
        assert private not in text
    assert "~/pumps" in text
    assert "[email]" in text
    assert of(rows, "identity") == []
    assert [row["id"] for row in of(rows, "entity")] == [
        row["id"] for row in of(exported(agent), "entity")
    ]


@pytest.mark.row("EM-065")
def test_secrets_that_newer_rules_find_are_in_no_export(agent, store, exported):
    # A store may be older than a rule.
    append(store, a_draft(f"The key is {KEY}."))
    assert KEY in agent.recall("key").hits[0].text
    assert KEY not in json.dumps(exported(agent))


def test_an_export_is_private_and_takes_nobodys_place(agent, scene, file, exported):
    exported(agent)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    before = file.read_bytes()
    with pytest.raises(ConflictError, match="is there already"):
        agent.export(str(file))
    assert file.read_bytes() == before
    assert [one.name for one in file.parent.iterdir()] == [file.name]
    with pytest.raises(InvalidInputError):
        agent.export(str(file.parent))
    with pytest.raises(InvalidInputError):
        agent.export("")
    with pytest.raises(UnavailableError):
        agent.export(str(file.parent / "missing" / "x.jsonl"))


def test_an_export_that_fails_leaves_what_was_there(agent, scene, file, exported, monkeypatch):
    exported(agent)
    before = file.read_bytes()
    monkeypatch.setattr("tilth.transfer.export_rows._at", lambda _: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        agent.export(str(file), is_forced=True)
    assert file.read_bytes() == before
    assert [one.name for one in file.parent.iterdir()] == [file.name]


def test_a_link_that_lies_there_is_not_followed(agent, scene, file, exported, tmp_path):
    file.parent.mkdir(exist_ok=True)
    other = tmp_path / "other"
    other.write_text("mine")
    file.symlink_to(other)
    with pytest.raises(ConflictError):
        agent.export(str(file))
    exported(agent)
    assert other.read_text() == "mine"


def test_an_export_takes_little_memory_and_says_how_far_it_is(agent, file):
    file.parent.mkdir()
    agent.remember_many([{"text": f"pump {n} " + "x" * 3000} for n in range(2000)])
    seen = []
    tracemalloc.start()
    try:
        agent.export(str(file), progress=seen.append)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert seen == [1000, 2000]
    assert file.stat().st_size > 6_000_000
    assert peak < 30_000_000


def test_each_trait_and_each_summary_is_read_once(agent, human, exported, store, scene):
    """However many there are of one person, or of one thread."""

    def rows_for(many):
        for number in range(many):
            human.people.tell(scene["ada"].id, "mood", f"mood {number}")
            agent.conversations.add(scene["talk"].id, f"Message {number}.")
            agent.conversations.summarise(scene["talk"].id)
        with counted() as reads:
            rows = exported(agent)
        return len(rows), reads.rows

    before, few = rows_for(5)
    after, many = rows_for(40)

    assert after - before >= 3 * 40
    assert many - few <= 6 * (after - before)
    moods = [one for one in of(exported(agent), "trait") if one["key"] == "mood"]
    assert [one["is_current"] for one in moods] == [False] * 44 + [True]
    current = [one["is_current"] for one in of(exported(agent), "summary")]
    assert sum(current) == int(current[-1]) == 1


def test_what_is_written_meanwhile_is_not_in_it(agent, scene, file, exported, place):
    before = exported(agent)
    added = []

    def meanwhile(_done):
        added.append(agent.remember("too late"))

    agent.remember_many([{"text": f"n {n}"} for n in range(1000)])
    place.clock.at += timedelta(days=1)
    rows = exported(agent, progress=meanwhile)
    assert added
    assert len(rows) == len(before) + 1000
