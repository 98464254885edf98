"""What reflection does with skills: draft them, count who loaded them, put away what fails."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from tilth.core.errors import InvalidInputError, NotFoundError
from tilth.core.event import Event
from tilth.core.ids import FactId, SessionId, parent_session
from tilth.core.lifecycle import Lifecycle
from tilth.core.scope import Visibility
from tilth.knowledge.facts.tables import Facts
from tilth.ledger.snapshot import Snapshot
from tilth.llm.client import ModelClient
from tilth.playbooks.model import LIVE, Experience, Playbook, PlaybookId, SessionEnd
from tilth.playbooks.playbook_stages import FAILURES_IN_A_ROW, REFLECTION
from tilth.playbooks.tables import Playbooks
from tilth.practice.calls import SKILL_FILE, SKILL_MARK
from tilth.practice.tables import ToolUses
from tilth.skills.approval import draft_of
from tilth.skills.derivation import BACK, has_come_back, why_over
from tilth.skills.events import SkillDrafted, SkillMoved, SkillUsed
from tilth.skills.model import Skill, SkillId, SkillState
from tilth.skills.tables import Skills

# The success that is at least to be expected of a playbook before a skill is drafted of it.
SUCCESS_LEAST = 0.5


def promote(thinker: ModelClient, within: Visibility, *, sessions_min: int) -> list[Skill]:
    """Draft a skill of each playbook that proved itself and has none yet."""
    with thinker.store.read() as view:
        drafted = {
            (source, one.draft.signature)
            for one in Skills(view).select(within)
            for source in one.draft.derived_from
        }
        ready = [
            one
            for one in Playbooks(view).select(within, states=LIVE)
            if one.evidence.proven >= sessions_min
            and one.evidence.success_least >= SUCCESS_LEAST
            and (one.id, one.digest) not in drafted
            and not one.is_waiting_revision
        ]
        gone = Skills(view).select(within, states={SkillState.RETIRED})
        back = [(one, SkillState.CANDIDATE, BACK) for one in gone if has_come_back(view, one)]
    back_again = _move(thinker, back)
    made = [_draft(thinker, one, within) for one in ready]
    return [*back_again, *(one for one in made if one is not None)]


def _draft(thinker: ModelClient, playbook: Playbook, within: Visibility) -> Skill | None:
    try:
        made = draft_of(playbook)
    except InvalidInputError:
        return None
    with thinker.store.begin() as tx:
        # Somebody may have drafted it meanwhile, or taken these bytes back for good.
        if any(
            one.draft == made or (one.state is SkillState.REVOKED and one.is_of(made))
            for one in Skills(tx).select(within)
        ):
            return None
        appended = tx.append(SkillDrafted(made), by=REFLECTION, owner=thinker.recorder.owner)
        return Skills(tx).get(SkillId(appended.recorded.made), within)


def observe(thinker: ModelClient, found: Sequence[Experience], within: Visibility) -> int:
    """Count the sessions that loaded a skill, and how they ended; return how many are new."""
    with thinker.store.read() as view:
        skills = Skills(view)
        installed = skills.select(within, states={SkillState.APPROVED, SkillState.DISABLED})
        loaded = _loaded(view, within, installed) if installed else {}
        news = [
            event
            for skill in installed
            for event in _uncounted(view, skill, loaded.get(skill.id, ()), found, within)
        ]
    if news:
        with thinker.store.begin() as tx:
            for event in news:
                tx.append(event, by=REFLECTION, owner=thinker.recorder.owner)
    return len(news)


def _loaded(
    view: Snapshot, within: Visibility, skills: Sequence[Skill]
) -> Mapping[str, Iterable[SessionId]]:
    """Return the sessions that loaded each skill after it was approved."""
    found: dict[str, dict[SessionId, None]] = {one.id: {} for one in skills}
    first = min(one.seq for one in skills)
    for half in ToolUses(view).halves(within, after=first):
        for skill in skills:
            name = skill.draft.name
            is_named = half.about == f"{SKILL_MARK}{name}"
            if is_named or f"/{name}{SKILL_FILE}" in half.about:
                found[skill.id][parent_session(half.session_id)] = None
    return found


def _uncounted(
    view: Snapshot,
    skill: Skill,
    roots: Iterable[SessionId],
    found: Sequence[Experience],
    within: Visibility,
) -> Iterator[Event]:
    known = {one.root: one.ended for one in Skills(view).uses(skill)}
    keys = {
        Playbooks(view).get(PlaybookId(one), within).draft.key
        for one in skill.draft.derived_from
        if one.startswith(PlaybookId.prefix)
    }
    for root in roots:
        ends = [one.ended for one in found if one.root == root and one.key in keys]
        ended = ends[-1] if ends else SessionEnd.UNKNOWN
        if known.get(root) is not ended:
            yield SkillUsed(skill_id=skill.id, root=root, ended=ended)


def retire(thinker: ModelClient, within: Visibility) -> list[Skill]:
    """
    Put away the installed skills that fail, that rest on what is over, or that nobody loads.

    So are candidates whose playbook is over, or says something else by now.
    """
    now = thinker.clock.now()
    with thinker.store.read() as view:
        waiting = Skills(view).select(within, states={SkillState.CANDIDATE})
        over = [(one, SkillState.RETIRED, note) for one in waiting if (note := why_over(view, one))]
        installed = Skills(view).select(within, states={SkillState.APPROVED})
        moves = [(one, *why) for one in installed if (why := _why_not(view, one, within))]
    moves += over
    moves += [
        (one, SkillState.DISABLED, "nobody loaded it for 90 days")
        for one in installed
        if one.is_dormant(now) and one.id not in {skill.id for skill, *_ in moves}
    ]
    return _move(thinker, moves)


def _move(thinker: ModelClient, moves: Sequence[tuple[Skill, SkillState, str]]) -> list[Skill]:
    """Record what becomes of skills, of none that somebody else moved meanwhile; return these."""
    if not moves:
        return []
    owner, done = thinker.recorder.owner, list[Skill]()
    with thinker.store.begin() as tx:
        for skill, state, note in moves:
            if Skills(tx).get(skill.id, Visibility(owner)).moved_in == skill.moved_in:
                event = SkillMoved(skill_id=skill.id, state=state, note=note)
                tx.append(event, by=REFLECTION, owner=owner)
                done.append(skill)
    return done


def _why_not(view: Snapshot, skill: Skill, within: Visibility) -> tuple[SkillState, str] | None:
    """Return what becomes of an installed skill, and why; None if it stays."""
    if skill.evidence.failed_last >= FAILURES_IN_A_ROW:
        return SkillState.RETIRED, f"failed {skill.evidence.failed_last} times in a row"
    facts = [FactId(one) for one in skill.draft.derived_from if one.startswith(FactId.prefix)]
    if not all(_holds(view, one, within) for one in facts):
        return SkillState.DISABLED, "a fact that it rests on holds no more"
    over = why_over(view, skill)
    return (SkillState.RETIRED, over) if over else None


def _holds(view: Snapshot, fact_id: FactId, within: Visibility) -> bool:
    try:
        life = Facts(view).get(fact_id, within).life
    except NotFoundError:
        return False
    return life.lifecycle is Lifecycle.CURRENT
