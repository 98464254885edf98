"""The methods of `Brain`, written by `scripts/write_verbs.py` from the verbs."""

import builtins
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from tilth.context.context import Context, ContextReceipt
from tilth.context.model import Brief, BriefRequest
from tilth.context.pitfalls import Pitfall, ToolFailure
from tilth.context.receipts import Trace
from tilth.core.ids import FactId, ReceiptId
from tilth.core.lifecycle import Lifecycle, Review
from tilth.core.scope import Scope
from tilth.core.verb import Caller
from tilth.episodes.changes import Changes
from tilth.episodes.document import Document, DocumentSection
from tilth.episodes.duplicates import Duplicate
from tilth.episodes.episode import Episode
from tilth.episodes.session import Session, SessionInfo
from tilth.episodes.sessions import SessionPage
from tilth.gaps.gaps import GapStory
from tilth.gaps.model import Gap, GapKind, GapSort, GapStatus
from tilth.gaps.record_gap import Noted
from tilth.gaps.scan import Scanned
from tilth.gaps.schedule import Pulsed
from tilth.gaps.todos import Filing, Way
from tilth.knowledge.changes.plan import Plan
from tilth.knowledge.changes.provenance import Resting, Why
from tilth.knowledge.changes.relation import Relation
from tilth.knowledge.changes.relations import Related
from tilth.knowledge.facts.fact import Fact
from tilth.knowledge.facts.fact_lifecycle import Ended
from tilth.knowledge.facts.facts import TaxonomyCount
from tilth.knowledge.facts.life import PastLife
from tilth.knowledge.facts.state import State
from tilth.knowledge.facts.triples import StatedTriple
from tilth.knowledge.facts.verbs import FactPage
from tilth.knowledge.facts.write.write_fact import Stated
from tilth.knowledge.graph.close_work_item import Closed
from tilth.knowledge.graph.edge import Edge
from tilth.knowledge.graph.kg import Graph, Stats, Walk
from tilth.knowledge.graph.record_edge import Joined
from tilth.knowledge.outcomes.outcome import OutcomeKind
from tilth.knowledge.outcomes.outcomes import Tested
from tilth.knowledge.vocabulary.registries import Cardinality, EdgeKind, Entry, Registry, UnknownWord, WriteMode
from tilth.learning.check import Issue
from tilth.recall.feedback import Feedback, Verdict
from tilth.transfer.importing import Skipped, Told, ToldEdge, ToldEntity
from tilth.transfer.legacy_import import LegacyReport, Promoted
from typing import Any

class DocumentsVerbs:
    """The verbs of `brain.documents`."""

    def list(
        self,
        *,
        limit: int = 100,
        offset: int = 0,
        scope: str | None = None,
    ) -> Sequence[builtins.tuple[Document, Sequence[DocumentSection]]]:
        """
        List documents and their sections.

        Args:
            limit: How many (100).
            offset: Skip so many (0).
            scope: Only this scope and global.

        Returns:
            Each document with its sections, the one imported last first; at most 1,000.
        """

    def read(
        self,
        slug: str,
        section: str = '',
        *,
        scope: str | None = None,
    ) -> builtins.tuple[Document, Sequence[DocumentSection]]:
        """
        Show a document, or a section of it.

        Args:
            slug: As listed, or without its digits.
            section: Only this section, by its name or heading.
            scope: Only this scope and global.

        Returns:
            The document, and all its sections or the one that was asked for.

        Raises:
            NotFoundError: there is no such document or section that may be seen.
            ConflictError: more than one document goes by this name.
        """

class EdgesVerbs:
    """The verbs of `brain.edges`."""

    def add(
        self,
        source: str,
        kind: EdgeKind | str,
        target: str,
        *,
        scope: str = 'global',
    ) -> Joined:
        """
        Add an edge between two nodes.

        A name that no entity goes by becomes an entity.

        Args:
            source: A node: an ID, or the name of an entity.
            kind: How they relate.
            target: A node: an ID, or the name of an entity.
            scope: Where it belongs: global, project:KEY or domain:NAME (global).

        Returns:
            The edge, and whether it is new.

        Raises:
            InvalidInputError: an end is no node, or both are one.
            NotFoundError: an end is not there, or cannot be seen from the scope.
        """

    def list(
        self,
        node: str | None = None,
        *,
        kinds: Iterable[EdgeKind | str] | None = None,
        limit: int = 100,
        after: int = 0,
        scope: str | None = None,
    ) -> Sequence[Edge]:
        """
        List edges, of everything or of one node, oldest first.

        Args:
            node: Only those of this node.
            kinds: Only edges of this kind; may be repeated.
            limit: How many (100).
            after: Only what stands after this place of the ledger (0).
            scope: Only this scope and global.

        Returns:
            The edges with what their ends are today.

        Raises:
            NotFoundError: there is no such node, or it cannot be seen from the scope.
        """

    def retire(
        self,
        edge_id: str,
        *,
        reason: str = '',
    ) -> Edge:
        """
        End an edge.

        Args:
            edge_id: The edge's ID, as listed.
            reason: Why.

        Returns:
            The edge as it was.

        Raises:
            NotFoundError: there is no such edge.
        """

class EpisodesVerbs:
    """The verbs of `brain.episodes`."""

    def list(
        self,
        *,
        session_id: str | None = None,
        limit: int = 100,
        after: int = 0,
        newest: bool = False,
        scope: str | None = None,
    ) -> Sequence[Episode]:
        """
        List episodes in the order of the ledger.

        Args:
            session_id: Only those of this session.
            limit: How many (100).
            after: Only what stands after this place of the ledger (0).
            newest: The newest first, instead of the order of the ledger.
            scope: Only this scope and global.

        Returns:
            The episodes that may be seen, word for word; at most 1,000 at once.
        """

    def get(
        self,
        episode_id: str,
        *,
        is_masked: bool = False,
        scope: str | None = None,
    ) -> Episode:
        """
        Return one episode, word for word.

        Args:
            episode_id: The episode's ID.
            is_masked: Hide emails, addresses, numbers and keys.
            scope: Only this scope and global.

        Returns:
            The episode; with *is_masked*, personal data in it is hidden, and IDs stay.

        Raises:
            NotFoundError: there is no such episode, or it cannot be seen from the scope.
        """

    def show(
        self,
        episodes: Iterable[str],
        *,
        is_masked: bool = False,
        scope: str | None = None,
    ) -> Sequence[Episode]:
        """
        Show episodes word for word.

        Args:
            episodes: As recalled; at most 20.
            is_masked: Hide emails, addresses, numbers and keys.
            scope: Only this scope and global.

        Returns:
            The episodes, in the order in which they were asked for.

        Raises:
            NotFoundError: there is no such episode, or it cannot be seen from the scope.
            LimitExceededError: more than 20 are asked for.
        """

    def facts(
        self,
        episode_id: str,
        *,
        limit: int = 100,
        scope: str | None = None,
    ) -> Sequence[Resting]:
        """
        List the facts that rest on an episode.

        Args:
            episode_id: The episode's ID.
            limit: How many (100).
            scope: Only this scope and global.

        Returns:
            Each fact with the words that it rests on, and what it superseded, oldest first.

        Raises:
            NotFoundError: there is no such episode, or it cannot be seen from the scope.
        """

class FactsVerbs:
    """The verbs of `brain.facts`."""

    def add(
        self,
        text: str = '',
        *,
        subject: str = ...,
        predicate: str = ...,
        object: str = ...,
        channel: str = ...,
        area: str = ...,
        environment: str = ...,
        system: str = ...,
        component: str = ...,
        tags: Sequence[str] = ...,
        scope: str = ...,
        valid_from: datetime | str | None = ...,
        valid_to: datetime | str | None = ...,
        confidence: float | str = ...,
        authority: str = ...,
        about: Sequence[str] = ...,
        evidence: Iterable[str | builtins.tuple[str, str]] = ...,
        quotes: Sequence[str] = ...,
        supersedes: str | None = ...,
        metadata: Mapping[str, Any] = ...,
    ) -> Stated:
        """
        State a fact.

        In a slot (a system's component, or a predicate with one value) it supersedes the
        fact that is there, or waits for a human, as the rule of the slot says.

        Args:
            text: In words; a triple needs none.
            subject: What the triple is about.
            predicate: How subject and object are joined.
            object: The value of the triple.
            channel: The channel of a triple (entity).
            area: The field, such as Network or Study.
            environment: Such as home or office.
            system: The system.
            component: The component of the system.
            tags: May be repeated.
            scope: Where it belongs: global, project:KEY or domain:NAME.
            valid_from: When it began, if not now.
            valid_to: When it ends, if it does.
            confidence: 0 to 1, or high, medium, low.
            authority: Only a human makes instructions.
            about: An entity; may be repeated.
            evidence: An episode that it rests on; may be repeated.
            quotes: What the episode says word for word, one for each --evidence.
            supersedes: The fact that it supersedes.
            metadata: What else is known of it.

        Returns:
            The fact, what was done with it, the fact that it ended, and the proposal that
            waits for a human, if one does.

        Raises:
            InvalidInputError: there is nothing to state, or a word is unknown.
            ConflictError: what it is to supersede does not hold, or is in another slot.
        """

    def add_many(
        self,
        tellings: Iterable[Mapping[str, object]],
    ) -> Sequence[Stated]:
        """
        State facts in one transaction: all of them, or none.

        Args:
            tellings: Mappings with the arguments of `add`.

        Returns:
            What became of each, in the order in which they are given.

        Raises:
            InvalidInputError: one of them is not a fact.
        """

    def propose(
        self,
        text: str = '',
        *,
        reason: str = '',
        subject: str = ...,
        predicate: str = ...,
        object: str = ...,
        channel: str = ...,
        area: str = ...,
        environment: str = ...,
        system: str = ...,
        component: str = ...,
        tags: Sequence[str] = ...,
        scope: str = ...,
        valid_from: datetime | str | None = ...,
        valid_to: datetime | str | None = ...,
        confidence: float | str = ...,
        authority: str = ...,
        about: Sequence[str] = ...,
        evidence: Iterable[str | builtins.tuple[str, str]] = ...,
        quotes: Sequence[str] = ...,
        supersedes: str | None = ...,
        metadata: Mapping[str, Any] = ...,
    ) -> Stated:
        """
        State a fact for a human to decide.

        It is a draft. The fact that it would supersede goes on meanwhile.

        Args:
            text: In words; a triple needs none.
            reason: Why.
            subject: What the triple is about.
            predicate: How subject and object are joined.
            object: The value of the triple.
            channel: The channel of a triple (entity).
            area: The field, such as Network or Study.
            environment: Such as home or office.
            system: The system.
            component: The component of the system.
            tags: May be repeated.
            scope: Where it belongs: global, project:KEY or domain:NAME.
            valid_from: When it began, if not now.
            valid_to: When it ends, if it does.
            confidence: 0 to 1, or high, medium, low.
            authority: Only a human makes instructions.
            about: An entity; may be repeated.
            evidence: An episode that it rests on; may be repeated.
            quotes: What the episode says word for word, one for each --evidence.
            supersedes: The fact that it supersedes.
            metadata: What else is known of it.

        Returns:
            The draft, and the proposal that waits.

        Raises:
            InvalidInputError: there is nothing to state, or a word is unknown.
        """

    def reword(
        self,
        fact_id: str,
        text: str = '',
        *,
        value: str = '',
        reason: str = '',
    ) -> Stated:
        """
        Propose other words for a fact, or another value of its triple.

        Args:
            fact_id: The fact's ID, as listed.
            text: Its new words.
            value: The new object of its triple.
            reason: Why.

        Returns:
            The draft, and the proposal that waits.

        Raises:
            NotFoundError: there is no such fact.
            InvalidInputError: neither words nor a value are given.
        """

    def get(
        self,
        fact_id: str,
        *,
        known_at: datetime | str | None = None,
        scope: str | None = None,
    ) -> Fact:
        """
        Return a fact.

        Args:
            fact_id: The fact's ID, as listed.
            known_at: As it was known by then.
            scope: Only this scope and global.

        Returns:
            The fact as it is, or as it was known at an instant.

        Raises:
            NotFoundError: there is no such fact, or it cannot be seen from the scope.
        """

    def show(
        self,
        fact_id: str,
        *,
        known_at: datetime | str | None = None,
        scope: str | None = None,
    ) -> FactPage:
        """
        Show a fact with what it rests on and everything that it was.

        Args:
            fact_id: The fact's ID, as listed.
            known_at: As it was known by then.
            scope: Only this scope and global.

        Returns:
            The fact, and each step of its life with who made it.

        Raises:
            NotFoundError: there is no such fact, or it cannot be seen from the scope.
        """

    def list(
        self,
        *,
        limit: int = 100,
        offset: int = 0,
        scope: str | None = None,
        as_of: datetime | str | None = ...,
        known_at: datetime | str | None = ...,
        lifecycles: Iterable[Lifecycle | str] | None = ...,
        reviews: Iterable[Review | str] | None = ...,
        channel: str | None = ...,
        subject: str | None = ...,
        predicate: str | None = ...,
        object: str | None = ...,
        area: str | None = ...,
        environment: str | None = ...,
        system: str | None = ...,
        component: str | None = ...,
        tags: Sequence[str] = ...,
        about: str | None = ...,
        episode_id: str | None = ...,
    ) -> Sequence[Fact]:
        """
        List facts, the one that began last first.

        Args:
            limit: How many (100).
            offset: Skip so many (0).
            scope: Only this scope and global.
            as_of: What held then.
            known_at: As it was known by then.
            lifecycles: Instead of those that hold; may be repeated.
            reviews: Only these; may be repeated.
            channel: Only of this channel.
            subject: What the triple is about.
            predicate: How subject and object are joined.
            object: The value of the triple.
            area: The field, such as Network or Study.
            environment: Such as home or office.
            system: The system.
            component: The component of the system.
            tags: May be repeated.
            about: Only about this entity.
            episode_id: Only what rests on this episode.

        Returns:
            The facts that hold, or those of the lifecycles that are asked for.

        Raises:
            InvalidInputError: a word is not one of those that its place allows.
        """

    def history(
        self,
        fact_id: str,
        *,
        scope: str | None = None,
    ) -> Sequence[Fact]:
        """
        List the chain of supersession through a fact, oldest first.

        Args:
            fact_id: The fact's ID, as listed.
            scope: Only this scope and global.

        Returns:
            The facts before it, the fact itself, and those that came after it.

        Raises:
            NotFoundError: there is no such fact, or it cannot be seen from the scope.
        """

    def lives(
        self,
        fact_id: str,
        *,
        scope: str | None = None,
    ) -> Sequence[PastLife]:
        """
        List every step of a fact's life, oldest first.

        Args:
            fact_id: The fact's ID, as listed.
            scope: Only this scope and global.

        Returns:
            What it was from when on, made by whom.

        Raises:
            NotFoundError: there is no such fact, or it cannot be seen from the scope.
        """

    def retire(
        self,
        fact_id: str,
        *,
        reason: str = '',
        valid_to: datetime | str | None = None,
    ) -> Ended:
        """
        End a fact without a successor.

        A human ends it. An agent proposes that.

        Args:
            fact_id: The fact's ID, as listed.
            reason: Why.
            valid_to: When it ended, if not now.

        Returns:
            The fact, and the proposal that waits for a human, if one does.

        Raises:
            NotFoundError: there is no such fact.
            ConflictError: it does not hold.
        """

    def promote(
        self,
        fact_id: str,
        *,
        reason: str = '',
    ) -> Ended:
        """
        Propose that a historical fact is current.

        Args:
            fact_id: The fact's ID, as listed.
            reason: Why.

        Returns:
            The fact, and the proposal that waits for a human.

        Raises:
            NotFoundError: there is no such fact.
            ConflictError: it is not historical.
        """

    def archive(
        self,
        fact_id: str,
        *,
        reason: str = '',
    ) -> Fact:
        """
        Archive a fact, reversibly.

        Args:
            fact_id: The fact's ID, as listed.
            reason: Why.

        Returns:
            The fact as it is now.

        Raises:
            NotFoundError: there is no such fact.
            ConflictError: it is archived already.
        """

    def restore(
        self,
        fact_id: str,
    ) -> Fact:
        """
        Restore an archived fact.

        Args:
            fact_id: The fact's ID, as listed.

        Returns:
            The fact as it is now.

        Raises:
            NotFoundError: there is no such fact.
            ConflictError: it is not archived, or its slot is taken.
        """

    def undo(
        self,
        fact_id: str,
        *,
        reason: str = '',
    ) -> Fact:
        """
        Undo the last change of a fact's life.

        Args:
            fact_id: The fact's ID, as listed.
            reason: Why.

        Returns:
            The fact as it is now.

        Raises:
            NotFoundError: there is no such fact.
            ConflictError: nothing can be undone, or something rests on it.
        """

    def taxonomy(
        self,
        *,
        scope: str | None = None,
        as_of: datetime | str | None = ...,
        known_at: datetime | str | None = ...,
        lifecycles: Iterable[Lifecycle | str] | None = ...,
        reviews: Iterable[Review | str] | None = ...,
        channel: str | None = ...,
        subject: str | None = ...,
        predicate: str | None = ...,
        object: str | None = ...,
        area: str | None = ...,
        environment: str | None = ...,
        system: str | None = ...,
        component: str | None = ...,
        tags: Sequence[str] = ...,
        about: str | None = ...,
        episode_id: str | None = ...,
    ) -> Sequence[TaxonomyCount]:
        """
        Count facts by area, environment, system, component and tag.

        Any of them narrows the rest.

        Args:
            scope: Only this scope and global.
            as_of: What held then.
            known_at: As it was known by then.
            lifecycles: Instead of those that hold; may be repeated.
            reviews: Only these; may be repeated.
            channel: Only of this channel.
            subject: What the triple is about.
            predicate: How subject and object are joined.
            object: The value of the triple.
            area: The field, such as Network or Study.
            environment: Such as home or office.
            system: The system.
            component: The component of the system.
            tags: May be repeated.
            about: Only about this entity.
            episode_id: Only what rests on this episode.

        Returns:
            The words under which facts that hold are filed, of each axis the fullest first.

        Raises:
            InvalidInputError: a word is not one of those that its place allows.
        """

    def outcome(
        self,
        fact_id: str,
        kind: OutcomeKind | str,
        *,
        evidence: Iterable[str] = (),
        note: str = '',
    ) -> Tested:
        """
        Record that a fact held when it was put to the test.

        Episodes must show it that neither the author of the fact nor the caller wrote: the
        result of a tool, a person, another agent. It makes an observation a fact, and a
        human is asked to confirm it.

        Args:
            fact_id: The fact's ID, as listed.
            kind: What came of it.
            evidence: An episode that shows it; may be repeated.
            note: What was done.

        Returns:
            The fact with its maturity and outcomes, and the proposal that waits.

        Raises:
            NotFoundError: there is no such fact or episode.
            InvalidInputError: no independent episode shows it.
        """

    def outcomes(
        self,
        fact_id: str,
        *,
        scope: str | None = None,
    ) -> Tested:
        """
        List the outcomes of a fact.

        Args:
            fact_id: The fact's ID, as listed.
            scope: Only this scope and global.

        Returns:
            The fact with its maturity and outcomes.

        Raises:
            NotFoundError: there is no such fact, or it cannot be seen from the scope.
        """

    def revoke(
        self,
        outcome_id: str,
        *,
        reason: str = '',
    ) -> Tested:
        """
        Revoke an outcome, and take back what followed from it.

        Args:
            outcome_id: The outcome's ID, as listed.
            reason: Why.

        Returns:
            The fact with its maturity and outcomes.

        Raises:
            NotFoundError: there is no such outcome.
            ForbiddenError: neither a human nor its author asks.
        """

    def plan(
        self,
        text: str = '',
        *,
        subject: str = ...,
        predicate: str = ...,
        object: str = ...,
        channel: str = ...,
        area: str = ...,
        environment: str = ...,
        system: str = ...,
        component: str = ...,
        tags: Sequence[str] = ...,
        scope: str = ...,
        valid_from: datetime | str | None = ...,
        valid_to: datetime | str | None = ...,
        confidence: float | str = ...,
        authority: str = ...,
        about: Sequence[str] = ...,
        evidence: Iterable[str | builtins.tuple[str, str]] = ...,
        quotes: Sequence[str] = ...,
        supersedes: str | None = ...,
        metadata: Mapping[str, Any] = ...,
    ) -> Plan:
        """
        Show what stating a fact would do, and change nothing.

        `tilth fact apply` does it, with the token of the plan.

        Args:
            text: In words; a triple needs none.
            subject: What the triple is about.
            predicate: How subject and object are joined.
            object: The value of the triple.
            channel: The channel of a triple (entity).
            area: The field, such as Network or Study.
            environment: Such as home or office.
            system: The system.
            component: The component of the system.
            tags: May be repeated.
            scope: Where it belongs: global, project:KEY or domain:NAME.
            valid_from: When it began, if not now.
            valid_to: When it ends, if it does.
            confidence: 0 to 1, or high, medium, low.
            authority: Only a human makes instructions.
            about: An entity; may be repeated.
            evidence: An episode that it rests on; may be repeated.
            quotes: What the episode says word for word, one for each --evidence.
            supersedes: The fact that it supersedes.
            metadata: What else is known of it.

        Returns:
            What would become of it, the facts that say something like it, and a token that
            is good for ten minutes.

        Raises:
            InvalidInputError: there is nothing to state, or a word is unknown.
        """

    def apply(
        self,
        text: str = '',
        *,
        token: str,
        updates: str | None = None,
        declines: Iterable[str] = (),
        reason: str = '',
        subject: str = ...,
        predicate: str = ...,
        object: str = ...,
        channel: str = ...,
        area: str = ...,
        environment: str = ...,
        system: str = ...,
        component: str = ...,
        tags: Sequence[str] = ...,
        scope: str = ...,
        valid_from: datetime | str | None = ...,
        valid_to: datetime | str | None = ...,
        confidence: float | str = ...,
        authority: str = ...,
        about: Sequence[str] = ...,
        evidence: Iterable[str | builtins.tuple[str, str]] = ...,
        quotes: Sequence[str] = ...,
        supersedes: str | None = ...,
        metadata: Mapping[str, Any] = ...,
    ) -> Stated:
        """
        State what was planned.

        Args:
            text: In words; a triple needs none.
            token: As the plan gave it.
            updates: The fact that it supersedes.
            declines: Each fact of the plan that it is not; may be repeated.
            reason: Why it is none of them.
            subject: What the triple is about.
            predicate: How subject and object are joined.
            object: The value of the triple.
            channel: The channel of a triple (entity).
            area: The field, such as Network or Study.
            environment: Such as home or office.
            system: The system.
            component: The component of the system.
            tags: May be repeated.
            scope: Where it belongs: global, project:KEY or domain:NAME.
            valid_from: When it began, if not now.
            valid_to: When it ends, if it does.
            confidence: 0 to 1, or high, medium, low.
            authority: Only a human makes instructions.
            about: An entity; may be repeated.
            evidence: An episode that it rests on; may be repeated.
            quotes: What the episode says word for word, one for each --evidence.
            supersedes: The fact that it supersedes.
            metadata: What else is known of it.

        Returns:
            The fact, and what was done with it.

        Raises:
            ConflictError: the plan is too old, or what it rests on has changed.
            InvalidInputError: a fact of the plan is neither updated nor declined.
        """

    def relate(
        self,
        fact_id: str,
        relation: Relation | str,
        other_id: str,
        *,
        reason: str = '',
    ) -> Related:
        """
        Record how a fact relates to an earlier one.

        What updates or debunks asks a human, who decides; the others are edges.

        Args:
            fact_id: The later one.
            relation: What it does to the earlier one.
            other_id: The earlier one.
            reason: Why.

        Returns:
            The edge, and the proposal that waits.

        Raises:
            NotFoundError: there is no such fact that may be seen.
            ConflictError: one of the facts does not hold.
            InvalidInputError: both are one.
        """

    def why(
        self,
        fact_id: str,
        *,
        known_at: datetime | str | None = None,
        scope: str | None = None,
    ) -> Why:
        """
        Show why a fact is believed, in whose words.

        Args:
            fact_id: The fact's ID, as listed.
            known_at: As it was known by then.
            scope: Only this scope and global.

        Returns:
            The words that it rests on, each step of its life, and the chain of supersession.

        Raises:
            NotFoundError: there is no such fact, or it cannot be seen from the scope.
        """

    def check(
        self,
        text: str = '-',
        *,
        scope: str | None = None,
    ) -> Sequence[Issue]:
        """
        Check a text against what is known.

        It finds names that are nearly those of something known, relations and values other
        than those that hold, and what held once. Nothing is recorded, and no model is asked.

        Args:
            text: - reads standard input (-).
            scope: Only this scope and global.

        Returns:
            What may be wrong, in which words, and what speaks against them.

        Raises:
            InvalidInputError: there is no text, or too much of it.
        """

    def import_rows(
        self,
        rows: Iterable[Told | ToldEntity | ToldEdge | Skipped],
        *,
        is_dry_run: bool,
    ) -> LegacyReport:
        """
        Import the facts of another store.

        They are historical and unreviewed until a human promotes them.

        Args:
            rows: What another store told.
            is_dry_run: Count, and write nothing.

        Returns:
            How many are new, how many were known, and which were skipped and why.
        """

    def promotable(
        self,
        *,
        scope: str | None = None,
        as_of: datetime | str | None = ...,
        known_at: datetime | str | None = ...,
        lifecycles: Iterable[Lifecycle | str] | None = ...,
        reviews: Iterable[Review | str] | None = ...,
        channel: str | None = ...,
        subject: str | None = ...,
        predicate: str | None = ...,
        object: str | None = ...,
        area: str | None = ...,
        environment: str | None = ...,
        system: str | None = ...,
        component: str | None = ...,
        tags: Sequence[str] = ...,
        about: str | None = ...,
        episode_id: str | None = ...,
    ) -> Sequence[Fact]:
        """
        List the imported facts that may be made current.

        Args:
            scope: Only this scope and global.
            as_of: What held then.
            known_at: As it was known by then.
            lifecycles: Instead of those that hold; may be repeated.
            reviews: Only these; may be repeated.
            channel: Only of this channel.
            subject: What the triple is about.
            predicate: How subject and object are joined.
            object: The value of the triple.
            area: The field, such as Network or Study.
            environment: Such as home or office.
            system: The system.
            component: The component of the system.
            tags: May be repeated.
            about: Only about this entity.
            episode_id: Only what rests on this episode.

        Returns:
            Historical facts that nobody reviewed.
        """

    def promote_many(
        self,
        fact_ids: Collection[FactId] | str,
    ) -> Promoted:
        """
        Make imported facts current, one decision each.

        Args:
            fact_ids: Historical facts.

        Returns:
            Those that are current now, those that wait since something would end, and those
            that were refused.

        Raises:
            ForbiddenError: the caller is not a human.
        """

class GapsVerbs:
    """The verbs of `brain.gaps`."""

    def add(
        self,
        description: str,
        *,
        kind: GapKind | str = 'missing_feature',
        evidence: Iterable[str] = (),
        follows: str | None = None,
        scope: str = 'global',
    ) -> Noted:
        """
        Record a missing capability.

        A gap that is known in other words is not recorded twice: the episodes given
        here become evidence of that gap.

        Args:
            description: What is missing, in one sentence.
            kind: What kind of gap (missing_feature).
            evidence: An episode that shows it; may be repeated. Without one, the text is recorded as one.
            follows: A gap that was over and came again.
            scope: Where it belongs: global, project:KEY or domain:NAME (global).

        Returns:
            The gap, whether it is new, and the proposal to merge it with a similar one.

        Raises:
            ForbiddenError: the caller is anonymous.
            NotFoundError: there is no such episode, or no such gap to follow.
            InvalidInputError: an episode lies in another scope, or the gap to follow is open.
        """

    def scan(
        self,
        *,
        since: timedelta | str = ...,
        entity: str | None = None,
        limit: int = 100,
        is_dry_run: bool = False,
        scope: str | None = None,
    ) -> Scanned:
        """
        Look for gaps in recent messages.

        A capability that somebody asked for and was refused is recorded as a gap. One
        that is known in other words gets more evidence; whether two similar gaps are
        one is asked about in `tilth review`.

        Args:
            since: How far back: 90m, 24h, 7d or 2w (24h).
            entity: Only what came up with this entity, by name or ID.
            limit: At most so many messages (100).
            is_dry_run: Say what would be done, and write nothing.
            scope: Only this scope and global.

        Returns:
            How many messages were read, and each gap found with its evidence.

        Raises:
            ForbiddenError: the caller is anonymous.
            NotFoundError: nothing goes by the name of the entity.
        """

    def list(
        self,
        *,
        status: GapStatus | str | None = None,
        entity: str | None = None,
        sort: GapSort | str = 'frequency',
        limit: int = 50,
        offset: int = 0,
        scope: str | None = None,
    ) -> Sequence[Gap]:
        """
        List gaps, the most frequent first.

        Args:
            status: Only in this status.
            entity: Only what came up with this entity, by name or ID.
            sort: What comes first (frequency).
            limit: How many (50).
            offset: Skip so many (0).
            scope: Only this scope and global.

        Returns:
            The gaps that may be seen, without those that were merged into others.

        Raises:
            NotFoundError: nothing goes by the name of the entity.
        """

    def get(
        self,
        gap_id: str,
        *,
        scope: str | None = None,
    ) -> GapStory:
        """
        Show a gap, every message that shows it, and its history.

        Args:
            gap_id: The gap's ID.
            scope: Only this scope and global.

        Returns:
            The gap, its evidence, the gaps merged into it, and its events. Of what was
            erased, the ID alone.

        Raises:
            NotFoundError: there is no such gap, or it cannot be seen from the scope.
        """

    def move(
        self,
        gap_id: str,
        *,
        status: GapStatus | str | None = None,
        todo_ref: str = '',
        note: str = '',
    ) -> Gap:
        """
        Change the status of a gap, or say where its task is.

        Args:
            gap_id: The gap's ID.
            status: What it is now; wont_fix is for a human.
            todo_ref: Where its task is.
            note: Why, or how.

        Returns:
            The gap as it is now.

        Raises:
            ForbiddenError: the caller is anonymous or an import; or not a human, and
                says that it will not be fixed.
            NotFoundError: there is no such gap.
            ConflictError: it cannot become that from what it is.
            InvalidInputError: neither a status nor a reference is given.
        """

    def resolve(
        self,
        gap_id: str,
        *,
        todo_ref: str = '',
        note: str = '',
    ) -> Gap:
        """
        Close a gap.

        Args:
            gap_id: The gap's ID.
            todo_ref: Where its task is.
            note: Why, or how.

        Returns:
            The gap as it is now.

        Raises:
            ForbiddenError: the caller is anonymous or an import.
            NotFoundError: there is no such gap.
            ConflictError: it is closed already.
        """

    def todo(
        self,
        gap_id: str,
    ) -> Gap:
        """
        Draft the TODO of a gap, into the outbox beside the store.

        A gap gets one TODO in its life.

        Args:
            gap_id: The gap's ID.

        Returns:
            The gap, with the reference of its TODO.

        Raises:
            ForbiddenError: the caller is anonymous or an import.
            NotFoundError: there is no such gap.
            ConflictError: it has a TODO, or is closed.
            UnavailableError: the outbox cannot be written; the gap has no TODO then.
        """

    def pulse(
        self,
        *,
        is_forced: bool = False,
        is_dry_run: bool = False,
        threshold: int | None = None,
    ) -> Pulsed:
        """
        Resolve gaps whose task is done, scan for gaps, and draft TODOs.

        At most five TODOs are drafted, of gaps that came up often enough, and filed
        where a human chose. It is due every six hours; the worker does it by itself.

        Args:
            is_forced: Though it is too early.
            is_dry_run: Say what would be done, and write nothing.
            threshold: How often a gap comes up before it gets a TODO (the setting gap_threshold).

        Returns:
            What was resolved, found, drafted and filed, and when it is due again.

        Raises:
            ForbiddenError: the caller is anonymous.
        """

    def opt_in(
        self,
        repository: str,
        *,
        way: Way | str = 'todo_file',
        scope: str = 'global',
    ) -> Filing:
        """
        Let the TODOs of a scope be filed in a repository.

        Until then, TODOs stay in the outbox beside the store. A scope has one
        repository; the last one chosen counts.

        Args:
            repository: The repository's folder.
            way: As a line of TODO.md (todo_file), or as an issue by GitHub's gh (gh) (todo_file).
            scope: The TODOs of which scope (global).

        Returns:
            Where they are filed from now on.

        Raises:
            ForbiddenError: the caller is not a human.
            InvalidInputError: nothing can be filed there.
        """

    def opt_out(
        self,
        *,
        scope: str = 'global',
    ) -> Scope:
        """
        File the TODOs of a scope in no repository any more.

        Args:
            scope: The TODOs of which scope (global).

        Returns:
            The scope.

        Raises:
            ForbiddenError: the caller is not a human.
            NotFoundError: they are filed nowhere.
        """

    def filings(
        self,
        *,
        scope: str | None = None,
    ) -> Sequence[Filing]:
        """
        Show where TODOs are filed.

        Args:
            scope: Only this scope and global.

        Returns:
            The repository of each scope that has one.
        """

    def stats(
        self,
        *,
        scope: str | None = None,
    ) -> Mapping[str, Mapping[str, int]]:
        """
        Count gaps by status and kind, and their evidence.

        Args:
            scope: Only this scope and global.

        Returns:
            Counts by `status`, `kind` and `evidence`: mentions, and the roots of those.
        """

class KgVerbs:
    """The verbs of `brain.kg`."""

    def add(
        self,
        channel: str,
        subject: str,
        predicate: str,
        object: str,
        *,
        session_id: str | None = None,
        rationale: str = '',
        confidence: float | str | None = None,
        scope: str = 'global',
        valid_from: datetime | str | None = None,
        valid_to: datetime | str | None = None,
        supersedes: str | None = None,
    ) -> Stated:
        """
        State a triple in a channel.

        Where its predicate has one value, it supersedes what is there, or waits for a human,
        as the rule of the predicate says.

        Args:
            channel: Which channel.
            subject: A name or URN.
            predicate: How the two are joined.
            object: A value, a name or a URN.
            session_id: The session it comes from.
            rationale: Why; decisions need it.
            confidence: 0 to 1, or high, medium, low.
            scope: Where it belongs: global, project:KEY or domain:NAME (global).
            valid_from: When it began, if not now.
            valid_to: When it ends, if it does.
            supersedes: The fact that it supersedes.

        Returns:
            The fact, what was done with it, and the proposal that waits, if one does.

        Raises:
            InvalidInputError: a part is missing, or the channel's rule is not kept.
        """

    def archive(
        self,
        item: str,
        *,
        reason: str = '',
    ) -> Closed:
        """
        Close a work item: nobody works on it, and it is in no phase.

        Each fact that ends can be taken back: tilth fact undo ID. What a human confirmed
        waits for a human.

        Args:
            item: A URN, or any name of the work item.
            reason: Why, if not simply over.

        Returns:
            The facts that ended, and the proposals that wait.

        Raises:
            NotFoundError: nothing that may be seen goes by that name.
        """

    def query(
        self,
        entity: str,
        *,
        depth: int = 1,
        channel: str | None = None,
        as_of: datetime | str | None = None,
        known_at: datetime | str | None = None,
        scope: str | None = None,
    ) -> Walk:
        """
        Show the triples about a thing, and around it.

        Each further depth adds what is said of the URNs named there, and what mentions what
        was reached before.

        Args:
            entity: A URN, or any name of the thing.
            depth: Hops, at most 5 (1).
            channel: Only this channel.
            as_of: What held then.
            known_at: As it was known by then.
            scope: Only this scope and global.

        Returns:
            The triples, nearest first, and how far the walk went.

        Raises:
            NotFoundError: nothing that may be seen goes by that name.
        """

    def explore(
        self,
        entity: str,
        *,
        depth: int = 3,
        channel: str | None = None,
        scope: str | None = None,
    ) -> Graph:
        """
        Show the graph around a thing.

        Args:
            entity: A URN, or any name of the thing.
            depth: Hops, at most 5 (3).
            channel: Only this channel.
            scope: Only this scope and global.

        Returns:
            Its nodes, and the triples that link them.

        Raises:
            NotFoundError: nothing that may be seen goes by that name.
        """

    def timeline(
        self,
        entity: str,
        *,
        limit: int = 100,
        channel: str | None = ...,
        predicate: str | None = ...,
        since: datetime | str | None = ...,
        known_at: datetime | str | None = ...,
        scope: str | None = ...,
    ) -> Sequence[StatedTriple]:
        """
        Show what held of a thing, and when, oldest first.

        Args:
            entity: A URN, or any name of the thing.
            limit: How many (100).
            channel: Only this channel.
            predicate: Only this predicate.
            since: Only what began then or later.
            known_at: As it was known by then.
            scope: Only this scope and global.

        Returns:
            The triples that hold and those that held.

        Raises:
            NotFoundError: nothing that may be seen goes by that name.
        """

    def stats(
        self,
        *,
        channel: str | None = ...,
        predicate: str | None = ...,
        since: datetime | str | None = ...,
        known_at: datetime | str | None = ...,
        scope: str | None = ...,
    ) -> Stats:
        """
        Count triples by channel and predicate.

        Args:
            channel: Only this channel.
            predicate: Only this predicate.
            since: Only what began then or later.
            known_at: As it was known by then.
            scope: Only this scope and global.

        Returns:
            How many hold in all, and under each predicate.
        """

class ReceiptsVerbs:
    """The verbs of `brain.receipts`."""

    def keep(
        self,
        context: Context,
    ) -> ReceiptId | None:
        """
        Record that an agent was shown something.

        Args:
            context: What was shown, by reference.

        Returns:
            The receipt's ID; None where nothing was shown.
        """

    def list(
        self,
        session_id: str | None = None,
        *,
        limit: int = 20,
        scope: str | None = None,
    ) -> Sequence[ContextReceipt]:
        """
        List what agents were shown, the newest first.

        Args:
            session_id: Only this session.
            limit: How many (20).
            scope: Only this scope and global.

        Returns:
            Receipts: when, by which way, how many items and tokens; at most 1,000.
        """

    def trace(
        self,
        receipt_id: str,
        *,
        scope: str | None = None,
    ) -> Trace:
        """
        Show what an agent was shown, for which question, and what came of it.

        Args:
            receipt_id: The receipt's ID.
            scope: Only this scope and global.

        Returns:
            The receipt, the question, and each item as it stands now with its votes. What
            was erased since is named without its words.

        Raises:
            NotFoundError: there is no such receipt, or it cannot be seen from the scope.
        """

class SessionsVerbs:
    """The verbs of `brain.sessions`."""

    def list(
        self,
        *,
        limit: int = 20,
        offset: int = 0,
        scope: str | None = None,
    ) -> Sequence[Session]:
        """
        List sessions, the last active first.

        Args:
            limit: How many (20).
            offset: Skip so many (0).
            scope: Only this scope and global.

        Returns:
            The sessions that may be seen; at most 1,000 at once.
        """

    def get(
        self,
        session_id: str,
        *,
        scope: str | None = None,
    ) -> Session:
        """
        Return one session, without its episodes.

        Args:
            session_id: The session's ID, as listed.
            scope: Only this scope and global.

        Returns:
            The session: when it was, how many episodes it has, and what is said about it.

        Raises:
            NotFoundError: there is no such session, or it cannot be seen from the scope.
        """

    def show(
        self,
        session_id: str,
        *,
        limit: int = 100,
        after: int = 0,
        scope: str | None = None,
    ) -> SessionPage:
        """
        Show a session and its episodes.

        Args:
            session_id: The session's ID, as listed.
            limit: How many (100).
            after: Only what stands after this place of the ledger (0).
            scope: Only this scope and global.

        Returns:
            The session, and its episodes in the order of the ledger.

        Raises:
            NotFoundError: there is no such session, or it cannot be seen from the scope.
        """

    def describe(
        self,
        session_id: str,
        info: SessionInfo,
        *,
        scope: str = 'global',
    ) -> None:
        """
        Describe a session as a whole.

        It replaces what was said about the session before. Secrets and private spans
        are left out.

        Args:
            session_id: The session's ID, as listed.
            info: Its title, host, folder, source and tags.
            scope: Where it belongs: global, project:KEY or domain:NAME (global).
        """

class WordsVerbs:
    """The verbs of `brain.words`."""

    def list(
        self,
        registry: Registry | str,
    ) -> Sequence[Entry]:
        """
        List what a registry holds, in alphabetical order.

        Args:
            registry: Which registry.

        Returns:
            The words with their other names; predicates with their cardinality and write mode.
        """

    def queue(
        self,
        *,
        limit: int = 100,
    ) -> Sequence[UnknownWord]:
        """
        List the words that nobody registered, the most used first.

        Args:
            limit: How many (100).

        Returns:
            Each word with its registry and how often facts use it.
        """

    def register(
        self,
        registry: Registry | str,
        name: str,
        *,
        aliases: Sequence[str] = (),
        cardinality: Cardinality | str = 'multi',
        mode: WriteMode | str = 'auto',
    ) -> Entry:
        """
        Register a word, or change what is registered of it.

        Facts that used it before stay as they are.

        Args:
            registry: Which registry.
            name: As facts use it.
            aliases: Another name; may be repeated.
            cardinality: How many current values a predicate may have (multi).
            mode: Who may replace one: an agent in one call (auto), by asking, or only a person (auto).

        Returns:
            The word as it is registered.

        Raises:
            ForbiddenError: the caller is not a human.
            ConflictError: one of its names is another word's already.
        """

    def alias(
        self,
        registry: Registry | str,
        alias: str,
        *,
        of: str,
    ) -> Entry:
        """
        Register another name of a word.

        Args:
            registry: Which registry.
            alias: As facts use it.
            of: The registered word.

        Returns:
            The word with all its names.

        Raises:
            ForbiddenError: the caller is not a human.
            NotFoundError: nothing is registered under the name.
            ConflictError: the alias is another word's already.
        """

    def ignore(
        self,
        registry: Registry | str,
        word: str,
    ) -> Entry:
        """
        Take a word off the queue without registering it.

        Args:
            registry: Which registry.
            word: As facts use it.

        Returns:
            The word as it is ignored.

        Raises:
            ForbiddenError: the caller is not a human.
        """

class Methods:
    """The verbs, as methods."""

    documents: DocumentsVerbs
    edges: EdgesVerbs
    episodes: EpisodesVerbs
    facts: FactsVerbs
    gaps: GapsVerbs
    kg: KgVerbs
    receipts: ReceiptsVerbs
    sessions: SessionsVerbs
    words: WordsVerbs
    _caller: Caller
    _names: Mapping[str, str]

    def changes(
        self,
        since: str = '',
        *,
        limit: int = 100,
        scope: str | None = None,
    ) -> Changes:
        """
        List what was recorded since a date or a cursor.

        It comes oldest first, each thing once. Every page ends with the cursor to go on
        with. Imports, receipts and feedback say nothing about what is known, and are
        left out.

        Args:
            since: A cursor, a date, or an instant; the beginning, if empty.
            limit: How many (100).
            scope: Only this scope and global.

        Returns:
            A page of events with the cursor of its end.

        Raises:
            InvalidInputError: *since* is neither a cursor nor an instant.
            ConflictError: the cursor belongs to another store, or to a history that was
                replaced.
        """

    def duplicates(
        self,
        text: str,
        *,
        likeness_min: float = 0.85,
        scope: str | None = None,
    ) -> Sequence[Duplicate]:
        """
        Find episodes that say nearly the same.

        Args:
            text: What may have been said before.
            likeness_min: The least cosine, 0 to 1 (0.85).
            scope: Only this scope and global.

        Returns:
            At most 20 episodes with their cosine, the likest first.

        Raises:
            InvalidInputError: *likeness_min* is not from 0 to 1.
        """

    def state(
        self,
        *,
        limit: int = 10,
        is_widening: bool = False,
        scope: str | None = None,
        as_of: datetime | str | None = ...,
        known_at: datetime | str | None = ...,
        lifecycles: Iterable[Lifecycle | str] | None = ...,
        reviews: Iterable[Review | str] | None = ...,
        channel: str | None = ...,
        subject: str | None = ...,
        predicate: str | None = ...,
        object: str | None = ...,
        area: str | None = ...,
        environment: str | None = ...,
        system: str | None = ...,
        component: str | None = ...,
        tags: Sequence[str] = ...,
        about: str | None = ...,
        episode_id: str | None = ...,
    ) -> State:
        """
        Show the current state, or the state at a date.

        It answers from facts that hold, not from what was said about them.

        Args:
            limit: At most so many (10).
            is_widening: Where nothing holds, what held before.
            scope: Only this scope and global.
            as_of: What held then.
            known_at: As it was known by then.
            lifecycles: Instead of those that hold; may be repeated.
            reviews: Only these; may be repeated.
            channel: Only of this channel.
            subject: What the triple is about.
            predicate: How subject and object are joined.
            object: The value of the triple.
            area: The field, such as Network or Study.
            environment: Such as home or office.
            system: The system.
            component: The component of the system.
            tags: May be repeated.
            about: Only about this entity.
            episode_id: Only what rests on this episode.

        Returns:
            The facts, the newest first, each with its freshness and what contradicts it.

        Raises:
            InvalidInputError: a word is not one of those that its place allows.
        """

    def feedback(
        self,
        target: str,
        verdict: Verdict | str,
        *,
        session_id: str | None = None,
        receipt_id: str | None = None,
        scope: str | None = None,
    ) -> Feedback:
        """
        Say what came of a hit.

        It moves what is found first, within bounds, and changes nothing that is known.
        One caller has one vote in a session; the last one counts.

        Args:
            target: An episode or a fact, as recalled.
            verdict: What came of it.
            session_id: The session that used it.
            receipt_id: The receipt that showed it.
            scope: Only this scope and global.

        Returns:
            The vote as it is recorded.

        Raises:
            NotFoundError: there is no such hit or receipt that may be seen.
            InvalidInputError: the ID is of a kind that nobody votes on.
        """

    def brief(
        self,
        request: BriefRequest,
        *,
        scope: str | None = None,
    ) -> Brief:
        """
        Make the brief that an agent is shown when a session begins, or beside a prompt.

        It leaves no receipt; `receipts.keep` records one when it was shown.

        Args:
            request: For whom, beside which prompt, and how long.
            scope: Only this scope and global.

        Returns:
            The text between markers, its estimated tokens, and the blocks that it is made of.
        """

    def pitfall(
        self,
        failure: ToolFailure,
        *,
        scope: str | None = None,
    ) -> Pitfall | None:
        """
        Find how a failure of a tool was overcome before.

        Args:
            failure: The tool's call and what it answered.
            scope: Only this scope and global.

        Returns:
            The earlier failure and what worked then; None if there is none, or the setting
            turns warnings off.
        """
