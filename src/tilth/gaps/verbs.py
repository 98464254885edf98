"""The verbs on gaps."""

import logging
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Annotated, Protocol, TypeAlias

from tilth.core.actor import require_human, require_known
from tilth.core.calls.paging import PAGE_MAX, check_page
from tilth.core.errors import InvalidInputError, NotFoundError
from tilth.core.ids import EpisodeId
from tilth.core.io.paths import whole_path
from tilth.core.scope import GLOBAL, Scope, Visibility
from tilth.core.verb import ANYONE, HUMANS, KNOWN, WORKERS, Arg, Section, noun, verb
from tilth.embedding.embedder import Embedder
from tilth.episodes.context import Context, Narrowed, Place
from tilth.episodes.episode import Episode, EpisodeDraft, EpisodeKind
from tilth.episodes.events import EpisodeRecorded
from tilth.episodes.remember import keep_vectors, prepared
from tilth.episodes.tables import Episodes
from tilth.gaps import views
from tilth.gaps.draft_todo import draft_todo, with_path
from tilth.gaps.events import FilingChosen, FilingEnded
from tilth.gaps.gap_matching import GapMatcher
from tilth.gaps.gaps import GapStory, Move, move_gap, require_doer
from tilth.gaps.model import Gap, GapId, GapKind, GapSort, GapStatus
from tilth.gaps.record_gap import Noted, ShownWords, Sighting, record_in
from tilth.gaps.scan import INTERACTIONS_MAX, Scan, Scanned, scan_gaps
from tilth.gaps.schedule import GapJob, GapRun
from tilth.gaps.schedule import run as run_job
from tilth.gaps.tables import GapFilter, Gaps
from tilth.gaps.todos import REPOSITORY_CHARS_MAX, Filing, Outbox, TaskLists, Way
from tilth.knowledge.entities.resolve_name import resolve_entity_id
from tilth.knowledge.facts.write.write_fact import Writing
from tilth.llm.client import ModelClient
from tilth.privacy.redaction import scrub

logger = logging.getLogger(__name__)

EVIDENCE_MAX = 100

noun(
    "gap",
    "missing capabilities, and what became of them",
    section=Section.LOOK_AFTER,
    bare="list",
)

Which: TypeAlias = Annotated[GapId, Arg("the gap's ID", id=GapId.prefix, parse=GapId.parse)]
Ref: TypeAlias = Annotated[str, Arg("where its task is", metavar="REF")]
Reason: TypeAlias = Annotated[str, Arg("why, or how", metavar="TEXT")]
With: TypeAlias = Annotated[
    str | None, Arg("only gaps that came up with this entity, by name or ID", metavar="NAME")
]
DryRun: TypeAlias = Annotated[bool, Arg("say what would be done, and write nothing")]
Todos: TypeAlias = Annotated[Place, Arg("the TODOs of which scope")]


class Needs(Context, Protocol):
    """What gaps need of a brain besides what every verb needs."""

    @property
    def writing(self) -> Writing:
        """What recording a statement needs besides the statement."""

    @property
    def best_embedder(self) -> Embedder:
        """The embedder that compares meanings best."""

    @property
    def thinker(self) -> ModelClient:
        """The client for language models."""

    @property
    def outbox(self) -> Outbox:
        """The folder of drafted TODOs."""

    @property
    def task_lists(self) -> TaskLists:
        """The task lists of repositories."""


@verb(
    "gap add",
    roles=KNOWN,
    view=views.noted,
    examples=(
        "tilth gap add 'Export the notes as a PDF'",
        "tilth gap add 'Order by post' --kind workflow_gap --scope project:shop",
    ),
)
def add(
    brain: Needs,
    description: Annotated[str, Arg("what is missing, in one sentence", metavar="TEXT")],
    *,
    kind: Annotated[GapKind, Arg("what kind of gap")] = GapKind.MISSING_FEATURE,
    evidence: Annotated[
        Sequence[EpisodeId],
        Arg(
            "an episode that shows it; may be repeated. Without one, the text is recorded as one",
            metavar="EPISODE",
        ),
    ] = (),
    follows: Annotated[Which | None, Arg("a gap that was over and came again")] = None,
    scope: Place = GLOBAL,
) -> Noted:
    """
    Record a missing capability.

    A gap that is known in other words is not recorded twice: these episodes become its evidence.

    Returns:
        The gap, whether it is new, and the proposal to merge it with a similar one.

    Raises:
        NotFoundError: there is no such episode, or no such gap to follow.
        InvalidInputError: an episode is in another scope, or the gap to follow is still open.
    """
    by, owner = brain.recorder.by, brain.recorder.owner
    require_known(by, "record a gap")
    if len(evidence) > EVIDENCE_MAX:
        raise InvalidInputError(f"a gap is recorded with at most {EVIDENCE_MAX} episodes")
    text = scrub(description).text
    note = EpisodeDraft(text=text, kind=EpisodeKind.NOTE, scope=scope)
    embedder = brain.writing.embedder
    clean, vectors = prepared(embedder, [note], brain.recorder.transports)
    with brain.store.begin() as tx:
        shown = [Episodes(tx).get(one, Visibility(owner)) for one in dict.fromkeys(evidence)]
        _check_scopes(shown, scope)
        if not shown:
            appended = tx.append(EpisodeRecorded(clean[0]), by=by, owner=owner)
            keep_vectors(tx, embedder.space, [appended], vectors)
            episode_id = EpisodeId.of(appended.recorded.event_id)
            shown = [Episodes(tx).get(episode_id, Visibility(owner))]
        sighting = Sighting(
            description=text,
            kind=kind,
            scope=scope,
            shown=tuple(ShownWords(one, 0, len(one.text)) for one in shown),
            follows=follows,
        )
        noted = record_in(tx, sighting, brain.recorder, _matcher(brain))
    logger.info("gap noted: gap=%s new=%s", noted.gap.id, noted.is_new)
    return noted


def _check_scopes(shown: Sequence[Episode], scope: Scope) -> None:
    if elsewhere := [one.id for one in shown if one.scope != scope]:
        raise InvalidInputError(
            f"{', '.join(elsewhere)} stands in another scope than {scope}",
            hint="a gap lies in the scope of what shows it: give it with --scope",
        )


@verb(
    "gap scan",
    roles=KNOWN,
    view=views.scanned,
    examples=("tilth gap scan --since 7d", "tilth gap scan --entity Ada --dry-run"),
)
def scan(
    brain: Needs,
    *,
    since: Annotated[timedelta, Arg("how far back: 90m, 24h, 7d or 2w")] = timedelta(hours=24),
    entity: With = None,
    limit: Annotated[int, Arg("the most messages to read", least=1)] = INTERACTIONS_MAX,
    is_dry_run: DryRun = False,
    scope: Narrowed = None,
) -> Scanned:
    """
    Look for gaps in recent messages.

    A capability that somebody asked for and was refused is recorded as a gap. A gap that is known
    in other words gets more evidence; `tilth review` asks whether two similar gaps are one.

    Returns:
        How many messages were read, and each gap found with its evidence.

    Raises:
        NotFoundError: nothing goes by the name of the entity.
    """
    seen = brain.within(scope)
    asked = Scan(
        within=seen,
        since=since,
        about=None if entity is None else resolve_entity_id(brain.store, entity, seen),
        limit=limit,
        is_dry_run=is_dry_run,
    )
    return scan_gaps(brain.thinker, _matcher(brain), asked)


@verb(
    "gap list",
    roles=ANYONE,
    view=views.many,
    key="gaps",
    examples=("tilth gap list", "tilth gap list --status detected --sort date"),
)
def list_(
    brain: Needs,
    *,
    status: Annotated[GapStatus | None, Arg("only in this status")] = None,
    entity: With = None,
    sort: Annotated[GapSort, Arg("what comes first")] = GapSort.FREQUENCY,
    limit: Annotated[int, Arg("the most to return", least=1, most=PAGE_MAX)] = 50,
    offset: Annotated[int, Arg("how many to skip", least=0)] = 0,
    scope: Narrowed = None,
) -> Sequence[Gap]:
    """
    List gaps, the most frequent first.

    Returns:
        The visible gaps, without those that were merged into others.

    Raises:
        NotFoundError: nothing goes by the name of the entity.
    """
    seen = brain.within(scope)
    which = GapFilter(
        within=seen,
        statuses=None if status is None else frozenset({status}),
        about=None if entity is None else resolve_entity_id(brain.store, entity, seen),
    )
    check_page(limit, PAGE_MAX)
    with brain.store.read() as view:
        return Gaps(view).select(which, sort=sort, limit=limit, offset=offset)


@verb(
    "gap show",
    python="gaps.get",
    roles=ANYONE,
    view=views.story,
    examples=("tilth gap show gap_01KAR", "tilth gap show gap_01KAR --json"),
)
def show(brain: Needs, gap_id: Which, *, scope: Narrowed = None) -> GapStory:
    """
    Show a gap, every message that shows it, and its history.

    Returns:
        The gap, its evidence, the gaps merged into it, and its events; of erased evidence only the
        ID.

    Raises:
        NotFoundError: there is no such gap, or it cannot be seen from the scope.
    """
    within = brain.within(scope)
    with brain.store.read() as view:
        return GapStory(
            gap=with_path(brain.outbox, Gaps(view).get(gap_id, within)),
            trail=tuple(Gaps(view).trail(gap_id, within)),
            merged=tuple(Gaps(view).merged(gap_id, within)),
            history=tuple(Gaps(view).moves(gap_id, within)),
        )


@verb(
    "gap update",
    python="gaps.move",
    roles=WORKERS,
    view=views.one,
    key="gap",
    examples=(
        "tilth gap update gap_01KAR --status wont_fix --note 'out of scope'",
        "tilth gap update gap_01KAR --todo-ref JIRA-7",
    ),
)
def move(
    brain: Needs,
    gap_id: Which,
    *,
    status: Annotated[GapStatus | None, Arg("its new status; only a human sets wont_fix")] = None,
    todo_ref: Ref = "",
    note: Reason = "",
) -> Gap:
    """
    Change the status of a gap, or record where its task is.

    Returns:
        The gap as it is now.

    Raises:
        ForbiddenError: the caller is anonymous or an import, or sets `wont_fix` and is not a human.
        NotFoundError: there is no such gap.
        ConflictError: that status cannot follow the present one.
        InvalidInputError: neither a status nor a reference is given.
    """
    told = Move(status=status, todo_ref=todo_ref, note=note)
    require_doer(brain.recorder.by, "say what became of a gap")
    if told.status is GapStatus.WONT_FIX:
        require_human(brain.recorder.by, "say that a gap will not be fixed")
    with brain.store.begin() as tx:
        moved = move_gap(
            tx, Gaps(tx).get(gap_id, Visibility(brain.recorder.owner)), told, brain.recorder
        )
    logger.info("gap moved: gap=%s status=%s", gap_id, moved.status)
    return moved


@verb(
    "gap resolve",
    roles=WORKERS,
    view=views.one,
    key="gap",
    examples=("tilth gap resolve gap_01KAR --note 'shipped in 2.1'",),
)
def resolve(brain: Needs, gap_id: Which, *, todo_ref: Ref = "", note: Reason = "") -> Gap:
    """
    Close a gap.

    Returns:
        The gap as it is now.

    Raises:
        NotFoundError: there is no such gap.
        ConflictError: it is closed already.
    """
    return move(brain, gap_id, status=GapStatus.RESOLVED, todo_ref=todo_ref, note=note)


@verb(
    "gap todo",
    roles=WORKERS,
    view=views.one,
    key="gap",
    examples=("tilth gap todo gap_01KAR",),
)
def todo(brain: Needs, gap_id: Which) -> Gap:
    """
    Draft the TODO of a gap in the outbox beside the store.

    A gap gets one TODO in its life.

    Returns:
        The gap, with the reference of its TODO and the path of the file.

    Raises:
        NotFoundError: there is no such gap.
        ConflictError: it has a TODO, or is closed.
        UnavailableError: the outbox cannot be written; then the gap has no TODO.
    """
    drafted = draft_todo(brain.store, brain.outbox, gap_id, brain.recorder)
    return with_path(brain.outbox, drafted)


@verb(
    "gap run",
    roles=KNOWN,
    view=views.gap_run,
    examples=("tilth gap run --dry-run", "tilth gap run --force --threshold 2"),
    old=("gap pulse",),
)
def run(
    brain: Needs,
    *,
    is_forced: Annotated[bool, Arg("even if it is too early", flags=("--force",))] = False,
    is_dry_run: DryRun = False,
    threshold: Annotated[
        int, Arg("how often a gap comes up before it gets a TODO", least=1, setting="gap_threshold")
    ],
) -> GapRun:
    """
    Resolve gaps whose task is done, scan for gaps, and draft TODOs.

    At most five TODOs are drafted, for gaps that came up often enough, and filed in the
    repositories that a human chose. The worker does this every six hours.

    Returns:
        What was resolved, found, drafted and filed, and when it is due again.
    """
    job = GapJob(
        thinker=brain.thinker,
        matcher=_matcher(brain),
        outbox=brain.outbox,
        task_lists=brain.task_lists,
        threshold=threshold,
    )
    return run_job(job, is_forced=is_forced, is_dry_run=is_dry_run)


@verb(
    "gap opt-in",
    roles=HUMANS,
    view=views.filing,
    key="filing",
    examples=(
        "tilth gap opt-in . --scope project:work/shop",
        "tilth gap opt-in ~/src/shop --way gh",
    ),
)
def opt_in(
    brain: Needs,
    repository: Annotated[str, Arg("the repository's folder", metavar="FOLDER", parse=whole_path)],
    *,
    way: Annotated[
        Way, Arg("as a line of TODO.md (todo_file), or as an issue by GitHub's gh (gh)")
    ] = Way.TODO_FILE,
    scope: Todos = GLOBAL,
) -> Filing:
    """
    Let the TODOs of a scope be filed in a repository.

    Until then, TODOs stay in the outbox beside the store. A scope has one
    repository; the last one chosen counts.

    Returns:
        Where they are filed from now on.

    Raises:
        InvalidInputError: nothing can be filed there.
    """
    require_human(brain.recorder.by, "let TODOs be filed in a repository")
    if len(repository) > REPOSITORY_CHARS_MAX or not repository.isprintable():
        raise InvalidInputError("a repository is the path of a folder")
    by, owner = brain.recorder.by, brain.recorder.owner
    brain.task_lists.check(
        Filing(scope=scope, repository=repository, way=way, by=by, at=brain.clock.now())
    )
    event = FilingChosen(scope=scope, repository=repository, way=way)
    with brain.store.begin() as tx:
        tx.append(event, by=by, owner=owner)
        (chosen,) = Gaps(tx).filings(Visibility(owner, frozenset({scope})))
    logger.info("filing chosen: scope=%s way=%s", scope, way)
    return chosen


@verb(
    "gap opt-out",
    roles=HUMANS,
    view=views.filing_ended,
    key="scope",
    examples=("tilth gap opt-out --scope project:work/shop",),
)
def opt_out(brain: Needs, *, scope: Todos = GLOBAL) -> Scope:
    """
    Stop filing the TODOs of a scope in a repository.

    Returns:
        The scope.

    Raises:
        NotFoundError: they are filed nowhere.
    """
    by, owner = brain.recorder.by, brain.recorder.owner
    require_human(by, "end the filing of TODOs")
    with brain.store.begin() as tx:
        if not Gaps(tx).filings(Visibility(owner, frozenset({scope}))):
            raise NotFoundError(f"the TODOs of {scope} are filed in no repository")
        tx.append(FilingEnded(scope), by=by, owner=owner)
    logger.info("filing ended: scope=%s", scope)
    return scope


@verb(
    "gap filings",
    roles=ANYONE,
    view=views.filings,
    key="filings",
    examples=("tilth gap filings",),
)
def list_filings(brain: Needs, *, scope: Narrowed = None) -> Sequence[Filing]:
    """
    Show where TODOs are filed.

    Returns:
        The repository of each scope that has one.
    """
    with brain.store.read() as view:
        return Gaps(view).filings(brain.within(scope))


@verb(
    "gap stats",
    roles=ANYONE,
    view=views.stats,
    examples=("tilth gap stats",),
)
def stats(brain: Needs, *, scope: Narrowed = None) -> Mapping[str, Mapping[str, int]]:
    """
    Count gaps by status and kind, and their evidence.

    Returns:
        Counts by `status`, `kind` and `evidence`: mentions, and the roots of those.
    """
    with brain.store.read() as view:
        return Gaps(view).counts(brain.within(scope))


def _matcher(brain: Needs) -> GapMatcher:
    return GapMatcher(brain.best_embedder)
