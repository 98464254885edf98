"""`tilth distil`: state what sessions say is to be kept."""

from argparse import Namespace
from collections.abc import Iterator, Sequence

from tilth.core.view import Bold, Dim, Line
from tilth.interfaces.cli.opening import open_brain
from tilth.interfaces.cli.screen import Screen
from tilth.knowledge.facts.write.write_fact import Stated


def run(args: Namespace, screen: Screen) -> int:
    """Look through all that waits, and show what was stated."""
    with open_brain(args) as brain, screen.progress("sessions") as advance:
        if args.again:
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
        "asked_count": read.asked_count,
        "put_off": read.reason,
    }
    screen.answer(answer, _lines(stated))
    if done.refused_count:
        screen.say(f"{done.refused_count} could not be stated; --debug says which and why")
    elif not stated:
        screen.say("nothing new says that it is to be kept")
    if read.reason:
        screen.say(f"a model reads the rest later: {read.reason}; see tilth metrics")
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
        parsed = (
            "" if triple is None else f"{triple.subject} · {triple.predicate} · {triple.object}"
        )
        yield (Bold(parsed or said.text), Dim(f"  {one.verdict}  {one.fact.id}"))
