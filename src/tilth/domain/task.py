"""The tasks that a language model can be given; there are no others."""

from enum import StrEnum


class Task(StrEnum):
    """What a language model is asked to do."""

    EXTRACT = "extract"
    ADJUDICATE = "adjudicate"
    SUMMARISE = "summarise"
    TONE = "tone"
    IDLE = "idle"
    GAP = "gap"
    DRAFT_PLAYBOOK = "draft_playbook"
    COMPILE_PAGE = "compile_page"
    CONTRADICTION = "contradiction"


class Strength(StrEnum):
    """Which model a task goes to; with none, what is deterministic has to do."""

    CHEAP = "cheap"
    STRONG = "strong"
    NONE = "none"


# What needs judgement over many things, or is read by people, goes to the stronger.
STRENGTHS = {
    Task.EXTRACT: Strength.CHEAP,
    Task.ADJUDICATE: Strength.STRONG,
    Task.SUMMARISE: Strength.CHEAP,
    Task.TONE: Strength.CHEAP,
    Task.IDLE: Strength.CHEAP,
    Task.GAP: Strength.CHEAP,
    Task.DRAFT_PLAYBOOK: Strength.STRONG,
    Task.COMPILE_PAGE: Strength.STRONG,
    Task.CONTRADICTION: Strength.STRONG,
}
