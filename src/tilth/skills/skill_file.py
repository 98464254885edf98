"""
`SKILL.md`: how it is written, and what it may hold.

The format is that of Agent Skills (agentskills.io/specification): front matter with a name
and a description, then markdown. A file of ours has these two keys and no others, so it grants
no tools, names no model and runs nothing. No script is kept with it.
"""

import json
import re
import unicodedata
from collections.abc import Iterator, Sequence

from tilth.playbooks.gate import forbidden_in
from tilth.playbooks.model import Playbook

NAME_CHARS_MAX = 60
DESCRIPTION_CHARS_MAX = 200
FALLBACK_NAME = "skill"
_KEYS = ("name", "description")
_FENCE = "---"
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def slug_of(title: str) -> str:
    """Return the name of a skill with this title: lower case, digits and hyphens."""
    plain = unicodedata.normalize("NFKD", title.casefold()).encode("ascii", "ignore").decode()
    name = "-".join(re.findall(r"[a-z0-9]+", plain))[:NAME_CHARS_MAX].strip("-")
    return name or FALLBACK_NAME


def skill_text(playbook: Playbook) -> str:
    """Write a playbook as a file."""
    draft = playbook.draft
    lines = [
        f"# {_line(draft.title)}",
        "",
        f"Applies when: {_line(draft.applies_when)}",
        "",
        "## Steps",
        "",
        *(f"{number}. {_line(step)}" for number, step in enumerate(draft.steps, start=1)),
    ]
    if draft.pitfalls:
        lines += ["", "## Pitfalls", "", *(f"- {_line(one)}" for one in draft.pitfalls)]
    about = f"{draft.title}. {draft.applies_when}"
    return _with_front(slug_of(draft.title), about, lines)


def _with_front(name: str, about: str, lines: Sequence[str]) -> str:
    described = _line(about)
    if len(described) > DESCRIPTION_CHARS_MAX:
        described = f"{described[: DESCRIPTION_CHARS_MAX - 1]}…"
    # A JSON text is a YAML text in double quotes (yaml.org/spec/1.2.2, 1.3).
    quoted = json.dumps(described, ensure_ascii=False)
    front = [_FENCE, f"name: {name}", f"description: {quoted}", _FENCE]
    return "\n".join([*front, "", *lines, ""])


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
        yield f"it begins with front matter of {' and '.join(_KEYS)}, and no other keys"
        return
    name, description = front["name"], front["description"]
    if not _NAME.fullmatch(name) or len(name) > NAME_CHARS_MAX:
        yield f"its name is 1 to {NAME_CHARS_MAX} lower-case letters, digits and single hyphens"
    if not 1 <= len(description) <= DESCRIPTION_CHARS_MAX:
        yield f"its description has 1 to {DESCRIPTION_CHARS_MAX} characters"
    found = (what for line in text.split("\n") for what in forbidden_in(line))
    yield from (f"it holds {what}" for what in dict.fromkeys(found))
    if any(not (char.isprintable() or char == "\n") for char in text):
        yield "it holds a character that cannot be printed"
