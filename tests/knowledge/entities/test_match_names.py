"""Matching: what is taken for the same, what is suggested, and why."""

import pytest

from tilth.knowledge.entities.match_names import FLOOR, Named, NameMatch, match


def make(name, *, id_="known", **said):
    return Named(id=id_, name=name, **{"type": "tech", **said})


def sought(name, **said):
    return make(name, id_="sought", **said)


def suggested(decision):
    return [one.id for one in decision.suggestions]


@pytest.mark.row("KB-027")
def test_a_name_and_its_aliases_mean_one_thing():
    hub = make("PostgreSQL", aliases=("pg", "Postgres", "192.168.3.88"))

    for name in ("postgresql", "PG", "\uff30\uff27", "'192.168.3.88'"):
        decision = match(sought(name), [hub, make("Redis", id_="other")])

        assert decision.same is not None, name
        assert decision.same.id == hub.id
        assert decision.same.score == 1.0

    assert match(sought("postgresql"), [hub]).same.verdict is NameMatch.EXACT
    assert match(sought("pg"), [hub]).same.verdict is NameMatch.ALIAS
    assert match(sought("Postgres Server", aliases=("PostgreSQL",)), [hub]).same is not None


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("db-1", "db-2"),
        ("PostgreSQL 15", "PostgreSQL 16"),
        ("Python 2", "Python 3"),
        ("Windows XI", "Windows 10"),
        ("RTX 4080", "RTX 4090"),
        ("staging-db", "prod-db"),
        ("prod", "non-prod"),
        ("Northern League", "Southern League"),
        ("web frontend", "web backend"),
        # A thing is never its part, nor one part another (DU-004).
        ("urn:client:acme", "urn:client:acme/CEO"),
        ("urn:client:acme/CEO", "urn:client:Acme"),
        ("urn:client:acme/CEO", "urn:client:acme/CFO"),
    ],
)
def test_rivals_are_neither_merged_nor_suggested(name, other):
    decision = match(sought(name), [make(other)])

    assert decision.same is None
    assert decision.suggestions == ()

    (asked,) = match(sought(name), [make(other)], floor=0.0).suggestions
    assert asked.score < FLOOR
    assert ", but " in asked.reason


@pytest.mark.row("DU-004", "T19")
@pytest.mark.parametrize(
    "other", ["urn:client:acme/heads of sales", "urn:client:acme/head of s\u0430les"]
)
def test_one_part_in_two_spellings_is_for_a_human(other):
    assert suggested(match(sought("urn:client:acme/head of sales"), [make(other)])) == ["known"]


@pytest.mark.row("EM-024")
@pytest.mark.parametrize("kind", ["person", "agent", "account", "organisation", "decision"])
def test_nobody_is_merged_by_a_name(kind):
    decision = match(sought("Lucas", type=kind), [make("Lucas", type=kind)])

    assert decision.same is None
    assert suggested(decision) == ["known"]
    assert "only a human says" in decision.suggestions[0].reason


@pytest.mark.row("EM-023", "EM-024")
@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Zephyrine Marlowe", "Zephyrine Okonkwo"),
        ("Zephyrine Marlowe, PhD", "Dr. Zephyrine Okonkwo"),
        ("Marlowe, Zephyrine", "Okonkwo, Zephyrine"),
        ("Zephyrine Anne Marlowe (Acme)", "Zephyrine Anne Okonkwo (Acme)"),
        ("zephyrine.marlowe", "Zephyrine O."),
    ],
)
def test_two_persons_of_one_first_name_are_told_apart_by_their_family_names(name, other):
    among = [make(other, type="person"), make("Ben Ito", id_="ben", type="person")]

    assert "known" not in suggested(match(sought(name, type="person"), among))
    # Who is called both is the same, by whichever name.
    both = sought(name, type="person", aliases=(other.replace("e", "a", 1),))
    assert "known" in suggested(match(both, among))


@pytest.mark.row("EM-023")
@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Zephyrine Marlowe", "Zephyrine Marlow"),
        ("Zephyrine Marlowe", "Marlowe, Zephyrine"),
        ("Zephyrine Marlowe", "Zephyrine"),
        ("Zephyrine Marlowe (Acme)", "Zephyrine Marlowe (Globex)"),
        ("Zephyrine Marlowe-Okonkwo", "Zephyrine Okonkwo"),
        ("Zephyrine Marlowe", "Zephyrine Anne Marlowe"),
    ],
)
def test_who_may_bear_the_same_family_name_is_suggested(name, other):
    among = [make(other, type="person"), make("Ben Ito", id_="ben", type="person")]

    assert suggested(match(sought(name, type="person"), among)) == ["known"]


def why(name, other, kind):
    """Return what is said of two names, however unlike."""
    found = match(sought(name, type=kind), [make(other, type=kind)], floor=0.0)
    return found.suggestions[0].reason


@pytest.mark.row("EM-023")
@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Piotr Kowalczyk", "Anna Kowalczyk"),
        ("Kowalczyk, Piotr", "Anna Kowalczyk"),
        ("Piotr Kowalczyk (Acme)", "Anna Kowalczyk (Acme)"),
        ("Łukasz Kowalczyk", "Małgorzata Kowalczyk"),
    ],
)
def test_relatives_are_told_apart_by_their_given_names(name, other):
    assert " is not " in why(name, other, "person")
    assert " is not " in why(other, name, "person")
    # Things have no given names.
    assert " is not " not in why(name, other, "service")


@pytest.mark.row("EM-023")
@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Ania Kowalczyk", "Anna Kowalczyk"),
        ("Bob Featherstone", "Robert Featherstone"),
        ("Giovanni Featherstone", "John Featherstone"),
        ("A. Kowalczyk", "Anna Kowalczyk"),
        ("Anna Maria Kowalczyk", "Maria Kowalczyk"),
        ("Anna Maria Kowalczyk", "Mary Kowalczyk"),
        ("Mario Kowalczyk", "Maria Kowalczyk"),
        ("Zlatibor Kowalczyk", "Anna Kowalczyk"),
        ("Kowalczyk Anna", "Anna Kowalczyk"),
    ],
)
def test_nothing_sets_apart_who_may_bear_the_same_given_name(name, other):
    assert " is not " not in why(name, other, "person")
    assert " is not " not in why(other, name, "person")


@pytest.mark.row("DU-059")
def test_what_nobody_typed_is_merged_only_as_it_is_written():
    lucas = make("Lucas", type="thing")

    assert match(sought("lucas", type="thing"), [lucas]).same is None
    assert suggested(match(sought("lucas", type="thing"), [lucas])) == ["known"]
    assert match(sought("Lucas", type="thing"), [lucas]).same is not None
    assert match(sought("lucas", type="thing"), [make("Lucas", type="person")]).same is None
    assert match(sought("redis", type="thing"), [make("Redis", type="service")]).same is not None


@pytest.mark.row("T19")
@pytest.mark.parametrize(
    "imitation",
    [
        "P\u043estgres",
        "Post\u200bgres",
        "\U0001d40fostgres",
        "P0stgres",
        "Postgr\u00e9s",
    ],
)
def test_an_imitation_is_suggested_and_never_merged(imitation):
    for one, other in ((imitation, "Postgres"), ("Postgres", imitation)):
        decision = match(sought(one), [make(other)])

        assert decision.same is None
        assert suggested(decision) == ["known"]


@pytest.mark.row("T19")
def test_an_imitation_is_no_alias_either():
    decision = match(sought("p\u200bg"), [make("PostgreSQL", aliases=("pg",))])

    assert decision.same is None
    assert suggested(decision) == ["known"]


def test_a_name_that_several_bear_is_for_a_human():
    first, second = make("PostgreSQL", aliases=("pg",)), make("pgAdmin", id_="b", aliases=("pg",))

    decision = match(sought("pg"), [first, second])

    assert decision.same is None
    assert set(suggested(decision)) == {"known", "b"}


def test_one_name_for_two_kinds_of_things_is_for_a_human():
    decision = match(sought("Mercury", type="service"), [make("Mercury", type="person")])

    assert decision.same is None
    assert "a person and a service" in decision.suggestions[0].reason


def test_one_name_in_two_places_is_for_a_human():
    decision = match(sought("db", place="alpha"), [make("db", place="beta")])

    assert decision.same is None
    assert "in alpha and in beta" in decision.suggestions[0].reason
    assert match(sought("db", place="Alpha"), [make("db", place="alpha")]).same is not None
    assert match(sought("db", place="alpha"), [make("db")]).same is not None


def test_an_alias_of_both_is_no_more_than_a_suggestion():
    decision = match(sought("Redis", aliases=("cache",)), [make("Memcached", aliases=("Cache",))])

    assert decision.same is None
    assert decision.suggestions[0].reason == "an alias of both"


@pytest.mark.parametrize(
    ("name", "other", "reason"),
    [
        ("Home Assistant", "HomeAssistant", "the same but for what parts its words"),
        ("Node.js", "NodeJS", "the same but for what parts its words"),
        ("AWS", "Amazon Web Services", "one is the initials of the other"),
        ("MoD", "Ministry of Defence", "one is the initials of the other"),
        ("Kubernets", "Kubernetes", "spelled alike"),
        ("Promehteus", "Prometheus", "spelled alike"),
        ("reddis", "Redis", "spelled alike"),
        ("GitLab CI", "GitLab", "'gitlab' in common"),
        ("Müller GmbH", "Muller GmbH", "they look alike, in different letters"),
    ],
)
def test_what_is_alike_is_suggested_with_the_reason(name, other, reason):
    known = [make(other), make("Grafana", id_="a"), make("Nagios", id_="b")]

    decision = match(sought(name), known)

    assert decision.same is None
    assert decision.suggestions[0].id == "known"
    assert decision.suggestions[0].reason == reason
    assert FLOOR <= decision.suggestions[0].score < 1.0


def test_what_has_nothing_in_common_is_not_suggested():
    assert match(sought("MariaDB"), [make("Grafana"), make("Redis", id_="b")]) == match(
        sought("MariaDB"), []
    )


def test_suggestions_come_best_first_and_are_few():
    known = [make(f"Grafana {word}", id_=word) for word in "abcdefgh"] + [make("Grafana x y z")]

    decision = match(sought("Grafana x y"), known, limit=3, floor=0.0)

    assert suggested(decision)[0] == "known"
    assert len(decision.suggestions) == 3
    assert sorted(decision.suggestions, key=lambda one: -one.score) == list(decision.suggestions)


def test_an_entity_is_no_match_of_itself():
    assert match(make("Redis"), [make("Redis")]).same is None
    assert match(make("Redis"), [make("Redis")]).suggestions == ()
