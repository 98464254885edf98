"""What may be stated: names of things, whole days, and nothing that is excluded."""

import json

import pytest

from tests.brains import a_brain
from tests.program import Inside, acting
from tilth.core.errors import ForbiddenError
from tilth.runtime.settings import Settings


@pytest.mark.row("EM-066")
@pytest.mark.parametrize(
    "words",
    [
        ("entity", "add", "null"),
        ("entity", "add", "pg", "--alias", "undefined"),
        ("edge", "add", "null", "uses", "undefined"),
        ("edge", "add", "api", "uses", " None "),
        ("fact", "add", "It rains.", "--about", "weather", "--tag", "null"),
        ("fact", "add", "It rains.", "--about", "weather", "--area", "undefined"),
        ("fact", "add", "It rains.", "--system", "null", "--component", "x"),
        ("kg", "add", "entity", "api", "uses", "NULL"),
        ("topic", "add", "null"),
        ("topic", "add", " undefined "),
    ],
)
def test_words_for_nothing_name_nothing(ready, words):
    run = ready(*words, "--json")

    assert (run.code, run.answer["error"]["code"]) == (2, "invalid_input")
    assert ready("entity", "list", "--json").answer["entities"] == []
    assert ready("fact", "list", "--json").answer["facts"] == []


@pytest.mark.row("C-22", "MP-08")
def test_a_day_that_something_is_valid_until_belongs_to_it(ready):
    said = ("fact", "add", "The old port is 8080.", "--system", "api", "--component", "port")
    ready(*said, "--valid-from", "2026-03-01", "--valid-to", "2026-03-31")

    def known(at):
        return len(ready("state", "--as-of", at, "--json").answer["facts"])

    assert [known(day) for day in ("2026-02-28", "2026-03-01", "2026-03-31", "2026-04-01")] == [
        0, 1, 1, 0,
    ]  # fmt: skip
    assert known("2026-03-31T23:59:59+00:00") == 1
    for shown in (ready("fact", "list", "--lifecycle", "historical"), ready("recall", "old port")):
        assert "to 2026-03-31" in shown.out
        assert "2026-04-01" not in shown.out


@pytest.mark.row("C-22")
def test_an_instant_that_something_is_valid_until_does_not_belong_to_it(ready):
    end = "2026-03-31T12:00:00+00:00"
    ready("kg", "add", "entity", "api", "phase", "pilot", "--valid-from", "2026-03-01",
          "--valid-to", end)  # fmt: skip

    assert ready("kg", "query", "api", "--as-of", end, "--json").answer["triples"] == []
    before = ready("kg", "query", "api", "--as-of", "2026-03-31T11:59:59+00:00", "--json")
    assert len(before.answer["triples"]) == 1


@pytest.mark.row("KB-113")
@pytest.mark.parametrize(
    "words",
    [
        ("fact", "add", "Zephyr runs on thor.", "--about", "thor"),
        ("fact", "add", "It runs on thor.", "--about", "zephyr"),
        ("kg", "add", "entity", "thor", "runs", "Zephyr"),
    ],
)
def test_nothing_that_is_excluded_becomes_a_fact(ready, words):
    hidden = {"TILTH_EXCLUDED_TERMS": "zephyr"}

    run = ready(*words, environ=hidden)

    assert run.code != 0
    assert "excluded" in run.err
    assert ready("fact", "list", "--json").answer["facts"] == []


@pytest.mark.row("KB-113")
@pytest.mark.parametrize("words", [(), ("--share",)])
def test_no_export_tells_what_is_excluded(ready, home, words):
    ready("remember", "We named the engine Zephyr.")
    with acting("human"):
        ready("fact", "add", "Zephyr runs on thor.", "--about", "thor")
    ready("export", home / "out.jsonl", *words, environ={"TILTH_EXCLUDED_TERMS": "zephyr"})

    text = (home / "out.jsonl").read_text()
    assert "zephyr" not in text.casefold()
    rows = [json.loads(line) for line in text.splitlines()]
    assert any("██████ runs on thor." in json.dumps(row, ensure_ascii=False) for row in rows)


HIDDEN = {"TILTH_EXCLUDED_TERMS": "zephyr"}


@pytest.mark.row("KB-113")
def test_nothing_that_is_excluded_is_planned_or_applied(ready):
    words = ("Zephyr runs on thor.", "--about", "thor")
    planned = ready("fact", "plan", *words, environ=HIDDEN)
    token = ready("fact", "plan", *words, "--json").answer["token"]

    run = ready("fact", "apply", *words, "--token", token, environ=HIDDEN)

    assert ("excluded" in planned.err, "excluded" in run.err) == (True, True)
    assert ready("fact", "list", "--json").answer["facts"] == []


@pytest.mark.row("KB-113")
@pytest.mark.parametrize("pretended", [(), ("--execute",)])
def test_no_import_of_facts_brings_what_is_excluded(ready, home, pretended):
    rows = [{"text": f"{name} runs on thor.", "about": ["thor"]} for name in ("Zephyr", "Boreas")]
    (home / "old.jsonl").write_text("\n".join(map(json.dumps, rows)))

    run = ready("fact", "import", home / "old.jsonl", *pretended, "--json", environ=HIDDEN)

    report = run.answer
    assert (report["new_count"], len(report["skipped"])) == (1, 1)
    assert "excluded" in report["skipped"][0]["reason"]
    known = ready("fact", "list", "--lifecycle", "historical", "--json").answer["facts"]
    assert [one["said"]["text"] for one in known] == ["Boreas runs on thor."] * len(pretended)


@pytest.mark.row("KB-113")
def test_no_fact_is_reworded_to_what_is_excluded(human, store, place):
    fact = human.facts.add("Boreas runs on thor.", about=["thor"]).fact
    quiet = a_brain(store, place.clock, settings=Settings(excluded_terms=("Zephyr",)))

    with pytest.raises(ForbiddenError, match="excluded"):
        quiet.facts.reword(fact.id, "Zephyr runs on thor.")

    assert [one.id for one in human.facts.list()] == [fact.id]
    assert human.review.list().count == 0


@pytest.mark.row("KB-113")
def test_nothing_that_is_excluded_becomes_an_entity_a_name_or_an_edge(human, store, place):
    human.entities.add("thor")
    quiet = a_brain(store, place.clock, settings=Settings(excluded_terms=("Zephyr",)))

    for act in (
        lambda: quiet.entities.add("the zephyr box"),
        lambda: quiet.entities.add("box", aliases=["Zephyr"]),
        lambda: quiet.entities.alias("thor", "Zephyr"),
        lambda: quiet.edges.add("Zephyr", "runs_on", "thor"),
        lambda: quiet.edges.add("thor", "depends_on", "zephyr"),
    ):
        with pytest.raises(ForbiddenError, match="excluded"):
            act()

    assert [one.name for one in human.entities.list()] == ["thor"]
    assert human.edges.list() == []


@pytest.mark.row("KB-113")
def test_no_import_brings_entities_or_edges_that_are_excluded(ready, home, tmp_path):
    for name in ("Zephyr", "Boreas"):
        ready("edge", "add", name, "runs_on", "thor")
    ready("export", home / "out.jsonl")
    other = Inside(tmp_path / "elsewhere")
    other.home.mkdir()
    other("init")

    report = other("fact", "import", home / "out.jsonl", "--execute", "--json", environ=HIDDEN)

    assert ["excluded" in one["reason"] for one in report.answer["skipped"]] == [True, True]
    names = {one["name"] for one in other("entity", "list", "--json").answer["entities"]}
    edges = other("edge", "list", "--json").answer["edges"]
    assert (names, len(edges)) == ({"Boreas", "thor"}, 1)
