"""From deployments that hooks saw to a skill that an agent loads, and out of use again."""

import json
import subprocess

import pytest

from tests.agents.test_program import PROGRAM
from tests.model_server import says

DEPLOY = "./scripts/deploy.sh production"
STEPS = (("make test", "14 passed in 3.1s"), ("make build", "Built shop:1.4 for production."))
DENIED = "Exit code 1\nerror: denied: requested access to the resource is denied"
QUIET = {"TILTH_EMBEDDER": "none", "TILTH_REFLECTION": "false"}
WORDED = "Deploy the shop to production"


class Agent:
    """Claude Code in a repository, as far as its hooks tell of it."""

    def __init__(self, tilth, repository, name):
        self._environ = tilth.environ()
        self._about = {"session_id": name, "cwd": str(repository)}
        self._count = 0

    def tells(self, event, **payload):
        done = subprocess.run(
            [*PROGRAM, "claude-code", event],
            input=json.dumps(self._about | payload).encode(),
            capture_output=True,
            env=self._environ,
            timeout=100,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, b"")

    def used(self, tool, told, output, *, failed=False):
        self._count += 1
        use = {"tool_name": tool, "tool_input": told, "tool_use_id": f"t{self._count}"}
        if failed:
            self.tells("PostToolUseFailure", error=output, **use)
        else:
            self.tells("PostToolUse", tool_response={"stdout": output, "stderr": ""}, **use)

    def ran(self, line, output, *, failed=False):
        self.used("Bash", {"command": line}, output, failed=failed)

    def deploys(self, *, failed=False, skill=""):
        self.tells("UserPromptSubmit", prompt="Deploy the shop to production, please.")
        if skill:
            self.used("Skill", {"skill": skill}, "Launching skill")
        for line, output in STEPS:
            self.ran(f"{line} 2>&1 | tail -5", output)
        done = f"Deployed shop:1.4 to production from {self._about['session_id']}."
        self.ran(DEPLOY, DENIED if failed else done, failed=failed)
        self.tells("Stop", last_assistant_message="That is how it went.")


@pytest.fixture
def repository(home):
    folder = home / "shop"
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (folder / ".git" / "config").write_text(
        '[remote "origin"]\n\turl = git@forge.example:work/shop\n'
    )
    return folder


@pytest.fixture(params=["without a model", "with one by script"])
def model(request, server):
    """Return what the settings say of a language model, and the server behind it, if any."""
    if request.param == "without a model":
        return {}, None
    told = {
        "TILTH_MODEL_STRONG": f"openai big {server.url}",
        "TILTH_MODEL_PRICES": "big=2/6",
        "TILTH_SPEND_DAY": "calls=99,tokens=10000000,money=9",
    }
    return told, server


def script(server, run):
    """Have the model word the playbook, with quotes from what was recorded."""
    hits = run("recall", "Deployed shop to production from", "--limit", "30")["hits"]
    ids = list(dict.fromkeys(one for hit in hits for one in hit["episode_ids"]))[:20]
    shown = run("episode", "show", *ids)["episodes"]
    texts = {one["id"]: one["text"] for one in shown}
    quotes = [
        {"episode_id": one, "text": text}
        for one, text in texts.items()
        if text.startswith("Deployed shop:1.4")
    ]
    steps = ["Run the tests: `make test`", "Build: `make build`", f"Deploy: `{DEPLOY}`"]
    told = {"title": WORDED, "when": "The shop is to be deployed.", "steps": steps}
    server.script = [says(told | {"pitfalls": [], "quotes": quotes[:3]})]


@pytest.fixture
def run(tilth, model):
    def ask(*words):
        done = tilth(*words, "--json", environ=QUIET | model[0])
        assert done.code == 0, done.err
        return done.answer

    return ask


@pytest.mark.row("X-05", "KB-072", "KB-042", "KB-043")
def test_three_deployments_a_skill_a_fourth_that_loads_it_and_two_failures_that_retire_it(
    tilth, repository, run, model, as_person
):
    run("init")
    for number in range(3):
        Agent(tilth, repository, f"s{number}").deploys()
    run("worker", "--once")
    server = model[1]
    if server:
        script(server, run)
    run("reflect")

    (book,) = run("playbook", "list")["playbooks"]
    assert book["draft"]["drafter"] == ("big" if server else "rules")
    assert book["draft"]["title"] == (WORDED if server else f"Deploy with `{DEPLOY}`")
    assert [step.partition("`")[2] for step in book["draft"]["steps"]] == [
        "make test`",
        "make build`",
        f"{DEPLOY}`",
    ]
    assert (book["state"], book["evidence"]["seeds"]) == ("candidate", 3)
    shown = run("playbook", "show", book["id"])["playbook"]
    run("playbook", "confirm", book["id"], "--digest", shown["digest"])

    (skill,) = run("skill", "list")["skills"]
    assert (skill["state"], skill["places"]) == ("candidate", [])
    assert not (repository / ".claude").exists()
    run("skill", "approve", skill["id"], "--digest", skill["digest"], "--folder", repository)
    name = skill["draft"]["name"]
    file = repository / ".claude/skills" / name / "SKILL.md"
    assert file.read_text() == skill["draft"]["text"]

    Agent(tilth, repository, "s3").deploys(skill=name)
    run("worker", "--once")
    run("reflect")
    counted = run("skill", "show", skill["id"])
    assert counted["skill"]["evidence"]["invoked"] == 1
    assert counted["skill"]["evidence"]["ok"] == 1
    assert counted["invocations"] == [{"root": "claude-code:s3", "ended": "ok"}]
    assert run("playbook", "show", book["id"])["playbook"]["evidence"]["applied"] == 1

    for number in (4, 5):
        Agent(tilth, repository, f"s{number}").deploys(failed=True, skill=name)
    run("worker", "--once")
    run("reflect")

    assert run("playbook", "show", book["id"])["playbook"]["state"] == "retired"
    assert run("skill", "show", skill["id"])["skill"]["state"] == "retired"
    assert not file.exists()
    again = run("reflect")
    assert sum(stage["made"] for stage in again["stages"]) == 0
    assert len(server.requests if server else []) == (1 if server else 0)
