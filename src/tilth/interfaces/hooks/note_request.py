"""How an agent is asked for a note: by the tool or the command that its host lets it use."""

import shlex

from tilth.agents.hosts.registry import find_host
from tilth.interfaces.plug_hosts import lacks_tools
from tilth.runtime.connect import shell_command

# In the words of the tool `remember`. Nobody waits for a note: it comes beside a prompt that the
# agent answers anyhow.
_REQUEST = (
    "Nothing of the last prompts is noted for later sessions. If they taught something that whoever"
    " goes on here weeks later would miss and the repository does not tell (a decision and why,"
    " what the user wants or will not have, what a failure came from, a limit of the environment),"
    " note it beside your answer, one thing in 250 characters that are understood alone: {way}"
    " where it holds in all work here. If there is nothing, go on, and do not mention this."
)
_BY_TOOL = "with the tool remember of tilth; with `always`"
_BY_COMMAND = "{program} remember --scope . --kind note '…'; with --always"


def by_command(program: str = "tilth") -> str:
    """Return how an agent that may run *program* in a shell is asked for a note."""
    return _REQUEST.format(way=_BY_COMMAND.format(program=shlex.quote(program)))


def note_request(host: str) -> str:
    """
    Return how an agent of *host* is asked for a note; nothing where it could record none.

    Raises:
        InvalidInputError: there is no such host, or a file of it is not what it would read.
        UnsupportedError: `tilth` is not installed.
    """
    if not lacks_tools(host):
        return _REQUEST.format(way=_BY_TOOL)
    return "" if find_host(host).DECLARATION.confines else by_command(shell_command())
