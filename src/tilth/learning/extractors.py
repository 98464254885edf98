"""The extractors, in the order in which they are asked."""

from tilth.learning.candidate import Extractor
from tilth.learning.memory_lines import commands, lines
from tilth.learning.spoken.answers import acceptances
from tilth.learning.spoken.speech import speech
from tilth.learning.values.agent_reports import remarks, reports
from tilth.learning.values.outcomes import outcomes
from tilth.learning.values.relations import relations
from tilth.learning.values.tool_outcomes import tool_outcomes
from tilth.learning.values.values import fields, moves, values

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
