"""Which one thing a name means, where something is written to it."""

from tilth.core.errors import ConflictError
from tilth.core.ids import EntityId
from tilth.runtime.brain import Brain


def one_meant(brain: Brain, name: str) -> str:
    """
    Return the ID of the one entity that a name or an ID means: what is written goes nowhere else.

    Raises:
        NotFoundError: none does that may be seen.
        ConflictError: several go by that name.
    """
    card = brain.entities.get(name)
    if card.namesakes and not name.startswith(EntityId.prefix):
        raise ConflictError(
            f"{len(card.namesakes) + 1} entities go by {name[:60]!r}",
            hint=f"name one by its ID: {', '.join((card.entity.id, *card.namesakes))}",
        )
    return card.entity.id
