"""
Find what and whom a sentence is about.

Likeness does not distinguish an Android app from an iOS app, nor my doctor from my mother's. The
subject does: it stands before the first verb, before a colon, or, in a report of a change, behind
the verb. This reads function words, closed classes (family, rooms, environments) and capitals only.
"""

import re
from collections.abc import Iterable
from functools import cached_property, lru_cache
from itertools import chain, pairwise, product

from tilth.core.dataclass import dataclass
from tilth.core.text.pattern import pattern
from tilth.core.text.tokens import STOP_WORDS, index_terms

_KEPT = 4096
NAME = pattern(r"(?<!^)(?<![.?!] )\b[A-Z][\w-]*[a-z][\w-]*")


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


_TOKEN = pattern(r"[^\W_][\w'-]*(?:\.\w+)*|[:;,()\[\]]")
_LABEL = pattern(r"^[\W_]*([^:.,;!?]{2,40}):\s")
_COMMIT = pattern(r"^\W*(?:\w+(?:\([^)]*\))?!?):\s+(?=[a-z])")
# Clauses of reason or time before the main clause.
_BEFORE = pattern(
    r"^\W*(?:because|since|when|as|after|while|although|though)\b[^,]*,\s*", re.IGNORECASE
)
_FIRST = pattern(r"\b(?:i|i'm|i've|i'd|my|me|mine|myself)\b", re.IGNORECASE)
_PRONOUNS = _words(
    """
    i we you they he she it one i'm we're i've we've they've he's she's it's that this there
    which who somebody someone they're you've
    """
)
_VERB = pattern(
    r"(?:is|are|was|were|has|have|had|does|do|did|will|can|could|should|would|must|isn't|wasn't|"
    r"aren't|weren't|hasn't|haven't|hadn't|don't|doesn't|didn't|won't|goes|went|gone|gets?|got|"
    r"runs|ran|lives|uses|takes|took|gives|gave|makes|made|comes|came|leads|led|left|go|"
    r"keeps|kept|stands|stood|sits|sat|sells|sold|buys|bought|sleeps|slept|drives|drove|"
    r"became|begins|began|starts|says|said|puts|works|belongs|costs|reads|became|teach(?:es)?|"
    r"shows|means|meant|lands|opens|closes|holds|held|speaks|spoke|taught|found|"
    r"rewrote|threw|broke|grew|fell|rose|lost|won|chose|wrote|drew|lies|lay|needs|"
    r"plays|eats|ate|drinks|drank|answers|handles|builds|built|sends|sent|moves|follows|"
    r"[a-z]{2,}ed)"
)
# These are nouns too: they count as verbs at the beginning, and after a pronoun.
_BARE_VERB = pattern(
    r"(?:set|put|cut|run|live|use|take|give|make|come|lead|keep|stand|sit|sell|buy|sleep|drive|"
    r"begin|start|say|work|read|show|hold|speak|teach|raise|lower|rename|replace|move|switch|bump|"
    r"upgrade|migrate|port|swap|rewrite|drop|store|build|change|play|eat|drink|need|pay|convert)"
)
# Verbs that something undergoes rather than does: "the site moved", "backups go to".
_TURNS = pattern(
    r"(?:is|are|was|were|got|gets?|goes|go|went|gone|moved|moves|switched|changed|migrated|"
    r"(?:has|have|had)(?: \w+ly| now| just| also| since)? (?:been|moved|switched|gone|changed|"
    r"migrated|got|become|its|their|a new))\b"
)
_STOPS = _words(
    """
    to from by with into onto instead off over since because and but so after as than which that
    when while until for now , ; : ( ) [ ]
    """
)
_OF = _words(
    """
    of on in for at within inside under
    """
)
_JOINED = _words("because since when as after while although though if")
_MARKS = frozenset(",;:()[]")
_JOINS = _words("of in for on at")
_SKIPPED = STOP_WORDS | _words(
    """
    whole entire complete full current existing own same self now just finally already also
    still today yesterday meanwhile done finished update fyi btw new old last first next again
    later early soon every each week month year day monday tuesday wednesday thursday friday
    saturday sunday
    """
)
KIN = _words(
    """
    mother mom mum mama father dad papa parents brother sister wife husband partner son daughter
    cousin uncle aunt grandma grandpa grandmother grandfather niece nephew friend friends
    colleague colleagues coworker coworkers neighbour neighbours neighbor neighbors boss client
    clients customer customers competitor competitors roommate flatmate girlfriend boyfriend ex
    twin stepson stepdaughter buddy mate their his her
    """
)
# Classes of which a thing has one member.
_CLASSES = (
    ("production prod live", "staging stage preprod", "development dev local", "test testing qa",
     "demo sandbox", "canary"),
    ("work office company job business", "home private personal house"),
    ("ios iphone ipad", "android", "web website", "desktop"),
    ("mobile app apps", "web website browser", "desktop"),
    ("frontend front", "backend back"),
    ("client frontend", "server"),
    ("primary master main leader", "replica standby secondary follower slave"),
    ("men men's boys", "women women's girls"),
    ("kitchen", "bathroom bath", "bedroom", "living", "hall hallway corridor", "garage",
     "basement cellar", "attic loft", "garden", "balcony terrace", "study", "nursery", "shed",
     "upstairs", "downstairs"),
    ("left", "right", "opposite across"), ("upper top", "lower bottom"), ("front", "rear back"),
    ("internal", "external public"), ("input", "output"), ("incoming inbound", "outgoing outbound"),
    ("read reader reading", "write writer writing"),
    ("north northern", "south southern", "east eastern", "west western"),
    ("eu europe european", "us usa american america", "asia asian apac", "uk british"),
    ("vm vms virtual", "bare metal physical"),
    ("parser", "formatter", "linter", "compiler", "lexer"),
    ("mail email e-mail emails mails", "chat sms", "phone", "letter"),
    ("breakfast morning", "lunch noon", "dinner evening supper"),
    ("docs documentation", "marketing", "blog", "shop store", "wiki", "landing"),
    ("api", "worker", "cli", "ui", "scheduler", "notifier"),
    ("junior", "senior"), ("buyer", "seller"), ("summer", "winter"), ("weekday weekdays",
     "weekend weekends"), ("adult adults", "kid kids child children"), ("car", "bike bicycle",
     "motorbike motorcycle", "boat", "van"), ("cat", "dog", "horse", "rabbit"),
    ("household contents", "car vehicle", "health", "liability", "travel"),
    ("onboarding", "offboarding"), ("upload uploads", "download downloads"),
    ("guest guests", "staff employees"), ("daily", "weekly", "monthly", "yearly annual"),
)  # fmt: skip


def _classes() -> dict[str, list[tuple[int, int]]]:
    member: dict[str, list[tuple[int, int]]] = {}
    for number, classed in enumerate(_CLASSES):
        for kind, names in enumerate(classed):
            for name in names.split():
                member.setdefault(name, []).append((number, kind))
    return member


_MEMBER = _classes()


@dataclass(frozen=True, slots=True)
class _Parsed:
    """A sentence up to its first verb, with its subject."""

    lead: list[str]
    topic: list[str]
    names: tuple[str, ...]
    is_changed: bool


@dataclass(frozen=True, eq=False)
class Aspect:
    """What one sentence is about; each property is computed on first use, since few are needed."""

    said: str

    @cached_property
    def terms(self) -> frozenset[str]:
        """The terms of the sentence."""
        return _terms(self._tokens)

    @cached_property
    def topic(self) -> frozenset[str]:
        """The terms of its subject, or of what it says was changed."""
        return _terms(self._parsed.topic)

    @cached_property
    def lead(self) -> tuple[str, ...]:
        """Its words before the first verb, or before a colon."""
        return tuple(map(_bare, self._parsed.lead))

    @cached_property
    def owner(self) -> str:
        """The owner that its subject names: "Finn's"."""
        owners = (one for one in self._parsed.lead if one.endswith(("'s", "s'")))
        return next(map(_bare, owners), "")

    @property
    def names(self) -> tuple[str, ...]:
        """The words of `lead` with a capital."""
        return self._parsed.names

    @cached_property
    def kinds(self) -> frozenset[tuple[int, int]]:
        """The members of closed classes that it names."""
        parts = (_MEMBER.get(_bare(one), ()) for one in _parts(self._tokens))
        return frozenset(chain.from_iterable(parts))

    @cached_property
    def pairs(self) -> frozenset[tuple[str, str]]:
        """Pairs of a modifier with the word behind it."""
        return _pairs(self._tokens)

    @property
    def is_changed(self) -> bool:
        """Whether its subject is the thing that changed."""
        return self._parsed.is_changed

    @cached_property
    def is_first(self) -> bool:
        """Whether the speaker speaks of themselves."""
        return bool(_FIRST.search(self.said))

    @cached_property
    def capitals(self) -> frozenset[str]:
        """The terms of its words with a capital."""
        return _terms(one for one in self._cased if one[:1].isupper())

    @cached_property
    def _cased(self) -> list[str]:
        return _TOKEN.findall(self.said)

    @cached_property
    def _tokens(self) -> list[str]:
        return [token.lower() for token in self._cased]

    @cached_property
    def _parsed(self) -> _Parsed:
        if label := _LABEL.match(self.said):
            lead = [token.lower() for token in _TOKEN.findall(label[1])]
            return _Parsed(lead, lead, (), is_changed=False)
        return _parsed(self._cased, self._tokens)


@lru_cache(maxsize=_KEPT)
def aspect(sentence: str) -> Aspect:
    """Return what *sentence* is about."""
    return Aspect(_BEFORE.sub("", _COMMIT.sub("", sentence)))


def _parsed(cased: list[str], tokens: list[str]) -> _Parsed:
    at = _first_verb(tokens[:9])
    lead = tokens[:at] if at is not None and tokens[0] not in _JOINED else []
    names = [c for c in cased[: at or 0] if c[:1].isupper() and c.lower() not in STOP_WORDS]
    bare = [t for t in lead if _says(t) and t not in _PRONOUNS]
    if at is not None and not bare:
        return _Parsed(lead, _object(tokens[at:]), tuple(names), is_changed=False)
    is_changed = bool(at is not None and _TURNS.match(" ".join(tokens[at : at + 3])))
    return _Parsed(lead, bare, tuple(names), is_changed=is_changed)


def _first_verb(tokens: list[str]) -> int | None:
    for n, token in enumerate(tokens):
        if _is_verb(token):
            return n
        if _BARE_VERB.fullmatch(token) and (n == 0 or tokens[n - 1] in _PRONOUNS):
            return n
    return next((n for n, token in enumerate(tokens) if n and _BARE_VERB.fullmatch(token)), None)


def _parts(tokens: Iterable[str]) -> Iterable[str]:
    for token in tokens:
        yield token
        if "-" in token:
            yield from token.split("-")


def _bare(token: str) -> str:
    return token.removesuffix("'s").removesuffix("'")


def _is_verb(token: str) -> bool:
    return bool(_VERB.fullmatch(token)) or token.endswith(("'ve", "'re", "'m"))


def _says(token: str) -> bool:
    return token not in _SKIPPED and token not in _MARKS


def _object(tokens: list[str]) -> list[str]:
    """Return the object of the verb that *tokens* begin with, and its owner."""
    begins = 1
    while begins < len(tokens) and (_is_verb(tokens[begins]) or not _says(tokens[begins])):
        begins += 1
    found: list[str] = []
    is_in = True
    for token in tokens[begins : begins + 15]:
        if _is_verb(token):
            break
        if token in _OF:
            is_in = True
        elif token in _STOPS:
            is_in = False
        elif is_in and _says(token):
            found.append(token)
    return found


def _pairs(tokens: list[str]) -> frozenset[tuple[str, str]]:
    """Return pairs of a modifier with its word: "docs site", "name of the site"."""
    found: set[tuple[str, str]] = set()
    for one, other in pairwise(tokens):
        if _says(one) and _says(other):
            found.update(product(index_terms(one), index_terms(other)))
    for n, token in enumerate(tokens[1:-1], 1):
        if token in _JOINS and _says(tokens[n - 1]):
            behind = [one for one in tokens[n + 1 : n + 4] if _says(one)][:2]
            found.update(product(index_terms(" ".join(behind)), index_terms(tokens[n - 1])))
    return frozenset(found)


def _terms(tokens: Iterable[str]) -> frozenset[str]:
    return frozenset(index_terms(" ".join(map(_bare, tokens))))
