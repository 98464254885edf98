"""
Lines on earlier work for an opening brief: one line for an ask and what came of it.

Exchanges that ended with how something is, or why, come first. The repository shows what was done,
but not what a person objected to or how far the work was; so where there is room, the last asks
follow, objections before orders.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING

from tilth.context.model import BriefItem, quoted
from tilth.context.work.reading_cache import End, Readings
from tilth.core.dataclass import dataclass
from tilth.core.ids import SessionId
from tilth.core.instant import written_day
from tilth.core.scope import Visibility
from tilth.core.text.tokens import index_terms
from tilth.exchanges.model import Ending, Exchange, in_order, is_scripted
from tilth.ledger.snapshot import Snapshot
from tilth.practice.practice import came_through
from tilth.privacy.sanitize import sanitized
from tilth.privacy.terminal_text import one_line

if TYPE_CHECKING:
    from tilth.recall.order.replacement import Replacement

# How many lines tell how an exchange ended, and how many what was wanted.
ENDS_TOLD, ASKS_TOLD = 3, 4
# How many of the last asks are read, and how many of each session.
ASKS_READ, ASKS_OF_A_SESSION = 24, 8
ENDS_READ, ENDS_OF_A_SESSION = 12, 4
# In characters. Asks that begin with the same text of this length are one prompt, put again by a
# person or a program.
_BEGINNING_CHARS = 60
# In characters: of the ask and the end on a line, and of an ask alone.
_SIDE_CHARS, _WANTED_CHARS = 90, 150
# In characters: the longest quote from a report.
_SENTENCE_CHARS = 180
# How much of an ask is read, in characters; how few terms are only "go on"; and how many changed
# files are named.
ASK_CHARS, _ASK_TERMS_MIN, _FILES_TOLD = 600, 4, 3


@dataclass(frozen=True)
class Work:
    """Earlier asks that were reported on, newest first, with the snapshot they are read from."""

    view: Snapshot
    within: Visibility
    asks: Sequence[Exchange]
    readings: Readings = field(default_factory=Readings)

    @cached_property
    def last(self) -> list[Exchange]:
        """The last few asks of each session."""
        of_session: dict[SessionId, int] = {}
        found: list[Exchange] = []
        for one in self.asks:
            count = of_session[one.session_id] = of_session.get(one.session_id, 0) + 1
            if count <= ENDS_OF_A_SESSION:
                found.append(one)
        return found[:ENDS_READ]

    def end(self, one: Exchange) -> End:
        """Return how an exchange ended, if its report tells how something is."""
        return self.readings.end(one)

    def tells(self, one: Exchange) -> tuple[bool, bool, bool]:
        """Return flags: it asks more than "go on", it committed something, its end tells."""
        is_full = len(index_terms(one.ask[:ASK_CHARS])) >= _ASK_TERMS_MIN
        return is_full, bool(one.commits), bool(self.end(one).text)


def exchange_lines(work: Work, stated: Collection[str], *, count: int) -> list[BriefItem]:
    """
    Return the lines on earlier work.

    Args:
        work: The earlier asks.
        stated: What other blocks show as a rule or decision, word for word.
        count: How many lines are asked for, whatever they tell; 0 for those that tell enough.

    Returns:
        First what ended with how something is, newest first, then what else was wanted.
    """
    standing = _standing(work, stated)
    if count:
        return _lines_on_ends(_chosen(standing, count, work), work)
    last = {one.id for one in work.last}
    ends = [one for one in standing if one.id in last and work.end(one).text]
    told = _chosen([one for one in ends if not _is_mended(one, work)], ENDS_TOLD, work)
    others = [one for one in standing if one not in told]
    return [*_lines_on_ends(told, work), *_lines_on_wishes(others, stated, work.readings)]


def _standing(work: Work, stated: Collection[str]) -> list[Exchange]:
    """Return asks of persons that are neither over nor doubted, nor shown as a rule."""
    kept = [
        one
        for one in work.asks
        if not (one.is_taken_back or one.is_doubted or is_scripted(one.ask))
        and not _is_shown_rule(one, stated)
    ]
    return _without_repeated_asks(_without_replaced(kept, work))


def _chosen(found: Iterable[Exchange], count: int, work: Work) -> list[Exchange]:
    """Return up to *count* of *found*, newest first; in each session those that tell most win."""
    by_session: dict[SessionId, list[Exchange]] = {}
    for one in found:
        by_session.setdefault(one.session_id, []).append(one)
    first = [max(near, key=work.tells) for near in by_session.values()]
    others = (one for near in by_session.values() for one in near if one not in first)
    told = [*first, *others][:count]
    return sorted(told, key=lambda one: one.instant, reverse=True)


def _lines_on_ends(told: Iterable[Exchange], work: Work) -> list[BriefItem]:
    return [_exchange_item(one, _committed_since(one, work), work.readings) for one in told]


def _lines_on_wishes(
    others: Iterable[Exchange], stated: Collection[str], readings: Readings
) -> Iterator[BriefItem]:
    """Yield what else was wanted: objections first, then the latest work."""
    found = [
        (one, wish)
        for one in others
        if one.is_persons
        if (wish := readings.wish(one.ask)).text and not any(each in wish.text for each in stated)
    ]
    # An objection says how something is to be, whatever came of it. A question is told by its
    # answer, and an ask that breaks off does not say what it was about.
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
    """Return what was committed, or else the changed files; empty if neither."""
    if one.commits:
        return f"committed {quoted(one.commits[-1], _SIDE_CHARS)}"
    names = list(dict.fromkeys(file.rpartition("/")[2] for file in one.files))
    more = f" and {len(names) - _FILES_TOLD} more" if len(names) > _FILES_TOLD else ""
    listed = one_line(sanitized(", ".join(names[:_FILES_TOLD])), _SIDE_CHARS)
    return f"changed {listed}{more}" if names else ""


def _is_mended(one: Exchange, work: Work) -> bool:
    """
    Say whether an exchange ended with a fault that has since been mended.

    Either files were changed later in its session, or the command or test that it names succeeded.
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
    """Return what later work committed on a file that a report of a fault names."""
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


def _without_replaced(kept: Sequence[Exchange], work: Work) -> list[Exchange]:
    """Return *kept* without exchanges that state what a person later said was replaced."""
    if len(work.asks) < 2:  # noqa: PLR2004 - nothing is later than the only one
        return list(kept)
    order = in_order(work.asks)
    gone = [
        (order[one.id], what)
        for one in work.asks
        for said in (one.ask, one.report)
        for what in work.readings.replacements(said[:ASK_CHARS])
    ]
    later = {one.id: [what for at, what in gone if at > order[one.id]] for one in kept}
    return [one for one in kept if not (later[one.id] and _is_over(one, later[one.id], work))]


def _is_over(one: Exchange, gone: Sequence["Replacement"], work: Work) -> bool:
    """Say whether a replaced thing is how an exchange ended, or all that it asked for."""
    is_deed = one.commits or one.files
    if not is_deed and any(what.ends(one.ask) for what in gone):
        return True
    # Finding the sentence that ended an exchange takes long, and few reports name the thing.
    named = frozenset(index_terms(one.report.replace("**", "")))
    about = [what for what in gone if what.old <= named]
    end = work.end(one).text if about else ""
    return any(what.ends(end) for what in about)


def _without_repeated_asks(kept: Iterable[Exchange]) -> list[Exchange]:
    """Return *kept*; of asks repeated in the same words only the last, with its end."""
    begun: dict[str, Exchange] = {}
    for one in kept:
        words = " ".join(one.ask.casefold().split())[:_BEGINNING_CHARS]
        # "Go on" asks for something else each time.
        is_whole = len(words) == _BEGINNING_CHARS or len(index_terms(words)) >= _ASK_TERMS_MIN
        begun.setdefault(words if is_whole else one.id, one)
    return list(begun.values())


def _is_shown_rule(one: Exchange, rules: Collection[str]) -> bool:
    """Say whether an exchange is only a rule, which is shown as one, and a nod to it."""
    return one.ask.strip() in rules and not one.commits


def _exchange_item(one: Exchange, since: str, readings: Readings) -> BriefItem:
    """Return the line of an exchange: the ask, its end, what was done, and what came *since*."""
    end = readings.end(one).text
    asked = quoted(readings.shown_ask(one.ask), _SIDE_CHARS)
    later = since and f"since then committed {quoted(since, _SIDE_CHARS)}"
    told = "; ".join(filter(None, (end and quoted(end, _SENTENCE_CHARS), _done_in(one), later)))
    return BriefItem(f"{written_day(one.began_at)}, {asked}: {told or one.ending}", one.id)
