"""
Move repetitions, and questions that ask the same, behind what answers.

A memory contains its own questions: who asks for the third time would find the first two, unless
these come after what answers them.
"""

from collections import defaultdict
from collections.abc import Sequence

from tilth.episodes.episode import Place, Role
from tilth.recall.lexicon import Reading
from tilth.recall.order.ranking import Grouped
from tilth.recall.order.signals import Floats
from tilth.recall.order.statement import Comparison, ReadText
from tilth.recall.question import Question

# From this share of the question's terms on, a text asks the same.
_ASKS_THE_SAME = 0.6
# A hit that covers this share of what such questions cover may answer them.
_ANSWERS = 0.4


def without_repetitions(
    ordered: Sequence[Grouped], places: Sequence[Place], readings: Sequence[Reading]
) -> list[Grouped]:
    """
    Return *ordered* with texts that repeat an earlier one word for word at the end.

    Of equal texts, a person's own counts as the original, else the latest.
    """
    said: dict[bytes, list[Grouped]] = defaultdict(list)
    for one in ordered:
        # A text without words equals no other.
        said[readings[one.at].words.tobytes() or str(one.at).encode()].append(one)
    kept, behind = [], []
    for same in said.values():
        same.sort(key=lambda one: (places[one.at].role is not Role.USER, -places[one.at].seq))
        kept.append(same[0])
        behind += [Grouped(one.at, same[0].group) for one in same[1:]]
    return kept + behind


def answers_first(
    ordered: Sequence[Grouped], best: Comparison, covered: Floats, question: Question
) -> list[Grouped]:
    """Return *ordered* with each question that asks the same behind what answers it."""
    asked = frozenset(question.terms)
    asking = [
        one
        for one in ordered
        if one.at in best.statements and _asks_again(best.statements[one.at].content, asked)
    ]
    if not asking:
        return list(ordered)
    least = _ANSWERS * max(float(covered[one.at]) for one in asking)
    rest = [one for one in ordered if one not in asking]
    answers = (n for n, one in enumerate(rest) if covered[one.at] >= least)
    if (first := next(answers, None)) is None:
        return list(ordered)
    folded = [Grouped(one.at, rest[first].group) for one in asking]
    return [*rest[: first + 1], *folded, *rest[first + 1 :]]


def _asks_again(said: ReadText, asked: frozenset[str]) -> bool:
    return len(asked & said.terms) >= _ASKS_THE_SAME * len(asked) and said.is_only_question
