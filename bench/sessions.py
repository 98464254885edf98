"""Sessions of real work, in any number: what the streams and the transcripts hold, over again."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import count, islice
from pathlib import Path

from tilth.core.errors import TilthError
from tilth.core.ids import SessionId
from tilth.core.scope import Scope
from tilth.episodes.episode import EpisodeDraft
from tilth.runtime.brain import Brain
from tilth.transfer.file_importer import FileImporter

AT_ONCE = 2_000
_FOLDERS = ("streams/dev", "transcripts")


def fill(brain: Brain, data: Path, episodes: int) -> None:
    """Record that many episodes of *data*'s sessions."""
    said = islice(said_again(data), episodes)
    while drafts := list(islice(said, AT_ONCE)):
        brain.remember_many(drafts)


def said_again(data: Path) -> Iterator[EpisodeDraft]:
    """
    Yield what was said, for ever; the same sessions again are those of other projects.

    Raises:
        SystemExit: *data* holds no sessions.
    """
    drafts = [one for folder in _FOLDERS for one in _read(data / folder)]
    if not drafts:
        raise SystemExit(f"no sessions in {data}; set TILTH_EVAL_DATA")
    for turn in count():
        for draft in drafts:
            session = SessionId(f"{draft.session_id}-{turn}") if draft.session_id else None
            scope = Scope(f"project:{draft.scope.partition(':')[2] or 'unfiled'}-{turn}")
            yield replace(draft, session_id=session, scope=scope, idempotency_key=None)


def _read(folder: Path) -> Iterator[EpisodeDraft]:
    importer = FileImporter()
    for source in importer.find(str(folder)) if folder.exists() else ():
        try:
            for item, _ in importer.read(source):
                if isinstance(item, EpisodeDraft):
                    yield item
        except TilthError as error:
            print(f"not read: {source.uri}: {error}")
