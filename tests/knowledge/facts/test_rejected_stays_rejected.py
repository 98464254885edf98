"""
What a human rejected stays rejected: in other words, another slot, no slot, another scope.

Each variant says again, as an agent, what a human rejected before. None of them may become
current; each is refused, or waits with the rejection beside it. The controls say something else
of the same thing, or the same of something else, and go in as ever.
"""

from contextlib import suppress
from dataclasses import dataclass, field

import pytest

from tests.program import acting
from tilth.core.errors import ForbiddenError
from tilth.core.lifecycle import Lifecycle

ROUTER = {"system": "lab", "component": "router"}
LEDGER = {"subject": "ledger", "predicate": "uses", "channel": "entity"}
ANA = {"subject": "Ana", "predicate": "works_for", "channel": "relationship"}
PORT = {"subject": "api", "predicate": "port", "channel": "entity"}


@dataclass(frozen=True)
class Rejected:
    """A true statement that a human made, and a false one of an agent that the human rejected."""

    true: dict = field(default_factory=dict)
    false: dict = field(default_factory=dict)
    aliases: dict = field(default_factory=dict)


ADDRESS = Rejected(
    {"text": "The router is at 192.0.2.1.", **ROUTER},
    {"text": "The router is at 192.0.2.9.", **ROUTER},
    {"router": ["gateway", "edge box"]},
)
STORE = Rejected(
    {"object": "postgres", **LEDGER},
    {"object": "sqlite", **LEDGER},
    {"postgres": ["pg"], "sqlite": ["lite", "sqlite3"], "ledger": ["book of record"]},
)
EMPLOYER = Rejected({"object": "Acme", **ANA}, {"object": "Globex", **ANA}, {"Ana": ["Anita"]})
NUMBER = Rejected({"object": "8080", **PORT}, {"object": "9090", **PORT})
HABIT = Rejected(
    {"text": "We deploy on Mondays.", "about": ["deploys"]},
    {"text": "We deploy on Fridays.", "about": ["deploys"]},
)
TOOL = Rejected(
    {"text": "The build uses uv.", "about": ["build"]},
    {"text": "The build uses pnpm.", "about": ["build"]},
)


def told(text, **telling):
    return {"text": text, **telling}


AGAIN = [
    # The very words, in other places.
    (ADDRESS, told("The router is at 192.0.2.9.", **ROUTER)),
    (ADDRESS, told("The router is at 192.0.2.9.", about=["router"])),
    (ADDRESS, told("The router is at 192.0.2.9.", system="lab", component="gateway-address")),
    (ADDRESS, told("The router is at 192.0.2.9.", system="LAB", component="Router ")),
    (ADDRESS, told("The router is at 192.0.2.9.", system="home", component="router")),
    (ADDRESS, told("The router is at 192.0.2.9.", system="lab")),
    (ADDRESS, told("The router is at 192.0.2.9.", scope="project:lab", **ROUTER)),
    (ADDRESS, told("The router is at 192.0.2.9.", scope="project:lab", about=["router"])),
    (ADDRESS, told("The router is at 192.0.2.9.", scope="domain:home", **ROUTER)),
    (ADDRESS, told("The router is at 192.0.2.9.", confidence="high", area="Network", **ROUTER)),
    # Other words.
    (ADDRESS, told("The router is at 192.0.2.9, as I said.", **ROUTER)),
    (ADDRESS, told("As I said, the router is at 192.0.2.9.", about=["router"])),
    (ADDRESS, told("The router's address is 192.0.2.9.", **ROUTER)),
    (ADDRESS, told("192.0.2.9 is the address of the router.", about=["router"])),
    (ADDRESS, told("router: 192.0.2.9", about=["router"])),
    (ADDRESS, told("The lab router now lives at 192.0.2.9.", about=["lab"])),
    (ADDRESS, told("To confirm once more: the router still answers on 192.0.2.9!", **ROUTER)),
    (ADDRESS, told("The router has moved to 192.0.2.9.", **ROUTER)),
    (ADDRESS, told("The router moved from 192.0.2.1 to 192.0.2.9.", about=["router"])),
    (ADDRESS, told("It is at 192.0.2.9.", **ROUTER)),
    (ADDRESS, told("The edge box is at 192.0.2.9.", about=["edge box"])),
    (ADDRESS, told("The gateway sits at 192.0.2.9.", about=["gateway"])),
    (ADDRESS, told("THE ROUTER IS AT 192.0.2.9", about=["router"])),
    # As a triple.
    (ADDRESS, told("", subject="router", predicate="ip_address", object="192.0.2.9")),
    (ADDRESS, told("", subject="router", predicate="reachable_at", object="192.0.2.9")),
    (ADDRESS, told("", subject="gateway", predicate="ip", object="192.0.2.9")),
    (STORE, told("", object="sqlite", **LEDGER)),
    (STORE, told("", object="SQLite", **LEDGER)),
    (STORE, told("", subject="ledger", predicate="using", object="sqlite")),
    (STORE, told("", subject="ledger", predicate="stores_in", object="sqlite")),
    (STORE, told("", subject="the ledger", predicate="uses", object="sqlite")),
    (STORE, told("", subject="book of record", predicate="uses", object="sqlite")),
    (STORE, told("", object="sqlite", scope="project:shop", **LEDGER)),
    (STORE, told("", object="sqlite3", **LEDGER)),
    (STORE, told("The ledger uses lite.", about=["ledger", "lite"])),
    (STORE, told("The ledger uses SQLite.", about=["ledger"])),
    (STORE, told("The ledger is built on SQLite, to be clear.", about=["ledger"])),
    (STORE, told("We decided that the ledger uses sqlite.", about=["shop"])),
    (STORE, told("SQLite is what the ledger runs on.", about=["sqlite"])),
    (STORE, told("We switched the ledger from Postgres to SQLite.", about=["ledger"])),
    (STORE, told("The book of record is kept in SQLite.", about=["ledger"])),
    (STORE, told("It uses sqlite.", system="ledger", component="store")),
    (EMPLOYER, told("", object="Globex", **ANA)),
    (EMPLOYER, told("", subject="Ana", predicate="employer", object="globex")),
    (EMPLOYER, told("", subject="Ana", predicate="works_at", object="Globex")),
    (EMPLOYER, told("", subject="Anita", predicate="works_for", object="Globex")),
    (EMPLOYER, told("", object="Globex", scope="domain:people", **ANA)),
    (EMPLOYER, told("Ana works for Globex.", about=["Ana"])),
    (EMPLOYER, told("Ana is employed by Globex.", about=["Globex"])),
    (EMPLOYER, told("Anita works at Globex these days.", about=["Anita"])),
    (NUMBER, told("", object="9090", **PORT)),
    (NUMBER, told("", subject="api", predicate="listens_on", object="9090")),
    (NUMBER, told("", subject="API", predicate="port_number", object="9090", channel="intent")),
    (NUMBER, told("The API listens on 9090.", about=["api"])),
    (NUMBER, told("The api's port is 9090.", system="api", component="port")),
    (NUMBER, told("Port 9090 is where the API is reachable.", about=["api"])),
    (HABIT, told("We deploy on Fridays.", scope="project:shop", about=["deploys"])),
    (HABIT, told("As agreed before, we always deploy on a Friday.", about=["deploys"])),
    (HABIT, told("Fridays are when we deploy.", about=["calendar"])),
    (HABIT, told("", subject="deploys", predicate="happen_on", object="Friday")),
    (TOOL, told("The build uses pnpm, as I said.", about=["build"])),
    (TOOL, told("We build with pnpm.", about=["build"])),
    (TOOL, told("pnpm is what the build uses.", about=["pnpm"])),
    (TOOL, told("", subject="build", predicate="package_manager", object="pnpm")),
    (TOOL, told("The build uses pnpm.", system="build", component="package manager")),
    (TOOL, told("The build was switched to pnpm.", scope="project:web", about=["build"])),
]
ELSE = [
    (ADDRESS, told("The router is at 192.0.2.10.", about=["router"])),
    (ADDRESS, told("The printer is at 192.0.2.9.", about=["printer"])),
    (ADDRESS, told("The printer is at 192.0.2.9.", system="lab", component="printer")),
    (ADDRESS, told("The router is not at 192.0.2.9.", about=["router"])),
    (ADDRESS, told("The router moved from 192.0.2.9 to 192.0.2.10.", about=["router"])),
    (ADDRESS, told("The router runs OpenWrt.", about=["router"])),
    (ADDRESS, told("", subject="router", predicate="ip_address", object="192.0.2.77")),
    (ADDRESS, told("", subject="printer", predicate="ip_address", object="192.0.2.9")),
    (STORE, told("", subject="ledger", predicate="uses", object="redis")),
    (STORE, told("", subject="cache", predicate="uses", object="sqlite")),
    (STORE, told("The ledger no longer uses SQLite.", about=["ledger"])),
    (STORE, told("The ledger is audited on Mondays.", about=["ledger"])),
    (STORE, told("The migration is done.", about=["ledger", "sqlite"])),
    (STORE, told("We switched the ledger from SQLite to Postgres.", about=["ledger"])),
    (EMPLOYER, told("", subject="Bob", predicate="works_for", object="Globex")),
    (EMPLOYER, told("", subject="Ana", predicate="lives_in", object="Oslo")),
    (EMPLOYER, told("Bob works for Globex.", about=["Bob"])),
    (NUMBER, told("", subject="worker", predicate="port", object="9090")),
    (NUMBER, told("The metrics server listens on 9090.", about=["metrics server"])),
    (NUMBER, told("The API listens on 9091 in staging.", about=["api"])),
    (HABIT, told("We deploy on Tuesdays.", about=["deploys"])),
    (HABIT, told("We never deploy on Fridays.", about=["deploys"])),
    (HABIT, told("We do backups on Fridays.", about=["backups"])),
    (TOOL, told("The build uses yarn.", about=["build"])),
    (TOOL, told("The docs use pnpm.", about=["docs"])),
    (TOOL, told("The build takes four minutes.", about=["build"])),
]


def words(telling):
    return " ".join(str(part) for part in telling.values() if part)


def play(agent, human, what):
    """Let a human state what is true, and reject what an agent says; return what was rejected."""
    for name, aliases in what.aliases.items():
        human.entities.add(name, aliases=aliases)
    human.facts.add(**what.true)
    false = agent.facts.add(**what.false)
    proposal = false.proposal_id or agent.review.question(false.fact.id, reason="is it so?").id
    seen = human.review.show(proposal)
    human.review.reject(proposal, digest=seen.digest)
    return false.fact


@pytest.mark.row("XR-05", "X-01", "KB-005")
@pytest.mark.parametrize(("what", "again"), AGAIN, ids=[words(one) for _, one in AGAIN])
@pytest.mark.on_sqlite(but=6)
def test_what_was_rejected_is_never_current_again(agent, human, what, again):
    rejected = play(agent, human, what)

    stated = None
    with suppress(ForbiddenError):
        stated = agent.facts.add(**again)
    assert not any(fact.key == rejected.key for fact in human.facts.list())
    if stated is None:
        return
    assert stated.fact.life.lifecycle is Lifecycle.DRAFT
    seen = human.review.show(stated.proposal_id)
    assert seen.rejected is not None
    assert seen.rejected.id == rejected.id
    assert rejected.id in seen.proposal.draft.reason


@pytest.mark.row("XR-05")
@pytest.mark.parametrize(("what", "other"), ELSE, ids=[words(one) for _, one in ELSE])
@pytest.mark.on_sqlite(but=4)
def test_what_says_something_else_goes_in_as_ever(agent, human, what, other):
    play(agent, human, what)

    stated = agent.facts.add(**other)

    assert stated.proposal_id is None or human.review.show(stated.proposal_id).rejected is None
    if not stated.fact.slot:
        assert stated.fact.life.lifecycle is Lifecycle.CURRENT


@pytest.mark.row("XR-05", "OB-012")
def test_the_card_shows_the_rejection_beside_what_says_it_again(ready):
    router = ("--system", "lab", "--component", "router")
    with acting("human"):
        ready("fact", "add", "The router is at 192.0.2.1.", *router)
    wrong = ready("fact", "add", "The router is at 192.0.2.9.", *router, "--json").answer
    with acting("human"):
        seen = ready("review", "show", wrong["proposal_id"], "--json").answer
        ready("review", "reject", wrong["proposal_id"], "--digest", seen["digest"])

    again = ready("fact", "add", "As I said, it is at 192.0.2.9.", "--about", "router", *router[:2])
    other = ready("fact", "add", "192.0.2.9 is the router's address.", "--about", "router")

    assert again.out.startswith("proposed")
    assert other.out.startswith("proposed")
    waiting = ready("review", "list", "--json").answer["proposals"]
    card = ready("review", "show", waiting[-1]["id"]).out
    assert "a human rejected before: The router is at 192.0.2.9." in card
    assert "192.0.2.9" not in ready("state").out


def test_what_a_human_states_since_may_be_said_again(agent, human):
    rejected = play(agent, human, STORE)
    human.facts.add(object="sqlite", supersedes=human.facts.list()[0].id, **LEDGER)

    stated = agent.facts.add("The ledger uses SQLite.", about=["ledger"])

    assert stated.fact.life.lifecycle is Lifecycle.CURRENT
    assert agent.facts.add(object="sqlite", **LEDGER).verdict == "reinforced"
    assert rejected.key == human.facts.list(subject="ledger")[0].key
