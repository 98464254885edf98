"""Health: charts of what is recorded, known and spent, the doctor's checks, background work."""

import os
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, time, timedelta

from tilth.core.lifecycle import Freshness, freshness_of
from tilth.episodes.filters import EpisodeFilter
from tilth.episodes.tables import Episodes
from tilth.interfaces.web.charts import Chart, by_day, chart, quantile
from tilth.interfaces.web.screen import Ask, Said, Told, act, screen
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.tables import Facts
from tilth.llm.tables import Budgets
from tilth.privacy.finding import placeholder
from tilth.reflection.growth import Growth
from tilth.runtime import connect as bootstrap
from tilth.runtime.check import Status
from tilth.runtime.doctor import examine_machine
from tilth.runtime.machine import last_backup_at, machine_of, spool_state, transcripts_of
from tilth.runtime.stages import alarm

DAYS = 30
# Freshness is counted over so many facts, the newest.
_FACTS_AGED = 5000
_RECALLS_DRAWN = 60
_WORST_FIRST = (Status.FAIL, Status.WARN, Status.SKIP, Status.OK)
_MILLION = 1_000_000
# Secrets are counted in so many episodes, the newest, and drawn of so many kinds.
_REDACTED_IN, _KINDS_DRAWN = 500, 6
_PLACEHOLDER = re.compile(re.escape(placeholder("KIND")).replace("KIND", r"([\w-]+)"))


@screen(
    "/health",
    title="Health",
    group="Look after",
    place=100,
    lead="Whether all is well: what is recorded, known and spent, and what a check of this "
    "machine says.",
)
def health(ask: Ask) -> Told:
    """Gather charts and checks, those that the store was given last, and what work came to."""
    brain, last = ask.brain, ask.serving.checking.last
    checks = [*examine_machine(machine_of(os.environ, ask.where, "")), *last.checks]
    stages = bootstrap.stage_log(ask.where).read()
    now, grown = brain.parts.clock.now(), brain.growth(days=DAYS)
    recalls = ask.serving.counts.recalls
    return {
        "growth": grown,
        "charts": [*_daily(grown, now), _freshness(ask, now), _latency(recalls), _spent(ask, now)],
        "recall": {share: quantile(recalls, share) for share in (0.5, 0.95)},
        "days": DAYS,
        "checks": sorted(checks, key=lambda one: _WORST_FIRST.index(one.status)),
        "store_check": last,
        "stages": stages,
        "alarms": {name: wrong for name, one in stages.items() if (wrong := alarm(one))},
        "hooks": spool_state(os.environ),
        "spent": brain.models.spent_today(),
        "entities": brain.people.stats(),
        "redacted": _redacted(ask),
        "is_in_a_file": "://" not in ask.where,
        "backed_up_at": last_backup_at(os.environ, brain.store_id),
    }


@act("health/check")
def check(ask: Ask) -> Said:
    """Check the whole store, which takes as long as it is large."""
    brain = ask.brain
    machine = replace(
        machine_of(os.environ, ask.where, ""),
        last_backup_at=last_backup_at(os.environ, brain.store_id),
        transcripts=transcripts_of(bootstrap.default_sources(os.environ), os.environ),
    )
    ask.serving.checking.begin(lambda: brain.examine(machine), brain.parts.clock.now)
    return Said("The store is being checked. Look again in a while.", back="/health#checks")


def _daily(grown: Growth, now: datetime) -> Sequence[Chart]:
    """Return what was recorded and decided on each of the last days, without a gap."""
    return [
        chart(
            f"{noun.capitalize()} recorded" if noun != "decisions" else "Decisions of yours",
            by_day({one.date: getattr(one, noun) for one in grown.days}, now.date(), DAYS),
        )
        for noun in ("episodes", "facts", "decisions")
    ]


def _freshness(ask: Ask, now: datetime) -> Chart:
    parts = ask.brain.parts
    with parts.store.read() as view:
        which = FactFilter(within=parts.within(None))
        ages = Facts(view).fresh_from(which, limit=_FACTS_AGED)
    counts = Counter(freshness_of(now - one) for one in ages)
    limit = f"of the last {_FACTS_AGED:,}" if len(ages) == _FACTS_AGED else f"{len(ages):,} facts"
    return chart("Freshness", [(one.value, counts[one]) for one in Freshness], total=limit)


def _redacted(ask: Ask) -> Chart:
    """Return the secrets that were left out of what was recorded last, by their kind."""
    parts = ask.brain.parts
    which = EpisodeFilter(within=parts.within(None))
    with parts.store.read() as view:
        last = Episodes(view).texts(which, limit=_REDACTED_IN)
    counts = Counter(kind for text in last for kind in _PLACEHOLDER.findall(text))
    total = f"in the last {len(last):,} steps"
    return chart("Secrets left out", counts.most_common(_KINDS_DRAWN), total=total)


def _latency(recalls: Sequence[float]) -> Chart:
    drawn = [(f"recall {at}", 1000 * one) for at, one in enumerate(recalls, 1)][-_RECALLS_DRAWN:]
    told = f"median {1000 * quantile(recalls, 0.5):,.0f} ms" if recalls else ""
    return chart("Recall", drawn, form="{:,.0f} ms", total=told)


def _spent(ask: Ask, now: datetime) -> Chart:
    parts = ask.brain.parts
    first = datetime.combine(now.date() - timedelta(days=DAYS - 1), time(), now.tzinfo)
    with parts.store.read() as view:
        spent = Budgets(view).by_day(parts.recorder.owner, since=first)
    tokens = {day: one.tokens for day, one in spent.items()}
    money = sum(one.millionths for one in spent.values()) / _MILLION
    total = f"{sum(tokens.values()):,} tokens" + (f", {money:,.2f} in money" if money else "")
    return chart("Models", by_day(tokens, now.date(), DAYS), form="{:,.0f} tokens", total=total)
