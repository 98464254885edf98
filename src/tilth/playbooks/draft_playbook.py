"""
From a cluster to a draft: by rules, or by a language model; one gate for both.

The rules say what was run, in order, and nothing that nobody ran. A model may put it better.
What it writes is held to the same commands, and to words that stand in the episodes.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from tilth.core.dataclass import dataclass
from tilth.core.ids import EpisodeId, parent_session
from tilth.core.scope import Visibility
from tilth.episodes.episode import Episode, EpisodeKind, Role
from tilth.episodes.filters import EpisodeFilter
from tilth.episodes.tables import Episodes
from tilth.ledger.snapshot import Snapshot
from tilth.llm import answers
from tilth.llm.client import ModelClient, Question, Thought, think
from tilth.playbooks.gate import QUOTE_CHARS_MIN, is_safe, problems
from tilth.playbooks.model import Cited, Cluster, Experience, Heard, PlaybookDraft
from tilth.playbooks.wording import step_words, title_and_use
from tilth.practice.model import CommandKind, Fix

QUOTED_SESSIONS_MAX = 4
PITFALLS_MAX = 4
_QUOTE_CHARS_MAX = 160
_ASKS_READ = 40
_PITFALL_CHARS_MAX = 380
# What fails in these mostly fails because of what was just written.
_OF_CODE = frozenset({CommandKind.TEST, CommandKind.LINT, CommandKind.TYPES, CommandKind.FORMAT})
_SENTENCE = re.compile(r"[^\n]{15,}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """What a draft is made of: a cluster, the episodes that show it, and what failed on the way."""

    cluster: Cluster
    shown: Sequence[Episode]
    evidence: Sequence[Cited]
    pitfalls: Sequence[str]
    heard: Sequence[Heard]

    @property
    def lines(self) -> frozenset[str]:
        """The commands that were seen to come through."""
        steps = {step.line for step in self.cluster.steps}
        return frozenset(
            steps | {one.line for each in self.cluster.passed for one in (*each.steps, each.goal)}
        )

    @property
    def texts(self) -> Mapping[EpisodeId, str]:
        """The texts of the episodes that show it."""
        return {one.id: one.text for one in self.shown}

    def problems_of(self, draft: PlaybookDraft) -> list[str]:
        """Return why a *draft* made of it is no playbook, by the gate."""
        return list(problems(draft, self.texts, self.lines))


def gather_material(
    view: Snapshot, cluster: Cluster, fixes: Sequence[Fix], within: Visibility
) -> Material:
    """Gather what a draft of *cluster* may say and quote."""
    shown: dict[EpisodeId, Episode] = {}
    evidence: list[Cited] = []
    for experience in cluster.passed[-QUOTED_SESSIONS_MAX:]:
        for episode, quote in _quotes(view, experience, within):
            shown[episode.id] = episode
            evidence.append(cited(episode, quote))
    told = _pitfalls(cluster, fixes)
    return Material(
        cluster=replace(cluster, pitfalls=tuple(told)),
        shown=tuple(shown.values()),
        evidence=tuple(evidence),
        pitfalls=tuple(told),
        heard=tuple(one for fix in told.values() for one in _heard(fix)),
    )


def draft_by_rules(made: Material) -> PlaybookDraft:
    """Draft what the commands of a cluster say."""
    cluster = made.cluster
    title, when = title_and_use(cluster)
    return PlaybookDraft(
        key=cluster.key,
        title=title,
        applies_when=when,
        steps=tuple(map(step_words, cluster.steps)),
        pitfalls=tuple(made.pitfalls),
        uses=tuple(one.line for one in cluster.steps),
        evidence=tuple(made.evidence),
        heard=tuple(made.heard),
        sessions=tuple(dict.fromkeys(one.root for one in cluster.passed)),
        failures=len({one.root for one in cluster.failed}),
        minutes=cluster.minutes,
        scope=cluster.scope,
        signature=cluster.signature,
    )


def draft_by_model(
    made: Material, thinker: ModelClient, rules: PlaybookDraft
) -> PlaybookDraft | str:
    """
    Have a model put a draft into words; say why, if it does not.

    Raises:
        LimitExceededError: the question is longer than is sent.
        UnavailableError: the store does not answer.
    """
    things = {f"step_{number}": step for number, step in enumerate(rules.steps, start=1)}
    things |= {f"pitfall_{number}": text for number, text in enumerate(rules.pitfalls, start=1)}
    question = Question(episodes=made.shown, things=things, scope=rules.scope)
    thought = think(thinker, answers.PlaybookDraft, question)
    if not isinstance(thought, Thought):
        return thought.detail
    answer = thought.answer
    return replace(
        rules,
        title=answer.title.strip(),
        applies_when=answer.when.strip(),
        steps=tuple(answer.steps),
        pitfalls=tuple(answer.pitfalls),
        evidence=tuple(
            cited(one, quote.text)
            for quote in answer.quotes
            for one in made.shown
            if one.id == quote.episode_id
        ),
        drafter=thought.model,
    )


def cited(episode: Episode, quote: str) -> Cited:
    """Return where a quote stands, whatever its case and spaces; an empty span, if nowhere."""
    pattern = r"\s+".join(re.escape(word) for word in quote.split())
    found = re.search(pattern, episode.text, re.IGNORECASE) if pattern else None
    return Cited(episode.id, *(found.span() if found else (0, 0)))


def _quotes(
    view: Snapshot, experience: Experience, within: Visibility
) -> Iterator[tuple[Episode, str]]:
    """Yield what was asked before an end, and what its output says."""
    which = EpisodeFilter(
        within=within, session_id=experience.root, kinds=frozenset({EpisodeKind.MESSAGE})
    )
    said = Episodes(view).select(which, limit=_ASKS_READ)
    asks = [one for one in said if one.role is Role.USER and one.seq < experience.goal.call_no]
    outcome = experience.outcome_no or experience.goal.call_no
    proof = Episodes(view).at([outcome], within)
    for episode in (*asks[-1:], *proof):
        if quote := _quote_in(episode.text, is_last=episode.kind is not EpisodeKind.MESSAGE):
            yield episode, quote


def _quote_in(text: str, *, is_last: bool) -> str:
    lines = [one.strip() for one in _SENTENCE.findall(text)]
    whole = [one[:_QUOTE_CHARS_MAX].strip() for one in lines if len(one) >= QUOTE_CHARS_MIN]
    return (whole[-1] if is_last else whole[0]) if whole else ""


def _pitfalls(cluster: Cluster, fixes: Sequence[Fix]) -> dict[str, Fix]:
    """Return what failed on the way in the sessions of a cluster, in words."""
    keys = {step.key.partition(":")[2].removesuffix(" …") for step in cluster.steps}
    roots = {one.root for one in (*cluster.passed, *cluster.failed)}
    found: dict[str, Fix] = {}
    for fix in fixes:
        is_here = parent_session(fix.session_id) in roots
        is_step = any(fix.line.startswith(key) for key in keys)
        if is_here and is_step and fix.symptom and _is_of_procedure(fix):
            told = _pitfall(fix)
            is_new = all(fix.symptom != known.symptom for known in found.values())
            if is_new and len(found) < PITFALLS_MAX and is_safe(told):
                found[told] = fix
    return found


def _heard(fix: Fix) -> Iterator[Heard]:
    yield Heard(fix.failed_in, fix.symptom)
    if fix.told_in is not None:
        yield Heard(fix.told_in, fix.cause)


def _is_of_procedure(fix: Fix) -> bool:
    """Say whether a failure is one of how things are done, and not of the change at hand."""
    if fix.instead or fix.recurrence > 1:
        return True
    is_operation = fix.kind not in _OF_CODE
    return is_operation and (bool(fix.cause) or bool(fix.ran) or bool(fix.changed))


def _pitfall(fix: Fix) -> str:
    """Return what failed, why, and what came before it passed, as far as there is room."""
    name = fix.line if len(fix.line) <= _QUOTE_CHARS_MAX else f"{fix.line[:_QUOTE_CHARS_MAX]}…"
    told = f"`{name}` failed with “{fix.symptom}”."
    changed = [one.rpartition("/")[2] for one in fix.files]
    helped = [*(f"`{one}`" for one in fix.ran), *changed][:2]
    parts = [fix.cause, f"What came before it passed: {', '.join(helped)}." if helped else ""]
    for part in parts:
        if part and len(told) + len(part) < _PITFALL_CHARS_MAX:
            told = f"{told} {part}"
    return told
