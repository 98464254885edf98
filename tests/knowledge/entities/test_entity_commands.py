"""`tilth entity`, `tilth edge` and `tilth about`."""

import pytest

from tilth.core.actor import Actor, ActorKind
from tilth.interfaces.cli import invocation

_INVALID, _NOT_FOUND, _CONFLICT, _FORBIDDEN = 2, 3, 4, 5


@pytest.fixture
def as_human(monkeypatch):
    """Let a person sit at the terminal."""
    human = Actor("human", ActorKind.HUMAN)
    return lambda: monkeypatch.setattr(invocation, "caller", lambda *_, **__: human)


def added(tilth, *words):
    return tilth("entity", "add", "--json", *words).answer["entity"]["id"]


def around(tilth, *words):
    return [node["name"] for node in tilth("entity", "around", "--json", *words).answer["nodes"]]


@pytest.mark.row("KB-002")
def test_one_host_is_one_node_for_two_projects(ready):
    host = added(ready, "proxmox-1", "--type", "host")
    for project in ("alpha", "beta"):
        assert added(ready, "Proxmox-1", "--type", "host", "--scope", f"project:{project}") == host
        ready("edge", "add", "proxmox-1", "used_by", project)

    assert around(ready, "proxmox-1") == ["proxmox-1", "alpha", "beta"]
    assert "proxmox-1 used_by alpha" in ready("entity", "around", "proxmox-1").out


@pytest.mark.row("KB-002")
def test_a_host_that_two_projects_keep_apart_tells_of_its_namesake(ready):
    ids = [added(ready, "proxmox-1", "--scope", f"project:{one}") for one in ("alpha", "beta")]

    assert ids[1] in ready("about", "proxmox-1").err
    assert "others go by" not in ready("about", ids[0]).err


@pytest.mark.row("KB-022")
@pytest.mark.parametrize("depth", ["0", "-3"])
def test_a_depth_below_one_is_told_the_least(ready, depth):
    run = ready("entity", "around", "hub", "--depth", depth)

    assert (run.code, "must be at least 1" in run.err) == (_INVALID, True)


@pytest.mark.row("KB-012")
def test_no_edge_is_of_a_kind_outside_the_list(ready):
    run = ready("edge", "add", "api", "related_to", "db")

    assert run.code == _INVALID
    assert "runs_on, uses, about, part_of, depends_on" in run.err
    assert ready("edge", "list", "--json").answer == {"edges": []}


@pytest.mark.row("KB-013")
def test_an_edge_is_there_once(ready):
    ready("edge", "add", "api", "uses", "db")

    assert "joined already" in ready("edge", "add", "api", "uses", "db").err
    assert ready("edge", "add", "api", "uses", "API").code == _INVALID
    (edge,) = ready("edge", "list", "api", "--json").answer["edges"]
    assert ready("edge", "retire", edge["id"]).code == 0
    assert ready("edge", "list", "--json").answer == {"edges": []}


@pytest.mark.row("KB-017")
def test_an_entity_is_found_by_any_of_its_names(ready):
    words = ("svc-postgres-dev", "--type", "service", "--alias", "dev-db")
    entity = added(ready, *words, "--alias", "192.168.3.88:5432")

    for name in ("dev-db", "192.168.3.88:5432", entity):
        assert ready("entity", "show", name, "--json").answer["entity"]["id"] == entity
    assert ready("entity", "resolve", "DEV-DB", "--json").answer["entity"]["id"] == entity


@pytest.mark.row("KB-022")
def test_a_walk_says_where_it_ends(ready):
    ready("edge", "add", "api", "depends_on", "db")

    run = ready("entity", "around", "db", "--depth", "99")
    assert "2 hops and no further" in run.err
    assert "api depends_on db" in ready("entity", "impact", "db").out


@pytest.mark.row("KB-030")
def test_a_human_merges_and_splits_and_an_agent_asks(ready, as_human):
    winner, loser = added(ready, "Postgres", "--type", "tech"), added(ready, "main database")
    before = ready("entity", "show", loser, "--json").answer

    assert "waits for a human" in ready("entity", "merge", winner, loser).err
    assert ready("entity", "show", loser, "--json").answer == before
    as_human()
    assert f"tilth entity split {loser}" in ready("entity", "merge", winner, loser).err
    assert ready("entity", "show", "main database", "--json").answer["entity"]["id"] == winner
    assert ready("entity", "split", loser).code == 0
    assert ready("entity", "show", loser, "--json").answer == before


def test_what_has_a_name_of_its_own_needs_no_id(ready, as_human):
    winner, _ = added(ready, "Postgres", "--type", "tech"), added(ready, "main database")
    as_human()

    assert ready("entity", "alias", "Postgres", "pg").code == 0
    assert ready("entity", "retype", "pg", "service").code == 0
    assert ready("entity", "unalias", "Postgres", "pg").code == 0
    ready("entity", "merge", "Postgres", "main database")

    assert ready("entity", "show", "main database", "--json").answer["entity"]["id"] == winner


def test_a_name_of_two_merges_neither(ready, as_human):
    for words in (["Ann"], ["Ann", "--namesake"], ["Bea"]):
        added(ready, *words)
    as_human()

    run = ready("entity", "merge", "Bea", "Ann")

    assert run.code == _CONFLICT
    assert "name one by its ID" in run.err


@pytest.mark.row("C-03")
def test_a_person_is_never_linked_without_a_human(ready):
    ada = added(ready, "Ada", "--type", "person")

    assert ready("entity", "add", "Ada", "--type", "person").code == _CONFLICT
    assert added(ready, "Ada", "--type", "person", "--namesake") != ada
    assert ready("entity", "alias", ada, "the countess").code == _FORBIDDEN
    assert ready("entity", "unalias", ada, "the countess").code == _FORBIDDEN
    assert "others go by that name" in ready("entity", "show", "Ada").err


@pytest.mark.row("KB-029")
def test_names_that_come_close_are_asked_about(ready):
    added(ready, "Grafana dashboard", "--type", "service")

    run = ready("entity", "add", "Grafana dashbord", "--type", "service")
    assert "may be known under another name" in run.err
    assert "spelled alike" in ready("entity", "suggest", "Grafana dashbord").out
    assert ready("entity", "search", "grafana", "--json").answer["found"]
    assert "asked about" in ready("entity", "tidy").out


def test_about_says_all_that_is_known_of_a_thing(ready):
    added(ready, "Postgres", "--type", "tech", "--alias", "pg")
    ready("fact", "add", "It answers on 5432.", "--about", "pg")
    ready("edge", "add", "pg", "runs_on", "proxmox")
    ready("remember", "We moved pg to the new host.")

    out = ready("about", "postgres").out
    for said in ("also pg", "It answers on 5432.", "Postgres runs_on proxmox", "We moved pg"):
        assert said in out
    run = ready("about", "postgress")
    assert run.code == _NOT_FOUND
    assert "close: Postgres" in run.err


def test_a_type_is_said_once_by_anybody_and_changed_by_a_human(ready, as_human):
    entity = added(ready, "db-1")

    assert "host" in ready("entity", "retype", entity, "host").out
    assert ready("entity", "retype", entity, "tool").code == _FORBIDDEN
    as_human()
    assert ready("entity", "retype", entity, "tool").code == 0
    assert "db-1" in ready("entity", "list", "--limit", "1").out
    assert ready("entity", "unalias", entity, "nothing").code == _INVALID


@pytest.mark.row("EM-022")
def test_a_human_links_and_verifies_and_is_told_so(ready, as_human):
    person = added(ready, "Ada", "--type", "person")
    asked = ready("entity", "link", "Ada", "email", "ada@example.org")
    assert "it waits for a human: tilth review show prp_" in asked.err
    assert ready("entity", "verify", "email", "ada@example.org").code == _FORBIDDEN
    missing = ready("entity", "resolve", "ada@example.org", "--transport", "email")
    assert (missing.code, missing.out) == (_NOT_FOUND, "")

    as_human()
    assert ready("entity", "link", "Ada", "email", "Ada+x@example.org").code == 0
    run = ready("entity", "verify", "email", "ada@example.org")
    assert "verified" in run.err
    assert "confirmed" in run.out
    found = ready("entity", "resolve", "ADA@example.org", "--transport", "email", "--json").answer
    assert (found["entity"]["id"], found["identity"]["confidence"]) == (person, "confirmed")
    other = added(ready, "Bob", "--type", "person")
    taken = ready("entity", "link", other, "email", "ada@example.org")
    assert (taken.code, "unlink first" in taken.err) == (_CONFLICT, True)
    assert "unlinked" in ready("entity", "unlink", "email", "ada@example.org").err
    assert ready("entity", "identities", "Ada", "--json").answer == {"identities": []}


@pytest.mark.row("EM-023")
def test_suggesting_at_the_command_line_links_nothing(ready, as_human):
    as_human()
    person = added(ready, "Ada", "--type", "person")
    ready("entity", "link", "Ada", "matrix", "ada@example.org", "--verified")

    words = ("entity", "suggest", "ada@example.org", "--transport", "email", "--json")
    assert [one["entity"]["id"] for one in ready(*words).answer["suggestions"]] == [person]
    assert ready("entity", "stats", "--json").answer["identities"] == {"matrix": 1}


@pytest.mark.row("EM-028")
def test_a_profile_shows_what_holds_and_how_it_came(ready):
    added(ready, "Ada", "--type", "person")
    for language in ("English", "French"):
        run = ready("entity", "profile", "Ada", "--key", "language", "--value", language)
        assert run.code == 0

    for nothing in (("--confidence", "high"), ("--evidence", "epi_" + "0" * 26)):
        run = ready("entity", "profile", "Ada", "--key", "language", *nothing)
        assert (run.code, "--value" in run.err) == (_INVALID, True)
    assert "French" in ready("entity", "profile", "Ada").out
    lines = ready("entity", "profile", "Ada", "--history", "--key", "language").out.splitlines()
    assert ["CURRENT" in line for line in lines] == [False, True]


@pytest.mark.row("EM-031")
def test_twenty_messages_are_shown_unless_another_number_is_asked_for(ready, as_human):
    as_human()
    added(ready, "Ada", "--type", "person")
    ready("entity", "link", "Ada", "email", "ada@example.org")
    for number in range(21):
        words = ("--transport", "email", "--address", "ada@example.org")
        assert ready("remember", f"message {number}", *words).code == 0

    def shown(*words):
        run = ready("entity", "context", "Ada", *words, "--json")
        return [one["text"] for one in run.answer["episodes"]]

    assert shown() == [f"message {number}" for number in range(1, 21)]
    assert shown("--limit", "2") == ["message 19", "message 20"]
    assert "21 in all" in (told := ready("entity", "context", "Ada")).out + told.err


@pytest.mark.row("EM-031", "EM-042")
def test_what_passed_is_shown_by_transport_and_masked(ready, as_human):
    as_human()
    added(ready, "Ada", "--type", "person")
    ready("entity", "link", "Ada", "email", "ada@example.org")
    words = ("--transport", "email", "--address", "ada@example.org")
    ready("remember", "write to bob@example.com", *words)

    run = ready("entity", "context", "Ada", "--privacy-filter", "--json")
    assert [one["text"] for one in run.answer["episodes"]] == ["write to [email]"]
    assert "bob@example.com" in ready("entity", "context", "Ada", "--transport", "email").out
    assert ready("entity", "context", "Ada", "--transport", "irc").out == ""


@pytest.mark.row("EM-020")
def test_somebody_new_comes_with_an_address_and_a_note_or_not_at_all(ready, as_human):
    as_human()
    words = ("entity", "add", "Ada", "--type", "person", "--transport", "email")
    run = ready(*words, "--address", "Ada+x@Example.org", "--note", "likes pumps", "--json")
    assert run.answer["linked"]["identity"]["address"]["address"] == "ada@example.org"
    assert "likes pumps" in ready("entity", "profile", "Ada", "--key", "notes").out

    bob = ("entity", "add", "Bob", "--type", "person", "--transport", "email", "--address")
    assert ready(*bob, "ada@example.org").code == _CONFLICT
    assert ready(*bob, "no address").code == _INVALID
    assert ready(*bob[:-1]).code == _INVALID
    for nowhere in (("--display-name", "Bobby"), ("--verified",)):
        refused = ready("entity", "add", "Bob", "--type", "person", *nowhere)
        assert (refused.code, "--alias NAME" in refused.err) == (_INVALID, True)
    assert ready("entity", "add", "Bob", "--type", "pigeon").code == _INVALID
    assert ready("entity", "show", "Bob").code == _NOT_FOUND


@pytest.mark.row("EM-020")
def test_an_agent_that_introduces_somebody_asks_whose_the_address_is(ready):
    words = ("entity", "add", "Ada", "--type", "person", "--transport", "irc", "--address", "ada")
    run = ready(*words)
    assert "it waits for a human" in run.err
    assert ready("entity", "resolve", "ada", "--transport", "irc").code == _NOT_FOUND
    refused = ready("entity", "add", "Eve", "--transport", "irc", "--address", "eve", "--verified")
    assert refused.code == _FORBIDDEN
    assert ready("entity", "show", "Eve").code == _NOT_FOUND


@pytest.mark.row("EM-031")
def test_entities_are_listed_by_type_and_transport(ready, as_human):
    as_human()
    for name, type_, transport in (("Ada", "person", "irc"), ("bot", "agent", "matrix")):
        words = ("--type", type_, "--transport", transport, "--address", name)
        ready("entity", "add", name, *words)
    ready("entity", "add", "thor", "--type", "host")

    def names(*words):
        told = ready("entity", "list", *words, "--json").answer["entities"]
        return [one["name"] for one in told]

    assert names("--type", "agent") == ["bot"]
    assert names("--transport", "irc") == ["Ada"]
    assert names("--type", "host", "--transport", "irc") == []
    assert len(names()) == 3
