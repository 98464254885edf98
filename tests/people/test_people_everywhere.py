"""People and conversations by three ways in: Python, the command line and MCP (X-07, I44)."""

import json
import shlex

import pytest

import tilth
from tests.interfaces.mcp.clients import FactQuery, text_of
from tilth.agents.injections import Injections
from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import ForbiddenError, NotFoundError
from tilth.interfaces.cli import invocation
from tilth.interfaces.mcp.handshake import CALLER
from tilth.interfaces.mcp.server import build_server
from tilth.interfaces.mcp.service import Project, Service
from tilth.interfaces.to_json import to_json
from tilth.people.reply_context import Wanted
from tilth.runtime.system import SystemIds

HUMAN = Actor("ada", ActorKind.HUMAN)
FORBIDDEN, NOT_FOUND, CONFLICT = 5, 3, 4
ADDRESSES = {"matrix": "@eve:example.org", "email": "eve@example.org", "cli": "eve"}


@pytest.fixture
def sit(monkeypatch):
    """Let an actor sit at the terminal."""
    return lambda actor: monkeypatch.setattr(invocation, "caller", lambda *_, **__: actor)


@pytest.fixture
def brain(ready, sit):
    """What Python holds, for the person who sits at the terminal too."""
    sit(HUMAN)
    with tilth.connect(str(ready.store), actor=HUMAN) as opened:
        yield opened


@pytest.fixture
def agent(ready):
    """The same store, opened by an agent."""
    with tilth.connect(str(ready.store), actor=CALLER) as opened:
        yield opened


@pytest.fixture
def ask(agent, tmp_path):
    """An agent's client of a server of the same store."""
    service = Service(Project(agent), Injections(tmp_path / "injected.log", SystemIds()))
    return FactQuery(build_server(service, also=["people"]))


@pytest.fixture
def known(brain):
    """Somebody who is reached by two ways, and spoke by both."""
    eve = brain.people.introduce(
        "Eve", transport="matrix", address=ADDRESSES["matrix"], traits={"language": "French"}
    ).added.entity.id
    brain.people.link(eve, "email", ADDRESSES["email"], confidence="confirmed")
    talks = []
    for transport, said in (
        ("matrix", "We decided on the blue pump."),
        ("email", "Please call the shop by Friday."),
    ):
        begun = brain.conversations.create(eve, transport, address=ADDRESSES[transport])
        brain.conversations.add(begun.conversation.id, said, speaker="Eve")
        brain.conversations.archive(begun.conversation.id)
        talks.append(begun.conversation.id)
    return {"eve": eve, "talk": talks[0], "mail": talks[1]}


def as_json(value):
    return json.loads(json.dumps(to_json(value)))


READS = {
    "entity list --type person --transport email": lambda brain, _: {
        "entities": brain.entities.list(type="person", transport="email")
    },
    "entity identities Eve": lambda brain, _: {"identities": brain.people.identities("Eve")},
    "entity context Eve --transport email --privacy-filter": lambda brain, _: (
        brain.people.interactions("Eve", transport="email", is_private=True)
    ),
    "entity profile Eve": lambda brain, _: {"profile": brain.people.profile("Eve")},
    "entity profile Eve --history": lambda brain, _: {"profile": brain.people.history("Eve")},
    "entity stats": lambda brain, _: brain.people.stats(),
    "entity suggest eve@example.org --transport irc": lambda brain, _: {
        "suggestions": brain.people.suggest("irc", "eve@example.org", limit=5)
    },
    "conversation list --transport email": lambda brain, _: {
        "conversations": brain.conversations.list(transport="email")
    },
    "conversation show {talk}": lambda brain, ids: {
        "conversation": brain.conversations.get(ids["talk"])
    },
    "conversation summaries {mail}": lambda brain, ids: {
        "summaries": brain.conversations.summaries(ids["mail"])
    },
    "conversation tone {mail}": lambda brain, ids: {"tone": brain.conversations.tone(ids["mail"])},
    "conversation idle": lambda brain, _: {"conversations": brain.conversations.idle()},
    "conversation stats": lambda brain, _: brain.conversations.stats(),
    "conversation context {talk} --transport matrix --recent 1": lambda brain, ids: (
        brain.conversations.context(ids["talk"], Wanted(transport="matrix", recent=1))
    ),
}


@pytest.mark.row("I44")
@pytest.mark.parametrize("words", READS)
def test_the_command_line_tells_of_people_as_python_does(ready, brain, known, words):
    run = ready(*shlex.split(words.format(**known)), "--json")

    assert run.answer == as_json(READS[words](brain, known))


@pytest.mark.row("I44")
def test_mcp_tells_of_people_as_the_others_do(ready, brain, known, ask):
    where = ("email", " EVE+x@example.org")
    told = ask.data("person_resolve", transport=where[0], address=where[1])
    (entity, identity) = brain.people.resolve(*where)
    shown = ready("entity", "resolve", where[1], "--transport", where[0], "--json").answer
    assert told["id"] == entity.id == shown["entity"]["id"]
    assert told["confidence"] == identity.confidence == shown["identity"]["confidence"]

    (trait,) = ask.data("person_profile", name="Eve")["traits"]
    (same,) = brain.people.profile("Eve")
    assert (trait["key"], trait["value"], trait["confidence"]) == (
        same.key, same.value, same.confidence,
    )  # fmt: skip

    told = ask.data("conversation_context", conversation_id=known["talk"], summary_tokens=2000)
    context = brain.conversations.context(known["talk"])
    assert [one["text"] for one in told["summaries"]] == [one.text for one in context.summaries]
    assert [one["id"] for one in told["recent"]] == [one.id for one in context.recent]
    assert told["pending"] == list(context.pending)


@pytest.mark.row("I44")
def test_what_is_refused_is_refused_by_every_way(ready, brain, agent, known, ask, sit):
    sit(CALLER)
    nobody = "cnv_" + "0" * 26
    assert ready("conversation", "context", nobody).code == NOT_FOUND
    assert ask.refused("conversation_context", conversation_id=nobody)[0] == "not_found"
    with pytest.raises(NotFoundError):
        agent.conversations.context(nobody)

    brain.conversations.close(known["mail"])
    assert ready("conversation", "add", known["mail"], "hello").code == CONFLICT
    assert (
        ask.refused("conversation_add", text="hello", conversation_id=known["mail"])[0]
        == "conflict"
    )
    told = {"key": "language", "value": "Dutch"}
    words = ("entity", "profile", "Eve", "--key", told["key"], "--value", told["value"])
    assert ready(*words).code == FORBIDDEN
    assert ask.refused("person_tell", name="Eve", **told)[0] == "forbidden"
    with pytest.raises(ForbiddenError):
        agent.people.tell(known["eve"], **told)


@pytest.fixture
def strangers(brain, ask):
    """The same person by three ways, of whom nobody knows yet that they are one."""
    ids = {}
    for transport, name in (("matrix", "eve_m"), ("email", "Eve"), ("cli", "eve")):
        told = brain.people.introduce(
            name, transport=transport, address=ADDRESSES[transport], is_namesake=True
        )
        ids[transport] = told.added.entity.id
    logged = ask.data(
        "conversation_add",
        text="We decided on the blue pump. Please call the shop by Friday.",
        name=ids["matrix"],
        transport="matrix",
        address=ADDRESSES["matrix"],
        speaker="Eve",
    )
    brain.conversations.archive(logged["conversation_id"])
    return ids | {"talk": logged["conversation_id"]}


def contexts(ready, brain, ask, talk, transport=""):
    """What a next reply is told, by each way in."""
    only = ("--transport", transport) if transport else ()
    return [
        brain.conversations.context(talk, Wanted(transport=transport or None)).text,
        ready("conversation", "context", talk, *only).out,
        text_of(ask("conversation_context", conversation_id=talk, transport=transport)),
    ]


@pytest.mark.row("X-07")
def test_one_person_goes_on_by_another_way_once_a_human_says_so(ready, brain, ask, strangers, sit):
    mail = ("conversation", "create", strangers["email"], "email", "--address", "eve@example.org")
    talk = ready(*mail, "--json").answer["conversation"]["id"]

    # Before anybody said so there is no continuity, by no way.
    for told in contexts(ready, brain, ask, talk):
        assert "blue pump" not in told

    # Suggested by every way, linked by none of them.
    before = brain.entities.list()
    suggested = ask.data("person_resolve", transport="cli", address="eve_m")
    assert strangers["matrix"] in [one["id"] for one in suggested["suggestions"]]
    found = ready("entity", "suggest", "eve_m", "--transport", "irc", "--json").answer
    assert strangers["matrix"] in [one["entity"]["id"] for one in found["suggestions"]]
    assert brain.entities.list() == before

    # An agent may ask, and is refused where it says so itself.
    sit(CALLER)
    asked = ready("entity", "merge", strangers["matrix"], strangers["email"], "--json").answer
    assert not asked["is_merged"]
    verify = ("entity", "verify", "email", ADDRESSES["email"])
    assert ready(*verify).code == FORBIDDEN
    for told in contexts(ready, brain, ask, talk):
        assert "blue pump" not in told

    # A human links and verifies, and is told so.
    sit(HUMAN)
    for one in ("email", "cli"):
        ready("entity", "merge", strangers["matrix"], strangers[one])
    assert "verified" in ready(*verify).err
    ready("conversation", "add", talk, "And the red one?", "--speaker", "Eve")
    for told in contexts(ready, brain, ask, talk):
        assert "We decided on the blue pump." in told
        assert "And the red one?" in told

    # The filter lets nothing of another way through, summaries and promises included.
    for told in contexts(ready, brain, ask, talk, "email"):
        assert "blue pump" not in told
        assert "by Friday" not in told
        assert "And the red one?" in told
    for said in (
        ready("entity", "context", "eve_m", "--transport", "email").out,
        json.dumps(as_json(brain.people.interactions("eve_m", transport="email"))),
    ):
        assert "blue pump" not in said
        assert "And the red one?" in said
    assert brain.people.interactions("eve_m").tally.count == 2


@pytest.mark.row("X-07")
def test_what_was_linked_is_parted_again_without_a_trace(ready, brain, ask, strangers):
    begun = brain.conversations.create(strangers["email"], "email", address="eve@example.org")
    talk = begun.conversation.id
    brain.entities.merge(strangers["matrix"], strangers["email"])
    assert all("blue pump" in told for told in contexts(ready, brain, ask, talk))

    ready("entity", "split", strangers["email"])
    assert not any("blue pump" in told for told in contexts(ready, brain, ask, talk))


@pytest.mark.row("EM-015")
def test_a_new_process_is_told_the_same_context(program, ready, brain, known):
    words = ("conversation", "context", known["talk"], "--json")
    before = ready(*words).answer

    assert program(*words).answer == before
    assert before == as_json(brain.conversations.context(known["talk"]))


def test_a_person_is_a_card_with_addresses_last_contact_and_open_promises(ready, brain):
    ready("entity", "add", "Eve", "--type", "person")
    eve = brain.entities.get("Eve").entity.id
    brain.people.link(eve, "email", "eve@example.org")
    begun = brain.conversations.create("Eve", "email", address="eve@example.org")
    brain.conversations.add(begun.conversation.id, "The kettle came.", direction="inbound")
    fact = brain.facts.add(
        "Eve will send the invoice.", about=["Eve"], metadata={"kind": "commitment"}
    ).fact

    shown = ready("about", "Eve").out
    known = brain.about("Eve")

    assert "email  eve@example.org" in shown
    assert "email  eve@example.org" in ready("entity", "show", "Eve").out
    assert "last contact " in shown
    assert "The kettle came." in shown
    assert "open promise: Eve will send the invoice." in shown
    assert known.contact.text == "The kettle came."
    assert [one.fact.id for one in known.promises] == [fact.id]


def test_what_is_known_about_somebody_tells_their_profile(brain, known, ready):
    told = ready("about", "Eve")

    assert "\n  language: French\n" in told.out
    assert ready("about", "Eve", "--json").answer["profile"]["language"] == "French"
    brain.people.tell("Eve", "language", "Breton")
    assert brain.about("Eve").profile["language"] == "Breton"
    assert not brain.about("Eve", known_at="2020-01-01").profile


def test_a_process_that_asked_for_nobody_before_tells_a_profile_too(known, program):
    assert "\n  language: French\n" in program("about", "Eve").out


def test_an_address_that_is_somebody_elses_names_them_and_how_to_go_on(brain, known, ready):
    adam = brain.people.introduce("Adam").added.entity.id
    eve = brain.entities.get("Eve").entity.id
    told = ready("entity", "link", "Adam", "email", ADDRESSES["email"]).err

    assert f"email eve@example.org is Eve's ({eve})" in told
    assert "tilth entity unlink email eve@example.org; with --keep if it changed hands" in told
    assert f"tilth entity merge {eve} {adam}" in told


def test_who_was_merged_is_listed_with_the_name_that_it_leads_to(brain, known, ready):
    brain.entities.add("Eva", type="person")
    brain.entities.merge("Eve", "Eva")

    listed = ready("entity", "list").out

    assert "  merged into Eve, ent_" in listed


def test_a_role_that_was_read_is_told_in_the_words_of_whoever_has_it(brain, known, ready):
    talk = brain.conversations.create("Eve", "matrix").conversation
    for text in ("How are you?", "By the way I'm now VP at Initech.", "Thanks!"):
        brain.conversations.add(talk.id, text, direction="inbound")

    told = ready("distil").out

    assert "Eve is now VP at Initech.  recorded  fct_" in told
    assert "urn:" not in told
