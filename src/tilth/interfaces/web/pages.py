"""
The pages as routes: signing in, the screens, and forms that call verbs.

A form names a verb and its arguments, as the command line does; what it changed is told on the
next page, with its undo. Every page but the one that signs in needs a session.
"""

import pkgutil
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import TypeAlias, cast
from urllib.parse import parse_qsl, quote, urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from tilth.core.actor import Human
from tilth.core.errors import ForbiddenError, InvalidInputError, NotFoundError, TilthError
from tilth.core.ids import EntityId, ProposalId
from tilth.core.json import Json
from tilth.core.verb import Verb
from tilth.interfaces.describe_ids import describe
from tilth.interfaces.error_codes import error_body, outcome_of
from tilth.interfaces.http import call_verb, event_stream
from tilth.interfaces.http.app import Serving, missing, refusal, unauthorised
from tilth.interfaces.http.browser_sessions import COOKIE, Session, check_csrf
from tilth.interfaces.http.event_stream import waiting_in
from tilth.interfaces.http.tokens import Role
from tilth.interfaces.to_json import json_text
from tilth.interfaces.web import screens
from tilth.interfaces.web.rendering import render
from tilth.interfaces.web.screen import (
    ACTS,
    SCREENS,
    Ask,
    Done,
    Said,
    Screen,
    Told,
    is_new,
    is_number,
)
from tilth.runtime.brain import Brain

_FORM = "application/x-www-form-urlencoded"
_SEE_OTHER = 303
_NOTHING = "Nothing is here"
_UNDOS_MAX = 200
# What a refusal begins with is what a form was about; a fact's stands behind its words.
_ID = r"[a-z]{3}_[0-9A-Z]{26}\b"
_ABOUT, _NAMED = re.compile(rf"^{_ID}|\b{ProposalId.prefix}\w+"), re.compile(rf" \({_ID}\)")
# Of what this session did; the verb `undo` takes back whatever it is told.
_TAKE_BACK = "take-back"
# What a verb that states something answers where it was said already.
_REINFORCED = "reinforced"
_ENDED, _UNDONE, _REFUSED = "ended", "undone", "refused"
_WHY = {
    _ENDED: "You were signed out.",
    _UNDONE: "You were signed out, and what you asked for was not done.",
    _REFUSED: "This link was used, or is older than ten minutes.",
}
_NO_FLASH = {"hint": "", "rows": (), "secret": "", "undo": False, "about": None, "form": {}}
_Endpoint: TypeAlias = Callable[[Request], Awaitable[Response]]
_Page: TypeAlias = Callable[[Serving, Session, Request], Awaitable[Response]]


def page_routes(serving: Serving) -> list[BaseRoute]:
    """Return the routes of all pages, as *serving* serves them."""
    routes: list[BaseRoute] = [
        Mount("/static", StaticFiles(packages=[("tilth.interfaces.web", "static")])),
        Route("/login", _login_page, methods=["GET"]),
        Route("/login", _signing_in(serving), methods=["POST"]),
        Route("/logout", _for_session(serving, _sign_out), methods=["POST"]),
        Route("/act", _for_session(serving, _act), methods=["POST"]),
        Route("/live", _for_session(serving, _live), methods=["GET"]),
        Route("/begin/live", _for_session(serving, _import_live), methods=["GET"]),
    ]
    for one in all_screens():
        for path in (f"{one.path}.json" if one.path != "/" else "/today.json", one.path):
            page = _screen_page(one, is_json=path != one.path)
            routes.append(Route(path, _for_session(serving, page), methods=["GET"]))
    return routes


def page_of_nothing(serving: Serving) -> Callable[[Request, Exception], Awaitable[Response]]:
    """Return what answers where nothing is: a page for a person, and JSON for a program."""

    async def answer(request: Request, error: Exception) -> Response:
        session = serving.sessions.find(request)
        if session is None or not _is_browser(request):
            return await missing(request, error)
        path = request.url.path[:80]
        told = error_body("not_found", f"No page of ours is at {path}.", "")["error"]
        return await _page(
            "error", serving, session, request, {"error": told}, title=_NOTHING, status=404
        )

    return answer


@cache
def all_screens() -> list[Screen]:
    """Return every screen, in the order of the navigation; exact addresses before open ones."""
    for module in pkgutil.walk_packages(screens.__path__, f"{screens.__name__}."):
        import_module(module.name)
    return sorted(SCREENS.values(), key=lambda one: (":path" in one.path, one.place, one.path))


def entry_of(path: str) -> str:
    """Return the address that the navigation marks for *path*; it is said of errors, too."""
    first = path.split("/")[1]
    found = (one.under for one in all_screens() if one.path.split("/")[1] == first)
    return next(found, "")


def _for_session(serving: Serving, page: _Page) -> _Endpoint:
    async def endpoint(request: Request) -> Response:
        session = serving.sessions.find(request)
        wants_json = _is_program(request) or request.url.path.endswith((".json", "/live"))
        if session is None:
            is_page = not wants_json and (request.method == "GET" or _is_browser(request))
            return await _signed_out(request) if is_page else unauthorised()
        try:
            return await page(serving, session, request)
        except TilthError as error:
            if wants_json:
                return refusal(error)
            told = {"error": error_body(error.code, str(error), error.hint)["error"]}
            status = outcome_of(error).http_status
            title = _NOTHING if isinstance(error, NotFoundError) else "Something is wrong"
            return await _page("error", serving, session, request, told, title=title, status=status)

    return endpoint


def _is_browser(request: Request) -> bool:
    return "text/html" in request.headers.get("accept", "")


def _is_program(request: Request) -> bool:
    return request.headers.get("accept", "").startswith("application/json")


async def _signed_out(request: Request) -> Response:
    """Lead to the sign-in, and from there to where somebody stood; nothing else is done."""
    why = _ENDED if COOKIE in request.cookies else ""
    back = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    if request.method != "GET":
        form: dict[str, list[str]] = {}
        with suppress(InvalidInputError):
            form = await _form(request)
        why, back = _UNDONE if "verb" in form else why, form.get("back", ["/"])[0]
    asked = {"back": _own_path(back)} | ({"why": why} if why else {})
    return RedirectResponse(f"/login?{urlencode(asked, safe='/')}", _SEE_OTHER)


async def _page(  # noqa: PLR0913 - what a page is
    name: str,
    serving: Serving,
    session: Session,
    request: Request,
    told: Told,
    *,
    title: str,
    lead: str = "",
    status: int = 200,
) -> Response:
    flash, session.flash = session.flash, None
    # A name may hold what means something in an address.
    path = quote(request.scope["path"], safe="/:")
    common = {
        "title": title,
        "lead": lead,
        "screen": name,
        "path": path,
        "query": dict(request.query_params),
        "address": f"{path}?{request.url.query}" if request.url.query else path,
        "csrf": session.csrf,
        "who": session.actor.name,
        "waiting": await run_in_threadpool(_waiting, serving.brain),
        "flash": {**_NO_FLASH, **flash} if flash else None,
        "undos": len(session.undos),
        "navigation": all_screens(),
        "entry": entry_of(request.url.path),
        "now": serving.brain.parts.clock.now(),
    }
    text = await run_in_threadpool(render, f"{name}.html", {**told, **common})
    return Response(text, status, media_type="text/html; charset=utf-8")


def _waiting(brain: Brain) -> int:
    """Return how many questions wait; none where the store does not answer, as an error says."""
    try:
        return waiting_in(brain)
    except TilthError:
        return 0


def _screen_page(one: Screen, *, is_json: bool) -> _Page:
    async def page(serving: Serving, session: Session, request: Request) -> Response:
        brain = call_verb.acting(serving.brain, session.actor)
        values = {**request.query_params, **request.path_params}
        try:
            told = await run_in_threadpool(one.gather, Ask(brain, serving, values))
        except NotFoundError as missing:
            if not (is_json and request.path_params):
                raise
            # Names end in .json, too: what has no twin may be a page itself.
            values |= {name: f"{value}.json" for name, value in request.path_params.items()}
            try:
                told = await run_in_threadpool(one.gather, Ask(brain, serving, values))
            except TilthError:
                raise missing from None
        else:
            if is_json:
                text = await run_in_threadpool(json_text, told)
                return Response(text, media_type="application/json")
        title = str(told.get("heading") or one.title)
        return await _page(one.name, serving, session, request, told, title=title, lead=one.lead)

    return page


def _error_text(error: TilthError) -> dict[str, str]:
    """Return a refusal as a page tells it: what a form was about stands there, without its ID."""
    is_known = re.search(_ID, error.hint) is not None
    text = _ABOUT.sub(lambda found: "this" if found.start() else "This", str(error))
    # What to do is said before the command for a terminal.
    hint = error.hint.partition(": tilth ")[0] if is_known else error.hint
    return {"text": _NAMED.sub("", text), "hint": hint}


def _thing_named(brain: Brain, error: TilthError) -> Mapping[str, str] | None:
    """Return which other thing a refusal names, with its name: who goes by that name already."""
    named = re.search(rf"\b{EntityId.prefix}[0-9A-Z]{{26}}\b", str(error))
    return describe(brain, [named[0]])[0] if named else None


async def _act(serving: Serving, session: Session, request: Request) -> Response:
    """Do what a form says, and go back to where the form stood; the next page tells of it."""
    form = await _form(request)
    back = _own_path(form.pop("back", ["/"])[0])
    secret = form.pop("csrf", [""])[0]
    is_program = _is_program(request)
    if not _is_browser(request):
        check_csrf(session, secret)
    try:
        check_csrf(session, secret)
        said = await run_in_threadpool(_perform, serving, session, form)
    except TilthError as error:
        about = await run_in_threadpool(_thing_named, serving.brain, error)
        # What was typed stands in its form again.
        session.flash = {"kind": "error", "about": about, "form": form, **_error_text(error)}
        return refusal(error) if is_program else RedirectResponse(back, _SEE_OTHER)
    if said.undo:
        session.undos = [*session.undos[1 - _UNDOS_MAX :], said.undo]
    session.flash = {
        "kind": "done", "text": said.text, "rows": said.rows, "secret": said.secret,
        "undo": bool(said.undo),
    }  # fmt: skip
    if is_program:
        return JSONResponse({"said": said.text})
    return RedirectResponse(said.back or back, _SEE_OTHER)


def _perform(serving: Serving, session: Session, form: dict[str, list[str]]) -> Said:
    name = form.pop("verb", [""])[0]
    brain = call_verb.acting(serving.brain, session.actor)
    if name == _TAKE_BACK:
        return _undo_last(brain, session)
    if name in ACTS:
        values = {field: given[-1].strip() for field, given in form.items() if given}
        return ACTS[name](Ask(brain, serving, values, form))
    said, then = form.pop("said", ["Done."])[0], form.pop("then", [""])[0]
    undo = {field: form.pop(field, [""])[0] for field in ("undo", "undo_name", "undo_id")}
    verb = call_verb.find(name, Role.ADMIN)
    told = _arguments(verb, form)
    answer = call_verb.call(brain, verb, told)
    if _value_at(answer, "verdict") == _REINFORCED:
        # To take that back would take back what was said first.
        return Said("It says that already. Nothing has changed.")
    if not undo["undo"]:
        return Said(said)
    which = undo["undo_name"]
    id_ = told.get(which) or _value_at(answer, undo["undo_id"])
    back = f"{then}{id_}" if then else ""
    return Said(
        said,
        rows=list(_files(answer)),
        back=_own_path(back) if back else "",
        undo=[Done(verb=undo["undo"], told={which: id_})],
    )


def _files(answer: Json) -> Iterator[tuple[str, str]]:
    """Yield the files that an act changed on this machine, with what became of each."""
    files = answer.get("files") if isinstance(answer, dict) else None
    for one in files if isinstance(files, list) else ():
        if isinstance(one, dict) and "done" in one and "path" in one:
            yield str(one["done"]).capitalize(), str(one["path"])


def _undo_last(brain: Brain, session: Session) -> Said:
    """
    Take back what was done last in this session.

    Raises:
        NotFoundError: nothing is left to take back.
        ConflictError: something rests on it by now.
    """
    if not session.undos:
        raise NotFoundError("nothing is left to take back in this session")
    last = cast("Sequence[Done]", session.undos.pop())
    for one in reversed(last):
        call_verb.call(brain, call_verb.find(one.verb, Role.ADMIN), one.told)
    return Said("It is as it was." if len(last) == 1 else f"All {len(last)} are as they were.")


def _value_at(answer: Json, path: str) -> Json:
    """Return what stands at a path such as `fact.id` of an answer, or *path* where it is an ID."""
    found: Json = answer
    for name in path.split("."):
        if not isinstance(found, dict) or name not in found:
            return path
        found = found[name]
    return found


def _arguments(verb: Verb, form: Mapping[str, list[str]]) -> dict[str, Json]:
    """Return the fields of a form as the arguments of a verb; empty ones say nothing."""
    known = {one.name: one for one in call_verb.options_of(verb)}
    told: dict[str, Json] = {}
    for name, values in form.items():
        given = [one for one in values if one.strip()]
        if not given:
            continue
        option = known.get(name)
        if option is None or not option.is_many:
            told[name] = _scalar(option.kind if option else str, given[-1])
        else:
            told[name] = [_scalar(option.kind, one) for one in given]
    return told


def _scalar(kind: object, text: str) -> Json:
    if kind is bool:
        return text in {"true", "on", "1"}
    if kind is int and is_number(text):
        return int(text)
    if kind is float and is_number(text.replace(".", "", 1)):
        return float(text)
    return text


async def _form(request: Request) -> dict[str, list[str]]:
    """
    Return the fields of a form.

    Raises:
        InvalidInputError: the body is no form.
    """
    if request.headers.get("content-type", "").partition(";")[0] != _FORM:
        raise InvalidInputError("this address takes forms", hint="programs ask under /v1")
    try:
        pairs = parse_qsl(
            (await request.body()).decode(), keep_blank_values=True, max_num_fields=500
        )
    except ValueError as error:
        raise InvalidInputError("the form cannot be read") from error
    form: dict[str, list[str]] = {}
    for name, value in pairs:
        form.setdefault(name, []).append(value.replace("\r\n", "\n"))
    return form


def _own_path(path: str) -> str:
    """Return a path of ours to go back to; what leads elsewhere leads home."""
    is_ours = path.startswith("/") and not path.startswith(("//", "/\\"))
    return path if is_ours and path.isprintable() else "/"


async def _login_page(request: Request) -> Response:
    back, why = (request.query_params.get(name, "") for name in ("back", "why"))
    told = {"title": "Sign in", "told": _WHY.get(why, ""), "back": _own_path(back)}
    return Response(render("login.html", told), media_type="text/html; charset=utf-8")


def _signing_in(serving: Serving) -> _Endpoint:
    async def endpoint(request: Request) -> Response:
        back = "/"
        try:
            form = await _form(request)
            back = _own_path(form.get("back", ["/"])[0])
            # Whoever pastes all of the link means its key.
            key = form.get("key", [""])[0].strip().rpartition("#")[2]
            link = await run_in_threadpool(serving.tokens.sign_in, key)
            if link is None:
                raise ForbiddenError("this link was used, or is too old")
        except TilthError:
            told = {"title": "Sign in", "told": _WHY[_REFUSED], "back": back}
            page = render("login.html", told)
            return Response(page, 403, media_type="text/html; charset=utf-8")
        if back == "/" and await run_in_threadpool(_is_empty, serving.brain):
            back = "/begin"  # Whoever comes first finds out how to begin.
        response = RedirectResponse(back, _SEE_OTHER)
        is_secure = request.url.scheme == "https"
        serving.sessions.begin(Human(link.name), response, is_secure=is_secure)
        return response

    return endpoint


def _is_empty(brain: Brain) -> bool:
    """Say whether nothing was recorded yet; the page says it where the store does not answer."""
    try:
        return is_new(brain)
    except TilthError:
        return False


async def _sign_out(serving: Serving, session: Session, request: Request) -> Response:
    check_csrf(session, (await _form(request)).get("csrf", [""])[0])
    response = RedirectResponse("/login", _SEE_OTHER)
    serving.sessions.end(request, response)
    return response


async def _live(serving: Serving, session: Session, request: Request) -> Response:
    brain = call_verb.acting(serving.brain, session.actor)
    return await event_stream.stream(brain, serving.where, request)


async def _import_live(serving: Serving, _: Session, __: Request) -> Response:
    return event_stream.import_stream(serving.importing)
