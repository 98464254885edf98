"""
Index names by their blocking keys, as numbers.

Names that share rare keys come first, so a name among 100,000 is compared with a few hundred. Only
visible realms are counted, so that hidden names have no influence.
"""

import hashlib
import json
from collections.abc import Sequence

from tilth.core.text.names import index_key
from tilth.knowledge.entities.blocking import (
    CANDIDATES_MAX,
    POSTINGS_MAX,
    blocking_keys,
    worth_asking,
)
from tilth.ledger.engine import Connection

_KEY_BYTES = 8
# Beyond this many names, one more changes no weight that matters.
_COUNTED_MAX = 10_000
# Weights as whole numbers sum up equally in any order, on both engines.
_WEIGHT_UNIT = 10_000

_BEARERS = """
SELECT wanted.value, (SELECT count(*) FROM (
    SELECT 1 FROM name_keys k WHERE k.key_no = wanted.value AND k.realm_no IN {integers} LIMIT ?
) AS borne) FROM {integers} AS wanted
"""
_TOTAL = """
SELECT count(*) FROM (SELECT 1 FROM entities WHERE realm_no IN {integers} LIMIT ?) AS counted
"""
_BEST = """
WITH wanted (key_no, weight) AS (VALUES {rows})
SELECT k.entity_no FROM wanted CROSS JOIN name_keys k
WHERE k.key_no = wanted.key_no AND k.realm_no IN {integers}
GROUP BY k.entity_no ORDER BY sum(wanted.weight) DESC, k.entity_no LIMIT ?
"""
_EXACT = """
SELECT s.entity_no FROM names s JOIN entities n ON n.entity_no = s.entity_no
WHERE s.key = ? AND n.realm_no IN {integers}
"""


def key_numbers(name: str) -> list[int]:
    """Return the blocking keys of *name* as numbers; two keys rarely collide."""
    return sorted(map(_number, blocking_keys(name)))


def bearers(conn: Connection, integers: str, name: str, realms: Sequence[int]) -> list[int]:
    """Return the places of all entities with the key of *name*, and of the most similar ones."""
    seen = json.dumps(list(realms))
    exact = conn.rows(_EXACT.format(integers=integers), (index_key(name), seen))
    return sorted({int(no) for (no,) in exact} | set(_likely(conn, integers, name, seen)))


def _likely(conn: Connection, integers: str, name: str, seen: str) -> list[int]:
    keys = json.dumps(key_numbers(name))
    counted = conn.rows(_BEARERS.format(integers=integers), (seen, POSTINGS_MAX + 1, keys))
    total = conn.rows(_TOTAL.format(integers=integers), (seen, _COUNTED_MAX))[0][0]
    weights = worth_asking({str(no): int(count) for no, count in counted}, int(total))
    if not weights:
        return []
    rows = ", ".join(["(CAST(? AS BIGINT), CAST(? AS BIGINT))"] * len(weights))
    wanted = [
        part for key, weight in weights.items() for part in (int(key), round(weight * _WEIGHT_UNIT))
    ]
    sql = _BEST.format(integers=integers, rows=rows)
    return [int(no) for (no,) in conn.rows(sql, (*wanted, seen, CANDIDATES_MAX))]


def _number(key: str) -> int:
    digest = hashlib.blake2b(key.encode(), digest_size=_KEY_BYTES).digest()
    return int.from_bytes(digest, signed=True)
