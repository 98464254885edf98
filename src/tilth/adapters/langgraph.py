"""
A store of LangGraph: items under namespaces, kept as notes.

Every put and delete is a note in one session, so nothing that an item said is lost, and recall
and the pages find it like all else. The items are what the notes amount to: this process holds
them in LangGraph's own store in memory, which filters and lists them, and reads on from where it
was, so it sees what other processes put.
"""

import asyncio
import json
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from tilth.adapters.agent_memory import as_agent, missing
from tilth.core.scope import GLOBAL
from tilth.episodes.episode import Episode
from tilth.runtime.brain import Brain

try:
    from langgraph.store.base import BaseStore, Op, PutOp, Result, SearchItem, SearchOp
    from langgraph.store.memory import InMemoryStore
    from typing_extensions import override
except ImportError as error:
    raise missing("langgraph", "langgraph") from error

_MARK = "langgraph"
_PAGE = 1000
_HITS_MAX = 100

# A namespace, and a key in it.
_Place: TypeAlias = tuple[tuple[str, ...], str]


class TilthStore(BaseStore):
    """
    Items of LangGraph in a brain.

    Args:
        brain: Where the notes are kept.
        name: Which store it is; stores of one name hold the same items.
        scope: Where its notes belong: global, project:KEY or domain:NAME.
    """

    def __init__(self, brain: Brain, *, name: str = "store", scope: str = GLOBAL) -> None:
        self._brain = as_agent(brain, "langgraph")
        self._session = f"langgraph:{name}"
        self._scope = scope
        self._items = InMemoryStore()
        # The notes that say the items of today, as far as words may find them.
        self._notes: dict[_Place, str] = {}
        self._after = 0
        self._lock = threading.Lock()

    @override
    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Do *ops*: what they read is as it was before any of them wrote."""
        ops = list(ops)
        with self._lock:
            self._read_on()
            answers = [self._answer(op) for op in ops]
            last = {(op.namespace, op.key): op for op in ops if isinstance(op, PutOp)}
            self._brain.remember_many([self._note(op) for op in last.values()])
        return answers

    @override
    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Do *ops* in a thread."""
        return await asyncio.to_thread(self.batch, list(ops))

    def _note(self, op: PutOp) -> Mapping[str, object]:
        told = {"namespace": list(op.namespace), "key": op.key, "value": op.value}
        said = "is deleted" if op.value is None else "\n".join(_lines(op.value))
        return {
            "text": f"{'/'.join((*op.namespace, op.key))}\n{said}",
            "kind": "note",
            "role": "assistant",
            "session_id": self._session,
            "scope": self._scope,
            "metadata": {_MARK: {**told, "is_found": op.index is not False}},
        }

    def _read_on(self) -> None:
        while True:
            page = self._brain.episodes.list(
                session_id=self._session, limit=_PAGE, after=self._after, scope=self._scope
            )
            for one in page:
                self._take(one)
                self._after = one.seq
            if len(page) < _PAGE:
                return

    def _take(self, note: Episode) -> None:
        told: Any = note.noted(_MARK)
        if told is None:
            return
        place: _Place = (tuple(told["namespace"]), told["key"])
        before = self._items.get(*place)
        self._items.put(*place, told["value"])
        self._notes.pop(place, None)
        if item := self._items.get(*place):
            item.created_at = before.created_at if before else note.recorded_at
            item.updated_at = note.recorded_at
            if told["is_found"]:
                self._notes[place] = note.id

    def _answer(self, op: Op) -> Result:
        if isinstance(op, PutOp):
            return None
        if isinstance(op, SearchOp) and op.query:
            return self._recalled(op, op.query)
        return self._items.batch([op])[0]

    def _recalled(self, op: SearchOp, words: str) -> list[SearchItem]:
        """Return the items that *words* find, the best first."""
        every = self._items.search(op.namespace_prefix, filter=op.filter, limit=sys.maxsize)
        among = {self._notes.get((one.namespace, one.key), ""): one for one in every}
        hits = self._brain.recall(
            words,
            limit=_HITS_MAX,
            budget_tokens=0,
            session_id=self._session,
            is_grouped=False,
            scope=self._scope,
        ).hits
        found = [(among[hit.id], hit.score) for hit in hits if hit.id in among]
        for one, score in found:
            one.score = score
        return [one for one, _ in found][op.offset : op.offset + op.limit]


def _lines(value: object, name: str = "") -> Iterator[str]:
    """Yield a line for each leaf of *value*, so that its words are found."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _lines(inner, f"{name}.{key}" if name else str(key))
    else:
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        yield f"{name}: {text}"
