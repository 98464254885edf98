"""What looks through the ledger looks through all of it, one stretch after the other."""

from itertools import islice

from tilth.maintenance.dedup import Deduplicated
from tilth.maintenance.stretches import stretches

END = 25


def scan(after):
    through = min(after + 10, END)
    return Deduplicated(
        is_dry_run=False,
        fact_count=through - after,
        doubles=(),
        asked=(),
        through=through,
        is_done=through == END,
    )


def test_each_stretch_begins_where_the_last_one_ended_up_to_the_end():
    assert [one.fact_count for one in stretches(scan, 0)] == [10, 10, 5]
    assert [one.through for one in stretches(scan, 21)] == [END]


def test_nothing_is_looked_at_that_nobody_asks_for():
    begun = []

    def noted(after):
        begun.append(after)
        return scan(after)

    assert [one.through for one in islice(stretches(noted, 0), 1)] == [10]
    assert begun == [0]
