"""Drafts that wait beside the queue: playbooks and skills, each read whole by a person."""

from collections.abc import Mapping

from tilth.playbooks.model import PlaybookState
from tilth.runtime.brain import Brain
from tilth.skills.model import SkillState

# More are not counted.
_COUNTED_MAX = 1000


def drafts_waiting(brain: Brain, scope: str | None = None) -> Mapping[str, int]:
    """Return how many drafts wait for a person, by what they are; no kind of which none does."""
    found = {
        "playbook": brain.playbooks.list(
            state=PlaybookState.CANDIDATE, limit=_COUNTED_MAX, scope=scope
        ),
        "skill": brain.skills.list(state=SkillState.CANDIDATE, limit=_COUNTED_MAX, scope=scope),
    }
    return {noun: len(some) for noun, some in found.items() if some}
