"""
Compile a page without a language model: which facts, under which headings, in which order.

The result depends on the material alone, so the same material gives the same page.
"""

import hashlib
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from tilth.core.actor import ActorKind
from tilth.core.ids import EpisodeId
from tilth.core.instant import written_day
from tilth.core.json import canonical
from tilth.episodes.episode import Role
from tilth.exchanges.model import Exchange
from tilth.exchanges.sentences import names_something, own_sentences, stands_alone
from tilth.exchanges.worth import worth
from tilth.knowledge.facts.fact import Fact
from tilth.knowledge.facts.life import Authority
from tilth.knowledge.likeness.drop_repeats import distinct
from tilth.learning.spoken.decisions import is_task
from tilth.learning.text.clause_context import leans, points, without_lead
from tilth.learning.text.clauses import asks
from tilth.learning.text.wholeness import is_whole
from tilth.pages.arrangement import without_excluded_lines
from tilth.pages.compile.material import Commit, Material
from tilth.pages.model import PageKind, Section, Sentence, line_key, name_of, whole
from tilth.practice.model import CommandKind, CommandStats, Fix
from tilth.privacy.terminal_text import one_line

# More than a person reads. What is left out is counted.
SENTENCES_MAX = 200
# The most lines in sections of a project's page, which is to fit one screen.
_RULES_MAX, _ASKED_MAX, _OTHERS_MAX, _BITES_MAX = 10, 12, 8, 4
# If fewer commits tell something, reports are used too.
_BUILT_LEAST = 4
# The least confidence, of 1, of a session's statement on such a page.
_SURE_LEAST = 0.15
# The share of a command's sessions in which another of its kind must run, to be shown beside it.
_BESIDE = 1 / 3
# The order in which a newcomer needs them.
_RUN_FIRST = (CommandKind.SETUP, CommandKind.BUILD, CommandKind.RUN)
# Two sentences say the same if they share more than this part of their terms.
_SAME = 0.6
_OPEN = frozenset({"deferral", "commitment", "goal"})
_DECIDED = frozenset({"decision"})
_ASKED_FOR = frozenset({"rule", "preference", "correction"})
_LINE_CHARS, _SHORT_CHARS, _SIDE_CHARS = 160, 90, 240
_GENERAL = "general"
# Sentences for somebody present: answers, questions, and references to what both see.
_TO_WHO_IS_THERE = re.compile(
    r"(?:but|though|so|sorry|no,? man|nope|nah|hmm|for example|just(?! use)|i guess|i think"
    r"(?! we)|i thought|already|at our|in fact|before (?:you|we)|(?:al)?though|\d+/\d+"
    r"|instead of \w+ing|let'?s instead|don't need a comment|save the|log an?"
    r"|make sure|seems?|looks? like|also|then"
    r"|only (?:then|at (?:that|this))|(?:can|could|would) you|please|open up|add|ask any)\b"
    # References to one piece of work, or to a number of that day's list.
    r"|for (?:the|this|that) [^,]{1,40}?\b(?:change|fix|pr|commit|branch|task|issue|test|worker)\b"
    # References to what the other person said or has.
    r"|.*\byour\b"
    r"|.*\b(?:this (?:test case|recent|error|branch|issue|commit|one)|earlier|just now|right now"
    r"|for now|above|below|same reason|full transcript|would be nice|parent on"
    r"|(?:improvement|option|phase|step|task|item|point|question) #?\d)\b",
    re.IGNORECASE,
)

# An agent's question with somebody's answer. The answer says what was decided.
_ANSWERED = re.compile(r"(?P<question>[^?]{10,}\?)\s+(?P<answer>[^?]+)")
# An approved plan, which is shown by its first sentences: its title and purpose.
_PLAN = re.compile(r"approved plan: (?=\S)", re.IGNORECASE)
# A lead-in to what somebody wants known.
_LEAD = re.compile(
    r"(?:before you \w+, )?(?:(?:please )?(?:keep in mind|bear in mind|note|remember|be aware)"
    r"(?: that)?|let me (?:point out|note|add|mention)(?: that)?|it turns out(?: that)?)[,:]?\s+",
    re.IGNORECASE,
)
# A commit that keeps a record of work and changes nothing.
_LOGGED = re.compile(r"(?:evidence|checkpoint|wip)\b", re.IGNORECASE)
# "The tests are …" is clear only to who was there; a line that begins with a mark is output.
_OF_SOME = re.compile(r"the \w+s (?:is|are)\b|[^\w`]", re.IGNORECASE)
# A commit that changes only the form.
_OF_FORM = re.compile(
    r"(?:(?:docs?|tests?|style|chore|ci|build|wip|fixup!?|bump|typo)\b|merge\b|address(?:es)? \w*"
    r" ?(?:review|feedback|comments)|remove accidental\b)",
    re.IGNORECASE,
)

# The beginning of a report's sentence on what was done, after any decoration.
_DEEDS = (
    r"(?:added|removed|deleted|moved|renamed|replaced|updated|changed|extracted|implemented|created"
    r"|consolidated|switched|split|fixed(?= (?:an?|the|all|in|by|\d+|`)))\b"
)
_DEED = re.compile(
    rf"{_DEEDS}|[`\w./-]+`?(?: —|:) (?:now\b|{_DEEDS})"
    rf"|.{{0,80}}\b(?:has|have) (?:now )?been {_DEEDS}",
    re.IGNORECASE,
)
# A purpose, a condition, or what was replaced.
_FOR_WHAT = re.compile(
    r"\bto (?!the\b|an?\b|its?\b|all\b|both\b|test)[a-z]{2,}\b| — "
    r"|\b(?:so|because|since|that|which|when|if|instead|rather|without|unless|until)\b",
    re.IGNORECASE,
)
# Tests, docs, imports and form accompany what is built, and so do mere mentions.
_AT_THE_EDGE = re.compile(
    r"\b(?:tests?|test[ _-]?cases?|\w+[._]test|docs?|documentation|comments?|imports?|mentions?"
    r"|references?|sections?|readme|changelog|wording|typos?|unnecessary|redundant|unused|nits?"
    r"|shadow\w*|formatting|whitespace)\b|[._](?:test|spec)\.|^renamed `\w+` to `\w+`",
    re.IGNORECASE,
)
# Verbs that do not say what became of a thing.
_TOUCHED = re.compile(
    r"\b(?:updated|changed|moved|renamed|switched|split|extracted|replaced)\b", re.IGNORECASE
)
_ORNAMENT = re.compile(r"^[^\w`@/.]+|\*\*")

# As many whole sentences as fit on a line.
_SENTENCES = re.compile(rf".{{20,{_LINE_CHARS}}}(?<!\be\.g)(?<!\bi\.e)[.!](?=\s+[A-Z`]|$)")

# As many clauses as fit, if no sentence does.
_CLAUSES = re.compile(rf".{{40,{_LINE_CHARS}}}(?=[,:;] | \(| — )")
_LEFT_OPEN = re.compile(r"\s*\([^)]*$")
# Characters with which programs fill a line.
_FILLING = re.compile(r"([.\-=_*])\1{3,}")

_Template: TypeAlias = Callable[[Material], Sequence[Section]]


def sections_of(material: Material) -> tuple[Section, ...]:
    """Return the sections of a page; empty without material."""
    made = _TEMPLATES[material.subject.kind](material)
    return whole([replace(one, sentences=tuple(_allowed_lines(material, one))) for one in made])


def inputs_of(material: Material, sections: Sequence[Section]) -> str:
    """
    Return the digest of what a page would say, and of the facts that it could state.

    *sections* are those of `sections_of`. Where a tool's line was last seen is not included, since
    another run says nothing new.
    """
    subject = material.subject
    said: list[object] = [
        [getattr(subject, name) for name in ("name", "kind", "title", "area", "environment")],
        [subject.system, subject.entity, subject.topic],
        subject.is_foundational,
        [[fact.id, fact.since] for fact in material.facts],
        [[one.slug, one.title, [line.text for line in one.sentences]] for one in sections],
        material.hidden.terms,
    ]
    return hashlib.sha256(canonical(said).encode()).hexdigest()[:16]  # type: ignore[arg-type] # plain values


def _allowed_lines(material: Material, section: Section) -> list[Sentence]:
    """Return the lines that a section may have; those a person removed once come last."""
    hidden, removals = material.hidden, material.removals
    told = [(line_key(one.text), one) for one in section.sentences if not hidden.hides(one.text)]
    told.sort(key=lambda keyed: keyed[0] in removals.once)
    return [one for key, one in told if key not in removals.banned]


def fact_sections(material: Material) -> tuple[Section, ...]:
    """Return the sections that state facts, which a model may word."""
    practised = {"run", "bites", "built", "reported"}
    made = [one for one in sections_of(material) if one.slug not in practised]
    return whole([without_excluded_lines(one, material.arranged.get(one.slug)) for one in made])


def _stated(fact: Fact) -> Sentence:
    return Sentence(" ".join(fact.said.text.split()), (str(fact.id),))


def _section(title: str, facts: Iterable[Fact], slug: str = "") -> Section:
    return Section(slug or name_of(title), title, tuple(map(_stated, facts)))


def _by_system(material: Material) -> list[Section]:
    """Return filed facts, by system, in the order of their components."""
    by_system: defaultdict[str, list[Fact]] = defaultdict(list)
    for one in material.facts[:SENTENCES_MAX]:
        by_system[one.said.taxonomy.system].append(one)
    return [
        _section(
            system or "General",
            sorted(facts, key=lambda one: (one.said.taxonomy.component.casefold(), one.seq)),
            name_of(system) if system else _GENERAL,
        )
        for system, facts in sorted(by_system.items(), key=lambda item: item[0].casefold())
    ]


def _pending(material: Material) -> list[Section]:
    """Return what is to be done: promised, put off, or wanted."""
    found = [one for one in material.facts if _kind(one) in _OPEN or _is_tagged_as_task(one)]
    named = {"commitment": "Promised", "deferral": "Put off", "goal": "Wanted"}
    by_kind: defaultdict[str, list[Fact]] = defaultdict(list)
    for one in found[:SENTENCES_MAX]:
        by_kind[named.get(_kind(one), "To do")].append(one)
    return [_section(title, facts) for title, facts in sorted(by_kind.items())]


def _topology(material: Material) -> list[Section]:
    """Return how things are connected: the facts with a subject and an object."""
    by_subject: defaultdict[str, list[Fact]] = defaultdict(list)
    joining = [one for one in material.facts if one.said.triple is not None]
    for one in joining[:SENTENCES_MAX]:
        assert one.said.triple is not None
        by_subject[one.said.triple.subject].append(one)
    return [
        _section(subject, facts)
        for subject, facts in sorted(by_subject.items(), key=lambda item: item[0].casefold())
    ]


def _summary(material: Material) -> list[Section]:
    """Return all current facts by area, and those without an area by kind."""
    by_area: defaultdict[str, list[Fact]] = defaultdict(list)
    for one in material.facts[:SENTENCES_MAX]:
        by_area[one.said.taxonomy.area or _heading(one)].append(one)
    return [_section(area, facts) for area, facts in sorted(by_area.items())]


def _event_log(material: Material) -> list[Section]:
    """Return all current facts by the month and day on which they began, newest first."""
    by_month: defaultdict[str, list[Sentence]] = defaultdict(list)
    for one in material.facts[:SENTENCES_MAX]:
        said, at = _stated(one), one.life.valid_from
        line = Sentence(f"{written_day(at)}: {said.text}", said.cites)
        by_month[f"{at:%Y-%m}"].append(line)
    return [Section(name_of(month), month, tuple(lines)) for month, lines in by_month.items()]


def _by_kind(material: Material) -> list[Section]:
    """Return what is known of one thing or topic: how it is, then decisions and open points."""
    by_heading: defaultdict[str, list[Fact]] = defaultdict(list)
    for one in material.facts[:SENTENCES_MAX]:
        by_heading[_heading(one)].append(one)
    return [_section(title, by_heading[title]) for title in _HEADINGS if title in by_heading]


_HEADINGS = ("Rules and preferences", "What is so", "Decided", "Promised and put off")


def _heading(fact: Fact) -> str:
    kind = _kind(fact)
    if _is_laid_down(fact) or kind in _ASKED_FOR:
        return _HEADINGS[0]
    if kind in _DECIDED:
        return _HEADINGS[2]
    return _HEADINGS[3] if kind in _OPEN else _HEADINGS[1]


def _project(material: Material) -> list[Section]:
    """Return what a newcomer to a project needs: how to run it, decisions, and known failures."""
    worth = distinct(sorted(filter(_is_worth, material.facts), key=_weight), _text, same=_SAME)
    rules = [one for one in worth if _is_laid_down(one)]
    # Sessions ask and decide in the same words, so the two cannot be told apart.
    asked = [one for one in worth if _kind(one) in _DECIDED | _ASKED_FOR and one not in rules]
    waiting = [one for one in worth if _kind(one) in _OPEN and one not in rules]
    others = [one for one in worth if one not in (*rules, *asked, *waiting)]
    return [
        Section("run", "How to run it", tuple(_runs(material))),
        Section("rules", "What holds here", tuple(map(_line_for_newcomer, rules[:_RULES_MAX]))),
        Section("decided", "Decided and asked for", tuple(_dated(asked[:_ASKED_MAX]))),
        Section("bites", "What bites", tuple(_bites(material))),
        Section("facts", "What is so", tuple(_dated(others[:_OTHERS_MAX]))),
        Section("open", "Put off", tuple(_dated(waiting[:_OTHERS_MAX]))),
        *_done(material),
    ]


def _done(material: Material) -> Iterator[Section]:
    """Yield what was built last; if few commits tell it, what agents reported as done."""
    built = _telling(material.commits)
    yield Section("built", "Built last, and why", tuple(map(_built, built)))
    if len(built) < _BUILT_LEAST:
        told = distinct(_deeds(material.reports), lambda deed: deed[1], same=_SAME)
        best = sorted(told, key=lambda deed: _weight_of(deed[1]), reverse=True)
        why = sum(_FOR_WHAT.search(said) is not None for _, said in best)
        best = best[: min(_OTHERS_MAX, max(why, _BUILT_LEAST))]
        newest = sorted(best, key=lambda deed: deed[0].ended_at, reverse=True)
        lines = [
            Sentence(f"{written_day(one.ended_at)}: {said}", (str(one.id),)) for one, said in newest
        ]
        yield Section("reported", "Done last, as agents reported", tuple(lines))


def _deeds(reports: Iterable[Exchange]) -> Iterator[tuple[Exchange, str]]:
    """Yield each report with its sentence that says most of what was done."""
    for one in reports:
        told = [_ORNAMENT.sub("", said.text) for said in own_sentences(one.report, Role.ASSISTANT)]
        deeds = [
            said for said in told if _DEED.match(said) and _stands_alone(said) and _tells(said)
        ]
        if deeds:
            yield one, max(deeds, key=_weight_of)


def _weight_of(deed: str) -> tuple[bool, float]:
    """Return the sort key of deeds: those with a purpose or condition first, then by worth."""
    return (_FOR_WHAT.search(deed) is not None, worth(deed, Role.ASSISTANT))


def _tells(deed: str) -> bool:
    """Say whether a deed changes what is built, or says what for."""
    why = _FOR_WHAT.search(deed)
    if _AT_THE_EDGE.search(deed[: why.start()] if why else deed):
        return False
    return why is not None or _TOUCHED.search(deed) is None


def _stands_alone(said: str) -> bool:
    """Say whether a sentence of a report makes sense to who was not there."""
    is_told = len(said) <= _LINE_CHARS and not said.endswith(":") and names_something(said)
    return is_told and stands_alone(said) and not (leans(said) or points(said))


def _dated(facts: Iterable[Fact]) -> Iterator[Sentence]:
    """Yield facts, newest first, each with the day since when it holds."""
    for one in sorted(facts, key=lambda fact: (fact.life.valid_from, fact.seq), reverse=True):
        said = _line_for_newcomer(one)
        yield Sentence(f"{written_day(one.life.valid_from)}: {said.text}", said.cites)


def _telling(commits: Sequence[Commit]) -> list[Commit]:
    """Return the commits that tell most, newest first: with a reason, and on more than form."""
    said = [
        one
        for one in commits
        if not (_LOGGED.match(one.title) or (_OF_FORM.match(one.title) and not one.why))
    ]
    ranked = sorted(said, key=lambda one: (not one.why, bool(_OF_FORM.match(one.title))))
    return sorted(ranked[:_OTHERS_MAX], key=lambda one: one.at, reverse=True)


def _built(commit: Commit) -> Sentence:
    said = f"{written_day(commit.at)}: {_line(commit.title)}"
    if commit.why:
        said = f"{said.removesuffix('.')} — {_first(commit.why)}"
    return Sentence(said, tuple(map(str, commit.shown_in)))


def _first(why: str) -> str:
    """Return the first sentences of a reason, or the first clauses if they are too long."""
    whole_ = _SENTENCES.match(why)
    clauses = None if whole_ else _CLAUSES.match(why)
    if whole_ is None and clauses is None:
        return one_line(why, _LINE_CHARS)
    return whole_[0] if whole_ else _LEFT_OPEN.sub("", clauses[0] if clauses else why)


def _runs(material: Material) -> Iterable[Sentence]:
    by_kind: defaultdict[CommandKind, list[tuple[CommandStats, EpisodeId]]] = defaultdict(list)
    for one, shown_in in material.commands:
        most = by_kind[one.kind][0][0] if by_kind[one.kind] else one
        if one.session_count >= _BESIDE * most.session_count:
            by_kind[one.kind].append((one, shown_in))
    told = {one.kind: one for one in material.told}
    first = [one for one in _RUN_FIRST if one in {*by_kind, *told}]
    for kind in dict.fromkeys((*first, *by_kind, *told)):
        if kind in by_kind:
            said = ", ".join(_command(one) for one, _ in by_kind[kind])
            cites = tuple(str(id_) for _, id_ in by_kind[kind])
            yield Sentence(f"{kind.capitalize()}: {said}", cites)
        else:
            heard = told[kind]
            said = f"{kind.capitalize()}, as sessions tell: `{_line(heard.line)}`"
            yield Sentence(said, (str(heard.told_in),))
    for book in material.playbooks:
        steps = " → ".join(f"`{_line(one)}`" for one in book.draft.uses)
        yield Sentence(f"{_line(book.draft.title)}: {steps}", (str(book.id),))


def _command(one: CommandStats) -> str:
    """Return a command; one that varies between runs, in a wording that can be run."""
    shown = f"`{_line(one.shown)}`"
    return shown if one.shown == one.line else f"{shown} (such as `{_line(one.line)}`)"


def _bites(material: Material) -> list[Sentence]:
    """Return failures that were overcome; if few tool failures were, explained errors too."""
    explained = (
        Sentence(
            f"“{one_line(one.symptom, _SHORT_CHARS)}”: {one_line(one.cause, _SIDE_CHARS)}",
            tuple(map(str, one.shown_in)),
        )
        for one in material.explained
    )
    return [*map(_bite, material.fixes), *explained][:_BITES_MAX]


def _bite(fix: Fix) -> Sentence:
    symptom = one_line(_FILLING.sub(" … ", fix.symptom), _SHORT_CHARS)
    failed = f"`{one_line(fix.line, _SHORT_CHARS)}` failed with “{symptom}”"
    if fix.instead:
        told = f"{failed}; `{_line(fix.instead)}` worked instead."
    elif fix.cause:
        told = f"{failed}: {one_line(fix.cause, _SIDE_CHARS)}"
    else:
        told = f"{failed} in {fix.recurrence} sessions, and was overcome in each."
    shown = (fix.failed_in, fix.passed_in, *([fix.told_in] if fix.told_in else []))
    return Sentence(told, tuple(dict.fromkeys(map(str, shown))))


def _is_worth(fact: Fact) -> bool:
    """Say whether a fact makes sense to who was not there; a person's own words always count."""
    if fact.by.is_human or _is_laid_down(fact):
        return True
    if fact.by.kind is not ActorKind.JOB or not _kind(fact):
        return True
    said = _without_lead(fact)
    # Nobody said a triple in these words: it counts if it names a part of the work.
    if fact.said.triple is not None and (not names_something(said) or _OF_SOME.match(said)):
        return False
    if fact.confidence.value < _SURE_LEAST:
        return False
    return _is_told_alone(said)


def _is_told_alone(said: str) -> bool:
    """Say whether a session's words make sense by themselves, beyond that moment."""
    if answered := _ANSWERED.fullmatch(said):
        question = answered["question"].removesuffix("?")
        return is_whole(said) and names_something(said) and not points(question)
    if plan := _PLAN.match(said):
        return is_whole(said) and names_something(said[plan.end() :])
    is_alone = is_whole(said) and not (leans(said) or points(said) or asks(said))
    return is_alone and not (is_task(said) or _TO_WHO_IS_THERE.match(said))


def _line_for_newcomer(fact: Fact) -> Sentence:
    """Return a fact as a line for who was not there, without a lead-in."""
    said = _without_lead(fact)
    # A name with a capital inside keeps its spelling.
    is_name = any(char.isupper() or char in "_.`/" for char in said.split(" ")[0])
    return Sentence(said if is_name else said[:1].upper() + said[1:], (str(fact.id),))


def _without_lead(fact: Fact) -> str:
    said = " ".join(_LEAD.sub("", without_lead(fact.said.text), count=1).split())
    plan = _PLAN.match(said)
    return plan[0] + _first(said[plan.end() :]) if plan else said


def _weight(fact: Fact) -> tuple[bool, float, int]:
    """Return the sort key of facts: a person's own first, then the surest, then the newest."""
    is_own = fact.by.is_human or _is_laid_down(fact)
    return (not is_own, -fact.confidence.value, -fact.seq)


def _text(fact: Fact) -> str:
    return fact.said.text


def _kind(fact: Fact) -> str:
    return str(fact.metadata.get("kind", ""))


def _is_laid_down(fact: Fact) -> bool:
    return fact.life.authority is Authority.INSTRUCTION


def _is_tagged_as_task(fact: Fact) -> bool:
    return bool({tag.casefold() for tag in fact.said.taxonomy.tags} & {"todo", "task", "pending"})


def _line(text: str) -> str:
    return one_line(text, _LINE_CHARS)


_TEMPLATES: Mapping[PageKind, _Template] = {
    PageKind.SYSTEM_STATE: _by_system,
    PageKind.PENDING_TASKS: _pending,
    PageKind.TOPOLOGY: _topology,
    PageKind.SUMMARY: _summary,
    PageKind.EVENT_LOG: _event_log,
    PageKind.ENTITY: _by_kind,
    PageKind.PROJECT: _project,
    PageKind.TOPIC: _by_kind,
}
