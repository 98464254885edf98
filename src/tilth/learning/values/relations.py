"""
Read relations of people: kin, roles, duties, homes and work places, and contacts.

A relation counts if a clause states it of somebody with a name, of the speaker, or of a relative
("my sister"), and neither asks nor guesses.
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

from tilth.episodes.episode import Episode
from tilth.knowledge.facts.statement import Statement
from tilth.knowledge.vocabulary.registries import Channel
from tilth.learning.candidate import Candidate, Malformed, StatementKind, Turn
from tilth.learning.text.clause_context import is_at_work
from tilth.learning.text.clauses import Clause, clauses
from tilth.learning.text.persons import persons_in
from tilth.learning.text.third_person import in_third_person, speaker_of
from tilth.learning.values.claims import is_asserted, triple_of

# Words for members of a family, and for what one shares a life with.
KIN = (
    r"(?:(?:great[- ])?(?:grand)?(?:mother|father|mum|mom|dad|ma|pa|parents?|son|daughter|child|"
    r"kids?|children)|grand(?:ma|pa)|(?:step|half|twin|older|younger|elder|little|big)?[- ]?"
    r"(?:brother|sister|sibling)s?|aunt|uncle|cousins?|niece|nephew|wife|husband|spouse|partner|"
    r"girlfriend|boyfriend|fianc[ée]e?|ex(?:[- ](?:wife|husband))?|godmother|godfather|godson|"
    r"goddaughter|step(?:mother|father|son|daughter|mum|dad)|"
    r"(?:mother|father|sister|brother|son|daughter)-in-law|in-laws|family|"
    r"dog|cat|pet|horse|puppy|kitten|rabbit|parrot|hamster|baby|toddler|twins?)"
)
_PERSONS = (
    r"accountant|administrator|admin|adviser|advisor|agent|ambassador|analyst|apprentice|architect|"
    r"archivist|artist|assistant|associate|attorney|auditor|author|babysitter|baker|barber|bassist|"
    r"boss|broker|buddy|builder|bookkeeper|candidate|caretaker|carpenter|chair|chairman|chairwoman|"
    r"champion|chef|chief|clerk|client|coach|co-?founder|colleague|conductor|consultant|contact|"
    r"contractor|contributor|controller|cook|coordinator|counsel|counsellor|curator|customer|deputy|"
    r"dentist|designer|developer|dev|director|doctor|dr|driver|drummer|economist|editor|electrician|"
    r"employee|engineer|entomologist|evangelist|examiner|executive|expert|florist|flatmate|founder|"
    r"freelancer|friend|gardener|gp|guitarist|guardian|hairdresser|head|headmaster|housemate|"
    r"illustrator|inspector|instructor|intern|investor|interpreter|janitor|journalist|judge|"
    r"keeper|keyboarder|landlady|landlord|lawyer|lead|leader|lecturer|librarian|maintainer|manager|"
    r"marketer|mathematician|mechanic|member|mentor|midwife|minister|mayor|musician|nanny|neighbou?r|"
    r"nurse|nutritionist|officer|operator|organi[sz]er|owner|painter|paralegal|paramedic|partner|"
    r"pastor|pharmacist|photographer|physicist|physio(?:therapist)?|pianist|pilot|planner|plumber|"
    r"postdoc|president|principal|producer|professor|programmer|psychologist|publisher|realtor|"
    r"receptionist|recruiter|referee|rep|representative|researcher|reviewer|roommate|sales(?:man|"
    r"woman|person)|scientist|secretary|sergeant|shareholder|singer|solicitor|specialist|"
    r"spokesperson|sponsor|sre|stakeholder|student|supervisor|supplier|surgeon|surveyor|sysadmin|"
    r"tailor|teacher|teammate|technician|tenant|tester|therapist|trainee|trainer|translator|"
    r"treasurer|trustee|tutor|vendor|vet|veterinarian|violinist|vocalist|volunteer|waiter|warden|"
    r"webmaster|welder|winner|worker|writer|civil servant|point person|point of contact|"
    r"product owner|scrum master|handyman|cto|ceo|cfo|coo|ciso|cio|cmo|cpo|dpo|dba|pm|vp|svp|evp|"
    r"hr|qa|md"
)
# A role ends in one of these words, after a modifier: "senior data engineer".
_KIND = r"(?:(?!(?:about|of|for|with|to|at|in|on|by|from|that) )[\w&/-]{1,24} )"
ROLE = rf"(?:{_KIND}{{0,4}}?(?:{_PERSONS})(?: of [\w&' -]{{2,40}}?)?)"
# Duties, which only people have.
DUTIES = (
    r"owns|leads|heads|chairs|coordinates|oversees|supervises|looks after|takes care of|is in "
    r"charge of|is responsible for|is accountable for|signs off on|is on call for|takes over|took "
    r"over|is the owner of|is the only one who can|is taking over|will take over|is the one who"
)
# Actions of programs too, but not on somebody's "pictures".
DOINGS = (
    r"runs|manages|maintains|handles|covers|deals with|administers|organises|organizes|keeps|does|"
    r"reviews|approves|checks"
)


_SURE, _LIKELY, _FAIR = 0.88, 0.8, 0.72
# The most relations of a clause: "My sister Lea lives in Porto" states two.
_RELATIONS_MAX = 2


class _Relation(NamedTuple):
    """A subject, predicate and value, with a confidence."""

    subject: str
    predicate: str
    object: str
    confidence: float


_Read: TypeAlias = Callable[[re.Match[str]], tuple[str, str, str]]
_TITLE = r"(?:Dr|Prof|Professor|Mr|Mrs|Ms|Mx|Miss|Sir|Dame|Herr|Frau|Don|Aunt|Uncle)\.? "
_WORD = r"[A-ZÀ-ÖØ-ÞĀ-ŽŞİ][\w'-]*(?<!'s)"
_OF_NAMES = r"(?:(?:van|de|von|der|den|da|di|la|bin|al) ){0,3}"
_NAME = rf"(?-i:(?:an? )?(?:{_TITLE})?{_WORD}(?: {_OF_NAMES}{_WORD}){{0,3}})"
_WHOSE = rf"(?:my|our|his|her|their|your|(?:{_NAME})'s)"
_WHO = (
    rf"(?P<who>I|we|he|she|they|{_NAME}|{_WHOSE} (?:[\w-]+ ){{0,2}}?(?:{KIN}|{ROLE})"
    rf"(?: (?P<called>{_NAME}))?)"
)
_IS = r"(?: is|'s| are|'re|'m| am)(?: now| still| currently| also| actually| really| both)*"
_DOES = r"(?: now| still| currently| also| always| usually| really| both| mostly)*"
_REST = r"(?P<rest>\S.*?)[.! ]*"
# What one may have several of; a role belongs to one work place.
_OF_OWN = re.compile(
    rf"{KIN}|friend|colleague|boss|neighbou?r|flatmate|roommate|teammate", re.IGNORECASE
)
# What follows says when, why or with whom, and belongs to no place or name.
_TAIL = re.compile(
    r"\s(?:in (?:19|20)\d\d|now|since|last|"
    r"this|next|as an?|when|while|because|bc|if|until|till|from now|these|again|anymore|any more|"
    r"too|btw|by the way|in case|who|which|and (?:he|she|they|is|was)|will|would|has|is|was|"
    r"so|but|by (?:it|him|her|them)sel\w+|lol|ha(?:ha)+\w*|tho|though|imo|unfortunately|sadly)\b.*",
    re.IGNORECASE,
)
_THE = re.compile(r"\A(?:the|our|my)\s", re.IGNORECASE)
_WHO_DOES = re.compile(r",? (?:who|whose|which)\b[^,;.!?]{2,120}", re.IGNORECASE)
_SPEAKING = frozenset({"i", "my", "me", "our", "we"})
# The subject of an agent's notes, who is the "I" of the session.
_OF_NOTES = "the user"
# In "The second take of Driftwood", the name is part of another thing's.
_WITHIN = re.compile(r"\b(?:of|for|from|with|in|on|by) $", re.IGNORECASE)
# A bare "member" names no group, and "clearly the best" is no role.
_PRAISE = re.compile(r"\b(?!only\b)\w+ly\b", re.IGNORECASE)
_NO_ROLE = re.compile(
    r"(?:an? |the |our |their )?"
    r"(?:member|keeper|winner|owner|contact|head|expert|friend|guest|worker)",
    re.IGNORECASE,
)
_OF_MINE = re.compile(r"(?:my|our|his|her|their|your) ", re.IGNORECASE)
_STAY = re.compile(r"\s(?:with|from|until|till|for)\b.*", re.IGNORECASE)
# Several things that "live" somewhere are stored there.
_LIVE = re.compile(r"(?<!i )(?<!we )(?<!they )\blive\b", re.IGNORECASE)
_BY_ROLE = re.compile(rf"(?:{KIN}|{ROLE})", re.IGNORECASE)
_ABSENT = frozenset({"he", "she", "his", "her"})
# What an agent is or left is no role or status of a person.
_AGENT = "assistant"
_PRONOUNS = _ABSENT | {"they", "their", "your"}
_LOOKBACK_CHARS = 400
_TEAM = (
    r"(?:legal|sales|support|hr|finance|accounting|accounts|marketing|it|ops|operations|security|"
    r"procurement|engineering|product|design|compliance|payroll|research|infra|platform|purchasing|"
    r"logistics|the [\w-]+(?: [\w-]+)? (?:team|group|department|office|desk|side))"
)
# Endings of capitalised words that are hardly anybody's name.
_OF_WORDS = ("ing", "ion", "ment", "ness", "ity", "ly", "ism", "ware")
_OTHER_WORDS = """
    i it the this that these those there here what who when where why how and but or if so yes no
    ok okay not all every some any each please thanks note done can could would should will do
    does did is are was were has have had maybe perhaps also then now let use set run see add
    today tomorrow yesterday monday tuesday wednesday thursday friday saturday sunday in on at
    for from with by as of to we you nothing something everything everyone someone nobody good
    great nice sorry hi hello hey dear greetings regards cheers love best
"""
# Words that begin a sentence with a capital and are no names.
_NOT_NAMES = frozenset(_OTHER_WORDS.split())


def _as(predicate: str, before: str = "") -> _Read:
    """Return a reader for *predicate*, which puts *before* in front of the value."""
    return lambda found: (_who(found), predicate, f"{before}{found['rest']}")


def _who(found: re.Match[str]) -> str:
    """Return the subject, by name if it has one."""
    parts = found.groupdict()
    who: str = parts.get("called") or parts.get("who") or parts["name"]
    return who


def _kin(found: re.Match[str]) -> tuple[str, str, str]:
    """Return whose relative somebody is, or the role of somebody who is none."""
    if _OF_OWN.fullmatch(kin := found["kin"].split(" ")[-1]):
        return found["whose"], kin, found["name"]
    return found["name"], "role_at", f"{found['whose']} {found['kin']}"


def _duty(found: re.Match[str]) -> tuple[str, str, str]:
    if found["duty"].lower() in {"owns", "is the owner of"}:
        return _THE.sub("", _TAIL.sub("", found["rest"])), "owned_by", _who(found)
    return _who(found), "responsible_for", found["rest"]


def _contact(found: re.Match[str]) -> tuple[str, str, str]:
    what = found["what"].casefold()
    predicate = "email_address" if "mail" in what else "has_contact"
    if what in {"birthday", "date of birth"}:
        predicate = "birthday"
    return found["name"], predicate, found["rest"]


class _Form(NamedTuple):
    """A pattern with its reader and confidence, and whether it must cover the clause."""

    pattern: re.Pattern[str]
    read: _Read
    confidence: float
    is_whole: bool


_FORMS: list[_Form] = []


def _form(read: _Read, *patterns: str, confidence: float = _LIKELY, is_whole: bool = True) -> None:
    compiled = (re.compile(pattern, re.IGNORECASE) for pattern in patterns)
    _FORMS.extend(_Form(one, read, confidence, is_whole) for one in compiled)


_CALLED = rf"(?:{_IS}(?: called| named)?|'s name is|,)?"
_OF_THEM = rf"(?P<whose>{_WHOSE}) (?P<kin>(?:[a-z-]+ ){{0,2}}?{KIN}|{ROLE})"
_PLACE = r"(?: (?:at|of|for|in|on|with) .+?)?(?=[,;.!)]|$| and | but | who | since | until | here)"
_HAS = r"(?: (?:has|have)|'s|'ve)?(?: just)?"
_LEAVE = (
    r"(?:went|goes|is|was|will be) (?:on|off on) (?:\w+ )?(?:leave|sabbatical|holiday|vacation|"
    r"rotation|secondment)"
)
_AWAY = r"left|leaves|leaving|retired|retires|starts|returns|comes back"
_WHEN = (
    r"(?: (?:on|in|at|the|end|early|mid|late|next|last) (?:(?! and ).){2,40}?| .{0,12}\d.{0,20}?)?"
)
_BODY = (
    r"allergic|intolerant|lactose|vegan|vegetarian|coeliac|celiac|diabetic|pregnant|"
    r"colou?r[- ]?blind|left-handed"
)
_ADDRESS = (
    r"e-?mail(?: address)?|phone(?: number)?|number|mobile|cell|address|handle|extension|birthday|"
    r"date of birth|github|slack"
)
_form(
    _kin,
    rf"{_OF_THEM}{_CALLED} (?P<name>{_NAME})\b",
    rf"(?P<name>{_NAME})(?:{_IS}|,| who{_IS}) {_OF_THEM}\b",
    confidence=_SURE,
    is_whole=False,
)
_form(
    _as("role_at"),
    r"(?:there's|there is|we have|i have|we've got|i've got|we got|it's|it is|this is|meet) "
    rf"(?P<rest>(?:an?|our|the) (?:new )?{ROLE})[^.;!?]{{0,12}}?, (?P<name>{_NAME})\b",
    rf"(?P<rest>the (?:new |other |old )?{ROLE})(?:{_IS}(?: called| named)?|:|,)? "
    rf"(?P<name>{_NAME})\b",
    rf"(?P<name>{_NAME}|he|she)(?:{_IS}|,| works as| started as| joined as) "
    rf"(?P<rest>(?:(?:an?|the|our|their|my|your) )?{ROLE}{_PLACE})",
    rf"(?P<name>I)(?:{_IS}| work as| started as) "
    rf"(?P<rest>(?:an?|the|their|her|his) {ROLE}{_PLACE})",
    confidence=_SURE,
    is_whole=False,
)
_form(_as("reports_to"), rf"{_WHO}{_DOES} reports? to {_REST}", confidence=_SURE)
_form(
    _as("works_for"),
    rf"{_WHO}(?:{_DOES} works? (?:for|at|with)|{_IS} (?:at|with|employed (?:at|by))) "
    r"(?P<rest>(?-i:[A-Z\u00c0-\u00de]).*?)[.! ]*",
    rf"{_WHO}{_HAS} (?:started at|starts at|joined(?= (?-i:[A-Z\u00c0-\u00de])|"
    rf" (?:the|our|an?) (?:[\w-]+ )*?(?:team|company|start-?up|firm|agency|bank|lab)\b)) {_REST}",
)
# A gym, group or club; joining in, or joining somebody, makes no member.
_form(
    _as("member_of"),
    rf"{_WHO}{_HAS} joined (?P<rest>(?:the|our|an?) [\w-]+.*?)[.! ]*",
)
_form(_as("working_on"), rf"{_WHO}{_DOES} works? (?:on|in) {_REST}")
_form(
    _as("lives_in"),
    rf"{_WHO}(?:{_DOES} lives?(?: together)?|{_IS} (?:living|based|located)|{_HAS} moved|"
    rf"{_IS}(?: away| off| out)?(?= in (?-i:[A-Z]))) (?:in|to|at|near) {_REST}",
    rf"(?P<who>the user)(?:{_DOES} lives?|{_IS} (?:living|based)|{_HAS} moved) "
    r"(?:in|to|at|near) (?P<rest>(?-i:[A-Z\u00c0-\u00de]).*?)[.! ]*",
)
_form(_duty, rf"{_WHO} (?P<duty>{DUTIES}) {_REST}")
_form(
    _duty,
    rf"{_WHO} (?P<duty>{DOINGS}) (?P<rest>(?:the|our|my|their|all|any|every)\w* .+?|\w+)[.! ]*",
    confidence=_FAIR,
)
_form(
    _contact,
    rf"(?P<name>{_NAME})(?:'s|s') (?:new |work |private |mobile )?(?P<what>{_ADDRESS})(?:{_IS}|:) "
    rf"{_REST}",
    confidence=_SURE,
)
_form(
    _as("has_contact"),
    rf"(?:you can )?(?:reach|e-?mail|call|ping|contact) (?P<who>{_NAME}) (?:at|on|via|under) "
    rf"{_REST}",
    rf"{_WHO}{_DOES} (?:goes to|go to|sees|see|is seeing|consults) (?:an? |the )?"
    rf"(?P<rest>(?:{_TITLE}){_NAME}.*?)[.! ]*",
)
_form(_as("partner"), rf"{_WHO}{_IS} (?:married|engaged) to {_REST}", confidence=_SURE)
_form(
    _as("trait"),
    rf"{_WHO}{_IS} (?P<rest>(?!allergic[.! ]*$)(?:{_BODY}).*?)[.! ]*",
    rf"{_WHO} (?:was|were) (?P<rest>born (?:in|on|at) .+?)[.! ]*",
)
_form(
    _as("status", "left "),
    rf"{_WHO}{_HAS} (?:left(?! for\b)|quit|resigned from|retired from) {_REST}",
)
_form(
    _as("status"),
    rf"{_WHO}{_HAS} (?P<rest>(?:{_AWAY}){_WHEN})[.! ]*",
    rf"{_WHO} (?P<rest>{_LEAVE}.*?)[.! ]*",
)
_form(
    _as("works_for"),
    rf"(?P<who>{_NAME}) (?:from|in|at) (?P<rest>{_TEAM})\b",
    confidence=_FAIR,
    is_whole=False,
)

# What something is, rather than a relation between people.
_CHANNELS = {"is_a": Channel.ENTITY}
_PARTY = re.compile(
    r"(?:an?|our|\w+'s) (?:new )?"
    r"(?P<kind>client|customer|vendor|supplier|competitor|contractor|reseller)",
    re.IGNORECASE,
)


def relations(turn: Turn) -> Iterator[Candidate | Malformed]:
    """Yield the relations of people that somebody states."""
    episode = turn.episode
    if not turn.is_spoken or is_at_work(turn):
        return
    for clause in clauses(episode.text):
        if not is_asserted(clause):
            continue
        for relation in _relations(clause, turn)[:_RELATIONS_MAX]:
            yield _candidate(_with_who(clause), relation, episode)


def _relations(clause: Clause, turn: Turn) -> list[_Relation]:
    """Return the relations in a clause, surest first, one for each predicate."""
    relations: dict[str, _Relation] = {}
    for form in _FORMS:
        if (relation := _relation(form, clause, turn)) is not None:
            relations.setdefault(relation.predicate, relation)
    return list(relations.values())


def _relation(form: _Form, clause: Clause, turn: Turn) -> _Relation | None:
    """Return the relation in a clause by one form, with names for pronouns."""
    # Quotations and code state nothing, but may be the value.
    readable = clause.text.replace("\u2019", "'")
    find = form.pattern.fullmatch if form.is_whole else form.pattern.search
    if find(clause.plain) is None or (found := find(readable)) is None:
        return None
    subject, predicate, value = form.read(found)
    if _WITHIN.search(readable, 0, found.start()) or not _is_of_people(subject, predicate, value):
        return None
    who = _resolved(subject, clause, turn)
    value = _TAIL.sub("", _resolved(value, clause, turn)).strip('`"')
    if predicate == "lives_in":
        predicate = "located_in" if _LIVE.search(clause.plain) else predicate
        value = _STAY.sub("", value)
    if predicate == "role_at" and (kind := _PARTY.fullmatch(value)):
        predicate, value = "is_a", kind["kind"]
    is_told = who and value and not _is_common(who) and who != _AGENT
    return _Relation(who, predicate, value, form.confidence) if is_told else None


def _is_of_people(subject: str, predicate: str, value: str) -> bool:
    """Say whether it is about a person, and not a possession or praise."""
    mine = _OF_MINE.match(subject)
    is_thing = mine is not None and _BY_ROLE.match(subject, mine.end()) is None
    return not is_thing and not (predicate == "role_at" and _PRAISE.search(value))


def _resolved(part: str, clause: Clause, turn: Turn) -> str:
    """Return a part of a relation, with names for "I", "my" and "he"."""
    part = part.strip(" .,;!").removesuffix("'s")
    folded = part.casefold()
    if folded in _SPEAKING:
        return speaker_of(turn.episode)
    if folded == _OF_NOTES:
        return "user"
    if folded in _ABSENT:
        return _named_before(clause, turn) or part
    if folded.startswith(("my ", "our ")):
        return f"{speaker_of(turn.episode)}'s {part.split(' ', 1)[1]}"
    return part


def _named_before(clause: Clause, turn: Turn) -> str:
    """Return the only person named before a clause; empty if there is not exactly one."""
    said = turn.episode.text[max(0, clause.start - _LOOKBACK_CHARS) : clause.start]
    asked = turn.before.text[-_LOOKBACK_CHARS:] if turn.before is not None else ""
    for text in (said, asked):
        if persons := persons_in(text):
            return persons.pop() if len(persons) == 1 else ""
    return ""


def _is_common(name: str) -> bool:
    """Say whether a word in the place of a name only begins a sentence."""
    first = name.split(maxsplit=1)[0].casefold().strip(".,")
    return first in _NOT_NAMES or (name[0].isupper() and first.endswith(_OF_WORDS))


def _with_who(clause: Clause) -> str:
    """Return a clause, with what is said right after it of the person at its end."""
    sentence = clause.sentence
    end = clause.end - sentence.start
    found = _WHO_DOES.match(sentence.plain, end)
    stop = found.end() if found else end
    return sentence.text[clause.start - sentence.start : stop]


def _candidate(quote: str, relation: _Relation, episode: Episode) -> Candidate:
    subject, predicate, value, confidence = relation
    is_known = _PRONOUNS.isdisjoint({subject.casefold(), value.casefold()})
    is_known = is_known and not (predicate == "role_at" and _NO_ROLE.fullmatch(value))
    triple = triple_of(subject, predicate.casefold(), value) if is_known else None
    channel = None if triple is None else _CHANNELS.get(predicate, Channel.RELATIONSHIP)
    said = Statement(text=in_third_person(quote, episode), triple=triple, channel=channel)
    return Candidate(said, quote, StatementKind.RELATIONSHIP, confidence)
