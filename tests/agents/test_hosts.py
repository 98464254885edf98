"""Edits of configuration: for any file, in any form."""

import json

from hypothesis import assume, given
from hypothesis import strategies as st

from tests.agents.hostile import setup_in
from tilth.agents.json_edit import parse, with_item, with_member, without_child
from tilth.core.errors import InvalidInputError, TilthError

SPACES = st.sampled_from(["", " ", "\n", "\r\n", "\t", "\n  ", "  "])
COMMENTS = st.sampled_from(["", " ", "// c\n", "/* c, { */", '\n// "x"\n', "/**/"])
SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=8)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=12,
)
COMMANDS = st.fixed_dictionaries({"command": st.text(max_size=12)}, optional={"timeout": SCALARS})
EVENTS = st.sampled_from(["Stop", "stop", "SessionStart", "sessionStart", "PreToolUse"])
FILES = st.fixed_dictionaries(
    {},
    optional={
        "hooks": st.dictionaries(
            EVENTS,
            st.lists(
                COMMANDS | st.fixed_dictionaries({"hooks": st.lists(COMMANDS, max_size=3)}),
                max_size=3,
            ),
            max_size=3,
        ),
        "version": SCALARS,
        "other": VALUES,
    },
)


def written(value, between, draw, *, is_lenient=False):
    """Write a value with anything that may stand between its parts."""

    def gap():
        return draw(between)

    def part(child):
        return f"{gap()}{written(child, between, draw, is_lenient=is_lenient)}{gap()}"

    if isinstance(value, dict):
        parts = [f"{gap()}{json.dumps(key)}{gap()}:{part(child)}" for key, child in value.items()]
        ends = "{}"
    elif isinstance(value, list):
        parts = [part(child) for child in value]
        ends = "[]"
    else:
        return json.dumps(value, ensure_ascii=draw(st.booleans()))
    comma = "," + gap() if is_lenient and parts and draw(st.booleans()) else ""
    return ends[0] + ",".join(parts) + comma + (gap() if not parts else "") + ends[1]


@st.composite
def files(draw, *, is_lenient):
    value = draw(FILES)
    between = SPACES | COMMENTS if is_lenient else SPACES
    text = draw(SPACES) + written(value, between, draw, is_lenient=is_lenient) + draw(SPACES)
    return value, text.encode("utf-8", "replace")


def check(tmp_path, host, value, content):
    setup = setup_in(tmp_path, host)
    (path,) = [edit.path for edit in setup.edits]
    try:
        (change,) = setup.changes(lambda _: content)
    except InvalidInputError as error:
        assert "is not edited" in str(error)  # noqa: PT017 - refused, which is an outcome
        return
    new = parse(change.after.decode(), is_lenient=host == "cursor").value

    # Everything that was there is there, in its order.
    assert [key for key in new if key in value] == list(value)
    assert {key: new[key] for key in value if key != "hooks"} == {
        key: value[key] for key in value if key != "hooks"
    }
    for event, groups in value.get("hooks", {}).items():
        assert new["hooks"][event][: len(groups)] == groups
    # A second time changes nothing, and taking ours out gives what was there.
    assert setup.changes(lambda _: change.after) == []
    rest = setup.without(path, change.after, content)
    assert rest is not None
    assert parse(rest.decode(), is_lenient=host == "cursor").value == value


@given(files(is_lenient=False))
def test_a_strict_file_is_only_added_to(tmp_path_factory, drawn):
    check(tmp_path_factory.getbasetemp(), "codex", *drawn)


@given(files(is_lenient=True))
def test_a_lenient_file_is_only_added_to(tmp_path_factory, drawn):
    check(tmp_path_factory.getbasetemp(), "cursor", *drawn)


@given(st.text(alphabet='{}[]",:/*\\ \n\t0e-.truefalsn\ufeffé', max_size=40))
def test_the_strict_reader_takes_what_the_standard_one_takes(text):
    try:
        known, is_taken = json.loads(text.removeprefix("\ufeff")), True
    except ValueError:
        known, is_taken = None, False
    assume("NaN" not in text and "Infinity" not in text)

    try:
        node = parse(text)
    except InvalidInputError:
        assert not is_taken
    else:
        assert is_taken
        assert node.value == known


@given(st.binary(max_size=200), st.sampled_from(["codex", "cursor"]))
def test_no_bytes_whatever_make_it_fail_otherwise(tmp_path_factory, content, host):
    setup = setup_in(tmp_path_factory.getbasetemp(), host)
    try:
        changes = setup.changes(lambda _: content)
    except TilthError:
        return
    assert len(changes) == 1


@given(st.lists(VALUES, max_size=4), VALUES, SPACES)
def test_an_item_put_in_and_taken_out_leaves_the_others(items, item, space):
    text = "[" + ",".join(space + json.dumps(one) for one in items) + space + "]"

    longer = with_item(text, parse(text), item)

    assert parse(longer).value == [*items, item]
    assert parse(without_child(longer, parse(longer), len(items))).value == items


@given(st.dictionaries(st.text(), VALUES, max_size=4), VALUES, SPACES)
def test_a_member_put_in_and_taken_out_leaves_the_others(members, value, space):
    assume("new" not in members)
    text = json.dumps(members, separators=("," + space, ": "))

    longer = with_member(text, parse(text), "new", value)

    assert parse(longer).value == members | {"new": value}
    assert parse(without_child(longer, parse(longer), len(members))).value == members


@given(st.lists(VALUES, min_size=1, max_size=5), st.data())
def test_any_item_can_be_taken_out(items, data):
    space = data.draw(SPACES)
    text = "[" + ",".join(space + json.dumps(one) + space for one in items) + "]"
    place = data.draw(st.integers(0, len(items) - 1))

    left = parse(without_child(text, parse(text), place)).value

    assert left == items[:place] + items[place + 1 :]
