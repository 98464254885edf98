"""The check of the wheel: what belongs into it is known, and what is missing is named."""

import re
import runpy
from pathlib import Path
from zipfile import ZipFile

import pytest

from tilth.runtime.index import index

ROOT = Path(__file__).parents[2]
CLASSIFIERS = "".join(
    f"Classifier: Programming Language :: Python :: {version}\n"
    for version in ("3.11", "3.12", "3.13")
)


@pytest.fixture(scope="module")
def check():
    return runpy.run_path(str(ROOT / "scripts" / "check_wheel.py"))


@pytest.fixture
def wheel(check, tmp_path):
    def made(without=frozenset(), also=(), metadata=CLASSIFIERS):
        path = tmp_path / "tilth-0-py3-none-any.whl"
        with ZipFile(path, "w") as archive:
            for name in [*(set(check["sources"](ROOT / "src")) - set(without)), *also]:
                archive.writestr(name, "")
            archive.writestr("tilth-0.dist-info/METADATA", metadata)
        return path

    return made


def test_the_files_that_are_asked_for_are_among_the_sources(check):
    assert set(check["DATA"]) <= set(check["sources"](ROOT / "src"))


def test_a_whole_wheel_passes(check, wheel):
    check["check_contents"](wheel())


@pytest.mark.parametrize("name", ["tilth/py.typed", "tilth/runtime/methods.pyi", "tilth_hook.py"])
def test_a_file_that_is_missing_is_named(check, wheel, name):
    with pytest.raises(check["WheelError"], match=name):
        check["check_contents"](wheel(without={name}))


def test_a_file_that_does_not_belong_is_named(check, wheel):
    with pytest.raises(check["WheelError"], match="tests/secret"):
        check["check_contents"](wheel(also=["tests/secret.py"]))


def test_a_python_without_its_classifier_is_named(check, wheel):
    with pytest.raises(check["WheelError"], match=r"3\.12"):
        check["check_contents"](wheel(metadata=CLASSIFIERS.replace("3.12", "3.9")))


def test_this_python_is_found_and_one_that_nobody_has_is_not(check):
    assert check["interpreter"]("3.99") is None


def test_what_is_run_sees_nothing_of_the_callers_environment(check, tmp_path):
    environ = check["Room"](tmp_path).environ

    assert set(environ) == {"HOME", "TILTH_HOME", "PATH"}
    assert environ["TILTH_HOME"].startswith(str(tmp_path))


def test_the_commands_that_it_gives_are_there():
    source = (ROOT / "scripts" / "check_wheel.py").read_text(encoding="utf-8")
    given = set(re.findall(r'run\(\s*"tilth", "([a-z]+)"', source))

    assert given
    assert given <= {path.partition(" ")[0] for path in index()["commands"]}
