"""What can be asked about the section of ours in a file that agents read."""

from typing import Annotated, TypeAlias

from tilth.context.section import views, writing
from tilth.context.section.writing import Written
from tilth.core.outside.paths import whole_path
from tilth.core.outside.projects import scope_of_folder
from tilth.core.verb import HUMANS, Arg, verb
from tilth.episodes.context import Context

FilePath: TypeAlias = Annotated[
    str, Arg("AGENTS.md, CLAUDE.md or another file in markdown", metavar="FILE", parse=whole_path)
]


@verb(
    "command write",
    python="commands.write",
    roles=HUMANS,
    view=views.section,
    examples=("tilth command write AGENTS.md --dry-run",),
)
def write_section(
    brain: Context,
    path: FilePath,
    *,
    is_dry_run: Annotated[bool, Arg("show what would be written, and write nothing")] = False,
) -> Written:
    """
    Write the commands that work and the rules that hold into a file of agents.

    A rule is a fact with the authority of an instruction, or a note of a person that holds
    always. They stand between marks, and writing again replaces them. Which project it is, the
    file's folder says.

    Returns:
        The lines of the section.

    Raises:
        ForbiddenError: the caller is not a human, or the file is read-only.
        InvalidInputError: it is no markdown.
        NotFoundError: nothing is known to write, or there is no such folder.
        ConflictError: the marks in it are not whole, somebody wrote between them, or it cannot be
            replaced.
        UnavailableError: it cannot be read or written.
    """
    scope = scope_of_folder(path.rpartition("/")[0])
    within = brain.within(scope)
    return writing.write(brain.store, brain.recorder, path, within, is_dry_run=is_dry_run)


@verb(
    "command unwrite",
    python="commands.unwrite",
    roles=HUMANS,
    view=views.section,
    examples=("tilth command unwrite AGENTS.md",),
)
def unwrite_section(brain: Context, path: FilePath) -> Written:
    """
    Take the section out of a file again; all else stays byte for byte.

    Returns:
        The file.

    Raises:
        ForbiddenError: the caller is not a human, or the file is read-only.
        NotFoundError: there is no section in it.
        ConflictError: the marks in it are not whole, or somebody wrote between them.
        UnavailableError: it cannot be read or written.
    """
    return writing.unwrite(brain.recorder, path)
