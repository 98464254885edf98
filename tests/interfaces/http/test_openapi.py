"""What the OpenAPI says of the API is so; `python -m prove.http` asks every address."""

import pytest

from prove.http import asked
from tests.interfaces.http.served import Served
from tilth.interfaces.http.openapi import openapi
from tilth.interfaces.http.tokens import Role

# One with lists of objects, one with each kind of argument, one that a person alone may.
_SOME = ("remember_many", "facts/add", "review/snooze", "conversations/list")
_UNTRUE = "facts/taxonomy"


def test_strangers_requests_find_what_is_no_longer_true_and_nothing_else(
    served: Served, monkeypatch
):
    body = openapi()["paths"][f"/v1/{_UNTRUE}"]["post"]["requestBody"]
    said = body["content"]["application/json"]["schema"]["properties"]
    monkeypatch.setitem(said, "scope", {"type": "integer"})
    token = served.tokens.add("stranger", Role.REVIEWER)
    path = f"/v1/({'|'.join((*_SOME, _UNTRUE))})$"
    report, failures = asked(
        served.url, token, ["--phases", "coverage", "--include-path-regex", path]
    )
    assert failures
    assert [one for one in failures if _UNTRUE not in one] == []
    assert report["addresses"] == 1 + len(_SOME)
    assert report["cases"] > 200


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("remember_many", {"drafts": [None]}, 400),
        ("remember_many", {"drafts": [{"text": "x", "at": 5}]}, 400),
        ("remember_many", {"drafts": [{"text": "x", "came_by": "captured"}]}, 400),
        ("remember_many", {"drafts": [{"text": "x", "at": "2026-01-01"}]}, 200),
        ("review/decide_many", {"answers": ["x"]}, 400),
        (
            "facts/add_many",
            {"tellings": [{"text": "Tea is at four.", "about": ["tea"], "confidence": 0.5}]},
            200,
        ),
        ("facts/add", {"text": "Tea is at four.", "system": "s", "confidence": "high"}, 200),
        ("facts/add", {"text": "Tea is at four.", "evidence": [7]}, 400),
        ("brief", {"request": {"session_id": {}}}, 400),
        ("sessions/list", {"limit": 2.0}, 200),
        ("sessions/list", {"limit": 2.5}, 400),
        ("sessions/list", {"limit": 10**30}, 400),
        ("episodes/show", {"episodes": [], "scope": "no scope"}, 400),
    ],
)
def test_what_an_argument_may_be_is_the_same_in_lists(served: Served, path, body, status):
    answer = served.client(Role.REVIEWER).post(f"/v1/{path}", json=body)
    assert answer.status_code == status, answer.text


def test_a_method_that_is_not_answered_is_told_which_are(served: Served):
    assert served.client().get("/v1/recal").status_code == 404
    assert served.client().delete("/v1/health").status_code == 405
    answer = served.client().get("/v1/recall")
    assert answer.status_code == 405
    assert answer.headers["allow"] == "POST"
    assert answer.json()["error"]["hint"].startswith("ask with POST")
