"""What may be wrong in a text, as lines for a person."""

from collections.abc import Iterator, Sequence

from tilth.core.view import Bold, Dim, Line, Note
from tilth.learning.check import Issue
from tilth.privacy.terminal_text import one_line

_CHARS = 160


def issues(found: Sequence[Issue]) -> Iterator[Line]:
    """Yield what may be wrong, with the reason and what speaks against it."""
    for issue in found:
        yield (Bold(issue.kind.replace("_", " ")), f"  {one_line(issue.quote, _CHARS)}")
        yield f"  {one_line(issue.reason, _CHARS)}"
        entity = [issue.entity_id] if issue.entity_id else []
        yield Dim(f"  {' '.join([*entity, *issue.facts])}")
    if not found:
        yield Note("nothing that is known speaks against it")
