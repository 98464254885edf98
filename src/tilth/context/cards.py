"""
What an opening brief tells of earlier work: one line for an ask, and what came of it.

First stand those that ended with how something is, or why. What was done the repository tells;
what somebody wanted otherwise, and where the work stood, it does not: so where there is room, what
was asked last stands beside them, an objection before an order.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from tilth.context.model import BriefItem, quoted
from tilth.core.dataclass import dataclass
from tilth.core.ids import SessionId
from tilth.core.instant import written_day
from tilth.core.scope import Visibility
from tilth.core.text.pattern import Worded, pattern
from tilth.core.text.tokens import index_terms
from tilth.episodes.episode import Role
from tilth.exchanges.model import Ending, Exchange, in_order, is_scripted
from tilth.exchanges.speech import (
    objects,
    own_sentences,
    own_terms,
    points_at_a_list,
    stands_alone,
    supposes,
    tells_own_deed,
    wants_nothing,
    without_opening,
)
from tilth.exchanges.worth import (
    announces,
    gives_a_reason,
    reports_a_deed,
    tells_a_decision,
    tells_of_a_deed,
    tells_of_a_fault,
    without_nod,
    worth,
)
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
# A sentence of a report that is told, and a reason, are no longer.
_SENTENCE_CHARS = 180
# Of how a session ended, and of an ask, as far as it is read; with fewer terms it says "go on".
_END_CHARS_MIN, ASK_CHARS, _ASK_TERMS_MIN = 30, 600, 4
# What names fewer things was an answer: "yes, and the second".
_NAMED_MIN = 4
# How an exchange ended is told where it is worth so much, and of the files so many.
_TOLD_FROM, _FILES_TOLD = 0.6, 3
# Hosts name a file once for each part of it that they laid beside an ask.
_MENTIONED_AGAIN = pattern(r"(?<!\S)(@\S+)(?:\s+\1(?!\S))+")
# "alex/better-state-tracking": what is being worked on, and no file.
_BRANCH = pattern(r"(?<![\w/.@])[\w-]+/[\w/-]+(?![\w.])")
# What a report may name that was run: code in its line, and a test by the form of its name.
_RUN = pattern(r"`([^`\n]+)`|\b(Test[A-Z]\w+|test_\w+)\b")
# Who says that it should be mended now has not seen it.
_HOPES = Worded(
    r"\bshould (?:(?:now |all )*be (?:fixed|resolved|solved|working|gone)"
    r"|(?:now |all )+(?:be able|be visible|work|compile|build|pass|load|run|display|show))\b",
    "should",
)
# Item after item, of which the first says little: nobody begins a task with "1. yes".
_ANSWERS_ITEMS = pattern(r"\s*1[.):] +\S[^\n]{0,24}\n+2[.):] ")
# What leads on to a list or names a link tells nothing by itself.
_LEADS_ON = pattern(r"[:…]\W*$|^\W*\[[^\]]*\]\(")


@dataclass(frozen=True)
class Work:
    """What was asked in earlier sessions and reported on, the newest first, and where it stands."""

    view: Snapshot
    within: Visibility
    asks: Sequence[Exchange]

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
    standing = _standing(work.asks, stated)
    if count:
        return _ended(_chosen(standing, count), work)
    last = {one.id for one in work.last}
    ends = [one for one in standing if one.id in last and _told_end(one)]
    told = _chosen([one for one in ends if not _is_mended(one, work)], ENDS_TOLD)
    return [*_ended(told, work), *_wanted([one for one in standing if one not in told], stated)]


def _standing(work: Sequence[Exchange], stated: Collection[str]) -> list[Exchange]:
    """Return what is neither over nor doubted, told as a rule, or a program's."""
    kept = [
        one
        for one in work
        if not (one.is_taken_back or one.is_doubted or is_scripted(one.ask))
        and not _is_told(one, stated)
    ]
    return _begun_once(_unreplaced(kept, work))


def _chosen(found: Iterable[Exchange], count: int) -> list[Exchange]:
    """Return so many at the most, of each session what tells most first; the newest first."""
    by_session: dict[SessionId, list[Exchange]] = {}
    for one in found:
        by_session.setdefault(one.session_id, []).append(one)
    first = [max(near, key=_asks_in_full) for near in by_session.values()]
    others = (one for near in by_session.values() for one in near if one not in first)
    told = [*first, *others][:count]
    return sorted(told, key=lambda one: one.instant, reverse=True)


def _ended(told: Iterable[Exchange], work: Work) -> list[BriefItem]:
    return [_card_item(one, _committed_since(one, work.last)) for one in told]


def _wanted(others: Iterable[Exchange], stated: Collection[str]) -> Iterator[BriefItem]:
    """Yield what else was wanted: what was objected to first, then what was done last."""
    found = [
        (objects(wish), one, wish)
        for one in others
        if one.is_persons and (wish := _wish(one)) and not any(each in wish for each in stated)
    ]
    # Who objects says how it is to be, whatever came of it; what only asks stands in its answer.
    fit = [
        (is_objection, one, wish)
        for is_objection, one, wish in found
        if one.files or one.commits or (is_objection and not one.is_question)
    ]
    fit.sort(key=lambda each: (each[0], each[1].instant), reverse=True)
    for _, one, wish in fit[:ASKS_TOLD]:
        done = _done_in(one) or (one.ending if one.ending is not Ending.REPORTED else "")
        came = f": {done}" if done else ""
        yield BriefItem(f"{written_day(one.began_at)}, {quoted(wish, _WANTED_CHARS)}{came}", one.id)


def _wish(one: Exchange) -> str:
    """Return what a person typed as an ask, if it names what it is about; else nothing."""
    said = own_sentences(one.ask[:ASK_CHARS], Role.USER)
    typed = " ".join(each.said for each in said if not tells_own_deed(each.said))
    wish = without_opening(_MENTIONED_AGAIN.sub(r"\1", " ".join(typed.split())))
    terms = own_terms(_BRANCH.sub("", wish[:_WANTED_CHARS]))
    named = [one for one in terms if not one.isdigit()]
    is_told = len(named) >= _NAMED_MIN and not wants_nothing(wish)
    # The marks of a list are no words: "1. the former" answers what was put before somebody.
    is_answer = points_at_a_list(wish) or _ANSWERS_ITEMS.match(one.ask) is not None
    return "" if not is_told or is_answer else wish


def _done_in(one: Exchange) -> str:
    """Return what was committed, or else which files were changed; empty if nothing was."""
    if one.commits:
        return f"committed {quoted(one.commits[-1], _SIDE_CHARS)}"
    names = list(dict.fromkeys(file.rpartition("/")[2] for file in one.files))
    more = f" and {len(names) - _FILES_TOLD} more" if len(names) > _FILES_TOLD else ""
    listed = one_line(defused(", ".join(names[:_FILES_TOLD])), _SIDE_CHARS)
    return f"changed {listed}{more}" if names else ""


def _told_end(one: Exchange) -> str:
    """Return how it ended, where that tells how something is; else nothing."""
    end = _end_of(one.report)
    if not end or not (stands_alone(end) or stands_alone(one.ask[:ASK_CHARS])):
        return ""
    # What was done the repository tells; not why one thing came in place of another.
    is_over = (reports_a_deed(end) and not _is_choice(end)) or without_opening(end) != end
    is_short = len(one.report) <= _SENTENCE_CHARS
    is_answer = is_short and (gives_a_reason(end) or tells_a_decision(end))
    is_told = is_answer or worth(end, Role.ASSISTANT) >= _TOLD_FROM
    return end if is_told and not is_over else ""


def _is_choice(end: str) -> bool:
    """Say whether a report tells what came in place of what, and why: it overrules a decision."""
    if not gives_a_reason(end):
        return False
    # It reads sentences; few reports get here.
    from tilth.recall.order.replaced import settles  # noqa: PLC0415

    return settles(end)


def _is_mended(one: Exchange, work: Work) -> bool:
    """
    Say whether an exchange ended with what was wrong, and that is over.

    Files were changed since in its session, or the command or test that it names came through.
    """
    end = _told_end(one)
    if not tells_of_a_fault(end):
        return False
    since = (
        other
        for other in work.last
        if other.session_id == one.session_id and other.ask_seq >= one.ask_seq
    )
    if any((each.files or each.commits) and not each.is_taken_back for each in since):
        return True
    named = [code or test for code, test in _RUN.findall(end)]
    return came_through(work.view, work.within, named, after=one.ended_at)


def _committed_since(one: Exchange, work: Iterable[Exchange]) -> str:
    """Return what was committed by later work on a file that a report of a fault names."""
    if not tells_of_a_fault(_told_end(one)):
        return ""
    ended = one.instant + (one.ended_at - one.began_at)
    later = [each for each in work if each.instant > ended and not each.is_taken_back]
    changing = set[SessionId]()
    for each in sorted(later, key=lambda each: each.instant):
        if any(file.rpartition("/")[2] in one.report for file in each.files):
            changing.add(each.session_id)
        if each.commits and each.session_id in changing:
            return each.commits[-1]
    return ""


def _unreplaced(kept: Sequence[Exchange], work: Sequence[Exchange]) -> list[Exchange]:
    """Return *kept* without those that state what somebody said later was replaced."""
    if len(work) < 2:  # noqa: PLR2004 - nothing is later than the only one
        return list(kept)
    # It reads sentences; a brief with one exchange starts without it.
    from tilth.recall.order.replaced import replaced_in  # noqa: PLC0415

    order = in_order(work)
    gone = [
        (order[one.id], what)
        for one in work
        for said in (one.ask, one.report)
        for what in replaced_in(said[:ASK_CHARS])
    ]
    later = {one.id: [what for at, what in gone if at > order[one.id]] for one in kept}
    return [one for one in kept if not (later[one.id] and _is_over(one, later[one.id]))]


def _is_over(one: Exchange, gone: Sequence["Replaced"]) -> bool:
    """Say whether what was replaced is how an exchange ended, or all that it asked for."""
    is_deed = one.commits or one.files
    if not is_deed and any(what.ends(one.ask) for what in gone):
        return True
    # To tell with which of its sentences it ended takes long, and few reports name the thing.
    named = frozenset(index_terms(one.report.replace("**", "")))
    about = [what for what in gone if what.old <= named]
    end = _told_end(one) if about else ""
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


def _asks_in_full(one: Exchange) -> tuple[bool, bool, bool]:
    """Say how much an exchange tells: more than "go on", what was committed, and how it ended."""
    is_full = len(index_terms(one.ask[:ASK_CHARS])) >= _ASK_TERMS_MIN
    return is_full, bool(one.commits), bool(_told_end(one))


def _card_item(one: Exchange, since: str) -> BriefItem:
    """Return an exchange on one line: what was asked, how it ended, what was done, and *since*."""
    end = _told_end(one)
    asked = quoted(without_opening(_MENTIONED_AGAIN.sub(r"\1", one.ask)), _SIDE_CHARS)
    later = since and f"since then committed {quoted(since, _SIDE_CHARS)}"
    told = "; ".join(filter(None, (end and quoted(end, _SENTENCE_CHARS), _done_in(one), later)))
    return BriefItem(f"{written_day(one.began_at)}, {asked}: {told or one.ending}", one.id)


def _end_of(report: str) -> str:
    """Return the sentence of a report that is worth most; nothing, where it only announces."""
    said = [
        text
        for one in own_sentences(report, Role.ASSISTANT)
        if (text := without_nod(one.text))
        and _END_CHARS_MIN <= len(text) <= _SENTENCE_CHARS
        # An item of a list that only names something was an answer to what stands above it.
        and not (one.is_item and not tells_of_a_deed(text))
        and not (supposes(text) or _is_no_end(text))
    ]
    # Of what is too short to be a sentence of a report, the last line is the answer.
    last = report if len(report) <= _SENTENCE_CHARS else ""
    last = last.rstrip().rpartition("\n")[2] if _is_no_end(last) else last
    whole = "" if _is_no_end(last) else without_nod(last)
    # A mark of emphasis that began before the sentence is left alone in it.
    return max(said, key=lambda text: worth(text, Role.ASSISTANT), default=whole).replace("**", "")


def _is_no_end(text: str) -> bool:
    """Say whether a text announces, hopes, or leads on to a list or a link."""
    return announces(text) or bool(_HOPES.search(text) or _LEADS_ON.search(text))
