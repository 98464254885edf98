"""
Better and further steps of a playbook that a human confirmed, and what a version changed.

A revision is the confirmed words with what was learned since, and no others: whoever wrote them,
what nobody touched is not written anew. What a person decided is not brought up again: neither
what they refused, nor what they changed by hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from tilth.core.dataclass import dataclass
from tilth.core.instant import written_day
from tilth.core.view import number_of
from tilth.playbooks.gate import commands_of, problems
from tilth.playbooks.model import (
    BY_HAND,
    Experience,
    Playbook,
    PlaybookDraft,
    PlaybookState,
    Step,
)
from tilth.playbooks.wording import step_words
from tilth.practice.command_lines import commands_in

if TYPE_CHECKING:  # Who reads a playbook drafts none.
    from tilth.playbooks.draft_playbook import Material

# So many sessions ran a step since, before it is a further one.
SESSIONS_MIN = 2
PITFALLS_MAX = 8


@dataclass(frozen=True, slots=True)
class Change:
    """A part of a playbook that a version added, or took out."""

    part: str
    is_added: bool
    text: str


def changes_between(older: PlaybookDraft, newer: PlaybookDraft) -> list[Change]:
    """Return what a newer version says otherwise, part by part."""
    return [
        *_changed("title", (older.title,), (newer.title,)),
        *_changed("applies when", (older.applies_when,), (newer.applies_when,)),
        *_changed("step", older.steps, newer.steps),
        *_changed("pitfall", older.pitfalls, newer.pitfalls),
    ]


def _changed(part: str, older: Sequence[str], newer: Sequence[str]) -> Iterator[Change]:
    for what, begin, end, new_begin, new_end in SequenceMatcher(
        None, older, newer, autojunk=False
    ).get_opcodes():
        if what != "equal":
            yield from (Change(part, is_added=False, text=one) for one in older[begin:end])
            yield from (Change(part, is_added=True, text=one) for one in newer[new_begin:new_end])


def keys_in(text: str) -> frozenset[str]:
    """Return what the commands that a step names come down to."""
    return frozenset(key for line in commands_of(text) for key in _keys_of(line))


def _keys_of(line: str) -> frozenset[str]:
    line = line.removesuffix(" …")
    return frozenset(one.key for one in commands_in(line)) or frozenset({line})


def _keys(draft: PlaybookDraft) -> frozenset[str]:
    return frozenset().union(*map(keys_in, draft.steps))


def settled(versions: Sequence[Playbook]) -> frozenset[str]:
    """Return the keys of the steps that a person put in, took out, or refused to have so."""
    by_id = {one.id: one for one in versions}
    found: set[str] = set()
    for one in versions:
        base = by_id.get(one.draft.revises) if one.draft.revises else None
        is_decided = one.state is PlaybookState.VETOED or one.draft.drafter == BY_HAND
        if base is not None and is_decided:
            found |= _keys(one.draft) ^ _keys(base.draft)
    return frozenset(found)


def revision(
    base: Playbook, made: Material, versions: Sequence[Playbook], late: Sequence[Experience]
) -> PlaybookDraft | None:
    """
    Return a confirmed playbook with what was learned since; None if nothing was, or it is unfit.

    Args:
        base: The playbook.
        made: What its work comes to by now.
        versions: All versions of it, refused ones too.
        late: The sessions that came through since a person decided last.
    """
    if len(late) < SESSIONS_MIN:
        return None
    ran = Counter(
        key
        for one in late
        for key in {key for step in (*one.steps, one.goal) for key in _keys_of(step.line)}
    )
    closed, draft = settled(versions), base.draft
    has = _keys(draft).union(*(_keys_of(one) for one in draft.uses))
    steps = {key: step for step in made.cluster.steps for key in _keys_of(step.line)}
    added = {
        key: step
        for key, step in steps.items()
        if key not in has | closed and ran[key] >= SESSIONS_MIN
    }
    dropped = {key for key in has - closed if key not in steps and not ran[key]}
    pitfalls = _new_pitfalls(made, versions)[: max(PITFALLS_MAX - len(draft.pitfalls), 0)]
    kept = [one for one in draft.steps if not (keys_in(one) and keys_in(one) <= dropped)]
    if not (added or pitfalls or len(kept) < len(draft.steps)):
        return None
    uses = [one for one in draft.uses if not _keys_of(one) <= dropped]
    told = replace(
        draft,
        steps=tuple(_with_steps(kept, added, made.cluster.steps)),
        pitfalls=(*draft.pitfalls, *pitfalls),
        uses=(*uses, *dict.fromkeys(one.line for one in added.values())),
        evidence=tuple(made.evidence),
        heard=tuple(dict.fromkeys((*draft.heard, *made.heard))),
        sessions=tuple(
            dict.fromkeys((*draft.sessions, *(one.root for one in made.cluster.passed)))
        ),
        failures=base.evidence.missed,
        minutes=made.cluster.minutes,
        signature=made.cluster.signature,
        drafter="rules",
        not_worded="",
        follows=None,
        revises=base.id,
        why=_why(base, added.values(), dropped, ran, late, count=len(pitfalls)),
    )
    lines = made.lines.union(draft.uses, *map(commands_of, draft.texts))
    return None if any(problems(told, made.texts, lines)) else told


def _with_steps(
    kept: Sequence[str], added: dict[str, Step], order: Sequence[Step]
) -> Iterator[str]:
    """Yield the steps that stay, with each new one behind the last that comes before it."""
    told = list(kept)
    before: set[str] = set()
    for step in order:
        keys = _keys_of(step.line)
        if keys & added.keys():
            places = [place for place, text in enumerate(told) if keys_in(text) & before]
            told.insert(places[-1] + 1 if places else 0, step_words(step))
        before |= keys
    yield from told


def _new_pitfalls(made: Material, versions: Sequence[Playbook]) -> list[str]:
    """Return what failed in no version's sessions before, and was overcome."""
    known = {one.text for version in versions for one in version.draft.heard}
    return [one for one in made.pitfalls if not any(f"“{symptom}”" in one for symptom in known)]


def _why(
    base: Playbook,
    added: Collection[Step],
    dropped: AbstractSet[str],
    ran: Counter[str],
    late: Sequence[Experience],
    *,
    count: int,
) -> str:
    """Return what speaks for a revision, in one sentence."""
    parts = [
        f"{max(ran[key] for key in _keys_of(step.line))} ran `{step.line}`"
        for step in dict.fromkeys(added)
    ]
    names = [one for one in base.draft.uses if _keys_of(one) <= dropped]
    parts += [f"none ran `{one}`" for one in names]
    if count:
        parts.append(f"{number_of(count, 'failure')} came up and was overcome")
    since = written_day(base.moved_at)
    return (
        f"Of {number_of(len(late), 'session')} that came through since {since}: {', '.join(parts)}."
    )
