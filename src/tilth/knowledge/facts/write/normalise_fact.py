"""Normalise the words of a fact: scrub them, and use registered spellings."""

from collections.abc import Sequence
from dataclasses import replace

from tilth.core.errors import InvalidInputError
from tilth.core.text.urn import as_position
from tilth.knowledge.facts.fact import FactDraft
from tilth.knowledge.facts.statement import Statement, Triple
from tilth.knowledge.vocabulary.registries import TELEMETRY, Registry, Words, word_key
from tilth.privacy.private_tags import MARKER, is_all_private
from tilth.privacy.redaction import scrub, scrub_fields, scrub_object, scrub_scope
from tilth.privacy.remainder import hides_private, without_private

# The predicate whose value holds a place and a role.
_POSITION = "role_at"


def scrubbed_fact(draft: FactDraft) -> FactDraft:
    """
    Return *draft* without private spans and secrets.

    Raises:
        InvalidInputError: its statement or subject is private.
    """
    said = scrub_fields(draft.said)
    about = tuple(scrub(name).text for name in draft.about)
    if is_all_private(said.text) or is_hidden(said, about):
        how = "as a whole" if is_all_private(said.text) else "in part"
        raise InvalidInputError(
            f"what is private {how} is no fact", hint="say what of it may be kept"
        )
    said = replace(said, text=without_private(said.text))
    return replace(
        draft,
        said=said,
        about=about,
        scope=scrub_scope(draft.scope),
        metadata=scrub_object(draft.metadata),
    )


def is_hidden(said: Statement, about: Sequence[str] = ()) -> bool:
    """Say whether the value or subject of *said* is private."""
    parts = () if said.triple is None else (said.triple.subject, said.triple.object)
    named = (*parts, *about, said.taxonomy.system, said.taxonomy.component)
    return hides_private(said.text) or any(MARKER in one for one in named)


def in_registered_words(
    draft: FactDraft, words: Words
) -> tuple[FactDraft, tuple[tuple[Registry, str], ...]]:
    """
    Return *draft* with registered spellings, and its unregistered words.

    Raises:
        InvalidInputError: its predicate is telemetry.
    """
    said, taxonomy = draft.said, draft.said.taxonomy
    triple = None if said.triple is None else _of_the_world(said.triple, words)
    known = replace(
        taxonomy,
        area=words.area(taxonomy.area) or taxonomy.area,
        tags=_one_of_each(taxonomy.tags, words),
    )
    used = [(Registry.TAG, tag) for tag in known.tags]
    used += [(Registry.AREA, known.area)] if known.area else []
    used += [(Registry.PREDICATE, triple.predicate)] if triple is not None else []
    unknown = tuple((registry, word) for registry, word in used if not words.holds(registry, word))
    return replace(draft, said=replace(said, triple=triple, taxonomy=known)), unknown


def as_written(triple: Triple, words: Words) -> Triple:
    """Return *triple* with its registered predicate, as a fact would hold it."""
    predicate = words.predicate(triple.predicate)
    if predicate is None:
        return triple
    if predicate.name == _POSITION:
        triple = replace(triple, object=as_position(triple.object))
    if predicate.name == triple.predicate:
        return triple
    return replace(triple, predicate=predicate.name, written_as=triple.predicate)


def _one_of_each(tags: Sequence[str], words: Words) -> tuple[str, ...]:
    """Return each tag once, in its registered or first spelling."""
    told: dict[str, str] = {}
    for tag in tags:
        name = words.tag(tag) or tag.strip()
        told.setdefault(word_key(name), name)
    return tuple(told.values())


def _of_the_world(triple: Triple, words: Words) -> Triple:
    if _run_together(triple.predicate) in map(_run_together, TELEMETRY):
        raise InvalidInputError(
            f"{triple.predicate!r} tells of the machinery, not of the world",
            hint="the ledger and `tilth changes` know who did what when",
        )
    return as_written(triple, words)


def _run_together(word: str) -> str:
    """Return the key of a word without separators: `healthScore` is `health_score` (DU-052)."""
    return word_key(word).replace("_", "")
