"""What stands for an object or a module until something of it is asked."""

import sys
import threading
from importlib import import_module

import pytest

from tilth.runtime.lazy import import_lazily, lazy, made_object


class Kettle:
    def __init__(self):
        self.boiled = 0

    def boil(self):
        self.boiled += 1
        return self.boiled


def test_nothing_is_made_before_it_is_asked_for():
    makes = []
    one = lazy(lambda: makes.append(1) or Kettle())
    assert made_object(one) is None
    assert not makes


def test_it_answers_as_the_object_that_is_made_once():
    makes = []
    one = lazy(lambda: makes.append(1) or Kettle())
    assert one.boil() == 1
    assert one.boil() == 2
    assert made_object(one).boiled == 2
    assert len(makes) == 1


def test_threads_that_ask_at_once_get_one_object():
    makes = []
    ready = threading.Barrier(8)

    def make():
        makes.append(1)
        return Kettle()

    one = lazy(make)

    def ask():
        ready.wait()
        one.boil()

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(makes) == 1
    assert made_object(one).boiled == 8


def test_an_object_that_is_there_stands_for_itself():
    kettle = Kettle()
    assert made_object(kettle) is kettle


@pytest.fixture
def module(tmp_path, monkeypatch):
    """A module that counts how often it is loaded."""
    (tmp_path / "kettles.py").write_text(
        "import builtins\nbuiltins.loaded += 1\nKETTLES = 3\n", encoding="utf-8"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("builtins.loaded", 0, raising=False)
    yield lambda: __builtins__["loaded"]
    sys.modules.pop("kettles", None)


def test_a_module_loads_when_something_of_it_is_asked_for(module):
    import_lazily("kettles")
    kettles = import_module("kettles")

    assert module() == 0
    assert kettles.KETTLES == 3
    assert import_module("kettles").KETTLES == 3
    assert sys.modules["kettles"] is not kettles
    assert module() == 1


def test_a_module_that_is_loaded_already_is_left_alone(module):
    kettles = import_module("kettles")

    import_lazily("kettles")
    assert sys.modules["kettles"] is kettles


def test_a_late_module_has_no_more_than_the_module(module):
    import_lazily("kettles")
    kettles = import_module("kettles")

    with pytest.raises(AttributeError, match="POTS"):
        _ = kettles.POTS


def test_threads_that_ask_a_late_module_at_once_load_it_once(module):
    import_lazily("kettles")
    kettles = import_module("kettles")

    found = []
    ready = threading.Barrier(8)

    def ask():
        ready.wait()
        found.append(kettles.KETTLES)

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert found == [3] * 8
    assert module() == 1
