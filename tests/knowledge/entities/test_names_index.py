"""What a name means is looked up in indexes, whatever the number of names."""

import pytest

from tilth.knowledge.entities import name_keys
from tilth.ledger.sqlite.connection import INTEGERS

LOOK_UPS = {
    "how many bear a key": (name_keys._BEARERS, ("[1]", 2001, "[1, 2]")),
    "how many names there are": (name_keys._TOTAL, ("[1]", 10_000)),
    "what shares most": (name_keys._BEST, (1, 10_000, "[1]", 200)),
    "what shares the key": (name_keys._EXACT, ("postgres", "[1]")),
}


@pytest.mark.row("KB-027")
@pytest.mark.parametrize("look_up", LOOK_UPS)
def test_no_look_up_of_a_name_reads_all_of_them(make_place_on, look_up):
    sql, params = LOOK_UPS[look_up]
    filled = sql.format(integers=INTEGERS, rows="(CAST(? AS BIGINT), CAST(? AS BIGINT))")
    plan = [row[-1] for row in make_place_on("sqlite").run(f"EXPLAIN QUERY PLAN {filled}", params)]

    assert any("USING" in step for step in plan), plan
    for table in ("entities", "names", "name_keys", "k", "n", "s"):
        assert not any(step.startswith(f"SCAN {table}") for step in plan), plan
