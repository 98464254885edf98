"""Goals, and gaps: what somebody wants to reach, and what is missing or cannot be done."""

import re

from tilth.learning.candidate import Harvest, Turn
from tilth.learning.clauses.clauses import Clause
from tilth.learning.clauses.reading import Reading, form, known
from tilth.learning.clauses.voice import NAME, OFTEN
from tilth.learning.spoken.deadlines import deadline

# What is wanted of an agent in the next minute is a task, and no goal.
_TASK = (
    r"(?!(?:see|know|check|understand|ask|look|hear|talk|discuss|test|try|run|read|show|say|thank|"
    r"add|clarify|confirm|double|point|mention|be clear|make sure|commit|push|merge|revert|undo)\b)"
)
_GOALS = (
    form(
        r"(?:the|our|my|his|her|their|a|one|main|primary|next|this year's|ultimate|overall|\s)*"
        r"(?:goal|aim|objective|target|vision|mission|ambition|dream|priority|intention|"
        r"okr|north star|purpose|point|whole idea)(?:\s+(?:here|for|of|this|with)\b[^:.]{0,60}?)?"
        r"(?:\s+(?:is|was|remains|are|would be)\b|\s*:)",
        0.85,
        0.75,
    ),
    form(
        rf"(?:i|we|{NAME}|the (?:team|user|client|customer))(?:'m|'re|'d| am| are| is)?\s+{OFTEN}"
        rf"(?:want|wants|wanna|aims?|aiming|hopes?|hoping|plans?|planning|intends?|intending|"
        rf"working towards?|striving|dreams? of|dreaming of|looking|trying|determined|"
        rf"keen)\s+(?:to|for|on)\s+{_TASK}\w+",
        0.75,
        0.6,
    ),
    form(
        r"(?:also |still |we )?(?:need|want|looking for) (?:an?|the|some|new|more|another|"
        r"\d+)\s+\S+",
        0.72,
    ),
    form(r"(?:i|we)(?:'d| would) (?:really )?(?:like|love) to .*(?:\d|(?-i:[A-Z]))", 0.72),
    form(r"(?:i|we) (?:want|need) (?-i:[A-Z])[\w-]+[.!]*$", 0.72),
    form(
        r"(?:i|we)(?: really| just)? (?:want|need) (?!to\b|you\b|me\b|us\b|it[.!]*$|that[.!]*$|"
        r"this[.!]*$)\S+ .{2,}",
        0.72,
    ),
    form(
        r"(?:we|i) need(?: to)?\b.{3,120}\b(?:so that|in order to|so we|so i|because)\b", 0.75, 0.6
    ),
    form(
        r"(?:ultimately|eventually|long[- ]term|by (?:the end of|q[1-4]|next|20\d\d)[^,]{0,30}),?"
        r"\s+(?:we|i)\s+(?:want|need|hope|plan|aim|should|will|'ll)\b",
        0.75,
    ),
    form(
        r"(?:i|we)(?:'d| would) (?:really )?(?:like|love) to .{12,}\b(?:so that|where|by|within|"
        r"eventually|at some point|one day|without|before)\b",
        0.75,
    ),
    form(
        r"(?:the plan is to|success (?:means|looks like|is)|we go live|we (?:launch|release|ship|"
        r"move in)\b.{0,60}\b(?:on|in|by|before|next|until)|"
        r"(?:launch|release|go-live|kick-?off)(?: day| date)? is)\b",
        0.75,
        0.7,
    ),
    form(r"(?:target|goal|aim|objective|okr)s?\s*(?::|=|->|is)\s*\S+", 0.8, 0.7),
)
_GAPS = (
    form(r"i (?:really |just |do |only )*wish\b.{3,}", 0.8),
    form(
        r"(?:if only|it (?:would|'d) be (?:really |so |very )*(?:nice|great|useful|"
        r"cool|helpful|handy|good|lovely)|would be (?:nice|great|useful|cool|helpful|handy)|"
        r"it'd be (?:nice|great|useful|helpful|handy|cool))\b",
        0.75,
    ),
    form(
        r"(?:sadly |unfortunately |currently |right now |still |so far )*there"
        r"(?:(?:'s| is| are|'re| was| were)\s+(?:still |currently |also |really )*(?:no|not any|"
        r"not a)|(?: still)? (?:isn't|aren't|wasn't|weren't)\s+(?:currently |really )*(?:an?|any))"
        r"\s+(?:\w+ )?(?:way|support|option|command|"
        r"api|endpoint|tool|alert|alerting|tests?|docs?|documentation|backups?|monitoring|log|"
        r"logging|feature|possibility|mechanism|button|flag|setting|plugin|integration|metrics?|"
        r"dashboard|runbook|procedure|owner|budget|process|rollback|warning|check|validation)\b",
        0.8,
        0.75,
    ),
    form(
        r"(?:[\w`'./-]+ ){1,4}?(?:still |yet |simply |just |currently )*(?:can't|cannot|can not|"
        r"couldn't|is unable to|are unable to|isn't able to|aren't able to|doesn't support|"
        r"does not support|don't support|doesn't handle|doesn't have|does not have|"
        r"lacks?|is missing|are missing|has no|have no|hasn't got|isn't (?:supported|possible|"
        r"implemented|documented)|is not (?:yet )?(?:supported|possible|implemented))\b.{2,}",
        0.7,
    ),
    form(
        r"(?:we|i) (?:still |currently |really |just )*"
        r"(?:lack|miss|have no|'ve no|don't have|do not have|haven't got|"
        r"are missing|'re missing|am missing|'m missing|don't know(?: yet)?|have no idea)\b.{3,}",
        0.72,
        0.75,
    ),
    form(
        r"(?:nobody|no one|nothing|none of (?:us|them)|somebody|someone)"
        r"\s+(?:here |really |of us |ever |yet |currently )*(?:knows?|tells?|wrote|documented|"
        r"tested|checked|checks?|watches|monitors?|alerts?|warns?|owns?|documents?|tests?|should|"
        r"needs to|has to|handles?|covers?|backs?|catches|cleans?|verifies|validates)\b.{2,}",
        0.8,
    ),
    form(
        r"(?:[\w`'./-]+ ){1,5}(?:doesn't|don't|does not|do not|won't) work (?:from|on|in|with|"
        r"for|at all|when|without)\b",
        0.75,
    ),
    form(
        r"it's (?:still |completely )?(?:unclear|unknown|not (?:yet )?(?:clear|known|decided|"
        r"documented))\b.{3,}",
        0.78,
    ),
    form(
        r"(?:missing|lacking|no support for|no way to|not possible to|"
        r"not supported|unclear|unknown|open question|known gap|gap|limitation)\b\s*:?\s*\S+",
        0.75,
    ),
    form(
        r"(?:you|it|this|the \w+|tilth|that) "
        r"(?:still )?(?:can't|cannot|couldn't|don't|doesn't) (?:seem to )?(?:remember|"
        r"handle|support|do|see|read|open|export|import|sync|search|tell|show|send|access)\b",
        0.72,
    ),
)
_UNREAL = re.compile(r"\b(?:if|don't want|no longer|not want)\b", re.IGNORECASE)
_OWN_DOING = re.compile(
    r"\b(?:of|about|for|with|to) (?:it|that|this|them)[.!]*$|"
    r"(?:knows?|nobody|tells?)(?: then)?[.!]*$|\bno idea (?:what|why|how) (?:this|that|it|you)\b|"
    r"\b(?:can't|cannot|couldn't) (?:\w+ ){1,3}(?:it|them|that|this)[.!]*$|\b(?:i|we) (?:can't|"
    r"cannot|couldn't) (?:wait|believe|think|say|tell|find|see|remember|help|make it)\b|^(?:can't|"
    r"cannot)\b|no (?:problem|idea what you)|don't know (?:what to say|man|dude)|who (?:is|are)",
    re.IGNORECASE,
)


def goal(clause: Clause, turn: Turn) -> Reading | None:
    """Return what somebody wants to reach; what they want of an agent at once is none."""
    if clause.is_asked or _UNREAL.search(clause.plain):
        return None
    if (found := known(_GOALS, clause, turn)) is None:
        return None
    due = deadline(clause.plain, turn.episode.occurred_at)
    return Reading(kind=Harvest.GOAL, confidence=found[0], due=due)


def gap(clause: Clause, turn: Turn) -> Reading | None:
    """Return what a clause says is missing, unknown, or cannot be done."""
    if clause.is_asked or _OWN_DOING.search(clause.plain):
        return None
    found = known(_GAPS, clause, turn)
    return found and Reading(kind=Harvest.GAP, confidence=found[0])
