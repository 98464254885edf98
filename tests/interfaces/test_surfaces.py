"""One store, three ways in: Python, the command line and MCP give equal answers."""

import json
import re
import shlex
from contextlib import closing
from datetime import UTC, datetime

import apsw
import pytest

import tilth
from tests.interfaces.http.served import serving
from tests.interfaces.mcp.clients import FactQuery
from tilth.agents.injections import Injections
from tilth.core.actor import Actor, ActorKind
from tilth.interfaces.cli import invocation
from tilth.interfaces.mcp.handshake import CALLER
from tilth.interfaces.mcp.server import build_server
from tilth.interfaces.mcp.service import Project, Service
from tilth.interfaces.to_json import to_json
from tilth.runtime.system import SystemIds

HUMAN = Actor("ada", ActorKind.HUMAN)
REFUSED = 5
DNS = {"system": "pi-hole", "component": "ip"}
WHERE = "Where does DNS answer?"
LEFT = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.fixture
def brain(ready, monkeypatch):
    """What Python holds: the store of the program, opened by the person at the terminal."""
    monkeypatch.setattr(invocation, "caller", lambda *_, **__: HUMAN)
    with tilth.connect(str(ready.store), actor=HUMAN) as opened:
        yield opened


@pytest.fixture
def agent(ready):
    """The same store, opened by an agent."""
    with tilth.connect(str(ready.store), actor=CALLER) as opened:
        yield opened


@pytest.fixture
def ask(agent, tmp_path):
    """A client of a server of the same store, with the tools for triples."""
    service = Service(Project(agent), Injections(tmp_path / "injected.log", SystemIds()))
    return FactQuery(build_server(service, also=["kg"]))


@pytest.fixture
def known(brain, agent):
    """A store with something of everything, and the IDs that the questions below need."""
    old = brain.facts.add("DNS answers on .100.30.", **DNS).fact
    new = brain.facts.add("DNS answers on .110.30.", **DNS).fact
    asked = agent.facts.add("DNS answers on .120.30.", **DNS).proposal_id
    said = brain.remember("Marina leads Acme since May.", session_id="s1")
    brain.kg.add("relationship", "Marina", "works_for", "Acme")
    brain.edges.add("DNS", "runs_on", "nas")
    away = brain.facts.add("It is old.", about=["nas"]).fact.id
    brain.facts.archive(away)
    return {"old": old.id, "new": new.id, "asked": asked, "said": said, "away": away}


def as_json(value):
    return json.loads(json.dumps(to_json(value)))


# What is asked at the command line, and of Python.
READS = {
    f"recall '{WHERE}'": lambda brain, _: brain.recall(WHERE),
    "state --system pi-hole": lambda brain, _: brain.state(system="pi-hole"),
    "fact list": lambda brain, _: {"facts": brain.facts.list()},
    "fact list --lifecycle superseded": lambda brain, _: {
        "facts": brain.facts.list(lifecycles=["superseded"])
    },
    "fact show {old}": lambda brain, ids: {
        "fact": brain.facts.get(ids["old"]), "lives": brain.facts.lives(ids["old"]),
    },
    "fact history {new}": lambda brain, ids: {"facts": brain.facts.history(ids["new"])},
    "fact why {new}": lambda brain, ids: brain.facts.why(ids["new"]),
    "episode facts {said}": lambda brain, ids: {"facts": brain.episodes.facts(ids["said"])},
    "episode show {said}": lambda brain, ids: {"episodes": brain.fetch([ids["said"]])},
    "session list": lambda brain, _: {"sessions": brain.sessions.list()},
    "entity list": lambda brain, _: {"entities": brain.entities.list()},
    "entity show Marina": lambda brain, _: brain.entities.get("Marina"),
    "entity around DNS": lambda brain, _: brain.entities.around("DNS"),
    "entity impact nas": lambda brain, _: brain.entities.impact("nas"),
    "edge list": lambda brain, _: {"edges": brain.edges.list()},
    "about Marina": lambda brain, _: brain.about("Marina"),
    "kg query Marina": lambda brain, _: brain.kg.query("Marina"),
    "kg stats": lambda brain, _: brain.kg.stats(),
    "review list": lambda brain, _: brain.review.list(),
    "review show {asked}": lambda brain, ids: brain.review.show(ids["asked"]),
    "word list tag": lambda brain, _: {"entries": brain.words.list("tag")},
}  # fmt: skip


@pytest.mark.parametrize("words", READS)
def test_the_command_line_answers_as_python_does(ready, brain, known, words):
    run = ready(*shlex.split(words.format(**known)), "--json")

    assert run.answer == as_json(READS[words](brain, known))


def test_mcp_recalls_what_python_and_the_command_line_do(ready, brain, known, ask):
    found = brain.recall(WHERE, limit=8)
    told = ask.data("recall", query=WHERE)

    assert [item["id"] for item in told["items"]] == [hit.id for hit in found.hits]
    assert [(item["tier"], item["text"], item["scope"], item["freshness"])
            for item in told["items"]] == [
        (hit.tier, hit.text, hit.scope, hit.freshness) for hit in found.hits
    ]  # fmt: skip
    assert told["answerable"] is found.answerable
    assert told["items"][0]["id"] == known["new"]
    at_terminal = ready("recall", WHERE, "--limit", "8", "--json").answer
    assert at_terminal == as_json(found)


def test_what_came_from_an_address_is_shown_as_from_there(ready, brain, known, ask):
    asked = "Which valve does the boiler need?"
    mail = {"transport": "email", "address": "ada@example.org"}
    told = brain.remember("The boiler needs a brass valve before Friday.", **mail)
    brain.remember("A brass valve for the boiler is ordered.", role="assistant", **mail)

    by_id = {hit.id: hit.who for hit in brain.recall(asked).hits}
    assert by_id[told] == "ada@example.org"
    assert "assistant" in by_id.values()
    assert "ada@example.org" in {one["who"] for one in ask.data("recall", query=asked)["items"]}
    assert ask.data("fetch", ids=[told])["items"][0]["who"] == "ada@example.org"
    assert "  ada@example.org  " in ready("recall", asked).out
    assert ready("episode", "show", told).out.startswith("ada@example.org")


_WORDED = re.compile(r"“[^”]*” \(([a-z]{3}_\w+)\)")


def test_mcp_fetches_and_lists_what_the_others_do(ready, brain, known, ask):
    (item,) = ask.data("fetch", ids=[known["said"]])["items"]
    (episode,) = brain.fetch([known["said"]])
    assert (item["text"], item["kind"], item["scope"], item["session_id"]) == (
        episode.text, episode.kind, episode.scope, episode.session_id,
    )  # fmt: skip

    told = ask.data("changes", limit=100)
    shown = ready("changes", "--json", "--limit", "100").answer
    # An agent is told in the same text what an ID stands for, and what ceased to hold; a program
    # asks by the ID, and finds the other under `effects`.
    for one, other in zip(told["items"], shown["items"], strict=True):
        assert (one["kind"], one["id"]) == (other["kind"], other["id"])
        with_ids, by_program = (_WORDED.sub(r"\1", each["text"]) for each in (one, other))
        assert with_ids.startswith(by_program)


def test_mcp_walks_triples_as_the_others_do(ready, brain, known, ask):
    named = ("id", "channel", "subject", "predicate", "object", "depth")
    told = ask.data("kg_query", entity="Marina")["triples"]
    shown = ready("kg", "query", "Marina", "--json").answer["triples"]

    assert [[one[name] for name in named] for one in told] == [
        [one[name] for name in named] for one in shown
    ]
    assert [one["id"] for one in told] == [one.id for one in brain.kg.query("Marina").triples]
    assert len(told) == 1


@pytest.mark.row("X-01")
def test_who_asks_where_it_moved_is_told_one_thing_everywhere(ready, brain, known, ask):
    by_python = brain.recall(WHERE).hits[0].text
    by_terminal = ready("recall", WHERE, "--json").answer["hits"][0]["text"]
    by_mcp = ask.data("recall", query=WHERE)["items"][0]["text"]
    assert {by_python, by_terminal, by_mcp} == {"DNS answers on .110.30."}

    states = [one.fact.id for one in brain.state(system="pi-hole").facts]
    shown = ready("state", "--system", "pi-hole", "--json").answer["facts"]
    assert states == [one["fact"]["id"] for one in shown] == [known["new"]]
    chain = [fact.id for fact in brain.facts.history(known["new"])]
    history = ready("fact", "history", known["new"], "--json").answer["facts"]
    assert chain == [fact["id"] for fact in history] == [known["old"], known["new"]]


@pytest.mark.row("KB-069", "KB-070", "I44")
def test_how_much_was_learned_is_the_same_numbers_everywhere(ready, brain, known, ask, tmp_path):
    told = json.loads(json.dumps(to_json(brain.growth())))
    with serving(brain, tmp_path / "served") as served:
        by_http = served.client().post("/v1/growth", json={}).json()
        by_page = served.browser().get("/health.json").json()["growth"]
    (by_mcp,) = ask.run(lambda client: client.read_resource("tilth://growth")).contents

    assert told["episodes"] > 0
    assert told["compression"] == round(told["episodes"] / told["facts"], 1)
    assert sum(day["facts"] for day in told["days"]) >= told["facts"] > 0
    assert told == by_http == by_page == json.loads(by_mcp.text)
    assert told == ready("growth", "--json").answer


@pytest.mark.row("X-03")
def test_who_left_is_there_before_and_gone_after_everywhere(ready, brain, ask):
    told = {"channel": "relationship", "subject": "Marina", "predicate": "works_for"}
    began = datetime(2025, 1, 1, tzinfo=UTC)
    fact = brain.facts.add(object="Acme", valid_from=began, **told).fact
    brain.kg.add("entity", "Acme", "phase", "pilot")
    brain.facts.retire(fact.id, reason="she left", valid_to=LEFT)

    for at, expected in (
        (datetime(2026, 2, 28, tzinfo=UTC), [fact.id]), (LEFT, []), (None, []),
    ):  # fmt: skip
        when = () if at is None else ("--as-of", at.isoformat())
        asked = {} if at is None else {"as_of": at.isoformat()}
        by_python = brain.kg.query("Marina", depth=2, as_of=at).triples
        words = ("kg", "query", "Marina", "--depth", "2", *when)
        by_terminal = ready(*words, "--json").answer["triples"]
        by_mcp = ask.data("kg_query", entity="Marina", depth=2, **asked)["triples"]
        assert [one.id for one in by_python if one.subject == "Marina"] == expected
        assert [one["id"] for one in by_terminal] == [one.id for one in by_python]
        assert [one["id"] for one in by_mcp] == [one.id for one in by_python]


def everything(store):
    """Return each row of each table, as it lies in the file."""
    listed = (
        "SELECT name FROM sqlite_master"
        " WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name"
    )
    with closing(apsw.Connection(str(store), flags=apsw.SQLITE_OPEN_READONLY)) as raw:
        names = [name for (name,) in raw.execute(listed).fetchall()]
        return {name: raw.execute(f'SELECT * FROM "{name}"').fetchall() for name in names}


# What would change or end what the person said, or decide what waits.
REWRITING = (
    "fact archive {new}", "fact restore {away}", "fact undo {new}", "review confirm {asked}",
    "review reject {asked}", "review edit {asked} --text so", "review dispute {asked}",
    "review evidence {asked}", "review stale {asked}", "review snooze {asked}",
    "review restrict {asked} --to project:lab", "review undo {asked}", "review promote --yes",
    "word register tag mine", "fact add so --about x --authority instruction",
)  # fmt: skip


@pytest.mark.row("X-02")
def test_an_agent_at_the_command_line_rewrites_nothing(ready, brain, known, monkeypatch):
    monkeypatch.setattr(invocation, "caller", lambda *_, **__: CALLER)
    before = everything(ready.store)

    for words in REWRITING:
        run = ready(*shlex.split(words.format(**known)), stdin="y\n")
        assert run.code == REFUSED, (words, run.err)

    assert everything(ready.store) == before
    assert brain.facts.get(known["new"]).life.review == "confirmed"


SQL = (
    "UPDATE ledger SET actor_kind = 'human'",
    "UPDATE ledger SET payload = replace(payload, '.110', '.666')",
    "DELETE FROM ledger WHERE seq = 3",
    "INSERT OR REPLACE INTO ledger SELECT * FROM ledger WHERE seq = 3",
)


@pytest.mark.row("X-02")
def test_no_sql_rewrites_what_was_recorded(ready, known):
    before = everything(ready.store)

    with closing(apsw.Connection(str(ready.store))) as raw:
        for sql in SQL:
            # A connection that is not ours is stopped before the ledger's own guard.
            with pytest.raises(apsw.Error, match=r"append|tilth_alone_writes_this_table"):
                raw.execute(sql).fetchall()

    assert everything(ready.store) == before
    assert ready("verify").code == 0


@pytest.mark.row("X-02")
def test_an_agent_over_mcp_has_no_verb_that_rewrites(ready, brain, known, ask):
    before = everything(ready.store)
    names = {tool.name for tool in ask.tools()}
    assert names == {
        "recall", "fetch", "changes", "remember", "propose", "feedback", "kg_query", "kg_add",
    }  # fmt: skip
    new = known["new"]
    for arguments in (
        {"action": "confirm", "id": new},
        {"action": "retire", "id": new, "reason": "so", "actor": "human"},
        {"action": "supersede", "id": known["asked"], "text": "so"},
    ):
        assert ask("propose", **arguments).is_error, arguments
    assert everything(ready.store) == before

    fact = brain.facts.get(new)
    ask("propose", action="retire", id=new, reason="it was switched off last week")
    ask("propose", action="supersede", id=new, text="DNS answers nowhere.")
    ask("kg_add", channel="entity", subject="pi-hole", predicate="ip", object="x", supersedes=new)
    ask("feedback", id=new, verdict="wrong")
    after = brain.facts.get(new)
    assert (after.said, after.life) == (fact.said, fact.life)
    (held,) = brain.state(system="pi-hole").facts
    assert held.fact.id == new


@pytest.mark.row("X-11")
def test_a_legacy_import_is_the_past_until_it_is_promoted(ready, brain, tmp_path):
    rows = [
        {"content": f"Row {number} was so.", "domain": "Study" if number >= 20 else "Network",
         "system": f"box {number}", "component": "ip"}
        for number in range(699)
    ]  # fmt: skip
    source = tmp_path / "export.jsonl"
    source.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    text = source.read_bytes()
    words = ("fact", "import", str(source), "--execute", "--json")

    first = ready(*words).answer
    assert (first["new_count"], first["known_count"], first["skipped"]) == (699, 0, [])
    past = {"lifecycles": ["historical"], "reviews": ["unreviewed"], "limit": 1000}
    assert len(brain.facts.list(**past)) == 699
    before = everything(ready.store)
    again = ready(*words).answer
    assert (again["new_count"], again["known_count"]) == (0, 699)
    assert everything(ready.store) == before

    done = ready("review", "promote", "--area", "Network", "--yes", "--json").answer
    assert len(done["confirmed"]) == 20
    assert brain.state().count == len(brain.facts.list()) == 20
    assert len(brain.facts.list(**past)) == 679
    assert ready("review", "promote", "--area", "Network", "--yes", "--json").answer[
        "confirmed"
    ] == []  # fmt: skip
    assert source.read_bytes() == text


def read(ask, address):
    """Return what a resource says, without the markers around it, which are new each time."""
    (told,) = ask.run(lambda client: client.read_resource(address)).contents
    return told.text.splitlines()[1:-1]


@pytest.mark.row("X-04")
def test_what_is_merged_and_split_back_is_told_alike_everywhere(ready, brain, ask):
    hub = brain.entities.add("PostgreSQL (Dev)", type="service").entity.id
    names = ("Postgres", "pg", "192.168.3.88")
    for name in names:
        brain.facts.add(f"{name} answers on 5432.", about=[name])
        brain.entities.merge(hub, brain.entities.get(name).entity.id)

    def told():
        shown = ready("about", hub, "--json").answer
        by_python = as_json(brain.about(hub))
        assert shown == by_python
        by_mcp = read(ask, f"tilth://about/{hub}")
        ids = [one["fact"]["id"] for one in shown["facts"]]
        assert all(any(one in line for line in by_mcp) for one in ids)
        assert any(line.startswith(", ".join(shown["card"]["names"])) for line in by_mcp)
        return shown, by_mcp

    before = told()
    assert before[0]["card"]["names"] == ["PostgreSQL (Dev)", *names]
    assert len(before[0]["facts"]) == len(names)
    wrong = brain.entities.add("Grafana", type="service").entity.id
    ready("entity", "merge", hub, wrong)
    assert told() != before
    ready("entity", "split", wrong)
    assert told() == before


@pytest.mark.row("XR-14")
def test_superseding_costs_an_agent_one_call_everywhere(ready, agent, ask, monkeypatch):
    monkeypatch.setattr(invocation, "caller", lambda *_, **__: CALLER)
    triple = {"channel": "entity", "subject": "Acme", "predicate": "phase"}
    first = agent.facts.add(object="pilot", **triple).fact.id
    by_python = agent.facts.add(object="trial", **triple)
    words = ("fact", "add", "--channel", "entity", "--subject", "Acme", "--predicate", "phase")
    by_terminal = ready(*words, "--object", "rollout", "--json").answer
    by_mcp = ask.data("kg_add", object="live", **triple)

    assert (by_python.verdict, by_python.retired) == ("superseded", first)
    assert (by_terminal["verdict"], by_terminal["retired"]) == ("superseded", by_python.fact.id)
    assert (by_mcp["verdict"], by_mcp["retired"]) == ("superseded", by_terminal["fact"]["id"])
    assert [one.fact.id for one in agent.state(predicate="phase").facts] == [by_mcp["id"]]
