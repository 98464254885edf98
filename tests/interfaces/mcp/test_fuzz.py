"""Whatever comes is answered or refused: no crash, and nothing written by what is refused."""

import anyio
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from tests.effort import tried
from tilth.interfaces.mcp.memory_tools import build_memory_server
from tilth.interfaces.mcp.server import build_server

_SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=30),
    st.sampled_from(
        [
            "",
            "null",
            "global",
            "2026-01-01",
            "epi_01ARZ3NDEKTSV4RRFFQ69G5FAV",
            "chg_AAAA",
            "\0",
            "[",
        ]
    ),
)
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)
_NAMES = [
    "query", "scope", "session_id", "kinds", "as_of", "limit", "max_tokens", "response_format",
    "ids", "offset", "since", "text", "kind", "role", "speaker", "occurred_at", "authority",
]  # fmt: skip
_MEMORY_NAMES = ["entities", "relations", "observations", "entityNames", "deletions", "names"]
_ENTITY = st.fixed_dictionaries(
    {"name": st.text(), "entityType": st.text(), "observations": st.lists(st.text(), max_size=2)}
)
_RELATION = st.fixed_dictionaries({"from": st.text(), "to": st.text(), "relationType": st.text()})
# Each example goes on with the store of the one before, which is what a server does too.
unhurried = tried(150, HealthCheck.function_scoped_fixture)


def counted(brain):
    return len(brain.episodes.list(limit=1000))


def asked(server, brain, tool, arguments):
    """Call a tool; a crash would come out of this as an exception."""
    before = counted(brain)
    answer = anyio.run(server.call_tool, tool, arguments)
    if answer.is_error:
        assert counted(brain) == before
        assert answer.structured_content["error"]["code"]
    return answer


@pytest.fixture
def server(service):
    return build_server(service)


@pytest.mark.row("S11")
@pytest.mark.parametrize("tool", ["recall", "fetch", "changes", "remember"])
def test_arguments_of_any_kind_are_answered_or_refused(server, brain, tool):
    @unhurried
    @given(st.dictionaries(st.sampled_from(_NAMES), _VALUES, max_size=5))
    def check(arguments):
        asked(server, brain, tool, arguments)

    check()


@pytest.mark.row("S11")
@pytest.mark.parametrize("tool", ["recall", "remember"])
def test_any_text_is_answered_or_refused(server, brain, tool):
    @unhurried
    @given(st.text(), st.text(max_size=20), st.text(max_size=20))
    def check(text, session_id, scope):
        name = "query" if tool == "recall" else "text"
        asked(server, brain, tool, {name: text, "session_id": session_id})
        asked(server, brain, tool, {name: text, "scope": scope})

    check()


@pytest.mark.row("S11")
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("create_entities", {"entities": st.lists(_ENTITY, max_size=3)}),
        ("create_relations", {"relations": st.lists(_RELATION, max_size=3)}),
        ("delete_relations", {"relations": st.lists(_RELATION, max_size=3)}),
        ("delete_entities", {"entityNames": st.lists(st.text(), max_size=3)}),
        ("open_nodes", {"names": st.lists(st.text(), max_size=3)}),
        ("search_nodes", {"query": st.text()}),
        ("add_observations", dict.fromkeys(_MEMORY_NAMES, _VALUES)),
        ("delete_observations", dict.fromkeys(_MEMORY_NAMES, _VALUES)),
    ],
)
def test_the_memory_tools_answer_or_refuse_any_names(brain, tool, arguments):
    server = build_memory_server(brain)

    @unhurried
    @given(st.fixed_dictionaries({}, optional=arguments))
    def check(told):
        asked(server, brain, tool, told)

    check()
