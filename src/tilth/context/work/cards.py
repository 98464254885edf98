"""
What an opening brief tells of earlier work: one line for an ask, and what came of it.

First stand those that ended with how something is, or why. What was done the repository tells;
what somebody wanted otherwise, and where the work stood, it does not: so where there is room, what
was asked last stands beside them, an objection before an order.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING

from tilth.context.model import BriefItem, quoted
from tilth.context.work.readings import End, Readings
from tilth.core.dataclass import dataclass
from tilth.core.ids import SessionId
from tilth.core.instant import written_day
from tilth.core.scope import Visibility
from tilth.core.text.tokens import index_terms
from tilth.exchanges.model import Ending, Exchange, in_order, is_scripted
from tilth.ledger.snapshot import Snapshot
from tilth.practice.practice import came_through
from tilth.privacy.defusing import defused
from tilth.privacy.inert import one_line

if TYPE_CHECKING:
    from tilth.recall.order.replaced import Replaced

# So many that ended with how something is, and so many that say what was wanted.
ENDS_TOLD, ASKS_TOLD = 3, 4
# Of the last work so much is read for what was wanted; how it ended, of fewer and of each session.
ASKS_READ, ASKS_OF_A_SESSION = 24, 8
ENDS_READ, ENDS_OF_A_SESSION = 12, 4
# Who asks for so much in the same words puts the same prompt again, or a program does.
_BEGINNING_CHARS = 60
# Of each side of a card, and of what was wanted.
_SIDE_CHARS, _WANTED_CHARS = 90, 150
# So much of a sentence of a report is told.
_SENTENCE_CHARS = 180
# An ask, as far as it is read; with fewer terms it says "go on". Of the files so many are told.
ASK_CHARS, _ASK_TERMS_MIN, _FILES_TOLD = 600, 4, 3


@dataclass(frozen=True)
class Work:
    """What was asked in earlier sessions and reported on, the newest first, and where it stands."""

    view: Snapshot
    within: Visibility
    asks: Sequence[Exchange]
    readings: Readings = field(default_factory=Readings)

    @cached_property
    def last(self) -> list[Exchange]:
        """The last few of each session."""
        of_session: dict[SessionId, int] = {}
        found: list[Exchange] = []
        for one in self.asks:
            count = of_session[one.session_id] = of_session.get(one.session_id, 0) + 1
            if count <= ENDS_OF_A_SESSION:
                found.append(one)
        return found[:ENDS_READ]

    def end(self, one: Exchange) -> End:
        """Return how an exchange ended, where that tells how something is."""
        return self.readings.end(one)

    def tells(self, one: Exchange) -> tuple[bool, bool, bool]:
        """Say what an exchange tells: more than "go on", what was committed, and how it ended."""
        is_full = len(index_terms(one.ask[:ASK_CHARS])) >= _ASK_TERMS_MIN
        return is_full, bool(one.commits), bool(self.end(one).text)


def cards(work: Work, stated: Collection[str], *, count: int) -> list[BriefItem]:
    """
    Return lines on earlier work.

    Args:
        work: What was asked, and where it stands.
        stated: What is told as a rule or a decision, word for word.
        count: How many were asked for, whatever they tell; with 0, those that tell enough.

    Returns:
        Those that ended with how something is, the newest first; then what else was wanted.
    """
    standing = _standing(work, stated)
    if count:
        return _ended(_chosen(standing, count, work), work)
    last = {one.id for one in work.last}
    ends = [one for one in standing if one.id in last and work.end(one).text]
    told = _chosen([one for one in ends if not _is_mended(one, work)], ENDS_TOLD, work)
    others = [one for one in standing if one not in told]
    return [*_ended(told, work), *_wanted(others, stated, work.readings)]


def _standing(work: Work, stated: Collection[str]) -> list[Exchange]:
    """Return what is neither over nor doubted, told as a rule, or a program's."""
    kept = [
        one
        for one in work.asks
        if not (one.is_taken_back or one.is_doubted or is_scripted(one.ask))
        and not _is_told(one, stated)
    ]
    return _begun_once(_unreplaced(kept, work))


def _chosen(found: Iterable[Exchange], count: int, work: Work) -> list[Exchange]:
    """Return so many at the most, of each session what tells most first; the newest first."""
    by_session: dict[SessionId, list[Exchange]] = {}
    for one in found:
        by_session.setdefault(one.session_id, []).append(one)
    first = [max(near, key=work.tells) for near in by_session.values()]
    others = (one for near in by_session.values() for one in near if one not in first)
    told = [*first, *others][:count]
    return sorted(told, key=lambda one: one.instant, reverse=True)


def _ended(told: Iterable[Exchange], work: Work) -> list[BriefItem]:
    return [_card_item(one, _committed_since(one, work), work.readings) for one in told]


def _wanted(
    others: Iterable[Exchange], stated: Collection[str], readings: Readings
) -> Iterator[BriefItem]:
    """Yield what else was wanted: what was objected to first, then what was done last."""
    found = [
        (one, wish)
        for one in others
        if one.is_persons
        if (wish := readings.wish(one.ask)).text and not any(each in wish.text for each in stated)
    ]
    # Who objects says how it is to be, whatever came of it; what only asks stands in its answer,
    # and what breaks off tells nobody what it was about.
    fit = [
        (one, wish)
        for one, wish in found
        if one.files
        or one.commits
        or (wish.is_objection and not wish.is_asking and len(wish.text) <= _WANTED_CHARS)
    ]
    fit.sort(key=lambda each: (each[1].is_objection, each[0].instant), reverse=True)
    for one, wish in fit[:ASKS_TOLD]:
        done = _done_in(one) or (one.ending if one.ending is not Ending.REPORTED else "")
        came = f": {done}" if done else ""
        yield BriefItem(
            f"{written_day(one.began_at)}, {quoted(wish.text, _WANTED_CHARS)}{came}", one.id
        )


def _done_in(one: Exchange) -> str:
    """Return what was committed, or else which files were changed; empty if nothing was."""
    if one.commits:
        return f"committed {quoted(one.commits[-1], _SIDE_CHARS)}"
    names = list(dict.fromkeys(file.rpartition("/")[2] for file in one.files))
    more = f" and {len(names) - _FILES_TOLD} more" if len(names) > _FILES_TOLD else ""
    listed = one_line(defused(", ".join(names[:_FILES_TOLD])), _SIDE_CHARS)
    return f"changed {listed}{more}" if names else ""


def _is_mended(one: Exchange, work: Work) -> bool:
    """
    Say whether an exchange ended with what was wrong, and that is over.

    Files were changed since in its session, or the command or test that it names came through.
    """
    end = work.end(one)
    if not end.is_fault:
        return False
    since = (
        other
        for other in work.last
        if other.session_id == one.session_id and other.ask_seq >= one.ask_seq
    )
    if any((each.files or each.commits) and not each.is_taken_back for each in since):
        return True
    return came_through(work.view, work.within, end.named, after=one.ended_at)


def _committed_since(one: Exchange, work: Work) -> str:
    """Return what was committed by later work on a file that a report of a fault names."""
    if not work.end(one).is_fault:
        return ""
    ended = one.instant + (one.ended_at - one.began_at)
    later = [each for each in work.last if each.instant > ended and not each.is_taken_back]
    changing = set[SessionId]()
    for each in sorted(later, key=lambda each: each.instant):
        if any(file.rpartition("/")[2] in one.report for file in each.files):
            changing.add(each.session_id)
        if each.commits and each.session_id in changing:
            return each.commits[-1]
    return ""


def _unreplaced(kept: Sequence[Exchange], work: Work) -> list[Exchange]:
    """Return *kept* without those that state what somebody said later was replaced."""
    if len(work.asks) < 2:  # noqa: PLR2004 - nothing is later than the only one
        return list(kept)
    order = in_order(work.asks)
    gone = [
        (order[one.id], what)
        for one in work.asks
        for said in (one.ask, one.report)
        for what in work.readings.gone(said[:ASK_CHARS])
    ]
    later = {one.id: [what for at, what in gone if at > order[one.id]] for one in kept}
    return [one for one in kept if not (later[one.id] and _is_over(one, later[one.id], work))]


def _is_over(one: Exchange, gone: Sequence["Replaced"], work: Work) -> bool:
    """Say whether what was replaced is how an exchange ended, or all that it asked for."""
    is_deed = one.commits or one.files
    if not is_deed and any(what.ends(one.ask) for what in gone):
        return True
    # To tell with which of its sentences it ended takes long, and few reports name the thing.
    named = frozenset(index_terms(one.report.replace("**", "")))
    about = [what for what in gone if what.old <= named]
    end = work.end(one).text if about else ""
    return any(what.ends(end) for what in about)


def _begun_once(kept: Iterable[Exchange]) -> list[Exchange]:
    """Return *kept* with what was asked again in the same words told once, as it ended last."""
    begun: dict[str, Exchange] = {}
    for one in kept:
        words = " ".join(one.ask.casefold().split())[:_BEGINNING_CHARS]
        # "go on" is another ask each time.
        is_whole = len(words) == _BEGINNING_CHARS or len(index_terms(words)) >= _ASK_TERMS_MIN
        begun.setdefault(words if is_whole else one.id, one)
    return list(begun.values())


def _is_told(one: Exchange, rules: Collection[str]) -> bool:
    """Say whether an exchange is no more than a rule, which is told as that, and a nod to it."""
    return one.ask.strip() in rules and not one.commits


def _card_item(one: Exchange, since: str, readings: Readings) -> BriefItem:
    """Return an exchange on one line: what was asked, how it ended, what was done, and *since*."""
    end = readings.end(one).text
    asked = quoted(readings.opened(one.ask), _SIDE_CHARS)
    later = since and f"since then committed {quoted(since, _SIDE_CHARS)}"
    told = "; ".join(filter(None, (end and quoted(end, _SENTENCE_CHARS), _done_in(one), later)))
    return BriefItem(f"{written_day(one.began_at)}, {asked}: {told or one.ending}", one.id)
