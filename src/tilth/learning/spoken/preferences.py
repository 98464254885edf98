"""
Read preferences and opinions.

A preference is what somebody likes, dislikes, or wants done in a certain way from now on. An
opinion is marked as the speaker's own view.
"""

import re

from tilth.learning.candidate import StatementKind, Turn
from tilth.learning.spoken.clause_forms import Reading, first_match, form, is_agents
from tilth.learning.text.clauses import Clause
from tilth.learning.text.third_person import NAME, OFTEN, SOMEBODY

_PRONOUN = r"(?:he|she|they)"
_WHO = rf"(?:{SOMEBODY}|{_PRONOUN})"
_LIKES = (
    r"(?:prefers?|preferred|likes?|loves?|hates?|dislikes?|enjoys?|fancy|fancies|favou?rs?|"
    r"adores?|despises?|detests?|loathes?|appreciates?|can't stand|cannot stand|can't bear|"
    r"don't (?:really )?(?:like|enjoy|want|eat|drink|use|care for|trust|need)|doesn't (?:really )?"
    r"(?:like|enjoy|want|eat|drink|use|care for|trust|need)|do not (?:like|want)|does not (?:like|"
    r"want)|would rather|'d rather|would prefer|'d prefer|rather|(?:am|'m|is|are|'re) (?:not )?"
    r"(?:a (?:big |huge )?fan of|fond of|partial to|more comfortable|allergic to|picky about)|"
    r"insists? on|swears? by|(?:would like|wants?|'d like) "
    r"(?:you|me|us|them|everybody|everyone|all [\w ]{1,20}|\w+) (?:not )?to (?:always|never))"
)
_RULE_VERBS = (
    r"(?:use|add|write|include|create|put|touch|change|commit|push|merge|run|install|send|call|"
    r"mention|answer|reply|respond|explain|ask|edit|delete|remove|rename|reformat|refactor|bring|"
    r"deploy|schedule|book|start|open|update|generate|mock|skip|suggest|log|store|ping|cc|tell|"
    r"give)"
)
_PREFERENCES = (
    form(rf"{_WHO}(?:'d)?\s+{OFTEN}{_LIKES}\b", 0.85, 0.75),
    form(
        rf"{_WHO}(?:'m|'re|'s)\s+(?:really |still |also )*(?:not )?(?:a (?:big |huge )?fan of|"
        r"fond of|partial to|allergic to|more comfortable|picky about)\b",
        0.85,
        0.75,
    ),
    form(
        rf"{SOMEBODY} (?:told (?:me|us)|said|says|mentioned|let (?:me|us) know)(?: that)? "
        rf"{_WHO}(?:'d| would|'s|)\s*{OFTEN}(?:{_LIKES}|rather)\b",
        0.85,
        0.8,
    ),
    form(rf"{SOMEBODY} wants? (?:me|us|you|everybody) (?:not )?to\b", 0.7, 0.7),
    form(
        rf"(?!(?:i|we)\b){_WHO}\s+{OFTEN}wants?\s+(?!to\b|you\b|me\b|us\b|it\b|that\b|"
        rf"this\b)\S+\s+\S+",
        0.72,
        0.72,
    ),
    form(
        rf"(?!(?:i|we)\b){_WHO}\s+(?:asked|asks|begged|insisted)\s+(?:for|us to|me to|that)\b",
        0.72,
        0.72,
    ),
    form(
        r"no (?:[\w-]+ ){1,3}(?:on|before|after|between|during|until|in|at|without|for)\s+\S+", 0.75
    ),
    form(
        r"(?!(?:if|i|we|and|it|he|she|they|that|this)\b)[a-z]+ (?:\S+ ){0,3}?"
        r"(?:before|after|when|whenever|every time|unless) (?:you|we|anybody|somebody)\s+\w+",
        0.72,
    ),
    form(r"(?:i|we) (?:\w+ ){1,3}best (?:in|at|with|on|when|by|without)\b", 0.75),
    form(
        r"(?!(?:it|that|this|all|both|either|these|those|"
        r"everything|which|what|i|we|he|she|they)\b).{3,40} (?:is|are) (?:fine|ok|okay|acceptable|"
        r"allowed|not ok|not fine|a no-go|unacceptable)(?: (?:with|for|by) (?:me|us))?[.!]*$",
        0.72,
    ),
    form(
        r"(?!(?:can|could|would|will|do|draft|write|add|make|run|show|send|give|check|fix|set|"
        r"put|update|open|close|create|tell|commit|push|remind|bring|take|get|look|pick|set)\b)"
        r"(?:\S+ ){1,6}(?:before|after|only|without|instead|as|between|until|from|by|per) .{2,40}"
        r"(?:please|pls)[.!]*$",
        0.74,
    ),
    form(r"you (?:don't|do not|needn't|never) (?:need|have) to\s+\w+", 0.75),
    form(
        r"(?!(?:weekends?|weekdays?|just|not)\b)(?:[\w`'./-]+ ){1,4}only"
        r"(?:\s+(?:in|for|on|please|pls|with|at|if|when|after|before)\b.*)?[.!]*$",
        0.75,
    ),
    form(
        r"(?:write|use|keep|put|answer|name|format|indent|spell|document|sign)"
        r"\s+.{2,60}\s(?:in|with|as|for|on)\s+(?:the )?(?:[\w-]+ ?){1,3}[.!]*$",
        0.72,
    ),
    form(
        r"(?:please\s+|pls\s+)?"
        r"(?:always|never|don't ever|do not ever|at no point|under no circumstances)\s+\w+",
        0.85,
    ),
    form(
        r"(?:make sure|be sure|remember|try|take care)\s+(?:to|you|that you|we)\s+(?:always|"
        r"never|not)\b",
        0.8,
    ),
    form(
        r"(?:from now on|going forward|from here on|henceforth|in (?:the )?future|in general|"
        r"as a rule|as a (?:general )?rule of thumb|by default|whenever (?:you|we|i)\b.{15}|"
        r"every time (?:you|we|i)\b|each time (?:you|we|i)|for all (?:new|future))\b.{3,}",
        0.8,
        0.6,
    ),
    form(r"stop\s+\w+ing\s+\S+", 0.75),
    form(
        rf"(?:please )?(?:don't|do not|dont|avoid|refrain from)\s+(?:{_RULE_VERBS}|\w+ing)\b", 0.75
    ),
    form(
        r"keep\s+(?:the |your |it |all |any |my |our )*(?:[\w-]+\s+){0,3}"
        r"(?:short|brief|concise|minimal|small|simple|terse|polite|formal|informal|clean|tidy|"
        r"readable|quiet|to a minimum|under|below|in (?:english|sync)|out of)\b",
        0.8,
    ),
    form(
        r"(?:be|write|answer|reply|respond|speak|talk)\s+(?:more |less |always |only |to me )*"
        r"(?:brief|concise|terse|direct|formal|informal|in [a-z]+)\b",
        0.75,
    ),
    form(r"(?:it |that )(?:really )?(?:annoys|bugs|bothers|irritates|drives) (?:me|us)\b", 0.7),
    form(
        r"(?:my|our|his|her|their|the user's) (?:favou?rite|preferred|go-to|personal preference|"
        r"preference|pet peeve|default)\b.{0,60}?\b(?:is|are|was|would be)\b",
        0.85,
        0.7,
    ),
    form(r"(?:call|address) me\s+\S+", 0.85),
    form(
        r"(?:i|we)(?:'m| am|'re| are)? (?:usually|normally|typically|generally|always|"
        r"never (?!got|had|did|was|were|went|saw|made|heard|thought|knew|said|\w+ed\b)(?=\w)|"
        r"only ever)\s+\w+",
        0.7,
    ),
    form(
        r"(?:no|zero|not a single|no more)\s+[\w -]{2,50},?\s+(?:ever|please|pls|at all|"
        r"anywhere)\b",
        0.75,
    ),
    form(r"[\w' -]{2,50}\bworks? (?:better|best|well) for (?:me|us)\b", 0.7),
    form(r"[\w' -]{2,60}\b(?:should|must) (?:always|never)\b", 0.75, 0.6),
    form(
        r"(?:tabs|spaces|[\w-]+) (?:over|rather than) [\w-]+(?: (?:please|always|any day))?[.!]?$",
        0.75,
    ),
)
# References to something said or visible express no preference.
_POINTING = re.compile(
    r"\b(?:like|love|hate|prefer|enjoy|want|appreciate|dislike|stand)s?\s+(?:it|that|"
    r"this|these|those|them|how (?:you|this|it)|the (?:idea|look|sound|direction|approach|first|"
    r"second|other)|your|you|me|us|to (?:see|know|hear|ask|talk|understand|thank|look)|option)\b",
    re.IGNORECASE,
)
_ONCE = re.compile(
    r"\b(?:yet|for now|right now|until|before (?:i|we)|this time|"
    r"today|now|just curious|worry|bother|hesitate|forget|mind|think so|know|panic|sweat)\b|"
    r"^(?:don't|do not|dont|stop) (?:do )?(?:anything|it|that|this)\b",
    re.IGNORECASE,
)
# Present appearances, and what need not be done, are no preferences.
_AS_IT_LOOKS = re.compile(
    r"^(?:(?:looks?|sounds?|feels?|seems?) like|never \w+s\b|it \w+ \w+ and|"
    r"you (?:don't|do not) need to \w+[.!]*$)",
    re.IGNORECASE,
)
_USED_TO = re.compile(
    r"^(?:write|put|use|keep|name) (?:it|that|this|them)\b|\bused to\b|^if\b|"
    r"^never ?mind\b|(?:'d|\bwould) (?:\w+ )?(?:like|love) (?:to|us|you|it|this|that|the|an?)\b",
    re.IGNORECASE,
)
_ANYTIME = re.compile(
    r"\b(?:always|never|ever|generally|usually|going forward|from now on)\b", re.IGNORECASE
)


def preference(clause: Clause, turn: Turn) -> Reading | None:
    """Return the preference in a clause."""
    if clause.is_asked or (found := first_match(_PREFERENCES, clause, turn)) is None:
        return None
    plain = clause.plain
    if any(one.search(plain) for one in (_POINTING, _USED_TO, _AS_IT_LOOKS)):
        return None
    if not is_agents(turn) and _ONCE.search(plain) and not _ANYTIME.search(plain):
        return None
    return Reading(kind=StatementKind.PREFERENCE, confidence=found[0])


_OPINIONS = (
    form(
        r"(?:i|we)(?:'m| am|'d|'ve| have)?\s+(?:really |"
        r"honestly |personally |still |also |strongly |kind of |do |don't |never |always )*"
        r"(?:think|thought that|believe|feel|find|reckon|suspect|consider|doubt|liked?|sceptical|"
        r"skeptical|convinced|not convinced|not sold|worried|would (?:say|argue)|say|argue)\b.{5,}",
        0.75,
        0.72,
    ),
    form(
        rf"{NAME} (?:thinks|believes|feels|finds|reckons|argues|doubts|is (?:convinced|"
        rf"sceptical|skeptical))\b.{{5,}}",
        0.75,
        0.72,
    ),
    form(
        r"(?:honestly|frankly|personally|"
        r"imo|imho|in my (?:opinion|view|experience|book)|to (?:me|my mind)|if you ask me|"
        r"for my money|as i see it|from my (?:point of view|perspective))\b[,:]?\s+\S.{5,}",
        0.75,
        0.72,
    ),
    form(
        r"my (?:\w+ )?(?:take|view|read|reading|opinion|sense|hunch|impression|gut feeling|"
        r"feeling|guess|verdict)\b.{5,}",
        0.8,
        0.78,
    ),
)
_MARKED_AFTER = re.compile(
    r"\b(?:imo|imho|in my (?:opinion|view|experience)|if you ask me|i think|i reckon|i guess|"
    r"just my (?:view|read))\W*$",
    re.IGNORECASE,
)
_MARKED_BEFORE = re.compile(
    r"(?:honestly|frankly|personally|imo|imho|in my (?:opinion|view|experience)|to my mind|if "
    r"you ask me)\W*$",
    re.IGNORECASE,
)
_AFTERWARDS = 0.72
# "I think so", searches in code, and thoughts about the next step are no opinions.
_NO_VIEW = re.compile(
    r"^we don't say\b|^(?:i|we)(?:'d| would)\s+(?:\w+ )?(?:like|love)\b|"
    r"^(?:i|we)(?:'m| am)?\s+(?:\w+ )?(?:think|believe|guess|feel|find|say|suspect)"
    r"\s+(?:so|not|about|of|i(?:'ll|'d|'m| should| need| found| see| can| have)?|"
    r"you|we (?:can|should|need)|it(?:'s| is) (?:time|fine|ok|done)|(?:the|this) (?:issue|"
    r"problem|bug|error|cause|fix|failure|test)|there(?:'s| is| are)|free|out|that (?:way|out))\b",
    re.IGNORECASE,
)
# A guess about what is so is no opinion yet.
_GUESSED = re.compile(r"\b(?:might|maybe|perhaps|somewhere)\b", re.IGNORECASE)
_OPINION_WORDS_MIN = 4


def opinion(clause: Clause, turn: Turn) -> Reading | None:
    """Return the opinion in a clause."""
    plain = clause.plain
    if clause.is_asked or _NO_VIEW.match(plain) or len(plain.split()) < _OPINION_WORDS_MIN:
        return None
    if _GUESSED.search(plain) or (is_agents(turn) and clause.ahead.strip()):
        return None
    if found := first_match(_OPINIONS, clause, turn):
        return Reading(kind=StatementKind.OPINION, confidence=found[0])
    if _MARKED_AFTER.search(plain) or _MARKED_BEFORE.search(clause.ahead):
        return Reading(kind=StatementKind.OPINION, confidence=_AFTERWARDS)
    return None
