"""
What an agent may ask a human to change.

There is no tool that confirms: whoever calls over MCP is an agent, and an agent
never decides (I20). What it asks for waits, and a person runs `tilth review`.
"""

from typing import Literal, TypeAlias

from tilth.core.errors import ConflictError
from tilth.core.ids import ProposalId
from tilth.knowledge.facts.fact import Fact
from tilth.runtime.brain import Brain

Changing: TypeAlias = Literal["supersede", "retire", "promote", "doubt"]


def proposed(brain: Brain, action: Changing, fact_id: str, text: str, reason: str) -> ProposalId:
    """
    Ask a human, and return what waits.

    Raises:
        ConflictError: nothing has to wait.
    """
    asked = _asked(brain, action, brain.facts.get(fact_id), text, reason)
    if asked is None:
        raise ConflictError("that needs no human", hint="remember it, or state it: tilth fact add")
    return asked


def _asked(brain: Brain, action: Changing, fact: Fact, text: str, reason: str) -> ProposalId | None:
    match action:
        case "supersede":
            if fact.said.triple is not None:
                return brain.facts.reword(fact.id, value=text, reason=reason).proposal_id
            return brain.facts.reword(fact.id, text, reason=reason).proposal_id
        case "retire":
            return brain.facts.retire(fact.id, reason=reason).proposal_id
        case "promote":
            return brain.facts.promote(fact.id, reason=reason).proposal_id
        case "doubt":
            return brain.review.question(fact.id, reason=reason).id
