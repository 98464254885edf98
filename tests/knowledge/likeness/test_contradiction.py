"""Which near statement is contradicted, and the reason that is given."""

import pytest

from tilth.knowledge.likeness.conflicts import ConflictKind
from tilth.knowledge.likeness.contradiction import FLOOR, Near, rank

COSINE = 0.85


@pytest.mark.parametrize(
    ("new", "old", "kind", "reason"),
    [
        (
            "We no longer use Redis for sessions",
            "We use Redis for sessions",
            ConflictKind.DENIAL,
            'denies "use Redis \u2026 sessions"',
        ),
        (
            "We use Redis for sessions",
            "We don't use Redis for sessions",
            ConflictKind.DENIAL,
            'says "use Redis \u2026 sessions", which the other denies',
        ),
        (
            "sshd is disabled on host-a",
            "sshd is enabled on host-a",
            ConflictKind.OPPOSITE,
            'says "disabled" where the other says "enabled"',
        ),
        (
            "IPv6 is turned off on the router",
            "IPv6 is turned on on the router",
            ConflictKind.OPPOSITE,
            'says "off" where the other says "on"',
        ),
        (
            "Grafana listens on port 3001",
            "The Grafana port is 3000",
            ConflictKind.NUMBER,
            'says "3001" where the other says "3000"',
        ),
        (
            "The nightly backup runs at 4 am",
            "The nightly backup runs at 02:00",
            ConflictKind.TIME,
            'says "4 am" where the other says "02:00"',
        ),
        (
            "The release is planned for 5 May 2026",
            "The release is planned for 12 April 2026",
            ConflictKind.TIME,
            'says "5 May 2026" where the other says "12 April 2026"',
        ),
        (
            "The primary database is db2",
            "The primary database is db1",
            ConflictKind.NAME,
            'says "db2" where the other says "db1"',
        ),
        (
            "node02 replicates to node01",
            "node01 replicates to node02",
            ConflictKind.NAME,
            'says of "node02" what the other says of "node01"',
        ),
        (
            "Ana is allergic to peanuts",
            "Ana is allergic to shellfish",
            ConflictKind.VALUE,
            'says "peanuts" where the other says "shellfish"',
        ),
        (
            "Ana speaks only English",
            "Ana speaks English and French",
            ConflictKind.DENIAL,
            'one says "only", and the other says more: "French"',
        ),
    ],
)
def test_a_changed_statement_is_flagged_with_its_reason(new, old, kind, reason):
    (found,) = rank(new, [Near(old, COSINE)])

    assert (found.index, found.kind, found.reason) == (0, kind, reason)
    assert found.score >= FLOOR


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("Backups are kept for two weeks", "Backups are kept for 14 days"),
        ("Ben joined in March 2023", "Ben joined on 2023-03-14"),
        ("Ben and Ana share an office", "Ana and Ben share an office"),
        ("The nightly backup of nas runs at 02:00", "The nightly backup runs at 02:00"),
        ("node01 is replicated by node02", "node02 replicates node01"),
        ("We run version 3", "We run version 3.1"),
        ("sshd is not disabled", "sshd is not disabled on host-a"),
        ("sshd is not enabled", "sshd is disabled"),
        ("", "Anything"),
    ],
)
def test_what_says_the_same_or_more_is_not_ranked_at_all(new, old):
    assert rank(new, [Near(old, 1.0)], floor=0.0) == []


@pytest.mark.parametrize(
    ("new", "old", "cosine"),
    [
        ("Grafana listens on port 3000", "Prometheus listens on port 9090", 0.51),
        ("db1 has 32 GB of memory", "db2 has 64 GB of memory", 0.9),
        ("Redis is used for caching", "Postgres is used for storage", 0.39),
        ("The deploy failed as the disk was full", "The deploy was rolled back", 0.58),
        ("The admin service uses port 9090", "The shop service uses port 8080", 0.95),
        ("The address of thor is 192.0.2.9", "The address of loki is 192.0.2.1", 0.95),
        ("192.0.2.9 belongs to the printer", "192.0.2.1 belongs to the printer", 0.95),
        ("The address 192.0.2.9 is taken", "The address 192.0.2.1 is taken", 0.95),
        ("Issue #14 is open", "Issue #12 is open", 0.95),
        ("Port 9090 is for the shop", "Port 8080 is for the shop", 0.95),
    ],
)
def test_what_is_about_another_thing_is_not_flagged(new, old, cosine):
    assert rank(new, [Near(old, cosine)]) == []


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("The router is at 192.0.2.9", "The router is at 192.0.2.1"),
        ("The router is at 2001:db8::2", "The router is at 2001:db8::1"),
        ("The shop service uses port 9090", "The shop service uses port 8080"),
        ("Room 5 has 4 chairs", "Room 5 has 3 chairs"),
        ("Version 4 is in production", "Version 3 is in production"),
    ],
)
def test_another_figure_of_the_same_thing_is_flagged(new, old):
    (found,) = rank(new, [Near(old, 0.95)])

    assert found.kind is ConflictKind.NUMBER


def test_the_likeliest_comes_first_and_the_floor_cuts_the_rest():
    pool = [
        Near("Ana enjoys hiking in the hills", 0.4),
        Near("Ana lives in Lisbon with her sister", 0.9),
        Near("Ben lives in Faro", 0.5),
    ]
    new = "Ana lives in Porto with her sister"

    assert rank(new, pool, floor=0.0)[0].index == 1
    assert [found.index for found in rank(new, pool)] == [1]


def test_without_vectors_shared_words_decide():
    pool = [Near("The nightly backup runs at 02:00"), Near("Ana wrote the nightly report")]

    assert [found.index for found in rank("The nightly backup runs at 04:00", pool)] == [0]


def test_a_reason_quotes_no_more_than_a_line():
    new, old = ("Ana likes " + " ".join(f"{side}{i:03}x" for i in range(40)) for side in "ab")

    assert all(len(found.reason) < 160 for found in rank(new, [Near(old, 1.0)], floor=0.0))
