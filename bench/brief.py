"""
How long the brief takes: what opens a session, and what is laid beside a prompt.

`python -m bench.brief [--size 100000] [--count 200] [--folder FOLDER]` fills one store with
four projects: one that was active last, one whose sessions all lie at the beginning, one
with a single session as long as a fifth of the store, and one that nobody knows. Every
brief is made anew. The last line is one JSON object.
"""

import argparse
import itertools
import shutil
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random  # noqa: TID251 - always seeded
from threading import RLock

from bench.floors import BATCH, timed
from bench.machine import keep, percentiles
from bench.texts import Corpus, corpus, evaluation_data
from tilth.agents.injections import Injections
from tilth.context.brief import brief
from tilth.context.injection import Injection
from tilth.context.model import BriefRequest
from tilth.core.actor import Actor, ActorKind
from tilth.core.ids import SessionId
from tilth.core.scope import DEFAULT_OWNER, Scope, seen_from
from tilth.embedding.static import StaticEmbedder
from tilth.episodes.episode import EpisodeDraft
from tilth.episodes.remember import WriteContext, remember
from tilth.ledger.sqlite.store import create_store, open_store
from tilth.ledger.store import Store, StoreEnvironment
from tilth.recall.lexicon import Lexicon
from tilth.recall.model import RecallOptions
from tilth.recall.recall import recall
from tilth.recall.recaller import Recaller
from tilth.runtime.features import load_features
from tilth.runtime.system import SystemClock, SystemIds

OLD, LONG, LAST, UNKNOWN = map(Scope, ("project:old", "project:long", "project:last", "project:no"))
_RECORDER = WriteContext(Actor("bench", ActorKind.AGENT), DEFAULT_OWNER)
_MARKED = "\nWe decided to keep it. TODO: look again. From now on, ask before you delete."


def main() -> None:
    """Fill a store, measure, and report."""
    load_features()
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--size", type=int, default=100_000)
    parser.add_argument("--count", type=int, default=200, help="briefs of each sort")
    parser.add_argument("--data", type=Path, default=evaluation_data())
    parser.add_argument("--folder", type=Path, help="where the store goes; a temporary one if not")
    arguments = parser.parse_args()
    texts = corpus(arguments.data)
    folder = Path(tempfile.mkdtemp(prefix="tilth-bench-", dir=arguments.folder))
    around = StoreEnvironment(SystemClock(), SystemIds(), folder / "state")
    try:
        create_store(folder / "tilth.db", around)
        store = open_store(folder / "tilth.db", around)
        first = StaticEmbedder()
        _fill(store, first, texts, arguments.size)
        report = _measured(store, first, texts, arguments.count, folder)
        store.close()
    finally:
        shutil.rmtree(folder)
    keep("brief", {"bench": "brief", "size": arguments.size, **report})


def _fill(store: Store, first: StaticEmbedder, texts: Corpus, size: int) -> None:
    drafts = _placed(texts.drafts(size, Random(1)), size)
    while batch := list(itertools.islice(drafts, BATCH)):
        remember(store, first, batch, recorder=_RECORDER)


def _placed(drafts: Iterator[EpisodeDraft], size: int) -> Iterator[EpisodeDraft]:
    """Give each draft its project, and one in twenty something that marks it."""
    for number, draft in enumerate(drafts):
        if number < size // 100:
            scope, session = OLD, draft.session_id
        elif number % 5 == 0:
            scope, session = LONG, SessionId("long")
        else:
            scope, session = LAST, draft.session_id
        text = draft.text + (_MARKED if number % 21 == 0 else "")
        yield replace(draft, text=text, scope=scope, session_id=session)


def _measured(
    store: Store, first: StaticEmbedder, texts: Corpus, count: int, folder: Path
) -> dict[str, object]:
    recaller = Recaller(first, None, Lexicon(first, RLock()), SystemClock(), ThreadPoolExecutor(1))
    fence = Injections(folder / "injected.log", SystemIds())
    report: dict[str, object] = {}
    for scope in (LAST, OLD, LONG, UNKNOWN):
        within = seen_from(DEFAULT_OWNER, scope)
        opening = partial(
            brief, store, recaller, fence, BriefRequest(), within, injection=Injection()
        )
        report[f"opening_{scope.partition(':')[2]}"] = percentiles(
            [timed(opening) for _ in range(count)]
        ) | {"tokens": opening().tokens}
    within = seen_from(DEFAULT_OWNER, LAST)
    asked = list(itertools.islice(itertools.cycle(texts.questions), 2 * count))
    answered, beside, plain = 0, [], []
    for question in asked:
        request = BriefRequest(question=question)
        plain.append(timed(partial(recall, store, recaller, question, within, RecallOptions())))
        told = partial(brief, store, recaller, fence, request, within, injection=Injection())
        beside.append(timed(told))
        answered += bool(told().text)
    report["beside_a_prompt"] = percentiles(beside[count:]) | {
        "told_something": round(answered / len(asked), 2)
    }
    report["floor_recall"] = percentiles(plain[count:])
    return report


if __name__ == "__main__":
    main()
