"""In which conversations something was said: what others tell there is not the owner's word."""

from contextlib import suppress

from tilth.core.errors import NotFoundError
from tilth.core.scope import Visibility
from tilth.episodes.tables import Episodes
from tilth.knowledge.facts.fact import Fact
from tilth.ledger.snapshot import Snapshot


def talks_of(view: Snapshot, fact: Fact) -> set[str | None]:
    """Return the conversations in which was said what *fact* rests on; None is elsewhere."""
    found: set[str | None] = set()
    for one in fact.evidence:
        # What was erased tells nothing any more.
        with suppress(NotFoundError):
            said = Episodes(view).get(one.episode_id, Visibility(fact.owner))
            found.add(said.conversation_id)
    return found


def is_hearsay(view: Snapshot, fact: Fact) -> bool:
    """Say whether *fact* was told in conversations alone."""
    talks = talks_of(view, fact)
    return bool(talks) and None not in talks
