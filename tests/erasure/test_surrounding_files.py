"""Looking for erased words in files: all forms at once, wherever a file is cut for it."""

import gzip

import pytest

from tilth.erasure import surrounding_files

WORDS = ["grün ist die Heide", 'he said "so" \\ then', "漢字の言葉です", "plain words here"]


@pytest.mark.parametrize("before", [0, 1, 60, 63, 64, 65, 200])
@pytest.mark.parametrize("word", WORDS)
def test_every_form_is_found_wherever_it_stands(tmp_path, monkeypatch, word, before):
    monkeypatch.setattr(surrounding_files, "_PART_BYTES", 64)
    forms = {one: surrounding_files._forms([one]) for one in WORDS}
    for form in forms[word]:
        for name, opened in (("held.db", open), ("held.gz", gzip.open)):
            with opened(tmp_path / name, "wb") as file:
                file.write(b"\xff" * before + form + b"\x00" * 99)
            assert surrounding_files._words_in(tmp_path / name, forms) == [word]


def test_where_nothing_is_held_nothing_is_found(tmp_path):
    (tmp_path / "held.db").write_bytes(b"grun ist die Heide" * 99)
    forms = {one: surrounding_files._forms([one]) for one in WORDS}

    assert surrounding_files._words_in(tmp_path / "held.db", forms) == []
    assert surrounding_files._words_in(tmp_path / "held.db", {"": []}) == []
