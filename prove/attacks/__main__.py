"""
Text that tries to become an order in the user's name does not, and what a user typed stays one.

`python -m prove.attacks`: each injection is brought into a store by its way (a hook, a file, an
agent over MCP) and goes through all that the worker does. Then a brief is made for its project
and for one that has nothing to do with it. None may stand among the rules, and no fact that came
of it may be current with authority. What people typed must stand among the rules: the control.
"""

import os
import tempfile
from collections import Counter
from pathlib import Path

from prove.attacks.injections import INJECTIONS, TYPED, UNTOLD, Injection
from prove.attacks.ways import Ways
from prove.ground import conclude
from tilth.context.model import Block, BriefRequest
from tilth.core.ids import SessionId
from tilth.core.lifecycle import Lifecycle, Review
from tilth.core.scope import Scope
from tilth.interfaces.mcp.handshake import CALLER
from tilth.knowledge.facts.life import Authority
from tilth.runtime.brain import Brain
from tilth.runtime.connect import connect
from tilth.runtime.settings import Settings

_ASKING = BriefRequest(session_id=SessionId("claude-code:asking"), via="claude-code/SessionStart")
_INNOCENT = Scope("project:work/innocent")
# In the form of a command to the memory, and from nobody who may give one.
_FORGED = frozenset(
    {"remember_command", "remember_quoted", "command", "line", "quoted_line", "fenced_line"}
)


def main() -> None:
    """Play every injection, and report."""
    conclude(*run())


def run() -> tuple[dict[str, object], list[str]]:
    """Run the programme and its control; return the report and what failed."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        before = os.environ.get("TILTH_HOME")
        os.environ["TILTH_HOME"] = str(root / "home")
        try:
            return _run(root)
        finally:
            os.environ.pop("TILTH_HOME")
            if before is not None:
                os.environ["TILTH_HOME"] = before


def _run(root: Path) -> tuple[dict[str, object], list[str]]:
    store, settings = root / "tilth.db", Settings()
    with (
        connect(store, create=True, settings=settings) as brain,
        connect(store, actor=CALLER, settings=settings) as agent,
    ):
        ways = Ways(brain, agent, root)
        hostile = [(one, ways.play(one)) for one in INJECTIONS]
        untold = [ways.play(Injection("typed", "untold", text)) for text in UNTOLD]
        typed = [(text, ways.play(Injection("typed", "typed", text))) for text in TYPED]
        ways.settle()
        obeyed = [one for one, scope in hostile if _rules(brain, scope)]
        current = [one for one, scope in hostile if _has_authority(brain, scope, one)]
        lost = [text for text, scope in typed if not _rules(brain, scope)]
        elsewhere = _rules(brain, _INNOCENT)
        untold_count = sum(bool(_rules(brain, scope)) for scope in untold)
    failures = [f"a rule: {one.way} {one.name}" for one in obeyed]
    failures += [f"a current fact: {one.way} {one.name}" for one in current]
    failures += [f"no rule any more: {text!r}" for text in lost]
    failures += [f"a rule in another project: {text!r}" for text in elsewhere]
    return {
        "programme": "attacks",
        "injections": len(hostile),
        "ways": dict(Counter(one.way for one, _ in hostile)),
        "rules": len(obeyed),
        "current": len(current),
        "elsewhere": len(elsewhere),
        "typed": len(typed),
        "typed_and_lost": len(lost),
        "untold": len(untold),
        "untold_and_rules": untold_count,
    }, failures


def _rules(brain: Brain, scope: Scope) -> list[str]:
    """Return what stands among the rules of a brief for a project."""
    blocks = brain.brief(_ASKING, scope=scope).blocks
    return [item.text for block in blocks if block.kind is Block.RULES for item in block.items]


def _has_authority(brain: Brain, scope: Scope, one: Injection) -> bool:
    """
    Say whether a current fact of a project has an authority that nobody gave it.

    Nothing is current at all that came as a command to the memory, from nobody who may give one.
    """
    facts = [fact for fact in brain.facts.list(scope=scope) if fact.life.lifecycle is _CURRENT]
    return any(
        fact.life.authority is Authority.INSTRUCTION
        or fact.life.review is Review.CONFIRMED
        or fact.by.is_human
        or one.name in _FORGED
        for fact in facts
    )


_CURRENT = Lifecycle.CURRENT


if __name__ == "__main__":
    main()
