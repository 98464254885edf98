"""
Replace earlier readings of the same words.

Versions before grades recorded none, so no brief shows what they read. And a language model words a
sentence, chosen before by its form of speech, so that it can be read alone. When the same words are
read again in either case, the earlier reading is archived and the new one stands alone.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from tilth.core.actor import DISTILLER, Actor, ActorKind
from tilth.core.lifecycle import Lifecycle
from tilth.core.scope import Visibility
from tilth.episodes.remember import WriteContext
from tilth.knowledge.facts.fact import Fact, FactDraft
from tilth.knowledge.facts.fact_lifecycle import archive_in, restore_in
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.life import BY_MODEL, GRADED, RECURS, Authority
from tilth.knowledge.facts.tables import Facts
from tilth.learning.filter import Found, overlap
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Transaction

# The actor of readings from imports; their grade says how far they may be relied on.
OF_IMPORTS = Actor("distil", ActorKind.IMPORT)
# The most facts that rest on one episode.
_RESTING_MAX = 1000
# Lifecycles in which a reading may be replaced: rules archive facts and bring them back.
_OPEN = frozenset({Lifecycle.CURRENT, Lifecycle.HISTORICAL, Lifecycle.ARCHIVED})
# Metadata of statements that are kept: explicit ones, habits, and a model's.
_APART = frozenset({"remembered", RECURS, BY_MODEL})
_TOLD_ANEW = "a newer reading tells the same words"


def older_readings(view: Snapshot, draft: FactDraft, found: Found) -> list[Fact] | None:
    """
    Return earlier readings of the words of *found*, which *draft* is to replace.

    None if nothing is to be stated: the words are the same, a person decided about the existing
    fact, it was replaced, or a proposal would replace it.
    """
    known = _resting_on(view, draft, found)
    earlier = [one for one in known if _is_older_reading(one, draft, found)]
    within = Visibility(found.turn.episode.owner)
    for one in earlier:
        is_kept = one.is_vouched or one.is_contested or one.life.lifecycle not in _OPEN
        if is_kept or any(past.by.is_human for past in Facts(view).lives(one.id, within)):
            return None
    others = (one for one in known if one not in earlier)
    return None if any(_is_told(one, draft, found) for one in others) else earlier


def archive_readings(
    tx: Transaction, earlier: Iterable[Fact], recorder: WriteContext
) -> list[Fact]:
    """Archive those of *earlier* that are not archived, each as its author; return them."""
    put = [one for one in earlier if one.life.lifecycle is not Lifecycle.ARCHIVED]
    for one in put:
        archive_in(tx, one, replace(recorder, by=one.by), reason=_TOLD_ANEW)
    return put


def restore_readings(tx: Transaction, put: Iterable[Fact], recorder: WriteContext) -> None:
    """Restore facts that were archived for a draft that could not be stated."""
    for one in put:
        restore_in(tx, one.id, replace(recorder, by=one.by))


def _resting_on(view: Snapshot, draft: FactDraft, found: Found) -> Sequence[Fact]:
    episode = found.turn.episode
    which = FactFilter(
        within=Visibility(episode.owner, frozenset({draft.scope})),
        episode_id=episode.id,
        lifecycles=frozenset(Lifecycle),
    )
    return Facts(view).select(which, limit=_RESTING_MAX)


def _is_told(fact: Fact, draft: FactDraft, found: Found) -> bool:
    """Say whether *fact* says the same; for a model, whether it is of the same words at all."""
    is_of_model = BY_MODEL in draft.metadata
    return fact.said.words == draft.said.words or (is_of_model and _rests_on(fact, found))


def _is_older_reading(fact: Fact, draft: FactDraft, found: Found) -> bool:
    """Say whether *fact* is a reading of the same words without a grade, or by form of speech."""
    return (
        fact.by in {DISTILLER, OF_IMPORTS}
        and (GRADED not in fact.metadata or _is_by_form(fact, draft))
        and fact.said.triple in {None, draft.said.triple}
        and _rests_on(fact, found)
    )


def _is_by_form(fact: Fact, draft: FactDraft) -> bool:
    """Say whether *fact* was chosen by its form of speech, and a model words *draft*."""
    is_asked_for = not _APART.isdisjoint(fact.metadata) or len(fact.evidence) > 1
    is_rule = fact.life.authority is Authority.INSTRUCTION
    is_current = fact.life.lifecycle is Lifecycle.CURRENT
    is_chosen = fact.said.triple is None and is_current and not (is_rule or is_asked_for)
    return BY_MODEL in draft.metadata and is_chosen


def _rests_on(fact: Fact, found: Found) -> bool:
    """Say whether *fact* rests on the words of *found*."""
    return any(
        span.episode_id == found.turn.episode.id and overlap((span.start, span.end), found.span)
        for span in fact.evidence
    )
