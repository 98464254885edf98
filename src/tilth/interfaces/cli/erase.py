"""
`tilth erase`: destroy for privacy what was said, and all that was made of it.

A person alone erases, at a terminal that no agent started. What would go is
counted first; only `--confirm` lets it go, and nothing brings it back.
"""

from argparse import Namespace
from collections.abc import Iterator, Mapping
from typing import cast

from tilth.core.errors import InvalidInputError
from tilth.core.view import Bold, Dim, Line
from tilth.erasure.erasable import Erasing
from tilth.erasure.erase import Certificate, ErasePlan
from tilth.interfaces.cli.opening import open_brain, require_person
from tilth.interfaces.cli.screen import Screen
from tilth.interfaces.outcome import EXIT_NO
from tilth.runtime.brain import Brain

_TOLD = ("entity", "episodes", "session", "facts", "mentions")
_SHOWN = 20


def run(args: Namespace, screen: Screen) -> int:
    """Show what would go, or let it go and certify that."""
    require_person()
    told = {name: value for name in _TOLD if (value := getattr(args, name))}
    with open_brain(args) as brain:
        if args.is_confirmed:
            return _confirmed(brain, cast("Erasing", told), args, screen)
        plan = brain.erase.plan(**cast("Erasing", told))
    screen.answer(plan, _planned(plan))
    screen.say("nothing was erased; to erase it for good, add: --confirm")
    return EXIT_NO


def _confirmed(brain: Brain, told: Erasing, args: Namespace, screen: Screen) -> int:
    if screen.is_json and not args.digest:
        raise InvalidInputError(
            "a program's answer brings the digest of what was shown",
            hint="tilth erase --json, without --confirm, and then: --confirm --digest DIGEST",
        )
    digest = args.digest
    if not digest:
        plan = brain.erase.plan(**told)
        for line in _planned(plan):
            screen.show(line)
        digest = plan.digest
    certificate = brain.erase.confirm(digest, terms=args.scan, **told)
    screen.answer(certificate, _certified(certificate))
    return 0


def _planned(plan: ErasePlan) -> Iterator[Line]:
    if plan.is_empty:
        yield "nothing is left to erase"
    yield from _counts(plan.counts)
    yield from (f"  {one}" for one in plan.ids[:_SHOWN])
    if len(plan.ids) > _SHOWN:
        yield Dim(f"  and {len(plan.ids) - _SHOWN:,} more; --json names them all")
    if plan.mentioned:
        told = ", ".join(f"{count:,} {noun}" for noun, count in plan.mentioned.items())
        yield f"besides, {told} hold a name or an address; --mentions takes them too"
    yield Dim(f"digest {plan.digest}")


def _counts(counts: Mapping[str, int]) -> Iterator[Line]:
    for noun, count in counts.items():
        yield (Bold(f"{count:>9,}"), f" {noun}")


def _certified(certificate: Certificate) -> Iterator[Line]:
    if certificate.erasure_id is None:
        yield "nothing was left to erase"
    else:
        yield (
            "erased by ",
            Bold(certificate.by.name),
            f" on {certificate.at:%Y-%m-%d %H:%M:%S} UTC: event {certificate.erasure_id}",
        )
        yield from _counts(certificate.counts)
    yield f"looked for its words in {certificate.scanned_count:,} files"
    for one in certificate.found:
        yield (Bold("still there: "), f"{one.path} ({one.count} of the words)")
    if not certificate.is_purged:
        yield "the store's own files are not clean yet: end what uses it, then: tilth worker --once"
    yield from (f"cleaned: {path}" for path in certificate.cleaned)
    for path in certificate.copies:
        yield f"holds it still, and is yours to restore or remove: {path}"
    yield from (Dim(f"out of reach: {limit}") for limit in certificate.limits)
