"""
Reflection: one ordered run over what sessions did (KB-034, KB-100).

The stages read and cluster experience, draft playbooks from it, count what sessions did with them,
and then promote what proves itself and archive the rest. A stage that fails does not stop those
behind it. Nothing unchanged is written or sent to a model again: each draft has the digest of what
it was made from, and each session is counted once.
"""

import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from datetime import timedelta
from typing import NamedTuple

from tilth.core.dataclass import dataclass
from tilth.core.errors import TilthError
from tilth.core.scope import Scope, Visibility
from tilth.llm.client import ModelClient
from tilth.playbooks import playbook_stages as playbooks
from tilth.playbooks.playbook_stages import Findings
from tilth.skills import skill_stages as skills
from tilth.skills.approval import keep_files
from tilth.skills.install_files import AsideFolder, Placing

logger = logging.getLogger(__name__)

# A run waits until nothing was recorded for this long, unless a lot has been recorded since the
# last.
QUIET = timedelta(minutes=2)
EVENTS_MANY = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class StageRun:
    """
    What one stage looked at and what it made, or the code of the error that ended it.

    `left` lists what it made nothing of and why, if a person asked for the run; `files` are the
    files of skills that it changed.
    """

    name: str
    found: int = 0
    made: int = 0
    error: str = ""
    left: tuple[str, ...] = ()
    files: tuple[Placing, ...] = ()


@dataclass(slots=True, kw_only=True)
class Reflected:
    """What a run did, by stage; no stages if it was not due."""

    stages: list[StageRun] = field(default_factory=list)
    through: int = 0
    is_due: bool = True

    @property
    def made_count(self) -> int:
        """How many records were written."""
        return sum(one.made for one in self.stages)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReflectionInputs:
    """What reflection needs: a model client, thresholds, and the domains."""

    thinker: ModelClient
    shelf: AsideFolder
    sessions_min: int
    skill_sessions_min: int
    domains: Mapping[Scope, frozenset[Scope]]

    @property
    def within(self) -> Visibility:
        """Everything of the owner."""
        return Visibility(self.thinker.recorder.owner)


def reflect(asked: ReflectionInputs, *, is_asked: bool, after: int = 0) -> Reflected:
    """
    Run all stages, in their order.

    Args:
        asked: The model client and the thresholds.
        is_asked: Whether somebody asks for the run; otherwise it waits for a quiet moment.
        after: The place in the ledger up to which an earlier run has reflected.

    Raises:
        UnavailableError: the store does not answer.
    """
    with asked.thinker.store.read() as view:
        head = view.head().seq
        last = view.events(after=max(head - 1, 0), limit=1)
    now = asked.thinker.clock.now()
    is_quiet = bool(last) and last[0].recorded_at + QUIET <= now
    if not is_asked and (head <= after or not (is_quiet or head - after >= EVENTS_MANY)):
        return Reflected(through=after, is_due=False)
    # A run that somebody asks for stands by itself; a scheduled one continues where the last ended.
    run = _Run(asked, head if is_asked else after, is_asked=is_asked)
    done = Reflected(stages=[_ran(name, stage) for name, stage in run.stages()])
    with asked.thinker.store.read() as view:
        done.through = view.head().seq
    return done


class _Outcome(NamedTuple):
    """How many things a stage found and made, what it made nothing of, and the files it changed."""

    found: int
    made: int
    left: tuple[str, ...] = ()
    files: tuple[Placing, ...] = ()


def _all_new(count: int) -> _Outcome:
    return _Outcome(count, count)


def _ran(name: str, stage: Callable[[], _Outcome]) -> StageRun:
    """Run one stage; an error ends it alone."""
    try:
        done = stage()
    except Exception as error:  # noqa: BLE001 - a fault of one is no fault of the next
        code = error.code if isinstance(error, TilthError) else type(error).__name__
        logger.warning("a stage of reflection failed: stage=%s code=%s", name, code)
        return StageRun(name=name, error=code)
    return StageRun(name=name, **done._asdict())


class _Run:
    """One run, with the findings of its first stage, from which the others go on."""

    def __init__(self, asked: ReflectionInputs, since: int, *, is_asked: bool) -> None:
        self._asked, self._since, self._is_asked = asked, since, is_asked
        self._findings = Findings()

    def stages(self) -> Iterator[tuple[str, Callable[[], _Outcome]]]:
        """Yield the stages, in their order."""
        asked, thinker, within = self._asked, self._asked.thinker, self._asked.within
        least = asked.skill_sessions_min
        yield "experience", self._experience
        yield "draft", self._draft
        yield "outcomes", self._outcomes
        yield (
            "retire",
            lambda: _all_new(
                len(playbooks.retire(thinker, within)) + len(skills.retire(thinker, within))
            ),
        )
        yield "promote", lambda: _all_new(len(skills.promote(thinker, within, sessions_min=least)))
        yield "lift", lambda: _all_new(len(playbooks.lift(thinker, within, asked.domains)))
        yield "archive", lambda: _all_new(len(playbooks.archive(thinker, within)))
        yield "coherence", self._coherence

    def _experience(self) -> _Outcome:
        asked = self._asked
        with asked.thinker.store.read() as view:
            self._findings = playbooks.find_experiences(
                view, asked.within, sessions_min=asked.sessions_min
            )
        return _Outcome(len(self._findings.experiences), 0)

    def _draft(self) -> _Outcome:
        thinker, within, found = self._asked.thinker, self._asked.within, self._findings
        back = playbooks.revive(thinker, found, within)
        drafted = playbooks.draft(thinker, found, within, after=self._since)
        left: tuple[str, ...] = ()
        if self._is_asked:
            with thinker.store.read() as view:
                left = tuple(playbooks.why_not_drafted(view, found, within))
        return _Outcome(len(found.clusters), len(back) + len(drafted), left)

    def _outcomes(self) -> _Outcome:
        thinker, within, found = self._asked.thinker, self._asked.within, self._findings
        counted = playbooks.observe(thinker, found, within, self._asked.domains)
        return _all_new(counted + skills.observe(thinker, found.experiences, within))

    def _coherence(self) -> _Outcome:
        files = tuple(keep_files(self._asked.thinker.store, self._asked.shelf, self._asked.within))
        return _Outcome(len(files), len(files), files=files)
