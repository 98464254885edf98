"""Write the pages of a brain's history: the log, weekly digests, and sessions."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field

from tilth.core.dataclass import dataclass
from tilth.core.ids import EpisodeId, FactId
from tilth.core.instant import written_day, written_minute
from tilth.episodes.episode import Episode
from tilth.episodes.filters import EpisodeFilter
from tilth.episodes.tables import Episodes, every_episode
from tilth.knowledge.facts.events import FactRecorded
from tilth.knowledge.proposals.events import ProposalDecided
from tilth.privacy.terminal_text import one_line
from tilth.transfer.vault.page_text import (
    Page,
    Parts,
    Ref,
    block_of,
    inert_line,
    inert_words,
    properties_of,
)
from tilth.transfer.vault.visibility import VisibleBrain, short_line

# The mark behind the text of a fact that nobody confirmed.
DRAFT_MARK = " — *draft*"
_LEARNED_MAX = 100
_READ_AT_ONCE = 200
_ID = re.compile(r"\b[a-z]{3}_[0-9A-Z]{26}\b")
# How much of a text stands for its ID in a line of the log, and how much of the ID beside it.
_WORDS_CHARS, _TAIL_CHARS = 30, 4


def log_page(brain: VisibleBrain) -> Page:
    """Return the page of all changes; later ones only add lines to it (XR-09)."""
    lines, words = list[Parts]([("# Log",)]), dict[str, str]()
    for one, (kind, text, _) in brain.changes:
        shown = short_line(brain.cover(_ids_as_texts(text, words)))
        words[one.made] = text
        lines += [("",), (f"## [{written_day(one.recorded_at)}] {kind} | {shown}",)]
    return Page(id="log", folder="", title="log", lines=lines, is_fixed=True)


def _ids_as_texts(text: str, words: Mapping[str, str]) -> str:
    """Return *text* with each ID replaced by the text that the log has of it."""

    def named(found: re.Match[str]) -> str:
        id_, told = found[0], one_line(words.get(found[0], ""), _WORDS_CHARS)
        if not told or not id_.startswith((FactId.prefix, EpisodeId.prefix)):
            return told or id_
        return f"“{told}” ({id_[: len(FactId.prefix)]}…{id_[-_TAIL_CHARS:]})"

    return _ID.sub(named, text)


def digest_pages(
    brain: VisibleBrain, where: Mapping[str, str], drafts: Collection[str]
) -> Iterator[Page]:
    """
    Yield a page for each ISO week with changes: their counts, new facts, and decisions.

    Args:
        brain: The visible brain.
        where: The page of each fact, by ID.
        drafts: The IDs of facts that nobody confirmed yet.
    """
    weeks: defaultdict[str, _Week] = defaultdict(_Week)
    for one, (kind, text, _) in brain.changes:
        week = weeks[f"{one.recorded_at:%G-W%V}"]
        week.counts[kind] += 1
        if isinstance(one.event, FactRecorded) and one.made in where:
            week.learned.append((one.made, text, DRAFT_MARK * (one.made in drafts)))
        if isinstance(one.event, ProposalDecided):
            ruled = one.event.ruling
            week.decided += [(ruled.action, id_) for id_ in ruled.facts if id_ in where]
            week.decided += [("ended", id_) for id_ in ruled.retires if id_ in where]
    for name, week in sorted(weeks.items()):
        yield Page(
            id=f"digest:{name}",
            folder="digests",
            title=name,
            properties=properties_of(name, ["tilth/digest"], f"digest:{name}", "digest"),
            lines=list(_week_lines(brain, name, week, where)),
        )


@dataclass(slots=True)
class _Week:
    """The changes of a week: counts by kind, new facts, and decisions about facts."""

    counts: Counter[str] = field(default_factory=Counter)
    learned: list[tuple[str, str, str]] = field(default_factory=list)
    decided: list[tuple[str, str]] = field(default_factory=list)


def _week_lines(
    brain: VisibleBrain, name: str, week: _Week, where: Mapping[str, str]
) -> Iterator[Parts]:
    yield (f"# Week {name}",)
    yield ("",)
    counted = sorted(week.counts.items(), key=lambda one: (-one[1], one[0]))
    yield (", ".join(f"{kind}: {count:,}" for kind, count in counted),)
    if week.learned:
        yield from (("",), ("## Learned",), ("",))
    for id_, text, mark in week.learned[-_LEARNED_MAX:]:
        yield ("- ", Ref(brain.page_id(where[id_]), id_, short_line(brain.cover(text))), mark)
    if len(week.learned) > _LEARNED_MAX:
        yield (f"- and {len(week.learned) - _LEARNED_MAX:,} before these",)
    if week.decided:
        yield from (("",), ("## Decided",), ("",))
    for word, id_ in week.decided:
        yield (f"- {word}: ", Ref(brain.page_id(where[id_]), id_, id_))


def session_pages(brain: VisibleBrain) -> Iterator[Page]:
    """Yield a page for each session, and one for each day with episodes outside of any."""
    runs: defaultdict[str, list[int]] = defaultdict(list)
    first: dict[str, Episode] = {}
    for one in every_episode(brain.view, EpisodeFilter(within=brain.within)):
        key = one.session_id or written_day(one.occurred_at)
        first.setdefault(key, one)
        runs[key].append(one.seq)
    for key in sorted(runs):
        begun = first[key]
        title = _title(brain, begun, key)
        id_ = brain.named_id(f"raw:{key}")
        yield Page(
            id=id_,
            folder=f"raw/{begun.occurred_at:%Y/%m}",
            title=title,
            properties=properties_of(
                title, ["tilth/raw", brain.scope_tag(begun.scope)], id_, "session"
            ),
            lines=_SessionLines(brain, title, tuple(runs[key])),
        )


@dataclass(frozen=True)
class _SessionLines:
    """The lines of a session's page, read as they are written, since a session may be long."""

    brain: VisibleBrain
    title: str
    seqs: Sequence[int]

    def __iter__(self) -> Iterator[Parts]:
        yield (f"# {inert_line(self.title)}",)
        for begin in range(0, len(self.seqs), _READ_AT_ONCE):
            some = self.seqs[begin : begin + _READ_AT_ONCE]
            for one in Episodes(self.brain.view).at(some, self.brain.within):
                who = one.author or one.role
                yield ("",)
                at = f"{written_minute(one.occurred_at)}:{one.occurred_at:%S}"
                yield (f"## {at} {inert_line(self.brain.cover(who))} ^{block_of(one.id)}",)
                yield ("",)
                # As a quotation, no line of it is a heading or a list of the page.
                for line in inert_words(self.brain.cover(one.text)).splitlines():
                    yield (f"> {line}",)


def _title(brain: VisibleBrain, begun: Episode, key: str) -> str:
    if begun.session_id is None:
        return key
    session = Episodes(brain.view).session(begun.session_id, brain.within)
    return brain.cover(session.info.title) or brain.cover_name(key)
