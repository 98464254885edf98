"""
Read exchanges: the spans of messages around episodes, and whole exchanges.

Exchanges are not stored. A span is found from the messages around an episode, over the index of
episodes by session, so the cost does not depend on the length of the session.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import chain, islice, takewhile
from operator import itemgetter
from typing import NamedTuple

from tilth.core.errors import NotFoundError
from tilth.core.ids import EpisodeId, SessionId
from tilth.core.lifecycle import Lifecycle
from tilth.core.scope import Visibility
from tilth.episodes.episode import Episode, Place, Role
from tilth.episodes.filters import EpisodeFilter
from tilth.episodes.tables import Episodes
from tilth.exchanges.actions import actions_of, closure_of, may_be_taken_back, takes_back
from tilth.exchanges.model import (
    Ending,
    Exchange,
    Span,
    Turn,
    doubts,
    is_interruption,
    span_at,
    spans_of,
)
from tilth.ledger.engine import Row
from tilth.ledger.records import place_of
from tilth.ledger.snapshot import Snapshot
from tilth.practice.tables import HALVES_MAX, Changing, ToolUses
from tilth.practice.tool_uses import Half, uses_of

# How many episodes back the beginning of an exchange is searched, and how far on its end; a longer
# exchange is cut there.
REACH = 600
SESSIONS_READ = 200
# In characters. A shorter answer says little without the question it answers.
_ANSWER_CHARS_MAX = 60
_ROLES = {str(role): role for role in Role}
# The columns of a row of `_TURNS`.
_POSITION, _ROLE = itemgetter(2), itemgetter(3)
# The place of a line that changes something, and the sort key of an exchange.
_LINE, _ORDER = itemgetter(0), itemgetter(0)
_TURNS = """
SELECT {window}, e.seq, e.position, e.role, e.occurred_at FROM episodes e
WHERE e.session_no = ? AND e.session_no > 0 AND e.position BETWEEN ? AND ?
AND e.kind = 'message' AND e.role <> 'tool'
"""


class _Begun(NamedTuple):
    """An exchange that is not read yet: its sort key, its span and its beginning."""

    order: tuple[datetime, int]
    at: datetime
    span: Span


class Exchanges:
    """The exchanges of one snapshot, as far as they are visible."""

    def __init__(
        self,
        view: Snapshot,
        within: Visibility,
        episodes: Callable[[Iterable[int]], Sequence[Episode]] | None = None,
    ) -> None:
        """Take *episodes*, which returns those at given places, from a caller that knows some."""
        self._view = view
        self._within = within
        self._episodes = episodes or self._episodes_at

    def _episodes_at(self, seqs: Iterable[int]) -> Sequence[Episode]:
        return Episodes(self._view).at(sorted(seqs), self._within)

    def around(self, places: Iterable[Place], *, are_answered: bool = False) -> Mapping[int, Span]:
        """
        Return the span around each of *places* that belongs to an exchange, by that place.

        With *are_answered*, exchanges without any answer are not searched.
        """
        by_session: defaultdict[int, list[Place]] = defaultdict(list)
        for place in places:
            if place.session_no > 0:
                by_session[place.session_no].append(place)
        runs = [
            run
            for members in by_session.values()
            for run in _runs(sorted(members, key=lambda one: one.position))
        ]
        windows = [
            (run[0].session_no, run[0].position - REACH, run[-1].position + REACH) for run in runs
        ]
        found: dict[int, Span] = {}
        for run, rows in zip(runs, self._turns(windows), strict=True):
            if are_answered and Role.ASSISTANT not in map(_ROLE, rows):
                continue
            begin, said = _beginning(rows, run[0].position)
            turns = map(_turn, islice(rows, begin, None))
            spans = _until(run[-1].position, spans_of(run[0].session_no, turns, said))
            for place in run:
                if (span := span_at(spans, place.position)) is not None:
                    found[place.seq] = span
        return found

    def read(self, spans: Iterable[Span], *, is_whole: bool = True) -> list[Exchange]:
        """
        Return the exchanges of *spans*, in their order; erased ones are left out.

        Without *is_whole*, what was done in them is not read.
        """
        wanted = list(spans)
        seqs = {
            seq
            for one in wanted
            for seq in (*one.asks, one.report, one.before, one.stopped, one.after)
            if seq
        }
        episodes = {one.seq: one for one in self._episodes(seqs)}
        made = [found for one in wanted if (found := _exchange(one, episodes)) is not None]
        if not is_whole:
            return made
        halves = self._called(made)
        return [_with_actions(one, halves.get(one.id, ())) for one in made]

    def taken_back(self, made: Iterable[Exchange]) -> frozenset[EpisodeId]:
        """
        Return the IDs of those *made* exchanges whose work was taken back later.

        The exchanges may have been read without what was done in them.
        """
        reported = [one for one in made if one.report_seq is not None]
        # Few commands take anything back, and reading everything that was done takes long.
        may_be = [one for run in _near(reported) for one in self._undone(run)]
        halves = self._called(may_be)
        done = [_with_actions(one, halves.get(one.id, ())) for one in may_be]
        return frozenset(one.id for one in done if one.is_taken_back)

    def _undone(self, run: Sequence[Exchange]) -> Iterator[Exchange]:
        """Yield exchanges that a later command may take back, whatever its outcome."""
        until = max(map(_reach, run))
        lines = ToolUses(self._view).changing(after=run[0].ask_seq, until=until)
        back = [one for one in lines if not one.is_edit and takes_back(one.about)]
        for one in run if back else ():
            end = one.report_seq or 0
            later = _between(back, end, _reach(one))
            if later and may_be_taken_back(_between(lines, one.ask_seq, end), later):
                yield one

    def of(self, asks: Sequence[EpisodeId]) -> list[Exchange]:
        """Return the exchanges that begin with these messages, in the order given."""
        seqs = {place_of(self._view.conn, one): one for one in asks}
        places = Episodes(self._view).places(list(seqs), EpisodeFilter(within=self._within))
        spans = self.around(places)
        ordered = [spans[seq] for seq in seqs if seq in spans]
        return self.read(dict.fromkeys(ordered), is_whole=False)

    def in_session(self, session_id: SessionId) -> list[Exchange]:
        """Return the exchanges of a session, in their order."""
        return self.read(self._spans(session_id))

    def last(
        self, *, limit: int, of_each: int | None = None, without: SessionId | None = None
    ) -> list[Exchange]:
        """
        Return exchanges that were reported on, newest first, of other sessions than *without*.

        *of_each* is the most that are taken of one session.
        """
        begun: list[_Begun] = []
        read = max(SESSIONS_READ, limit)
        for session in Episodes(self._view).sessions(self._within, limit=read):
            # What the session and its subagents said is before the agent already.
            if without and f"{session.id}/".startswith(f"{without}/"):
                continue
            # Sessions come by last activity. A session that is older than the oldest exchange found
            # so far has no newer one.
            if len(begun) >= limit and begun[-1].at > session.last_at:
                break
            told = [one for one in self._spans(session.id) if one.report is not None]
            every = [*begun, *self._begun(told[-(of_each or limit) :])]
            begun = sorted(every, key=_ORDER, reverse=True)[:limit]
        # Read only the exchanges that are returned, since many sessions may overlap.
        return self.read([one.span for one in begun])

    def _begun(self, spans: Sequence[Span]) -> Iterator[_Begun]:
        """Yield the beginnings of a session's *spans* whose asks can be read; see `in_order`."""
        seqs = [seq for one in spans for seq in one.asks]
        stamps = Episodes(self._view).stamps(seqs, self._within)
        latest: datetime | None = None
        for span in spans:
            seq = next((one for one in span.asks if one in stamps), None)
            if seq is None:
                continue
            at = ordered = stamps[seq].instant.at
            if not stamps[seq].is_imported:
                ordered = latest = max(at, latest or at)
            yield _Begun((ordered, seq), at, span)

    def get(self, episode_id: EpisodeId) -> Exchange:
        """
        Return the exchange that an episode belongs to.

        Raises:
            NotFoundError: no such episode is visible, or it belongs to no exchange.
        """
        episode = Episodes(self._view).get(episode_id, self._within)
        places = Episodes(self._view).places([episode.seq], EpisodeFilter(within=self._within))
        for found in self.read(self.around(places).values()):
            return found
        raise NotFoundError(
            f"{episode_id} belongs to no exchange: nobody asked anything before it",
            hint=f"read it by itself: tilth episode show {episode_id}",
        )

    def _called(self, made: Sequence[Exchange]) -> Mapping[EpisodeId, list[Half]]:
        """Return calls and outcomes from each ask on, if a tool was called before its report."""
        ends = [(one, one.report_seq) for one in made if one.report_seq is not None]
        # Most exchanges are talk alone, and nothing undoes those.
        had_calls = ToolUses(self._view).among([(one.ask_seq, end) for one, end in ends])
        reported = [one for one, end in ends if (one.ask_seq, end) in had_calls]
        return {id_: part for run in _near(reported) for id_, part in self._halves(run)}

    def _halves(self, run: Sequence[Exchange]) -> Iterator[tuple[EpisodeId, list[Half]]]:
        """Yield the calls and outcomes from each ask on, all of them from one read."""
        until = max(map(_reach, run))
        found = ToolUses(self._view).halves(
            self._within, after=run[0].ask_seq, until=until, session_id=run[0].session_id
        )
        for one in run:
            begin = bisect_right(found, one.ask_seq, key=_place)
            yield one.id, found[begin : bisect_right(found, _reach(one), key=_place)]

    def _spans(self, session_id: SessionId) -> list[Span]:
        which = EpisodeFilter(within=self._within, session_id=session_id)
        place = Episodes(self._view).first(which)
        if place is None:
            return []
        (rows,) = self._turns([(place.session_no, 0, 1 << 31)])
        return [*spans_of(place.session_no, map(_turn, rows))]

    def _turns(self, windows: Sequence[tuple[int, int, int]]) -> list[list[Row]]:
        """
        Return the messages of each window, which is a session with its first and last position.

        A row holds the window, the place, the position, the speaker and the time.
        """
        if not windows:
            return []
        parts = [_TURNS.format(window=number) for number in range(len(windows))]
        found = self._view.conn.rows(" UNION ALL ".join(parts), [*chain(*windows)])
        rows: list[list[Row]] = [[] for _ in windows]
        for row in sorted(found, key=_POSITION):  # takes half the time of sorting in SQLite
            rows[row[0]].append(row)
        return rows


def _beginning(rows: Sequence[Row], position: int) -> tuple[int, int | None]:
    """
    Return the index in *rows* of the ask at *position*'s beginning, and the answer before it.

    An ask that follows an answer begins an exchange, unless a clock was set back before it; then
    the session is read from its first message.
    """
    begin = bisect_right(rows, position, key=_POSITION) - 1
    while begin > 0 and not (rows[begin][3] == Role.USER != rows[begin - 1][3]):
        begin -= 1
    times = [row[4] for row in rows[: begin + 1]]
    if begin <= 0 or times != sorted(times):
        return 0, None
    before = (row[1] for row in reversed(rows[:begin]) if row[3] == Role.ASSISTANT)
    return begin, next(before, None)


def _until(position: int, spans: Iterable[Span]) -> list[Span]:
    """Return *spans* up to the one that may hold *position*; no later message is read."""
    return [*takewhile(lambda span: span.first <= position, spans)]


def _turn(row: Row) -> Turn:
    _, seq, position, role, at = row
    return Turn(seq, position, _ROLES[role], at)


def _runs(members: Sequence[Place]) -> Iterable[list[Place]]:
    """Yield groups of places near each other, each to be read in one piece."""
    run: list[Place] = []
    for place in members:
        if run and place.position - run[-1].position > 2 * REACH:
            yield run
            run = []
        run.append(place)
    yield run


def _near(reported: Iterable[Exchange]) -> Iterator[list[Exchange]]:
    """Yield groups of a session's exchanges whose tool uses one read finds."""
    run: list[Exchange] = []
    for one in sorted(reported, key=lambda one: (one.session_id, one.ask_seq)):
        is_near = (
            run
            and one.session_id == run[0].session_id
            and one.ask_seq <= max(map(_reach, run))
            and _reach(one) - run[0].ask_seq <= HALVES_MAX
        )
        if run and not is_near:
            yield run
            run = []
        run.append(one)
    if run:
        yield run


def _reach(one: Exchange) -> int:
    """Return up to which place the tool uses of an exchange are read."""
    return (one.report_seq or one.ask_seq) + REACH


def _place(half: Half) -> int:
    return half.episode_no


def _with_actions(one: Exchange, halves: Sequence[Half]) -> Exchange:
    """Return an exchange with what *halves* did, and whether they took it back later."""
    uses = uses_of(halves)
    own = [use for use in uses if use.call.episode_no <= (one.report_seq or 0)]
    if not own:
        return one
    done = actions_of(own)
    became = closure_of(done["files"], done["commits"], uses[len(own) :])
    commands = tuple(
        f"{told}, passed later" if line in became.passed and told == f"{line}: failed" else told
        for told in done["commands"]
        for line in [told.rpartition(": ")[0]]
    )
    return replace(
        one,
        files=done["files"],
        commands=commands,
        commits=done["commits"],
        is_taken_back=became.is_taken_back,
    )


def _between(lines: Sequence[Changing], after: int, until: int) -> Sequence[Changing]:
    """Return those of *lines* that lie between two places."""
    return lines[bisect_right(lines, after, key=_LINE) : bisect_right(lines, until, key=_LINE)]


def _exchange(span: Span, episodes: Mapping[int, Episode]) -> Exchange | None:
    asks = [episodes[seq] for seq in span.asks if seq in episodes]
    report = episodes.get(span.report or 0)
    if not asks or asks[0].session_id is None:
        return None
    ask = "\n\n".join(one.text for one in asks)
    before = episodes.get(span.before or 0)
    stopped, after = episodes.get(span.stopped or 0), episodes.get(span.after or 0)
    return Exchange(
        id=asks[0].id,
        ask_seq=asks[0].seq,
        report_seq=report.seq if report else None,
        session_id=asks[0].session_id,
        scope=asks[0].scope,
        began_at=asks[0].occurred_at,
        ended_at=max(one.occurred_at for one in (*asks, *((report,) if report else ()))),
        instant=asks[0].instant.at,
        ask=ask,
        report=report.text if report else "",
        ending=_ending(report, stopped),
        question=before.text if before and len(ask) <= _ANSWER_CHARS_MAX else "",
        report_id=report.id if report else None,
        is_doubted=after is not None and doubts(after.text),
        is_imported=asks[0].lifecycle is Lifecycle.HISTORICAL,
        is_persons=all(one.is_persons for one in asks),
    )


def _ending(report: Episode | None, stopped: Episode | None) -> Ending:
    if stopped is not None and is_interruption(stopped.text):
        return Ending.INTERRUPTED
    return Ending.REPORTED if report is not None else Ending.UNANSWERED
