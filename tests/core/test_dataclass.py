"""Our decorator makes of a class what the standard one makes of it."""

import copy
import dataclasses
import inspect
import pickle
from dataclasses import KW_ONLY, FrozenInstanceError, field

import pytest

from tilth.core.dataclass import dataclass

WAYS = [
    {},
    {"frozen": True},
    {"slots": True},
    {"frozen": True, "slots": True},
    {"frozen": True, "slots": True, "kw_only": True},
    {"frozen": True, "eq": False},
    {"slots": True, "eq": False},
]


# What is missing, unknown, no argument, too much, or told twice.
REFUSED = [
    ((), {}),
    ((), {"x": 1, "z": 2}),
    ((), {"x": 1, "sum": 2}),
    ((), {"y": 1, "z": 2}),
    ((1, 2.0, "l", [], 9, 9), {}),
    ((1,), {"x": 1}),
]


def point(decorator, **way):
    @decorator(**way)
    class Point:
        x: int
        y: float = 0.5
        label: str = field(default="", repr=False, compare=False)
        tags: list = field(default_factory=list, hash=False)
        weight: int = field(default=7, init=False)
        sum: float = field(init=False)
        _: KW_ONLY
        note: str = "none"

        def __post_init__(self):
            object.__setattr__(self, "sum", self.x + self.y)

    return Point


@pytest.fixture(params=(0, 1000), ids=("compiled", "filled"))
def first(request, monkeypatch):
    """Have so many instances made before what makes them is compiled."""
    monkeypatch.setattr("tilth.core.dataclass._COMPILED_AFTER", request.param)


@pytest.fixture(params=WAYS, ids=str)
def both(request, first):
    """Return one class, made by us and by the standard library."""
    return point(dataclass, **request.param), point(dataclasses.dataclass, **request.param)


def made(cls, **told):
    return cls(**{"x": 1, "tags": ["a"], **told})


def said(act):
    """Return what *act* returns, or the type and words of what it raises."""
    try:
        return act()
    except (TypeError, AttributeError) as error:
        return type(error), str(error)


def test_it_takes_what_the_standard_one_takes(both):
    ours, standard = both
    assert str(inspect.signature(ours)) == str(inspect.signature(standard))
    assert ours.__match_args__ == standard.__match_args__
    for one, other in zip(dataclasses.fields(ours), dataclasses.fields(standard), strict=True):
        assert (one.name, one.type, one.kw_only) == (other.name, other.type, other.kw_only)


def test_it_refuses_what_the_standard_one_refuses(both):
    ours, standard = both
    for args, told in REFUSED:
        refused = said(lambda args=args, told=told: ours(*args, **told))
        assert refused == said(lambda args=args, told=told: standard(*args, **told))
        assert refused[0] is TypeError


def test_it_takes_by_place_what_the_standard_one_takes_so(both):
    ours, standard = both
    for args in ((1,), (1, 2.0), (1, 2.0, "l"), (1, 2.0, "l", ["a"])):
        told = said(lambda args=args: repr(ours(*args, note="n")))
        assert told == said(lambda args=args: repr(standard(*args, note="n")))


def test_its_instances_hold_and_say_the_same(both):
    ours, standard = both
    for told in ({}, {"y": 3.0}, {"label": "l", "note": "n"}):
        assert repr(made(ours, **told)) == repr(made(standard, **told))
        assert dataclasses.asdict(made(ours, **told)) == dataclasses.asdict(made(standard, **told))


def test_each_instance_has_a_new_default_of_its_own(both):
    ours, _ = both
    assert ours(x=1).tags == []
    assert ours(x=1).tags is not ours(x=1).tags


def test_they_are_equal_where_the_standard_ones_are(both):
    ours, standard = both
    for told in ({}, {"y": 3.0}, {"label": "another"}, {"tags": ["b"]}, {"note": "n"}):
        is_equal = made(standard) == made(standard, **told)
        assert (made(ours) == made(ours, **told)) is is_equal
    assert made(ours) != made(standard)


def test_they_have_the_hash_that_the_standard_ones_have(both):
    ours, standard = both
    assert (ours.__hash__ is None) == (standard.__hash__ is None)
    if ours.__hash__ is not None and ours.__eq__ is not object.__eq__:
        assert hash(made(ours)) == hash(made(standard))
        assert hash(made(ours)) == hash(made(ours, tags=["b"]))


def test_they_take_and_lose_values_where_the_standard_ones_do(both):
    ours, standard = both

    def set_it(cls):
        one = made(cls)
        one.x = 5
        return one.x

    def delete_it(cls):
        one = made(cls)
        del one.x
        return hasattr(one, "x")

    assert said(lambda: set_it(ours)) == said(lambda: set_it(standard))
    assert said(lambda: delete_it(ours)) == said(lambda: delete_it(standard))


def test_what_is_frozen_stays_as_it_is():
    one = made(point(dataclass, frozen=True, slots=True))
    with pytest.raises(FrozenInstanceError):
        one.x = 5
    with pytest.raises(FrozenInstanceError):
        del one.x


def test_a_copy_with_one_change_is_made_anew(both):
    ours, _ = both
    one = made(ours)
    with pytest.raises(ValueError, match="init=False"):
        dataclasses.replace(one, weight=8)
    assert dataclasses.replace(one, x=4).sum == 4.5


def test_copies_hold_the_same(both):
    ours, _ = both
    for again in (copy.copy(made(ours)), copy.deepcopy(made(ours))):
        assert dataclasses.asdict(again) == dataclasses.asdict(made(ours))


@dataclass(frozen=True, slots=True)
class Kept:
    """One that a pickle can name."""

    x: int
    y: str = "y"


def test_one_comes_back_from_a_pickle():
    assert pickle.loads(pickle.dumps(Kept(1))) == Kept(1)


def test_what_a_class_states_itself_stays():
    @dataclass(frozen=True, slots=True)
    class Word:  # noqa: PLW1641 - that it has a hash all the same is the test
        text: str

        def __eq__(self, other):
            return self.text.lower() == other.text.lower()

        def __repr__(self):
            return self.text

    assert Word("A") == Word("a")
    assert repr(Word("A")) == "A"
    assert hash(Word("A")) == hash(("A",))


def test_what_is_inherited_counts():
    @dataclass(frozen=True, slots=True)
    class More(Kept):
        z: int = 3

    assert More(1, z=4) == More(1, "y", 4)
    assert repr(More(1)) == ("test_what_is_inherited_counts.<locals>.More(x=1, y='y', z=3)")
    assert More(1) != Kept(1)


def test_one_that_holds_itself_can_be_told():
    @dataclass(slots=True)
    class Ring:
        next: object = None

    ring = Ring()
    ring.next = ring
    assert repr(ring).endswith("Ring(next=...)")


def test_nothing_is_compiled_before_it_is_asked_for(monkeypatch):
    compiled = []
    monkeypatch.setattr(
        "tilth.core.dataclass.exec",
        lambda text, names: (compiled.append(text), exec(text, names)),
        raising=False,
    )

    @dataclass(frozen=True, slots=True)
    class Quiet:
        x: int

    assert not compiled
    assert Quiet.__doc__ == "Quiet"
    assert Quiet(2).x == 2
    assert not compiled
    assert Quiet(1) == Quiet(1)
    assert len(compiled) == 1
    assert [Quiet(x).x for x in range(100)] == [*range(100)]
    assert len(compiled) == 2
