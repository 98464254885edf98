"""
Assertions: what a person states plainly, in no form that says what kind of statement it is.

"Piet is in Japan till november." Most of what people say is about the moment, or
about how they find it; what is kept names something: a number, a name, a thing of
theirs, or what always or never is so. What must be so is a decision of theirs.
"""

import re

from tilth.extraction.candidate import Harvest, Turn
from tilth.extraction.spoken.clauses import Clause
from tilth.extraction.spoken.context import follows, is_offer, last_said, leans, told_with_context
from tilth.extraction.spoken.lexicon import PREDICATES
from tilth.extraction.spoken.predicates import Claim, claim_in
from tilth.extraction.spoken.reading import Reading, is_agents

_WORDS_MIN, _WORDS_MAX = 3, 45
_DOUBTED = re.compile(
    r"\b(?:if|would|could|might|maybe|perhaps|probably|possibly|presumably|apparently|unless|"
    r"whether|suppose|"
    r"imagine|assum\w+|hopefully|wonder\w*|guess|doubt|seems?|seemed|not sure|unsure|no idea|"
    r"dunno|idk|"
    r"kidding|looks? like|sounds? like|feels? like|thought|shall|let me|what about|'d|'d've|how "
    r"about|"
    r"e\.g|wish|hope|must (?:be|have been|feel) (?:so|super|really|very|quite|hard|tough|great|"
    r"nice|fun|amazing|\w+ing))\b",
    re.IGNORECASE,
)
# What is so at this moment, or was being looked at.
_PASSING = re.compile(
    r"\b(?:error\w*|fail(?:s|ed|ing|ures?)?|crash\w*|stuck(?! (?:on|at|with)\b)|timing out|"
    r"time(?:s|d) out|broken|dead|"
    r"expired|weird|"
    r"502|500|404|traceback|exception|stack ?trace|bug|typo|issue|problem)\b"
    r"|\b(?:is|are|'s|'re|am|'m|was|were)\s+(?:\w+ly\s+|still\s+|not\s+)?(?!going\b|during|king|"
    r"spring|"
    r"morning|evening|nothing|"
    r"something|anything|everything|building|string|thing|moving|leaving|living|working|"
    r"expecting|allergic|missing|"
    r"coming|visiting|staying)\w+ing\b(?!@)"
    r"|\b(?:is|are|'s) (?:down|up|back|slow|red|green|full|empty|ready|blank|missing|grey|"
    r"white)\b[.!]*$"
    r"|\btoo \w+ to\b|\bconfusing\b|\ball (?:these|those)\b|\bfeels?\b|\bis great\b|"
    r"\bdo(?:es)? nothing\b|\bdon't (?:come|show)\b|"
    r"\b(?:pr comments?|this (?:branch|pr|commit|screen|page|file))\b|\bworks?[.!]*$|\bwas well\b",
    re.IGNORECASE,
)
_NOW = re.compile(
    r"\b(?:today|tonight|right now|just now|at the moment|this (?:morning|afternoon|evening)|"
    r"yesterday|(?<!hour )(?<!hours )(?<!day )(?<!days )(?<!week )(?<!weeks )earlier|"
    r"(?:a|one) (?:minute|second|moment))\b",
    re.IGNORECASE,
)
_CHATTER = re.compile(
    r"(?:you|u|your|in case|as long as|whichever|whoever|whatever|while|before|after|since|during|"
    r"going|being|having|seeing|who|what|which|how|why|where|when|something|anything|here|please|"
    r"thanks?|let|lets|let's|can|could|would|do|does|did|is|are|was|will|should|may|don't|never|"
    r"same|best|all good|not)\b"
    r"|(?:i|we)(?:'m|'ve|'ll)?\s+(?:will try|see|saw|guess|think|thought|mean|agree|remember|"
    r"hope|wonder|"
    r"tried|"
    r"try|check|checked|looked|look|ran|forgot|understand|wish|just|could|believe|feel|asked|ask|"
    r"noticed|going|gonna|wanted|\w+ing|sure|fine|good|ok|glad|happy|sorry|afraid|back|done|"
    r"ready)\b",
    re.IGNORECASE,
)
# There is something, and it says what.
_EXISTS = re.compile(
    r"there(?:'s| is| are| was| were| has been| have been)\s+(?:also |still |only |just )*"
    r"(?!(?:no|not|nothing|something|one|some|a (?:problem|bug|way|chance))\b)(?:\S+\s+){2,}",
    re.IGNORECASE,
)
# What always happens when something else does.
_REGULAR = re.compile(r"\b(?:when|whenever|every|each|always|never)\b", re.IGNORECASE)
# What somebody does, has or knows is worth telling where they say what.
_OWN_ACTS = re.compile(
    r"(?:i|we)(?:'m|'ve|'ll)?\s+(?:know|knew|get|love|like|can|will|need|want|got (?:it|this|"
    r"that|an?)|"
    r"have to|had to|do|did|say|said|told|should|must|am|was|were|tell|found|fixed|changed|"
    r"added|pushed|"
    r"pulled|merged|committed|updated|go|put|set|made|heard|read|off|in|out|here|there)\b",
    re.IGNORECASE,
)
_POINTING = re.compile(r"(?:it|that|this|these|those|there|one)$", re.IGNORECASE)
_FEELING = re.compile(
    r"\s*(?:be |been |so |very |really |a bit |quite |pretty |just |too |not |all |such |also |"
    r"still |the "
    r"|an? |more |much |kinda )*(?:fine|ok(?:ay)?|good|"
    r"great|nice|cool|lovely|awesome|amazing|perfect|bad|terrible|awful|horrible|annoying|"
    r"embarrassing|funny|hilarious|"
    r"fun|weird|strange|odd|wild|mental|crazy|insane|scary|sad|happy|excited|tired|sick|boring|"
    r"interesting|easy|hard|difficult|"
    r"tough|simple|quick|fast|slow|better|worse|best|worst|right|wrong|true|false|correct|clear|"
    r"obvious|possible|"
    r"impossible|important|necessary|useful|useless|helpful|enough|done|sure|welcome|joke|mess|"
    r"pain|shame|pity|"
    r"question|idea|point|way|case|thing|matter|same|different|works?|sense|over|gone|late|"
    r"early|alive|"
    r"what|why|how|when|where|because|like)\b",
    re.IGNORECASE,
)
_SPECIFIC = re.compile(
    r"\d|(?<=[\w,:)] )(?-i:[A-ZÀ-Þ])\w|(?-i:\b[A-Z]{2,}\b|[a-z][A-Z])|\bx{3,}\b|[/@#_]\w|"
    r"\w@|\w\.\w{2,}"
)
_OF_A_KIND = re.compile(r"an?\s", re.IGNORECASE)
_OF_SPEAKER = re.compile(r"(?:i|we)\b", re.IGNORECASE)
_ALL_OR_NONE = re.compile(
    r"(?:nobody|everybody|everyone|no one|everything|nothing)\b", re.IGNORECASE
)
_LASTING = re.compile(
    r"\b(?:always|never|only|every|each|until|till|since|from now on|any ?more|no longer|"
    r"usually|all|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|mon|tue|wed|thu|fri|january|february|march|"
    r"april|june|july|august|september|october|november|"
    r"december|summer|winter|spring|autumn|christmas|easter|weekends?|weekdays?|years?|months?|"
    r"weeks?|anybody|"
    r"nobody|everybody|without|owns?|belongs?|requires?|expects?|depends?|called|named|married|"
    r"allergic|"
    r"lives?|works?|studies|teaches|job|school|mother|father|mum|mom|dad|wife|husband|brother|"
    r"sister|son|daughter|"
    r"colleague|boss|cat|dog|new|left|moved|retired|closed|changed|replaced|banned|broke|stays?|"
    r"has|have|don't have)\b",
    re.IGNORECASE,
)
_MUST = re.compile(
    r"\b(?:must|mustn't|should|shouldn't|may not|(?:stays?|remains?) (?:\w+[.!]*$|off|on|closed|"
    r"open|"
    r"as|at|in|out)|capped|limited to|no more)\b",
    re.IGNORECASE,
)
# What somebody is asked to do at once; it is over when it is done.
_TASK = re.compile(
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
# What somebody is, whatever they are doing.
_AM = re.compile(
    r"(?:i|we)(?:'?m|'re| am| are|'ve been| have been)\s+(?:still |also |currently |both |now |"
    r"a |an |only |originally |"
    r"mostly |usually )*(?:learning|studying|training|renovating|organi[sz]ing|planning|"
    r"expecting|moving|working|living|"
    r"staying|allergic|vegan|vegetarian|left-handed|colou?r-?blind|diabetic|deaf|lactose|gluten|"
    r"married|engaged|divorced|"
    r"pregnant|retired|based|from|nurse|teacher|doctor|engineer|developer|student|\w+ist\b|"
    r"(?!either\b)\w+er\b|\w+or\b|"
    r"three|four|five|six|two|\d+|responsible|in charge|on (?:version|holiday|vacation|leave|"
    r"the \w+ plan|\w+ \d)|"
    r"away|out of office|available|at (?!the moment|a loss|least))\b",
    re.IGNORECASE,
)
_HABIT = re.compile(
    r"(?:i|we)(?:'ve| have)?\s+(?:only |always |never |also |usually |still |now |both |all |"
    r"mostly |just )*(?:use|run|eat|drink|live|own|have|"
    r"drive|speak|study|work|teach|moved|switched|started|stopped|quit|joined|bought|sold|hired|"
    r"ship|host|store|"
    r"keep|charge|pay|bill|release|support|follow|deploy|write|code|sleep|train|play|sing|grow|"
    r"rent|lease|heat|"
    r"meet|sync|back up|publish|sell|offer|serve|employ|cover|accept|require|allow|ban|pin|"
    r"vendor|squash|rebase|"
    r"don't (?:use|have|eat|drink|own|run|support|ship|need|allow|do|speak|accept|sell|offer))\b",
    re.IGNORECASE,
)
# How much of something, or which: "firmware 1.14", "24 in the van", never "in 5 minutes".
_WITH_FIGURE = re.compile(
    r"(?!(?:in|like|line|lines|page|see|after|about|around|give|another|just|only|for|within|"
    r"every|by|at|step|part|"
    r"number|option|question|point|example|image|photo|figure|attempt|try|take|round|vs|than|"
    r"x{3,})\b)"
    r"(?:[\w$€£.-]+\s+){0,4}?[$€£]?\d\S*\s+\S+|(?:[a-z][\w-]*\s+){1,3}[$€£]?\d\S*[.!]*$",
    re.IGNORECASE,
)
_GREETING = re.compile(
    r"(?:hi|hello|hey|dear|thanks?|thank|best|kind|greetings|cheers|regards|love|kisses|"
    r"congrat\w*|welcome|happy|"
    r"good|sincerely|yours|bye|see|talk|great|nice|wow|in|on|at|like|line|page|image|not|no)\b",
    re.IGNORECASE,
)
_FIGURE_WORDS_MAX = 14
_TITLE = re.compile(r"\b(?:vs|versus)\b", re.IGNORECASE)
_STORY_CHARS, _FEW_LINES = 280, 4
# What is told at greater length counts where it tells of those who talk.
_ESSAY_CHARS = 450
_OURS = re.compile(r"(?:we|our|my)\b(?!'(?:m|re)\b| am\b| are\b)", re.IGNORECASE)
_CONCRETE = re.compile(
    r"\d|(?<=\w )(?-i:[A-ZÀ-Þ])[\w-]+|\b(?:our|my|we|i)\b|[/@#]\w", re.IGNORECASE
)
_REPLY_CHARS_MAX, _BRIEF_CHARS_MAX = 200, 120
# An agent's "I", and what it counts while it works, tell of the work and not of the world.
_OF_WORK = re.compile(
    r"\b(?:i|i'm|i've|i'll|i'd|me|my|let|you|we|now|this|here|there|should|could|might|"
    r"(?:\d+ |\w+ )?(?:tests?|files?|lines?|commits?|matches|errors?|warnings?|tasks?|steps?|"
    r"checks?|comments?|"
    r"findings?|issues?|functions?|methods?|hooks?|diffs?|branch(?:es)?|builds?|lint|types?|"
    r"params?|args?|calls?))\b",
    re.IGNORECASE,
)
_SELF_TALK = re.compile(
    r"\b(?:let me|let's|i'll|i'm|i will|i've|i'd|going to|so far|not yet|still needs?|next|"
    r"you're|sorry|should work)\b|"
    r"\bit is[.!]*$",
    re.IGNORECASE,
)
# What begins with code, or names more of it than of the world, explains it.
_OF_CODE = re.compile(r"(?:\w+'s )?x{3,}|\w+ing\b|.*\bx{3,}\W.*\bx{3,}", re.IGNORECASE)
# What will be asked for again: an address, a place, a version, a measure, a day, a name.
_KEEPSAKE = re.compile(
    r"\d+(?:\.\d+){1,3}|/\w[\w.-]*/\w|:\d{2,5}\b|\bport\s+\d|https?://|\d{4}-\d\d-\d\d|"
    r"\b\d[\d.,]*\s?(?:[kKMGT]i?B|ms|s|sec|seconds?|min|minutes?|h|hours?|days?|weeks?|months?|"
    r"years?|W|kW|V|A|%|°\s?C|"
    r"rps|rows?|a (?:second|minute|hour|day|month|year)|per \w+|euros?|dollars?|USD|EUR|km|m|kg|"
    r"cores?|GHz|watts?)(?!\w)|"
    r"[$€£]\s?\d|(?<=\w )(?-i:[A-Z][a-zA-Z]*\d\w*|[A-Z]{2,}\d*)\b|\b\d{2,5}\b(?= (?:inside|"
    r"outside|on|in|at|is)\b)|"
    r"\b(?:on|in|at|from|to|by|is|are|was|of) (?-i:[A-Z][a-z]+)\b|\bx{6,}",
    re.IGNORECASE,
)
# What is said to be wrong, or not so, is half of a correction.
_TAKEN_BACK = re.compile(
    r"\b(?:is|are|was|were) (?:old|outdated|wrong|stale|incorrect|history)[.!]*$|"
    r"\b(?:isn't|aren't|wasn't|weren't|is not|are not) \S+[.!]*$",
    re.IGNORECASE,
)
# A predicate alone says something of what was named before it.
_ELLIPTIC = re.compile(
    rf"(?:(?:its|it's|ripped|mixed|born|married|based|until|till|since|only|used to)|"
    rf"{PREDICATES})\b\s*\S",
    re.IGNORECASE,
)
_OBJECT_POINTS = re.compile(
    r"\s*(?:it|that|this|them|these|those|so|too)\b(?:\s+(?:too|as well|now|again|first|then|"
    r"\w+ly|the hard way))?[.!]*$",
    re.IGNORECASE,
)
# What need not be done is nothing that the next clause could be about.
_NEEDLESS = re.compile(r"you (?:don't|needn't)\b|.*\b(?:might be|presumably)\b", re.IGNORECASE)
_WORTH, _OF_POINTING = 0.75, 0.72


def assertion(clause: Clause, turn: Turn) -> Reading | None:
    """Return what a person states plainly in a clause, where it names something that lasts."""
    plain = clause.plain
    if clause.is_asked or _NOW.search(plain) or (is_agents(turn) and not _is_reply(clause, turn)):
        return None
    if _AM.match(plain) and not is_agents(turn):
        return Reading(kind=Harvest.FACT, confidence=_WORTH)
    is_telling = not _is_of_the_moment(plain) and not _is_story(clause, turn)
    return _stated(clause, turn) if is_telling else None


def companion(clause: Clause, turn: Turn) -> Reading | None:
    """Return what a clause says beside another of its sentence that states something."""
    plain = clause.plain
    is_long = len(turn.episode.text) > _STORY_CHARS
    if clause.is_asked or is_long or is_agents(turn) or is_task(plain):
        return None
    is_chat = _CHATTER.match(plain) is not None
    if is_chat or any(one.search(plain) for one in (_DOUBTED, _PASSING, _NOW, _TAKEN_BACK)):
        return None
    claim = claim_in(plain)
    if claim is None or len(plain.split()) < _WORDS_MIN or _OBJECT_POINTS.match(claim.rest):
        return None
    if _FEELING.match(claim.rest) and not _SPECIFIC.search(plain):
        return None
    is_leaning = leans(plain) or _ALL_OR_NONE.match(plain) or plain.split()[0].endswith("ing")
    return None if is_leaning else Reading(kind=Harvest.FACT, confidence=_OF_POINTING)


def is_task(plain: str) -> bool:
    """Say whether a clause tells somebody to do something at once."""
    return _TASK.match(plain) is not None


def _is_story(clause: Clause, turn: Turn) -> bool:
    """Say whether it is told at length, as stories and explanations are, and names nothing."""
    length, plain = len(turn.episode.text), clause.plain
    if length <= _STORY_CHARS:
        return False
    is_named = _OURS.match(plain) if length > _ESSAY_CHARS else _CONCRETE.search(plain)
    return is_named is None or is_task(clause.sentence.plain)


def _stated(clause: Clause, turn: Turn) -> Reading | None:
    plain = clause.plain
    if (clause.prior or turn.before) and not is_agents(turn) and _ELLIPTIC.match(plain):
        is_telling = _SPECIFIC.search(plain) or _LASTING.search(plain)
        return _leaning(clause, turn) if is_telling else None
    if is_task(plain):
        return None
    claim = claim_in(plain)
    is_short = len(turn.episode.text) <= _STORY_CHARS and turn.episode.text.count("\n") < _FEW_LINES
    is_stated = _lasts(plain, claim) if claim else is_short and _is_figure(plain)
    if not is_stated:
        return None
    if claim is None or leans(plain):
        return _leaning(clause, turn)
    is_settling = _MUST.search(plain) is not None and not is_agents(turn)
    kind = Harvest.DECISION if is_settling else Harvest.FACT
    return Reading(kind=kind, confidence=_WORTH)


def _is_reply(clause: Clause, turn: Turn) -> bool:
    """
    Say whether an agent tells a person in a few words what will be asked for again.

    A long text reports on work, and what it says of code is for the moment.
    """
    if len(turn.episode.text) > _REPLY_CHARS_MAX or _OF_WORK.search(clause.plain):
        return False
    if _SELF_TALK.search(clause.sentence.plain) or _OF_CODE.match(clause.plain):
        return False
    is_brief = len(turn.episode.text) <= _BRIEF_CHARS_MAX and follows(turn)
    return is_brief or _KEEPSAKE.search(clause.plain) is not None


def _is_of_the_moment(plain: str) -> bool:
    words = len(plain.split())
    is_short = words < _WORDS_MIN and not (words > 1 and any(map(str.isdigit, plain)))
    if is_short or words > _WORDS_MAX:
        return True
    is_telling = _SPECIFIC.search(plain) or _REGULAR.search(plain)
    is_chat = _CHATTER.match(plain) or (_OWN_ACTS.match(plain) and not is_telling)
    # A doubt that is added after a comma is one about the rest.
    is_doubted = _DOUBTED.search(plain.split(",", 1)[0]) is not None
    return bool(is_chat) or is_doubted or any(one.search(plain) for one in (_PASSING, _TAKEN_BACK))


def _is_figure(plain: str) -> bool:
    """Say whether a few words without a verb tell how much, which or when something is."""
    count = len(plain.split())
    if count > _FIGURE_WORDS_MAX or _GREETING.match(plain) or _TITLE.search(plain):
        return False
    return _WITH_FIGURE.match(plain) is not None or (
        count >= _WORDS_MIN and _SPECIFIC.search(plain) is not None
    )


def _lasts(plain: str, claim: Claim) -> bool:
    """Say whether a statement is about a thing, and not about how somebody finds it just now."""
    if _OBJECT_POINTS.match(claim.rest):
        return False
    if _SPECIFIC.search(plain) or _EXISTS.match(plain):
        return True
    if _FEELING.match(claim.rest) or _POINTING.match(claim.subject) or _ALL_OR_NONE.match(plain):
        return False
    if _LASTING.search(plain):
        return True
    if _OF_SPEAKER.match(plain):
        return _HABIT.match(plain) is not None
    # What is said of any one of a kind is an explanation.
    return _OF_A_KIND.match(plain) is None


def _leaning(clause: Clause, turn: Turn) -> Reading | None:
    """Tell a clause with the one before it, without which nobody knows what it is about."""
    before = None if clause.prior else last_said(turn)
    is_open = _NEEDLESS.match(clause.prior) is not None
    if is_open or (before is not None and is_offer(before.plain)):
        return None
    kind = Harvest.DECISION if _MUST.search(clause.plain) else Harvest.FACT
    return Reading(kind=kind, confidence=_OF_POINTING, text=told_with_context(clause, turn))
