"""Erasing for privacy, which a human alone may."""

from collections.abc import Sequence
from typing import Unpack

from tilth.erasure import erase as erasing
from tilth.erasure.erasable import Erasing
from tilth.erasure.erase import Certificate, ErasePlan, Eraser, Finished
from tilth.runtime.parts import Parts


class Erase:
    """What a brain forgets for good."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def plan(self, **told: Unpack[Erasing]) -> ErasePlan:
        """Show what would go; see `tilth.erasure.erase.plan_erase`."""
        return erasing.plan_erase(self._eraser, told)

    def confirm(
        self, digest: str, *, terms: Sequence[str] = (), **told: Unpack[Erasing]
    ) -> Certificate:
        """Erase what a plan with this digest showed; see `tilth.erasure.erase.erase`."""
        return erasing.erase(self._eraser, told, digest, terms=terms)

    def finish(self) -> Finished:
        """Go on where an erase was cut off; see `tilth.erasure.erase.finish`."""
        return erasing.finish(self._eraser)

    @property
    def _eraser(self) -> Eraser:
        parts = self._parts
        return Eraser(
            store=parts.store,
            outside=parts.outside,
            scribe=parts.scribe,
            recorder=parts.recorder,
            clock=parts.clock,
        )
