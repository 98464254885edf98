"""State and read facts."""

import logging
from collections.abc import Iterable, Sequence
from dataclasses import replace

from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError
from tilth.core.ids import FactId
from tilth.core.scope import Visibility
from tilth.knowledge.facts.fact import Fact, FactDraft, reworded
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.tables import Facts, Filed
from tilth.knowledge.facts.write.normalise_fact import scrubbed_fact
from tilth.knowledge.facts.write.write_fact import Stated, Writing, embedded, state_in
from tilth.knowledge.vocabulary.registries import word_key
from tilth.knowledge.vocabulary.tables import KnownWords
from tilth.ledger.store import Store
from tilth.privacy.exclusion import Exclusion

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class TaxonomyCount:
    """
    A word under which facts are filed, with the number of current facts.

    `axis` is area, environment, system, component or tag. A component belongs to its `system`.
    `name` is spelt as in the latest fact.
    """

    axis: str
    name: str
    system: str
    fact_count: int


def check_stated(drafts: Iterable[FactDraft], excluded: Exclusion) -> None:
    """
    Refuse statements that contain a term of the setting `excluded_terms` (KB-113).

    Raises:
        ForbiddenError: one of them does.
    """
    excluded.refuse((words for one in drafts for words in (one.said.words, *one.about)), "a fact")


def state_facts(store: Store, drafts: Sequence[FactDraft], writing: Writing) -> list[Stated]:
    """
    State facts in order, all of them or none.

    `tilth.knowledge.facts.write.supersession.decide` decides what becomes of each. The words of a
    statement without quotes are first recorded as an episode, once for each author, so that every
    fact has evidence.

    Raises:
        ForbiddenError: this writer may not state one of them.
        ConflictError: one contradicts an immutable fact, or names one that is not current.
        InvalidInputError: one is about nothing, or a quote is not verbatim.
        NotFoundError: one names an episode, entity or fact that is not visible.
    """
    return _state(store, drafts, writing, reason=None)


def state_fact(store: Store, draft: FactDraft, writing: Writing) -> Stated:
    """State one fact; see `state_facts`."""
    return state_facts(store, [draft], writing)[0]


def propose_facts(
    store: Store, drafts: Sequence[FactDraft], writing: Writing, *, reason: str
) -> list[Stated]:
    """
    State facts as drafts, which a human may put in the place of others; all or none.

    Raises:
        InvalidInputError: a draft does not name what it would supersede.
        NotFoundError: that is not visible.
        ConflictError: that is not current.
        ForbiddenError: this writer may not state it.
    """
    if any(draft.supersedes is None for draft in drafts):
        raise InvalidInputError(
            "a proposal names what it would supersede", hint="give its ID: --supersedes fct_…"
        )
    return _state(store, drafts, writing, reason=reason)


def propose_fact(store: Store, draft: FactDraft, writing: Writing, *, reason: str = "") -> Stated:
    """State one fact as a draft; see `propose_facts`."""
    return propose_facts(store, [draft], writing, reason=reason)[0]


def reworded_draft(
    store: Store, fact_id: FactId, text: str, value: str, within: Visibility
) -> FactDraft:
    """
    Return a draft that supersedes a fact with other words.

    Args:
        store: The store.
        fact_id: The fact to supersede.
        text: The whole statement; a triple needs none.
        value: The object of the triple.
        within: The owner and scopes that may be read.

    Raises:
        InvalidInputError: there are no words.
        NotFoundError: the fact is not visible.
    """
    with store.read() as view:
        fact = Facts(view).get(fact_id, within)
    return replace(reworded(fact, text, value), valid_from=None, supersedes=fact_id)


def _state(
    store: Store, told: Sequence[FactDraft], writing: Writing, *, reason: str | None
) -> list[Stated]:
    drafts = [scrubbed_fact(draft) for draft in told]
    vectors = embedded(drafts, writing.embedder)
    with store.begin() as tx:
        words = KnownWords(tx).known(writing.recorder.owner)
        stated = [
            state_in(
                tx, draft, writing, words=words, vectors=vectors[2 * at : 2 * at + 2], reason=reason
            )
            for at, draft in enumerate(drafts)
        ]
    for one in stated:
        logger.info("fact stated: fact=%s verdict=%s", one.fact.id, one.verdict)
    return stated


def taxonomy(store: Store, which: FactFilter) -> Sequence[TaxonomyCount]:
    """Return the words under which facts of a filter are filed, the fullest first on each axis."""
    with store.read() as view:
        filed = Facts(view).filed(which)
        examples = sorted({one.example for one in filed})
        known = {fact.seq: fact for fact in Facts(view).at(examples, which.within, which.moment)}
    return [_counted(one, known[one.example]) for one in filed if one.example in known]


def _counted(filed: Filed, example: Fact) -> TaxonomyCount:
    places = example.said.taxonomy
    if filed.axis == "tag":
        names = [tag for tag in places.tags if word_key(tag) == filed.key]
        return TaxonomyCount(axis=filed.axis, name=names[0], system="", fact_count=filed.count)
    return TaxonomyCount(
        axis=filed.axis,
        name=str(getattr(places, filed.axis)),
        system=places.system if filed.system else "",
        fact_count=filed.count,
    )
