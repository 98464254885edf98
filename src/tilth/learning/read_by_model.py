"""
Let a language model read sessions after the extractors.

What the extractors stated stays, whatever happens here: a model that is silent, out of budget or
wrong changes nothing, and what it may not read today waits. What it says is checked
(`tilth.llm.client`) and filtered like other findings, as the word of a job: its quotes must occur
in the text, and it is never surer than a reading by rule. A sentence chosen by its form of speech
gets the model's wording; of words that were read in another way, the model adds nothing.
"""

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace

from tilth.core.actor import DISTILLER
from tilth.core.dataclass import dataclass
from tilth.core.errors import TilthError
from tilth.core.ids import EpisodeId, FactId
from tilth.core.instant import written_day
from tilth.core.json import Json
from tilth.core.scope import Visibility
from tilth.core.text.tokens import index_terms
from tilth.embedding.embedder import Vector
from tilth.episodes.episode import SPOKEN, Quote, Role
from tilth.episodes.filters import EpisodeFilter
from tilth.episodes.tables import Episodes
from tilth.knowledge.facts.fact import Fact, FactDraft
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.life import BY_MODEL, HANDED_ON, OF_AGENT
from tilth.knowledge.facts.statement import Statement, Triple
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.facts.write.write_fact import Stated, Writing
from tilth.knowledge.vocabulary.registries import Channel, Words
from tilth.knowledge.vocabulary.tables import KnownWords
from tilth.learning.candidate import Candidate, StatementKind, Turn
from tilth.learning.correct import End, end_overtaken
from tilth.learning.distil import state_read
from tilth.learning.events import SessionRead
from tilth.learning.extract import (
    Extracted,
    Ready,
    Rules,
    keep,
    own_spans,
    turns_of,
)
from tilth.learning.filter import CHANNELS, Found, Left
from tilth.learning.model import Unread
from tilth.learning.tables import Distillation
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Transaction
from tilth.llm.answers import Claim, ClaimKind, Claims, Overtaken
from tilth.llm.client import ModelClient, Question, Reason, Refusal, Thought, think

logger = logging.getLogger(__name__)

# The most episodes of a question and of a round, and the most characters of a question (KB-114).
EPISODES_AT_ONCE = 20
EPISODES_IN_A_ROUND = 100
_CHARS_AT_ONCE = 24_000
# In characters. A longer message is a pasted file, which is left to the rules.
_CHARS_MAX = 20_000
# How many known facts a question shows, among how many of a scope, and how long each is, in
# characters.
_KNOWN_SHOWN, _KNOWN_READ, _KNOWN_CHARS = 40, 1000, 400
# The cap of a model's confidence; rules are surer, and a person can be certain (C-14).
CONFIDENCE_MAX = 0.75
_KINDS: Mapping[ClaimKind, StatementKind] = {
    kind: StatementKind.GOAL if kind is ClaimKind.INTENT else StatementKind(kind.value)
    for kind in ClaimKind
}
# Reasons after which the model would answer the same again; other reasons pass.
_FINAL = frozenset({Reason.INVALID, Reason.CUT, Reason.REFUSED, Reason.SESSION_BUDGET})
_NOTHING = Claims(claims=(), over=())


@dataclass(slots=True, kw_only=True)
class ModelRead:
    """
    The result of a round of reading; `reason` is why it ended early, or empty.

    `claimed_count` is how much the model said, `stated` the facts made of it; `ended` are the facts
    that it found to be over.
    """

    asked_count: int = 0
    refused_count: int = 0
    claimed_count: int = 0
    stated: list[Stated] = field(default_factory=list)
    ended: list[FactId] = field(default_factory=list)
    reason: str = ""

    @property
    def is_put_off(self) -> bool:
        """Whether it waits for a budget, a restart or an answer; that is no new error."""
        return self.reason in {Reason.BUDGET, Reason.CANCELLED, Reason.LEFT_ALONE}


@dataclass(frozen=True, slots=True)
class _Part:
    """
    What a model is shown of `count` waiting turns of a session, up to the place `through`.

    `known` are the facts that it may find to be over.
    """

    unread: Unread
    turns: Sequence[Turn]
    known: Sequence[Fact]
    through: int
    count: int


def read_by_model(thinker: ModelClient, writing: Writing, rules: Rules) -> ModelRead:
    """
    Let a language model read what waits, up to one round.

    Raises:
        UnavailableError: the store does not answer; what was read so far is recorded.
    """
    round_ = _Round(thinker, writing, rules)
    left = EPISODES_IN_A_ROUND if rules.waits_for_model else 0
    while left > 0 and not round_.done.reason:
        part = round_.next_part(limit=left)
        if part is None:
            break
        round_.read(part)
        left -= part.count
    done = round_.done
    if done.asked_count:
        logger.info(
            "sessions read by a model: asked=%d refused=%d claimed=%d stated=%d ended=%d reason=%s",
            done.asked_count,
            done.refused_count,
            done.claimed_count,
            len(done.stated),
            len(done.ended),
            done.reason,
        )
    return done


class _Round:
    """Reads some of what waits, part by part."""

    def __init__(self, thinker: ModelClient, writing: Writing, rules: Rules) -> None:
        self.done = ModelRead()
        self._thinker = thinker
        self._writing = writing
        self._rules = rules
        self._owner = thinker.recorder.owner

    def next_part(self, *, limit: int) -> _Part | None:
        """Return the next part to ask about; None if nothing waits."""
        with self._thinker.store.read() as view:
            waiting = Distillation(view).unread(Visibility(self._owner), limit=1)
            if not waiting:
                return None
            unread = waiting[0]
            which = EpisodeFilter(
                within=Visibility(self._owner, frozenset({unread.scope})),
                session_id=unread.session_id,
                kinds=SPOKEN,
            )
            found = Episodes(view).select(which, limit=limit, after=unread.after)
            episodes = [one for one in found if one.seq <= unread.through]
            turns = turns_of(view, episodes, which, is_begun=unread.after > 0)
            near = list(_of_one_question(turns))
            is_all = len(episodes) < limit and len(near) == len(turns)
            through = unread.through if is_all else near[-1].episode.seq
            shown = [*filter(_is_shown, near)]
            known = _known(view, shown, which.within)
            return _Part(unread, shown, known, through, max(1, len(near)))

    def read(self, part: _Part) -> None:
        """Ask about one part, and record the findings, unless it has to wait."""
        thought = self._asked(part)
        if not isinstance(thought, Refusal):
            self.done.claimed_count += len(thought.answer.claims)
            self._record(part, thought)
        elif thought.reason in _FINAL:
            self._record(part, None)
        else:
            self.done.reason = thought.reason.value

    def _asked(self, part: _Part) -> Thought[Claims] | Refusal:
        unread = part.unread
        episodes = [
            replace(one.episode, text=self._rules.excluded.covered(one.episode.text))
            for one in part.turns
        ]
        if not episodes:
            return Refusal(Reason.REFUSED, "nothing that is short enough to be read")
        things = {
            str(one.id): self._rules.excluded.covered(
                f"{written_day(one.life.valid_from)}: {one.said.text}"
            )
            for one in part.known
        }
        question = Question(
            episodes=episodes, things=things, scope=unread.scope, session_id=unread.session_id
        )
        self.done.asked_count += 1
        thought = think(self._thinker, Claims, question)
        self.done.refused_count += isinstance(thought, Refusal)
        return thought

    def _record(self, part: _Part, thought: Thought[Claims] | None) -> None:
        unread, states, said = part.unread, Extracted(), _Said(part.turns)
        answer, model = (_NOTHING, "") if thought is None else (thought.answer, thought.model)
        keep(said.found(answer.claims), states, self._rules, self._writing.clock, is_judged=True)
        vectors = self._writing.embedder.embed([one.draft.said.words for one in states.ready])
        within = Visibility(self._owner, frozenset({unread.scope}))
        with self._thinker.store.begin() as tx:
            if Distillation(tx).unread_after(unread.session_id, within) != unread.after:
                # Another worker recorded it meanwhile.
                return
            by = replace(self._writing.recorder, by=DISTILLER)
            self.done.ended += end_overtaken(tx, said.ends(answer.over), unread.scope, by)
            words = KnownWords(tx).known(self._owner)
            for number, one in enumerate(states.ready):
                quote = Quote(one.found.turn.episode.id, one.found.candidate.quote)
                read = replace(one, draft=_worded_by(model, one, is_own=said.is_own(quote)))
                self._state(tx, read, words, vectors[number : number + 1])
            event = SessionRead(
                session_id=unread.session_id, scope=unread.scope, through=part.through, model=model
            )
            tx.append(event, by=DISTILLER, owner=self._owner)

    def _state(self, tx: Transaction, one: Ready, words: Words, vectors: Vector) -> None:
        stated = state_read(tx, one, self._writing, words, vectors)
        if stated is Left.REFUSED and (triple := one.draft.said.triple) is not None:
            # If the triple is not allowed, as in another's diary, the sentence is kept without it.
            said = replace(one.draft.said, triple=None)
            draft = replace(one.draft, said=said, about=one.draft.about or (triple.subject,))
            stated = state_read(tx, replace(one, draft=draft), self._writing, words, vectors)
        if not isinstance(stated, Left):
            self.done.stated.append(stated)


def _worded_by(model: str, one: Ready, *, is_own: bool) -> FactDraft:
    noted: dict[str, Json] = {BY_MODEL: model}
    if one.found.turn.episode.role is Role.ASSISTANT:
        noted[OF_AGENT] = True
    elif not is_own:
        noted[HANDED_ON] = True
    return replace(one.draft, metadata={**one.draft.metadata, **noted})


def _of_one_question(turns: Sequence[Turn]) -> Iterator[Turn]:
    """Yield turns until those that a model is shown fill one question."""
    count = chars = 0
    for turn in turns:
        if _is_shown(turn):
            count, chars = count + 1, chars + len(turn.episode.text)
        if count > 1 and (count > EPISODES_AT_ONCE or chars > _CHARS_AT_ONCE):
            return
        yield turn


def _is_shown(turn: Turn) -> bool:
    """
    Say whether a model is shown a turn: people's words, and an agent's last before each.

    What an agent says while working, it repeats at the end if it matters.
    """
    is_short = len(turn.episode.text) <= _CHARS_MAX
    return is_short and (turn.is_last or turn.episode.role is not Role.ASSISTANT)


def _known(view: Snapshot, turns: Sequence[Turn], within: Visibility) -> list[Fact]:
    """Return the known facts of a scope, those closest to *turns* first."""
    terms = frozenset(term for one in turns for term in index_terms(one.episode.text))

    def share(fact: Fact) -> float:
        own = frozenset(index_terms(fact.said.text))
        return len(own & terms) / max(1, len(own))

    found = Facts(view).select(FactFilter(within=within), limit=_KNOWN_READ)
    told = (one for one in found if len(one.said.text) <= _KNOWN_CHARS)
    return sorted(told, key=share, reverse=True)[:_KNOWN_SHOWN]


class _Said:
    """What people and an agent said, and which of it is somebody's own word."""

    def __init__(self, turns: Sequence[Turn]) -> None:
        self._turns = {turn.episode.id: turn for turn in turns}
        self._own: dict[EpisodeId, list[tuple[int, int]] | None] = {}

    def ends(self, over: Sequence[Overtaken]) -> list[End]:
        """Return what is over according to the words of a turn."""
        own = (one for one in over if self.is_own(one.quote))
        return [End(one.fact, self._turns[one.quote.episode_id], one.quote.text) for one in own]

    def found(self, claims: Sequence[Claim]) -> Iterator[Found]:
        """Yield what is claimed from the words of a turn."""
        for claim in claims:
            try:
                candidate = _candidate(claim, is_own=self.is_own(claim.quote))
            except TilthError as error:
                id_, reason = claim.quote.episode_id, error.code
                logger.warning("nothing was stated: episode=%s reason=%s", id_, reason)
            else:
                turn = self._turns[claim.quote.episode_id]
                # The quote was of masked words.
                if (start := turn.episode.text.find(claim.quote.text)) >= 0:
                    yield Found(turn, candidate, start)

    def is_own(self, quote: Quote) -> bool:
        """
        Say whether a quote is its speaker's own word, neither pasted nor masked.

        That must be true of all of it: a model may begin in typed words and end in a paste.
        """
        turn = self._turns[quote.episode_id]
        if quote.episode_id not in self._own:
            self._own[quote.episode_id] = own_spans(turn)
        start, own = turn.episode.text.find(quote.text), self._own[quote.episode_id]
        if start < 0 or own is None:
            return start >= 0
        letters = [at for at, char in enumerate(quote.text, start) if char.isalnum()]
        return all(any(begin <= at < end for begin, end in own) for at in letters)


def _candidate(claim: Claim, *, is_own: bool) -> Candidate:
    # Handing something over is no decision.
    kind = _KINDS[claim.kind] if is_own else StatementKind.FACT
    parts = [part.strip() for part in (claim.subject, claim.predicate, claim.object)]
    triple = Triple(*parts) if all(parts) else None
    return Candidate(
        said=Statement(
            text=claim.statement.strip(),
            triple=triple,
            channel=None if triple is None else CHANNELS.get(kind, Channel.ENTITY),
        ),
        quote=claim.quote.text,
        kind=kind,
        confidence=min(claim.confidence, CONFIDENCE_MAX),
    )
