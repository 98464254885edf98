"""
Filter findings: keep those that are sure enough, whole, not repeated, and not too many.

What is left out is counted. Nothing is lost, since its episode is kept.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from enum import StrEnum

from tilth.core.dataclass import dataclass
from tilth.episodes.episode import Role
from tilth.exchanges.sentences import points_or_passes
from tilth.knowledge.facts.statement import statement_key
from tilth.knowledge.vocabulary.registries import Channel
from tilth.learning.candidate import Candidate, StatementKind, Turn
from tilth.learning.text.polarity import Polarity, polarity_of, sentence_around

# The least confidence, the most facts of a stretch, and the bounds of words (DU-054).
CONFIDENCE_MIN = 0.7
KEPT_MAX = 10
WORDS_MAX = 100
# A reader that finds more triples in one sentence reads too much into it.
TRIPLES_OF_ONE_QUOTE_MAX = 3
# Two spans state the same if they share more than this part of the shorter one.
_OVERLAP = 0.5
# Kinds of statement, the most informative first, to choose between readings of the same words.
_TELLING_MOST_FIRST = (
    StatementKind.RULE,
    StatementKind.CORRECTION,
    StatementKind.DECISION,
    StatementKind.COMMITMENT,
    StatementKind.DEFERRAL,
    StatementKind.MILESTONE,
    StatementKind.GAP,
    StatementKind.GOAL,
    StatementKind.RELATIONSHIP,
    StatementKind.PREFERENCE,
    StatementKind.FACT,
    StatementKind.OPINION,
)
_RANK = {kind: rank for rank, kind in enumerate(_TELLING_MOST_FIRST)}
# The most common kinds; among these, statements with a value come first.
_PLAIN = frozenset({StatementKind.FACT, StatementKind.OPINION})
_WORD = re.compile(r"\w(?:[\w.:/@#-]*\w)?")
# The predicate of a test run, which is repeated again and again.
_RUN = "passed"
# In characters: how much longer a text may get by "the user" in place of "I", more than once.
_RETOLD_CHARS = 24
# A missing value says nothing of what something is.
_NO_VALUE = re.compile(r"\W*(?:nothing|none|null|nil|undefined|unknown|broken)\W*", re.IGNORECASE)
# A pronoun whose person is in another sentence.
_OF_WHOM = re.compile(r"\W*(?:and |but |so )?(?:he|she|they)\b", re.IGNORECASE)
# A figure, a piece of code or a name: what somebody will ask for.
_VALUE = re.compile(
    r"\d|[`/@#]\w|\w_\w|(?<=\w )[A-Z\u00c0-\u00de]\w|"
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|hundred)\b"
)
CHANNELS = {
    StatementKind.DECISION: Channel.DECISION,
    StatementKind.PREFERENCE: Channel.RELATIONSHIP,
    StatementKind.RULE: Channel.RELATIONSHIP,
    StatementKind.OPINION: Channel.RELATIONSHIP,
    StatementKind.GAP: Channel.AGENT_DIARY,
    StatementKind.COMMITMENT: Channel.INTENT,
    StatementKind.DEFERRAL: Channel.INTENT,
    StatementKind.GOAL: Channel.INTENT,
    StatementKind.RELATIONSHIP: Channel.RELATIONSHIP,
    StatementKind.MILESTONE: Channel.MILESTONE,
}


class Left(StrEnum):
    """Why a finding is not stated."""

    UNSURE = "unsure"
    LONG = "long"
    OF_MEMORY = "of_memory"
    EXCLUDED = "excluded"
    OF_KEY = "of_key"
    PRIVATE = "private"
    REPEATED = "repeated"
    OVER = "over"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Found:
    """A candidate, with its turn and the position of its quote."""

    turn: Turn
    candidate: Candidate
    start: int

    @property
    def span(self) -> tuple[int, int]:
        """The start and end of its quote."""
        return self.start, self.start + len(self.candidate.quote)

    @property
    def sentence(self) -> str:
        """Its quote, with the rest of the sentence."""
        return sentence_around(self.turn.episode.text, *self.span)

    @property
    def is_certain(self) -> bool:
        """Whether somebody said explicitly that it is to be remembered; then it is not weighed."""
        return self.candidate.confidence == 1

    @property
    def channel(self) -> Channel:
        """Its channel, whether it is a triple or not."""
        channel = self.candidate.said.channel
        return channel or CHANNELS.get(self.candidate.kind, Channel.ENTITY)


@dataclass(slots=True)
class FilterResult:
    """What is kept, in the order of the session, and how much was left out, by reason."""

    kept: list[Found] = field(default_factory=list)
    left: Counter[Left] = field(default_factory=Counter)


def filter_findings(
    found: Iterable[Found], least: Mapping[Channel, float], *, is_judged: bool = False
) -> FilterResult:
    """
    Return which findings of one stretch are kept.

    Args:
        found: The findings.
        least: The least confidence by channel (DU-021).
        is_judged: Whether a model read them, which saw more than the quoted words.
    """
    done = FilterResult()
    for reading in found:
        one = _with_triple(reading, done)
        why = _unfit(one, least, is_judged=is_judged) or _said_already(one, done)
        if why is None:
            done.kept.append(one)
        else:
            done.left[why] += 1
    for one in _overtaken(done.kept):
        done.kept.remove(one)
        done.left[Left.REPEATED] += 1
    weighed = [one for one in done.kept if not one.is_certain]
    over = {id(one) for one in sorted(weighed, key=_worth, reverse=True)[KEPT_MAX:]}
    done.kept = [one for one in done.kept if id(one) not in over]
    if over:
        done.left[Left.OVER] += len(over)
    return done


def overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Say whether two spans of a text overlap enough to state the same."""
    shared = min(one[1], other[1]) - max(one[0], other[0])
    return shared > _OVERLAP * min(one[1] - one[0], other[1] - other[0])


def _unfit(one: Found, least: Mapping[Channel, float], *, is_judged: bool) -> Left | None:
    if one.is_certain:
        return None
    text = one.candidate.said.text
    if len(text.split()) >= WORDS_MAX:
        return Left.LONG
    if polarity_of(one.sentence) is Polarity.META:
        return Left.OF_MEMORY
    if not is_judged and _is_torn_out(one.candidate):
        return Left.UNSURE
    # Sentences were weighed when they were read; triples and values were not.
    is_read = one.candidate.said.triple is not None or one.candidate.new_value is not None
    unless_told = CONFIDENCE_MIN if is_read or is_judged else 0.0
    is_unsure = one.candidate.confidence < least.get(one.channel, unless_told)
    return Left.UNSURE if is_unsure else None


def _is_torn_out(said: Candidate) -> bool:
    """Say whether the words of a reading refer to something elsewhere, or have no value."""
    triple = said.said.triple
    if triple is not None and (points_or_passes(said.quote) or _NO_VALUE.fullmatch(triple.object)):
        return True
    return said.kind is StatementKind.RELATIONSHIP and _OF_WHOM.match(said.quote) is not None


def _overtaken(kept: Sequence[Found]) -> list[Found]:
    """Return runs of tests that a later run in *kept* supersedes."""
    runs = [
        one for one in kept if (triple := one.candidate.said.triple) and triple.predicate == _RUN
    ]
    return [one for one in runs[:-1] if not one.is_certain]


def _worth(one: Found) -> tuple[bool, bool, float]:
    """
    Return a key for what is lost without it: most for obligations and values.

    Agents can find out again what they report; what a person says, nobody can.
    """
    said = one.candidate
    is_telling = said.kind not in _PLAIN or _VALUE.search(said.said.text) is not None
    return is_telling, one.turn.episode.role is not Role.ASSISTANT, said.confidence


def _with_triple(one: Found, done: FilterResult) -> Found:
    """Return *one* with the triple of a kept finding, if it says all that this does."""
    said = one.candidate.said
    for other in done.kept:
        told = other.candidate.said
        if said.triple is None and told.triple is not None and _is_within(other, one):
            whole = replace(said, triple=told.triple, channel=told.channel)
            return replace(one, candidate=replace(one.candidate, said=whole))
    return one


def _said_already(one: Found, done: FilterResult) -> Left | None:
    """Compare with kept findings in the same words, and drop those that say less than *one*."""
    # Whether a correction applies is known later, so its sentence stays beside it.
    same = [
        other for other in done.kept if are_of_same_words(one, other) and not _waits_for(one, other)
    ]
    if one.is_certain or not same:
        key = statement_key(one.candidate.said)
        is_said = any(statement_key(other.candidate.said) == key for other in same)
        return Left.REPEATED if is_said else None
    if any(
        (_tells(other) < _tells(one) and not _fills_a_slot(one, other)) or _is_less(one, other)
        for other in same
    ):
        return Left.REPEATED
    less = [
        other
        for other in same
        if (_tells(other) > _tells(one) and not _fills_a_slot(other, one)) or _is_less(other, one)
    ]
    if len(same) - len(less) >= TRIPLES_OF_ONE_QUOTE_MAX:
        return Left.REPEATED
    for other in less:
        done.kept.remove(other)
        done.left[Left.REPEATED] += 1
    return None


def _waits_for(one: Found, other: Found) -> bool:
    """Say whether one only corrects a value, and the other is the whole sentence, but no rule."""
    corrects, whole = sorted(
        (one.candidate, other.candidate), key=lambda each: not each.only_corrects
    )
    return (
        corrects.only_corrects and not whole.only_corrects and whole.kind is not StatementKind.RULE
    )


def _fills_a_slot(one: Found, other: Found) -> bool:
    """
    Say whether *one* is a value, and *other* a rule or decision in its own words.

    A rule has no slot, so only its value replaces an older one. Of decisions, only a move has a
    value beside its words.
    """
    if one.candidate.said.triple is None:
        return False
    of, beside = one.candidate.kind, other.candidate.kind
    return beside is StatementKind.RULE or (
        of is StatementKind.MILESTONE and beside is StatementKind.DECISION
    )


def are_of_same_words(one: Found, other: Found) -> bool:
    """Say whether two were read from the same words of one episode."""
    return one.turn.episode.id == other.turn.episode.id and overlap(one.span, other.span)


def _is_less(one: Found, other: Found) -> bool:
    """Say whether *other* says all that *one* says, in words or as a triple."""
    return one.candidate.said.triple in {None, other.candidate.said.triple} and _is_within(
        one, other
    )


def _is_within(one: Found, other: Found) -> bool:
    """
    Say whether *other*, of the same words and kind, says all that *one* says.

    If both say the same, the one without words from elsewhere is better.
    """
    is_of_kind = one.candidate.kind is other.candidate.kind
    if one.is_certain or not is_of_kind or not are_of_same_words(one, other):
        return False
    if _is_borrowing(one) is not _is_borrowing(other):
        return _is_borrowing(one) and _words(other) <= _words(one)
    return _words(one) <= _words(other)


def _is_borrowing(one: Found) -> bool:
    """Say whether a statement contains words from outside of its quote."""
    return len(one.candidate.said.text) > len(one.candidate.quote) + _RETOLD_CHARS


def _words(one: Found) -> set[str]:
    return {word.casefold() for word in _WORD.findall(one.candidate.said.text)}


def _tells(one: Found) -> tuple[bool, int, bool]:
    """Return a key for how informative a reading is; of one kind, a triple is more so."""
    said = one.candidate
    return (not one.is_certain, _RANK[said.kind], said.said.triple is None)
