"""Find packages in manifests and imports, wherever their text is shown."""

import re
from collections.abc import Iterator

from tilth.core.text.pattern import linear, pattern
from tilth.knowledge.entities.sighting import Form, Named

# RE2 on bytes, since these read each text whole.
_MAY_LIST = linear(
    rb"ependencies\\?\"\s*:|(?m)^\W*(?:\d+\W+)?(?:require\b|\[[\w.-]*dependencies\]|gem ['\"])"
    rb"| v\d+\.\d+\.\d+|[\w\]](?:==|>=|~=)\d"
)
_DEPENDENCIES = pattern(r'"(?:dev|peer|optional)?[dD]ependencies"\s*:\s*\{\s*\n([^{}]*)\}')
_ENTRY = pattern(
    r'"(@?[\w.-]+(?:/[\w.-]+)?)"\s*:\s*"((?:[~^]|[<>]=?)?\s?v?\d[^"]*|latest|catalog:[^"]*|npm:[^"]*|\*)"'
)
# The beginning of a line, which a tool may have numbered or quoted.
_HEAD = r"^[^\w\n]{0,12}(?:\d{1,6}[^\w\n]{1,6})?"
_GO_REQUIRED = pattern(
    _HEAD + r"(?:require\s+)?"
    r"((?:[a-z0-9-]+\.)+[a-z]{2,}/[\w./~-]+) v\d+\.\d+\.\d+\S*(?!\S)(?!.*(?:// indirect| h1:))",
    re.MULTILINE,
)
_PY_REQUIRED = pattern(
    _HEAD + r"([A-Za-z][\w.-]*)(?:\[[\w, -]*\])?\s?(?:==|>=|~=)\s?\d",
    re.MULTILINE,
)
_CARGO = pattern(
    _HEAD + r"\[[\w.-]*dependencies\]\s*$((?:\n(?!\[).*)*)",
    re.MULTILINE,
)
_CARGO_ENTRY = pattern(
    _HEAD + r"([A-Za-z][\w-]*)\s*=\s*(?:\"[\d^~=*]|\{[^}\n]*version)",
    re.MULTILINE,
)
_GEM = pattern(_HEAD + r"gem ['\"]([\w-]+)['\"]", re.MULTILINE)
_NUMBERED = pattern(r"^[ ]{0,8}\d+(?:→|\t|: ?|\. )", re.MULTILINE)
_JS_IMPORT = pattern(
    r"(?:\bfrom|\bimport|\brequire\(|\bimport\()\s*[\"']((?!node:|bun:)@?[a-z][\w.-]*(?:/[\w.-]+)*)[\"']"
)
_PY_IMPORT = pattern(
    _HEAD + r"(?:from ([a-z_]\w*)[\w.]* import "
    r"|import ([a-z_]\w*)(?:\.\w+)*(?: as \w+)?\s*$)",
    re.MULTILINE,
)
_GO_IMPORT = pattern(
    r"^[^\n\"'`]{0,24}\"((?:[a-z0-9-]+\.)+[a-z]{2,}/[\w.-]+(?:/[\w.-]+)*)\"\s*$", re.MULTILINE
)


def listed(text: str) -> Iterator[Named]:
    """Yield the packages that a manifest lists."""
    if not _MAY_LIST.search(text.encode(errors="replace")):
        return
    shown = _NUMBERED.sub("", _unescaped(text))
    # Most packages in a lock file are indirect.
    is_lock = '"integrity"' in shown or '"resolved"' in shown
    for block in () if is_lock else _DEPENDENCIES.finditer(shown):
        for entry in _ENTRY.finditer(block[1]):
            yield Named(Form.LISTED, entry[1])
    for listing in (_GO_REQUIRED, _PY_REQUIRED, _GEM):
        for entry in listing.finditer(shown):
            yield Named(Form.LISTED, entry[1])
    for block in _CARGO.finditer(shown):
        for entry in _CARGO_ENTRY.finditer(block[1]):
            yield Named(Form.LISTED, entry[1])


def _unescaped(text: str) -> str:
    """Return the unescaped form of a text that is inside JSON."""
    return text.replace("\\n", "\n").replace('\\"', '"')


def imported(text: str) -> Iterator[Named]:
    """Yield the packages that code imports."""
    if "import" not in text and "require(" not in text:
        return
    shown = _unescaped(text)
    for entry in _JS_IMPORT.finditer(shown):
        parts = entry[1].split("/")
        yield Named(Form.IMPORTED, "/".join(parts[: 2 if entry[1].startswith("@") else 1]))
    for entry in _PY_IMPORT.finditer(shown):
        yield Named(Form.IMPORTED, entry[1] or entry[2])
    for entry in _GO_IMPORT.finditer(shown):
        yield Named(Form.IMPORTED, "/".join(entry[1].split("/")[:3]))
