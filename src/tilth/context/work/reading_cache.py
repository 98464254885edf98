"""
Readings of exchanges, kept in a file for the next brief of the same project.

A text always reads the same, and reading takes a third of a brief: most patterns that a command
compiles are for that, in modules that nothing else loads. So a brief reads only what is new. The
file belongs to this installation; without it, everything is read again.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from tilth.core.scope import Visibility
from tilth.exchanges.model import Exchange
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store

if TYPE_CHECKING:  # the modules that read are loaded only if something is new
    from tilth.exchanges.removals import Removal
    from tilth.recall.order.replacement import Replacement

# How many readings are kept for a project: those of its last work, and of the asking session.
_KEPT_MAX = 600
_DIGEST_BYTES = 16


class Wish(NamedTuple):
    """The wish of an ask, and whether it turns something down, or only asks."""

    text: str
    is_objection: bool
    is_asking: bool


class End(NamedTuple):
    """How an exchange ended, whether with a fault, and what it names as run."""

    text: str
    is_fault: bool
    named: Sequence[str]


class Readings:
    """Readings of texts: those *kept* from before a place of the ledger, and new ones on demand."""

    def __init__(self, kept: Mapping[str, Any] | None = None, through: int = 0) -> None:
        self._kept = kept or {}
        self._used: dict[str, Any] = {}
        self.through = through
        self.are_new = False

    @property
    def all(self) -> Mapping[str, Any]:
        """All readings: those used in this brief first, then the other kept ones."""
        return dict(islice((self._used | dict(self._kept)).items(), _KEPT_MAX))

    def shown_ask(self, ask: str) -> str:
        """Return an ask from where it says what is wanted, as far as it is shown."""
        return str(self._read("shown_ask", ask))

    def wish(self, ask: str) -> Wish:
        """Return the wish of an ask that names what it is about."""
        return Wish(*self._read("wish", ask))

    def end(self, one: Exchange) -> End:
        """Return how an exchange ended, if that tells how something is."""
        return End(*self._read("end", one.ask, one.report))

    def replacements(self, said: str) -> "Iterator[Replacement]":
        """Yield what a text says was replaced."""
        for *terms, is_settled in self._read("replacements", said):
            from tilth.recall.order.replacement import Replacement  # noqa: PLC0415 - few say so

            old, subject, topic = map(frozenset, terms)
            yield Replacement(old, subject, topic, is_settled)

    def taken_out(self, said: str) -> "Iterator[Removal]":
        """Yield what an ask, or the title of a commit, takes out of the project."""
        for terms in self._read("taken_out", said):
            from tilth.exchanges.removals import Removal  # noqa: PLC0415 - few do so

            what, within = map(frozenset, terms)
            yield Removal(what, within)

    def said_next(self, text: str, sentence: str) -> str:
        """Return what follows a *sentence* of a person's *text* and belongs to it."""
        return str(self._read("said_next", text, sentence))

    def report_sentences(self, report: str) -> Sequence[tuple[str, float]]:
        """Return the sentences of a report that may be shown; see `sentences_of`."""
        return [(whole, worth) for whole, worth in self._read("report_sentences", report)]

    def _read(self, name: str, *texts: str) -> Any:  # noqa: ANN401 - what JSON holds
        """Return the result of the function *name* of `tilth.context.work.extract` for *texts*."""
        said = "\0".join((name, *texts)).encode("utf-8", "surrogatepass")
        key = hashlib.blake2b(said, digest_size=_DIGEST_BYTES).hexdigest()
        if key not in self._used:
            if key in self._kept:
                self._used[key] = self._kept[key]
            else:
                from tilth.context.work import extract  # noqa: PLC0415 - where something is new

                self._used[key] = getattr(extract, name)(*texts)
                self.are_new = True
        return self._used[key]


class Texts(Protocol):
    """A best-effort store of texts by name; see `tilth.core.io.text_cache`."""

    def read(self, name: str) -> str:
        """Return a text; an empty one if there is none."""
        ...

    def write(self, name: str, text: str) -> None:
        """Write a text, if possible."""
        ...

    def remove(self, name: str) -> None:
        """Remove a text."""
        ...


class KeptReadings:
    """
    The kept readings of each project.

    Args:
        texts: Where they are kept, in this installation.
        where: The place of the store.
        code: Returns a version of the reading code; other versions' readings are not used.
        is_anew: Whether everything is read again, whatever is kept.
    """

    def __init__(
        self, texts: Texts, where: str, code: Callable[[], str], *, is_anew: bool = False
    ) -> None:
        self._texts, self._where, self._code, self._is_anew = texts, where, code, is_anew

    def anew(self) -> "KeptReadings":
        """Return the same store of readings, but one that reads everything again."""
        return KeptReadings(self._texts, self._where, self._code, is_anew=True)

    def of(self, view: Snapshot, within: Visibility) -> Readings:
        """
        Return the readings kept for what is visible from a project.

        Readings from before an erase, or before operations were set aside, are never returned: they
        may hold what is gone.
        """
        known = self._known(_name(self._where, within))
        is_other = (
            self._is_anew
            or known["code"] != self._code()
            or view.is_rebuilt_after(known["through"])
        )
        return Readings({} if is_other else known["read"], view.head().seq)

    def keep(self, store: Store, within: Visibility, readings: Readings) -> None:
        """Keep *readings* if any is new. If they cannot be written, the next brief reads again."""
        if not readings.are_new:
            return
        name = _name(self._where, within)
        said = {"code": self._code(), "through": readings.through, "read": readings.all}
        self._texts.write(name, json.dumps(said))
        # An erase at the same time removes the file when it is done, or is noticed here.
        with store.read() as view:
            if view.is_rebuilt_after(readings.through):
                self._texts.remove(name)

    def _known(self, name: str) -> Mapping[str, Any]:
        nothing = {"code": "", "through": 0, "read": {}}
        try:
            known = json.loads(self._texts.read(name))
            kinds = {"code": str, "through": int, "read": dict}
            is_whole = all(isinstance(known[name], kind) for name, kind in kinds.items())
        except (ValueError, LookupError, TypeError):
            return nothing
        return known if is_whole else nothing


def _name(where: str, within: Visibility) -> str:
    seen = [where, within.owner, sorted(within.scopes or ())]
    return f"{hashlib.sha256(json.dumps(seen).encode()).hexdigest()[:32]}.json"
