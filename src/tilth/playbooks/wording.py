"""How the rules put a step, and what a cluster comes down to, into words."""

from tilth.playbooks.model import CHECK, Cluster, Step
from tilth.practice.model import CommandKind

_VERBS = {
    CommandKind.TEST: "Test with",
    CommandKind.LINT: "Check with",
    CommandKind.TYPES: "Check the types with",
    CommandKind.FORMAT: "Format with",
    CommandKind.BUILD: "Build with",
    CommandKind.RUN: "Start with",
    CommandKind.DEPLOY: "Deploy with",
    CommandKind.SETUP: "Set up with",
    CommandKind.SHIP: "Then",
    CommandKind.TASK: "Run",
}
_SHIPPED = {
    "git push": ("Push a change", "A change is ready to be pushed"),
    "gh pr create": ("Open a pull request", "A change is ready for a pull request"),
    "gh pr merge": ("Merge a pull request", "A pull request is ready to be merged"),
    "gh pr ready": ("Mark a pull request as ready", "A draft of a pull request is done"),
}


def step_words(step: Step) -> str:
    """Return a step in words."""
    return f"{_VERBS[CommandKind(step.kind)]} `{step.line}`"


def title_and_use(cluster: Cluster) -> tuple[str, str]:
    """Return the title of a cluster, and when it applies."""
    if cluster.key == CHECK:
        return "Check a change", "A change to the code is done and is to be shown to be right."
    line, kind = cluster.goal.line, CommandKind(cluster.goal.kind)
    if line in _SHIPPED:
        title, when = _SHIPPED[line]
        return f"{title} with `{line}`", f"{when}; `{line}` comes last."
    if kind is CommandKind.DEPLOY:
        return f"Deploy with `{line}`", f"Something is to be deployed with `{line}`."
    return f"Before `{line}`", f"`{line}` is to be run, and what leads to it."
