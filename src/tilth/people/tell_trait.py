"""
Record traits of entities, in versions.

Another value under a key is a new version, and the earlier one stays as it was. Only a human
replaces a human's.
"""

from dataclasses import replace

from tilth.core.actor import require_human, require_known
from tilth.core.errors import InvalidInputError
from tilth.core.scope import Visibility
from tilth.episodes.remember import WriteContext
from tilth.knowledge.entities.tables import Entities
from tilth.knowledge.facts.write.fact_entities import evidence_episode
from tilth.ledger.store import Transaction
from tilth.people.events import TraitTold
from tilth.people.profile import Trait, TraitDraft
from tilth.people.tables import People
from tilth.privacy.redaction import scrub

# A trait is seen wherever its entity is.
_WIDENING = "state it as a fact in {scope}, or let a person tell it"


def tell_in(tx: Transaction, told: TraitDraft, recorder: WriteContext) -> Trait:
    """
    Record a trait in *tx*, unless the current version says the same.

    Raises:
        NotFoundError: there is no such entity or episode.
        ForbiddenError: a human recorded another value, or the evidence has a narrower scope than
            the entity, and the caller is not a human.
        InvalidInputError: the whole value is private.
    """
    require_known(recorder.by, "say how somebody is")
    value = scrub(told.value).text
    if not value.strip():
        raise InvalidInputError("all of it was private")
    draft = replace(told, key=scrub(told.key).text, value=value)
    within = Visibility(recorder.owner)
    entity = Entities(tx).canonical(draft.entity_id, within)
    for episode_id in draft.evidence:
        evidence_episode(tx, episode_id, entity.scope, recorder, hint=_WIDENING)
    draft = replace(draft, entity_id=entity.id)
    known = next(
        (one for one in People(tx).history(entity.id, within, key=draft.key) if one.is_current),
        None,
    )
    # A human who records the same value makes it the human's.
    is_vouched = known is not None and (known.by.is_human or not recorder.by.is_human)
    if known is not None and is_vouched and _is_same(known, draft):
        return known
    if known is not None and known.by.is_human:
        require_human(recorder.by, "replace what a human told")
    tx.append(TraitTold(draft), by=recorder.by, owner=recorder.owner)
    return People(tx).history(entity.id, within, key=draft.key)[-1]


def _is_same(known: Trait, draft: TraitDraft) -> bool:
    return (
        known.value == draft.value
        and known.confidence is draft.confidence
        and set(draft.evidence) <= set(known.evidence)
    )
