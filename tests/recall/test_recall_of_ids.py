"""What looks like the ID of one thing never falls through to a search of text."""

import pytest

import tilth
from tilth.core.errors import InvalidInputError, NotFoundError


@pytest.mark.row("EM-061")
@pytest.mark.parametrize(
    "asked",
    ["mem_20250101120000_abcdef12", "obs_20250101120000_abcdef12", " MEM_20250101120000_ABCDEF12 "],
)
def test_an_id_of_another_memory_is_no_question(tmp_path, asked):
    with tilth.connect(tmp_path / "t.db", create=True) as brain:
        brain.remember("mem 20250101120000 abcdef12 obs")

        with pytest.raises(InvalidInputError, match="is an id, and no question"):
            brain.recall(asked)
        assert brain.recall("mem_total_20 obs").hits


@pytest.mark.row("EM-052")
def test_an_entity_without_a_name_is_no_filter_that_lets_all_through(tmp_path):
    with tilth.connect(tmp_path / "t.db", create=True) as brain:
        brain.remember("The kettle is on.")

        for blank in ("", " "):
            with pytest.raises((InvalidInputError, NotFoundError)):
                brain.recall("kettle", entity=blank)


@pytest.mark.row("C-25", "EM-068")
def test_an_owner_without_a_name_is_nobody(tmp_path):
    tilth.connect(tmp_path / "t.db", create=True).close()

    with pytest.raises(InvalidInputError, match="cannot name an owner"):
        tilth.connect(tmp_path / "t.db", owner="")
