"""IDs given by their beginning."""

import pytest

from tests.brains import a_brain
from tilth.core.errors import InvalidInputError
from tilth.core.scope import Owner


def test_a_beginning_that_is_one_things_alone_is_enough(ready):
    told = ready("gap", "add", "order green tea by post", "--json").answer["gap"]["id"]
    said = ready("remember", "the ferry leaves at 07:10").out.strip()

    assert ready("gap", "show", told[:29], "--json").answer["gap"]["id"] == told
    assert ready("gap", "show", told[:12].lower(), "--json").answer["gap"]["id"] == told
    assert said in ready("episode", "show", said[:29]).out
    assert ready("gap", "resolve", told[:20]).code == 0


def test_a_process_of_its_own_knows_every_kind_by_its_beginning(ready, program):
    gap = ready("gap", "add", "order green tea by post", "--json").answer["gap"]["id"]
    topic = ready("topic", "add", "Tea", "--json").answer["topic"]["id"]

    for noun, told in (("gap", gap), ("topic", topic)):
        assert told in program(noun, "show", told[:29]).out


def test_a_beginning_of_several_names_them(ready):
    first, second = (
        ready("gap", "add", words, "--json").answer["gap"]["id"]
        for words in ("order green tea by post", "export the notes as a PDF")
    )
    refused = ready("gap", "show", first[:9])

    assert refused.code == 2
    assert first in refused.err
    assert second in refused.err


@pytest.mark.parametrize("text", ["gap_01", "gap_", "xyz_01M8", "gap_nonsense"])
def test_what_is_no_beginning_of_an_id_is_refused(ready, text):
    assert ready("gap", "show", text).code == 2


def test_a_beginning_of_nothing_is_told_to_be_that(ready):
    refused = ready("gap", "show", "gap_0000")

    assert (refused.code, refused.err) == (3, "tilth: no ID of a gap begins with 'gap_0000'\n")


def test_a_beginning_is_completed_among_ones_own(place):
    with a_brain(place.open(), place.clock) as brain:
        kept = brain.remember("hello")
        assert brain.whole_id(kept[:14]) == kept
        assert brain.whole_id(kept) == kept
        brain.remember("hello again")
        with pytest.raises(InvalidInputError, match="several episodes"):
            brain.whole_id(kept[:8])
        with brain.parts.store.read() as view:
            assert view.whole_id(Owner("other"), kept[:14]) == kept[:14]
