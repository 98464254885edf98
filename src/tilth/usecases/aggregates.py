"""
What holds together in each channel of triples, and what may be added to it (seed 002).

    channel       one whole is      rule
    ------------  ----------------  ------------------------------------------------------
    intent        one intent        sealed once its status says that it is over
    entity        one entity        others are reached through their URNs alone
    decision      one decision      never changes; comes with a rationale
    milestone     one milestone     never changes
    agent_diary   one session       written by one agent, in a session of its own
    relationship  one person        each new word supersedes the old, which stays readable

What never changes, and what supersedes, `tilth.domain.supersession` decides.
"""

from tilth.domain.fact import FactDraft
from tilth.domain.ids import SessionId
from tilth.domain.keys import index_key
from tilth.domain.registries import Channel, word_key
from tilth.domain.scope import Visibility
from tilth.domain.statement import Triple
from tilth.errors import ConflictError, ForbiddenError, InvalidInputError
from tilth.ports import FactFilter, Reader

# What says of an intent that nothing more belongs to it.
SEALING = frozenset(
    {
        "abandoned", "achieved", "canceled", "cancelled", "closed", "complete", "completed",
        "done", "sealed",
    }
)  # fmt: skip
_STATUS = "status"


def check_aggregate(
    reader: Reader, draft: FactDraft, rationale: str, session: SessionId | None, within: Visibility
) -> None:
    """
    Refuse what the whole that a triple belongs to does not take.

    Raises:
        ConflictError: the intent is sealed.
        ForbiddenError: the diary is another agent's.
        InvalidInputError: a decision has no rationale, or a diary no session.
    """
    triple = draft.said.triple
    if triple is None:
        return
    match draft.said.channel:
        case Channel.INTENT:
            _check_open(reader, triple, within)
        case Channel.DECISION if not rationale.strip():
            raise InvalidInputError("a decision has a rationale", hint="say why: --rationale TEXT")
        case Channel.AGENT_DIARY:
            _check_diary(reader, triple, session, within)
        case _:
            pass


def _check_open(reader: Reader, triple: Triple, within: Visibility) -> None:
    which = FactFilter(
        within=within, channel=Channel.INTENT, subject=triple.subject, predicate=_STATUS
    )
    for fact in reader.facts.select(which, limit=1):
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
    reader: Reader, triple: Triple, session: SessionId | None, within: Visibility
) -> None:
    if session is None:
        raise InvalidInputError(
            "a diary belongs to a session", hint="name it: --session ID, session_id"
        )
    others = [one for one in reader.triples.diarists(session, within) if one != _agent(triple)]
    if others:
        raise ForbiddenError(
            f"the diary of session {session} is another agent's", hint="write in your own session"
        )


def _agent(triple: Triple) -> str:
    return index_key(triple.subject)
