"""Realms: pairs of an owner and a scope, each with a number."""

import json
from collections.abc import Callable, Hashable, Sequence
from typing import cast

from tilth.core.event import Recorded
from tilth.core.ids import ULID_CHARS, Id, Place, decode_ulid
from tilth.core.scope import Owner, Scope, Visibility
from tilth.ledger.engine import Connection, T
from tilth.ledger.records import RECORD, place_of, read_record
from tilth.ledger.sql_list import among

_COUNT_IN_REALM = """
UPDATE realms SET episode_count = episode_count + ?, term_count = term_count + ?
WHERE owner = ? AND scope = ? RETURNING realm_no
"""
_NEW_REALM = """
INSERT INTO realms (realm_no, owner, scope, episode_count, term_count) VALUES (?, ?, ?, ?, ?)
"""
_RECORD_OF = f"""
SELECT {RECORD} FROM ledger l WHERE l.event_id = ? AND l.payload IS NOT NULL
"""  # noqa: S608 - names of ours


def count_in_realm(
    conn: Connection, seq: int, owner: Owner, scope: Scope, *, episodes: int, terms: int
) -> int:
    """Add counts to a realm and return its number; *seq* numbers a new one."""
    known = conn.rows(_COUNT_IN_REALM, (episodes, terms, owner, scope))
    if known:
        return int(known[0][0])
    conn.rows(_NEW_REALM, (seq, owner, scope, episodes, terms))
    forget_realms(conn)
    return seq


def forget_realms(conn: Connection) -> None:
    """Drop cached realms, since some were added or removed."""
    conn.realms.clear()


def _known(conn: Connection, key: Hashable, look_up: Callable[[], T]) -> T:
    """Return the result of *look_up*, cached by *key* until realms change."""
    # Every read asks for realms, a page some hundred times.
    if key not in conn.realms:
        conn.realms[key] = look_up()
    return cast("T", conn.realms[key])


def realm_of(conn: Connection, seq: int, owner: Owner, scope: Scope) -> int:
    """Return the number of a realm; *seq* numbers a new one."""
    known = _known(conn, (owner, scope), lambda: _number(conn, owner, scope))
    return count_in_realm(conn, seq, owner, scope, episodes=0, terms=0) if known is None else known


def _number(conn: Connection, owner: Owner, scope: Scope) -> int | None:
    sql = "SELECT realm_no FROM realms WHERE owner = ? AND scope = ?"
    found = conn.rows(sql, (owner, scope))
    return int(found[0][0]) if found else None


def realm_numbers(
    conn: Connection, owner: Owner, scopes: frozenset[Scope] | None
) -> tuple[int, ...]:
    """Return the numbers of *owner*'s realms in *scopes*, or in all of them."""
    return _known(conn, (owner, scopes), lambda: _numbers(conn, owner, scopes))


def _numbers(conn: Connection, owner: Owner, scopes: frozenset[Scope] | None) -> tuple[int, ...]:
    condition, params = ("", ()) if scopes is None else among("scope", scopes)
    sql = f"SELECT realm_no FROM realms WHERE owner = ? {condition and f'AND {condition}'}"  # noqa: S608
    return tuple(sorted(int(no) for (no,) in conn.rows(sql, (owner, *params))))


def realms_after(
    conn: Connection, owner: Owner, after: int, *, limit: int
) -> list[tuple[int, Scope]]:
    """Return the next realms of *owner*, by the place in the ledger at which each began."""
    sql = """SELECT realm_no, scope FROM realms WHERE owner = ? AND realm_no > ?
        ORDER BY realm_no LIMIT ?"""
    return [(int(no), Scope(scope)) for no, scope in conn.rows(sql, (owner, after, limit))]


def is_every_realm(conn: Connection, realms: Sequence[int]) -> bool:
    """Say whether these are all realms of the store."""
    sql = "SELECT count(*) FROM realms"
    return len(realms) == _known(conn, "count", lambda: int(conn.rows(sql)[0][0]))


def visible_realms(conn: Connection, within: Visibility) -> str:
    """Return the numbers of the realms in *within*, as a JSON array for binding."""

    def made() -> str:
        return json.dumps(realm_numbers(conn, within.owner, within.scopes))

    return _known(conn, within, made)


def is_visible(conn: Connection, recorded: Recorded, within: Visibility) -> bool:
    """Say whether a reader may see an event, by the visibility of its subject."""
    scope = recorded.event.named_scope or _scope_of_subject(conn, recorded)
    return scope is not None and within.admits(recorded.owner, scope)


def _scope_of_subject(conn: Connection, recorded: Recorded) -> Scope | None:
    seen_in, subject = recorded.event.aspects.seen_in, recorded.event.subject
    if isinstance(seen_in, str):
        return seen_in
    if isinstance(seen_in, Place):
        return _scope_at(conn, seen_in, recorded.seq) or _scope_undone(conn, recorded)
    place = Id.by_prefix[subject[:-ULID_CHARS]].place if subject else None
    return None if place is None else _scope_at(conn, place, place_of(conn, subject))


def _scope_undone(conn: Connection, recorded: Recorded) -> Scope | None:
    """Return the scope of what was undone, which need not have changed anything."""
    undone = recorded.event.undoes
    rows = conn.rows(_RECORD_OF, (decode_ulid(undone),)) if undone else []
    if not rows:
        return None
    before = read_record(rows[0])
    return before.event.named_scope or _scope_of_subject(conn, before)


def _scope_at(conn: Connection, place: Place, number: int) -> Scope | None:
    current = f"AND t.{place.current}" if place.current else ""
    sql = f"""SELECT r.scope FROM {place.table} t JOIN realms r ON r.realm_no = t.realm_no
        WHERE t.{place.key} = ? {current}"""  # noqa: S608 - names of ours
    found = conn.rows(sql, (number,))
    return Scope(found[0][0]) if found else None
