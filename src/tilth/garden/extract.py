"""
Extract what a document says that is worth showing to a human: whole sentences, word for word.

No model is used. A sentence counts if it can be read alone, states something lasting rather than
what is being discussed, and is about the topic by its own words or its title. Its form of speech is
weighed as in `tilth.exchanges.worth`, with the weights for agents' reports.
"""

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

from tilth.core.dataclass import dataclass
from tilth.core.text.prose import FENCED, Sentence, sentences
from tilth.core.text.tokens import STOP_WORDS, index_terms
from tilth.episodes.episode import Role
from tilth.exchanges.worth import worth
from tilth.garden.standalone import SentencePlace, labelled, make_standalone

# In characters, how much is split at once; no sentence is longer.
_WINDOW_CHARS = 6_000
# A line that continues in the next one, unlike headings, code, tables, quotations and items.
_GOES_ON = re.compile(r"(?![#|>]|[ \t]{4})[^\n]*[A-Za-z][^\n]*(?<![\s|`])")
_ITEM = re.compile(r"[ \t]*(?:[-*+•]|\d+[.)])[ \t]+\S")
_ITEM_GOES_ON = re.compile(r"[ \t]*[^\s#|>][^\n]*[A-Za-z][^\n]*(?<![\s|])")
_FOLLOWS = re.compile(r"[A-Za-z0-9`'\"(_](?!\d*[.)] )(?![*_-]{2})")
# Decisions, requirements and explanations, which outlast the rest.
_SETTLES = re.compile(
    r"\b(?:must(?: not)?|shall|should(?: not)?|will (?:not |only |no longer )?(?:use|be|have|keep"
    r"|store|run|create|manage|need)|(?:is|are|was|were) (?:deprecated|replaced|removed|required"
    r"|recommended|rejected|accepted|adopted|superseded|defined|supported|used|stored|managed)"
    r"|decided|proposes?|introduces?|defines?|specifies|requires?|replaces?|deprecates?"
    r"|recommends?|adds|removes|allows?|provides?|ensures?|instead of|rather than|because|no longer"
    r"|by default|at most|at least|cannot|can ?not|only|we (?:will|shall))\b|^Use\b",
    re.IGNORECASE,
)
_IS = re.compile(r"\b(?:is|are|means|has|have|contains?|consists?)\b", re.IGNORECASE)
_HEDGES = re.compile(
    r"\b(?:may|might|could|perhaps|possibly|probably|seems?|maybe|likely|I think|we think|in theory"
    r"|would|ideally|in principle|hopefully)\b",
    re.IGNORECASE,
)
# Statements about a moment.
_DATED = re.compile(
    r"\b(?:now|nowadays|currently|today|recently|traditionally|so far|at (?:present|the moment))\b",
    re.IGNORECASE,
)
# Headings over what holds, and headings over the discussion or what was rejected.
_HEADING = re.compile(
    r"^(?:#{1,6}[ \t]+([^\n]+?)[ \t#]*$|(\S[^\n]{0,80})\n(?:={3,}|-{3,})[ \t]*$)", re.MULTILINE
)
_SETTLED_UNDER = re.compile(
    r"\b(?:abstract|summary|decisions?|resolution|requirements?|rules?|policy|specification)\b",
    re.IGNORECASE,
)
_ASIDE_UNDER = re.compile(
    r"\b(?:background|context|history|motivation|alternatives?|rejected|open (?:issues|questions)"
    r"|future|references|acknowledge?ments)\b",
    re.IGNORECASE,
)
# Headings over former problems, most of which no longer exist.
_AMISS_UNDER = re.compile(r"\b(?:rationale|problems?|introduction)\b", re.IGNORECASE)
_AMISS = re.compile(
    r"\b(?:unable|forced|impossible|difficult|hard(?:er)?|tedious|painful|confusing|cumbersome"
    r"|awkward|error-prone|inconsisten\w+|lacks?|lacking|suffers?|fails? to|problem\w*|no way)\b",
    re.IGNORECASE,
)
# A description that only identifies the thing: "Supporting X, which describe …".
_ACT = re.compile(r"[A-Z][a-z]+ing\b")
_WHICH = re.compile(
    r"(?:,|\b(?:in|of|to|for|with|by|from|on))? ?\b(?:which|that|who|whose)\b[^,;:]*"
)
_THING = re.compile(r"[A-Z`][\w`'-]*(?: [\w`'()./-]+){0,6}?,? (?:that|which|who) ")
_MODAL = re.compile(r"\b(?:will|can|may|must|should|do|does|did|be)\b", re.IGNORECASE)
_NEXT_CHARS = 12
# A document's own status: whether it came into force, and still is.
_STATUS = re.compile(
    r"^[\W_]*status[\W_]*?(?:\n\s*)?(rejected|withdrawn|superseded|replaced|deprecated|obsolete"
    r"|abandoned|deferred|draft|pending|proposed)\b",
    re.IGNORECASE | re.MULTILINE,
)
_STATUS_CHARS = 2_000
_VALUE = re.compile(r"`[^`]+`|\b\d+(?:\.\d+)*\b|\b[A-Z]{2,}\b|\b\w+_\w+\b")
_NO_WORDS = re.compile(r"\]\([^)\s]*\)|https?://\S+|`[^`]+`")
_LEAD_IN_CHARS, _INDENT_CHARS = 1_500, 8
_OF_LIST = re.compile(r"[ \t]*(?:[-*+•]|\d+[.)])[ \t]|[ \t]{2,}\S")
_LEAST = 0.5
# A name of up to two terms must occur whole; from this many terms on, this share of it.
_MANY_TERMS, _MOST = 3, 0.6
_ALIKE = 0.6
# In characters, the shortest term that also counts at the head of a longer one, as in Puppetmaster.
_HEAD_CHARS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """
    A sentence of a document.

    `quote` is `document[start:end]`; `text` says the same so that it can be read alone, in the
    words of `model` if that is set. `score` orders findings, `is_hedged` says that the source is
    unsure or not in force.
    """

    text: str
    quote: str
    start: int
    score: float
    is_hedged: bool
    model: str = ""

    @property
    def end(self) -> int:
        """The end of the quote in the document."""
        return self.start + len(self.quote)


def findings(title: str, document: str, theme: str, about: str = "") -> list[Finding]:
    """
    Return what *document* says about a theme, best first, without near duplicates.

    Args:
        title: The title of the document.
        document: Its text.
        theme: The name of the topic.
        about: The question that led there; its words count a little.
    """
    wanted = terms_of(theme)
    asked = terms_of(about) - wanted
    theirs = _DocumentTopic(
        title=title,
        headed=terms_of(title),
        wanted=wanted,
        asked=asked,
        phrase=_phrase(theme),
        status=status_of(document),
        headings=[(one.start(), one[1] or one[2]) for one in _HEADING.finditer(document)],
    )
    found = [
        one
        for sentence, begin in _whole_sentences(document)
        if (one := _scored(sentence, begin, document, theirs)) is not None
    ]
    return _without_similar(sorted(found, key=lambda one: (-one.score, one.start)))


def is_unsure(text: str) -> bool:
    """Say whether words leave open whether something is so."""
    return _HEDGES.search(text) is not None


def status_of(document: str) -> str:
    """Return a document's own status if it is not in force, such as `rejected`; otherwise empty."""
    found = _STATUS.search(document[:_STATUS_CHARS])
    return found[1].casefold() if found else ""


# The questions of a topic mostly lead to the same results, one after another.
@lru_cache(maxsize=256)
def relevance(title: str, snippet: str, theme: str) -> float:
    """Return how promising a result is, from its snippet or else its title."""
    found, wanted = findings(title, snippet, theme), terms_of(theme)
    said = share(wanted, terms_of(snippet)) + share(wanted, terms_of(title))
    is_named = _phrase(theme).search(f"{title}\n{snippet}") is not None
    return round((found[0].score if found else 0.0) + said / 4 + is_named / 4, 4)


def terms_of(text: str) -> frozenset[str]:
    """Return the content terms of *text*."""
    return frozenset(index_terms(text)) - _EMPTY


def share(wanted: Collection[str], there: Collection[str]) -> float:
    """Return the share of *wanted* that is in *there*, from 0 to 1."""
    return len(set(wanted) & set(there)) / len(wanted) if wanted else 0.0


def _share_named(wanted: Collection[str], there: Collection[str]) -> float:
    """Return the share of *wanted* in *there*, by itself or at the head of a longer name."""
    named = [
        term
        for term in wanted
        if term in there
        or (len(term) >= _HEAD_CHARS and any(other.startswith(term) for other in there))
    ]
    return len(named) / len(wanted) if wanted else 0.0


def is_like(one: Collection[str], other: Collection[str]) -> bool:
    """Say whether two sets of terms are nearly the same."""
    both = set(one) | set(other)
    return bool(both) and len(set(one) & set(other)) / len(both) >= _ALIKE


_EMPTY = frozenset(term for word in STOP_WORDS for term in index_terms(word))


def _whole_sentences(document: str) -> Iterable[tuple[Sentence, int]]:
    """Yield the sentences of a document with lines joined, each with the start of its text."""
    for begin, end in _windows(document):
        for one in sentences(_unwrapped(document[begin:end])):
            yield one, begin


def _windows(document: str) -> Iterable[tuple[int, int]]:
    begin = 0
    while begin < len(document):
        end = min(begin + _WINDOW_CHARS, len(document))
        if end < len(document):
            gap = document.rfind("\n\n", begin, end)
            end = gap if gap > begin else end
        yield begin, end
        begin = end


def _unwrapped(text: str) -> str:
    """Return *text*, as long as before, with spaces where a paragraph goes on in a new line."""
    fenced = [one.span() for one in FENCED.finditer(text)]
    lines, joined, at, is_item = text.split("\n"), list(text), 0, False
    for line, following in pairwise(lines):
        end = at + len(line)
        # Indented text below an item continues it; elsewhere it is code or a quotation.
        is_item = _ITEM.match(line) is not None or (is_item and line.startswith(" "))
        rest = following.lstrip(" ") if is_item else following
        is_code = any(begin <= end < stop for begin, stop in fenced)
        goes_on = _ITEM_GOES_ON if is_item else _GOES_ON
        if not is_code and goes_on.fullmatch(line) and _FOLLOWS.match(rest):
            joined[end] = " "
        at = end + 1
    return "".join(joined)


@dataclass(frozen=True, slots=True, kw_only=True)
class _DocumentTopic:
    """
    What the sentences of a document share: its title, and the terms to look for.

    `headings` are places with their headings, in order; `status` is as `status_of` returns it.
    """

    title: str
    headed: frozenset[str]
    wanted: frozenset[str]
    asked: frozenset[str]
    # The name in singular or plural.
    phrase: re.Pattern[str]
    status: str
    headings: Sequence[tuple[int, str]]

    @property
    def devoted(self) -> float:
        """How much of the title, without its label, is the topic: 1 if it names nothing else."""
        label = labelled(self.title)
        named = terms_of(label[1]) if label else self.headed
        return share(named, self.wanted)

    def under(self, place: int) -> str:
        """Return the heading over a place; empty before the first."""
        at = bisect_right(self.headings, place, key=lambda one: one[0])
        return self.headings[at - 1][1] if at else ""


def _phrase(theme: str) -> re.Pattern[str]:
    """Return a pattern for the name: in singular or plural, or at the head of longer names."""
    words = [word.rstrip("s") for word in theme.split()]
    ends = [r"\w*" if len(word) >= _HEAD_CHARS else r"(?:e?s|ing|ed)?\b" for word in words]
    said = (rf"\b{re.escape(word)}{end}" for word, end in zip(words, ends, strict=True))
    return re.compile(r"\W+".join(said), re.IGNORECASE)


def _scored(sentence: Sentence, begin: int, document: str, about: _DocumentTopic) -> Finding | None:
    start = begin + sentence.start
    under = about.under(start)
    text = make_standalone(
        " ".join(sentence.text.split()),
        SentencePlace(
            title=about.title,
            heading=under,
            lead_in=_lead_in(document, start),
            status=about.status,
            is_first=document[max(0, start - _INDENT_CHARS) : start].rstrip(" ").endswith("\n\n"),
        ),
    )
    if text is None or not _states(text) or _states_past_problem(text, under, about.status):
        return None
    # Words inside an address or a piece of code do not make a sentence about the topic.
    terms, wanted = terms_of(_NO_WORDS.sub(" ", text)), about.wanted
    titled, own = share(wanted, about.headed), _share_named(wanted, terms)
    if max(own, titled) < (1 if len(wanted) < _MANY_TERMS else _MOST):
        return None
    is_hedged = bool(about.status) or is_unsure(sentence.plain)
    score = (
        # If the title names little but the topic, a sentence need not name it again.
        max((0.35 if about.phrase.search(text) else 0.2) * own, 0.25 * titled * about.devoted)
        + 0.1 * titled
        + 0.05 * share(about.asked, terms)
        + 0.25 * bool(_SETTLES.search(sentence.plain))
        + 0.05 * bool(_IS.search(sentence.plain))
        + 0.1 * bool(_VALUE.search(text))
        + 0.15 * worth(text, Role.ASSISTANT)
        + 0.1 * bool(_SETTLED_UNDER.search(under))
        - 0.1 * bool(_ASIDE_UNDER.search(under))
        - 0.1 * bool(_DATED.search(sentence.plain))
        - 0.15 * is_hedged
    )
    if score < _LEAST:
        return None
    return Finding(
        text=text,
        quote=document[start : start + len(sentence.text)],
        start=start,
        score=round(score, 4),
        is_hedged=is_hedged,
    )


def _states(text: str) -> bool:
    """Say whether something is stated of the subject, beyond identifying it."""
    if _ACT.match(text):
        text = _WHICH.sub("", text)
    verbs = [one.start() for each in (_SETTLES, _IS, _MODAL) for one in each.finditer(text)]
    thing = _THING.match(text)
    if thing and verbs and min(verbs) >= thing.end():
        # The verb right behind the pronoun belongs to the relative clause.
        verbs = [one for one in verbs if one - thing.end() > _NEXT_CHARS]
    is_said = _SETTLES.search(text) is not None or _IS.search(text) is not None
    return is_said and bool(verbs)


def _states_past_problem(text: str, under: str, status: str) -> bool:
    """Say whether words describe the problem that the document solves, or would have solved."""
    is_before = status or _ASIDE_UNDER.search(under) or _AMISS_UNDER.search(under)
    return bool(is_before) and _AMISS.search(text) is not None


def _lead_in(document: str, start: int) -> str:
    """Return the line with a final colon that leads to a paragraph or list; empty if none."""
    before = document[max(0, start - _LEAD_IN_CHARS) : start].splitlines()
    for line in reversed(before[:-1]):
        if line.strip().endswith(":"):
            return line.strip()
        # A list continues across its items and their lines; a paragraph ends the search.
        if line.strip() and not _OF_LIST.match(line):
            return ""
    return ""


def _without_similar(found: Sequence[Finding]) -> list[Finding]:
    kept: list[tuple[Finding, frozenset[str]]] = []
    for one in found:
        terms = terms_of(one.text)
        if not any(is_like(terms, other) for _, other in kept):
            kept.append((one, terms))
    return [one for one, _ in kept]
