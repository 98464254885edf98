"""What anybody recorded stays text: every field, on every page, by every payload."""

import hashlib
import re
from html.parser import HTMLParser
from itertools import product
from pathlib import Path
from urllib.parse import quote

import anyio
import pytest

from tests.interfaces.http.served import Served
from tests.interfaces.web.payloads import CANARY, PAYLOADS, SUM
from tilth.context.model import BriefRequest
from tilth.core.actor import Human
from tilth.core.errors import TilthError
from tilth.episodes.session import SessionInfo
from tilth.interfaces.http import call_verb
from tilth.interfaces.http.guard import Guard, names_of
from tilth.interfaces.http.tokens import Role, Tokens
from tilth.interfaces.serve_all import app_of
from tilth.interfaces.web import pages
from tilth.interfaces.web.pages import all_screens

BATCH = 61
KINDS = (
    ("message", "assistant"),
    ("tool_call", "assistant"),
    ("tool_failure", "tool"),
    ("document", "user"),
    ("note", "user"),
)
_URLS = {"href", "src", "action", "formaction", "data", "poster", "xlink:href", "srcset", "content"}
_RUNS = re.compile(r"(?:javascript|vbscript|data):", re.IGNORECASE)
_NOT_OURS = {"iframe", "object", "embed", "style", "base", "math", "frame", "applet", "portal"}


class Page(HTMLParser):
    """What a page would run or load that is not its own, and names that a payload gave."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.wrong: list[object] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        told = {name: value or "" for name, value in attrs}
        if tag in _NOT_OURS or CANARY in tag:
            self.wrong.append(tag)
        if tag == "script" and not told.get("src", "").startswith("/static/"):
            self.wrong.append("a script within the page")
        for name, value in told.items():
            bare = "".join(char for char in value if char > " ")
            is_code = name.startswith("on") or (name == "style" and CANARY in value)
            is_run = name in _URLS and _RUNS.match(bare)
            loads = tag in {"img", "link", "script", "form", "meta"} and "evil.example" in value
            if CANARY in name or is_code or is_run or loads:
                self.wrong.append((tag, name, value))
        self._in_code = tag in {"script", "style"}

    def handle_endtag(self, tag):
        self._in_code = False

    _in_code = False

    def handle_data(self, data):
        if self._in_code and CANARY in data:
            self.wrong.append(data)

    def handle_comment(self, data):
        if CANARY in data:
            self.wrong.append(f"<!--{data}-->")


def ignoring(call, *args, **told):
    """Call a verb; what it refuses is not written, and nothing of it can be shown."""
    try:
        return call(*args, **told)
    except TilthError:
        return None


def write(person, agent, number, payload, ids) -> None:
    """Write one payload through the fields whose turn it is."""
    short = payload[:60]
    slot = {"system": f"lab{number}", "component": "ip"}
    match number % 7:
        case 0:
            ids["fact"] = person.facts.add(f"The lamp {number} says {payload}.", **slot).fact.id
            agent.facts.add(f"The lamp {number} says no {payload}.", **slot)
            ignoring(person.pages.compile, "system", what=f"lab{number}", title=short)
        case 1:
            told = {"title": short, "host": short[:40], "folder": short, "uri": short}
            info = SessionInfo(**told, tags=(short[:40],))
            ignoring(person.sessions.describe, f"s{number % 9}", info)
            person.conversations.add(ids["conversation"], payload)
        case 2:
            told = {"area": short[:40], "environment": short[:40], "tags": [short[:40]]}
            ignoring(person.facts.add, f"It is {payload}", about=[f"x {short}"], **told)
            triple = {"subject": short, "predicate": "uses", "object": short}
            ignoring(person.facts.add, **triple, channel="entity")
        case 3:
            ignoring(person.entities.add, short, type="tool", aliases=[f"other {short}"])
            ignoring(person.people.introduce, f"Bo {short}", traits={"likes": payload})
        case 4:
            ids["gap"] = agent.gaps.add(f"It should export {number} {payload}").gap.id
            ignoring(person.words.register, "tag", short)
        case 5:
            topic = ignoring(person.topics.add, f"topic {number} {short}")
            ids.update({"topic": topic.id} if topic else {})
        case _:
            text = f"---\nname: tidy-{number}\ndescription: >-\n  {payload!r}\n---\n\n{payload}\n"
            made = ignoring(person.skills.add, text)
            ids.update({"skill": made.id} if made else {})


def filled(served: Served, payloads) -> dict[str, str]:
    """
    Write *payloads* through every field that a page shows; return the pages of their own.

    Long fields take all of them, short ones each its share, so that every family comes to each.
    """
    person, agent = call_verb.acting(served.brain, Human("ana")), served.brain
    drafts = []
    for number, payload in enumerate(payloads):
        common = {"session_id": f"s{number % 9}", "scope": "project:acme/api", "text": payload}
        kind, role = KINDS[number % len(KINDS)]
        drafts.append({**common, "speaker": payload[:60], "role": "user"})
        drafts.append({**common, "kind": kind, "role": role})
    ids = {"episode": person.remember_many(drafts)[0], "session": "s0"}
    person.entities.add("Ana", type="person")
    talk = person.conversations.create("Ana", "cli")
    ids["conversation"] = talk.conversation.id
    for number, payload in enumerate(payloads):
        write(person, agent, number, payload, ids)
    ids["proposal"] = person.review.list().proposals[0].id
    brief = agent.brief(BriefRequest(question="lamp", via=payloads[0][:60]))
    receipt = agent.receipts.keep(brief.context)
    return ids | ({"receipt": receipt} if receipt else {})


def addresses(ids, payload):
    """Yield every page: with its own things, with a payload for their names, and searched for."""
    names = {"session:path": ids["session"], "name:path": "x", "scope:path": "project:acme/api"}
    known = {**{name: str(one) for name, one in ids.items()}, **names}
    for one in all_screens():
        field = re.search(r"{([\w:]+)}", one.path)
        if field is None:
            yield one.path
            yield f"{one.path}?" + "&".join(
                f"{name}={quote(payload)}"
                for name in ("q", "scope", "name", "kind", "state", "about", "as_of", "session")
            )
        else:
            yield one.path.replace(field[0], quote(payload, safe=""))
            if field[1] in known:
                yield one.path.replace(field[0], quote(known[field[1]], safe=""))


@pytest.mark.row("T8", "I35")
@pytest.mark.parametrize("start", range(0, len(PAYLOADS), BATCH))
def test_no_payload_gets_out_of_its_text_on_any_page(served: Served, start):
    batch = PAYLOADS[start : start + BATCH]
    ids = filled(served, batch)
    browser = served.browser()
    shown = 0
    for address in addresses(ids, batch[start % len(batch)]):
        page = browser.get(address)
        assert page.status_code in {200, 400, 403, 404, 409}, (address, page.text[:300])
        # An address that is no page's is answered as programs are, with JSON.
        kinds = {"text/html; charset=utf-8"} | ({"application/json"} if "%2F" in address else set())
        assert page.headers["content-type"] in kinds, address
        assert CANARY not in " ".join(page.headers), address
        assert "set-cookie" not in page.headers, address
        if "html" in page.headers["content-type"]:
            assert Page(page.text).wrong == [], address
        assert SUM not in page.text, address
        shown += page.text.count(CANARY)
        path, mark, _ = address.partition("?")
        if mark:
            continue
        twin = browser.get(f"{'/today' if path == '/' else path}.json")
        assert twin.headers["content-type"].startswith("application/json"), address
        assert twin.headers["x-content-type-options"] == "nosniff", address
        assert twin.status_code == page.status_code, address
    assert shown > len(batch) / 2


def test_the_corpus_is_large_and_its_judge_sees_each_kind():
    assert len(set(PAYLOADS)) >= 200
    raw = [one for one in PAYLOADS[:100] if not Page(f"<p>{one}</p>").wrong]
    assert raw == []
    assert Page(f'<a href="&#106;ava\tscript:alert(`{CANARY}`)">x</a>').wrong


HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cache-control": "no-store",
}


def every_route():
    """Yield each address once, as a page, a twin, a verb, or a file."""
    for one in all_screens():
        path = re.sub(r"{[\w:]+}", "x", one.path)
        yield "GET", path
        yield "GET", "/today.json" if path == "/" else f"{path}.json"
    yield from (("POST", f"/v1/{path}") for path in call_verb.offered())
    yield from (("GET", f"/{path}") for path in ("login", "nothing", "v1/openapi.json", "metrics"))
    yield from (("POST", f"/{path}") for path in ("login", "logout", "act", "api/query_state"))
    yield "GET", "/v1/health"
    yield "OPTIONS", "/v1/recall"


@pytest.mark.row("T8")
def test_no_script_of_ours_keeps_what_signs_in_where_another_could_read_it():
    scripts = [*(Path(pages.__file__).parent / "static").glob("*.js")]
    assert scripts
    for script in scripts:
        text = script.read_text()
        assert re.findall(r"localStorage|indexedDB|document\.cookie", text) == [], script.name
        # A page's own address, and how far it was read.
        kept = re.findall(r"sessionStorage\.setItem\((.*)\);", text)
        assert len(kept) == text.count(".setItem("), script.name
        assert set(kept) <= {'"place", `${location.pathname} ${at}`', '"slider", here'}


_POLICY = {
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'",
    "connect-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
}  # fmt: skip


@pytest.mark.row("I38", "T8")
def test_every_route_has_the_headers_and_lets_no_other_site_in(served: Served):
    asking = {
        None: served.client(None),
        "agent": served.client(Role.ADMIN),
        "person": served.browser(),
    }
    for method, path in every_route():
        for who, client in asking.items():
            body = {"json": {}} if method == "POST" else {}
            answer = client.request(method, path, **body)
            where = (who, method, path, answer.status_code)
            told = answer.headers
            assert {name: told.get(name) for name in HEADERS} == HEADERS, where
            policy = {one.strip() for one in told["content-security-policy"].split(";")}
            assert policy == _POLICY, where
            assert not [name for name in told if name.startswith("access-control")], where
            # 501: a store or a setting of this kind has no such thing.
            assert answer.status_code < 500 or answer.status_code == 501, where
        for name, value in (("host", "evil.example"), ("origin", "http://evil.example")):
            refused = asking[None].request(method, path, headers={name: value})
            assert refused.status_code in {403, 421}, (method, path, name, refused.status_code)


_PORT = 8738
_HOSTS = (f"127.0.0.1:{_PORT}", f"localhost:{_PORT}", "evil.example", f"evil.example:{_PORT}",
          f"127.0.0.1.nip.io:{_PORT}", f"127.0.0.1:{_PORT + 1}")  # fmt: skip
_SITES = ("", f"http://127.0.0.1:{_PORT}", "null", "http://evil.example",
          f"http://localhost:{_PORT}.evil.example")  # fmt: skip
# Whoever asks for these without a token is answered: the page that signs in, and what is nowhere.
_OPEN = {"/login", "/nothing"}


async def status_of(app, method, path, headers, client):
    """Ask in this process, under an address of its own, so that no rate is reached."""
    statuses = []

    async def receive():
        return {"type": "http.request", "body": b"{}"}

    async def send(message):
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    scope = {
        "type": "http", "http_version": "1.1", "method": method, "path": path, "root_path": "",
        "raw_path": path.encode(), "query_string": b"", "scheme": "http", "client": (client, 1),
        "server": ("127.0.0.1", _PORT),
        "headers": [(name, value.encode()) for name, value in headers if value],
    }  # fmt: skip
    await app(scope, receive, send)
    return statuses[0]


@pytest.mark.row("I38", "T7")
def test_no_route_answers_under_any_headers_that_are_not_all_right(served: Served, tmp_path):
    ours = served.tokens.add("matrix", Role.ADMIN)
    tokens = (f"Bearer {ours}", "", f"bearer{ours}", "Bearer x", ours)
    told = [*product(_HOSTS, _SITES, tokens)]
    assert len(told) >= 64
    app = Guard(
        app_of(served.brain, str(tmp_path / "tilth.db"), served.tokens),
        names_of("127.0.0.1", _PORT),
    )

    async def refused():
        answered = {}
        for route, (method, path) in enumerate([*every_route(), ("POST", "/mcp")]):
            for nth, (host, site, token) in enumerate(told):
                is_ours = host in _HOSTS[:2] and site in _SITES[:2]
                if is_ours and (token == tokens[0] or path in _OPEN):
                    continue
                headers = [(b"host", host), (b"origin", site), (b"authorization", token),
                           (b"content-type", "application/json")]  # fmt: skip
                status = await status_of(app, method, path, headers, f"{route}.{nth}")
                expected = {"GET": {401, 303}, "OPTIONS": {405}}.get(method, {401})
                if status not in (expected if is_ours else {403, 421}):
                    answered[method, path, host, site, token] = status
        return answered

    assert anyio.run(refused) == {}


@pytest.mark.row("I38", "T7")
@pytest.mark.parametrize(
    "kept",
    [None, "", "[]", "{}", "null", "[{]", '[{"name": "", "role": "admin", "digest": ""}]',
     '[{"name": "ana", "role": "admin", "digest": "", "made_at": "2026-01-01T00:00:00+00:00"}]'],
)  # fmt: skip
def test_where_no_token_was_made_or_their_file_is_damaged_nothing_answers(
    served: Served, tmp_path, kept
):
    place = tmp_path / "none" / "tokens.json"
    if kept is not None:
        place.parent.mkdir()
        place.write_text(kept)
    tokens = Tokens(place, served.brain.parts.clock)
    app = Guard(
        app_of(served.brain, str(tmp_path / "tilth.db"), tokens), names_of("127.0.0.1", _PORT)
    )
    no_bits = hashlib.sha256(b"").hexdigest()
    offered = ("", "Bearer", "Bearer ", "Bearer x", "Bearer null", f"Bearer {no_bits}")

    async def answered():
        found = {}
        for route, (method, path) in enumerate([*every_route(), ("POST", "/mcp")]):
            for nth, token in enumerate(offered if path not in _OPEN else ()):
                headers = [(b"host", _HOSTS[0]), (b"content-type", "application/json"),
                           (b"authorization", token)]  # fmt: skip
                status = await status_of(app, method, path, headers, f"{route}.{nth}")
                if status not in {401, 303, 405, 500}:
                    found[method, path, token] = status
        return found

    assert anyio.run(answered) == {}
