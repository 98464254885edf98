"""
Read the stance of a statement: whether it tells a change, or leaves everything as it was.

This reads English function words and verbs of change only, and no vocabulary of any domain. A
statement that it does not recognise counts as plainly told.
"""

import re
from functools import cached_property
from typing import Any

from tilth.core.dataclass import dataclass
from tilth.core.text.pattern import linear, pattern
from tilth.core.text.tokens import split_sentences

_AHEAD = pattern(r"\(\?!(?:[^()\\]|\\.)*\)")
_COUNTED = pattern(r"\.\{\d,\d+\}")
_SPACED = pattern(r"\\(.)|\s+", re.DOTALL)


class _LazyPattern:
    """
    A pattern that is compiled on first use, since that takes 10 ms.

    Few sentences match, and RE2 rules the others out in a fifteenth of the time. RE2 has no
    negative look-ahead, so its matches are checked again, and it treats only ASCII letters as
    letters.
    """

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern

    def search(self, text: str) -> bool:
        """Say whether *text* contains a match."""
        return self.may_be_in(text) and self._made.search(text) is not None

    def may_be_in(self, lines: str) -> bool:
        """Say whether one of *lines* may contain a match; if not, none does."""
        return not lines.isascii() or self._wider.search(lines.encode()) is not None

    @cached_property
    def _made(self) -> re.Pattern[str]:
        return re.compile(self._pattern, re.IGNORECASE | re.VERBOSE)

    @cached_property
    def _wider(self) -> Any:  # noqa: ANN401 - re2 has no types
        """
        The pattern without negative look-aheads, in RE2's syntax, which has no free spacing.

        It works on bytes, which saves converting positions, and on many lines, each by itself.
        Counted gaps between words are unbounded here: a count makes a thousand states, which fill
        RE2's memory.
        """
        wider = _COUNTED.sub(".*", _AHEAD.sub("", self._pattern))
        return linear(("(?im)" + _SPACED.sub(_unspaced, wider)).encode())


def _unspaced(found: re.Match[str]) -> str:
    if found[1] is None:
        return ""
    return " " if found[1] == " " else found[0]


# In characters: a log or page is judged by its beginning.
READ_CHARS_MAX = 2000
_BE = r"(?:is|are|was|were|be|been|being|gets?|got|gotten|has been|have been|had been|'s|'re)"
# Verbs of change in all their forms.
_CHANGED = (
    r"(?:mov(?:e[sd]?|ing)|migrat\w+|switch\w*|chang\w+|replac\w+|swap\w*|port(?:ed|s|ing)|"
    r"renam\w+|rewr\w+|convert\w+|transfer\w*|bump\w*|rais\w+|lower\w+|increas\w+|reduc\w+|"
    r"cut|upgrad\w+|downgrad\w+|postpon\w+|delay\w*|reschedul\w+|becom\w+|became|merg\w+|"
    r"retir\w+|drop(?:ped|s|ping)?|tak\w+ over|took over|leav\w+|left|extend\w*|shorten\w*)"
)
_TELLS_CHANGE = _LazyPattern(
    rf"""
    \b(?:no|not\ any)\ (?:longer|more)\b | \bany(?:\ )?(?:more|longer)\b | \bnowadays\b
    | \b(?:these|from\ this)\ (?:days|day|year|month|week)\b | \bfrom\ now\ on\b | \bby\ now\b
    | \b(?:as\ of|since|from|starting|effective|beginning)\ (?:today|tomorrow|now|this|next|
        (?:mon|tues|wednes|thurs|fri|satur|sun)day|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|
        dec|version|release|\d)
    | \bwith\ effect\ (?:from|of)\b | \b(?:is|are|'s|'re|'m|am)\ now\b | \bnow\ (?:\w+s|\w+ed|in|at|
        on|with|by|the|it's)\b | \bnow[.!]?$ | \b(?:we|i|you|they|it|\w+s)\ now\ [a-z]+
    | \b(?:{_BE}|have|has|had(?:\ to)?|we|i|they|he|she|it|just|i've|we've|finally)\s+(?:now\ |
        just\ |already\ |finally\ |all\ |completely\ |since\ )*{_CHANGED}\b
    | ^\W*(?:\w+[(:!)\s]+){{0,3}}{_CHANGED}\b | \b{_CHANGED}\ (?:over\ |across\ )?(?:to|from|into|
        with|by|for)\b
    | \bfrom\ \S+(?:\ \S+){{0,3}}\ (?:to|into)\b | ->|→|=>
    | \b(?:instead\ of|in\ (?:its|his|her|their|the)\ (?:place|stead)|in\ place\ of|
        in\ favou?r\ of|rather\ than)\b
    | \b(?:is|are|was|were|has|have|had|been|'s)\ (?:out|gone|bust|abolished|
        decommissioned|history|dead|closed|withdrawn|archived|cancelled|
        canceled|called\ off|put\ off|terminated|deleted|removed|thrown|rewritten|shut|over|to\ go|
        given\ up|allergic)\b
    | \b(?:thr(?:ew|own)|took|taken|rolled|ripped|phased|kicked)\ (?:\w+\ ){{0,3}}
        (?:away|out|over)\b
    | \b(?:hand(?:ed|s|ing)?|pass(?:ed|es)?|gave|given|giving|carried|dragged)\b.{{1,60}}\b(?:over|
        across|to|up)\b
    | \b(?:follow(?:s|ed|ing)|succeed(?:s|ed)|steps?\ up|stepp\w+|promoted|elected|fall\ to|
        falls\ to|turns?\ to|goes\ to|go\ to|belongs?\ to)\b
    | \b(?:correction|turns?\ out|turned\ out|after\ all|was\ wrong|were\ wrong|scratch\ that|
        actually|in\ fact|found\ the\ cause|real\ cause|nobody|wasn't|weren't)\b
    | \b(?:we|i)\ stopped\b | \bstop(?:ped)?\ \w+ing\b | \brewrite\b | \bport\ of\b
    | \bnew\b | \b(?:goes|went)\ (?:up|down|to|digital)\b | \b(?:slipped|settled|fused|swap|raise)\b
    | \bin\ charge\ of\b | \btook\ \S+(?:\ \S+)?\ place\b
    | \b(?:sold|scrap|forget|ditched|rebuilt|stripped|mixed\ (?:something\ )?up|misread|
        misremembered)\b
    | \bnow\ too\b | \bsince\ (?:last|build|version|v?\d|the\ (?:first|start|end|move|
        reorg\w*|holidays|new|update|upgrade|release|weekend)|(?:i|we|he|she|they)\ (?:turn|mov|
        join|start|chang|left))\w*
    | \bthere\ won't\b | \bwon't\ \w+\ (?:again|it)\b | \bwhat\ remains\b | \bset\ to\b
    """,
)
_NOT = r"(?:not|n't|never|no one|nobody|nothing|none)"
_UNASSERTED = _LazyPattern(
    rf"""
    \b(?:plan(?:s|ned|ning)?|want(?:s|ed)?|'d\ like|'d\ love|hop(?:e|es|ing)|intend\w*|
        wish\w*|dream\w*|thinking|tempted|ought)\ (?:of|about|to|that|on)\b
    | \b(?:would|wouldn't|hopefully|ideally|gonna|sooner\ or\ later)\b
    | (?:^|\b(?:am|is|are|was|were)\ |'(?:m|s|re)\ )(?:not\ )?going\ to\ (?!the\b)[a-z]+
    | ^\W*(?:if|once|when|as\ soon\ as|should|unless)\b.{{1,80}}(?:\b(?:will|shall|can)\b|'ll\b)
    | (?:\bwill\b|'ll\b).{{1,80}}\b(?:if|once|when|as\ soon\ as|unless)\b
    | \bin\ (?:spring|summer|autumn|fall|winter|the\ new\ year|q[1-4])\b.{{1,80}}(?:\bwill\b|'ll\b)
    | ^\W*(?:to-?do|fixme|idea|rfc|wish)\b | \blet(?:'s|\ us)\b
    | \b(?:suggest\w*|recommend\w*|propos\w+|draft\ (?:pr|pull\ request)|\(draft\))\b
    | \b(?:await\w*|wait(?:s|ing)?\ for|pending|subject\ to|need(?:s|ed)?)\ (?:a\ |the\ )?
        (?:review|approval|decision|sign-off)\b
    | \b(?:opened|filed|created|wrote)\ (?:a|an|the)\ (?:ticket|issue|card|rfc|proposal)\b
    | \b(?:is|are|'re|am|'m)\ (?:hiring|looking\ (?:for|into|at)|exploring|considering)\b
    | \b(?:i|we|they)(?:'ve)?\ (?:have\ )?(?:read|heard)\ (?:that|about|of|how)\b
    | ^\W*(?:just\ )?(?:read|heard|saw)\ (?:that|about|of|how)\b
    | \b(?:blogs?|articles?|talk|podcast|conference|keynote|tweet|paper|documentary|newspaper)\b
        .{{0,60}}\b(?:says?|said|told|tells?|claims?|how|describes?|explains?)\b
    | \btold\ (?:me|us)\ that\ (?:the(?:y|ir)|he|she|his|her)\b
    | \b(?:says?|said)\ (?:that\ )?(?:everyone|everybody|they|people)\b
    | \b(?:we|i|they|he|she)(?:'d|\ had)\ planned\b
    | \b(?:consider(?:s|ed|ing)?|evaluat\w+|discuss\w*|debat\w+|propos\w+|pondering)\b
    | \b(?:might|maybe|perhaps|could|should|may)\ (?:\w+\ )?{_CHANGED}\b
    | \b(?:some\ day|someday|one\ day|eventually|in\ (?:the\ )?future|next\ (?:quarter|year|
        summer|spring|autumn|winter)|roadmap|wishlist|wish\ list|let's\ see|someone\ should)\b
    | \b(?:suppos\w+|imagine|hypothetical\w*|assum(?:e|ing)|what\ if|were\ to|let's\ say|
        as\ a\ thought|thought\ experiment)\b | ^\W*say\ (?:we|i|he|she|they|you|the)\b
    | \bif\b.{{1,80}}\b(?:would|'d|were)\b | \b(?:would|'d)\b.{{1,80}}\bif\b
    | \b(?:shelved|undone|unmerged|called\ it\ off|fell\ through|
        false\ alarm|rumou?rs?|gossip|nonsense|not\ true|untrue|all\ wrong|misunderst\w+|hoax|
        contrary\ to|claim(?:s|ed)?|whisper\w*)\b
    | \b(?:nothing|none\ of\ this)\ (?:has\ )?chang\w+
    | \b\w*{_NOT}\ (?:\w+\ ){{0,2}}(?:{_CHANGED}|stepp?\w*|go(?:ne|ing)?|brought|clos\w+|
        sold|quit\w*|sign\w*)\b(?!.*\bafter\ all\b) | \b{_NOT}\ (?:signed|done|decided|yet)\b
    | \b(?:didn't|did\ not)(?:\.|$)
    | \b(?:years|ages|decades|long)\ ago\b | \bback\ (?:then|in)\b | \bin\ those\ days\b
    | \bat\ (?:that|the)\ time\b | \bformerly\b | \bonce\ upon\b | \bhistoric\w*\b
    | \barchiv(?:e|al)\b | \boriginally\b | \b(?:we|i|they|he|she|it)(?:\ was|\ were)?\ once\b
    | \bas\ a\ (?:child|kid|boy|girl|teenager|student|pupil|junior)\b
    | \b(?:until|till|up\ to)\ (?:19|20)\d\d\b | \bin\ the\ old\ (?:company|days|job|flat|house|
        team|office|place|times)\b | \b(?:years|months)\ before\b
    | \breverted\b | \broll(?:ed|ing)?\ (?:it\ |this\ |that\ |them\ )?back\b | \bundid\b
    | \b(?:went|gone|am|are|is|was|were|'m|'re|'s|switched|changed|moved)\ back\ (?:on|to)\b
    | \bin\ (?:my|our|his|her)\ (?:\w+'s\ )?(?:time|day|youth|childhood)\b
    | \b(?:were|was)\b.*\bthen\b
    | \bin\ (?:19|20)\d\d\b.*\b(?:was|were|had|allowed|came|ran|used)\b
    | \b(?:was|were|had|launched|ran|used|began)\b.*\bin\ (?:19|20)\d\d\b | \b(?:19|20)\d\d-\d\d:
    """,
)
# Comparisons and continuations; beside a change they do not count against it.
_COMPARES = _LazyPattern(
    r"""
    \b\w+er\b.{0,40}\b(?:than|compared)\b | \b(?:more|less|better|worse)\b.{0,40}\bthan\b
    | \bcompar(?:e|es|ed|ison|ing)\b | \bversus\b | \bvs\.?\b | \bside\ by\ side\b | \bbeats?\b
    | \b(?:competitors?|magazine|benchmark\w*|prototype|spike|poll)\b
    | ^\W*(?:i\ |we\ )?(?:tried|test-drove|demoed|played\ with)\b
    | \b(?:stay(?:s|ed)?|remain(?:s|ed)?)\ (?:as|what|where|the\ same|unchanged|put|with)\b
    | \b(?:is|are|'s)\ the\ same\ as\ before\b | \bun(?:touched|affected|changed)\b
    | \babandon\w+\b | \b\w+ing\b.{1,60}\bwould\b
    | \bused\ to\b | \bonce\b | \bstill\ a\b
    """,
)
_TITLE = pattern(r"\b(Mr|Mrs|Ms|Dr|Prof|St)\.(?= )")
_ASKS = pattern(
    r"^\W*(?:(?:so|and|but|hey|hi|ok|btw|by the way)\b\W*)*(?:who|whom|whose|what|which|when|where|"
    r"why|how|does|do|did|is|are|was|were|has|have|can|could|should|shall|will|would|any(?:one|body)|"
    r"am)\b(?!.*[.!]$)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Stance:
    """The sentences of a text: those that state something, that do not, and that tell a change."""

    asserted: tuple[str, ...]
    unasserted: tuple[str, ...]
    changes: tuple[str, ...]

    @property
    def tells_change(self) -> bool:
        """Whether any sentence tells a change."""
        return bool(self.changes)


def stance(text: str) -> Stance:
    """Return the stance of *text*."""
    asserted: list[str] = []
    unasserted: list[str] = []
    said = sentences(text)
    lines = "\n".join(said)
    # Most texts match in no sentence, which one search over all of them shows.
    may_leave = _UNASSERTED.may_be_in(lines) or _COMPARES.may_be_in(lines)
    for sentence in said:
        is_left_open = is_unasserted(sentence) if may_leave else is_question(sentence)
        (unasserted if is_left_open else asserted).append(sentence)
    changes = filter(_TELLS_CHANGE.search, asserted) if _TELLS_CHANGE.may_be_in(lines) else ()
    return Stance(tuple(asserted), tuple(unasserted), tuple(changes))


def sentences(text: str) -> list[str]:
    """Return the sentences of *text* that are read; the dot of a title ends none."""
    read = _TITLE.sub(r"\1", text[:READ_CHARS_MAX].replace("\u2019", "'"))
    return [sentence for sentence in split_sentences(read) if sentence.strip()]


def is_only_question(text: str) -> bool:
    """Say whether *text* asks and states nothing."""
    said = sentences(text)
    return bool(said) and all(map(is_question, said))


def is_unasserted(sentence: str) -> bool:
    """Say whether a sentence only asks, plans, compares or denies."""
    if is_question(sentence) or _UNASSERTED.search(sentence):
        return True
    return bool(_COMPARES.search(sentence)) and not _TELLS_CHANGE.search(sentence)


def is_question(sentence: str) -> bool:
    """Say whether a sentence is a question."""
    return sentence.rstrip("\"')» ").endswith("?") or bool(_ASKS.match(sentence))
