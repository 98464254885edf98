"""Finding what was said before in nearly the same words. It never deletes or merges anything."""

from tilth.core.dataclass import dataclass
from tilth.core.ids import EpisodeId

# MemPalace's distance of .15 between MiniLM vectors; lower, and other statements come along.
LIKENESS_MIN = 0.85
DUPLICATES_MAX = 20


@dataclass(frozen=True, slots=True)
class Duplicate:
    """An episode that says nearly the same, and the cosine of the two, 1 for the same words."""

    id: EpisodeId
    likeness: float
    text: str
