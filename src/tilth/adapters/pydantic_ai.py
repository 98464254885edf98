"""A toolset of Pydantic AI: an agent looks up what is remembered, and adds to it."""

from typing import Any

from tilth.adapters.agent_memory import as_agent, missing, recalled
from tilth.core.scope import GLOBAL
from tilth.runtime.brain import Brain

try:
    from pydantic_ai.exceptions import ModelRetry
    from pydantic_ai.toolsets import FunctionToolset
except ImportError as error:
    raise missing("pydantic-ai", "pydantic-ai") from error

from tilth.core.errors import TilthError

_NOTHING = "Nothing that was recorded answers that."


def memory_tools(
    brain: Brain, *, scope: str = GLOBAL, session_id: str | None = None
) -> FunctionToolset[Any]:
    """
    Return the tools `recall`, `remember` and `state_fact` for an agent of Pydantic AI.

    Args:
        brain: What is looked up and added to.
        scope: Where it looks, and where what it adds belongs: global, project:KEY or domain:NAME.
        session_id: The session to which what it remembers belongs.
    """
    own = as_agent(brain, "pydantic-ai")
    tools: FunctionToolset[Any] = FunctionToolset(id="tilth")

    @tools.tool_plain
    def recall(question: str) -> str:
        """
        Look up what was said, done and decided earlier.

        Args:
            question: What to look for, in your own words.
        """
        return recalled(own, question, scope=scope) or _NOTHING

    @tools.tool_plain
    def remember(text: str) -> str:
        """
        Keep something for later sessions.

        Args:
            text: What to keep, as a sentence that is understood on its own.
        """
        try:
            kept = own.remember(text, role="assistant", session_id=session_id, scope=scope)
        except TilthError as error:
            raise ModelRetry(f"{error} {error.hint}") from error
        return f"kept as {kept}"

    @tools.tool_plain
    def state_fact(text: str, about: list[str]) -> str:
        """
        State a fact. Where a person decided otherwise, it waits for them.

        Args:
            text: The fact, as one sentence.
            about: The names of what it is about.
        """
        try:
            told = own.facts.add(text, about=about, scope=scope)
        except TilthError as error:
            raise ModelRetry(f"{error} {error.hint}") from error
        return f"{told.verdict}: {told.fact.id} is {told.fact.life.lifecycle}"

    return tools
