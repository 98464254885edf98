"""What a check of the store can find wrong."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is not as it was written: where, and in what way."""

    part: str
    seq: int | None
    problem: str
