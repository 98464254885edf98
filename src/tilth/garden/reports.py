"""Write the pages of the garden: candidates, digest, week, alerts. All is pure text."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field
from datetime import datetime

from tilth.core.dataclass import dataclass
from tilth.core.instant import written_day
from tilth.core.scope import GLOBAL, Scope
from tilth.garden.assess import PAUSED_FROM, SUMMARISED_FROM
from tilth.garden.measures import Metrics
from tilth.garden.model import Candidate, Outcomes, Request, Source, SourceId, Topic, TopicId
from tilth.knowledge.facts.fact import Fact
from tilth.knowledge.proposals.proposal import Proposal

# How many candidates of a topic are shown; the rest is a number (GA-028).
_TOLD_MAX = 5
_CLASHES_TOLD_MAX, _TOPICS_TOLD_MAX, _ANSWERED_TOLD_MAX = 10, 12, 20
_NAME_CHARS = 40
# The words for degrees of confidence, each from its least value on (GA-030).
_WORDS = (
    (0.9, "almost certain"),
    (0.75, "very likely"),
    (0.55, "likely"),
    (0.45, "as likely as not"),
    (0.25, "doubtful"),
    (0.0, "very doubtful"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Clash:
    """Two facts that cannot both hold, about which a human is asked."""

    proposal: Proposal
    older: Fact
    newer: Fact


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboxContents:
    """
    The content of the outbox.

    `new` are the candidates of the cycle; `waiting` are the newest of the `waiting_count` open
    ones, newest first. `answered` counts the decisions of the week, `confirmed` and `rejected` are
    its last ones. `alerts` are sentences. `unseen` counts, by scope, the documents that global
    topics do not search.
    """

    now: datetime
    week: str
    next_at: datetime
    topics: Sequence[Topic]
    tended: Mapping[TopicId, int]
    sources: Mapping[SourceId, Source]
    new: Sequence[Candidate]
    waiting: Sequence[Candidate]
    waiting_count: int
    clashes: Sequence[Clash]
    suggestions: Sequence[Proposal]
    requests: Sequence[Request]
    answered: Outcomes = field(default_factory=Outcomes)
    confirmed: Sequence[Candidate] = ()
    rejected: Sequence[Candidate] = ()
    spent: Mapping[str, int] = field(default_factory=dict)
    alerts: Sequence[str] = ()
    unseen: Mapping[Scope, int] = field(default_factory=dict)


def uncertainty(value: float) -> str:
    """Return how sure something is, in words with the number: ``likely (0.6)``."""
    word = next(word for least, word in _WORDS if value >= least)
    return f"{word} ({value:.2g})"


def candidates_name(topic: Topic, day: datetime, taken: Collection[str]) -> str:
    """Return the file name for a topic's candidates; numbered if another topic has the name."""
    slug = re.sub(r"[^\w]+", "-", topic.name.casefold()).strip("-_")[:_NAME_CHARS] or "topic"
    names = (
        f"outbox/candidates/{written_day(day)}_{slug}{end}.md"
        for end in ("", *(f"-{number}" for number in range(2, len(taken) + 2)))
    )
    return next(one for one in names if one not in taken)


def candidates_page(topic: Topic, contents: OutboxContents) -> str:
    """Return the page of a topic's new candidates, with the words that they rest on."""
    new = [one for one in contents.new if one.topic_id == topic.id]
    deferred = contents.tended.get(topic.id, 0)
    later = f" {deferred} more {_was(deferred)} found and left for a later cycle."
    later = later if deferred else ""
    lines = [
        f"# {topic.name}: {counted(len(new), 'new candidate')}, {written_day(contents.now)}",
        "",
        f"{_waiting(topic.counts.candidates)} for an answer on this topic.{later}",
        _HOW,
    ]  # fmt: skip
    for number, one in enumerate(new, start=1):
        lines += ["", f"## {number}. {uncertainty(one.confidence)}", ""]
        lines += [one.fact.said.text, "", *_source_lines(one, contents), *_doubts(one, contents)]
        lines += [f"- ID: `{one.fact.id}`"]
    return "\n".join(lines) + "\n"


_HOW = (
    "Answer on the screen Garden, by `tilth review walk`, or in "
    "`inbox/approvals.json` and `inbox/rejections.json` with `tilth garden sign`."
)


def digest_page(contents: OutboxContents) -> str:
    """Return the digest: what is new, what waits, and what was decided this week."""
    week = ["", "## Answered in the last seven days", "", *_decided(contents)]
    pages = [*_head(contents), *_topics(contents), *_questions(contents), *week, *_unseen(contents)]
    return "\n".join([*pages, ""])


def week_page(week: str, contents: OutboxContents, figures: Metrics) -> str:
    """Return the summary of a week that ended."""
    until = f"In the seven days until {_day(contents.now)}:"
    lines = [f"# Week {week}", "", until, *_decided(contents), "", "## How the garden does", ""]
    lines += [f"- {one}" for one in _figures(figures)]
    lines += ["", f"{_waiting(contents.waiting_count)} for your answer."]
    return "\n".join([*lines, ""])


def _figures(figures: Metrics) -> Iterator[str]:
    """Yield the five figures, a sentence each."""
    yield f"Coverage: a topic has {figures.coverage:.2g} confirmed facts on average."
    late = "on time" if figures.freshness <= 1 else "late"
    yield (
        f"Freshness: topics are tended {late}; on average {figures.freshness:.0%} of the days that "
        "they allow have passed."
    )
    if figures.accuracy is None:
        yield "Accuracy: no candidate was answered yet."
    else:
        yield f"Accuracy: {figures.accuracy:.0%} of the answered candidates were confirmed."
    if figures.efficiency is None:
        yield "Efficiency: no search was made yet."
    else:
        yield f"Efficiency: ten searches led to {10 * figures.efficiency:.2g} confirmed facts."
    days = counted(round(figures.engagement * 4), "day")
    yield f"Engagement: somebody answered on {days[0].lower()}{days[1:]} of the last 28."


def alerts_page(contents: OutboxContents) -> str:
    """Return what needs somebody's attention."""
    lines = [f"# Alerts, {contents.now:%Y-%m-%d %H:%M} UTC", ""]
    return "\n".join([*lines, *([f"- {one}" for one in contents.alerts] or ["None."]), ""])


def _head(contents: OutboxContents) -> Iterator[str]:
    yield f"# Digest, {_day(contents.now)} {contents.now:%Y}"
    yield ""
    waiting = contents.waiting_count
    yield f"{_done(contents)} {_waiting(waiting)} for your answer."
    yield _HOW
    if waiting >= PAUSED_FROM:
        yield ""
        yield f"**Paused**: while {PAUSED_FROM} or more are waiting, none is added."
    elif waiting >= SUMMARISED_FROM:
        yield ""
        yield f"Since so many are waiting, each topic shows its {_TOLD_MAX} likeliest candidates."
    yield f"The next cycle is due on {_day(contents.next_at)} at {contents.next_at:%H:%M} UTC."


def _done(contents: OutboxContents) -> str:
    """Return what the cycle did, in a sentence."""
    searches, reads = contents.spent.get("searches", 0), contents.spent.get("reads", 0)
    if not searches:
        return "This cycle looked for nothing new."
    made = f"made {counted(searches, 'search', 'searches')}"
    read = f"read {counted(reads, 'document')}" if reads else "found no document to read"
    found = f"found {counted(len(contents.new), 'new candidate')}"
    if not contents.new:
        return f"This cycle {made} and {read}" + (
            f", with nothing new in {'it' if reads == 1 else 'them'}." if reads else "."
        )
    return f"This cycle {made}, {read} and {found}."


def _topics(contents: OutboxContents) -> Iterator[str]:
    by_topic: dict[TopicId, list[Candidate]] = {}
    for one in contents.waiting:
        by_topic.setdefault(one.topic_id, []).append(one)
    named = [one for one in contents.topics if one.id in contents.tended or one.counts.candidates]
    named.sort(key=lambda one: one.id not in contents.tended)
    for topic in named[:_TOPICS_TOLD_MAX]:
        waiting, counts = by_topic.get(topic.id, []), topic.counts
        yield ""
        yield f"## {topic.name}"
        yield ""
        yield (
            f"{counted(counts.confirmed, 'confirmed fact')}, {counts.candidates} waiting, "
            f"{counts.rejected} rejected. Priority {topic.priority} of 5."
        )
        if not any(one.topic_id == topic.id for one in contents.new):
            yield "Nothing new." if topic.id in contents.tended else "Not tended this time."
        yield from _by_source(waiting, counts.candidates, contents)
    if rest := named[_TOPICS_TOLD_MAX:]:
        more = sum(one.counts.candidates for one in rest)
        yield ""
        yield f"On {counted(len(rest), 'more topic')} {more} are waiting: `tilth topic list`."


def _by_source(waiting: Sequence[Candidate], count: int, contents: OutboxContents) -> Iterator[str]:
    """Yield candidates by source, so that each source is named once."""
    new = {one.fact.id for one in contents.new}
    is_long = contents.waiting_count >= SUMMARISED_FROM
    likeliest = sorted(waiting, key=lambda one: (-one.confidence, one.found_at, one.nth))
    shown = likeliest[:_TOLD_MAX] if is_long else list(waiting)
    by_source: dict[SourceId, list[Candidate]] = {}
    for one in shown:
        by_source.setdefault(one.source_id, []).append(one)
    for source_id, found in by_source.items():
        yield ""
        yield f"From {_named(contents.sources.get(source_id))}:"
        yield ""
        for one in found:
            mark = "**new** " if one.fact.id in new else ""
            yield f"- {mark}{one.fact.said.text}"
            yield f"  {uncertainty(one.confidence)}, `{one.fact.id}`"
            yield from (f"  {line[2:]}" for line in _doubts(one, contents))
    if count > len(shown):
        yield ""
        yield f"And {count - len(shown)} more: `tilth garden candidates`."


def _questions(contents: OutboxContents) -> Iterator[str]:
    if contents.clashes:
        yield from ("", "## What cannot both be true", "")
    for one in contents.clashes[:_CLASHES_TOLD_MAX]:
        yield f"- {one.older.said.text}"
        yield f"  against: {one.newer.said.text}"
        yield f"  {one.proposal.draft.reason} `{one.proposal.id}`"
    if (more := len(contents.clashes) - _CLASHES_TOLD_MAX) > 0:
        yield ""
        yield f"And {more} more: `tilth review list --kind contradiction`."
    if contents.suggestions:
        yield from ("", "## Suggestions", "")
        yield from (f"- {one.draft.reason} `{one.id}`" for one in contents.suggestions)
    if contents.requests:
        yield from ("", "## Questions of yours that fit no topic", "")
        yield from (f"- {one.text}" for one in contents.requests)
        yield ""
        yield "Name what they are about: `tilth topic add NAME`."


def _decided(contents: OutboxContents) -> Iterator[str]:
    confirmed, rejected = contents.answered.confirmed, contents.answered.rejected
    if not confirmed and not rejected:
        yield "No candidate was answered."
        return
    yield (
        f"{counted(confirmed, 'candidate')} {_was(confirmed)} confirmed, and "
        f"{rejected or 'none'} {_was(rejected or 1)} rejected."
    )
    if contents.confirmed:
        yield ""
        yield from (f"- {one.fact.said.text}" for one in contents.confirmed[:_ANSWERED_TOLD_MAX])
    if (more := confirmed - _ANSWERED_TOLD_MAX) > 0:
        yield f"- and {more} more"
    reasons = [one for one in contents.rejected if one.reason][:_ANSWERED_TOLD_MAX]
    if reasons:
        yield from ("", "Rejected, and why:", "")
        yield from (f"- {one.fact.said.text}\n  {one.reason}" for one in reasons)


def _unseen(contents: OutboxContents) -> Iterator[str]:
    """Yield what global topics did not search, and how to have it searched."""
    topics = [one.name for one in contents.topics if one.scope == GLOBAL]
    if not topics or not contents.unseen:
        return
    yield from ("", "## What was not looked at", "")
    named = ", ".join(f"*{one}*" for one in topics[:_TOLD_MAX])
    more = f" and {len(topics) - _TOLD_MAX} more" if len(topics) > _TOLD_MAX else ""
    yield (
        f"{named}{more} {'belongs' if len(topics) == 1 else 'belong'} to no project, so what lies "
        "in projects stays there:"
    )
    yield ""
    listed = [*contents.unseen.items()]
    yield from (
        f"- {counted(count, 'document')} in `{scope}`" for scope, count in listed[:_TOLD_MAX]
    )
    if rest := listed[_TOLD_MAX:]:
        total = counted(sum(count for _, count in rest), "document")
        yield f"- {total} in {counted(len(rest), 'other scope')}"
    yield ""
    yield f"To look there: `tilth topic add NAME --scope {listed[0][0]}`."


def _source_lines(one: Candidate, contents: OutboxContents) -> Iterator[str]:
    source = contents.sources.get(one.source_id)
    if " ".join(one.quote.split()) != one.fact.said.text:
        yield f"> {' '.join(one.quote.split())}"
        yield ""
    yield f"- from: {_named(source)}"
    for also in (contents.sources.get(other) for other in one.said_by if other != one.source_id):
        yield f"- said by {_named(also)} too"
    if source is not None:
        yield f"- read {written_day(source.fetched_at)}, credibility {source.credibility}"
    yield f"- found by asking: {one.question}"


def _doubts(one: Candidate, contents: OutboxContents) -> Iterator[str]:
    if one.fact.worded_by:
        yield f"- worded by {one.fact.worded_by}: verify"
    for clash in contents.clashes:
        if one.fact.id in {clash.older.id, clash.newer.id}:
            other = clash.older if clash.newer.id == one.fact.id else clash.newer
            yield f"- disagrees with: {other.said.text}"
    for said in one.suggested:
        why = f": {said.reason}" if said.reason else ""
        yield f"- suggested: {said.verdict} ({said.inbox}, not signed){why}"


def _named(source: Source | None) -> str:
    """Return a source's title, with its address if a browser can open it."""
    if source is None:
        return "a source that is gone"
    is_web = source.address.startswith(("http://", "https://")) and bool(source.title)
    return f"*{source.title or source.address}*" + (f" <{source.address}>" if is_web else "")


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun: ``1 search``, ``No searches``."""
    return f"{number or 'No'} {noun if number == 1 else plural or noun + 's'}"


def _waiting(number: int) -> str:
    return f"{counted(number, 'candidate')} {'is' if number == 1 else 'are'} waiting"


def _was(number: int) -> str:
    return "was" if number == 1 else "were"


def _day(at: datetime) -> str:
    return f"{at:%A} {at.day} {at:%B}"
