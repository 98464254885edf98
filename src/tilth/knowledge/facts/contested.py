"""
Whether something speaks against a fact, as SQL on facts `f` and their lives `v`.

A proposal that waits does: one that would retire the fact, or a draft in the slot that it holds
by now. So does another value that held in its slot at the instant that is asked for.
"""

from tilth.knowledge.facts.filters import Known

_WAITS = "p.proposal_no <= ? AND (p.decided_no IS NULL OR p.decided_no > ?)"
CONTESTED = f"""(EXISTS (
    SELECT 1 FROM proposal_facts c JOIN proposals p ON p.proposal_no = c.proposal_no
    WHERE c.fact_no = f.fact_no AND c.is_retired = 1 AND v.lifecycle = 'current' AND {_WAITS}
) OR (v.slot IS NOT NULL AND (EXISTS (
    SELECT 1 FROM lives d JOIN facts g ON g.fact_no = d.fact_no
    JOIN proposal_facts c ON c.fact_no = d.fact_no AND c.is_retired = 0
    JOIN proposals p ON p.proposal_no = c.proposal_no
    WHERE v.lifecycle = 'current' AND d.realm_no = v.realm_no AND d.slot = v.slot
    AND d.lifecycle = 'draft' AND d.review <> 'rejected' AND d.since <= ?
    AND (d.until IS NULL OR d.until > ?) AND (d.valid_to IS NULL OR d.valid_to > d.checked_at)
    AND g.statement <> f.statement AND {_WAITS}
) OR EXISTS (
    SELECT 1 FROM lives o JOIN facts g ON g.fact_no = o.fact_no
    WHERE o.realm_no = v.realm_no AND o.slot = v.slot AND o.since <= ?
    AND (o.until IS NULL OR o.until > ?) AND o.review <> 'rejected'
    AND (o.lifecycle IN ('current', 'superseded')
         OR (o.lifecycle = 'historical' AND o.valid_to IS NOT NULL))
    AND o.valid_from <= ? AND (o.valid_to IS NULL OR o.valid_to > ?)
    AND g.statement <> f.statement
))))"""  # noqa: S608 - a constant


def contested_at(at: Known) -> tuple[object, ...]:
    """Return the parameters of `CONTESTED`."""
    return (*[at.seq] * 8, at.as_of, at.as_of)
