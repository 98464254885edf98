"""
Link, confirm and unlink identities: whose an address is.

An address is one entity's alone. Who a person is only a human says: an agent that links the address
of a person, an agent or an account asks a human, and suggesting never links.
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
    called,
    decided,
    known_by,
    pointed_at,
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
# Who has the same address on another transport is likelier meant than any namesake.
_SHARED = 1.0
_NAMESAKE = 0.9


@dataclass(frozen=True, slots=True, kw_only=True)
class Linked:
    """
    What became of linking: the identity, or the question that waits for a human.

    `merges` are the questions whether its bearer is who has that address elsewhere.
    """

    identity: Identity | None
    is_new: bool
    proposal_id: ProposalId | None = None
    merges: tuple[ProposalId, ...] = ()


class Known(NamedTuple):
    """Who is reached at an address: the entity as it is today, and the link."""

    entity: Entity
    identity: Identity


@dataclass(frozen=True, slots=True)
class Interactions:
    """The last episodes with an entity, and how many there were in all by the ways asked for."""

    entity: Entity
    tally: Tally
    episodes: tuple[Episode, ...]


def link_in(
    tx: Transaction, entity_id: EntityId, told: IdentityDraft, recorder: WriteContext
) -> Linked:
    """Link an address in *tx*; see `link_identity`."""
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
        return _linked_again(tx, known, draft, recorder)
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
    """Return whose an address may be, the likeliest first; it links nothing (EM-023)."""
    check_page(limit, SUGGESTED_MAX)
    with store.read() as view:
        found = _sharing(view, address, within)
        for name in (display_name, handle_of(address.address)):
            found += [*_named(view, name, within), *_known_as(view, name, within)]
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
    Return what passed between us and an entity lately.

    Args:
        store: Where to look.
        word: A name of the entity, or its ID.
        within: Whose, and in which scopes.
        transport: Only by this way.
        limit: How many episodes at most.
        is_private: Mask mail addresses, numbers and secrets in what is returned (EM-042).
    """
    check_page(limit, PAGE_MAX)
    with store.read() as view:
        entity = pointed_at(view, word, within)[0]
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
    Refuse an address of somebody else's; one that is nobody's may be anybody's.

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


def _linked_again(
    tx: Transaction, known: Identity, draft: IdentityDraft, recorder: WriteContext
) -> Linked:
    is_named = draft.display_name in {"", known.display_name}
    if recorder.by.is_human and not (known.by.is_human and is_named):
        known = _said_anew(tx, known, draft, recorder)
    if draft.confidence is LinkConfidence.CONFIRMED:
        known = verified(tx, known, recorder)
    return Linked(identity=known, is_new=False)


def _said_anew(
    tx: Transaction, known: Identity, draft: IdentityDraft, recorder: WriteContext
) -> Identity:
    """Make a link the human's who says it too, under the name that it is told by last."""
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
    shared = [one for one in _sharing(tx, draft.address, within) if one.entity.id != entity.id]
    event = IdentityLinked(entity_id=entity.id, draft=draft)
    tx.append(event, by=recorder.by, owner=recorder.owner)
    if recorder.by.is_human:
        _answer(tx, entity, draft.address, recorder)
    identity = Identities(tx).holder(recorder.owner, draft.address)
    merges = propose_merges(tx, entity, tuple(shared), recorder)
    return Linked(identity=identity, is_new=True, merges=merges)


def verified(tx: Transaction, known: Identity, recorder: WriteContext) -> Identity:
    """Return a link that is confirmed, which it becomes unless it is."""
    if known.confidence is LinkConfidence.CONFIRMED:
        return known
    event = IdentityVerified(entity_id=known.entity_id, address=known.address)
    tx.append(event, by=recorder.by, owner=recorder.owner)
    return holder(tx, known.address, recorder)


def holder(reader: Snapshot, address: Address, recorder: WriteContext) -> Identity:
    """Return whose an address is; refuse one that is nobody's."""
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
        key=_question(entity.id, address),
    )
    proposal = open_proposal(tx, asked, recorder)
    return Linked(identity=None, is_new=False, proposal_id=proposal.id)


def _answer(tx: Transaction, entity: Entity, address: Address, recorder: WriteContext) -> None:
    """Let a link by a human answer the question whether the address is the entity's."""
    asked = Proposals(tx).asked(_question(entity.id, address), recorder.owner, entity.scope)
    if asked is not None and asked.state is ProposalState.OPEN:
        answer_by_act(tx, asked, Action.CONFIRM, recorder)


def _question(entity_id: EntityId, address: Address) -> str:
    return f"identity:{entity_id}:{address.transport}:{address.address}"


def _sharing(reader: Snapshot, address: Address, within: Visibility) -> list[Suggestion]:
    found = []
    for one in Identities(reader).sharing(address.address, within):
        if one.address.transport != address.transport:
            entity = Entities(reader).canonical(one.entity_id, within)
            reason = f"has that address on {one.address.transport}"
            found.append(Suggestion(entity, _SHARED, reason))
    return found


def _known_as(reader: Snapshot, name: str, within: Visibility) -> list[Suggestion]:
    """Return who has the handle *name* elsewhere, or is called that there."""
    sought = name.casefold()
    return [
        known_by(reader, one, within, _NAMESAKE)
        for one in (Identities(reader).like(name, within, limit=PAGE_MAX) if name_key(name) else ())
        if sought in {one.display_name.casefold(), handle_of(one.address.address)}
    ]


def _named(reader: Snapshot, name: str, within: Visibility) -> list[Suggestion]:
    if not name_key(name):
        return []
    exact = [Suggestion(one, 1.0, "goes by that name") for one in called(reader, name, within)]
    near = decided(reader, Named(id="", name=name), within, limit=SUGGESTED_MAX)
    found = [*exact, *suggestions(reader, near, within)]
    return [replace(one, score=min(one.score, _NAMESAKE)) for one in found]
