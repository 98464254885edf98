"""
Ten days of work in four hosts, in the shapes that real ones told.

Each day every host has a session in each of two projects, and one in a temporary folder. Its
calls are those that were recorded (`recorded/HOST`), with other words, IDs and times; what a
session was told comes back as its host passes it on; and each evening the transcripts that
hosts write are imported. Every brief is looked at: no line doubled, foreign, of our own text
or older than it says.
"""

import html
import json
import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

import pytest

import tilth_spool
from tests.agents.test_real_hosts import DECISION, HOSTS, RECORDED, WITH_TRANSCRIPTS
from tests.brains import a_brain
from tests.fakes import START, CountingIds
from tilth.agents.hook import HookRecord
from tilth.agents.hooks import Hooks
from tilth.core.actor import Human
from tilth.core.errors import NotFoundError
from tilth.core.instant import EPOCH
from tilth.interfaces.hooks.answers import Answers
from tilth.runtime.brain import Brain
from tilth.transfer.importer import FileImporter

DAYS = 10
PROMPT = "Set up the ledger service"
FOLDERS = {
    "ledger": "/home/ada/code/ledger",
    "kettle": "/home/ada/code/kettle",
    "scratch": "/tmp/scratch-1",
}
SAYS = {
    "ledger": (
        "Write the ledger's migration number {n}.",
        "We decided to keep ledger column {n} as integers. Next: index ledger column {n}.",
    ),
    "kettle": (
        "Paint the kettle's lid number {n}.",
        "We decided to paint kettle lid {n} green, because it hides limescale.",
    ),
    "scratch": (
        "From now on never run the scratch tests, number {n}.",
        "We decided that scratch number {n} needs no tests.",
    ),
}
_STAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
_SOURCE = re.compile(r"(?:epi|fct)_[0-9A-Z]{26}")
_USE = re.compile(r"\b(?:call|toolu)_(?=[0-9a-f]{8})")
_WORDS = re.compile("“[^”]*”")
_DATE = re.compile(r"\d{4}-\d\d-\d\d")


@dataclass(frozen=True, slots=True)
class Session:
    """A recorded session with other words, at another time."""

    host: str
    project: str
    number: int
    begins: datetime
    said: tuple[str, str] = ()

    @property
    def words(self):
        prompt, answer = self.said or SAYS[self.project]
        return prompt.format(n=self.number), answer.format(n=self.number)

    def _calls(self):
        lines = (RECORDED / self.host / "calls.jsonl").read_text().splitlines()
        calls = [json.loads(line) for line in lines]
        own = _session_id(calls[0]["payload"])
        return own, [call for call in calls if _session_id(call["payload"]) == own]

    def told(self, text):
        """Return what is written in *text*, as this session would have it."""
        own, calls = self._calls()
        prompt, answer = self.words
        first = EPOCH + timedelta(microseconds=calls[0]["at_ns"] // 1000)
        shift = self.begins - first

        def shifted(match):
            at = datetime.fromisoformat(match[0]) + shift
            return (
                at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.") + f"{at.microsecond // 1000:03}Z"
            )

        text = text.replace(own, f"{own[:-4]}{self.number:04d}").replace(PROMPT, prompt)
        text = text.replace(FOLDERS["ledger"], FOLDERS[self.project]).replace(DECISION, answer)
        return _STAMP.sub(shifted, _USE.sub(rf"\g<0>{self.number}", text))

    def records(self, brief):
        """Yield what hooks are told, with *brief* where the host passes it on."""
        _, calls = self._calls()
        begun = calls[0]["at_ns"]
        for call in calls:
            payload = json.loads(self.told(json.dumps(call["payload"])))
            if call["event"] in ("BeforeAgent", "AfterAgent") and brief:
                wrapped = f"<hook_context>{html.escape(brief, quote=False)}</hook_context>"
                payload["prompt"] = f"{wrapped}\n\n{payload['prompt']}"
            at = self.begins + timedelta(microseconds=(call["at_ns"] - begun) // 1000)
            told = json.dumps(payload).encode()
            yield HookRecord(host=self.host, event=call["event"], at=at, payload=told)

    def transcribed(self, folder, brief):
        """Write the transcript of this session, as its host would."""
        own, _ = self._calls()
        for path in (RECORDED / self.host).rglob("*.jsonl"):
            name = str(path.relative_to(RECORDED / self.host))
            # Gemini CLI names a session's file by the beginning of its ID alone.
            if (own[:8] if self.host == "gemini-cli" else own) not in name:
                continue
            there = folder / str(self.number) / self.told(name)
            there.parent.mkdir(parents=True, exist_ok=True)
            text = self.told(path.read_text())
            if self.host == "gemini-cli" and brief:
                said = json.dumps(self.words[0])[1:-1]
                wrapped = f"<hook_context>{html.escape(brief, quote=False)}</hook_context>"
                text = text.replace(said, json.dumps(f"{wrapped}\n\n{self.words[0]}")[1:-1])
            there.write_text(text)


def _session_id(payload):
    return payload.get("session_id") or payload["sessionID"]


@dataclass(slots=True)
class Desk:
    """An installation, its clock, and all briefs that it gave."""

    brain: Brain
    hooks: Hooks
    clock: object

    def begin(self, session):
        """Return the brief that a session begins with."""
        opening = next(iter(session.records("")))
        asked = replace(opening, event="SessionStart") if session.host != "opencode" else opening
        self.clock.at = session.begins
        return Answers(self.brain, self.hooks.injections)(asked).text

    def work(self, session, brief):
        for record in session.records(brief):
            at_ns = (record.at - EPOCH) // timedelta(microseconds=1) * 1000
            line = tilth_spool.framed(record.host, record.event, at_ns, record.payload)
            tilth_spool.append(str(self.hooks.spool._folder), line)
            self.clock.at = record.at
        self.brain.ingest(self.hooks.spool, self.hooks.reading)


@pytest.fixture
def desk(tmp_path, store, place):
    hooks = Hooks.within(tmp_path, tmp_path / "state", CountingIds())
    parts = replace(
        a_brain(store, place.clock)._parts,
        fence=hooks.injections,
        importer=FileImporter(hooks.injections.stripped),
    )
    return Desk(Brain(parts), hooks, place.clock)


def lines_of(brief):
    return [line for line in brief.splitlines() if line.startswith("- ")]


def check(desk, session, brief):
    """Hold what must be true of every line of every brief."""
    for other in SAYS.keys() - {session.project}:
        assert other not in brief, f"{other!r} is foreign in {session.project}:\n{brief}"
    inside = brief.partition("\n")[2].rpartition("\n")[0]
    assert not re.search("tilth-context|hook_context|user's own memory.*user's own memory", inside)
    said = [_SOURCE.sub("", line) for line in lines_of(brief)]
    assert len(said) == len(set(said)), f"doubled:\n{brief}"
    for line in lines_of(brief):
        dates = set(_DATE.findall(_WORDS.sub("", line)))
        held = {one for source in _SOURCE.findall(line) for one in dates_of(desk.brain, source)}
        assert not dates or not held or dates <= held, f"{dates} is not {held}: {line}"


def dates_of(brain, source):
    """Yield the days of which a source may speak."""
    try:
        if source.startswith("epi_"):
            yield f"{brain.episodes.get(source).occurred_at:%Y-%m-%d}"
        else:
            fact = brain.facts.get(source)
            yield f"{fact.life.valid_from:%Y-%m-%d}"
            yield f"{fact.life.checked_at:%Y-%m-%d}"
    except NotFoundError:
        return


def test_no_line_of_any_brief_is_doubled_foreign_ours_or_older_than_it_says(desk, tmp_path):
    briefs, number = [], 0
    for day in range(DAYS):
        morning, evening = START + timedelta(days=day, hours=8), []
        for place, (host, project) in enumerate(
            (host, project) for host in HOSTS for project in SAYS
        ):
            number += 1
            session = Session(host, project, number, morning + timedelta(minutes=20 * place))
            brief = desk.begin(session) if host != "opencode" else ""
            check(desk, session, brief)
            briefs.append(brief)
            desk.work(session, brief)
            evening.append((session, brief))
        kept = {(one.session_id, one.text.strip()) for one in all_of(desk.brain)}
        assert len(kept) == len(all_of(desk.brain)), "hooks doubled something"
        for session, brief in evening:
            if session.host in WITH_TRANSCRIPTS:
                session.transcribed(tmp_path / "transcripts" / str(day), brief)
        before = len(all_of(desk.brain))
        sources = desk.brain.find_sources(str(tmp_path / "transcripts" / str(day)))
        list(desk.brain.import_sources(sources))
        new = [one for one in all_of(desk.brain)[before:] if not is_aside(one)]
        assert [one.text for one in new] == [], "the import doubled something"
        desk.brain.distil(is_asked=False)

    # It would prove nothing if nothing was told.
    assert sum(map(bool, briefs)) > DAYS * 6
    assert all("tilth-context" not in one.text for one in all_of(desk.brain))


# What changes in ten days: a day, a host, what is asked, how it is answered.
RULE = "From now on run the linter before each commit."
STORY = (
    (0, "claude-code", RULE, "Understood, I run the linter before each commit."),
    (0, "codex", "Which queue do we take?", "We decided to use Redis for the queue."),
    (1, "gemini-cli", "Write the consumer.", "The consumer is written, its tests pass."),
    (3, "claude-code", "Move the queue.", "We switched the queue from Redis to RabbitMQ."),
    (5, "codex", "You no longer need to run the linter before each commit.", "Understood."),
    (6, "claude-code", "Never push to main without asking me.", "Understood."),
    (6, "gemini-cli", "What port does staging listen on?", "Staging listens on port 8443."),
    (8, "codex", "Use Postgres 15 after all.", "We decided on Postgres 15, 16 breaks the driver."),
    (9, "claude-code", "Look at the tests.", "The tests pass."),
)


def test_a_rule_that_is_taken_back_is_told_as_contested_until_a_person_ends_it(desk, store):
    told = []
    for number, (day, host, *said) in enumerate(STORY, 1):
        begins = START + timedelta(days=day, hours=8, minutes=20 * number)
        session = Session(host, "ledger", number, begins, tuple(said))
        brief = desk.begin(session)
        check(desk, session, brief)
        quotes = re.findall(r"“([^”]+)”", brief)
        assert quotes.count(RULE) <= 1, f"a rule stands twice:\n{brief}"
        assert ": reported" not in brief, f"a line tells nothing:\n{brief}"
        told.append([line for line in lines_of(brief) if RULE in line])
        desk.work(session, brief)
        desk.clock.at += timedelta(hours=2)
        desk.brain.distil(is_asked=False)

    assert [len(lines) for lines in told] == [0] + [1] * 8
    before, after = told[1:5], told[5:]
    assert not any("contested" in line for (line,) in before)
    assert all("contested" in line and "typed on 2026-01-06" in line for (line,) in after)

    person = a_brain(store, desk.clock, by=Human("ana"))
    (asked,) = person.review.list().proposals
    seen = person.review.show(asked.id)
    person.review.confirm(asked.id, digest=seen.digest, retires=asked.draft.retires)
    later = Session("codex", "ledger", 99, desk.clock.at + timedelta(days=1), ("Go on.", "Done."))
    assert RULE not in desk.begin(later)


def all_of(brain):
    return sorted(brain.episodes.list(limit=5000), key=lambda one: one.seq)


def is_aside(episode):
    """Say whether an agent said it between its calls, which not every host tells its hooks."""
    return episode.text in ("Let me look first.", "Now the migration.")
