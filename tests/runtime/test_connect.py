"""What a program is told that connects, or calls, with something else than is taken."""

import pickle
import pwd
from pathlib import Path

import pytest

import tilth
from tilth.core.errors import InvalidInputError, StoreMissingError, UnavailableError
from tilth.core.io.paths import users_home
from tilth.runtime.places import folders


@pytest.fixture
def brain(tmp_path):
    with tilth.connect(tmp_path / "tilth.db", create=True) as made:
        yield made


@pytest.mark.parametrize(
    "call",
    [
        lambda brain: brain.facts.get(5),
        lambda brain: brain.episodes.get(b"epi_01KAR"),
        lambda brain: brain.sessions.get(5),
        lambda brain: brain.facts.add("The kettle is red.", scope=5),
        lambda brain: brain.review.show(None),
    ],
)
def test_an_id_that_is_no_text_is_refused_in_words(brain, call):
    with pytest.raises(InvalidInputError, match=r"is a string, not|is missing"):
        call(brain)


def test_an_actor_that_is_none_is_refused_in_words(tmp_path):
    with pytest.raises(InvalidInputError, match="an actor is an object, not 'ana'") as refused:
        tilth.connect(tmp_path / "tilth.db", create=True, actor="ana")

    assert "tilth.Human('ana')" in refused.value.hint


def test_a_folder_is_no_store(tmp_path):
    with pytest.raises(UnavailableError, match="is a folder") as refused:
        tilth.connect(tmp_path)

    assert str(tmp_path / "tilth.db") in refused.value.hint


def test_a_path_may_be_bytes_and_holds_no_zero(tmp_path):
    with tilth.connect(bytes(tmp_path / "tilth.db"), create=True) as brain:
        brain.remember("hello")
    with pytest.raises(InvalidInputError, match="zero byte"):
        tilth.connect(f"{tmp_path}/a\0b")
    with pytest.raises(TypeError, match="PathLike"):
        tilth.connect(5)


def test_a_brain_goes_to_no_other_process(brain):
    with pytest.raises(TypeError, match="connect in the process that needs it"):
        pickle.dumps(brain)


def test_an_argument_of_a_class_is_told_by_its_name(brain):
    told = "request is a tilth.context.model.BriefRequest, not"
    with pytest.raises(InvalidInputError, match=told):
        brain.brief({"question": "what now"})


def test_a_method_that_is_not_there_is_told_with_those_that_are(brain):
    with pytest.raises(AttributeError, match=r"brain\.facts has no 'create'; it has add, add_many"):
        _ = brain.facts.create
    with pytest.raises(TypeError, match=r"brain\.facts is no verb itself; call one .*: add, "):
        brain.facts("The kettle whistles.")
    with pytest.raises(AttributeError, match=r"no attribute 'fact'; it has .* remember") as refusal:
        _ = brain.fact

    assert (refusal.value.name, refusal.value.obj) == ("fact", brain)
    assert len(dir(brain)) == len(set(dir(brain)))
    assert "add" in repr(brain.facts)


def test_a_store_that_is_missing_where_none_is_named_is_made_without_a_path(tmp_path, monkeypatch):
    monkeypatch.setenv("TILTH_HOME", str(tmp_path))
    monkeypatch.delenv("TILTH_STORE", raising=False)
    with pytest.raises(StoreMissingError, match="there is no store at") as refused:
        tilth.connect()
    with pytest.raises(StoreMissingError, match="there is no store at") as named:
        tilth.connect(tmp_path / "other.db")

    assert refused.value.hint == "make one with: tilth init"
    assert named.value.hint == f"make one with: tilth init --store {tmp_path / 'other.db'}"


def test_who_has_no_home_is_told_to_name_one(monkeypatch):
    def nobody(_number):
        raise KeyError

    monkeypatch.setattr(pwd, "getpwuid", nobody)
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for ask in (folders, users_home):
        with pytest.raises(InvalidInputError, match="no home folder"):
            ask({})
    assert users_home({"HOME": "/h"}) == "/h"
    assert folders({"TILTH_HOME": "/h"}).data == Path("/h")
