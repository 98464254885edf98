"""
Read decisions: what somebody settled, for themselves or for all.

An order to do something at once is a task, and does not hold on.
"""

import re

from tilth.learning.candidate import StatementKind, Turn
from tilth.learning.spoken.clause_forms import Reading, first_match, form
from tilth.learning.text.clauses import Clause
from tilth.learning.text.third_person import OFTEN, SOMEBODY

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
    # In a list of actions, a comma follows, and the last one has the object.
    r"(?:\s+|,\s+(?=[^.?]{1,40}\band \w+ (?:an?|the|it|this|them)\b))"
    r"(?!is\b|are\b|was\b|were\b|has\b|must\b|should\b|will\b|can\b)",
    re.IGNORECASE,
)


def is_task(plain: str) -> bool:
    """Say whether a clause orders something to be done at once."""
    return _AT_ONCE.match(plain) is not None


_SETTLED = (
    r"(?:decided|agreed|chose|chosen|picked|opted|settled|elected|voted|resolved|concluded|"
    r"committed to (?:using|going)|standardi[sz]ed|signed off|(?:went|gone) with|landed on)"
)
_SETTLING = (
    r"(?:going (?:with|for (?!lunch|dinner|coffee|breakfast|an? (?:walk|run|swim|smoke|ride|"
    r"drink|nap))|ahead with)|switching|switched|moving (?:to|over|away|off|from)|"
    r"sticking (?:with|to)|staying (?:with|on)|dropping|adopting|ditching|scrapping|retiring|"
    r"sunsetting|deprecating|standardi[sz]ing|migrating|replacing|opting|settling|consolidating|"
    r"rolling with|keeping|choosing|picking|skipping|not (?:going (?:with|to use|to support)|"
    r"using|supporting|doing|shipping))"
)
_CHOOSE = (
    r"(?:go (?:with|for|back to|ahead)|use|stick (?:with|to)|keep|switch|move (?:to|over|away|off)|"
    r"stay (?:with|on)|adopt|call (?:it|this|the)|name (?:it|this|the)|drop|ditch|scrap|"
    r"standardi[sz]e|settle|make (?:it|the|that)|do (?:it|that|this|the|a|an|[a-z]+)|set|take|"
    r"pick|choose|target|cap|limit|run (?:it|this|the|on)|host|ship (?:it|with)|replace|"
    r"not|never|say|start with|follow|rely on|base|store|put|give|split|freeze|pin|raise|lower)"
)
_OBJECT = r"\s+(?!(?:see|go|look|check|find|know|say|try|continue|start)\b)\S+"
# How a person answers the question how to go on, or changes something; "fix the tests" and "add a
# test" are tasks, which nobody asks for later.
_SET = (
    r"(?:use|go with|stick (?:with|to)|keep(?! (?:on|up|going|in touch|\w+ing)\b|"
    r".*\b(?:short|brief|concise|minimal|small|simple|terse|polite|formal|clean|quiet|minimum)\b)|"
    r"cap|limit|cut|lower|raise|pin|freeze|set(?! up)|bump|restrict|drop|default to|target)"
    r"\s+(?!me\b|going\b|it\s*$|that\s*$)\S+"
)
_FORMS = (
    form(_SET, 0.72),
    form(r"do\s+(?!it\b|that\b|this\b|you\b|not\b|so\b|the\b|whatever\b|we\b|i\b)\S+\s+\S+", 0.72),
    form(
        r"(?:i'd|i would|we'd)\s+(?:just |rather )?(?:go (?:with|for)|pick|choose|take|use|keep|"
        r"stick)\s+\S+",
        0.72,
    ),
    form(
        r"(?:max|maximum|min|minimum|at most|at least|up to|no more than|not more than)\b.{0,40}\d",
        0.75,
    ),
    form(
        r"(?:rename|migrate|port|switch|convert|upgrade|downgrade|bump|move)\s+.{2,60}\sto\s+\S+",
        0.72,
    ),
    form(
        r".{3,60} you can (?:skip|ignore|drop|delete|remove|leave)\b|you can (?:skip|ignore|"
        r"drop|delete|remove|leave)\s+\S+",
        0.72,
    ),
    form(r"don't \w+ .{3,60}\b(?:for now|for the moment|until|before|any ?more)\b", 0.72),
    form(
        r".{3,60} (?:is|are|was|were) (?:decided|settled|agreed|fixed|chosen|off the table|out "
        r"of the question|void)\b",
        0.8,
    ),
    form(r".{3,60} (?:has|have) to go\b", 0.8),
    form(r"go ahead(?: and|,)?\s+\S+", 0.75),
    form(
        rf"{SOMEBODY}(?:'ve|'s)?\s+{OFTEN}{_SETTLED}\s+(?:to|on|that|for|against|not|with|over|in"
        r"|upon|:|the|a|an|we|[\w]+\s+over|[\w-]+)\b",
        0.9,
        0.8,
    ),
    form(
        rf"(?:finally |unanimously |jointly )?{_SETTLED}(?:\s+(?:to|on|that|for|against|not|with|we"
        r"|[\w-]+\s+(?:over|instead))\b|\s*:)",
        0.85,
        0.8,
    ),
    form(
        r"(?:(?:the |our |my |final |team |joint )*(?:decision|verdict|consensus|"
        r"conclusion|resolution|ruling|call|plan|outcome|answer))(?:\s+(?:made|taken|reached))?"
        r"(?:\s+(?:on|about|for|regarding)\b[^:]{1,80})?(?:\s*:|\s+(?:is|was)\s+(?:to|that|not)\b)",
        0.9,
        0.85,
    ),
    form(
        rf"(?:let's|lets|let us)\s+(?:just |all |instead |simply |rather |then "
        rf")*{_CHOOSE}{_OBJECT}",
        0.85,
    ),
    form(
        rf"(?:i'm|i am|we're|we are|{SOMEBODY} (?:is|are))"
        rf"\s+(?:now |just |officially |definitely )*{_SETTLING}\b",
        0.8,
    ),
    form(rf"{_SETTLING}\s+\S+", 0.75),
    form(
        r"(?:we'll|we will|i'll|i will|we're going to|we are going to|i'm going to|i am going to|"
        r"we're gonna|gonna)\s+(?:just |now |then |all |instead |also |only |always )*"
        r"(?:not\s+)?(?:go (?:with|for|ahead)|"
        r"use|stick|keep|switch|move (?:to|over|away|off)|stay|adopt|drop|ditch|standardi[sz]e|"
        r"call it|name it|migrate|replace|support|apply|skip|retire|deprecate|settle)\b",
        0.8,
    ),
    form(
        r"(?:we|i) (?:won't|will not|are not going to|aren't going to|'re not going to)\s+"
        r"(?:be )?\w+",
        0.75,
    ),
    form(r"go (?:with|for|ahead (?:with|and))\s+\S+", 0.85),
    form(r"(?:pick|choose|take)\s+(?:the|option|number|plan|variant)\s+\S+", 0.8),
    form(
        r"(?:it's|it is|that's|that is)\s+(?:now )?(?:decided|settled|agreed|official)\b", 0.85, 0.8
    ),
    form(
        r"(?:approved|greenlit|signed off|settled|agreed|resolved|decided)\s*[:,]\s*\S+", 0.85, 0.8
    ),
    form(r"(?:[\w`./+-]+ ){1,4}it is\b(?! \w)", 0.8),
    form(r"no more\s+\S+", 0.75, 0.7),
    # "The small one then" chooses one of several.
    form(
        r"(?!(?:i|we|he|she|they|it|that|this|you|see|bye|not|no|done|ok|what|who|why|how|if|"
        r"nobody|forget|never)\b)(?:[^\s,;:]+ ){1,6}(?<!since )(?<!until )(?<!till )(?<!by )"
        r"(?<!from )(?<!back )(?<!now and )then[.!]*$",
        0.75,
    ),
    form(
        r"(?!(?:i|it|he|she|they|that|this)\b).{8,80}, not (?!only|just|sure|yet|really|"
        r"even)\S+(?: \S+){0,3}[.!]*$",
        0.72,
    ),
)
# In characters: in a longer task, only forms above the given confidence are decisions.
_ORDER_CHARS_MAX, _IN_ANY_LENGTH = 280, 0.8
_OPEN = re.compile(
    r"\b(?:if|whether|maybe|perhaps|might|could|should we|shall we|not sure|unsure|undecided|"
    r"until we|haven't|hasn't|not yet|what if|suppose|imagine|would be|tempted|either)\b|"
    r"\b(?:on|with|for) (?:it|that|this)[.!]?$",
    re.IGNORECASE,
)


def decision(clause: Clause, turn: Turn) -> Reading | None:
    """Return what a clause settles; what is still open settles nothing."""
    if clause.is_asked or (found := first_match(_FORMS, clause, turn)) is None:
        return None
    if _OPEN.search(clause.plain[: found[1].end() + 12]):
        return None
    if len(turn.episode.text) > _ORDER_CHARS_MAX and found[0] < _IN_ANY_LENGTH:
        return None
    return Reading(kind=StatementKind.DECISION, confidence=found[0])
