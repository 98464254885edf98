"""Clauses of the specification, each as whoever uses the program meets it."""

import re
from contextlib import closing
from datetime import timedelta

import apsw
import pytest

from tests.brains import a_brain
from tests.program import acting
from tilth.context.model import BriefRequest
from tilth.core.actor import Actor, ActorKind, Human
from tilth.core.errors import ConflictError, InvalidInputError, NotFoundError
from tilth.core.ids import FactId
from tilth.ledger.sqlite.engine import SqliteEngine
from tilth.ledger.sqlite.text import register_functions

A, B = "project:work/a", "project:work/b"
DNS = ("--system", "pi-hole", "--component", "ip")
PLACES = {
    "--area": ("Network", "Study"),
    "--environment": ("home", "office"),
    "--system": ("pi-hole", "nas"),
    "--tag": ("dns", "disk"),
}


def listed(tilth, *words):
    return [one["said"]["text"] for one in tilth("fact", "list", *words, "--json").answer["facts"]]


@pytest.fixture
def moved(ready):
    """A service that moved fifty times, as a person stated it."""
    with acting("human"):
        ids = [
            ready("fact", "add", f"DNS answers on .{n}.", *DNS, "--json").answer["fact"]["id"]
            for n in range(51)
        ]
    return ready, ids


@pytest.mark.row("OB-003", "OB-004")
def test_a_history_is_whole_and_every_superseded_row_has_an_end(moved):
    ready, ids = moved

    chain = ready("fact", "history", ids[17], "--json").answer["facts"]
    assert [one["id"] for one in chain] == ids
    past, last = chain[:-1], chain[-1]
    assert all(one["life"]["valid_to"] == later["life"]["valid_from"]
               for one, later in zip(past, chain[1:], strict=True))  # fmt: skip
    assert {one["life"]["lifecycle"] for one in past} == {"superseded"}
    assert last["life"]["valid_to"] is None
    lines = ready("fact", "history", ids[0]).out.splitlines()
    assert [line for line in lines if line.startswith("DNS")][:2] == [
        "DNS answers on .0.", "DNS answers on .1.",
    ]  # fmt: skip


@pytest.mark.row("OB-001")
@pytest.mark.parametrize("flag", PLACES)
def test_each_place_filters_alone_and_all_of_them_together(ready, flag):
    for number in (0, 1):
        words = [word for name, values in PLACES.items() for word in (name, values[number])]
        ready("fact", "add", f"It is fact {number}.", "--about", "x", *words)
    first = [word for name, values in PLACES.items() for word in (name, values[0])]

    assert listed(ready, flag, PLACES[flag][0]) == ["It is fact 0."]
    assert listed(ready, flag, PLACES[flag][1]) == ["It is fact 1."]
    assert listed(ready, *first) == ["It is fact 0."]
    mixed = [word for name, values in PLACES.items() for word in (name, values[name == flag])]
    assert ready("state", *mixed, "--json").answer["facts"] == []


@pytest.mark.row("OB-024")
def test_a_state_shows_ten_the_newest_first_and_takes_no_strange_limit(ready):
    for day in range(1, 13):
        ready("fact", "add", f"It is day {day}.", "--about", "x",
              "--valid-from", f"2026-01-{day:02}")  # fmt: skip

    def said(*words):
        answer = ready("state", *words, "--json").answer
        return [one["fact"]["said"]["text"] for one in answer["facts"]]

    assert said() == [f"It is day {day}." for day in range(12, 2, -1)]
    assert len(said("--limit", "100")) == 12
    for strange in ("0", "-1", "x", "1000"):
        assert ready("state", f"--limit={strange}").code == 2


@pytest.mark.row("OB-052")
def test_a_fact_neither_supersedes_itself_nor_what_is_not_there_nor_twice(human):
    fact = human.facts.add("We deploy on Mondays.", about=["deploys"]).fact
    human.facts.add("We deploy on Fridays.", about=["deploys"], supersedes=fact.id)

    with pytest.raises(ConflictError, match="only a current fact is superseded"):
        human.facts.add("We deploy on Sundays.", about=["deploys"], supersedes=fact.id)
    nowhere = FactId("fct_" + "0" * 26)
    with pytest.raises(NotFoundError):
        human.facts.add("We deploy on Sundays.", about=["deploys"], supersedes=nowhere)
    with pytest.raises(ConflictError):
        human.facts.retire(fact.id, reason="it is over")
    current = human.facts.list()[0]
    with pytest.raises(ConflictError):
        human.facts.reword(current.id, "We deploy on Fridays.")


@pytest.mark.row("OB-054")
def test_a_component_needs_its_system_and_one_fact_is_current_in_it(human, place):
    with pytest.raises(InvalidInputError, match="system"):
        human.facts.add("It is 1.", component="k", about=["x"])
    for _ in range(2):
        human.facts.add("It is 1.", system="s", component="k")
    human.facts.add("It is 2.", system="s", component="k")

    held = place.run("SELECT count(*) FROM lives WHERE until IS NULL AND lifecycle = 'current'")
    assert [tuple(row) for row in held] == [(1,)]


@pytest.mark.row("C-10")
def test_the_kinds_of_edges_are_these_and_no_others(ready):
    kinds = (
        *("runs_on", "uses", "about", "part_of", "depends_on", "supersedes", "derived_from"),
        *("used_by", "contradicts", "supports", "evolved_into"),
    )
    for kind in kinds:
        assert ready("edge", "add", "api", kind, f"thing {kind}").code == 0
    refused = ready("edge", "add", "api", "likes", "postgres")

    assert refused.code == 2
    assert all(kind in refused.err for kind in kinds)


@pytest.mark.row("C-14")
@pytest.mark.parametrize(
    ("word", "number"), [("high", 0.8), ("medium", 0.6), ("low", 0.3), ("0.95", 0.8)]
)
def test_a_word_for_confidence_is_a_number_and_age_changes_none(ready, word, number):
    said = ("fact", "add", "It rains.", "--about", "weather", "--confidence", word)
    old = ready(*said, "--valid-from", "2020-01-01", "--json").answer["fact"]

    (shown,) = ready("state", "--json").answer["facts"]
    assert old["confidence"] == shown["fact"]["confidence"] == {"value": number, "source": "agent"}
    assert shown["freshness"] == "guess"


@pytest.mark.row("KB-005")
def test_one_call_vetoes_one_undoes_it_and_both_are_in_the_history(ready):
    fact = ready("fact", "add", "It rains.", "--about", "weather", "--json").answer["fact"]["id"]
    with acting("human"):
        ready("fact", "retire", fact, "--reason", "it does not")
        assert ready("state", "--json").answer["facts"] == []
        ready("fact", "undo", fact, "--reason", "it does after all")

    assert len(ready("state", "--json").answer["facts"]) == 1
    lives = ready("fact", "show", fact, "--json").answer["lives"]
    assert [(one["life"]["lifecycle"], one["by"]["kind"]) for one in lives] == [
        ("current", "agent"),
        ("historical", "human"),
        ("current", "human"),
    ]
    told = ready("changes").out
    assert "it does not" in told
    assert "it does after all" in told


@pytest.mark.row("OB-013")
def test_what_names_no_system_has_no_limit(human, place):
    count = 1000 // place.size_share
    tellings = [
        {"text": f"Lesson {n} is over.", "about": ["study"], "tags": ["exam"]} for n in range(count)
    ]
    human.facts.add_many(tellings)

    assert len(human.facts.list(tags=["exam"], limit=1000)) == count
    assert human.state(tags=["exam"]).count == count


@pytest.mark.row("OB-063")
def test_a_tag_that_names_a_component_is_asked_of_no_registry(ready):
    said = ("fact", "add", "It is at .1.", "--system", "lab")
    ready(*said, "--tag", "component:router", "--tag", "foo", "--tag", "Durable")

    (fact,) = ready("state", "--json").answer["facts"]
    places = fact["fact"]["said"]["taxonomy"]
    assert (places["component"], places["tags"]) == ("router", ["foo", "durable"])
    unknown = ready("word", "queue", "--json").answer
    assert [one["word"] for one in unknown["words"]] == ["foo"]


@pytest.mark.row("DU-050")
def test_a_report_names_the_words_that_nobody_registered_and_may_be_strict(ready):
    ready("kg", "add", "entity", "api", "uses", "postgres")
    assert ready("word", "check", "--strict").code == 0
    ready("kg", "add", "entity", "api", "listens_at", "9090")
    ready("fact", "add", "It rains.", "--about", "weather", "--tag", "foo")

    report = ready("word", "check", "--json")
    assert report.code == 0
    assert {(one["registry"], one["word"]) for one in report.answer["words"]} == {
        ("predicate", "listens_at"),
        ("tag", "foo"),
    }
    strict = ready("word", "check", "--registry", "predicate", "--strict")
    assert strict.code == 1
    assert "listens_at" in strict.out
    assert "foo" not in strict.out
    assert ready("word", "check", "--registry", "area", "--strict").code == 0


@pytest.mark.row("DU-051")
@pytest.mark.parametrize(
    "predicate", ["deal_stage", "phase", "current_version", "supersedes", "superseded_by"]
)
def test_these_predicates_have_one_value(ready, predicate):
    for value in ("first", "second"):
        ready("kg", "add", "entity", "urn:tool:api", predicate, value)

    told = ready("kg", "query", "urn:tool:api", "--json").answer["triples"]
    assert [one["object"] for one in told] == ["second"]


@pytest.mark.row("DU-051")
def test_a_rival_of_what_a_person_said_is_warned_of_and_open(ready):
    said = ("kg", "add", "entity", "urn:tool:api", "phase")
    with acting("human"):
        first = ready(*said, "pilot", "--json").answer["fact"]["id"]
    stated = ready(*said, "rollout", "--json").answer

    (asked,) = ready("review", "list", "--json").answer["proposals"]
    assert stated["verdict"] == "proposed"
    (why,) = stated["warnings"]
    assert why == f"a human stands behind “urn:tool:api phase pilot” ({first})"
    assert asked["draft"]["retires"] == [first]
    assert asked["draft"]["facts"] == [stated["fact"]["id"]]


@pytest.mark.row("MP-08")
def test_a_triple_is_ended_and_what_held_is_asked_by_day(ready):
    said = ("kg", "add", "entity", "urn:company:acme", "phase")
    ready(*said, "pilot", "--valid-from", "2026-01-01")
    last = ready(*said, "rollout", "--valid-from", "2026-02-01", "--json").answer["fact"]["id"]
    ready("fact", "retire", last, "--reason", "Acme ended what it had begun.")
    (asked,) = ready("review", "list", "--json").answer["proposals"]
    assert asked["draft"]["retires"] == [last]  # an agent asks, and a person ends it
    with acting("human"):
        ready("fact", "retire", last, "--reason", "it is over")

    def held(*words):
        told = ready("kg", "query", "urn:company:acme", *words, "--json").answer["triples"]
        return [one["object"] for one in told]

    assert held() == []
    assert held("--as-of", "2026-01-31") == ["pilot"]
    assert held("--as-of", "2026-02-01") == ["rollout"]
    wrong = ready("kg", "query", "urn:company:acme", "--as-of", "31.01.2026")
    assert (wrong.code, "2026-11-20" in wrong.err) == (2, True)
    inverted = ready(*said, "x", "--valid-from", "2026-03-02", "--valid-to", "2026-02-01")
    assert (inverted.code, "before it begins" in inverted.err) == (2, True)


@pytest.mark.row("KB-015", "C-12")
def test_many_facts_over_few_words_hold_no_copy_of_them(human, place):
    body = "The valve beside the stove is shut, and it has been so since the flood. " * 20
    said = [human.remember(body + str(n)) for n in range(2)]
    for n in range(20):
        human.facts.add(f"Valve {n} is shut.", about=["valve"], evidence=said)
    own = human.facts.add("Valve 99 is open.", about=["valve"]).fact

    assert len(own.evidence) == 1
    assert all(len(fact.evidence) == 2 for fact in human.facts.list() if fact.id != own.id)
    rows = place.run("SELECT payload FROM ledger WHERE payload IS NOT NULL")
    assert sum(str(row[0]).count("since the flood") for row in rows) == 2 * 20


@pytest.mark.row("KB-004")
def test_a_fact_says_who_stated_it_where_how_and_how_surely(ready):
    said = ready("remember", "Anna leads Acme.", "--session", "claude-code:s1", "--json")
    evidence = said.answer["episode_id"]
    added = ready("fact", "add", "Anna leads.", "--about", "Acme", "--evidence", evidence, "--json")

    why = ready("fact", "why", added.answer["fact"]["id"], "--json").answer
    assert (why["fact"]["by"]["kind"], why["fact"]["confidence"]["source"]) == ("agent", "agent")
    assert 0 <= why["fact"]["confidence"]["value"] <= 1
    (support,) = why["supports"]
    assert (support["episode"]["id"], support["episode"]["session_id"]) == (
        evidence,
        "claude-code:s1",
    )


@pytest.mark.row("KB-004")
def test_what_an_agent_states_is_never_shown_as_the_words_of_the_user(ready):
    stated = ready("fact", "add", "The valve is shut.", "--about", "valve", "--json").answer
    why = ready("fact", "why", stated["fact"]["id"]).out
    told = ready("recall", "is the valve shut", "--tier", "episode").out
    (hit,) = ready("recall", "is the valve shut", "--tier", "episode", "--json").answer["hits"]

    assert "agent note" in why
    assert "user" not in why + told
    assert hit["speaker"] == "agent"


@pytest.mark.row("KB-004")
@pytest.mark.usefixtures("as_person")
def test_what_a_person_states_is_shown_as_their_words(ready):
    stated = ready("fact", "add", "The pump is off.", "--about", "pump", "--json").answer

    assert "user note" in ready("fact", "why", stated["fact"]["id"]).out


NO_PLAYBOOK = "plb_01KDVDNA0V000000000000000V"


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (("playbook", "veto", NO_PLAYBOOK), "refuse a playbook"),
        (
            ("playbook", "confirm", NO_PLAYBOOK, "--digest", "1f3a"),
            "confirm exactly these words of a playbook",
        ),
    ],
)
def test_a_refusal_is_one_sentence_whatever_the_help_of_its_verb_adds(ready, words, what):
    (said, _, _) = ready(*words).err.partition("\n")

    assert said == f"tilth: only a human may {what}, and cli is agent"


@pytest.mark.row("KB-122")
def test_what_nobody_signed_waits_and_adds_nothing_to_what_is_trusted(make, human):
    stranger = make("anonymous", "x")
    trusted = human.facts.add("The valve is shut.", about=["valve"]).fact
    again = stranger.facts.add("The valve is shut.", about=["valve"])
    new = stranger.facts.add("The valve is open.", about=["valve"])

    assert human.facts.get(trusted.id).evidence == trusted.evidence
    assert {again.verdict, new.verdict} == {"proposed"}
    assert [one.fact.id for one in human.state().facts] == [trusted.id]
    for stated, decide in ((again, human.review.reject), (new, human.review.confirm)):
        decide(stated.proposal_id, digest=human.review.show(stated.proposal_id).digest)
    assert {one.fact.id for one in human.state().facts} == {trusted.id, new.fact.id}


@pytest.mark.row("EM-060")
def test_what_was_superseded_is_in_no_list_and_behind_its_successor_in_recall(moved):
    ready, ids = moved

    assert listed(ready) == ["DNS answers on .50."]
    hits = ready("recall", "where does DNS answer", "--limit", "50", "--json").answer["hits"]
    labels = [(one["id"], one["lifecycle"]) for one in hits if one["id"] in ids]
    assert labels[0] == (ids[-1], "current")
    assert {label for _, label in labels[1:]} <= {"superseded"}


@pytest.mark.row("OB-062")
def test_white_space_makes_no_other_statement_of_a_plan(ready):
    words = ("--about", "dns", "--json")
    token = ready("fact", "plan", "DNS  answers\n on .1. ", *words).answer["token"]

    done = ready("fact", "apply", "--token", token, "DNS answers on .1.", *words)
    assert done.code == 0
    other = ready("fact", "apply", "--token", token, "DNS answers on .2.", *words)
    assert other.code != 0


@pytest.mark.row("XR-08")
def test_what_was_derived_from_a_fact_is_told_by_its_edges(ready):
    first, second = (
        ready("fact", "add", text, "--about", "pump", "--json").answer["fact"]["id"]
        for text in ("The pump leaks.", "The seal is to be replaced.")
    )
    ready("fact", "relate", second, "derives", first)

    for one in (first, second):
        (edge,) = ready("edge", "list", one, "--json").answer["edges"]
        assert (edge["source"], edge["kind"], edge["target"]) == (second, "derived_from", first)


@pytest.mark.row("KB-050")
def test_no_byte_of_two_hundred_facts_of_a_project_reaches_another(make_place_on, tmp_path):
    # On one engine: the SQL that narrows is written once, and 200 facts take PostgreSQL long.
    place = make_place_on("sqlite")
    store = place.open()
    human = a_brain(store, place.clock, by=Actor("ada", ActorKind.HUMAN))
    canary = "canary-7f3a"
    human.facts.add_many(
        {"text": f"Valve {n} is {canary}{n}.", "about": [f"{canary}-{n % 4}", "valve"], "scope": A}
        for n in range(200)
    )
    human.facts.add("The valve is shut.", about=["valve"], scope=B)

    def seen(scope):
        file = tmp_path / f"{scope[-1]}.jsonl"
        human.export(file, scope=scope)
        return {
            "export": file.read_text(),
            "recall": human.recall("Which valve is it?", scope=scope, limit=50).hits,
            "brief": human.brief(BriefRequest(), scope=scope).text,
            "prompt": human.brief(BriefRequest(question="Which valve is it?"), scope=scope).text,
            "state": human.state(scope=scope),
            "facts": human.facts.list(scope=scope),
            "entities": human.entities.list(scope=scope),
            "edges": human.edges.list(scope=scope),
            "about": human.about("valve", scope=scope),
            "kg": human.kg.explore("valve", scope=scope),
            "taxonomy": human.facts.taxonomy(scope=scope),
        }

    own = {way for way, told in seen(A).items() if canary in str(told)}
    assert own >= {"export", "recall", "brief", "state", "facts", "entities", "about"}
    assert [way for way, told in seen(B).items() if canary in str(told)] == []
    store.close()


@pytest.mark.row("OB-053")
def test_a_status_that_somebody_corrupted_is_one_drift_and_an_error_of_the_program(ready):
    said = ready("fact", "add", "DNS answers on .100.", *DNS, "--json").answer["fact"]["id"]
    assert ready("verify").code == 0
    conn = apsw.Connection(str(ready.store))
    register_functions(conn)
    conn.execute("UPDATE lives SET lifecycle = 'historical'")
    conn.close()

    drift = ready("verify", "--json")
    assert drift.code != 0
    assert [one["part"] for one in drift.answer["findings"]] == ["lives"]
    with acting("human"):
        assert ready("rebuild").code == 0
    assert ready("verify").code == 0
    assert [one["fact"]["id"] for one in ready("state", "--json").answer["facts"]] == [said]


@pytest.mark.row("EM-063")
def test_no_use_of_a_debunked_fact_brings_it_back_before_what_debunks_it(human, place):
    old = human.facts.add("The pump needs oil of grade 40.", about=["pump"]).fact
    new = human.facts.add("The pump needs oil of grade 20.", about=["pump"]).fact
    asked = human.facts.relate(new.id, "debunks", old.id, reason="the maker says so").proposal.id
    digest = human.review.show(asked).digest
    human.review.decide(asked, "confirm", digest=digest, keeps=new.id, retires=[old.id])
    for number in range(20):
        human.feedback(old.id, "useful", session_id=f"s{number}")
        place.clock.at += timedelta(hours=1)

    hits = human.recall("Which grade of oil does the pump need?").hits
    ids = [hit.id for hit in hits if hit.id in {old.id, new.id}]
    assert ids[0] == new.id
    assert [one.fact.id for one in human.state().facts] == [new.id]


@pytest.mark.row("EM-051")
def test_gaps_are_sorted_by_each_of_three_orders_that_differ(ready):
    for text, times in (("export PDF", 1), ("read German", 3), ("draw charts", 2)):
        for number in range(times):
            said = ready("remember", f"Please {text}, number {number}.", "--json").answer[
                "episode_id"
            ]
            ready("gap", "add", text, "--evidence", said)

    def order(sort):
        answer = ready("gap", "list", "--sort", sort, "--json").answer
        return [one["description"] for one in answer["gaps"]]

    first = ready("gap", "list", "--sort", "date", "--json").answer["gaps"][0]["id"]
    with acting("human"):
        ready("gap", "resolve", first, "--note", "done")
    orders = {sort: order(sort) for sort in ("frequency", "date", "status")}
    assert orders["frequency"] == ["read German", "draw charts", "export PDF"]
    assert orders["date"] == ["draw charts", "read German", "export PDF"]
    assert orders["status"][-1] == "draw charts"
    assert ready("gap", "list", "--sort", "colour").code == 2
    assert ready("gap", "stats").code == 0


@pytest.mark.row("DU-009")
def test_no_statement_but_an_erase_changes_or_deletes_a_line_of_the_ledger(
    make_place_on, monkeypatch
):
    place = make_place_on("sqlite")
    told = []
    connect = SqliteEngine._connect

    def traced(engine):
        raw = connect(engine)
        raw.set_exec_trace(lambda _, sql, __: told.append(sql) or True)
        return raw

    monkeypatch.setattr(SqliteEngine, "_connect", traced)
    with closing(place.open()) as store:
        human = a_brain(store, place.clock, by=Human("ana"))
        said = human.remember("The pump is from Acme.")
        human.kg.add("relationship", "Acme", "phase", "pilot")
        human.kg.add("relationship", "Acme", "phase", "live")
        human.facts.undo(human.facts.list()[0].id)
        human.archive()
        store.rebuild()
        assert any("INSERT INTO ledger" in sql for sql in told)
        assert [sql for sql in told if _CHANGES_THE_LEDGER.match(sql)] == []
        plan = human.erase.plan(episodes=[said])
        human.erase.confirm(plan.digest, episodes=[said])
        assert any(_CHANGES_THE_LEDGER.match(sql) for sql in told)


_CHANGES_THE_LEDGER = re.compile(
    r"\s*(?:UPDATE|DELETE FROM|REPLACE INTO|INSERT OR REPLACE INTO) ledger\b"
)
