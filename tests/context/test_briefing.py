"""How a brief fits its budget."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilth.context.brief import fit_blocks, rendered
from tilth.context.model import BRIEF_TOKENS_MAX, BRIEF_TOKENS_MIN, Block, BriefItem
from tilth.recall.packing import token_estimate


def items(count, words="a rule of some twelve words that somebody once said about this", name="e"):
    return [BriefItem(f"{number} {words}", f"epi_{name}{number}") for number in range(count)]


def kinds(blocks):
    return [block.kind for block in blocks]


@pytest.mark.row("C-18")
def test_blocks_stand_in_their_order_and_empty_ones_are_absent():
    # What agents reported is told where there is little else.
    every = [kind for kind in Block if kind is not Block.REPORTED]
    found = [(kind, items(0 if kind is Block.COMMANDS else 1)) for kind in every]

    blocks = fit_blocks(found, BRIEF_TOKENS_MAX)

    assert kinds(blocks) == [kind for kind in every if kind is not Block.COMMANDS]
    assert rendered(blocks).count("\n- ") == len(every) - 1


@pytest.mark.row("C-18")
def test_rules_stay_whole_when_everything_else_has_to_give_way():
    rules = items(4)
    found = [(Block.RULES, rules), (Block.SUMMARY, items(500)), (Block.RECENT, items(500))]

    blocks = fit_blocks(found, BRIEF_TOKENS_MIN)

    assert blocks[0].items == tuple(rules)


@pytest.mark.row("C-18")
def test_rules_that_do_not_fit_are_named_and_never_dropped_in_silence():
    blocks = fit_blocks([(Block.RULES, items(200))], BRIEF_TOKENS_MAX)

    left = blocks[0].left_out
    assert left
    assert len(blocks[0].items) + len(left) == 200
    last = rendered(blocks).splitlines()[-1]
    assert left[0].source in last
    assert f"and {len(left) - 5} more" in last


def test_no_block_crowds_out_the_one_behind_it():
    opening = [kind for kind in Block if kind not in (Block.REPORTED, Block.RECALLED)]

    blocks = fit_blocks([(kind, items(99)) for kind in opening], BRIEF_TOKENS_MAX)

    assert kinds(blocks) == opening


def test_a_long_failure_with_its_cause_is_told_before_a_third_thing_asked_lately():
    """It is one line of a hundred tokens or nothing; cards of sessions are many."""
    failed = items(1, "the suite failed, since the built package was stale: " + "word " * 66, "f")
    found = {
        Block.ASKED: items(20, "a wish " * 18),
        Block.COMMANDS: items(4, "test: `run tests`"),
        Block.PAGES: items(2, "a page of the project, compiled on some day and stale since"),
        Block.RECENT: items(4, "what somebody asked for " * 9),
        Block.PITFALLS: failed,
    }

    blocks = fit_blocks([(kind, found[kind]) for kind in Block if kind in found], 540)

    told = {block.kind: list(block.items) for block in blocks}
    assert told[Block.PITFALLS] == failed
    assert told[Block.RECENT]


@pytest.mark.row("C-18")
def test_what_agents_reported_stands_behind_all_else_where_there_is_little():
    few, more = (
        fit_blocks([(Block.RULES, items(n))], BRIEF_TOKENS_MAX, lambda: items(4)) for n in (2, 6)
    )

    assert kinds(few) == kinds(more) == [Block.RULES, Block.REPORTED]
    assert [len(blocks[1].items) for blocks in (few, more)] == [4, 2]


def never():
    raise AssertionError("it was read")


@pytest.mark.row("C-18")
def test_what_agents_reported_is_not_read_where_there_is_enough_else_or_no_room():
    assert kinds(fit_blocks([(Block.RULES, items(8))], BRIEF_TOKENS_MAX, never)) == [Block.RULES]
    few = [(Block.RECALLED, items(2))]
    lines = rendered(fit_blocks(few, BRIEF_TOKENS_MAX)).splitlines()
    full = sum(token_estimate(f"{line}\n") for line in lines)
    assert kinds(fit_blocks(few, full, never)) == [Block.RECALLED]


@pytest.mark.row("C-18")
def test_what_agents_reported_takes_no_room_from_all_else():
    long = items(3, words="The valve of the boiler is shut. " * 6)

    blocks = fit_blocks([(Block.RULES, long)], BRIEF_TOKENS_MIN, lambda: items(4))

    assert token_estimate(rendered(blocks)) <= BRIEF_TOKENS_MIN
    assert len(blocks[0].items) == 3

    assert kinds(blocks) == [Block.RULES]


@pytest.mark.row("C-18")
def test_what_is_left_out_is_not_named_where_its_line_has_no_room():
    for count in range(60):
        rules = items(count, words="")
        blocks = fit_blocks([(Block.RULES, rules), (Block.DOCUMENTS, items(1))], BRIEF_TOKENS_MIN)

        assert token_estimate(rendered(blocks)) <= BRIEF_TOKENS_MIN


# Texts are repeated pieces, since drawing every character takes longer than all else here.
TEXTS = st.builds(
    str.__mul__, st.sampled_from(["a", "it is ", "ü", "東京", "я\n"]), st.integers(0, 99)
)


@pytest.mark.row("C-18")
@given(
    st.lists(st.lists(TEXTS, max_size=40), min_size=len(Block), max_size=len(Block)),
    st.integers(BRIEF_TOKENS_MIN, BRIEF_TOKENS_MAX),
)
def test_no_brief_is_longer_than_its_budget(texts, budget):
    found = [
        (kind, [BriefItem(" ".join(text.split()), "epi_1") for text in one])
        for kind, one in zip(Block, texts, strict=True)
    ]

    assert token_estimate(rendered(fit_blocks(found, budget))) <= budget
