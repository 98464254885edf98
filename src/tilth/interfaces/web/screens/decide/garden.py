"""The garden: topics, what was found about each and waits, the last and the next cycle."""

from collections.abc import Mapping, Sequence

from tilth.garden.model import (
    CANDIDATES_MAX,
    READS_MAX,
    SEARCHES_MAX,
    Candidate,
    Source,
    SourceId,
    Step,
)
from tilth.garden.reports import uncertainty
from tilth.interfaces.web.screen import PAGE, Ask, Told, screen
from tilth.interfaces.web.screens.decide.inbox import REASONS, card_of
from tilth.knowledge.proposals.proposal import ProposalKind
from tilth.runtime.brain import Brain

_SPENT_MAX = {"searches": SEARCHES_MAX, "reads": READS_MAX, "candidates": CANDIDATES_MAX}


@screen(
    "/garden",
    title="Garden",
    group="Look after",
    place=60,
    lead="Subjects that are kept fresh: what was found about each in your files, feeds and "
    "on the web waits for you.",
)
def garden(ask: Ask) -> Told:
    """Gather topics with the candidates that wait, suggestions, and how the garden is."""
    brain = ask.brain
    # A brain that some program holds may have no folder, and is tended by nobody.
    has_folder = brain.parts.garden is not None
    report = brain.garden.status() if has_folder else None
    folder = brain.parts.gardener.folder if has_folder else None
    alerts = folder.read("outbox/alerts.md") if folder else ""
    waiting = brain.garden.candidates(limit=PAGE)
    sources = {one.id: one for one in brain.sources.list(limit=1000)}
    suggestions = brain.review.list(kinds=[ProposalKind.SUGGESTION], limit=PAGE).proposals
    return {
        "report": report,
        "is_made": folder is not None and folder.is_there,
        "spent": _spent(report.cycle.ended.get(Step.TEND, {})) if report and report.cycle else {},
        "alerts": [line[2:] for line in alerts.splitlines() if line.startswith("- ")],
        "topics": [
            (one, _rows(brain, [c for c in waiting if c.topic_id == one.id], sources))
            for one in brain.topics.list()
        ],
        "archived": brain.topics.list(is_archived=True),
        "waits": len(waiting),
        "reasons": REASONS,
        "suggestions": [card_of(brain, brain.review.show(one.id)) for one in suggestions],
    }


@screen("/topics/{topic}", title="Topic", under="/garden")
def topic(ask: Ask) -> Told:
    """Gather a topic, all that was found about it, and where."""
    brain = ask.brain
    story = brain.topics.get(brain.whole_id(ask.text("topic")))
    sources = {one.id: one for one in story.sources}
    waiting = [one for one in story.candidates if one.waits]
    return {
        "story": story,
        "rows": _rows(brain, waiting, sources),
        "decided": [one for one in story.candidates if not one.waits],
        "heading": story.topic.name,
        "reasons": REASONS,
    }


def _rows(
    brain: Brain, found: Sequence[Candidate], sources: Mapping[SourceId, Source]
) -> list[Mapping[str, object]]:
    """Return what a row of a candidate shows: its words, how sure, its source, its question."""
    return [
        {
            "candidate": one,
            "sure": uncertainty(one.confidence),
            "source": sources.get(one.source_id),
            "is_quoted": " ".join(one.quote.split()) != one.fact.said.text,
            "card": card_of(brain, brain.review.show(one.proposal.id), one.suggested),
        }
        for one in found
        if one.proposal is not None and one.waits
    ]


def _spent(told: Mapping[str, object]) -> Mapping[str, tuple[int, int]]:
    """Return what the last cycle used of its budget."""
    counts = {
        name: len(value) if isinstance(value, list) else value for name, value in told.items()
    }
    return {
        name: (used, most)
        for name, most in _SPENT_MAX.items()
        if isinstance(used := counts.get(name), int)
    }
