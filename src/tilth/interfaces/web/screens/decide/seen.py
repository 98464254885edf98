"""What agents saw: each brief and injection, beside its session, and what came of it."""

from collections.abc import Mapping, Sequence
from contextlib import suppress

from tilth.context.model import Block, BriefRequest
from tilth.core.errors import TilthError
from tilth.core.ids import Id, ProposalId
from tilth.interfaces.describe_ids import question_of
from tilth.interfaces.web.screen import PAGE, Ask, Done, Said, Told, act, screen
from tilth.recall.feedback import UNWANTED, Verdict

# What a person may judge; the rest of a brief is answered where it stands.
_JUDGED = ("epi_", "fct_")


@screen(
    "/seen",
    title="What agents saw",
    group="Every day",
    place=16,
    lead="Each brief and each line that an agent was given unasked, the newest first, and "
    "what came of it.",
)
def seen(ask: Ask) -> Told:
    """Gather receipts, the newest first, each with its session."""
    brain, session = ask.brain, ask.maybe("session")
    found = brain.receipts.list(session_id=session, limit=PAGE + 1, offset=ask.offset)
    sessions = dict.fromkeys(one.context.session_id for one in found[:PAGE])
    titles = {one: ask.title_of(one) for one in sessions if one}
    return ask.page("receipts", found) | {"session": session, "titles": titles}


@screen("/seen/{receipt}", title="What an agent saw")
def trace(ask: Ask) -> Told:
    """Gather a receipt, each thing that it names as it stands now, and what is told no more."""
    found = ask.brain.receipts.trace(ask.brain.whole_id(ask.text("receipt")))
    return {
        "trace": found,
        "judged": _JUDGED,
        "cards": _cards(ask, [one.source for one in found.shown]),
        "pages": {
            one.source
            for one in found.shown
            if one.block == Block.PAGES and one.source[:4] not in Id.by_prefix
        },
        "never": {
            one.source for one in found.shown if any(vote.verdict in UNWANTED for vote in one.votes)
        },
    }


def _cards(ask: Ask, sources: Sequence[str]) -> Mapping[str, str]:
    """Return the questions among *sources*, as the inbox puts them."""
    told: dict[str, str] = {}
    for one in sources:
        if one.startswith(ProposalId.prefix):
            with suppress(TilthError):  # It was erased since.
                told[one] = question_of(ask.brain.review.show(one))
    return told


@act("seen/never")
def never(ask: Ask) -> Said:
    """Keep something out of every brief from now on, and say what that spares the next one."""
    target = ask.text("target")
    before = _tokens(ask)
    ask.brain.feedback(target, Verdict.DEAD_END)
    rows = []
    if before is not None and (after := _tokens(ask)) is not None:
        rows = [("The next brief here", f"{after:,} tokens, was {before:,}")]
    again = Done(verb="feedback", told={"target": target, "verdict": Verdict.USEFUL.value})
    return Said("No agent is told this unasked from now on.", rows=rows, undo=[again])


@act("seen/again")
def again(ask: Ask) -> Said:
    """Let something into briefs again."""
    ask.brain.feedback(ask.text("target"), Verdict.USEFUL)
    return Said("Agents may be told this again.")


def _tokens(ask: Ask) -> int | None:
    scope = ask.maybe("of")
    return None if scope is None else ask.brain.brief(BriefRequest(), scope=scope).tokens
