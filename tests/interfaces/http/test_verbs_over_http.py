"""Every verb over HTTP: from its one declaration, with the same answers and refusals."""

import json
from contextlib import closing

import apsw
import pytest

import tilth
from tests.interfaces.http.served import Served, serving
from tilth.context.context import words_digest
from tilth.context.model import BriefRequest
from tilth.core.actor import HOOKS, Human
from tilth.core.errors import TilthError
from tilth.interfaces.error_codes import error_body
from tilth.interfaces.http import call_verb
from tilth.interfaces.http.legacy_api import ENDPOINTS
from tilth.interfaces.http.openapi import openapi
from tilth.interfaces.http.tokens import Role
from tilth.interfaces.to_json import to_json

TEA = {"text": "Tea is at four.", "system": "house", "component": "tea"}


def wrong(answer, status):
    """Return the error of a refused request."""
    assert answer.status_code == status, answer.text
    error = answer.json()["error"]
    assert set(error) == {"code", "message", "hint"}
    return error


@pytest.mark.row("OB-071")
def test_what_is_remembered_is_recalled_as_in_python(served: Served):
    client = served.client()
    told = client.post("/v1/remember", json={"text": "The backup runs at 03:00 on host pve2."})
    assert told.status_code == 200
    found = client.post("/v1/recall", json={"question": "when does the backup run?"}).json()
    assert found["hits"][0]["id"] == told.json()["episode_id"]
    here = to_json(served.brain.recall("when does the backup run?"))
    assert found == here


@pytest.mark.row("OB-071")
def test_every_verb_that_needs_nothing_answers_as_in_python(served: Served):
    client = served.client(Role.ADMIN, "ana")
    person = call_verb.acting(served.brain, Human("ana"))
    served.brain.facts.add("The api listens on 9090.", system="lab", component="api")
    writes = {"archive", "consolidate", "conversations.rest", "dedup", "distil", "embed_backlog"}
    writes |= {"erase.finish", "gaps.run", "gaps.scan", "read_by_model", "rebuild", "unarchive"}
    writes |= {"reopen_sessions", "gaps.opt_out", "entities.tidy", "snapshots.take", "acquaint"}
    asked = 0
    for path, verb in call_verb.offered().items():
        if verb.python in writes or any(one.is_required for one in verb.options):
            continue
        answer = client.post(f"/v1/{path}", json={})
        method = person
        for name in verb.python.split("."):
            method = getattr(method, name)
        try:
            here = to_json(verb.json(method()))
        except TilthError as error:
            here = error_body(error.code, str(error), error.hint)
        assert answer.json() == here, path
        asked += 1
    assert asked > 15


def test_every_verb_is_refused_without_a_token(served: Served):
    client = served.client(None)
    for path in call_verb.offered():
        wrong(client.post(f"/v1/{path}", json={}), 401)
    for path in ("/v1/openapi.json", "/v1/health", "/metrics"):
        wrong(client.get(path), 401)
    assert client.post("/mcp", json={}).status_code == 401


def test_what_is_missing_is_told_with_what_a_verb_takes(served: Served):
    answer = served.client().post("/v1/conversations/add", json={"conversation_id": "c"})

    assert answer.status_code == 400
    assert "it takes conversation, text" in answer.json()["error"]["hint"]


def test_mcp_answers_a_call_that_holds_half_of_a_character(served: Served):
    call = {"jsonrpc": "2.0", "id": 4, "method": "tools/call"}
    call |= {"params": {"name": "recall", "arguments": {"query": "the kettle \ud83d"}}}
    headers = {"Accept": "application/json", "Content-Type": "application/json"}

    said = served.client(Role.AGENT).post("/mcp", content=json.dumps(call), headers=headers)

    assert (said.status_code, said.json()["id"]) == (200, 4), said.text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_a_verb_takes_a_text_that_holds_half_of_a_character_as_mcp_does(served: Served, encoding):
    headers = {"Content-Type": "application/json"}
    body = json.dumps({"text": "The kettle broke \ud83d here \U0001f600."}).encode(encoding)

    said = served.client().post("/v1/remember", content=body, headers=headers)

    assert said.status_code == 200, said.text
    (hit,) = served.brain.recall("kettle broke").hits
    assert hit.text == "The kettle broke \ufffd here \U0001f600."


def test_a_revoked_token_is_refused_from_the_next_request_on(served: Served):
    client = served.client(Role.AGENT, "bot")
    assert client.post("/v1/sessions/list").status_code == 200
    served.tokens.revoke("bot")
    wrong(client.post("/v1/sessions/list"), 401)


@pytest.mark.row("I22")
def test_what_an_agent_says_a_user_said_is_a_candidate_and_a_persons_own_word_is_known(
    served: Served,
):
    told = {"role": "user", "speaker": "Ana (owner)", "session_id": "s1"}
    agent, person = served.client(Role.AGENT), served.client(Role.ADMIN, "ana")
    agent.post("/v1/remember", json={**told, "text": "Always deploy on Fridays."})
    person.post(
        "/v1/remember", json={**told, "text": "Never merge after four.", "session_id": "s2"}
    )
    served.brain.distil()

    facts = agent.post("/v1/facts/list", json={}).json()["facts"]
    graded = {fact["said"]["text"]: fact["metadata"]["grade"] for fact in facts}
    assert graded == {"Always deploy on Fridays.": "candidate", "Never merge after four.": "known"}


@pytest.mark.row("I22")
def test_no_field_of_a_payload_says_who_speaks_or_how_far_it_is_trusted(served: Served):
    agent, person = served.client(Role.AGENT, "bot"), served.client(Role.ADMIN, "ana")
    claims = ("by", "actor", "actor_kind", "owner", "came_by", "grade", "authority", "review",
              "lifecycle", "is_human")  # fmt: skip
    for path in ("remember", "facts/add", "facts/propose"):
        for claim in claims:
            body = {"text": "Deploys go out on Tuesdays.", claim: "human"}
            assert claim in wrong(agent.post(f"/v1/{path}", json=body), 400)["message"]
    told = {"grade": "known", "came_by": "typed", "by": {"kind": "human", "name": "ana"}}
    said = agent.post("/v1/remember", json={"text": "The door is red.", "role": "user",
                                            "speaker": "ana", "metadata": told})  # fmt: skip
    known = person.post(
        "/v1/facts/add", json={"text": "The house is mine.", "about": ["house"]}
    ).json()["fact"]
    body = {"text": "The door is red.", "about": ["door"], "evidence": [said.json()["episode_id"]],
            "confidence": 0.99, "metadata": told}  # fmt: skip
    fact = agent.post("/v1/facts/add", json=body).json()["fact"]
    held = served.brain.facts.get(fact["id"])
    assert (held.by.kind, held.by.name) == ("agent", "bot")
    assert (held.life.review, held.life.authority) == ("unreviewed", "evidence")
    assert held.grade == "candidate"
    # It is worth no more than whoever said it, and what it rests on.
    assert held.confidence.value <= 0.8
    assert served.brain.facts.get(known["id"]).grade == "known"


@pytest.mark.row("XR-02")
def test_a_turn_is_traced_to_what_was_asked_shown_used_and_ignored(served: Served):
    host, agent = call_verb.acting(served.brain, HOOKS), served.client(Role.AGENT, "bot")
    person = served.client(Role.ADMIN, "ana")
    used, refused, ignored = (
        person.post("/v1/facts/add", json={"text": text, "about": [about]}).json()["fact"]["id"]
        for text, about in (("Deploys go out on Tuesdays.", "deploys"),
                            ("Deploys are signed by two.", "signing"),
                            ("Deploys are told in the channel.", "channel"))
    )  # fmt: skip
    question = "When do deploys go out, are they signed by two, and told in the channel?"
    asked = host.remember(question, role="user", session_id="s1")
    request = BriefRequest(question=question, session_id="s1")
    receipt = host.receipts.keep(served.brain.brief(request).context)
    host.remember(f"On Tuesdays, as {used} says.", role="assistant", session_id="s1")
    vote = {"target": refused, "verdict": "dead_end"}
    assert agent.post("/v1/feedback", json=vote).status_code == 200

    told = agent.post("/v1/receipts/trace", json={"receipt_id": receipt}).json()
    shown = {one["source"]: one for one in told["shown"]}
    assert told["asked"]["id"] == asked
    assert told["receipt"]["context"]["session_id"] == "s1"
    assert shown[used]["named_by"]
    assert {shown[one]["ignored_because"] for one in (used, refused)} == {""}
    why = "nothing that was said afterwards names it"
    assert (shown[ignored]["is_ignored"], shown[ignored]["ignored_because"]) == (True, why)
    assert not shown[used]["is_ignored"]
    assert [vote["verdict"] for vote in shown[refused]["votes"]] == ["dead_end"]
    page = served.browser().get(f"/seen/{receipt}").text
    assert question in page
    assert "Deploys go out on Tuesdays." in page
    assert f"not used: {why}" in page


@pytest.mark.row("C-17")
def test_an_agent_cannot_decide_and_a_reviewer_can(served: Served):
    agent, reviewer = served.client(Role.AGENT), served.client(Role.REVIEWER, "ana")
    slot = {"system": "lab", "component": "router"}
    reviewer.post("/v1/facts/add", json={"text": "The router is at 192.0.2.1.", **slot})
    told = agent.post("/v1/facts/add", json={"text": "The router is at 192.0.2.9.", **slot}).json()
    (waiting,) = reviewer.post("/v1/review/list").json()["proposals"]
    seen = reviewer.post("/v1/review/show", json={"proposal_id": waiting["id"]}).json()
    said = {
        "proposal_id": waiting["id"],
        "digest": seen["digest"],
        "retires": [one["id"] for one in seen["retires"]],
    }
    assert wrong(agent.post("/v1/review/confirm", json=said), 403)["code"] == "forbidden"
    assert reviewer.post("/v1/review/confirm", json=said).status_code == 200
    state = agent.post("/v1/state", json=slot).json()
    assert [one["fact"]["id"] for one in state["facts"]] == [told["fact"]["id"]]


def test_what_writes_files_or_erases_needs_an_admin(served: Served, tmp_path):
    for role in (Role.AGENT, Role.REVIEWER):
        error = wrong(served.client(role).post("/v1/backup", json={"target": "/x"}), 403)
        assert "admin" in error["message"]
    target = tmp_path / "b.db"
    answer = served.client(Role.ADMIN).post("/v1/backup", json={"target": str(target)})
    assert answer.status_code == 200
    assert target.exists()


@pytest.mark.parametrize(
    ("path", "body", "told"),
    [
        ("recall", {}, "needs question"),
        ("recall", {"question": 7}, "question is a text"),
        ("recall", {"question": "x", "limit": "7"}, "limit is a whole number"),
        ("recall", {"question": "x", "limit": True}, "limit is a whole number"),
        ("recall", {"question": "x", "limit": 0}, "limit is 1 to"),
        ("recall", {"question": "x", "kinds": "note"}, "kinds is a list"),
        ("recall", {"question": "x", "as_of": "yesteryear"}, "yesteryear"),
        ("recall", {"qestion": "x"}, "takes no 'qestion'"),
        ("remember", {"text": "x", "metadata": []}, "metadata is an object"),
        ("sessions/describe", {"session_id": "s", "info": {"titel": "x"}}, "takes no 'titel'"),
    ],
)
def test_a_mistake_is_told_and_nothing_is_stored(served: Served, path, body, told):
    before = served.brain.parts.store.digest()
    error = wrong(served.client().post(f"/v1/{path}", json=body), 400)
    assert told in error["message"]
    assert served.brain.parts.store.digest() == before


def test_an_unknown_verb_names_the_one_that_was_meant(served: Served):
    error = wrong(served.client().post("/v1/fact/list", json={}), 404)
    assert error["hint"] == "did you mean /v1/facts/list?"
    noun = wrong(served.client().post("/v1/facts", json={}), 404)
    assert noun["hint"].startswith("its verbs are facts/add, facts/add_many, ")


@pytest.mark.parametrize("body", [b"[]", b"{", b'{"text": NaN}', b"\xff", b"[" * 100_000])
def test_a_body_that_is_no_json_object_is_refused(served: Served, body):
    client = served.client()
    headers = {"content-type": "application/json"}
    wrong(client.post("/v1/remember", content=body, headers=headers), 400)


def test_a_key_repeats_the_answer_and_refuses_another_request(served: Served):
    client, headers = served.client(), {"idempotency-key": "k1"}
    first = client.post("/v1/facts/add", json=TEA, headers=headers)
    again = client.post("/v1/facts/add", json=TEA, headers=headers)
    assert again.json() == first.json()
    assert again.headers["idempotency-replayed"] == "true"
    assert len(client.post("/v1/facts/list").json()["facts"]) == 1
    error = wrong(
        client.post("/v1/facts/add", json=TEA | {"text": "Tea at five."}, headers=headers), 409
    )
    assert error["code"] == "idempotency_conflict"


def test_openapi_describes_each_verb_with_all_its_arguments():
    paths = openapi()["paths"]
    of_verbs = {f"/v1/{path}" for path in call_verb.offered()}
    assert set(paths) == of_verbs | {f"/api/{name}" for name in ENDPOINTS}
    for path, verb in call_verb.offered().items():
        body = paths[f"/v1/{path}"]["post"]["requestBody"]["content"]["application/json"]
        assert set(body["schema"]["properties"]) == {one.name for one in call_verb.options_of(verb)}


def test_metrics_count_what_the_brain_holds_and_what_was_asked(served: Served):
    served.brain.remember("The kettle is on.")
    client = served.client(Role.REVIEWER)
    client.post("/v1/recall", json={"question": "kettle"})
    text = client.get("/metrics").text
    assert "tilth_episodes 1\n" in text
    assert 'tilth_requests_total{path="/v1/recall",status="200"} 1\n' in text
    assert "--role reviewer" in wrong(served.client(Role.AGENT).get("/metrics"), 403)["hint"]


@pytest.mark.row("KB-021", "KB-030")
def test_nodes_and_edges_are_made_read_changed_and_ended_with_a_token_alone(served: Served):
    agent, human = served.client(), served.client(Role.REVIEWER, "ana")
    stranger = served.client(None)

    def asked(path, client=human, **told):
        before = served.brain.parts.store.digest()
        assert stranger.post(f"/v1/{path}", json=told).status_code == 401
        assert served.brain.parts.store.digest() == before
        answer = client.post(f"/v1/{path}", json=told)
        assert answer.status_code == 200, (path, answer.text)
        return answer.json()

    one = asked("entities/add", agent, name="Postgres", aliases=["pg"])["entity"]["id"]
    other = asked("entities/add", agent, name="Cluster", type="service")["entity"]["id"]
    edge = asked("edges/add", source=other, kind="uses", target=one)["edge"]["id"]
    assert [each["id"] for each in asked("edges/list", node=one)["edges"]] == [edge]
    assert asked("entities/retype", entity=one, type="tech")["entity"]["type"] == "tech"
    asked("entities/alias", entity=one, alias="psql")
    asked("entities/unalias", entity=one, alias="pg")
    before = asked("entities/get", name=one)
    assert before["names"] == ["Postgres", "psql"]
    asked("entities/merge", winner=other, loser=one)
    assert asked("entities/get", name="psql")["entity"]["id"] == other
    asked("entities/split", entity=one)
    assert asked("entities/get", name=one) == before
    assert [each["id"] for each in asked("edges/list", node=one)["edges"]] == [edge]
    wrong(agent.post("/v1/edges/retire", json={"edge_id": edge}), 403)
    asked("edges/retire", edge_id=edge)
    assert asked("edges/list")["edges"] == []


@pytest.mark.row("KB-021")
def test_memory_needs_none_of_the_tables_of_nodes_and_edges(tmp_path):
    place = tmp_path / "tilth.db"
    with tilth.connect(place, create=True) as brain, serving(brain, tmp_path) as served:
        agent = served.client()
        told = {"text": "The deploy key is kept in the vault.", "session_id": "s1"}
        assert agent.post("/v1/remember", json=told).status_code == 200
        with closing(apsw.Connection(str(place))) as raw:
            for name in ("edges", "names", "name_keys", "splits", "identities", "entities"):
                raw.execute(f"DROP TABLE {name}")
        assert wrong(agent.post("/v1/edges/list", json={}), 500)

        told = {"text": "The vault moved to the lagoon.", "session_id": "s1"}
        assert agent.post("/v1/remember", json=told).status_code == 200
        found = agent.post("/v1/recall", json={"question": "Where is the deploy key kept?"}).json()
        assert "The deploy key is kept in the vault." in [one["text"] for one in found["hits"]]
        assert len(agent.post("/v1/changes", json={}).json()["items"]) == 2
        shown = agent.post("/v1/sessions/show", json={"session_id": "s1"}).json()
        assert "The vault moved to the lagoon." in str(shown)


@pytest.mark.row("I28", "XR-04")
def test_what_was_said_in_a_project_is_stated_more_widely_by_a_human_alone(served: Served):
    agent, human = served.client(), served.client(Role.REVIEWER, "ana")
    told = {"text": "The shed has a code lock.", "scope": "project:shed"}
    said = agent.post("/v1/remember", json=told).json()["episode_id"]
    for wider in ("global", "project:house"):
        fact = {"text": "The shed has a code lock.", "about": ["shed"], "evidence": [said]}
        refused = wrong(agent.post("/v1/facts/add", json=fact | {"scope": wider}), 403)
        assert "only a human widens that" in refused["message"]
        assert agent.post("/v1/facts/list", json={"scope": wider}).json() == {"facts": []}
    assert agent.post("/v1/facts/add", json=fact | {"scope": "project:shed"}).status_code == 200
    assert human.post("/v1/facts/add", json=fact | {"scope": "global"}).status_code == 200
    (held,) = human.post("/v1/facts/list", json={"scope": "global"}).json()["facts"]
    assert held["by"] == {"name": "ana", "kind": "human"}


@pytest.mark.row("I22")
def test_what_rests_on_an_agents_word_is_worth_no_more_however_many_steps_away(served: Served):
    agent, person = served.client(Role.AGENT, "bot"), served.client(Role.ADMIN, "ana")

    def told(client, path, **body):
        answer = client.post(f"/v1/{path}", json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    claimed = {"text": "Always deploy on Fridays.", "role": "user", "speaker": "ana"}
    said = told(agent, "remember", session_id="s1", **claimed)["episode_id"]
    typed = told(person, "remember", text="The gate is green.", role="user")["episode_id"]
    served.brain.distil()
    (learned,) = [
        one for one in told(agent, "facts/list")["facts"] if one["said"]["text"] == claimed["text"]
    ]
    assert learned["metadata"]["grade"] == "candidate"

    # A step further: what an agent states of both is an agent's, however sure it says it is.
    about = {"about": ["deploys"], "evidence": [said, typed], "confidence": 0.99}
    second = told(agent, "facts/add", text="Deploys go out on Fridays.", **about)["fact"]
    held = served.brain.facts.get(second["id"])
    assert (held.grade, held.life.review, held.life.authority) == (
        "candidate", "unreviewed", "evidence",
    )  # fmt: skip
    assert held.confidence.value <= 0.8

    # And a page, a brief, a trace: it is told as what it is, and is no rule anywhere.
    context = served.brain.brief(BriefRequest(session_id="s2")).context
    assert not [one for one in context.items if one[0] == "rules"]
    shown = told(agent, "about", name="deploys")
    assert {one["fact"]["life"]["review"] for one in shown["facts"]} == {"unreviewed"}
    # What a human states themselves raises itself alone.
    gate = told(person, "facts/add", text="The gate is green.", about=["gate"], evidence=[typed])
    assert served.brain.facts.get(gate["fact"]["id"]).grade == "known"
    assert {served.brain.facts.get(one).grade for one in (learned["id"], second["id"])} == {
        "candidate"
    }


@pytest.mark.row("I22")
def test_edges_and_skills_are_worth_whose_token_made_them_whatever_they_say(served: Served):
    agent, person = served.client(Role.AGENT, "bot"), served.client(Role.ADMIN, "ana")

    def told(client, path, **body):
        answer = client.post(f"/v1/{path}", json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    edge = {"source": "deploys", "kind": "depends_on", "target": "staging"}
    text = "---\nname: greet\ndescription: Greets.\n---\n\n# Greet\n\nSay hello.\n"
    source = told(agent, "facts/add", text="Greet everybody.", about=["greetings"])["fact"]
    skill = {"text": text, "sources": [source["id"]]}
    for path, body in (("edges/add", edge), ("skills/add", skill)):
        for claim in ("by", "actor", "owner", "grade", "authority", "trust", "state", "moved_by"):
            answer = agent.post(f"/v1/{path}", json=body | {claim: "human"})
            assert claim in wrong(answer, 400)["message"]

    made = told(agent, "edges/add", **edge)["edge"]
    assert made["by"] == {"name": "bot", "kind": "agent"}
    owned = {"source": "deploys", "kind": "used_by", "target": "ana"}
    mine = told(person, "edges/add", **owned)["edge"]
    # Who says it again makes it neither theirs nor new, and no agent ends it.
    again = told(agent, "edges/add", **owned)
    assert (again["is_new"], again["edge"]["id"]) == (False, mine["id"])
    assert again["edge"]["by"] == {"name": "ana", "kind": "human"}
    wrong(agent.post("/v1/edges/retire", json={"edge_id": mine["id"]}), 403)

    # What is written in the file raises it no higher than its fields do.
    claimed = text.replace("Greets.", "Greets.\nstate: approved")
    wrong(agent.post("/v1/skills/add", json=skill | {"text": claimed}), 400)
    kept = told(agent, "skills/add", **skill)
    kept = kept.get("skill", kept)
    assert (kept["state"], kept["moved_by"]["kind"], kept["places"]) == ("candidate", "agent", [])
    approval = {"skill_id": kept["id"], "digest": kept["digest"]}
    wrong(agent.post("/v1/skills/approve", json=approval), 403)
    other = approval | {"digest": "0" * 64}
    wrong(person.post("/v1/skills/approve", json=other), 409)
    held = told(person, "skills/get", skill_id=kept["id"])["skill"]
    assert (held["state"], held["places"]) == ("candidate", [])
    assert served.brain.facts.get(source["id"]).grade == "candidate"


@pytest.mark.row("XR-02", "OB-071")
@pytest.mark.parametrize(
    ("name", "value"),
    [("scope", "x"), ("scope", ""), ("scope", "global\n"), ("session_id", ""),
     ("session_id", "\0"), ("tokens", -1), ("tokens", 10**30), ("via", "a\nb"), ("via", "x" * 101),
     ("shown", "What was said."), ("asked", "Where is the kettle?")],
)  # fmt: skip
def test_what_somebody_afar_says_was_shown_is_checked_like_all_they_say(
    served: Served, name, value
):
    shown = words_digest("The kettle is on.")
    told = {"via": "hook", "tokens": 3, "shown": shown, "items": [["recalled", "epi_x"]]}
    client = served.client()
    before = served.brain.parts.store.digest()
    wrong(client.post("/v1/receipts/keep", json={"context": told | {name: value}}), 400)
    assert served.brain.parts.store.digest() == before
    assert client.post("/v1/receipts/keep", json={"context": told}).status_code == 200
