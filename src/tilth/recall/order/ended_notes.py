"""
Decide whether a note says that something is over, and whether an earlier note says just that.

"The API is on port 4400 now" ends "the API is on port 4300", and "the login bug is fixed" ends
notes on that bug. A note that holds in all work goes on, whatever happens to one matter.
"""

import re
from collections.abc import Sequence
from itertools import islice
from types import ModuleType

from tilth.core.dataclass import dataclass
from tilth.core.text.pattern import AnyOf, pattern
from tilth.core.text.promises import puts_off
from tilth.core.text.prose import sentences
from tilth.core.text.tokens import index_terms
from tilth.recall.order.replacement import Replacement, read_replacements

# Words for the present state, and for what is done with a thing; in several languages.
_BY_NOW = AnyOf(
    "now, no longer, any more, anymore, from now on, replaced, replaces, removed, dropped, moved,"
    " renamed, reverted, changed, switched, superseded, supersedes, obsolete, is over,"
    " jetzt, inzwischen, ab jetzt, nicht mehr, désormais, maintenant, ahora, ya no, теперь"
)
_BY_NOW_UNSPACED = pattern("现在|不再|改为|改成|今は|もう")
_IS_DONE = (
    r"(?:fixed|done|solved|resolved|finished|closed|merged|shipped|implemented|gone|obsolete|removed"
    r"|reverted|replaced|erledigt|behoben|corrigée?s?|résolue?s?|arreglad[oa]s?|resuelt[oa]s?)\b"
)
# "Done: …", "the bug is fixed"; not "DONE tasks".
_DONE = pattern(
    rf"^\W*{_IS_DONE}(?=\W)|已(?:修复|解决|完成)|\b(?:is|are|was|were|been|got|ist|sind|wurden?|est|sont|fue|est[áa]n?)"
    rf"\s+(?:(?:now|all|finally|already|since|jetzt|nun|maintenant|ahora|ya)\s+)*{_IS_DONE}",
    re.IGNORECASE,
)
_NOT_DONE = AnyOf(
    "not, never, yet, wrongly, half, partly, until, unless, once, when, isn't, wasn't, aren't,"
    " weren't, nicht, pas, no"
)
# Wishes, plans and suppositions, which are not so yet.
_NOT_SO = AnyOf(
    "might, may, maybe, perhaps, could, would, should, must, will, shall, going to, wants, want,"
    " plans, planned, proposes, proposed, suggests, suggested, considers, if, whether, vielleicht,"
    " soll, sollte, peut-être, quizás"
)
_CLAUSE = pattern(r"[:;]\s+")
# Thresholds for a sentence about the present state: the fewest shared terms, and the least share of
# all terms; and the least share for one that says that something is done.
_SHARED_MIN, _ALIKE, _OF_IT = 2, 0.3, 0.55
# A note with so few terms is only ended by one that contains all of them.
_FEW = 10


@dataclass(frozen=True, slots=True)
class NoteEnding:
    """
    What a note says is over.

    `terms` are all of its terms, `by_now` those of its sentences about the present state, and
    `done` those of its first sentence if that says that something is done.
    """

    text: str
    terms: frozenset[str]
    replaces: Sequence[Replacement]
    by_now: frozenset[str]
    done: frozenset[str]

    def ends(self, older: str, terms: frozenset[str], *, is_lasting: bool) -> bool:
        """
        Say whether *older* says just that.

        Args:
            older: An earlier note.
            terms: Its terms.
            is_lasting: Whether it holds in all work, unlike this one: then it only ends if its
                subject is said to be replaced.
        """
        if any(one.ends(older) for one in self.replaces):
            return True
        return not is_lasting and (self._is_by_now(older, terms) or self._is_done(older, terms))

    def _is_by_now(self, older: str, terms: frozenset[str]) -> bool:
        is_alike = len(self.terms & terms) > _ALIKE * len(self.terms | terms)
        if not is_alike or len(self.by_now & terms) < _SHARED_MIN:
            return False
        # First its subject must be mentioned, then all of it except the present value.
        if not self.terms.issuperset(islice(index_terms(older), 1)):
            return False
        return len(terms) > _FEW or terms - self.terms <= _apart().values_in(older)

    def _is_done(self, older: str, terms: frozenset[str]) -> bool:
        shared = len(self.done & terms)
        # What was put off names little besides what is to be done.
        least = _SHARED_MIN - puts_off(older)
        if shared <= least or shared <= _OF_IT * len(self.done):
            return False
        # A report that something is mended denies what was wrong.
        return not _apart().name_different_things(self.text, older)


def _apart() -> ModuleType:
    # Few notes are so alike, and comparing statements takes long to load.
    from tilth.knowledge.likeness import distinguish  # noqa: PLC0415

    return distinguish


def read_ending(text: str, terms: frozenset[str]) -> NoteEnding | None:
    """Return what *text*, with these *terms*, says is over; None if nothing."""
    replaces = tuple(read_replacements(text))
    by_now, done = frozenset[str](), frozenset[str]()
    if _tells_now(text) or _DONE.search(text):
        said = [one.said for one in sentences(text)]
        now = [one for one in said if _tells_now(one) and _is_so(one)]
        by_now = frozenset(term for one in now for term in index_terms(one))
        done = _done_in(said[0]) if said else done
    if not (replaces or by_now or done):
        return None
    return NoteEnding(text, terms, replaces, by_now, done)


def _tells_now(text: str) -> bool:
    return _BY_NOW.search(text) or _BY_NOW_UNSPACED.search(text) is not None


def _is_so(sentence: str) -> bool:
    return not (_NOT_SO.search(sentence) or sentence.rstrip().endswith("?"))


def _done_in(sentence: str) -> frozenset[str]:
    """Return the terms of what a sentence says is done, without how that came about."""
    found = _DONE.search(sentence)
    if found is None or _NOT_DONE.search(sentence) or not _is_so(sentence):
        return frozenset()
    # "Done: the export.", but "the export is done: it lacked a font."
    told = sentence[found.end() :] if not found.start() else _CLAUSE.split(sentence, maxsplit=1)[0]
    return frozenset(index_terms(told)) - _DONE_TERMS


_DONE_TERMS = frozenset(
    index_terms("fixed done solved resolved finished closed merged shipped implemented gone")
)
