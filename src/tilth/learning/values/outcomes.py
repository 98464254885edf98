"""
What somebody says is done: merged, released, moved to its new place, passed, won.

A thing done counts where it has a name or a value: "Merged #318" does, "Done"
and "Added" do not.
"""

import re
from collections.abc import Iterator

from tilth.episodes.episode import Episode, Role
from tilth.knowledge.facts.statement import Statement
from tilth.knowledge.vocabulary.registries import Channel
from tilth.learning.candidate import Candidate, Malformed, StatementKind, Turn
from tilth.learning.text.clauses import Clause, clauses
from tilth.learning.text.context import is_at_work
from tilth.learning.text.subjects import is_pointing
from tilth.learning.text.third_person import told
from tilth.learning.text.wholeness import is_whole
from tilth.learning.values.claims import anchor, is_denied, is_echo, is_told, triple_of
from tilth.learning.values.values import is_move

_SURE, _LIKELY = 0.85, 0.75
_BY_US = r"(?:(?P<us>i|we)(?:'ve| have| just| finally| already)*\s)?(?:now |just |finally )?"
# Small steps of a change ("removed", "renamed") are no outcomes: its commit is one.
_DONE = (
    r"merged|committed|pushed|deployed|released|published|shipped|tagged|launched|rolled out|"
    r"migrated|upgraded|renewed|restored|raised|lowered|increased|reduced|bumped|pinned|signed|"
    r"closed|resolved|finished|completed|delivered|submitted|registered|signed up|signed off|"
    r"provisioned|archived|decommissioned|onboarded|hired|booked|paid|sold|bought|won|passed|"
    r"opened|rotated|revoked|set"
)
_WE_DID = re.compile(
    rf"(?:(?:all )?done\W{{1,3}})?{_BY_US}(?P<verb>{_DONE})\b(?P<rest>\s.+)", re.IGNORECASE
)
# What a person did counts by the verb alone, where the verb ends something.
_ENDED = frozenset(
    ("merged", "deployed", "released", "published", "shipped", "launched", "migrated", "signed",
     "finished", "completed", "delivered", "submitted", "hired", "booked", "sold", "bought", "won",
     "passed", "decommissioned", "moved", "paid")
)  # fmt: skip
_SUBJECT = r"(?P<subject>(?:(?!\b(?:because|that|which|since|if|when|while|but)\b).){1,80}?)"
_IS_DONE = re.compile(
    rf"{_SUBJECT}\s(?:is|are|got|has been|have been|was|were|'s been)\s"
    r"(?:now |finally |all |already |fully |officially )*(?P<verb>merged|deployed|released|"
    r"published|live|shipped|launched|completed?|finished|resolved|in place|up again|"
    r"back (?:up|online)|signed|approved|renewed|restored|rolled out|migrated|upgraded|"
    r"decommissioned|tagged|closed|sent|paid|booked|filed|ordered|cancelled|up|open|out)\b",
    re.IGNORECASE,
)
_FINISHED = re.compile(
    r"(?P<subject>(?:(?:the|our|my) )?[\w'-]+(?: [\w'-]+){0,4}?) (?:has |have |just |finally |is )*"
    r"(?:finished|completed|succeeded|went through)\b",
    re.IGNORECASE,
)
# "Contract signed yesterday": as short as a note.
_NOTED = re.compile(
    r"(?!(?:i|we|you|he|she|they)\b)(?P<subject>[\w'-]+(?: [\w'-]+){0,3}) "
    r"(?:(?:all|now|finally|already) )?(?:signed|sent|paid|booked|merged|deployed|"
    r"shipped|approved|delivered|ordered|installed|cancelled|filed|published|submitted|released)"
    r"(?: (?:today|yesterday|now|this \w+|last \w+|on \w+(?: \w+)?))?[.! ]*",
    re.IGNORECASE,
)
# The first words of an agent that reports: "Bundled the three fonts".
_REPORT = re.compile(
    r"(?!(?:Noted|Understood|Agreed|Changed|Stored|Promised|Based|Need|Related|Expected|Confirmed|"
    r"Indeed|Added (?:to|it)|Looked|Checked|Found|Started|Tried|Used|Received|Failed)\b)"
    r"[A-Z][a-z]+ed (?:the|a|an|all|both|your|our|its|\d\S*|x+|[A-Z]\w*) "
)
_CHANGED = re.compile(
    rf"{_SUBJECT}\s(?:(?:went|is|are|came|got) (?:down|up)|went|dropped|fell|rose|grew|improved|"
    r"shrank|climbed|increased|decreased|jumped)\s(?:from \S+(?: \S+)? )?to [^\s]*\d",
    re.IGNORECASE,
)
_RUNS_NOW = re.compile(
    rf"{_SUBJECT}\s(?:runs|gets|uses|is on|has)\s\S*\d.*?\b(?:now|from now on)\b", re.IGNORECASE
)
_TESTS = re.compile(
    r"(?:all (?:of )?(?:the )?(?P<count>\d{1,6})?|(?:the )?(?P<number>\d{1,6})) ?"
    r"(?:unit |integration |e2e )?(?:tests?|specs?)(?: are| now| all| still)* "
    r"(?:pass(?:ed|es|ing)?|green|succeed(?:ed)?)\b",
    re.IGNORECASE,
)
# "I pass `weekStartsOn` everywhere now": what an agent does from now on, it has changed.
_I_DO_NOW = re.compile(
    r"(?P<subject>I) (?!am\b|have\b|will\b|can\b|see\b|think\b|need\b|know\b|want\b|understand\b)"
    r"[a-z]+ .*\b(?:everywhere|instead|from now on|now)[.! ]*"
)
# Where it went says what went: "Pushed to main".
_INTO = re.compile(
    r"(?:i |i've |we )?(?:pushed|merged|deployed|released|published|shipped|rolled out) (?:it )?"
    r"(?:to|into|on) (?!(?:it|that|this|them)\b)[\w`]",
    re.IGNORECASE,
)
_IT = re.compile(r"\s(?:it|that|this|them|these|those|him|her)\b", re.IGNORECASE)
# "Changed to 24" says of what only with the words before it.
_BARE = re.compile(
    r"(?:changed|set|raised|lowered|increased|reduced|bumped|moved)(?: it| that| them)? to\b",
    re.IGNORECASE,
)
_PRIZE = (
    r"job|place|offer|visa|grant|degree|promotion|licen[cs]e|scholarship|permit|flat|house|part|"
    r"role|position|contract|deal"
)
_AGAIN = re.compile(
    rf"{_SUBJECT}\s(?:is|are|works?|runs?|passe?s?)(?: back)?(?: green| up| online| stable| fine)? "
    r"again\b",
    re.IGNORECASE,
)
_LIFE = re.compile(
    r"(?P<subject>(?:my |our )?[\w'-]+(?: [A-Z][\w'-]+)?) (?:has |have |just |finally |'s )*"
    rf"(?:got (?:the|his|her|my|an?) (?:\w+ )?(?:{_PRIZE})|got (?:married|engaged|promoted|"
    r"divorced|hired|in|accepted)|passed|graduated|won|was promoted|gave birth|signed up|had "
    r"(?:a|the|her|his|their) (?:baby|twins|surgery|operation))\b"
)
_NAMED = re.compile(r"\d|[`#/@]|[A-Z]\w*[A-Z]|\w_\w|\s[A-Z]\w|\w\.\w")
_NUMBER = re.compile(r"#\d{1,9}")
# Whatever an agent did last, it reports; to look is not to do.
_I_DID = re.compile(
    r"(?:i|i've|i have) (?:also |now |just |then )*(?!checked|looked|searched|noticed|assumed|"
    r"wanted|tried|needed|compared|counted|expected|used|missed|thought|answered|followed|agreed|"
    r"promised|started|asked|managed|hoped|stopped|noted)"
    r"(?P<verb>[a-z]+ed|took|put|made|set|wrote|built|cut|sent|let|gave|split|rebuilt|reran) "
    r"(?P<rest>(?!(?:it|that|this|them|these|those|him|her)\b)\S.+)",
    re.IGNORECASE,
)
_IS_SO_NOW = re.compile(
    rf"{_SUBJECT}\s(?:is|are|was|were|has been|have been|'s|got)\s(?:now |all |already |again )*"
    r"(?P<verb>fixed|written|silenced|muted|reverted|excluded|removed|replaced|disabled|enabled|"
    r"updated|created|deleted|redrawn|rebuilt|reduced|converted|exported|imported|copied|split|"
    r"pinned|bumped|switched|stopped|backed up|archived|rejected|lost|swapped|installed|"
    r"configured|renamed|blocked|marked|assigned|moved|raised|lowered|powered down|on for|off for"
    r"|masked|back)\b",
    re.IGNORECASE,
)
# Where in the code, and which piece of it: its commit tells.
_OF_CODE = re.compile(
    r"\blines? \d|\w\.[a-z]{1,4}:\d|`[^`]*(?:\(\)|&&|[a-z][A-Z])[^`]*`|\u2192|\b(?:imports?|"
    r"functions?|methods?|structs?|wrappers?|assertions?|handlers?|parameters?|test cases?)\b"
)
# What an agent counts among its work has a number: a commit, a request, a version, tests.
_NUMBERED = re.compile(r"#?v?(?=[\da-f.]*\d)[\da-f.]+(?:[-.]?\w+\d*)?(?: tests)?")
_FIGURE = re.compile(r"(?<!line )(?<!step )\b\d", re.IGNORECASE)
_REQUEST = re.compile(r"[#!]\d{1,9}\b")
_SHA = re.compile(r"\b(?=[0-9a-f]*\d)[0-9a-f]{7,40}\b")
_VERSION = re.compile(r"\bv?(\d+\.\d+(?:\.\d+)*(?:-?(?:rc|alpha|beta)\.?\d*)?)")
_RELEASING = frozenset({"released", "out", "published", "shipped", "tagged"})
_GOES_ON = re.compile(
    r",\s(?:\d|valid\b|until\b|without\b|no\b)[^;!?\n]{0,80}?(?=[;!?]|\.(?:\s|$)|$)"
)
_IN_ONE_BREATH = re.compile(r"(?:,| and)\s[^;!?\n]{0,140}?(?=[;!?]|\.(?:\s|$)|$)")
_UNSURE = re.compile(
    r"\b(?:about to|almost|nearly|once|when|after|before|until|as soon as)\b", re.IGNORECASE
)


def outcomes(turn: Turn) -> Iterator[Candidate | Malformed]:
    """Yield what somebody says is done."""
    episode = turn.episode
    if not turn.is_spoken:
        return
    for clause in clauses(episode.text):
        if not _is_claimed(clause, turn):
            continue
        if _is_of_report(clause, episode):
            if clause.start == 0 and not is_at_work(turn) and not _is_of_code(clause, episode):
                yield _outcome(clause.sentence.text, turn, "completed", clause.sentence.text)
            continue
        value = _value(clause, turn)
        if value is None or (value[0] == "completed" and _is_of_code(clause, episode)):
            continue
        if not is_at_work(turn) or _is_counted(clause, value[1]):
            yield _outcome(_extended(clause, turn), turn, *value)


def _is_claimed(clause: Clause, turn: Turn) -> bool:
    """Say whether a clause is told as a whole, and neither denies nor repeats what was said."""
    is_repeated = is_echo(clause.text, turn) and not _NUMBER.search(clause.text)
    is_said = is_told(clause) and not is_denied(clause.plain)
    return is_said and is_whole(clause.text) and not is_repeated


def _is_of_code(clause: Clause, episode: Episode) -> bool:
    """Say whether an agent tells what it did to which piece of the code."""
    return episode.role is Role.ASSISTANT and _OF_CODE.search(clause.sentence.text) is not None


def _is_of_report(clause: Clause, episode: Episode) -> bool:
    """Say whether an agent begins with the sentence of a clause, and reports in it."""
    is_first = episode.role is Role.ASSISTANT and clause.sentence.start == 0
    return is_first and _REPORT.match(clause.sentence.plain) is not None


def _is_counted(clause: Clause, value: str) -> bool:
    """Say whether what an agent did among its work has a number, and not one of a line."""
    return _NUMBERED.fullmatch(value) is not None or (
        _WE_DID.match(clause.plain) is None and _FIGURE.search(clause.plain) is not None
    )


def _value(clause: Clause, turn: Turn) -> tuple[str, str] | None:
    """Return the predicate and the object of what a clause says is done."""
    if found := _TESTS.match(clause.plain):
        # Tests pass ten times a day; how many did, tells of a whole run.
        count = found["count"] or found["number"]
        return ("passed", f"{count} tests") if count else None
    is_agent = turn.episode.role is Role.ASSISTANT
    if found := _WE_DID.match(clause.plain):
        # Without "I" or "we" a person gives an order: "set the limit to 3".
        is_told = is_agent or found["us"] is not None
        is_ended = found["us"] is not None and found["verb"].casefold() in _ENDED
        is_into = is_agent and _INTO.match(clause.plain) is not None
        is_ended = is_ended or is_into
        is_telling = is_ended or _NAMED.search(clause.text, found.end("verb")) is not None
        is_left = not is_agent and is_move(clause.plain)
        is_left = is_left or _BARE.match(clause.plain) is not None
        is_left = is_left or (not is_into and _IT.match(found["rest"]) is not None)
        return _done(clause, found["verb"]) if is_told and is_telling and not is_left else None
    if found := _IS_DONE.match(clause.plain):
        is_named = not is_agent or _NAMED.search(clause.text, 2) is not None
        return _done(clause, found["verb"]) if _is_thing(found) and is_named else None
    if is_agent and _reports(clause.plain):
        return _last_done(clause, turn)
    found = _changed(clause, turn, is_agent=is_agent)
    return ("completed", clause.text) if found and not is_pointing(found["subject"]) else None


def _reports(plain: str) -> bool:
    """Say whether an agent tells what it did last, or what became of a thing that it names."""
    if _I_DID.match(plain) or _I_DO_NOW.fullmatch(plain):
        return True
    found = _IS_SO_NOW.match(plain)
    return found is not None and not is_pointing(found["subject"])


def _last_done(clause: Clause, turn: Turn) -> tuple[str, str] | None:
    """Return what an agent reports as done, where it names more than a piece of code."""
    text = _extended(clause, turn)
    is_telling = _NAMED.search(text, 2) is not None
    # How long it holds makes nothing unsure.
    is_last = turn.is_last and not _UNSURE.search(clause.plain.split(" until ", 1)[0])
    return ("completed", clause.text) if is_telling and is_last else None


def _changed(clause: Clause, turn: Turn, *, is_agent: bool) -> re.Match[str] | None:
    """Return what a clause says came to an end, or is another now."""
    found = _LIFE.match(clause.plain) or _NOTED.fullmatch(clause.plain)
    # That a build finished says nothing tomorrow; how much a dump is, does.
    if found is None and (not is_agent or any(map(str.isdecimal, _extended(clause, turn)))):
        found = _FINISHED.match(clause.plain)
    if found is None and is_agent:
        forms = (form.match(clause.plain) for form in (_CHANGED, _RUNS_NOW, _AGAIN))
        found = next(filter(None, forms), None)
    return found


def _is_thing(found: re.Match[str]) -> bool:
    """Say whether it is a thing that is done; who is out is not at home, and a port is closed."""
    subject, verb = found["subject"], found["verb"].casefold()
    if verb in {"out", "up"}:
        return _VERSION.search(subject) is not None
    if verb in {"closed", "open"} and not _REQUEST.search(found.string):
        return False
    return not is_pointing(subject)


def _done(clause: Clause, verb: str) -> tuple[str, str] | None:
    """Return what was done to something, under the number that a tool would tell it by."""
    verb, text = verb.casefold(), clause.text
    if _UNSURE.search(clause.plain):
        return None
    if verb == "merged" and (number := _NUMBER.search(text)):
        return "merged", number[0]
    if verb == "committed" and (sha := _SHA.search(text)):
        return "committed", sha[0]
    if verb in _RELEASING and (version := _VERSION.search(text)):
        return "released", version[1]
    return "completed", text


def _extended(clause: Clause, turn: Turn) -> str:
    """Return the words of a clause, and what is told of it right after: "…, 3.1 GB"."""
    sentence = clause.sentence
    end = clause.end - sentence.start
    # An agent says in one breath what it did, how it went and what that takes.
    goes_on = _IN_ONE_BREATH if turn.episode.role is Role.ASSISTANT else _GOES_ON
    found = goes_on.match(sentence.plain, end)
    return sentence.text[clause.start - sentence.start : found.end() if found else end]


def _outcome(quote: str, turn: Turn, predicate: str, value: str) -> Candidate:
    # What has no number of its own is told in words.
    is_numbered = predicate != "completed"
    triple = triple_of(anchor(turn.episode), predicate, value) if is_numbered else None
    said = Statement(text=told(quote, turn.episode), triple=triple, channel=Channel.MILESTONE)
    return Candidate(said, quote, StatementKind.MILESTONE, _SURE if is_numbered else _LIKELY)
