"""The page on frameworks: each of its programs runs as it is written, before a played model."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.adapters.played import ANSWER, WHOLE
from tests.docs.pages import ROOT, blocks
from tilth.runtime.connect import connect

agents = pytest.importorskip("agents", reason="make test-adapters installs it")
for _package in ("langgraph", "pydantic_ai", "llama_index.core", "openai"):
    pytest.importorskip(_package, reason="make test-adapters installs it")

PROGRAMS = ["\n".join(one.lines) for one in blocks(ROOT / "docs/howto/frameworks.md", "python")]


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        body = json.dumps(WHOLE[self.path]).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        """Stay silent."""


@pytest.fixture
def played(monkeypatch):
    with ThreadingHTTPServer(("127.0.0.1", 0), _Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{server.server_port}/v1")
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        yield
        server.shutdown()
        thread.join()


# What the frameworks leave to be collected.
@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.model
@pytest.mark.parametrize(
    ("program", "shown"),
    list(zip(PROGRAMS, ("pizza with olives", ANSWER, "recall", "blue pot", ANSWER), strict=True)),
    ids=["langgraph", "openai-agents", "pydantic-ai", "llama-index", "client"],
)
def test_a_program_of_the_page_runs(program, shown, played, tmp_path, monkeypatch, capsys):
    agents.set_tracing_disabled(True)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("TILTH_HOME", "")
    monkeypatch.chdir(tmp_path)
    brain = connect("tilth.db", create=True)
    brain.remember("The spare key is under the blue pot by the shed.", session_id="earlier")
    exec(compile(program, "frameworks.md", "exec"), {"__name__": "page"})

    assert shown in capsys.readouterr().out
    brain.close()
