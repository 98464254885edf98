"""
Detect gaps in conversations: what somebody wanted and nobody could do, by both sides' words.

A request alone is no gap, since agents do most of what they are asked. It is one if the last answer
declines, if nobody answers in that thread, or if it is put as a wish ("I wish you could …", "why do
I have to …"). People answer each other's requests ("any tips for my trip?") themselves, and their
wishes for their own lives are no gaps; among people, a wish is one only if it is about a program.
The patterns are English; they accept any text, in linear time.
"""

import re
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from tilth.core.dataclass import dataclass
from tilth.core.ids import EpisodeId
from tilth.core.text.prose import Sentence, sentences
from tilth.episodes.episode import Episode, Role
from tilth.gaps.model import DESCRIPTION_CHARS_MAX, GapKind

_REQUEST_CHARS_MAX = 200
# In words. A shorter message is a greeting.
_REQUEST_WORDS_MIN = 3
_WANT_CHARS_MIN = 3
# With this many speakers, people talk to each other.
_PEOPLE_MIN = 2
_OPENING = r"^(?:(?:hi|hey|hello|ok|okay|so|and|but|also|well|thanks|please|sorry)\b[,!]?\s+)*"
_WHO = r"(?:you|i|we|it|this|that|one|there)"
_ABLE = r"(?:(?:could|would|can|was|were|had|did|will)\b\s*)?"


def _patterns(*bodies: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(_OPENING + body, re.IGNORECASE) for body in bodies)


# Wishes, each of which names what is missing.
_WISHES = _patterns(
    rf"(?:i|we)(?: really)? wish (?:that )?{_WHO} {_ABLE}(?P<want>.+)",
    r"(?:i|we)(?: really)? wish (?P<want>.+)",
    rf"it(?: would|'d) be (?:so |really |very )?(?:great|nice|helpful|good|useful|handy|cool)"
    rf" (?:if|when) {_WHO} {_ABLE}(?P<want>.+)",
    r"it(?: would|'d) be (?:so |really |very )?(?:great|nice|helpful|good|useful|handy|cool)"
    r" to (?P<want>.+)",
    rf"why (?:can't|cannot|can not|couldn't) {_WHO} (?P<want>.+)",
    rf"why (?:doesn't|don't|does not|do not) {_WHO} (?:support |have |offer )?(?P<want>.+)",
    r"(?:there(?:'s| is) |we have |you have )?no (?:way to|support for|option to|option for"
    r"|integration with) (?P<want>.+)",
    r"(?P<want>.{3,80}?) (?:is|are) (?:still )?(?:not supported|unsupported|missing)(?: here)?$",
    r"feature request:? (?P<want>.+)",
)
# Complaints about toil: a person has to do the work.
_TOIL = _patterns(
    r"why do (?:i|we) (?:always |still )?have to (?P<want>.+)",
    r"(?:i|we) (?:always |still |keep )?(?:have|having|had|need) to (?P<want>.+?"
    r"(?:every (?:single )?time|each time|again and again|over and over|manually|by hand)\b.*)",
    r"(?:i|we) keep (?P<want>\w+ing .+?(?:manually|by hand|every time|over and over)\b.*)",
)
_FRICTION = _patterns(
    r"(?P<want>.{0,80}?\b(?:is|are|feels?|gets?) (?:so |too |really |very |quite )*(?:confusing"
    r"|annoying|tedious|cumbersome|frustrating|clunky|hard to \w+|difficult to \w+)\b.*)",
    r"(?P<want>.{0,80}?\b(?:too|so) many (?:clicks|steps|prompts|dialogs|questions)\b.*)",
    r"(?:i|we) (?:can't|cannot|couldn't|can never) find (?P<want>(?:the|where|how|any) .+)",
)
# Requests, each of which is a gap only if nobody fulfils it.
_REQUESTS = _patterns(
    rf"(?:can|could|would|will) {_WHO} (?:please |maybe |perhaps )?(?P<want>.+)",
    r"(?:is|would) it (?:be )?possible (?:for (?:you|me|us) )?(?:to|that) (?P<want>.+)",
    rf"(?:is|isn't) there (?:a|any|some|no) way (?:to|of|for (?:me|us|you) to|that {_WHO} can)"
    r" (?P<want>.+)",
    r"(?:is|are|isn't) there (?:already )?(?:an? |any |some )?(?:integration (?:with|for) )?"
    r"(?P<want>.+)",
    r"do(?:es)? (?:you|it|this|that) (?:already )?(?:support|have access to|have|offer|handle"
    r"|know how to) (?P<want>.+)",
    r"how (?:do|can|could|would|should) (?:i|we|you) (?P<want>.+)",
    r"(?:i|we)(?:'d| would)? (?:need|want|like|love)(?: you)?(?: to)?(?: be able to)? (?P<want>.+)",
    r"(?:do|does|will|can) (?P<want>.+)",
    r"(?:is|are) (?P<want>.+?) (?:supported|possible|available)\W*$",
    r"there(?:'s| is| are) no (?P<want>.+)",
    r"please (?P<want>.+)",
)
_DECLINES = re.compile(
    r"\b(?:i|we)(?: am|'m| are|'re)? (?:(?:currently|still|also|afraid i) )?"
    r"(?:can't|cannot|can not|unable to|not able to|don't have (?:access|the ability|permission"
    r"|any way|a way|a tool|tools|any tool)|do not have (?:access|the ability|permission|any way"
    r"|a way|a tool|tools|any tool)|have no (?:access|way|tool|permission))\b"
    # Delight and feelings decline nothing, and who leaves a decision to others could do all of it.
    r"(?! (?:wait|imagine|believe|picture|help|stop|thank|complain|deny|agree|get enough|decide"
    r"|choose|judge|speak for)\b)"
    r"|\bthere(?:'s| is) (?:currently |yet |still )?no (?:way|tool|support|integration|option"
    r"|command|feature)\b"
    r"|\b(?:not|isn't|aren't) (?:yet |currently )?(?:supported|available|possible"
    r"|something i can)\b"
    r"|\b(?:beyond|outside) (?:of )?(?:my|what i can)\b"
    r"|^\s*no[,.:;] [^.!?]{0,80}\b(?:can't|cannot|can not|(?:doesn't|does not) support)\b",
    re.IGNORECASE,
)
_UNKNOWING = re.compile(
    r"\b(?:i|we) (?:don't|do not) (?:know|have (?:any )?(?:information|record|notes?|data)\b)"
    r"|\b(?:i|we) have no (?:information|knowledge|record|notes?|data|idea)\b"
    r"|\bi(?:'m| am) not aware of\b"
    r"|\b(?:couldn't|could not|can't|cannot) find any(?:thing)? (?:about|on|in|information)\b",
    re.IGNORECASE,
)
_DONE = re.compile(
    r"^\s*(?:done|here (?:is|are|you)|here's)\b"
    r"|\bi(?:'ve| have) (?:now |just |already )?(?:\w+ed|set|put|made|written|built|run|sent)\b"
    r"|\b(?:it|that|everything) works? now\b|\b(?:tests|checks) (?:all )?pass\b",
    re.IGNORECASE,
)
_INTEGRATION = re.compile(
    r"\b(?:integrat\w*|connect\w*|sync\w*|api|webhooks?|plugin|import\w*|oauth|sso"
    r"|calendar|slack|jira|discord|github|gitlab|notion|figma|outlook|linear|dropbox|trello)\b",
    re.IGNORECASE,
)
_WORKFLOW = re.compile(
    r"\b(?:manually|by hand|every (?:single )?time|each time|automatic\w*|automate\w*|schedul\w*"
    r"|recurring|over and over|again and again|every (?:day|week|month))\b",
    re.IGNORECASE,
)
# What a program could provide.
_OF_PROGRAMS = re.compile(
    r"\b(?:export\w*|import(?:s|ed|ing)?|sync\w*|upload\w*|download\w*|integrat\w*|api|webhooks?"
    r"|plug-?ins?|add-?ons?|sso|oauth|2fa|log ?in|sign ?in|password|apps?|software|programs?"
    r"|tools?|bots?|scripts?|cli|commands?|buttons?|menus?|settings?|dashboards?|dark mode"
    r"|shortcuts?|hotkeys?|notif\w+|search (?:bar|box|results?|for|in|by)|filters?|undo|autosave"
    r"|automat\w+|excel|csv|pdfs?|docx?|xlsx?|json|spreadsheets?|files?|folders?|database|server"
    r"|deploy\w*|build|pipeline|repo\w*|tickets?|invoices?|web ?sites?|pages?|screens?|forms?"
    r"|upgrade|browser|mobile|android|iphone|ios|slack|jira|discord|github|gitlab|notion|figma"
    r"|outlook|linear|dropbox|trello|clicks?|prompts?|dialogs?|manually)\b",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"(?:,? (?:is that possible|please|if possible|for me|somehow|right now|yet|though|too"
    r"|thanks|thank you|from here|yourself|already))+$",
    re.IGNORECASE,
)


# A sentence, and the episode that contains it.
_SaidSentence: TypeAlias = tuple[EpisodeId, Sentence]
_BY_THEMSELVES = ((_WISHES, None), (_TOIL, GapKind.WORKFLOW_GAP), (_FRICTION, GapKind.UX_FRICTION))


@dataclass(frozen=True, slots=True, kw_only=True)
class DetectedGap:
    """A detected gap: a short description, its kind, and its evidence."""

    description: str
    kind: GapKind
    episode_id: EpisodeId
    start: int
    end: int
    model: str = ""


def detect_gaps(thread: Sequence[Episode]) -> Iterator[DetectedGap]:
    """
    Yield the gaps in a thread of messages, in order, at most one of each turn.

    A turn is a person's message with all answers before the person's next one.
    """
    is_answered = any(one.role is Role.ASSISTANT for one in thread)
    people = {one.speaker for one in thread if one.role is Role.USER and one.speaker}
    is_theirs = len(people) >= _PEOPLE_MIN
    for asked, answers in _turns(thread):
        if gap := _gap_in_turn(asked, answers, is_answered=is_answered, is_theirs=is_theirs):
            yield gap


def kind_of(words: str) -> GapKind:
    """Return the kind of gap that *words* describe."""
    if any(pattern.search(words) for pattern in _FRICTION):
        return GapKind.UX_FRICTION
    if _WORKFLOW.search(words):
        return GapKind.WORKFLOW_GAP
    if _INTEGRATION.search(words):
        return GapKind.INTEGRATION_GAP
    return GapKind.MISSING_FEATURE


def _turns(thread: Sequence[Episode]) -> Iterator[tuple[list[Episode], list[Episode]]]:
    asked: list[Episode] = []
    answers: list[Episode] = []
    for one in thread:
        if one.role is Role.USER and answers:
            yield asked, answers
            asked, answers = [], []
        if one.role is Role.USER:
            asked.append(one)
        elif one.role is Role.ASSISTANT:
            answers.append(one)
    if asked or answers:
        yield asked, answers


def _gap_in_turn(
    asked: list[Episode], answers: list[Episode], *, is_answered: bool, is_theirs: bool
) -> DetectedGap | None:
    said = [(one.id, sentence) for one in asked for sentence in sentences(one.text)]
    answer = " ".join(one.plain for one in sentences(answers[-1].text)) if answers else ""
    # A request that failed at first and was then fulfilled is no gap.
    if _DONE.search(answer):
        return None
    meant = [one for one in said if _OF_PROGRAMS.search(one[1].plain)] if is_theirs else said
    for patterns, kind in _BY_THEMSELVES:
        if found := _first_match(meant, patterns, kind):
            return found
    for declines, kind in ((_UNKNOWING, GapKind.KNOWLEDGE_GAP), (_DECLINES, None)):
        if declines.search(answer):
            return _first_match(said, _REQUESTS, kind) or _last_short_sentence(said, kind)
    return None if is_answered or is_theirs else _first_match(said, _REQUESTS, None)


def _first_match(
    said: Sequence[_SaidSentence], patterns: Sequence[re.Pattern[str]], kind: GapKind | None
) -> DetectedGap | None:
    for one in said:
        for pattern in patterns:
            found = pattern.match(one[1].plain)
            if found and len(_TAIL.sub("", found["want"].strip("?!., "))) >= _WANT_CHARS_MIN:
                return _gap(one, one[1].text[slice(*found.span("want"))], kind)
    return None


def _last_short_sentence(said: Sequence[_SaidSentence], kind: GapKind | None) -> DetectedGap | None:
    """Return a request without a known form: the last short sentence."""
    for one in reversed(said):
        text = one[1].text
        if len(text) <= _REQUEST_CHARS_MAX and len(text.split()) >= _REQUEST_WORDS_MIN:
            return _gap(one, text, kind)
    return None


def _gap(said: _SaidSentence, want: str, kind: GapKind | None) -> DetectedGap:
    episode_id, sentence = said
    description = _TAIL.sub("", " ".join(want.split()).rstrip("?!., "))
    return DetectedGap(
        description=description[:DESCRIPTION_CHARS_MAX],
        kind=kind or kind_of(sentence.plain),
        episode_id=episode_id,
        start=sentence.start,
        end=sentence.end,
    )
