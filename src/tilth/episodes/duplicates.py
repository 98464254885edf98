"""Finding what was said before in nearly the same words. It never deletes or merges anything."""

from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError
from tilth.core.ids import EpisodeId
from tilth.core.scope import Visibility
from tilth.embedding.embedder import Embedder
from tilth.episodes.filters import EpisodeFilter
from tilth.episodes.tables import Episodes
from tilth.ledger.search import Search
from tilth.ledger.store import Store
from tilth.privacy.redaction import scrub

# MemPalace's distance of .15 between MiniLM vectors; lower, and other statements come along.
LIKENESS_MIN = 0.85
DUPLICATES_MAX = 20


@dataclass(frozen=True, slots=True)
class Duplicate:
    """An episode that says nearly the same, and the cosine of the two, 1 for the same words."""

    id: EpisodeId
    likeness: float
    text: str


def find_duplicates(
    store: Store,
    embedder: Embedder,
    text: str,
    within: Visibility,
    *,
    likeness_min: float = LIKENESS_MIN,
) -> list[Duplicate]:
    """
    Return what says nearly the same as *text*, the likest first.

    Args:
        store: Where to look.
        embedder: The tier to compare in; what has no vector there is not found.
        text: What may have been said before. Secrets in it are compared as they are kept.
        within: Whose episodes, in which scopes.
        likeness_min: The smallest cosine that counts, from 0 to 1.

    Raises:
        InvalidInputError: *likeness_min* is not from 0 to 1.
        UnavailableError: the model does not answer.
    """
    if not 0 <= likeness_min <= 1:
        raise InvalidInputError(f"a likeness is from 0 to 1, not {likeness_min}")
    vector = embedder.embed([scrub(text).text])[0]
    with store.read() as view:
        which = EpisodeFilter(within=within)
        nearest = Search(view).nearest(embedder.space, vector, which, limit=DUPLICATES_MAX)
        likeness = {found.seq: found.score for found in nearest if found.score >= likeness_min}
        episodes = Episodes(view).at(list(likeness), within)
    found = [Duplicate(one.id, round(likeness[one.seq], 6), one.text) for one in episodes]
    return sorted(found, key=lambda one: -one.likeness)
