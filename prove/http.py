"""
Strangers' requests find nothing wrong with the HTTP API.

`python -m prove.http [--examples 3] [--seed 1]`: schemathesis reads the OpenAPI of a running
`tilth serve` and asks every address with what its schema allows, and with what it does not: all
its checks, over 5,000 requests. No answer may be a 5xx of ours, break its schema, take what the
schema refuses, or succeed without a token. What is refused in words (400) though its shape is
right is no failure: no schema says which names exist.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from prove.ground import conclude
from tilth.interfaces.http.tokens import Role, Tokens
from tilth.interfaces.serve_all import tokens_of
from tilth.runtime import connect as bootstrap
from tilth.runtime.system import SystemClock

CASES_LEAST = 5000
_CONFIG = """
[checks]
positive_data_acceptance.expected-statuses = [
    "2xx", "400", "401", "403", "404", "409", "429", "501", "503"
]
"""


def main() -> None:
    """Read the command line, run, and print the report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--examples", type=int, default=3, help="fuzzed requests an address")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    report, failures = run(arguments.examples, arguments.seed)
    conclude(report, failures)


def run(examples: int, seed: int) -> tuple[dict[str, object], list[str]]:
    """Run the programme; return the report and what failed."""
    with served() as server:
        # Not an admin's: backups and exports write files wherever their names say.
        token = server.tokens.add("stranger", Role.REVIEWER)
        report, failures = asked(server.url, token, ["-n", str(examples), "--seed", str(seed)])
    if int(str(report["cases"])) < CASES_LEAST:
        failures.append(f"http: {report['cases']} requests are fewer than {CASES_LEAST}")
    return report, failures


@dataclass(frozen=True)
class Served:
    """A running `tilth serve`: its address and its process, its store, and who may ask it."""

    url: str
    process: subprocess.Popen[str]
    store: Path
    tokens: Tokens


@contextmanager
def served() -> Iterator[Served]:
    """Serve a new store meanwhile, by the program itself, in a home of its own."""
    folder = Path(tempfile.mkdtemp(prefix="tilth-http-"))
    store = folder / "tilth.db"
    # Whatever a stranger has written lands in the folder, and goes with it.
    os.environ |= {"HOME": str(folder), "TILTH_HOME": str(folder / "tilth")}
    with bootstrap.connect(store, create=True) as brain:
        brain.remember("The kettle listens on port 8443.", session_id="kitchen")
    command = [sys.executable, "-m", "tilth", "--store", str(store), "serve", "--port", "0"]
    with subprocess.Popen(
        [*command, "--json"], stdout=subprocess.PIPE, cwd=folder, text=True
    ) as process:
        try:
            url = _first_said(process)["url"]
            yield Served(url, process, store, tokens_of(str(store), SystemClock()))
        finally:
            process.terminate()
            process.wait()
            shutil.rmtree(folder)


def _first_said(process: subprocess.Popen[str]) -> dict[str, Any]:
    said = ""
    assert process.stdout is not None
    for line in process.stdout:
        said += line
        with suppress(ValueError):
            told: dict[str, Any] = json.loads(said)
            return told
    raise RuntimeError(f"tilth serve ended: {said[-500:]}")


def asked(url: str, token: str, words: Sequence[str]) -> tuple[dict[str, object], list[str]]:
    """Let schemathesis ask *url*, told *words* besides; return the report and what failed."""
    folder = Path(tempfile.mkdtemp(prefix="tilth-schemathesis-"))
    (folder / "config.toml").write_text(_CONFIG)
    report = folder / "report.json"
    begin = [sys.executable, "-m", "schemathesis.cli", "--config-file", str(folder / "config.toml")]
    options = [
        *("--checks", "all", "--phases", "examples,coverage,fuzzing", "--continue-on-failure"),
        *("--generation-database", "none", "--warnings", "off", "--no-color"),
        *("--request-timeout", "60", "--wait-for-schema", "60"),
        *("--report-json-path", str(report), "-H", f"Authorization: Bearer {token}"),
    ]
    try:
        done = subprocess.run(
            [*begin, "run", f"{url}/v1/openapi.json", *options, *words],
            capture_output=True,
            text=True,
            cwd=folder,
            check=False,
        )
        if not report.exists():
            return {"programme": "http", "cases": 0}, [f"http: {done.stdout[-500:]}{done.stderr}"]
        return _told(json.loads(report.read_text()), done)
    finally:
        shutil.rmtree(folder)


def _told(
    told: dict[str, Any], done: subprocess.CompletedProcess[str]
) -> tuple[dict[str, object], list[str]]:
    counted, tested = (
        (told.get(part) or {}).get(name, 0)  # None where the schema could not be read
        for part, name in (("test_cases", "generated"), ("operations", "tested"))
    )
    report: dict[str, object] = {"programme": "http", "addresses": tested, "cases": counted}
    if done.returncode == 0 and told["complete"]:
        return report, []
    failures = [f"http: {json.dumps(one)[:500]}" for one in [*told["failures"], *told["errors"]]]
    return report, failures or [f"http: {done.stdout[-500:]}{done.stderr}"]


if __name__ == "__main__":
    main()
