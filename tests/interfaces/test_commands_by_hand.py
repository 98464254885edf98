"""Commands that are written by hand reach the verbs as Python does, and refuse in their words."""

import shlex

import pytest

from tests.interfaces.test_conformance import by_cli, refused, standing_in
from tilth.core.errors import ConflictError
from tilth.core.verb import VERBS
from tilth.interfaces.http import call_verb
from tilth.runtime.index import index

_PROPOSAL, _FACT = f"prp_{'0' * 26}", f"fct_{'0' * 26}"
_DIGEST = "d" * 64
_DECIDED = {"proposal_id": _PROPOSAL, "digest": _DIGEST}
# What is asked at the command line: the verb that it reaches, and what that is told at least.
BY_HAND = {
    "brief": ("brief", {}),
    "dedup": ("dedup", {}),
    "distil": ("distil", {}),
    "verify": ("verify", {}),
    "rebuild": ("rebuild", {}),
    "metrics": ("models.spent_today", {}),
    "erase --entity words": ("erase.plan", {"entity": "words"}),
    "entity add words": ("entities.add", {"name": "words"}),
    "entity suggest words": ("entities.suggest", {"name": "words"}),
    "entity resolve words": ("entities.resolve", {"name": "words"}),
    "entity profile words": ("people.profile", {"name": "words"}),
    "conversation idle": ("conversations.idle", {}),
    "review list": ("review.list", {}),
    "review batch": ("review.list", {}),
    "review scan": ("review.scan", {}),
    "review promote --yes": ("facts.promotable", {}),
    f"review show {_PROPOSAL}": ("review.show", {"proposal_id": _PROPOSAL}),
    f"review snooze {_PROPOSAL} --until 2030-01-01": ("review.snooze", {"proposal_id": _PROPOSAL}),
    f"review undo {_PROPOSAL}": ("review.undo", {"proposal_id": _PROPOSAL}),
    f"review ask {_FACT} --reason words": (
        "review.question", {"fact_id": _FACT, "reason": "words"}
    ),
    **{
        f"review {word} {_PROPOSAL} --digest {_DIGEST} {more}".strip(): (
            "review.decide", _DECIDED | {"action": action} | told
        )
        for word, action, more, told in (
            ("confirm", "confirm", "", {}),
            ("reject", "reject", "", {}),
            ("dispute", "dispute", "", {}),
            ("evidence", "evidence_only", "", {}),
            ("stale", "mark_stale", "", {}),
            ("edit", "edit", "--text words", {"text": "words"}),
            ("restrict", "restrict_scope", "--to project:a/b", {"scope": "project:a/b"}),
            ("merge", "merge", f"--keep {_FACT}", {"keeps": _FACT}),
            ("supersede", "supersede", f"--keep {_FACT}", {"keeps": _FACT}),
        )
    },
}  # fmt: skip
# What no verb does, and no other way in offers: files and programs of this machine and this user.
OF_THE_MACHINE = {
    "init", "unplug", "pause", "resume", "demo", "doctor", "mcp", "serve", "settings list",
    "settings set", "settings unset", "project rename", "model use", "model off",
    "completion", "man",
    "token link", "token add", "token list", "token revoke",
    "worker run", "worker status", "worker stop",
    # They take a file as it lies here; what is in it goes by the importer or the store itself.
    "import", "fact import", "load", "backup", "restore",
    # Cards and keys at a terminal; each answer is one of the commands above.
    "review walk",
}  # fmt: skip


@pytest.fixture
def place(make_place_on):
    return make_place_on("sqlite")


@pytest.mark.row("OB-071", "I44")
def test_every_command_is_derived_or_compared_here_or_of_the_machine():
    call_verb.offered()
    derived = {one.command for one in VERBS.values() if one.command}
    compared = {name for line in BY_HAND for name in index()["commands"] if _begins(line, name)}
    assert derived.isdisjoint(compared | OF_THE_MACHINE)
    assert derived | compared | OF_THE_MACHINE == index()["commands"].keys()


def _begins(line, name):
    return f"{line} ".startswith(f"{name} ")


@pytest.mark.row("OB-071", "I44")
def test_a_command_by_hand_reaches_its_verb_and_refuses_in_its_words(ready, monkeypatch):
    call_verb.offered()
    unlike = {}
    for line, (name, told) in BY_HAND.items():
        with monkeypatch.context() as patch:
            core = standing_in(patch, VERBS[name])
            core.answer = ConflictError("so it is", hint="do that")
            came = by_cli(ready, [*shlex.split(line), "--json"])
        reached = core.reached[0] if core.reached else {}
        got = {one: str(reached.get(one)) for one in told}
        if not core.reached or got != told or came != refused(core.answer):
            unlike[line] = (core.reached, came)
    assert not unlike, "\n".join(map(str, unlike.items()))
