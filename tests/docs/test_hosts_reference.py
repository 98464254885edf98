"""The page on hosts names what is wired, told and limited."""

from pathlib import Path

import pytest

import tilth_hook
import tilth_spool
from tests.agents.test_read_record import wired
from tilth.agents.hosts.registry import HOSTS
from tilth.context.model import OPENING_TOKENS, PROMPT_TOKENS
from tilth.interfaces.hooks.answer_hook import SUBAGENT_TOKENS
from tilth.interfaces.hooks.brief_files import FOLDERS_MAX
from tilth.runtime.stages import BARREN_RUNS_MAX, FAILED_RUNS_MAX

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "hosts.md").read_text(encoding="utf-8")


def column(section, host):
    """Return the cells of a host in the table of a section."""
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in PAGE.partition(f"## {section}\n")[2].partition("\n## ")[0].splitlines()
        if line.startswith("|")
    ]
    return [row[rows[0].index(f"`{host}`")] for row in rows[2:]]


@pytest.mark.parametrize("host", HOSTS)
def test_every_event_at_which_a_host_calls_is_named(host):
    named = " ".join(column("Events", host))

    assert {event for event in wired(host) if event not in named} <= {
        *("PreCompact", "PreCompress", "SubagentStart")
    }


@pytest.mark.parametrize("host", HOSTS)
def test_every_event_at_which_a_host_is_told_something_is_named(host):
    named = {cell for cell in column("Answers", host) if cell}

    assert named == set(tilth_hook.CONTEXT_EVENTS[host])


def test_limits_are_those_of_the_code():
    for said in (
        f"at most {OPENING_TOKENS} tokens",
        f"at most {SUBAGENT_TOKENS} tokens",
        f"at most {PROMPT_TOKENS} tokens",
        f"at most {tilth_hook.CONTEXT_CHARS_MAX:,} characters",
        f"| {tilth_spool.RECORD_BYTES_MAX >> 10} KiB;",
        f"| {tilth_spool.SEGMENT_BYTES_MAX >> 20} MiB, {tilth_spool.SEGMENTS_MAX} of them;",
        f"| {tilth_hook.RECALL_SECONDS_MAX * 1000:.0f} ms; ",
        f" {tilth_hook.BRIEF_SECONDS_MAX:.0f} s when a session begins |",
    ):
        assert said in PAGE
    assert (FOLDERS_MAX, BARREN_RUNS_MAX, FAILED_RUNS_MAX) == (20, 10, 3), "said in words"
