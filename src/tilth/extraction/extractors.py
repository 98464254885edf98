"""The extractors, in the order in which they are asked."""

from tilth.extraction.candidate import Extractor
from tilth.extraction.facts.fields import fields
from tilth.extraction.facts.moves import moves
from tilth.extraction.facts.outcomes import outcomes
from tilth.extraction.facts.relations import relations
from tilth.extraction.facts.remarks import remarks
from tilth.extraction.facts.reports import reports
from tilth.extraction.facts.tool_outcomes import tool_outcomes
from tilth.extraction.facts.values import values
from tilth.extraction.memory_lines import commands, lines
from tilth.extraction.spoken.acceptances import acceptances
from tilth.extraction.spoken.speech import speech

# What says of itself that it is to be remembered. Nobody else is shown it.
EXPLICIT: tuple[Extractor, ...] = (commands, lines)
EXTRACTORS: tuple[Extractor, ...] = (
    tool_outcomes,
    reports,
    outcomes,
    relations,
    moves,
    values,
    fields,
    acceptances,
    speech,
    remarks,
)
