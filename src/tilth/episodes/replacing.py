"""Which notes a new one may come in the place of."""

from collections.abc import Sequence

from tilth.core.actor import Actor, CameBy
from tilth.core.errors import ForbiddenError, InvalidInputError
from tilth.core.ids import EpisodeId
from tilth.core.scope import Scope, Visibility
from tilth.episodes.episode import Episode
from tilth.episodes.tables import Episodes
from tilth.ledger.snapshot import Snapshot


def replaced_notes(
    view: Snapshot, ids: Sequence[EpisodeId], within: Visibility, scope: Scope, by: Actor
) -> list[Episode]:
    """
    Return the notes that one in *scope* comes in the place of.

    Raises:
        NotFoundError: there is none with one of *ids* that may be seen.
        InvalidInputError: one is no note, or belongs to another scope.
        ForbiddenError: a person noted one, and who records is none.
    """
    found = [Episodes(view).get(id_, within) for id_ in dict.fromkeys(ids)]
    for one in found:
        if not one.is_note:
            raise InvalidInputError(
                f"{one.id} is no note", hint="leave it; what holds now, a note may say"
            )
        if one.scope != scope:
            raise InvalidInputError(
                f"{one.id} was noted in {one.scope}, not in {scope}",
                hint=f"note it there, with --scope {one.scope}",
            )
        if one.came_by is CameBy.TOLD and not by.is_human:
            raise ForbiddenError(
                f"a person noted {one.id}, and no agent ends that",
                hint="leave out --replaces: what you note is told beside it, and is told as yours",
            )
    return found
