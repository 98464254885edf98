"""Tasks: what somebody is told to do at once; it is nothing that holds."""

import re

_AT_ONCE = re.compile(
    r"(?:have|need|forget|ensure|inspect|define|reconcile|"
    r"confirm|report|tighten|compute|describe|drop|rather than|wire|lint|vet|format|focus|"
    r"figure|consider|write|rename|adjust|apply|provide|produce|iterate|proceed|spell|render|"
    r"refine|undo|redo|pick|assign|send|take|bring|use|keep|pay|reply|answer|clone|sync|rerun|"
    r"retry|wait|hold|generate|spawn|review|create|add|fix|check|run|make|update|remove|delete|"
    r"implement|refactor|move|change|show|list|find|look|open|close|commit|push|pull|merge|rebase|"
    r"revert|test|build|install|explain|summari[sz]e|propose|suggest|draft|compare|analy[sz]e|"
    r"search|tell|give|set up|start|stop|continue|try|see|get|think|verify|validate|investigate|"
    r"debug|address|resolve|handle|replace|convert|extract|split|clean|document|comment|"
    r"print|return|copy|paste|export|import|read|go|do|immediately|first|next|instead of|like)"
    r"\s+(?!is\b|are\b|was\b|were\b|has\b|must\b|should\b|will\b|can\b)",
    re.IGNORECASE,
)


def is_task(plain: str) -> bool:
    """Say whether a clause tells somebody to do something at once."""
    return _AT_ONCE.match(plain) is not None
