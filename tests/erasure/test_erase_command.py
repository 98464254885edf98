"""`tilth erase`, as a person at the command line meets it, down to the bytes of every file."""

import gzip
import os
import signal
import subprocess
import sys
import textwrap

import pytest

import tilth_spool
from tilth.context.context import Context, words_digest
from tilth.context.model import BriefRequest
from tilth.core.actor import Actor, ActorKind
from tilth.core.scope import GLOBAL, Scope
from tilth.episodes.session import SessionInfo
from tilth.interfaces.cli import invocation
from tilth.runtime import connect as bootstrap
from tilth.runtime.brain import Brain

PERSON = Actor("grace", ActorKind.HUMAN)
AGENT = Actor("agent", ActorKind.AGENT)


def canary(number):
    """Return a word that nothing else holds; in two parts, so that no scan finds this file."""
    return f"qz{number:02d}" + "vxkanarie"


CANARIES = [canary(number) for number in range(20)]


@pytest.fixture
def as_person(monkeypatch):
    monkeypatch.setattr(invocation, "caller", lambda *_, **__: PERSON)


def connected(program, actor) -> Brain:
    """Open the program's store as *actor*, in its own home."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in program.environ().items():
            patch.setenv(name, value)
        return bootstrap.connect(program.store, actor=actor)


def planted(program):
    """Put a canary of one person into each place that holds words; return the person."""
    with connected(program, PERSON) as human, connected(program, AGENT) as agent:
        human.entities.add("Bob Noyce", type="person")
        ada = human.entities.add(
            f"Ada {canary(0)}", type="person", metadata={"born": canary(1)}
        ).entity.id
        human.entities.alias(ada, f"The {canary(2)}")
        human.people.link(ada, "matrix", f"@{canary(3)}:example.org", display_name=canary(4))
        human.people.tell(ada, "likes", f"{canary(5)} and tea")
        talk = agent.conversations.create(ada, "matrix", topic=f"about {canary(6)}")
        id_ = talk.conversation.id
        said = [
            agent.conversations.add(id_, f"I bought a {canary(7)} yesterday in the big hall."),
            agent.conversations.add(
                id_, f"Please send me the {canary(8)} by Friday.", metadata={"ref": canary(9)}
            ),
            agent.conversations.add(id_, "So be it.", speaker=canary(10)),
        ]
        agent.conversations.add(id_, f"I prefer {canary(7)} tea, and we decided on {canary(8)}.")
        assert len(agent.distil().stated) >= 1
        agent.conversations.archive(id_)
        agent.remember(
            f"matrix says {canary(11)}", transport="matrix", address=f"@{canary(3)}:example.org"
        )
        fact = agent.facts.add(
            f"Ada keeps a {canary(12)}.", about=[ada], evidence=[(said[0], canary(7))]
        ).fact
        agent.facts.add(
            f"Ada works with {canary(13)}.",
            subject=f"Ada {canary(0)}",
            predicate=f"works {canary(14)}",
            object=canary(13),
            channel="relationship",
            about=[ada],
            tags=[canary(15)],
            metadata={"why": canary(16)},
        )
        asked = human.review.question(fact.id, reason=f"is the {canary(17)} hers?")
        seen = human.review.show(asked.id)
        human.review.decide(asked.id, "dispute", digest=seen.digest, note=f"no {canary(18)}")
        gap = agent.gaps.add(
            f"nobody can order a {canary(19)}", evidence=[said[0]], kind="missing_feature"
        ).gap
        agent.gaps.todo(gap.id)
        agent.remember(f"{canary(7)} is what we are about", session_id="s1", entity_id=ada)
        human.sessions.describe("s1", SessionInfo(title=f"{canary(7)} and other news"))
        agent.receipts.keep(
            Context(
                via="recall",
                session_id=None,
                tokens=10,
                asked=words_digest(canary(7)),
                shown=words_digest(canary(12)),
                items=(("facts", fact.id),),
            )
        )
        agent.feedback(fact.id, "useful")
        agent.remember("The kettle is on, says Bob.")
        human.embed_backlog()
    home = program.store.parent
    payload = f'{{"text": "Ada {canary(0)} was here"}}'.encode()
    record = tilth_spool.framed("claude-code", "Stop", 1, payload)
    tilth_spool.append(str(home / "spool"), record)
    (home / "spool" / "aside.jsonl").write_text(
        f'{{"reason": "x", "payload": "The {canary(2)} called"}}\n'
    )
    (home / "state" / "briefs").mkdir(parents=True)
    (home / "state" / "briefs" / "0.txt").write_text(f"Ada keeps a {canary(12)}.")
    (home / "state" / "readings").mkdir(exist_ok=True)
    (home / "state" / "readings" / "0.json").write_text(f'{{"read": "Ada keeps a {canary(12)}."}}')
    return ada


def remembered(program, text, scope=GLOBAL):
    """Remember a text, and return the ID of its episode."""
    with connected(program, AGENT) as agent:
        return agent.remember(text, scope=scope)


def erased(program, *what):
    """Erase as a program is told to: with the digest of what was shown."""
    plan = program("erase", *what, "--json").answer
    return program("erase", *what, "--json", "--confirm", "--digest", plan["digest"])


def holding(folder, words):
    """Return which files below *folder* hold which of *words*, in any form."""
    found = {}
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink():
            content = path.read_bytes()
            if path.suffix == ".gz":
                content += gzip.decompress(content)
            folded = content.lower()
            held = {w for w in words if w.encode() in folded or w.encode("utf-16-le") in folded}
            if held:
                found[path.name] = held
    return found


def copied(program, folder):
    """Put what is there into each kind of copy; return those, once each holds every canary."""
    home = program.store.parent
    backup, *exports = (folder / name for name in ("old.db", "all.jsonl", "shared.jsonl"))
    assert program("backup", backup).code == 0
    assert program("restore", backup, "--replace").code == 0
    assert program("export", exports[0]).code == 0
    assert program("export", exports[1], "--share").code == 0
    (aside,) = home.glob("tilth.db.replaced-*Z")
    held = holding(home, CANARIES)
    for whole in (program.store, aside):
        assert held[whole.name] == set(CANARIES)
    assert any(name.startswith("todo-") for name in held)
    assert set(holding(folder, CANARIES)) == {"old.db", "all.jsonl", "shared.jsonl"}
    return backup, aside, exports


@pytest.mark.row("X-08", "I33")
@pytest.mark.usefixtures("as_person")
def test_of_twenty_canaries_in_every_place_no_byte_is_left(ready, tmp_path):
    ada = planted(ready)
    home = ready.store.parent
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    backup, aside, exports = copied(ready, folder)
    before = ready("recall", "is the kettle on?", "--json").answer["hits"][0]

    plan = ready("erase", "--entity", ada, "--mentions", "--json")
    assert plan.code == 1
    assert sum(plan.answer["counts"].values()) > 20
    done = ready(
        "erase", "--entity", ada, "--mentions", "--json",
        "--confirm", "--digest", plan.answer["digest"],
    )  # fmt: skip

    assert done.code == 0, done.out
    certificate = done.answer
    assert certificate["counts"] == plan.answer["counts"]
    assert certificate["is_purged"]
    assert certificate["found"] == []
    assert certificate["scanned_count"] >= 3
    assert certificate["copies"] == [str(backup)]
    assert {str(one) for one in (aside, *exports)} <= set(certificate["cleaned"])
    assert holding(home, CANARIES) == {}
    assert set(holding(folder, CANARIES)) == {backup.name}
    assert all("The kettle is on" in one.read_text() for one in exports)
    assert not any(word in done.out for word in CANARIES)
    assert ready("verify").code == 0
    assert (
        ready("recall", "is the kettle on?", "--json").answer["hits"][0]["text"] == before["text"]
    )
    assert ready("episode", "show", certificate["ids"][-1]).code != 0
    assert ready("entity", "show", ada).code == 3


@pytest.mark.row("X-08", "I33")
@pytest.mark.usefixtures("as_person")
def test_words_that_stay_elsewhere_are_no_rest_of_what_was_erased(ready):
    both = "Nobody moves the blue teapot on Sundays."
    gone = remembered(ready, f"{both}\nThe key lies below the crooked flowerpot.")
    stays = remembered(ready, f"As we said:\n{both}")

    done = erased(ready, "--episode", gone)

    assert done.code == 0, done.out
    assert done.answer["found"] == []
    assert done.answer["said_elsewhere"] == {"words": 1, "ids": [stays]}

    told = ready("erase", "--episode", stays, "--confirm").out
    assert "erased by" in told
    assert "still there" not in told
    assert "not erased" not in told


@pytest.mark.row("X-08", "I33")
@pytest.mark.usefixtures("as_person")
def test_how_a_hook_or_a_tool_is_called_is_nothing_that_was_said(ready):
    by_hook = '{"hook": "UserPromptSubmit", "tool": "mcp__claude_ai_Mail__search"}'
    gone, _ = (
        ready("remember", told, "--metadata", by_hook, "--session", "s", "-q").out.strip()
        for told in ("The key lies below the crooked flowerpot.", "Nobody waters the plants.")
    )

    done = erased(ready, "--episode", gone)

    assert done.code == 0, done.out
    assert done.answer["said_elsewhere"] is None


@pytest.mark.usefixtures("as_person")
def test_what_would_go_is_told_in_words(ready):
    with connected(ready, PERSON) as human, connected(ready, AGENT) as agent:
        fact = human.facts.add("The boat berths at pier 4.", system="harbour", component="boat")
        agent.facts.add("The boat berths at pier 5.", system="harbour", component="boat")
        agent.receipts.keep(agent.brief(BriefRequest()).context)

    told = ready("erase", "--fact", fact.fact.id).out

    assert "  note by user, " in told
    assert "  fact: The boat berths at pier 4." in told
    assert "  question in the inbox: The boat berths at pier 5." in told
    assert "  receipt: What an agent was shown on " in told


@pytest.mark.usefixtures("as_person")
def test_who_is_no_entity_is_told_how_to_be_erased(ready):
    remembered(ready, "Marina brings the crooked flowerpot.")

    refused = ready("erase", "--entity", "Marina", "--mentions")
    assert refused.code == 3
    assert "tilth entity add Marina" in refused.err
    ready("entity", "add", "Marina", "--type", "person")
    done = erased(ready, "--entity", "Marina", "--mentions")

    assert done.code == 0, done.out
    assert "flowerpot" not in ready("recall", "flowerpot").out


@pytest.mark.row("X-08", "I33")
@pytest.mark.usefixtures("as_person")
def test_words_that_a_file_of_ours_holds_are_still_there(ready):
    project = Scope("project:the/house/by/the/lake")
    gone = remembered(ready, "The key lies below the crooked flowerpot.", project)
    left = ready.store.parent / "state" / "left.log"
    left.parent.mkdir(parents=True, exist_ok=True)
    left.write_text("The key lies below the crooked flowerpot.")

    done = erased(ready, "--episode", gone)

    assert done.answer["found"] == [{"path": str(left), "count": 1}]
    assert done.answer["said_elsewhere"] is None


@pytest.mark.row("X-08", "I33")
@pytest.mark.usefixtures("as_person")
def test_an_old_backup_that_is_restored_is_erased_again(ready, tmp_path):
    ada = planted(ready)
    home = ready.store.parent
    backup = tmp_path / "old.db"
    assert ready("backup", backup).code == 0
    assert ready("erase", "--entity", ada, "--mentions", "--confirm").code == 0

    # What it holds is erased before anybody reads it, whether or not a store is there.
    assert ready("restore", backup, "--replace").code == 0
    assert holding(home, CANARIES) == {}
    assert ready("entity", "show", ada).code == 3
    assert ready("verify").code == 0
    ready.store.unlink()
    assert ready("restore", backup).code == 0
    assert holding(home, CANARIES) == {}
    assert ready("rebuild").code == 0
    assert ready("verify").code == 0


@pytest.mark.row("EM-029")
@pytest.mark.usefixtures("as_person")
def test_without_confirm_it_counts_and_says_no(ready):
    episode = ready("remember", "the code is 4711").out.strip()

    run = ready("erase", "--episode", episode)

    assert run.code == 1
    assert "1 episode\n" in run.out
    assert "the code is 4711" in run.out
    assert "--confirm" in run.err
    assert ready("episode", "show", episode).code == 0


@pytest.mark.row("C-04")
@pytest.mark.usefixtures("as_person")
def test_what_was_erased_says_so_when_it_is_shown(ready):
    episode = ready("remember", "the code is 4711").out.strip()
    done = ready("erase", "--episode", episode, "--confirm")
    assert (done.code, done.out.splitlines()[0].startswith("erased by grace")) == (0, True)

    shown = ready("episode", "show", episode, "--json")

    assert shown.code == 3
    assert shown.answer["error"]["code"] == "erased"
    assert "by grace" in shown.answer["error"]["message"]


@pytest.mark.usefixtures("as_person")
def test_a_program_brings_the_digest_of_what_was_shown(ready):
    episode = ready("remember", "the code is 4711").out.strip()
    assert ready("erase", "--episode", episode, "--confirm", "--json").code == 2
    run = ready("erase", "--episode", episode, "--confirm", "--digest", "0" * 64, "--json")
    assert run.answer["error"]["code"] == "conflict"
    assert ready("episode", "show", episode).code == 0


@pytest.mark.row("C-04")
def test_no_agent_erases(ready):
    episode = ready("remember", "the code is 4711").out.strip()
    for words in (("--confirm",), ()):
        assert ready("erase", "--episode", episode, *words).code == 5


@pytest.mark.row("I33")
@pytest.mark.usefixtures("as_person")
def test_an_old_file_that_is_copied_back_is_not_served(ready, tmp_path):
    episode = ready("remember", "the code is 4711").out.strip()
    old = tmp_path / "old.db"
    assert ready("backup", old).code == 0
    assert ready("erase", "--episode", episode, "--confirm").code == 0

    ready.store.write_bytes(old.read_bytes())
    for log in ready.store.parent.glob("tilth.db-*"):
        log.unlink()

    assert ready("episode", "show", episode).code != 0
    assert b"4711" not in ready("episode", "show", episode).out.encode()


@pytest.mark.row("I33")
@pytest.mark.usefixtures("as_person")
def test_an_import_does_not_bring_back_what_was_erased(ready):
    talk = ready.home / "talk.jsonl"
    talk.write_text(
        '{"type":"user","uuid":"u1","sessionId":"s-1","timestamp":"2026-01-01T00:00:00Z",'
        '"cwd":"/w","message":{"role":"user","content":"the code of the shed is zx4711"}}\n'
        '{"type":"user","uuid":"u2","sessionId":"s-1","timestamp":"2026-01-01T00:01:00Z",'
        '"cwd":"/w","message":{"role":"user","content":"the kettle is on"}}\n'
    )
    assert ready("import", talk, "--no-background").code == 0
    hits = ready("recall", "code of the shed", "--json").answer["hits"]
    episode = next(hit["id"] for hit in hits if "zx4711" in hit["text"])
    assert ready("erase", "--episode", episode, "--confirm").code == 0

    with talk.open("a") as file:
        file.write(
            '{"type":"user","uuid":"u3","sessionId":"s-1","timestamp":"2026-01-01T00:02:00Z",'
            '"cwd":"/w","message":{"role":"user","content":"and the tea is ready"}}\n'
        )
    assert ready("import", talk, "--no-background").code == 0

    assert holding(ready.store.parent, ["zx4711"]) == {}
    talk.write_text(talk.read_text().replace('"/w"', '"/elsewhere"'))
    assert ready("import", talk, "--no-background").code == 0
    assert holding(ready.store.parent, ["zx4711"]) == {}
    assert "tea is ready" in ready("recall", "is the tea ready?", "--json").out


KILLED = """
    import os, signal, sys
    import tilth
    from tilth.core.actor import Actor, ActorKind
    from tilth.ledger.store import Store
    from tilth.erasure.surrounding_files import LocalFiles
    from tilth.ledger.erasures import ErasuresFile
    where, episode, at = sys.argv[1:]
    die = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)
    if at == "purge":
        Store.purge = die
    elif at == "forget":
        LocalFiles.forget = die
    else:
        noted = ErasuresFile.note
        ErasuresFile.note = lambda self, erasure: (noted(self, erasure), die())
    brain = tilth.connect(where, actor=Actor("grace", ActorKind.HUMAN))
    brain.erase.confirm(brain.erase.plan(episodes=[episode]).digest, episodes=[episode])
"""


@pytest.mark.row("I33")
@pytest.mark.usefixtures("as_person")
@pytest.mark.parametrize("at", ["commit", "forget", "purge"])
def test_an_erase_that_was_killed_is_finished_in_every_file(ready, tmp_path, at):
    episode = ready("remember", "I wish the shed opened with the code zx4711.").out.strip()
    gap = ready("gap", "add", "open the shed", "--evidence", episode, "--json").answer["gap"]["id"]
    assert ready("gap", "todo", gap).code == 0
    assert ready("export", tmp_path / "all.jsonl").code == 0
    briefs = ready.store.parent / "state" / "briefs"
    briefs.mkdir(parents=True)
    (briefs / "0.txt").write_text("The code is zx4711.")
    assert len(holding(ready.store.parent, ["zx4711"])) == 3
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(KILLED), ready.store, episode, at],
        env=ready.environ() | {"PYTHONPATH": os.pathsep.join(sys.path)},
        check=False,
        capture_output=True,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr

    assert ready("episode", "show", episode).code == 3
    assert ready("worker", "--once").code == 0
    assert holding(ready.store.parent, ["zx4711"]) == {}
    assert holding(tmp_path, ["zx4711"]) == {}
    assert ready("verify").code == 0


@pytest.mark.row("X-09")
@pytest.mark.usefixtures("as_person")
def test_an_erase_reaches_what_the_garden_wrote_and_was_told(ready, tmp_path):
    page = tmp_path / "backups.md"
    page.write_text(
        "# Backups\n\nBackups of the database must run at four on the machine zx4711.\n"
        "Backups of the mail are kept for thirty days and then removed.\n"
    )
    assert ready("import", page, "--no-background").code == 0
    assert ready("topic", "add", "backups", "--priority", "5").code == 0
    assert ready("garden", "init").code == 0
    (garden,) = ready.store.parent.glob("*.garden")
    assert ready("garden", "run", "--apply").code in {0, 1}
    assert "zx4711" in (garden / "outbox/digest.md").read_text()
    (garden / "inbox/requests.md").write_text("- is zx4711 there?\n- where are backups?\n")
    (garden / "inbox/approvals.json").write_text('[{"id": "x", "reason": "zx4711 is right"}]\n')
    episodes = [
        one["id"] for one in ready("recall", "zx4711", "--json").answer["hits"]
        if one["tier"] == "episode" and "zx4711" in one["text"]
    ]  # fmt: skip

    ready("erase", "--episode", *episodes, "--confirm", "--scan", "zx4711")

    assert holding(garden, ["zx4711"]) == {}
    assert "where are backups?" in (garden / "inbox/requests.md").read_text()
    assert ready("garden", "run", "--apply", "--force").code in {0, 1}
    assert holding(ready.store.parent, ["zx4711"]) == {}


def test_a_certificate_tells_in_words_what_says_the_same_and_counts_files(
    ready, as_person, tmp_path
):
    episode = ready("remember", "The zebra eats hay.", "--json").answer["episode_id"]
    ready("remember", "The zebra eats hay.", "--session", "later")
    exports = tmp_path / "exports"
    exports.mkdir()
    for number in range(5):
        assert ready("export", exports / f"{number}.jsonl").code == 0

    told = ready("erase", "--episode", episode, "--confirm").out

    assert "also in what was not erased:\n  epi_" in told
    assert ": The zebra eats hay.\n" in told
    assert f"cleaned: 5 files in {exports}\n" in told


@pytest.mark.usefixtures("as_person")
def test_a_plan_tells_of_a_thread_and_a_gap_in_words(ready):
    ready("entity", "add", "Pat", "--type", "person")
    begun = ready("conversation", "create", "Pat", "email", "--json").answer
    talk = begun["conversation"]["id"]
    for text, way in (
        ("Could you add CSV export? Your tool cannot do that today.", "inbound"),
        ("I'm sorry, I can't export to CSV.", "outbound"),
        ("I see. Thanks for looking into it.", "inbound"),
    ):
        ready("conversation", "add", talk, text, "--direction", way)
    ready("gap", "scan")

    told = ready("erase", "--entity", "Pat").out

    assert f"{talk}  conversation: with Pat by email\n" in told
    assert "  gap: add CSV export\n" in told


@pytest.mark.usefixtures("as_person")
def test_who_was_merged_away_is_shown_by_the_name_that_went(ready):
    ready("entity", "add", "Marina", "--type", "person")
    ready("entity", "add", "Marina Costa", "--type", "person")
    ready("entity", "merge", "Marina", "Marina Costa")

    told = ready("erase", "--entity", "Marina").out

    assert "person: Marina Costa, merged into Marina\n" in told
    assert "person: Marina\n" in told


@pytest.mark.row("KB-108")
@pytest.mark.usefixtures("as_person")
def test_an_erase_leaves_what_somebody_changed_in_a_skill_unless_it_holds_what_went(ready):
    outbox = ready.store.with_name("tilth.db.outbox")
    outbox.mkdir()
    for number, words in enumerate(("1. Mine.\n", "1. Ask on zx4711.\n")):
        (outbox / f"greet-{number:012}.md").write_text(words)
    said = ready("remember", "The printer is zx4711.", "--json").answer["episode_id"]

    done = ready("erase", "--episode", said, "--confirm", "--scan", "zx4711")

    assert done.code == 0, done.err
    assert [one.read_text() for one in outbox.iterdir()] == ["1. Mine.\n"]
