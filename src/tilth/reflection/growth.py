"""Count what was recorded and learned day by day, and how much of it holds now."""

from collections.abc import Sequence
from datetime import timedelta

from tilth.core.dataclass import dataclass
from tilth.core.instant import DAY_US, EPOCH, written_day
from tilth.core.scope import Visibility
from tilth.episodes.filters import last_before
from tilth.episodes.tables import Episodes
from tilth.knowledge.entities.tables import Entities
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.graph.tables import edge_count
from tilth.ledger.realms import visible_realms
from tilth.ledger.snapshot import Snapshot
from tilth.playbooks.model import LIVE
from tilth.playbooks.tables import Playbooks
from tilth.skills.model import SkillState
from tilth.skills.tables import Skills

_RECORDED_AT = "SELECT recorded_at FROM ledger WHERE seq = ?"
# Conditions on the places at which each kind is recorded. A day is a range of places, so the
# ledger's own rows, whose text is most of the store, are never read.
_BETWEEN = {
    "episodes": "episodes WHERE seq {between} AND realm_no IN {seen}",
    "facts": """facts f JOIN lives v ON v.fact_no = f.fact_no AND v.until IS NULL
        WHERE f.fact_no {between} AND v.realm_no IN {seen}""",
    "playbooks": "playbooks WHERE playbook_no {between} AND realm_no IN {seen}",
    "skills": "skills WHERE skill_no {between} AND realm_no IN {seen}",
    "decisions": "proposals WHERE decided_no {between} AND realm_no IN {seen}",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """What was recorded on one day (UTC), and those of its decisions that still hold."""

    date: str
    episodes: int
    facts: int
    playbooks: int
    skills: int
    decisions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """
    What was recorded by day, and what holds now; the doctor reports the same (KB-068, KB-069).

    `compression` is the number of episodes for each fact, playbook and skill that holds; 0 if there
    is none of these. `nodes` counts them and the entities (KB-010), `edges` the links between them.
    `orphans` are facts about nothing or without evidence; `collision_rate` is the share of facts
    that repeat another.
    """

    days: Sequence[Day]
    episodes: int
    facts: int
    playbooks: int
    skills: int
    nodes: int
    edges: int
    orphans: int
    collision_rate: float
    compression: float


def growth(view: Snapshot, within: Visibility, *, days: int) -> Growth:
    """Return counts for the last *days* on which anything was recorded, and for now."""
    reader, which = Facts(view), FactFilter(within=within)
    episodes, facts = Episodes(view).count(within), reader.count(which)
    playbooks = Playbooks(view).count(within, states=LIVE)
    skills = Skills(view).count(within, states={SkillState.APPROVED})
    learned = facts + playbooks + skills
    return Growth(
        days=_by_day(view, within, days),
        episodes=episodes,
        facts=facts,
        playbooks=playbooks,
        skills=skills,
        nodes=learned + Entities(view).count(within),
        edges=edge_count(view, within),
        orphans=reader.orphan_count(within),
        collision_rate=round(reader.repeated_count(which) / facts, 3) if facts else 0.0,
        compression=round(episodes / learned, 1) if learned else 0.0,
    )


def _by_day(view: Snapshot, within: Visibility, days: int) -> list[Day]:
    # Invisible records change no count (I28).
    seen = visible_realms(view.conn, within)
    found: list[Day] = []
    until = view.head().seq
    while until > 0 and len(found) < days:
        number = int(view.conn.rows(_RECORDED_AT, (until,))[0][0]) // DAY_US
        before = last_before(view.conn, number * DAY_US)
        counts = {noun: _count(view, sql, before, until, seen) for noun, sql in _BETWEEN.items()}
        if any(counts.values()):
            found.append(Day(date=written_day(EPOCH + timedelta(days=number)), **counts))
        until = before
    return found[::-1]


def _count(view: Snapshot, which: str, before: int, until: int, seen: str) -> int:
    told = which.format(between="BETWEEN ? AND ?", seen=view.integers)
    rows = view.conn.rows(f"SELECT count(*) FROM {told}", (before + 1, until, seen))  # noqa: S608 - ours
    return int(rows[0][0])
