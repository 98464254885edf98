"""Step 5 of a cycle: suggest what topics have in common, and what to change."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from tilth.core.instant import written_day
from tilth.core.lifecycle import Review
from tilth.core.scope import GLOBAL, Owner, Scope, seen_from
from tilth.garden.assess import is_stagnant
from tilth.garden.candidates import candidates_in
from tilth.garden.cycle.gardener import Gardener
from tilth.garden.decisions import Suggests
from tilth.garden.extract import share, terms_of
from tilth.garden.model import Candidate, Topic
from tilth.garden.tables import Sources, Topics
from tilth.knowledge.proposals.ask import open_proposal
from tilth.knowledge.proposals.proposal import Proposal, ProposalDraft, ProposalKind, ProposalState
from tilth.knowledge.proposals.tables import ProposalFilter, Proposals
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Transaction

# A name in this many facts of each of two topics is a pattern; in this many of all, a topic.
_PATTERN_FACTS, _TOPIC_FACTS = 2, 6
# How many suggestions of each kind a cycle makes, and may wait: the queue is for people.
_ASKED_MAX = 1
_WAITING_MAX, _WAITING_ELSE = {Suggests.DIGEST: 1, Suggests.REASON: 1}, 3
_SUGGESTIONS_MAX = 50
_SOURCES_MAX = 200
_SHOWN_MAX = 6
# A proper name, or a piece of code. Every sentence begins with a capital, so there a name needs
# another inside.
_NAME = re.compile(r"`([A-Za-z_][\w.-]{2,40})`|\b([A-Z]{2,}[A-Za-z0-9]*|[A-Z][a-z]+[A-Z]\w+)\b")
_INNER_NAME = re.compile(r"(?<=[a-z,] )([A-Z][a-z]{2,}(?: [A-Z][a-z]{2,})?)\b")
_NO_NAMES = frozenset({"PEP", "ADR", "RFC", "API", "ID", "OK", "TODO", "NOT", "MUST", "SHOULD"})


def suggest(gardener: Gardener, week: str) -> list[str]:
    """
    Propose what was noticed to a human: each suggestion once ever, and few at a time.

    Args:
        gardener: What the cycle works with.
        week: The ISO week whose digest is to be acknowledged; empty if none ended.

    Returns:
        The IDs of the new proposals.
    """
    asked: list[str] = []
    with gardener.store.begin() as tx:
        topics = Topics(tx).select(gardener.within)
        found = candidates_in(tx, gardener.within)
        held = [one for one in found if one.fact.life.review is not Review.REJECTED]
        drafts = [
            *_connections(topics, held, gardener.owner),
            *_stagnant(topics, gardener),
            *_credibilities(tx, gardener),
            *_reasons(found),
            *([_digest(week)] if week else []),
        ]
        waiting = Counter(
            one.draft.detail.get("suggests") for one in _open_suggestions(tx, gardener)
        )
        counts: Counter[Suggests] = Counter()
        for suggests, draft in drafts:
            is_enough = waiting[suggests] >= _WAITING_MAX.get(suggests, _WAITING_ELSE)
            if is_enough or counts[suggests] >= _ASKED_MAX or _was_proposed(tx, draft, gardener):
                continue
            counts[suggests] += 1
            asked.append(open_proposal(tx, draft, gardener.recorder).id)
    return asked


def _open_suggestions(view: Snapshot, gardener: Gardener) -> list[Proposal]:
    """Return unanswered suggestions, postponed ones included."""
    which = ProposalFilter(
        within=gardener.within,
        states=frozenset({ProposalState.OPEN}),
        kinds=frozenset({ProposalKind.SUGGESTION}),
    )
    return Proposals(view).select(which, limit=_SUGGESTIONS_MAX)


def _was_proposed(tx: Transaction, draft: ProposalDraft, gardener: Gardener) -> bool:
    return Proposals(tx).asked(draft.key, gardener.owner, draft.scope) is not None


def _draft(
    suggests: Suggests,
    key: str,
    reason: str,
    *,
    scope: Scope = GLOBAL,
    found: Sequence[Candidate] = (),
    **detail: str,
) -> tuple[Suggests, ProposalDraft]:
    """Return a suggestion; its detail names the facts that it rests on."""
    facts = [one.fact.id for one in found[:_SHOWN_MAX]]
    told = {"suggests": suggests.value, **detail} | ({"facts": list(facts)} if facts else {})
    return suggests, ProposalDraft(
        kind=ProposalKind.SUGGESTION,
        reason=reason,
        scope=scope,
        detail=told,
        key=f"garden:{suggests}:{key}",
    )


def _connections(
    topics: Sequence[Topic], held: Sequence[Candidate], owner: Owner
) -> Iterator[tuple[Suggests, ProposalDraft]]:
    """Yield connections between topics, scope by scope, since no project learns of another's."""
    for scope in sorted({one.scope for one in topics}):
        seen = seen_from(owner, scope).scopes or frozenset()
        theirs = [one for one in topics if one.scope in seen]
        found = [one for one in held if one.fact.life.scope in seen]
        yield from _connected(theirs, found, scope)


def _connected(
    topics: Sequence[Topic], held: Sequence[Candidate], scope: Scope
) -> Iterator[tuple[Suggests, ProposalDraft]]:
    """Yield names in two or more topics, one of *scope*; a frequent name may become a topic."""
    by_id = {one.id: one for one in topics}
    for name, found in _by_name(held).items():
        counts = Counter(one.topic_id for one in found if one.topic_id in by_id)
        shared = [topic for topic, count in counts.items() if count >= _PATTERN_FACTS]
        is_named = any(share(terms_of(name), terms_of(one.name)) for one in topics)
        is_ours = any(by_id[one].scope == scope for one in shared)
        if len(shared) < 2 or is_named or not is_ours:  # noqa: PLR2004 - it has two ends
            continue
        said = " and ".join(f"{by_id[one].name!r} ({counts[one]} facts)" for one in sorted(shared))
        if sum(counts.values()) >= _TOPIC_FACTS:
            why = f"{name} comes up in {said}: make it a topic?"
            yield _draft(Suggests.TOPIC, name, why, scope=scope, found=found, name=name)
        else:
            why = f"{name} connects {said}"
            ids = ":".join(sorted(shared))
            yield _draft(Suggests.PATTERN, f"{ids}:{name}", why, scope=scope, found=found)


def _by_name(held: Sequence[Candidate]) -> Mapping[str, list[Candidate]]:
    """Return candidates by the names in them; names of most topics come first."""
    named: dict[str, list[Candidate]] = defaultdict(list)
    for one in held:
        text = one.fact.said.text
        names = {first or second for first, second in _NAME.findall(text)}
        names |= set(_INNER_NAME.findall(text))
        for name in sorted(names - _NO_NAMES):
            named[name].append(one)
    return dict(
        sorted(
            named.items(),
            key=lambda pair: (-len({one.topic_id for one in pair[1]}), -len(pair[1]), pair[0]),
        )
    )


def _stagnant(
    topics: Sequence[Topic], gardener: Gardener
) -> Iterator[tuple[Suggests, ProposalDraft]]:
    for topic in topics:
        if is_stagnant(topic, gardener.clock.now()) and topic.barren_since is not None:
            why = (
                f"nothing new was found about {topic.name!r} in {topic.barren} cycles since "
                f"{written_day(topic.barren_since)}: archive the topic?"
            )
            key = f"{topic.id}:{written_day(topic.barren_since)}"
            yield _draft(Suggests.ARCHIVING, key, why, scope=topic.scope, topic=topic.id)


def _credibilities(tx: Transaction, gardener: Gardener) -> Iterator[tuple[Suggests, ProposalDraft]]:
    for source in Sources(tx).select(gardener.within, limit=_SOURCES_MAX):
        if (to := source.suggested) is None:
            continue
        found = source.outcomes
        why = (
            f"of {found.decided} candidates from {source.title or source.address!r} "
            f"{found.confirmed} were confirmed: rate it {to}, not {source.credibility}?"
        )
        yield _draft(
            Suggests.CREDIBILITY,
            f"{source.id}:{source.credibility}:{to}",
            why,
            scope=source.scope,
            source=source.id,
            credibility=to,
            was=source.credibility,
        )


def _reasons(found: Sequence[Candidate]) -> Iterator[tuple[Suggests, ProposalDraft]]:
    """Yield the question why candidates of a scope were rejected without a reason (GA-010)."""
    mute: dict[Scope, list[Candidate]] = defaultdict(list)
    for one in found:
        if one.fact.life.review is Review.REJECTED and not one.is_open and not one.reason:
            mute[one.fact.life.scope].append(one)
    for scope, ones in mute.items():
        told = "; ".join(one.fact.said.text[:120] for one in ones[:_SHOWN_MAX])
        why = f"why were these rejected? Answer with a note: {told}"
        key = ":".join(sorted(one.fact.id for one in ones))[:500]
        yield _draft(Suggests.REASON, key, why, scope=scope, found=ones)


def _digest(week: str) -> tuple[Suggests, ProposalDraft]:
    why = f"the digest of week {week} is in the outbox: acknowledge it"
    return _draft(Suggests.DIGEST, week, why, week=week)
