"""
`tilth erase`: destroy for privacy what was said, and all that was made of it.

A person alone erases, at a terminal that no agent started. What would go is
counted first; only `--confirm` lets it go, and nothing brings it back.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated

from tilth.core.errors import InvalidInputError
from tilth.core.verb import Arg, Section
from tilth.core.view import Bold, Dim, Line, number_of, of_count
from tilth.erasure.erase import Certificate, ErasePlan
from tilth.erasure.erase_request import Erasing
from tilth.interfaces.cli.open_brain import require_person
from tilth.interfaces.cli.screen import Screen
from tilth.interfaces.cli.terminal import Terminal, command
from tilth.interfaces.describe_ids import describe
from tilth.interfaces.error_codes import EXIT_NO
from tilth.privacy.terminal_text import one_line
from tilth.runtime.brain import Brain

_SHOWN = 20
# Of more in one folder it is told how many.
_FILES_SHOWN = 3
_WORDS_CHARS = 80


@command(
    "erase",
    section=Section.LOOK_AFTER,
    examples=(
        "tilth erase --entity 'Ada Lovelace' --mentions",
        "tilth erase --episode epi_01KAR epi_01KAS --confirm",
    ),
)
def run(
    terminal: Terminal,
    *,
    entity: Annotated[
        str | None,
        Arg(
            "a person or a thing, by ID or name, and everything of theirs",
            metavar="ENTITY",
            exclusive="what",
            is_required=True,
        ),
    ] = None,
    episodes: Annotated[
        Sequence[str],
        Arg("episodes", metavar="ID", flags=("--episode",), exclusive="what", nargs="+"),
    ] = (),
    session: Annotated[
        str | None, Arg("a session, and all that was said in it", metavar="ID", exclusive="what")
    ] = None,
    facts: Annotated[
        Sequence[str], Arg("facts", metavar="ID", flags=("--fact",), exclusive="what", nargs="+")
    ] = (),
    mentions: Annotated[
        bool, Arg("also take every episode and fact that names it or holds an address of it")
    ] = False,
    confirm: Annotated[bool, Arg("erase, for good")] = False,
    digest: Annotated[str, Arg("erase only what was shown with this digest")] = "",
    scan: Annotated[
        Sequence[str],
        Arg("look for this too in every file afterwards; may be repeated", metavar="TERM"),
    ] = (),
) -> int:
    """
    Destroy what was said, and all that was made of it, for good.

    Shows what would go with an entity, episodes, a session or facts. With
    `--confirm`, destroys it for good and certifies that. Only a person may, at a
    terminal that no agent started. See docs/reference/erase.md.
    """
    require_person()
    screen = terminal.screen
    told = Erasing(
        entity=entity, episodes=episodes, session=session, facts=facts, mentions=mentions
    )
    with terminal.open() as brain:
        if confirm:
            certificate = _confirmed(brain, told, digest, scan, screen)
            screen.answer(certificate, [*_certified(brain, certificate)])
            return 0
        plan = brain.erase.plan(**told)
        lines = [*_planned(brain, plan)]
    screen.answer(plan, lines)
    screen.say("nothing was erased; to erase it for good, add: --confirm")
    return EXIT_NO


def _confirmed(
    brain: Brain, told: Erasing, digest: str, terms: Sequence[str], screen: Screen
) -> Certificate:
    if screen.is_json and not digest:
        raise InvalidInputError(
            "a program's answer brings the digest of what was shown",
            hint="tilth erase --json, without --confirm, and then: --confirm --digest DIGEST",
        )
    if not digest:
        plan = brain.erase.plan(**told)
        for line in _planned(brain, plan):
            screen.show(line)
        digest = plan.digest
    return brain.erase.confirm(digest, terms=terms, **told)


def _planned(brain: Brain, plan: ErasePlan) -> Iterator[Line]:
    if plan.is_empty:
        yield "nothing is left to erase"
    yield from _counts(plan.counts)
    yield from _in_words(brain, plan.ids[:_SHOWN])
    if len(plan.ids) > _SHOWN:
        yield Dim(f"  and {len(plan.ids) - _SHOWN:,} more; --json names them all")
    if plan.mentioned:
        told = ", ".join(f"{count:,} {noun}" for noun, count in plan.mentioned.items())
        yield f"besides, {told} hold a name or an address; --mentions takes them too"
    yield Dim(f"digest {plan.digest}")


def _in_words(brain: Brain, ids: Sequence[str]) -> Iterator[Line]:
    for one in describe(brain, ids):
        words = one_line(one["words"], _WORDS_CHARS)
        yield (f"  {one['id']}  {one['kind']}", Dim(f": {words}" if words else ""))


def _counts(counts: Mapping[str, int]) -> Iterator[Line]:
    for noun, count in counts.items():
        yield (Bold(f"{count:>9,}"), f" {of_count(noun, count)}")


def _certified(brain: Brain, certificate: Certificate) -> Iterator[Line]:
    if certificate.erasure_id is None:
        yield "nothing was left to erase"
    else:
        yield (
            "erased by ",
            Bold(certificate.by.name),
            f" on {certificate.at:%Y-%m-%d %H:%M:%S} UTC: event {certificate.erasure_id}",
        )
        yield from _counts(certificate.counts)
    yield f"looked for its words in {number_of(certificate.scanned_count, 'file')}"
    for one in certificate.found:
        yield (Bold("still there: "), f"{one.path} ({one.count} of the words)")
    if (elsewhere := certificate.said_elsewhere) is not None:
        yield f"{elsewhere.told}{':' * bool(elsewhere.ids)}"
        yield from _in_words(brain, elsewhere.ids)
    if not certificate.is_purged:
        yield "the store's own files are not clean yet: end what uses it, then: tilth worker --once"
    yield from _cleaned(certificate.cleaned)
    for path in certificate.copies:
        yield f"holds it still, and is yours to restore or remove: {path}"
    yield from (Dim(f"out of reach: {limit}") for limit in certificate.limits)


def _cleaned(paths: Sequence[str]) -> Iterator[Line]:
    """Yield the files that were cleaned; of many in one folder, how many."""
    for folder, count in Counter(str(Path(path).parent) for path in paths).items():
        if count > _FILES_SHOWN:
            yield f"cleaned: {number_of(count, 'file')} in {folder}"
        else:
            yield from (f"cleaned: {path}" for path in paths if str(Path(path).parent) == folder)
