"""The extractors, in the order in which they are asked; explicit words come first."""

from tilth.extraction.candidate import Extractor
from tilth.extraction.memory_lines import commands, lines

EXTRACTORS: tuple[Extractor, ...] = (commands, lines)
