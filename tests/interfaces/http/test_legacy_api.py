"""The endpoints of seed 001 under `/api`: the same as their verbs, under other names."""

import pytest

import tilth
from tests.interfaces.http.served import Served, serving
from tilth.core.actor import Human
from tilth.interfaces.http.tokens import Role
from tilth.interfaces.to_json import to_json

HOME = {"domain": "Network", "environment": "home"}
DNS = HOME | {"system": "pi-hole", "component": "ip"}
SLOT = {"area": "Network", "environment": "home", "system": "pi-hole", "component": "ip"}


def asked(client, name, **body):
    return client.post(f"/api/{name}", json=body)


def ingested(client, content, **body):
    return asked(client, "ingest_state", content=content, **body).json()["fact"]["id"]


@pytest.mark.row("OB-022")
def test_what_is_ingested_is_what_python_states(served: Served):
    agent = served.client()
    told = asked(agent, "ingest_state", content="DNS answers on .100.30.", **DNS).json()
    (held,) = served.brain.state(system="pi-hole").facts
    assert told["fact"]["id"] == held.fact.id
    assert held.fact.said.taxonomy.area == "Network"
    assert held.fact.said.taxonomy.environment == "home"
    found = asked(agent, "query_state", domain="Network", system="pi-hole").json()
    assert found == to_json(served.brain.state(area="Network", system="pi-hole"))


@pytest.mark.row("OB-022", "OB-008")
def test_a_proposal_commits_nothing(served: Served):
    agent = served.client()
    old = asked(agent, "ingest_state", content="DNS answers on .100.30.", **DNS).json()["fact"][
        "id"
    ]
    told = asked(
        agent, "propose_supersession", content="It answers on .110.30.", supersedes_id=old, **DNS
    ).json()
    assert told["retires"] == [old]
    assert [one.fact.id for one in served.brain.state(system="pi-hole").facts] == [old]
    assert told["proposal_id"] == served.brain.review.list().proposals[0].id


@pytest.mark.row("OB-022", "OB-061")
def test_who_confirms_is_a_human_and_names_what_ends(served: Served):
    agent, human = served.client(), served.client(Role.REVIEWER, "ana")
    old = asked(agent, "ingest_state", content="DNS answers on .100.30.", **DNS).json()["fact"][
        "id"
    ]
    other = ingested(agent, "The NAS is full.", **HOME, system="nas")
    told = asked(
        agent, "propose_supersession", content="It answers on .110.30.", supersedes_id=old, **DNS
    ).json()
    said = {"proposal_id": told["proposal_id"], "digest": told["digest"], "retires_id": old}

    assert asked(agent, "confirm_supersession", **said).status_code == 403
    wrong = asked(human, "confirm_supersession", **said | {"retires_id": other})
    assert wrong.status_code == 400
    assert old in str(wrong.json()["error"])
    unseen = asked(human, "confirm_supersession", **said | {"digest": "0" * 64})
    assert unseen.status_code == 409
    nowhere = asked(human, "confirm_supersession", **said | {"proposal_id": "prp_" + "0" * 26})
    assert nowhere.status_code == 404
    assert [one.fact.id for one in served.brain.state(system="pi-hole").facts] == [old]

    assert asked(human, "confirm_supersession", **said).status_code == 200
    (held,) = served.brain.state(system="pi-hole").facts
    assert held.fact.id == told["draft"]["id"]
    assert asked(human, "confirm_supersession", **said).status_code == 409


@pytest.mark.row("OB-061", "C-25")
def test_a_proposal_of_another_owner_is_one_that_is_not_there(tmp_path):
    place = tmp_path / "tilth.db"
    with tilth.connect(place, create=True, actor=Human("eve"), owner="eve") as other:
        old = other.facts.add("DNS answers on .100.30.", **SLOT).fact
        new = other.facts.propose("It answers on .110.30.", supersedes=old.id, **SLOT)
        seen = other.review.show(new.proposal_id)
    with tilth.connect(place) as mine, serving(mine, tmp_path) as served:
        human = served.client(Role.REVIEWER, "ana")
        said = {"proposal_id": new.proposal_id, "digest": seen.digest, "retires_id": old.id}
        # Whose it is comes before whether all else is right.
        for wrong in ({}, {"digest": "0" * 64}, {"retires_id": "fct_" + "0" * 26}):
            theirs = asked(human, "confirm_supersession", **said | wrong)
            nobodys = "prp_" + "0" * 26
            nowhere = asked(
                human, "confirm_supersession", **said | wrong | {"proposal_id": nobodys}
            )
            assert theirs.status_code == nowhere.status_code == 404
            assert theirs.text.replace(new.proposal_id, nobodys) == nowhere.text
    with tilth.connect(place, actor=Human("eve"), owner="eve") as other:
        assert other.facts.get(old.id).life == old.life


@pytest.mark.row("OB-061")
def test_a_refusal_to_confirm_names_what_would_end_and_changes_nothing(served: Served):
    agent, human = served.client(), served.client(Role.REVIEWER, "ana")
    old = ingested(agent, "DNS answers on .100.30.", **DNS)
    told = asked(
        agent, "propose_supersession", content="It answers on .110.30.", supersedes_id=old, **DNS
    ).json()
    said = {"proposal_id": told["proposal_id"], "digest": told["digest"]}
    unnamed = asked(human, "confirm_supersession", **said)
    assert unnamed.status_code == 400
    assert "retires_id" in unnamed.json()["error"]["message"]
    unnamed = human.post("/v1/review/confirm", json=said)
    assert unnamed.status_code == 400
    assert old in str(unnamed.json()["error"])
    assert [one.fact.id for one in served.brain.state(system="pi-hole").facts] == [old]


@pytest.mark.row("OB-008")
def test_what_is_not_there_and_what_ended_cannot_be_superseded(served: Served):
    agent, human = served.client(), served.client(Role.REVIEWER)
    old = asked(human, "ingest_state", content="DNS answers on .100.30.", **DNS).json()["fact"][
        "id"
    ]
    asked(human, "ingest_state", content="DNS answers on .110.30.", **DNS)
    told = {"content": "It answers on .120.30.", **DNS}
    nowhere = "fct_" + "0" * 26
    assert asked(agent, "propose_supersession", supersedes_id=nowhere, **told).status_code == 404
    assert asked(agent, "propose_supersession", supersedes_id=old, **told).status_code == 409


@pytest.mark.row("OB-013", "OB-022")
def test_notes_that_name_no_system_stand_side_by_side_in_their_domain(served: Served):
    agent, study = served.client(), {"domain": "study", "environment": "books", "tags": ["exam"]}
    notes = [ingested(agent, f"Lesson {n} is over.", **study) for n in range(1, 4)]

    told = asked(agent, "query_state", domain="Study").json()["facts"]
    assert [one["fact"]["id"] for one in told] == notes[::-1]
    about = {id_ for one in told for id_ in one["fact"]["about"]}
    assert [served.brain.entities.get(one).entity.name for one in about] == ["Study"]
    draft = asked(
        agent, "propose_supersession", content="Lesson 1 begins.", supersedes_id=notes[0], **study
    )
    assert draft.json()["retires"] == notes[:1]
    blank = asked(agent, "ingest_state", content="Lesson 4 is over.", system="", **study)
    assert blank.status_code == 200
    lone = asked(agent, "ingest_state", content="It leases.", component="dhcp", **study)
    assert lone.status_code == 400


@pytest.mark.row("OB-023")
@pytest.mark.parametrize("name", ["content", "domain", "environment"])
@pytest.mark.parametrize("value", [None, "", 7, "nowhere"])
def test_what_is_missing_or_unknown_is_named_and_nothing_is_stored(served: Served, name, value):
    if value == "nowhere" and name != "domain":
        return
    before = served.brain.parts.store.digest()
    body = {"content": "The NAS is full.", **HOME, "system": "nas"} | {name: value}
    answer = asked(served.client(), "ingest_state", **body)
    assert answer.status_code == 400
    error = answer.json()["error"]
    assert name in error["message"]
    if name == "domain" and value != 7:
        assert "Network" in error["hint"]
        assert "Study" in error["hint"]
    assert served.brain.parts.store.digest() == before


@pytest.mark.row("OB-023")
@pytest.mark.parametrize("told", [{}, {"environment": " "}])
def test_a_state_without_its_environment_is_told_those_in_use(served: Served, told):
    agent, body = served.client(), {"content": "The NAS is full.", "domain": "Network"}
    assert asked(agent, "ingest_state", **body, **told).json()["error"]["hint"]
    for place in ("home", "office"):
        lease = {"content": "It leases.", "domain": "Study", "system": place, "component": "mode"}
        assert asked(agent, "ingest_state", **lease, environment=place).status_code == 200
    before = served.brain.parts.store.digest()

    answer = asked(agent, "ingest_state", **body, **told)

    assert answer.status_code == 400
    assert answer.json()["error"]["message"] == "environment is empty"
    assert "home" in answer.json()["error"]["hint"]
    assert "office" in answer.json()["error"]["hint"]
    assert served.brain.parts.store.digest() == before


@pytest.mark.row("OB-024")
def test_a_query_is_narrowed_ordered_and_bounded(served: Served):
    agent = served.client()
    for day in range(1, 13):
        told = asked(
            agent, "ingest_state", content=f"Note {day} is kept.", domain="Study",
            environment="home" if day % 2 else "office", system=f"s{day}",
            valid_from=f"2025-01-{day:02}",
        )  # fmt: skip
        assert told.status_code == 200

    def days(**body):
        found = asked(agent, "query_state", **body).json()["facts"]
        return [int(one["fact"]["life"]["valid_from"][8:10]) for one in found]

    assert days() == [12, 11, 10, 9, 8, 7, 6, 5, 4, 3]
    assert days(limit=100) == [*range(12, 0, -1)]
    assert days(environment="office", limit=2) == [12, 10]
    assert days(domain="Study", system="s3") == [3]
    assert days(domain="Network") == []
    assert days(status="superseded") == []
    ended = {"domain": "Study", "environment": "home", "system": "lamp", "component": "state"}
    human = served.client(Role.REVIEWER, "ana")
    for day in (20, 21):
        asked(human, "ingest_state", content=f"The lamp is {day}.", valid_from=f"2025-01-{day}",
              **ended)  # fmt: skip
    assert days(status="superseded", domain="Study", environment="home", system="lamp") == [20]
    for limit in (0, -1, "x", 1000, 1.5, True):
        assert asked(agent, "query_state", limit=limit).status_code == 400, limit
    assert asked(agent, "query_state", status="gone").status_code == 400


@pytest.mark.row("OB-022", "OB-018", "OB-020", "OB-021", "OB-015")
def test_a_page_is_compiled_read_and_never_written(served: Served):
    agent, human = served.client(), served.client(Role.REVIEWER, "ana")
    page = {"page_name": "network", "page_type": "system-state", "domain": "Network"}
    assert asked(agent, "compile_wiki", **page).status_code == 404
    ingested(human, "DNS answers on .100.30.", **DNS)

    made = asked(agent, "compile_wiki", **page).json()
    told = agent.get("/api/wiki/network").json()

    assert told == made
    assert told["compiled_from"] == [
        one["id"] for one in to_json(served.brain.facts.list(area="Network"))
    ]
    assert "DNS answers on .100.30." in told["content"]
    assert (told["is_stale"], told["is_synthesised"]) == (False, False)
    ingested(human, "DNS answers on .110.30.", **DNS)
    stale = agent.get("/api/wiki/network").json()
    assert stale["is_stale"]
    assert stale["content"].splitlines()[3:] == told["content"].splitlines()[3:]
    assert agent.get("/api/wiki/nowhere").status_code == 404
    assert asked(agent, "compile_wiki", **page | {"page_type": "essay"}).status_code == 400
    assert asked(agent, "compile_wiki", **page | {"domain": "nowhere"}).status_code == 400
    for method in ("PUT", "POST", "PATCH", "DELETE"):
        answer = agent.request(method, "/api/wiki/network", json={"content": "mine"})
        assert answer.status_code == 403
        assert "facts that it cites" in answer.json()["error"]["hint"]


def test_an_endpoint_that_is_none_is_named(served: Served):
    answer = asked(served.client(), "compile_wikis")
    assert answer.status_code == 404
    assert "ingest_state" in answer.json()["error"]["hint"]
    assert served.client(None).post("/api/query_state", json={}).status_code == 401
