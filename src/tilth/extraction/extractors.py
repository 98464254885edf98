"""The extractors, in the order in which they are asked."""

from tilth.extraction.candidate import Extractor
from tilth.extraction.fields import fields
from tilth.extraction.memory_lines import commands, lines
from tilth.extraction.moves import moves
from tilth.extraction.outcomes import outcomes
from tilth.extraction.relations import relations
from tilth.extraction.remarks import remarks
from tilth.extraction.spoken.speech import speech
from tilth.extraction.tool_outcomes import tool_outcomes
from tilth.extraction.values import values

# What says of itself that it is to be remembered. Nobody else is shown it.
EXPLICIT: tuple[Extractor, ...] = (commands, lines)
EXTRACTORS: tuple[Extractor, ...] = (
    tool_outcomes,
    outcomes,
    relations,
    moves,
    values,
    fields,
    speech,
    remarks,
)
