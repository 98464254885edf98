"""
What an agent tells when it answers, or reports: in plain sentences, and under headings.

"The pool is 40 per pod, as it was before": an agent says in one breath what it found and why, so
a sentence stays whole; what follows a semicolon is another. Agents talk mostly of the code in
front of them, which says itself what it is; that is left out, and so is what they are about to
do. At length only a sentence with a value in it counts, as it is mostly an item of a list.

A heading says of what kind the items below it are: what was done, what it found, what is left.
What stands under a plan, a question or a proposal is none of these. What has no verb, or was not
done, is told with its heading.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby, islice

from tilth.episodes.episode import EpisodeKind, Role
from tilth.knowledge.facts.statement import Statement
from tilth.knowledge.vocabulary.registries import Channel
from tilth.learning.candidate import Candidate, Malformed, StatementKind, Turn
from tilth.learning.spoken.kinds import kind_reported
from tilth.learning.text.clauses import Clause, clauses
from tilth.learning.text.context import follows, is_at_work, leans
from tilth.learning.text.prose import Sentence, plain, prose
from tilth.learning.text.third_person import told
from tilth.learning.text.verbs import PREDICATES, claim_in
from tilth.learning.text.wholeness import is_whole
from tilth.learning.values.claims import is_claimed, is_echo, is_supposed

_LIKELY = 0.75
_REPORT_CHARS_MAX = 6000
_ITEM_CHARS_MAX, _ITEM_WORDS_MIN = 260, 3
# Of prose below a heading the first sentences are what it says.
_SENTENCES_MAX = 2
_HEADING = re.compile(
    r"[ \t]*(?:#{1,6}[ \t]+(?P<hash>[^\n#]{2,60}?)[ \t#]*$|(?P<stars>\*{1,2})"
    r"(?P<bold>[^*\n]{2,50}?):?(?P=stars):?(?:[ \t]*$|(?<=:)[ \t]+|(?<=:\*)[ \t]+|"
    r"(?<=:\*\*)[ \t]+)|(?P<lead>[A-Z][^\n.!?:*]{1,60}(?:\. Summary)?):(?:[ \t]*$|[ \t]+))"
)
_ITEM = re.compile(
    r"[ \t]*(?:[-*+\u2022]|\d{1,2}[.)]|(?P<tick>[\u2705\u2714\u2611]\ufe0f?))[ \t]+(?:\[x\][ \t]+)?"
    r"(?P<item>\S[^\n]*)"
)
_SENTENCE = re.compile(r"\S[^\n]*?[.!?](?=\s|$)|\S[^\n]*")
_WHAT = r"(?:what (?:i|we|was|is|has been|had)|all|now|the|my|here is what i) ?"
_OF_LEFT = re.compile(
    r"(?:what(?: is|'s) )?(?:still |half )?(?:not (?:yet )?(?:done|started|changed|covered|fixed|"
    r"tested|checked)|left(?: alone| open| out| undone)?|remaining|open|known \w+|caveats?|"
    r"limitations?|gaps?|missing|unresolved|to be done|half done)\b|"
    r"what (?:i|we) (?:could(?:n't| not)|did(?:n't| not)) ",
    re.IGNORECASE,
)
_OF_DONE = re.compile(
    rf"(?:{_WHAT})?(?:done|did|changed?|changes|fixed|fixes|finished|added|implemented|renewed|"
    r"delivered|shipped|completed|migrated|moved|summary|outcome|done\. summary|report)\b"
    r"(?! next)|.{2,40} (?:done|finished|complete)$",
    re.IGNORECASE,
)
_OF_FOUND = re.compile(
    rf"(?:{_WHAT})?(?:found|find(?:ings?)?|wrong|happened|root cause|causes?|results?|learned|"
    r"lessons?|measure\w*|numbers|timings|(?:how it was )?(?:checked|verified|tested|tests)|"
    r"about \w+|diagnosis|extent|affected|traps?|gotchas?|noticed|remarks?|notes?|"
    r"where (?:it|we) stands?|worth knowing|observations?|stat(?:e|us)|caution|rejection reason)\b",
    re.IGNORECASE,
)
_KINDS = (
    (_OF_LEFT, StatementKind.GAP),
    (_OF_DONE, StatementKind.MILESTONE),
    (_OF_FOUND, StatementKind.FACT),
)
# What nobody could try or find is open, wherever it stands.
_COULD_NOT = re.compile(
    r"\b(?:i|we) (?:can't|cannot|could not|couldn't|was unable to|were unable to|did not|didn't) "
    r"(?:run|test|try|check|find|verify|reproduce|reach|measure)\b|\bi could not \w+ at all\b",
    re.IGNORECASE,
)
_PROPOSED = re.compile(
    r"\?\s*$|\b(?:should|could(?! not)|would|might|consider|recommend\w*|suggest\w*|i'll|i will|"
    r"if you|you can|let me|lines? \d|comprehensive\w*|successfully|probably)\b|^\d{1,2}[.)]\s|"
    r"^(?:so|its?|it's|this|that|these|those|they|there|he|she|then|also)\b|^[^\w\s`\"'(~/$+-]",
    re.IGNORECASE,
)
# "Logs the start", "Creates a context": what a piece of code does, not what was done.
# Nor which line of which file, what follows a dash after a name of code, or a drawing.
_ABOUT_CODE = re.compile(
    r"(?!this\b|was\b)[a-z]+s (?:the|an?|all|each|every|any|context|x{2,})\b|"
    r"(?:[\w ]{0,30} )?x{3,} ?(?:\([^)]{0,80}\) ?)?[-\u2013\u2014(]|[\w ]{2,40} \u2014 x{3,}|"
    r"[A-Z]\. |(?:when|if|with|likely|for example)\b|.*\u2192",
    re.IGNORECASE,
)
_AT_LINE = re.compile(r"[\w/]\.[a-z]{1,4}:\d")
# A longer heading is no name for what stands below it.
_HEADING_WORDS_MAX = 5
# More items than this are a log of changes, of which the commit tells.
_ITEMS_MAX = 6
# Who reports more than this writes minutes, of which the next reader needs the document.
_REPORT_MAX = 9
# Something in it has a name or a number.
_MARKED = re.compile(r"\d|`|[a-z)] [A-Z]")


@dataclass(frozen=True, slots=True)
class _Above:
    """A heading, of what kind what stands under it is, and where the section begins."""

    heading: str = ""
    kind: StatementKind | None = None
    section: int = 0


@dataclass(frozen=True, slots=True)
class _Item:
    """Words of a report, and what stands above them."""

    text: str
    above: _Above


def reports(turn: Turn) -> Iterator[Candidate | Malformed]:
    """Yield what an agent reports under headings before it hands over."""
    episode = turn.episode
    is_message = episode.role is Role.ASSISTANT and episode.kind is EpisodeKind.MESSAGE
    if not (is_message and turn.is_last) or len(episode.text) > _REPORT_CHARS_MAX:
        return
    told_items: list[_Item] = []
    for _, section in groupby(_items(episode.text), key=lambda item: item.above.section):
        items = list(section)
        if len(items) <= _ITEMS_MAX:
            told_items += filter(_is_item_telling, items)
    if len(told_items) <= _REPORT_MAX:
        yield from (_candidate(item, turn) for item in told_items)


def _is_item_telling(item: _Item) -> bool:
    """Say whether an item tells what is so, and not what could be, or what a piece of code does."""
    seen = plain(item.text).strip()
    is_told = _PROPOSED.search(seen) is None and _ABOUT_CODE.match(seen) is None
    is_told = is_told and _AT_LINE.search(item.text) is None
    is_left = item.above.kind is StatementKind.GAP
    if not is_told or len(seen.split()) < _ITEM_WORDS_MIN - is_left or not is_whole(item.text):
        return False
    if claim_in(seen) is None:
        # What was found is a sentence; what was done may be told with its heading, if that is one.
        is_headed = len(item.above.heading.split()) <= _HEADING_WORDS_MAX
        if item.above.kind is StatementKind.FACT or not is_headed:
            return False
    # What is left undone is seldom a sentence; of the rest a bare phrase says nothing.
    return is_left or _MARKED.search(item.text) is not None or claim_in(seen) is not None


def _candidate(item: _Item, turn: Turn) -> Candidate:
    seen, kind = plain(item.text), item.above.kind
    assert kind is not None
    is_own = _COULD_NOT.search(seen) is not None
    is_led = not is_own and (kind is StatementKind.GAP or claim_in(seen) is None)
    words = told(item.text, turn.episode)
    said = Statement(text=f"{item.above.heading}: {words}" if is_led else words)
    return Candidate(said, item.text, StatementKind.GAP if is_own else kind, _LIKELY)


def _items(text: str) -> Iterator[_Item]:
    """Yield the items below the headings that say of what kind they are, in their order."""
    above, at, is_listed = _Above(), 0, False
    for line in prose(text).split("\n"):
        begin, at = at, at + len(line) + 1
        if found := _HEADING.match(line):
            heading = (found["hash"] or found["bold"] or found["lead"]).strip()
            above, is_listed = _Above(heading, _kind_of(heading), begin), False
            yield from _said(line, found.end(), above)
        elif found := _ITEM.fullmatch(line):
            # A tick says what no heading needs to.
            kind = StatementKind.MILESTONE if found["tick"] else above.kind
            if kind is not None:
                yield _Item(_bounded(found["item"]), replace(above, kind=kind))
            is_listed = True
        elif line.strip():
            # What follows a list sums it up, or leads on.
            above = _Above() if is_listed else above
            yield from _said(line, 0, above)


def _said(line: str, at: int, above: _Above) -> Iterator[_Item]:
    """Yield the first sentences of a line of prose that stands under a heading, or in its line."""
    if above.kind is not None:
        # In the line of its heading the first sentence is what it says.
        most = 1 if at and above.kind is StatementKind.GAP else _SENTENCES_MAX
        for one in islice(_SENTENCE.finditer(line, at), most):
            yield _Item(one[0].strip(), above)


def _kind_of(heading: str) -> StatementKind | None:
    words = heading.strip("*_ ")
    return next((kind for form, kind in _KINDS if form.match(words)), None)


def _bounded(item: str) -> str:
    """Return an item, or where that is long its first sentence."""
    item = item.strip()
    if len(item) <= _ITEM_CHARS_MAX:
        return item
    found = _SENTENCE.match(item)
    return found[0] if found else item


_FAIR = 0.7
# Whoever explains at length does not answer.
_ANSWER_CHARS_MAX = 220
_REMARKS_CHARS_MAX = 4000
_ITEM_WORDS_MAX = 30
_WORDS_MIN = 4
_UNMARKED_WORDS_MIN = 6
# It says something of what was named before it.
_PREDICATE = re.compile(rf"(?:{PREDICATES}|all|last|only)\b", re.IGNORECASE)
_REASON = re.compile(r"\b(?:because|since|so|as|which)\b", re.IGNORECASE)
# What will be asked for again: an address, a place, a version, a measure, a day, how many.
_KEEPSAKE = re.compile(
    r"\d+\.\d+|(?<![\w.])[~$]?/\w[\w.-]*/\w|:\d{2,5}\b|\bports? \d|https?://|\d{4}-\d\d-\d\d|"
    r"\b\d[\d.,]*\s?(?:[kKMGT]i?B|ms|s|sec|seconds?|min|minutes?|h|hours?|days?|weeks?|months?|"
    r"W|kW|V|%|\u00b0|rps|rows?|a (?:second|minute|hour|day|month)|per \w+|euros?|EUR|USD)(?!\w)|"
    r"[$\u20ac\u00a3]\s?\d|\b\d[\d,]{3,}\b|^\d[\d.,]* [a-z]"
)
# "Open: payment, shipping, imprint": what is of a kind, and which.
_LISTED = re.compile(r"[\w' -]{2,40}: \S[^:]*, [^:]*\S")
# Words with which no statement begins that stands by itself, or tells of more than the moment.
_NO_START = re.compile(
    r"(?:i|we|you|it|that|this|there|then|here|one|let|"
    r"let's|let us|done|noted|ok|yes|no|your|or|and|which|also|but|so|now|these|those|they|he|she|"
    r"perfect|great|good|looking|next|first|both|since|when|if|because|as|at|to|in|on|with|for|"
    r"from|add|update|fix|resolve|remove|call|reply|use|run|make|set|put|write|change|move|rename|"
    r"check|see|say|try|get|keep|leave|take|tell|replace|restart|install|reboot|delete|all|last|"
    r"was|were|is|has|had|falls?|so|what|who|how|why|where)\b|\w+ing\b(?! (?:is|are|was|has)\b)|"
    r"\w+s (?:an?|the)\b|(?:i|you|it|that|there|they|we)'|[A-Z][a-z]+ed\b|[-*#>]",
    re.IGNORECASE,
)
_OF_CODE = re.compile(
    r"\bcan\b|`[^`]*(?:[a-z][A-Z]|[A-Z][a-z]+[A-Z]|\(\)|::|\.(?:go|py|pyi|ts|tsx|js|jsx|rs|java|c|h|cc|cpp|"
    r"rb|php|cs|swift|kt|vue|css|html|md|json|ya?ml|toml)\b)|--\w|\blines? \d"
    r"|\b(?:function|method|struct|fields?|class|variable|diagnostics|conflict|commits?|"
    r"branch|tests?|traceback|stack|stub|wrapper|return(?:s|ed)?|parameter|argument|type|"
    r"risk|compilation|lint)\b",
    re.IGNORECASE,
)


def remarks(turn: Turn) -> Iterator[Candidate | Malformed]:
    """Yield what an agent tells when it answers or reports."""
    episode = turn.episode
    is_message = episode.role is Role.ASSISTANT and episode.kind is EpisodeKind.MESSAGE
    if not is_message or is_at_work(turn) or len(episode.text) > _REMARKS_CHARS_MAX:
        return
    for sentence, parts in groupby(clauses(episode.text), key=lambda clause: clause.sentence):
        for start, end in _statements(sentence, parts):
            text, plain = sentence.text[start:end], sentence.plain[start:end]
            is_telling = _is_telling(text, plain, sentence, turn)
            if is_telling and is_whole(text) and not is_echo(text, turn):
                kind = kind_reported(plain)
                channel = Channel.ENTITY if kind is StatementKind.FACT else None
                said = Statement(text=told(text, episode), channel=channel)
                yield Candidate(said, text, kind, _FAIR)


def _statements(sentence: Sentence, parts: Iterable[Clause]) -> Iterator[tuple[int, int]]:
    """
    Yield where each statement of a sentence begins and ends, without what only opens it.

    A clause goes on with those after it that give its reason, or state nothing themselves.
    """
    if is_supposed(sentence.plain) or not is_claimed(sentence.plain):
        return
    begin = end = 0
    for clause in parts:
        start = clause.start - sentence.start
        if end and _is_apart(sentence, begin, end, clause):
            yield begin, end
            end = 0
        begin, end = begin if end else start, start + len(clause.text)
    if end:
        yield begin, end


def _is_apart(sentence: Sentence, begin: int, end: int, clause: Clause) -> bool:
    """Say whether a clause is another statement than that from *begin* to *end* before it."""
    joint = sentence.plain[end : clause.start - sentence.start]
    if ";" in joint:
        return True
    said = sentence.text[begin:end]
    is_telling = claim_in(said) is not None or _MARKED.search(said) is None
    is_stated = claim_in(clause.plain) is not None and _MARKED.search(clause.text) is not None
    is_stated = is_stated and not leans(clause.plain) and not _PREDICATE.match(clause.plain)
    return is_telling and is_stated and _REASON.search(joint) is None


def _is_telling(text: str, plain: str, sentence: Sentence, turn: Turn) -> bool:
    words = len(plain.split())
    if text.endswith(":") or words < _WORDS_MIN or _NO_START.match(plain):
        return False
    if _OF_CODE.search(text) is not None:
        return False
    if len(turn.episode.text) > _ANSWER_CHARS_MAX or not follows(turn):
        is_kept = words <= _ITEM_WORDS_MAX and _KEEPSAKE.search(text) is not None
        return is_kept and claim_in(plain) is not None
    # The first words after a question are its answer, which is read with it.
    is_asked = turn.before is not None and turn.before.text.rstrip().endswith("?")
    if is_asked and sentence.start == 0:
        return False
    if _MARKED.search(text) is None:
        # What goes on from a name in the same breath may tell of it, if it tells enough.
        is_long = words >= _UNMARKED_WORDS_MIN
        if not is_long or _MARKED.search(sentence.text) is None:
            return False
    return claim_in(plain) is not None or _LISTED.fullmatch(plain) is not None
