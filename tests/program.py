"""The program, in a home of its own: as a process, or (faster) inside this one."""

import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tilth.core.actor import Actor, ActorKind
from tilth.interfaces.cli import invocation, main


@dataclass(frozen=True)
class Run:
    """What came of one run."""

    code: int
    out: str
    err: str

    @property
    def answer(self):
        """The answer, when it was asked for in JSON: exactly one value on one line."""
        assert self.out.count("\n") == 1, self.out + self.err
        return json.loads(self.out)


@dataclass(frozen=True)
class Program:
    """The executable, with a folder in which it believes to be at home."""

    home: Path

    @property
    def store(self) -> Path:
        return self.home / "tilth" / "tilth.db"

    def environ(self, **changes: str) -> dict[str, str]:
        kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
        own = {"HOME": str(self.home), "TILTH_HOME": str(self.home / "tilth")}
        return kept | own | changes

    def __call__(
        self,
        *words: object,
        stdin: str | bytes = b"",
        environ: Mapping[str, str] | None = None,
        cwd: Path | None = None,
    ) -> Run:
        done = subprocess.run(
            [sys.executable, "-m", "tilth", *map(str, words)],
            input=stdin.encode() if isinstance(stdin, str) else stdin,
            capture_output=True,
            env=self.environ(**(environ or {})),
            cwd=cwd or self.home,
            timeout=100,
            check=False,
        )
        return Run(done.returncode, done.stdout.decode(), done.stderr.decode())


class Inside(Program):
    """The same without a process for each command."""

    def __call__(
        self,
        *words: object,
        stdin: str | bytes = b"",
        environ: Mapping[str, str] | None = None,
        cwd: Path | None = None,
    ) -> Run:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        out, err = io.StringIO(), io.StringIO()
        with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
            for name in os.environ:
                patch.delenv(name)
            for name, value in self.environ(**(environ or {})).items():
                patch.setenv(name, value)
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
            patch.chdir(cwd or self.home)
            code = main([str(word) for word in words])
        return Run(code, out.getvalue(), err.getvalue())


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A machine that has seen neither this program nor any agent."""
    made = tmp_path / "home"
    made.mkdir()
    return made


@pytest.fixture
def program(home: Path) -> Program:
    """The program as a process."""
    return Program(home)


@pytest.fixture
def tilth(home: Path) -> Program:
    """The program inside this process."""
    return Inside(home)


@contextmanager
def acting(kind: str) -> Iterator[None]:
    """Let somebody of a *kind* be at the command line inside this process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(invocation, "caller", lambda *_, **__: Actor("someone", ActorKind(kind)))
        yield


@pytest.fixture
def as_person() -> Iterator[None]:
    """A person at the command line inside this process."""
    with acting("human"):
        yield


class Beginnings:
    """What was played once a worker, for each test to go on from in a home of its own."""

    def __init__(self, new_home: Callable[[], Path]) -> None:
        self._new_home = new_home
        self._played: dict[object, tuple[Path, Any]] = {}

    def go_on(self, program: Program, beginning: Callable[[Program], Any]) -> Any:
        """Let *program* go on from where *beginning* ends, and return what that told."""
        if beginning not in self._played:
            first = Inside(self._new_home())
            if beginning is not make_store:
                self.go_on(first, make_store)
            self._played[beginning] = first.home, beginning(first)
        home, told = self._played[beginning]
        shutil.copytree(home, program.home, dirs_exist_ok=True)
        return deepcopy(told)


def make_store(tilth: Program) -> None:
    assert tilth("init").code == 0


@pytest.fixture(scope="session")
def beginnings(tmp_path_factory: pytest.TempPathFactory) -> Beginnings:
    """What many tests begin with."""
    return Beginnings(lambda: tmp_path_factory.mktemp("home"))


@pytest.fixture
def ready(tilth: Program, beginnings: Beginnings) -> Program:
    """The program with an empty store."""
    beginnings.go_on(tilth, make_store)
    return tilth
