"""The verbs by which a person confirms, vetoes, retires or restores a playbook and its skills."""

from typing import Annotated

from tilth.core.verb import HUMANS, Arg, verb
from tilth.playbooks.model import PlaybookId, PlaybookState
from tilth.playbooks.tables import Playbooks
from tilth.playbooks.verbs import Which
from tilth.skills import views
from tilth.skills.change_playbook import PlaybookChange, change_playbook
from tilth.skills.verbs.skill_verbs import Needs, Reason


@verb(
    "playbook confirm",
    roles=HUMANS,
    view=views.playbook_changed,
    examples=("tilth playbook confirm plb_01KAR --digest 1f3a",),
)
def confirm(
    brain: Needs,
    playbook_id: Which,
    *,
    digest: Annotated[
        str,
        Arg(
            "the digest of the words that you read, as playbook show tells it",
            metavar="DIGEST",
            is_required=True,
        ),
    ],
    note: Reason = "",
) -> PlaybookChange:
    """
    Confirm exactly these words of a playbook.

    From then on agents are told of it.

    Returns:
        The playbook as it is now, its skills, and their files.

    Raises:
        NotFoundError: there is no such playbook.
        ConflictError: its words are different now, or it was confirmed already.
    """
    return _change(brain, playbook_id, PlaybookState.CONFIRMED, note, digest=digest)


@verb(
    "playbook veto",
    roles=HUMANS,
    view=views.playbook_changed,
    examples=("tilth playbook veto plb_01KAR --note 'we release by CI now'",),
)
def veto(brain: Needs, playbook_id: Which, *, note: Reason = "") -> PlaybookChange:
    """
    Refuse a playbook.

    Its skills retire with it. The same evidence never drafts it again. New evidence may draft it
    once more, with the veto beside it; a second veto is final.

    Returns:
        The playbook as it is now, its skills, and their files.

    Raises:
        NotFoundError: there is no such playbook.
        ConflictError: it was vetoed already.
    """
    return _change(brain, playbook_id, PlaybookState.VETOED, note)


@verb(
    "playbook retire",
    roles=HUMANS,
    view=views.playbook_changed,
    examples=("tilth playbook retire plb_01KAR",),
)
def retire(brain: Needs, playbook_id: Which, *, note: Reason = "") -> PlaybookChange:
    """
    Retire a confirmed playbook and its skills.

    Returns:
        The playbook as it is now, its skills, and their files.

    Raises:
        NotFoundError: there is no such playbook.
        ConflictError: it is not in use.
    """
    return _change(brain, playbook_id, PlaybookState.RETIRED, note)


@verb(
    "playbook restore",
    roles=HUMANS,
    view=views.playbook_changed,
    examples=("tilth playbook restore plb_01KAR",),
)
def restore(brain: Needs, playbook_id: Which, *, note: Reason = "") -> PlaybookChange:
    """
    Bring back a playbook that was retired, archived or vetoed.

    A retired playbook becomes confirmed again; an archived or vetoed one becomes a candidate.

    Returns:
        The playbook as it is now, its skills, and their files.

    Raises:
        NotFoundError: there is no such playbook.
        ConflictError: it is in use.
    """
    with brain.store.read() as view:
        known = Playbooks(view).get(playbook_id, brain.within(None))
    is_retired = known.state is PlaybookState.RETIRED
    state = PlaybookState.CONFIRMED if is_retired else PlaybookState.CANDIDATE
    return _change(brain, playbook_id, state, note)


def _change(
    brain: Needs,
    playbook_id: PlaybookId,
    state: PlaybookState,
    note: str,
    *,
    digest: str | None = None,
) -> PlaybookChange:
    return change_playbook(
        brain.store, brain.outbox, brain.recorder, playbook_id, state, note, digest=digest
    )
