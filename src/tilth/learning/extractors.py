"""The extractors, in the order in which they are asked."""

from tilth.learning.candidate import Extractor
from tilth.learning.memory_lines import commands, lines
from tilth.learning.spoken.acceptances import acceptances
from tilth.learning.spoken.speech import speech
from tilth.learning.values.fields import fields
from tilth.learning.values.moves import moves
from tilth.learning.values.outcomes import outcomes
from tilth.learning.values.relations import relations
from tilth.learning.values.remarks import remarks
from tilth.learning.values.reports import reports
from tilth.learning.values.tool_outcomes import tool_outcomes
from tilth.learning.values.values import values

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
