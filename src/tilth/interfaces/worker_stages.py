"""The stages of a worker's rounds: what each does, and what they came to together."""

import threading
from collections.abc import Callable
from dataclasses import field

from tilth.agents.hooks import Hooks
from tilth.core.dataclass import dataclass
from tilth.interfaces.hooks.brief_files import BriefFiles
from tilth.maintenance.contradictions import ContradictionScan
from tilth.maintenance.dedup import Deduplicated
from tilth.maintenance.stretches import stretches
from tilth.runtime import places
from tilth.runtime.brain import Brain
from tilth.runtime.stages import StageRun
from tilth.runtime.worker.due_stages import garden_stage, pages_stage
from tilth.runtime.worker.loop import Stage
from tilth.runtime.worker.process import Pace
from tilth.runtime.worker.stage_log import StageLog

# What hooks wrote meanwhile is recorded between two rounds.
ROUND_EPISODES = 256
_ROUND_ENTITIES = 256
_ROUND_SESSIONS = 500


@dataclass(slots=True)
class Totals:
    """How many episodes, facts, questions and vectors a worker made so far."""

    recorded: int = 0
    embedded: int = 0
    stated: int = 0
    asked: int = 0
    archived: int = 0


@dataclass(frozen=True, slots=True)
class Job:
    """
    The work of a worker: a brain, the place of its store, and the hooks of this user.

    `briefs` is None where hooks write for another store or owner; then nothing of theirs is
    recorded. `build` is the program's when the worker began, `stopped` is set to end it, and
    `watch` tells of settings that change.
    """

    brain: Brain
    where: str
    hooks: Hooks
    briefs: BriefFiles | None
    stopped: threading.Event
    build: str
    watch: places.SettingsWatch | None = None


@dataclass(slots=True)
class WorkerStages:
    """
    The stages of one worker.

    `advance` is told how many texts were embedded. `pace` rests between two pieces of long work.
    """

    job: Job
    totals: Totals
    log: StageLog
    pace: Pace
    advance: Callable[[int], None]
    # What was recorded for hooks between two runs of the stage that does so.
    recorded_between: StageRun = field(default_factory=StageRun, init=False)

    def in_order(self) -> list[Stage]:
        """Return the stages of a round; where learning is off, those alone that record."""
        brain, briefs = self.job.brain, self.job.briefs
        stages = [Stage("erase", self._finish_erasures)]
        if brain.parts.settings.learning:
            stages += [
                Stage("distil", self._distil),
                Stage("things", self._find_things),
                Stage("vectors", self._embed),
                Stage("names", self._find_similar_names),
                Stage("contradictions", self._find_contradictions),
                Stage("duplicates", self._find_duplicates),
                Stage("tend", self._tend),
                Stage("conversations", self._rest_conversations),
                Stage("reading", self._read_by_model),
                Stage("gaps", self._find_gaps),
                Stage("reflect", self._reflect),
                garden_stage(brain),
                pages_stage(brain),
            ]
        else:
            stages.append(Stage("vectors", self._embed))
        if briefs:
            self.job.hooks.injections.tidy()
            stages = [Stage("spool", self._ingest), *stages, Stage("briefs", briefs.run)]
        return stages

    def _through(self, stage: str) -> int:
        """Return the place in the ledger to which a stage came, by the log that outlives it."""
        counts = self.log.read().get(stage)
        return 0 if counts is None else counts.through

    def _finish_erasures(self) -> StageRun:
        finished = self.job.brain.erase.finish()
        return StageRun(finished.due_count, finished.due_count if finished.is_clean else 0)

    def _ingest(self) -> StageRun:
        """Record what hooks wrote, and count what was recorded since the last run, too."""
        hooks = self.job.hooks
        ingested = self.job.brain.ingest(hooks.spool, hooks.reading)
        self.totals.recorded += ingested.new_count
        before, self.recorded_between = self.recorded_between, StageRun()
        return StageRun(
            before.found + ingested.record_count,
            before.made + ingested.new_count + ingested.known_count,
        )

    def _distil(self) -> StageRun:
        """Look through sessions. It may take long, so what hooks write is recorded between two."""

        def between(_count: int) -> None:
            self.pace.rest()
            if self.job.briefs and self.job.hooks.spool.waiting_bytes():
                self.recorded_between = self._ingest()

        distilled = self.job.brain.distil(is_asked=False, at_most=_ROUND_SESSIONS, progress=between)
        self.totals.stated += len(distilled.stated)
        return StageRun(distilled.found_count, len(distilled.stated))

    def _find_things(self) -> StageRun:
        """Know what sessions name that an older version recorded, a few projects at a time."""
        found = self.job.brain.acquaint(after=self._through("things"))
        return StageRun(found.scope_count, found.scope_count, found.cursor)

    def _embed(self) -> StageRun:
        before = self.totals.embedded

        def advance(count: int) -> None:
            self.advance(before + count)
            self.pace.rest()

        made = self.job.brain.embed_backlog(limit=ROUND_EPISODES, progress=advance)
        self.totals.embedded += made
        return StageRun(made, made)

    def _find_similar_names(self) -> StageRun:
        tidied = self.job.brain.entities.tidy(after=self._through("names"), limit=_ROUND_ENTITIES)
        self.totals.asked += tidied.proposed_count
        return StageRun(tidied.seen_count, tidied.seen_count, tidied.cursor)

    def _find_contradictions(self) -> StageRun:
        return self._compare("contradictions", lambda at: self.job.brain.review.scan(after=at))

    def _find_duplicates(self) -> StageRun:
        return self._compare("duplicates", lambda at: self.job.brain.dedup(after=at))

    def _compare(
        self, stage: str, scan: Callable[[int], ContradictionScan | Deduplicated]
    ) -> StageRun:
        """Compare facts from where the stage came to, until some were compared or none is left."""
        run = StageRun()
        for found in stretches(scan, self._through(stage)):
            self.totals.asked += len(found.asked)
            run = StageRun(found.fact_count, found.fact_count, found.through)
            if found.fact_count:
                break
        return run

    def _tend(self) -> StageRun:
        """Archive, consolidate and have a model read facts over, once a day."""
        brain = self.job.brain
        swept = brain.archive(is_asked=False)
        if swept.is_early:
            return StageRun()
        drawn = [group for group in brain.consolidate(is_asked=False).groups if group.fact_id]
        cleaned = brain.clean()
        self.totals.archived += len(swept.facts) + len(cleaned.facts)
        self.totals.stated += len(drawn)
        made = len(swept.facts) + len(cleaned.facts) + len(drawn)
        return StageRun(made, made)

    def _rest_conversations(self) -> StageRun:
        rested = len(self.job.brain.conversations.rest())
        return StageRun(rested, rested)

    def _read_by_model(self) -> StageRun:
        read = self.job.brain.read_by_model()
        self.totals.stated += len(read.stated)
        asked = 0 if read.is_put_off else read.asked_count
        return StageRun(asked, read.asked_count - read.refused_count)

    def _find_gaps(self) -> StageRun:
        """Look for gaps, and draft their TODOs, every six hours."""
        run = self.job.brain.gaps.run()
        found = 0 if run.scanned is None else len(run.scanned.patterns)
        made = found + len(run.resolved) + len(run.drafted) + len(run.filed)
        return StageRun(made + len(run.failed), made)

    def _reflect(self) -> StageRun:
        """Draft playbooks from what sessions did, once it is quiet."""
        brain = self.job.brain
        if not brain.parts.settings.reflection:
            return StageRun()
        run = brain.reflect(is_asked=False, after=self._through("reflect"))
        return StageRun(run.made_count, run.made_count, run.through)
