"""The glossary names every public class of the domain, and no word twice."""

import ast
import re
from pathlib import Path

import pytest

import tilth

GLOSSARY = Path(__file__).parents[2] / "docs" / "glossary.md"
DOMAIN = Path(tilth.__file__).parent / "domain"


def _words():
    rows = re.findall(r"^\| ([^|]+) \|", GLOSSARY.read_text(), re.MULTILINE)
    return [word.strip() for row in rows[2:] for word in row.split(",")]


def _public_classes():
    for path in sorted(DOMAIN.glob("*.py")):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                yield node.name


@pytest.mark.parametrize("name", sorted(set(_public_classes())))
def test_every_public_class_of_the_domain_is_explained(name):
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()
    text = GLOSSARY.read_text()

    # Events are sentences made of nouns that stand on their own.
    nouns = [noun for noun in _words() if noun in spaced]
    assert nouns or f"`{name}`" in text, f"{name} is not in the glossary"


def test_no_word_is_explained_twice():
    assert len(_words()) == len(set(_words()))
