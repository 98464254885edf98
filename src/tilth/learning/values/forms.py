"""
The verbs that join a value to its subject, and what each of them takes.

After some, a name may stand instead of a literal: "pnpm", "the Scale plan".
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from enum import StrEnum

from tilth.core.dataclass import dataclass
from tilth.core.text.prose import Sentence
from tilth.learning.values.claims import Subject
from tilth.learning.values.literals import LiteralKind

_K = LiteralKind
PLACES = frozenset({_K.URL, _K.HOST, _K.IP, _K.PATH, _K.EMAIL, _K.CODE})
TIMES = frozenset({_K.TIME, _K.DATE, _K.SCHEDULE})
_ANY = frozenset(_K)

# "'s" is mostly a possessive; after "it" and "that" its subject has no name.
_BE = r"(?:is|are|'re|will be|stays?|remains?|has been|have been)"
_ADVERBS = (
    r"(?:\s(?:now|currently|still|always|only|just|all|also|already|actually|both|usually|"
    r"normally|today|temporarily|permanently|officially|mostly|entirely|fully|generally))*"
)
_PUT = (
    r"(?:located|stored|kept|found|hosted|mounted|installed|deployed|saved|written|defined|"
    r"documented|configured|tracked|running|live|checked in|published|reachable|available|"
    r"served|exposed|accessible|listening|bound|archived|backed up|synced|mirrored|based|up)"
)
_SET = (
    r"(?:set|capped|limited|configured|pinned|fixed|locked|restricted|defined|called|named|"
    r"known|due|scheduled|planned|valid|good|rated|priced|estimated|budgeted|allocated|frozen)"
)


class Names(StrEnum):
    """The names that may follow a verb, besides literals."""

    NONE = "none"
    # Only a proper name, capitalised: "The provider is LaunchDarkly".
    PROPER = "proper"
    # Words of which one is marked as a name: "It is on the Scale plan".
    MARKED = "marked"
    # Any one or two words: "We use pnpm".
    PLAIN = "plain"


@dataclass(frozen=True, slots=True)
class Form:
    """
    A verb and what it takes.

    `predicate` joins the name or value to the subject, unless the value has its own.
    """

    verb: re.Pattern[str]
    kinds: frozenset[LiteralKind]
    predicate: str = ""
    names: Names = Names.NONE


def _form(
    verb: str, kinds: frozenset[LiteralKind], predicate: str = "", *, names: Names = Names.NONE
) -> Form:
    pattern = rf"(?:(?<![\w'/.-])|(?='))(?:{verb})(?=[\s:])"
    return Form(re.compile(pattern, re.IGNORECASE), kinds, predicate, names)


# Any verb of the third person singular: "idles", "charges"; a plural has no value right after it.
_ACTS = r"(?-i:[a-z]+[^\Wsi]s)"
_BEING = rf"(?:{_BE}{_ADVERBS}\s)?"
_BUILT = (
    r"(?:using|built (?:with|on|in|using|from)|written in|based on|powered by|backed by|"
    r"implemented in|managed (?:with|by|in)|deployed (?:with|via|by|from)|packaged (?:with|as)|"
    r"generated (?:with|by|from)|provisioned (?:with|by)|fronted by|monitored (?:with|by|in)|"
    r"authenticated (?:with|via|against)|stored in|kept in|tracked in|hosted (?:on|by|with))"
)
FORMS: tuple[Form, ...] = (
    _form(rf"{_BE}{_ADVERBS}\son", frozenset({_K.PORT, _K.NUMBER}), "port"),
    _form(rf"{_BE}{_ADVERBS}\son", frozenset({_K.PRODUCT}), "uses"),
    _form(
        rf"{_BEING}(?:listens?|listening|binds?|bound|exposed|serves?|served|reachable|answers?|"
        rf"accessible|available){_ADVERBS}\s(?:on|at|under|via|to)",
        PLACES | {_K.PORT, _K.NUMBER},
        "port",
    ),
    _form(
        rf"{_BEING}(?:runs?|running|starts?|happens?|fires?|kicks? off|triggers?|executes?|"
        r"executed|scheduled|rotates?|rotated|expires?|renews?|ends?|launch(?:es)?|go(?:es)? live|"
        r"opens?|closes?|meets?|takes? place|syncs?|refreshes|resets?|ships?|begins?|deploys?|due|"
        r"planned|happen|opened|started|launched|went live|polls?|restarts?|reviewed|cleaned up|"
        rf"purged|backed up|backs up|paid|sent){_ADVERBS}"
        r"(?:\s(?:at|on|in|for|after|by|from|around))?",
        TIMES,
        "scheduled_for",
    ),
    _form(
        rf"(?:{_BE}{_ADVERBS}\s{_PUT}|lives?|sits?|resides?|points?|resolves?|goes|go|maps?|"
        r"redirects?|logs?|writes?|pushes|uploads?|backs? up|deploys?|runs?|listens?|reads?)"
        rf"{_ADVERBS}\s(?:at|on|in|under|behind|to|inside|into|from|via)",
        PLACES | {_K.PORT},
        "located_in",
    ),
    _form(
        rf"{_BE}{_ADVERBS}\s(?:at|on|in|under|behind|inside)",
        PLACES | TIMES | {_K.PORT, _K.VERSION, _K.PRODUCT, _K.AMOUNT},
        "located_in",
    ),
    _form(
        rf"{_BE}{_ADVERBS}(?:\s{_SET}(?:\s(?:to|at|as|for|on|by|until|till))?)?|"
        r"defaults? to|equals?",
        _ANY,
        "set_to",
        names=Names.PROPER,
    ),
    _form(
        rf"{_BEING}(?:runs?|running|hosted|deployed)"
        rf"{_ADVERBS}\s(?:on|in|at|under|inside|behind)(?:\stop of)?",
        PLACES,
        "hosted_on",
        names=Names.MARKED,
    ),
    _form(
        rf"depends?{_ADVERBS}\son|relies on|rely on|requires?|needs|{_BE} dependent on",
        frozenset({_K.CODE, _K.VERSION, _K.HOST}),
        "depends_on",
        names=Names.PLAIN,
    ),
    _form(
        rf"uses?|{_BE}{_ADVERBS}\s{_BUILT}|authenticates? (?:against|via|with)|talks to|"
        r"connects to|speaks|reads from|writes to|publishes to|subscribes to|goes through|logs to",
        PLACES,
        "uses",
        names=Names.PLAIN,
    ),
    _form(rf"{_BE}{_ADVERBS}\son", frozenset(), "uses", names=Names.MARKED),
    _form(
        rf"(?:lives?|sits?|resides?){_ADVERBS}\s(?:in|at|on|under)|{_BE}{_ADVERBS}\s{_PUT}"
        r"\s(?:in|at|on|under|inside)",
        frozenset(),
        "located_in",
        names=Names.MARKED,
    ),
    _form(
        rf"{_ACTS}(?:\s[a-z-]{{1,20}}){{1,4}}\s(?:on|at|in|into|to|from|under|via|over)",
        PLACES | TIMES | {_K.PORT},
    ),
    # Any regular action with a time: "the run takes place at noon".
    _form(
        rf"(?:have|take|cost|need|hold|keep|get|accept|allow|support|pay|retry|last|expire|{_ACTS}|"
        r"times? out|backs? off)(?:\s(?:at|to|on|for|in|after|by|until|within|every|up))?",
        TIMES | {_K.VERSION},
    ),
)
# The forms for agents, whose remarks mostly report what they just saw. Places, times and measured
# values count.
OF_AGENTS = (*FORMS[:7], replace(FORMS[-1], kinds=TIMES))
_GAP = re.compile(r"[\s:(]+")
_FILLER = re.compile(
    r"(?:at|on|in|under|to|as|from|every|the|an?|our|my|your|its|up|set|only|just|still|always|"
    r"now|currently|about|around|roughly|approximately|exactly|most|least|more|less|than|over|"
    r"nearly|almost|max(?:imum)?|min(?:imum)?|version|release|host|address|server|machine|box|"
    r"branch|url|ip|path|folder|directory|file|bucket|cluster|node|region|instance|database|db|"
    r"repo|channel|hostname|domain|endpoint|location|of|for|after|until|by|total|again|also|"
    r"between|some|limited|capped|pinned|called|named|port|table|topic|queue|it|us|you|users?|"
    r"clients?|everyone|them|late|early|mid)(?=[\s:(])",
    re.IGNORECASE,
)


def places_after(plain: str, verb_end: int) -> Iterator[int]:
    """Yield where the value of a verb may begin: right after it, or after leading words."""
    at = verb_end
    while (gap := _GAP.match(plain, at)) is not None:
        yield gap.end()
        if (filler := _FILLER.match(plain, gap.end())) is None:
            return
        at = filler.end()


_NAME_WORDS_MAX = 6
_PLAIN_WORDS_MAX = 2
_NAME_ENDS = re.compile(
    "[,;:!?()]|(?<!\\bMr)(?<!\\bMs)(?<!\\bMrs)(?<!\\bDr)\\.(?=\\s|$)|\\s[-\u2013\u2014]+\\s|"
    r"\s(?:because|bc|since|but|and then|so|which|that|when|if|while|as|where|until|after|before|"
    r"instead|in|rather|these|this|right|for|with|via|to|in order|now|currently|today|everywhere|"
    r"there|too|anyway|already|by|from|during|through|again|over|btw|by the way)\b",
    re.IGNORECASE,
)
_VAGUE = re.compile(
    r"(?:an?|the|this|that|these|those|it|them|some|any|more|less|all|its|his|her|their|your|one|"
    r"two|three|what|how|no|each|both|another|other|every|something|anything|nothing|same|only|"
    r"lots?|many|much|most|fine|hold|top|time|track|course|fire|purpose|demand|going|being|"
    r"having|doing|making|getting|production|prod|parallel|place|sync|use|order|fact|general|"
    r"case|line|schedule|average|me|us|you|him|here|there|my own|own|done|down|up|ready|ok|full|"
    r"empty|read|set|built|kept|sent|made|written|known|shown|given|taken|held|lost|slow|fast|broken|live|dead|green|red|gone|back|new|old|big|small|bad|good|wrong|right|"
    r"out|off|\w+ed|\w+ing)\b",
    re.IGNORECASE,
)
_QUANTITY = re.compile(r"(?:all|no|any|each|every|both|less|more)\b", re.IGNORECASE)
_MARKED = re.compile(r"[A-Z0-9`]|[a-z][\w]*[-_./\d][\w]|x{3}")
_PROPER = re.compile(r"[A-Z][\w.+#-]*(?: [A-Z][\w.+#-]*){0,2}")
_ARTICLE = re.compile(r"(?:the|our|my|an?)\s+", re.IGNORECASE)
# Things whose value is one word: "user is netadm".
_HOLDERS = frozenset(
    ("user", "username", "login", "host", "hostname", "branch", "bucket", "database", "db",
     "schema", "region", "zone", "room", "channel", "key", "name", "org", "namespace", "shell",
     "editor", "provider", "registrar", "domain", "plan", "tenant", "workspace", "handle", "nick",
     "colour", "color", "font", "theme", "queue", "topic", "engine", "dialect", "proxy", "driver",
     "backend", "frontend", "framework", "language", "distro", "os", "licence", "license")
)  # fmt: skip


def name_after(sentence: Sentence, names: Names, subject: Subject, begin: int) -> str:
    """
    Return the name that begins at *begin*; empty if there is none.

    Args:
        sentence: The sentence.
        names: What may be a name there.
        subject: What it is said of.
        begin: Where the verb before it ends.
    """
    begin += len(sentence.plain[begin:]) - len(sentence.plain[begin:].lstrip())
    end = _NAME_ENDS.search(sentence.plain, begin)
    said = sentence.text[begin : end.start() if end else len(sentence.text)].rstrip(" .")
    bare = _ARTICLE.sub("", said, count=1)
    if not bare or len(bare.split()) > _NAME_WORDS_MAX or bare[0].isdecimal():
        return ""
    if names is Names.PROPER:
        return said if _PROPER.fullmatch(said) or _is_held(said, subject) else ""
    if _MARKED.search(bare):
        return "" if _QUANTITY.match(bare) else said
    is_plain = bare == said and len(bare.split()) <= _PLAIN_WORDS_MAX and not _VAGUE.match(bare)
    return said if is_plain and names is Names.PLAIN else ""


def is_holder(subject: Subject) -> bool:
    """Say whether the subject of a claim takes one word as its value."""
    words = subject.name.casefold().split()
    return words[-1] in _HOLDERS and "of" not in words


def _is_held(said: str, subject: Subject) -> bool:
    """Say whether a word in small letters is the value of such a subject."""
    return is_holder(subject) and " " not in said and not _VAGUE.match(said)
