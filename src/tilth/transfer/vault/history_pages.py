"""Pages on what happened: the log, weekly digests, and sessions."""

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
from tilth.transfer.vault.page_text import Page, Parts, Ref, block_of, inert_line, inert_words
from tilth.transfer.vault.visibility import Seen, short_line

# What stands behind the words of a fact that nobody confirmed.
DRAFT_MARK = " — *draft*"
_LEARNED_MAX = 100
_READ_AT_ONCE = 200
_ID = re.compile(r"\b[a-z]{3}_[0-9A-Z]{26}\b")
# Of what an ID stands for in a line of the log, and of the ID itself.
_WORDS_CHARS, _TAIL_CHARS = 30, 4


def log_of(brain: Seen) -> Page:
    """Return what changed, line by line; what happens later only adds to it (XR-09)."""
    lines, words = list[Parts]([("# Log",)]), dict[str, str]()
    for one, (kind, text, _) in brain.told:
        shown = short_line(brain.shown(_in_words(text, words)))
        words[one.made] = text
        lines += [("",), (f"## [{written_day(one.recorded_at)}] {kind} | {shown}",)]
    return Page(id="log", folder="", title="log", lines=lines, is_fixed=True)


def _in_words(text: str, words: Mapping[str, str]) -> str:
    """Return *text* with what each ID in it stands for, as the log told it when it was made."""
    return _ID.sub(lambda found: _named(found[0], words.get(found[0], "")), text)


def _named(id_: str, words: str) -> str:
    told = one_line(words, _WORDS_CHARS)
    if not told or not id_.startswith((FactId.prefix, EpisodeId.prefix)):
        return told or id_
    return f"“{told}” ({id_[: len(FactId.prefix)]}…{id_[-_TAIL_CHARS:]})"


def digests_of(brain: Seen, where: Mapping[str, str], drafts: Collection[str]) -> Iterator[Page]:
    """
    Yield a page for each ISO week in which something changed: how much, what was learned, decided.

    Args:
        brain: What may be seen.
        where: On which page each fact stands.
        drafts: Which of them nobody confirmed yet.
    """
    weeks: defaultdict[str, _Week] = defaultdict(_Week)
    for one, (kind, text, _) in brain.told:
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
            properties={
                "title": name,
                "tags": ["tilth/digest"],
                "brain_id": f"digest:{name}",
                "type": "digest",
            },
            lines=list(_week(brain, name, week, where)),
        )


@dataclass(slots=True)
class _Week:
    """What happened in a week."""

    counts: Counter[str] = field(default_factory=Counter)
    learned: list[tuple[str, str, str]] = field(default_factory=list)
    decided: list[tuple[str, str]] = field(default_factory=list)


def _week(brain: Seen, name: str, week: _Week, where: Mapping[str, str]) -> Iterator[Parts]:
    yield (f"# Week {name}",)
    yield ("",)
    counted = sorted(week.counts.items(), key=lambda one: (-one[1], one[0]))
    yield (", ".join(f"{kind}: {count:,}" for kind, count in counted),)
    if week.learned:
        yield from (("",), ("## Learned",), ("",))
    for id_, text, mark in week.learned[-_LEARNED_MAX:]:
        yield ("- ", Ref(brain.page_id(where[id_]), id_, short_line(brain.shown(text))), mark)
    if len(week.learned) > _LEARNED_MAX:
        yield (f"- and {len(week.learned) - _LEARNED_MAX:,} before these",)
    if week.decided:
        yield from (("",), ("## Decided",), ("",))
    for word, id_ in week.decided:
        yield (f"- {word}: ", Ref(brain.page_id(where[id_]), id_, id_))


def raw_of(brain: Seen) -> Iterator[Page]:
    """Yield a page for each session, and one for each day of what was said in none."""
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
            properties={
                "title": title,
                "tags": ["tilth/raw", brain.scope_tag(begun.scope)],
                "brain_id": id_,
                "type": "session",
            },
            lines=_Said(brain, title, tuple(runs[key])),
        )


@dataclass(frozen=True)
class _Said:
    """What was said in a session, read when its page is written: it may be long."""

    brain: Seen
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
                yield (f"## {at} {inert_line(self.brain.shown(who))} ^{block_of(one.id)}",)
                yield ("",)
                # A quotation: no line of it is a heading or a list of the page.
                for line in inert_words(self.brain.shown(one.text)).splitlines():
                    yield (f"> {line}",)


def _title(brain: Seen, begun: Episode, key: str) -> str:
    if begun.session_id is None:
        return key
    session = Episodes(brain.view).session(begun.session_id, brain.within)
    return brain.shown(session.info.title) or brain.called(key)
