"""
From what was said to what is known: sessions are looked through for what they state.

A session is looked through once enough was said in it, once it is quiet, or
when somebody asks. Where that ended is an event in the transaction that
records what was found. So nothing is looked through twice, whenever a worker
dies, and nothing is skipped.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from tilth.domain.actor import Actor, ActorKind
from tilth.domain.distillation import Trigger, Window, trigger_of
from tilth.domain.episode import Episode, EpisodeKind
from tilth.domain.events import SessionsDistilled
from tilth.domain.fact import FactDraft, Quote
from tilth.domain.lifecycle import Lifecycle
from tilth.domain.registries import Words
from tilth.domain.scope import GLOBAL, Owner, Scope, Visibility
from tilth.errors import ConflictError, ForbiddenError, InvalidInputError, NotFoundError
from tilth.extraction.candidate import Candidate, Malformed, Turn
from tilth.extraction.extractors import EXTRACTORS
from tilth.extraction.memory_lines import remembered
from tilth.ports import EpisodeFilter, Reader, Store, Transaction, Vector, Waiting
from tilth.usecases.stating import Stated, Writing, state_in
from tilth.usecases.wording import scrubbed_fact

logger = logging.getLogger(__name__)

SPOKEN = frozenset({EpisodeKind.MESSAGE, EpisodeKind.NOTE})
# How much of a session is looked through at once (KB-119), and how many sessions.
EPISODES_AT_ONCE = 200
SESSIONS_AT_ONCE = 100
# Whose word it is: what was captured live is an agent's at the most, an import's stays one (C-23).
DISTILLER = Actor("distil", ActorKind.JOB)
_OF_IMPORTS = Actor("distil", ActorKind.IMPORT)


@dataclass(slots=True, kw_only=True)
class Distilled:
    """What came of looking through sessions: what was stated, and what could not be."""

    windows: list[Window] = field(default_factory=list)
    found_count: int = 0
    refused_count: int = 0
    stated: list[Stated] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Found:
    """A draft that is ready to be stated, and who states it."""

    draft: FactDraft
    by: Actor


@dataclass(frozen=True, slots=True)
class _Look:
    """A window that was looked through, from the place `after` on, and what it may state."""

    window: Window
    after: int
    found: Sequence[_Found | Malformed]


def distil(
    store: Store,
    writing: Writing,
    *,
    is_asked: bool = False,
    progress: Callable[[int], None] = lambda _done: None,
) -> Distilled:
    """
    Look through the sessions for which it is time.

    Args:
        store: Where they are.
        writing: Who records, and by what.
        is_asked: Look through all that waits, whether it is time or not.
        progress: Is told how many sessions were looked through.

    Raises:
        UnavailableError: the store does not answer; what was looked through stays so.
    """
    done = Distilled()
    while _distil_some(store, writing, done, is_asked=is_asked):
        progress(len(done.windows))
    if done.windows:
        logger.info(
            "distilled: windows=%d found=%d stated=%d refused=%d",
            len(done.windows),
            done.found_count,
            len(done.stated),
            done.refused_count,
        )
    return done


def _distil_some(store: Store, writing: Writing, done: Distilled, *, is_asked: bool) -> int:
    """Look through some sessions, record what they state in one transaction, and count them."""
    owner = writing.recorder.owner
    with store.read() as view:
        waiting = view.distillation.waiting(Visibility(owner), limit=SESSIONS_AT_ONCE)
        looks = [_looked(view, one, writing, is_asked=is_asked) for one in waiting]
    due = [look for look in looks if look is not None]
    if not due:
        return 0
    with store.begin() as tx:
        # Somebody else may have been here meanwhile.
        due = [look for look in due if _through(tx, look.window, owner) == look.after]
        _state(tx, [one for look in due for one in look.found], writing, done)
        windows = [look.window for look in due]
        tx.append(SessionsDistilled(tuple(windows)), by=DISTILLER, owner=owner)
    done.windows += windows
    return len(due) or 1


def _looked(view: Reader, waiting: Waiting, writing: Writing, *, is_asked: bool) -> _Look | None:
    """Look through what waits in a session; None if it is not time yet."""
    within = Visibility(writing.recorder.owner, frozenset({waiting.scope}))
    episodes, through = _read(view, waiting, within)
    trigger = _trigger(waiting, episodes, writing, is_asked=is_asked)
    if trigger is None:
        return None
    window = Window(
        session_id=waiting.session_id, scope=waiting.scope, through=through, trigger=trigger
    )
    return _Look(window, waiting.after, list(_found(episodes, writing)))


def _through(view: Reader, window: Window, owner: Owner) -> int:
    within = Visibility(owner, frozenset({window.scope}))
    return view.distillation.through(window.session_id, within)


def _read(view: Reader, waiting: Waiting, within: Visibility) -> tuple[list[Episode], int]:
    """Return what was spoken in a session and waits, and the place up to which that is all."""
    which = EpisodeFilter(within=within, session_id=waiting.session_id, kinds=SPOKEN)
    episodes = view.episodes.select(which, limit=EPISODES_AT_ONCE, after=waiting.after)
    is_all = len(episodes) < EPISODES_AT_ONCE
    return episodes, waiting.last if is_all else episodes[-1].seq


def _trigger(
    waiting: Waiting, episodes: Sequence[Episode], writing: Writing, *, is_asked: bool
) -> Trigger | None:
    messages = [episode.text for episode in episodes]
    is_told = any(remembered(text) is not None for text in messages)
    now = writing.clock.now()
    return trigger_of(messages, waiting.last_at, now, is_asked=is_asked or is_told)


def _found(episodes: Sequence[Episode], writing: Writing) -> Iterator[_Found | Malformed]:
    for turn in map(Turn, episodes):
        episode = turn.episode
        for candidate in (one for extract in EXTRACTORS for one in extract(turn)):
            if isinstance(candidate, Candidate):
                yield _Found(_draft(episode, candidate, writing), _writer(episode))
            else:
                reason = candidate.reason
                logger.warning("nothing was stated: episode=%s reason=%s", episode.id, reason)
                yield candidate


def _draft(episode: Episode, candidate: Candidate, writing: Writing) -> FactDraft:
    is_anchored = candidate.about or candidate.said.triple is not None
    return scrubbed_fact(
        FactDraft(
            said=candidate.said,
            scope=episode.scope,
            valid_from=min(episode.occurred_at, writing.clock.now()),
            about=candidate.about if is_anchored else (subject_in(episode.scope),),
            quotes=(Quote(episode.id, candidate.quote),),
        )
    )


def subject_in(scope: Scope) -> str:
    """Return what a statement without a subject is about: its project or domain, or the user."""
    return "user" if scope == GLOBAL else scope.partition(":")[2]


def _writer(episode: Episode) -> Actor:
    return _OF_IMPORTS if episode.lifecycle is Lifecycle.HISTORICAL else DISTILLER


def _state(
    tx: Transaction, found: Sequence[_Found | Malformed], writing: Writing, done: Distilled
) -> None:
    ready = [one for one in found if isinstance(one, _Found)]
    done.found_count += len(found)
    done.refused_count += len(found) - len(ready)
    if not ready:
        return
    words = tx.words.known(writing.recorder.owner)
    vectors = writing.embedder.embed([one.draft.said.words for one in ready])
    for number, one in enumerate(ready):
        try:
            done.stated.append(_stated(tx, one, writing, words, vectors[number : number + 1]))
        except (ConflictError, ForbiddenError, InvalidInputError, NotFoundError) as error:
            done.refused_count += 1
            episode_id = one.draft.quotes[0].episode_id
            logger.warning("nothing was stated: episode=%s reason=%s", episode_id, error.code)


def _stated(
    tx: Transaction, found: _Found, writing: Writing, words: Words, vector: Vector
) -> Stated:
    by = replace(writing, recorder=replace(writing.recorder, by=found.by))
    return state_in(tx, found.draft, by, words=words, vectors=vector, reason=None)
