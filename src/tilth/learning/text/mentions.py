"""
Who and what a text names: people, projects, places and organisations.

Names are runs of words with capitals. What kind of thing a run belongs to is
told by its own words ("Lab"), by the words around it ("in", "project", "said"),
and by what the same run is elsewhere in the text. A run of which nothing is
told is left out: to anchor nothing costs less than to anchor a mistake.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum

from tilth.core.dataclass import dataclass
from tilth.core.text.prose import prose
from tilth.knowledge.vocabulary.registries import EntityType


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# What begins a sentence with a capital, and what is written with one, without being a name.
_OPENERS = _words(
    """
    a an the this that these those it he she they we you i his her their its our your my there here
    theirs ours mine yours hers option group
    who what which when where why how if whether while although though because since as so but and
    or nor yet for from in on at by with without about after before during until till between among
    against across over under near into onto of off to up down out not no yes never always often
    sometimes once then now today tomorrow yesterday tonight also too just only even still already
    maybe perhaps please thanks thank hello hi hey dear ok okay sure great good nice right well
    all any both each every few many more most much other another some several such same one two
    three four five six seven eight nine ten first second third next last new old quick fact facts
    let can could may might must shall should will would do does did done is are was were be been
    am has have had having get got go going see seen say said says need needs note reminder
    remember update decision confirmed agreed promised honestly instead however therefore thus
    meanwhile finally later earlier recently currently morning afternoon evening
    night day week month year end start nothing something anything everything everyone nobody
    someone anyone section chapter schedule figure table page step part item version appendix
    regards greetings cheers sincerely best kind love root user users team
    monday tuesday wednesday thursday friday saturday sunday january february march april may june
    july august september october november december mon tue wed thu fri sat sun christmas easter
    """
)
# Tongues of people and of machines, and wares that everybody knows: "in Python" is no place.
_NO_NAMES = _words(
    """
    english german french spanish italian dutch danish swedish norwegian finnish polish russian
    chinese japanese korean arabic turkish portuguese greek latin welsh irish hebrew hindi
    python rust go golang java kotlin swift ruby scala haskell ocaml erlang elixir typescript
    javascript perl php lua julia fortran cobol bash zsh sql html css latex markdown json yaml toml
    xml csv pdf linux windows macos android ios docker kubernetes git github gitlab slack jira
    notion figma excel word outlook postgres postgresql mysql sqlite redis kafka nginx terraform
    ansible jenkins grafana prometheus react vue angular django flask rails node npm internet api
    """
)
_ORGANISATIONS = _words(
    """
    lab labs laboratory laboratories institute institution inc corp corporation llc ltd limited gmbh
    ag plc co company companies studio studios press publishing publishers trust foundation fund
    university college school schools academy faculty hospital clinic bank group network society
    association federation council committee commission ministry department agency bureau office
    authority court parliament garden gardens orchard orchards nursery nurseries farm farms
    logistics partners capital holdings ventures industries technologies technology solutions
    software
    consulting consultants services systems motors airlines airways insurance telecom extension
    conservancy union club museum library gallery theatre theater church orchestra choir ensemble
    brewery bakery cafe restaurant hotel pharmacy records media games energy pharma biotech
    robotics analytics science sciences research visualization collective cooperative alliance
    consortium initiative party league logistik aerospace electronics bank supermarket shop store
    """
)
# After a name, in small letters: "the Aerwyn Telemetry consortium".
_ORGANISATIONS_AFTER = _words(
    """
    consortium company team group lab foundation startup firm agency department committee
    office journal newsroom board board's staff
    """
)
_PROJECTS = _words(
    """
    project engine app platform portal bot pipeline dashboard framework suite toolkit initiative
    program programme redesign migration rollout launch campaign
    """
)
_PROJECTS_AFTER = _words(
    """
    project projects pipeline repo repository dashboard app program programme initiative corridor
    migration rollout redesign prototype roadmap milestone backlog sprint codename library module
    package service outage tool rules survey baseline work release codebase context
    """
)
_PLACES = _words(
    """
    street avenue road lane square lake river valley bay island islands mountain mountains hill
    hills flats city town village park beach coast county forest harbour harbor falls bridge
    mounts district region station airport peninsula desert canyon pass ridge
    """
)
_PLACES_AFTER = _words(
    """
    district region valley county city village town street river bay island mountains area coast
    province state peninsula cluster datacentre datacenter airport station
    """
)
_TITLES = _words(
    """
    mr mrs ms mx miss dr prof professor sir dame herr frau ceo cto cfo coo ciso cio cmo vp cpo pm
    sre dba president director captain officer judge senator sister brother aunt uncle father
    mother manager lead engineer doctor auditor founder chair minister king queen coordinator
    colleague accountant lawyer teacher author maintainer entomologist horticulturist postdoc
    reader contributor boss intern conductor designer developer analyst
    """
)
# What people do, as it stands right after their name.
_DOES = _words(
    """
    is was has had wants says thinks needs works lives knows likes prefers asks leads runs owns
    manages does goes comes feels loves hates plans hopes reports joins moves writes reads speaks
    said met led wrote thought sat put got made took gave told went came ran left spoke sent found
    felt knew held kept bought built brought taught agreed will would can could and or who also
    just really still never always drove won began helped
    """
)
# What stands before somebody: who is with, told, thanked.
_BEFORE_PERSONS = _words(
    """
    with by asked told met thanked emailed called pinged thank ask tell ping email meet invited
    introduced helped hired visited saw joined cc copied copy dear hi hello thanks for
    """
)
_BEFORE_PLACES = _words("in near around outside inside across throughout within towards")
_GOES_TO = _words(
    """
    move moved moving moves relocate relocated travel travelled traveling trip flew fly flying
    drove went back visit
    """
)


# Names further on are looked for when what they are anchored to is.
_READ_CHARS_MAX = 40_000
_BEFORE_CHARS = 40
_NAME_WORDS_MAX = 6


class MentionType(StrEnum):
    """What kind of thing a mention names."""

    PERSON = "person"
    PROJECT = "project"
    PLACE = "place"
    ORGANISATION = "organisation"


@dataclass(frozen=True, slots=True)
class Mention:
    """A name in a text, what kind of thing it names, and where it stands."""

    name: str
    type: MentionType
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Run:
    """Words with capitals that stand together, and what stands around them."""

    words: tuple[str, ...]
    start: int
    end: int
    before: tuple[str, ...]
    after: str
    follows: str
    is_opening: bool

    @property
    def name(self) -> str:
        return " ".join(self.words)


_TYPES = {
    EntityType.PERSON: MentionType.PERSON,
    EntityType.AGENT: MentionType.PERSON,
    EntityType.PROJECT: MentionType.PROJECT,
    EntityType.ORGANISATION: MentionType.ORGANISATION,
}
_LINE = re.compile(r"[^\n]+")
_SMALL = frozenset({"and", "of", "the", "for", "in", "to", "with", "a", "or", "on"})
_UPPER = "A-Z\u00c0-\u00d6\u00d8-\u00de\u0100\u0106\u010c\u0141\u015a\u0160\u017d\u0130\u015e"
_WORD = rf"[{_UPPER}](?:[\w&]|['\u2019](?!s\b)\w|-(?=\w))*"
_BETWEEN = r"(?:[ ](?:de|van|von|der|den|da|di|la|&)(?=[ ])){0,2}[ ]"
_RUNS = re.compile(rf"(?<![\w@#/.-]){_WORD}(?:{_BETWEEN}{_WORD}){{0,7}}")
_ENDS_SENTENCE = re.compile(r"(?:^|[.!?:\n\u2014;]|[-*\u2022]|\d\.)[\s\"'\u201c(]*$")
_LOWER = re.compile(r"[\w'\u2019-]+")
_AFTER = re.compile(r"(?:['\u2019]s)?\s([a-z][\w'-]*)")
_FOLLOWS = re.compile(r"['\u2019]s\b|,|\s?\(|\s\u2014")
_DETERMINERS = frozenset(
    ("the", "a", "an", "this", "that", "our", "their", "its", "his", "her", "my", "your")
)
_PLURAL = re.compile(r"[a-z]{3,}(?:[^su\W]s|ings?)$")
# Endings that English words have and names of people hardly ever.
_ENGLISH = re.compile(
    r"(?:[a-z]{2,}(?:tion|sion|ment|ness|ity|ance|ence|ing|ings|ive|able|ible|ful|ous|ship|ism|"
    r"ware|ly|ies|ed|est|ize|ise|ure|age|ics?)|[a-z]{3,}(?:tor|ter|der|ger|ser|als?|ors|ers))$"
)
_CONTRACTED = re.compile(r"(?:I|We|You|He|She|They|It|That|There|Who|What|Let)['\u2019]")
_MIXED = re.compile(r"[a-z][A-Z]|\d|^[A-Z]{2,}")
# A line of nothing but such words is a heading.
_HEADING_CHARS_MAX = 80
_PERSON_WORDS_MAX = 3
_SHORT = 3


def mentions(text: str, known: Mapping[str, EntityType] | None = None) -> list[Mention]:
    """
    Return what is named in *text*, in order, each time that it is.

    Args:
        text: Any text in English; of other tongues less is found.
        known: What names are known already, and of what kind; their word counts most.
    """
    said = prose(text[:_READ_CHARS_MAX])
    # Headings are blanked, so that what is left stands where it did.
    said = _LINE.sub(lambda line: " " * len(line[0]) if _is_heading(line[0]) else line[0], said)
    runs = list(_runs(said))
    types = _types(runs, known or {})
    named = [
        Mention(run.name, types[run.name], run.start, run.end) for run in runs if run.name in types
    ]
    longer = {word for one in named if " " in one.name for word in one.name.split()}
    others = {one.name for one in named if one.type is not MentionType.PERSON}
    # What only shortens a longer name is left out: "Ivora" beside "Ivora Tinn".
    return [one for one in named if one.name not in longer or one.name in others]


def _is_heading(line: str) -> bool:
    words = line.split()
    if len(words) <= 1 or len(line) > _HEADING_CHARS_MAX or line.rstrip()[-1:] in ".!?,;":
        return line.lstrip().startswith("#")
    return all(word[:1].isupper() or word in _SMALL or not word[:1].isalpha() for word in words)


def _runs(text: str) -> Iterator[_Run]:
    for found in _RUNS.finditer(text):
        is_opening = _ENDS_SENTENCE.search(text, max(0, found.start() - 6), found.start())
        run = _trimmed(text, found.start(), found.end(), is_opening=is_opening is not None)
        if run is not None:
            yield run


def _trimmed(text: str, start: int, end: int, *, is_opening: bool) -> _Run | None:
    """Return a run without the words that only begin a sentence, and without titles."""
    titles: list[str] = []
    while True:
        word = text[start:end].split(maxsplit=1)[0] if text[start:end].strip() else ""
        is_title = word.casefold() in _TITLES and len(text[start:end].split()) > 1
        if is_title:
            titles.append(word.casefold())
        elif not _opens(word, text[start:end], is_opening=is_opening):
            break
        rest = text[start + len(word) : end]
        start += len(word) + len(rest) - len(rest.lstrip())
        is_opening = False
        if start >= end:
            return None
    words = tuple(text[start:end].split())
    if len(words) > _NAME_WORDS_MAX or all(word.isupper() and len(word) > 1 for word in words):
        return None
    before = _LOWER.findall(text[max(0, start - _BEFORE_CHARS) : start].casefold())
    after = _AFTER.match(text, end)
    follows = _FOLLOWS.match(text, end)
    return _Run(
        words,
        start,
        end,
        before=(*before, *titles),
        after=after[1] if after else "",
        follows=follows[0].strip() if follows else "",
        is_opening=is_opening,
    )


def _opens(word: str, run: str, *, is_opening: bool) -> bool:
    """Say whether a word with a capital only begins a sentence, and no name."""
    is_led = word.casefold() in _BEFORE_PERSONS and len(run.split()) > 1
    if word.casefold() in _OPENERS or _CONTRACTED.match(word) or is_led:
        return True
    is_verb = word.endswith(("ed", "ing")) and len(run.split()) > 1
    return is_opening and is_verb and not _PLURAL.search(run.rsplit(maxsplit=1)[-1])


def _types(runs: Iterable[_Run], known: Mapping[str, EntityType]) -> dict[str, MentionType]:
    """Return what kind of thing each name is: what most of its places tell."""
    told: defaultdict[str, Counter[MentionType]] = defaultdict(Counter)
    for run in runs:
        if (type_ := _type(run)) is not None:
            told[run.name][type_] += 1
    types = {name: counts.most_common(1)[0][0] for name, counts in told.items()}
    given = {name: _TYPES[type_] for name, type_ in known.items() if type_ in _TYPES}
    return types | given


def _type(run: _Run) -> MentionType | None:
    """Return what kind of thing a run is in its place; None where nothing tells."""
    last = run.words[-1].casefold()
    is_named_by_itself = len(run.words) > 1
    is_owner = run.follows.endswith("s") or last in _ORGANISATIONS
    if run.after in _PROJECTS_AFTER and not is_owner:
        return MentionType.PROJECT if is_named_by_itself or "-" in last else None
    if is_named_by_itself and last in _ORGANISATIONS:
        return MentionType.ORGANISATION
    if (is_named_by_itself and last in _PLACES) or run.after in _PLACES_AFTER:
        return MentionType.PLACE
    if is_named_by_itself and run.after in _ORGANISATIONS_AFTER:
        return MentionType.ORGANISATION
    if is_named_by_itself and last in _PROJECTS:
        return MentionType.PROJECT
    return _longer(run) if is_named_by_itself else _single(run)


def _longer(run: _Run) -> MentionType | None:
    """Return what a run of several words is, whose own words do not tell."""
    nearest = run.before[-1] if run.before else ""
    if nearest in _BEFORE_PLACES:
        return MentionType.PLACE
    if nearest in _TITLES:
        return MentionType.PERSON
    is_ware = any(_MIXED.search(word) or word.casefold() in _NO_NAMES for word in run.words)
    if is_ware or len(run.words) > _PERSON_WORDS_MAX:
        return None
    is_thing = bool(_DETERMINERS.intersection(run.before[-2:]))
    if _PLURAL.search(run.words[-1]) and (is_thing or _is_attribute(run)):
        return MentionType.PROJECT
    is_english = any(map(_ENGLISH.search, run.words))
    if is_thing or (is_english and not _is_person(run, nearest)):
        return None
    return None if run.is_opening and not _is_person(run, nearest) else MentionType.PERSON


def _is_attribute(run: _Run) -> bool:
    """Say whether a noun follows to which a run belongs: "the Paths baseline"."""
    is_verb = run.after in _DOES or run.after.endswith("ed")
    return bool(run.after) and not is_verb and run.after not in _SMALL | _OPENERS


def _single(run: _Run) -> MentionType | None:
    """Return what one word with a capital is by what stands around it."""
    word = run.words[0]
    is_ware = _MIXED.search(word) or word.casefold() in _NO_NAMES
    if is_ware or len(word) < _SHORT or _ENGLISH.search(word):
        return None
    nearest, second = (["", "", *run.before])[-1], (["", "", *run.before])[-2]
    if not run.is_opening and not _is_attribute(run):
        is_there = nearest == "the" and second in _BEFORE_PLACES | {"of"}
        goes_there = nearest == "to" and second in _GOES_TO
        if (is_there or goes_there) or nearest in _BEFORE_PLACES:
            return MentionType.PLACE
    if nearest in _DETERMINERS:
        return None
    return MentionType.PERSON if _is_person(run, nearest) else None


def _is_person(run: _Run, nearest: str) -> bool:
    """Say whether what stands around a run is what stands around people."""
    does = run.after in _DOES or run.after.endswith("ed")
    if nearest in _TITLES or does or run.follows.endswith("s"):
        return True
    return not run.is_opening and nearest in _BEFORE_PERSONS
