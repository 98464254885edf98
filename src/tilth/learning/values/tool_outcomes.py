"""
What the output of tools proves to be done: commits, merges, releases, whole test runs that pass.

Each form is the line that a tool prints after it succeeded, and nothing else
prints. A run of few tests is a step on the way, and a failure is no outcome.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from tilth.episodes.episode import EpisodeKind
from tilth.knowledge.facts.statement import Statement, Triple
from tilth.knowledge.vocabulary.registries import Channel
from tilth.learning.candidate import Candidate, Malformed, StatementKind, Turn
from tilth.learning.values.claims import anchor

# Whoever runs fewer tests looks at something in particular.
WHOLE_RUN_MIN = 10
# Outcomes stand in the first or the last lines of an output; what is between is not read.
_READ_CHARS_MAX = 20_000
_CERTAIN = 0.95
_RELEASE = re.compile(
    r"(?:chore\(?\w*\)?: )?(?:releases?|bump version to|version) v?(\d+(?:\.\d+)+)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What was done, as a sentence and as a predicate and its object; None where it was not."""

    text: str
    predicate: str
    object: str


_Read: TypeAlias = Callable[[re.Match[str]], _Outcome | None]


def _committed(found: re.Match[str]) -> _Outcome | None:
    told = f"Committed {found['sha']} to {found['branch']}: {found['title'].strip()}"
    if release := _RELEASE.fullmatch(found["title"].strip()):
        return _Outcome(told, "released", release[1])
    return _Outcome(told, "committed", found["sha"])


def _merged(found: re.Match[str]) -> _Outcome | None:
    number, title = found["number"], found["title"] or ""
    return _Outcome(f"Merged pull request #{number} {title}".strip(), "merged", f"#{number}")


def _closed(found: re.Match[str]) -> _Outcome | None:
    number, title = found["number"], found["title"] or ""
    return _Outcome(f"Closed issue #{number} {title}".strip(), "closed", f"#{number}")


def _released(found: re.Match[str]) -> _Outcome | None:
    name, version = found.groupdict().get("name") or "", found["version"]
    return _Outcome(f"Released {name} {version}".replace("  ", " "), "released", version)


def _deployed(found: re.Match[str]) -> _Outcome | None:
    return _Outcome(f"{found['name']} rolled out successfully", "deployed", found["name"])


def _passed(found: re.Match[str]) -> _Outcome | None:
    tests = f"{int(found['count'])} tests"
    is_whole = int(found["count"]) >= WHOLE_RUN_MIN
    return _Outcome(f"{tests} passed", "passed", tests) if is_whole else None


_SECONDS = r"in \d+(?:\.\d+)?\s?m?s(?:ec(?:onds)?)?\b"
_VERSION = r"(?P<version>\d+\.\d+[\w.+-]{0,20})"
_FORMS: list[tuple[re.Pattern[str], _Read]] = []


def _form(read: _Read, *patterns: str) -> None:
    _FORMS.extend((re.compile(pattern, re.MULTILINE), read) for pattern in patterns)


_TITLE = r"(?: (?P<title>\([^\n]{1,200}\)))?"
_form(
    _committed,
    r"^\[(?P<branch>[\w./-]{1,100})(?: \(root-commit\))? (?P<sha>[0-9a-f]{7,40})\] "
    r"(?P<title>[^\n]{1,200})$",
)
_form(
    _merged,
    r"^[^\w\n]{0,3}(?:Squashed and merged|Rebased and merged|Merged) pull request "
    rf"(?:[\w./-]{{1,100}})?#(?P<number>\d{{1,9}}){_TITLE}",
)
_form(_closed, rf"^[^\w\n]{{0,3}}Closed issue (?:[\w./-]{{1,100}})?#(?P<number>\d{{1,9}}){_TITLE}")
_form(
    _released,
    rf"^Uploading (?P<name>[\w.]{{1,100}})-{_VERSION}-py\S{{1,40}}\.whl",  # twine
    rf"^\+ (?P<name>@?[\w./-]{{1,100}})@{_VERSION}$",  # npm
    rf"^\s{{0,8}}Published (?P<name>[\w-]{{1,100}}) v{_VERSION} at registry",  # cargo
    rf"^https://\S{{1,200}}/releases/tag/v?{_VERSION}$",  # gh
)
_form(
    _deployed,
    r"^\w{1,40} \"(?P<name>[\w./-]{1,100})\" successfully rolled out$",  # kubectl
    r"^Release \"(?P<name>[\w./-]{1,100})\" has been (?:upgraded|installed)\b",  # helm
)
# pytest, Rust, Jest, Vitest, Mocha, Maven, RSpec, unittest, PHPUnit, .NET
_form(
    _passed,
    r"^(?:=+ )?(?P<count>\d{1,6}) passed(?:, \d+ (?:skipped|xfailed|xpassed|deselected|"
    rf"warnings?))* {_SECONDS}",
    r"^test result: ok\. (?P<count>\d{1,6}) passed; 0 failed",
    r"^Tests:\s{1,8}(?:\d+ skipped, )?(?P<count>\d{1,6}) passed, \d+ total$",
    r"^\s{0,8}Tests\s{1,4}(?P<count>\d{1,6}) passed \(\d+\)$",
    r"^\s{0,8}(?P<count>\d{1,6}) passing \(\d+m?s\)$",
    r"^(?:\[INFO\] )?Tests run: (?P<count>\d{1,6}), Failures: 0, Errors: 0",
    r"^(?P<count>\d{1,6}) (?:examples?|tests?), 0 failures",
    rf"^Ran (?P<count>\d{{1,6}}) tests? {_SECONDS}\n\nOK",
    r"^OK \((?P<count>\d{1,6}) tests?, \d+ assertions?\)",
    r"^Passed!\s{1,4}- Failed:\s{1,8}0, Passed:\s{1,8}(?P<count>\d{1,6}),",
)


def tool_outcomes(turn: Turn) -> Iterator[Candidate | Malformed]:
    """Yield what the output of a tool proves to be done."""
    episode = turn.episode
    if episode.kind is not EpisodeKind.TOOL_RESULT:
        return
    for text in _read(episode.text):
        for pattern, read in _FORMS:
            for found in pattern.finditer(text):
                if (outcome := read(found)) is not None:
                    yield _candidate(outcome, found[0].strip(), anchor(episode))


def _read(text: str) -> tuple[str, ...]:
    """Return the beginning and the end of an output, where it is long."""
    if len(text) <= 2 * _READ_CHARS_MAX:
        return (text,)
    return text[:_READ_CHARS_MAX], text[-_READ_CHARS_MAX:]


def _candidate(outcome: _Outcome, quote: str, subject: str) -> Candidate:
    triple = Triple(subject, outcome.predicate, outcome.object)
    said = Statement(text=outcome.text, triple=triple, channel=Channel.MILESTONE)
    return Candidate(said, quote, StatementKind.MILESTONE, _CERTAIN)
