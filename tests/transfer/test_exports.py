"""What is remembered of exports."""

import pytest

from tilth.core.scope import DEFAULT_OWNER, Visibility
from tilth.transfer.export_file import Exporting, NotedExports


@pytest.fixture
def exports(tmp_path):
    return NotedExports(tmp_path)


def noted(exports, path):
    path.write_text("{}\n")
    told = Exporting(path=str(path), within=Visibility(DEFAULT_OWNER))
    exports.note("store", told)


def test_an_export_is_known_by_its_store(exports, tmp_path):
    noted(exports, tmp_path / "all.jsonl")

    assert [one.path for one in exports.there("store")] == [str(tmp_path / "all.jsonl")]
    assert exports.there("another") == []


def test_a_line_that_a_crash_tore_takes_no_other_with_it(exports, tmp_path):
    noted(exports, tmp_path / "first.jsonl")
    file = tmp_path / "exports.jsonl"
    file.write_text(file.read_text() + '{"store_id": "sto')

    noted(exports, tmp_path / "second.jsonl")

    assert [one.path for one in exports.there("store")] == [
        str(tmp_path / "first.jsonl"),
        str(tmp_path / "second.jsonl"),
    ]
