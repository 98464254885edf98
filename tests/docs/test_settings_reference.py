from dataclasses import fields
from pathlib import Path

import pytest

from tilth.runtime.settings import DOCS, Settings

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "settings.md"


@pytest.mark.parametrize("field", fields(Settings), ids=lambda field: field.name)
def test_every_setting_has_its_row(field):
    row = f"| `{field.name}` | `{field.default!r}` | {DOCS[field.name]} |"

    assert row in PAGE.read_text(encoding="utf-8").splitlines()


def test_every_row_is_a_setting():
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    rows = [line for line in lines if line.startswith("| `")]

    assert len(rows) == len(fields(Settings))
