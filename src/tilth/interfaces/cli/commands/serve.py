"""`tilth serve`: the API, the pages and MCP in one process; `tilth token`: who may ask."""

import getpass
from contextlib import suppress
from typing import Annotated, Literal

from tilth.core.errors import ConflictError
from tilth.core.instant import written_day
from tilth.core.io.file_lock import try_lock
from tilth.core.verb import Arg, Section, noun
from tilth.core.view import Bold, Dim, Line, Row
from tilth.interfaces.cli.commands.worker import ServerWorker
from tilth.interfaces.cli.open_brain import require_person
from tilth.interfaces.cli.terminal import Terminal, command
from tilth.interfaces.http.tokens import Tokens, parse_role
from tilth.interfaces.import_transcripts import ImportJob, Remaining
from tilth.interfaces.serve_all import app_of, listen, serve, tokens_of, url_of
from tilth.runtime.places import serve_lock
from tilth.runtime.system import SystemClock

noun("token", "keys of the HTTP API, and what each may do", section=Section.AGENTS, bare="list")

HOST, PORT = "127.0.0.1", 8738
_NOTHING = Remaining()


@command(
    "serve",
    section=Section.START,
    examples=("tilth serve", "tilth serve --port 0"),
)
def run(
    terminal: Terminal,
    *,
    host: Annotated[str, Arg("the address, or ::1", metavar="ADDRESS")] = HOST,
    port: Annotated[int, Arg("the port; 0 takes a free one", least=0)] = PORT,
    is_open: Annotated[
        bool,
        Arg(
            "let other machines reach it; a server that speaks TLS stands before it",
            flags=("--open",),
        ),
    ] = False,
) -> int:
    """
    Serve the pages, the HTTP API and MCP, and do what waits in the background.

    Prints a link that signs you in once. Programs ask with a token: see `tilth token add`.
    A store has one server at a time; Ctrl-C or SIGTERM ends it after the requests that run.
    """
    return serve_at(terminal, host, port, is_open=is_open)


def serve_at(
    terminal: Terminal,
    host: str,
    port: int,
    *,
    is_open: bool = False,
    remaining: Remaining = _NOTHING,
) -> int:
    """Serve at an address as `tilth serve` does, and import meanwhile what is *remaining*."""
    where, clock = terminal.place, SystemClock()
    tokens = tokens_of(where, clock)
    # The usual store is begun by whoever comes first; a path may be mistyped.
    is_usual = terminal.store is None
    with terminal.open(create=is_usual) as brain, try_lock(serve_lock(where)) as is_alone:
        if not is_alone:
            raise ConflictError(
                "another process serves this store", hint="a link to it: tilth token link"
            )
        listening = listen(host, port, is_open=is_open)
        url = url_of(listening)
        serve_lock(where).write_text(url, encoding="ascii")
        told = {"url": url}
        lines: list[Line] = [f"serving {url}"]
        if terminal.by.is_human:
            told["link"] = _link(url, tokens)
            lines.append((Bold("open"), f"  {told['link']}"))
        else:
            lines.append("a person signs in by a link: tilth token link")
        lines.append(Dim("Ctrl-C ends it"))
        terminal.screen.answer(told, lines)
        terminal.screen.out.flush()
        importing = ImportJob()
        if remaining.sources:
            importing.begin(brain, remaining.sources, read_before=remaining.read_count)
        try:
            with ServerWorker(terminal, brain) as worker, suppress(KeyboardInterrupt):
                serve(app_of(brain, where, tokens, worker, importing), listening)
        finally:
            importing.end()
    terminal.screen.say("the server has ended")
    return 0


def _link(url: str, tokens: Tokens) -> str:
    return f"{url}/login#{tokens.add_link(getpass.getuser())}"


@command("token link", examples=("tilth token link",))
def link(terminal: Terminal) -> int:
    """
    Print a link that signs you in to the running server, once, within ten minutes.

    Only a person may.
    """
    require_person()
    file = serve_lock(terminal.place)
    url = file.read_text(encoding="ascii").strip() if file.exists() else ""
    if not url:
        raise ConflictError("no server serves this store", hint="start one: tilth serve")
    made = _link(url, _tokens(terminal))
    terminal.screen.answer({"link": made}, [made])
    return 0


@command(
    "token add",
    examples=("tilth token add my-agent", "tilth token add ana --role reviewer"),
)
def add(
    terminal: Terminal,
    name: Annotated[str, Arg("the name of its bearer", metavar="NAME")],
    *,
    role: Annotated[
        Literal["agent", "reviewer", "admin"],
        Arg("agent: records and asks; reviewer: decides too; admin: erases and exports too"),
    ] = "agent",
) -> int:
    """
    Make a token, and print it this once.

    Only a person may. What is kept of it is a digest.
    """
    require_person()
    bits = _tokens(terminal).add(name, parse_role(role))
    terminal.screen.answer({"name": name, "role": role, "token": bits}, [bits])
    terminal.screen.say(f"{name} is {role}; nobody can read this token again")
    return 0


@command("token list", examples=("tilth token list",))
def list_(terminal: Terminal) -> int:
    """List the tokens that stand: names, roles, and since when."""
    known = _tokens(terminal).list()
    told = [{"name": one.name, "role": one.role, "made_at": one.made_at} for one in known]
    rows = [Row((Bold(one.name), one.role, written_day(one.made_at))) for one in known]
    terminal.screen.answer({"tokens": told}, rows)
    if not known:
        terminal.screen.say("no token; make one with: tilth token add NAME")
    return 0


@command("token revoke", examples=("tilth token revoke my-agent",))
def revoke(terminal: Terminal, name: Annotated[str, Arg("as listed", metavar="NAME")]) -> int:
    """
    End a token: whoever holds it is refused from the next request on.

    Only a person may.
    """
    require_person()
    _tokens(terminal).revoke(name)
    terminal.screen.answer({"revoked": name}, [f"{name} is revoked"])
    return 0


def _tokens(terminal: Terminal) -> Tokens:
    return tokens_of(terminal.place, SystemClock())
