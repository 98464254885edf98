from dataclasses import fields
from pathlib import Path

import pytest

from tilth.runtime.settings import DOCS, Settings, load

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "settings.md"


@pytest.mark.parametrize("field", fields(Settings), ids=lambda field: field.name)
def test_every_setting_has_its_row_with_its_default_as_it_is_set(field):
    row = next(line for line in PAGE.read_text("utf-8").splitlines() if f"`{field.name}` |" in line)
    _, _, default, meaning = (cell.strip() for cell in row.rstrip("|").split("|", 3))

    assert meaning == DOCS[field.name]
    said = "" if default == "empty" else default.strip("`")
    assert load({f"TILTH_{field.name.upper()}": said}).settings == Settings()


def test_every_row_is_a_setting():
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    rows = [line for line in lines if line.startswith("| `")]

    assert len(rows) == len(fields(Settings))


def test_no_meaning_ends_in_an_ellipsis_and_a_full_stop():
    assert [name for name, meaning in DOCS.items() if meaning.endswith(("….", "...."))] == []
