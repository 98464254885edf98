"""Recognise tool calls to Tilth itself, whose answers are no new evidence."""

import re
from collections.abc import Mapping

from tilth.core.json import Json, JsonObject
from tilth.transfer.reading.lenient_json import written_object

# The names that hosts give to tools of an MCP server called `tilth`.
_OWN_TOOL = re.compile(r"(?:^|[_:.])tilth[_:.]")
# One of the commands of a line runs it, by whatever path and in whatever environment.
_OWN_COMMAND = re.compile(
    r"(?:^|&&|\|\||[;|&(\n])\s*(?:[A-Za-z_]\w*=\S*\s+)*(?:\S*/)?tilth(?=[\s)]|$)"
)
_SHELL_WORDS = 3  # bash -lc COMMAND
# Cursor has one tool that calls those of servers; these arguments name the server.
_SERVERS = ("server", "serverName", "serverIdentifier", "providerIdentifier")
_OWN_SERVER = re.compile(r"(?:^|[-_:.])tilth$")
# The tools of our server, for hosts that do not say of which server a tool is.
OWN_TOOLS = frozenset(
    {
        *("recall", "fetch", "changes", "remember", "propose", "feedback", "kg_query", "kg_add"),
        *("person_resolve", "person_profile", "person_tell"),
        *("conversation_context", "conversation_add"),
        *("wiki", "wiki_start", "wiki_manifest", "compile_wiki"),
    }
)
# Their answers stand between Tilth's markers, or contain one of its IDs.
_OWN_ANSWER = re.compile(r"<tilth-context id=|\b[a-z]{3}_[0-9A-HJKMNP-TV-Z]{26}\b")


def is_own_call(name: str, arguments: Json) -> bool:
    """Say whether a call asks Tilth, by a tool of its server or in a shell."""
    told = arguments if isinstance(arguments, Mapping) else written_object(arguments)
    command = told.get("command") or told.get("cmd")
    if isinstance(command, list) and len(command) == _SHELL_WORDS:
        command = command[-1]
    is_ours = isinstance(command, str) and bool(_OWN_COMMAND.search(command))
    return is_ours or bool(_OWN_TOOL.search(name)) or _is_passed_on(told)


def _is_passed_on(told: JsonObject) -> bool:
    """Say whether a call passes another one on to a tool of Tilth's server."""
    servers = [one for name in _SERVERS if isinstance(one := told.get(name), str)]
    return "toolName" in told and any(map(_OWN_SERVER.search, servers))


def is_own_answer(name: str, answer: str) -> bool:
    """Say whether a tool of which only the *name* is known is Tilth's, by its answer."""
    return name in OWN_TOOLS and bool(_OWN_ANSWER.search(answer))
