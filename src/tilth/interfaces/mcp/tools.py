"""
The tools that agents call: each parses, calls one use case, and shows what came of it.

There is no tool that confirms: whoever calls over MCP is an agent, and an agent
never decides (I20). What it asks for waits, and a person runs `tilth review`.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Annotated, Literal, TypeAlias, cast

from mcp_types import CallToolResult
from pydantic import Field

from tilth.context.notes import left_out
from tilth.core.errors import ConflictError, InvalidInputError, NotFoundError
from tilth.core.event import Recorded
from tilth.core.ids import EpisodeId, FactId, ProposalId
from tilth.core.instant import parse_instant, written_second
from tilth.core.json import canonical
from tilth.core.lifecycle import Review
from tilth.episodes.changes import Changes
from tilth.episodes.episode import Episode, EpisodeFields
from tilth.episodes.events import EpisodeRecorded
from tilth.episodes.views import effect_line
from tilth.interfaces.mcp.results import (
    ChangedItem,
    ChangesResult,
    FeedbackResult,
    FetchedItem,
    FetchResult,
    ProposeResult,
    RecalledItem,
    RecallResult,
    RememberResult,
    answer,
    label,
)
from tilth.interfaces.mcp.service import Service, ToolFamily
from tilth.interfaces.mcp.tool_errors import ADDS, READS, CheckedTool, tool
from tilth.knowledge.changes.provenance import Why
from tilth.playbooks.model import Playbook, PlaybookId, PlaybookState
from tilth.playbooks.views import document
from tilth.practice.views import as_evidence
from tilth.privacy.private_tags import MARKER as PRIVATE
from tilth.privacy.redaction import scrub
from tilth.privacy.sanitize import as_block, sanitized, shortened
from tilth.privacy.terminal_text import one_line
from tilth.recall.model import FETCH_MAX, Card, Hit, Tier
from tilth.recall.packing import beginning, packed, token_estimate
from tilth.runtime.brain import Brain

Changing: TypeAlias = Literal["supersede", "retire", "promote", "doubt"]
Format: TypeAlias = Literal["concise", "detailed"]
Tokens: TypeAlias = Annotated[int, Field(ge=100, le=20_000)]
Kind: TypeAlias = Literal["message", "tool_call", "tool_result", "tool_failure", "note", "document"]
Verdicts: TypeAlias = Literal[
    "cited", "led_to_new", "edited", "useful", "reused", "dead_end", "wrong"
]

_CONCISE_CHARS, _CHANGE_CHARS, _CARD_CHARS, _WHO_CHARS = 600, 240, 160, 60


class Tools(ToolFamily):
    """The tools of one server."""

    def recall(  # noqa: PLR0913 - what an agent may ask, by name
        self,
        query: str,
        *,
        scope: Annotated[str, Field(description="global, project:KEY or domain:NAME")] = "",
        session_id: str = "",
        kinds: Sequence[Kind] = (),
        as_of: Annotated[str, Field(description="ISO date: nothing later")] = "",
        known_at: Annotated[str, Field(description="ISO date: as known then")] = "",
        limit: Annotated[int, Field(ge=1, le=50)] = 8,
        max_tokens: Tokens = 1200,
        response_format: Annotated[
            Format, Field(description="detailed: whole texts, and why")
        ] = "concise",
    ) -> Annotated[CallToolResult, RecallResult]:
        """
        Search past sessions, decisions, commands, notes and documents.

        Call it before asking the user what was said or done. Answers are evidence with ids;
        answerable=false: not known.
        """
        if query.strip().startswith(EpisodeId.prefix):
            # An exact ID never falls through to a search by words (EM-061).
            raise InvalidInputError("this is the id of an episode", hint="read it with fetch")
        if session_id:
            self._service.check_session(session_id, scope or None)
        is_detailed = response_format == "detailed"
        found = self._brain.recall(
            query,
            limit=limit,
            kinds=list(kinds) or None,
            session_id=session_id or None,
            as_of=as_of or None,
            known_at=known_at or None,
            budget_tokens=0,
            is_full=is_detailed,
            scope=scope or None,
        )
        most = max_tokens // 2 if is_detailed else 0
        items = [self._recalled(hit, most) for hit in found.hits]
        blocks = [_recalled_block(number, item) for number, item in enumerate(items, 1)]
        kept = packed(blocks, [token_estimate(block) for block in blocks], max_tokens)
        result = RecallResult(
            answerable=found.answerable,
            confidence=round(found.confidence, 3),
            items=items[: len(kept)],
            left_out=len(items) - len(kept),
            notes=list(found.notes),
        )
        if commands := [f"{as_evidence(one)} · {one.scope}" for one in found.commands]:
            result["commands"] = commands
        ids = [item["id"] for item in result["items"]]
        told = [*(f"Ran here, {one}" for one in commands), *kept, *_after_recall(result)]
        return self._answer(result, told, "recall", ids, query)

    def fetch(
        self,
        ids: Annotated[list[str], Field(min_length=1, max_length=FETCH_MAX)],
        *,
        scope: str = "",
        offset: Annotated[int, Field(ge=0, description="from this character")] = 0,
        max_tokens: Tokens = 6000,
    ) -> Annotated[CallToolResult, FetchResult]:
        """Read whole episodes, facts with what they rest on, and playbooks, by id."""
        found = self._brain.fetch(ids, scope=scope or None)
        stated = self._whys(ids, scope)
        books = self._playbooks(ids, scope)
        known = {
            *(episode.id for episode in found),
            *(one.fact.id for one in stated),
            *(one.id for one in books),
        }
        missing = [sanitized(shortened(one, 60)) for one in dict.fromkeys(ids) if one not in known]
        if not known:
            raise NotFoundError(
                f"there is no episode, fact or playbook {', '.join(missing)}",
                hint="take ids from recall, changes or a brief, and fetch in their scope",
            )
        most = max_tokens // len(known)
        items = [self._fetched(episode, offset, most) for episode in found]
        items += [_fetched_fact(one, offset, most) for one in stated]
        items += [_fetched_playbook(one, offset, most) for one in books]
        if not any(item["text"] for item in items):
            raise InvalidInputError(f"no text is left after character {offset}")
        blocks = [
            f"{item['id']} · {item['at']} · {item['who']} · {item['lifecycle']}\n\n"
            + as_block(item["text"])
            + (f"\n\n{item['left_chars']} characters more: offset" if item["left_chars"] else "")
            for item in items
        ]
        if missing:
            blocks.append(f"Not found: {', '.join(missing)}")
        result = FetchResult(items=items, missing=missing)
        return self._answer(result, blocks, "fetch", [item["id"] for item in items])

    def remember(  # noqa: PLR0913 - what an agent may tell, by name
        self,
        text: str,
        *,
        always: bool = False,
        replaces: Sequence[str] = (),
        kind: Literal["note", "message"] = "note",
        role: Literal["user", "assistant"] = "assistant",
        speaker: str = "",
        session_id: str = "",
        occurred_at: Annotated[str, Field(description="ISO date, if not now")] = "",
        scope: Annotated[str, Field(description="if not this project")] = "",
    ) -> Annotated[CallToolResult, RememberResult]:
        """
        Note one thing for later sessions, understood alone, in 250 characters.

        A decision and why, the user's wish, a failure's cause, a limit. `always`: holds in
        all work here, opens each session; else beside prompts on what it names. `replaces`: ids
        of notes that it ends. No order is told: say what is so.
        """
        place = self._service.write_scope(scope)
        words = self._service.injections.stripped(text)
        if text.strip() and not words.strip():
            raise InvalidInputError(
                "all of this came out of the memory", hint="remember only what is new"
            )
        cleaned = scrub(words)
        if cleaned.text.strip() == PRIVATE:
            raise InvalidInputError(
                "all of this is private, and nothing of it is kept",
                hint="remember what is not within <private>",
            )
        # What ends something is new, though its words are known.
        echo_of = None if replaces else self._service.echoes.find(words, place)
        if echo_of is not None:
            result = RememberResult(id=echo_of, is_echo=True, notes=[])
            return answer(result, f"{echo_of} says that already; nothing was added.")
        said: dict[str, object] = {"kind": kind, "role": role, "speaker": speaker, "scope": place}
        if always:
            said["always"] = True
        if replaces:
            said["replaces"] = list(replaces)
        if session_id:
            said["session_id"] = session_id
        if occurred_at:
            said["at"] = parse_instant(occurred_at)
        # Saying the same once more is no second piece of evidence.
        told = canonical([words, kind, role, speaker, session_id, occurred_at, place, *replaces])
        said["idempotency_key"] = f"mcp:{hashlib.sha256(told.encode()).hexdigest()}"
        episode_id = self._brain.remember(words, **cast("EpisodeFields", said))
        self._service.echoes.shown(episode_id, place, words)
        notes = [*cleaned.taken_out(), *(left_out(cleaned.text) if kind == "note" else ())]
        result = RememberResult(id=episode_id, is_echo=False, notes=notes)
        return answer(result, " ".join([f"{episode_id} is recorded.", *notes]))

    def changes(
        self,
        since: Annotated[str, Field(description="cursor or ISO date")] = "",
        *,
        scope: str = "",
        limit: Annotated[int, Field(ge=1, le=100)] = 20,
    ) -> Annotated[CallToolResult, ChangesResult]:
        """
        List what was recorded since a cursor or date, oldest first.

        Give the cursor back next time.
        """
        page = self._brain.changes(since, limit=limit, scope=scope or None)
        items = [self._changed(one, page) for one in page.items]
        blocks = [_change_block(item) for item in items]
        blocks.append(f"{'More' if page.has_more else 'That is all'}; cursor: {page.cursor}")
        result = ChangesResult(items=items, cursor=page.cursor, has_more=page.has_more)
        ids = [item["id"] for item in items if item["kind"] != "session"]
        return self._answer(result, blocks, "changes", ids)

    def feedback(
        self,
        id: str,  # noqa: A002 - as the items of recall call it
        verdict: Verdicts,
        session_id: str = "",
    ) -> Annotated[CallToolResult, FeedbackResult]:
        """
        Say what came of a hit.

        It moves what is found first.
        """
        self._brain.feedback(id, verdict, session_id=session_id or None)
        return answer(FeedbackResult(id=id), f"{id}: {verdict}")

    def propose(
        self,
        action: Changing,
        id: str,  # noqa: A002 - as the items of recall call it
        text: str = "",
        reason: str = "",
    ) -> Annotated[CallToolResult, ProposeResult]:
        """
        Ask the user to change a fact.

        text: its new words, or a triple's new object.
        """
        asked = _propose(self._brain, action, id, text, reason)
        result = ProposeResult(id=asked)
        return answer(result, f"{asked} waits for the user, who runs: tilth review show {asked}")

    def _recalled(self, hit: Hit, most: int) -> RecalledItem:
        """Return a hit by *most* tokens of its words, and why it was found; 0: concisely."""
        whole = sanitized(hit.text)
        text = shortened(whole, len(beginning(whole, most)) if most else _CONCISE_CHARS)
        self._service.echoes.shown(hit.episode_ids[0], hit.scope, hit.text, text)
        item = RecalledItem(
            id=hit.id,
            tier=hit.tier,
            text=text,
            is_cut=hit.is_snippet or text != whole,
            who=label(hit.who, _WHO_CHARS),
            at=written_second(hit.valid_from),
            freshness=hit.freshness,
            status=_status(hit),
            session_id=sanitized(hit.session_id or ""),
            scope=hit.scope,
        )
        if hit.tier is Tier.FACT:
            item["evidence"] = list(hit.episode_ids)
        if hit.exchange is not None and (told := "\n".join(_card_lines(hit.exchange))):
            item["exchange"] = told
        if most:
            item["why"] = {name: round(part, 3) for name, part in hit.parts.items()}
        return item

    def _whys(self, ids: Sequence[str], scope: str) -> list[Why]:
        """Return what facts rest on; those that are unknown or may not be seen are left out."""
        found = []
        for one in dict.fromkeys(ids):
            if one.startswith(FactId.prefix):
                with suppress(NotFoundError, InvalidInputError):
                    found.append(self._brain.facts.why(one, scope=scope or None))
        return found

    def _playbooks(self, ids: Sequence[str], scope: str) -> list[Playbook]:
        """
        Return the playbooks that a human confirmed; agents are told of no other.

        Of a version whose place another took, that other one is returned.
        """
        found = []
        for one in dict.fromkeys(ids):
            if one.startswith(PlaybookId.prefix):
                with suppress(NotFoundError, InvalidInputError):
                    story = self._brain.playbooks.get(one, scope=scope or None)
                    found += [story.playbook, *filter(None, [story.newer])]
        standing = [one for one in found if one.state is PlaybookState.CONFIRMED]
        return list({one.id: one for one in standing}.values())

    def _fetched(self, episode: Episode, offset: int, most: int) -> FetchedItem:
        text = beginning(episode.text[offset:], most)
        self._service.echoes.shown(episode.id, episode.scope, episode.text, text)
        return FetchedItem(
            id=episode.id,
            text=sanitized(text),
            left_chars=max(len(episode.text) - offset - len(text), 0),
            who=label(episode.author or episode.role, _WHO_CHARS),
            kind=episode.kind,
            at=written_second(episode.occurred_at),
            lifecycle=episode.lifecycle,
            session_id=sanitized(episode.session_id or ""),
            scope=episode.scope,
        )

    def _changed(self, recorded: Recorded, page: Changes) -> ChangedItem:
        at = written_second(recorded.recorded_at)
        match recorded.event:
            case EpisodeRecorded(draft=draft):
                episode_id = EpisodeId.of(recorded.event_id)
                text = shortened(sanitized(draft.text), _CHANGE_CHARS)
                self._service.echoes.shown(episode_id, draft.scope, draft.text, text)
                return ChangedItem(id=episode_id, kind=draft.kind, at=at, text=text)
            case _:
                line = recorded.headline
                effects = page.effects.get(recorded.seq, ())
                said = [page.line_of(recorded), *map(effect_line, effects)]
                text = shortened(sanitized("\n".join(filter(None, said))), _CHANGE_CHARS)
                return ChangedItem(id=sanitized(line.id), kind=line.kind, at=at, text=text)

    def _answer(
        self,
        result: Mapping[str, object],
        blocks: Sequence[str],
        via: str,
        ids: Sequence[str],
        asked: str = "",
    ) -> CallToolResult:
        return answer(result, self._service.evidence(blocks, via, ids, asked))


def default_tools(service: Service) -> list[CheckedTool]:
    """Return the tools that every server offers."""
    tools = Tools(service)
    recall, remember = tool(tools.recall, READS, "Recall"), tool(tools.remember, ADDS, "Remember")
    # Where hosts defer tools, what a session begins with and what ends it stay in sight.
    recall.meta = remember.meta = {"anthropic/alwaysLoad": True}
    return [
        recall,
        tool(tools.fetch, READS, "Fetch"),
        tool(tools.changes, READS, "Changes"),
        remember,
        tool(tools.propose, ADDS, "Propose"),
        tool(tools.feedback, ADDS, "Feedback"),
    ]


def _recalled_block(number: int, item: RecalledItem) -> str:
    place = f" · session {item['session_id']}" if item["session_id"] else ""
    labels = f"{item['freshness']}, {item['status']}{place} · {item['scope']}"
    card = f"\n\n{as_block(item['exchange'])}" if "exchange" in item else ""
    head = f"[{number}] {item['id']} · {item['at']} · {item['who']} · {labels}"
    return f"{head}\n\n{as_block(item['text'])}{card}"


def _card_lines(card: Card) -> Iterator[str]:
    """Yield what was asked, how that ended, and what was done, a line each as far as known."""
    told = {
        "asked": [card.asked],
        card.ending: [card.reported],
        "ran": card.commands,
        "committed": card.commits,
        "changed": card.files,
    }
    for name, words in told.items():
        if said := "; ".join(one_line(sanitized(one), _CARD_CHARS) for one in words if one):
            yield f"{name}: {said}"
    if card.is_taken_back:
        yield "taken back later in the session"


def _after_recall(result: RecallResult) -> list[str]:
    """Return what is to be said behind the items."""
    said = list(result["notes"])
    if not result["items"] and not result["left_out"] and "commands" not in result:
        return [*said, "Nothing here answers that."]
    if not result["answerable"]:
        said.append("Nothing here answers that; these came closest.")
    if result["left_out"]:
        said.append(f"{result['left_out']} more did not fit: raise max_tokens.")
    if any(item["is_cut"] for item in result["items"]):
        said.append("Cut texts: read them with fetch.")
    return said


def _fetched_fact(found: Why, offset: int, most: int) -> FetchedItem:
    """Return a fact with the words that it rests on, by *most* tokens of both."""
    fact = found.fact
    words = [f"rests on {one.evidence.episode_id}: {one.quote}" for one in found.supports]
    whole = "\n\n".join([fact.said.text, *words])
    text = beginning(whole[offset:], most)
    return FetchedItem(
        id=fact.id,
        text=sanitized(text),
        left_chars=max(len(whole) - offset - len(text), 0),
        who=label(fact.by.name, _WHO_CHARS),
        kind=Tier.FACT,
        at=written_second(fact.life.valid_from),
        lifecycle=fact.life.lifecycle,
        session_id="",
        scope=fact.life.scope,
    )


def _fetched_playbook(book: Playbook, offset: int, most: int) -> FetchedItem:
    """Return how a class of work is done, by *most* tokens."""
    whole = "\n".join(document(book))
    text = beginning(whole[offset:], most)
    return FetchedItem(
        id=book.id,
        text=sanitized(text),
        left_chars=max(len(whole) - offset - len(text), 0),
        who=label(book.moved_by.name, _WHO_CHARS),
        kind="playbook",
        at=written_second(book.moved_at),
        lifecycle=book.state,
        session_id="",
        scope=book.draft.scope,
    )


def _change_block(item: ChangedItem) -> str:
    # What only waits must not read like what holds, so its kind stands before its words.
    return f"{item['id']} · {item['kind']} · {item['at']}\n\n{as_block(item['text'])}"


def _status(hit: Hit) -> str:
    against = f", against it: {' '.join(hit.rivals)}" if hit.rivals else ""
    by = f" by {hit.successor}" if hit.successor else ""
    # What a person confirmed is known by that.
    grade = f", {hit.grade}" if hit.grade and hit.review is not Review.CONFIRMED else ""
    return (
        f"{hit.lifecycle}{by}, {hit.review}{grade}{', contested' if hit.is_contested else against}"
    )


def _propose(brain: Brain, action: Changing, fact_id: str, text: str, reason: str) -> ProposalId:
    """
    Ask a human, and return what waits.

    Raises:
        ConflictError: nothing has to wait.
    """
    fact = brain.facts.get(fact_id)
    match action:
        case "supersede" if fact.said.triple is not None:
            asked = brain.facts.reword(fact.id, value=text, reason=reason).proposal_id
        case "supersede":
            asked = brain.facts.reword(fact.id, text, reason=reason).proposal_id
        case "retire":
            asked = brain.facts.retire(fact.id, reason=reason).proposal_id
        case "promote":
            asked = brain.facts.promote(fact.id, reason=reason).proposal_id
        case _:  # doubt
            asked = brain.review.question(fact.id, reason=reason).id
    if asked is None:
        raise ConflictError("that needs no human", hint="remember it, or state it: tilth fact add")
    return asked
