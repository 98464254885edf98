"""Every command of the README and of the docs runs as it is written, and shows what is shown."""

import io
import os
import re
import shutil
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from tests.docs.pages import NOT_RUN, PAGES, ROOT, blocks, mentions
from tests.program import Program, Run
from tilth.interfaces.cli import main
from tilth.runtime.index import index

# What a person might have typed before coming to a page.
SEED = (
    ("init",),
    ("remember", "Which port does the kettle use?", "--session", "kitchen"),
    ("remember", "The kettle listens on port 8080.", "--session", "kitchen"),
    ("remember", "Can you export this as a PDF? I'm sorry, I can't do that.", "--session", "s-1"),
    ("fact", "add", "The router is at 192.0.2.1.", "--system", "lab", "--component", "router"),
    ("entity", "add", "Ada Lovelace", "--type", "person"),
    ("entity", "add", "Paperless", "--type", "service"),
)
FILES = {
    "memory.jsonl": '{"type": "entity", "name": "Ada", "entityType": "person",'
    ' "observations": ["likes tea"]}\n'
}
EVERYWHERE = {"--json", "--store", "--owner", "--quiet", "--no-color", "--debug", "--help"}
WITH_BLOCKS = [page for page in PAGES if any(blocks(page, "console"))]
# What differs from run to run.
PASSING = (
    (re.compile(r"\b(?:epi|fct|ent|edg|prp|rcp|cnv|sum|gap|out)_[0-9A-Z]+(?:…|\b)"), "ID"),
    (re.compile(r"\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d)?(?:\.\d+)?Z?)?"), "DATE"),
    (re.compile(r"/\S+/"), "FOLDER/"),
    (re.compile(r"[ ]+"), " "),
)


class AtTerminal(Program):
    """The program inside this process, typed by a person who agrees to what is asked."""

    def environ(self, **changes):
        # The folders are those of somebody who has set nothing.
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        return {"PATH": path, "HOME": str(self.home), "TILTH_HOME": ""} | changes

    def __call__(self, *words, stdin="y\n" * 9, environ=None):
        screen = io.StringIO()  # on a terminal answers and messages stand among each other
        keyboard = io.StringIO(stdin)
        keyboard.isatty = lambda: True
        keyboard.fileno = lambda: 0
        own = self.environ(**(environ or {}))
        with (
            pytest.MonkeyPatch.context() as patch,
            redirect_stdout(screen),
            redirect_stderr(screen),
        ):
            for name in os.environ:
                patch.delenv(name)
            for name, value in own.items():
                patch.setenv(name, value)
            patch.setattr(sys, "stdin", keyboard)
            patch.chdir(self.home)
            try:
                code = main([str(word) for word in words])
            except SystemExit as ended:  # argparse ends the program after its help
                code = int(ended.code or 0)
        return Run(code, screen.getvalue(), "")


@pytest.fixture(scope="module")
def seeded(tmp_path_factory):
    home = tmp_path_factory.mktemp("seeded") / "home"
    home.mkdir()
    for words in SEED:
        done = AtTerminal(home)(*words)
        assert done.code == 0, (words, done)
    return home


@pytest.fixture
def home_for(seeded, tmp_path):
    def made(first):
        home = tmp_path / "home"
        if first == ["tilth", "init"]:
            home.mkdir()
        else:
            shutil.copytree(seeded, home)
        for name, text in FILES.items():
            (home / name).write_text(text, encoding="utf-8")
        return home

    return made


def shape(text):
    for pattern, name in PASSING:
        text = pattern.sub(name, text)
    return text.strip()


def assert_shown(expected, out):
    """Compare lines; a line that is `…` alone stands for any number of them."""
    shown = [shape(line) for line in out.splitlines() if line.strip()]
    wanted = [shape(line) for line in expected if line.strip()]
    patterns = [".*" if line == "…" else re.escape(line).replace("…", ".*") for line in wanted]
    assert re.fullmatch("\n".join(patterns), "\n".join(shown), re.DOTALL), "\n".join(
        ["shown:", *shown, "written:", *wanted]
    )


@pytest.mark.parametrize("page", WITH_BLOCKS, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_run_as_they_are_written(page, home_for):
    run = [one for block in blocks(page, "console") if block.is_run for one in block.commands]
    if not run:
        pytest.skip("nothing on this page can run here")
    tilth = AtTerminal(home_for(run[0].words))
    for command in run:
        if command.words[0] == "tilth" and not {">", ">>", "|"} & set(command.words):
            done = tilth(*command.words[1:])
            assert done.code == command.exit_code, f"$ {command.line}\n{done.out}"
            if any(line.strip() for line in command.shown):
                assert_shown(command.shown, done.out)
        else:
            done = subprocess.run(
                ["bash", "-c", command.line],
                cwd=tilth.home,
                env=tilth.environ(PYTHONUNBUFFERED="1"),
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                check=False,
            )
            assert done.returncode == command.exit_code, f"$ {command.line}\n{done.stdout}"
            if any(line.strip() for line in command.shown):
                assert_shown(command.shown, done.stdout.decode())


@pytest.mark.parametrize("page", WITH_BLOCKS, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_that_need_more_than_a_test_has_say_so_and_parse(page, tmp_path):
    for block in blocks(page, "console"):
        if block.is_run:
            continue
        assert block.note.removeprefix(NOT_RUN), "it says what they need"
        for command in block.commands:
            if command.words[0] == "tilth":
                assert_parses(command.words[1:], AtTerminal(tmp_path))


def assert_parses(words, tilth):
    path = command_in(words)
    done = tilth(*path, "--help")
    assert done.code == 0, done.out
    flags = [word.partition("=")[0] for word in words if word.startswith("-")]
    assert [flag for flag in flags if flag not in done.out] == []


def command_in(words):
    """Return the words that name a command, and not what it is given."""
    known = {*index()["commands"], *index()["groups"]}
    return max(
        (words[:count] for count in range(3) if " ".join(words[:count]) in {"", *known}), key=len
    )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_that_a_page_mentions_are_there(page):
    wrong = [span for span in mentions(page) if not is_command(span)]

    assert wrong == []


def is_command(span):
    words = span.split()[1:]
    if words[0].startswith(("-", "…")) or words[0].isupper():
        return True
    path = command_in(words)
    if not path:
        return words[0] == "help"
    rest = words[len(path) :]
    entry = index()["commands"].get(" ".join(path))
    # After a noun comes one of its commands, or nothing.
    if entry is None and rest and re.fullmatch(r"[a-z][a-z-]*", rest[0]):
        return False
    if entry is None:
        return True
    known = {flag for one in entry["arguments"] for flag in one.get("flags", ())}
    told = {word.strip("[].,;").partition("=")[0] for word in rest}
    return {word for word in told if word.startswith("--")} <= known | EVERYWHERE


@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if page.parent.name != "adr" and any(blocks(page, "python"))],
    ids=lambda page: str(page.relative_to(ROOT)),
)
def test_python_runs_as_it_is_written(page, seeded, tmp_path, monkeypatch):
    shutil.copytree(seeded, tmp_path / "home")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TILTH_HOME", "")
    monkeypatch.chdir(tmp_path)
    for block in blocks(page, "python"):
        if block.is_run:
            code = "\n".join(block.lines)
            exec(compile(code, str(page), "exec"), {"__name__": "page"})
