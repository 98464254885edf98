"""
Templates, and how things are written in them.

Everything is escaped unless a filter here made markup of it itself. What was recorded is shown as
markdown without HTML, images and links that run something: it is text of others, never ours.
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from difflib import SequenceMatcher
from functools import cache
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markupsafe import Markup, escape

from tilth.agents.hosts.registry import HOSTS, find_host
from tilth.core.actor import Actor, ActorKind
from tilth.core.ids import ULID_CHARS, ConversationId, EntityId, EpisodeId, FactId, ProposalId
from tilth.core.instant import last_microsecond
from tilth.core.view import number_of, of_count
from tilth.privacy.terminal_text import inert
from tilth.transfer.file_importer import FORMATS

_ALIKE = 0.4
_OURS = "assistant: "
_MINUTE, _HOUR, _DAY = 60, 3600, 86_400
_HEADING = re.compile(r"(?:(?<=\s)|^)#{1,6}\s+")
_BOLD = re.compile(r"\*\*([^*\n]+)\*\*")
_LINK = re.compile(r"\[([^\]\n]+)\]\([^)\s]*\)")
_AT_LINE = re.compile(r"(?:[:-]\d+)+$")
# What a person reads where the word of the glossary says little by itself.
_WORDS = {
    "candidate": "waits for you",
    "contested": "in question",
    "assistant": "an agent",
    "attention": "waits for a person",
    "corroborated": "said again",
    "detected": "open",
    "draft": "proposed",
    "edges": "links",
    "entities": "things",
    "fail": "wrong",
    "guess": "likely outdated",
    "historical": "from the past",
    "identity_link": "whose address",
    "promotion": "new finding",
    "proposals": "questions in the inbox",
    "removal": "ends",
    "missing_feature": "a missing feature",
    "supersession": "replaces",
    "superseded": "replaced",
    "todo_created": "planned",
    "unreviewed": "not confirmed",
    "user": "a person",
    "skip": "not checked",
    "summary": "what holds",
    "verify": "may be outdated",
    "warn": "look",
    "wont_fix": "will not be done",
}
# Where what an ID names has a page.
_PAGES = {
    ConversationId.prefix: "conversations",
    EntityId.prefix: "things",
    EpisodeId.prefix: "episodes",
    FactId.prefix: "facts",
    ProposalId.prefix: "inbox",
}
_NAMED = re.compile(rf"\b({'|'.join(_PAGES)})[0-9A-Z]{{{ULID_CHARS}}}\b")
_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]


def render(template: str, told: Mapping[str, object]) -> str:
    """Return a page."""
    return _environment().get_template(template).render(told)


@cache
def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("tilth.interfaces.web"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    made.filters |= {
        "day": day,
        "last_day": last_day,
        "when": when,
        "ago": ago,
        "clock": clock,
        "scope": scope_name,
        "markdown": markdown,
        "coded": coded,
        "line": line,
        "linked": linked,
        "page_of": page_of,
        "word": word,
        "end_of": end_of,
        "path": path_part,
        "heading": heading,
        "program": program,
        "who": who,
        "spoken": spoken,
        "number": number,
        "of_count": of_count,
        "diff": diff,
        "alike": alike,
        "times": times,
        "tomorrow": tomorrow,
        "zip": zip,
    }
    return made


def day(at: datetime | None) -> Markup:
    """Write a day, with the whole instant behind it."""
    return _time(at, _day_of(at) if at else "")


def last_day(end: datetime, begin: datetime) -> Markup:
    """Write the last day before an exclusive *end*, with the whole instant behind it."""
    return _time(end, _day_of(last_microsecond(begin, end)))


def _day_of(at: datetime) -> str:
    return f"{at.day} {_MONTHS[at.month - 1]} {at.year}"


def when(at: datetime | None) -> Markup:
    """Write an instant to the minute, in UTC."""
    utc = at.astimezone(UTC) if at else None
    return _time(utc, f"{_day_of(utc)}, {utc:%H:%M}" if utc else "")


def clock(at: datetime) -> Markup:
    """Write the time of a day to the minute, in UTC."""
    return _time(at, f"{at.astimezone(UTC):%H:%M}")


def ago(at: datetime | None, now: datetime) -> Markup:
    """Write how long ago something was."""
    if at is None:
        return Markup("")
    seconds = (now - at).total_seconds()
    if seconds < _MINUTE:
        return _time(at, "just now")
    if seconds < _HOUR:
        return _time(at, f"{int(seconds // _MINUTE)} min ago")
    if seconds < _DAY:
        return _time(at, f"{int(seconds // _HOUR)} h ago")
    days = int(seconds // _DAY)
    if days < 30:  # noqa: PLR2004
        return _time(at, "yesterday" if days == 1 else f"{days} days ago")
    return day(at)


def _time(at: datetime | None, shown: str) -> Markup:
    if at is None:
        return Markup("")
    utc = at.astimezone(UTC)
    return Markup('<time datetime="{}" title="{} UTC">{}</time>').format(
        utc.isoformat(), f"{utc:%Y-%m-%d %H:%M:%S}", shown
    )


def scope_name(scope: str) -> str:
    """Write a scope as people say it: a project or domain by its name."""
    return scope.partition(":")[2] or scope


def markdown(text: str) -> Markup:
    """Write what was recorded as the markdown that it mostly is."""
    # markdown-it escapes HTML, and refuses links that run something.
    return Markup(_markdown().render(inert(text)))  # noqa: S704


def coded(text: str) -> Markup:
    """Write a line, with what stands between backticks as code."""
    parts = inert(text).split("`")
    if len(parts) % 2 == 0:  # The last one opens nothing.
        parts[-2:] = ["`".join(parts[-2:])]
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if number % 2 else escape(part)
        for number, part in enumerate(parts)
    )


def line(text: str) -> Markup:
    """Write a line that was markdown: its code as code, all else as plain words."""
    return coded(_closed(_LINK.sub(r"\1", _BOLD.sub(r"\1", _HEADING.sub("", text)))))


def _closed(text: str) -> str:
    """Close the code that a line was cut in; a mark that is left of a block of code goes."""
    if text.count("`") % 2 == 0:
        return text
    before, _, after = text.rpartition("`")
    is_cut = after.endswith(("…", "...")) and not after[:1].isspace()
    return f"{before}`{after}`" if is_cut else before + after


def word(told: object) -> str:
    """Write a word of the glossary as a person reads it."""
    return _WORDS.get(str(told), str(told).replace("_", " "))


def heading(text: str) -> Markup:
    """Write a heading; a path or an address breaks where its parts end."""
    if " " in text or "`" in text:
        return line(text)
    return Markup("/<wbr>").join(escape(part) for part in inert(text).split("/"))


def program(name: str) -> str:
    """Write the host of sessions as it calls itself; another is called as it is named."""
    return _programs().get(name, name)


@cache
def _programs() -> Mapping[str, str]:
    of_formats = {one.HOST: one.PROGRAM for one in FORMATS}
    return of_formats | {name: find_host(name).DECLARATION.program for name in HOSTS}


def who(actor: Actor) -> str:
    """Write who did something; what Tilth does by itself goes by its own name."""
    return "Tilth" if actor.kind is ActorKind.JOB else actor.name


def spoken(told: str) -> str:
    """Write a line of a summary, which begins with who spoke; our side of it is "you"."""
    return f"you: {told[len(_OURS) :]}" if told.startswith(_OURS) else told


def end_of(path: str) -> str:
    """Write a path by its last two parts, which tell most of it."""
    parts = path.split("/")
    return path if len(parts) < 4 else "…/" + "/".join(parts[-2:])  # noqa: PLR2004


@cache
def _markdown() -> MarkdownIt:
    made = MarkdownIt("commonmark", {"html": False, "breaks": True})
    made.validateLink = _is_link  # type: ignore[method-assign] # as its documentation says
    made.core.ruler.push("paths", _paths_as_code)
    return made.enable("table").disable("image")


def _leads_out(url: str) -> bool:
    return url.lower().startswith(("https://", "http://", "mailto:"))


def _is_link(url: str) -> bool:
    return _leads_out(url) or ":" not in _AT_LINE.sub("", url).partition("/")[0]


def _paths_as_code(state: StateCore) -> None:
    """Write a link to a path as code: it is one of its machine, and no address of these pages."""
    for token in state.tokens:
        is_path = False
        for child in token.children or ():
            if child.type == "link_open":
                is_path = not _leads_out(str(child.attrGet("href")))
            if is_path and child.type in {"link_open", "link_close"}:
                child.tag, child.attrs = "code", {}


def linked(text: str) -> Markup:
    """Write a text with each ID in it as a link to the page of what it names, if that has one."""
    parts, at = list[Markup](), 0
    for found in _NAMED.finditer(text):
        link = Markup('<a href="{}">{}</a>').format(page_of(found[0]), found[0])
        parts += [escape(text[at : found.start()]), link]
        at = found.end()
    return Markup("").join([*parts, escape(text[at:])])


def page_of(id_: str) -> str:
    """Return the address of the page of what an ID names; nothing where it has none."""
    page = _PAGES.get(id_[: id_.find("_") + 1])
    return f"/{page}/{id_}" if page else ""


def path_part(text: str) -> str:
    """Write a text as a part of an address."""
    return quote(text, safe=":")


def number(count: int, noun: str = "") -> str:
    """Write a count, with its noun in the number that it takes."""
    return number_of(count, noun) if noun else f"{count:,}"


def times(count: int) -> str:
    """Write how often."""
    return "once" if count == 1 else f"{count:,} times"


def tomorrow(now: datetime) -> str:
    """Write the same time a day later."""
    return (now + timedelta(days=1)).isoformat()


def alike(before: str, after: str) -> bool:
    """Say whether so many words stay that what changed is best told word by word."""
    return SequenceMatcher(None, before.split(), after.split(), autojunk=False).ratio() >= _ALIKE


def diff(before: str, after: str) -> Markup:
    """Write what changed from one text to another, word by word."""
    old, new = before.split(), after.split()
    parts: list[Markup] = []
    for kind, old_from, old_to, new_from, new_to in SequenceMatcher(
        None, old, new, autojunk=False
    ).get_opcodes():
        if kind == "equal":
            parts.append(escape(" ".join(old[old_from:old_to])))
            continue
        if old_from < old_to:
            parts.append(Markup("<del>{}</del>").format(" ".join(old[old_from:old_to])))
        if new_from < new_to:
            parts.append(Markup("<ins>{}</ins>").format(" ".join(new[new_from:new_to])))
    return Markup(" ").join(parts)
