"""Tasks: what somebody is told to do at once; it is nothing that holds."""

import re

_AT_ONCE = re.compile(
    r"(?:have|need|forget|ensure|inspect|define|reconcile|confirm|report|tighten|compute|describe|drop|"
    r"rather than|wire|lint|vet|format|focus|figure|consider|write|rename|adjust|apply|provide|"
    r"produce|iterate|proceed|spell|render|refine|undo|redo|pick|assign|send|take|bring|use|"
    r"keep|pay|reply|answer|clone|"
    r"sync|"
    r"rerun|retry|wait|hold|generate|spawn|review|create|add|fix|check|run|make|update|remove|"
    r"delete|"
    r"implement|refactor|"
    r"move|change|show|list|find|look|open|close|commit|push|pull|merge|rebase|revert|test|"
    r"build|install|explain|"
    r"summari[sz]e|propose|suggest|draft|compare|analy[sz]e|search|tell|give|set up|start|stop|"
    r"continue|try|see|get|"
    r"think|verify|validate|investigate|debug|address|resolve|handle|replace|convert|extract|"
    r"split|clean|document|"
    r"comment|print|return|copy|paste|export|import|read|go|do|immediately|first|next|instead "
    r"of|like)\s+(?!is\b|are\b|"
    r"was\b|were\b|has\b|must\b|should\b|will\b|can\b)",
    re.IGNORECASE,
)


def is_task(plain: str) -> bool:
    """Say whether a clause tells somebody to do something at once."""
    return _AT_ONCE.match(plain) is not None
