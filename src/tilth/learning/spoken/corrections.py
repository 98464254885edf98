"""
Read corrections: what somebody puts right, and what they take back (DU-053).

"No" alone corrects nothing, and neither do "no worries" and "no, thanks": the right value must be
said. A correction that only points ("no, it's 5433") is told as the sentence of the other side that
it corrects, with the right value in it.
"""

import re
from collections.abc import Iterator

from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError, LimitExceededError
from tilth.core.text.prose import Sentence, sentences
from tilth.episodes.episode import Role
from tilth.knowledge.facts.statement import Statement
from tilth.learning.candidate import Candidate, StatementKind, Turn
from tilth.learning.spoken.clause_forms import Reading, is_agents
from tilth.learning.text.clause_context import told_with_context, without_lead
from tilth.learning.text.clauses import Clause, clauses
from tilth.learning.text.third_person import in_third_person
from tilth.learning.text.triples import read_sentence
from tilth.learning.text.wholeness import is_whole

# In characters, the longest message that may be only the right value (DU-053).
SHORT_CHARS_MAX = 30
# In characters. In a longer message, "make it 5" tells how to do a task.
_LONG_CHARS = 400
_VALUE_WORDS_MAX = 8
# In words. A longer new value may say more, so it is told beside what it corrects.
_REPLACED_WORDS_MAX = 2
_IS = (
    r"(?:'s|'re|is|are|was|were|should be|should have been|has to be|must be|will be|means|"
    r"uses?|runs? on|points? to|lives? (?:in|at)|moved to|listens on|stays?|remains?|be|have|"
    r"has|wants?|needs?)"
)
_PREPOSITION = r"(?:(?:in|on|at|to|by|for|from|the|a|an|with)\s+)*"
_LEADS = re.compile(r"in|on|at|to|by|for|from|with", re.IGNORECASE)
_NOT = (
    r"(?:\s*,\s*(?:and\s+)?not|\s+not|\s*,?\s+(?:rather than|instead of|as opposed to|no longer))"
)
_WORDS = r"[^\s,;.!?](?:[^,;!?\n]{0,80}?[^\s,;!?])?"
_CONTRAST = re.compile(
    rf"(?:(?P<subject>.{{0,120}}?){_IS}\s+(?:really |actually |now )*)?{_PREPOSITION}"
    rf"(?P<new>{_WORDS}){_NOT}\s+{_PREPOSITION}(?P<old>[^\s,;!?]+(?:\s[^\s,;!?]+){{0,4}}?)[.!]*$",
    re.IGNORECASE,
)
_NOT_BUT = re.compile(
    rf"(?:.{{0,80}}?{_IS}\s+)?(?:not|isn't|aren't|wasn't)\s+{_PREPOSITION}(?P<old>{_WORDS})"
    rf"(?:\s*,?\s+but(?: rather)?|\s*,)\s+(?:it's |that's )?{_PREPOSITION}(?P<new>{_WORDS})[.!]*$",
    re.IGNORECASE,
)
_MEANT = re.compile(
    r"(?:i (?:meant|mean|said|wanted)|make (?:that|it)|it should (?:be|read|say)|"
    r"should (?:be|read|say)|it's supposed to be|change (?:that|it) to|rather|i was thinking of)"
    rf"\s+(?:to say\s+)?{_PREPOSITION}(?P<new>{_WORDS})[.!]*$",
    re.IGNORECASE,
)
_POINTING = r"(?:it|that|this|they|those|these|he|she|there|its|mine|ours)"
_VALUE = re.compile(
    rf"(?P<subject>{_POINTING})\s*{_IS}\s+(?:actually |really |now |more like |"
    rf"about |around |called |named |still |only |just )*{_PREPOSITION}(?P<new>{_WORDS})[.!]*$",
    re.IGNORECASE,
)
# What is so "now" was not so before, if a value of its kind was mentioned.
_NOW = re.compile(
    rf"(?=.*\bnow\b)(?P<subject>{_POINTING})\s*(?:'s|is|are|'re)\s+(?:now\s+)?{_PREPOSITION}"
    rf"(?P<new>{_WORDS}?)(?:\s+now)?[.!]*$",
    re.IGNORECASE,
)
_SAYS = re.compile(
    rf"(?P<subject>(?:we|i|you|the|our|my|their|his|her|dr|mr|ms|(?-i:[A-Z])|"
    rf"[\w`-]+)[^,;!?]{{0,80}}?)\s*(?:{_IS}|\w+ed|\w+s|use|run|live|have|need|want|do|went|"
    rf"built|sent|took|made|got|left)\s+(?P<new>{_WORDS})[.!]*$",
    re.IGNORECASE,
)
_USE = re.compile(
    rf"(?:use|try|take|call it|name it|it's called)\s+(?P<new>{_WORDS})[.!]*$", re.IGNORECASE
)
_ACTUALLY = re.compile(
    rf"(?P<subject>.{{1,100}}?)\s*{_IS}\s+(?:actually|in fact|more like|"
    rf"really)\s+{_PREPOSITION}(?P<new>{_WORDS})[.!]*$",
    re.IGNORECASE,
)
_GONE = re.compile(
    r"(?:i|we|they|he|she|it|the [\w -]{1,40}|[\w'`-]+(?: [\w'`-]+){0,3}?)\s+(?:(?:don't|"
    r"doesn't|do not|does not|isn't|aren't|can't|is not|are not)\s+(?P<old>[^,;!?]{1,60}?)\s+"
    r"(?:any ?more|any longer)|(?:is |are )?no longer\s+(?P<gone>[^,;!?]{1,60}))[.!]*$",
    re.IGNORECASE,
)
_OUTDATED = re.compile(
    rf"(?:^|[\s,])(?:(?P<old>[^\s,;]+(?:\s[^\s,;]+){{0,3}})\s+(?:is|are|was|were)\s+"
    rf"(?:old|outdated|wrong|stale|incorrect|history|from before)|(?:isn't|aren't|is not|are not|"
    rf"wasn't|not)\s+{_PREPOSITION}(?P<denied>[^\s,;]+(?:\s[^\s,;]+){{0,3}})|"
    r"(?:been|was|were|got) replaced)\s*,(?:[^.;!?,]{1,60},)?\s*$",
    re.IGNORECASE,
)
# A preference is none, whatever it is contrasted with.
_TASTE = re.compile(
    r"\b(?:prefer|like|want|rather|love|hate|wish)(?:s|ed)?\b(?! than)", re.IGNORECASE
)
_BARE = re.compile(r"(?P<new>\S+(?: \S+){0,2})[.!]*$")
_NOW_INSTEAD = re.compile(
    rf"(?P<subject>.{{1,80}}?)\s*{_IS}\s+(?P<new>{_WORDS})\s+(?:now\s+)?instead "
    rf"of\s+(?P<old>{_WORDS})[.!]*$",
    re.IGNORECASE,
)
_BENIGN = re.compile(
    r"(?:fine|ok(?:ay)?|good|great|"
    r"still\b|all\b|perfect|correct|right|cool|enough|not\b|no\b|a problem|problem|done|working|"
    r"just|me\b|you\b|too|up to|because|what|how|why|so\b|like\b|time|possible|easy|hard|nothing|"
    r"something|true|weird|strange|funny|late\b|early\b|embarrassing|worth|sure|nice|fun\b|"
    r"better|worse|best|awesome|alright|clear|simple|helpful|interesting|amazing|wonderful|lovely|"
    r"worries|need|thanks|idea|rush|stress|clue|doubt|hurry|never mind|nevermind|yet|only|really|"
    r"sorry|quite|exactly|bad|that|this|it\b|them|kidding|been|going to|already|[a-z]+ing\b|"
    r"the (?:point|problem|issue|case|thing|same|idea)|gone|off|on\b|down|up\b|back|here|there)\b",
    re.IGNORECASE,
)
_SHORT = re.compile(
    r"(?:(?:no|nope|nah|wait|sorry|actually|rather|instead|oops|then|"
    r"use|make it|make that|i meant|i mean|it's|its)[,.!: ]+)+(?P<new>\S+(?: \S+){0,3}?)[.!]*$",
    re.IGNORECASE,
)
_SHORT_CONTRAST = re.compile(
    r"(?P<new>\S+(?: \S+){0,2}?)(?:,| -)? not (?P<old>\S+(?: \S+){0,2}?)[.!]*$", re.IGNORECASE
)
_SPECIFIC = re.compile(r"\d|[A-Z`/@_#]|^x+$|\bx{2,}\b")
_FIGURE = re.compile(r"[$€£]?\d[\d.,:]*(?:\s?[A-Za-z%°/]+)?")
_DIGITS = re.compile(r"\d[\d.,:]*")
_NAME = re.compile(r"(?<![.!?]\s)(?<!^)\b[A-Z][\w-]+")
_PARTS = re.compile(
    r"\b(?:since|because|instead|now|in case|though|anyway|by the way|btw|please|pls|until|at "
    r"the moment)\b",
    re.IGNORECASE,
)
_SURE, _LIKELY, _POINTED = 0.9, 0.8, 0.75


def corrections(turn: Turn) -> Iterator[Candidate]:
    """Yield what a person puts right in a turn, with the value that they take back."""
    if not turn.is_spoken or turn.episode.role is not Role.USER:
        return
    for clause in clauses(turn.episode.text):
        reading = correction(clause, turn)
        if reading is not None and (candidate := _candidate(clause, reading, turn)):
            yield candidate


def _candidate(clause: Clause, reading: Reading, turn: Turn) -> Candidate | None:
    quote = turn.episode.text[clause.start : clause.end]
    text = in_third_person(reading.text or without_lead(quote), turn.episode)
    if not is_whole(text):
        return None
    try:
        read = read_sentence(text)
        said = Statement(
            text=text,
            triple=read.triple if read else None,
            channel=read.channel if read else None,
        )
    except (InvalidInputError, LimitExceededError):
        return None
    return Candidate(
        said,
        quote,
        StatementKind.CORRECTION,
        reading.confidence,
        old_value=reading.old_value,
        new_value=reading.new_value,
    )


def correction(clause: Clause, turn: Turn) -> Reading | None:
    """Return what a clause puts right; None if nothing, or if it does not say what is right."""
    if clause.is_asked or (is_agents(turn) and not clause.is_denying):
        return None
    if len(turn.episode.text) > _LONG_CHARS and not clause.is_denying:
        return _contrast(clause, turn)
    return _contrast(clause, turn) or _after_denial(clause, turn) or _short(clause, turn)


def _short(clause: Clause, turn: Turn) -> Reading | None:
    """Return the correction in a message that is little more than the right value."""
    text = turn.episode.text.strip()
    if len(text) > SHORT_CHARS_MAX or is_agents(turn) or clause.order:
        return None
    if found := _SHORT_CONTRAST.match(text):
        is_heard = _mentions(turn, found["old"])
        return _reading(clause, turn, found["new"], found["old"], _SURE) if is_heard else None
    found = _SHORT.match(text)
    if found is None or _BENIGN.match(found["new"]) or not _SPECIFIC.search(found["new"]):
        return None
    return _reading(clause, turn, found["new"], None, _LIKELY)


def _contrast(clause: Clause, turn: Turn) -> Reading | None:
    """Return the correction that names the wrong value beside the right one."""
    plain = clause.plain
    if _TASTE.search(plain):
        return None
    for form in (_NOW_INSTEAD, _CONTRAST, _NOT_BUT):
        found = form.match(plain)
        if found is None or _BENIGN.match(found["old"]) or _BENIGN.match(found["new"]):
            continue
        new = clause.said(*_alike(plain, found))
        old = clause.said(*found.span("old")).rstrip(".!")
        is_known = _mentions(turn, old)
        if is_known or clause.is_denying or (_SPECIFIC.search(old) and _SPECIFIC.search(new)):
            return _reading(clause, turn, new, old, _SURE if is_known else _LIKELY)
    if found := _GONE.match(plain):
        group = "old" if found["old"] else "gone"
        old = clause.said(*found.span(group)).split(" ", 1)[-1]
        return Reading(kind=StatementKind.CORRECTION, confidence=_LIKELY, old_value=old)
    return None


def _alike(plain: str, found: re.Match[str]) -> tuple[int, int]:
    """
    Return the span of the right value.

    In "measure it in celsius, not in kelvin" it also follows the word before the wrong one.
    """
    begin, end = found.span("new")
    ahead = plain[end : found.start("old")].split()
    is_long = len(found["new"].split()) > _REPLACED_WORDS_MAX
    if is_long and ahead and _LEADS.fullmatch(ahead[-1]):
        lead = re.compile(rf"\b{re.escape(ahead[-1])}\s+", re.IGNORECASE)
        begin = max((led.end() for led in lead.finditer(plain, begin, end)), default=begin)
    return begin, end


def _after_denial(clause: Clause, turn: Turn) -> Reading | None:
    """Return the correction that follows a no, or a statement that something is outdated."""
    outdated = _OUTDATED.search(clause.ahead)
    old = (outdated["old"] or outdated["denied"]) if outdated else None
    for form in _forms(clause, turn, is_outdated=outdated is not None):
        found = form.match(clause.plain)
        if found is None or _BENIGN.match(found["new"]):
            continue
        new = clause.said(*found.span("new"))
        if form not in {_VALUE, _USE, _NOW} and not _SPECIFIC.search(new):
            continue
        if old and any(map(str.isdigit, old)) and not any(map(str.isdigit, new)):
            continue
        is_heard = clause.is_denying or form is _NOW or (old is not None and _mentions(turn, old))
        if outdated and not is_heard and not _SPECIFIC.search(new):
            continue
        is_sure = clause.is_denying or outdated is not None
        return _reading(clause, turn, new, old, _SURE if is_sure else _POINTED)
    return None


def _forms(clause: Clause, turn: Turn, *, is_outdated: bool) -> list[re.Pattern[str]]:
    """Return the forms in which a clause may give the right value, judging by its context."""
    forms = [_MEANT, _ACTUALLY]
    before = turn.before.text if turn.before else ""
    # Both contain a figure.
    if _DIGITS.search(clause.plain) and _DIGITS.search(before):
        forms.append(_NOW)
    if is_outdated:
        forms += [_VALUE, _BARE]
    return [*forms, _VALUE, _USE, _SAYS, _BARE] if clause.is_denying else forms


def _reading(clause: Clause, turn: Turn, new: str, old: str | None, worth: float) -> Reading:
    new = _PARTS.split(new)[0].strip(" ,.!")
    new = " ".join(new.split()[:_VALUE_WORDS_MAX]).strip("`\"' ")
    wrong = _wrong(turn, new, old)
    return Reading(
        kind=StatementKind.CORRECTION,
        confidence=worth,
        text=_mended(clause, turn, new, wrong) if _POINTS.match(clause.plain) else "",
        old_value=wrong.value if wrong else old,
        new_value=new or None,
    )


@dataclass(frozen=True, slots=True)
class _Wrong:
    """What is corrected: a value, with its sentence and position."""

    sentence: Sentence
    value: str
    begin: int


def _mended(clause: Clause, turn: Turn, new: str, wrong: _Wrong | None) -> str:
    """Return the corrected sentence with the right value, for a correction that only points."""
    is_long = len(new.split()) > _REPLACED_WORDS_MAX
    if wrong is None or wrong.sentence.plain.endswith("?") or is_long:
        return told_with_context(clause, turn)
    end = wrong.begin + len(wrong.value)
    return f"{wrong.sentence.text[: wrong.begin]}{new}{wrong.sentence.text[end:]}"


def _wrong(turn: Turn, new: str, old: str | None) -> _Wrong | None:
    """Return the other side's last mention of *old*, or of a value of the kind of *new*."""
    for sentence in reversed(sentences(turn.before.text)) if turn.before else ():
        value = old or _like(new, sentence.text)
        begin = sentence.text.casefold().find(value.casefold()) if value else -1
        if value and begin >= 0:
            return _Wrong(sentence, sentence.text[begin : begin + len(value)], begin)
    return None


def _like(new: str, text: str) -> str | None:
    """Return the only value in *text* of the kind of *new*; None if there is not exactly one."""
    if _DIGITS.fullmatch(new):
        found = [one.rstrip(".,:") for one in _DIGITS.findall(text)]
    elif _FIGURE.fullmatch(new):
        found = _FIGURE.findall(text)
    elif new[:1].isupper():
        found = _NAME.findall(text)
    else:
        return None
    alike = list(dict.fromkeys(one for one in found if one != new))
    return alike[0] if len(alike) == 1 else None


_POINTS = re.compile(
    rf"(?:{_POINTING}\b|(?:i (?:meant|mean|said)|make|should|use|rather|then|no|still)\b|"
    r"\S+(?: \S+)?,? not\b|\S+[.!]*$)",
    re.IGNORECASE,
)


def _mentions(turn: Turn, old: str) -> bool:
    """Say whether the other side said what is taken back."""
    return turn.before is not None and old.casefold().strip("`\"' ") in turn.before.text.casefold()
