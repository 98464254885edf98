"""
The application: `/v1` for programs, the pages for people, MCP for agents, all of one brain.

Verbs are synchronous, so each runs in a thread. Whoever asks bears a token, or a session of the
pages with the secret that stands in them; nothing is answered to anybody else.
"""

import asyncio
import json
import logging
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import field
from typing import Protocol, TypeAlias

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from tilth.core.actor import Actor
from tilth.core.dataclass import dataclass
from tilth.core.errors import (
    ForbiddenError,
    IdempotencyConflictError,
    InvalidInputError,
    TilthError,
)
from tilth.core.ids import EventId
from tilth.core.json import Json, canonical
from tilth.core.scope import Owner
from tilth.core.text.surrogates import json_without_surrogates
from tilth.core.verb import Verb
from tilth.erasure.erase import Certificate, ErasePlan
from tilth.erasure.search_mentions import MentionSearch
from tilth.interfaces.error_codes import error_body, outcome_of
from tilth.interfaces.http import call_verb, legacy_api
from tilth.interfaces.http.browser_sessions import Sessions, check_csrf
from tilth.interfaces.http.event_stream import stream
from tilth.interfaces.http.guard import UnreadableError
from tilth.interfaces.http.metrics import Counts, exposition
from tilth.interfaces.http.openapi import openapi
from tilth.interfaces.http.tokens import Role, Tokens
from tilth.interfaces.import_transcripts import ImportJob
from tilth.interfaces.store_check import StoreCheck
from tilth.runtime.brain import Brain

logger = logging.getLogger(__name__)

Endpoint: TypeAlias = Callable[[Request], Awaitable[Response]]
_KEYS_MAX = 1000
_KEY_CHARS_MAX = 200
UNAUTHORISED = 401
_ANY = ["GET", "POST", "PUT", "PATCH", "DELETE"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Whoever asks, and in which role."""

    actor: Actor
    role: Role


class IdempotentAnswers:
    """The answers that are given under an idempotency key, while the process lives."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[Actor, str], tuple[str, asyncio.Task[Json]]] = OrderedDict()

    async def once(
        self,
        actor: Actor,
        key: str,
        asked: str,
        answer: Callable[[], Coroutine[object, object, Json]],
    ) -> tuple[Json, bool]:
        """
        Answer by *answer*, once for all who ask the same under *key*, at whatever time.

        What was refused may be asked again under its key. An answer goes on when its client leaves.

        Returns:
            The answer, and whether it is that of an earlier request.

        Raises:
            IdempotencyConflictError: something else was asked under the key.
        """
        name = (actor, key)
        known = self._known.get(name)
        if known is None:
            task = asyncio.create_task(answer())
            self._known[name] = (asked, task)
            task.add_done_callback(lambda done: self._forget_failed(name, done))
            while len(self._known) > _KEYS_MAX:
                self._known.popitem(last=False)
        else:
            said, task = known
            if said != asked:
                raise IdempotencyConflictError("this idempotency key was used for another request")
        return await asyncio.shield(task), known is not None

    def _forget_failed(self, name: tuple[Actor, str], done: asyncio.Task[Json]) -> None:
        if done.cancelled() or done.exception() is not None:
            self._known.pop(name, None)


class Worker(Protocol):
    """What does in the same process what waits in the background."""

    @property
    def is_on(self) -> bool:
        """Whether it works, or waits for something to do."""

    def start(self) -> None:
        """Begin, or go on."""

    def stop(self) -> None:
        """End; what is left waits."""


@dataclass(frozen=True, kw_only=True)
class Serving:
    """What the parts of one server share: the brain, who may ask, and what runs beside."""

    brain: Brain
    where: str
    tokens: Tokens
    sessions: Sessions
    counts: Counts = field(default_factory=Counts)
    repeats: IdempotentAnswers = field(default_factory=IdempotentAnswers)
    importing: ImportJob = field(default_factory=ImportJob)
    checking: StoreCheck = field(default_factory=StoreCheck)
    worker: Worker | None = None
    # What each erase of this server found; the ledger keeps that it was, not what was looked for.
    certificates: dict[EventId, Certificate] = field(default_factory=dict)
    # How far each search for what else names something is, by whose it is, who asked and for what;
    # at its end with the plan, which holds until something is recorded.
    lookings: dict[tuple[Owner, Actor, str], tuple[MentionSearch, ErasePlan | None]] = field(
        default_factory=dict
    )
    # Questions that are answered here, by the place of the ledger up to which they were tried.
    examples: dict[int, Sequence[str]] = field(default_factory=dict)

    def caller(self, request: Request) -> Caller | None:
        """Return whoever asks: by a token, or by a session whose page sent the request."""
        given = request.headers.get("authorization", "")
        if given:
            token = self.tokens.of_header(given)
            return None if token is None else Caller(actor=token.actor, role=token.role)
        session = self.sessions.find(request)
        if session is None:
            return None
        if request.method not in {"GET", "HEAD"}:
            check_csrf(session, request.headers.get("x-csrf-token", ""))
        return Caller(actor=session.actor, role=Role.ADMIN)


def application(serving: Serving, others: list[BaseRoute]) -> Starlette:
    """Return the application of *serving*: the API, and the routes of its other interfaces."""
    ours = [
        Route("/v1/openapi.json", _guarded(serving, _openapi), methods=["GET"]),
        Route("/v1/live", _guarded(serving, _live), methods=["GET"]),
        Route("/v1/health", _guarded(serving, _health), methods=["GET"]),
        Route("/metrics", _guarded(serving, _metrics), methods=["GET"]),
        Route("/v1/{path:path}", _guarded(serving, _verb), methods=["POST"]),
        Route("/api/wiki/{page_name}", _guarded(serving, _wiki), methods=_ANY),
        Route("/api/{name}", _guarded(serving, _endpoint), methods=["POST"]),
    ]
    return Starlette(
        routes=[*ours, *others],
        exception_handlers={
            404: missing,
            405: missing,
            UnreadableError: _unreadable,
            ClientDisconnect: _client_left,
            Exception: _unexpected,
        },
    )


_Answer: TypeAlias = Callable[[Serving, Caller, Request], Awaitable[Response]]


def _guarded(serving: Serving, answer: _Answer) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        began = time.perf_counter()
        try:
            caller = serving.caller(request)
            if caller is None:
                response = unauthorised()
            else:
                response = await answer(serving, caller, request)
        except TilthError as error:
            response = refusal(error)
        serving.counts.asked(request.url.path, response.status_code, time.perf_counter() - began)
        return response

    return endpoint


def unauthorised() -> Response:
    """Return the answer to whoever bears no token that stands."""
    body = error_body("forbidden", "the token is missing, or ended", "see: tilth token add NAME")
    return JSONResponse(body, UNAUTHORISED, {"www-authenticate": "Bearer"})


def refusal(error: TilthError) -> Response:
    """Return *error* in the one shape that errors have."""
    body = error_body(error.code, str(error), error.hint)
    return JSONResponse(body, outcome_of(error).http_status)


async def _verb(serving: Serving, caller: Caller, request: Request) -> Response:
    verb = call_verb.find(request.path_params["path"], caller.role)
    return await _call_once(serving, caller, request, verb)


async def _endpoint(serving: Serving, caller: Caller, request: Request) -> Response:
    return await _call_once(serving, caller, request, legacy_api.find(request.path_params["name"]))


async def _wiki(serving: Serving, caller: Caller, request: Request) -> Response:
    if request.method not in {"GET", "HEAD"}:
        raise ForbiddenError(
            "a page is compiled, and never written",
            hint="correct the facts that it cites, or give it back edited: POST /v1/pages/edit",
        )
    told = {**request.query_params, "page_name": request.path_params["page_name"]}
    brain = call_verb.acting(serving.brain, caller.actor)
    return JSONResponse(
        await run_in_threadpool(call_verb.call, brain, legacy_api.find("wiki"), told)
    )


async def _call_once(serving: Serving, caller: Caller, request: Request, verb: Verb) -> Response:
    told = await body_of(request)
    key = request.headers.get("idempotency-key", "")
    if len(key) > _KEY_CHARS_MAX:
        raise InvalidInputError(f"an idempotency key has at most {_KEY_CHARS_MAX} characters")
    brain = call_verb.acting(serving.brain, caller.actor)

    async def answer() -> Json:
        began = time.perf_counter()
        answered = await run_in_threadpool(call_verb.call, brain, verb, told)
        if verb.python == "recall":
            serving.counts.recalled(time.perf_counter() - began)
        return answered

    if not key:
        return JSONResponse(await answer())
    asked = f"{verb.python} {canonical(told)}"
    given, is_repeated = await serving.repeats.once(caller.actor, key, asked, answer)
    return JSONResponse(given, headers={"idempotency-replayed": "true"} if is_repeated else {})


async def body_of(request: Request) -> Mapping[str, Json]:
    """
    Return the JSON object that a request brings; nothing is an empty one.

    Raises:
        InvalidInputError: it is no JSON object.
    """
    data = await request.body()
    if not data:
        return {}
    kind = request.headers.get("content-type", "").partition(";")[0].strip()
    if kind != "application/json":
        raise InvalidInputError("the body is JSON", hint="send Content-Type: application/json")
    try:
        # Half of an emoji is no reason to lose the rest of what is told; MCP takes it likewise.
        told = json.loads(
            json_without_surrogates(data.decode("utf-8-sig")), parse_constant=_refuse_constant
        )
    except (ValueError, RecursionError) as error:
        raise InvalidInputError("the body is no JSON") from error
    if not isinstance(told, dict):
        raise InvalidInputError("the body is a JSON object")
    canonical(told)
    return told


def _refuse_constant(word: str) -> float:
    raise ValueError(word)


async def _openapi(_: Serving, __: Caller, ___: Request) -> Response:
    return JSONResponse(await run_in_threadpool(openapi))


async def _live(serving: Serving, caller: Caller, request: Request) -> Response:
    return await stream(call_verb.acting(serving.brain, caller.actor), serving.where, request)


async def _health(serving: Serving, _: Caller, __: Request) -> Response:
    await run_in_threadpool(serving.brain.sessions.list, limit=1)
    return JSONResponse({"status": "ok", "store_id": serving.brain.store_id})


async def _metrics(serving: Serving, caller: Caller, _: Request) -> Response:
    if caller.role is Role.AGENT:
        raise ForbiddenError(
            "metrics are for reviewers and admins",
            hint="make a token for whoever reads them: tilth token add NAME --role reviewer",
        )
    text = await run_in_threadpool(exposition, serving.brain, serving.where, serving.counts)
    return Response(text, media_type="text/plain; version=0.0.4")


def _is_answered(path: str) -> bool:
    """Say whether a request to *path* would reach a verb, whichever method it takes."""
    verb = path.removeprefix("/v1/")
    return verb == path or verb in call_verb.offered()


async def missing(request: Request, error: Exception) -> Response:
    """Say that nothing is at an address, or that it is asked otherwise."""
    status = getattr(error, "status_code", 404)
    headers = getattr(error, "headers", None)  # What is allowed instead.
    told = f"there is nothing at {request.url.path[:80]}"
    if headers == {"Allow": "POST"} and not _is_answered(request.url.path):
        status, headers = 404, None
    elif status != 404:  # noqa: PLR2004
        told = f"{request.method} is not what {request.url.path[:80]} answers"
    asked = "ask with POST; " if headers == {"Allow": "POST"} else ""
    body = error_body("not_found", told, f"{asked}see /v1/openapi.json")
    return JSONResponse(body, status, headers)


async def _unreadable(_: Request, error: Exception) -> Response:
    assert isinstance(error, UnreadableError)
    refused = error.refused
    return JSONResponse(error_body(refused.code, refused.message), refused.status)


async def _client_left(_: Request, __: Exception) -> Response:
    """Answer whoever hung up before all was sent: nobody hears it, and nothing went wrong."""
    return Response(status_code=400)


async def _unexpected(_: Request, error: Exception) -> Response:
    logger.error("a request failed: %s", type(error).__name__, exc_info=error)
    return JSONResponse(error_body("error", "this is our fault; see the log of the server"), 500)
