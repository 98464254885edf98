"""
The aggregates of each channel of triples, and what may be added to them (seed 002).

    channel       an aggregate is   rule
    ------------  ----------------  ------------------------------------------------------
    intent        one intent        sealed once its status says that it is over
    entity        one entity        others are reached through their URNs alone
    decision      one decision      never changes; comes with a rationale
    milestone     one milestone     never changes
    agent_diary   one session       written by one agent, in a session of its own
    relationship  one person        each new word supersedes the old, which stays readable

`facts.write.supersession` decides what never changes and what supersedes. Every statement is
checked here, whatever its way in (`facts.write.write_fact`), except imports, which are history.
"""

from tilth.core.actor import ActorKind
from tilth.core.errors import ConflictError, ForbiddenError, InvalidInputError
from tilth.core.ids import SessionId
from tilth.core.scope import Visibility, seen_from
from tilth.core.text.names import index_key
from tilth.episodes.remember import WriteContext
from tilth.episodes.tables import Episodes
from tilth.knowledge.facts.fact import FactDraft
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.statement import Triple
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.facts.triples import Triples
from tilth.knowledge.vocabulary.registries import Channel, word_key
from tilth.ledger.snapshot import Snapshot

# The values of an intent's status that seal it.
SEALING = frozenset(
    {
        "abandoned", "achieved", "canceled", "cancelled", "closed", "complete", "completed",
        "done", "sealed",
    }
)  # fmt: skip
_STATUS = "status"
# The metadata key for the reason of a decision.
RATIONALE = "rationale"


def check_aggregate(reader: Snapshot, draft: FactDraft, recorder: WriteContext) -> None:
    """
    Check a triple against the rule of its aggregate.

    A decision gives its reason in its own words, in its metadata, or in its evidence.

    Raises:
        ConflictError: the intent is sealed.
        ForbiddenError: the diary is another agent's.
        InvalidInputError: a decision has no rationale, or a diary no session.
        NotFoundError: an episode of its evidence is not visible.
    """
    triple = draft.said.triple
    if triple is None or recorder.by.kind is ActorKind.IMPORT:
        return
    within = seen_from(recorder.owner, draft.scope)
    match draft.said.channel:
        case Channel.INTENT:
            _check_open(reader, triple, within)
        case Channel.DECISION if not (draft.quotes or draft.said.text != triple.words):
            check_rationale(draft, str(draft.metadata.get(RATIONALE, "")))
        case Channel.AGENT_DIARY:
            _check_diary(reader, triple, _session(reader, draft, recorder), within)
        case _:
            pass


def check_rationale(draft: FactDraft, rationale: str) -> None:
    """
    Check that a decision has a rationale.

    Raises:
        InvalidInputError: it has none.
    """
    if draft.said.channel is Channel.DECISION and not rationale.strip():
        raise InvalidInputError(
            "a decision has a rationale",
            hint="say why: --rationale TEXT, or TEXT beside the triple",
        )


def _check_open(reader: Snapshot, triple: Triple, within: Visibility) -> None:
    which = FactFilter(
        within=within, channel=Channel.INTENT, subject=triple.subject, predicate=_STATUS
    )
    for fact in Facts(reader).select(which, limit=1):
        said = fact.said.triple
        if said is None or word_key(said.object) not in SEALING:
            continue
        if _says_so_again(triple, said):
            return
        raise ConflictError(
            f"this intent is {said.object}: {fact.id} sealed it", hint="record a new intent"
        )


def _says_so_again(triple: Triple, sealing: Triple) -> bool:
    is_status = word_key(triple.predicate) == _STATUS
    return is_status and index_key(triple.object) == index_key(sealing.object)


def _check_diary(
    reader: Snapshot, triple: Triple, session: SessionId | None, within: Visibility
) -> None:
    if session is None:
        raise InvalidInputError(
            "a diary belongs to a session",
            hint="name it: --session ID, or --evidence ID of an episode in it",
        )
    others = [
        one for one in Triples(reader).diarists(session, within) if one != index_key(triple.subject)
    ]
    if others:
        raise ForbiddenError(
            f"the diary of session {session} is another agent's", hint="write in your own session"
        )


def _session(reader: Snapshot, draft: FactDraft, recorder: WriteContext) -> SessionId | None:
    """Return the first session among a statement's evidence; None if there is none."""
    within = Visibility(recorder.owner)
    episodes = (Episodes(reader).get(quote.episode_id, within) for quote in draft.quotes)
    return next((one.session_id for one in episodes if one.session_id is not None), None)
