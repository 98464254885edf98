"""
Read plans (promises, deferrals, goals) and gaps.

A plan's due date is in its words.
"""

import re

from tilth.core.deadlines import deadline
from tilth.learning.candidate import StatementKind, Turn
from tilth.learning.spoken.clause_forms import Reading, first_match, form, is_agents
from tilth.learning.text.clauses import Clause
from tilth.learning.text.third_person import NAME, OFTEN, SOMEBODY

_WILL = (
    r"(?:'ll| will|'m going to| am going to| is going to| are going to|'re going to|'m gonna| "
    r"gonna)"
)
# Verbs of delivery; an agent's next step is none of them.
_DELIVERS = (
    r"(?:send|deliver|review|finish|email|mail|fix|ship|write|prepare|call|phone|follow up|"
    r"schedule|"
    r"get back|present|bring|organi[sz]e|take care of|handle|sort|complete|submit|post|publish|"
    r"draft|share|book|pay|order|pick up|swap|replace|migrate|have|let you know|tell|ask|talk to|"
    r"do|make|move|clean|set up|file|renew|cover|host|cook|drive|upload|hand|provide|look into|"
    r"buy|fetch|return|water|feed|check with|ping|remind|answer|come|be there|join|attend|update)"
)
_PROMISED = (
    r"(?:promis(?:e|es|ed)|commits?|committed|committing|vows?|vowed|pledged?|volunteered|offered|"
    r"agreed|guarantees?|guaranteed|undertook|signed up|swore)"
)
_PROMISES = (
    form(
        rf"(?:i|we|{NAME})(?:'m|'ve| am| have| has| is)?\s+(?:already |just |also |hereby "
        rf")*{_PROMISED}\s+(?:to|that|(?:[\w']+ ){{1,3}}(?:that |i'd|he'd|she'd|we'd|they'd|to))\b",
        0.85,
        0.85,
    ),
    form(rf"{_PROMISED}\s+(?:to|that|(?:[\w']+ ){{1,3}}(?:that |i'd|to))\b", 0.8, 0.8),
    form(
        rf"(?!(?:i|we)\b){SOMEBODY} (?:promised|volunteered|offered|agreed|pledged)\s+\S+",
        0.75,
        0.75,
    ),
    form(r"(?:i|we) promised (?:\S+ ){1,3}\S+", 0.8, 0.7),
    form(
        r"i (?:make|bring|take|do|cook|bake|cover|pay|drive|host|write|book|call|ask|send|pick "
        r"up)\s+\S.*\bthen\b",
        0.75,
    ),
    form(r"(?:i|we) owe (?:you|him|her|them|\w+)\b", 0.8),
    form(r"you(?:'ll| will| can) (?:have|get|expect|receive)\b", 0.75, 0.6),
    form(
        r"(?:i|we) (?:can|could|should be able to) have\b.{3,60}\b(?:by|before|until)\b", 0.75, 0.7
    ),
    form(r"(?:count on (?:me|us)|leave (?:it|that|this) (?:to|with) me|consider it done)\b", 0.6),
)
_LOOSE_PROMISES = (
    form(
        r"(?:answer|reply|send|submit|register|sign up|let me know|"
        r"rsvp|pay|confirm|hand in|return|vote|apply|respond)\b.{0,60}\b(?:by|until|before|till)\b",
        0.6,
    ),
    form(
        rf"(?:i|we|he|she|they|{SOMEBODY}){_WILL}\s+(?:\w+ly |also |then |try to |just |both "
        rf")*(?:{_DELIVERS}\b)",
        0.65,
        0.5,
    ),
    # "I send it on Friday", and offers to somebody.
    form(rf"(?:i|we) (?!have\b)(?:{_DELIVERS})\b(?! not\b)", 0.5),
    form(
        r"(?:i|we) can (?:take|start|bring|drive|fetch|cover|lend|let you have|host|pick|help|"
        r"give)\b",
        0.62,
    ),
    form(r"ill (?!be\b|and\b|or\b)[a-z]+ \S+", 0.5),
    form(
        r"(?:will|gonna|going to) (?!be\b|you\b|it\b|this\b|that\b|there\b|the\b)[a-z]+", 0.6, 0.5
    ),
    form(
        rf"(?:i'm|we're|i am|we are|{NAME} is|{NAME}'s) (?:sending|bringing|doing|"
        r"finishing|reviewing|writing|taking|preparing|handling|picking|organi[sz]ing|delivering|"
        r"shipping|presenting|meeting|calling|coming|flying|moving|submitting|publishing)\b",
        0.6,
        0.4,
    ),
    form(rf"{NAME} (?:wants|intends|plans|is (?:happy|willing)|has agreed|hopes) to\b", 0.6, 0.6),
    form(
        r"(?:i|we) (?:have|need|ought|must|intend|plan|aim|expect|hope)(?: got)? (?:to )?\w+",
        0.6,
        0.4,
    ),
    form(
        r"(?:the |our |my )?[\w' -]{2,40}\b(?:is|are|'s) (?:due|to be (?:done|ready|finished))\b",
        0.75,
        0.7,
    ),
    form(
        rf"(?:i|we|he|she|they|{SOMEBODY}){_WILL}\s+(?:\w+ly |also |"
        r"then |try to |just |both |all )*(?!be (?:back|right|there|off|away|out)\b|see\b)\w+",
        0.5,
        0.4,
    ),
)
_LASTING = re.compile(
    r"\b(?:going forward|from now on|next time|in (?:the )?future|every (?:day|week|month|time))\b",
    re.IGNORECASE,
)
_UNCERTAIN = re.compile(
    r"\b(?:if|would|might|maybe|perhaps|probably not|could|unless|or something|someday|one day)\b",
    re.IGNORECASE,
)
_WITH_TIME, _WITHOUT_TIME = 0.85, 0.62
# A person's promise for later than the next minute.
_OWN_PROMISE = re.compile(
    r"(?:(?:i|we)(?:'ll| will)|ill)\s+(?:also |then |just |all |both |definitely )*"
    r"(?!(?:see|be|try|check|look|think|test|run|wait|know|let|say|go|keep|need|want|have|"
    r"never|not|get (?:it|back)|stick|use|start|find|tell you)\b)"
    r"\w+\s+(?!(?:it|that|this|them|you|so)(?:\s+\w+)?[.!]*$)\S+",
    re.IGNORECASE,
)


def commitment(clause: Clause, turn: Turn) -> Reading | None:
    """Return what somebody promises in a clause; without a time it must be an explicit promise."""
    if clause.is_asked or _UNCERTAIN.search(clause.plain):
        return None
    due = deadline(clause.plain, turn.episode.occurred_at)
    if found := first_match(_PROMISES, clause, turn):
        return Reading(kind=StatementKind.COMMITMENT, confidence=found[0], due=due)
    worth = _confidence(clause, turn, is_dated=due is not None)
    return Reading(kind=StatementKind.COMMITMENT, confidence=worth, due=due) if worth else None


def _confidence(clause: Clause, turn: Turn, *, is_dated: bool) -> float:
    """Return the confidence of a loose promise; 0 if it may concern the next minute."""
    found = first_match(_LOOSE_PROMISES, clause, turn)
    if found is None:
        return 0
    if is_dated:
        return max(found[0], _WITH_TIME)
    is_lasting = _LASTING.search(clause.plain) is not None
    if is_agents(turn):
        return found[0] if is_lasting else 0
    is_promise = is_lasting or _OWN_PROMISE.match(clause.plain) is not None
    return max(found[0], _WITHOUT_TIME) if is_promise or found[0] >= _WITHOUT_TIME else 0


_PUT_OFF = (
    r"(?:park|postpone|defer|punt|table|shelve|hold off|hold|put off|delay|push (?:back|out)|"
    r"deprioriti[sz]e|backlog|pause|freeze|revisit|come back to|circle back|skip|leave)"
)
_DEFERRALS = (
    form(
        r"(?:let's|lets|let us|we'll|we will|i'll|i'd|we should|we can|please|we'd better)?"
        rf"\s*(?:just |rather )*{_PUT_OFF}\b.{{0,80}}\b(?:later|for now|for the moment|until|"
        r"till|after|next|someday|for (?:v ?\d|the next|phase|another|now|later|after|next)\b|"
        r"for a(?:nother)? (?:later|while|day|time|week|month)|"
        r"some other time|another time|aside|to q[1-4]|"
        r"when|once|on ice|the backlog|in the (?:new year|spring|summer|autumn|fall|winter))\b",
        0.85,
        0.75,
    ),
    form(
        r"(?:let's|lets|let us|we'll|we will|please|i'd)\s+(?:just |rather )*(?:park|"
        r"postpone|defer|punt|table|shelve|hold off|put off|deprioriti[sz]e|revisit|circle back)\b",
        0.85,
        0.75,
    ),
    form(
        r"(?:we|i|they|he|she|[\w' -]{2,40})(?:'ve| have| has| was| were| is| are|'re|'s)?"
        r"\s*(?:been )?(?:postpon(?:ed|ing)|deferr(?:ed|ing)|punt(?:ed|ing) on|park(?:ed|ing)|"
        r"shelv(?:ed|ing)|delay(?:ed|ing)|push(?:ed|ing)(?: [\w' -]{1,40})? (?:out|to)|"
        r"pushed back|held off|holding off|put(?:ting)? (?:off|on hold|aside))\b",
        0.8,
        0.75,
    ),
    form(
        r"(?:push(?:ing|ed)?|mov(?:e|ing|ed))\b.{2,60}\b(?:to (?:q[1-4]|next (?:week|month|"
        r"quarter|sprint|year))|back to)\b",
        0.75,
        0.7,
    ),
    form(
        r"(?:[\w' -]{2,60}\s)?(?:can|will|has to|must|should|needs to|may|'ll) wait\b(?! for "
        r"(?:me|you|it|this)\b)",
        0.8,
        0.7,
    ),
    form(
        r"[\w' -]{2,60}\b(?:is|are|stays?|remains?|goes|go) (?:on hold|on ice|on the back ?burner|"
        r"out of scope|parked|deferred|postponed|not (?:a )?(?:priority|urgent|in scope))\b",
        0.8,
        0.75,
    ),
    form(
        r"(?:not|never) (?:now|today|yet|this (?:week|sprint|month|year|quarter|release)|"
        r"right now|in this (?:release|sprint|pr|iteration)|before)\b",
        0.75,
    ),
    form(
        r"(?:maybe |perhaps |let's do (?:it|that|this) )?"
        r"(?:some other (?:day|time)|another (?:day|time)|"
        r"later|some ?day|next (?:time|week|month|sprint|quarter|year|release))\b[^?]{0,60}$",
        0.75,
    ),
    form(
        r"(?:we'll|we will|i'll|i will|we can|let's|lets|we)"
        r"\s+\w+.{0,60}\b(?:later|when we|once we|once the|after the|after that|some other time|"
        r"at some point|down the (?:road|line)|in a (?:later|follow-?up|future|separate)\b)",
        0.75,
        0.65,
    ),
    form(
        r"(?:todo|follow-?up|backlog|later|v2|phase 2|for later|out of scope(?: for "
        r"now)?)\s*:\s*\S+",
        0.75,
        0.7,
    ),
    form(r"(?:[\w'-]+ ){1,4}(?:another|some other) (?:weekend|day|time|week|month|year)\b", 0.75),
    form(
        r"(?:it's |that's )?not (?:a |an |the |our |my )?(?:priority|urgent|important right now)\b",
        0.75,
    ),
    form(
        r"put (?:it|that|this|the [\w ]{2,40}) (?:on|in) (?:the backlog|hold|ice|the (?:wish|"
        r"later) ?list)\b",
        0.8,
    ),
    form(r"no (?:time|rush|capacity|bandwidth) for\b.{2,60}", 0.7),
)
_PUT_OFF_IN_SHORT = re.compile(
    r"(?:hm+[,. ]*|nah[,. ]*|no[,. ]+)?"
    r"(?:not now|not yet|not today|later|maybe later|some other (?:day|time)|"
    r"another (?:day|time)|next time|not this (?:week|month|sprint)|let's wait|it can wait|"
    r"can wait|no rush|after the \w+|next (?:week|month|sprint|quarter|year))\b[^?]{0,40}$",
    re.IGNORECASE,
)
_NOT_PUT_OFF = re.compile(
    r"\b(?:no problem|talk|chat|see you|speak|any ?more|don't|can't|cannot|couldn't|sorry|if)\b",
    re.IGNORECASE,
)


def deferral(clause: Clause, turn: Turn) -> Reading | None:
    """Return what a clause puts off."""
    if clause.is_asked:
        return None
    found = first_match(_DEFERRALS, clause, turn)
    if found is None or _NOT_PUT_OFF.search(clause.plain):
        return None
    due = deadline(clause.plain, turn.episode.occurred_at)
    return Reading(kind=StatementKind.DEFERRAL, confidence=found[0], due=due)


def is_put_off(plain: str) -> bool:
    """Say whether a few words put off what was asked before them."""
    return _PUT_OFF_IN_SHORT.match(plain) is not None


# What is wanted of an agent at once is a task, and no goal.
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
_NOT_WANTED = re.compile(r"\b(?:if|don't want|no longer|not want)\b", re.IGNORECASE)
_NO_GAP = re.compile(
    r"\b(?:of|about|for|with|to) (?:it|that|this|them)[.!]*$|"
    r"(?:knows?|nobody|tells?)(?: then)?[.!]*$|\bno idea (?:what|why|how) (?:this|that|it|you)\b|"
    r"\b(?:can't|cannot|couldn't) (?:\w+ ){1,3}(?:it|them|that|this)[.!]*$|\b(?:i|we) (?:can't|"
    r"cannot|couldn't) (?:wait|believe|think|say|tell|find|see|remember|help|make it)\b|^(?:can't|"
    r"cannot)\b|no (?:problem|idea what you)|don't know (?:what to say|man|dude)|who (?:is|are)",
    re.IGNORECASE,
)


def goal(clause: Clause, turn: Turn) -> Reading | None:
    """Return somebody's goal; what is wanted of an agent at once is none."""
    if clause.is_asked or _NOT_WANTED.search(clause.plain):
        return None
    if (found := first_match(_GOALS, clause, turn)) is None:
        return None
    due = deadline(clause.plain, turn.episode.occurred_at)
    return Reading(kind=StatementKind.GOAL, confidence=found[0], due=due)


def gap(clause: Clause, turn: Turn) -> Reading | None:
    """Return what a clause says is missing, unknown, or impossible."""
    if clause.is_asked or _NO_GAP.search(clause.plain):
        return None
    found = first_match(_GAPS, clause, turn)
    return found and Reading(kind=StatementKind.GAP, confidence=found[0])
