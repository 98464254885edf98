"""
`SKILL.md`: how it is written, and what it may hold.

The format is that of Agent Skills (agentskills.io/specification): front matter with a name
and a description, then markdown. A file of ours has these two keys and no others, so it grants
no tools, names no model and runs nothing. No script is kept with it.
"""

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from tilth.core.errors import InvalidInputError
from tilth.core.text.pattern import pattern
from tilth.playbooks.gate import forbidden_in
from tilth.playbooks.model import PlaybookDraft

NAME_CHARS_MAX = 60
DESCRIPTION_CHARS_MAX = 200
FALLBACK_NAME = "skill"
# The folder of skills of that name holds our hooks for Claude Code.
_OURS = "tilth"
_KEYS = ("name", "description")
_FENCE = "---"
_PARAM = pattern(r"<([a-z][a-z0-9-]{0,39})>")
_PARAM_LINE = "- <{name}>: such as {value}"
_PARAM_TOLD = pattern(r"^- <(?P<name>[a-z][a-z0-9-]{0,39})>: such as (?P<value>.+)$", re.MULTILINE)
_NAME = pattern(r"[a-z0-9]+(?:-[a-z0-9]+)*")
# What a reader of YAML takes for a number, a date, a truth value or nothing, unless it is quoted.
_NO_WORD = pattern(r"\d.*|true|false|yes|no|on|off|y|n|null")


def slug_of(title: str) -> str:
    """Return the name of a skill with this title: lower case, digits and hyphens."""
    plain = unicodedata.normalize("NFKD", title.casefold()).encode("ascii", "ignore").decode()
    name = "-".join(re.findall(r"[a-z0-9]+", plain))[:NAME_CHARS_MAX].strip("-")
    return name or FALLBACK_NAME


def params_in(text: str) -> tuple[str, ...]:
    """Return what a file leaves open: the names in angle brackets, such as `<env>`, in order."""
    return tuple(dict.fromkeys(_PARAM.findall(text)))


def param_values(text: str) -> dict[str, str]:
    """Return the values of which a file says that what it leaves open stands for them."""
    return {found["name"]: found["value"] for found in _PARAM_TOLD.finditer(text)}


def with_params(draft: PlaybookDraft, params: Mapping[str, str]) -> PlaybookDraft:
    """
    Return a playbook's words with each value of *params* left open under its name.

    Raises:
        InvalidInputError: a name is none, or its value stands in no step.
    """
    for name, value in params.items():
        if not _PARAM.fullmatch(f"<{name}>"):
            raise InvalidInputError(
                f"{name[:40]!r} names no parameter", hint="lower-case letters, digits and hyphens"
            )
        # A value is a whole word: port 80 is no part of port 8080.
        whole = re.compile(rf"(?<![\w.-]){re.escape(value)}(?![\w-])")
        if not value or not any(whole.search(step) for step in draft.steps):
            raise InvalidInputError(
                f"no step holds {value[:60]!r}, which <{name}> is to stand for",
                hint="see its steps: tilth playbook show ID",
            )

        def opened(text: str, whole: re.Pattern[str] = whole, name: str = name) -> str:
            return whole.sub(lambda _: f"<{name}>", text)

        draft = replace(
            draft,
            title=opened(draft.title),
            applies_when=opened(draft.applies_when),
            steps=tuple(map(opened, draft.steps)),
            pitfalls=tuple(map(opened, draft.pitfalls)),
        )
    return draft


def skill_text(draft: PlaybookDraft, params: Mapping[str, str] = MappingProxyType({})) -> str:
    """Write a playbook as a file; what *params* stand for is said as an example of each."""
    draft = with_params(draft, params)
    lines = [
        f"# {_line(draft.title)}",
        "",
        f"Applies when: {_line(draft.applies_when)}",
        "",
        "## Steps",
        "",
        *(f"{number}. {_line(step)}" for number, step in enumerate(draft.steps, start=1)),
    ]
    if params:
        told = (_PARAM_LINE.format(name=name, value=_line(value)) for name, value in params.items())
        lines += ["", "## Parameters", "", *told]
    if draft.pitfalls:
        lines += ["", "## Pitfalls", "", *(f"- {_line(one)}" for one in draft.pitfalls)]
    about = f"{draft.title}. Applies when: {draft.applies_when}"
    return _with_front(slug_of(draft.title), about, lines)


def _with_front(name: str, about: str, lines: Sequence[str]) -> str:
    described = _line(about)
    if len(described) > DESCRIPTION_CHARS_MAX:
        described = f"{described[: DESCRIPTION_CHARS_MAX - 1]}…"
    named = _quoted(name) if _NO_WORD.fullmatch(name) else name
    front = [_FENCE, f"name: {named}", f"description: {_quoted(described)}", _FENCE]
    return "\n".join([*front, "", *lines, ""])


def _quoted(text: str) -> str:
    # A JSON text is a YAML text in double quotes (yaml.org/spec/1.2.2, 1.3).
    return json.dumps(text, ensure_ascii=False)


def _line(text: str) -> str:
    """Return a text on one line, without what ends one or cannot be printed."""
    kept = (char if char.isprintable() else " " for char in text)
    return " ".join("".join(kept).split())


def front_of(text: str) -> dict[str, str]:
    """Return the front matter of a file; empty if it has none that is ours to read."""
    first, *rest = text.split("\n")
    if first != _FENCE or _FENCE not in rest:
        return {}
    found: dict[str, str] = {}
    for line in rest[: rest.index(_FENCE)]:
        key, mark, value = line.partition(": ")
        if not mark or key in found:
            return {}
        found[key] = _plain(value.strip())
    return found


def _plain(value: str) -> str:
    if not value.startswith('"'):
        return value
    try:
        return str(json.loads(value))
    except ValueError:
        return ""


def problems(text: str) -> Iterator[str]:
    """Yield why a text may not become a skill's file; nothing if it may."""
    front = front_of(text)
    if tuple(front) != _KEYS:
        yield f"it does not begin with front matter of {' and '.join(_KEYS)} alone"
        return
    name, description = front["name"], front["description"]
    if not _NAME.fullmatch(name) or len(name) > NAME_CHARS_MAX:
        yield f"its name is not 1 to {NAME_CHARS_MAX} lower-case letters, digits, single hyphens"
    if name == _OURS:
        yield f"its name is {_OURS!r}, whose folder holds the hooks of Tilth"
    if not 1 <= len(description) <= DESCRIPTION_CHARS_MAX:
        yield f"its description has not 1 to {DESCRIPTION_CHARS_MAX} characters"
    first: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        for what in forbidden_in(line):
            first.setdefault(what, number)
    yield from (f"line {number} holds {what}" for what, number in first.items())
    if any(not (char.isprintable() or char == "\n") for char in text):
        yield "it holds a character that cannot be printed"
