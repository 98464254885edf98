"""
Extract what a stretch of a session states: run the extractors, and filter what they find.

This module writes nothing and asks no model.
"""

import logging
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from datetime import datetime
from itertools import zip_longest

from tilth.core.actor import CameBy
from tilth.core.clock import Clock
from tilth.core.dataclass import dataclass
from tilth.core.errors import TilthError
from tilth.core.json import Json, JsonObject
from tilth.core.scope import Scope, Visibility, key_of
from tilth.episodes.episode import SPOKEN, Episode, EpisodeKind, Quote, Role
from tilth.episodes.filters import EpisodeFilter
from tilth.episodes.lineage import is_copied_by_fork
from tilth.episodes.tables import Episodes
from tilth.exchanges.corroboration import quotes_elsewhere
from tilth.exchanges.model import is_interruption
from tilth.exchanges.sentences import own_sentences
from tilth.knowledge.facts.fact import FactDraft
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.life import DUE, GRADED, Authority, Grade
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.facts.write.normalise_fact import is_hidden, scrubbed_fact
from tilth.knowledge.vocabulary.registries import Channel
from tilth.learning.candidate import Candidate, Extractor, Malformed, StatementKind, Turn
from tilth.learning.filter import Found, Left, filter_findings
from tilth.learning.memory_lines import commands, lines, without_commands
from tilth.learning.spoken.answers import acceptances
from tilth.learning.spoken.corrections import corrections
from tilth.learning.spoken.plain_statements import speech
from tilth.learning.statements import statements, states_by_itself
from tilth.learning.text.polarity import Polarity, polarity_of
from tilth.learning.text.social_talk import is_of_people, people_in, tells_of_people
from tilth.learning.text.triples import named, with_names
from tilth.learning.values.anchors import default_subject
from tilth.learning.values.choices import choices
from tilth.learning.values.relations import relations
from tilth.learning.values.values import moves, values
from tilth.ledger.snapshot import Snapshot
from tilth.privacy.exclusion import Exclusion
from tilth.privacy.finding import has_placeholder
from tilth.privacy.remainder import without_keys

logger = logging.getLogger(__name__)

# The extractors, in order. The explicit ones come first; words that they read are shown to no
# other.
EXPLICIT: tuple[Extractor, ...] = (commands, lines)
EXTRACTORS: tuple[Extractor, ...] = (corrections, relations, moves, values, choices, statements)
# The extractors for summaries of conversations between people.
OF_PEOPLE: tuple[Extractor, ...] = (relations, moves, values, acceptances, speech)

# Tool calls and outcomes are read as well; documents are read only on request.
HEARD = frozenset(EpisodeKind) - {EpisodeKind.DOCUMENT}
# The size of a stretch, in messages and characters: dense talk says some ten memorable things in
# it.
_STRETCH_MESSAGES, _STRETCH_CHARS = 3, 2_000
# How many sentences of a window are stated: at least, and for each message of a user.
STATED_MIN, STATED_A_MESSAGE = 2, 0.12
# How many uncorroborated sentences of a window are searched in other sessions.
_DOUBTFUL_MAX = 50
# How many facts that rest on a note are searched for the one that it was kept for.
_STATED_MAX = 20
# How many episodes back the other side's last words are searched.
_REACH = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """
    How sessions are read.

    `least` is the least confidence by channel (DU-021); `waits_for_model` says that a language
    model reads them afterwards. What contains an `excluded` term is not stated.
    """

    least: Mapping[Channel, float] = field(default_factory=dict)
    waits_for_model: bool = False
    excluded: Exclusion = field(default_factory=Exclusion)


@dataclass(frozen=True, slots=True)
class Ready:
    """A draft to be recorded, and what it was read from."""

    draft: FactDraft
    found: Found

    @property
    def is_weighed(self) -> bool:
        """Whether it is a sentence that was kept for its estimated worth."""
        found = self.found.candidate
        is_apart = found.kind is StatementKind.RULE or found.only_corrects
        return not (self.found.is_certain or is_apart) and found.said.triple is None


@dataclass(slots=True)
class Extracted:
    """
    What a stretch of a session states, and how much was left out, by reason.

    `doubtful` is the part that only lacks corroboration.
    """

    ready: list[Ready] = field(default_factory=list)
    left: Counter[Left] = field(default_factory=Counter)
    malformed_count: int = 0
    doubtful: list[Found] = field(default_factory=list)


def extract_statements(turns: Sequence[Turn], rules: Rules, clock: Clock) -> Extracted:
    """Return what *turns* state, up to a limit for each stretch (DU-054)."""
    done = Extracted()
    turns = _among_people(turns)
    for stretch in _stretches(turns):
        keep(_found(stretch, done), done, rules, clock)
    spoken = sum(turn.is_spoken and turn.episode.role is Role.USER for turn in turns)
    _drop_surplus(done, max(STATED_MIN, round(STATED_A_MESSAGE * spoken)))
    return done


def _among_people(turns: Sequence[Turn]) -> Sequence[Turn]:
    """Return the turns with the names of the people, if several people talk and no agent."""
    people = people_in(turn.episode for turn in turns if turn.is_spoken)
    return [replace(turn, people=people) for turn in turns] if people else turns


def _tells(one: Found) -> bool:
    """Say whether a statement is about the people who talk; with one person, any may be."""
    people, said = one.turn.people, one.candidate.said
    if not people or one.is_certain:
        return True
    if said.triple is not None:
        return is_of_people(said.triple, one.candidate.quote, people)
    return tells_of_people(one.candidate.quote, said.text, people)


def _drop_surplus(done: Extracted, most: int) -> None:
    """Leave out all but the *most* worthy sentences; explicit ones are not weighed."""
    weighed = [one for one in done.ready if one.is_weighed]
    weighed.sort(key=lambda one: -one.found.candidate.confidence)
    over = {id(one) for one in weighed[most:]}
    done.ready = [one for one in done.ready if id(one) not in over]
    done.left[Left.OVER] += len(over)


def keep(
    found: Iterable[Found], done: Extracted, rules: Rules, clock: Clock, *, is_judged: bool = False
) -> None:
    """Filter what was *found* in one stretch, and make drafts; *is_judged* if a model read it."""
    fit = []
    for one in found:
        if (why := _barred(one, rules, is_judged=is_judged)) is not None:
            done.left[why] += 1
        elif not one.is_certain and _worth_of(one, is_judged=is_judged) is Grade.CANDIDATE:
            # Its exchange still shows it to who asks; another session may corroborate it.
            done.doubtful.append(one)
            done.left[Left.UNSURE] += 1
        else:
            fit.append(one)
    result = filter_findings(fit, rules.least, is_judged=is_judged)
    done.left += result.left
    for one in result.kept:
        try:
            grade = grade_of(one, is_judged=is_judged)
            done.ready.append(Ready(_draft(one, grade, clock), one))
        except TilthError as error:
            _refuse(one.turn.episode, Malformed(error.code), done)


def _barred(one: Found, rules: Rules, *, is_judged: bool) -> Left | None:
    """Return the reason why a finding is never stated, however sure; None if it may be."""
    if rules.excluded.shown(one.candidate) != one.candidate:
        return Left.EXCLUDED
    if is_hidden(one.candidate.said, one.candidate.about):
        return Left.PRIVATE
    if _rests_on_key(one, is_judged=is_judged):
        return Left.OF_KEY
    return None if _tells(one) else Left.UNSURE


def _rests_on_key(one: Found, *, is_judged: bool) -> bool:
    """Say whether a statement is empty without the key that was removed from it (KB-125)."""
    said = one.candidate.said
    is_whole = said.triple is None and one.candidate.new_value is None and not is_judged
    if is_whole and has_placeholder(said.text):
        rest = without_keys(said.text)
        return rest is None or not states_by_itself(rest)
    return has_placeholder(one.sentence) or has_placeholder(said.words)


def drop_copies(view: Snapshot, states: Extracted, within: Visibility) -> None:
    """
    Leave out what is stated elsewhere already.

    These are lines that a fork copied, which the forked session states, and notes that are kept
    for facts that somebody stated in the session by hand.
    """
    said = {one.found.turn.episode.id: one.found.turn.episode for one in states.ready}
    copied = {
        id_
        for id_, one in said.items()
        if is_copied_by_fork(view, one, within) or _is_stated(view, one, within)
    }
    states.ready = [one for one in states.ready if one.found.turn.episode.id not in copied]


def _is_stated(view: Snapshot, episode: Episode, within: Visibility) -> bool:
    if episode.kind is not EpisodeKind.NOTE:
        return False
    on_it = Facts(view).select(FactFilter(within=within, episode_id=episode.id), limit=_STATED_MAX)
    return any(fact.said.text == episode.text for fact in on_it)


def corroborate(view: Snapshot, states: Extracted, within: Visibility, clock: Clock) -> None:
    """Make drafts of doubtful sentences that a person says in another session too."""
    found: dict[str, Ready] = {}
    for one in states.doubtful[:_DOUBTFUL_MAX]:
        said = one.candidate
        is_told = said.kind is StatementKind.FACT and said.said.triple is None
        if not is_told or one.turn.people or said.said.text in found:
            continue
        quote = next(quotes_elsewhere(view, said.quote, one.turn.episode, within), None)
        if quote is not None:
            draft = _draft(one, Grade.CORROBORATED, clock)
            found[said.said.text] = Ready(replace(draft, quotes=(*draft.quotes, quote)), one)
    states.ready += found.values()
    states.left[Left.UNSURE] -= len(found)


def turns_of(
    view: Snapshot, episodes: Sequence[Episode], which: EpisodeFilter, *, is_begun: bool
) -> list[Turn]:
    """
    Return *episodes* as turns, each with the other side's last words before it.

    *is_begun* says that the session has earlier ones, among which these may be.
    """
    said = [*_before(view, episodes[0], which)] if is_begun and episodes else []
    turns: list[Turn] = []
    calls: dict[str, str] = {}
    is_stopped = False
    for episode, after in zip_longest(episodes, episodes[1:]):
        is_stopped = _stops(episode, is_stopped=is_stopped)
        others = (one for one in reversed(said) if _side(one) != _side(episode))
        is_last = after is None or (after.kind in SPOKEN and _side(after) != _side(episode))
        is_after_stop = is_stopped and episode.role is Role.USER
        use = str(episode.metadata.get("tool_use_id") or "")
        if use and episode.kind is EpisodeKind.TOOL_CALL:
            calls[use] = episode.text
        call = calls.get(use, "") if episode.kind is EpisodeKind.TOOL_RESULT else ""
        turns.append(Turn(episode, next(others, None), is_last, is_after_stop, call=call))
        if episode.kind in SPOKEN:
            # The last message of each side suffices.
            said = [one for one in said if _side(one) != _side(episode)] + [episode]
    return turns


def with_proofs(turns: Sequence[Turn], proofs: Sequence[int]) -> list[Turn]:
    """Return *turns*, with those marked that are followed by a proof before the next ask."""
    asks = [one.episode.seq for one in turns if one.is_spoken and one.episode.role is Role.USER]
    marked = []
    for turn in turns:
        later = bisect_right(asks, turn.episode.seq)
        end = asks[later] if later < len(asks) else None
        first = bisect_right(proofs, turn.episode.seq)
        is_proved = first < len(proofs) and (end is None or proofs[first] < end)
        marked.append(replace(turn, is_proved=True) if is_proved else turn)
    return marked


_REJECTED = ("The user doesn't want to proceed", "The user doesn't want to take this action")


def _stops(episode: Episode, *, is_stopped: bool) -> bool:
    """Say whether the agent was stopped: interrupted, or its call rejected."""
    if episode.role is Role.SYSTEM:
        return is_stopped or is_interruption(episode.text)
    if episode.kind is EpisodeKind.TOOL_FAILURE:
        return is_stopped or episode.text.lstrip().startswith(_REJECTED)
    return is_stopped and episode.role is Role.USER


def subject_in(scope: Scope) -> str:
    """Return the subject of a statement without one: its project or domain, or the user."""
    return key_of(scope) or "user"


def _side(episode: Episode) -> tuple[Role, str]:
    return episode.role, episode.speaker


def _before(view: Snapshot, first: Episode, which: EpisodeFilter) -> list[Episode]:
    places = Episodes(view).places([first.seq], which, reach=_REACH)
    seqs = [place.seq for place in places if place.seq < first.seq and place.kind in SPOKEN]
    return Episodes(view).at(seqs, which.within)


def _stretches(turns: Sequence[Turn]) -> Iterator[list[Turn]]:
    """Yield *turns* in stretches, each with its own limit of facts (DU-054)."""
    stretch: list[Turn] = []
    messages = characters = 0
    for turn in turns:
        stretch.append(turn)
        if turn.episode.kind in SPOKEN:
            messages += 1
            characters += len(turn.episode.text)
        if messages >= _STRETCH_MESSAGES or characters >= _STRETCH_CHARS:
            yield stretch
            stretch, messages, characters = [], 0, 0
    if stretch:
        yield stretch


def _found(turns: Sequence[Turn], done: Extracted) -> Iterator[Found]:
    for turn in turns:
        for one in _read(turn):
            if isinstance(one, Malformed):
                _refuse(turn.episode, one, done)
            elif (start := turn.episode.text.find(one.quote)) >= 0:
                yield Found(turn, one, start)
            else:
                _refuse(turn.episode, Malformed("it quotes what nobody said"), done)


def _read(turn: Turn) -> Iterator[Candidate | Malformed]:
    for extract in EXPLICIT:
        yield from extract(turn)
    episode = turn.episode
    rest = replace(turn, episode=replace(episode, text=without_commands(episode.text)))
    found = [one for extract in EXTRACTORS for one in extract(rest)]
    own = own_spans(rest) if found else None
    yield from (one for one in found if isinstance(one, Malformed) or _is_own(one.quote, rest, own))


def own_spans(turn: Turn) -> list[tuple[int, int]] | None:
    """
    Return the spans of a message's typed sentences; None if the whole may count.

    A search result, log or page is somebody else's words, whoever's message contains it.
    """
    episode = turn.episode
    if not turn.is_spoken or episode.role is not Role.USER or turn.people:
        return None
    return [(one.start, one.end) for one in own_sentences(episode.text, Role.USER)]


def _is_own(quote: str, turn: Turn, own: Sequence[tuple[int, int]] | None) -> bool:
    """Say whether *quote* lies in the speaker's *own* spans, as `own_spans` returns them."""
    if own is None:
        return True
    start = turn.episode.text.find(quote)
    return start < 0 or any(begin < start + len(quote) and start < end for begin, end in own)


def _refuse(episode: Episode, why: Malformed, done: Extracted) -> None:
    logger.warning("nothing was stated: episode=%s reason=%s", episode.id, why.reason)
    done.malformed_count += 1


def _draft(found: Found, grade: Grade, clock: Clock) -> FactDraft:
    episode, candidate = found.turn.episode, found.candidate
    said, about = candidate.said, candidate.about
    if not found.is_certain:
        said, about = with_names(said), tuple(filter(None, map(named, about)))
    is_anchored = about or said.triple is not None
    return scrubbed_fact(
        FactDraft(
            said=replace(said, channel=found.channel),
            scope=episode.scope,
            valid_from=candidate.valid_from or min(_said_at(episode), clock.now()),
            confidence=candidate.confidence,
            # A rule that a person typed stays until a person ends it (ADR 27).
            authority=Authority.INSTRUCTION
            if candidate.kind is StatementKind.RULE and episode.typed
            else Authority.EVIDENCE,
            about=about if is_anchored else (default_subject(found),),
            quotes=(Quote(episode.id, candidate.quote),),
            metadata=_noted(found, grade),
        )
    )


def _said_at(episode: Episode) -> datetime:
    """Return when it was said, but not later than it was recorded."""
    instant = episode.instant
    return instant.at if instant.is_in_doubt else episode.occurred_at


def grade_of(found: Found, *, is_judged: bool = False) -> Grade:
    """
    Return the grade of a finding.

    A person's own decision or wish is known. A description must be corroborated: by passed tests or
    a commit after it, or by a model that judged it (*is_judged*). What an agent or program handed
    over is a candidate, whatever its role, since nobody vouches for its author (ADR 27).
    """
    if found.turn.episode.came_by is CameBy.PASSED:
        return Grade.CANDIDATE
    return _worth_of(found, is_judged=is_judged)


def _worth_of(found: Found, *, is_judged: bool) -> Grade:
    """Return the grade of words if they are the speaker's own."""
    if found.turn.call and found.candidate.kind is StatementKind.DECISION:
        # Only `choices` reads outcomes of tools, for choices that a person made.
        return Grade.KNOWN
    if is_judged:
        # Nobody typed a model's wording.
        return Grade.CORROBORATED
    if found.turn.episode.role is not Role.USER:
        return Grade.CANDIDATE
    is_plain = found.candidate.kind is StatementKind.FACT and found.candidate.said.triple is None
    otherwise = Grade.CORROBORATED if found.turn.is_proved else Grade.CANDIDATE
    return otherwise if is_plain and not found.is_certain else Grade.KNOWN


def _noted(found: Found, grade: Grade) -> JsonObject:
    """Return metadata on how it was said and captured, and how far it may be relied on."""
    candidate, came_by = found.candidate, found.turn.episode.came_by
    noted: dict[str, Json] = {"kind": candidate.kind.value, GRADED: grade.value}
    if came_by is not CameBy.CAPTURED:
        noted["came_by"] = came_by.value
    if found.is_certain:
        noted["remembered"] = True
    if candidate.kind is StatementKind.CORRECTION:
        noted["polarity"] = Polarity.CORRECTION.value
    elif polarity_of(candidate.quote) is Polarity.RULE:
        noted["polarity"] = Polarity.RULE.value
    if candidate.old_value is not None:
        noted["old_value"] = candidate.old_value
    if candidate.due is not None:
        noted[DUE] = candidate.due.isoformat()
    return noted
