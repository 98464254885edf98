"""What is kept where whoever asks may not see it: by another owner, or in a scope beside theirs."""

from pathlib import Path

import tilth
from tilth.core.actor import Human

CANARY = "quetzalcanary"
ELSEWHERE = "project:shed"


def keep_anothers(place: Path, owner: str = "eve") -> dict[str, str]:
    """Let an owner keep something of everything at *place*; return its IDs by their nouns."""
    with tilth.connect(place, create=not place.exists(), actor=Human("eve"), owner=owner) as other:
        within = {"scope": ELSEWHERE}
        entity = other.entities.add(CANARY, type="person", **within).entity
        said = other.remember(
            f"The word is {CANARY}.", session_id=f"s-{CANARY}", speaker=CANARY, **within
        )
        fact = other.facts.add(
            f"The safe of {CANARY} is open.", about=[CANARY], evidence=[said], **within
        ).fact
        gap = other.gaps.add(f"It should whistle {CANARY}", **within).gap
        asked = other.review.question(fact.id, reason=f"is it {CANARY}")
        skill = other.skills.add(
            f"---\nname: whistle\ndescription: {CANARY}.\n---\n\n1. Go.\n", **within
        )
        topic = other.topics.add(f"whistling {CANARY}", **within)
        other.entities.add("the safe", **within)
        edge = other.edges.add(entity.id, "uses", "the safe", **within).edge
        begun = other.conversations.create(entity.id, transport="email", **within)
        plan = other.erase.plan(episodes=[other.remember("Forget me.", **within)])
        gone = other.erase.confirm(plan.digest, episodes=[*plan.ids])
    return {
        "topic": topic.id, "erasure": str(gone.erasure_id), "edge": edge.id,
        "session": f"s-{CANARY}", "episode": said, "fact": fact.id, "proposal": asked.id,
        "gap": gap.id, "skill": skill.id, "name": entity.id, "scope": ELSEWHERE,
        "receipt": "rcp_01J00000000000000000000000", "host": "claude-code",
        "playbook": "plb_01J00000000000000000000000", "conversation": begun.conversation.id,
    }  # fmt: skip
