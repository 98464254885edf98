"""
Noting a gap: a new one, or more that shows one that is known.

What is said is compared with what is known in the same scope. The same gap in
other words is the same gap; a likely one is a question for a human; and what
is over and comes again is a new gap that names the old one.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from tilth.domain.actor import require_known
from tilth.domain.episode import Episode, EpisodeDraft, EpisodeKind
from tilth.domain.events import EpisodeRecorded, GapDetected
from tilth.domain.gap import Gap, GapDraft, GapEvidence, GapKind
from tilth.domain.ids import GAP_PREFIX, EpisodeId, GapId, episode_id_of
from tilth.domain.scope import Scope, Visibility
from tilth.errors import InvalidInputError
from tilth.ports import Reader, Store, Transaction
from tilth.privacy.redaction import scrub
from tilth.usecases.remember import keep_vectors, prepared
from tilth.usecases.stating import Writing

logger = logging.getLogger(__name__)

EVIDENCE_MAX = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """
    A gap that somebody tells of, and the episodes that show it.

    Without any, the telling itself is recorded as a note, and shows it.
    """

    description: str
    kind: GapKind
    scope: Scope
    episode_ids: tuple[EpisodeId, ...] = ()
    follows: GapId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """What became of it: the gap as it is now, and whether it is a new one."""

    gap: Gap
    is_new: bool


def note_gap(store: Store, told: Told, writing: Writing) -> Noted:
    """
    Record a gap that somebody tells of.

    Raises:
        ForbiddenError: nobody knows who the caller is.
        NotFoundError: an episode is not there, or the gap that it follows.
        InvalidInputError: an episode stands in another scope.
    """
    recorder = writing.recorder
    require_known(recorder.by, "record a gap")
    if len(told.episode_ids) > EVIDENCE_MAX:
        raise InvalidInputError(f"a gap is recorded with at most {EVIDENCE_MAX} episodes")
    description = scrub(told.description).text
    note = EpisodeDraft(text=description, kind=EpisodeKind.NOTE, scope=told.scope)
    clean, vectors = prepared(writing.embedder, [note], recorder.transports)
    with store.begin() as tx:
        shown = list(_episodes(tx, told, Visibility(recorder.owner)))
        if not shown:
            appended = tx.append(EpisodeRecorded(clean[0]), by=recorder.by, owner=recorder.owner)
            keep_vectors(tx, writing.embedder.space, [appended], vectors)
            episode_id = episode_id_of(appended.recorded.event_id)
            shown = [tx.episodes.get(episode_id, Visibility(recorder.owner))]
        draft = GapDraft(
            description=description,
            kind=told.kind,
            evidence=tuple(GapEvidence(one.id, 0, len(one.text)) for one in shown),
            scope=told.scope,
            follows=told.follows,
        )
        noted = Noted(gap=detected_in(tx, draft, writing), is_new=True)
    logger.info("gap noted: gap=%s new=%s", noted.gap.id, noted.is_new)
    return noted


def detected_in(tx: Transaction, draft: GapDraft, writing: Writing) -> Gap:
    """Record a new gap, in a transaction of the caller's."""
    recorder = writing.recorder
    within = Visibility(recorder.owner)
    if draft.follows is not None and not tx.gaps.get(draft.follows, within).is_over:
        raise InvalidInputError(
            f"{draft.follows} is not over, so nothing follows it",
            hint="leave --follows out, and it is added to what it is like",
        )
    event = tx.append(GapDetected(draft), by=recorder.by, owner=recorder.owner)
    return tx.gaps.get(GapId(GAP_PREFIX + event.recorded.event_id), within)


def _episodes(view: Reader, told: Told, within: Visibility) -> Sequence[Episode]:
    shown = [view.episodes.get(one, within) for one in dict.fromkeys(told.episode_ids)]
    if elsewhere := [one.id for one in shown if one.scope != told.scope]:
        raise InvalidInputError(
            f"{', '.join(elsewhere)} stands in another scope than {told.scope}",
            hint="a gap lies in the scope of what shows it: give it with --scope",
        )
    return shown
