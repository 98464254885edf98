"""
Find the persons that a text names.

Names are runs of capitalised words. Whether a run names a person is told by its own words ("Lab"),
by those around it ("in", "project", "said"), and by the same run elsewhere in the text. A run
without such evidence is left out.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator

from tilth.core.dataclass import dataclass
from tilth.core.text.prose import prose


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Capitalised words that are no names, such as those that begin sentences.
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
# Languages of people and machines, and well-known products: "in Python" is no place.
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
# Last words of names of companies, projects and places.
_THINGS = _words(
    """
    lab labs laboratory laboratories institute institution inc corp corporation llc ltd limited
    gmbh ag plc co company companies studio studios press publishing publishers trust foundation
    fund university college school schools academy faculty hospital clinic bank group network
    society association federation council committee commission ministry department agency
    bureau office authority court parliament garden gardens orchard orchards nursery nurseries
    farm farms logistics partners capital holdings ventures industries technologies technology
    solutions software consulting consultants services systems motors airlines airways insurance
    telecom extension conservancy union club museum library gallery theatre theater church
    orchestra choir ensemble brewery bakery cafe restaurant hotel pharmacy records media games
    energy pharma biotech robotics analytics science sciences research visualization collective
    cooperative alliance consortium initiative party league logistik aerospace electronics
    supermarket shop store project engine app platform portal bot pipeline dashboard framework
    suite toolkit program programme redesign migration rollout launch campaign street avenue
    road lane square lake river valley bay island islands mountain mountains hill hills flats
    city town village park beach coast county forest harbour harbor falls bridge mounts district
    region station airport peninsula desert canyon pass ridge
    """
)
# The same after a name, in small letters: "the Aerwyn Telemetry consortium".
_ORGANISATIONS_AFTER = _words(
    """
    consortium company team group lab foundation startup firm agency department committee
    office journal newsroom board board's staff
    """
)
_PROJECTS_AFTER = _words(
    """
    project projects pipeline repo repository dashboard app program programme initiative corridor
    migration rollout redesign prototype roadmap milestone backlog sprint codename library module
    package service outage tool rules survey baseline work release codebase context
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
# Verbs of people, right after a name.
_DOES = _words(
    """
    is was has had wants says thinks needs works lives knows likes prefers asks leads runs owns
    manages does goes comes feels loves hates plans hopes reports joins moves writes reads speaks
    said met led wrote thought sat put got made took gave told went came ran left spoke sent found
    felt knew held kept bought built brought taught agreed will would can could and or who also
    just really still never always drove won began helped
    """
)
# Words right before a person's name: with, told, thanked.
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


_BEFORE_CHARS = 40
_NAME_WORDS_MAX = 6


@dataclass(frozen=True, slots=True)
class _Run:
    """A run of capitalised words, with the words around it."""

    words: tuple[str, ...]
    before: tuple[str, ...]
    after: str
    follows: str
    is_opening: bool

    @property
    def name(self) -> str:
        return " ".join(self.words)


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
# Endings of English words that names of people hardly ever have.
_ENGLISH = re.compile(
    r"(?:[a-z]{2,}(?:tion|sion|ment|ness|ity|ance|ence|ing|ings|ive|able|ible|ful|ous|ship|ism|"
    r"ware|ly|ies|ed|est|ize|ise|ure|age|ics?)|[a-z]{3,}(?:tor|ter|der|ger|ser|als?|ors|ers))$"
)
_CONTRACTED = re.compile(r"(?:I|We|You|He|She|They|It|That|There|Who|What|Let)['\u2019]")
_MIXED = re.compile(r"[a-z][A-Z]|\d|^[A-Z]{2,}")
# In characters: a line of only such words is a heading.
_HEADING_CHARS_MAX = 80
_PERSON_WORDS_MAX = 3
_SHORT = 3


def persons_in(text: str) -> set[str]:
    """Return the persons named in *text*, which is English; in other languages fewer are found."""
    lines = prose(text).split("\n")
    told = defaultdict[str, Counter[bool]](Counter)
    for run in _runs("\n".join("" if _is_heading(line) else line for line in lines)):
        if (is_person := _is_persons(run)) is not None:
            told[run.name][is_person] += 1
    # A short form is left out beside the long one: "Ivora" beside "Ivora Tinn".
    longer = {word for name in told if " " in name for word in name.split()}
    persons = {name for name, counts in told.items() if counts.most_common(1)[0][0]}
    return persons - longer


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
    """Return a run without titles and words that only begin a sentence."""
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
        before=(*before, *titles),
        after=after[1] if after else "",
        follows=follows[0].strip() if follows else "",
        is_opening=is_opening,
    )


def _opens(word: str, run: str, *, is_opening: bool) -> bool:
    """Say whether a capitalised word only begins a sentence."""
    is_led = word.casefold() in _BEFORE_PERSONS and len(run.split()) > 1
    if word.casefold() in _OPENERS or _CONTRACTED.match(word) or is_led:
        return True
    is_verb = word.endswith(("ed", "ing")) and len(run.split()) > 1
    return is_opening and is_verb and not _PLURAL.search(run.rsplit(maxsplit=1)[-1])


def _is_persons(run: _Run) -> bool | None:
    """Say whether a run names a person where it stands; None if nothing tells."""
    last, is_long = run.words[-1].casefold(), len(run.words) > 1
    if run.after in _PROJECTS_AFTER and not run.follows.endswith("s"):
        return False if is_long or "-" in last else None
    is_thing = last in _THINGS or run.after in _ORGANISATIONS_AFTER
    if (is_long and is_thing) or run.after in _PLACES_AFTER:
        return False
    return _is_long_name(run) if is_long else _is_first_name(run)


def _is_long_name(run: _Run) -> bool | None:
    """Say whether a run of several words names a person, if its own words do not tell."""
    nearest = run.before[-1] if run.before else ""
    if nearest in _BEFORE_PLACES:
        return False
    if nearest in _TITLES:
        return True
    is_ware = any(_MIXED.search(word) or word.casefold() in _NO_NAMES for word in run.words)
    if is_ware or len(run.words) > _PERSON_WORDS_MAX:
        return None
    is_thing = bool(_DETERMINERS.intersection(run.before[-2:]))
    if _PLURAL.search(run.words[-1]) and (is_thing or _is_attribute(run)):
        return False
    is_doubted = run.is_opening or any(map(_ENGLISH.search, run.words))
    return None if is_thing or (is_doubted and not _is_of_somebody(run, nearest)) else True


def _is_attribute(run: _Run) -> bool:
    """Say whether the run modifies a noun behind it: "the Paths baseline"."""
    is_verb = run.after in _DOES or run.after.endswith("ed")
    return bool(run.after) and not is_verb and run.after not in _SMALL | _OPENERS


def _is_first_name(run: _Run) -> bool | None:
    """Say whether one capitalised word names a person, judging by its surroundings."""
    word = run.words[0]
    is_ware = _MIXED.search(word) or word.casefold() in _NO_NAMES
    if is_ware or len(word) < _SHORT or _ENGLISH.search(word):
        return None
    *_, second, nearest = ("", "", *run.before)
    if not run.is_opening and not _is_attribute(run):
        is_there = nearest == "the" and second in _BEFORE_PLACES | {"of"}
        goes_there = nearest == "to" and second in _GOES_TO
        if is_there or goes_there or nearest in _BEFORE_PLACES:
            return False
    is_named = nearest not in _DETERMINERS and _is_of_somebody(run, nearest)
    return True if is_named else None


def _is_of_somebody(run: _Run, nearest: str) -> bool:
    """Say whether the words around a run are those around people."""
    does = run.after in _DOES or run.after.endswith("ed")
    if nearest in _TITLES or does or run.follows.endswith("s"):
        return True
    return not run.is_opening and nearest in _BEFORE_PERSONS
