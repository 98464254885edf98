"""The methods of `Brain`, written by `scripts/write_verbs.py` from the verbs."""

import builtins
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from tilth.context.context import Context, ContextReceipt
from tilth.context.model import Brief, BriefRequest
from tilth.context.pitfalls import Pitfall, ToolFailure
from tilth.context.receipts import Trace
from tilth.core.ids import ReceiptId
from tilth.core.scope import Scope
from tilth.core.verb import Caller
from tilth.episodes.changes import Changes
from tilth.episodes.document import Document, DocumentSection
from tilth.episodes.duplicates import Duplicate
from tilth.episodes.episode import Episode
from tilth.episodes.session import Session, SessionInfo
from tilth.episodes.sessions import SessionPage
from tilth.gaps.filing import Filing, Way
from tilth.gaps.gaps import GapStory
from tilth.gaps.model import Gap, GapKind, GapSort, GapStatus
from tilth.gaps.record_gap import Noted
from tilth.gaps.scan import Scanned
from tilth.gaps.schedule import Pulsed
from tilth.knowledge.changes.provenance import Resting
from tilth.recall.feedback import Feedback, Verdict

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

class Methods:
    """The verbs, as methods."""

    documents: DocumentsVerbs
    episodes: EpisodesVerbs
    gaps: GapsVerbs
    receipts: ReceiptsVerbs
    sessions: SessionsVerbs
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
