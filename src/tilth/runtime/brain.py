"""`Brain`, the object that a program works with; a method's code loads on its first call."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NoReturn, Self

from tilth.core.actor import HOOKS, IMPORTER
from tilth.core.errors import NotFoundError
from tilth.privacy.exclusion import Exclusion
from tilth.runtime.dependencies import Dependencies
from tilth.runtime.features import load_features
from tilth.runtime.index import index
from tilth.runtime.lazy import made_object
from tilth.runtime.methods import Methods

if TYPE_CHECKING:
    from tilth.agents.ingest import Ingested, Reading
    from tilth.agents.spool import SpoolFolder
    from tilth.core.scope import Scope
    from tilth.runtime.check import Check
    from tilth.runtime.doctor import Machine
    from tilth.transfer.import_sources import Progress, SourceReport
    from tilth.transfer.model import Source
    from tilth.transfer.tables import L


class Brain(Methods):
    """
    One brain: a store, its models and a clock, with a method for every use case.

    Methods hold no logic of their own: each calls one use case. A brain may be used from several
    threads. The core is synchronous; an async program runs its methods in a thread.
    """

    def __init__(self, parts: Dependencies) -> None:
        self._parts = parts
        self._caller, self._names = parts, index()["modules"]
        # Fail now, not at the first write, if the list of excluded terms cannot be read.
        _ = parts.excluded

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def __reduce__(self) -> NoReturn:  # type: ignore[explicit-override] # as below
        raise TypeError("a brain is not pickled: connect in the process that needs it")

    def __repr__(self) -> str:  # type: ignore[explicit-override] # `typing.override` came with Python 3.12
        recorder = self._parts.recorder
        return f"<Brain of {recorder.owner} in store {self.store_id}, for {recorder.by.name}>"

    def close(self) -> None:
        """Release the store and the models. Calling it twice does no harm."""
        if (model_pool := made_object(self._parts.model_pool)) is not None:
            model_pool.cancel()
        if (executor := made_object(self._parts.recaller.executor)) is not None:
            executor.shutdown()
        self._parts.store.close()

    def confined(self, scope: Scope) -> Brain:
        """
        Return this brain confined to one project.

        It reads that project, what is global, and the scopes of the setting `mcp_scopes`.
        """
        granted = self._parts.settings.scopes_granted
        if granted is None:
            return self
        seen = self._parts.within(scope).scopes or frozenset()
        return Brain(replace(self._parts, readable_scopes=seen | granted))

    @property
    def parts(self) -> Dependencies:
        """The parts that this brain is made of."""
        return self._parts

    @property
    def excluded(self) -> Exclusion:
        """The terms that are never recorded for agents, nor shown to them."""
        return self._parts.excluded

    @property
    def store_id(self) -> str:
        """The store's own ID, which is made with the store."""
        return self._parts.store.store_id

    def whole_id(self, text: str) -> str:
        """
        Return the ID that starts with *text*, if there is only one.

        Args:
            text: The prefix of a kind, such as `fct_`, and at least four more characters.

        Returns:
            The whole ID; *text* itself if no ID starts with it or it is not such a beginning.

        Raises:
            InvalidInputError: several IDs start with it.
        """
        # A process for one command has loaded only few kinds of ID.
        load_features()
        with self._parts.store.read() as view:
            return view.whole_id(self._parts.recorder.owner, text)

    def examine(self, machine: Machine) -> list[Check]:
        """
        Check the store, its models, and that a question gets an answer.

        Args:
            machine: The surroundings of the store: backups, heads, transcripts, the time.

        Returns:
            One check for each, with what mends it; a failing check does not stop the others.
        """
        from tilth.runtime.doctor import Patient, examine_store

        parts = self._parts
        patient = Patient(
            store=parts.store,
            first=parts.first,
            second=parts.second,
            within=parts.within(None),
            ask=lambda question: [hit.text for hit in self.recall(question).hits],
            model_pool=parts.model_pool,
            web_access=parts.web_access,
        )
        return examine_store(patient, machine)

    def unimported(self, sources: Sequence[L]) -> Sequence[L]:
        """Return those of *sources* that were never imported."""
        from tilth.transfer.tables import unimported

        with self._parts.store.read() as view:
            return unimported(view, self._parts.recorder.owner, sources)

    def import_sources(
        self,
        sources: Sequence[Source],
        *,
        is_dry_run: bool = False,
        progress: Progress = lambda _source, _bytes: None,
    ) -> Iterator[SourceReport]:
        """
        Import *sources* one after the other, and yield a report on each.

        Args:
            sources: Sources as `find_sources` returns them.
            is_dry_run: Whether to count only; the reports are those of a real run.
            progress: Called with the source and the number of its bytes read so far.

        Returns:
            A report for each source. A source that cannot be read has a report that says so, and
            does not stop the others.
        """
        from tilth.transfer import import_sources
        from tilth.transfer.import_rows import RowImporter

        parts = self._parts
        writing = replace(parts.writing, recorder=replace(parts.recorder, by=IMPORTER))
        taker = RowImporter(parts.store.store_id, writing, parts.excluded)
        return import_sources.import_sources(
            parts.store,
            (parts.importer, parts.first, taker),
            sources,
            recorder=replace(parts.recorder, by=IMPORTER),
            is_dry_run=is_dry_run,
            progress=progress,
        )

    def ingest(self, spool: SpoolFolder, reading: Reading) -> Ingested:
        """
        Record what hooks wrote to *spool*.

        Returns:
            How many records became new episodes, were known already, or were set aside.
        """
        from tilth.agents.ingest import ingest_spool

        parts = self._parts
        recorder = replace(parts.recorder, by=HOOKS)
        return ingest_spool(parts.store, parts.first, spool, reading, recorder=recorder)

    def find_sources(self, path: str) -> list[Source]:
        """
        Return what can be imported at *path*, a file or a folder.

        Documents that were imported from there, but whose files are gone, come last.

        Raises:
            NotFoundError: nothing is there, and no document was.
            InvalidInputError: it is neither a file nor a folder.
        """
        from tilth.transfer.renamed_documents import gone_at

        parts = self._parts
        gone = gone_at(parts.store, parts.recorder.owner, path)
        try:
            return [*parts.importer.find(path), *gone]
        except NotFoundError:
            if not gone:
                raise
            return gone
