"""The glossary names what a user can meet, and no word twice."""

import re
from pathlib import Path

import pytest

import tilth
from tilth.core.actor import ActorKind
from tilth.core.ids import Id
from tilth.core.lifecycle import Lifecycle
from tilth.runtime.index import index

PAGE = (Path(__file__).parents[2] / "docs" / "glossary.md").read_text(encoding="utf-8")
NOUNS, _, COMMANDS = PAGE.partition("## Commands")
# DESIGN §3, as it names them.
VOCABULARY = (
    *("episode", "session", "conversation", "summary", "entity", "alias", "identity", "fact"),
    *("slot", "channel", "transport", "area", "environment", "system", "component", "tag"),
    *("edge", "predicate", "proposal", "decision", "playbook", "skill", "page", "topic", "source"),
    *("gap", "budget", "lifecycle", "review", "maturity", "freshness", "authority", "visibility"),
)


def words(part):
    cells = re.findall(r"^\| ([^|]+) \|", part, re.MULTILINE)
    return [word.strip(" `") for cell in cells[2:] for word in cell.split(",")]


def tops():
    return sorted({path.partition(" ")[0] for path in index()["commands"]})


def things_with_ids():
    return sorted(one.noun.split()[-1] for one in Id.by_prefix.values())


@pytest.mark.parametrize("command", tops())
def test_every_command_is_explained(command):
    assert command in words(COMMANDS)


def test_no_command_is_explained_that_is_not_there():
    assert set(words(COMMANDS)) <= set(tops())


@pytest.mark.parametrize(
    "noun", sorted({*VOCABULARY, *things_with_ids(), *(set(index()["groups"]) - {"kg"})})
)
def test_every_noun_is_explained(noun):
    assert noun in words(NOUNS)


@pytest.mark.parametrize("name", sorted(set(tilth.__all__) - {"connect"}))
def test_every_public_class_is_explained(name):
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()

    assert spaced in words(NOUNS) or f"`{name}`" in NOUNS or f"tilth.{name}`" in NOUNS


@pytest.mark.parametrize("kind", [*Lifecycle, *ActorKind])
def test_every_value_of_a_lifecycle_and_of_an_actor_is_named(kind):
    assert kind.value in NOUNS


@pytest.mark.parametrize("part", [NOUNS, COMMANDS], ids=["nouns", "commands"])
def test_no_word_is_explained_twice(part):
    assert len(words(part)) == len(set(words(part)))


@pytest.mark.parametrize("part", [NOUNS, COMMANDS], ids=["nouns", "commands"])
def test_words_stand_in_the_order_of_the_alphabet(part):
    rows = re.findall(r"^\| ([^|,]+)", part, re.MULTILINE)[2:]
    firsts = [row.strip(" `").casefold() for row in rows]

    assert firsts == sorted(firsts)
