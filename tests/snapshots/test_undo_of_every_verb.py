"""Every verb that changes what is known is undone to the letter, or says in words why it is not."""

from collections import Counter
from contextlib import suppress
from operator import attrgetter
from types import SimpleNamespace

import pytest

from tests.garden.plots import plot
from tests.interfaces.test_conformance import sample
from tests.snapshots.acts import ACTS, MORE
from tilth.core.actor import ActorKind
from tilth.core.errors import ConflictError, InvalidInputError, TilthError
from tilth.core.event import events_by_kind
from tilth.core.verb import VERBS
from tilth.interfaces.http.call_verb import offered
from tilth.ledger.events import SetAside

# They only read; what is not on a list has nobody thought of.
_READING = """
    about brief changes commands.get commands.list conversations.context conversations.get
    conversations.idle conversations.list conversations.reply_context conversations.stats
    conversations.summaries conversations.tone documents.find documents.list documents.read
    duplicates edges.list entities.around entities.get entities.impact entities.list
    entities.resolve entities.search entities.suggest episodes.facts episodes.get episodes.list
    episodes.show erase.plan exchanges.get exchanges.list facts.check facts.get facts.history
    facts.list facts.lives facts.outcomes facts.plan facts.promotable facts.show facts.taxonomy
    facts.why fetch fixes.get fixes.list gaps.filings gaps.get gaps.list gaps.stats
    garden.budget
    garden.candidates garden.digest garden.metrics garden.next garden.status growth kg.explore
    kg.query kg.stats kg.timeline models.list models.spent_today note_wanted notes.list
    operations.get pages.get pages.lint
    pages.list pages.manifest pages.read people.history people.identities people.interactions
    people.profile people.resolve people.stats people.suggest pitfall playbooks.get playbooks.list
    projects.list recall receipts.list receipts.trace render review.list review.show sessions.get
    sessions.list sessions.show skills.get skills.list snapshots.aside snapshots.get
    snapshots.list sources.list state topics.get topics.list words.check words.list words.queue
"""
READS = frozenset(_READING.split())
# What was said, read or spent: it happened, and `tilth erase` alone destroys it.
HAPPENED = frozenset(
    {
        "conversations.add", "conversations.archive", "conversations.close",
        "conversations.create", "conversations.resume", "conversations.rest",
        "conversations.summarise", "documents.fetch", "documents.tag", "models.think",
        "models.try_all",
        "notes.edit",
        "notes.end",
        "read_by_model",
        "remember", "remember_many", "reopen_sessions", "sessions.describe",
    }
)  # fmt: skip
# Files and indexes, which are made again or removed as files are; and erasing, which is for ever.
OUTSIDE = frozenset(
    {
        "backup", "commands.unwrite", "commands.write", "embed_backlog", "erase.confirm",
        "erase.finish", "export", "garden.init", "rebuild", "snapshots.take", "vault.export",
        "verify",
    }
)  # fmt: skip
# There was nothing before what these make.
FIRST = frozenset(
    {
        "context_given", "draft_declined", "edge_recorded", "entity_recorded", "fact_recorded",
        "facts_judged", "feedback_given", "gap_detected", "playbook_drafted", "proposal_opened",
        "set_aside", "skill_drafted", "source_found", "source_read", "sweep_begun", "topic_added",
        "topic_tended",
    }
)  # fmt: skip
# What goes by a name may be the first of it, as a page that is compiled once.
MAY_BE_FIRST = frozenset({"filing_chosen", "page_compiled", "project_moved", "word_registered"})
REASONED = frozenset(
    {
        "edge_retired", "entities_merged", "entity_split", "fact_archived", "fact_retired",
        "identity_unlinked", "proposal_decided", "proposal_opened",
    }
)  # fmt: skip
SAYS_WHY = frozenset({"proposal_decided", "change_undone"})
# Which act makes an event of each kind that changes what is known.
MADE_BY = {
    "alias_added": "entities.alias",
    "alias_removed": "entities.unalias",
    "candidate_found": "garden.run",
    "change_undone": "facts.undo",
    "context_given": "receipts.keep",
    "edge_recorded": "edges.add",
    "edge_retired": "edges.retire",
    "entities_merged": "entities.merge",
    "entity_recorded": "entities.add",
    "entity_split": "entities.split",
    "entity_typed": "entities.retype",
    "fact_archived": "facts.archive",
    "fact_recorded": "facts.add",
    "fact_retired": "facts.retire",
    "facts_judged": "clean",
    "feedback_given": "feedback",
    "filing_chosen": "gaps.opt_in",
    "filing_ended": "gaps.opt_out",
    "gap_detected": "gaps.add",
    "gap_evidenced": "gaps.scan",
    "gap_moved": "gaps.move",
    "identity_linked": "people.link",
    "identity_unlinked": "people.unlink",
    "identity_verified": "people.verify",
    "outcome_observed": "facts.outcome",
    "outcome_revoked": "facts.revoke",
    "page_compiled": "pages.compile",
    "page_removed": "pages.remove",
    "playbook_drafted": "reflect",
    "playbook_moved": "playbooks.confirm",
    "playbook_used": "playbooks.report",
    "project_moved": "projects.move",
    "proposal_decided": "review.confirm",
    "proposal_opened": "review.question",
    "proposal_snoozed": "review.snooze",
    "section_arranged": "pages.arrange",
    "section_declined": "pages.decline",
    "section_locked": "pages.lock",
    "section_unlocked": "pages.unlock",
    "skill_drafted": "skills.add",
    "skill_moved": "skills.approve",
    "source_found": "garden.run",
    "source_rated": "sources.rate",
    "sweep_begun": "archive",
    "topic_added": "topics.add",
    "topic_changed": "topics.edit",
    "topic_contains": "topics.contain",
    "topic_tended": "garden.run",
    "trait_told": "people.tell",
    "word_registered": "words.register",
}
OFFERED = {one.python: one for one in offered().values()}


class Call:
    """A verb of a brain, by its name in Python."""

    def __init__(self, brain, verb):
        self.verb = verb
        self._method = attrgetter(verb)(brain)

    def __call__(self, *told, **named):
        return self._method(*told, **named)


@pytest.fixture
def on(whole_store, place, tmp_path):
    """Whoever acts, and where: with a garden."""
    human = plot(whole_store, place.clock, tmp_path)
    return SimpleNamespace(
        human=human,
        agent=plot(whole_store, place.clock, tmp_path, by="bot", kind=ActorKind.AGENT),
        store=whole_store,
        clock=place.clock,
        folder=tmp_path,
        call=lambda verb: Call(human, verb),
    )


def known(store):
    with store.read() as view:
        return view.knowledge_digest()


def operations(store, head):
    """Return what changed what is known since a place, and is not set aside."""
    with store.read() as view:
        aside = view.asides(view.head().seq)
        return [
            one
            for one in view.later(head)
            if one.event_id not in aside
            and (not one.event.aspects.stays or isinstance(one.event, SetAside))
        ]


def test_whoever_adds_a_verb_says_what_undoes_it():
    """By an act of it here, or by the list that says why there is nothing to undo."""
    told = Counter([*ACTS, *HAPPENED, *OUTSIDE, *READS])
    assert {verb for verb, count in told.items() if count > 1} == set()
    assert set(told) == set(VERBS)


def test_whoever_adds_a_kind_of_operation_says_what_makes_it_so_that_its_undo_is_tried():
    changing = {kind for kind, one in events_by_kind().items() if not one.aspects.stays}
    assert set(MADE_BY) | set(MORE) == changing
    assert not set(MADE_BY) & set(MORE)


@pytest.mark.row("GA-024", "GA-023", "KB-005")
@pytest.mark.parametrize("verb", sorted(ACTS))
def test_what_a_verb_did_is_undone_to_the_letter_or_the_reason_is_told(verb, on):
    made = undone_to_the_letter(on, ACTS[verb](on))
    assert {kind for kind, by in MADE_BY.items() if by == verb} <= made


@pytest.mark.row("GA-024", "GA-023", "KB-005")
@pytest.mark.parametrize("kind", sorted(MORE))
def test_so_is_what_no_verb_does_at_once(kind, on):
    assert kind in undone_to_the_letter(on, MORE[kind](on))


def undone_to_the_letter(on, act):
    """Act, undo all of it and bring it back; return the kinds of events that it made."""
    with on.store.read() as view:
        head = view.head().seq
    before = known(on.store)
    act()
    after = known(on.store)
    made = operations(on.store, head)
    assert made
    refused, undone = {}, []
    for one in made:
        if one.event_id in {left.event_id for left in operations(on.store, head)}:
            story = on.human.operations.get(one.event_id)
            told_in_full(story, one)
            try:
                done = undo_as_listed(on.human, story)
            except InvalidInputError as error:
                refused[one.event.kind] = error.hint
            else:
                assert on.human.operations.get(one.event_id).undone_by
                undone.append(done.id)
    # A decision is taken back as its kind says: its proposal waits again, and both are told.
    assert known(on.store) == before or {one.event.kind for one in made} & SAYS_WHY
    assert known(on.store) == before or all(refused.values())
    assert known(on.store) == before or refused or on.human.review.list().waiting
    if not (refused or {one.event.kind for one in made} & SAYS_WHY):
        for id_ in reversed(undone):
            on.human.undo(id_)
        assert known(on.store) == after
    return {one.event.kind for one in made}


def told_in_full(story, recorded):
    """Who did it and what it is now; what was there before, of what was there before; why."""
    assert (story.operation.id, story.operation.by) == (recorded.event_id, recorded.by)
    kind = story.operation.kind
    is_either = kind in MAY_BE_FIRST or kind == "change_undone"
    assert is_either or (story.before is None) == (kind in FIRST)
    assert story.after or kind == "sweep_begun"
    assert story.reason or kind not in REASONED


def undo_as_listed(human, story):
    """Undo an operation; what is told to rest on it is what must be named, and no less."""
    rests = [one.made or one.id for one in story.dependants]
    if rests:
        with pytest.raises(ConflictError) as refused:
            human.undo(story.operation.id)
        assert all(one in str(refused.value) for one in rests[:20])
    return human.undo(story.operation.id, dependants=[one.id for one in story.dependants])


@pytest.mark.row("GA-024")
def test_a_verb_that_reads_changes_nothing_that_is_known(on):
    before = known(on.store)
    for verb in sorted(READS & set(OFFERED)):
        options = OFFERED[verb].options
        told = {one.name: sample(one, on.human.parts) for one in options if one.is_required}
        with suppress(TilthError, TypeError, AttributeError):
            on.call(verb)(**told)
        assert known(on.store) == before, verb
