"""The verbs on Tilth's section in a file that agents read."""

from typing import Annotated, TypeAlias

from tilth.context.section import section_file, views
from tilth.context.section.section_file import Written
from tilth.core.io.paths import whole_path
from tilth.core.io.projects import scope_of_folder
from tilth.core.verb import HUMANS, Arg, verb
from tilth.episodes.context import Context

FilePath: TypeAlias = Annotated[
    str, Arg("AGENTS.md, CLAUDE.md or another file in markdown", metavar="FILE", parse=whole_path)
]


@verb(
    "command write",
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
    Write working commands and current rules into a file that agents read.

    A rule is a fact with the authority of an instruction, or a person's note that always holds. The
    section stands between markers, and writing again replaces it. The file's folder determines the
    project.

    Returns:
        The lines of the section.

    Raises:
        ForbiddenError: the caller is not a human, or the file is read-only.
        InvalidInputError: the file is not markdown.
        NotFoundError: no command or rule is known, or there is no such folder.
        ConflictError: the markers are incomplete, somebody wrote between them, or the file cannot
            be replaced.
        UnavailableError: the file cannot be read or written.
    """
    scope = scope_of_folder(path.rpartition("/")[0])
    within = brain.within(scope)
    return section_file.write(brain.store, brain.recorder, path, within, is_dry_run=is_dry_run)


@verb(
    "command unwrite",
    roles=HUMANS,
    view=views.section,
    examples=("tilth command unwrite AGENTS.md",),
)
def unwrite_section(brain: Context, path: FilePath) -> Written:
    """
    Remove the section from a file; all else stays byte for byte.

    Returns:
        The file.

    Raises:
        ForbiddenError: the caller is not a human, or the file is read-only.
        NotFoundError: the file has no section.
        ConflictError: the markers are incomplete, or somebody wrote between them.
        UnavailableError: the file cannot be read or written.
    """
    return section_file.unwrite(brain.recorder, path)
