"""Read what a hook asks for at an event: a brief, a recall, or a warning about a failure."""

from collections.abc import Mapping
from enum import StrEnum

from tilth.agents.hook_events import Strip, outcome_text
from tilth.agents.hook_record import HookRecord
from tilth.agents.hosts.claude_code import HAS_FAILED
from tilth.agents.read_record import parse_payload
from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError
from tilth.core.ids import SessionId
from tilth.core.io.projects import scope_of_folder
from tilth.core.json import JsonObject
from tilth.core.scope import GLOBAL, Scope, scope_to_read
from tilth.privacy.terminal_text import without_ansi_codes
from tilth.transfer.reading.agent_text import call_text, users_words
from tilth.transfer.reading.conversation import session_id_of
from tilth.transfer.reading.lenient_json import mapping, sequence, string
from tilth.transfer.reading.own_calls import is_own_call
from tilth.transfer.reading.shell_reports import gemini_outcome


class RequestKind(StrEnum):
    """What a hook asks for."""

    NOTHING = "nothing"
    BRIEF = "brief"
    SUBAGENT = "subagent"
    RECALL = "recall"
    PITFALL = "pitfall"


_KINDS: Mapping[str, RequestKind] = {
    "SessionStart": RequestKind.BRIEF,
    "sessionStart": RequestKind.BRIEF,
    "session.created": RequestKind.BRIEF,
    "session.compacting": RequestKind.BRIEF,
    "SubagentStart": RequestKind.SUBAGENT,
    "UserPromptSubmit": RequestKind.RECALL,
    "BeforeAgent": RequestKind.RECALL,
    "message.user": RequestKind.RECALL,
    "PostToolUseFailure": RequestKind.PITFALL,
    "PostToolUse": RequestKind.PITFALL,
    "AfterTool": RequestKind.PITFALL,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class HookRequest:
    """
    One question of a hook.

    `prompt` holds the user's words; `call` and `error` hold a tool's failed call and its output,
    in the words in which they are recorded.
    """

    kind: RequestKind
    session_id: SessionId | None = None
    scope: Scope
    prompt: str = ""
    tool: str = ""
    call: str = ""
    error: str = ""


def parse_request(record: HookRecord, strip: Strip = str) -> HookRequest:
    """
    Return what a hook asks for at an event of its host.

    Args:
        record: The hook's record.
        strip: Removes from a text what Tilth itself put there.

    Raises:
        InvalidInputError: the payload cannot be read.
    """
    kind = _KINDS.get(record.event, RequestKind.NOTHING)
    if kind is RequestKind.NOTHING:
        return HookRequest(kind=kind, scope=GLOBAL)
    try:
        return _asked(kind, record, parse_payload(record), strip)
    except RecursionError as error:
        raise InvalidInputError("the payload is nested too deeply") from error


def _asked(kind: RequestKind, record: HookRecord, payload: JsonObject, strip: Strip) -> HookRequest:
    session = string(payload, "session_id", "sessionId", "sessionID", "conversation_id")
    roots = [root for root in sequence(payload, "workspace_roots") if isinstance(root, str)]
    tool, arguments = string(payload, "tool_name"), payload.get("tool_input")
    error = without_ansi_codes(strip(_error(record.event, tool, payload)))
    if kind is RequestKind.PITFALL and (not error or is_own_call(tool, arguments)):
        kind = RequestKind.NOTHING
    return HookRequest(
        kind=kind,
        session_id=session_id_of(record.host, session) if session.strip() else None,
        scope=scope_to_read(scope_of_folder(roots[0] if roots else string(payload, "cwd"))),
        prompt=users_words(strip(string(payload, "prompt", "text"))),
        tool=tool,
        call=strip(call_text(tool, arguments)) if tool else "",
        error=error,
    )


def _error(event: str, tool: str, payload: JsonObject) -> str:
    """Return what a tool that failed gave back; nothing if it did not fail."""
    response = payload.get("tool_response")
    if event == "PostToolUse":
        return outcome_text(response) if payload.get(HAS_FAILED) is True else ""
    if event != "AfterTool":
        return outcome_text(payload.get("error"))
    told = mapping(payload, "tool_response")
    error, (words, has_failed) = told.get("error"), gemini_outcome(tool, outcome_text(response))
    return outcome_text(error) if error else words if has_failed else ""
