"""Add, change and rate topics and sources."""

import logging
from dataclasses import replace
from urllib.parse import urlsplit, urlunsplit

from tilth.core.actor import require_known
from tilth.core.dataclass import dataclass
from tilth.core.errors import ConflictError, InvalidInputError, NotFoundError
from tilth.core.scope import Visibility
from tilth.episodes.remember import WriteContext
from tilth.garden.events import SourceFound, SourceRated, SourceRead, TopicAdded, TopicChanged
from tilth.garden.model import (
    Credibility,
    Source,
    SourceDraft,
    SourceId,
    Topic,
    TopicDraft,
    TopicId,
    check_topic,
)
from tilth.garden.tables import Sources, Topics
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store, Transaction
from tilth.privacy.redaction import scrub

logger = logging.getLogger(__name__)

_SHOWN_CHARS = 60
_TOPICS = "see: tilth topic list; name one: tilth topic add NAME"
# Why nothing would change, by what is said of archiving.
_SO_ALREADY = {True: "is archived", False: "is in use", None: "says that"}


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicChange:
    """A change of a topic; an empty or None field stays as it is."""

    name: str = ""
    priority: int | None = None
    freshness_days: int | None = None
    is_archived: bool | None = None
    reason: str = ""


def added_in(tx: Transaction, draft: TopicDraft, recorder: WriteContext) -> Topic:
    """
    Record a topic in a transaction.

    Raises:
        ConflictError: the scope has a topic of that name.
        InvalidInputError: a field is not valid.
    """
    within = Visibility(recorder.owner, frozenset({draft.scope}))
    if known := Topics(tx).named(draft.name, within):
        way = "tilth topic restore" if known.is_archived else "tilth topic edit"
        raise ConflictError(f"{known.id} is called {known.name!r}", hint=f"{way} {known.id}")
    made = tx.append(TopicAdded(draft), by=recorder.by, owner=recorder.owner).recorded
    return Topics(tx).get(TopicId.of(made.event_id), Visibility(recorder.owner))


def topic_meant(view: Snapshot, word: str, within: Visibility) -> TopicId:
    """
    Return the topic that *word* means: an ID or its beginning, or a name in any case.

    Raises:
        NotFoundError: no visible topic fits.
        ConflictError: topics of several scopes have the name.
        InvalidInputError: several IDs begin with it, or it is no ID.
    """
    if word.startswith(TopicId.prefix):
        return TopicId.parse(view.whole_id(within.owner, word))
    found = Topics(view).called(word, within)
    if not found:
        raise NotFoundError(f"no topic is called {word[:_SHOWN_CHARS]!r}", hint=_TOPICS)
    if len(found) > 1:
        told = ", ".join(f"{one.id} of {one.scope}" for one in found)
        raise ConflictError(f"{len(found)} topics are called {word!r}", hint=f"give an ID: {told}")
    return found[0].id


def change_topic(
    store: Store, topic_id: TopicId, told: TopicChange, recorder: WriteContext
) -> Topic:
    """
    Change a topic.

    Raises:
        ForbiddenError: the caller is unknown.
        NotFoundError: there is no such topic.
        ConflictError: another topic has that name, or nothing would change.
        InvalidInputError: a field is not valid.
    """
    require_known(recorder.by, "change a topic")
    with store.begin() as tx:
        topic = changed_in(tx, topic_id, told, recorder)
    logger.info("topic changed: topic=%s", topic_id)
    return topic


def changed_in(
    tx: Transaction, topic_id: TopicId, told: TopicChange, recorder: WriteContext
) -> Topic:
    """Change a topic in a transaction; see `change_topic`."""
    within = Visibility(recorder.owner)
    topic = Topics(tx).get(topic_id, within)
    name = scrub(" ".join(told.name.split())).text
    event = TopicChanged(
        topic_id=topic_id,
        name="" if name == topic.name else name,
        priority=None if told.priority == topic.priority else told.priority,
        freshness_days=(
            None if told.freshness_days == topic.freshness_days else told.freshness_days
        ),
        is_archived=None if told.is_archived == topic.is_archived else told.is_archived,
        reason=scrub(told.reason).text,
    )
    if event == TopicChanged(topic_id=topic_id, reason=event.reason):
        raise ConflictError(
            f"{topic_id} {_SO_ALREADY[told.is_archived]} already",
            hint=f"see: tilth topic show {topic_id}",
        )
    check_topic(
        event.name or topic.name,
        topic.priority if event.priority is None else event.priority,
        topic.freshness_days if event.freshness_days is None else event.freshness_days,
    )
    other = Topics(tx).named(
        event.name or topic.name, replace(within, scopes=frozenset({topic.scope}))
    )
    if other is not None and other.id != topic_id:
        raise ConflictError(f"{other.id} is called {other.name!r}")
    tx.append(event, by=recorder.by, owner=recorder.owner)
    return Topics(tx).get(topic_id, within)


def rated_in(
    tx: Transaction,
    source_id: SourceId,
    credibility: Credibility,
    recorder: WriteContext,
    *,
    reason: str,
) -> Source:
    """Rate a source in a transaction; see `rate_source`."""
    within = Visibility(recorder.owner)
    if Sources(tx).get(source_id, within).credibility is credibility:
        raise ConflictError(f"{source_id} is rated {credibility} already")
    event = SourceRated(source_id=source_id, credibility=credibility, reason=scrub(reason).text)
    tx.append(event, by=recorder.by, owner=recorder.owner)
    return Sources(tx).get(source_id, within)


def seen_source(tx: Transaction, draft: SourceDraft, recorder: WriteContext) -> Source:
    """Record that a source was read, for the first time or again."""
    within = Visibility(recorder.owner, frozenset({draft.scope}))
    if known := Sources(tx).at(draft.address, within):
        event = SourceRead(source_id=known.id, cluster=draft.cluster)
        tx.append(event, by=recorder.by, owner=recorder.owner)
        return Sources(tx).get(known.id, within)
    made = tx.append(SourceFound(draft), by=recorder.by, owner=recorder.owner).recorded
    return Sources(tx).get(SourceId.of(made.event_id), within)


def normal_address(address: str) -> str:
    """
    Return the normal form of an address, equal for all spellings of one URL.

    Scheme and host are in lower case; the default port, the fragment, a final slash and the
    parameters of campaigns are removed; the other parameters are sorted.

    Raises:
        InvalidInputError: it is no possible address.
    """
    text = address.strip()
    try:
        # Text that cannot be encoded, such as half of a surrogate pair, is no address either.
        text.encode()
        parts = urlsplit(text)
        port = parts.port
    except ValueError as error:
        raise InvalidInputError(f"{text[:80]!r} is no address: {error}") from error
    if parts.scheme.lower() not in {"http", "https"} or not parts.hostname:
        return text
    host = parts.hostname.lower()
    default = 443 if parts.scheme.lower() == "https" else 80
    netloc = host if port in {None, default} else f"{host}:{port}"
    kept = [one for one in parts.query.split("&") if one and not _counts_visits(one)]
    path = parts.path.rstrip("/")
    return urlunsplit((parts.scheme.lower(), netloc, path, "&".join(sorted(kept)), ""))


def _counts_visits(parameter: str) -> bool:
    name = parameter.partition("=")[0].lower()
    return name.startswith("utm_") or name in {"fbclid", "gclid", "mc_cid", "mc_eid"}
