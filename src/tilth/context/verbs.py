"""The verbs on receipts, feedback, notes and projects."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, TypeAlias

from tilth.context import receipts, views
from tilth.context.brief_verbs import Needs, worked_on
from tilth.context.context import Context as Given
from tilth.context.context import ContextReceipt, check_told
from tilth.context.events import ContextGiven, FeedbackGiven, ProjectMoved
from tilth.context.model import Project, ProjectState, quoted
from tilth.context.notes import KnownNote, list_notes, notes_in
from tilth.context.receipts import Trace
from tilth.context.tables import Contexts, Projects
from tilth.core.actor import require_human
from tilth.core.calls.paging import PAGE_MAX
from tilth.core.errors import ConflictError, InvalidInputError, NotFoundError, parse_word
from tilth.core.ids import EpisodeId, FactId, ReceiptId, SessionId, parse_session_id
from tilth.core.scope import Scope, Visibility, key_of, parse_project
from tilth.core.verb import ANYONE, HUMANS, Arg, Section, noun, verb
from tilth.episodes.context import Context, Narrowed
from tilth.episodes.episode import ONLY_ENDS, EpisodeKind
from tilth.episodes.filters import EpisodeFilter
from tilth.episodes.remember import scrubbed_id
from tilth.episodes.tables import Episodes
from tilth.episodes.verbs import Recording, get_episode, remember
from tilth.knowledge.facts.tables import Facts
from tilth.ledger.snapshot import Snapshot
from tilth.recall.feedback import Feedback, Verdict

logger = logging.getLogger(__name__)

# The end of `via` in the receipt of a request for a note, by which it is recognised.
NOTE_ASKED = ", a note was asked for"

noun("receipt", "what agents were shown, and what came of it", section=Section.AGENTS, bare="list")

noun("note", "what persons and agents noted for later sessions", section=Section.TELL, bare="list")

noun("project", "projects, and which of them are worked on", section=Section.AGENTS, bare="list")

Which: TypeAlias = Annotated[
    Scope, Arg("the project, such as project:shop", metavar="SCOPE", parse=parse_project)
]


NoteArg: TypeAlias = Annotated[
    EpisodeId, Arg("the note's ID, as listed or told", metavar="ID", id=EpisodeId.prefix)
]
_QUOTED_CHARS = 200


@verb("", python="receipts.keep", roles=ANYONE)
def keep(
    brain: Context, context: Annotated[Given, Arg("what was shown, by reference")]
) -> ReceiptId | None:
    """
    Record that an agent was shown something.

    Returns:
        The receipt's ID; None where nothing was shown.

    Raises:
        InvalidInputError: the receipt names no scope or session, or holds words instead of a
            digest.
    """
    check_told(context)
    if not context.shown:
        return None
    with brain.store.begin() as tx:
        appended = tx.append(
            ContextGiven(context), by=brain.recorder.by, owner=brain.recorder.owner
        )
    receipt_id = ReceiptId.of(appended.recorded.event_id)
    logger.info("context given: receipt=%s tokens=%d", receipt_id, context.tokens)
    return receipt_id


@verb(
    "receipt list",
    roles=ANYONE,
    view=views.receipt_table,
    key="receipts",
    examples=("tilth receipt list", "tilth receipt list planning --limit 5"),
    old=("session receipts",),
)
def list_(
    brain: Context,
    session_id: Annotated[
        SessionId | None, Arg("only this session", metavar="SESSION", parse=parse_session_id)
    ] = None,
    *,
    limit: Annotated[int, Arg("the most to return", metavar="N", least=1)] = 20,
    offset: Annotated[int, Arg("how many to skip", least=0)] = 0,
    scope: Narrowed = None,
) -> Sequence[ContextReceipt]:
    """
    List what agents were shown, the newest first.

    Returns:
        At most 1,000 receipts: when, by which way, how many items and tokens.
    """
    seen = brain.within(scope)
    with brain.store.read() as view:
        return Contexts(view).receipts(
            seen, session_id=session_id, limit=min(limit, PAGE_MAX), offset=offset
        )


@verb(
    "receipt show",
    python="receipts.trace",
    roles=ANYONE,
    view=views.traced,
    as_json=views.trace_as_json,
    examples=("tilth receipt show rcp_01KAR",),
)
def show(
    brain: Context,
    receipt_id: Annotated[
        ReceiptId, Arg("the receipt's ID", metavar="ID", id=ReceiptId.prefix, parse=ReceiptId)
    ],
    *,
    scope: Narrowed = None,
) -> Trace:
    """
    Show what an agent was shown, for which question, and what came of it.

    Returns:
        The receipt, the question, and each item as it stands now with its votes. Items that were
        erased since are named without their words.

    Raises:
        NotFoundError: there is no such receipt, or it cannot be seen from the scope.
    """
    return receipts.trace(brain.store, receipt_id, brain.within(scope))


def _parse_verdict(word: str) -> Verdict:
    return parse_word(Verdict, word.replace("-", "_"), "verdict")


@verb(
    "feedback",
    roles=ANYONE,
    section=Section.TELL,
    as_json=views.vote_as_json,
    view=views.vote,
    examples=("tilth feedback epi_01KAR useful", "tilth feedback fct_01KAR wrong --session s1"),
)
def feedback(
    brain: Context,
    target: Annotated[str, Arg("an episode or a fact, as recalled", metavar="ID")],
    verdict: Annotated[
        Verdict, Arg(f"what came of it: {', '.join(Verdict)}", parse=_parse_verdict)
    ],
    *,
    session_id: Annotated[
        SessionId | None,
        Arg("the session that used it", metavar="ID", flags=("--session",), parse=parse_session_id),
    ] = None,
    receipt_id: Annotated[
        ReceiptId | None,
        Arg("the receipt that showed it", metavar="ID", flags=("--receipt",), parse=ReceiptId),
    ] = None,
    scope: Narrowed = None,
) -> Feedback:
    """
    Say whether a hit was of use.

    The vote changes the order of later hits, within bounds, and nothing that is known. A hit that a
    person calls a dead end, or wrong, is left out of every brief. A caller has one vote in a
    session; the last one counts.

    Returns:
        The vote as it is recorded.

    Raises:
        NotFoundError: there is no such hit or receipt, or it cannot be seen from the scope.
        InvalidInputError: the ID is of a kind that takes no votes.
    """
    told = Feedback(target=target, verdict=verdict, session_id=session_id, receipt_id=receipt_id)
    within = brain.within(scope)
    with brain.store.begin() as tx:
        where = _scope_of(tx, target, within)
        if receipt_id is not None:
            Contexts(tx).receipt(receipt_id, within)
        event = FeedbackGiven(replace(told, scope=where, session_id=scrubbed_id(session_id)))
        tx.append(event, by=brain.recorder.by, owner=brain.recorder.owner)
    logger.info("feedback given: target=%s verdict=%s", target, verdict)
    return told


def _scope_of(view: Snapshot, target: str, within: Visibility) -> Scope:
    if target.startswith(EpisodeId.prefix):
        return Episodes(view).get(EpisodeId(target), within).scope
    if target.startswith(FactId.prefix):
        return Facts(view).get(FactId(target), within).life.scope
    raise InvalidInputError(
        f"{target[:40]!r} is nothing that is voted on", hint="give the id of an episode or a fact"
    )


@verb(
    "note list",
    roles=ANYONE,
    view=views.note_table,
    key="notes",
    examples=("tilth note list --scope .", "tilth note list --all --limit 20"),
)
def note_list(
    brain: Context,
    *,
    is_all: Annotated[bool, Arg("also ended ones", flags=("--all",))] = False,
    limit: Annotated[int, Arg("the most to return", least=1)] = 100,
    offset: Annotated[int, Arg("how many to skip", least=0)] = 0,
    scope: Narrowed = None,
) -> Sequence[KnownNote]:
    """
    List the notes for later sessions, the newest first.

    Returns:
        The current notes among the last 1,000, each with its author and whether it holds in all
        work; with *is_all* also those that ended, with what ended them.
    """
    within = brain.within(scope)
    with brain.store.read() as view:
        every = list_notes(view, within, limit=PAGE_MAX)
    found = [one for one in every if is_all or not one.over]
    return found[offset : offset + limit]


@verb(
    "note edit",
    roles=ANYONE,
    view=views.noted,
    key="episode_id",
    examples=("tilth note edit epi_01KAR 'The API is on port 4400.'",),
)
def note_edit(
    brain: Recording,
    note: NoteArg,
    text: Annotated[
        str, Arg("the new words, quoted or not", metavar="TEXT", is_words=True, is_stdin=True)
    ],
    *,
    scope: Narrowed = None,
) -> EpisodeId:
    """
    Replace a note by another.

    The new note holds where the old one did, in all work if that one did. The old one is kept, and
    recall finds it behind the new one.

    Returns:
        The ID of the new note.

    Raises:
        NotFoundError: there is no such note, or it cannot be seen from the scope.
        InvalidInputError: the ID is not that of a note, or the text is empty or too long.
        ForbiddenError: a person wrote the note, and the caller is not a human.
    """
    old = get_episode(brain, note, scope=scope)
    return remember(
        brain,
        text,
        kind=EpisodeKind.NOTE,
        replaces=[old.id],
        always=old.holds_always,
        scope=old.scope,
    )


@verb(
    "note end",
    roles=ANYONE,
    view=views.noted,
    key="episode_id",
    examples=("tilth note end epi_01KAR", "tilth note end epi_01KAR 'The API is gone.'"),
)
def note_end(
    brain: Recording,
    note: NoteArg,
    reason: Annotated[
        str, Arg("why, for those who find it later", metavar="WHY", is_words=True)
    ] = "",
    *,
    scope: Narrowed = None,
) -> EpisodeId:
    """
    End a note.

    No later session is told it. It is kept, and recall finds it as superseded, with the reason.

    Returns:
        The ID of the note that ends it.

    Raises:
        NotFoundError: there is no such note, or it cannot be seen from the scope.
        InvalidInputError: the ID is not that of a note.
        ForbiddenError: a person wrote the note, and the caller is not a human.
    """
    old = get_episode(brain, note, scope=scope)
    text = reason or f"No longer so: {quoted(old.text, _QUOTED_CHARS)}"
    return remember(
        brain,
        text,
        kind=EpisodeKind.NOTE,
        replaces=[old.id],
        scope=old.scope,
        metadata={ONLY_ENDS: True},
    )


@verb("", python="note_wanted", roles=ANYONE)
def note_wanted(
    brain: Needs,
    session_id: Annotated[SessionId, Arg("the session")],
    prompt: Annotated[str, Arg("the prompt that was just typed")],
    *,
    scope: Narrowed = None,
) -> bool:
    """
    Say whether to ask an agent for a note, beside a prompt.

    An agent is asked in a session of a project in which nobody noted anything: after two answered
    prompts, and again after ten. The receipt of asking ends in `NOTE_ASKED`.

    Returns:
        Whether to ask; never where the settings let agents be told nothing unasked.
    """
    within = worked_on(brain, scope).own
    if scope is None or not within.admits(within.owner, Scope(scope)) or not key_of(Scope(scope)):
        return False
    told = EpisodeFilter(
        within=within, session_id=session_id, kinds=frozenset({EpisodeKind.MESSAGE})
    )
    with brain.store.read() as view:
        said = Episodes(view).select(told, limit=PAGE_MAX, newest_first=True)
        # The prompt itself may already be recorded.
        prompts = [one.occurred_at for one in said if one.is_persons and one.text != prompt]
        if not brain.injection.asks_for_a_note(len(prompts), is_again=False):
            # Most prompts come early in a session; they need not wait for the rest of this check.
            return False
        receipts = Contexts(view).receipts(within, session_id=session_id, limit=PAGE_MAX)
        noted = notes_in(view, within)
    asked = [one.at for one in receipts if one.context.via.endswith(NOTE_ASKED)]
    last = max([*asked, *(one.episode.occurred_at for one in noted)], default=None)
    since = [at for at in prompts if last is None or at > last]
    return brain.injection.asks_for_a_note(len(since), is_again=len(since) < len(prompts))


@verb(
    "project list",
    roles=ANYONE,
    view=views.project_table,
    key="projects",
    examples=("tilth project list", "tilth project list --state archived"),
)
def project_list(
    brain: Context,
    *,
    state: Annotated[ProjectState | None, Arg("only in this state")] = None,
    scope: Narrowed = None,
) -> Sequence[Project]:
    """
    List projects by name; archived ones only if that state is asked for.

    Returns:
        The projects with any record.
    """
    states = {ProjectState.ACTIVE, ProjectState.PAUSED} if state is None else {state}
    within = brain.within(scope)
    with brain.store.read() as view:
        return [one for one in Projects(view).select(within) if one.state in states]


@verb(
    "project move",
    roles=HUMANS,
    view=views.moved,
    key="project",
    examples=("tilth project move project:shop paused", "tilth project move project:shop active"),
)
def project_move(
    brain: Context,
    project: Which,
    state: Annotated[ProjectState, Arg("active, paused or archived", metavar="STATE")],
) -> Project:
    """
    Say whether a project is worked on, paused or archived.

    Agents are told nothing unasked of a project that is paused or archived; they are still told
    what is global. Capture and recall go on as before.

    Returns:
        The project as it is now.

    Raises:
        ForbiddenError: the caller is not a human.
        NotFoundError: the project has no record.
        ConflictError: the project is in that state already.
    """
    require_human(brain.recorder.by, "say what becomes of a project")
    within = Visibility(brain.recorder.owner, frozenset({project}))
    with brain.store.begin() as tx:
        known = [one for one in Projects(tx).select(within) if one.scope == project]
        if not known:
            raise NotFoundError(
                f"nothing was recorded of {project!r}", hint="see: tilth project list"
            )
        if known[0].state is state:
            raise ConflictError(f"{project} is {state} already")
        tx.append(
            ProjectMoved(scope=project, state=state),
            by=brain.recorder.by,
            owner=brain.recorder.owner,
        )
        return next(one for one in Projects(tx).select(within) if one.scope == project)
