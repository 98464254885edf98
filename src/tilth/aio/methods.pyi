"""The methods of `AsyncBrain`, written by `scripts/write_verbs.py` from the verbs."""

import builtins
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from tilth.context.context import Context, ContextReceipt
from tilth.context.model import Brief, BriefRequest, Project, ProjectState
from tilth.context.notes import KnownNote
from tilth.context.pitfalls import Pitfall, ToolFailure
from tilth.context.section.writing import Written
from tilth.core.actor import ActorKind
from tilth.core.ids import EpisodeId, FactId, ReceiptId
from tilth.core.json import JsonObject
from tilth.core.lifecycle import Lifecycle, Review
from tilth.core.scope import Scope
from tilth.core.verb import Caller
from tilth.discovery.model import FetchedPage, Finds
from tilth.episodes.document import Document
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
from tilth.knowledge.entities.naming import Suggestion
from tilth.knowledge.facts.decisions import Shown
from tilth.knowledge.facts.fact import Fact
from tilth.knowledge.facts.fact_lifecycle import Ended
from tilth.knowledge.facts.facts import TaxonomyCount
from tilth.knowledge.facts.life import PastLife
from tilth.knowledge.facts.state import State
from tilth.knowledge.facts.triples import StatedTriple
from tilth.knowledge.facts.verbs import FactPage
from tilth.knowledge.facts.write.write_fact import Stated
from tilth.knowledge.graph.acquaint import Acquainted
from tilth.knowledge.graph.edge import Edge
from tilth.knowledge.graph.graph import Neighbourhood
from tilth.knowledge.graph.kg import Closed, Graph, Stats, Walk
from tilth.knowledge.graph.record_edge import Joined
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
from tilth.llm.answers import ToneDraft
from tilth.llm.standing import ModelsNow, SpentToday
from tilth.llm.trial import Trial
from tilth.maintenance.archive import Swept
from tilth.maintenance.clean import Cleaned
from tilth.maintenance.consolidate import Consolidated
from tilth.maintenance.contradictions import ContradictionScan
from tilth.maintenance.dedup import Deduplicated
from tilth.maintenance.verbs import Verified
from tilth.pages.compiling.compile import PagesSwept
from tilth.pages.editing import Edited
from tilth.pages.lint import Finding
from tilth.pages.model import Compiled, Page, PageKind
from tilth.pages.reading import ManifestEntry, PageView, Reading, Rendered
from tilth.people.conversation import Conversation, ConversationStatus, Summary
from tilth.people.conversations import Archived, Begun
from tilth.people.identities import Interactions, Known, Linked
from tilth.people.idle import Rest
from tilth.people.introduce import Introduced
from tilth.people.profile import ProfileConfidence, Trait
from tilth.people.reply_context import ConversationContext, Wanted
from tilth.playbooks.keeping import PlaybookStory
from tilth.playbooks.model import Playbook, PlaybookState, SessionEnd
from tilth.practice.model import CommandKind, CommandStats, Fix
from tilth.recall.feedback import Verdict
from tilth.recall.model import Recall, Tier
from tilth.reflection.growth import Growth
from tilth.reflection.reflect import Reflected
from tilth.review.decide import Decided
from tilth.review.queue import Queue
from tilth.skills.following import PlaybookChange
from tilth.skills.keeping import SkillStory
from tilth.skills.model import Skill, SkillState
from tilth.skills.placing import Reader
from tilth.snapshots.model import TakenSnapshot
from tilth.snapshots.snapshots import Rollback
from tilth.snapshots.undo import Aside, Story, Undone
from tilth.transfer.export import Exported
from tilth.transfer.import_rows import Promoted
from tilth.transfer.vault.edits import VaultRead
from tilth.transfer.vault.page_text import Links
from tilth.transfer.vault.write import VaultWritten
from typing import Any

class CommandsVerbs:
    """The verbs of `brain.commands`."""

    async def list(
        self,
        *,
        kind: CommandKind | str | None = None,
        is_all: bool = False,
        limit: int = 50,
        scope: str | None = None,
    ) -> Sequence[CommandStats]:
        """
        List the commands that work here, by kind.

        They are read from the command lines that agents ran: without changes of folder,
        variables, time limits and pipes, and counted once a session with their outcomes.

        Args:
            kind: Only commands for this.
            is_all: Those of one session and those that never came through, too.
            limit: How many (50).
            scope: Only this scope and global.

        Returns:
            The commands of several sessions that came through; of a kind that has none, what
            one session ran again and again; with `is_all` every one, that of most sessions
            first.
        """

    async def get(
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
            NotFoundError: it was not run here.
        """

    async def write(
        self,
        path: str,
        *,
        is_dry_run: bool = False,
    ) -> Written:
        """
        Write the commands that work and the rules that hold into a file of agents.

        A rule is a fact with the authority of an instruction, or a note of a person that holds
        always. They stand between marks, and writing again replaces them. Which project it is, the
        file's folder says.

        Args:
            path: AGENTS.md, CLAUDE.md or another file in markdown.
            is_dry_run: Show what would be written, and write nothing.

        Returns:
            The lines of the section.

        Raises:
            ForbiddenError: the caller is not a human, or the file is read-only.
            InvalidInputError: it is no markdown.
            NotFoundError: nothing is known to write, or there is no such folder.
            ConflictError: the marks in it are not whole, somebody wrote between them, or it cannot be
                replaced.
            UnavailableError: it cannot be read or written.
        """

    async def unwrite(
        self,
        path: str,
    ) -> Written:
        """
        Take the section out of a file again; all else stays byte for byte.

        Args:
            path: AGENTS.md, CLAUDE.md or another file in markdown.

        Returns:
            The file.

        Raises:
            ForbiddenError: the caller is not a human, or the file is read-only.
            NotFoundError: there is no section in it.
            ConflictError: the marks in it are not whole, or somebody wrote between them.
            UnavailableError: it cannot be read or written.
        """

class ConversationsVerbs:
    """The verbs of `brain.conversations`."""

    async def create(
        self,
        entity: str,
        transport: str,
        *,
        address: str = '',
        topic: str = '',
        scope: str = 'global',
    ) -> Begun:
        """
        Begin a conversation, or go on with the one that is open by the same way.

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
            ConflictError: several entities go by the name, or the address is another's.
            InvalidInputError: nobody configured the transport.
        """

    async def add(
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
            ConflictError: several are meant, it is closed, or its address is another's by now.
        """

    async def resume(
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
            ConflictError: several are meant; the hint tells each with its last message.
        """

    async def archive(
        self,
        conversation: str,
    ) -> Archived:
        """
        Archive a conversation, and summarise what is not summarised.

        Args:
            conversation: Its ID, its topic, or whom it is with: a name or an address.

        Returns:
            The conversation as it is now, and the new summary, if there is one.

        Raises:
            NotFoundError: there is no such conversation.
            ConflictError: several are meant; the hint tells each with its last message.
        """

    async def close(
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
            ConflictError: several are meant; the hint tells each with its last message.
        """

    async def summarise(
        self,
        conversation: str,
        *,
        is_forced: bool = False,
    ) -> Summary | None:
        """
        Summarise the messages since the last summary.

        Args:
            conversation: Its ID, its topic, or whom it is with: a name or an address.
            is_forced: The last stretch again, if need be.

        Returns:
            The new summary; None if there is nothing to summarise.

        Raises:
            NotFoundError: there is no such conversation.
            ConflictError: several are meant; the hint tells each with its last message.
        """

    async def summaries(
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
            ConflictError: several are meant; the hint tells each with its last message.
        """

    async def list(
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
            limit: How many (50).
            offset: Skip so many (0).
            scope: Only this scope and global.

        Returns:
            The conversations that may be seen.

        Raises:
            NotFoundError: nothing goes by the name of the entity.
            InvalidInputError: nobody configured the transport.
        """

    async def get(
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
            ConflictError: several are meant; the hint tells each with its last message.
        """

    async def tone(
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
            ConflictError: several are meant; the hint tells each with its last message.
        """

    async def stats(
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

    async def idle(
        self,
        conversation: str | None = None,
        *,
        scope: str | None = None,
    ) -> Sequence[Rest]:
        """
        Say which active conversations are idle.

        Args:
            conversation: Only this one.
            scope: Only this scope and global.

        Returns:
            Each active conversation, and whether it is idle.

        Raises:
            NotFoundError: there is no such conversation.
            ConflictError: several are meant; the hint tells each with its last message.
        """

    async def rest(
        self,
    ) -> Sequence[Archived]:
        """
        Archive the conversations that are idle.

        Returns:
            The conversations that were archived, with their new summaries.
        """

    async def context(
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
            wanted: How much of what it holds.
            scope: Only this scope and global.

        Returns:
            Summaries, the last messages, the profile and what is open, as text and in parts.

        Raises:
            NotFoundError: there is no such conversation, or it cannot be seen from the scope.
            ConflictError: several are meant; the hint tells each with its last message.
        """

    async def reply_context(
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
            summary_tokens: About how many tokens of summaries (2000).
            recent: How many of the last messages (10).
            transport: No summaries by other ways.
            is_private: Mask mail, addresses, numbers and secrets.
            scope: Only this scope and global.

        Returns:
            Summaries, the last messages, the profile and what is open, as text and in parts.

        Raises:
            NotFoundError: there is no such conversation, or it cannot be seen from the scope.
            ConflictError: several are meant; the hint tells each with its last message.
        """

class DocumentsVerbs:
    """The verbs of `brain.documents`."""

    async def list(
        self,
        *,
        limit: int = 100,
        offset: int = 0,
        scope: str | None = None,
    ) -> JsonObject:
        """
        List documents and their sections.

        Args:
            limit: How many (100).
            offset: Skip so many (0).
            scope: Only this scope and global.

        Returns:
            Each document with its sections, the one imported last first; at most 1,000.
        """

    async def read(
        self,
        slug: str,
        section: str = '',
        *,
        scope: str | None = None,
    ) -> JsonObject:
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

    async def tag(
        self,
        slug: str,
        tags: Sequence[str],
        *,
        is_removed: bool = False,
        scope: str | None = None,
    ) -> Document:
        """
        Tag a document.

        What is found in any of its sections shows the tags at once. An import of the
        file, once it has changed, replaces them by those that it names.

        Args:
            slug: As listed, or without its digits.
            tags: What to add.
            is_removed: Remove them instead.
            scope: Only this scope and global.

        Returns:
            The document with its tags.

        Raises:
            NotFoundError: there is no such document that may be seen.
            ConflictError: more than one document goes by this name.
            LimitExceededError: there are too many tags, or one is too long.
        """

    async def find(
        self,
        question: str,
        *,
        limit: int = 5,
        scope: str | None = None,
    ) -> Finds:
        """
        Find addresses to read, in the brain and with the search providers set up.

        Only a person may ask, since the question goes to every provider. Excluded
        terms and secrets are taken out of it first.

        Args:
            question: What to look for.
            limit: At most so many of each place (5).
            scope: Only this scope and global.

        Returns:
            What each place found, its best first, and what went wrong.

        Raises:
            ForbiddenError: the caller is not a human.
            InvalidInputError: the question is empty.
        """

    async def fetch(
        self,
        address: str,
        *,
        scope: str = 'global',
    ) -> FetchedPage:
        """
        Fetch a public page of the web, and keep its text as a document.

        Its words are data of somebody else: recall finds them, and labels them so;
        no brief tells them, and no fact is made of them.

        Args:
            address: The URL of a public page.
            scope: Where it belongs: global, project:KEY or domain:NAME (global).

        Returns:
            The page, and the name by which `documents.read` gives its text.

        Raises:
            ForbiddenError: the caller is not a human.
            UnsupportedError: fetching is off, or its extra is not installed.
            RefusedError: the page is not public, not of a kind that is read, or its
                robots.txt forbids it.
            NotFoundError: nothing is there.
            UnreachableError: no whole answer came.
        """

class EdgesVerbs:
    """The verbs of `brain.edges`."""

    async def add(
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
            ForbiddenError: a word in the name of an end is excluded.
        """

    async def list(
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

    async def retire(
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

    async def add(
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

        A name that a thing goes by already means that thing. A name that comes close is
        recorded, and a human is asked whether the two are one.

        Args:
            name: The name that it is shown by.
            type: The kind of thing (thing).
            aliases: Other names of it.
            scope: Where it belongs: global, project:KEY or domain:NAME (global).
            metadata: What else is known of it.
            is_namesake: Another one than what goes by that name.

        Returns:
            The entity, whether it is new, and the proposals that wait.

        Raises:
            ConflictError: a person goes by that name.
            InvalidInputError: it cannot be a name.
            ForbiddenError: a word in its names is excluded.
        """

    async def get(
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
            The entity, its names, and others that go by the same name.

        Raises:
            NotFoundError: nothing that may be seen goes by that name.
        """

    async def list(
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
            limit: How many (100).
            after: Only what stands after this place (0).
            scope: Only this scope and global.

        Returns:
            The entities that may be seen, without those that were merged into others.

        Raises:
            InvalidInputError: nobody configured the transport.
        """

    async def resolve(
        self,
        name: str,
        *,
        type: EntityType | str = 'thing',
        scope: str | None = None,
    ) -> Resolved:
        """
        Say what a name means, for sure or not.

        Args:
            name: As it was met.
            type: The kind of thing (thing).
            scope: Only this scope and global.

        Returns:
            The entity, or else those that come close.
        """

    async def search(
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
            limit: How many (20).
            scope: Only this scope and global.

        Returns:
            Entities with a score from 0 to 1 and the reason.
        """

    async def suggest(
        self,
        name: str,
        *,
        limit: int = 5,
        scope: str | None = None,
    ) -> Sequence[Suggestion]:
        """
        Suggest what an entity may be the same as.

        Args:
            name: Any name of it, or its ID.
            limit: How many (5).
            scope: Only this scope and global.

        Returns:
            Entities with a score from 0 to 1 and the reason.

        Raises:
            NotFoundError: nothing that may be seen goes by that name.
        """

    async def alias(
        self,
        entity: str,
        alias: str,
    ) -> Card:
        """
        Add another name of an entity.

        Args:
            entity: A name that is its alone, or its ID.
            alias: The name.

        Returns:
            The entity with all its names.

        Raises:
            NotFoundError: there is no such entity.
            ConflictError: several go by its name, or the new name is another's.
            ForbiddenError: a word in the new name is excluded.
        """

    async def unalias(
        self,
        entity: str,
        alias: str,
    ) -> Card:
        """
        Remove a name of an entity.

        Args:
            entity: A name that is its alone, or its ID.
            alias: The name.

        Returns:
            The entity with the names that it keeps.

        Raises:
            NotFoundError: there is no such entity, or it has no such name.
            ConflictError: several go by its name.
        """

    async def retype(
        self,
        entity: str,
        type: EntityType | str,
    ) -> Entity:
        """
        Change what kind of thing an entity is.

        Args:
            entity: A name that is its alone, or its ID.
            type: The kind of thing.

        Returns:
            The entity as it is now.

        Raises:
            NotFoundError: there is no such entity.
            ConflictError: several go by its name.
        """

    async def around(
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
            known_at: As it was known by then.
            scope: Only this scope and global.

        Returns:
            The nodes that edges lead to, and the edges.

        Raises:
            NotFoundError: there is no such node, or it cannot be seen from the scope.
        """

    async def impact(
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

    async def merge(
        self,
        winner: str,
        loser: str,
        *,
        reason: str = '',
    ) -> Merged:
        """
        Let the first of two entities stay for both: the second leads to it.

        It is a redirect: nothing moves, and a split restores both exactly. An agent
        proposes it.

        Args:
            winner: The one that stays: a name, or its ID.
            loser: The one that leads there: a name, or its ID.
            reason: Why.

        Returns:
            The entity that stays, or the proposal that waits for a human, and the
            contradictions between the two.

        Raises:
            NotFoundError: there is no such entity.
            ConflictError: several go by its name, or it is merged already.
        """

    async def split(
        self,
        entity: str,
        *,
        reason: str = '',
    ) -> Split:
        """
        Undo a merge of entities.

        An agent proposes it. What was said since the merge stays with the other entity.

        Args:
            entity: What was merged away: the name that it had, or its ID.
            reason: Why.

        Returns:
            Both entities, and what stays with the other one.

        Raises:
            NotFoundError: there is no such entity.
            ConflictError: it is not merged, or several that were had the name.
        """

    async def tidy(
        self,
        *,
        after: int = 0,
        limit: int = 1000,
    ) -> Tidied:
        """
        Merge entities that are exactly one, and ask about those that come close.

        Args:
            after: Go on after this place (0).
            limit: How many (1000).

        Returns:
            How many were looked at, merged and asked about, and where to go on.
        """

class EpisodesVerbs:
    """The verbs of `brain.episodes`."""

    async def list(
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

    async def get(
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

    async def show(
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

    async def facts(
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

class EraseVerbs:
    """The verbs of `brain.erase`."""

    async def plan(
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

        Exactly one of `entity`, `episodes`, `session` and `facts` says what.

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
            InvalidInputError: nothing is named, or more than one of the four.
            NotFoundError: there is no such thing, and there was none.
            ConflictError: several entities go by that name.
        """

    async def confirm(
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
        Destroy for good what a plan showed, and certify it.

        Args:
            digest: The digest of the plan.
            terms: What to look for in every file besides the erased words.
            entity: A person or a thing, by ID or name, and everything of theirs.
            episodes: The IDs of episodes.
            session: The ID of a session, with all that was said in it.
            facts: The IDs of facts.
            mentions: Whether what else holds a name or an address of it goes too.

        Returns:
            The certificate: who erased what, where its words were looked for, and what
            is out of reach.

        Raises:
            ForbiddenError: the caller is not a human.
            ConflictError: what would go is not what the plan showed.
            NotFoundError: there is no such thing, and there was none.
        """

    async def finish(
        self,
    ) -> Finished:
        """
        Go on where an erase was interrupted.

        Returns:
            How many erasures were due, and whether the store's files are clean.
        """

class ExchangesVerbs:
    """The verbs of `brain.exchanges`."""

    async def list(
        self,
        *,
        session_id: str | None = None,
        limit: int = 20,
        scope: str | None = None,
    ) -> Sequence[Exchange]:
        """
        List what was asked and how it ended, the newest first.

        Args:
            session_id: Only of this session.
            limit: How many (20).
            scope: Only this scope and global.

        Returns:
            Exchanges that were reported; of one session all, those without an answer too.
        """

    async def get(
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
            NotFoundError: there is no such episode that may be seen, or it belongs to none.
        """

class FactsVerbs:
    """The verbs of `brain.facts`."""

    async def add(
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
            valid_to: When it ends, if it does; a day ends with it.
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

    async def add_many(
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

    async def propose(
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
            InvalidInputError: there is nothing to state, or a word is unknown.
        """

    async def reword(
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

    async def get(
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

    async def show(
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

    async def list(
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
            limit: How many (100).
            offset: Skip so many (0).
            scope: Only this scope and global.
            as_of: What held then.
            known_at: As it was known by then.
            lifecycles: Instead of those that hold; may be repeated.
            reviews: Only these; may be repeated.
            since: Only what began then or later.
            by: Only what these wrote; may be repeated.
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
            episode_id: Only what rests on this episode.

        Returns:
            The facts that hold, or those of the lifecycles that are asked for. Where none
            holds, those that are known otherwise: told by an import, ended, or proposed.

        Raises:
            InvalidInputError: a word is not one of those that its place allows.
        """

    async def history(
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

    async def lives(
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
            What it was from when on, made by whom and why.

        Raises:
            NotFoundError: there is no such fact, or it cannot be seen from the scope.
        """

    async def retire(
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
            valid_to: When it ended, if not now; a day ends with it.

        Returns:
            The fact, and the proposal that waits for a human, if one does.

        Raises:
            NotFoundError: there is no such fact.
            ConflictError: it does not hold.
            InvalidInputError: it ends later, and holds until then.
        """

    async def promote(
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

    async def archive(
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

    async def restore(
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

    async def undo(
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

    async def taxonomy(
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

        Any of them narrows the rest.

        Args:
            scope: Only this scope and global.
            as_of: What held then.
            known_at: As it was known by then.
            lifecycles: Instead of those that hold; may be repeated.
            reviews: Only these; may be repeated.
            since: Only what began then or later.
            by: Only what these wrote; may be repeated.
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
            episode_id: Only what rests on this episode.

        Returns:
            The words under which facts that hold are filed, of each axis the fullest first.

        Raises:
            InvalidInputError: a word is not one of those that its place allows.
        """

    async def outcome(
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

    async def outcomes(
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

    async def revoke(
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

    async def plan(
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
            What would become of it, the facts that say something like it, and a token that
            is good for ten minutes.

        Raises:
            InvalidInputError: there is nothing to state, or a word is unknown.
        """

    async def apply(
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
            ConflictError: the plan is too old, or what it rests on has changed.
            InvalidInputError: a fact of the plan is neither updated nor declined.
        """

    async def relate(
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

    async def why(
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

    async def check(
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

    async def promotable(
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
            as_of: What held then.
            known_at: As it was known by then.
            lifecycles: Instead of those that hold; may be repeated.
            reviews: Only these; may be repeated.
            since: Only what began then or later.
            by: Only what these wrote; may be repeated.
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
            episode_id: Only what rests on this episode.

        Returns:
            Historical facts that nobody reviewed.
        """

    async def promote_many(
        self,
        fact_ids: Iterable[str],
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

class FixesVerbs:
    """The verbs of `brain.fixes`."""

    async def list(
        self,
        *,
        is_all: bool = False,
        limit: int = 20,
        scope: str | None = None,
    ) -> Sequence[Fix]:
        """
        List failures that were overcome, what came up last first.

        A command failed, something was changed, and the same command came through, in one
        session. What was wrong is the output's own line, and why is the agent's own sentence.
        What came again is told once, with in how many sessions it was.

        Args:
            is_all: Those that say neither why nor what instead, too.
            limit: How many (20).
            scope: Only this scope and global.

        Returns:
            The failures that tell why, that came again, or that another command ended.
        """

    async def get(
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

    async def add(
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

    async def scan(
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

    async def list(
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

    async def get(
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

    async def move(
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

    async def resolve(
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

    async def todo(
        self,
        gap_id: str,
    ) -> Gap:
        """
        Draft the TODO of a gap, into the outbox beside the store.

        A gap gets one TODO in its life.

        Args:
            gap_id: The gap's ID.

        Returns:
            The gap, with the reference of its TODO and the path of the file.

        Raises:
            ForbiddenError: the caller is anonymous or an import.
            NotFoundError: there is no such gap.
            ConflictError: it has a TODO, or is closed.
            UnavailableError: the outbox cannot be written; the gap has no TODO then.
        """

    async def run(
        self,
        *,
        is_forced: bool = False,
        is_dry_run: bool = False,
        threshold: int | None = None,
    ) -> GapRun:
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

    async def opt_in(
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

    async def opt_out(
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

    async def filings(
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

    async def stats(
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

    async def init(
        self,
    ) -> Sequence[str]:
        """
        Make the garden's folder: inbox, outbox, snapshots, logs.

        Returns:
            What was made, by name; nothing if all is there.

        Raises:
            ForbiddenError: the caller is anonymous or an import.
            UnavailableError: it cannot be made.
        """

    async def run(
        self,
        *,
        is_applied: bool = False,
        is_forced: bool = False,
        hours: int | None = None,
    ) -> CycleReport:
        """
        Run the cycle that is due; without --apply only say what it would do.

        It takes the inbox, tends at most three topics with at most 5 searches, 3 documents and 10
        candidates, and writes the outbox. The worker does it by itself, once a day. A cycle that was
        cut short is finished first. Ends with 0 if the garden is healthy, 1 if not, 3 if another
        cycle runs.

        Args:
            is_applied: Do it, and do not only show it.
            is_forced: Though none is due.
            hours: How long after one cycle the next is due (the setting garden_hours).

        Returns:
            What was done or would be, the nine signs of health, and when the next one is due.

        Raises:
            ForbiddenError: the caller is anonymous or an import.
            UnavailableError: the folder cannot be written; the next run goes on.
        """

    async def status(
        self,
        *,
        hours: int | None = None,
    ) -> CycleReport:
        """
        Say how the garden is: nine signs of health, the last cycle, what waits.

        Args:
            hours: How long after one cycle the next is due (the setting garden_hours).

        Returns:
            The signs, what needs attention, and when the next cycle is due.
        """

    async def next(
        self,
        *,
        hours: int | None = None,
    ) -> datetime:
        """
        Say when the next cycle is due.

        Args:
            hours: How long after one cycle the next is due (the setting garden_hours).

        Returns:
            The moment; now, if one was missed or cut short.
        """

    async def budget(
        self,
    ) -> Sequence[Allowance]:
        """
        Show what the last cycle spent, and the most that it may.

        All of it stands in the ledger under the cycle, so that a cycle that was killed goes on with
        what is left: searches, documents, candidates, and the calls, tokens and money of models,
        which the setting `spend_run` bounds.

        Returns:
            Each budget, with what is spent of it; none before the first cycle.
        """

    async def candidates(
        self,
        *,
        topic_id: str | None = None,
        is_all: bool = False,
        limit: int = 50,
        scope: str | None = None,
    ) -> Sequence[Candidate]:
        """
        List candidates, the newest first, with the words that they rest on.

        Args:
            topic_id: Only of this topic, by its name or its ID.
            is_all: Those that were decided too.
            limit: How many (50).
            scope: Only this scope and global.

        Returns:
            The candidates that wait for a human; with `is_all`, the decided ones too.
        """

    async def digest(
        self,
    ) -> str:
        """
        Show the digest as the last cycle wrote it.

        Returns:
            Its text, in Markdown.
        """

    async def sign(
        self,
        inbox: str = 'inbox',
    ) -> InboxReport:
        """
        Put your name under the files of an inbox as they are, and carry them out.

        A file alone carries nobody's authority: until a human signs exactly its bytes, it only
        suggests answers. Those in a folder that is named after a reviewer count as that reviewer's.

        Args:
            inbox: Whose inbox, such as ana of inbox/ana (inbox).

        Returns:
            What was applied, what disagrees with another reviewer, and what names no candidate.

        Raises:
            ForbiddenError: the caller is not a human.
            NotFoundError: there is no such inbox, or nothing in it says anything.
            InvalidInputError: a file is not a list of candidates.
        """

    async def metrics(
        self,
    ) -> Metrics:
        """
        Show how the garden does: coverage, freshness, accuracy, efficiency, engagement.

        Returns:
            The five figures, and what became of the candidates of each question and source.
        """

class KgVerbs:
    """The verbs of `brain.kg`."""

    async def add(
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
            valid_to: When it ends, if it does; a day ends with it.
            supersedes: The fact that it supersedes.

        Returns:
            The fact, what was done with it, and the proposal that waits, if one does.

        Raises:
            InvalidInputError: a part is missing, or the channel's rule is not kept.
        """

    async def archive(
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

    async def query(
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

        A depth of 2 or more follows the URNs in the answer too: what is said of them, and
        what points at them.

        Args:
            entity: A URN, or any name of the thing.
            depth: Hops, at most 5 (1).
            channel: Only this channel.
            as_of: What held then.
            known_at: As it was known by then.
            scope: Only this scope and global.

        Returns:
            The triples, nearest first, and how far the walk went.
        """

    async def explore(
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

    async def timeline(
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

        Where there is more than `limit`, what began last is shown.

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
        """

    async def stats(
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

class ModelsVerbs:
    """The verbs of `brain.models`."""

    async def list(
        self,
    ) -> ModelsNow:
        """
        Show the language models that are set, their tasks, and what they spent today.

        Of one that cannot be asked, what is missing; of one that gave no answer when it was asked
        last, when that was. Nothing is asked.

        Returns:
            The models, and today's spending beside the budget.
        """

    async def try_all(
        self,
    ) -> builtins.list[Trial]:
        """
        Have each language model that is set read one sentence, and show what came.

        It is asked as the worker asks it, within the budget. Of what you recorded it is shown
        nothing.

        Returns:
            A trial of each model: its answer, or why there is none, what it cost and how long it took.

        Raises:
            ForbiddenError: the caller is not a human.
        """

    async def spent_today(
        self,
    ) -> SpentToday:
        """
        Return what language models spent today.

        Returns:
            Calls and money, of what the budget allows.
        """

class NotesVerbs:
    """The verbs of `brain.notes`."""

    async def list(
        self,
        *,
        is_all: bool = False,
        limit: int = 100,
        offset: int = 0,
        scope: str | None = None,
    ) -> Sequence[KnownNote]:
        """
        List what was noted for later sessions, the newest first.

        Args:
            is_all: Also those that are over.
            limit: How many (100).
            offset: Skip so many (0).
            scope: Only this scope and global.

        Returns:
            The notes that stand, each with who noted it and whether it holds in all work;
            with *is_all* those that are over too, with what ended them; of the last 1,000.
        """

    async def edit(
        self,
        note: str,
        text: str,
        *,
        scope: str | None = None,
    ) -> EpisodeId:
        """
        Put a note in the place of another.

        It stands where that one did, for all work if that one did. The older one stays, and
        is found behind it.

        Args:
            note: The note's ID, as listed or told.
            text: What is so now, quoted or not.
            scope: Only this scope and global.

        Returns:
            The ID of the new note.

        Raises:
            NotFoundError: there is no such note that may be seen.
            InvalidInputError: it is no note, or the text is empty or too long.
            ForbiddenError: a person noted it, and the caller is none.
        """

    async def end(
        self,
        note: str,
        reason: str = '',
        *,
        scope: str | None = None,
    ) -> EpisodeId:
        """
        Say that a note is over.

        No session is told it again. It stays, and recall finds it as superseded, with why.

        Args:
            note: The note's ID, as listed or told.
            reason: Why, for whoever finds it.
            scope: Only this scope and global.

        Returns:
            The ID of what says so.

        Raises:
            NotFoundError: there is no such note that may be seen.
            InvalidInputError: it is no note.
            ForbiddenError: a person noted it, and the caller is none.
        """

class OperationsVerbs:
    """The verbs of `brain.operations`."""

    async def get(
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

    async def compile(
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

        It states facts that hold and are known or corroborated, of its scope alone, and cites
        each. With a language model the facts are put into words; a sentence that cites nothing,
        or something else than was shown, is refused, and the page keeps its plain form.

        Args:
            kind: What kind of page.
            what: The entity or the topic.
            name: What it is called, if not after its subject.
            title: Its heading, likewise.
            area: Only what is filed under this area.
            environment: Only of this environment.
            system: Only of this system.
            without: Leave out facts that hold this term; may be repeated.
            is_foundational: Every session reads it, and whole; a person says that.
            scope: Whose facts it states.
            folder: Of a project without a scope: a folder of it.

        Returns:
            The page, and whether anything of it is new.

        Raises:
            ForbiddenError: the caller is anonymous, or no human and makes it foundational.
            NotFoundError: nothing is known of its subject. A page that is there stays as it is.
            InvalidInputError: the kind needs something that is not given.
        """

    async def refresh(
        self,
        name: str,
        *,
        scope: str | None = None,
    ) -> Compiled:
        """
        Compile a page again, about the same.

        Args:
            name: The name of the page, or its title, as listed.
            scope: Only this scope and global.

        Returns:
            The page, and whether anything of it is new.

        Raises:
            ForbiddenError: the caller is anonymous.
            NotFoundError: there is no such page, or nothing is known of it any more.
        """

    async def list(
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
            The pages that may be seen.
        """

    async def get(
        self,
        name: str,
        *,
        scope: str | None = None,
    ) -> PageView:
        """
        Show a page, each line with what it cites; a stale one too, which says so.

        Args:
            name: The name of the page, or its title, as listed.
            scope: Only this scope and global.

        Returns:
            The page, its sources as they stand now, the pages that it leads to, and its markdown.

        Raises:
            NotFoundError: there is no such page that may be seen.
        """

    async def read(
        self,
        *,
        budget: int = 1000,
        scope: str | None = None,
    ) -> Reading:
        """
        Read the pages that a session begins with, within a budget of tokens.

        Foundational pages come first and whole, whatever the budget; then that of the project, then
        those compiled last. No language model is asked.

        Args:
            budget: About so many tokens (1000).
            scope: Only this scope and global.

        Returns:
            Their words, which of them are stale, and what there was no room for.
        """

    async def edit(
        self,
        name: str,
        text: str,
        *,
        scope: str | None = None,
    ) -> Edited:
        """
        Propose what an edited page says otherwise.

        A page is never written. A line that changed proposes that of the fact that it cites, a line
        that is gone proposes that its facts end, and words that cite nothing become a section that
        is locked. A line that a person takes off twice within a month is not compiled there again;
        a text from a pipe is nobody's word, and only proposes.

        Args:
            name: The name of the page, or its title, as listed.
            text: The words.
            scope: Only this scope and global.

        Returns:
            The page as it is, the proposals that wait for a human, and what is locked now.

        Raises:
            ForbiddenError: the caller is anonymous, or no human and adds words of their own.
            NotFoundError: there is no such page.
            ConflictError: a line cites what the page does not.
            InvalidInputError: a line that changed does not rest on one fact.
        """

    async def lock(
        self,
        name: str,
        section: str,
        text: str = '',
        *,
        scope: str | None = None,
    ) -> Page:
        """
        Put a section into your own words, which stay word for word.

        What would be compiled there is shown beside it, to be taken or declined.

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

    async def unlock(
        self,
        name: str,
        section: str,
        *,
        scope: str | None = None,
    ) -> Page:
        """
        Let a section be compiled again; your words are gone from the page.

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

    async def arrange(
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
        Say where a section stands, what it is for, and what is left out of it.

        It stays so however often the page is compiled. Lines with a term are gone at once.

        Args:
            name: The name of the page, or its title, as listed.
            section: Its section, as page show tells it.
            is_pinned: It stands first, and is read first.
            position: At this place of the page, 1 is the first; 0 as compiled.
            is_told: Sessions begin with it.
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

    async def take(
        self,
        name: str,
        section: str,
        *,
        signature: str,
        scope: str | None = None,
    ) -> Page:
        """
        Let a locked section say what would be compiled there. It stays locked.

        Args:
            name: The name of the page, or its title, as listed.
            section: Its section, as page show tells it.
            signature: Of what waits, as page show tells it.
            scope: Only this scope and global.

        Returns:
            The page.

        Raises:
            ForbiddenError: the caller is not a human.
            NotFoundError: there is no such page or section.
            ConflictError: nothing waits there, or something else than was shown.
        """

    async def decline(
        self,
        name: str,
        section: str,
        *,
        signature: str,
        scope: str | None = None,
    ) -> Page:
        """
        Leave a locked section as it is. Exactly that is not offered again.

        Args:
            name: The name of the page, or its title, as listed.
            section: Its section, as page show tells it.
            signature: Of what waits, as page show tells it.
            scope: Only this scope and global.

        Returns:
            The page.

        Raises:
            ForbiddenError: the caller is not a human.
            NotFoundError: there is no such page or section.
            ConflictError: nothing waits there, or something else than was shown.
        """

    async def remove(
        self,
        name: str,
        *,
        scope: str | None = None,
    ) -> Page:
        """
        Take a page away, with its locked sections. What it states stays known.

        Args:
            name: The name of the page, or its title, as listed.
            scope: Only this scope and global.

        Returns:
            The page as it was.

        Raises:
            ForbiddenError: the caller is not a human.
            NotFoundError: there is no such page.
        """

    async def lint(
        self,
        *,
        scope: str | None = None,
    ) -> Sequence[Finding]:
        """
        Show what is wrong with the pages, and what puts it right.

        It looks for pages that are stale, cite what holds no more, contradict something or have no
        page that leads to them, for links in people's words that lead nowhere, and for projects,
        things and topics that deserve a page and have none.

        Args:
            scope: Only this scope and global.

        Returns:
            The findings.
        """

    async def manifest(
        self,
        *,
        scope: str | None = None,
    ) -> Sequence[ManifestEntry]:
        """
        Show the inputs, the version and the cost of each page, in compile order.

        Args:
            scope: Only this scope and global.

        Returns:
            An entry for each page that may be seen.
        """

    async def sweep(
        self,
        *,
        at_most: int | None = None,
    ) -> PagesSwept:
        """
        Compile pages that have been stale for a while, and make those that lack.

        Foundational pages come first and topics last, so that what a topic gathers is there. The
        worker does it by itself. A page that is plain because a budget was spent or the model was
        away is put into words on another day.

        Args:
            at_most: At most so many pages (the setting page_sweep).

        Returns:
            How many were stale, compiled and made.

        Raises:
            ForbiddenError: the caller is anonymous.
        """

class PeopleVerbs:
    """The verbs of `brain.people`."""

    async def introduce(
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
        Record somebody with an address and what is known of them, in one transaction.

        Args:
            name: The name that it is shown by.
            type: The kind of thing (person).
            scope: Where it belongs: global, project:KEY or domain:NAME (global).
            is_namesake: Another one than who goes by that name.
            aliases: Other names.
            transport: Reached on this transport.
            address: As it is written there.
            display_name: What its bearer is called there.
            addresses: Further ones, each behind its transport and a space.
            confidence: How sure the addresses are.
            traits: What is known of them, by key.

        Returns:
            The entity, its address or the proposal to link it, and the traits.

        Raises:
            ConflictError: a person goes by that name, or the address is another entity's.
            ForbiddenError: somebody other than a human confirms.
            InvalidInputError: it cannot be a name, or nobody configured that transport.
        """

    async def link(
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

        An address is one entity's alone. Only a human says whose the address of a person, an
        agent or an account is: an agent's link waits in the review queue.

        Args:
            entity: A name that is its alone, or its ID.
            transport: Matrix, email, slack and so on.
            address: As it is written there.
            display_name: What its bearer is called there.
            confidence: How sure it is (suggested).
            is_verified: You know that it is theirs; for a human.

        Returns:
            The address as it is linked, or the proposal that waits for a human.

        Raises:
            NotFoundError: there is no such entity.
            ConflictError: the address is another entity's.
            ForbiddenError: somebody other than a human confirms.
        """

    async def unlink(
        self,
        transport: str,
        address: str,
        *,
        keep: bool = False,
        reason: str = '',
    ) -> Identity:
        """
        Unlink an address from its entity.

        What came by it is nobody's then, and of whom it is linked to next. With `--keep` it stays
        with who is reached there now, for an address that goes to somebody else.

        Args:
            transport: Matrix, email, slack and so on.
            address: As it is written there.
            keep: It changes hands: what came by it stays its bearer's.
            reason: Why.

        Returns:
            The address as it was linked.

        Raises:
            NotFoundError: nobody is reached there.
        """

    async def verify(
        self,
        transport: str,
        address: str,
    ) -> Identity:
        """
        Confirm whose an address is.

        Args:
            transport: Matrix, email, slack and so on.
            address: As it is written there.

        Returns:
            The address as it is linked now.

        Raises:
            NotFoundError: nobody is reached there.
            ForbiddenError: the caller is not a human.
        """

    async def resolve(
        self,
        transport: str,
        address: str,
        *,
        scope: str | None = None,
    ) -> Known | None:
        """
        Say who is reached at an address.

        Args:
            transport: Matrix, email, slack and so on.
            address: As it is written there.
            scope: Only this scope and global.

        Returns:
            The entity and its address; None if nobody is reached there.

        Raises:
            InvalidInputError: nobody configured the transport.
        """

    async def suggest(
        self,
        transport: str,
        address: str,
        *,
        display_name: str = '',
        limit: int = 10,
        scope: str | None = None,
    ) -> Sequence[Suggestion]:
        """
        Suggest whose an address may be.

        Args:
            transport: Matrix, email, slack and so on.
            address: As it is written there.
            display_name: What its bearer is called there.
            limit: How many (10).
            scope: Only this scope and global.

        Returns:
            Entities with a score from 0 to 1 and the reason.

        Raises:
            InvalidInputError: nobody configured the transport.
        """

    async def identities(
        self,
        name: str,
        *,
        scope: str | None = None,
    ) -> Sequence[Identity]:
        """
        List the addresses at which an entity is reached.

        Args:
            name: Any name of it, or its ID.
            scope: Only this scope and global.

        Returns:
            Its addresses, each with how sure it is.

        Raises:
            NotFoundError: nothing that may be seen goes by that name.
        """

    async def interactions(
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
            limit: How many (20).
            is_private: Mask mail, addresses, numbers and secrets.
            scope: Only this scope and global.

        Returns:
            The messages, the newest first, and how many there are in all.

        Raises:
            NotFoundError: nothing that may be seen goes by that name.
            InvalidInputError: nobody configured the transport.
        """

    async def stats(
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

    async def tell(
        self,
        entity: str,
        key: str,
        value: str,
        *,
        confidence: ProfileConfidence | str = 'medium',
        evidence: Iterable[str] = (),
    ) -> Trait:
        """
        Record how somebody is.

        What was recorded under that key before stays in the history.

        Args:
            entity: A name that is its alone, or its ID.
            key: The trait, such as language.
            value: What it is now.
            confidence: How sure it is (medium).
            evidence: Episodes that show it.

        Returns:
            The trait as it is now.

        Raises:
            NotFoundError: there is no such entity or episode.
            ForbiddenError: a human told it otherwise, or the evidence is of a narrower scope than the
                entity, and the caller is no human.
            ConflictError: several entities go by the name.
        """

    async def profile(
        self,
        name: str,
        *,
        scope: str | None = None,
    ) -> Sequence[Trait]:
        """
        Return how an entity is.

        Args:
            name: Any name of it, or its ID.
            scope: Only this scope and global.

        Returns:
            The current trait under each key.

        Raises:
            NotFoundError: nothing that may be seen goes by that name.
        """

    async def history(
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
            NotFoundError: nothing that may be seen goes by that name.
        """

class PlaybooksVerbs:
    """The verbs of `brain.playbooks`."""

    async def list(
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
            limit: How many (50).
            offset: Skip so many (0).
            scope: Only this scope and global.

        Returns:
            The playbooks that may be seen; without a state, those that are no longer in use too.
        """

    async def get(
        self,
        playbook_id: str,
        *,
        scope: str | None = None,
    ) -> PlaybookStory:
        """
        Show a playbook: its steps and pitfalls, what it rests on, and how it did.

        Args:
            playbook_id: The playbook's ID.
            scope: Only this scope and global.

        Returns:
            The playbook, and each session that did what it says.

        Raises:
            NotFoundError: there is no such playbook, or it cannot be seen from the scope.
        """

    async def revise(
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
        Put a playbook into other words. They wait for `tilth playbook confirm`.

        A candidate says them at once. Of a confirmed one they are a version beside it, which takes
        its place once it is confirmed. What is left out stays as it is.

        Args:
            playbook_id: The playbook's ID.
            title: What it is.
            applies_when: When it is of use.
            steps: A step; all of them, in order.
            pitfalls: A pitfall; all of them, '' for none.
            note: Why.

        Returns:
            The version that waits, with what it changes.

        Raises:
            ForbiddenError: the caller is not a human.
            NotFoundError: there is no such playbook.
            ConflictError: it is neither in use nor a candidate, or a revision of it waits already.
            InvalidInputError: it says that already, or the words are no playbook.
        """

    async def report(
        self,
        playbook_id: str,
        ended: SessionEnd | str,
        *,
        session_id: str,
    ) -> Playbook:
        """
        Report how a session ended that did what a playbook says.

        A session counts once, also one that the playbook was drafted from. What tools show
        outweighs a report, and a report neither promotes nor retires anything. Of a version whose
        place another took, that other one counts it.

        Args:
            playbook_id: The playbook's ID.
            ended: How it ended.
            session_id: The session that did it.

        Returns:
            The playbook with its counts.

        Raises:
            ForbiddenError: the caller is anonymous or an import.
            NotFoundError: there is no such playbook.
        """

    async def confirm(
        self,
        playbook_id: str,
        *,
        digest: str,
        note: str = '',
    ) -> PlaybookChange:
        """
        Confirm exactly these words of a playbook. From then on agents are told of it.

        Args:
            playbook_id: The playbook's ID.
            digest: Of the words that were read, as playbook show tells it.
            note: Why.

        Returns:
            The playbook as it is now, its skills, and their files.

        Raises:
            ForbiddenError: the caller is not a human.
            NotFoundError: there is no such playbook.
            ConflictError: it says something else now, or was confirmed already.
        """

    async def veto(
        self,
        playbook_id: str,
        *,
        note: str = '',
    ) -> PlaybookChange:
        """
        Refuse a playbook. It is not drafted again from the same evidence, and its skills go with it.

        New evidence may bring it up once more, with the veto beside it; a second veto is final.

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

    async def retire(
        self,
        playbook_id: str,
        *,
        note: str = '',
    ) -> PlaybookChange:
        """
        Take a confirmed playbook out of use, and its skills with it.

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

    async def restore(
        self,
        playbook_id: str,
        *,
        note: str = '',
    ) -> PlaybookChange:
        """
        Bring back a playbook that was retired, archived or vetoed.

        One that was retired is confirmed again, and one that was put away or vetoed a candidate.

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

    async def list(
        self,
        *,
        state: ProjectState | str | None = None,
        scope: str | None = None,
    ) -> Sequence[Project]:
        """
        List projects by name; archived ones where their state is asked for.

        Args:
            state: Only in this state.
            scope: Only this scope and global.

        Returns:
            The projects of which anything was recorded.
        """

    async def move(
        self,
        project: str,
        state: ProjectState | str,
    ) -> Project:
        """
        Say whether a project is worked on, paused or archived.

        Of one that is paused or archived, agents are told nothing unasked; what is global they are
        told all the same. It is captured as before, and found by whoever asks.

        Args:
            project: The project, such as project:shop.
            state: Active, paused or archived.

        Returns:
            The project as it is now.

        Raises:
            ForbiddenError: the caller is not a human.
            NotFoundError: nothing was ever recorded of it.
            ConflictError: it is that already.
        """

class ReceiptsVerbs:
    """The verbs of `brain.receipts`."""

    async def keep(
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
            InvalidInputError: it names no scope or session, or holds words instead of their digest.
        """

    async def list(
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
            limit: How many (20).
            offset: Skip so many (0).
            scope: Only this scope and global.

        Returns:
            Receipts: when, by which way, how many items and tokens; at most 1,000.
        """

    async def trace(
        self,
        receipt_id: str,
        *,
        scope: str | None = None,
    ) -> JsonObject:
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

class ReviewVerbs:
    """The verbs of `brain.review`."""

    async def scan(
        self,
        *,
        after: int = 0,
        limit: int = 1000,
    ) -> ContradictionScan:
        """
        Ask a human where current facts about the same system contradict each other.

        Args:
            after: Begin after this place of the ledger (0).
            limit: How many events (1000).

        Returns:
            How many facts were compared, the proposals that wait, and where to go on.
        """

    async def list(
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
        List proposals, those that wait now unless it is asked otherwise, oldest first.

        Args:
            limit: How many (100).
            offset: Skip so many (0).
            scope: Only this scope and global.
            states: Instead of what waits now; may be repeated.
            kinds: Only these; may be repeated.
            by: Who asked; may be repeated.
            about: A fact that it is about.

        Returns:
            A page of proposals, and how many wait, are put off and are decided.

        Raises:
            InvalidInputError: a word is not one of those that its place allows.
        """

    async def show(
        self,
        proposal_id: str,
        *,
        scope: str | None = None,
    ) -> Shown:
        """
        Show a proposal with all that a decision rests on.

        Args:
            proposal_id: The proposal's ID, as listed.
            scope: Only this scope and global.

        Returns:
            The proposal, the facts of its sides, those that would end, and the digest that
            binds a decision to what is shown.

        Raises:
            NotFoundError: there is no such proposal, or it cannot be seen from the scope.
        """

    async def question(
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
            The proposal that waits.

        Raises:
            NotFoundError: there is no such fact.
        """

    async def decide(
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
            facts: Only these sides.
            keeps: The side that stays.
            since: Since when it holds.
            scope: The scope in which it holds alone.
            text: The whole statement in other words.
            value: The object of a triple.
            note: Why.

        Returns:
            The proposal with the ruling.

        Raises:
            ForbiddenError: the caller is not a human.
            ConflictError: it is decided, or is not what was shown.
            InvalidInputError: the action needs more, or does not fit this kind of proposal.
        """

    async def confirm(
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
            ConflictError: it is decided, or is not what was shown.
        """

    async def reject(
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
            ConflictError: it is decided, or is not what was shown.
        """

    async def decide_many(
        self,
        answers: Iterable[Mapping[str, Any]],
    ) -> Sequence[Decided]:
        """
        Decide many proposals, each for itself.

        Args:
            answers: Mappings with the arguments of `decide`.

        Returns:
            What became of each, in the order in which they are given.

        Raises:
            InvalidInputError: one of the answers cannot be read; then none is carried out.
        """

    async def snooze(
        self,
        proposal_id: str,
        *,
        until: datetime | str,
    ) -> Proposal:
        """
        Put a proposal off.

        Args:
            proposal_id: The proposal's ID, as listed.
            until: Until then.

        Returns:
            The proposal as it waits now.

        Raises:
            ForbiddenError: the caller is not a human.
            ConflictError: it is decided.
        """

    async def undo(
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

    async def list(
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
            since: Only what was active at or after this.
            until: Only what was active before this.
            limit: How many (20).
            offset: Skip so many (0).
            scope: Only this scope and global.

        Returns:
            The sessions that may be seen; at most 1,000 at once.
        """

    async def get(
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

    async def show(
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
            limit: How many (100).
            after: Only what stands after this place of the ledger (0).
            scope: Only this scope and global.

        Returns:
            The session, and its episodes in the order of the ledger.

        Raises:
            NotFoundError: there is no such session, or it cannot be seen from the scope.
            InvalidInputError: it begins the IDs of several.
        """

    async def describe(
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

class SkillsVerbs:
    """The verbs of `brain.skills`."""

    async def list(
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
            limit: How many (50).
            offset: Skip so many (0).
            scope: Only this scope and global.

        Returns:
            The skills that may be seen.
        """

    async def get(
        self,
        skill_id: str,
        *,
        scope: str | None = None,
    ) -> SkillStory:
        """
        Show a skill: its file word for word, what it rests on, and who loaded it.

        Args:
            skill_id: The skill's ID.
            scope: Only this scope and global.

        Returns:
            The skill, the sessions that loaded it, and how its files are found.

        Raises:
            NotFoundError: there is no such skill, or it cannot be seen from the scope.
        """

    async def draft(
        self,
        playbook_id: str,
        *,
        params: Sequence[str] = (),
    ) -> Skill:
        """
        Draft a skill of a playbook that has not proved itself yet. It is a candidate.

        A parameter stands in the file as its name in angle brackets, with the value as an example.

        Args:
            playbook_id: The playbook's ID.
            params: Leave a value of its steps open under a name; may be repeated.

        Returns:
            The skill.

        Raises:
            ForbiddenError: the caller is not a human.
            NotFoundError: there is no such playbook.
            ConflictError: there is one of these bytes already, or was, or the playbook is not in use.
            InvalidInputError: its words may not stand in the file of a skill, or no step holds
                the value of a parameter.
        """

    async def add(
        self,
        text: str = '-',
        *,
        sources: Sequence[str] = (),
        scope: str = 'global',
    ) -> Skill:
        """
        Record a skill that somebody wrote. It is a candidate, whoever wrote it.

        Its front matter has a name and a description, and no other keys.

        Args:
            text: The words of the file, - reads standard input (-).
            sources: A playbook or fact that it rests on; may be repeated.
            scope: Where it belongs: global, project:KEY or domain:NAME (global).

        Returns:
            The skill.

        Raises:
            ForbiddenError: the caller is anonymous or an import.
            NotFoundError: there is nothing with the ID that it rests on.
            ConflictError: there is one of these bytes already, or a human revoked it.
            InvalidInputError: it is no file of a skill, or rests on nothing and no human wrote it.
        """

    async def approve(
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

        One of a revised playbook takes the place, and the folder, of the one of its older version.

        Args:
            skill_id: The skill's ID.
            digest: Of the file that was read, whole.
            readers: For whose folder: .claude/skills or .agents/skills; else both.
            folder: The project's folder, or another home.
            note: Why.

        Returns:
            The skill and its files.

        Raises:
            ForbiddenError: the caller is not a human, or a folder may not be written.
            NotFoundError: there is no such skill.
            ConflictError: the digest is that of other bytes, a place is taken, or it was revoked.
            InvalidInputError: the folder is not one of the skill's project.
            UnavailableError: a file cannot be written; reflection tries again.
        """

    async def disable(
        self,
        skill_id: str,
        *,
        note: str = '',
    ) -> SkillStory:
        """
        Take the files of a skill away until it is approved again.

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

    async def revoke(
        self,
        skill_id: str,
        *,
        note: str = '',
    ) -> SkillStory:
        """
        Take a skill back for good, and its files with it.

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

    async def take(
        self,
    ) -> TakenSnapshot:
        """
        Write down what is known today.

        The file holds every operation that made it so, the place in the ledger, and hashes.
        A second one of a day replaces the first; the newest 30 are kept.

        Returns:
            The snapshot.
        """

    async def list(
        self,
    ) -> Sequence[TakenSnapshot]:
        """
        List the snapshots that are there, the newest first.

        Returns:
            The snapshots, without the hash of each file.
        """

    async def get(
        self,
        day: str,
    ) -> TakenSnapshot:
        """
        Show the snapshot of a day, after its hash was checked.

        Args:
            day: The day, such as 2026-11-23.

        Returns:
            The snapshot.

        Raises:
            NotFoundError: there is none of that day.
            CorruptionError: the file is not as it was written.
        """

    async def restore(
        self,
        day: str,
        *,
        confirm: str = '',
        reason: str = '',
    ) -> Rollback:
        """
        Go back to what was known on a day; without `--confirm`, show what would change.

        Later operations are set aside, and come back with `tilth snapshot reapply`. What was
        said stays, and so do erasures and rejections.

        Args:
            day: The day, such as 2026-11-23.
            confirm: What the plan says yes with.
            reason: Why.

        Returns:
            The plan, or what was done.

        Raises:
            ForbiddenError: the caller is not a human.
            NotFoundError: there is no snapshot of that day.
            CorruptionError: its file is not as it was written.
            ConflictError: it belongs to another history, what would change is not what was
                shown, or nothing has changed.
        """

    async def aside(
        self,
    ) -> Sequence[Aside]:
        """
        List what rollbacks and undos keep aside, the newest first.

        Returns:
            Each of them with its operations.

        Raises:
            ForbiddenError: the caller is not a human.
        """

    async def reapply(
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
            only: Bring back this operation alone; may be repeated.
            reason: Why.

        Returns:
            What is back, and the operation that did it.

        Raises:
            ForbiddenError: the caller is not a human.
            NotFoundError: there is no such operation.
            InvalidInputError: it set nothing aside, or not what is named.
            ConflictError: what it is about has changed since, or all of it is back.
        """

class SourcesVerbs:
    """The verbs of `brain.sources`."""

    async def list(
        self,
        *,
        limit: int = 50,
        scope: str | None = None,
    ) -> Sequence[Source]:
        """
        List the sources that cycles read, the one that was read last first.

        Args:
            limit: How many (50).
            scope: Only this scope and global.

        Returns:
            Each with its credibility, what became of its candidates, and what they speak for.
        """

    async def rate(
        self,
        source_id: str,
        credibility: Credibility | str,
        *,
        reason: str = '',
    ) -> Source:
        """
        Say how far a source is believed; it moves the confidence of later candidates.

        Args:
            source_id: The source's ID.
            credibility: How far it is believed.
            reason: Why.

        Returns:
            The source as it is now.

        Raises:
            ForbiddenError: the caller is not a human.
            NotFoundError: there is no such source.
            ConflictError: it is rated so already.
        """

class TopicsVerbs:
    """The verbs of `brain.topics`."""

    async def add(
        self,
        name: str,
        *,
        priority: int = 3,
        freshness_days: int = 7,
        scope: str = 'global',
    ) -> Topic:
        """
        Name something for the garden to tend.

        Its cycles search for what is new about it, and propose candidates with their source.

        Args:
            name: What it is about, in its usual words.
            priority: 1 (least) to 5 (tended first) (3).
            freshness_days: After so many days it is stale (7).
            scope: Where it belongs: global, project:KEY or domain:NAME (global).

        Returns:
            The topic.

        Raises:
            ForbiddenError: the caller is anonymous or an import.
            ConflictError: there is one of that name.
            InvalidInputError: the name is empty, or a number is out of its range.
        """

    async def list(
        self,
        *,
        is_archived: bool = False,
        scope: str | None = None,
    ) -> Sequence[Topic]:
        """
        List topics, those of the highest priority first.

        Args:
            is_archived: Those that were archived.
            scope: Only this scope and global.

        Returns:
            The topics that may be seen, with when they were tended and what they contain.
        """

    async def edit(
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
            freshness_days: After so many days it is stale.
            reason: Why.

        Returns:
            The topic as it is now.

        Raises:
            ForbiddenError: the caller is anonymous or an import.
            NotFoundError: there is no such topic.
            ConflictError: it is so already, or another one has that name.
            InvalidInputError: a number is out of its range.
        """

    async def archive(
        self,
        topic_id: str,
        *,
        reason: str = '',
    ) -> Topic:
        """
        Tend a topic no more; its facts stay as they are.

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

    async def restore(
        self,
        topic_id: str,
        *,
        reason: str = '',
    ) -> Topic:
        """
        Tend a topic again that was archived.

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

    async def contain(
        self,
        topic_id: str,
        fact_id: str,
    ) -> Topic:
        """
        Say that a known fact is of a topic.

        Args:
            topic_id: The topic: its name, or its ID.
            fact_id: The fact's ID.

        Returns:
            The topic as it is now.

        Raises:
            ForbiddenError: the caller is anonymous or an import.
            NotFoundError: there is no such topic or fact.
            ConflictError: it is of it already.
        """

    async def get(
        self,
        topic_id: str,
        *,
        scope: str | None = None,
    ) -> TopicStory:
        """
        Show a topic with what its cycles found, and what became of it.

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

    async def export(
        self,
        path: str,
        *,
        links: Links | str = 'wiki',
        is_raw: bool = False,
        scope: str | None = None,
    ) -> VaultWritten:
        """
        Write what you may see as pages of markdown, or bring them up to date.

        The same brain gives the same bytes. What you write below the marker of a page stays;
        what you change above it stays until `tilth vault import` has read it and a person
        has decided. An erase brings a vault that was made here up to date.

        Args:
            path: The folder.
            links: How pages name one another: for Obsidian, or for others (wiki).
            is_raw: With what was said, session by session, under raw/.
            scope: Only this scope and global.
            progress: Told how many pages are done.

        Returns:
            The pages that were written, renamed and removed, and those that were left as
            somebody changed them.

        Raises:
            InvalidInputError: something else is in the folder.
            ConflictError: it is a vault of another brain, or a link leads out of it.
        """

    async def import_edits(
        self,
        path: str,
    ) -> VaultRead:
        """
        Propose what was changed in a vault: nothing in a file makes anything true.

        A changed line proposes a correction, a deleted one that its fact ends, a new one a
        new fact. Where the fact changed in the brain too, both are shown. What proposes
        nothing is told, and put below the marker with the next export: nothing is lost.

        Args:
            path: The folder.

        Returns:
            The proposals, the conflicts, and what was refused and why.

        Raises:
            ForbiddenError: the caller is anonymous.
            NotFoundError: no vault is there.
            ConflictError: it is a vault of another brain, or a link leads out of it.
            CorruptionError: its manifest cannot be read.
        """

class WordsVerbs:
    """The verbs of `brain.words`."""

    async def list(
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

    async def queue(
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

    async def check(
        self,
        *,
        registry: Registry | str | None = None,
        is_strict: bool = False,
    ) -> WordCheck:
        """
        Check that facts use registered words alone.

        Args:
            registry: Only this registry.
            is_strict: End with 1 where a word is used that nobody registered.

        Returns:
            The words that nobody registered, the most used first, and whether that is strict.
        """

    async def register(
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
            registry: Predicate, area or tag.
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

    async def alias(
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
            NotFoundError: nothing is registered under the name.
            ConflictError: the alias is another word's already.
        """

    async def ignore(
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
            The word as it is ignored.

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

    async def remember(
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

        The next recall finds it. Secrets and private spans are removed first. What
        belongs to no session and no conversation teaches nothing: it is found, and
        no fact is made of it. A note that another replaces is told to no agent
        unasked, and found behind it.

        Args:
            text: What was said or done, quoted or not; - reads standard input.
            entity: Who it was said with, by ID or name, where no --address says so.
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
            The ID of the episode. A key that was used for the same text before gives
            the ID that it gave then.

        Raises:
            InvalidInputError: the text is empty or too long, the transport unknown, what holds
                always or replaces a note is said in a session, or what is replaced is no note there.
            NotFoundError: nothing goes by the name of the entity, or by the ID of what is replaced.
            ForbiddenError: a person noted what is replaced, and who records is none.
            IdempotencyConflictError: the key was used before, for something else.
        """

    async def remember_many(
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

    async def duplicates(
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
            At most 20 episodes with their cosine, the likest first.

        Raises:
            InvalidInputError: *likeness_min* is not from 0 to 1.
        """

    async def state(
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

        It answers from facts that hold, not from what was said about them.

        Args:
            limit: At most so many (10).
            is_widening: If nothing holds now, show what held before.
            scope: Only this scope and global.
            as_of: What held then.
            known_at: As it was known by then.
            lifecycles: Instead of those that hold; may be repeated.
            reviews: Only these; may be repeated.
            since: Only what began then or later.
            by: Only what these wrote; may be repeated.
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
            episode_id: Only what rests on this episode.

        Returns:
            The facts, the newest first, each with its freshness and what contradicts it.

        Raises:
            InvalidInputError: a word is not one of those that its place allows.
        """

    async def changes(
        self,
        since: str = '',
        *,
        limit: int = 100,
        scope: str | None = None,
    ) -> JsonObject:
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
            A page of events with the cursor of its end, and for each event what ceased to
            hold by it, what came in its place, and what holds again.

        Raises:
            InvalidInputError: *since* is neither a cursor nor an instant.
            ConflictError: the cursor belongs to another store, or to a history that was
                replaced.
        """

    async def about(
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

        Its names, the facts that hold, what it is linked to, and the episodes that mention it.

        Args:
            name: Any name of it, or its ID.
            limit: How many facts (20).
            as_of: What held then.
            known_at: As it was known by then.
            scope: Only this scope and global.

        Returns:
            All of that in one answer.

        Raises:
            NotFoundError: nothing that may be seen goes by that name.
        """

    async def recall(
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

        Searches words, meanings, names and times together. Of statements that say
        nearly the same the current one comes first, and a superseded one never stands
        above its successor.

        Args:
            question: In your own words, quoted or not.
            limit: At most so many hits (the setting recall_limit).
            as_of: Episodes from by then, and facts that held then.
            known_at: Only what was recorded by then.
            tiers: Only this tier; may be repeated.
            kinds: Only episodes of this kind, and no facts; may be repeated.
            session_id: Only this session, and no facts.
            entity: Only what has to do with this entity, by ID or name.
            area: Only facts of this area, and what they rest on.
            budget_tokens: Stop at about so many tokens; 0 is no limit (the setting recall_budget_tokens).
            is_full: Whole texts instead of snippets.
            is_grouped: Bring the current one of nearly equal statements to the front.
            around: So many turns before and after each hit.
            scope: Only this scope and global.

        Returns:
            The hits with their scores, whether they answer the question, and notes.

        Raises:
            InvalidInputError: an option is out of its bounds.
            NotFoundError: nothing goes by the name of the entity.
        """

    async def fetch(
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
            Those that exist and may be seen, in the order of their IDs.

        Raises:
            InvalidInputError: more than 20 are asked for.
        """

    async def reflect(
        self,
        *,
        is_asked: bool = True,
        after: int = 0,
        playbook_sessions: int | None = None,
        skill_sessions: int | None = None,
    ) -> Reflected:
        """
        Draft playbooks and skills from what sessions did, and count how they do.

        The stages run in their order, and one that fails stops no other: experience is read and
        clustered, playbooks are drafted, their outcomes counted, those that fail retired, those
        that proved themselves drafted as skills, what several projects do is lifted, what nobody
        uses is put away, and the files of skills are made what was approved. Nothing is written
        twice.

        Args:
            is_asked: Whether somebody asks for it; else it waits for a quiet moment.
            after: Up to which place it was done (0).
            playbook_sessions: Sessions that must succeed before a playbook is drafted (the setting playbook_sessions).
            skill_sessions: Sessions of a playbook that must succeed before a skill is drafted (the setting skill_sessions).

        Returns:
            What each stage looked at, and how much of it is new.

        Raises:
            ForbiddenError: the caller is anonymous.
        """

    async def growth(
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

    async def distil(
        self,
        *,
        is_asked: bool = True,
        at_most: int | None = None,
    ) -> Distilled:
        """
        Draw facts from what was said since the last time, without a language model.

        Args:
            is_asked: Whether somebody asks for it; else sessions that are going on wait.
            at_most: Read so many sessions.
            progress: Told how many sessions are done.

        Returns:
            What was read and stated, and why the rest was left out.
        """

    async def acquaint(
        self,
        *,
        after: int = 0,
        limit: int = 20,
    ) -> Acquainted:
        """
        Know the things that sessions of the next scopes name by identifiers.

        Distillation does so for the scopes of the sessions that it reads; this is for those
        that an older version recorded.

        Args:
            after: The cursor of the last time (0).
            limit: Look at so many scopes (20).

        Returns:
            What is new, how many scopes were looked at, and the cursor for the next time.
        """

    async def read_by_model(
        self,
    ) -> ModelRead:
        """
        Let a language model read sessions, within its budget.

        It states what the rules did not find.

        Returns:
            What it was asked and what was stated; or why it is put off.
        """

    async def reopen_sessions(
        self,
    ) -> None:
        """
        Have every session read once more, for what an earlier version missed.

        Raises:
            ForbiddenError: the caller is not a human.
        """

    async def feedback(
        self,
        target: str,
        verdict: Verdict | str,
        *,
        session_id: str | None = None,
        receipt_id: str | None = None,
        scope: str | None = None,
    ) -> JsonObject:
        """
        Say whether a hit was of use.

        It moves what is found first, within bounds, and changes nothing that is known. What a
        person calls a dead end, or wrong, is left out of every brief. One caller has one vote in a
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
            NotFoundError: there is no such hit or receipt that may be seen.
            InvalidInputError: the ID is of a kind that nobody votes on.
        """

    async def note_wanted(
        self,
        session_id: str,
        prompt: str,
        *,
        scope: str | None = None,
    ) -> bool:
        """
        Say whether an agent is to be asked for a note, beside a prompt.

        It is, where a session of a project goes on and nobody noted anything: after two prompts that
        were answered, and then after ten. Its receipt ends in `NOTE_ASKED`.

        Args:
            session_id: The session that goes on.
            prompt: What was just typed in it.
            scope: Only this scope and global.

        Returns:
            Whether it is; never where the settings have agents told nothing unasked.
        """

    async def archive(
        self,
        *,
        is_asked: bool = True,
        is_dry_run: bool = False,
    ) -> Swept:
        """
        Archive facts that nobody used for long.

        Takes facts of which nobody heard for 90 days; 270, if anybody heard of what
        they are about. At most 10,000 facts and 50 MiB at once. Kept are facts that a
        human wrote or confirmed, instructions, decisions, milestones, values of slots,
        facts tagged durable, and those a proposal is about. Episodes are never
        archived. The worker does it once a day; `tilth unarchive` undoes it.

        Args:
            is_asked: Whether somebody asks for it; what nobody asks for is due once a day.
            is_dry_run: Say what would be done, and write nothing.
            progress: Told how many facts are done.

        Returns:
            The facts, the oldest first, and their size in bytes.

        Raises:
            ForbiddenError: the caller is anonymous.
        """

    async def unarchive(
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

    async def consolidate(
        self,
        *,
        is_asked: bool = True,
        is_dry_run: bool = False,
    ) -> Consolidated:
        """
        Sum up related facts about one thing in one fact.

        Three facts or more that belong together become the sources of one that derives
        from them: in their words, or in those of a language model if one is chosen and
        its answer holds. The sources stay as they are. The worker does it once a day
        where a model sums up.

        Args:
            is_asked: Whether somebody asks for it; what nobody asks for is due once a day.
            is_dry_run: Say what would be done, and write nothing.

        Returns:
            Each group with its sources, and the fact made of it.

        Raises:
            ForbiddenError: the caller is anonymous.
        """

    async def clean(
        self,
    ) -> Cleaned:
        """
        Have a language model find what is out of date or double, and archive it.

        It reads thirty facts at a time.

        A fact that it finds out of date, or a double of one that stays, is archived; `tilth fact
        restore` brings it back, and it is not shown again. Facts are a day old before they are
        shown, and are left alone for a week then. What a human wrote or confirmed, rules, decisions
        and values of slots are never shown. The worker does it where a model is set for the task
        `clean`.

        Returns:
            How many facts were shown, what was archived, and how many verdicts were ignored.

        Raises:
            ForbiddenError: the caller is anonymous.
        """

    async def dedup(
        self,
        *,
        after: int = 0,
        is_dry_run: bool = False,
    ) -> Deduplicated:
        """
        Ask a human about facts that say nearly the same.

        One call looks at one stretch of the ledger.

        Args:
            after: The place in the ledger to begin behind (0).
            is_dry_run: Say what would be done, and write nothing.

        Returns:
            The pairs, the proposals made, and the place to go on behind.

        Raises:
            ForbiddenError: the caller is anonymous.
        """

    async def embed_backlog(
        self,
        *,
        limit: int | None = None,
    ) -> int:
        """
        Make the vectors that either tier of embedders lacks.

        Args:
            limit: At most so many in each tier.
            progress: Told how many are done.

        Returns:
            How many were made.
        """

    async def verify(
        self,
    ) -> Verified:
        """
        Prove that the store is as it was written.

        Returns:
            How many events there are, and what is wrong.
        """

    async def rebuild(
        self,
    ) -> int:
        """
        Make every table and index again from the ledger.

        Args:
            progress: Told how many events are done.

        Returns:
            How many events there are.

        Raises:
            ForbiddenError: the caller is not a human.
        """

    async def backup(
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

    async def render(
        self,
        which: str,
        *,
        scope: str | None = None,
    ) -> Rendered:
        """
        Print an entity, a fact, a playbook or a skill as a document.

        An entity is an index of what is known of it, a fact a reference with its sources, a
        playbook a procedure, a skill its file word for word. Nothing is recorded.

        Args:
            which: Of an entity, a fact, a playbook or a skill.
            scope: Only this scope and global.

        Returns:
            The document, as markdown.

        Raises:
            NotFoundError: there is no such thing that may be seen.
            InvalidInputError: the ID is one of something else.
        """

    async def undo(
        self,
        operation: str,
        *,
        dependants: Sequence[str] = (),
        with_dependants: bool = False,
        reason: str = '',
    ) -> Undone:
        """
        Undo one recorded operation.

        What rests on it is listed, and goes with it only if that is said. Undoing a rollback
        or an undo brings back what it set aside.

        Args:
            operation: An ID that `tilth changes` shows: the operation, or what it made.
            dependants: What goes with it; may be repeated.
            with_dependants: All that rests on it goes with it.
            reason: Why.

        Returns:
            What was taken back, and the operation that did it, which undoes it in turn.

        Raises:
            ForbiddenError: the caller is not a human.
            NotFoundError: there is no such operation.
            ConflictError: it was undone before, something rests on it that nobody named, or
                something else took its place.
            InvalidInputError: it is none that can be undone: what was said stays, or is erased.
        """

    async def export(
        self,
        path: str,
        *,
        is_shared: bool = False,
        is_whole: bool = False,
        is_forced: bool = False,
        scope: str | None = None,
    ) -> Exported:
        """
        Write everything that you may see into one file.

        The file holds JSON lines in the order of recording: episodes, facts with their
        history, entities, edges, people, conversations and summaries. It is written
        whole or not at all, and only you may read it. With `--whole` it holds the ledger
        word for word, whoever owns what, which only a person may have.

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
            ConflictError: there is a file at the path, and it is not to be replaced.
            ForbiddenError: the whole ledger is for a human alone.
            InvalidInputError: the whole ledger is neither narrowed nor masked.
        """

    async def brief(
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

    async def pitfall(
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
