"""The tables of gaps, for both engines."""

from string import Template

from tilth.gaps.filing import Way
from tilth.gaps.model import GapKind, GapStatus
from tilth.ledger.sql_list import one_of

GAPS: dict[str, Template] = {
    "gaps": Template(f"""
CREATE $temporary TABLE gaps (
    gap_no      $integer PRIMARY KEY,
    realm_no    $integer NOT NULL,
    kind        TEXT NOT NULL CHECK (kind IN ({one_of(GapKind)})),
    status      TEXT NOT NULL CHECK (status IN ({one_of(GapStatus)})),
    -- The place of the event that gave it its status.
    moved_no    $integer NOT NULL,
    todo_ref    TEXT NOT NULL,
    -- A gap that was over when this one came.
    follows_no  $integer CHECK (follows_no <> gap_no),
    merged_into $integer CHECK (merged_into <> gap_no)
) $strict
"""),
    # What shows a gap; the root is the episode that said so first (I24).
    "gap_evidence": Template("""
CREATE $temporary TABLE gap_evidence (
    gap_no     $integer NOT NULL,
    episode_no $integer NOT NULL,
    root_no    $integer NOT NULL,
    span_start $integer NOT NULL,
    span_end   $integer NOT NULL,
    PRIMARY KEY (gap_no, episode_no)
) $strict
"""),
    # The events that made a gap what it is.
    "gap_moves": Template("""
CREATE $temporary TABLE gap_moves (
    gap_no  $integer NOT NULL,
    move_no $integer NOT NULL,
    PRIMARY KEY (gap_no, move_no)
) $strict
"""),
    # When was looked for gaps last, and up to which place.
    "pulses": Template("""
CREATE $temporary TABLE pulses (
    pulse_no  $integer PRIMARY KEY,
    through   $integer NOT NULL,
    owner     TEXT NOT NULL UNIQUE,
    pulsed_at $integer NOT NULL
) $strict
"""),
    # In which repository the TODOs of a scope are filed.
    "filings": Template(f"""
CREATE $temporary TABLE filings (
    filing_no  $integer PRIMARY KEY,
    realm_no   $integer NOT NULL UNIQUE,
    repository TEXT NOT NULL,
    way        TEXT NOT NULL CHECK (way IN ({one_of(Way)}))
) $strict
"""),
}

GAP_INDEXES = """
CREATE INDEX gaps_in_realm ON gaps (realm_no, status);
CREATE INDEX gaps_merged_into ON gaps (merged_into) WHERE merged_into IS NOT NULL;
CREATE INDEX gaps_shown_by ON gap_evidence (episode_no, gap_no);
"""
