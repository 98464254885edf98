"""`tilth distil`: state what sessions say is to be kept."""

from collections.abc import Iterator, Sequence
from typing import Annotated

from tilth.core.text.urn import is_urn
from tilth.core.verb import Arg, Section
from tilth.core.view import Bold, Dim, Line, number_of
from tilth.interfaces.cli.commands.worker import record_spool
from tilth.interfaces.cli.terminal import Terminal, command
from tilth.knowledge.facts.write.write_fact import Stated
from tilth.llm.client import Reason


@command("distil", section=Section.LOOK_AFTER, examples=("tilth distil", "tilth distil --again"))
def run(
    terminal: Terminal,
    *,
    again: Annotated[
        bool,
        Arg("read everything again, for what an earlier version missed; only a person may"),
    ] = False,
) -> int:
    """
    Draw facts from what was said since the last time.

    Reads sessions for decisions, values, promises and corrections, for what a
    person marked with `/remember`, and for the `MEMORY:` lines of agents. The
    worker does so by itself: after six messages or 4,000 characters, and once a
    session is quiet.
    """
    screen = terminal.screen
    with terminal.open() as brain, screen.progress("sessions") as advance:
        record_spool(terminal, brain)
        if again:
            brain.reopen_sessions()
        done = brain.distil(progress=advance)
        read = brain.read_by_model()
    stated = [*done.stated, *read.stated]
    answer = {
        "window_count": len(done.windows),
        "found_count": done.found_count,
        "refused_count": done.refused_count,
        "left": done.left,
        "outdated_count": done.outdated_count,
        "stated": stated,
        "ended": read.ended,
        "asked_count": read.asked_count,
        "put_off": read.reason,
    }
    screen.answer(answer, _lines(stated))
    if done.refused_count:
        screen.say(f"{done.refused_count} could not be stated; --debug says which and why")
    elif not stated:
        screen.say("nothing new says that it is to be kept")
    if read.ended:
        count = number_of(len(read.ended), "fact")
        screen.say(f"{count} ended by what was said since: {', '.join(read.ended)}")
    if read.reason:
        screen.say(f"a model reads the rest later: {Reason(read.reason).words}; see: tilth model")
    elif read.refused_count:
        screen.say(f"a model gave no answer of use to {number_of(read.refused_count, 'question')}")
    if done.outdated_count:
        screen.say(
            f"{done.outdated_count:,} sessions were looked through by an earlier version, which"
            " may have found less: tilth distil --again"
        )
    return 0


def _lines(stated: Sequence[Stated]) -> Iterator[Line]:
    for one in stated:
        said = one.fact.said
        triple = said.triple
        # A URN is read by programs; of what names one a person reads the sentence.
        names = () if triple is None else (triple.subject, triple.predicate, triple.object)
        parsed = "" if any(map(is_urn, names)) else " · ".join(names)
        yield (Bold(parsed or said.text), Dim(f"  {one.verdict}  {one.fact.id}"))
