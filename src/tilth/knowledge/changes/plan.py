"""
Plan a statement before making it: what it would do, and which facts say something similar.

This is the handshake for writers who are not sure (OB-062). A plan changes nothing. Its token binds
the statement, its owner and author, and the similar facts; whoever applies the plan says which of
them it updates, or declines each. The token gives no authority: the statement is decided as usual.
"""

import base64
import binascii
import hashlib
import hmac
import logging
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta

from tilth.core.dataclass import dataclass
from tilth.core.errors import ConflictError, InvalidInputError
from tilth.core.ids import FactId
from tilth.core.instant import from_micros, to_micros
from tilth.core.json import canonical
from tilth.core.scope import seen_from
from tilth.core.text.names import index_key
from tilth.embedding.embedder import Vector
from tilth.knowledge.facts.fact import Fact, FactDraft
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.statement import texts_of
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.facts.write.normalise_fact import scrubbed_fact
from tilth.knowledge.facts.write.write_fact import Stated, Writing, embedded, state_in
from tilth.knowledge.vocabulary.tables import KnownWords
from tilth.ledger.search import Search
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store, Transaction
from tilth.privacy.redaction import scrub

logger = logging.getLogger(__name__)

TOKEN_PREFIX = "pln_"  # noqa: S105 - the prefix of one
PLAN_LIFE = timedelta(seconds=600)
# The likeness from which a plan names a fact, and from which declining it needs a reason (OB-062).
LIKENESS_FLOOR = 0.5
LIKENESS_CLOSE = 0.75
_LIKE_MAX = 10
_TIME_BYTES = 8
_MAC_BYTES = 24


@dataclass(frozen=True, slots=True)
class Likely:
    """A current fact that says something similar; likeness is from 0 to 1."""

    fact: Fact
    likeness: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a statement would do, the similar facts, and the token to apply it."""

    verdict: str
    would_supersede: FactId | None
    likely: tuple[Likely, ...]
    warnings: tuple[str, ...]
    token: str
    expires_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Which fact of a plan a statement updates, or which it declines and why."""

    token: str
    updates: FactId | None = None
    declines: tuple[FactId, ...] = ()
    reason: str = ""


class _RehearsedError(Exception):
    """Rolls back a rehearsal."""


def plan_fact(store: Store, draft: FactDraft, writing: Writing) -> Plan:
    """
    Return what a statement would do; nothing is recorded.

    Raises:
        TilthError: the statement would be refused, for the same reason.
    """
    clean = scrubbed_fact(draft)
    vectors = embedded([clean], writing.embedder)
    plans: list[Plan] = []
    with suppress(_RehearsedError), store.begin() as tx:
        plans.append(_planned(tx, clean, vectors, writing))
        raise _RehearsedError
    return plans[0]


def apply_plan(store: Store, draft: FactDraft, choice: Choice, writing: Writing) -> Stated:
    """
    State what was planned; see `tilth.knowledge.facts.facts.state_fact` for what comes of it.

    Raises:
        InvalidInputError: the choice names neither what is updated nor all that is declined,
            or something close is declined without a reason.
        ConflictError: the token is not that of this plan, or its time is over, or other facts
            are likely by now.
    """
    clean = scrubbed_fact(draft)
    vectors = embedded([clean], writing.embedder)
    with store.begin() as tx:
        likely = _likely(tx, clean, vectors[0], writing)
        _check_token(tx, clean, likely, choice.token, writing)
        stated = _state(tx, _chosen(clean, likely, choice), vectors, writing)
    logger.info("plan applied: fact=%s verdict=%s", stated.fact.id, stated.verdict)
    return stated


def _planned(tx: Transaction, draft: FactDraft, vectors: Vector, writing: Writing) -> Plan:
    likely = _likely(tx, draft, vectors[0], writing)
    expires_at = writing.clock.now() + PLAN_LIFE
    until = to_micros(expires_at).to_bytes(_TIME_BYTES)
    mac = _mac(tx, draft, likely, until, writing)
    stated = _state(tx, draft, vectors, writing)
    return Plan(
        verdict=stated.verdict,
        would_supersede=stated.retired or stated.fact.supersedes,
        likely=tuple(likely),
        warnings=stated.warnings,
        token=_encoded(until + mac),
        expires_at=expires_at,
    )


def _state(tx: Transaction, draft: FactDraft, vectors: Vector, writing: Writing) -> Stated:
    words = KnownWords(tx).known(writing.recorder.owner)
    return state_in(tx, draft, writing, words=words, vectors=vectors, reason=None)


def _likely(reader: Snapshot, draft: FactDraft, vector: Vector, writing: Writing) -> list[Likely]:
    within = seen_from(writing.recorder.owner, draft.scope)
    which = FactFilter(within=within)
    found = Search(reader).nearest(writing.embedder.space, vector, which, limit=_LIKE_MAX)
    likeness = {one.seq: one.score for one in found if one.score >= LIKENESS_FLOOR}
    facts = Facts(reader).at(list(likeness), within)
    likely = [Likely(fact, round(likeness[fact.seq], 3)) for fact in facts]
    return sorted(likely, key=lambda one: (-one.likeness, one.fact.seq))


def _chosen(draft: FactDraft, likely: Sequence[Likely], choice: Choice) -> FactDraft:
    """Return the draft with its choice: it replaces a fact, or stands beside the declined ones."""
    named = {one.fact.id for one in likely}
    if choice.updates is not None:
        if choice.updates not in named or choice.declines:
            raise InvalidInputError(
                f"{choice.updates} is not what the plan named, or others are declined with it",
                hint="update one of those that it named, or decline all of them",
            )
        return replace(draft, supersedes=choice.updates)
    if set(choice.declines) != named:
        raise InvalidInputError(
            f"the plan named {', '.join(sorted(named)) or 'no fact'}: nothing else is declined",
            hint="--update ID where it supersedes one, or --decline ID for each that it is not",
        )
    close = [one.fact.id for one in likely if one.likeness >= LIKENESS_CLOSE]
    reason = scrub(choice.reason.strip()).text
    if close and not reason:
        raise InvalidInputError(
            f"{', '.join(close)} says nearly the same", hint="say why it is not: --reason TEXT"
        )
    if not named:
        return draft
    declined = {"facts": sorted(named), "reason": reason}
    return replace(draft, metadata={**draft.metadata, "declined": declined})


def _check_token(
    reader: Snapshot, draft: FactDraft, likely: Sequence[Likely], token: str, writing: Writing
) -> None:
    raw = _decoded(token)
    until, mac = raw[:_TIME_BYTES], raw[_TIME_BYTES:]
    if not hmac.compare_digest(mac, _mac(reader, draft, likely, until, writing)):
        raise ConflictError(
            "this is not the token of that statement, or what it may be about has changed",
            hint="plan it again: tilth fact plan",
        )
    if from_micros(int.from_bytes(until)) <= writing.clock.now():
        raise ConflictError("the time of this plan is over", hint="plan it again: tilth fact plan")


def _encoded(raw: bytes) -> str:
    return TOKEN_PREFIX + base64.urlsafe_b64encode(raw).decode("ascii")


def _decoded(token: str) -> bytes:
    """Return the bytes of a token; empty if it is malformed."""
    try:
        raw = base64.urlsafe_b64decode(token.removeprefix(TOKEN_PREFIX).encode("ascii"))
    except (UnicodeEncodeError, binascii.Error):
        return b""
    return raw if _encoded(raw) == token else b""


def _mac(
    reader: Snapshot, draft: FactDraft, likely: Sequence[Likely], until: bytes, writing: Writing
) -> bytes:
    recorder, said = writing.recorder, draft.said
    parts = texts_of(said.triple) if said.triple is not None else {}
    bound = canonical(
        [
            recorder.owner,
            [recorder.by.kind, recorder.by.name],
            [" ".join(part.split()) for part in (said.text, said.words)],
            # A statement meets other facts by where it is filed, even if its words say the same.
            {name: index_key(word) for name, word in {**parts, **texts_of(said.taxonomy)}.items()},
            sorted(index_key(tag) for tag in said.taxonomy.tags),
            [said.channel, draft.scope, draft.authority, draft.supersedes],
            [None if at is None else to_micros(at) for at in (draft.valid_from, draft.valid_to)],
            [one.fact.id for one in likely],
        ]
    )
    key = hashlib.sha256(b"plan" + (reader.chain_at(1) or b"")).digest()
    return hmac.digest(key, until + bound.encode(), "sha256")[:_MAC_BYTES]
