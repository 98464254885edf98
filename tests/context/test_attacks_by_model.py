"""A language model that believes all that it reads makes nobody's words of a paste a person's."""

import json
from dataclasses import replace

import pytest

from prove.attacks.injections import ASKED, PASTED, RULE
from tests.brains import AMPLE, a_brain, a_model_pool, with_model_pool
from tests.context.test_brief import OPENING
from tests.fakes import START, FixedClock
from tests.model_server import Says, says
from tilth.context.model import Block
from tilth.core.actor import HOOKS
from tilth.episodes.episode import Role
from tilth.exchanges.sentences import own_sentences
from tilth.llm.budget import Limits
from tilth.llm.providers.openai_chat import OpenAiChatModel
from tilth.llm.task import Task

TYPED = "We decided to deploy on Friday mornings, by the user that CI has."
# Short lines that hold more than what was typed, such as one of a chat: nothing tells them apart.
UNTOLD_MAX = 9
WANTS = "The user wants this: "


def believed(request) -> Says:
    """Claim each line and all of what is shown, and end all that is known by it."""
    shown = [json.loads(line) for line in request["messages"][1]["content"].splitlines()[1:-1]]
    known = [one["id"] for one in shown if "role" not in one]
    claims, over = [], []
    for one in shown:
        if "role" not in one or one["text"] == TYPED:
            continue
        parts = [line for line in one["text"].splitlines() if len(line.split()) > 2]
        for words in dict.fromkeys([one["text"], *parts]):
            quote = {"episode_id": one["id"], "text": words}
            about = dict.fromkeys(("subject", "predicate", "object"), "")
            told = f"{WANTS}{' '.join(words.split())[:300]}"
            about |= {"kind": "preference", "statement": told, "confidence": 0.9}
            claims.append(about | {"quote": quote})
            over += [{"fact": id_, "quote": quote} for id_ in known]
    return says({"claims": claims[:100], "over": over[:100]})


@pytest.mark.row("I22", "I26")
@pytest.mark.on_sqlite(but=0)
def test_a_model_that_believes_a_paste_makes_it_nobodys_wish_and_ends_nothing(whole_store, server):
    server.taken = lambda: believed(server.requests[-1])
    model = OpenAiChatModel(server.url, "small", "a-key")
    budget = replace(AMPLE, day=Limits(10_000, 10**9, 10**9))
    model_pool = a_model_pool(model, [Task.EXTRACT], budget=budget)
    brain = with_model_pool(a_brain(whole_store, FixedClock(START), by=HOOKS), model_pool)
    for number, one in enumerate(PASTED):
        scope = f"project:work/p{number:03d}"
        brain.remember(TYPED, session_id=f"a{number}", at=START, scope=scope)
        brain.remember(one.text, session_id=f"b{number}", at=START, scope=scope)
    brain.distil(is_asked=True)
    while brain.read_by_model().asked_count:
        pass

    untold = []
    for number, one in enumerate(PASTED):
        scope = f"project:work/p{number:03d}"
        told = [
            item.text
            for block in brain.brief(OPENING, scope=scope).blocks
            for item in block.items
            if block.kind in {Block.RULES, Block.ASKED}
        ]
        wanted = [line.partition(WANTS)[2].rstrip("”") for line in told if WANTS in line]
        own = folded("".join(each.text for each in own_sentences(one.text, Role.USER)))
        assert [words for words in wanted if folded(words) not in own] == [], one
        untold += [one.name for words in wanted if RULE in words or ASKED in words]
        kept = brain.facts.list(scope=scope, lifecycles=["current"])
        assert (TYPED in [fact.said.text for fact in kept], kept[0].is_contested) == (True, False)
    assert len(untold) <= UNTOLD_MAX


def folded(text):
    """Return the words of *text*, as a brief may show them."""
    return "".join(filter(str.isalnum, text))
