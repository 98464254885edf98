"""Results of vault verbs, as lines for a person."""

from collections.abc import Iterator, Sequence

from tilth.core.view import Bold, Dim, Line, Note, number_of
from tilth.transfer.vault.edits import Edit, VaultRead
from tilth.transfer.vault.write import VaultWritten

_SHOWN_MAX = 20
_WHERE = (
    "what proposes: the line of a fact, which ends in its name (^fct-…; a link with it leads"
    " there), or a new line that begins with `- ` on a page of a thing or a project"
)


def written(done: VaultWritten) -> Iterator[Line]:
    """Yield how many pages there are, and which edited ones were left as they are."""
    yield (
        Bold(done.path),
        f": {number_of(done.page_count, 'page')}, {len(done.written):,} written",
    )
    if done.renamed or done.removed:
        yield Dim(f"{len(done.renamed):,} renamed, {len(done.removed):,} removed")
    yield from (f"changed by you, left as it is: {one}" for one in done.edited[:_SHOWN_MAX])
    yield from (f"changed by you and in the brain: {one}" for one in done.conflicts[:_SHOWN_MAX])
    yield from (f"proposed, and waits: {one}" for one in done.waiting[:_SHOWN_MAX])
    if done.waiting:
        yield Note("a person decides: tilth review")
    if done.edited or done.conflicts:
        yield Note(f"propose what you changed: tilth vault import {done.path}")


def read(done: VaultRead) -> Iterator[Line]:
    """Yield the proposals, the conflicts and the refusals."""
    yield from _edits("correction", done.corrections)
    yield from _edits("removal", done.removals)
    yield from _edits("new", done.statements)
    for one in done.conflicts:
        yield (Bold("conflict"), f"  {one.path}  {one.fact_id}")
        yield f"  yours:  {one.after or '(deleted)'}"
        yield f"  brain:  {one.theirs}"
    for one in done.refused:
        said = one.after or one.before
        yield (Bold("refused"), f"  {one.path}", f": {said}" * bool(said))
        yield Dim(f"  {one.refused}")
    for path in done.missed:
        yield f"lines that propose nothing, kept as yours with the next export: {path}"
    if done.missed:
        yield Note(_WHERE)
    if done.corrections or done.removals or done.statements:
        yield Note("a person decides: tilth review")
    elif not (done.conflicts or done.refused or done.missed):
        yield "nothing was changed"


def _edits(word: str, edits: Sequence[Edit]) -> Iterator[Line]:
    for one in edits[:_SHOWN_MAX]:
        yield (Bold(word), f"  {one.path}  ", Dim(one.proposal_id))
        if one.before:
            yield f"  - {one.before}"
        if one.after:
            yield f"  + {one.after}"
    if len(edits) > _SHOWN_MAX:
        yield Dim(f"and {len(edits) - _SHOWN_MAX:,} more")
