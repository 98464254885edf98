"""What patterns compile to is kept beside the byte code, and read again by the next process."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import tilth
from tilth.core.text.compiled import compiled

SRC = Path(tilth.__file__).parent
FOUND = (
    "from tilth.core.text.pattern import pattern; print(pattern('(?P<one>a+)b').search('aab')[1])"
)
# A process that has the pattern without compiling it.
KEPT = f"import re; re._compiler._code = None; {FOUND}"


@pytest.fixture
def environ(tmp_path):
    """Return the environment of a process whose byte code lies in a folder of its own."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return plain | {"PYTHONPYCACHEPREFIX": str(tmp_path)}


def _said(code, environ):
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environ
    )
    return ran.stdout.strip() or ran.stderr.strip().splitlines()[-1]


def _file(folder):
    return next(iter(folder.rglob("*.patterns")), None)


@pytest.mark.parametrize(
    ("text", "flags"),
    [
        (r"(?P<word>\w+) (\d+)(?P<end>$)", re.IGNORECASE | re.MULTILINE),
        (rb"[a-f]+(?:x|y)", re.DOTALL),
        ("(?i:stra\u00dfe)|[\u03b1-\u03c9]", 0),
        ("", 0),
    ],
)
def test_it_is_what_python_compiles(text, flags):
    whole = re.compile(text, flags)
    for _ in range(2):
        one = compiled(text, flags)
        # Two patterns are equal where their code is.
        assert one == whole
        assert (one.flags, one.groups, one.groupindex) == (
            whole.flags,
            whole.groups,
            whole.groupindex,
        )


def test_the_next_process_does_not_compile_it(tmp_path, environ):
    assert "not callable" in _said(KEPT, environ)
    assert _said(FOUND, environ) == "aa"
    assert _said(KEPT, environ) == "aa"


@pytest.mark.parametrize("cut", [0, 1, 40, -1])
def test_where_it_cannot_be_read_it_is_compiled_and_kept_again(cut, tmp_path, environ):
    _said(FOUND, environ)
    whole = _file(tmp_path).read_bytes()
    _file(tmp_path).write_bytes(whole[:cut])
    assert _said(FOUND, environ) == "aa"
    assert _file(tmp_path).read_bytes() == whole


def test_what_another_python_kept_is_not_read(tmp_path, environ):
    another = f"import sys; sys.version += ', another'; {FOUND}"
    assert _said(another, environ) == "aa"
    assert "not callable" in _said(KEPT, environ)


def test_who_wants_no_byte_code_gets_none_of_patterns(tmp_path, environ):
    assert _said(FOUND, environ | {"PYTHONDONTWRITEBYTECODE": "1"}) == "aa"
    assert _file(tmp_path) is None


def test_only_what_the_code_declares_is_kept():
    """No pattern is made while something runs: it could be of somebody's words."""
    made = {
        (path.relative_to(SRC).as_posix(), function.name)
        for path in SRC.rglob("*.py")
        if "core.text.pattern import" in (text := path.read_text())
        for function in ast.walk(ast.parse(text))
        if isinstance(function, ast.FunctionDef)
        for call in ast.walk(function)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id in {"pattern", "Worded"}
    }
    # These two are called as their modules load.
    assert made == {("exchanges/worth.py", "_words"), ("recall/order/replaced.py", "_form")}
