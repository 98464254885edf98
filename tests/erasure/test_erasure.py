"""What goes with what is erased, and what may stay of it: reviewed here, kind by kind."""

from tilth.core.event import events_by_kind

# The IDs that each kind goes with: if any of them goes, so does it.
GOES_WITH = {
    "store_created": (),
    "erased": (),
    "episode_recorded": ("draft.entity_id", "draft.conversation_id"),
    "session_described": (),
    "import_finished": (),
    "budget_reserved": (),
    "budget_settled": (),
    "word_registered": (),
    "entity_recorded": (),
    "alias_added": ("entity_id",),
    "alias_removed": ("entity_id",),
    "entity_typed": ("entity_id",),
    "entities_merged": ("winner", "loser"),
    "entity_split": ("loser",),
    "fact_recorded": ("about",),
    "fact_reinforced": ("fact_id",),
    "fact_retired": ("fact_id",),
    "fact_archived": ("fact_id",),
    "change_undone": (),
    "edge_recorded": ("draft.source", "draft.target"),
    "edge_retired": ("edge_id",),
    "outcome_observed": ("draft.fact_id",),
    "outcome_revoked": ("outcome_id", "fact_id"),
    "proposal_opened": ("draft.facts", "draft.retires", "draft.entities"),
    "proposal_decided": (
        "proposal_id",
        "ruling.edited",
        "ruling.facts",
        "ruling.retires",
        "ruling.rejects",
    ),
    "proposal_snoozed": ("proposal_id",),
    "context_given": ("context.sources",),
    "feedback_given": ("feedback.target",),
    "sessions_distilled": (),
    "session_read": (),
    "distillation_reopened": (),
    "identity_linked": ("entity_id",),
    "identity_verified": ("entity_id",),
    "identity_unlinked": ("entity_id",),
    "trait_told": ("draft.entity_id",),
    "conversation_begun": ("draft.entity_id",),
    "conversation_moved": ("conversation_id",),
    "summary_written": ("draft.conversation_id", "draft.supersedes"),
    "sweep_begun": (),
    "gap_detected": (),
    "gap_evidenced": (),
    "gap_moved": ("gap_id",),
    "gap_filed": ("gap_id",),
    "gaps_merged": (),
    "gaps_parted": (),
    "gaps_pulsed": (),
    "filing_chosen": (),
    "filing_ended": (),
    "playbook_drafted": (),
    "playbook_revised": ("playbook_id",),
    "playbook_moved": ("playbook_id",),
    "playbook_used": ("playbook_id",),
    "draft_declined": (),
    "skill_drafted": ("draft.derived_from",),
    "skill_moved": ("skill_id",),
    "skill_used": ("skill_id",),
}
# Of which kinds something stays: all but one field, or what the event says of itself.
STAYS = {
    "entities_merged": "reason",
    "entity_split": "reason",
    "fact_recorded": "itself",
    "fact_retired": "reason",
    "fact_archived": "reason",
    "change_undone": "reason",
    "edge_retired": "reason",
    "outcome_revoked": "reason",
    "proposal_decided": "itself",
    "gap_detected": "itself",
    "gap_moved": "itself",
    "gap_filed": "itself",
    "playbook_drafted": "itself",
    "playbook_revised": "itself",
    "playbook_moved": "note",
    "skill_drafted": "itself",
    "skill_moved": "note",
}


def test_every_kind_of_event_goes_with_what_was_reviewed():
    declared = {kind: one.aspects.goes_with for kind, one in events_by_kind().items()}

    assert declared == GOES_WITH


def test_of_every_kind_that_is_erased_stays_what_was_reviewed():
    declared = {
        kind: "itself" if hasattr(one, "remains") else one.aspects.drops
        for kind, one in events_by_kind().items()
    }

    assert {kind: stays for kind, stays in declared.items() if stays} == STAYS
