"""
What an agent tells in a short answer: "renovate merged the upgrade", "the pool is 40 per pod".

Agents talk mostly of the code in front of them, which says itself what it is;
that is left out, and so is what they are about to do.
"""

import re
from collections.abc import Iterator

from tilth.domain.episode import EpisodeKind, Role
from tilth.domain.registries import Channel
from tilth.domain.statement import Statement
from tilth.extraction.candidate import Candidate, Harvest, Malformed, Turn
from tilth.extraction.facts.claims import is_echo, is_told
from tilth.extraction.spoken.clauses import Clause, clauses
from tilth.extraction.spoken.context import is_at_work
from tilth.extraction.spoken.voice import told
from tilth.extraction.spoken.wholeness import is_whole

_FAIR = 0.7
# Whoever explains at length does not answer.
_ANSWER_CHARS_MAX = 220
_WORDS_MIN = 4
_UNMARKED_WORDS_MIN = 6
# Something in it has a name or a number.
_MARKED = re.compile(r"\d|`|[a-z)] [A-Z]")
_VERB = re.compile(r"\S+ .*?\b(?:is|are|was|were|has|have|had|[a-z]{2,}(?:s|ed))\b")
# Words with which no clause begins that stands by itself, or tells of more than the moment.
_NO_START = re.compile(
    r"(?:i|we|you|it|that|this|there|then|here|one|let|let's|let us|done|noted|ok|yes|no|your|or|"
    r"and|which|also|but|so|now|these|those|they|he|she|perfect|great|good|looking|next|first|"
    r"both|since|when|if|because|as|at|to|in|on|with|for|from|add|update|fix|resolve|remove|"
    r"call|reply|use|run|make|set|put|write|change|move|rename|check|see|say|try|get|keep|"
    r"leave|take|tell|what|who|how|why|where)\b|\w+ing\b(?! (?:is|are|was|has)\b)|"
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
    """Yield what an agent tells in a short answer."""
    episode = turn.episode
    is_answer = len(episode.text) <= _ANSWER_CHARS_MAX and episode.kind is EpisodeKind.MESSAGE
    if episode.role is not Role.ASSISTANT or not is_answer or is_at_work(turn):
        return
    is_asked = turn.before is not None and turn.before.text.rstrip().endswith("?")
    for clause in clauses(episode.text):
        is_told_whole = _is_telling(clause, is_asked=is_asked) and is_whole(clause.text)
        if is_told_whole and not is_echo(clause.text, turn):
            yield Candidate(
                said=Statement(text=told(clause.text, episode), channel=Channel.ENTITY),
                quote=clause.text,
                kind=Harvest.FACT,
                confidence=_FAIR,
            )


def _is_telling(clause: Clause, *, is_asked: bool) -> bool:
    if not is_told(clause) or clause.text.endswith(":"):
        return False
    if _NO_START.match(clause.plain) or _OF_CODE.search(clause.text) is not None:
        return False
    # The first words after a question are its answer, which is read with it.
    if (is_asked and clause.sentence.start == 0) or len(clause.plain.split()) < _WORDS_MIN:
        return False
    if _MARKED.search(clause.text) is None:
        # What goes on from a name in the same breath may tell of it, if it tells enough.
        is_long = len(clause.plain.split()) >= _UNMARKED_WORDS_MIN
        if not is_long or _MARKED.search(clause.sentence.text) is None:
            return False
    return _VERB.match(clause.plain) is not None
