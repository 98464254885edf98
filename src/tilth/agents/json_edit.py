"""
Parse JSON with the position of each value, to edit it as its author wrote it.

A configuration is edited where it must be and nowhere else: comments, order, indentation and line
ends are the author's. So nothing is written from parsed values; pieces are put in and taken out of
the text.
"""

import json
import re

from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError
from tilth.core.json import Json

DEPTH_MAX = 100
_BOM = "\ufeff"
_SPACE = re.compile(r"[ \t\r\n]+")
_COMMENT = re.compile(r"//[^\r\n]*|/\*.*?\*/", re.DOTALL)
_SCALAR = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"|-?[0-9][0-9.eE+-]*|true|false|null')
_OPENERS = {"{": "}", "[": "]"}


@dataclass(frozen=True, slots=True)
class Node:
    """
    A value and its place: `text[start:end]`.

    `children` are the items of an array, or the members of an object under
    `keys`; `value` is what it means.
    """

    start: int
    end: int
    value: Json
    children: tuple["Node", ...] = ()
    keys: tuple["Node", ...] = ()

    def get(self, key: str) -> "Node | None":
        """Return the member under *key*; of several the last, as every parser has it."""
        found = None
        for name, child in zip(self.keys, self.children, strict=False):
            if name.value == key:
                found = child
        return found


@dataclass(slots=True)
class _Parser:
    text: str
    is_lenient: bool
    at: int = 0
    depth: int = 0

    def document(self) -> Node:
        self.at = len(_BOM) if self.text.startswith(_BOM) else 0
        self._skip()
        node = self._value()
        self._skip()
        if self.at < len(self.text):
            raise self._error("something follows the end")
        return node

    def _value(self) -> Node:
        char = self.text[self.at : self.at + 1]
        if char in _OPENERS:
            return self._container(char)
        match = _SCALAR.match(self.text, self.at)
        if match is None:
            raise self._error("a value is expected")
        try:
            value: Json = json.loads(match[0])
        except ValueError as error:
            raise self._error(f"{match[0][:40]} is no value") from error
        self.at = match.end()
        return Node(match.start(), match.end(), value)

    def _container(self, opener: str) -> Node:
        start, closer = self.at, _OPENERS[opener]
        self.depth += 1
        if self.depth > DEPTH_MAX:
            raise self._error("it is nested too deeply")
        keys: list[Node] = []
        children: list[Node] = []
        self._take(opener)
        while self._peek() != closer:
            if children:
                self._take(",")
                if self._peek() == closer:
                    if not self.is_lenient:
                        raise self._error("a comma stands before the end")
                    break
            if opener == "{":
                keys.append(self._key())
                self._take(":")
            self._skip()
            children.append(self._value())
        self._take(closer)
        self.depth -= 1
        names = [str(key.value) for key in keys]
        values = [child.value for child in children]
        value: Json = dict(zip(names, values, strict=True)) if opener == "{" else values
        return Node(start, self.at, value, tuple(children), tuple(keys))

    def _key(self) -> Node:
        self._skip()
        if self.text[self.at : self.at + 1] != '"':
            raise self._error("a key in double quotes is expected")
        return self._value()

    def _peek(self) -> str:
        self._skip()
        if self.at >= len(self.text):
            raise self._error("it ends too early")
        return self.text[self.at]

    def _take(self, char: str) -> None:
        if self._peek() != char:
            raise self._error(f"{char!r} is expected")
        self.at += 1

    def _skip(self) -> None:
        while True:
            match = _SPACE.match(self.text, self.at)
            if match is None and self.is_lenient:
                match = _COMMENT.match(self.text, self.at)
            if match is None:
                return
            self.at = match.end()

    def _error(self, what: str) -> InvalidInputError:
        before = self.text[: self.at]
        line = before.count("\n") + 1
        column = self.at - (before.rfind("\n") + 1) + 1
        return InvalidInputError(f"line {line}, column {column}: {what}")


def parse(text: str, *, is_lenient: bool = False) -> Node:
    """
    Read *text*; a lenient reader takes comments and a comma before an end.

    Raises:
        InvalidInputError: it is no JSON; the message names line and column.
    """
    return _Parser(text, is_lenient).document()


def with_member(text: str, holder: Node, key: str, value: Json) -> str:
    """Return *text* with a new last member in the object *holder*."""
    return _with_child(text, holder, value, f"{json.dumps(key)}: ")


def with_item(text: str, holder: Node, value: Json) -> str:
    """Return *text* with a new last item in the array *holder*."""
    return _with_child(text, holder, value, "")


def with_value(text: str, node: Node, value: Json) -> str:
    """Return *text* with *value* in the place of *node*."""
    return text[: node.start] + _written(value, text, _margin(text, node.start)) + text[node.end :]


def without_child(text: str, holder: Node, place: int) -> str:
    """Return *text* without the child at *place* and one comma; comments around it stay."""
    child = holder.children[place]
    start = begin = holder.keys[place].start if holder.keys else child.start
    while text[begin - 1] in " \t":
        begin -= 1
    if text[begin - 1] == "\n":
        begin -= 2 if text[begin - 2] == "\r" else 1
    comma = _next_comma(text, child.end, holder.end)
    if comma is None and place > 0:
        comma = _next_comma(text, holder.children[place - 1].end, start)
    without = text[:begin] + text[child.end :]
    if comma is None:
        return without
    moved = comma - (child.end - begin) if comma >= child.end else comma
    return without[:moved] + without[moved + 1 :]


def pretty(value: Json) -> str:
    """Write *value* as a file of its own."""
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def indent_of(text: str) -> str:
    """Return the unit by which *text* indents: that of its first indented line, or two spaces."""
    match = re.search(r"^([ \t]+)[^ \t\r\n/*]", text, re.MULTILINE)
    return match[1] if match else "  "


def _with_child(text: str, holder: Node, value: Json, label: str) -> str:
    close, newline = holder.end - 1, _newline(text)
    body, trailing = text[:close], ""
    if not holder.children:
        outer = _margin(text, holder.start)
        inner = outer + indent_of(text)
        written = label + _written(value, text, inner)
        return body.rstrip() + newline + inner + written + newline + outer + text[close:]
    last = holder.children[-1]
    first = holder.keys[-1].start if holder.keys else last.start
    if _next_comma(text, last.end, close) is None:
        body = text[: last.end] + "," + text[last.end : close]
    else:
        trailing = ","
    kept = body.rstrip()
    begins_line = not text[text.rfind("\n", 0, first) + 1 : first].strip(" \t" + _BOM)
    if begins_line or "\n" in text[last.end : close]:
        margin = _margin(text, first)
        put = newline + margin + label + _written(value, text, margin)
    else:
        put = " " + label + json.dumps(value, ensure_ascii=False)
    return kept + put + trailing + body[len(kept) :] + text[close:]


def _written(value: Json, text: str, margin: str) -> str:
    lines = json.dumps(value, indent=indent_of(text), ensure_ascii=False).split("\n")
    return (_newline(text) + margin).join(lines)


def _margin(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at].lstrip(_BOM)
    return line[: len(line) - len(line.lstrip(" \t"))]


def _newline(text: str) -> str:
    first = text.find("\n")
    return "\r\n" if first > 0 and text[first - 1] == "\r" else "\n"


def _next_comma(text: str, start: int, end: int) -> int | None:
    """Return the place of the comma that follows *start*, past space and comments."""
    at = start
    while at < end:
        match = _SPACE.match(text, at) or _COMMENT.match(text, at)
        if match is None:
            return at if text[at] == "," else None
        at = match.end()
    return None
