"""What became of skills."""

from collections.abc import Set as AbstractSet
from dataclasses import replace

from tilth.core.codec import Inline
from tilth.core.event import ERASED, Event, Headline, event
from tilth.core.ids import EventId, SessionId
from tilth.playbooks.model import SessionEnd
from tilth.skills.model import SkillDraft, SkillId, SkillState


@event(
    "skill_drafted",
    makes=SkillId,
    goes_with=("draft.derived_from",),
    says=("draft.name", "draft.text"),
    cause="because",
)
class SkillDrafted(Event):
    """
    A skill was drafted. It is a candidate, and no file.

    `because` names the word by which its playbook took the place of an older version.
    """

    draft: Inline[SkillDraft]
    because: EventId | None = None

    def headline(self) -> Headline:
        """Return its name."""
        return Headline("skill", self.draft.name)

    def remains(self, gone: AbstractSet[str]) -> "SkillDrafted":  # noqa: ARG002 - it stays, whatever goes
        """Return that there was one."""
        return SkillDrafted(replace(self.draft, name=ERASED, text="", derived_from=()))


@event(
    "skill_moved",
    kw_only=True,
    subject="skill_id",
    goes_with=("skill_id",),
    drops="note",
    cause="because",
)
class SkillMoved(Event):
    """
    A skill was approved in exactly these bytes, disabled, revoked, retired or brought back.

    `because` names what became of its playbook, or of the skill in its place, where it went along
    in the same act.
    """

    skill_id: SkillId
    state: SkillState
    digest: str = ""
    places: tuple[str, ...] = ()
    note: str = ""
    because: EventId | None = None

    def headline(self) -> Headline:
        """Return what it is now."""
        return Headline("skill", self.state)


@event("skill_used", kw_only=True, subject="skill_id", goes_with=("skill_id",))
class SkillUsed(Event):
    """A session loaded a skill. The last word on a session counts."""

    skill_id: SkillId
    root: SessionId
    ended: SessionEnd

    def headline(self) -> Headline:
        """Return how the session ended."""
        return Headline("skill used", self.ended)
