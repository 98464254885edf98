"""The view of a result that has none of its own: a table of many things, a card of one."""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from datetime import datetime

from tilth.core.view import Bold, Dim, Line, Row
from tilth.privacy.terminal_text import one_line

_CELL_CHARS = 80


def default_view(answer: object) -> Iterator[Line]:
    """Yield *answer* for a person: a sequence as a table, an object as a card."""
    if answer is None:
        return
    if isinstance(answer, Sequence) and not isinstance(answer, str):
        yield from map(_row, answer)
    elif named := _named(answer):
        yield from _card(named)
    else:
        yield _text(answer)


def _row(item: object) -> Line:
    named = _named(item)
    if not named:
        return _text(item)
    cells = [_text(value) for value in named.values() if _is_short(value)]
    return Row((Bold(cells[0]), *cells[1:])) if cells else ""


def _card(named: Mapping[str, object]) -> Iterator[Line]:
    for name, value in named.items():
        label = name.removeprefix("is_").replace("_", " ")
        if isinstance(value, Sequence) and not isinstance(value, str):
            if value:
                yield Dim(label)
                yield from (_indented(_row(item)) for item in value)
        elif value not in (None, ""):
            yield Row((Dim(label), _text(value)))


def _indented(line: Line) -> Line:
    if isinstance(line, Row):
        return Row(("", *line))
    return ("  ", line) if isinstance(line, str) else ("  ", *line)


def _named(value: object) -> Mapping[str, object]:
    if isinstance(value, Mapping):
        return {str(name): item for name, item in value.items()}
    if is_dataclass(value):
        return {one.name: getattr(value, one.name) for one in fields(value)}
    return {}


def _is_short(value: object) -> bool:
    return not (_named(value) or (isinstance(value, Sequence) and not isinstance(value, str)))


def _text(value: object) -> str:  # noqa: PLR0911 - a case for each kind of value
    match value:
        case bool():
            return "yes" if value else "no"
        case int():
            return f"{value:,}"
        case datetime():
            return f"{value:%Y-%m-%d %H:%M}"
        case AbstractSet():
            return ", ".join(sorted(map(str, value)))
        case None:
            return ""
        case _ if named := _named(value):
            return one_line(", ".join(f"{name} {_text(one)}" for name, one in named.items()), 80)
        case _:
            return one_line(str(value), _CELL_CHARS)
