"""
Sessions of the web pages: a person signed in by a link from the terminal.

A session is a cookie of 256 random bits that scripts and other sites never get. Whatever changes
something repeats a second secret that stands in the page, so no other page can send it (CSRF).
Sessions live in the process: when it ends, everybody signs in again.
"""

import hmac
import secrets
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import field
from datetime import datetime, timedelta
from threading import Lock

from starlette.requests import Request
from starlette.responses import Response

from tilth.core.actor import Actor
from tilth.core.clock import Clock
from tilth.core.dataclass import dataclass
from tilth.core.errors import ForbiddenError

COOKIE = "tilth_session"
_BYTES = 32
_IDLE_MAX = timedelta(hours=12)
_SESSIONS_MAX = 100


@dataclass(slots=True)
class Session:
    """
    A person who signed in: who it is, the secret of their forms, and when they came last.

    `flash` is what the next page tells of what was just done, `undos` takes back what was done
    in this session, the last thing last.
    """

    actor: Actor
    csrf: str
    last_at: datetime
    flash: Mapping[str, object] | None = None
    undos: list[object] = field(default_factory=list)


class Sessions:
    """Who is signed in."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = Lock()
        self._known: OrderedDict[str, Session] = OrderedDict()

    def begin(self, actor: Actor, response: Response, *, is_secure: bool) -> None:
        """Sign *actor* in: the cookie goes with *response*."""
        bits = secrets.token_urlsafe(_BYTES)
        session = Session(actor, secrets.token_urlsafe(_BYTES), self._clock.now())
        with self._lock:
            self._known[bits] = session
            while len(self._known) > _SESSIONS_MAX:
                self._known.popitem(last=False)
        response.set_cookie(COOKIE, bits, httponly=True, samesite="strict", secure=is_secure)

    def find(self, request: Request) -> Session | None:
        """Return the session of a request; None if nobody signed in, or too long ago."""
        bits = request.cookies.get(COOKIE, "")
        with self._lock:
            session = self._known.get(bits)
            if session is None:
                return None
            now = self._clock.now()
            if now - session.last_at > _IDLE_MAX:
                del self._known[bits]
                return None
            session.last_at = now
            return session

    def end(self, request: Request, response: Response) -> None:
        """Sign out."""
        with self._lock:
            self._known.pop(request.cookies.get(COOKIE, ""), None)
        response.delete_cookie(COOKIE)


def check_csrf(session: Session, given: str) -> None:
    """
    Refuse a change that does not repeat the secret of the session's pages.

    Raises:
        ForbiddenError: it does not.
    """
    if not hmac.compare_digest(session.csrf.encode(), given.encode("utf-8", "surrogatepass")):
        raise ForbiddenError(
            "this page was of an earlier sign-in, so nothing was done",
            hint="it is shown anew; do it again here",
        )
