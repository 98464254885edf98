"""Finding the pages of a store as a reader does: by following the links of each."""

import html
import re
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from urllib.parse import parse_qsl, urlsplit

import httpx2

from tilth.interfaces.web.pages import all_screens

# What no link leads to: what is asked for, chosen in forms, or far behind.
_ASKED = (
    "/ask?q=why+did+the+tests+fail+after+the+update+of+the+hooks",
    "/things?q=cache-7",
    "/things?type=service",
    "/graph?kind=depends_on",
    "/graph?name=Person+Number1&depth=2",
    "/facts?lifecycle=superseded",
    "/facts?review=confirmed",
    "/facts?as_of=2026-01-01",
    "/facts?known_at=2026-01-01",
    "/inbox?kind=supersession",
    "/inbox?state=decided",
    "/gaps?status=detected",
    "/playbooks?state=confirmed",
    "/pages?kind=entity",
    "/pages?stale=on",
    "/pages?lint=on&manifest=on",
    *(f"/{name}?offset={at}" for name in ("facts", "sessions", "people", "gaps", "inbox")
      for at in (1000, 1_000_000)),
    *(f"/{name}?after={10**12}" for name in ("things",)),
)  # fmt: skip
_LINK = re.compile(r'\bhref="(/[^"#]*)')
_NOT_SCREENS = ("/static/",)
_HOLE = re.compile(r"\\\{(\w+)(:path)?\\\}")
# How many addresses of a kind are looked at.
_OF_A_KIND = 6


@dataclass(frozen=True, slots=True)
class Visit:
    """One page that was asked for: the kind of its address, the address, and the answer."""

    kind: str
    path: str
    answer: httpx2.Response


@dataclass
class _Walk:
    found: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    waiting: deque[tuple[str, str]] = field(default_factory=deque)

    def add(self, paths: Iterable[str]) -> None:
        for path in paths:
            kind = kind_of(path)
            known = self.found[kind]
            if path not in known and len(known) < _OF_A_KIND:
                known.append(path)
                self.waiting.append((kind, path))


def crawl(browser: httpx2.Client, *begin: str) -> Iterator[Visit]:
    """Ask for each page that links lead to, a few of each kind; *begin* are asked for, too."""
    walk = _Walk()
    walk.add([one.path for one in all_screens() if "{" not in one.path])
    walk.add([*_ASKED, *begin])
    while walk.waiting:
        kind, path = walk.waiting.popleft()
        answer = browser.get(path)
        yield Visit(kind, path, answer)
        if answer.status_code == 200:
            walk.add(links_of(answer.text))


def links_of(page: str) -> Sequence[str]:
    """Return where a page leads, within the site."""
    found = dict.fromkeys(html.unescape(one) for one in _LINK.findall(page))
    return [one for one in found if not one.startswith(_NOT_SCREENS)]


def kind_of(path: str) -> str:
    """
    Return which screen an address is of, and by what it is narrowed: `/facts?offset`.

    Raises:
        LookupError: it is of none; a link leads nowhere.
    """
    place, keys = urlsplit(path).path, sorted({key for key, _ in parse_qsl(urlsplit(path).query)})
    for pattern, screen in _patterns().items():
        if re.fullmatch(pattern, place):
            return f"{screen}?{'&'.join(keys)}" if keys else screen
    raise LookupError(f"no screen has the address {path}")


@cache
def _patterns() -> Mapping[str, str]:
    return {
        _HOLE.sub(lambda hole: ".+" if hole[2] else "[^/]+", re.escape(one.path)): one.path
        for one in all_screens()
    }


def twin_of(path: str) -> str:
    """Return the address at which a page's content stands as JSON."""
    place, mark, query = path.partition("?")
    return f"{'/today' if place == '/' else place}.json{mark}{query}"
