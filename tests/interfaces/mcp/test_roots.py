"""A server that was started in no project serves the one that its client has open."""

import os
import sys
from contextlib import nullcontext
from functools import partial
from pathlib import Path

import anyio
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR, ErrorData, ListRootsResult, Root

from tests.interfaces.mcp.clients import serve_inside, text_of
from tilth.core.io.projects import scope_of_folder
from tilth.interfaces.mcp.roots import first_folder

ERAS = pytest.mark.parametrize("era", ["legacy", "auto"])


@pytest.fixture
def projects(ready):
    """Two repositories of work, and a note in each and in what is no project."""
    folders = []
    for name in ("kettle", "secret é"):
        folder = ready.home / "work" / name
        (folder / ".git").mkdir(parents=True)
        url = f"https://example.com/acme/{name.split()[0]}"
        (folder / ".git" / "config").write_text(f'[remote "origin"]\n\turl = {url}\n')
        folders.append(folder)
    for scope in (*(scope_of_folder(str(one)) for one in folders), "unfiled"):
        assert ready("remember", f"The kettle of {scope} whistles.", "--scope", scope).code == 0
    return folders


class Host:
    """A client that has folders open, and starts the server in one of its own, in this process."""

    def __init__(self, program, *folders, cwd=None, options=()):
        self.uris = [one if isinstance(one, str) else one.as_uri() for one in folders]
        self.asked = 0
        self._program = program
        self._cwd = cwd or program.home
        self._options = options

    async def roots(self, _context):
        self.asked += 1
        return ListRootsResult(roots=[Root(uri=uri) for uri in self.uris])

    def does(self, work, *, era="legacy", has_roots=True):
        """Run *work* with a client, which has a minute for it."""
        told = []

        async def run(server):
            answer = self.roots if has_roots else None
            with anyio.fail_after(60):
                async with Client(server, mode=era, list_roots_callback=answer) as client:
                    told.append(await work(client))

        self.serves(partial(anyio.run, run))
        return told[0]

    def serves(self, run):
        """Start the server, and *run* a client of it in place of the streams."""
        serve_inside(self._program, run, *self._options, cwd=self._cwd)


class Apart(Host):
    """The same with a server that is a process."""

    def serves(self, run):
        run(
            StdioServerParameters(
                command=sys.executable,
                args=["-m", "tilth", "mcp", *self._options],
                env=self._program.environ(),
                cwd=self._cwd,
            )
        )


async def scopes(client):
    found = await client.call_tool("recall", {"query": "Which kettle whistles?"})
    assert not found.is_error, text_of(found)
    return {item["scope"] for item in found.structured_content["items"]}


async def told_in(client, text):
    told = await client.call_tool("remember", {"text": text})
    assert not told.is_error, text_of(told)
    shown = await client.call_tool("fetch", {"ids": [told.structured_content["id"]]})
    return shown.structured_content["items"][0]["scope"]


def of(*folders):
    return {scope_of_folder(str(one)) for one in folders}


@ERAS
def test_the_project_is_the_first_folder_that_the_client_has_open(ready, projects, era):
    kettle, secret = projects
    (ready.home / "a file").touch()
    opened = [
        "file:///no/such/folder",
        (ready.home / "a file").as_uri(),
        "file://elsewhere" + str(kettle),
        secret,
        kettle,
    ]

    async def work(client):
        return await scopes(client), await told_in(client, "The lid is blue.")

    read, written = Apart(ready, *opened).does(work, era=era)

    assert read == of(secret)
    assert {written} == of(secret)


@ERAS
def test_other_folders_are_followed(ready, projects, era):
    kettle, secret = projects
    host = Apart(ready, kettle)

    async def work(client):
        before = await scopes(client)
        host.uris = [secret.as_uri()]
        if era == "legacy":
            await client.session.send_roots_list_changed()
        during = await scopes(client)
        host.uris = []
        if era == "legacy":
            await client.session.send_roots_list_changed()
        return before, during, await scopes(client)

    with pytest.warns() if era == "legacy" else nullcontext():  # it is: of no use from 2026 on
        assert host.does(work, era=era) == (of(kettle), of(secret), {"unfiled"})


@ERAS
def test_what_the_client_says_of_folders_never_leaves_the_project_of_the_start(
    ready, projects, era
):
    kettle, secret = projects
    for host in (
        Host(ready, secret, cwd=kettle),
        Host(ready, secret, options=("--folder", str(kettle))),
    ):
        assert host.does(scopes, era=era) == of(kettle)
        assert host.asked == 0


@ERAS
@pytest.mark.parametrize("start", ["home", "root"])
def test_without_folders_nothing_reaches_a_project(ready, projects, start, era):
    where = {"home": ready.home, "root": Path("/")}[start]

    async def work(client):
        return await scopes(client), await told_in(client, "The kettle's lid is blue.")

    for host, has_roots in ((Host(ready, cwd=where), False), (Host(ready, cwd=where), True)):
        assert host.does(work, era=era, has_roots=has_roots) == ({"unfiled"}, "unfiled")


def test_a_client_that_is_slow_is_followed_once_it_answers(ready, projects):
    kettle, _ = projects
    host, may_answer = Host(ready, kettle), anyio.Event()

    async def late(_context):
        await may_answer.wait()
        return ListRootsResult(roots=[Root(uri=uri) for uri in host.uris])

    async def work(client):
        asked = [await scopes(client)]
        may_answer.set()
        while len(asked) < 100 and asked[-1] != of(kettle):
            asked.append(await scopes(client))
        return asked[0], asked[-1]

    host.roots = late
    assert host.does(work) == ({"unfiled"}, of(kettle))


@ERAS
def test_a_client_that_answers_an_error_is_served_no_project(ready, projects, era):
    host = Host(ready, *projects)

    async def refuse(_context):
        return ErrorData(code=INTERNAL_ERROR, message="no")

    async def work(client):
        if era == "auto":
            # There the client itself gives up the call in which it was asked.
            with pytest.raises(MCPError):
                await scopes(client)
        return await scopes(client), await told_in(client, "The lid is blue.")

    host.roots = refuse
    assert host.does(work, era=era) == ({"unfiled"}, "unfiled")


def test_a_client_that_never_answers_has_its_tools(ready, projects):
    host = Host(ready, *projects)

    async def work(client):
        return await scopes(client), await told_in(client, "The lid is blue.")

    host.roots = lambda _context: anyio.sleep_forever()
    assert host.does(work) == ({"unfiled"}, "unfiled")


@pytest.mark.parametrize(
    "answer",
    [
        None,
        [],
        {"roots": None},
        {"roots": {"uri": "file:///"}},
        {"roots": [1, None, {}, {"uri": 1}, {"uri": ""}, {"uri": "file:tmp"}]},
        {"roots": [{"uri": one} for one in ("https:///tmp", "vscode-remote://x/tmp", "/tmp")]},
        {"roots": [{"uri": one} for one in ("file://[/tmp", "file://host/tmp", "file:///%00")]},
        {"roots": [{"uri": "file:///no-such"}] * 100 + [{"uri": "file:///tmp"}]},
    ],
)
def test_what_is_no_folder_here_opens_none(answer):
    assert not first_folder(answer)


def test_a_folder_is_any_bytes_of_this_machine_or_localhost(tmp_path):
    folder = Path(os.fsdecode(bytes(tmp_path) + b"/\xff#?%41"))
    folder.mkdir()
    for uri in (folder.as_uri(), folder.as_uri().replace("file://", "file://localhost")):
        assert first_folder({"roots": [{"uri": uri}]}) == str(folder)
