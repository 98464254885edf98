"""What the played model says and does: for each prompt, the steps of its turn."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tilth.llm.trial import SAID


@dataclass(frozen=True, slots=True)
class Say:
    """Words that end the turn."""

    text: str


@dataclass(frozen=True, slots=True)
class Run:
    """A command in the host's shell, and the words before it."""

    command: str
    words: str = ""


@dataclass(frozen=True, slots=True)
class Ask:
    """A call of a tool of the MCP server, and what it is given."""

    tool: str
    given: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Send:
    """A subagent with a task, in the foreground."""

    task: str


Step: TypeAlias = Say | Run | Ask | Send

MISSING = "python3 scripts/migrate_nosuch.py --env staging"
DECISION = (
    "We decided to use PostgreSQL for the ledger because row-level security settles tenancy."
    " Next: write the migration for the accounts table."
)
QUESTION = "Which database did we choose for the ledger?"
KEPT = "The staging ledger takes its lock by pg_advisory_lock, found on the third try."

# A turn is found by the words that its prompt begins with.
TURNS: dict[str, tuple[Step, ...]] = {
    "Set up the ledger service": (
        Run("echo ledger-ok", "Let me look first."),
        Run(MISSING, "Now the migration."),
        Say(DECISION),
    ),
    "From now on the staging port is 7443": (
        Say("Understood. The staging API listens on port 7443."),
    ),
    "Run the migration again": (Run(MISSING), Say("The migration script is missing.")),
    "What did we decide about the ledger": (Say("PostgreSQL, for its row-level security."),),
    # By the second request a host that starts its servers beside the first one has their tools.
    "Ask your memory": (
        Run("sleep 15"),
        Ask("recall", {"query": QUESTION}),
        Say("The memory says PostgreSQL."),
    ),
    "Note the lock": (Run("sleep 15"), Ask("remember", {"text": KEPT}), Say("It is noted.")),
    "Send a helper": (Send("Helper job: count the files."), Say("The helper counted them.")),
    "Helper job": (Run("ls | wc -l"), Say("There are two files here.")),
    "Summarise": (Say("<summary>The ledger uses PostgreSQL.</summary>"),),
    "Count the kettles": (Say("There are three kettles."),),
}
OTHERWISE = Say("Understood.")
# What the model makes of the sentence on which `tilth model try` tries one.
READ = "Integration tests run against PostgreSQL, never SQLite."
_EPISODE = re.compile(r"epi_[0-9A-Z]{26}")


def read_of(prompt: str) -> str:
    """Return the answer to a task whose data this is, as JSON; empty if it is another prompt."""
    shown = _EPISODE.search(prompt)
    if shown is None or SAID not in prompt:
        return ""
    claim = dict.fromkeys(("subject", "predicate", "object"), "") | {
        "kind": "decision",
        "statement": READ,
        "confidence": 0.9,
        "quote": {"episode_id": shown.group(), "text": SAID},
    }
    return json.dumps({"claims": [claim], "over": []})


def step_of(prompt: str, results: int) -> Step:
    """Return the next step of the turn that *prompt* began, after so many results of tools."""
    if answer := read_of(prompt):
        return Say(answer)
    steps: Sequence[Step] = turn_of(prompt) or (OTHERWISE,)
    return steps[min(results, len(steps) - 1)]


def turn_of(prompt: str) -> tuple[Step, ...] | None:
    """Return the steps of the turn whose prompt is somewhere in these words; None for no such."""
    return next((steps for words, steps in TURNS.items() if words in prompt), None)
