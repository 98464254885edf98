"""The verbs on Tilth's section in a file that agents read."""

from typing import Annotated, TypeAlias

from tilth.context.section import views
from tilth.context.section.section_file import (
    Written,
    read_markdown,
    section_lines,
    with_section,
    without_section,
)
from tilth.core.actor import require_human
from tilth.core.errors import NotFoundError
from tilth.core.io.atomic_file import Disk
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
    within = brain.within(scope_of_folder(path.rpartition("/")[0]))
    require_human(brain.recorder.by, "write into a file")
    disk, text = Disk(), read_markdown(path)
    if missing := disk.folders_missing_for(path):
        raise NotFoundError(f"there is no folder {missing[-1]!r}")
    with brain.store.read() as view:
        lines = list(section_lines(view, within))
    if not lines:
        raise NotFoundError("no command and no rule is known here", hint="see: tilth command list")
    new = with_section(text, lines)
    if not is_dry_run:
        disk.check(path)
        disk.write(path, new.encode(), is_shared=True)
    return Written(path=path, lines=lines, is_written=not is_dry_run)


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
    require_human(brain.recorder.by, "write into a file")
    disk, text = Disk(), read_markdown(path)
    bare = text if text is None else without_section(text)
    if text is None or bare == text:
        raise NotFoundError(f"{path!r} holds no section of Tilth's")
    disk.check(path)
    if bare is None:
        disk.remove(path, ())
    else:
        disk.write(path, bare.encode(), is_shared=True)
    return Written(path=path, lines=(), is_written=False, is_there=bare is not None)
