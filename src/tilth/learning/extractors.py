"""The extractors, in the order in which they are asked."""

from tilth.learning.candidate import Extractor
from tilth.learning.memory_lines import commands, lines
from tilth.learning.spoken.answers import acceptances
from tilth.learning.spoken.corrections import corrections
from tilth.learning.spoken.speech import speech
from tilth.learning.statements import statements
from tilth.learning.values.choices import choices
from tilth.learning.values.relations import relations
from tilth.learning.values.values import moves, values

# What says of itself that it is to be remembered. Nobody else is shown it.
EXPLICIT: tuple[Extractor, ...] = (commands, lines)
EXTRACTORS: tuple[Extractor, ...] = (corrections, relations, moves, values, choices, statements)
# What summaries of conversations between people weigh: promises, and what is put off, too.
SPOKEN: tuple[Extractor, ...] = (relations, moves, values, acceptances, speech)
