"""
What an older version read from the same words, and what a newer one states in its place.

A version before grades noted none, so no brief tells what it read. Where the same words are read
again, that is put away, and the new reading stands alone.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from tilth.core.actor import DISTILLER, Actor, ActorKind
from tilth.core.lifecycle import Lifecycle
from tilth.core.scope import Visibility
from tilth.episodes.remember import WriteContext
from tilth.knowledge.facts.fact import Fact, FactDraft
from tilth.knowledge.facts.fact_lifecycle import archive_in, restored_in
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.life import GRADED
from tilth.knowledge.facts.statement import Statement
from tilth.knowledge.facts.tables import Facts
from tilth.learning.filter import Found, overlap
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Transaction

# Whose word it is, whatever it was read from: its grade says how far it may be relied on.
OF_IMPORTS = Actor("distil", ActorKind.IMPORT)
# More facts than these never rest on one episode.
_RESTING_MAX = 1000
# What a rule puts away or takes up again may be told anew.
_OPEN = frozenset({Lifecycle.CURRENT, Lifecycle.HISTORICAL, Lifecycle.ARCHIVED})
_TOLD_ANEW = "a newer version tells the same words"


def older_readings(view: Snapshot, draft: FactDraft, found: Found) -> list[Fact] | None:
    """
    Return what an older version read of the words of *found*, for which *draft* is to stand.

    None where nothing is to be stated again: it was in the same words, a person had a hand in
    what stands, or that was replaced, or a proposal would replace it.
    """
    known = _resting_on(view, draft, found)
    earlier = [one for one in known if _is_older_reading(one, draft.said, found)]
    within = Visibility(found.turn.episode.owner)
    for one in earlier:
        is_moved = one.is_contested or one.life.lifecycle not in _OPEN
        if is_moved or any(past.by.is_human for past in Facts(view).lives(one.id, within)):
            return None
    is_stated = any(one.said.words == draft.said.words for one in known if one not in earlier)
    return None if is_stated else earlier


def put_away(tx: Transaction, earlier: Iterable[Fact], recorder: WriteContext) -> list[Fact]:
    """Put away those of *earlier* that are not yet, each as whoever stated it; return these."""
    put = [one for one in earlier if one.life.lifecycle is not Lifecycle.ARCHIVED]
    for one in put:
        archive_in(tx, one, replace(recorder, by=one.by), reason=_TOLD_ANEW)
    return put


def take_up(tx: Transaction, put: Iterable[Fact], recorder: WriteContext) -> None:
    """Bring back what was put away for what could not be stated."""
    for one in put:
        restored_in(tx, one.id, replace(recorder, by=one.by))


def _resting_on(view: Snapshot, draft: FactDraft, found: Found) -> Sequence[Fact]:
    episode = found.turn.episode
    which = FactFilter(
        within=Visibility(episode.owner, frozenset({draft.scope})),
        episode_id=episode.id,
        lifecycles=frozenset(Lifecycle),
    )
    return Facts(view).select(which, limit=_RESTING_MAX)


def _is_older_reading(fact: Fact, told: Statement, found: Found) -> bool:
    """Say whether a version before grades read *fact* of the same words, and no other triple."""
    is_ours = fact.by in {DISTILLER, OF_IMPORTS} and GRADED not in fact.metadata
    return (
        is_ours
        and fact.said.triple in {None, told.triple}
        and any(
            span.episode_id == found.turn.episode.id and overlap((span.start, span.end), found.span)
            for span in fact.evidence
        )
    )
