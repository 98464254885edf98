"""
Slots: the exact place that can have only one current fact.

Owner and scope make the realm, and the rest of the place is the key here:
channel or system, subject, predicate or component, each folded like a name.
Only equal keys meet; likeness never fills a slot (XR-13).
"""

from dataclasses import dataclass

from tilth.core.json import canonical
from tilth.core.keys import index_key
from tilth.knowledge.facts.statement import Statement
from tilth.knowledge.vocabulary.registries import (
    OPERATIONAL,
    Cardinality,
    Predicate,
    rule_in,
    word_key,
)

_SYSTEM = "system"


@dataclass(frozen=True, slots=True)
class Slot:
    """A slot within its realm; `place` is a channel, or `system`."""

    place: str
    subject: str
    name: str

    @property
    def key(self) -> str:
        """The slot as one text, equal exactly where the slots are."""
        return canonical([self.place, index_key(self.subject), word_key(self.name)])


def rule_of(said: Statement, predicate: Predicate | None) -> Predicate | None:
    """Return how values of *said* live, given what is registered; None if nobody knows."""
    if said.taxonomy.component:
        return OPERATIONAL
    if said.triple is None or said.channel is None:
        return None
    return rule_in(said.channel, predicate)


def slot_of(said: Statement, rule: Predicate | None, subject: str = "") -> Slot | None:
    """
    Return the slot that *said* fills; None where many may stand side by side.

    Args:
        said: The statement.
        rule: How its values live.
        subject: The name under which its subject or system is known, where that is an alias.
    """
    taxonomy = said.taxonomy
    if taxonomy.component:
        return Slot(_SYSTEM, subject or taxonomy.system, taxonomy.component)
    if said.triple is None or rule is None or rule.cardinality is Cardinality.MULTI:
        return None
    return Slot(str(said.channel), subject or said.triple.subject, said.triple.predicate)
