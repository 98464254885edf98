"""
What a playbook must be, whoever drafted it (KB-103, KB-104).

Every rule answers in words, so that a draft that is refused says why. None of them reads
what a text means: they look at its shape, at what it names, and at where its words stand.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from tilth.core.text.pattern import AnyPart, Worded, pattern

if TYPE_CHECKING:  # A brief asks what is forbidden in a sentence, and of no draft.
    from tilth.core.ids import EpisodeId
    from tilth.playbooks.model import Cited, PlaybookDraft

TITLE_CHARS_MIN = 12
WHEN_CHARS_MIN = 10
STEPS_MIN = 3
CONCRETE_MIN = 2
QUOTE_CHARS_MIN = 15
QUOTED_EPISODES_MIN = 2
TEXT_CHARS_MAX = 400
_CONCRETE = pattern(
    r"`[^`]+`|(?:^|\s)--?\w[\w-]*|[\w.-]+/[\w./-]+"
    r"|\b[\w-]+\.(?:py|ts|tsx|js|jsx|go|rs|rb|java|php|cs|cpp|c|h|sh|sql|html|css|toml|ya?ml|json"
    r"|xml|ini|cfg|conf|env|lock|tf|txt|md)\b"
    r"|\bport \d{2,5}\b|:\d{2,5}\b"
    r"|\b(?:git|docker|podman|kubectl|helm|terraform|ansible(?:-playbook)?|systemctl|journalctl"
    r"|npm|npx|pnpm|yarn|cargo|rustc|pip|uv|tox|pytest|mypy|ruff|make|cmake|gradle|mvn|bazel"
    r"|dotnet|composer|psql|mysql|sqlite3|rsync|ssh|go (?:build|run|test|vet))\b"
)
_COMMAND = pattern(r"`([^`\n]+)`")
# What no step of ours holds: what fetches and runs, hides what it does, or speaks to a model. Each
# form by the words or parts of which it needs one: where a text has none, it is not compiled.
_FORBIDDEN = tuple(
    (Worded(form, AnyPart(parts), flags=re.MULTILINE), what)
    for parts, form, what in (
        # An address of this machine leads nowhere else.
        (
            "://",
            r"://(?!(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?:[/`'\"),;\]]|\.?(?:\s|$)))",
            "an address",
        ),
        ("www.", r"\bwww\.", "an address"),
        (
            "curl, wget, nca, netcat, telnet, scp, base64, xxd, iwr, iex, certutil, invoke-",
            r"\b(?:curl|wget|ncat?|netcat|telnet|scp|base64|xxd|iwr|iex|certutil|invoke-\w+)\b",
            "a program that fetches or hides",
        ),
        # "An eval of the agent" runs nothing.
        (
            "eval",
            r"(?<![/@.-])\beval(?=\s+[\"'`$]|\s*\()",
            "a program that fetches or hides",
        ),
        (
            "|",
            r"\|\s*(?:sudo\s+)?(?:\S*/)?(?:(?:ba|z|da|k|c|fi)?sh|python\d?|perl|ruby|node|php)\b",
            "a program at the end of a pipe",
        ),
        (
            "```, ~~~",
            r"`{3}|^\s*~{3}",
            "a block of code, as a script is",
        ),
        (
            "$(, <(, rm, chmod, sudo, dd",
            r"\$\(|<\(|\brm\s+-\w*[rf]|\bchmod\s+[0-7+]*[x7]|\bsudo\b|\bdd\s+if=",
            "what runs or destroys something unseen",
        ),
        (
            "!, {{, <script, ](",
            r"^\s*!|!`|\{\{|<script|\]\(",
            "what a reader would run or follow",
        ),
        (
            "",
            r"[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]",
            "a character that is not seen",
        ),
        (
            "ignore, disregard, forget, override",
            r"\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:instruction|rule|prompt|above|prior)",
            "words to a model",
        ),
        (
            "you are now, do not",
            r"\byou are now\b|\bdo not (?:tell|mention|reveal)\b",
            "words to a model",
        ),
        (
            "system prompt",
            r"\b(?:your|my) system prompt\b|\bsystem prompt\s*[:=]",
            "words to a model",
        ),
        (
            "system prompt",
            r"\b(?:reveal|print|show|repeat|leak|output)\W+(?:\w+\W+){0,3}system prompt\b",
            "words to a model",
        ),
    )
)


def problems(
    draft: PlaybookDraft, texts: Mapping[EpisodeId, str], lines: Collection[str]
) -> Iterator[str]:
    """
    Yield why a draft is no playbook; nothing if it is one.

    Args:
        draft: What was drafted.
        texts: The texts of the episodes that it may quote.
        lines: The commands that were seen to come through; a step may name no other.
    """
    yield from problems_of_words(draft)
    yield from _unseen(draft, lines)
    if not draft.lifted_from:
        yield from _unquoted(draft.evidence, texts)


def problems_of_words(draft: PlaybookDraft) -> Iterator[str]:
    """Yield why the words of a draft are no playbook, whoever wrote them."""
    yield from _shape(draft)
    yield from forbidden(draft)


def commands_of(text: str) -> list[str]:
    """Return the commands that a part of a draft names."""
    return _COMMAND.findall(text)


def _shape(draft: PlaybookDraft) -> Iterator[str]:
    title = draft.title.strip()
    if len(title) < TITLE_CHARS_MIN or " " not in title:
        yield f"its title has fewer than {TITLE_CHARS_MIN} characters, or one word"
    if len(draft.applies_when.strip()) < WHEN_CHARS_MIN:
        yield f"it says in fewer than {WHEN_CHARS_MIN} characters when it applies"
    if len(draft.steps) < STEPS_MIN:
        yield f"it has fewer than {STEPS_MIN} steps"
    if sum(_CONCRETE.search(step) is not None for step in draft.steps) < CONCRETE_MIN:
        yield f"fewer than {CONCRETE_MIN} of its steps name a command, a file or a port"
    if any(len(text) > TEXT_CHARS_MAX or not text.strip() for text in draft.texts):
        yield f"a part of it is empty, or longer than {TEXT_CHARS_MAX} characters"


def forbidden(draft: PlaybookDraft) -> Iterator[str]:
    """Yield what stands in a draft that no playbook may hold."""
    found = (what for text in draft.texts for what in forbidden_in(text))
    yield from (f"it holds {what}" for what in dict.fromkeys(found))


def forbidden_in(text: str) -> Iterator[str]:
    """Yield what stands in a text that no playbook may hold."""
    yield from (what for form, what in _FORBIDDEN if form.search(text))


def is_safe(text: str) -> bool:
    """Say whether a text that no person chose is no advice to run, fetch or follow something."""
    return not any(forbidden_in(text))


def _unseen(draft: PlaybookDraft, lines: Collection[str]) -> Iterator[str]:
    known = {_folded(line).removesuffix(" …") for line in lines}
    for step in (*draft.steps, draft.title, draft.applies_when):
        for command in commands_of(step):
            named = _folded(command).removesuffix(" …")
            if named not in known:
                yield f"nobody was seen to run {command[:60]!r}"


def _unquoted(evidence: Sequence[Cited], texts: Mapping[EpisodeId, str]) -> Iterator[str]:
    for quote in evidence:
        words = quote.words(texts.get(quote.episode_id, ""))
        if not words:
            yield f"a quote does not stand in {quote.episode_id}"
        elif len(_folded(words)) < QUOTE_CHARS_MIN:
            yield f"a quote has fewer than {QUOTE_CHARS_MIN} characters"
    if len({quote.episode_id for quote in evidence}) < QUOTED_EPISODES_MIN:
        yield f"it quotes fewer than {QUOTED_EPISODES_MIN} episodes"


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
