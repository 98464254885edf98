"""
Reflection: one ordered run over what sessions did (KB-034, KB-100).

The stages read and cluster experience, draft playbooks from it, count what sessions did with them,
and then promote what proves itself and archive the rest. A stage that fails does not stop those
behind it. Nothing unchanged is written or sent to a model again: each draft has the digest of what
it was made from, and each session is counted once.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import field
from datetime import timedelta

from tilth.core.dataclass import dataclass
from tilth.core.errors import TilthError
from tilth.core.scope import Scope, Visibility
from tilth.llm.client import ModelClient
from tilth.playbooks import playbook_stages
from tilth.playbooks.playbook_stages import Findings
from tilth.skills import skill_stages
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
    for name, stage in run.stages:
        run.do(name, stage)
    with asked.thinker.store.read() as view:
        run.done.through = view.head().seq
    return run.done


class _Run:
    """One run, with what its stages pass on to later ones."""

    def __init__(self, asked: ReflectionInputs, since: int, *, is_asked: bool) -> None:
        self.done = Reflected()
        self._asked, self._since, self._is_asked = asked, since, is_asked
        self._findings = Findings()
        self._left: tuple[str, ...] = ()
        self._files: tuple[Placing, ...] = ()

    @property
    def stages(self) -> tuple[tuple[str, Callable[[], tuple[int, int]]], ...]:
        """The stages, in their order; each returns how many it found and how many it made."""
        return (
            ("experience", self._experience),
            ("draft", self._draft),
            ("outcomes", self._outcomes),
            ("retire", self._retire),
            ("promote", self._promote),
            ("lift", self._lift),
            ("archive", self._archive),
            ("coherence", self._coherence),
        )

    def do(self, name: str, stage: Callable[[], tuple[int, int]]) -> None:
        """Run one stage, and record an error instead of raising it."""
        try:
            found, made = stage()
        except Exception as error:  # noqa: BLE001 - a fault of one is no fault of the next
            code = error.code if isinstance(error, TilthError) else type(error).__name__
            logger.warning("a stage of reflection failed: stage=%s code=%s", name, code)
            self.done.stages.append(StageRun(name=name, error=code))
        else:
            told = StageRun(name=name, found=found, made=made, left=self._left, files=self._files)
            self.done.stages.append(told)
        self._left, self._files = (), ()

    def _experience(self) -> tuple[int, int]:
        asked = self._asked
        with asked.thinker.store.read() as view:
            self._findings = playbook_stages.find_experiences(
                view, asked.within, sessions_min=asked.sessions_min
            )
        return len(self._findings.experiences), 0

    def _draft(self) -> tuple[int, int]:
        asked = self._asked
        back = playbook_stages.revive(asked.thinker, self._findings, asked.within)
        drafted = playbook_stages.draft(
            asked.thinker, self._findings, asked.within, after=self._since
        )
        if self._is_asked:
            with asked.thinker.store.read() as view:
                self._left = tuple(
                    playbook_stages.why_not_drafted(view, self._findings, asked.within)
                )
        return len(self._findings.clusters), len(back) + len(drafted)

    def _outcomes(self) -> tuple[int, int]:
        asked = self._asked
        counted = playbook_stages.observe(
            asked.thinker, self._findings, asked.within, asked.domains
        )
        counted += skill_stages.observe(asked.thinker, self._findings.experiences, asked.within)
        return counted, counted

    def _retire(self) -> tuple[int, int]:
        thinker, within = self._asked.thinker, self._asked.within
        gone = len(playbook_stages.retire(thinker, within)) + len(
            skill_stages.retire(thinker, within)
        )
        return gone, gone

    def _promote(self) -> tuple[int, int]:
        asked = self._asked
        made = skill_stages.promote(
            asked.thinker, asked.within, sessions_min=asked.skill_sessions_min
        )
        return len(made), len(made)

    def _coherence(self) -> tuple[int, int]:
        asked = self._asked
        found = keep_files(asked.thinker.store, asked.shelf, asked.within)
        self._files = tuple(found)
        return len(found), len(found)

    def _lift(self) -> tuple[int, int]:
        asked = self._asked
        lifted = playbook_stages.lift(asked.thinker, asked.within, asked.domains)
        return len(lifted), len(lifted)

    def _archive(self) -> tuple[int, int]:
        gone = playbook_stages.archive(self._asked.thinker, self._asked.within)
        return len(gone), len(gone)
