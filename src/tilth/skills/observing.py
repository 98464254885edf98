"""What reflection does with skills: draft them, count who loaded them, put away what fails."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from tilth.core.errors import InvalidInputError, TilthError
from tilth.core.event import Event
from tilth.core.ids import SessionId, without_agent
from tilth.core.scope import Visibility
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store
from tilth.llm.client import ModelClient
from tilth.playbooks.model import LIVE, Experience, Playbook, PlaybookId, SessionEnd
from tilth.playbooks.observing import FAILURES_IN_A_ROW, REFLECTION
from tilth.playbooks.tables import Playbooks
from tilth.practice.calls import SKILL_FILE, SKILL_MARK
from tilth.practice.tables import ToolUses
from tilth.skills.events import SkillDrafted, SkillMoved, SkillUsed
from tilth.skills.keeping import draft_of, resting_on_nothing
from tilth.skills.model import Skill, SkillDraft, SkillId, SkillState
from tilth.skills.placing import AsideFolder, Placed, Placing, place, take_away
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
        ]
        back = _back(view, within)
    back = _moved(thinker, [(one, SkillState.CANDIDATE, "its playbook is back") for one in back])
    made = [_promoted(thinker, one, within) for one in ready]
    return [*back, *(one for one in made if one is not None)]


def _back(view: Snapshot, within: Visibility) -> list[Skill]:
    """Return the candidates that went with their playbook, and whose playbook is there again."""
    gone = Skills(view).select(within, states={SkillState.RETIRED})
    return [
        one
        for one in gone
        if not one.places and one.moved_by == REFLECTION and not _why_waits_no_more(view, one)
    ]


def _books(view: Snapshot, skill: Skill) -> list[Playbook]:
    """Return the playbooks that a skill was drafted from."""
    within = Visibility(skill.owner)
    sources = [one for one in skill.draft.derived_from if one.startswith(PlaybookId.prefix)]
    return [Playbooks(view).get(PlaybookId(one), within) for one in sources]


def _why_waits_no_more(view: Snapshot, skill: Skill) -> str:
    """Return why nobody need decide about a candidate any more; empty if somebody need."""
    for book in _books(view, skill):
        if book.state not in LIVE:
            return f"its playbook is {book.state}"
        # What somebody wrote by hand has no signature, and is no copy of its playbook.
        if skill.draft.signature not in ("", book.digest):
            return "its playbook says something else by now"
    return ""


def _promoted(thinker: ModelClient, playbook: Playbook, within: Visibility) -> Skill | None:
    try:
        made = draft_of(playbook)
    except InvalidInputError:
        return None
    with thinker.store.begin() as tx:
        # Somebody else may have been here meanwhile.
        if any(_is_settled(one, made) for one in Skills(tx).select(within)):
            return None
        appended = tx.append(SkillDrafted(made), by=REFLECTION, owner=thinker.recorder.owner)
        return Skills(tx).get(SkillId(appended.recorded.made), within)


def _is_settled(one: Skill, made: SkillDraft) -> bool:
    """Say whether a draft was made before, or its bytes were taken back for good."""
    return one.draft == made or (one.state is SkillState.REVOKED and one.is_of(made))


def observe(thinker: ModelClient, found: Sequence[Experience], within: Visibility) -> int:
    """Count the sessions that loaded a skill, and how they ended; return how many are new."""
    with thinker.store.read() as view:
        skills = Skills(view)
        installed = skills.select(within, states={SkillState.APPROVED, SkillState.DISABLED})
        loaded = _loaded(view, within, installed) if installed else {}
        news = [
            event
            for skill in installed
            for event in _news(view, skill, loaded.get(skill.id, ()), found, within)
        ]
    _write(thinker, news)
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
                found[skill.id][without_agent(half.session_id)] = None
    return found


def _news(
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
        over = [
            (one, SkillState.RETIRED, note)
            for one in waiting
            if (note := _why_waits_no_more(view, one))
        ]
        installed = Skills(view).select(within, states={SkillState.APPROVED})
        stale = {one.id for one in resting_on_nothing(view, within)}
        moves = [
            (one, *why)
            for one in installed
            if (why := _why_not(view, one, is_stale=one.id in stale))
        ]
    moves += over
    moves += [
        (one, SkillState.DISABLED, "nobody loaded it for 90 days")
        for one in installed
        if one.is_dormant(now) and one.id not in {skill.id for skill, *_ in moves}
    ]
    return _moved(thinker, moves)


def _moved(thinker: ModelClient, moves: Sequence[tuple[Skill, SkillState, str]]) -> list[Skill]:
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


def _why_not(view: Snapshot, skill: Skill, *, is_stale: bool) -> tuple[SkillState, str] | None:
    if skill.evidence.failed_last >= FAILURES_IN_A_ROW:
        return SkillState.RETIRED, f"failed {skill.evidence.failed_last} times in a row"
    if is_stale:
        return SkillState.DISABLED, "a fact that it rests on holds no more"
    for book in _books(view, skill):
        if book.state not in LIVE:
            return SkillState.RETIRED, f"its playbook is {book.state}"
    return None


def keep_files(store: Store, shelf: AsideFolder, within: Visibility) -> list[Placing]:
    """
    Make the files of all skills what was approved, or nothing; return those that changed.

    Raises:
        TilthError: what stopped the first of them that could not be; all others are right.
    """
    with store.read() as view:
        skills = [one for one in Skills(view).select(within) if one.places]
        withdrawn = Skills(view).withdrawn(within.owner)
    # The newest says what stands at a place that several had.
    seen: set[str] = set()
    changed: list[Placing] = []
    stopped: list[TilthError] = []
    for skill in sorted(skills, key=lambda one: one.state is not SkillState.APPROVED):
        left = tuple(path for path in skill.places if path not in seen)
        try:
            done = place(replace(skill, places=left), shelf)
        except TilthError as error:
            stopped.append(error)
        else:
            changed += [one for one in done if one.done not in {Placed.KEPT, Placed.ABSENT}]
        seen |= set(skill.places)
    changed += [
        Placing(path, Placed.REMOVED)
        for path, digest in withdrawn
        if path not in seen and take_away(path, digest)
    ]
    if stopped:
        raise stopped[0]
    return changed


def _write(thinker: ModelClient, events: Sequence[Event]) -> None:
    if events:
        with thinker.store.begin() as tx:
            for event in events:
                tx.append(event, by=REFLECTION, owner=thinker.recorder.owner)
