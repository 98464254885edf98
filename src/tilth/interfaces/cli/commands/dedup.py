"""`tilth dedup`: ask about facts that say nearly the same."""

from typing import Annotated

from tilth.core.ids import ProposalId
from tilth.core.verb import Arg, Section
from tilth.core.view import number_of
from tilth.interfaces.cli.terminal import Terminal, command
from tilth.maintenance.dedup import DuplicatePair
from tilth.maintenance.stretches import stretches


@command("dedup", section=Section.LOOK_AFTER, examples=("tilth dedup --dry-run", "tilth dedup"))
def run(
    terminal: Terminal,
    *,
    dry_run: Annotated[
        bool, Arg("say what would be asked, and ask nobody", flags=("-n", "--dry-run"))
    ] = False,
    after: Annotated[int, Arg("begin after this place in the ledger", metavar="SEQ", least=0)] = 0,
) -> int:
    """
    Ask about facts that say nearly the same.

    Compares current facts about the same thing by their vectors. Those that agree
    in every number, name and word that tells become a question for a human.
    Nothing is merged: `tilth review merge --keep ID` does that. The worker does
    this by itself.
    """
    screen = terminal.screen
    doubles: list[DuplicatePair] = []
    asked: list[ProposalId] = []
    compared, through = 0, after
    with terminal.open() as brain, screen.progress("comparing") as advance:
        for found in stretches(lambda at: brain.dedup(after=at, is_dry_run=dry_run), after):
            compared += found.fact_count
            doubles += found.doubles
            asked += found.asked
            through = found.through
            advance(compared)
    answer = {
        "is_dry_run": dry_run,
        "fact_count": compared,
        "doubles": doubles,
        "asked": asked,
        "through": through,
    }
    screen.answer(answer, [f"{one.likeness:.2f}  {one.older}  {one.newer}" for one in doubles])
    told = f"compared {number_of(compared, 'fact')}, found {len(doubles)}"
    screen.say(f"{told}, asked {number_of(len(asked), 'question')}")
    return 0
