"""
`tilth review batch`: many decisions in one file, in the editor of a person.

Each line is a verb, a proposal, and what the verb needs; what was shown is what
the file said when it was written. All lines are read before the first is done.
"""

import os
import shlex
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from pathlib import Path

from tilth.core.errors import ConflictError, InvalidInputError, UnavailableError
from tilth.core.view import Line
from tilth.interfaces.cli.screen import Screen
from tilth.interfaces.error_codes import OUTCOMES
from tilth.knowledge.facts.decisions import Shown
from tilth.knowledge.proposals.proposal import Action
from tilth.privacy.terminal_text import one_line
from tilth.review.decide import Decided
from tilth.review.queue import Queue
from tilth.runtime.brain import Brain
from tilth.runtime.system import SystemClock

_CHARS = 160
# The word of each answer, as the commands of `tilth review` are called.
_ACTIONS = {
    "confirm": Action.CONFIRM,
    "reject": Action.REJECT,
    "edit": Action.EDIT,
    "dispute": Action.DISPUTE,
    "evidence": Action.EVIDENCE_ONLY,
    "restrict": Action.RESTRICT_SCOPE,
    "stale": Action.MARK_STALE,
    "merge": Action.MERGE,
    "supersede": Action.SUPERSEDE,
}
_SKIP, _SNOOZE = "skip", "snooze"
# The words of a line that take what follows them, and the arguments of `decide` that they are.
_TAKING = {"retires": "retires", "fact": "facts", "keep": "keeps", "to": "scope", "value": "value"}
_MANY = frozenset({"retires", "facts"})
_SAY = "say"
_HEAD = f"""\
# What waits for your decision. Change the first word of a line, save, and close.
#   {" · ".join([_SKIP, _SNOOZE, *_ACTIONS])}
# A line that confirms names what it retires. Two sides (A, B) also need: keep ID.
#   restrict ID to SCOPE · edit ID say your own words (or: value NAME, for a triple)
# Lines that you remove are skipped; remove all of them, and nothing is decided.
"""


def decide_in_editor(brain: Brain, screen: Screen, queue: Queue) -> int:
    """Let a person decide many in the editor, and return the exit code."""
    shown = [brain.review.show(one.id) for one in queue.proposals]
    if not shown:
        screen.answer({"decided": []}, ["all clear"])
        return 0
    path = _write_file(shown)
    _edit(path)
    answers = _parse_file(path, shown)
    path.unlink()
    put_off = [str(one["proposal_id"]) for one in answers if one["action"] == _SNOOZE]
    decided = brain.review.decide_many([one for one in answers if one["action"] != _SNOOZE])
    for proposal_id in put_off:
        brain.review.snooze(proposal_id, until=SystemClock().now() + timedelta(days=1))
    screen.answer({"decided": decided, "snoozed": put_off}, _report(decided))
    screen.say(f"decided {sum(one.proposal is not None for one in decided)} of {len(shown)}")
    is_whole = all(one.proposal is not None for one in decided)
    return 0 if is_whole else OUTCOMES[ConflictError].exit_code


def _write_file(shown: Sequence[Shown]) -> Path:
    handle, name = tempfile.mkstemp(prefix="tilth-review-", suffix=".txt")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write("\n".join([_HEAD, *map(_line, shown)]) + "\n")
    return Path(name)


def _line(seen: Shown) -> str:
    retires = " ".join(fact.id for fact in seen.retires)
    names = f" retires {retires}" if retires else ""
    told = " → ".join(one_line(fact.said.text, _CHARS) for fact in (*seen.retires, *seen.facts))
    if len(seen.facts) > 1:
        told = " | ".join(
            f"{side} {fact.id} {one_line(fact.said.text, _CHARS)}"
            for side, fact in zip("AB", seen.facts, strict=False)
        )
    draft = seen.proposal.draft
    why = told or one_line(draft.reason, _CHARS)
    return f"{_SKIP} {seen.proposal.id}{names}  # {draft.kind}: {why}"


def _edit(path: Path) -> None:
    editor = shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi")
    try:
        done = subprocess.run([*editor, str(path)], check=False)  # noqa: S603 - the user's own
    except OSError as error:
        path.unlink()
        raise UnavailableError(f"no editor: {error}", hint="set EDITOR") from error
    if done.returncode:
        path.unlink()
        raise UnavailableError(f"the editor ended with {done.returncode}; nothing was decided")


def _parse_file(path: Path, shown: Sequence[Shown]) -> Sequence[Mapping[str, object]]:
    """
    Return the answers that the file holds.

    Raises:
        InvalidInputError: a line cannot be read; it names the line, and where the file is.
    """
    digests = {str(seen.proposal.id): seen.digest for seen in shown}
    answers: list[Mapping[str, object]] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        words = line.split("#", 1)[0].split()
        if not words:
            continue
        try:
            answer = _parse_line(words, digests)
        except ValueError as error:
            raise InvalidInputError(
                f"line {number}: {error}; nothing was decided", hint=f"your file is {path}"
            ) from error
        if answer is not None:
            answers.append(answer)
    return answers


def _parse_line(words: Sequence[str], digests: dict[str, str]) -> Mapping[str, object] | None:
    verb, proposal_id, *rest = [*words, ""][: max(len(words), 2)]
    if verb not in {_SKIP, _SNOOZE, *_ACTIONS}:
        raise ValueError(f"{verb!r} is no verb")
    if proposal_id not in digests:
        raise ValueError(f"{proposal_id!r} does not wait, or stands here twice")
    digest = digests.pop(proposal_id)
    told: dict[str, object] = {"proposal_id": proposal_id, "digest": digest}
    told |= _parse_details(rest)
    if verb == _SKIP:
        return None
    return told | {"action": _SNOOZE if verb == _SNOOZE else _ACTIONS[verb].value}


def _parse_details(rest: Sequence[str]) -> Mapping[str, object]:
    told: dict[str, object] = {}
    many: dict[str, list[str]] = {}
    taking = ""
    for place, word in enumerate(rest):
        if word == _SAY:
            return {**told, **many, "text": " ".join(rest[place + 1 :])}
        if word in _TAKING:
            taking = _TAKING[word]
        elif taking in _MANY:
            many.setdefault(taking, []).append(word)
        elif taking and taking not in told:
            told[taking] = word
        else:
            raise ValueError(f"{word!r} was not expected")
    return {**told, **many}


def _report(decided: Sequence[Decided]) -> Iterator[Line]:
    for one in decided:
        ruling = None if one.proposal is None else one.proposal.ruling
        became = f"refused: {one.message}" if ruling is None else ruling.action.replace("_", " ")
        yield f"{one.proposal_id}  {became}"
