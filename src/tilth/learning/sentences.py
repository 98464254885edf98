"""
Short statements read as triples, by the words that join their parts.

"Marina is CTO at Acme" tells what role Marina has and where. Only sentences
of few and plain forms are read; what has none of them has no triple, and is
no worse for it.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from tilth.knowledge.facts.statement import Triple
from tilth.knowledge.vocabulary.registries import Channel


class Read(NamedTuple):
    """What a sentence says: a triple, its channel, and what else it is about."""

    triple: Triple
    channel: Channel
    about: tuple[str, ...] = ()


_CHARS_MAX = 400
_NAME = r"(?P<subject>[^\s,;:?!\"](?:[^,;:?!\"\n]{0,78}[^\s,;:?!\"])?)"
_VALUE = r"(?P<object>\S.*?)\.?"
# Words that stand for something said before, which a statement by itself cannot tell.
_POINTING_WORDS = "it this that these those he she they we you there here what who which one"
_POINTING = frozenset(_POINTING_WORDS.split())
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
# "At" joins a role to a place that has a name: "CTO at Acme", never "up at night".
_ROLE = re.compile(
    rf"{_NAME} is (?:now )?(?:an? |the )?(?P<object>(?:[^\W\d_][\w/&-]* ){{1,4}}?"
    r"(?i:at) (?P<place>[^\W\d_a-z][^,;:?!\"\n]{0,78}?))\.?"
)
_I_PREFER = re.compile(rf"I prefer {_VALUE}", re.IGNORECASE)
_RELATIONS = frozenset({"works_for", "knows", "likes", "role_at"})


def read_sentence(text: str) -> Read | None:
    """Return what one short sentence says; None where it has no form that is known."""
    text = " ".join(text.split())
    if not text or len(text) > _CHARS_MAX:
        return None
    if found := _I_PREFER.fullmatch(text):
        return _read("user", "prefers", found["object"])
    if found := _ROLE.fullmatch(text):
        return _read(found["subject"], "role_at", found["object"], (found["place"],))
    if found := _HAS.fullmatch(text) or _OF.fullmatch(text):
        return _read(found["subject"], _PROPERTIES[found["property"].casefold()], found["object"])
    if found := _DOES.fullmatch(text):
        return _read(found["subject"], _VERBS[found["verb"].casefold()], found["object"])
    return None


def _read(subject: str, predicate: str, value: str, about: tuple[str, ...] = ()) -> Read | None:
    if subject.split(maxsplit=1)[0].casefold() in _POINTING:
        return None
    if predicate == "port" and not any(map(str.isdecimal, value)):
        return None
    channel = Channel.RELATIONSHIP if predicate in _RELATIONS else Channel.ENTITY
    return Read(Triple(subject, predicate, value), channel, about)
