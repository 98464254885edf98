"""
Tools whose refusals say what was wrong, in words that an agent can act on.

An argument that the schema does not name is refused, so no call can say who its caller is or how
far it is to be trusted (I22).
"""

import re
from collections.abc import Callable, Collection, Iterable
from difflib import get_close_matches
from typing import Any

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp_types import CallToolResult, TextContent, ToolAnnotations
from pydantic import ValidationError

from tilth.core.errors import InvalidInputError, TilthError
from tilth.core.text.pattern import pattern
from tilth.interfaces.error_codes import error_body
from tilth.interfaces.mcp.service import NOTICE
from tilth.privacy.exclusion import Exclusion
from tilth.privacy.sanitize import sanitized
from tilth.privacy.terminal_text import one_line

READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
# Repeated it changes nothing, and nothing that it hides is lost: all stays in the history.
ADDS = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
_FLAG = pattern(r"--([a-z][a-z-]+)")
_TOOLS = {
    "see: tilth entity list; record a new one:": "the user makes somebody known:",
    "tilth fact list": "recall",
    "tilth recall": "recall",
    "tilth episode show, tilth fact show": "fetch",
    "tilth page list": "wiki_manifest",
    "tilth page compile entity NAME": "compile_wiki",
}
# What has options is for the user to run: a tool has others.
_WITHOUT_OPTIONS = r"(?! --)"
_NAME_CHARS = 60
_MESSAGE_CHARS = 500


class CheckedTool(Tool):
    """
    A tool whose refusals carry our code and hint, and whose schema holds no filling.

    Nothing that is `excluded` is in what it answers.
    """

    excluded: Exclusion = Exclusion()

    async def run(  # type: ignore[explicit-override] # typing.override came with Python 3.12
        self,
        arguments: dict[str, Any],
        context: Context[Any, Any],
        convert_result: bool = False,  # noqa: FBT001, FBT002 - inherited
    ) -> Any:  # noqa: ANN401 - inherited
        """Run the tool; a request that is wrong becomes a result that says so."""
        try:
            self._check_names(arguments)
            # Models that must fill in every argument, as some are held to, say so of those they
            # leave out.
            given = {name: value for name, value in arguments.items() if value is not None}
            return self._covered(_noticed(await super().run(given, context, convert_result)))
        except TilthError as error:
            return self._refusal(error)
        except ToolError as error:
            cause = error.__cause__
            if isinstance(cause, ValidationError):
                return self._refusal(InvalidInputError(_problems_in(cause)))
            if isinstance(cause, TilthError):
                return self._refusal(cause)
            raise

    def _refusal(self, error: TilthError) -> CallToolResult:
        return refusal(error, self.parameters.get("properties", {}))

    def _covered(self, result: Any) -> Any:  # noqa: ANN401 - inherited
        if not self.excluded.terms or not isinstance(result, CallToolResult):
            return result
        texts = [one.text for one in result.content if isinstance(one, TextContent)]
        return CallToolResult(
            content=[TextContent(type="text", text=self.excluded.covered(text)) for text in texts],
            structured_content=self.excluded.shown(result.structured_content),
            is_error=result.is_error,
        )

    def _check_names(self, arguments: dict[str, Any]) -> None:
        """
        Refuse arguments that the schema does not name.

        Raises:
            InvalidInputError: there are some.
        """
        known = list(self.parameters.get("properties", {}))
        for name in arguments:
            if name not in known:
                close = get_close_matches(name, known, n=1)
                raise InvalidInputError(
                    f"{self.name} takes no {one_line(name, _NAME_CHARS)!r}",
                    hint=f"did you mean {close[0]!r}?" if close else f"it takes {', '.join(known)}",
                )


def tool(
    run: Callable[..., object], does: ToolAnnotations, title: str, name: str = ""
) -> CheckedTool:
    """Return the tool that calls *run*, described by its docstring, under its name or *name*."""
    made = CheckedTool.from_function(
        run,
        name=name or run.__name__,
        title=title,
        description=" ".join((run.__doc__ or "").split()),
        annotations=does,
    )
    assert isinstance(made, CheckedTool)
    # What only repeats a name goes, and what is not named is refused.
    made.parameters = _compact(made.parameters) | {"additionalProperties": False}
    if made.fn_metadata.output_schema is not None:
        schema = _compact(made.fn_metadata.output_schema, "description", "required")
        made.fn_metadata.output_schema = schema
    return made


def only_reading(tools: Iterable[CheckedTool]) -> list[CheckedTool]:
    """Return those of *tools* that write nothing."""
    return [one for one in tools if one.annotations is not None and one.annotations.read_only_hint]


def _noticed(result: Any) -> Any:  # noqa: ANN401 - inherited
    """Put the notice that stands over evidence into its structured form too, and there first."""
    if not isinstance(result, CallToolResult) or result.structured_content is None:
        return result
    texts = [one.text for one in result.content if isinstance(one, TextContent)]
    if any(NOTICE in text for text in texts):
        result.structured_content = {"notice": NOTICE, **result.structured_content}
    return result


def refusal(error: TilthError, arguments: Collection[str] = ()) -> CallToolResult:
    """
    Return *error* as the result of a call: words for the agent, our one shape for programs.

    Hints are worded for the command line; its flags that are among *arguments* are named as those,
    and its commands that are tools here as the tools.
    """
    hint = _FLAG.sub(lambda flag: _argument(flag, arguments), error.hint)
    for command, tool in _TOOLS.items():
        hint = re.sub(re.escape(command) + _WITHOUT_OPTIONS, tool, hint)
    message, hint = (sanitized(text)[:_MESSAGE_CHARS] for text in (str(error), hint))
    text = f"{message} ({error.code})" + (f"\n{hint}" if hint else "")
    return CallToolResult(
        content=[TextContent(type="text", text=text)],
        structured_content=error_body(error.code, message, hint),
        is_error=True,
    )


def _argument(flag: re.Match[str], arguments: Collection[str]) -> str:
    name = flag[1].replace("-", "_")
    return next((one for one in (name, f"{name}_id") if one in arguments), flag[0])


def _problems_in(error: ValidationError) -> str:
    """Name each argument that is wrong and why, without repeating its value."""
    return "; ".join(
        f"{'.'.join(str(part) for part in one['loc'])}: {one['msg']}" for one in error.errors()
    )


def _compact(schema: dict[str, Any], *dropped: str) -> dict[str, Any]:
    """
    Return *schema* without what tells nothing, and *dropped*.

    Titles only repeat the names beside them; what need not be given is empty.
    """
    kept = {name: value for name, value in schema.items() if name not in {"title", *dropped}}
    if not kept.get("default", True):
        del kept["default"]
    for name, value in kept.items():
        if name in {"properties", "$defs"}:
            kept[name] = {key: _compact(one, *dropped) for key, one in value.items()}
        elif isinstance(value, dict):
            kept[name] = _compact(value, *dropped)
    return kept
