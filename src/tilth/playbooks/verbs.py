"""The verbs that read and revise playbooks, and report how they did."""

from collections.abc import Sequence
from typing import Annotated, TypeAlias

from tilth.core.ids import parent_session, parse_session_id
from tilth.core.scope import Visibility
from tilth.core.verb import ANYONE, HUMANS, WORKERS, Arg, Section, noun, verb
from tilth.episodes.context import Context, Narrowed
from tilth.playbooks import curate, views
from tilth.playbooks.curate import PlaybookStory
from tilth.playbooks.events import PlaybookUsed
from tilth.playbooks.model import Playbook, PlaybookId, PlaybookState, SessionEnd, Told
from tilth.playbooks.tables import Playbooks

noun(
    "playbook",
    "procedures that worked here, step by step",
    section=Section.LOOK_AFTER,
    bare="list",
)

Which: TypeAlias = Annotated[
    PlaybookId, Arg("the playbook's ID", id=PlaybookId.prefix, parse=PlaybookId.parse)
]


@verb(
    "playbook list",
    roles=ANYONE,
    view=views.many,
    key="playbooks",
    examples=("tilth playbook list", "tilth playbook list --state candidate"),
)
def list_(
    brain: Context,
    *,
    state: Annotated[PlaybookState | None, Arg("only in this state")] = None,
    limit: Annotated[int, Arg("the most to return", least=1, most=curate.PAGE_MAX)] = 50,
    offset: Annotated[int, Arg("how many to skip", least=0)] = 0,
    scope: Narrowed = None,
) -> Sequence[Playbook]:
    """
    List playbooks, the newest first.

    Returns:
        The visible playbooks; without a state, also those that are no longer in use.
    """
    with brain.store.read() as view:
        states = frozenset(PlaybookState) if state is None else {state}
        within = brain.within(scope)
        return Playbooks(view).select(within, states=states, limit=limit, offset=offset)


@verb(
    "playbook show",
    python="playbooks.get",
    roles=ANYONE,
    view=views.story,
    examples=("tilth playbook show plb_01KAR",),
)
def show(brain: Context, playbook_id: Which, *, scope: Narrowed = None) -> PlaybookStory:
    """
    Show a playbook: its steps, its pitfalls, its evidence, and how it did.

    Returns:
        The playbook, and each session that followed it.

    Raises:
        NotFoundError: there is no such playbook, or it cannot be seen from the scope.
    """
    return curate.story(brain.store, playbook_id, brain.within(scope))


@verb(
    "playbook revise",
    roles=HUMANS,
    view=views.revised,
    examples=(
        "tilth playbook revise plb_01KAR --title 'Deploy the shop'",
        "tilth playbook revise plb_01KAR --pitfall '' --note 'the token no longer expires'",
    ),
)
def revise(
    brain: Context,
    playbook_id: Which,
    *,
    title: Annotated[str | None, Arg("what it is", metavar="TEXT")] = None,
    applies_when: Annotated[
        str | None, Arg("when it applies", metavar="TEXT", flags=("--when",))
    ] = None,
    steps: Annotated[
        Sequence[str] | None,
        Arg("one step; give all of them, in order", metavar="TEXT", flags=("--step",)),
    ] = None,
    pitfalls: Annotated[
        Sequence[str] | None,
        Arg("one pitfall; give all of them, or '' for none", metavar="TEXT", flags=("--pitfall",)),
    ] = None,
    note: Annotated[str, Arg("why", metavar="TEXT")] = "",
) -> PlaybookStory:
    """
    Revise a playbook; the new words wait for `tilth playbook confirm`.

    A candidate is changed at once. A confirmed playbook gets a version beside it, which takes its
    place once it is confirmed. What is left out stays as it is.

    Returns:
        The waiting version, with what it changes.

    Raises:
        NotFoundError: there is no such playbook.
        ConflictError: it is neither in use nor a candidate, or another revision waits already.
        InvalidInputError: nothing would change, or the words are not a playbook.
    """
    return curate.revise(
        brain.store,
        brain.recorder,
        playbook_id,
        title=title,
        applies_when=applies_when,
        steps=steps,
        pitfalls=pitfalls,
        why=note,
    )


@verb(
    "playbook outcome",
    python="playbooks.report",
    roles=WORKERS,
    view=views.one,
    key="playbook",
    examples=("tilth playbook outcome plb_01KAR ok --session claude-code:41c2",),
)
def report(
    brain: Context,
    playbook_id: Which,
    ended: Annotated[SessionEnd, Arg("whether it worked", metavar="OUTCOME")],
    *,
    session_id: Annotated[
        str, Arg("the session that did it", metavar="ID", flags=("--session",), is_required=True)
    ],
) -> Playbook:
    """
    Report how a session that followed a playbook ended.

    A session counts once, even if the playbook was drafted from it. What tools show outweighs a
    report, and a report neither promotes nor retires anything. A report on a replaced version
    counts for the version that replaced it.

    Returns:
        The playbook with its counts.

    Raises:
        NotFoundError: there is no such playbook.
    """
    root = parse_session_id(parent_session(session_id))
    within = Visibility(brain.recorder.owner)
    with brain.store.begin() as tx:
        books = Playbooks(tx)
        named = books.get(playbook_id, within)
        # Who was told of an older version did the work of the one in its place.
        playbook = books.heir(named, within) or named
        same = [one for one in books.uses(playbook) if one.root == root]
        is_seed = root in playbook.draft.sessions
        if not is_seed and not (same and (same[0].ended is ended or same[0].told is Told.OBSERVED)):
            event = PlaybookUsed(
                playbook_id=playbook.id, root=root, ended=ended, told=Told.REPORTED
            )
            tx.append(event, by=brain.recorder.by, owner=brain.recorder.owner)
        return books.get(playbook.id, within)
