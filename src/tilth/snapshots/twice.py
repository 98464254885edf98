"""What would stand twice if something came back: the same fact, the same thing."""

from collections.abc import Collection, Hashable, Sequence

from tilth.core.errors import ConflictError
from tilth.core.event import Recorded, encode
from tilth.core.scope import Owner, Visibility
from tilth.core.text.keys import index_key
from tilth.knowledge.entities.events import EntityRecorded
from tilth.knowledge.facts.events import FactRecorded
from tilth.knowledge.facts.tables import Facts
from tilth.ledger.snapshot import Snapshot
from tilth.privacy.inert import one_line
from tilth.snapshots.model import operation_of

_CHARS = 120


def check_facts(view: Snapshot, before: Collection[int], owner: Owner) -> None:
    """
    Refuse what makes a fact stand twice that stood once.

    Args:
        view: What would be.
        before: The places of the facts that stood twice already (`Facts.doubled`).
        owner: Whose they are.

    Raises:
        ConflictError: a fact was stated anew since, in the same scope.
    """
    if new := Facts(view).doubled() - set(before):
        (fact,) = Facts(view).at([max(new)], Visibility(owner))
        raise _stands(fact.id, fact.said.text)


def check_things(back: Sequence[Recorded], since: Sequence[Recorded]) -> None:
    """
    Refuse to bring back what was made anew *since*.

    That is an entity of the same name, type and scope, or anything else in the very same words.
    Whether a fact stands twice, `check_facts` sees by what holds.

    Raises:
        ConflictError: it stands already.
    """
    standing = {_likeness(one): one for one in since if _is_thing(one)}
    for one in back:
        if _is_thing(one) and (other := standing.get(_likeness(one))) is not None:
            raise _stands(other.made, operation_of(one).text)


def _stands(id_: str, text: str) -> ConflictError:
    return ConflictError(
        f"{id_} stands by now, and says the same: “{one_line(text, _CHARS)}”",
        hint=f"keep it as it is, or undo that first: tilth undo {id_}",
    )


def _is_thing(one: Recorded) -> bool:
    return bool(one.made) and not isinstance(one.event, FactRecorded)


def _likeness(one: Recorded) -> Hashable:
    event = one.event
    if isinstance(event, EntityRecorded):
        draft = event.draft
        return (event.kind, index_key(draft.name), draft.type, draft.scope)
    return (event.kind, encode(event))
