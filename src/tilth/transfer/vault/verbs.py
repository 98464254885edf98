"""The verbs on vaults."""

from collections.abc import Callable
from typing import Annotated, Protocol

from tilth.core.io.paths import whole_path
from tilth.core.verb import ANYONE, KNOWN, Arg, Section, noun, verb
from tilth.episodes.context import Narrowed
from tilth.knowledge.facts.verbs import Needs as FactNeeds
from tilth.transfer.export_file import Exporting
from tilth.transfer.vault import views
from tilth.transfer.vault.edits import VaultRead, read_vault
from tilth.transfer.vault.page_text import Links
from tilth.transfer.vault.write import VaultContext, VaultWritten, write_vault
from tilth.transfer.verbs import Needs as ExportNeeds

noun("vault", "what is known, as a folder of markdown files", section=Section.LOOK_AFTER)

Folder = Annotated[str, Arg("the folder", metavar="FOLDER", parse=whole_path)]


class Needs(FactNeeds, ExportNeeds, Protocol):
    """What a vault needs of a brain."""


@verb(
    "vault export",
    python="vault.export",
    roles=ANYONE,
    view=views.written,
    examples=(
        "tilth vault export ~/vault",
        "tilth vault export docs/brain --links md",
        "tilth vault export ~/vault --raw",
    ),
)
def export(
    brain: Needs,
    path: Folder,
    *,
    links: Annotated[Links, Arg("how pages name one another: for Obsidian, or for others")] = (
        Links.WIKI
    ),
    is_raw: Annotated[
        bool, Arg("with what was said, session by session, under raw/", flags=("--raw",))
    ] = False,
    scope: Narrowed = None,
    progress: Annotated[
        Callable[[int], None], Arg("told how many pages are done", progress="writing")
    ] = lambda _done: None,
) -> VaultWritten:
    """
    Write everything that you may see as pages of markdown, or update them.

    The same brain gives the same bytes. What you write below the marker of a page stays; what you
    change above it stays until `tilth vault import` has read it and a person has decided. An erase
    updates a vault that was made here.

    Returns:
        The pages that were written, renamed and removed, and those left alone because somebody
        changed them.

    Raises:
        InvalidInputError: the folder holds something else.
        ConflictError: it is a vault of another brain, or a link leads out of it.
    """
    told = Exporting(
        path=path, within=brain.within(scope), is_forced=True, links=links.value, is_raw=is_raw
    )
    context = VaultContext(brain.store, brain.excluded, brain.clock)
    done = write_vault(context, told, progress=progress)
    # Whoever erases something brings it up to date.
    brain.export_context.exports.note(brain.store.store_id, told)
    return done


@verb(
    "vault import",
    python="vault.import_edits",
    roles=KNOWN,
    view=views.read,
    examples=("tilth vault import ~/vault",),
)
def import_edits(brain: Needs, path: Folder) -> VaultRead:
    """
    Propose what was changed in a vault; a file alone changes no fact.

    A changed line proposes a correction, a deleted line the end of its fact, and a new line a new
    fact. If the fact changed in the brain too, both are shown. A line that proposes nothing is
    reported, and the next export puts it below the marker, so nothing is lost.

    Returns:
        The proposals, the conflicts, and what was refused and why.

    Raises:
        NotFoundError: there is no vault.
        ConflictError: it is a vault of another brain, or a link leads out of it.
        CorruptionError: its manifest cannot be read.
    """
    return read_vault(brain.store, path, brain.writing, brain.excluded)
