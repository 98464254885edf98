"""
What reflection does with playbooks: draft them, count how they did, retire and archive them.

Each step looks at what there is, decides, and writes only what is new. Run again on the same
record it writes nothing and asks no model.
"""

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta

from tilth.core.actor import Actor, ActorKind
from tilth.core.dataclass import dataclass
from tilth.core.event import Event
from tilth.core.scope import GLOBAL, Scope, Visibility
from tilth.ledger.snapshot import Snapshot
from tilth.llm.client import ModelClient, why_unavailable
from tilth.llm.task import Task
from tilth.playbooks.draft_playbook import (
    Material,
    draft_by_model,
    draft_by_rules,
    gather_material,
)
from tilth.playbooks.events import (
    DraftDeclined,
    PlaybookDrafted,
    PlaybookMoved,
    PlaybookRevised,
    PlaybookUsed,
)
from tilth.playbooks.experience import clusters, experiences
from tilth.playbooks.gate import problems
from tilth.playbooks.model import (
    BY_HAND,
    LIVE,
    Cluster,
    Experience,
    Playbook,
    PlaybookDraft,
    PlaybookState,
    SessionEnd,
    Told,
    words_digest,
)
from tilth.playbooks.revision import revision
from tilth.playbooks.tables import Playbooks
from tilth.practice.model import Fix
from tilth.practice.practice import fixes_in_sight
from tilth.practice.tables import ToolUses
from tilth.practice.tool_uses import uses_of

logger = logging.getLogger(__name__)

REFLECTION = Actor("reflect", ActorKind.JOB)
# So many clusters are drafted in one run (C-19), and so many new sessions bring up again what was
# vetoed or put away.
CLUSTERS_MAX = 3
_NEW_SESSIONS = 2
# A playbook that failed twice in a row is retired; one of which nobody hears is put away.
FAILURES_IN_A_ROW = 2
UNUSED = timedelta(days=90)
# The share of its steps that a session ran that did what a playbook says.
_FOLLOWED_SHARE = 0.5
_LIFTED_SHARE = 0.8
_LIFTED_SCOPES_MIN = 2


@dataclass(frozen=True, slots=True)
class Findings:
    """What sessions came to, and the clusters of what comes up again and again."""

    experiences: Sequence[Experience] = ()
    clusters: Sequence[Cluster] = ()


def find_experiences(view: Snapshot, within: Visibility, *, sessions_min: int) -> Findings:
    """Return what sessions came to, and the clusters to which *sessions_min* of them came."""
    found = experiences(uses_of(ToolUses(view).halves(within)))
    return Findings(found, clusters(found, sessions_min=sessions_min))


def draft(
    thinker: ModelClient, findings: Findings, within: Visibility, *, after: int
) -> list[PlaybookDraft]:
    """
    Draft playbooks of what came up often enough and is in none yet; at most `CLUSTERS_MAX`.

    What was drafted behind the place *after* of the ledger counts: a run that was killed is gone
    on with, and has no budget of its own.
    """
    done: list[PlaybookDraft] = []
    with thinker.store.read() as view:
        spent = Playbooks(view).drafted_count(thinker.recorder.owner, REFLECTION, after=after)
    fixes: dict[Scope, list[Fix]] = {}
    for cluster in findings.clusters:
        if spent + len(done) >= CLUSTERS_MAX:
            break
        with thinker.store.read() as view:
            known = Playbooks(view).of_key(cluster.key, cluster.scope, within)
            if cluster.scope not in fixes:
                narrow = Visibility(within.owner, frozenset({cluster.scope}))
                fixes[cluster.scope] = list(fixes_in_sight(view, narrow))
            told = gather_material(view, cluster, fixes[cluster.scope], within)
            is_new = _is_news(view, told, known, within)
            drafted: PlaybookDraft | str | None = _revision(view, told, known, within)
        if is_new:
            drafted = _draft(thinker, told)
        if isinstance(drafted, str):
            declined = DraftDeclined(
                scope=cluster.scope,
                key=cluster.key,
                signature=told.cluster.signature,
                why=drafted,
            )
            _write(thinker, declined)
        elif drafted is not None and _write_draft(thinker, drafted, cluster, known):
            done.append(drafted)
    return done


def revive(thinker: ModelClient, findings: Findings, within: Visibility) -> list[Playbook]:
    """Bring the candidates back that were put away, and whose work several sessions did since."""
    with thinker.store.read() as view:
        known = [
            (cluster, book)
            for cluster in findings.clusters
            for book in Playbooks(view).of_key(cluster.key, cluster.scope, within)[:1]
        ]
        back = [
            book
            for cluster, book in known
            if book.state is PlaybookState.ARCHIVED and _is_done_again(view, cluster, book)
        ]
    return [one for one in back if _move(thinker, one, PlaybookState.CANDIDATE, "done again since")]


def why_not_drafted(view: Snapshot, findings: Findings, within: Visibility) -> Iterator[str]:
    """Yield what comes up often enough and is no playbook yet, with where, and why it is none."""
    for cluster in findings.clusters:
        if not Playbooks(view).of_key(cluster.key, cluster.scope, within):
            made = gather_material(view, cluster, (), within)
            drafted = draft_by_rules(made)
            later = f"a run drafts {CLUSTERS_MAX}; the next one does it"
            reasons = [*made.problems_of(drafted), later]
            yield f"{drafted.title}, {cluster.scope}: {reasons[0]}"


def _write_draft(
    thinker: ModelClient, drafted: PlaybookDraft, cluster: Cluster, known: Sequence[Playbook]
) -> bool:
    """Record a draft, unless somebody else was here meanwhile; say whether it was."""
    owner = thinker.recorder.owner
    event = _event_of(drafted, known[0] if known else None)
    with thinker.store.begin() as tx:
        now = Playbooks(tx).of_key(cluster.key, cluster.scope, Visibility(owner))
        is_same = [(one.id, one.moved_at) for one in now] == [
            (one.id, one.moved_at) for one in known
        ]
        if is_same:
            tx.append(event, by=REFLECTION, owner=owner)
        return is_same


def _is_news(view: Snapshot, made: Material, known: Sequence[Playbook], within: Visibility) -> bool:
    """Say whether a cluster is to be drafted, or drafted anew; a revision is another matter."""
    cluster, signature = made.cluster, made.cluster.signature
    if Playbooks(view).is_declined(cluster.key, signature, cluster.scope, within):
        return False
    if not known:
        return True
    last = known[0]
    if any(one.state is PlaybookState.CONFIRMED for one in known):
        return False
    if last.state is PlaybookState.VETOED:
        # Whatever was recorded by then, the human who refused it could see.
        is_first_veto = last.draft.follows is None
        return is_first_veto and _is_done_again(view, cluster, last)
    # What a person put into words is theirs to change; what is retired stays so.
    is_ours = last.state is PlaybookState.CANDIDATE and last.draft.drafter != BY_HAND
    is_first = last.draft.revises is None
    return is_ours and is_first and last.draft.signature != signature


def _revision(
    view: Snapshot, made: Material, known: Sequence[Playbook], within: Visibility
) -> PlaybookDraft | None:
    """Return what a human may confirm in the place of a confirmed playbook, if that is news."""
    base = next((one for one in known if one.state is PlaybookState.CONFIRMED), None)
    if base is None or known[0].draft.signature == made.cluster.signature:
        return None
    last = known[0]
    if last.is_waiting_revision and last.draft.drafter == BY_HAND:
        return None
    refused = [one for one in known if one.state is PlaybookState.VETOED]
    since = max(Playbooks(view).moved_no(one) for one in (base, *refused))
    late = [one for one in made.cluster.passed if one.goal.call_no > since]
    # What shows a change are the sessions since, and not those that the older words rest on.
    shown = gather_material(view, replace(made.cluster, passed=late), (), within)
    since_then = replace(made, shown=shown.shown, evidence=shown.evidence)
    told = revision(base, since_then, known, late)
    is_same = told is not None and words_digest(told) == last.digest
    return None if is_same else told


def _is_done_again(view: Snapshot, cluster: Cluster, last: Playbook) -> bool:
    """Say whether several sessions came through since a playbook was vetoed or put away."""
    moved_no = Playbooks(view).moved_no(last)
    late = {one.root for one in cluster.passed if one.goal.call_no > moved_no}
    return len(late - set(last.draft.sessions)) >= _NEW_SESSIONS


def _draft(thinker: ModelClient, made: Material) -> PlaybookDraft | str:
    """Return a draft that passes the gate: a model's, or else the rules'; or why there is none."""
    rules = draft_by_rules(made)
    if refused := made.problems_of(rules):
        return refused[0]
    if why_unavailable(thinker.model_pool, Task.DRAFT_PLAYBOOK) is None:
        told = draft_by_model(made, thinker, rules)
        refused = [told] if isinstance(told, str) else made.problems_of(told)
        if isinstance(told, PlaybookDraft) and not refused:
            return told
        logger.info("a model's draft was left: of=%s", made.cluster.signature)
        return replace(rules, not_worded=refused[0])
    return rules


def _event_of(drafted: PlaybookDraft, last: Playbook | None) -> PlaybookDrafted | PlaybookRevised:
    """Return what records a draft; it tells of the veto that it follows, however often revised."""
    if last is None:
        return PlaybookDrafted(drafted)
    if drafted.revises is None:
        is_vetoed = last.state is PlaybookState.VETOED
        drafted = replace(drafted, follows=last.id if is_vetoed else last.draft.follows)
    if last.state is PlaybookState.CANDIDATE:
        return PlaybookRevised(playbook_id=last.id, draft=drafted)
    return PlaybookDrafted(drafted)


def observe(
    thinker: ModelClient,
    findings: Findings,
    within: Visibility,
    domains: Mapping[Scope, frozenset[Scope]],
) -> int:
    """
    Count how sessions ended that did what a playbook says; return how many are new.

    One counts for a playbook that its project sees; *domains* are those that projects see.
    """
    with thinker.store.read() as view:
        books = Playbooks(view)
        news = [
            PlaybookUsed(playbook_id=book.id, root=one.root, ended=one.ended)
            for book in books.select(within, states=LIVE)
            for one in _uncounted(books, book, findings.experiences)
            if book.draft.scope in {one.scope, GLOBAL, *domains.get(one.scope, ())}
        ]
    for event in news:
        _write(thinker, event)
    return len(news)


def _uncounted(
    books: Playbooks, book: Playbook, found: Sequence[Experience]
) -> Iterator[Experience]:
    """Yield the sessions whose end is not counted yet, or was another one."""
    known = {one.root: one for one in books.uses(book)}
    for one in found:
        if one.key != book.draft.key or not _has_followed(book, one):
            continue
        before = known.get(one.root)
        if before is None or (before.ended is not one.ended and before.told is Told.OBSERVED):
            yield one


def _has_followed(book: Playbook, one: Experience) -> bool:
    """Say whether a session that came to the store after the draft followed the playbook."""
    if one.root in book.draft.sessions or one.goal.call_no <= book.seq:
        return False
    lines = {step.line for step in (*one.steps, one.goal)}
    named = {use.removesuffix(" …") for use in book.draft.uses}
    followed = sum(any(line.startswith(use) for line in lines) for use in named)
    # A deployment that failed early ran few of its steps, and is a failure all the same.
    return one.ended is SessionEnd.FAILED or followed >= len(named) * _FOLLOWED_SHARE


def retire(thinker: ModelClient, within: Visibility) -> list[Playbook]:
    """Retire the confirmed playbooks that failed again and again."""
    with thinker.store.read() as view:
        found = Playbooks(view).select(within, states={PlaybookState.CONFIRMED})
    failing = [one for one in found if one.evidence.failed_last >= FAILURES_IN_A_ROW]
    return [
        one
        for one in failing
        if _move(
            thinker,
            one,
            PlaybookState.RETIRED,
            f"failed {one.evidence.failed_last} times in a row",
        )
    ]


def archive(thinker: ModelClient, within: Visibility) -> list[Playbook]:
    """Put candidates away of which nobody heard for long."""
    now = thinker.clock.now()
    with thinker.store.read() as view:
        found = Playbooks(view).select(within, states={PlaybookState.CANDIDATE})
    unused = [
        one
        for one in found
        if max(one.revised_at, one.moved_at, one.evidence.used_at or one.revised_at) + UNUSED < now
    ]
    note = f"unused for {UNUSED.days} days"
    return [one for one in unused if _move(thinker, one, PlaybookState.ARCHIVED, note)]


def lift(
    thinker: ModelClient, within: Visibility, domains: Mapping[Scope, frozenset[Scope]]
) -> list[PlaybookDraft]:
    """
    Draft for a domain, or for all, what several projects or domains do in the same way.

    Only words that all of them share come along, and none of a session. A human confirms it, as
    any other; what it was lifted from stays. From a domain it goes on once that was confirmed.
    """
    with thinker.store.begin() as tx:
        books = Playbooks(tx).select(within, states=LIVE | {PlaybookState.VETOED})
        known = {(one.draft.key, one.draft.scope) for one in books if one.draft.lifted_from}
        in_use = [one for one in books if one.state in LIVE and not one.is_waiting_revision]
        made = [
            _lifted(group, scope)
            for scope, group in _groups(in_use, domains)
            if (group[0].draft.key, scope) not in known
        ]
        lifted = [draft for draft in made if draft is not None]
        for each in lifted:
            tx.append(PlaybookDrafted(each), by=REFLECTION, owner=thinker.recorder.owner)
    return lifted


def _groups(
    found: Sequence[Playbook], domains: Mapping[Scope, frozenset[Scope]]
) -> Iterator[tuple[Scope, Sequence[Playbook]]]:
    """Yield where a playbook may be lifted to, with those that say the same one step below."""
    for key in dict.fromkeys(one.draft.key for one in found):
        same = [one for one in found if one.draft.key == key]
        projects = [one for one in same if one.draft.scope.startswith("project:")]
        seen = {one.draft.scope: domains.get(one.draft.scope, frozenset()) for one in projects}
        shared = sorted({domain for all_ in seen.values() for domain in all_})
        by_domain = {
            domain: [one for one in projects if domain in seen[one.draft.scope]]
            for domain in shared
        }
        of_domains = [(scope, group) for scope, group in by_domain.items() if _is_several(group)]
        yield from of_domains
        # Where no domain is shared there is no step between; else each domain has a human's word.
        confirmed = [
            one
            for one in same
            if one.draft.scope.startswith("domain:") and one.state is PlaybookState.CONFIRMED
        ]
        above = confirmed if of_domains else projects
        if _is_several(above):
            yield GLOBAL, above


def _is_several(group: Sequence[Playbook]) -> bool:
    return len({one.draft.scope for one in group}) >= _LIFTED_SCOPES_MIN


def _lifted(group: Sequence[Playbook], scope: Scope) -> PlaybookDraft | None:
    first = group[0].draft
    drafts = [one.draft for one in group]
    shared = [step for step in first.steps if all(step in one.steps for one in drafts)]
    if len(shared) < max(len(one.steps) for one in drafts) * _LIFTED_SHARE:
        return None
    uses = tuple(use for use in first.uses if any(f"`{use}`" in step for step in shared))
    # A title that a model wrote may name the project.
    is_same = all(
        (one.title, one.applies_when) == (first.title, first.applies_when) for one in drafts
    )
    title, when = first.title, first.applies_when
    if not is_same and uses:
        title, when = f"Before `{uses[-1]}`", f"`{uses[-1]}` is to be run, and what leads to it."
    made = replace(
        first,
        title=title,
        applies_when=when,
        steps=tuple(shared),
        pitfalls=(),
        uses=uses,
        evidence=(),
        heard=(),
        sessions=tuple(dict.fromkeys(root for one in drafts for root in one.sessions)),
        scope=scope,
        drafter="rules",
        not_worded="",
        follows=None,
        revises=None,
        why="",
        lifted_from=tuple(one.id for one in group),
    )
    lines = {use for one in drafts for use in one.uses}
    return None if any(problems(made, {}, lines)) else made


def _move(thinker: ModelClient, book: Playbook, state: PlaybookState, note: str) -> bool:
    """Record what becomes of a playbook, unless somebody else said so meanwhile; say whether."""
    owner = thinker.recorder.owner
    with thinker.store.begin() as tx:
        is_same = Playbooks(tx).get(book.id, Visibility(owner)).moved_in == book.moved_in
        if is_same:
            event = PlaybookMoved(playbook_id=book.id, state=state, note=note)
            tx.append(event, by=REFLECTION, owner=owner)
        return is_same


def _write(thinker: ModelClient, event: Event) -> None:
    with thinker.store.begin() as tx:
        tx.append(event, by=REFLECTION, owner=thinker.recorder.owner)
