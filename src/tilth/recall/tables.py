"""The votes on what was shown, as ranking reads them."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence

from tilth.core.instant import from_micros
from tilth.ledger.records import find_place
from tilth.ledger.snapshot import Snapshot
from tilth.recall.feedback import Verdict, Vote


class Votes:
    """The votes as one snapshot shows them."""

    def __init__(self, view: Snapshot) -> None:
        self._conn = view.conn
        self._integers = view.integers

    def at(self, seqs: Sequence[int]) -> Mapping[int, Sequence[Vote]]:
        """Return the votes on what stands at *seqs*; without any, it is left out."""
        sql = f"""SELECT target_no, verdict, voted_at FROM votes
            WHERE target_no IN {self._integers} ORDER BY vote_no"""  # noqa: S608 - bound
        found: defaultdict[int, list[Vote]] = defaultdict(list)
        for target, verdict, at in self._conn.rows(sql, (json.dumps(list(seqs)),)):
            found[int(target)].append(Vote(Verdict(verdict), from_micros(at)))
        return found

    def on(self, target: str) -> Sequence[Vote]:
        """Return the votes on the thing with this ID."""
        place = find_place(self._conn, target)
        return [] if place is None else self.at([place]).get(place, [])
