"""Triples at the command line."""

import pytest

from tests.program import acting

ACME = "urn:client:acme"
# As the design of seed 002 prints them.
PRINTED = [
    ("entity", ACME, "is_a", "client"),
    ("entity", ACME, "located_in", "São Paulo"),
    ("entity", ACME, "uses", "DOS"),
    ("milestone", ACME, "first_call", "2026-04-12"),
    ("relationship", "urn:person:marina", "role_at", "urn:client:acme/CTO"),
]


@pytest.fixture
def acme(ready):
    for triple in PRINTED:
        assert ready("kg", "add", *triple).code == 0
    return ready


def parts(triples):
    return sorted(
        (one["channel"], one["subject"], one["predicate"], one["object"]) for one in triples
    )


@pytest.mark.row("DU-013")
def test_the_command_line_gives_exactly_the_five_triples(acme):
    found = acme("kg", "query", ACME, "--depth", 2, "--json").answer

    assert parts(found["triples"]) == sorted(PRINTED)
    assert {one["freshness"] for one in found["triples"]} == {"fresh"}


def test_the_command_line_tells_a_candidate_from_what_is_known(acme):
    with acting("human"):
        acme("kg", "add", "entity", ACME, "owned_by", "Lucia")

    lines = acme("kg", "query", ACME).out.splitlines()
    stands = dict(zip(lines[::2], lines[1::2], strict=True))
    assert "current, known, " in stands[f"{ACME}  owned_by  Lucia"]
    assert "current, candidate, " in stands[f"{ACME}  uses  DOS"]


@pytest.mark.parametrize(
    "asked",
    [
        ("query", ACME, "--known-at", "yesterday"),
        ("query", ACME, "--as-of", "2001-01-01"),
        ("timeline", ACME, "--known-at", "yesterday"),
        ("stats", "--known-at", "yesterday"),
    ],
)
def test_nobody_is_told_to_state_a_triple_in_the_past(acme, asked):
    told = acme("kg", *asked)

    assert told.out == ""
    assert "no triple said anything of that then" in told.err
    assert "state one" not in told.err


@pytest.mark.parametrize("asked", [("query", "zeppelin"), ("timeline", "zeppelin"), ("stats",)])
def test_where_no_triple_is_whoever_asks_is_told_how_to_state_one(ready, asked):
    assert "state one: tilth kg add" in ready("kg", *asked).err


@pytest.mark.row("DU-014")
def test_the_command_line_says_where_a_walk_was_cut(acme):
    done = acme("kg", "query", ACME, "--depth", 50)

    assert done.code == 0
    assert "depth 5 is the limit" in done.err


@pytest.mark.row("DU-016")
def test_the_graph_is_for_people_to_look_at(acme):
    found = acme("kg", "explore", ACME, "--json").answer

    assert "urn:person:marina" in found["nodes"]
    assert len(found["links"]) == 5


@pytest.mark.row("DU-002")
def test_the_command_line_names_the_six_channels(ready):
    done = ready("kg", "add", "misc", "Acme", "uses", "DOS")

    assert done.code != 0
    assert "agent_diary" in done.err


@pytest.mark.row("MP-08")
def test_timeline_and_stats_at_the_command_line(acme):
    acme("kg", "add", "relationship", "urn:person:marina", "role_at", "urn:client:globex/CEO")

    told = acme("kg", "timeline", "urn:person:marina", "--json").answer["triples"]
    assert [one["object"] for one in told] == ["urn:client:acme/CTO", "urn:client:globex/CEO"]
    assert acme("kg", "stats", "--json").answer["count"] == 5
    assert "São Paulo" in acme("kg", "query", ACME).out


@pytest.mark.row("OB-058", "MP-08")
@pytest.mark.parametrize("verb", ["kg", "fact", "propose", "plan"])
def test_an_interval_inverted_by_one_day_is_refused_by_the_day_that_was_given(ready, verb):
    says = {
        "kg": ("kg", "add", "entity", "urn:q:q", "note", "v"),
        "fact": ("fact", "add", "It is open.", "--about", "shop"),
        "propose": ("fact", "propose", "It is open.", "--about", "shop"),
        "plan": ("fact", "plan", "It is open.", "--about", "shop"),
    }[verb]

    def stated(first, last):
        return ready(*says, "--valid-from", first, "--valid-to", last)

    for first in ("2026-05-02", "2026-05-03"):
        refused = stated(first, "2026-05-01")
        assert refused.code == 2
        assert "cannot end with 2026-05-01, before it begins" in refused.err
        assert "2026-05-02" not in refused.err.replace(f"it begins at {first}", "")
    assert stated("2026-05-01T10:00:00+00:00", "2026-05-01T10:00:00+00:00").code == 2
    whole = stated("2026-05-01", "2026-05-01")
    assert "cannot end" not in whole.err
    assert verb == "propose" or whole.code == 0


@pytest.mark.row("OB-058")
@pytest.mark.usefixtures("as_person")
def test_what_is_retired_as_it_began_is_rebuilt(ready):
    at = "2026-05-01T10:00:00+00:00"
    added = ready("fact", "add", "It is open.", "--about", "shop", "--valid-from", at, "--json")
    id_ = added.answer["fact"]["id"]

    assert ready("fact", "retire", id_, "--reason", "never", "--valid-to", at).code == 0
    assert ready("rebuild").code == 0
    assert ready("verify").code == 0


@pytest.mark.row("MP-08")
def test_a_time_that_is_none_is_refused_and_a_day_is_one(acme):
    assert acme("kg", "add", "entity", ACME, "phase", "one", "--valid-from", "2025-01-01").code == 0
    assert acme("kg", "add", "entity", ACME, "phase", "two", "--valid-from", "soon").code == 2
    assert acme("kg", "query", ACME, "--as-of", "2025-13-01").code == 2

    def phases(day):
        found = acme("kg", "query", ACME, "--as-of", day, "--json").answer["triples"]
        return [one["object"] for one in found if one["predicate"] == "phase"]

    assert [phases("2024-12-31"), phases("2025-01-02")] == [[], ["one"]]


@pytest.mark.row("DU-005")
def test_a_decision_without_a_rationale_is_refused_at_the_command_line(ready):
    assert "rationale" in ready("kg", "add", "decision", "Storage", "engine", "SQLite").err
    done = ready("kg", "add", "decision", "Storage", "engine", "SQLite", "--rationale", "one file")
    assert done.code == 0


@pytest.mark.row("DU-013")
def test_a_position_leads_from_a_company_to_who_holds_it(ready):
    ready("kg", "add", "entity", "Acme", "is_a", "client")
    stated = ready("kg", "add", "relationship", "Marina", "role_at", "the CTO at Acme", "--json")

    assert stated.answer["fact"]["said"]["triple"]["object"] == "urn:client:acme/CTO"
    for name in ("Acme", "acme", "urn:client:acme"):
        found = ready("kg", "query", name, "--depth", 2, "--json").answer["triples"]
        assert {(one["subject"], one["object"]) for one in found} == {
            ("Acme", "client"),
            ("Marina", "urn:client:acme/CTO"),
        }
    assert len(ready("kg", "query", "Acme", "--json").answer["triples"]) == 1
    assert "Marina" in ready("about", "Acme").out


@pytest.mark.row("DU-013")
@pytest.mark.parametrize(
    ("role", "position"),
    [
        ("the CTO of Acme", "acme/CTO"),
        ("interim CEO of Bank of Ireland", "bank-of-ireland/interim CEO"),
        ("co-founder of 3M", "3m/co-founder"),
        ("Chief Technology Officer of Ünal", "ünal/Chief Technology Officer"),
    ],
)
def test_who_heads_a_company_has_a_position_at_it(ready, role, position):
    stated = ready("kg", "add", "relationship", "Marina", "role_at", role, "--json").answer

    assert stated["fact"]["said"]["triple"]["object"] == f"urn:client:{position}"


@pytest.mark.parametrize(
    "role",
    [
        "Head of Sales",
        "user's accountant",
        "urn:client:acme/CTO",
        "VP of Sales",
        "Vice President of Sales",
        "CEO of the company",
        "photo of Acme",
    ],
)
def test_a_role_that_names_no_place_stays_as_it_was_said(ready, role):
    stated = ready("kg", "add", "relationship", "Miguel", "role_at", role, "--json").answer

    assert stated["fact"]["said"]["triple"]["object"] == role


@pytest.mark.row("C-22")
def test_what_was_so_until_a_day_is_shown_with_that_day_as_its_last(ready):
    lived = ("relationship", "Marina", "lives_in")
    ready("kg", "add", *lived, "Rome", "--valid-from", "2025-01-01", "--valid-to", "2025-12-31")
    ready("kg", "add", *lived, "Porto", "--valid-from", "2026-01-01")

    shown = ready("kg", "timeline", "Marina").out
    assert "2025-01-01 to 2025-12-31 " in shown
    assert "2026-01-01 to now " in shown
    (rome,) = ready("state", "--as-of", "2025-12-31", "--json").answer["facts"]
    assert "Holds: 2025-01-01 to 2025-12-31" in ready("render", rome["fact"]["id"]).out


@pytest.mark.row("DU-062")
def test_a_list_that_was_cut_says_how_to_see_the_rest(ready):
    for tool in ("Go", "Rust", "Zig"):
        ready("kg", "add", "entity", "Ada", "uses", tool)

    cut = ready("kg", "timeline", "Ada", "--limit", 2)
    assert "Go" not in cut.out
    assert "there may be earlier ones: --limit N" in cut.err
    assert "earlier" not in ready("kg", "timeline", "Ada").err
    first = ready("fact", "list", "--limit", 2)
    assert "there may be more: --offset 2" in first.err
    rest = ready("fact", "list", "--limit", 2, "--offset", 2)
    assert len(rest.out.splitlines()) == 2
    assert "more" not in rest.err
    assert "that was all" in ready("fact", "list", "--offset", 9).err
