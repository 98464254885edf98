"""The names of things that stand after a verb: "pnpm", "the Scale plan", "the old Dell"."""

import re

from tilth.learning.prose import Sentence
from tilth.learning.values.claims import Subject
from tilth.learning.values.forms import Names

_WORDS_MAX = 6
_PLAIN_WORDS_MAX = 2
_END = re.compile(
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
# What holds one word for a value: "user is netadm".
_HOLDERS = frozenset(
    ("user", "username", "login", "host", "hostname", "branch", "bucket", "database", "db",
     "schema", "region", "zone", "room", "channel", "key", "name", "org", "namespace", "shell",
     "editor", "provider", "registrar", "domain", "plan", "tenant", "workspace", "handle", "nick",
     "colour", "color", "font", "theme", "queue", "topic", "engine", "dialect", "proxy", "driver",
     "backend", "frontend", "framework", "language", "distro", "os", "licence", "license")
)  # fmt: skip


def name_after(sentence: Sentence, names: Names, subject: Subject, begin: int) -> str:
    """
    Return the name that begins at *begin*; empty where nothing is named.

    Args:
        sentence: Where it stands.
        names: What may be a name there.
        subject: What it is said of.
        begin: Where the verb before it ends.
    """
    begin += len(sentence.plain[begin:]) - len(sentence.plain[begin:].lstrip())
    end = _END.search(sentence.plain, begin)
    said = sentence.text[begin : end.start() if end else len(sentence.text)].rstrip(" .")
    bare = _ARTICLE.sub("", said, count=1)
    if not bare or len(bare.split()) > _WORDS_MAX or bare[0].isdecimal():
        return ""
    if names is Names.PROPER:
        return said if _PROPER.fullmatch(said) or _is_held(said, subject) else ""
    if _MARKED.search(bare):
        return "" if _QUANTITY.match(bare) else said
    is_plain = bare == said and len(bare.split()) <= _PLAIN_WORDS_MAX and not _VAGUE.match(bare)
    return said if is_plain and names is Names.PLAIN else ""


def is_holder(subject: Subject) -> bool:
    """Say whether what a claim is about has a word for its value."""
    words = subject.name.casefold().split()
    return words[-1] in _HOLDERS and "of" not in words


def _is_held(said: str, subject: Subject) -> bool:
    """Say whether a word in small letters is a value of what holds one."""
    return is_holder(subject) and " " not in said and not _VAGUE.match(said)
