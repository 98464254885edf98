"""Whatever is linked, confirmed, parted, merged and taken back: an address is one entity's."""

import contextlib
from random import Random  # noqa: TID251 - always seeded

import pytest

from tests.brains import a_brain
from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import TilthError
from tilth.knowledge.entities.events import IdentityLinked, IdentityUnlinked, IdentityVerified
from tilth.knowledge.entities.identity import LinkConfidence

HUMAN, AGENT = Actor("ada", ActorKind.HUMAN), Actor("claude", ActorKind.AGENT)
ADDRESSES = [("email", "ada@example.org"), ("irc", "ada"), ("email", "bob@example.org")]
STEPS = 60


class Play:
    """Two who act on one store by chance."""

    def __init__(self, store, clock, seed):
        self.store = store
        self.rng = Random(seed)
        self.brains = [a_brain(store, clock, by=by) for by in (HUMAN, AGENT)]
        self.human = self.brains[0]
        self.entities = [
            self.human.entities.add(name, type=type_).entity.id
            for name, type_ in (("Ada", "person"), ("Bob", "person"), ("mailer", "service"))
        ]

    def step(self):
        brain, entity = self.rng.choice(self.brains), self.rng.choice(self.entities)
        address = self.rng.choice(ADDRESSES)
        confidence = self.rng.choice([*LinkConfidence])
        acts = {
            "link": lambda: brain.people.link(entity, *address, confidence=confidence),
            "verify": lambda: brain.people.verify(*address),
            "unlink": lambda: brain.people.unlink(*address),
            "merge": lambda: brain.entities.merge(entity, self.rng.choice(self.entities)),
            "split": lambda: brain.entities.split(entity),
            "decide": lambda: self.decide(brain),
            "undo": lambda: self.undo(brain),
        }
        with contextlib.suppress(TilthError):
            acts[self.rng.choice([*acts])]()

    def decide(self, brain):
        waiting = self.human.review.list(kinds=["identity_link"]).proposals
        if waiting:
            asked = self.rng.choice(waiting)
            digest = self.human.review.show(asked.id).digest
            brain.review.decide(asked.id, self.rng.choice(["confirm", "reject"]), digest=digest)

    def undo(self, brain):
        decided = self.human.review.list(kinds=["identity_link"], states=["decided"]).proposals
        if decided:
            brain.review.undo(self.rng.choice(decided).id)

    def holders(self):
        """Return whose each address is, by what each entity says of itself."""
        return [
            (one.address.transport, one.address.address, one.entity_id)
            for entity in self.entities
            if self.human.entities.get(entity).entity.id == entity
            for one in self.human.people.identities(entity)
        ]

    def history(self):
        """Return what the ledger says of addresses: who is where, and who confirmed that."""
        held, confirmed = {}, {}
        with self.store.read() as view:
            for recorded in view.events(limit=10_000):
                match recorded.event:
                    case IdentityLinked(entity_id=entity_id, draft=draft):
                        assert draft.address not in held, "it was another's"
                        held[draft.address] = entity_id
                        if draft.confidence is LinkConfidence.CONFIRMED:
                            confirmed[draft.address] = recorded.by
                    case IdentityVerified(address=address):
                        confirmed[address] = recorded.by
                    case IdentityUnlinked(address=address):
                        del held[address]
                        confirmed.pop(address, None)
        return held, confirmed


@pytest.fixture(params=range(6))
def play(whole_store, place, request):
    return Play(whole_store, place.clock, request.param)


@pytest.mark.row("I29")
def test_an_address_is_one_entitys_and_only_a_human_confirms_it(play):
    for _ in range(STEPS):
        play.step()

    held, confirmed = play.history()
    assert all(by.is_human for by in confirmed.values())
    known = {address: play.human.people.resolve(*address) for address in ADDRESSES}
    assert {one.identity.address: one.identity.entity_id for one in known.values() if one} == held
    for one in known.values():
        if one is not None:
            is_confirmed = one.identity.confidence is LinkConfidence.CONFIRMED
            assert is_confirmed == (one.identity.address in confirmed)
    holders = play.holders()
    assert len({(transport, address) for transport, address, _ in holders}) == len(holders)


@pytest.mark.row("I29")
def test_unlinking_restores_what_was_before_linking(play):
    for _ in range(STEPS):
        play.step()
    held = play.history()[0]
    free = [
        address
        for address in ADDRESSES
        if not any((one.transport, one.address) == address for one in held)
    ]
    before = play.holders()

    for address in free:
        play.human.people.link(play.entities[0], *address, confidence="confirmed")
        play.human.people.unlink(*address)

    assert play.holders() == before
    assert all(play.human.people.resolve(*address) is None for address in free)
