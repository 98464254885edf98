"""
Step 2 of a cycle: take what people left in the inboxes.

A file has no authority: whoever can write into a folder is not thereby a human. A file counts once
a human has signed exactly its bytes (`tilth garden sign`), which is an event of that human in the
ledger. Until then it is a suggestion, shown beside the question. The answers in a folder named
after a reviewer are that reviewer's, whoever signs.
"""

import hashlib
import json
import logging
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import chain, islice

from tilth.core.actor import Actor, require_human
from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError, NotFoundError, TilthError, UnavailableError
from tilth.core.ids import FactId
from tilth.core.json import JsonObject
from tilth.core.scope import GLOBAL
from tilth.core.text.surrogates import without_surrogates
from tilth.garden.cycle.folder import APPROVALS, FORMER_HINT, OWN_INBOX, REJECTIONS, REQUESTS
from tilth.garden.cycle.gardener import Gardener
from tilth.garden.events import InboxFileTaken, RequestQueued, VerdictSuggested
from tilth.garden.extract import share, terms_of
from tilth.garden.model import QUESTION_CHARS_MAX, CandidateVerdict, FileState, Topic
from tilth.garden.tables import Inbox, Topics
from tilth.knowledge.facts.decisions import shown_in
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.facts.write.write_fact import Writing
from tilth.knowledge.proposals.proposal import Action, Answer, Proposal, ProposalState
from tilth.knowledge.proposals.tables import Proposals
from tilth.privacy.redaction import scrub
from tilth.review.decide import decide_proposal
from tilth.review.queue import question_fact

logger = logging.getLogger(__name__)

VERDICTS = {APPROVALS: CandidateVerdict.APPROVE, REJECTIONS: CandidateVerdict.REJECT}
_ACTIONS = {CandidateVerdict.APPROVE: Action.CONFIRM, CandidateVerdict.REJECT: Action.REJECT}
_SAID_MAX = 1000
_REASON_CHARS_MAX = 500
# A question is about a topic if it contains this share of the terms of its name.
_MEANT = 0.5
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_FENCE = re.compile(r"^\s*(?:```|~~~)")
_BULLET = re.compile(r"^[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(?=\S)")
# Headings, rules and quotations, which are no questions.
_BESIDE = re.compile(r"^[ \t]*(?:#{1,6}(?:\s|$)|>|[-*_=](?:[ \t]*[-*_=])*[ \t]*$)")


@dataclass(frozen=True, slots=True)
class FileVerdict:
    """What a file says of one candidate."""

    fact_id: FactId
    verdict: CandidateVerdict
    reason: str


@dataclass(frozen=True, slots=True)
class _File:
    """A file of an inbox as it was read, with the reviewer whose answers it has if signed."""

    inbox: str
    name: str
    digest: str
    said: tuple[FileVerdict, ...]
    signer: Actor | None


@dataclass(slots=True)
class InboxReport:
    """What became of the inboxes, by identifier."""

    applied: list[str] = field(default_factory=list)
    suggested: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    disputed: list[str] = field(default_factory=list)
    answered: list[str] = field(default_factory=list)
    set_aside: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def told(self) -> JsonObject:
        """Return the report as JSON for the event of the step."""
        return {name: list(getattr(self, name)) for name in self.__slots__ if getattr(self, name)}


def process(gardener: Gardener) -> InboxReport:
    """
    Take what the inboxes hold; the same bytes take effect once.

    Signed answers are carried out in the name of the reviewer, unsigned ones become suggestions.
    Unreadable files are set aside, and the rest goes on.
    """
    report = InboxReport()
    files: list[_File] = []
    for inbox in gardener.folder.inboxes():
        files += [one for name in VERDICTS if (one := _read(gardener, inbox, name, report))]
        _queue_requests(gardener, inbox, report)
    _suggest(gardener, [one for one in files if one.signer is None], report)
    _apply(gardener, [one for one in files if one.signer is not None], report)
    return report


def sign(gardener: Gardener, inbox: str, human: Actor) -> InboxReport:
    """
    Sign the files of an inbox as they are, in a human's name, and carry them out.

    Raises:
        ForbiddenError: the caller is not a human.
        NotFoundError: there is no such inbox, or nothing in it to sign.
        InvalidInputError: a file cannot be read.
    """
    require_human(human, "sign what is in an inbox")
    if inbox not in gardener.folder.inboxes():
        raise NotFoundError(f"there is no inbox {inbox!r}", hint="make the folder inbox/NAME first")
    signed = 0
    for name, verdict in VERDICTS.items():
        content = gardener.folder.take(inbox, name)
        if content is None or not _verdicts_in(f"{inbox}/{name}", content, verdict):
            continue
        with gardener.store.begin() as tx:
            digest = _digest(content)
            if Inbox(tx).signer(gardener.owner, inbox, name, digest) is None:
                event = InboxFileTaken(
                    inbox=inbox, name=name, digest=digest, state=FileState.SIGNED
                )
                tx.append(event, by=human, owner=gardener.owner)
        signed += 1
    if not signed:
        raise NotFoundError(
            f"nothing in {inbox} says anything", hint=f"write IDs into {APPROVALS} or {REJECTIONS}"
        )
    return process(gardener)


def _verdicts_in(where: str, content: bytes, verdict: CandidateVerdict) -> list[FileVerdict]:
    """Read a file that a person is to sign; an error names the file."""
    try:
        return parse_verdicts(content, verdict)
    except InvalidInputError as error:
        raise InvalidInputError(f"{where} cannot be read: {error}", hint=error.hint) from error


def parse_verdicts(content: bytes, verdict: CandidateVerdict) -> list[FileVerdict]:
    """
    Read a file of an inbox: a list of IDs, or of objects with `id` and `reason`.

    The list may stand by itself or under one key, such as `{"approvals": [...]}`.

    Raises:
        InvalidInputError: it is something else.
    """
    try:
        told = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise InvalidInputError(f"it is no JSON: {str(error)[:80]}") from error
    if isinstance(told, dict):
        lists = [one for one in told.values() if isinstance(one, list)]
        told = lists[0] if len(lists) == 1 == len(told) else None
    if not isinstance(told, list) or len(told) > _SAID_MAX:
        raise InvalidInputError(
            f"it is no list of at most {_SAID_MAX} candidates", hint='such as ["fct_01KAR…"]'
        )
    return [_verdict(one, verdict) for one in told]


def _verdict(one: object, verdict: CandidateVerdict) -> FileVerdict:
    told = one if isinstance(one, dict) else {"id": one}
    name, reason = told.get("id") or told.get("fact"), told.get("reason") or told.get("note") or ""
    if not isinstance(name, str) or not isinstance(reason, str):
        raise InvalidInputError("each candidate is an ID, or an object with id and reason")
    why = without_surrogates(reason[:_REASON_CHARS_MAX])
    return FileVerdict(FactId(without_surrogates(name).strip()), verdict, scrub(why).text)


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _read(gardener: Gardener, inbox: str, name: str, report: InboxReport) -> _File | None:
    """Return a file that was not taken yet; an unreadable one is set aside."""
    try:
        content = gardener.folder.take(inbox, name)
    except UnavailableError as error:
        report.set_aside.append(f"{inbox}/{name}: {error}")
        return None
    if content is None:
        return None
    digest = _digest(content)
    with gardener.store.read() as view:
        signed = Inbox(view).signer(gardener.owner, inbox, name, digest)
        done = {FileState.APPLIED} if signed else {FileState.SUGGESTED, FileState.APPLIED}
        if Inbox(view).is_taken(gardener.owner, inbox, name, digest, done):
            return None
    try:
        said = tuple(parse_verdicts(content, VERDICTS[name]))
    except InvalidInputError as error:
        kept = gardener.folder.set_aside(inbox, name, digest)
        _take(gardener, _File(inbox, name, digest, (), None), FileState.SET_ASIDE, str(error))
        report.set_aside.append(f"{kept}: {error}")
        return None
    signer = None if signed is None else _reviewer(inbox, signed.by)
    return _File(inbox, name, digest, said, signer) if said else None


def _reviewer(inbox: str, signer: Actor) -> Actor:
    """Return the reviewer whose answers an inbox holds: for a folder, the one it is named after."""
    is_own = inbox in {OWN_INBOX, signer.name.lower()}
    return signer if is_own else replace(signer, name=inbox)


def _take(gardener: Gardener, file: _File, state: FileState, note: str = "") -> None:
    event = InboxFileTaken(
        inbox=file.inbox, name=file.name, digest=file.digest, state=state, note=note
    )
    with gardener.store.begin() as tx:
        tx.append(event, by=gardener.by, owner=gardener.owner)


def _proposal(gardener: Gardener, fact_id: FactId) -> Proposal | None:
    """Return the proposal of a candidate; None if there is no such candidate."""
    try:
        with gardener.store.read() as view:
            fact = Facts(view).get(FactId.parse(fact_id), gardener.within)
            return Proposals(view).asked(f"fact:{fact.id}", gardener.owner, fact.life.scope)
    except TilthError:
        return None


def _suggest(gardener: Gardener, files: Sequence[_File], report: InboxReport) -> None:
    for file in files:
        for said in file.said:
            proposal = _proposal(gardener, said.fact_id)
            if proposal is None:
                report.unknown.append(f"{file.inbox}/{file.name}: {said.fact_id[:60]}")
                continue
            if proposal.state is not ProposalState.OPEN:
                report.answered.append(said.fact_id)
                continue
            event = VerdictSuggested(
                fact_id=FactId.parse(said.fact_id),
                inbox=file.inbox,
                verdict=said.verdict,
                reason=said.reason,
                digest=file.digest,
            )
            with gardener.store.begin() as tx:
                tx.append(event, by=gardener.by, owner=gardener.owner)
            report.suggested.append(said.fact_id)
        _take(gardener, file, FileState.SUGGESTED)


def _apply(gardener: Gardener, files: Sequence[_File], report: InboxReport) -> None:
    """Carry out signed answers; if two reviewers disagree, the candidate is disputed."""
    by_fact: dict[FactId, list[tuple[_File, FileVerdict]]] = defaultdict(list)
    for file, said in chain.from_iterable(((one, said) for said in one.said) for one in files):
        by_fact[said.fact_id].append((file, said))
    for fact_id, told in by_fact.items():
        proposal = _proposal(gardener, fact_id)
        if proposal is None:
            report.unknown += [f"{file.inbox}/{file.name}: {fact_id[:60]}" for file, _ in told]
            continue
        try:
            if proposal.state is ProposalState.OPEN:
                _answer(gardener, proposal, told, report)
            else:
                _compare(gardener, proposal, told, report)
        except TilthError as error:
            report.answered.append(f"{fact_id}: {error}")
    for file in files:
        _take(gardener, file, FileState.APPLIED)


def _answer(
    gardener: Gardener,
    proposal: Proposal,
    told: Sequence[tuple[_File, FileVerdict]],
    report: InboxReport,
) -> None:
    """Answer a proposal as its reviewers say; it is disputed if they differ."""
    file, said = told[0]
    verdicts = {one.verdict for _, one in told}
    action = _ACTIONS[said.verdict] if len(verdicts) == 1 else Action.DISPUTE
    note = said.reason if len(verdicts) == 1 else _disagreement(told)
    _decide(gardener, proposal, action, note, _signer(file))
    (report.disputed if action is Action.DISPUTE else report.applied).append(said.fact_id)


def _compare(
    gardener: Gardener,
    proposal: Proposal,
    told: Sequence[tuple[_File, FileVerdict]],
    report: InboxReport,
) -> None:
    """Compare an answer with one that was given before: a different reviewer may disagree."""
    ruling, decider = proposal.ruling, proposal.decided_by
    for file, said in told:
        is_same = ruling is not None and ruling.action is _ACTIONS[said.verdict]
        if is_same or decider is None or decider == file.signer or ruling is None:
            report.answered.append(said.fact_id)
            continue
        reason = f"{decider.name} says {ruling.action}, {_signer(file).name} says {said.verdict}"
        writing = _writing_as(gardener, _signer(file))
        question = question_fact(
            gardener.store, FactId.parse(said.fact_id), writing.recorder,
            reason=f"{reason}: {said.reason}" if said.reason else reason,
        )  # fmt: skip
        _decide(gardener, question, Action.DISPUTE, reason, _signer(file))
        report.disputed.append(said.fact_id)


def _disagreement(told: Sequence[tuple[_File, FileVerdict]]) -> str:
    parts = [
        f"{_signer(file).name} ({file.inbox}) says {said.verdict}"
        + (f": {said.reason}" if said.reason else "")
        for file, said in told
    ]
    return "; ".join(parts)


def _signer(file: _File) -> Actor:
    if file.signer is None:
        raise NotFoundError(f"nobody signed {file.name}")
    return file.signer


def _writing_as(gardener: Gardener, human: Actor) -> Writing:
    """Return the context in which a human's answers are recorded, with who signed."""
    return replace(gardener.writing, recorder=replace(gardener.recorder, by=human))


def _decide(
    gardener: Gardener, proposal: Proposal, action: Action, note: str, human: Actor
) -> None:
    with gardener.store.read() as view:
        seen = shown_in(view, proposal.id, gardener.within)
    answer = Answer(
        action=action,
        digest=seen.digest,
        retires=seen.proposal.draft.retires if action is Action.CONFIRM else (),
        note=note,
    )
    decide_proposal(gardener.store, proposal.id, answer, _writing_as(gardener, human))


def _queue_requests(gardener: Gardener, inbox: str, report: InboxReport) -> None:
    """Queue each new question once."""
    try:
        content = gardener.folder.take(inbox, REQUESTS)
    except UnavailableError as error:
        report.set_aside.append(f"{inbox}/{REQUESTS}: {error}")
        return
    asked = questions_in((content or b"").decode("utf-8", "replace"))
    for line in islice(asked, _SAID_MAX):
        text = scrub(" ".join(line.split())[:QUESTION_CHARS_MAX]).text
        with gardener.store.begin() as tx:
            topic = _topic_meant(Topics(tx).select(gardener.within), text)
            scope = topic.scope if topic else GLOBAL
            if not terms_of(text) or Inbox(tx).knows_request(text, gardener.owner):
                continue
            event = RequestQueued(text=text, topic_id=topic.id if topic else None, scope=scope)
            made = tx.append(event, by=gardener.by, owner=gardener.owner).recorded
        report.requests.append(made.made)


def _topic_meant(topics: Sequence[Topic], text: str) -> Topic | None:
    """Return the topic that a question is about; None if it shares no topic's words."""
    terms = terms_of(text)
    shares: Mapping[float, Topic] = {
        share(terms_of(one.name), terms): one for one in reversed(topics)
    }
    best = max(shares, default=0.0)
    return shares[best] if best >= _MEANT else None


def questions_in(text: str) -> Iterator[str]:
    """
    Yield the questions of a file: one in each line, with or without a dash before it.

    An indented line goes on with the one above. Headings, quotes, comments and code are none.
    """
    question = ""
    for line in _lines(text):
        is_next = line[:1].isspace() and bool(question) and not _BULLET.match(line)
        if is_next and line.strip():
            question += f" {line.strip()}"
            continue
        if question:
            yield question
        is_empty = line.strip() in {"", FORMER_HINT} or _BESIDE.match(line)
        question = "" if is_empty else _BULLET.sub("", line).strip()
    if question:
        yield question


def _lines(text: str) -> Iterator[str]:
    is_code = False
    for line in _COMMENT.sub("", text).splitlines():
        if _FENCE.match(line):
            is_code = not is_code
            yield ""
        elif not is_code:
            yield line
