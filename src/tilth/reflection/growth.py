"""How much was recorded and learned, day by day, and how much of it holds now."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from tilth.core.instant import EPOCH
from tilth.core.scope import Visibility
from tilth.episodes.tables import Episodes
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.tables import Facts
from tilth.ledger.snapshot import Snapshot
from tilth.playbooks.model import PlaybookState
from tilth.playbooks.tables import Playbooks
from tilth.skills.model import SkillState
from tilth.skills.tables import Skills

_DAY_US = 86_400_000_000
_KINDS = {
    "episode_recorded": "episodes",
    "fact_recorded": "facts",
    "playbook_drafted": "playbooks",
    "skill_drafted": "skills",
}
_BY_DAY = f"""
SELECT recorded_at / {_DAY_US}, kind, count(*) FROM ledger
WHERE owner = ? AND kind IN ({", ".join("?" * len(_KINDS))})
GROUP BY recorded_at / {_DAY_US}, kind ORDER BY 1
"""  # noqa: S608 - a constant


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """What was recorded on one day, in UTC."""

    date: str
    episodes: int
    facts: int
    playbooks: int
    skills: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """
    What was recorded by day, and what holds now.

    `compression` is how many episodes stand for each fact, playbook and skill that holds;
    0 if none does. `orphans` are facts about nothing, or without evidence.
    """

    days: Sequence[Day]
    episodes: int
    facts: int
    playbooks: int
    skills: int
    orphans: int
    compression: float


def growth(view: Snapshot, within: Visibility, *, days: int) -> Growth:
    """Return what was recorded on the last days on which anything was, and what holds now."""
    facts = Facts(view).count(FactFilter(within=within))
    count = Episodes(view).count(within)
    live = {PlaybookState.CANDIDATE, PlaybookState.CONFIRMED}
    playbooks = len(Playbooks(view).select(within, states=live))
    skills = len(Skills(view).select(within, states={SkillState.APPROVED}))
    nodes = facts + playbooks + skills
    return Growth(
        days=[_day(number, found) for number, found in _by_day(view, within)[-days:]],
        episodes=count,
        facts=facts,
        playbooks=playbooks,
        skills=skills,
        orphans=Facts(view).orphan_count(within),
        compression=round(count / nodes, 1) if nodes else 0.0,
    )


def _by_day(view: Snapshot, within: Visibility) -> list[tuple[int, Mapping[str, int]]]:
    found: defaultdict[int, Counter[str]] = defaultdict(Counter)
    for day, kind, count in view.conn.rows(_BY_DAY, (within.owner, *_KINDS)):
        found[int(day)][_KINDS[kind]] += int(count)
    return sorted(found.items())


def _day(number: int, found: Mapping[str, int]) -> Day:
    return Day(
        date=f"{EPOCH + timedelta(days=number):%Y-%m-%d}",
        episodes=found["episodes"],
        facts=found["facts"],
        playbooks=found["playbooks"],
        skills=found["skills"],
    )
