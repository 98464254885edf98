"""How the knowledge is built: its nodes, how they hang together, and what each stands for."""

from tilth.core.dataclass import dataclass
from tilth.core.scope import Visibility
from tilth.episodes.tables import Episodes
from tilth.knowledge.entities.tables import Entities
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.graph.tables import edge_count
from tilth.ledger.snapshot import Snapshot
from tilth.playbooks.model import LIVE
from tilth.playbooks.tables import Playbooks
from tilth.skills.model import SkillState
from tilth.skills.tables import Skills


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """
    What holds now, counted; doctor and growth tell the same (KB-068, KB-069).

    `orphans` are facts about nothing, or without evidence; `repeated` say what another says.
    """

    episodes: int
    facts: int
    entities: int
    playbooks: int
    skills: int
    edges: int
    orphans: int
    repeated: int

    @property
    def nodes(self) -> int:
        """How many nodes there are, of every kind (KB-010)."""
        return self.facts + self.entities + self.playbooks + self.skills

    @property
    def compression(self) -> float:
        """How many episodes stand for each fact, playbook and skill; 0 if there is none."""
        learned = self.facts + self.playbooks + self.skills
        return round(self.episodes / learned, 1) if learned else 0.0

    @property
    def collision_rate(self) -> float:
        """Which share of the facts says what another says, from 0 to 1."""
        return round(self.repeated / self.facts, 3) if self.facts else 0.0


def measured(view: Snapshot, within: Visibility) -> Measure:
    """Count what holds and may be seen."""
    facts, which = Facts(view), FactFilter(within=within)
    return Measure(
        episodes=Episodes(view).count(within),
        facts=facts.count(which),
        entities=Entities(view).count(within),
        playbooks=Playbooks(view).count(within, states=LIVE),
        skills=Skills(view).count(within, states={SkillState.APPROVED}),
        edges=edge_count(view, within),
        orphans=facts.orphan_count(within),
        repeated=facts.repeated_count(which),
    )
