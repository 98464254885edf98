"""Find out whether a human rejected a statement before, in whatever words and scope."""

from collections.abc import Sequence
from typing import Protocol, TypeVar

from tilth.core.ids import EntityId
from tilth.core.scope import Owner, Visibility
from tilth.core.text.tokens import index_terms
from tilth.episodes.remember import WriteContext
from tilth.knowledge.entities.entity import Bearer
from tilth.knowledge.entities.resolve_name import entities_named
from tilth.knowledge.entities.tables import Entities
from tilth.knowledge.facts.fact import Fact, FactDraft
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.statement import Statement
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.facts.write.supersession import Rejection
from tilth.knowledge.likeness.paraphrase import Claim, says_again
from tilth.ledger.snapshot import Snapshot

# How many of the last rejections are compared with a statement; identical words are found in any
# number.
_REJECTED_MAX = 300
# How many of these, with most shared words, are compared closely.
_COMPARED_MAX = 12
_SAME_MAX = 100


class _Saying(Protocol):
    @property
    def said(self) -> Statement: ...


_SayingT = TypeVar("_SayingT", bound=_Saying)


def find_rejection(
    reader: Snapshot, draft: FactDraft, key: str, about: Sequence[EntityId], recorder: WriteContext
) -> Rejection | None:
    """
    Return the last rejection that *draft* repeats; None if there is none.

    The identical statement is searched in its own scope first. Another scope, slot or wording
    counts as well, unless a human has stated since that it is so.
    """
    if recorder.by.is_human:
        return None
    within = Visibility(recorder.owner)
    rejected = Facts(reader).rejected(within, key, limit=_REJECTED_MAX)
    if not rejected:
        return None
    same = [
        fact for fact in rejected if fact.key == key and not _is_vouched_since(reader, fact, within)
    ]
    here = next((fact for fact in same if fact.life.scope == draft.scope), None)
    if here is not None:
        return Rejection(here.id, is_same=True)
    if same:
        return Rejection(same[0].id)
    ours = _things(reader, draft.said, about, recorder.owner)
    near = (one for one in nearest(draft.said, rejected) if _is_said(reader, draft.said, ours, one))
    return next(
        (Rejection(one.id) for one in near if not _is_vouched_since(reader, one, within)), None
    )


def nearest(said: Statement, rejected: Sequence[_SayingT]) -> list[_SayingT]:
    """Return those that share most terms with a statement, the last first; none without any."""
    ours = set(index_terms(said.words))
    shared = [(len(ours & set(index_terms(one.said.words))), one) for one in rejected]
    near = sorted(shared, key=lambda pair: pair[0], reverse=True)[:_COMPARED_MAX]
    return [one for count, one in near if count]


def _is_said(reader: Snapshot, said: Statement, ours: Sequence[Bearer], rejected: Fact) -> bool:
    theirs = {one.id for one in _things(reader, rejected.said, rejected.about, rejected.owner)}
    shared = [one.names for one in ours if one.id in theirs]
    return says_again(claim_of(said), claim_of(rejected.said), shared)


def claim_of(said: Statement) -> Claim:
    """Return a statement in the form in which it is compared."""
    triple, taxonomy = said.triple, said.taxonomy
    return Claim(
        text=said.text,
        subject="" if triple is None else triple.subject,
        value="" if triple is None else triple.object,
        place=taxonomy.component or taxonomy.system,
    )


def _things(
    reader: Snapshot, said: Statement, about: Sequence[EntityId], owner: Owner
) -> list[Bearer]:
    """Return the entities in question with all their names."""
    within, triple, taxonomy = Visibility(owner), said.triple, said.taxonomy
    named = [taxonomy.system, taxonomy.component]
    named += [] if triple is None else [triple.subject, triple.object]
    found = [one.id for name in named if name for one in entities_named(reader, name, within)[:1]]
    return [Entities(reader).bearer(one, within) for one in dict.fromkeys((*about, *found))]


def _is_vouched_since(reader: Snapshot, rejected: Fact, within: Visibility) -> bool:
    """Say whether a human later stated what was rejected, since the last word counts."""
    which = FactFilter(within=within, key=rejected.key)
    said = Facts(reader).select(which, limit=_SAME_MAX)
    return any(one.is_vouched and one.since > rejected.since for one in said)
