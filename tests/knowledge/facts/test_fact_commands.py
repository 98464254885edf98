"""`tilth fact` and `tilth state`."""

import pytest

from tilth.core.actor import Actor, ActorKind
from tilth.interfaces.cli import invocation

DNS = ("--area", "Network", "--environment", "home", "--system", "pi-hole", "--component", "ip")


@pytest.fixture
def as_human(monkeypatch):
    """Let a person sit at the terminal."""
    human = Actor("human", ActorKind.HUMAN)
    return lambda: monkeypatch.setattr(invocation, "caller", lambda *_, **__: human)


def state(tilth, *words):
    answer = tilth("state", "--json", *words).answer
    return [one["fact"]["said"]["text"] for one in answer["facts"]]


@pytest.mark.row("OB-005")
def test_a_moved_service_is_answered_once(ready, as_human):
    as_human()
    ready("fact", "add", "DNS answers on .100.30.", *DNS)
    stated = ready("fact", "add", "DNS answers on .110.30.", *DNS, "--json").answer

    assert stated["verdict"] == "superseded"
    assert state(ready, "--system", "Pi-Hole") == ["DNS answers on .110.30."]
    chain = ready("fact", "history", stated["fact"]["id"], "--json").answer["facts"]
    assert [fact["life"]["lifecycle"] for fact in chain] == ["superseded", "current"]


def test_a_fact_is_shown_with_all_that_it_is_filed_under(ready):
    told = ready("fact", "add", "DNS answers on .100.30.", *DNS, "--tag", "dns", "--json").answer
    page = ready("fact", "show", told["fact"]["id"]).out

    assert "area Network · environment home · system pi-hole · component ip · tags dns" in page


def test_a_fact_shows_what_a_person_said_of_it_and_when(ready, as_human):
    as_human()
    fact = ready("fact", "add", "DNS answers on .100.30.", *DNS, "--json").answer["fact"]["id"]

    assert "current, confirmed by " in ready("fact", "show", fact).out
    assert "current, confirmed by " in ready("fact", "why", fact).out


@pytest.mark.row("OB-011")
def test_an_agents_second_fact_waits(ready):
    ready("fact", "add", "DNS answers on .100.30.", *DNS)
    run = ready("fact", "add", "DNS answers on .110.30.", *DNS)

    assert run.out.startswith("proposed")
    assert "waits for a human" in run.err
    again = ready("fact", "add", "DNS answers on .110.30.", *DNS)
    assert again.out.startswith("reinforced")
    assert "it is a draft, and waits for a human: tilth review list" in again.err
    assert state(ready) == ["DNS answers on .100.30."]


@pytest.mark.row("OB-008")
def test_a_proposal_for_what_is_not_there_is_refused(ready):
    nowhere = "fct_" + "0" * 26

    assert ready("fact", "propose", "x is so", "--about", "x").code == 2
    assert ready("fact", "propose", "x is so", "--about", "x", "--supersedes", nowhere).code == 3


@pytest.mark.row("OB-023")
def test_what_is_missing_or_unknown_is_named(ready):
    run = ready("fact", "add", "It rains.", "--json")
    assert (run.code, run.answer["error"]["code"]) == (2, "invalid_input")
    run = ready("fact", "add", "--subject", "a", "--predicate", "b", "--object", "c",
                "--channel", "misc", "--json")  # fmt: skip
    assert run.code == 2
    assert state(ready) == []


@pytest.mark.row("OB-024")
def test_a_limit_is_from_1_to_100(ready):
    for limit in ("0", "-1", "x", "1000"):
        assert ready("state", "--limit", limit).code == 2
    assert ready("state", "--limit", "100").code == 0


@pytest.mark.row("OB-070", "I15")
def test_widening_labels_what_did_hold(ready, as_human):
    as_human()
    fact = ready("fact", "add", "DNS answers on .100.30.", *DNS, "--json").answer["fact"]
    retired = ready("fact", "retire", fact["id"], "--reason", "moved")
    assert retired.code == 0
    assert f"to take it back: tilth fact undo {fact['id']}" in retired.err
    # It undoes that the fact was ever stated, which is another thing.
    wide = ready("undo", fact["id"])
    assert wide.code == 4
    assert f"the last change of the fact alone: tilth fact undo {fact['id']}" in wide.err

    assert state(ready) == []
    widened = ready("state", "--widen", "--json").answer
    assert widened["is_widened"]
    assert widened["facts"][0]["fact"]["life"]["lifecycle"] == "historical"


def test_an_archived_fact_comes_back(ready):
    fact = ready("fact", "add", "DNS answers on .100.30.", *DNS, "--json").answer["fact"]["id"]

    assert ready("fact", "archive", fact).code == 0
    assert state(ready) == []
    assert ready("fact", "restore", fact).code == 0
    assert state(ready) == ["DNS answers on .100.30."]


def test_a_fact_is_shown_with_what_it_rests_on(ready):
    episode = ready("remember", "Anna leads Acme.", "--json").answer["episode_id"]
    words = ("--about", "Acme", "--evidence", episode, "--quote", "Anna leads")
    fact = ready("fact", "add", "Anna leads.", *words, "--json").answer["fact"]["id"]

    assert f"rests on {episode} [0:10]" in ready("fact", "show", fact).out
    assert len(ready("fact", "list", "--json").answer["facts"]) == 1
    whole = ready("fact", "add", "Anna is at Acme.", *words[:4], "--json").answer["fact"]["id"]
    assert f"rests on {episode}\n" in ready("fact", "show", whole).out


@pytest.mark.row("OB-062")
def test_a_plan_is_applied_with_its_token(ready):
    old = "the router stands in the attic beside the chimney"
    new = "the router stands in the cellar beside the chimney"
    added = ready("fact", "add", old, "--about", "router", "--json").answer["fact"]["id"]
    plan = ready("fact", "plan", new, "--about", "router", "--json").answer
    assert [one["fact"]["id"] for one in plan["likely"]] == [added]
    assert state(ready) == [old]

    told = ("fact", "apply", new, "--about", "router", "--token", plan["token"])
    refused = ready(*told)
    assert refused.code == 2
    assert "--decline ID for each" in refused.err
    done = ready(*told, "--decline", added, "--reason", "a second one", "--json").answer
    assert done["verdict"] == "recorded"


def test_a_plan_says_what_would_be_and_not_what_is(ready):
    said = "the router stands in the attic beside the chimney"
    plan = ("fact", "plan", said, "--about", "router")
    assert "it would be recorded, and nothing would end" in ready(*plan).out
    ready("fact", "add", said, "--about", "router")
    known = ready(*plan)
    assert "it is known already: its evidence would grow" in known.out
    assert "--update ID, or --decline ID for each of these" in known.err
    ready("fact", "add", "It is at .1.", *DNS)
    (held,) = ready("state", "--system", "pi-hole", "--json").answer["facts"]
    other = ready("fact", "plan", "It is at .2.", *DNS).out
    assert f"in the place of {held['fact']['id']}" in other


def test_what_was_taken_back_twice_says_how_the_fact_stands(ready, as_human):
    as_human()
    fact = ready("fact", "add", "DNS answers on .100.30.", *DNS, "--json").answer["fact"]["id"]
    ready("fact", "archive", fact)
    ready("fact", "restore", fact)

    run = ready("fact", "undo", fact)

    assert run.code == 4
    assert f"it holds; to end it: tilth fact retire {fact}" in run.err


@pytest.mark.row("C-10")
def test_a_word_waits_and_a_person_registers_it(ready, as_human):
    ready("fact", "add", "It is red.", "--about", "Acme", "--tag", "paint")
    (waiting,) = ready("word", "queue", "--json").answer["words"]
    assert (waiting["word"], waiting["count"]) == ("paint", 1)
    assert ready("word", "register", "tag", "paint").code != 0

    as_human()
    assert ready("word", "register", "tag", "Paint", "--alias", "lacquer").code == 0
    assert ready("word", "alias", "tag", "varnish", "--of", "paint").code == 0
    assert ready("word", "ignore", "tag", "misc").code == 0

    assert ready("word", "queue", "--json").answer["words"] == []
    entries = ready("word", "list", "tag", "--json").answer["entries"]
    assert ["lacquer", "varnish"] in [entry["aliases"] for entry in entries]


@pytest.mark.row("EM-060")
def test_a_relation_says_what_it_made_and_what_waits(ready):
    first, second = (
        ready("fact", "add", text, "--about", "kettle", "--json").answer["fact"]["id"]
        for text in ("It uses MySQL.", "It uses Postgres.")
    )

    told = ready("fact", "relate", second, "debunks", first, "--json").answer

    assert told["edge"]["kind"] == "contradicts"
    assert told["proposal"]["id"] in ready("review", "list").out
    assert ready("fact", "relate", second, "likes", first).code != 0


@pytest.mark.row("EM-062")
def test_facts_are_listed_by_who_wrote_them_and_since_when(ready, as_human):
    ready("fact", "add", "It rains.", "--about", "weather", "--valid-from", "2026-01-01")
    as_human()
    ready("fact", "add", "It snows.", "--about", "weather", "--valid-from", "2026-02-01")

    def listed(*words):
        answer = ready("fact", "list", *words, "--json").answer
        return [one["said"]["text"] for one in answer["facts"]]

    assert listed() == ["It snows.", "It rains."]
    assert listed("--by", "agent") == ["It rains."]
    assert listed("--by", "human", "--by", "agent") == ["It snows.", "It rains."]
    assert listed("--since", "2026-01-15") == ["It snows."]
    assert listed("--since", "2026-01-15", "--by", "agent") == []
    assert ready("fact", "list", "--by", "dog").code == 2


def test_facts_about_a_thing_are_asked_for_by_any_of_its_names(ready):
    ready("entity", "add", "PostgreSQL", "--type", "tech", "--alias", "pg")
    ready("fact", "add", "It answers on 5432.", "--about", "pg")
    ready("fact", "add", "The kettle is on.", "--about", "kettle")

    for words in (("fact", "list"), ("state",)):
        facts = ready(*words, "--about", "postgresql", "--json").answer["facts"]
        told = [(one.get("fact") or one)["said"]["text"] for one in facts]
        assert told == ["It answers on 5432."]
    run = ready("state", "--about", "postgress")
    assert run.code == 3
    assert "PostgreSQL" in run.err


def test_facts_about_one_of_several_of_a_name_are_asked_for_by_its_id(ready):
    ids = [
        ready("entity", "add", "proxmox", "--scope", f"project:{one}", "--json").answer
        for one in ("a", "b")
    ]
    run = ready("fact", "list", "--about", "proxmox")

    assert run.code == 4
    assert all(one["entity"]["id"] in run.err for one in ids)


@pytest.mark.row("KB-039")
def test_what_is_known_of_a_thing_says_how_far_it_may_be_relied_on(ready, as_human):
    ready("fact", "add", "Fähre-db keeps 45 days.", "--about", "Fähre-db")
    as_human()
    ready("fact", "add", "Fähre-db keeps 30 days.", "--about", "Fähre-db")

    page = ready("about", "fähre-db").out

    assert "candidate unreviewed fresh" in page
    assert "known confirmed fresh" in page


@pytest.mark.row("DU-055")
def test_what_is_due_is_listed_with_its_day(ready, as_human):
    as_human()
    promise = "Ana will send Ingrid the invoice by 2026-12-04."
    ready("remember", f'/remember "{promise}"', "--session", "s1")
    ready("distil")

    assert "due 2026-12-04" in ready("fact", "list").out
