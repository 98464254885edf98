"""Forgetting: what an erase would take with it, and the certificate of what it took."""

from collections.abc import Mapping, Sequence
from typing import cast

from tilth.core.errors import InvalidInputError, NotFoundError
from tilth.core.instant import written_day
from tilth.core.view import number_of
from tilth.erasure.erase import Certificate, ErasePlan, plan_in_steps
from tilth.erasure.erase_request import Erasing
from tilth.erasure.search_mentions import MentionSearch, time_limit
from tilth.erasure.verbs import eraser_of
from tilth.interfaces.describe_ids import describe
from tilth.interfaces.web.screen import Ask, Said, Told, act, screen
from tilth.ledger.events import Erasure
from tilth.privacy.terminal_text import one_line

_SHOWN = 50
_WORDS_CHARS = 160
# So long one request looks for what else names a thing, and so many searches are kept at once.
LOOKING_SECONDS = 0.1
_LOOKINGS_MAX = 32
_NAMED = ("entity", "session", "episode", "fact")


@screen(
    "/forget",
    title="Forget",
    group="Look after",
    place=96,
)
def forget(ask: Ask) -> Told:
    """Gather all that erasing one thing takes with it; nothing changes."""
    asked = {name: ask.text(name) for name in _NAMED if ask.text(name)}
    if not asked:
        past = [*reversed(_erasures(ask))][:_SHOWN]
        return {"plan": None, "asked": asked, "going": (), "mentions": False, "past": past,
                "looking": None}  # fmt: skip
    # What else holds its name is looked for when it shall go too: that reads the whole store.
    if ask.is_on("mentions") and "entity" in asked:
        looked, end, plan = _looked_on(ask)
        if plan is None:
            about = {"found": len(looked.found), "through": looked.through, "end": end}
            return {"plan": None, "asked": asked, "going": (), "mentions": True, "past": (),
                    "looking": about, "heading": "What else names it"}  # fmt: skip
    else:
        plan = ask.brain.erase.plan(**_selection(ask), besides=False)
    return {
        "looking": None,
        "plan": plan,
        "asked": asked,
        "mentions": ask.is_on("mentions"),
        "going": describe(ask.brain, plan.ids[:_SHOWN]),
        "more": max(0, len(plan.ids) - _SHOWN),
        "heading": f"Forget {_subject(ask, plan, asked)}",
    }


def _looked_on(ask: Ask) -> tuple[MentionSearch, int, ErasePlan | None]:
    """Look on for what else names a thing, from where the last request left it."""
    parts, known = ask.brain.parts, ask.serving.lookings
    which = (parts.recorder.owner, parts.recorder.by, ask.text("entity"))
    looked, plan = known.pop(which, (None, None))
    with parts.store.read() as view:
        end = view.head().seq
    if looked is None or plan is None or looked.through != end:
        eraser, is_enough = eraser_of(parts), time_limit(LOOKING_SECONDS)
        looked, plan = plan_in_steps(eraser, _selection(ask), looked, is_enough)
    known[which] = looked, plan
    for oldest in [*known][:-_LOOKINGS_MAX]:
        known.pop(oldest, None)
    return looked, end, plan


@act("erase")
def erase(ask: Ask) -> Said:
    """Destroy for good what the page showed, and certify it."""
    if ask.text("sure") != "1":
        raise InvalidInputError("nothing was erased", hint="say that you are sure")
    certificate = ask.brain.erase.confirm(ask.text("digest"), **_selection(ask))
    if certificate.erasure_id is None:
        return Said(
            "Nothing was left to forget.", rows=_certificate_rows(certificate), back="/forget"
        )
    ask.serving.certificates[certificate.erasure_id] = certificate
    return Said("Forgotten, for good.", back=f"/forget/{certificate.erasure_id}")


@screen("/forget/{erasure}", title="Certificate")
def certificate(ask: Ask) -> Told:
    """
    Gather what an erase did: who, when, how much, and where its words were looked for.

    The ledger keeps who, when and how much. What the search found is known while the server runs,
    since it cannot be made again: the words to look for are gone.

    Raises:
        NotFoundError: no such erasure, or another owner's.
    """
    erasure = next((one for one in _erasures(ask) if one.event_id == ask.text("erasure")), None)
    if erasure is None:
        raise NotFoundError(f"no such erasure: {ask.text('erasure')[:40]}")
    whole = ask.serving.certificates.get(erasure.event_id)
    elsewhere = whole.said_elsewhere if whole else None
    return {
        "erasure": erasure,
        "certificate": whole,
        "rows": _certificate_rows(whole) if whole else _erasure_rows(erasure),
        "going": describe(ask.brain, elsewhere.ids) if elsewhere else (),
        "heading": f"Forgotten on {written_day(erasure.at)}",
    }


def _erasures(ask: Ask) -> Sequence[Erasure]:
    parts = ask.brain.parts
    return [one for one in parts.store.erasures.known() if one.owner == parts.recorder.owner]


def _erasure_rows(erasure: Erasure) -> Sequence[tuple[str, str]]:
    return [
        ("Erased by", f"{erasure.by.name}, {erasure.at:%Y-%m-%d %H:%M:%S} UTC"),
        ("Event", erasure.event_id),
        ("Events whose words are gone", f"{len(erasure.event_ids):,}"),
    ]


def _selection(ask: Ask) -> Erasing:
    told: dict[str, object] = {"mentions": ask.is_on("mentions")}
    for name in ("entity", "session"):
        told |= {name: ask.text(name)} if ask.text(name) else {}
    for name in ("episode", "fact"):
        told |= {f"{name}s": [ask.text(name)]} if ask.text(name) else {}
    return cast("Erasing", told)


def _subject(ask: Ask, plan: ErasePlan, asked: Mapping[str, str]) -> str:
    if "session" in asked:
        return f"the session “{one_line(ask.title_of(asked['session']), _WORDS_CHARS)}”"
    return f"“{describe(ask.brain, plan.ids[:1])[0]['words']}”" if plan.ids else "what is gone"


def _certificate_rows(told: Certificate) -> Sequence[tuple[str, str]]:
    rows = [
        ("Erased by", f"{told.by.name}, {told.at:%Y-%m-%d %H:%M:%S} UTC"),
        ("Event", str(told.erasure_id or "nothing was left to erase")),
        *((noun, f"{count:,}") for noun, count in told.counts.items()),
        ("Looked for its words in", number_of(told.scanned_count, "file")),
        *(("Still there", f"{one.path} ({one.count} of the words)") for one in told.found),
        *([("Said elsewhere too", told.said_elsewhere.told)] if told.said_elsewhere else ()),
        *(("Cleaned", path) for path in told.cleaned),
        *(("Holds it, and is yours to remove", path) for path in told.copies),
        *(("Out of reach", limit) for limit in told.limits),
    ]
    if not told.is_purged:
        rows.append(("Not clean yet", "the store's own files; the worker goes on with them"))
    return rows
