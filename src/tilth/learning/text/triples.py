"""
Read short sentences as triples, whose parts must be names.

"Marina is CTO at Acme" gives Marina's role and where. Only a few plain forms of sentence are read;
without a triple, a statement is kept in its words. Words before a verb are not always a name: such
a statement is about the project or its speaker, so that nobody has to tell "indexing core" from
"The indexing core".
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from tilth.core.text.urn import HEAD_OF
from tilth.knowledge.facts.statement import Statement, Triple
from tilth.knowledge.vocabulary.registries import Channel
from tilth.learning.text.verb_forms import PREDICATES

_SPEAKERS = frozenset({"i", "we"})
_POINTING_WORDS = """
    it this that these those he she they you there here what who which one ones both each all some
    none others something anything everything everyone someone nothing how why when where also then
    me us him them its thing things result results line lines step steps first second next last
    other another same issue problem error errors bug reason point question answer idea fix change
    changes output code test tests function method loop query call script still already always
    only even again today tomorrow yesterday tonight life love everybody time
"""
# If one of these stands before a verb, that verb is not the claim's.
_ACTS = frozenset(
    ("i'll", "we'll", "you'll", "can", "will", "would", "must", "may", "should", "see", "i'm")
)
_ORDER_WORDS = """
    turn add use run make put check fix create update install write read show give take keep try
    get find change remove delete ask tell send bring look see go let please pls don't dont never
    call ping wait stop start set move includes uses has
"""
_ORDERS = frozenset(_ORDER_WORDS.split())
_OPEN_ENDS = frozenset({"and", "or", "to", "not", "of", "for", "in", "on", "at", "with", "from"})
_POINTING = frozenset(_POINTING_WORDS.split())


def is_named(name: str) -> bool:
    """Say whether words name the subject of a claim: neither a reference nor an order."""
    words = name.casefold().split()
    is_open = words[-1] in _OPEN_ENDS or words[0] in _ORDERS or not _ACTS.isdisjoint(words)
    return not is_open and not is_pointing(name)


def is_pointing(name: str) -> bool:
    """Say whether words only refer to something that was named elsewhere."""
    words = name.casefold().split()
    if words[0] in _SPEAKERS and len(words) > 1:
        return True
    return words[0] in _POINTING or words[-1] in _POINTING or not any(map(str.isalpha, name))


class Read(NamedTuple):
    """What a sentence says: a triple, its channel, and what else it is about."""

    triple: Triple
    channel: Channel
    about: tuple[str, ...] = ()


_CHARS_MAX = 400
_NAME = r"(?P<subject>[^\s,;:?!\"](?:[^,;:?!\"\n]{0,78}[^\s,;:?!\"])?)"
_VALUE = r"(?P<object>\S.*?)\.?"
# Words that refer to something said before.
_NAMELESS_WORDS = "it this that these those he she they we you there here what who which one"
# Words that deny, or only suppose, what follows.
_DENYING_WORDS = "no not nobody none nothing neither nor hardly few if unless when whenever whether"
_NO_NAME = frozenset(f"{_NAMELESS_WORDS} {_DENYING_WORDS}".split())
# Between a name and its verb: a negation, or words that change nothing.
_DENIED = re.compile(
    r"(?:\b(?:no longer|never|not|hardly|barely|rarely|seldom)|n['\u2019]t)\Z", re.IGNORECASE
)
_ADVERBS = re.compile(
    r"(?:\s(?:now|still|also|only|always|usually|mostly|currently|already|really|actually|both))+\Z",
    re.IGNORECASE,
)
_PROPERTIES = {
    "port": "port",
    "ip": "ip_address",
    "ip address": "ip_address",
    "email": "email_address",
    "email address": "email_address",
    "birthday": "birthday",
    "owner": "owned_by",
    "ceo": "ceo",
    "status": "status",
    "phase": "phase",
    "version": "current_version",
    "location": "located_at",
}
_PROPERTY = "|".join(sorted(_PROPERTIES, key=len, reverse=True))
_VERBS: Mapping[str, str] = {
    "works for": "works_for",
    "works at": "works_for",
    "works on": "working_on",
    "lives in": "lives_in",
    "is located in": "located_at",
    "is located at": "located_at",
    "is owned by": "owned_by",
    "is hosted on": "hosted_on",
    "runs on": "hosted_on",
    "listens on port": "port",
    "listens on": "port",
    "depends on": "depends_on",
    "requires": "depends_on",
    "uses": "uses",
    "prefers": "prefers",
    "likes": "likes",
    "knows": "knows",
}
_VERB = "|".join(sorted(_VERBS, key=len, reverse=True))
_HAS = re.compile(rf"{_NAME}['\u2019]s (?P<property>{_PROPERTY}) is {_VALUE}", re.IGNORECASE)
_OF = re.compile(rf"the (?P<property>{_PROPERTY}) of {_NAME} is {_VALUE}", re.IGNORECASE)
_DOES = re.compile(rf"{_NAME} (?P<verb>{_VERB}) {_VALUE}", re.IGNORECASE)
# "At" joins a role to a named place: "CTO at Acme", but not "up at night".
_ROLE = re.compile(
    rf"{_NAME} is (?:now )?(?:an? |the )?(?P<object>(?:[^\W\d_][\w/&-]* ){{1,4}}?"
    r"(?i:at) (?P<whole>[^\W\d_a-z][^,;:?!\"\n]{0,78}?))\.?"
)
_LEADS = re.compile(rf"{_NAME} is (?:now )?(?:an? |the )?(?P<object>{HEAD_OF})\.?")
_I_PREFER = re.compile(rf"I prefer {_VALUE}", re.IGNORECASE)
_RELATIONS = frozenset({"works_for", "knows", "likes", "role_at"})
_BY_NOW = re.compile(r"\s(?:now|currently|nowadays)(?=\.?\Z)", re.IGNORECASE)

# Predicates of things as well as of persons.
_OF_THINGS = frozenset({"owned_by", "is_a", "located_in", "status"})


def is_of_person(said: Statement) -> bool:
    """Say whether a statement can only be about a person: relations, possessions, likes."""
    triple = said.triple
    is_relation = triple is not None and said.channel is Channel.RELATIONSHIP
    return is_relation and triple is not None and triple.predicate not in _OF_THINGS


def read_sentence(text: str) -> Read | None:
    """Return what one short sentence says; None if its form is unknown."""
    text = _BY_NOW.sub("", " ".join(text.split()))
    if not text or len(text) > _CHARS_MAX:
        return None
    if found := _I_PREFER.fullmatch(text):
        return _read("user", "prefers", found["object"])
    if found := _ROLE.fullmatch(text) or _LEADS.fullmatch(text):
        return _read(found["subject"], "role_at", found["object"], (found["whole"],))
    if found := _HAS.fullmatch(text) or _OF.fullmatch(text):
        return _read(found["subject"], _PROPERTIES[found["property"].casefold()], found["object"])
    if found := _DOES.fullmatch(text):
        return _read(found["subject"], _VERBS[found["verb"].casefold()], found["object"])
    return None


def _read(subject: str, predicate: str, value: str, about: tuple[str, ...] = ()) -> Read | None:
    if subject.split(maxsplit=1)[0].casefold() in _NO_NAME or _DENIED.search(subject):
        return None
    subject = _ADVERBS.sub("", subject)
    if predicate == "port" and not any(map(str.isdecimal, value)):
        return None
    channel = Channel.RELATIONSHIP if predicate in _RELATIONS else Channel.ENTITY
    return Read(Triple(named(subject) or subject, predicate, value), channel, about)


# A subject with more words is a part of a sentence.
NAME_WORDS_MAX = 6
_NAME_CHARS_MIN = 2
_AROUND = " \t*_`'\".,:;-\u2013\u2014\u2018\u2019\u201c\u201d"
_ARTICLE = re.compile(r"^(?:the|an?|our|this|that|these|those|all|both|each)\s+", re.IGNORECASE)
_ENDS_OPEN = re.compile(r"['\u2019]s$|\b(?:your|my|his|her|their)\b", re.IGNORECASE)
# The beginning of a report: "Added a flag", "Measured timings".
_DOING = re.compile(r"[A-Z][a-z]+(?:ing|ed)\b(?=\s)")
# Friendly or funny additions to a value, and transitions.
_ALONG = re.compile(
    r"[\s,]+(?:lol|lmao|ha(?:ha)+\w*|btw|by the way|tho|though|imo|fyi|in case|i think|i guess|"
    r"please|pls|unfortunately|sadly|luckily|actually|anyway|:-?[)(DP])(?!\w).*",
    re.IGNORECASE | re.DOTALL,
)
_AROUND_VALUE = " \t*,;"
# A value with more words is a clause.
VALUE_WORDS_MAX = 8
_POINTS = re.compile(
    r"(?:it|that|this|these|those|them|he|she|they|him|her|you|what|how|why|when|if|to|not|being|"
    r"having|compiled|all (?:day|night|the time)|no|about)\b|"
    r".*\b(?:is|are|was|were|can|will|has|have)\s",
    re.IGNORECASE,
)
_TRAILS = re.compile(r"\.{2,}|\u2026")
# "With the present growth", "as per contract" say how or when, not what; a name has no "=".
_NO_SUBJECT = re.compile(
    r"(?:per|as|with|without|in|on|at|by|from|for|to|of|if|when|after|before|under|"
    rf"over|half|most|many|some|few)\b|(?:.{{2,80}}\s)?(?:{PREDICATES}|fails)\b(?!['\u2019])|.*=",
    re.IGNORECASE,
)
_PAIRS = (("(", ")"), ("[", "]"), ("{", "}"))
_GENERAL_NAMES = frozenset(
    [
        "a",
        "an",
        "the",
        "new",
        "old",
        "default",
        "number",
        "file",
        "files",
        "people",
        "loading",
        "ours",
        "mine",
        "yours",
        "hers",
        "theirs",
    ]
)


def named(words: str) -> str | None:
    """Return *words* as a name, without article and marks; None if they name nothing."""
    name = _ARTICLE.sub("", words.strip(_AROUND), count=1).strip(_AROUND)
    if len(name) < _NAME_CHARS_MIN or len(name.split()) > NAME_WORDS_MAX or not is_named(name):
        return None
    if _NO_SUBJECT.match(name):
        return None
    is_whole = name.count("`") % 2 == 0 and all(name.count(a) == name.count(b) for a, b in _PAIRS)
    is_general = name.casefold() in _GENERAL_NAMES or _DOING.match(name) or _ENDS_OPEN.search(name)
    return name if is_whole and not is_general else None


def with_names(said: Statement) -> Statement:
    """Return a statement, without its triple if a part of that is no name."""
    if said.triple is None:
        return said
    subject, value = named(said.triple.subject), valued(said.triple.object)
    if subject is None or value is None:
        return replace(said, triple=None)
    return replace(said, triple=replace(said.triple, subject=subject, object=value))


def valued(words: str) -> str | None:
    """Return *words* as a value, without additions; None if they are a clause."""
    value = _ALONG.sub("", words).strip(_AROUND_VALUE)
    is_clause = (
        len(value.split()) > VALUE_WORDS_MAX or _POINTS.match(value) or _TRAILS.search(value)
    )
    return None if not value or is_clause else value
