"""The extractors, in the order in which they are asked."""

from tilth.extraction.candidate import Extractor
from tilth.extraction.memory_lines import commands, lines

# What says of itself that it is to be remembered. Nobody else is shown it.
EXPLICIT: tuple[Extractor, ...] = (commands, lines)
EXTRACTORS: tuple[Extractor, ...] = ()
