"""What may happen: a strategy for every kind of event."""

from collections.abc import Mapping
from datetime import UTC
from functools import cache

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from tilth.context.context import Context
from tilth.context.events import ContextGiven, FeedbackGiven, ProjectMoved
from tilth.core.event import Event
from tilth.core.ids import EntityId, FactId, Id, is_word_for_nothing
from tilth.core.lifecycle import Lifecycle
from tilth.core.text.names import name_key
from tilth.episodes.episode import Direction, EpisodeDraft, EpisodeKind, Role
from tilth.episodes.events import Content, EpisodeRecorded, ImportFinished, SessionDescribed
from tilth.episodes.session import SessionInfo
from tilth.gaps.events import (
    FilingChosen,
    FilingEnded,
    GapDetected,
    GapEvidenced,
    GapFiled,
    GapMoved,
    GapsMerged,
    GapsParted,
    GapsPulsed,
)
from tilth.gaps.model import GapDraft, GapEvidence, GapId, GapKind, GapStatus
from tilth.gaps.todos import Way
from tilth.garden.events import CycleStepEnded, SourceFound, TopicAdded
from tilth.garden.model import PRIORITIES, Credibility, CycleId, SourceDraft, Step, TopicDraft
from tilth.knowledge.entities.entity import EntityDraft
from tilth.knowledge.entities.events import (
    AliasAdded,
    AliasRemoved,
    EntitiesMerged,
    EntityRecorded,
    EntitySplit,
    EntityTyped,
    IdentityLinked,
    IdentityUnlinked,
    IdentityVerified,
)
from tilth.knowledge.entities.identity import Address, IdentityDraft, LinkConfidence
from tilth.knowledge.facts.events import FactArchived, FactRecorded, FactReinforced, FactRetired
from tilth.knowledge.facts.fact import Evidence
from tilth.knowledge.facts.life import Authority
from tilth.knowledge.facts.statement import Statement, Taxonomy, Triple
from tilth.knowledge.graph.edge import EdgeDraft
from tilth.knowledge.graph.events import EdgeRecorded, EdgeRetired
from tilth.knowledge.outcomes.events import OutcomeObserved, OutcomeRevoked
from tilth.knowledge.outcomes.outcome import OutcomeDraft, OutcomeKind
from tilth.knowledge.proposals.events import (
    ChangeUndone,
    ProposalDecided,
    ProposalOpened,
    ProposalSnoozed,
)
from tilth.knowledge.proposals.proposal import Action, ProposalDraft, ProposalKind, Ruling
from tilth.knowledge.vocabulary.events import WordRegistered
from tilth.knowledge.vocabulary.registries import (
    Cardinality,
    Channel,
    EdgeKind,
    EntityType,
    Entry,
    Registry,
    WriteMode,
)
from tilth.learning.events import DistillationReopened, SessionRead, SessionsDistilled
from tilth.learning.model import Trigger, Window
from tilth.ledger.events import Basis, Erased, Gone, StoreCreated
from tilth.llm.answers import Pace, Sentiment, ToneDraft
from tilth.llm.budget import Reservation
from tilth.llm.events import BudgetReserved, BudgetSettled
from tilth.llm.spending import Spending
from tilth.llm.task import Task
from tilth.maintenance.events import FactsJudged, SweepBegun
from tilth.pages.events import (
    LinesRemoved,
    PageChecked,
    PageCompiled,
    PageRemoved,
    SectionArranged,
    SectionDeclined,
    SectionLocked,
    SectionUnlocked,
)
from tilth.pages.model import FILED, Arranged, PageDraft, Section, Sentence, Subject
from tilth.people.conversation import ConversationDraft, ConversationStatus, DigestDraft
from tilth.people.events import ConversationBegun, ConversationMoved, SummaryWritten, TraitTold
from tilth.people.profile import ProfileConfidence, TraitDraft
from tilth.playbooks.events import PlaybookDrafted, PlaybookRevised
from tilth.playbooks.model import PlaybookDraft, PlaybookId
from tilth.recall.feedback import Feedback, Verdict
from tilth.skills.events import SkillDrafted
from tilth.skills.model import SkillDraft


def _ids(prefix: str) -> SearchStrategy[str]:
    return st.integers(0, 9).map(lambda number: f"{prefix}{number:026}")


words = st.text(st.characters(codec="utf-8"), max_size=20)
drafts = st.builds(
    EpisodeDraft,
    text=words.filter(lambda text: not is_word_for_nothing(text)),
    kind=st.sampled_from(EpisodeKind),
    role=st.sampled_from(Role),
    speaker=words,
    session_id=st.none() | st.just("s1"),
    occurred_at=st.none() | st.datetimes(timezones=st.just(UTC)),
    scope=st.sampled_from(["global", "project:a/b"]),
    transport=st.sampled_from(["cli", "email"]),
    address=words,
    direction=st.none() | st.sampled_from(Direction),
    entity_id=st.none() | st.just("ent_1"),
    conversation_id=st.none() | st.just("con_1"),
    metadata=st.dictionaries(words, words | st.integers() | st.lists(words)),
)
counts = st.integers(0, 10**9)
addresses = st.builds(Address, st.sampled_from(["irc", "email"]), words.filter(bool))
names = st.text(st.characters(codec="utf-8", categories=["L", "N", "P"]), max_size=20).filter(
    lambda text: bool(name_key(text)) and not is_word_for_nothing(text)
)
printable = names.filter(str.isprintable)
instants = st.datetimes(timezones=st.just(UTC))
maybe_instant = st.none() | instants
fact_ids = _ids(FactId.prefix)
entity_ids = _ids(EntityId.prefix)
triples = st.builds(Triple, names, names, names, st.just("") | names)
taxonomies = st.builds(
    Taxonomy,
    area=st.just("") | names,
    system=names,
    component=st.just("") | names,
    tags=st.lists(names, max_size=3).map(tuple),
)
statements = st.builds(Statement, text=names, taxonomy=taxonomies) | st.builds(
    Statement, text=names, triple=triples, channel=st.sampled_from(Channel)
)
evidence = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 9)).map(
        lambda span: Evidence("epi_" + "0" * 26, min(span), max(span))
    ),
    max_size=3,
).map(tuple)
proposals = st.builds(
    ProposalDraft,
    kind=st.sampled_from(ProposalKind),
    reason=names,
    scope=st.sampled_from(["global", "project:a/b"]),
    facts=st.lists(fact_ids, min_size=1, max_size=2).map(tuple),
    entities=st.lists(entity_ids, max_size=2).map(tuple),
    retires=st.lists(fact_ids, max_size=2).map(tuple),
    detail=st.dictionaries(names, names, max_size=2),
    key=st.just("") | names,
)
rulings = st.builds(
    Ruling,
    action=st.sampled_from(Action),
    facts=st.lists(fact_ids, max_size=2).map(tuple),
    retires=st.lists(fact_ids, max_size=2).map(tuple),
    since=maybe_instant,
    scope=st.sampled_from([None, "global", "project:a/b"]),
    note=st.just("") | names,
)
evidence_of_gaps = st.lists(
    st.builds(
        GapEvidence,
        st.just("epi_1"),
        st.integers(0, 9),
        st.integers(9, 20),
        st.none() | st.just("epi_2"),
    ),
    min_size=1,
    max_size=3,
).map(tuple)
gap_ids = _ids(GapId.prefix)
spendings = st.builds(Spending, counts, counts, counts)
scopes = st.sampled_from(["global", "project:a/b"])
subjects = st.builds(
    Subject,
    name=st.sampled_from(["network-state", "shop"]),
    kind=st.sampled_from(sorted(FILED)),
    scope=scopes,
    title=printable.filter(str.strip),
    area=words,
    without=st.lists(printable, max_size=2).map(tuple),
    is_foundational=st.booleans(),
)

playbooks = st.builds(
    PlaybookDraft,
    key=names,
    title=names,
    applies_when=words,
    steps=st.lists(words, max_size=3).map(tuple),
    scope=st.sampled_from(["global", "project:a/b"]),
    signature=words,
)
skills = st.builds(
    SkillDraft,
    name=names,
    text=words,
    scope=st.sampled_from(["global", "project:a/b"]),
    derived_from=st.lists(fact_ids, max_size=2).map(tuple),
)
STRATEGIES: Mapping[type[Event], SearchStrategy[Event]] = {
    PlaybookDrafted: st.builds(PlaybookDrafted, playbooks),
    PlaybookRevised: st.builds(
        PlaybookRevised, playbook_id=_ids(PlaybookId.prefix), draft=playbooks
    ),
    SkillDrafted: st.builds(SkillDrafted, skills),
    StoreCreated: st.builds(StoreCreated, st.just("01JD3ZK9Q2C5T0V8XW7YB4N6HM")),
    EpisodeRecorded: st.builds(EpisodeRecorded, drafts),
    SessionDescribed: st.builds(
        SessionDescribed,
        session_id=st.just("s1"),
        info=st.builds(
            SessionInfo, title=words, host=words, folder=words, uri=words, tags=st.tuples(words)
        ),
        scope=st.sampled_from(["global", "domain:x"]),
    ),
    ImportFinished: st.builds(
        ImportFinished,
        uri=words,
        format=words,
        sha256=words,
        new_count=counts,
        known_count=counts,
        skipped_count=counts,
        document=words,
        contents=st.tuples(st.builds(Content, st.just("epi_01JD3ZK9Q2C5T0V8XW7YB4N6HM"), counts)),
        told=st.tuples(words),
    ),
    ContextGiven: st.builds(
        ContextGiven,
        st.builds(
            Context,
            via=words,
            session_id=st.none() | st.just("s1"),
            scope=st.sampled_from(["global", "domain:x"]),
            tokens=counts,
            asked=words,
            shown=words,
            items=st.lists(st.tuples(words, words)).map(tuple),
        ),
    ),
    FeedbackGiven: st.builds(
        FeedbackGiven,
        st.builds(
            Feedback,
            target=words.filter(bool),
            verdict=st.sampled_from(Verdict),
            session_id=st.none() | st.just("s1"),
            receipt_id=st.none() | st.just("rcp_01JD3ZK9Q2C5T0V8XW7YB4N6HM"),
            scope=st.sampled_from(["global", "domain:x"]),
        ),
    ),
    IdentityLinked: st.builds(
        IdentityLinked,
        entity_id=st.just("ent_1"),
        draft=st.builds(
            IdentityDraft,
            address=addresses,
            display_name=words,
            confidence=st.sampled_from(LinkConfidence),
        ),
    ),
    IdentityVerified: st.builds(IdentityVerified, entity_id=st.just("ent_1"), address=addresses),
    IdentityUnlinked: st.builds(
        IdentityUnlinked,
        entity_id=st.just("ent_1"),
        address=addresses,
        reason=words,
        keeps=st.booleans(),
    ),
    TraitTold: st.builds(
        TraitTold,
        st.builds(
            TraitDraft,
            entity_id=st.just("ent_1"),
            key=st.just("language"),
            value=words.filter(lambda text: not is_word_for_nothing(text)),
            confidence=st.sampled_from(ProfileConfidence),
            evidence=st.just(("epi_1",)) | st.just(()),
        ),
    ),
    ConversationBegun: st.builds(
        ConversationBegun,
        st.builds(
            ConversationDraft,
            entity_id=st.just("ent_1"),
            transport=st.sampled_from(["irc", "email"]),
            address=words,
            topic=words,
            scope=st.sampled_from(["global", "domain:x"]),
        ),
    ),
    ConversationMoved: st.builds(
        ConversationMoved,
        conversation_id=st.just("cnv_1"),
        status=st.sampled_from(ConversationStatus),
    ),
    SummaryWritten: st.builds(
        SummaryWritten,
        st.builds(
            DigestDraft,
            conversation_id=st.just("cnv_1"),
            first=st.just("epi_1"),
            last=st.just("epi_2"),
            count=st.integers(1, 99),
            text=words,
            tone=st.builds(
                ToneDraft,
                formality=st.floats(0, 1),
                technical_level=st.floats(0, 1),
                sentiment=st.sampled_from(Sentiment),
                pace=st.sampled_from(Pace),
            ),
            pending=st.lists(words, max_size=3).map(tuple),
            supersedes=st.none() | st.just("sum_1"),
        ),
    ),
    SessionsDistilled: st.builds(
        SessionsDistilled,
        st.lists(
            st.builds(
                Window,
                session_id=words,
                scope=st.sampled_from(["global", "domain:x"]),
                through=counts,
                trigger=st.sampled_from(Trigger),
                waits_for_model=st.booleans(),
            )
        ).map(tuple),
        st.integers(1, 9),
    ),
    SessionRead: st.builds(
        SessionRead,
        session_id=words,
        scope=st.sampled_from(["global", "domain:x"]),
        through=counts,
        model=words,
    ),
    DistillationReopened: st.just(DistillationReopened()),
    FactRecorded: st.builds(
        FactRecorded,
        said=statements,
        key=names,
        about=st.lists(entity_ids, max_size=2).map(tuple),
        evidence=evidence,
        slot=st.just("") | names,
        lifecycle=st.sampled_from(Lifecycle),
        scope=st.sampled_from(["global", "domain:home"]),
        valid_from=maybe_instant,
        valid_to=maybe_instant,
        confidence=st.floats(0, 1),
        authority=st.sampled_from(Authority),
        supersedes=st.none() | fact_ids,
        metadata=st.dictionaries(names, names, max_size=2),
        unknown=st.lists(st.tuples(st.sampled_from(Registry), names), max_size=2).map(tuple),
    ),
    FactReinforced: st.builds(FactReinforced, fact_id=fact_ids, evidence=evidence),
    FactRetired: st.builds(
        FactRetired, fact_id=fact_ids, reason=st.just("") | names, valid_to=maybe_instant
    ),
    FactArchived: st.builds(
        FactArchived,
        fact_id=fact_ids,
        reason=st.just("") | names,
        sweep=st.none() | st.just("0" * 26),
    ),
    SweepBegun: st.builds(SweepBegun),
    FactsJudged: st.builds(FactsJudged, facts=st.lists(fact_ids, max_size=3).map(tuple)),
    OutcomeObserved: st.builds(
        OutcomeObserved,
        st.builds(
            OutcomeDraft,
            fact_id=fact_ids,
            kind=st.sampled_from(OutcomeKind),
            evidence=st.just(("epi_" + "0" * 26,)),
            note=st.just("") | names,
        ),
    ),
    OutcomeRevoked: st.builds(
        OutcomeRevoked, outcome_id=names, fact_id=fact_ids, reason=st.just("") | names
    ),
    ChangeUndone: st.builds(ChangeUndone, event_id=st.just("0" * 26), reason=st.just("") | names),
    ProposalOpened: st.builds(ProposalOpened, proposals),
    ProposalDecided: st.builds(ProposalDecided, proposal_id=names, digest=names, ruling=rulings),
    ProposalSnoozed: st.builds(ProposalSnoozed, proposal_id=names, until=instants),
    EntityRecorded: st.builds(
        EntityRecorded,
        st.builds(
            EntityDraft,
            name=names,
            type=st.sampled_from(EntityType),
            aliases=st.lists(names, max_size=2).map(tuple),
            scope=st.sampled_from(["global", "domain:home"]),
            metadata=st.dictionaries(names, names, max_size=2),
        ),
    ),
    AliasAdded: st.builds(AliasAdded, entity_id=entity_ids, alias=names),
    AliasRemoved: st.builds(AliasRemoved, entity_id=entity_ids, alias=names),
    EntityTyped: st.builds(EntityTyped, entity_id=entity_ids, type=st.sampled_from(EntityType)),
    EntitiesMerged: st.builds(
        EntitiesMerged, winner=entity_ids, loser=entity_ids, reason=st.just("") | names
    ),
    EntitySplit: st.builds(EntitySplit, loser=entity_ids, reason=st.just("") | names),
    EdgeRecorded: st.builds(
        EdgeRecorded,
        st.builds(EdgeDraft, source=fact_ids, kind=st.sampled_from(EdgeKind), target=entity_ids),
    ),
    EdgeRetired: st.builds(EdgeRetired, edge_id=names, reason=st.just("") | names),
    WordRegistered: st.builds(
        WordRegistered,
        st.builds(
            Entry,
            registry=st.sampled_from(Registry),
            name=printable,
            aliases=st.lists(printable, max_size=2).map(tuple),
            cardinality=st.sampled_from(Cardinality),
            mode=st.sampled_from(WriteMode),
            is_ignored=st.booleans(),
        ),
    ),
    GapDetected: st.builds(
        GapDetected,
        st.builds(
            GapDraft,
            description=words.filter(str.strip),
            kind=st.sampled_from(GapKind),
            evidence=evidence_of_gaps,
            scope=scopes,
            follows=st.none() | st.just("gap_1"),
            model=words,
        ),
    ),
    GapEvidenced: st.builds(GapEvidenced, gap_id=gap_ids, evidence=evidence_of_gaps),
    GapMoved: st.builds(
        GapMoved, gap_id=gap_ids, status=st.sampled_from(GapStatus), todo_ref=words, note=words
    ),
    GapFiled: st.builds(GapFiled, gap_id=gap_ids, todo_ref=words),
    GapsMerged: st.builds(GapsMerged, winner=gap_ids, loser=gap_ids),
    GapsParted: st.builds(GapsParted, winner=gap_ids, loser=gap_ids),
    GapsPulsed: st.builds(GapsPulsed, counts),
    FilingChosen: st.builds(FilingChosen, scope=scopes, repository=words, way=st.sampled_from(Way)),
    FilingEnded: st.builds(FilingEnded, scopes),
    BudgetReserved: st.builds(
        BudgetReserved,
        st.builds(
            Reservation,
            task=st.sampled_from(Task),
            model=words,
            run=words,
            held=spendings,
            scope=scopes,
            session_id=st.none() | st.just("s1"),
        ),
    ),
    BudgetSettled: st.builds(BudgetSettled, words, spendings),
    Erased: st.builds(
        Erased,
        basis=st.sampled_from(Basis),
        gone=st.lists(
            st.builds(Gone, words, st.none() | scopes)
            | st.builds(Gone, words, st.none() | scopes, st.just("sweep_begun"), st.just("{}")),
            max_size=3,
        ).map(tuple),
        repeats=st.none() | st.just("0" * 26),
    ),
}

STRATEGIES |= {
    PageCompiled: st.builds(
        PageCompiled,
        st.builds(
            PageDraft,
            subject=subjects,
            sections=st.lists(
                st.builds(
                    Section,
                    words,
                    words,
                    st.lists(
                        st.builds(Sentence, words, st.lists(fact_ids, max_size=2).map(tuple)),
                        max_size=2,
                    ).map(tuple),
                ),
                max_size=2,
            ).map(tuple),
            form=words,
            why=words,
            read_to=counts,
            holds_until=st.none(),
            watches=st.sampled_from([("all",), ("words:kettle tea", "registry")]),
            inputs=words,
            left_out=counts,
        ),
    ),
    PageChecked: st.builds(
        PageChecked, scope=scopes, name=names, read_to=counts, inputs=words, holds_until=st.none()
    ),
    ProjectMoved: st.builds(ProjectMoved, scope=scopes),
    PageRemoved: st.builds(PageRemoved, scope=scopes, name=names, about=st.none() | subjects),
    SectionLocked: st.builds(
        SectionLocked,
        scope=scopes,
        name=names,
        section=words,
        title=words,
        text=words,
        cites=st.lists(fact_ids, max_size=2).map(tuple),
    ),
    SectionArranged: st.builds(
        SectionArranged,
        scope=scopes,
        name=names,
        section=words,
        how=st.builds(
            Arranged,
            is_pinned=st.booleans(),
            is_told=st.booleans(),
            description=words.map(lambda text: text.replace("\n", " ")),
            without=st.lists(words.filter(str.strip), max_size=2, unique=True).map(tuple),
        ),
    ),
    LinesRemoved: st.builds(
        LinesRemoved,
        scope=scopes,
        name=names,
        lines=st.lists(words, max_size=2, unique=True).map(tuple),
        cites=st.lists(fact_ids, max_size=2).map(tuple),
    ),
    SectionUnlocked: st.builds(SectionUnlocked, scope=scopes, name=names, section=words),
    SectionDeclined: st.builds(
        SectionDeclined, scope=scopes, name=names, section=words, signature=words
    ),
    TopicAdded: st.builds(
        TopicAdded,
        st.builds(
            TopicDraft,
            name=names,
            priority=st.sampled_from(PRIORITIES),
            freshness_days=st.integers(1, 30),
            scope=scopes,
        ),
    ),
    SourceFound: st.builds(
        SourceFound,
        st.builds(
            SourceDraft,
            address=words.filter(bool),
            title=words,
            credibility=st.sampled_from(Credibility),
            scope=scopes,
        ),
    ),
    CycleStepEnded: st.builds(
        CycleStepEnded,
        cycle_id=_ids(CycleId.prefix),
        step=st.sampled_from(Step),
        told=st.dictionaries(words, words | st.integers()),
    ),
}


@cache
def strategy_of(kind: type[Event]) -> SearchStrategy[Event]:
    """Return a strategy for *kind*: the one above, or what follows from its fields."""
    _register_ids()
    return STRATEGIES[kind] if kind in STRATEGIES else st.builds(kind)


@cache
def _register_ids() -> None:
    """Tell hypothesis what IDs are; each time that it is told, it works out all others anew."""
    for prefix, type_ in Id.by_prefix.items():
        st.register_type_strategy(type_, _ids(prefix))
