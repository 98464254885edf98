"""What is distilled or imported hangs on the things that it names, by whichever of their names."""

import json

import pytest

from tests.program import acting

SENTENCES = (
    "Postgres answers on port 5432 for the orders service.",
    "The nightly backup of pg takes four minutes.",
    "The reports connect to 192.168.3.88:5432 directly.",
)


@pytest.fixture
def known(ready):
    """One thing under three names, and one that is another."""
    with acting("human"):
        ready("entity", "add", "Postgres", "--alias", "pg", "--alias", "192.168.3.88")
        ready("entity", "add", "Redis")
    return ready


@pytest.mark.row("KB-026", "KB-027")
@pytest.mark.parametrize("name", ["pg", "Postgres", "192.168.3.88"])
def test_what_was_imported_is_about_what_it_names(known, home, name):
    lines = [json.dumps({"text": text, "about": ["infra"]}) for text in SENTENCES]
    (home / "facts.jsonl").write_text("\n".join(lines))
    with acting("human"):
        assert known("fact", "import", home / "facts.jsonl", "--execute").code == 0

    told = known("about", name).out
    assert all(text in told for text in SENTENCES)
    assert not any(text in known("about", "Redis").out for text in SENTENCES)


@pytest.mark.row("KB-026")
def test_what_was_distilled_is_about_what_it_names(known, home):
    said = (
        "We decided that pg keeps the orders.",
        "We decided to back up 192.168.3.88:5432 every night.",
        "We decided to upgrade Postgres in May.",
    )
    told = [
        {"type": "user", "sessionId": "s1", "uuid": f"u{number}", "cwd": "/work/shop",
         "timestamp": "2026-01-02T10:00:00Z", "message": {"role": "user", "content": text}}
        for number, text in enumerate(said)
    ]  # fmt: skip
    (home / "old.jsonl").write_text("\n".join(map(json.dumps, told)))
    known("import", home / "old.jsonl")
    known("distil")

    about = known("about", "pg").out
    assert all(text.removeprefix("We decided ")[:20] in about for text in said)


@pytest.mark.row("KB-026")
def test_an_address_and_the_longest_name_count_and_words_of_every_day_do_not(human, agent, make):
    marina = human.entities.add("Marina", type="person").entity
    human.people.link(marina.id, "email", "marina@example.org")
    pool = human.entities.add("connection pool").entity
    human.entities.add("pool")
    human.entities.add("The")
    job = make("job")

    stated = job.facts.add(
        "The invoice goes to marina@example.org, and the connection pool is full.", about=["mail"]
    )

    assert set(stated.fact.about[1:]) == {marina.id, pool.id}


@pytest.mark.row("KB-026")
def test_a_statement_is_about_eight_mentioned_things_at_most_each_once_and_makes_none(human, make):
    for number in range(10):
        human.entities.add(f"host-{number}")
    there = len(human.entities.list(limit=100))
    words = " and ".join(f"host-{number}, HOST-{number}" for number in range(10))

    stated = make("job").facts.add(f"The unknown-box feeds {words}.", about=["host-0"])

    assert len(stated.fact.about) == len(set(stated.fact.about)) == 8
    assert len(human.entities.list(limit=100)) == there


def test_a_list_says_that_nothing_is_there_only_where_nothing_is(known, home):
    assert "no fact of that is here" in known("fact", "list").err
    (home / "facts.jsonl").write_text(json.dumps({"text": SENTENCES[0], "about": ["infra"]}))
    with acting("human"):
        known("fact", "import", home / "facts.jsonl", "--execute")

    shown = known("fact", "list")
    assert SENTENCES[0] in shown.out
    assert "historical candidate unreviewed" in shown.out
    assert shown.err == ""
    assert "no fact of that is here" in known("fact", "list", "--system", "lab").err
