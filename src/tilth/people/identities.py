"""
Link, confirm and unlink identities: whose an address is.

An address belongs to one entity alone. Only a human decides whose the address of a person, an agent
or an account is: an agent's link becomes a proposal.
"""

from dataclasses import replace
from shlex import quote
from typing import NamedTuple

from tilth.core.actor import require_human, require_known
from tilth.core.calls.paging import PAGE_MAX, check_page
from tilth.core.dataclass import dataclass
from tilth.core.errors import ConflictError, NotFoundError
from tilth.core.ids import EntityId, ProposalId
from tilth.core.scope import Visibility, seen_from
from tilth.core.text.names import name_key
from tilth.episodes.episode import Episode, check_transport
from tilth.episodes.remember import WriteContext
from tilth.knowledge.entities.ask_merge import propose_merges
from tilth.knowledge.entities.entity import PERSONAL, Entity
from tilth.knowledge.entities.events import IdentityLinked, IdentityUnlinked, IdentityVerified
from tilth.knowledge.entities.identities import Identities
from tilth.knowledge.entities.identity import (
    Address,
    Identity,
    IdentityDraft,
    LinkConfidence,
    Tally,
    handle_of,
    parse_address,
)
from tilth.knowledge.entities.match_names import Named
from tilth.knowledge.entities.resolve_name import (
    Suggestion,
    entities_meant,
    entities_named,
    match_visible,
    suggestion_of_identity,
    suggestions,
)
from tilth.knowledge.entities.tables import Entities
from tilth.knowledge.proposals.ask import answer_by_act, open_proposal
from tilth.knowledge.proposals.proposal import Action, ProposalDraft, ProposalKind, ProposalState
from tilth.knowledge.proposals.tables import Proposals
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store, Transaction
from tilth.people.tables import People
from tilth.privacy.personal import mask_personal
from tilth.privacy.redaction import scrub

SUGGESTED_MAX = 10
# An entity with the same address on another transport is likelier than any namesake.
_SHARED = 1.0
_NAMESAKE = 0.9


@dataclass(frozen=True, slots=True, kw_only=True)
class Linked:
    """
    The result of linking: the identity, or the proposal that waits for a human.

    `merges` are proposals to merge the entity with those that have the address elsewhere.
    """

    identity: Identity | None
    is_new: bool
    proposal_id: ProposalId | None = None
    merges: tuple[ProposalId, ...] = ()


class Known(NamedTuple):
    """The entity that is reached at an address, and the link."""

    entity: Entity
    identity: Identity


@dataclass(frozen=True, slots=True)
class Interactions:
    """The last episodes with an entity; `tally` counts all of them on the transports asked for."""

    entity: Entity
    tally: Tally
    episodes: tuple[Episode, ...]


def link_in(
    tx: Transaction, entity_id: EntityId, told: IdentityDraft, recorder: WriteContext
) -> Linked:
    """
    Link an address in *tx*, or ask a human to.

    Raises:
        NotFoundError: no such entity is visible.
        ForbiddenError: the caller is unknown, or confirms and is not a human.
        ConflictError: the address belongs to another entity.
        InvalidInputError: the transport is not configured.
    """
    require_known(recorder.by, "say whose an address is")
    if told.confidence is LinkConfidence.CONFIRMED:
        require_human(recorder.by, "confirm who somebody is")
    check_transport(told.address.transport, recorder.transports)
    draft = replace(told, display_name=scrub(told.display_name).text)
    within = Visibility(recorder.owner)
    entity = Entities(tx).canonical(entity_id, within)
    known = Identities(tx).holder(recorder.owner, draft.address)
    if known is not None:
        _check_same(tx, entity, known, within)
        return _relink(tx, known, draft, recorder)
    if entity.type in PERSONAL and not recorder.by.is_human:
        return _ask(tx, entity, draft, recorder)
    return _link(tx, entity, draft, recorder)


def suggest_for_address(
    store: Store,
    address: Address,
    within: Visibility,
    *,
    display_name: str,
    limit: int,
) -> tuple[Suggestion, ...]:
    """Return the entities that an address may belong to, the likeliest first (EM-023)."""
    check_page(limit, SUGGESTED_MAX)
    with store.read() as view:
        found = _with_address_elsewhere(view, address, within)
        for name in (display_name, handle_of(address.address)):
            found += [*_with_name(view, name, within), *_with_handle(view, name, within)]
    best: dict[EntityId, Suggestion] = {}
    for one in found:
        if one.entity.id not in best or one.score > best[one.entity.id].score:
            best[one.entity.id] = one
    ranked = sorted(best.values(), key=lambda one: (-one.score, one.entity.seq))
    return tuple(ranked[:limit])


def read_interactions(
    store: Store,
    word: str,
    within: Visibility,
    *,
    transport: str | None,
    limit: int,
    is_private: bool,
) -> Interactions:
    """
    Return the latest messages with an entity.

    Args:
        store: The store.
        word: A name of the entity, or its ID.
        within: The owner and the visible scopes.
        transport: Only messages on this transport; None for all.
        limit: The most episodes.
        is_private: Mask mail addresses, numbers and secrets in the result (EM-042).
    """
    check_page(limit, PAGE_MAX)
    with store.read() as view:
        entity = entities_meant(view, word, within)[0]
        said = People(view).interactions(entity.id, within, transport=transport, limit=limit)
        tally = People(view).tally(entity.id, within, transport=transport)
    return Interactions(entity, tally, tuple(masked(one) if is_private else one for one in said))


def masked(episode: Episode) -> Episode:
    """Return *episode* without personal data in its words; its ID stays what it was."""
    return replace(
        episode,
        text=mask_personal(episode.text),
        speaker=mask_personal(episode.speaker),
        address=mask_personal(episode.address),
        metadata={},
    )


def check_theirs(
    reader: Snapshot, entity: Entity, transport: str, address: str, within: Visibility
) -> None:
    """
    Refuse an address that belongs to another entity; one that is not linked may be anybody's.

    Raises:
        ConflictError: another entity is reached there.
    """
    known = Identities(reader).holder(within.owner, parse_address(transport, address))
    if known is not None:
        _check_same(reader, entity, known, within)


def _check_same(reader: Snapshot, entity: Entity, known: Identity, within: Visibility) -> None:
    holder, at = Entities(reader).canonical(known.entity_id, within), known.address
    if holder.id != entity.id:
        raise ConflictError(
            f"{at.words} is {holder.name}'s ({holder.id})",
            hint=f"unlink first: tilth entity unlink {at.transport} {quote(at.address)};"
            " with --keep if it changed hands;"
            f" if both are one: tilth entity merge {holder.id} {entity.id}",
        )


def _relink(
    tx: Transaction, known: Identity, draft: IdentityDraft, recorder: WriteContext
) -> Linked:
    is_named = draft.display_name in {"", known.display_name}
    if recorder.by.is_human and not (known.by.is_human and is_named):
        known = _link_as_human(tx, known, draft, recorder)
    if draft.confidence is LinkConfidence.CONFIRMED:
        known = verified(tx, known, recorder)
    return Linked(identity=known, is_new=False)


def _link_as_human(
    tx: Transaction, known: Identity, draft: IdentityDraft, recorder: WriteContext
) -> Identity:
    """Link an address anew in a human's name, with the display name given last."""
    is_sure = known.confidence is LinkConfidence.CONFIRMED
    told = replace(
        draft,
        display_name=draft.display_name or known.display_name,
        confidence=known.confidence if is_sure else draft.confidence,
    )
    for event in (
        IdentityUnlinked(entity_id=known.entity_id, address=known.address, reason="linked anew"),
        IdentityLinked(entity_id=known.entity_id, draft=told),
    ):
        tx.append(event, by=recorder.by, owner=recorder.owner)
    return holder(tx, known.address, recorder)


def _link(tx: Transaction, entity: Entity, draft: IdentityDraft, recorder: WriteContext) -> Linked:
    within = seen_from(recorder.owner, entity.scope)
    elsewhere = _with_address_elsewhere(tx, draft.address, within)
    shared = [one for one in elsewhere if one.entity.id != entity.id]
    event = IdentityLinked(entity_id=entity.id, draft=draft)
    tx.append(event, by=recorder.by, owner=recorder.owner)
    if recorder.by.is_human:
        _answer(tx, entity, draft.address, recorder)
    identity = Identities(tx).holder(recorder.owner, draft.address)
    merges = propose_merges(tx, entity, tuple(shared), recorder)
    return Linked(identity=identity, is_new=True, merges=merges)


def verified(tx: Transaction, known: Identity, recorder: WriteContext) -> Identity:
    """Return a link that is confirmed; it is recorded if it was not."""
    if known.confidence is LinkConfidence.CONFIRMED:
        return known
    event = IdentityVerified(entity_id=known.entity_id, address=known.address)
    tx.append(event, by=recorder.by, owner=recorder.owner)
    return holder(tx, known.address, recorder)


def holder(reader: Snapshot, address: Address, recorder: WriteContext) -> Identity:
    """
    Return the link of an address.

    Raises:
        NotFoundError: it is not linked.
    """
    known = Identities(reader).holder(recorder.owner, address)
    if known is None:
        raise NotFoundError(
            f"{address.transport} {address.address} is nobody's",
            hint="link it: tilth entity link NAME TRANSPORT ADDRESS",
        )
    return known


def _ask(tx: Transaction, entity: Entity, draft: IdentityDraft, recorder: WriteContext) -> Linked:
    address = draft.address
    asked = ProposalDraft(
        kind=ProposalKind.IDENTITY_LINK,
        reason=f"{recorder.by.name} takes {address.transport} {address.address} for {entity.name}",
        scope=entity.scope,
        entities=(entity.id,),
        detail={"transport": address.transport, "address": address.address},
        key=_question_key(entity.id, address),
    )
    proposal = open_proposal(tx, asked, recorder)
    return Linked(identity=None, is_new=False, proposal_id=proposal.id)


def _answer(tx: Transaction, entity: Entity, address: Address, recorder: WriteContext) -> None:
    """Let a link by a human answer the proposal of the same link."""
    asked = Proposals(tx).asked(_question_key(entity.id, address), recorder.owner, entity.scope)
    if asked is not None and asked.state is ProposalState.OPEN:
        answer_by_act(tx, asked, Action.CONFIRM, recorder)


def _question_key(entity_id: EntityId, address: Address) -> str:
    return f"identity:{entity_id}:{address.transport}:{address.address}"


def _with_address_elsewhere(
    reader: Snapshot, address: Address, within: Visibility
) -> list[Suggestion]:
    """Return the entities that have an address on another transport."""
    found = []
    for one in Identities(reader).sharing(address.address, within):
        if one.address.transport != address.transport:
            entity = Entities(reader).canonical(one.entity_id, within)
            reason = f"has that address on {one.address.transport}"
            found.append(Suggestion(entity, _SHARED, reason))
    return found


def _with_handle(reader: Snapshot, name: str, within: Visibility) -> list[Suggestion]:
    """Return the entities with the handle or display name *name* on any transport."""
    sought = name.casefold()
    return [
        suggestion_of_identity(reader, one, within, _NAMESAKE)
        for one in (Identities(reader).like(name, within, limit=PAGE_MAX) if name_key(name) else ())
        if sought in {one.display_name.casefold(), handle_of(one.address.address)}
    ]


def _with_name(reader: Snapshot, name: str, within: Visibility) -> list[Suggestion]:
    """Return the entities with that name or a similar one."""
    if not name_key(name):
        return []
    exact = [
        Suggestion(one, 1.0, "goes by that name") for one in entities_named(reader, name, within)
    ]
    near = match_visible(reader, Named(id="", name=name), within, limit=SUGGESTED_MAX)
    found = [*exact, *suggestions(reader, near, within)]
    return [replace(one, score=min(one.score, _NAMESAKE)) for one in found]
