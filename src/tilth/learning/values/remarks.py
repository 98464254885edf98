"""
What an agent tells when it answers, or reports: "the pool is 40 per pod, as it was before".

An agent says in one breath what it found and why, so a sentence stays whole; what follows a
semicolon is another. Agents talk mostly of the code in front of them, which says itself what
it is; that is left out, and so is what they are about to do. At length only a sentence with a
value in it counts, as it is mostly an item of a list.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import groupby

from tilth.episodes.episode import EpisodeKind, Role
from tilth.knowledge.facts.statement import Statement
from tilth.knowledge.vocabulary.registries import Channel
from tilth.learning.candidate import Candidate, Harvest, Malformed, Turn
from tilth.learning.clauses.clauses import Clause, clauses
from tilth.learning.clauses.context import follows, is_at_work, leans
from tilth.learning.clauses.kinds import kind_reported
from tilth.learning.clauses.lexicon import PREDICATES
from tilth.learning.clauses.predicates import claim_in
from tilth.learning.clauses.voice import told
from tilth.learning.clauses.wholeness import is_whole
from tilth.learning.prose import Sentence
from tilth.learning.values.claims import is_claimed, is_echo, is_supposed

_FAIR = 0.7
# Whoever explains at length does not answer.
_ANSWER_CHARS_MAX = 220
_REPORT_CHARS_MAX = 4000
_ITEM_WORDS_MAX = 30
_WORDS_MIN = 4
_UNMARKED_WORDS_MIN = 6
# It says something of what was named before it.
_PREDICATE = re.compile(rf"(?:{PREDICATES}|all|last|only)\b", re.IGNORECASE)
_REASON = re.compile(r"\b(?:because|since|so|as|which)\b", re.IGNORECASE)
# Something in it has a name or a number.
_MARKED = re.compile(r"\d|`|[a-z)] [A-Z]")
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
    if not is_message or is_at_work(turn) or len(episode.text) > _REPORT_CHARS_MAX:
        return
    for sentence, parts in groupby(clauses(episode.text), key=lambda clause: clause.sentence):
        for start, end in _statements(sentence, parts):
            text, plain = sentence.text[start:end], sentence.plain[start:end]
            if not _is_telling(text, plain, sentence, turn) or not is_whole(text):
                continue
            if not is_echo(text, turn):
                kind = kind_reported(plain)
                channel = Channel.ENTITY if kind is Harvest.FACT else None
                yield Candidate(
                    said=Statement(text=told(text, episode), channel=channel),
                    quote=text,
                    kind=kind,
                    confidence=_FAIR,
                )


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
