"""
Draft TODOs: what is to be done about a gap, with the words that show it.

A draft is a file in the outbox, named by the gap's ID, so writing it twice makes one file. It is
written before the event that records it, in the same transaction. So a gap has one TODO or none,
and a draft without an event is overwritten by the next.
"""

import logging
import re
from dataclasses import replace

from tilth.core.instant import written_day
from tilth.core.scope import Visibility
from tilth.episodes.remember import WriteContext
from tilth.gaps.gaps import Move, move_gap, require_doer
from tilth.gaps.model import Gap, GapId, GapStatus, Trace, check_move
from tilth.gaps.tables import Gaps
from tilth.gaps.todos import BLANK, Outbox
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store
from tilth.privacy.redaction import scrub
from tilth.privacy.sanitize import sanitized
from tilth.privacy.shareable import mask_shareable
from tilth.privacy.terminal_text import one_line

logger = logging.getLogger(__name__)

OUTBOX_REF = "outbox:"
# The most quotations in a draft (EM-049).
SNIPPETS_MAX = 10
_SNIPPET_CHARS = 100
_TITLE_CHARS = 120
_TICKED = re.compile(r"^- \[[xX]\] ", re.MULTILINE)


def draft_todo(store: Store, outbox: Outbox, gap_id: GapId, recorder: WriteContext) -> Gap:
    """
    Write the TODO of a gap, once ever.

    Raises:
        ForbiddenError: the caller is anonymous or an import.
        NotFoundError: no such gap is visible.
        ConflictError: it has a TODO, or is over.
        UnavailableError: the outbox cannot be written; the gap then has no TODO.
    """
    require_doer(recorder.by, "draft a TODO")
    within = Visibility(recorder.owner)
    with store.begin() as tx:
        gap = Gaps(tx).get(gap_id, within)
        check_move(with_path(outbox, gap), GapStatus.TODO_CREATED)
        name = draft_name(gap_id)
        outbox.put(name, draft_text(tx, gap, within))
        move = Move(status=GapStatus.TODO_CREATED, todo_ref=f"{OUTBOX_REF}{name}")
        drafted = move_gap(tx, gap, move, recorder)
    logger.info("todo drafted: gap=%s", gap_id)
    return drafted


def redraft(view: Snapshot, outbox: Outbox, gap: Gap, within: Visibility) -> bool:
    """
    Write a draft again that an erase blanked; return whether it was.

    Raises:
        UnavailableError: the outbox cannot be written.
    """
    name = draft_name(gap.id)
    if BLANK not in (outbox.read(name) or ""):
        return False
    outbox.put(name, draft_text(view, gap, within))
    return True


def with_path(outbox: Outbox, gap: Gap) -> Gap:
    """Return a gap with the path of its draft, if the outbox has one."""
    is_here = gap.todo_ref.startswith(OUTBOX_REF)
    path = outbox.path_of(gap.todo_ref.removeprefix(OUTBOX_REF)) if is_here else ""
    return replace(gap, todo_path=path)


def is_ticked(outbox: Outbox, gap: Gap) -> bool:
    """
    Say whether somebody ticked the box of a draft.

    Raises:
        UnavailableError: the outbox cannot be read.
    """
    return _TICKED.search(outbox.read(draft_name(gap.id)) or "") is not None


def draft_name(gap_id: GapId) -> str:
    """Return the file name of a gap's draft in the outbox."""
    return f"todo-{gap_id.removeprefix(GapId.prefix).lower()}.md"


def draft_title(gap: Gap, *, is_public: bool) -> str:
    """
    Return what is missing, on one line with inert markup.

    Public text leaves this machine: personal data in it is masked.
    """
    words = one_line(sanitized(_clean(gap.description, is_public=is_public)), _TITLE_CHARS)
    return words or f"a gap of the kind {gap.kind}; its words were erased"


def draft_text(view: Snapshot, gap: Gap, within: Visibility, *, is_public: bool = False) -> str:
    """Return the draft: the task, how often and where it came up, and up to ten quotations."""
    trail = Gaps(view).trail(gap.id, within)
    title = draft_title(gap, is_public=is_public)
    lines = [
        f"# TODO: {title}",
        "",
        f"- [ ] {title} ({gap.id})",
        "",
        f"{gap.kind}, {gap.scope}; came up {gap.how_often}, last on {written_day(gap.seen_at)}.",
        "",
        "## What shows it",
        "",
        *(f"- {_evidence_line(one, is_public=is_public)}" for one in trail[:SNIPPETS_MAX]),
    ]
    if len(trail) > SNIPPETS_MAX:
        lines.append(f"- and {len(trail) - SNIPPETS_MAX} more: tilth gap show {gap.id}")
    lines += ["", f"Tick the box when it is done, or: tilth gap resolve {gap.id}", ""]
    return "\n".join(lines)


def _evidence_line(trace: Trace, *, is_public: bool) -> str:
    episode = trace.episode
    if episode is None:
        return f"{trace.evidence.episode_id}: erased"
    snippet = one_line(sanitized(_clean(trace.quote, is_public=is_public)), _SNIPPET_CHARS)
    return f"{written_day(episode.occurred_at)} {episode.id}: {snippet}"


def _clean(text: str, *, is_public: bool) -> str:
    return mask_shareable(text) if is_public else scrub(text).text
