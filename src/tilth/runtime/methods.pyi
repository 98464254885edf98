"""The methods of `Brain`, written by `scripts/write_verbs.py` from the verbs."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from tilth.core.scope import Scope
from tilth.core.verb import Caller
from tilth.gaps.filing import Filing, Way
from tilth.gaps.gaps import GapStory
from tilth.gaps.model import Gap, GapKind, GapSort, GapStatus
from tilth.gaps.record_gap import Noted
from tilth.gaps.scan import Scanned
from tilth.gaps.schedule import Pulsed

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

class Methods:
    """The verbs, as methods."""

    gaps: GapsVerbs
    _caller: Caller
    _names: Mapping[str, str]
