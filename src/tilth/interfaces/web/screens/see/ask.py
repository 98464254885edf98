"""Ask: a question, what answers it in front, and why."""

import re
import time
from collections.abc import Sequence

from tilth.core.errors import InvalidInputError
from tilth.interfaces.web.screen import Ask, Told, screen

_HITS = 12
_EXAMPLES, _EXAMPLE_CHARS, _EXCHANGES_READ, _TRIED = 4, 120, 50, 6
# Whoever begins so wants to know; "can you" and "let's" want something done.
_WANTS_TO_KNOW = re.compile(
    r"(?:what|why|how|where|when|who|which|whose|is|are|was|were|do|does|did|has|have)\b"
    r"(?!.*\b(?:can you|could you|let'?s|please|if (?:not|so|yes|no))\b)",
    re.IGNORECASE | re.DOTALL,
)


@screen(
    "/ask",
    title="Ask",
    group="Every day",
    place=12,
)
def ask(ask: Ask) -> Told:
    """Gather what answers the question of the address."""
    question = ask.text("q")
    told: dict[str, object] = {
        "question": question,
        "answer": None,
        "missing": None,
        "scopes": ask.scopes(),
    }
    if not question:
        return told | {"asked": _examples(ask)}
    limit = ask.number("limit", _HITS, least=1, most=100)
    began = time.perf_counter()
    told["answer"] = answer = ask.brain.recall(
        question, limit=limit, scope=ask.maybe("scope"), as_of=ask.moment("as_of")
    )
    ask.serving.counts.recalled(time.perf_counter() - began)
    if wanted := ask.text("why_not"):
        shown = {str(hit.id): place for place, hit in enumerate(answer.hits, 1)}
        told["missing"] = {"id": wanted, "place": shown.get(wanted), **_why_not(ask, wanted)}
    return told


def _examples(ask: Ask) -> Sequence[str]:
    """Return questions that are answered here, as examples; tried again once anything changed."""
    with ask.brain.parts.store.read() as view:
        at = view.head().seq
    kept = ask.serving.examples
    if (known := kept.get(at)) is not None:
        return known
    kept.clear()
    kept[at] = found = _answered_questions(ask)
    return found


def _answered_questions(ask: Ask) -> Sequence[str]:
    """Return questions that were put to agents last, and that recall answers."""
    last = ask.brain.exchanges.list(limit=_EXCHANGES_READ)
    asked = dict.fromkeys(
        one.ask.strip()
        for one in last
        if one.is_question and len(one.ask) <= _EXAMPLE_CHARS and _WANTS_TO_KNOW.match(one.ask)
    )
    tried = [*asked][:_TRIED]
    return [one for one in tried if ask.brain.recall(one, limit=1).answerable][:_EXAMPLES]


def _why_not(ask: Ask, wanted: str) -> Told:
    """Say where something stands for the question when nothing is left out."""
    try:
        more = ask.brain.recall(ask.text("q"), limit=200, is_grouped=False)
    except InvalidInputError as error:
        return {"wider": None, "reason": str(error)}
    place = next((at for at, hit in enumerate(more.hits, 1) if hit.id == wanted), None)
    return {"wider": place, "reason": ""}
