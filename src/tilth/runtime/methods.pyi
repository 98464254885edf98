"""The methods of `Brain`, written by `scripts/write_verbs.py` from the verbs."""

import builtins
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from tilth.context.context import Context, ContextReceipt
from tilth.context.model import Brief, BriefRequest, Project, ProjectState
from tilth.context.notes import KnownNote
from tilth.context.pitfalls import Pitfall, ToolFailure
from tilth.context.receipts import Trace
from tilth.context.section.section_file import Written
from tilth.core.actor import ActorKind
from tilth.core.ids import EpisodeId, FactId, ReceiptId
from tilth.core.lifecycle import Lifecycle, Review
from tilth.core.scope import Scope
from tilth.core.verb import Caller
from tilth.discovery.model import FetchedPage, Finds
from tilth.episodes.changes import Changes
from tilth.episodes.document import Document, DocumentSection
from tilth.episodes.duplicates import Duplicate
from tilth.episodes.episode import Episode, EpisodeDraft, EpisodeKind
from tilth.episodes.session import Session, SessionInfo
from tilth.episodes.sessions import SessionPage
from tilth.erasure.erase import Certificate, ErasePlan, Finished
from tilth.exchanges.model import Exchange
from tilth.gaps.gaps import GapStory
from tilth.gaps.model import Gap, GapKind, GapSort, GapStatus
from tilth.gaps.record_gap import Noted
from tilth.gaps.scan import Scanned
from tilth.gaps.schedule import GapRun
from tilth.gaps.todos import Filing, Way
from tilth.garden.candidates import TopicStory
from tilth.garden.cycle.inbox import InboxReport
from tilth.garden.cycle.run import CycleReport
from tilth.garden.measures import Metrics
from tilth.garden.model import Allowance, Candidate, Credibility, Source, Topic
from tilth.knowledge.about.about import About
from tilth.knowledge.changes.plan import Plan
from tilth.knowledge.changes.provenance import Resting, Why
from tilth.knowledge.changes.relations import Related, Relation
from tilth.knowledge.entities.entities import Added, Card, Resolved
from tilth.knowledge.entities.entity import Entity
from tilth.knowledge.entities.identity import Identity, LinkConfidence
from tilth.knowledge.entities.resolve_name import Suggestion
from tilth.knowledge.facts.decisions import Shown
from tilth.knowledge.facts.fact import Fact
from tilth.knowledge.facts.fact_lifecycle import Ended
from tilth.knowledge.facts.facts import TaxonomyCount
from tilth.knowledge.facts.life import PastLife
from tilth.knowledge.facts.state import State
from tilth.knowledge.facts.triples import StatedTriple
from tilth.knowledge.facts.verbs import FactPage
from tilth.knowledge.facts.write.write_fact import Stated
from tilth.knowledge.graph.edge import Edge
from tilth.knowledge.graph.graph import Neighbourhood
from tilth.knowledge.graph.kg import Closed, Graph, Stats, Walk
from tilth.knowledge.graph.record_edge import Joined
from tilth.knowledge.graph.record_sightings import Acquainted
from tilth.knowledge.merging.merge import Merged, Split
from tilth.knowledge.merging.tidy import Tidied
from tilth.knowledge.outcomes.outcome import OutcomeKind
from tilth.knowledge.outcomes.outcomes import Tested
from tilth.knowledge.proposals.proposal import Action, Proposal, ProposalKind, ProposalState
from tilth.knowledge.vocabulary.registries import Cardinality, EdgeKind, EntityType, Entry, Registry, UnknownWord, WriteMode
from tilth.knowledge.vocabulary.verbs import WordCheck
from tilth.learning.check import Issue
from tilth.learning.distil import Distilled
from tilth.learning.read_by_model import ModelRead
from tilth.llm.answers import Adjudication, Claims, Contradictions, GapsSeen, IdleJudgement, Judged, PageDraft, PlaybookDraft, SummaryDraft, ToneDraft, TopicFindings
from tilth.llm.client import Question, Refusal, Thought
from tilth.llm.status import ModelsNow, SpentToday
from tilth.llm.trial import Trial
from tilth.maintenance.archive import Swept
from tilth.maintenance.clean import Cleaned
from tilth.maintenance.consolidate import Consolidated
from tilth.maintenance.contradictions import ContradictionScan
from tilth.maintenance.dedup import Deduplicated
from tilth.maintenance.verbs import Verified
from tilth.pages.compile.compile_pages import PagesSwept
from tilth.pages.lint import Finding
from tilth.pages.model import Compiled, Edited, Page, PageKind
from tilth.pages.read_pages import ManifestEntry, PageView, Reading, Rendered
from tilth.people.conversation import Conversation, ConversationStatus, Summary
from tilth.people.conversations import Archived, Begun
from tilth.people.identities import Interactions, Known, Linked
from tilth.people.idle import Rest
from tilth.people.introduce import Introduced
from tilth.people.profile import ProfileConfidence, Trait
from tilth.people.reply_context import ConversationContext, Wanted
from tilth.playbooks.curate import PlaybookStory
from tilth.playbooks.model import Playbook, PlaybookState, SessionEnd
from tilth.practice.model import CommandKind, CommandStats, Fix
from tilth.recall.feedback import Feedback, Verdict
from tilth.recall.model import Recall, Tier
from tilth.reflection.growth import Growth
from tilth.reflection.reflect import Reflected
from tilth.review.decide import Decided
from tilth.review.queue import Queue
from tilth.skills.approval import SkillStory
from tilth.skills.change_playbook import PlaybookChange
from tilth.skills.install_files import Reader
from tilth.skills.model import Skill, SkillState
from tilth.snapshots.model import TakenSnapshot
from tilth.snapshots.rollback import Rollback
from tilth.snapshots.undo import Aside, Story, Undone
from tilth.transfer.export import Exported
from tilth.transfer.import_rows import LegacyReport, Promoted
from tilth.transfer.model import Skipped, Told, ToldEdge, ToldEntity
from tilth.transfer.vault.edits import VaultRead
from tilth.transfer.vault.page_text import Links
from tilth.transfer.vault.write import VaultWritten
from typing import Any

class CommandsVerbs:
    """The verbs of `brain.commands`."""

    def list(
        self,
        *,
        kind: CommandKind | str | None = None,
        is_all: bool = False,
        limit: int = 50,
        scope: str | None = None,
    ) -> Sequence[CommandStats]:
        """
        List the commands that work here, by kind.

        They come from the command lines that agents ran, without changes of folder, variables, time
        limits and pipes. Each is counted once a session, with its outcome.

        Args:
            kind: Only commands for this.
            is_all: Also commands of one session alone, and commands that never succeeded.
            limit: The most to return (50).
            scope: Only this scope and global.

        Returns:
            The commands that came through in several sessions; for a kind without any, those that one
            session ran repeatedly; with `is_all` every command, that of most sessions first.
        """

    def get(
        self,
        line: str,
        *,
        scope: str | None = None,
    ) -> CommandStats:
        """
        Show a command: how often it came through, in which wordings, in which sessions.

        Args:
            line: The command.
            scope: Only this scope and global.

        Returns:
            The command with its counts.

        Raises:
            NotFoundError: no session ran it here.
        """

    def write(
        self,
        path: str,
        *,
        is_dry_run: bool = False,
    ) -> Written:
        """
        Write working commands and current rules into a file that agents read.

        A rule is a fact with the authority of an instruction, or a person's note that always holds. The
        section stands between markers, and writing again replaces it. The file's folder determines the
        project.

        Args:
            path: AGENTS.md, CLAUDE.md or another file in markdown.
            is_dry_run: Show what would be written, and write nothing.

        Returns:
            The lines of the section.

        Raises:
            ForbiddenError: the caller is not a human, or the file is read-only.
            InvalidInputError: the file is not markdown.
            NotFoundError: no command or rule is known, or there is no such folder.
            ConflictError: the markers are incomplete, somebody wrote between them, or the file cannot
                be replaced.
            UnavailableError: the file cannot be read or written.
        """

    def unwrite(
        self,
        path: str,
    ) -> Written:
        """
        Remove the section from a file; all else stays byte for byte.

        Args:
            path: AGENTS.md, CLAUDE.md or another file in markdown.

        Returns:
            The file.

        Raises:
            ForbiddenError: the caller is not a human, or the file is read-only.
            NotFoundError: the file has no section.
            ConflictError: the markers are incomplete, or somebody wrote between them.
            UnavailableError: the file cannot be read or written.
        """

class ConversationsVerbs:
    """The verbs of `brain.conversations`."""

    def create(
        self,
        entity: str,
        transport: str,
        *,
        address: str = '',
        topic: str = '',
        scope: str = 'global',
    ) -> Begun:
        """
        Begin a conversation, or continue the one that is open by the same way.

        Args:
            entity: With whom: a name, or an ID.
            transport: Matrix, email, slack and so on.
            address: At which address there.
            topic: What it is about.
            scope: Where it belongs: global, project:KEY or domain:NAME (global).

        Returns:
            The conversation, and whether it is new.

        Raises:
            NotFoundError: there is no such entity.
            ConflictError: several entities have the name, or the address is another's.
            InvalidInputError: the transport is not configured.
        """

    def add(
        self,
        conversation: str,
        text: str,
        *,
        session_id: str | None = ...,
        speaker: str = ...,
        at: datetime | str | None = ...,
        role: str = ...,
        kind: str = ...,
        scope: str = ...,
        transport: str = ...,
        address: str = ...,
        direction: str | None = ...,
        entity_id: str | None = ...,
        conversation_id: str | None = ...,
        metadata: Mapping[str, Any] = ...,
        idempotency_key: str | None = ...,
    ) -> EpisodeId:
        """
        Add a message to a conversation.

        Args:
            conversation: Its ID, its topic, or whom it is with: a name or an address.
            text: What was said.
            session_id: The session it belongs to.
            speaker: Who said it.
            at: When it happened, if not now.
            role: The role of its author.
            kind: What kind of thing it is.
            scope: Where it belongs: global, project:KEY or domain:NAME.
            transport: How it came: cli, email, ….
            address: From or to which address there.
            direction: Inbound: from them; outbound: to them; system: by no one.
            entity_id: The ID of who it is with.
            conversation_id: The conversation's ID.
            metadata: What else is known of it, an object in JSON.
            idempotency_key: An idempotency key: recording it again adds nothing.

        Returns:
            The ID of the episode that holds it.

        Raises:
            NotFoundError: there is no such conversation.
            ConflictError: several are meant, it is closed, or its address now belongs to another
                entity.
        """

    def resume(
        self,
        conversation: str,
    ) -> Conversation:
        """
        Resume a conversation that was archived or closed.

        Args:
            conversation: Its ID, its topic, or whom it is with: a name or an address.

        Returns:
            The conversation as it is now.

        Raises:
            NotFoundError: there is no such conversation.
            ConflictError: several are meant; the hint lists each with its last message.
        """

    def archive(
        self,
        conversation: str,
    ) -> Archived:
        """
        Archive a conversation, and summarise its remaining messages.

        Args:
            conversation: Its ID, its topic, or whom it is with: a name or an address.

        Returns:
            The conversation as it is now, and the new summary, if there is one.

        Raises:
            NotFoundError: there is no such conversation.
            ConflictError: several are meant; the hint lists each with its last message.
        """

    def close(
        self,
        conversation: str,
    ) -> Conversation:
        """
        Close a conversation: it takes no more messages.

        Args:
            conversation: Its ID, its topic, or whom it is with: a name or an address.

        Returns:
            The conversation as it is now.

        Raises:
            NotFoundError: there is no such conversation.
            ConflictError: several are meant; the hint lists each with its last message.
        """

    def summarise(
        self,
        conversation: str,
        *,
        is_forced: bool = False,
    ) -> Summary | None:
        """
        Summarise the messages since the last summary.

        Args:
            conversation: Its ID, its topic, or whom it is with: a name or an address.
            is_forced: Summarise the last stretch again if nothing is new.

        Returns:
            The new summary; None if there is nothing to summarise.

        Raises:
            NotFoundError: there is no such conversation.
            ConflictError: several are meant; the hint lists each with its last message.
        """

    def summaries(
        self,
        conversation: str,
        *,
        scope: str | None = None,
    ) -> Sequence[Summary]:
        """
        List the summaries of a conversation, the oldest first.

        Args:
            conversation: Its ID, its topic, or whom it is with: a name or an address.
            scope: Only this scope and global.

        Returns:
            Each summary with the messages that it covers.

        Raises:
            NotFoundError: there is no such conversation, or it cannot be seen from the scope.
            ConflictError: several are meant; the hint lists each with its last message.
        """

    def list(
        self,
        *,
        entity_id: str | None = None,
        transport: str | None = None,
        status: ConversationStatus | str | None = None,
        limit: int = 50,
        offset: int = 0,
        scope: str | None = None,
    ) -> Sequence[Conversation]:
        """
        List conversations, the one that began last first.

        Args:
            entity_id: Only with this entity.
            transport: Only by this transport.
            status: Only in this status.
            limit: The most to return (50).
            offset: How many to skip (0).
            scope: Only this scope and global.

        Returns:
            The visible conversations.

        Raises:
            NotFoundError: no entity has that name or ID.
            InvalidInputError: the transport is not configured.
        """

    def get(
        self,
        conversation: str,
        *,
        scope: str | None = None,
    ) -> Conversation:
        """
        Show a conversation.

        Args:
            conversation: Its ID, its topic, or whom it is with: a name or an address.
            scope: Only this scope and global.

        Returns:
            The conversation, and how many messages it has.

        Raises:
            NotFoundError: there is no such conversation, or it cannot be seen from the scope.
            ConflictError: several are meant; the hint lists each with its last message.
        """

    def tone(
        self,
        conversation: str,
        *,
        scope: str | None = None,
    ) -> ToneDraft:
        """
        Describe how the other side speaks.

        Args:
            conversation: Its ID, its topic, or whom it is with: a name or an address.
            scope: Only this scope and global.

        Returns:
            Formality and technical level from 0 to 1, sentiment, and pace.

        Raises:
            NotFoundError: there is no such conversation, or it cannot be seen from the scope.
            ConflictError: several are meant; the hint lists each with its last message.
        """

    def stats(
        self,
        *,
        scope: str | None = None,
    ) -> Mapping[str, Mapping[str, int]]:
        """
        Count conversations, messages and summaries.

        Args:
            scope: Only this scope and global.

        Returns:
            For each of the three, how many there are of which kind.
        """

    def idle(
        self,
        conversation: str | None = None,
        *,
        scope: str | None = None,
    ) -> Sequence[Rest]:
        """
        Say which active conversations are idle.

        Args:
            conversation: Only this conversation.
            scope: Only this scope and global.

        Returns:
            Each active conversation, and whether it is idle.

        Raises:
            NotFoundError: there is no such conversation.
            ConflictError: several are meant; the hint lists each with its last message.
        """

    def rest(
        self,
    ) -> Sequence[Archived]:
        """
        Archive the conversations that are idle.

        Returns:
            The conversations that were archived, with their new summaries.
        """

    def context(
        self,
        conversation: str,
        wanted: Wanted | None = None,
        *,
        scope: str | None = None,
    ) -> ConversationContext:
        """
        Return what the next reply needs to know.

        Args:
            conversation: Its ID, its topic, or whom it is with: a name or an address.
            wanted: Which parts, and how much of each.
            scope: Only this scope and global.

        Returns:
            Summaries, the last messages, the profile and what is open, as text and in parts.

        Raises:
            NotFoundError: there is no such conversation, or it cannot be seen from the scope.
            ConflictError: several are meant; the hint lists each with its last message.
        """

    def reply_context(
        self,
        conversation: str,
        *,
        summary_tokens: int = 2000,
        recent: int = 10,
        transport: str | None = None,
        is_private: bool = False,
        scope: str | None = None,
    ) -> ConversationContext:
        """
        Show what the next reply needs to know.

        Args:
            conversation: Its ID, its topic, or whom it is with: a name or an address.
            summary_tokens: About this many tokens of summaries (2000).
            recent: How many of the last messages (10).
            transport: Leave out summaries of other transports.
            is_private: Mask mail, addresses, numbers and secrets.
            scope: Only this scope and global.

        Returns:
            Summaries, the last messages, the profile and what is open, as text and in parts.

        Raises:
            NotFoundError: there is no such conversation, or it cannot be seen from the scope.
            ConflictError: several are meant; the hint lists each with its last message.
        """

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
            limit: The most to return (100).
            offset: How many to skip (0).
            scope: Only this scope and global.

        Returns:
            At most 1,000 documents with their sections, the one imported last first.
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
            slug: Its name, as listed, or without the digits.
            section: Only this section, by its name or heading.
            scope: Only this scope and global.

        Returns:
            The document, and all its sections or the one asked for.

        Raises:
            NotFoundError: there is no such document or section, or it cannot be seen from the scope.
            ConflictError: several documents have that name.
        """

    def tag(
        self,
        slug: str,
        tags: Sequence[str],
        *,
        is_removed: bool = False,
        scope: str | None = None,
    ) -> Document:
        """
        Tag a document.

        Hits in any of its sections show the tags at once. Importing the file after it changed replaces
        them by those that the file names.

        Args:
            slug: Its name, as listed, or without the digits.
            tags: What to add.
            is_removed: Remove them instead.
            scope: Only this scope and global.

        Returns:
            The document with its tags.

        Raises:
            NotFoundError: there is no such document, or it cannot be seen from the scope.
            ConflictError: several documents have that name.
            LimitExceededError: there are too many tags, or one is too long.
        """

    def find(
        self,
        question: str,
        *,
        limit: int = 5,
        scope: str | None = None,
    ) -> Finds:
        """
        Find addresses to read, in the brain and by the configured search providers.

        Only a person may ask, since the question goes to every provider. Excluded terms and secrets are
        removed from it first.

        Args:
            question: What to look for.
            limit: The most results of each provider (5).
            scope: Only this scope and global.

        Returns:
            What each place found, the best first, and what went wrong.

        Raises:
            ForbiddenError: the caller is not a human.
            InvalidInputError: the question is empty.
        """

    def fetch(
        self,
        address: str,
        *,
        scope: str = 'global',
    ) -> FetchedPage:
        """
        Fetch a public page of the web, and keep its text as a document.

        The text is somebody else's: recall finds it with that label, no brief tells it, and no fact is
        made of it.

        Args:
            address: The URL of a public page.
            scope: Where it belongs: global, project:KEY or domain:NAME (global).

        Returns:
            The page, and the name by which `documents.read` gives its text.

        Raises:
            ForbiddenError: the caller is not a human.
            UnsupportedError: fetching is off, or its extra is not installed.
            RefusedError: the page is not public, is of a kind that is not read, or its robots.txt
                forbids it.
            NotFoundError: the page does not exist.
            UnreachableError: no complete answer came.
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

        An unknown name becomes a new entity.

        Args:
            source: A node: an ID, or the name of an entity.
            kind: How they relate.
            target: A node: an ID, or the name of an entity.
            scope: Where it belongs: global, project:KEY or domain:NAME (global).

        Returns:
            The edge, and whether it is new.

        Raises:
            InvalidInputError: an end is not a node, or both ends are the same.
            NotFoundError: an end does not exist, or cannot be seen from the scope.
            ForbiddenError: the name of an end holds an excluded term.
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
            limit: The most to return (100).
            after: Only items after this place in the ledger (0).
            scope: Only this scope and global.

        Returns:
            The edges, with their ends as they are now.

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

class EntitiesVerbs:
    """The verbs of `brain.entities`."""

    def add(
        self,
        name: str,
        *,
        type: EntityType | str = 'thing',
        aliases: Sequence[str] = (),
        scope: str = 'global',
        metadata: Mapping[str, Any] | None = None,
        is_namesake: bool = False,
    ) -> Added:
        """
        Record an entity, or add to a known one.

        A known name means the entity that has it. A similar name is recorded, and a human is asked
        whether the two are one.

        Args:
            name: The name that it is shown by.
            type: The kind of thing (thing).
            aliases: Other names of it.
            scope: Where it belongs: global, project:KEY or domain:NAME (global).
            metadata: What else is known of it.
            is_namesake: Make another one, though the name is known.

        Returns:
            The entity, whether it is new, and the waiting proposals.

        Raises:
            ConflictError: a person has that name.
            InvalidInputError: it cannot be a name.
            ForbiddenError: one of its names holds an excluded term.
        """

    def get(
        self,
        name: str,
        *,
        scope: str | None = None,
    ) -> Card:
        """
        Show an entity with all its names.

        Args:
            name: Any name of it, or its ID.
            scope: Only this scope and global.

        Returns:
            The entity, its names, and its namesakes.

        Raises:
            NotFoundError: no visible entity has that name.
        """

    def list(
        self,
        *,
        type: EntityType | str | None = None,
        transport: str | None = None,
        limit: int = 100,
        after: int = 0,
        scope: str | None = None,
    ) -> Sequence[Entity]:
        """
        List entities, the oldest first.

        Args:
            type: Only of this kind.
            transport: Only by this transport.
            limit: The most to return (100).
            after: Only items after this place in the ledger (0).
            scope: Only this scope and global.

        Returns:
            The visible entities, without those that were merged into others.

        Raises:
            InvalidInputError: nobody configured the transport.
        """

    def resolve(
        self,
        name: str,
        *,
        type: EntityType | str = 'thing',
        scope: str | None = None,
    ) -> Resolved:
        """
        Find the entity that a name means, or those that it may mean.

        Args:
            name: The name, as a text gives it.
            type: The kind of thing (thing).
            scope: Only this scope and global.

        Returns:
            The entity, or else similar ones.
        """

    def search(
        self,
        text: str,
        *,
        limit: int = 20,
        scope: str | None = None,
    ) -> Sequence[Suggestion]:
        """
        Find entities by name or address, the likeliest first.

        Args:
            text: Words of a name, or a misspelling.
            limit: The most to return (20).
            scope: Only this scope and global.

        Returns:
            Entities with a score from 0 to 1 and the reason.
        """

    def suggest(
        self,
        name: str,
        *,
        limit: int = 5,
        scope: str | None = None,
    ) -> Sequence[Suggestion]:
        """
        Suggest entities that may be the same as an entity.

        Args:
            name: Any name of it, or its ID.
            limit: The most to return (5).
            scope: Only this scope and global.

        Returns:
            Entities with a score from 0 to 1 and the reason.

        Raises:
            NotFoundError: no visible entity has that name.
        """

    def alias(
        self,
        entity: str,
        alias: str,
    ) -> Card:
        """
        Add another name of an entity.

        Args:
            entity: A name that no other entity has, or its ID.
            alias: The name.

        Returns:
            The entity with all its names.

        Raises:
            NotFoundError: there is no such entity.
            ConflictError: several entities have its name, or another entity has the new name.
            ForbiddenError: the new name holds an excluded term.
        """

    def unalias(
        self,
        entity: str,
        alias: str,
    ) -> Card:
        """
        Remove a name of an entity.

        Args:
            entity: A name that no other entity has, or its ID.
            alias: The name.

        Returns:
            The entity with its remaining names.

        Raises:
            NotFoundError: there is no such entity, or it has no such name.
            ConflictError: several entities have its name.
        """

    def retype(
        self,
        entity: str,
        type: EntityType | str,
    ) -> Entity:
        """
        Change the type of an entity.

        Args:
            entity: A name that no other entity has, or its ID.
            type: The kind of thing.

        Returns:
            The entity as it is now.

        Raises:
            NotFoundError: there is no such entity.
            ConflictError: several entities have its name.
        """

    def around(
        self,
        name: str,
        *,
        depth: int = 1,
        kinds: Iterable[EdgeKind | str] | None = None,
        known_at: datetime | str | None = None,
        scope: str | None = None,
    ) -> Neighbourhood:
        """
        Show what is around a node.

        Args:
            name: A node: an ID, or the name of an entity.
            depth: Hops, at most 2 (1).
            kinds: Only edges of this kind; may be repeated.
            known_at: As it was known at this instant.
            scope: Only this scope and global.

        Returns:
            The nodes that edges lead to, and the edges.

        Raises:
            NotFoundError: there is no such node, or it cannot be seen from the scope.
        """

    def impact(
        self,
        name: str,
        *,
        depth: int = 3,
        scope: str | None = None,
    ) -> Neighbourhood:
        """
        Show what depends on a node.

        Args:
            name: A node: an ID, or the name of an entity.
            depth: Hops, at most 5 (3).
            scope: Only this scope and global.

        Returns:
            The nodes that depend on it, directly or through others, and the edges.

        Raises:
            NotFoundError: there is no such node, or it cannot be seen from the scope.
        """

    def merge(
        self,
        winner: str,
        loser: str,
        *,
        reason: str = '',
    ) -> Merged:
        """
        Merge two entities: the first stays, and the second redirects to it.

        Nothing moves, and a split restores both exactly. An agent only proposes a merge.

        Args:
            winner: The entity that stays: a name, or its ID.
            loser: The entity that redirects to it: a name, or its ID.
            reason: Why.

        Returns:
            The entity that stays, or the proposal that waits for a human, and the
            contradictions between the two.

        Raises:
            NotFoundError: there is no such entity.
            ConflictError: several entities have its name, or it is merged already.
        """

    def split(
        self,
        entity: str,
        *,
        reason: str = '',
    ) -> Split:
        """
        Undo a merge of entities.

        An agent only proposes a split. What was said since the merge stays with the other entity.

        Args:
            entity: What was merged away: the name that it had, or its ID.
            reason: Why.

        Returns:
            Both entities, and what stays with the other one.

        Raises:
            NotFoundError: there is no such entity.
            ConflictError: it is not merged, or several merged entities had the name.
        """

    def tidy(
        self,
        *,
        after: int = 0,
        limit: int = 1000,
    ) -> Tidied:
        """
        Merge entities that are certainly the same, and ask about similar ones.

        Args:
            after: Continue after this place in the ledger (0).
            limit: The most to return (1000).

        Returns:
            How many were checked, merged and asked about, and the place to continue from.
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
            limit: The most to return (100).
            after: Only items after this place in the ledger (0).
            newest: The newest first, instead of the order of the ledger.
            scope: Only this scope and global.

        Returns:
            At most 1,000 visible episodes, word for word.
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
            limit: The most to return (100).
            scope: Only this scope and global.

        Returns:
            Each fact with the words that it rests on, and what it superseded, oldest first.

        Raises:
            NotFoundError: there is no such episode, or it cannot be seen from the scope.
        """

class EraseVerbs:
    """The verbs of `brain.erase`."""

    def plan(
        self,
        *,
        besides: bool = True,
        entity: str | None = ...,
        episodes: Sequence[str] = ...,
        session: str | None = ...,
        facts: Sequence[str] = ...,
        mentions: bool = ...,
    ) -> ErasePlan:
        """
        Show what an erase would destroy. Nothing changes.

        Exactly one of `entity`, `episodes`, `session` and `facts` names it.

        Args:
            besides: Whether to count what else holds a name or an address of it, which reads all.
            entity: A person or a thing, by ID or name, and everything of theirs.
            episodes: The IDs of episodes.
            session: The ID of a session, with all that was said in it.
            facts: The IDs of facts.
            mentions: Whether what else holds a name or an address of it goes too.

        Returns:
            What would go, counted and by ID, and the digest that confirms it.

        Raises:
            ForbiddenError: the caller is not a human.
            InvalidInputError: none or several of the four are given.
            NotFoundError: there is no such thing, and never was.
            ConflictError: several entities have that name.
        """

    def confirm(
        self,
        digest: str,
        *,
        terms: Sequence[str] = (),
        entity: str | None = ...,
        episodes: Sequence[str] = ...,
        session: str | None = ...,
        facts: Sequence[str] = ...,
        mentions: bool = ...,
    ) -> Certificate:
        """
        Destroy what a plan showed, for good, and certify it.

        Args:
            digest: The digest of the plan.
            terms: What to look for in every file besides the erased words.
            entity: A person or a thing, by ID or name, and everything of theirs.
            episodes: The IDs of episodes.
            session: The ID of a session, with all that was said in it.
            facts: The IDs of facts.
            mentions: Whether what else holds a name or an address of it goes too.

        Returns:
            The certificate: who erased what, where its words were searched for, and what is out of
            reach.

        Raises:
            ForbiddenError: the caller is not a human.
            ConflictError: the erase would destroy something else than the plan showed.
            NotFoundError: there is no such thing, and never was.
        """

    def finish(
        self,
    ) -> Finished:
        """
        Finish an erase that was interrupted.

        Returns:
            How many erasures were due, and whether the store's files are clean.
        """

class ExchangesVerbs:
    """The verbs of `brain.exchanges`."""

    def list(
        self,
        *,
        session_id: str | None = None,
        limit: int = 20,
        scope: str | None = None,
    ) -> Sequence[Exchange]:
        """
        List exchanges, the newest first: what was asked, and how it ended.

        Args:
            session_id: Only of this session.
            limit: The most to return (20).
            scope: Only this scope and global.

        Returns:
            The exchanges with a report; of one session all, also those without an answer.
        """

    def get(
        self,
        episode_id: str,
        *,
        scope: str | None = None,
    ) -> Exchange:
        """
        Show the exchange of an episode: the ask, what was done, and the report.

        Args:
            episode_id: Any episode of it.
            scope: Only this scope and global.

        Returns:
            The exchange, word for word.

        Raises:
            NotFoundError: there is no such episode, it cannot be seen from the scope, or it belongs to
                no exchange.
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

        In a slot (a system's component, or a predicate with one value) it supersedes the current fact
        or waits for a human, as the rule of the slot says.

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
            valid_to: When it ends, if it does; a day ends with it.
            confidence: 0 to 1, or high, medium, low.
            authority: Only a human makes instructions.
            about: An entity; may be repeated.
            evidence: An episode that it rests on; may be repeated.
            quotes: What the episode says word for word, one for each --evidence.
            supersedes: The fact that it supersedes.
            metadata: What else is known of it.

        Returns:
            The fact, what was done with it, the fact that it ended, and the waiting proposal, if any.

        Raises:
            InvalidInputError: nothing is stated, or a word is unknown.
            ConflictError: the fact to supersede does not hold, or is in another slot.
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
            What became of each, in the order given.

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

        Until then it is a draft, and the fact that it would supersede stays current.

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
            valid_to: When it ends, if it does; a day ends with it.
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
            InvalidInputError: nothing is stated, or a word is unknown.
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
            known_at: As it was known at this instant.
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
        Show a fact with its evidence and all its lives.

        Args:
            fact_id: The fact's ID, as listed.
            known_at: As it was known at this instant.
            scope: Only this scope and global.

        Returns:
            The fact, and each of its lives with its author.

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
        since: datetime | str | None = ...,
        by: Iterable[ActorKind | str] | None = ...,
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
            limit: The most to return (100).
            offset: How many to skip (0).
            scope: Only this scope and global.
            as_of: Facts that held at this instant.
            known_at: As it was known at this instant.
            lifecycles: Only facts in this state, not current ones; may be repeated.
            reviews: Only in this state of review; may be repeated.
            since: Only facts that began at this instant or later.
            by: Only facts by this author; may be repeated.
            channel: Only of this channel.
            subject: What the triple is about.
            predicate: How subject and object are joined.
            object: The value of the triple.
            area: The field, such as Network or Study.
            environment: Such as home or office.
            system: The system.
            component: The component of the system.
            tags: May be repeated.
            about: Only about this entity, by ID or name.
            episode_id: Only facts that rest on this episode.

        Returns:
            The facts that hold, or those of the lifecycles asked for. If none holds, those that are
            imported, ended or proposed.

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
        List all lives of a fact, oldest first.

        Args:
            fact_id: The fact's ID, as listed.
            scope: Only this scope and global.

        Returns:
            Each life with its beginning, its author and the reason.

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

        A human ends it at once; an agent only proposes that.

        Args:
            fact_id: The fact's ID, as listed.
            reason: Why.
            valid_to: When it ended, if not now; a day ends with it.

        Returns:
            The fact, and the waiting proposal, if any.

        Raises:
            NotFoundError: there is no such fact.
            ConflictError: it does not hold.
            InvalidInputError: the end is in the future, and the fact holds until then.
        """

    def promote(
        self,
        fact_id: str,
        *,
        reason: str = '',
    ) -> Ended:
        """
        Propose to make a historical fact current.

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

        Whoever archived it restores it, or a human. What the rule archived is for a human alone; `tilth
        unarchive` restores all of it.

        Args:
            fact_id: The fact's ID, as listed.

        Returns:
            The fact as it is now.

        Raises:
            NotFoundError: there is no such fact.
            ConflictError: it is not archived, or its slot is taken.
            ForbiddenError: somebody else archived it, and the caller is not a human.
        """

    def undo(
        self,
        fact_id: str,
        *,
        reason: str = '',
    ) -> Fact:
        """
        Undo the last change of a fact's life.

        Whoever made the change undoes it, or a human.

        Args:
            fact_id: The fact's ID, as listed.
            reason: Why.

        Returns:
            The fact as it is now.

        Raises:
            NotFoundError: there is no such fact.
            ConflictError: nothing can be undone, or something rests on it.
            ForbiddenError: somebody else made the change, and the caller is not a human.
        """

    def taxonomy(
        self,
        *,
        scope: str | None = None,
        as_of: datetime | str | None = ...,
        known_at: datetime | str | None = ...,
        lifecycles: Iterable[Lifecycle | str] | None = ...,
        reviews: Iterable[Review | str] | None = ...,
        since: datetime | str | None = ...,
        by: Iterable[ActorKind | str] | None = ...,
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

        Each of them that is given narrows the others.

        Args:
            scope: Only this scope and global.
            as_of: Facts that held at this instant.
            known_at: As it was known at this instant.
            lifecycles: Only facts in this state, not current ones; may be repeated.
            reviews: Only in this state of review; may be repeated.
            since: Only facts that began at this instant or later.
            by: Only facts by this author; may be repeated.
            channel: Only of this channel.
            subject: What the triple is about.
            predicate: How subject and object are joined.
            object: The value of the triple.
            area: The field, such as Network or Study.
            environment: Such as home or office.
            system: The system.
            component: The component of the system.
            tags: May be repeated.
            about: Only about this entity, by ID or name.
            episode_id: Only facts that rest on this episode.

        Returns:
            The words under which facts that hold are filed, for each field the most used first.

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
        Record that a fact was tested and held.

        The evidence is episodes that neither the author of the fact nor the caller wrote: those of a
        tool, a person, or another agent. The outcome turns an observation into a fact, and a human is
        asked to confirm it.

        Args:
            fact_id: The fact's ID, as listed.
            kind: What came of it.
            evidence: An episode that shows it; may be repeated.
            note: What was done.

        Returns:
            The fact with its maturity and outcomes, and the waiting proposal.

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
        Revoke an outcome, and undo what followed from it.

        Args:
            outcome_id: The outcome's ID, as listed.
            reason: Why.

        Returns:
            The fact with its maturity and outcomes.

        Raises:
            NotFoundError: there is no such outcome.
            ForbiddenError: the caller is neither a human nor its author.
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
            valid_to: When it ends, if it does; a day ends with it.
            confidence: 0 to 1, or high, medium, low.
            authority: Only a human makes instructions.
            about: An entity; may be repeated.
            evidence: An episode that it rests on; may be repeated.
            quotes: What the episode says word for word, one for each --evidence.
            supersedes: The fact that it supersedes.
            metadata: What else is known of it.

        Returns:
            What would become of it, similar facts, and a token that is valid for ten minutes.

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
        State a fact that was planned.

        Args:
            text: In words; a triple needs none.
            token: The token of the plan.
            updates: The fact that it supersedes.
            declines: Each fact of the plan that it is not; may be repeated.
            reason: Why it matches none of them.
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
            valid_to: When it ends, if it does; a day ends with it.
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
            ConflictError: the plan is too old, or the facts that it rests on have changed.
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

        A fact that updates or debunks another waits for a human; the other relations are edges.

        Args:
            fact_id: The later one.
            relation: What it does to the earlier one.
            other_id: The earlier one.
            reason: Why.

        Returns:
            The edge, and the waiting proposal.

        Raises:
            NotFoundError: there is no such fact, or it cannot be seen from the scope.
            ConflictError: one of the facts does not hold.
            InvalidInputError: both are the same fact.
        """

    def why(
        self,
        fact_id: str,
        *,
        known_at: datetime | str | None = None,
        scope: str | None = None,
    ) -> Why:
        """
        Show why a fact is believed, and in whose words.

        Args:
            fact_id: The fact's ID, as listed.
            known_at: As it was known at this instant.
            scope: Only this scope and global.

        Returns:
            Its evidence word for word, its lives, and its chain of supersession.

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

        It finds names that nearly match a known one, relations and values that differ from current
        facts, and facts that no longer hold. Nothing is recorded, and no model is asked.

        Args:
            text: - reads standard input (-).
            scope: Only this scope and global.

        Returns:
            What may be wrong, in which words, and what speaks against them.

        Raises:
            InvalidInputError: the text is empty or too long.
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
            is_dry_run: Count only, and write nothing.

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
        since: datetime | str | None = ...,
        by: Iterable[ActorKind | str] | None = ...,
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
            as_of: Facts that held at this instant.
            known_at: As it was known at this instant.
            lifecycles: Only facts in this state, not current ones; may be repeated.
            reviews: Only in this state of review; may be repeated.
            since: Only facts that began at this instant or later.
            by: Only facts by this author; may be repeated.
            channel: Only of this channel.
            subject: What the triple is about.
            predicate: How subject and object are joined.
            object: The value of the triple.
            area: The field, such as Network or Study.
            environment: Such as home or office.
            system: The system.
            component: The component of the system.
            tags: May be repeated.
            about: Only about this entity, by ID or name.
            episode_id: Only facts that rest on this episode.

        Returns:
            Historical facts that nobody reviewed.
        """

    def promote_many(
        self,
        fact_ids: Iterable[str],
    ) -> Promoted:
        """
        Make imported facts current, one decision each.

        Args:
            fact_ids: Historical facts.

        Returns:
            The facts that are current now, those that wait because another would end, and those that
            were refused.

        Raises:
            ForbiddenError: the caller is not a human.
        """

class FixesVerbs:
    """The verbs of `brain.fixes`."""

    def list(
        self,
        *,
        is_all: bool = False,
        limit: int = 20,
        scope: str | None = None,
    ) -> Sequence[Fix]:
        """
        List failures that were overcome, the latest first.

        In one session, a command failed, something was changed, and the same command came through. The
        error is a line of the output, and the reason is the agent's own sentence. A failure that came
        again is listed once, with its number of sessions.

        Args:
            is_all: Also fixes that name neither a cause nor another command.
            limit: The most to return (20).
            scope: Only this scope and global.

        Returns:
            The failures with a reason, those that came again, and those that another command ended.
        """

    def get(
        self,
        fix_id: str,
        *,
        scope: str | None = None,
    ) -> Fix:
        """
        Show one failure that was overcome, with the episodes that prove it.

        Args:
            fix_id: The fix's ID.
            scope: Only this scope and global.

        Returns:
            The failure, its reason, what was changed, and where it came through.

        Raises:
            NotFoundError: there is no such fix, or it cannot be seen from the scope.
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

        A gap that is known in other words is not recorded twice: these episodes become its evidence.

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
            InvalidInputError: an episode is in another scope, or the gap to follow is still open.
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

        A capability that somebody asked for and was refused is recorded as a gap. A gap that is known
        in other words gets more evidence; `tilth review` asks whether two similar gaps are one.

        Args:
            since: How far back: 90m, 24h, 7d or 2w (24h).
            entity: Only gaps that came up with this entity, by name or ID.
            limit: The most messages to read (100).
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
            entity: Only gaps that came up with this entity, by name or ID.
            sort: What comes first (frequency).
            limit: The most to return (50).
            offset: How many to skip (0).
            scope: Only this scope and global.

        Returns:
            The visible gaps, without those that were merged into others.

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
            The gap, its evidence, the gaps merged into it, and its events; of erased evidence only the
            ID.

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
        Change the status of a gap, or record where its task is.

        Args:
            gap_id: The gap's ID.
            status: Its new status; only a human sets wont_fix.
            todo_ref: Where its task is.
            note: Why, or how.

        Returns:
            The gap as it is now.

        Raises:
            ForbiddenError: the caller is anonymous or an import, or sets `wont_fix` and is not a human.
            NotFoundError: there is no such gap.
            ConflictError: that status cannot follow the present one.
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
        Draft the TODO of a gap in the outbox beside the store.

        A gap gets one TODO in its life.

        Args:
            gap_id: The gap's ID.

        Returns:
            The gap, with the reference of its TODO and the path of the file.

        Raises:
            ForbiddenError: the caller is anonymous or an import.
            NotFoundError: there is no such gap.
            ConflictError: it has a TODO, or is closed.
            UnavailableError: the outbox cannot be written; then the gap has no TODO.
        """

    def run(
        self,
        *,
        is_forced: bool = False,
        is_dry_run: bool = False,
        threshold: int | None = None,
    ) -> GapRun:
        """
        Resolve gaps whose task is done, scan for gaps, and draft TODOs.

        At most five TODOs are drafted, for gaps that came up often enough, and filed in the
        repositories that a human chose. The worker does this every six hours.

        Args:
            is_forced: Even if it is too early.
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
        Stop filing the TODOs of a scope in a repository.

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

class GardenVerbs:
    """The verbs of `brain.garden`."""

    def init(
        self,
    ) -> Sequence[str]:
        """
        Make the garden's folder: inbox, outbox, snapshots, logs.

        Returns:
            The names of what was made; none if all of it exists.

        Raises:
            ForbiddenError: the caller is anonymous or an import.
            UnavailableError: the folder cannot be made.
        """

    def run(
        self,
        *,
        is_applied: bool = False,
        is_forced: bool = False,
        hours: int | None = None,
    ) -> CycleReport:
        """
        Run the cycle that is due; without --apply only say what it would do.

        A cycle reads the inbox, tends at most three topics with at most 5 searches, 3 documents and 10
        candidates, and writes the outbox. The worker runs one a day. An interrupted cycle is finished
        first. The command exits with 0 if the garden is healthy, 1 if not, 3 if another cycle runs.

        Args:
            is_applied: Carry it out; without it, only show it.
            is_forced: Even if none is due.
            hours: How long after one cycle the next is due (the setting garden_hours).

        Returns:
            What was done or would be, the nine signs of health, and when the next one is due.

        Raises:
            ForbiddenError: the caller is anonymous or an import.
            UnavailableError: the folder cannot be written; the next run continues.
        """

    def status(
        self,
        *,
        hours: int | None = None,
    ) -> CycleReport:
        """
        Show nine signs of the garden's health, the last cycle, and what waits.

        Args:
            hours: How long after one cycle the next is due (the setting garden_hours).

        Returns:
            The signs, what needs attention, and when the next cycle is due.
        """

    def next(
        self,
        *,
        hours: int | None = None,
    ) -> datetime:
        """
        Say when the next cycle is due.

        Args:
            hours: How long after one cycle the next is due (the setting garden_hours).

        Returns:
            The instant; now, if a cycle was missed or interrupted.
        """

    def budget(
        self,
    ) -> Sequence[Allowance]:
        """
        Show what the last cycle spent, and what it may spend.

        The ledger records all of it for each cycle, so a killed cycle continues with what is left:
        searches, documents, candidates, and the calls, tokens and money of models. The setting
        `spend_run` limits the latter.

        Returns:
            Each budget, with what is spent of it; none before the first cycle.
        """

    def candidates(
        self,
        *,
        topic_id: str | None = None,
        is_all: bool = False,
        limit: int = 50,
        scope: str | None = None,
    ) -> Sequence[Candidate]:
        """
        List candidates with their evidence, the newest first.

        Args:
            topic_id: Only of this topic, by its name or its ID.
            is_all: Also decided ones.
            limit: The most to return (50).
            scope: Only this scope and global.

        Returns:
            The candidates that wait for a human; with `is_all`, also the decided ones.
        """

    def digest(
        self,
    ) -> str:
        """
        Show the digest as the last cycle wrote it.

        Returns:
            Its text, in Markdown.
        """

    def sign(
        self,
        inbox: str = 'inbox',
    ) -> InboxReport:
        """
        Sign the files of an inbox as they are, and carry them out.

        A file has no authority: until a human signs exactly its bytes, it only suggests answers. Files
        in a folder that is named after a reviewer count as that reviewer's.

        Args:
            inbox: Whose inbox, such as ana of inbox/ana (inbox).

        Returns:
            What was applied, what disagrees with another reviewer, and what names no candidate.

        Raises:
            ForbiddenError: the caller is not a human.
            NotFoundError: there is no such inbox, or its files hold no answer.
            InvalidInputError: a file is not a list of candidates.
        """

    def metrics(
        self,
    ) -> Metrics:
        """
        Show the garden's coverage, freshness, accuracy, efficiency and engagement.

        Returns:
            The five figures, and what became of the candidates of each question and source.
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

        If its predicate has one value, it supersedes the current triple or waits for a human, as the
        rule of the predicate says.

        Args:
            channel: The channel of a triple.
            subject: A name or URN.
            predicate: How the two are joined.
            object: A value, a name or a URN.
            session_id: The session it comes from.
            rationale: Why; decisions need it.
            confidence: 0 to 1, or high, medium, low.
            scope: Where it belongs: global, project:KEY or domain:NAME (global).
            valid_from: When it began, if not now.
            valid_to: When it ends, if it does; a day ends with it.
            supersedes: The fact that it supersedes.

        Returns:
            The fact, what was done with it, and the waiting proposal, if any.

        Raises:
            InvalidInputError: a part is missing, or the triple breaks the channel's rule.
        """

    def archive(
        self,
        item: str,
        *,
        reason: str = '',
    ) -> Closed:
        """
        Close a work item: end who works on it, and its phase.

        `tilth fact undo ID` brings back a fact that ended. A fact that a human confirmed waits for a
        human.

        Args:
            item: A URN, or any name of the work item.
            reason: Why, if not simply over.

        Returns:
            The facts that ended, and the waiting proposals.

        Raises:
            NotFoundError: nothing visible has that name.
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

        A depth of 2 or more also follows the URNs in the answer, to triples about them and triples that
        point at them.

        Args:
            entity: A URN, or any name of the thing.
            depth: Hops, at most 5 (1).
            channel: Only this channel.
            as_of: Facts that held at this instant.
            known_at: As it was known at this instant.
            scope: Only this scope and global.

        Returns:
            The triples, nearest first, and how far the walk went.
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
        Show the triples of a thing and when they held, oldest first.

        If there are more than `limit`, those that began last are shown.

        Args:
            entity: A URN, or any name of the thing.
            limit: The most to return (100).
            channel: Only this channel.
            predicate: Only this predicate.
            since: Only triples that began at this instant or later.
            known_at: As it was known at this instant.
            scope: Only this scope and global.

        Returns:
            The triples that hold and those that held.
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
            since: Only triples that began at this instant or later.
            known_at: As it was known at this instant.
            scope: Only this scope and global.

        Returns:
            How many hold in all, and under each predicate.
        """

class ModelsVerbs:
    """The verbs of `brain.models`."""

    def list(
        self,
    ) -> ModelsNow:
        """
        Show the language models that are set, their tasks, and today's spending.

        For a model that cannot be asked, it shows what is missing; for a model that gave no answer last
        time, when that was. No model is asked.

        Returns:
            The models, and today's spending beside the budget.
        """

    def try_all(
        self,
    ) -> builtins.list[Trial]:
        """
        Have each language model that is set read one sentence, and show its answer.

        Each is asked as the worker asks it, within the budget, and is shown nothing that you recorded.

        Returns:
            A trial of each model: its answer or the reason for none, its cost, and its duration.

        Raises:
            ForbiddenError: the caller is not a human.
        """

    def think(
        self,
        kind: builtins.type[Claims | Adjudication | SummaryDraft | ToneDraft | IdleJudgement | GapsSeen | PlaybookDraft | PageDraft | Contradictions | TopicFindings | Judged],
        question: Question,
    ) -> Thought[Claims | Adjudication | SummaryDraft | ToneDraft | IdleJudgement | GapsSeen | PlaybookDraft | PageDraft | Contradictions | TopicFindings | Judged] | Refusal:
        """
        Ask a language model, within its budget.

        Args:
            kind: The task, by the class of its answer.
            question: What is asked.

        Returns:
            The validated answer, or why there is none.
        """

    def spent_today(
        self,
    ) -> SpentToday:
        """
        Return what language models spent today.

        Returns:
            Calls and money, of what the budget allows.
        """

class NotesVerbs:
    """The verbs of `brain.notes`."""

    def list(
        self,
        *,
        is_all: bool = False,
        limit: int = 100,
        offset: int = 0,
        scope: str | None = None,
    ) -> Sequence[KnownNote]:
        """
        List the notes for later sessions, the newest first.

        Args:
            is_all: Also ended ones.
            limit: The most to return (100).
            offset: How many to skip (0).
            scope: Only this scope and global.

        Returns:
            The current notes among the last 1,000, each with its author and whether it holds in all
            work; with *is_all* also those that ended, with what ended them.
        """

    def edit(
        self,
        note: str,
        text: str,
        *,
        scope: str | None = None,
    ) -> EpisodeId:
        """
        Replace a note by another.

        The new note holds where the old one did, in all work if that one did. The old one is kept, and
        recall finds it behind the new one.

        Args:
            note: The note's ID, as listed or told.
            text: The new words, quoted or not.
            scope: Only this scope and global.

        Returns:
            The ID of the new note.

        Raises:
            NotFoundError: there is no such note, or it cannot be seen from the scope.
            InvalidInputError: the ID is not that of a note, or the text is empty or too long.
            ForbiddenError: a person wrote the note, and the caller is not a human.
        """

    def end(
        self,
        note: str,
        reason: str = '',
        *,
        scope: str | None = None,
    ) -> EpisodeId:
        """
        End a note.

        No later session is told it. It is kept, and recall finds it as superseded, with the reason.

        Args:
            note: The note's ID, as listed or told.
            reason: Why, for those who find it later.
            scope: Only this scope and global.

        Returns:
            The ID of the note that ends it.

        Raises:
            NotFoundError: there is no such note, or it cannot be seen from the scope.
            InvalidInputError: the ID is not that of a note.
            ForbiddenError: a person wrote the note, and the caller is not a human.
        """

class OperationsVerbs:
    """The verbs of `brain.operations`."""

    def get(
        self,
        operation: str,
    ) -> Story:
        """
        Show one change: who made it and why, before and after, and what rests on it.

        Args:
            operation: An ID that `tilth changes` shows: the operation, or what it made.

        Returns:
            The operation in full.

        Raises:
            ForbiddenError: the caller is not a human.
            NotFoundError: there is no such operation.
        """

class PagesVerbs:
    """The verbs of `brain.pages`."""

    def compile(
        self,
        kind: PageKind | str,
        what: str = '',
        *,
        name: str = '',
        title: str = '',
        area: str = '',
        environment: str = '',
        system: str = '',
        without: Sequence[str] | None = None,
        is_foundational: bool | None = None,
        scope: str | None = None,
        folder: str = '',
    ) -> Compiled:
        """
        Compile a page from what is known now.

        It states and cites facts of its scope alone that hold and are known or corroborated. A language
        model, if set, puts the facts into words; a sentence that cites nothing, or something that the
        model was not shown, is refused, and the page keeps its plain form.

        Args:
            kind: What kind of page.
            what: The entity or the topic.
            name: What it is called, if not after its subject.
            title: Its heading, if not its subject.
            area: Only facts of this area.
            environment: Only of this environment.
            system: Only of this system.
            without: Leave out facts that hold this term; may be repeated.
            is_foundational: Every session reads it, and whole; a person says that.
            scope: Whose facts it states.
            folder: Of a project without a scope: a folder of it.

        Returns:
            The page, and whether anything of it is new.

        Raises:
            ForbiddenError: the caller is anonymous, or is not a human and makes it foundational or
                makes a page again that a person removed.
            NotFoundError: nothing is known of its subject; an existing page stays as it is.
            InvalidInputError: an argument that the kind needs is missing.
        """

    def refresh(
        self,
        name: str,
        *,
        scope: str | None = None,
    ) -> Compiled:
        """
        Compile an existing page again.

        Args:
            name: The name of the page, or its title, as listed.
            scope: Only this scope and global.

        Returns:
            The page, and whether anything of it is new.

        Raises:
            ForbiddenError: the caller is anonymous.
            NotFoundError: there is no such page, or nothing is known of it any more.
        """

    def list(
        self,
        *,
        kind: PageKind | str | None = None,
        is_stale: bool = False,
        scope: str | None = None,
    ) -> Sequence[Page]:
        """
        List pages: the foundational ones first, then by scope and name.

        Args:
            kind: Only of this kind.
            is_stale: Only those that are stale.
            scope: Only this scope and global.

        Returns:
            The visible pages.
        """

    def get(
        self,
        name: str,
        *,
        scope: str | None = None,
    ) -> PageView:
        """
        Show a page, each line with what it cites; a stale page says so.

        Args:
            name: The name of the page, or its title, as listed.
            scope: Only this scope and global.

        Returns:
            The page, its sources as they stand now, the pages that it leads to, and its markdown.

        Raises:
            NotFoundError: there is no such page, or it cannot be seen from the scope.
        """

    def read(
        self,
        *,
        budget: int = 1000,
        scope: str | None = None,
    ) -> Reading:
        """
        Read the pages that a session begins with, within a budget of tokens.

        Foundational pages come first and whole, whatever the budget; then the project's page, then
        those compiled last. No language model is asked.

        Args:
            budget: About this many tokens (1000).
            scope: Only this scope and global.

        Returns:
            Their text, which of them are stale, and which did not fit.
        """

    def remove(
        self,
        name: str,
        *,
        scope: str | None = None,
    ) -> Page:
        """
        Remove a page with its locked sections; the facts that it states stay.

        No sweep and no agent makes it anew; a person does, with `tilth page compile`. The lines that
        people took off it stay off every page of its subject.

        Args:
            name: The name of the page, or its title, as listed.
            scope: Only this scope and global.

        Returns:
            The page as it was.

        Raises:
            ForbiddenError: the caller is not a human.
            NotFoundError: there is no such page.
        """

    def lint(
        self,
        *,
        scope: str | None = None,
    ) -> Sequence[Finding]:
        """
        Show what is wrong with the pages, and what mends it.

        It finds pages that are stale, cite a fact that no longer holds, contradict something or are
        linked from no page; dead links in people's words; and projects, things and topics that deserve
        a page and have none.

        Args:
            scope: Only this scope and global.

        Returns:
            The findings.
        """

    def manifest(
        self,
        *,
        scope: str | None = None,
    ) -> Sequence[ManifestEntry]:
        """
        Show the inputs, the version and the cost of each page, in compile order.

        Args:
            scope: Only this scope and global.

        Returns:
            An entry for each visible page.
        """

    def sweep(
        self,
        *,
        at_most: int | None = None,
    ) -> PagesSwept:
        """
        Compile stale pages, and make missing ones that nobody removed.

        Foundational pages come first and topics last, so that the pages that a topic gathers exist. The
        worker does it by itself. A page that is plain because the budget was spent or the model was
        away is put into words on another day.

        Args:
            at_most: The most pages to return (the setting page_sweep).

        Returns:
            How many were stale, compiled and made.

        Raises:
            ForbiddenError: the caller is anonymous.
        """

    def edit(
        self,
        name: str,
        text: str,
        *,
        scope: str | None = None,
    ) -> Edited:
        """
        Propose what somebody changed in a page.

        The edit itself is not written into the page. A changed line proposes a change of the fact that
        it cites, a deleted line proposes to end its facts, and words that cite nothing become a locked
        section. A line that a person deletes twice within a month is not compiled there again; a text
        from a pipe is nobody's word, and only proposes.

        Args:
            name: The name of the page, or its title, as listed.
            text: The words.
            scope: Only this scope and global.

        Returns:
            The page as it is, the waiting proposals, and what is locked now.

        Raises:
            ForbiddenError: the caller is anonymous, or adds own words and is not a human.
            NotFoundError: there is no such page.
            ConflictError: a line cites something that the page does not.
            InvalidInputError: a changed line does not rest on exactly one fact.
        """

    def lock(
        self,
        name: str,
        section: str,
        text: str = '',
        *,
        scope: str | None = None,
    ) -> Page:
        """
        Replace a section by your own words, which are kept word for word.

        What would be compiled there is shown beside it, and can be taken or declined.

        Args:
            name: The name of the page, or its title, as listed.
            section: Its section, as page show tells it.
            text: The words.
            scope: Only this scope and global.

        Returns:
            The page.

        Raises:
            ForbiddenError: the caller is not a human.
            NotFoundError: there is no such page.
        """

    def unlock(
        self,
        name: str,
        section: str,
        *,
        scope: str | None = None,
    ) -> Page:
        """
        Let a section be compiled again, which removes your words from the page.

        Args:
            name: The name of the page, or its title, as listed.
            section: Its section, as page show tells it.
            scope: Only this scope and global.

        Returns:
            The page.

        Raises:
            ForbiddenError: the caller is not a human.
            NotFoundError: there is no such page or section.
            ConflictError: the section is not locked.
        """

    def arrange(
        self,
        name: str,
        section: str,
        *,
        is_pinned: bool | None = None,
        position: int | None = None,
        is_told: bool | None = None,
        description: str | None = None,
        without: Sequence[str] | None = None,
        scope: str | None = None,
    ) -> Page:
        """
        Set where a section stands, what it is for, and what is left out of it.

        That lasts, however often the page is compiled. Lines that hold a term to leave out go at once.

        Args:
            name: The name of the page, or its title, as listed.
            section: Its section, as page show tells it.
            is_pinned: Show the section first.
            position: Its place on the page: 1 is first, 0 as compiled.
            is_told: Show the section when a session begins.
            description: What it is for, in one line.
            without: Leave out lines that hold this term; may be repeated.
            scope: Only this scope and global.

        Returns:
            The page.

        Raises:
            ForbiddenError: the caller is not a human.
            NotFoundError: there is no such page or section.
            LimitExceededError: there are more than 32 terms, or the description is too long.
        """

    def take(
        self,
        name: str,
        section: str,
        *,
        signature: str,
        scope: str | None = None,
    ) -> Page:
        """
        Replace a locked section by what would be compiled there; it stays locked.

        Args:
            name: The name of the page, or its title, as listed.
            section: Its section, as page show tells it.
            signature: The signature of what waits, as page show tells it.
            scope: Only this scope and global.

        Returns:
            The page.

        Raises:
            ForbiddenError: the caller is not a human.
            NotFoundError: there is no such page or section.
            ConflictError: nothing waits there, or something else than was shown.
        """

    def decline(
        self,
        name: str,
        section: str,
        *,
        signature: str,
        scope: str | None = None,
    ) -> Page:
        """
        Keep a locked section as it is; the declined text is not offered again.

        Args:
            name: The name of the page, or its title, as listed.
            section: Its section, as page show tells it.
            signature: The signature of what waits, as page show tells it.
            scope: Only this scope and global.

        Returns:
            The page.

        Raises:
            ForbiddenError: the caller is not a human.
            NotFoundError: there is no such page or section.
            ConflictError: nothing waits there, or something else than was shown.
        """

class PeopleVerbs:
    """The verbs of `brain.people`."""

    def introduce(
        self,
        name: str,
        *,
        type: EntityType | str = 'person',
        scope: str = 'global',
        is_namesake: bool = False,
        aliases: Sequence[str] = ...,
        transport: str = ...,
        address: str = ...,
        display_name: str = ...,
        addresses: Sequence[str] = ...,
        confidence: str = ...,
        traits: Mapping[str, str] = ...,
    ) -> Introduced:
        """
        Record somebody with an address and traits, in one transaction.

        Args:
            name: The name that it is shown by.
            type: The kind of thing (person).
            scope: Where it belongs: global, project:KEY or domain:NAME (global).
            is_namesake: Make another one, though the name is known.
            aliases: Other names.
            transport: The transport of the address.
            address: The address, as that transport writes it.
            display_name: The name that its owner has there.
            addresses: More addresses, each as 'TRANSPORT ADDRESS'.
            confidence: How sure the addresses are.
            traits: What is known of them, by key.

        Returns:
            The entity, its address or the proposal to link it, and the traits.

        Raises:
            ConflictError: a person has that name, or the address belongs to another entity.
            ForbiddenError: the caller confirms and is not a human.
            InvalidInputError: it cannot be a name, or the transport is not configured.
        """

    def link(
        self,
        entity: str,
        transport: str,
        address: str,
        *,
        display_name: str = '',
        confidence: LinkConfidence | str = 'suggested',
        is_verified: bool = False,
    ) -> Linked:
        """
        Link an address on a transport to an entity.

        An address belongs to one entity alone. Only a human decides whose the address of a person, an
        agent or an account is: an agent's link waits in the review queue.

        Args:
            entity: A name that no other entity has, or its ID.
            transport: Matrix, email, slack and so on.
            address: The address, as that transport writes it.
            display_name: The name that its owner has there.
            confidence: How sure it is (suggested).
            is_verified: You know that it is theirs; only a human may say so.

        Returns:
            The linked address, or the waiting proposal.

        Raises:
            NotFoundError: there is no such entity.
            ConflictError: the address belongs to another entity.
            ForbiddenError: the caller confirms and is not a human.
        """

    def unlink(
        self,
        transport: str,
        address: str,
        *,
        keep: bool = False,
        reason: str = '',
    ) -> Identity:
        """
        Unlink an address from its entity.

        Its messages then belong to nobody, and later to the entity that it is linked to next. With
        `--keep` they stay with the present entity, for an address that passes to somebody else.

        Args:
            transport: Matrix, email, slack and so on.
            address: The address, as that transport writes it.
            keep: The address changes hands; earlier messages stay with the former owner.
            reason: Why.

        Returns:
            The address as it was linked.

        Raises:
            NotFoundError: the address is not linked.
        """

    def verify(
        self,
        transport: str,
        address: str,
    ) -> Identity:
        """
        Confirm the entity that an address is linked to.

        Args:
            transport: Matrix, email, slack and so on.
            address: The address, as that transport writes it.

        Returns:
            The address as it is linked now.

        Raises:
            NotFoundError: the address is not linked.
            ForbiddenError: the caller is not a human.
        """

    def resolve(
        self,
        transport: str,
        address: str,
        *,
        scope: str | None = None,
    ) -> Known | None:
        """
        Find the entity that is reached at an address.

        Args:
            transport: Matrix, email, slack and so on.
            address: The address, as that transport writes it.
            scope: Only this scope and global.

        Returns:
            The entity and its address; None if the address is not linked.

        Raises:
            InvalidInputError: the transport is not configured.
        """

    def suggest(
        self,
        transport: str,
        address: str,
        *,
        display_name: str = '',
        limit: int = 10,
        scope: str | None = None,
    ) -> Sequence[Suggestion]:
        """
        Suggest the entities that an address may belong to.

        Args:
            transport: Matrix, email, slack and so on.
            address: The address, as that transport writes it.
            display_name: The name that its owner has there.
            limit: The most to return (10).
            scope: Only this scope and global.

        Returns:
            Entities with a score from 0 to 1 and the reason.

        Raises:
            InvalidInputError: the transport is not configured.
        """

    def identities(
        self,
        name: str,
        *,
        scope: str | None = None,
    ) -> Sequence[Identity]:
        """
        List the addresses of an entity.

        Args:
            name: Any name of it, or its ID.
            scope: Only this scope and global.

        Returns:
            Its addresses, each with how sure it is.

        Raises:
            NotFoundError: no visible entity has that name.
        """

    def interactions(
        self,
        name: str,
        *,
        transport: str | None = None,
        limit: int = 20,
        is_private: bool = False,
        scope: str | None = None,
    ) -> Interactions:
        """
        Show the latest messages with an entity, over all transports.

        Args:
            name: Any name of it, or its ID.
            transport: Only by this transport.
            limit: The most to return (20).
            is_private: Mask mail, addresses, numbers and secrets.
            scope: Only this scope and global.

        Returns:
            The messages, the newest first, and how many there are in all.

        Raises:
            NotFoundError: no visible entity has that name.
            InvalidInputError: the transport is not configured.
        """

    def stats(
        self,
        *,
        scope: str | None = None,
    ) -> Mapping[str, Mapping[str, int]]:
        """
        Count entities, identities and profiles.

        Args:
            scope: Only this scope and global.

        Returns:
            For each of the three, how many there are of which kind.
        """

    def tell(
        self,
        entity: str,
        key: str,
        value: str,
        *,
        confidence: ProfileConfidence | str = 'medium',
        evidence: Iterable[str] = (),
    ) -> Trait:
        """
        Record a trait of an entity.

        The earlier value under that key stays in the history.

        Args:
            entity: A name that no other entity has, or its ID.
            key: The trait, such as language.
            value: Its new value.
            confidence: How sure it is (medium).
            evidence: Episodes that show it.

        Returns:
            The trait as it is now.

        Raises:
            NotFoundError: there is no such entity or episode.
            ForbiddenError: a human recorded another value, or the evidence has a narrower scope than
                the entity, and the caller is not a human.
            ConflictError: several entities have that name.
        """

    def profile(
        self,
        name: str,
        *,
        scope: str | None = None,
    ) -> Sequence[Trait]:
        """
        Return the profile of an entity.

        Args:
            name: Any name of it, or its ID.
            scope: Only this scope and global.

        Returns:
            The current trait under each key.

        Raises:
            NotFoundError: no visible entity has that name.
        """

    def history(
        self,
        name: str,
        *,
        key: str | None = None,
        scope: str | None = None,
    ) -> Sequence[Trait]:
        """
        Return every version of a profile, the oldest first.

        Args:
            name: Any name of it, or its ID.
            key: Only this trait.
            scope: Only this scope and global.

        Returns:
            The traits that hold and those that held.

        Raises:
            NotFoundError: no visible entity has that name.
        """

class PlaybooksVerbs:
    """The verbs of `brain.playbooks`."""

    def list(
        self,
        *,
        state: PlaybookState | str | None = None,
        limit: int = 50,
        offset: int = 0,
        scope: str | None = None,
    ) -> Sequence[Playbook]:
        """
        List playbooks, the newest first.

        Args:
            state: Only in this state.
            limit: The most to return (50).
            offset: How many to skip (0).
            scope: Only this scope and global.

        Returns:
            The visible playbooks; without a state, also those that are no longer in use.
        """

    def get(
        self,
        playbook_id: str,
        *,
        scope: str | None = None,
    ) -> PlaybookStory:
        """
        Show a playbook: its steps, its pitfalls, its evidence, and how it did.

        Args:
            playbook_id: The playbook's ID.
            scope: Only this scope and global.

        Returns:
            The playbook, and each session that followed it.

        Raises:
            NotFoundError: there is no such playbook, or it cannot be seen from the scope.
        """

    def revise(
        self,
        playbook_id: str,
        *,
        title: str | None = None,
        applies_when: str | None = None,
        steps: Sequence[str] | None = None,
        pitfalls: Sequence[str] | None = None,
        note: str = '',
    ) -> PlaybookStory:
        """
        Revise a playbook; the new words wait for `tilth playbook confirm`.

        A candidate is changed at once. A confirmed playbook gets a version beside it, which takes its
        place once it is confirmed. What is left out stays as it is.

        Args:
            playbook_id: The playbook's ID.
            title: What it is.
            applies_when: When it applies.
            steps: One step; give all of them, in order.
            pitfalls: One pitfall; give all of them, or '' for none.
            note: Why.

        Returns:
            The waiting version, with what it changes.

        Raises:
            ForbiddenError: the caller is not a human.
            NotFoundError: there is no such playbook.
            ConflictError: it is neither in use nor a candidate, or another revision waits already.
            InvalidInputError: nothing would change, or the words are not a playbook.
        """

    def report(
        self,
        playbook_id: str,
        ended: SessionEnd | str,
        *,
        session_id: str,
    ) -> Playbook:
        """
        Report how a session that followed a playbook ended.

        A session counts once, even if the playbook was drafted from it. What tools show outweighs a
        report, and a report neither promotes nor retires anything. A report on a replaced version
        counts for the version that replaced it.

        Args:
            playbook_id: The playbook's ID.
            ended: Whether it worked.
            session_id: The session that did it.

        Returns:
            The playbook with its counts.

        Raises:
            ForbiddenError: the caller is anonymous or an import.
            NotFoundError: there is no such playbook.
        """

    def confirm(
        self,
        playbook_id: str,
        *,
        digest: str,
        note: str = '',
    ) -> PlaybookChange:
        """
        Confirm exactly these words of a playbook.

        From then on agents are told of it.

        Args:
            playbook_id: The playbook's ID.
            digest: The digest of the words that you read, as playbook show tells it.
            note: Why.

        Returns:
            The playbook as it is now, its skills, and their files.

        Raises:
            ForbiddenError: the caller is not a human.
            NotFoundError: there is no such playbook.
            ConflictError: its words are different now, or it was confirmed already.
        """

    def veto(
        self,
        playbook_id: str,
        *,
        note: str = '',
    ) -> PlaybookChange:
        """
        Refuse a playbook.

        Its skills retire with it. The same evidence never drafts it again. New evidence may draft it
        once more, with the veto beside it; a second veto is final.

        Args:
            playbook_id: The playbook's ID.
            note: Why.

        Returns:
            The playbook as it is now, its skills, and their files.

        Raises:
            ForbiddenError: the caller is not a human.
            NotFoundError: there is no such playbook.
            ConflictError: it was vetoed already.
        """

    def retire(
        self,
        playbook_id: str,
        *,
        note: str = '',
    ) -> PlaybookChange:
        """
        Retire a confirmed playbook and its skills.

        Args:
            playbook_id: The playbook's ID.
            note: Why.

        Returns:
            The playbook as it is now, its skills, and their files.

        Raises:
            ForbiddenError: the caller is not a human.
            NotFoundError: there is no such playbook.
            ConflictError: it is not in use.
        """

    def restore(
        self,
        playbook_id: str,
        *,
        note: str = '',
    ) -> PlaybookChange:
        """
        Bring back a playbook that was retired, archived or vetoed.

        A retired playbook becomes confirmed again; an archived or vetoed one becomes a candidate.

        Args:
            playbook_id: The playbook's ID.
            note: Why.

        Returns:
            The playbook as it is now, its skills, and their files.

        Raises:
            ForbiddenError: the caller is not a human.
            NotFoundError: there is no such playbook.
            ConflictError: it is in use.
        """

class ProjectsVerbs:
    """The verbs of `brain.projects`."""

    def list(
        self,
        *,
        state: ProjectState | str | None = None,
        scope: str | None = None,
    ) -> Sequence[Project]:
        """
        List projects by name; archived ones only if that state is asked for.

        Args:
            state: Only in this state.
            scope: Only this scope and global.

        Returns:
            The projects with any record.
        """

    def move(
        self,
        project: str,
        state: ProjectState | str,
    ) -> Project:
        """
        Say whether a project is worked on, paused or archived.

        Agents are told nothing unasked of a project that is paused or archived; they are still told
        what is global. Capture and recall go on as before.

        Args:
            project: The project, such as project:shop.
            state: Active, paused or archived.

        Returns:
            The project as it is now.

        Raises:
            ForbiddenError: the caller is not a human.
            NotFoundError: the project has no record.
            ConflictError: the project is in that state already.
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

        Raises:
            InvalidInputError: the receipt names no scope or session, or holds words instead of a
                digest.
        """

    def list(
        self,
        session_id: str | None = None,
        *,
        limit: int = 20,
        offset: int = 0,
        scope: str | None = None,
    ) -> Sequence[ContextReceipt]:
        """
        List what agents were shown, the newest first.

        Args:
            session_id: Only this session.
            limit: The most to return (20).
            offset: How many to skip (0).
            scope: Only this scope and global.

        Returns:
            At most 1,000 receipts: when, by which way, how many items and tokens.
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
            The receipt, the question, and each item as it stands now with its votes. Items that were
            erased since are named without their words.

        Raises:
            NotFoundError: there is no such receipt, or it cannot be seen from the scope.
        """

class ReviewVerbs:
    """The verbs of `brain.review`."""

    def scan(
        self,
        *,
        after: int = 0,
        limit: int = 1000,
    ) -> ContradictionScan:
        """
        Ask a human about current facts of one system that contradict each other.

        Args:
            after: Begin after this place in the ledger (0).
            limit: The most events to check (1000).

        Returns:
            How many facts were compared, the waiting proposals, and the place to continue from.
        """

    def list(
        self,
        *,
        limit: int = 100,
        offset: int = 0,
        scope: str | None = None,
        states: Iterable[ProposalState | str] | None = ...,
        kinds: Iterable[ProposalKind | str] | None = ...,
        by: Iterable[ActorKind | str] | None = ...,
        about: str | None = ...,
    ) -> Queue:
        """
        List proposals, oldest first; unless a state is given, those that wait now.

        Args:
            limit: The most to return (100).
            offset: How many to skip (0).
            scope: Only this scope and global.
            states: Only proposals in this state, not open ones; may be repeated.
            kinds: Only this kind; may be repeated.
            by: Who asked; may be repeated.
            about: A fact that it is about.

        Returns:
            A page of proposals, and how many are waiting, put off and decided.

        Raises:
            InvalidInputError: a word is not one of those that its place allows.
        """

    def show(
        self,
        proposal_id: str,
        *,
        scope: str | None = None,
    ) -> Shown:
        """
        Show a proposal with everything that a decision rests on.

        Args:
            proposal_id: The proposal's ID, as listed.
            scope: Only this scope and global.

        Returns:
            The proposal, the facts of its sides, those that would end, and the digest that ties a
            decision to what is shown.

        Raises:
            NotFoundError: there is no such proposal, or it cannot be seen from the scope.
        """

    def question(
        self,
        fact_id: str,
        *,
        reason: str,
    ) -> Proposal:
        """
        Ask a human about a fact.

        Args:
            fact_id: The fact's ID, as listed.
            reason: What is doubtful about it.

        Returns:
            The waiting proposal.

        Raises:
            NotFoundError: there is no such fact.
        """

    def decide(
        self,
        proposal_id: str,
        action: Action | str,
        *,
        digest: str = ...,
        retires: Sequence[str] = ...,
        facts: Sequence[str] = ...,
        keeps: str | None = ...,
        since: datetime | str | None = ...,
        scope: str | None = ...,
        text: str = ...,
        value: str = ...,
        note: str = ...,
    ) -> Proposal:
        """
        Decide a proposal.

        Args:
            proposal_id: The proposal's ID, as listed.
            action: The answer.
            digest: The digest of what was shown.
            retires: Each fact that ends.
            facts: Only these of the facts in question.
            keeps: The side that stays.
            since: Since when it holds.
            scope: The only scope in which it holds.
            text: The whole statement in other words.
            value: The object of a triple.
            note: Why.

        Returns:
            The proposal with the ruling.

        Raises:
            ForbiddenError: the caller is not a human.
            ConflictError: it is decided already, or differs from what was shown.
            InvalidInputError: the action needs another argument, or does not fit this kind of proposal.
        """

    def confirm(
        self,
        proposal_id: str,
        *,
        digest: str,
        retires: Sequence[str] = (),
        note: str = '',
    ) -> Proposal:
        """
        Accept a proposal, naming the facts that end.

        Args:
            proposal_id: The proposal's ID, as listed.
            digest: The digest of what was shown.
            retires: Each fact that ends.
            note: Why.

        Returns:
            The proposal with the ruling.

        Raises:
            ForbiddenError: the caller is not a human.
            ConflictError: it is decided already, or differs from what was shown.
        """

    def reject(
        self,
        proposal_id: str,
        *,
        digest: str,
        note: str = '',
    ) -> Proposal:
        """
        Reject a proposal; an agent cannot make it again.

        Args:
            proposal_id: The proposal's ID, as listed.
            digest: The digest of what was shown.
            note: Why.

        Returns:
            The proposal with the ruling.

        Raises:
            ForbiddenError: the caller is not a human.
            ConflictError: it is decided already, or differs from what was shown.
        """

    def decide_many(
        self,
        answers: Iterable[Mapping[str, Any]],
    ) -> Sequence[Decided]:
        """
        Decide many proposals, each independently.

        Args:
            answers: Mappings with the arguments of `decide`.

        Returns:
            What became of each, in the order given.

        Raises:
            InvalidInputError: an answer cannot be read; then none is carried out.
        """

    def snooze(
        self,
        proposal_id: str,
        *,
        until: datetime | str,
    ) -> Proposal:
        """
        Put a proposal off.

        Args:
            proposal_id: The proposal's ID, as listed.
            until: Until this instant.

        Returns:
            The proposal as it waits now.

        Raises:
            ForbiddenError: the caller is not a human.
            ConflictError: it is decided.
        """

    def undo(
        self,
        proposal_id: str,
        *,
        reason: str = '',
    ) -> Proposal:
        """
        Undo a decision.

        Args:
            proposal_id: The proposal's ID, as listed.
            reason: Why.

        Returns:
            The proposal as it waits again.

        Raises:
            ForbiddenError: the caller is not a human.
            ConflictError: it is not decided, or something rests on the decision.
        """

class SessionsVerbs:
    """The verbs of `brain.sessions`."""

    def list(
        self,
        *,
        host: str = '',
        title: str = '',
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        limit: int = 20,
        offset: int = 0,
        scope: str | None = None,
    ) -> Sequence[Session]:
        """
        List sessions, the last active first.

        Args:
            host: Only of this agent program, such as codex.
            title: Only with these words in the title.
            since: Only sessions active at or after this instant.
            until: Only sessions active before this instant.
            limit: The most to return (20).
            offset: How many to skip (0).
            scope: Only this scope and global.

        Returns:
            At most 1,000 visible sessions.
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
            The session: its time, its number of episodes, and its description.

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
            session_id: The session's ID as listed or as its program tells it, or the beginning of one.
            limit: The most to return (100).
            after: Only items after this place in the ledger (0).
            scope: Only this scope and global.

        Returns:
            The session, and its episodes in the order of the ledger.

        Raises:
            NotFoundError: there is no such session, or it cannot be seen from the scope.
            InvalidInputError: the IDs of several sessions begin with it.
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

        The description replaces the earlier one. Secrets and private spans are removed.

        Args:
            session_id: The session's ID, as listed.
            info: Its title, host, folder, source and tags.
            scope: Where it belongs: global, project:KEY or domain:NAME (global).
        """

class SkillsVerbs:
    """The verbs of `brain.skills`."""

    def list(
        self,
        *,
        state: SkillState | str | None = None,
        limit: int = 50,
        offset: int = 0,
        scope: str | None = None,
    ) -> Sequence[Skill]:
        """
        List skills, the newest first.

        Args:
            state: Only in this state.
            limit: The most to return (50).
            offset: How many to skip (0).
            scope: Only this scope and global.

        Returns:
            The visible skills.
        """

    def get(
        self,
        skill_id: str,
        *,
        scope: str | None = None,
    ) -> SkillStory:
        """
        Show a skill: its file word for word, its sources, and who loaded it.

        Args:
            skill_id: The skill's ID.
            scope: Only this scope and global.

        Returns:
            The skill, the sessions that loaded it, and how its files are found.

        Raises:
            NotFoundError: there is no such skill, or it cannot be seen from the scope.
        """

    def draft(
        self,
        playbook_id: str,
        *,
        params: Sequence[str] = (),
    ) -> Skill:
        """
        Draft a candidate skill from a playbook that has not proved itself yet.

        In the file, a parameter is its name in angle brackets, with the value as an example.

        Args:
            playbook_id: The playbook's ID.
            params: Leave a value of its steps open under a name; may be repeated.

        Returns:
            The skill.

        Raises:
            ForbiddenError: the caller is not a human.
            NotFoundError: there is no such playbook.
            ConflictError: a skill of these bytes exists or existed, or the playbook is not in use.
            InvalidInputError: its words may not stand in a skill's file, or no step holds the value of
                a parameter.
        """

    def add(
        self,
        text: str = '-',
        *,
        sources: Sequence[str] = (),
        scope: str = 'global',
    ) -> Skill:
        """
        Record a skill that somebody wrote, as a candidate.

        Its front matter has a name and a description, and no other keys.

        Args:
            text: The words of the file, - reads standard input (-).
            sources: A playbook or fact that it rests on; may be repeated.
            scope: Where it belongs: global, project:KEY or domain:NAME (global).

        Returns:
            The skill.

        Raises:
            ForbiddenError: the caller is anonymous or an import.
            NotFoundError: nothing has the ID that it rests on.
            ConflictError: a skill of these bytes exists already, or a human revoked it.
            InvalidInputError: it is not a skill's file, or it rests on nothing and no human wrote it.
        """

    def approve(
        self,
        skill_id: str,
        *,
        digest: str,
        readers: Iterable[Reader | str] = (),
        folder: str = '',
        note: str = '',
    ) -> SkillStory:
        """
        Approve exactly these bytes, and install the skill where agents read skills.

        A skill of a revised playbook replaces that of the older version, in the same folder.

        Args:
            skill_id: The skill's ID.
            digest: The digest of the whole file that you read.
            readers: For whose folder: .claude/skills or .agents/skills; else both.
            folder: The project's folder, or another home.
            note: Why.

        Returns:
            The skill and its files.

        Raises:
            ForbiddenError: the caller is not a human, or a folder may not be written.
            NotFoundError: there is no such skill.
            ConflictError: the digest is of other bytes, a place is taken, or the skill was revoked.
            InvalidInputError: the folder is not one of the skill's project.
            UnavailableError: a file cannot be written; reflection tries again.
        """

    def disable(
        self,
        skill_id: str,
        *,
        note: str = '',
    ) -> SkillStory:
        """
        Remove a skill's files until it is approved again.

        Args:
            skill_id: The skill's ID.
            note: Why.

        Returns:
            The skill and its files.

        Raises:
            ForbiddenError: the caller is not a human.
            NotFoundError: there is no such skill.
            ConflictError: it is not installed.
        """

    def revoke(
        self,
        skill_id: str,
        *,
        note: str = '',
    ) -> SkillStory:
        """
        Revoke a skill for good, and remove its files.

        Args:
            skill_id: The skill's ID.
            note: Why.

        Returns:
            The skill and its files.

        Raises:
            ForbiddenError: the caller is not a human.
            NotFoundError: there is no such skill.
            ConflictError: it was revoked already.
        """

class SnapshotsVerbs:
    """The verbs of `brain.snapshots`."""

    def take(
        self,
    ) -> TakenSnapshot:
        """
        Take a snapshot of what is known today.

        The file holds every operation that led to it, the place in the ledger, and hashes. A second
        snapshot on a day replaces the first; the newest 30 are kept.

        Returns:
            The snapshot.
        """

    def list(
        self,
    ) -> Sequence[TakenSnapshot]:
        """
        List snapshots, the newest first.

        Returns:
            The snapshots, without the hash of each file.
        """

    def get(
        self,
        day: str,
    ) -> TakenSnapshot:
        """
        Check the hash of a day's snapshot, and show it.

        Args:
            day: The day, such as 2026-11-23.

        Returns:
            The snapshot.

        Raises:
            NotFoundError: there is no snapshot of that day.
            CorruptionError: its file is not as it was written.
        """

    def restore(
        self,
        day: str,
        *,
        confirm: str = '',
        reason: str = '',
    ) -> Rollback:
        """
        Go back to what was known on a day; without `--confirm`, show what would change.

        Later operations are set aside; `tilth snapshot reapply` brings them back. Episodes, erasures
        and rejections stay.

        Args:
            day: The day, such as 2026-11-23.
            confirm: The token of the plan.
            reason: Why.

        Returns:
            The plan, or what was done.

        Raises:
            ForbiddenError: the caller is not a human.
            NotFoundError: there is no snapshot of that day.
            CorruptionError: its file is not as it was written.
            ConflictError: it belongs to another history, the plan differs from what was shown, or
                nothing has changed.
        """

    def aside(
        self,
    ) -> Sequence[Aside]:
        """
        List what rollbacks and undos set aside, the newest first.

        Returns:
            Each rollback or undo with its operations.

        Raises:
            ForbiddenError: the caller is not a human.
        """

    def reapply(
        self,
        operation: str,
        *,
        only: Sequence[str] = (),
        reason: str = '',
    ) -> Undone:
        """
        Bring back what a rollback or an undo set aside.

        Args:
            operation: The rollback or undo.
            only: Redo only this operation; may be repeated.
            reason: Why.

        Returns:
            What is back, and the operation that brought it back.

        Raises:
            ForbiddenError: the caller is not a human.
            NotFoundError: there is no such operation.
            InvalidInputError: it set nothing aside, or not what is named.
            ConflictError: what it concerns has changed since, or all of it is back.
        """

class SourcesVerbs:
    """The verbs of `brain.sources`."""

    def list(
        self,
        *,
        limit: int = 50,
        scope: str | None = None,
    ) -> Sequence[Source]:
        """
        List the sources that cycles read, the last one read first.

        Args:
            limit: The most to return (50).
            scope: Only this scope and global.

        Returns:
            Each source with its credibility, what became of its candidates, and what those suggest.
        """

    def rate(
        self,
        source_id: str,
        credibility: Credibility | str,
        *,
        reason: str = '',
    ) -> Source:
        """
        Rate how far a source is believed, for the confidence of later candidates.

        Args:
            source_id: The source's ID.
            credibility: How credible it is.
            reason: Why.

        Returns:
            The source as it is now.

        Raises:
            ForbiddenError: the caller is not a human.
            NotFoundError: there is no such source.
            ConflictError: it has that rating already.
        """

class TopicsVerbs:
    """The verbs of `brain.topics`."""

    def add(
        self,
        name: str,
        *,
        priority: int = 3,
        freshness_days: int = 7,
        scope: str = 'global',
    ) -> Topic:
        """
        Add a topic for the garden to tend.

        Cycles search for what is new about it, and propose candidates with their source.

        Args:
            name: What it is about, in its usual words.
            priority: 1 (least) to 5 (tended first) (3).
            freshness_days: The days after which it is stale (7).
            scope: Where it belongs: global, project:KEY or domain:NAME (global).

        Returns:
            The topic.

        Raises:
            ForbiddenError: the caller is anonymous or an import.
            ConflictError: a topic of that name exists.
            InvalidInputError: the name is empty, or a number is out of its range.
        """

    def list(
        self,
        *,
        is_archived: bool = False,
        scope: str | None = None,
    ) -> Sequence[Topic]:
        """
        List topics, those of the highest priority first.

        Args:
            is_archived: Only archived ones.
            scope: Only this scope and global.

        Returns:
            The visible topics, with when they were tended and what they contain.
        """

    def edit(
        self,
        topic_id: str,
        *,
        name: str = '',
        priority: int | None = None,
        freshness_days: int | None = None,
        reason: str = '',
    ) -> Topic:
        """
        Change the name, priority or freshness of a topic.

        Args:
            topic_id: The topic: its name, or its ID.
            name: Its new name.
            priority: 1 (least) to 5 (tended first).
            freshness_days: The days after which it is stale.
            reason: Why.

        Returns:
            The topic as it is now.

        Raises:
            ForbiddenError: the caller is anonymous or an import.
            NotFoundError: there is no such topic.
            ConflictError: nothing would change, or another topic has that name.
            InvalidInputError: a number is out of its range.
        """

    def archive(
        self,
        topic_id: str,
        *,
        reason: str = '',
    ) -> Topic:
        """
        Stop tending a topic; its facts stay as they are.

        Args:
            topic_id: The topic: its name, or its ID.
            reason: Why.

        Returns:
            The topic as it is now.

        Raises:
            ForbiddenError: the caller is anonymous or an import.
            NotFoundError: there is no such topic.
            ConflictError: it is archived already.
        """

    def restore(
        self,
        topic_id: str,
        *,
        reason: str = '',
    ) -> Topic:
        """
        Tend an archived topic again.

        Args:
            topic_id: The topic: its name, or its ID.
            reason: Why.

        Returns:
            The topic as it is now.

        Raises:
            ForbiddenError: the caller is anonymous or an import.
            NotFoundError: there is no such topic.
            ConflictError: it is not archived.
        """

    def contain(
        self,
        topic_id: str,
        fact_id: str,
    ) -> Topic:
        """
        Add a known fact to a topic.

        Args:
            topic_id: The topic: its name, or its ID.
            fact_id: The fact's ID.

        Returns:
            The topic as it is now.

        Raises:
            ForbiddenError: the caller is anonymous or an import.
            NotFoundError: there is no such topic or fact.
            ConflictError: the topic contains it already.
        """

    def get(
        self,
        topic_id: str,
        *,
        scope: str | None = None,
    ) -> TopicStory:
        """
        Show a topic, what its cycles found, and what became of that.

        Args:
            topic_id: The topic: its name, or its ID.
            scope: Only this scope and global.

        Returns:
            The topic, its candidates and their sources.

        Raises:
            NotFoundError: there is no such topic, or it cannot be seen from the scope.
        """

class VaultVerbs:
    """The verbs of `brain.vault`."""

    def export(
        self,
        path: str,
        *,
        links: Links | str = 'wiki',
        is_raw: bool = False,
        scope: str | None = None,
        progress: Callable[[int], None] = ...,
    ) -> VaultWritten:
        """
        Write everything that you may see as pages of markdown, or update them.

        The same brain gives the same bytes. What you write below the marker of a page stays; what you
        change above it stays until `tilth vault import` has read it and a person has decided. An erase
        updates a vault that was made here.

        Args:
            path: The folder.
            links: How pages name one another: for Obsidian, or for others (wiki).
            is_raw: With what was said, session by session, under raw/.
            scope: Only this scope and global.
            progress: Told how many pages are done.

        Returns:
            The pages that were written, renamed and removed, and those left alone because somebody
            changed them.

        Raises:
            InvalidInputError: the folder holds something else.
            ConflictError: it is a vault of another brain, or a link leads out of it.
        """

    def import_edits(
        self,
        path: str,
    ) -> VaultRead:
        """
        Propose what was changed in a vault; a file alone changes no fact.

        A changed line proposes a correction, a deleted line the end of its fact, and a new line a new
        fact. If the fact changed in the brain too, both are shown. A line that proposes nothing is
        reported, and the next export puts it below the marker, so nothing is lost.

        Args:
            path: The folder.

        Returns:
            The proposals, the conflicts, and what was refused and why.

        Raises:
            ForbiddenError: the caller is anonymous.
            NotFoundError: there is no vault.
            ConflictError: it is a vault of another brain, or a link leads out of it.
            CorruptionError: its manifest cannot be read.
        """

class WordsVerbs:
    """The verbs of `brain.words`."""

    def list(
        self,
        registry: Registry | str,
    ) -> Sequence[Entry]:
        """
        List the registered words, in alphabetical order.

        Args:
            registry: Predicate, area or tag.

        Returns:
            The words with their other names; predicates with their cardinality and write mode.
        """

    def queue(
        self,
        *,
        limit: int = 100,
    ) -> Sequence[UnknownWord]:
        """
        List unregistered words, the most used first.

        Args:
            limit: The most to return (100).

        Returns:
            Each word with its registry and how often facts use it.
        """

    def check(
        self,
        *,
        registry: Registry | str | None = None,
        is_strict: bool = False,
    ) -> WordCheck:
        """
        Check that facts use only registered words.

        Args:
            registry: Only this registry.
            is_strict: End with 1 where a word is used that nobody registered.

        Returns:
            The unregistered words, the most used first, and whether the check is strict.
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
        Register a word, or change its registration.

        Facts that used it before stay as they are.

        Args:
            registry: Predicate, area or tag.
            name: As facts use it.
            aliases: Another name; may be repeated.
            cardinality: How many current values a predicate may have (multi).
            mode: Who may replace one: an agent in one call (auto), by asking, or only a person (auto).

        Returns:
            The word as it is registered.

        Raises:
            ForbiddenError: the caller is not a human.
            ConflictError: another word has one of its names.
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
            registry: Predicate, area or tag.
            alias: As facts use it.
            of: The registered word.

        Returns:
            The word with all its names.

        Raises:
            ForbiddenError: the caller is not a human.
            NotFoundError: no word is registered under that name.
            ConflictError: another word has that alias.
        """

    def ignore(
        self,
        registry: Registry | str,
        word: str,
    ) -> Entry:
        """
        Take a word off the queue without registering it.

        Args:
            registry: Predicate, area or tag.
            word: As facts use it.

        Returns:
            The ignored word.

        Raises:
            ForbiddenError: the caller is not a human.
        """

class Methods:
    """The verbs, as methods."""

    commands: CommandsVerbs
    conversations: ConversationsVerbs
    documents: DocumentsVerbs
    edges: EdgesVerbs
    entities: EntitiesVerbs
    episodes: EpisodesVerbs
    erase: EraseVerbs
    exchanges: ExchangesVerbs
    facts: FactsVerbs
    fixes: FixesVerbs
    gaps: GapsVerbs
    garden: GardenVerbs
    kg: KgVerbs
    models: ModelsVerbs
    notes: NotesVerbs
    operations: OperationsVerbs
    pages: PagesVerbs
    people: PeopleVerbs
    playbooks: PlaybooksVerbs
    projects: ProjectsVerbs
    receipts: ReceiptsVerbs
    review: ReviewVerbs
    sessions: SessionsVerbs
    skills: SkillsVerbs
    snapshots: SnapshotsVerbs
    sources: SourcesVerbs
    topics: TopicsVerbs
    vault: VaultVerbs
    words: WordsVerbs
    _caller: Caller
    _names: Mapping[str, str]

    def remember(
        self,
        text: str,
        *,
        entity: str | None = None,
        always: bool = False,
        replaces: Iterable[str] = (),
        session_id: str | None = ...,
        speaker: str = ...,
        at: datetime | str | None = ...,
        role: str = ...,
        kind: str = ...,
        scope: str = ...,
        transport: str = ...,
        address: str = ...,
        direction: str | None = ...,
        entity_id: str | None = ...,
        conversation_id: str | None = ...,
        metadata: Mapping[str, Any] = ...,
        idempotency_key: str | None = ...,
    ) -> EpisodeId:
        """
        Record one thing that was said or done.

        The next recall finds it. Secrets and private spans are removed first. No fact is made of an
        episode outside of any session and conversation. A note that another replaces is told to no
        agent unasked, and recall finds it behind the other.

        Args:
            text: What was said or done, quoted or not; - reads standard input.
            entity: Whom it was said to or by, as an ID or a name, if there is no --address.
            always: A note of what holds in all work there: told first when a session begins.
            replaces: A note that is over by this one.
            session_id: The session it belongs to.
            speaker: Who said it.
            at: When it happened, if not now.
            role: The role of its author.
            kind: What kind of thing it is.
            scope: Where it belongs: global, project:KEY or domain:NAME.
            transport: How it came: cli, email, ….
            address: From or to which address there.
            direction: Inbound: from them; outbound: to them; system: by no one.
            entity_id: The ID of who it is with.
            conversation_id: The conversation's ID.
            metadata: What else is known of it, an object in JSON.
            idempotency_key: An idempotency key: recording it again adds nothing.

        Returns:
            The ID of the episode; if the key was used for the same text before, the same ID as then.

        Raises:
            InvalidInputError: the text is empty or too long, the transport is unknown, a note that
                always holds or replaces another is given a session, or the ID to replace is not that of
                a note there.
            NotFoundError: no entity has that name or ID, or there is no note with the ID to replace.
            ForbiddenError: a person wrote the note to replace, and the caller is not a human.
            IdempotencyConflictError: the key was used before, for something else.
        """

    def remember_many(
        self,
        drafts: Iterable[EpisodeDraft | Mapping[str, object]],
    ) -> builtins.list[EpisodeId]:
        """
        Record episodes in one transaction, all of them or none.

        Args:
            drafts: Drafts, or mappings with the arguments of `remember`.

        Returns:
            Their IDs, in the same order.

        Raises:
            InvalidInputError: a draft has no text, or names an unknown transport.
            IdempotencyConflictError: a key was used before, for something else.
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
            text: What may have been said before; - reads standard input.
            likeness_min: The least cosine, 0 to 1 (0.85).
            scope: Only this scope and global.

        Returns:
            At most 20 episodes with their cosine, the most similar first.

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
        since: datetime | str | None = ...,
        by: Iterable[ActorKind | str] | None = ...,
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
        Show the facts that hold now, or that held at a date.

        The answer comes from facts, not from what was said about them.

        Args:
            limit: The most to return (10).
            is_widening: If nothing holds now, show what held before.
            scope: Only this scope and global.
            as_of: Facts that held at this instant.
            known_at: As it was known at this instant.
            lifecycles: Only facts in this state, not current ones; may be repeated.
            reviews: Only in this state of review; may be repeated.
            since: Only facts that began at this instant or later.
            by: Only facts by this author; may be repeated.
            channel: Only of this channel.
            subject: What the triple is about.
            predicate: How subject and object are joined.
            object: The value of the triple.
            area: The field, such as Network or Study.
            environment: Such as home or office.
            system: The system.
            component: The component of the system.
            tags: May be repeated.
            about: Only about this entity, by ID or name.
            episode_id: Only facts that rest on this episode.

        Returns:
            The facts, the newest first, each with its freshness and what contradicts it.

        Raises:
            InvalidInputError: a word is not one of those that its place allows.
        """

    def changes(
        self,
        since: str = '',
        *,
        limit: int = 100,
        scope: str | None = None,
    ) -> Changes:
        """
        List what was recorded since a date or a cursor.

        Changes come oldest first, each once. Every page ends with the cursor for the next. Imports,
        receipts and feedback change nothing that is known, and are left out.

        Args:
            since: A cursor, a date, or an instant; the beginning, if empty.
            limit: The most to return (100).
            scope: Only this scope and global.

        Returns:
            A page of events with its cursor, and for each event what it ended, what replaced that, and
            what holds again.

        Raises:
            InvalidInputError: *since* is neither a cursor nor an instant.
            ConflictError: the cursor belongs to another store, or to a replaced history.
        """

    def about(
        self,
        name: str,
        *,
        limit: int = 20,
        as_of: datetime | str | None = None,
        known_at: datetime | str | None = None,
        scope: str | None = None,
    ) -> About:
        """
        Show what is known about a thing.

        That is its names, its current facts, its links, and the episodes that mention it.

        Args:
            name: Any name of it, or its ID.
            limit: The most facts to return (20).
            as_of: Facts that held at this instant.
            known_at: As it was known at this instant.
            scope: Only this scope and global.

        Returns:
            All of that in one answer.

        Raises:
            NotFoundError: no visible entity has that name.
        """

    def recall(
        self,
        question: str,
        *,
        limit: int | None = None,
        as_of: datetime | str | None = None,
        known_at: datetime | str | None = None,
        tiers: Iterable[Tier | str] | None = None,
        kinds: Iterable[EpisodeKind | str] | None = None,
        session_id: str | None = None,
        entity: str | None = None,
        area: str | None = None,
        budget_tokens: int | None = None,
        is_full: bool = True,
        is_grouped: bool = True,
        around: int | None = None,
        scope: str | None = None,
    ) -> Recall:
        """
        Find the facts and episodes that answer a question, the best first.

        It searches words, meanings, names and times together. Of similar statements the current one
        comes first, and a superseded one never stands above its successor.

        Args:
            question: In your own words, quoted or not.
            limit: The most hits to return (the setting recall_limit).
            as_of: Episodes up to this instant, and facts that held then.
            known_at: Only records made by this instant.
            tiers: Only this tier; may be repeated.
            kinds: Only episodes of this kind, and no facts; may be repeated.
            session_id: Only this session, and no facts.
            entity: Only hits about this entity, by ID or name.
            area: Only facts of this area, and what they rest on.
            budget_tokens: Stop at about so many tokens; 0 is no limit (the setting recall_budget_tokens).
            is_full: Whole texts instead of snippets.
            is_grouped: Bring the current one of nearly equal statements to the front.
            around: How many turns to show before and after each hit.
            scope: Only this scope and global.

        Returns:
            The hits with their scores, whether they answer the question, and notes.

        Raises:
            InvalidInputError: an option is out of its bounds.
            NotFoundError: no entity has that name or ID.
        """

    def fetch(
        self,
        episode_ids: Sequence[str],
        *,
        scope: str | None = None,
    ) -> builtins.list[Episode]:
        """
        Return whole episodes by ID.

        Args:
            episode_ids: The IDs of at most 20 episodes.
            scope: Only this scope and global.

        Returns:
            The episodes that exist and are visible, in the order of their IDs.

        Raises:
            InvalidInputError: more than 20 are asked for.
        """

    def reflect(
        self,
        *,
        is_asked: bool = True,
        after: int = 0,
        playbook_sessions: int | None = None,
        skill_sessions: int | None = None,
    ) -> Reflected:
        """
        Draft playbooks and skills from what sessions did, and count how they do.

        The stages run in order, and one that fails stops no other. Experience is read and clustered;
        playbooks are drafted, their outcomes counted, failing ones retired, and proven ones drafted as
        skills; what several projects do is lifted; unused playbooks are archived; and the files of
        skills are made equal to what was approved. Nothing is written twice.

        Args:
            is_asked: Whether somebody asks for it; else it waits for a quiet moment.
            after: The place in the ledger up to which it was done (0).
            playbook_sessions: Sessions that must succeed before a playbook is drafted (the setting playbook_sessions).
            skill_sessions: Sessions of a playbook that must succeed before a skill is drafted (the setting skill_sessions).

        Returns:
            What each stage looked at, and how much of it is new.

        Raises:
            ForbiddenError: the caller is anonymous.
        """

    def growth(
        self,
        *,
        days: int = 30,
        scope: str | None = None,
    ) -> Growth:
        """
        Show how much was recorded and learned by day, and how much of it holds.

        Args:
            days: How many days on which anything was recorded (30).
            scope: Only this scope and global.

        Returns:
            Counts by day, what holds now, and how many episodes stand for each thing known.
        """

    def distil(
        self,
        *,
        is_asked: bool = True,
        at_most: int | None = None,
        progress: Callable[[int], None] = ...,
    ) -> Distilled:
        """
        Draw facts from what was said since the last run, without a language model.

        Args:
            is_asked: Whether somebody asks for it; else sessions that are going on wait.
            at_most: The most sessions to read.
            progress: Told how many sessions are done.

        Returns:
            What was read and stated, and why the rest was left out.
        """

    def acquaint(
        self,
        *,
        after: int = 0,
        limit: int = 20,
    ) -> Acquainted:
        """
        Record the things that sessions of the next scopes name by identifiers.

        Distillation does so for the scopes of sessions that it reads; this is for sessions that an
        older version recorded.

        Args:
            after: The cursor of the last time (0).
            limit: The most scopes to look at (20).

        Returns:
            What is new, how many scopes were read, and the cursor for the next call.
        """

    def read_by_model(
        self,
    ) -> ModelRead:
        """
        Let a language model read sessions, within its budget.

        It states what the rules did not find.

        Returns:
            What the model was asked and what was stated, or why it was not asked yet.
        """

    def reopen_sessions(
        self,
    ) -> None:
        """
        Have every session read once more, for what an earlier version missed.

        Raises:
            ForbiddenError: the caller is not a human.
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
        Say whether a hit was of use.

        The vote changes the order of later hits, within bounds, and nothing that is known. A hit that a
        person calls a dead end, or wrong, is left out of every brief. A caller has one vote in a
        session; the last one counts.

        Args:
            target: An episode or a fact, as recalled.
            verdict: What came of it: cited, led_to_new, edited, useful, reused, dead_end, wrong.
            session_id: The session that used it.
            receipt_id: The receipt that showed it.
            scope: Only this scope and global.

        Returns:
            The vote as it is recorded.

        Raises:
            NotFoundError: there is no such hit or receipt, or it cannot be seen from the scope.
            InvalidInputError: the ID is of a kind that takes no votes.
        """

    def note_wanted(
        self,
        session_id: str,
        prompt: str,
        *,
        scope: str | None = None,
    ) -> bool:
        """
        Say whether to ask an agent for a note, beside a prompt.

        An agent is asked in a session of a project in which nobody noted anything: after two answered
        prompts, and again after ten. The receipt of asking ends in `NOTE_ASKED`.

        Args:
            session_id: The session.
            prompt: The prompt that was just typed.
            scope: Only this scope and global.

        Returns:
            Whether to ask; never where the settings let agents be told nothing unasked.
        """

    def archive(
        self,
        *,
        is_asked: bool = True,
        is_dry_run: bool = False,
        progress: Callable[[int], None] = ...,
    ) -> Swept:
        """
        Archive facts without new evidence for a long time.

        A fact is archived after 90 days without new evidence or good feedback, or after 270 if there
        was news of an entity that it is about. One call archives at most 10,000 facts and 50 MiB. Facts
        that a human wrote or confirmed, instructions, decisions, milestones, values of slots, facts
        tagged durable, and facts that a proposal waits for stay, and so do episodes. The worker does it
        once a day; `tilth unarchive` undoes it.

        Args:
            is_asked: Whether somebody asks for it; what nobody asks for is due once a day.
            is_dry_run: Say what would be done, and write nothing.
            progress: Told how many facts are done.

        Returns:
            The facts, the oldest first, and their size in bytes.

        Raises:
            ForbiddenError: the caller is anonymous.
        """

    def unarchive(
        self,
    ) -> builtins.tuple[FactId, ...]:
        """
        Undo the last archiving of facts.

        Returns:
            Their IDs.

        Raises:
            ForbiddenError: the caller is not a human.
            ConflictError: nothing was archived, or it is back already.
        """

    def consolidate(
        self,
        *,
        is_asked: bool = True,
        is_dry_run: bool = False,
    ) -> Consolidated:
        """
        Sum up related facts about one thing in one fact.

        Three or more facts that belong together become the sources of one that derives from them, in
        their words, or in those of a language model if one is set and its answer is valid. The sources
        stay as they are. The worker does it once a day if a model sums up.

        Args:
            is_asked: Whether somebody asks for it; what nobody asks for is due once a day.
            is_dry_run: Say what would be done, and write nothing.

        Returns:
            Each group with its sources, and the fact made of it.

        Raises:
            ForbiddenError: the caller is anonymous.
        """

    def clean(
        self,
    ) -> Cleaned:
        """
        Have a language model find outdated and duplicate facts, and archive them.

        It reads thirty facts at a time.

        An outdated fact, or a duplicate of one that stays, is archived; `tilth fact restore` brings it
        back, and the model is not shown it again. Facts are first shown when they are a day old, and
        again after a week. Facts that a human wrote or confirmed, rules, decisions and values of slots
        are never shown. The worker does it if a model is set for the task `clean`.

        Returns:
            How many facts were shown, what was archived, and how many verdicts were ignored.

        Raises:
            ForbiddenError: the caller is anonymous.
        """

    def dedup(
        self,
        *,
        after: int = 0,
        is_dry_run: bool = False,
    ) -> Deduplicated:
        """
        Ask a human about facts that say nearly the same.

        One call looks at one stretch of the ledger.

        Args:
            after: Begin after this place in the ledger (0).
            is_dry_run: Say what would be done, and write nothing.

        Returns:
            The pairs, the proposals made, and the place to continue after.

        Raises:
            ForbiddenError: the caller is anonymous.
        """

    def embed_backlog(
        self,
        *,
        limit: int | None = None,
        progress: Callable[[int], None] = ...,
    ) -> int:
        """
        Make the missing vectors of both tiers of embedders.

        Args:
            limit: The most episodes in each tier.
            progress: Called with the number done.

        Returns:
            How many were made.
        """

    def verify(
        self,
    ) -> Verified:
        """
        Prove that the store is as it was written.

        Returns:
            How many events there are, and what is wrong.
        """

    def rebuild(
        self,
        *,
        progress: Callable[[int], None] = ...,
    ) -> int:
        """
        Rebuild every table and index from the ledger.

        Args:
            progress: Told how many events are done.

        Returns:
            How many events there are.

        Raises:
            ForbiddenError: the caller is not a human.
        """

    def backup(
        self,
        target: str,
    ) -> None:
        """
        Copy the store into a file.

        Args:
            target: The path of the file to make.

        Raises:
            ConflictError: there is a file at the path.
            UnsupportedError: the store is a database behind a URL.
        """

    def render(
        self,
        which: str,
        *,
        scope: str | None = None,
    ) -> Rendered:
        """
        Print an entity, a fact, a playbook or a skill as a document.

        An entity becomes an index of what is known of it, a fact a reference with its sources, a
        playbook a procedure, and a skill its file word for word. Nothing is recorded.

        Args:
            which: Of an entity, a fact, a playbook or a skill.
            scope: Only this scope and global.

        Returns:
            The document, as markdown.

        Raises:
            NotFoundError: there is no such thing, or it cannot be seen from the scope.
            InvalidInputError: the ID is of another kind.
        """

    def undo(
        self,
        operation: str,
        *,
        dependants: Sequence[str] = (),
        with_dependants: bool = False,
        reason: str = '',
    ) -> Undone:
        """
        Undo one recorded operation.

        Operations that rest on it are listed, and undone only if they are named. Undoing a rollback or
        an undo brings back what it set aside.

        Args:
            operation: An ID that `tilth changes` shows: the operation, or what it made.
            dependants: An operation that goes with it; may be repeated.
            with_dependants: Undo also everything that rests on it.
            reason: Why.

        Returns:
            What was undone, and the operation that did it, which can be undone in turn.

        Raises:
            ForbiddenError: the caller is not a human.
            NotFoundError: there is no such operation.
            ConflictError: it was undone before, something rests on it that nobody named, or
                something else took its place.
            InvalidInputError: it cannot be undone: what was said stays, or is erased.
        """

    def export(
        self,
        path: str,
        *,
        is_shared: bool = False,
        is_whole: bool = False,
        is_forced: bool = False,
        scope: str | None = None,
        progress: Callable[[int], None] = ...,
    ) -> Exported:
        """
        Write everything that you may see into one file.

        The file holds JSON lines in the order of recording: episodes, facts with their history,
        entities, edges, people, conversations and summaries. It is written whole or not at all, and
        only you can read it. With `--whole` it holds the ledger word for word, of all owners; only a
        person may have that.

        Args:
            path: The file to make.
            is_shared: For others: mask mail, numbers, addresses, secrets and home folders.
            is_whole: The ledger itself, of which `tilth load` makes a store.
            is_forced: Replace a file that is there.
            scope: Only this scope and global.
            progress: Told how many rows are done.

        Returns:
            The path, the last event in it, and the rows of each kind.

        Raises:
            ConflictError: a file exists at the path, and may not be replaced.
            ForbiddenError: only a human may export the whole ledger.
            InvalidInputError: the whole ledger can be neither narrowed nor masked.
        """

    def brief(
        self,
        request: BriefRequest,
        *,
        scope: str | None = None,
    ) -> Brief:
        """
        Make a brief for an agent, for the beginning of a session or beside a prompt.

        Making it leaves no receipt; `receipts.keep` records one once it was shown.

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
