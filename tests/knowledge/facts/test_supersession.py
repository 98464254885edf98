"""Every row of the table in `tilth.knowledge.facts.write.supersession`."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import InvalidInputError
from tilth.core.ids import FactId
from tilth.core.lifecycle import Lifecycle, Review
from tilth.core.scope import GLOBAL, Owner
from tilth.knowledge.facts.fact import Confidence, Fact, FactDraft, Provenance
from tilth.knowledge.facts.life import Authority, Life
from tilth.knowledge.facts.statement import (
    Slot,
    Statement,
    Triple,
    make_taxonomy,
    rule_of,
    slot_of,
    statement_key,
)
from tilth.knowledge.facts.write.supersession import (
    Coexist,
    Placed,
    Propose,
    Refuse,
    Reinforce,
    Rejection,
    Supersede,
    decide,
)
from tilth.knowledge.proposals.proposal import ProposalKind
from tilth.knowledge.vocabulary.registries import Cardinality, Channel, Predicate, WriteMode, words

NOW = datetime(2026, 6, 1, tzinfo=UTC)
DAY = timedelta(days=1)
HOLDER = FactId("fct_" + "0" * 26)
SLOT = Slot("entity", "Acme", "phase")
AGENT, HUMAN = ActorKind.AGENT, ActorKind.HUMAN


def rule(cardinality="single", mode="auto"):
    return Predicate(name="phase", cardinality=Cardinality(cardinality), mode=WriteMode(mode))


def said(value="rollout", channel=Channel.ENTITY):
    triple = Triple("Acme", "phase", value)
    return Statement(text=triple.words, triple=triple, channel=channel)


def placed(value="rollout", *, slot=SLOT, rejection=None, **draft):
    told = FactDraft(said=said(value), **draft)
    return Placed(
        draft=told,
        slot=slot,
        key=statement_key(told.said),
        begins=told.valid_from or NOW,
        now=NOW,
        rejection=rejection,
    )


def holder(value="pilot", *, by=AGENT, review=Review.UNREVIEWED, ends=None, **changes):
    life = Life(
        scope=GLOBAL,
        lifecycle=Lifecycle.CURRENT,
        review=review,
        authority=Authority.EVIDENCE,
        valid_from=NOW - 9 * DAY,
        valid_to=ends,
        checked_at=NOW,
    )
    fact = Fact(
        id=HOLDER,
        seq=1,
        owner=Owner("local"),
        by=Actor("someone", by),
        recorded_at=NOW - 9 * DAY,
        said=said(value),
        slot=SLOT.key,
        key=statement_key(said(value)),
        life=life,
        since=1,
        confidence=Confidence(0.8, Provenance.AGENT),
        about=(),
        evidence=(),
        supersedes=None,
        is_contested=False,
        metadata={},
    )
    return replace(fact, **changes)


@pytest.mark.parametrize("kind", [kind for kind in ActorKind if kind is not HUMAN])
def test_only_a_human_makes_an_instruction_or_states_what_was_rejected(kind):
    told = placed(authority=Authority.INSTRUCTION)
    # The job that reads what a person typed; no surface lets anybody act as one.
    if kind is not ActorKind.JOB:
        assert decide(told, None, rule(), kind).is_forbidden
    assert decide(
        placed(rejection=Rejection(HOLDER, is_same=True)), None, rule(), kind
    ).is_forbidden
    assert decide(told, None, rule(), HUMAN) == Coexist()
    assert (
        decide(placed(rejection=Rejection(HOLDER, is_same=True)), None, rule(), HUMAN) == Coexist()
    )


@pytest.mark.row("XR-05")
def test_what_says_what_was_rejected_waits_whatever_its_slot_allows():
    again = placed(rejection=Rejection(HOLDER))
    why = f"it says what a human rejected: {HOLDER}"

    assert decide(again, None, rule(), AGENT) == Propose(ProposalKind.PROMOTION, None, why, HOLDER)
    assert decide(again, holder(), rule(), AGENT) == Propose(
        ProposalKind.SUPERSESSION, HOLDER, why, HOLDER
    )
    asked = decide(again, holder(by=HUMAN), rule(), AGENT)
    assert (asked.rejected, asked.reason.endswith(why)) == (HOLDER, True)
    assert decide(again, None, rule(), ActorKind.IMPORT) == Coexist(
        Lifecycle.HISTORICAL, warning=why
    )


@pytest.mark.parametrize(
    ("told", "met", "of", "who", "expected"),
    [
        (placed("pilot"), holder(), rule(), AGENT, Reinforce(HOLDER)),
        (placed("PILOT "), holder(by=HUMAN), rule("single", "human"), AGENT, Reinforce(HOLDER)),
        (placed(), holder(), rule(), ActorKind.IMPORT, Coexist(Lifecycle.HISTORICAL)),
        (placed(), None, rule(), AGENT, Coexist()),
        (placed(valid_from=NOW - 2 * DAY, valid_to=NOW - DAY), None, rule(), AGENT,
         Coexist(Lifecycle.HISTORICAL, NOW - DAY)),
        (placed(valid_from=NOW - 20 * DAY), holder(), rule(), AGENT,
         Coexist(Lifecycle.HISTORICAL, NOW - 9 * DAY)),
        (placed(valid_from=NOW - 20 * DAY, valid_to=NOW - 15 * DAY), holder(), rule(), HUMAN,
         Coexist(Lifecycle.HISTORICAL, NOW - 15 * DAY)),
        (placed(valid_from=NOW - 2 * DAY, valid_to=NOW - DAY), holder(), rule(), AGENT,
         Coexist(Lifecycle.HISTORICAL, NOW - DAY)),
        (placed(), holder(by=HUMAN), rule("single", "human"), HUMAN, Supersede(HOLDER)),
        (placed(), holder(), rule(), AGENT, Supersede(HOLDER)),
        (placed(), holder(), rule(), ActorKind.JOB, Supersede(HOLDER)),
        (placed(), holder(ends=NOW - DAY), rule("single", "propose"), AGENT, Supersede(HOLDER)),
        (placed("pilot"), holder(ends=NOW - DAY), rule(), AGENT, Supersede(HOLDER)),
        (placed(slot=None), holder("other"), None, HUMAN, Coexist(
            warning="nobody registered 'phase', so its values stand side by side")),
        (placed(slot=None), holder("other"), rule("multi"), AGENT, Coexist()),
        (placed(supersedes=HOLDER), holder(), rule("immutable", "propose"), HUMAN,
         Supersede(HOLDER)),
        (placed(slot=None, supersedes=HOLDER), holder(), None, HUMAN, Supersede(HOLDER)),
    ],
)  # fmt: skip
def test_a_verdict(told, met, of, who, expected):
    assert decide(told, met, of, who) == expected


@pytest.mark.row("C-01")
@pytest.mark.parametrize(
    ("told", "met", "of"),
    [
        (placed(), holder(), rule("single", "propose")),
        (placed(), holder(), rule("single", "human")),
        (placed(), holder(by=HUMAN), rule()),
        (placed(), holder(review=Review.CONFIRMED), rule()),
        (placed(supersedes=HOLDER), holder(), rule("immutable", "propose")),
        (placed(slot=None, supersedes=HOLDER), holder(), None),
    ],
)
@pytest.mark.parametrize("who", [AGENT, ActorKind.JOB])
def test_what_others_stand_on_is_proposed(told, met, of, who):
    verdict = decide(told, met, of, who)

    assert isinstance(verdict, Propose)
    assert (verdict.kind, verdict.retires) == (ProposalKind.SUPERSESSION, HOLDER)


@pytest.mark.parametrize("met", [None, holder(), holder("rollout")])
def test_what_nobody_signed_waits_and_adds_no_evidence(met):
    verdict = decide(placed(), met, rule(), ActorKind.ANONYMOUS)

    assert isinstance(verdict, Propose)
    assert (verdict.kind, verdict.retires) == (ProposalKind.PROMOTION, None)


@pytest.mark.parametrize("who", [AGENT, HUMAN])
def test_what_is_fixed_or_to_come_is_refused(who):
    decided = rule("immutable", "propose")
    milestone = holder(said=said("pilot", Channel.MILESTONE))
    later = placed(valid_from=NOW + DAY)

    assert isinstance(decide(placed(), holder(), decided, who), Refuse)
    assert isinstance(decide(placed(supersedes=HOLDER), milestone, decided, who), Refuse)
    assert isinstance(decide(later, holder(), rule(), who), Refuse)


def test_only_a_human_states_what_is_for_humans():
    assert isinstance(decide(placed(), None, rule("single", "human"), AGENT), Propose)
    assert decide(placed(), None, rule("single", "human"), HUMAN) == Coexist()


@pytest.mark.row("OB-014")
def test_a_slot_is_one_however_it_is_written():
    def key(system, component):
        statement = Statement(text="x", taxonomy=make_taxonomy(system=system, component=component))
        return slot_of(statement, rule_of(statement, None)).key

    assert key("Pi-Hole", "DNS") == key("pi-hole ", "dns") == key("\uff30\uff29-hole", "Dns")
    assert key("Pi-Hole", "DNS") != key("Pi-Hole", "IP")
    assert key("Pi-Hole", "DNS") != key("P\u0456-Hole", "DNS")


def test_a_predicate_is_known_by_its_aliases_and_spellings():
    known = words()

    assert known.predicate("works_for") == known.predicate("Employed By")
    assert known.predicate("works_for").name == "works_for"
    assert known.predicate("frobs") is None
    assert known.tag("DURABLE") == "durable"


@pytest.mark.row("OB-058")
def test_what_ended_has_a_beginning():
    with pytest.raises(InvalidInputError, match="before it begins"):
        placed(valid_to=NOW - DAY)
