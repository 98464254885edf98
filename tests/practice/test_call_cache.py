"""What is kept of the calls of tools, and brought up to date, is what reading them anew tells."""

import json
from random import Random  # noqa: TID251 - always seeded

import pytest

from tests.conftest import append_all
from tests.practice.sessions import SHOP
from tilth.core.actor import HOOKS, IMPORTER, Actor, ActorKind
from tilth.core.ids import EpisodeId
from tilth.episodes.episode import EpisodeDraft, EpisodeKind, Role
from tilth.practice import call_cache

CAFE = "project:work/cafe"
LINES = (
    "make test", "npm test", "bun test", "cd api && make test", "pytest tests/test_cart.py",
    "make build 2>&1 | tail", "go vet ./... && go test ./...", "ls",
)  # fmt: skip
SAID = (
    ("3 passed", False), ("Exit code 1\nE  NameError: total is not defined", True), ("", False),
    ("npm error Missing script: test", True), ("Process running with session ID 7", False),
)  # fmt: skip
# Some hosts name their calls at random; a fork tells those of the session that it came from.
NAMES = ("", "t1", "t2", *(f"toolu_0123456789abc{number}" for number in range(4)))
BY = (*(HOOKS,) * 6, IMPORTER, Actor("agent", ActorKind.AGENT))


class Work:
    """Agents at work in two projects, and a person who erases and moves them."""

    def __init__(self, brain, human, draw):
        self.brain, self.human, self.draw, self.said = brain, human, draw, []

    def step(self):
        verbs = (self.call,) * 8 + (self.outcome,) * 8 + (self.talk,) * 3
        self.draw.choice((*verbs, self.run, self.run, self.erase, self.move, self.aside))()

    def call(self):
        edit = f"Edit: {json.dumps({'file_path': self.draw.choice('ab') + '.py'})}"
        call = f"Bash: {json.dumps({'command': self.draw.choice(LINES)})}"
        stdin = 'write_stdin: {"session_id": 7, "chars": ""}'
        told = self.draw.choice((call, call, call, edit, stdin))
        self.tell((told, EpisodeKind.TOOL_CALL, Role.ASSISTANT))

    def outcome(self):
        text, has_failed = self.draw.choice(SAID)
        kind = EpisodeKind.TOOL_FAILURE if has_failed else EpisodeKind.TOOL_RESULT
        self.tell((text or "ok", kind, Role.TOOL))

    def talk(self):
        text = "The test failed because `total` was moved to the package `money` last week."
        self.tell((text, EpisodeKind.MESSAGE, Role.ASSISTANT))

    def run(self):
        """Fail, change something and come through, with the work of others in between."""
        line = f"Bash: {json.dumps({'command': self.draw.choice(LINES)})}"
        edit = f"Edit: {json.dumps({'file_path': 'cart.py'})}"
        self.tell(
            (line, EpisodeKind.TOOL_CALL, Role.ASSISTANT),
            (self.draw.choice(SAID)[0] or "1 failed", EpisodeKind.TOOL_FAILURE, Role.TOOL),
            (edit, EpisodeKind.TOOL_CALL, Role.ASSISTANT),
            (line, EpisodeKind.TOOL_CALL, Role.ASSISTANT),
            ("3 passed", EpisodeKind.TOOL_RESULT, Role.TOOL),
        )

    def tell(self, *said):
        scope, session = self.draw.choice((SHOP, SHOP, CAFE)), self.draw.choice("abcd")
        about = {"tool_use_id": name} if (name := self.draw.choice(NAMES)) else {}
        drafts = [
            EpisodeDraft(
                text=text,
                kind=kind,
                role=role,
                session_id=f"claude-code:{session}",
                scope=scope,
                metadata=about if kind is not EpisodeKind.MESSAGE else {},
            )
            for text, kind, role in said
        ]
        told = append_all(self.brain.parts.store, drafts, by=self.draw.choice(BY))
        self.said += [EpisodeId.of(one.recorded.event_id) for one in told]

    def erase(self):
        if self.said:
            gone = self.said.pop(self.draw.randrange(len(self.said)))
            plan = self.human.erase.plan(episodes=[gone])
            self.human.erase.confirm(plan.digest, episodes=[gone])

    def move(self):
        for project in self.human.projects.list()[:1]:
            other = "paused" if project.state == "active" else "active"
            self.human.projects.move(project.scope, other)

    def aside(self):
        said = f"The shop closes at {self.draw.random()}."
        self.human.undo(self.human.facts.add(said, about=["shop"], scope=SHOP).fact.id)


def told(brain):
    """Return all that is made of the calls of tools, by project."""
    return [
        one.list(is_all=True, scope=scope, limit=100)
        for scope in (SHOP, CAFE, None)
        for one in (brain.commands, brain.fixes)
    ]


@pytest.mark.on_sqlite(but=1)
@pytest.mark.parametrize("seed", range(4))
def test_what_is_kept_and_added_to_is_what_reading_anew_tells(brain, human, seed, monkeypatch):
    monkeypatch.setattr(call_cache, "HALVES_READ", 40)
    work, fixes = Work(brain, human, Random(seed)), 0
    for _ in range(30):
        for _ in range(work.draw.choice((0, 1, 2, 3, 8))):
            work.step()
        kept = told(brain)
        with monkeypatch.context() as forgotten:
            forgotten.setattr(call_cache, "_known", {})
            anew = told(brain)
        assert kept == anew
        fixes += len(anew[-1])
    assert fixes
