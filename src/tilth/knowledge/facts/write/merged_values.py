"""
The values of merged entities: each entity keeps its values in slots of its own (ADR 11).

So a split is exact. A new value goes to the slot of the entity that it names, and a human is asked
about each value that other slots still hold.
"""

from tilth.core.ids import EntityId, ProposalId
from tilth.core.lifecycle import Lifecycle
from tilth.core.scope import Owner, Visibility, seen_from
from tilth.core.text.names import index_key
from tilth.episodes.remember import WriteContext
from tilth.knowledge.entities.entity import Entity
from tilth.knowledge.entities.tables import Entities
from tilth.knowledge.facts.fact import Fact, FactDraft, contradiction_key
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.statement import Statement, slot_of, statement_key
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.facts.write.slot_conflicts import holder_of
from tilth.knowledge.proposals.ask import open_proposal
from tilth.knowledge.proposals.proposal import ProposalDraft, ProposalKind
from tilth.knowledge.vocabulary.registries import Predicate, word_key
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Transaction

# The detail of a contradiction that a merge brought up: the entity that was merged away.
OF_MERGE = "merged"
_FACTS_MAX = 1000


def choose_slot_entity(
    reader: Snapshot,
    draft: FactDraft,
    rule: Predicate | None,
    about: tuple[EntityId, ...],
    owner: Owner,
) -> tuple[tuple[EntityId, ...], str]:
    """
    Return the entities of *draft*, its subject first, and the name for that one's slot.

    Among merged entities, the subject is the named one if it holds a value or none does; else one
    that holds a value, so that this value ends.

    Args:
        reader: The snapshot.
        draft: The statement.
        rule: The rule for values of its predicate.
        about: The entities, beginning with the present one for the subject.
        owner: The owner of the statement.
    """
    said, within = draft.said, seen_from(owner, draft.scope)
    realm = Visibility(owner, frozenset({draft.scope}))
    subject = Entities(reader).get(about[0], within)
    parts = [subject, *Entities(reader).merged(subject.id, within)]
    if len(parts) == 1 or slot_of(said, rule, subject.name) is None:
        return about, subject.name
    holding = [one for one in parts if _holds(reader, said, rule, one, realm)]
    named = [one for one in parts if _bears(one, _subject_of(said))]
    home = next((one for one in named if one in holding), next(iter((*holding, *named, subject))))
    return tuple(dict.fromkeys((home.id, *about[1:]))), home.name


def ask_about_other_values(tx: Transaction, fact: Fact, recorder: WriteContext) -> list[ProposalId]:
    """
    Ask a human about each value that other slots of a merged entity hold beside *fact*.

    Nothing is asked for an entity that was never merged, or a fact without a slot.
    """
    if not fact.slot or fact.life.lifecycle is not Lifecycle.CURRENT or not fact.about:
        return []
    within = Visibility(recorder.owner)
    whole = Entities(tx).canonical(fact.about[0], within)
    parts = [whole, *Entities(tx).merged(whole.id, within)]
    if len(parts) == 1:
        return []
    others = {
        other.id: (other, part)
        for part in parts
        if part.id != fact.about[0]
        for other in held_values(tx, part, recorder)
        if slot_place(other) == slot_place(fact) and not is_same_value(fact, other)
    }
    return [
        open_proposal(tx, _question(fact, other, part, whole), recorder).id
        for other, part in others.values()
        if other.slot != fact.slot
    ]


def held_values(reader: Snapshot, entity: Entity, recorder: WriteContext) -> list[Fact]:
    """Return the current facts in slots of an entity, by its own names."""
    which = FactFilter(within=Visibility(recorder.owner), about=entity.id)
    found = Facts(reader).select(which, limit=_FACTS_MAX)
    return [fact for fact in found if fact.slot and is_subject(fact, entity)]


def is_subject(fact: Fact, entity: Entity) -> bool:
    """Say whether a fact is about an entity, by ID or by name."""
    return entity.id in fact.about[:1] or _bears(entity, _subject_of(fact.said))


def slot_place(fact: Fact) -> tuple[str, ...]:
    """Return a key that is equal for slots that would be one if their entities were."""
    said = fact.said
    if said.triple is None or said.taxonomy.component:
        return (fact.life.scope, index_key(said.taxonomy.component))
    return (fact.life.scope, said.channel or "", word_key(said.triple.predicate))


def is_same_value(one: Fact, other: Fact) -> bool:
    """Say whether two facts say the same if their entities are one."""
    named = _subject_of(one.said)
    return statement_key(one.said, named) == statement_key(other.said, named)


def _question(fact: Fact, other: Fact, part: Entity, whole: Entity) -> ProposalDraft:
    merged = part.id if part.id != whole.id else fact.about[0]
    return ProposalDraft(
        kind=ProposalKind.CONTRADICTION,
        reason=f"{_subject_of(fact.said)} is one with {part.name}, and they differ",
        scope=fact.life.scope,
        facts=(other.id, fact.id),
        detail={OF_MERGE: merged},
        key=contradiction_key(other, fact),
    )


def _holds(
    reader: Snapshot, said: Statement, rule: Predicate | None, one: Entity, realm: Visibility
) -> bool:
    slot = slot_of(said, rule, one.name)
    return slot is not None and holder_of(reader, slot.key, realm) is not None


def _bears(entity: Entity, name: str) -> bool:
    return index_key(name) in map(index_key, (entity.name, *entity.aliases))


def _subject_of(said: Statement) -> str:
    if said.triple is None or said.taxonomy.component:
        return said.taxonomy.system
    return said.triple.subject
