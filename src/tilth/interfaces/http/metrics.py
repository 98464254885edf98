"""What Prometheus reads: requests as they were answered, and what the brain holds."""

import os
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from threading import Lock

from tilth.core.lifecycle import Lifecycle
from tilth.episodes.tables import Episodes
from tilth.interfaces.http.event_stream import waiting_in
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.tables import Facts
from tilth.runtime import connect as bootstrap
from tilth.runtime.brain import Brain
from tilth.runtime.machine import spool_state

_RECALLS_KEPT = 200


class Counts:
    """Requests since the server started, by the first parts of their path, and their seconds."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._requests: Counter[tuple[str, int]] = Counter()
        self._seconds: Counter[str] = Counter()
        self._recalls: deque[float] = deque(maxlen=_RECALLS_KEPT)

    def recalled(self, seconds: float) -> None:
        """Keep how long a recall took."""
        self._recalls.append(seconds)

    @property
    def recalls(self) -> Sequence[float]:
        """How many seconds each of the last recalls took, the oldest first."""
        return tuple(self._recalls)

    def asked(self, path: str, status: int, seconds: float) -> None:
        """Count one request."""
        # What was not found has paths of a caller's making.
        about = "/".join(path.split("/")[:4]) if status != 404 else "unknown"  # noqa: PLR2004
        with self._lock:
            self._requests[about, status] += 1
            self._seconds[about] += seconds  # type: ignore[assignment] # a sum of seconds

    def lines(self) -> Iterator[str]:
        """Yield the counts in the text format of Prometheus."""
        with self._lock:
            requests, seconds = sorted(self._requests.items()), sorted(self._seconds.items())
        yield from _family("requests_total", "counter", "Requests answered.")
        for (path, status), count in requests:
            yield f'tilth_requests_total{{path="{path}",status="{status}"}} {count}'
        yield from _family("request_seconds_total", "counter", "Seconds spent on answers.")
        for path, spent in seconds:
            yield f'tilth_request_seconds_total{{path="{path}"}} {spent:.6f}'


def exposition(brain: Brain, where: str, counts: Counts) -> str:
    """Return all that is measured, in the text format of Prometheus, version 0.0.4."""
    return "\n".join([*counts.lines(), *_brain_metrics(brain), *_worker_metrics(where)]) + "\n"


def _brain_metrics(brain: Brain) -> Iterator[str]:
    within = brain.parts.within(None)
    with brain.parts.store.read() as view:
        yield from _gauge("events", "Events in the ledger.", view.head().seq)
        yield from _gauge("episodes", "Episodes that are kept.", Episodes(view).count(within))
        by_life = {
            life: Facts(view).count(FactFilter(within=within, lifecycles=frozenset({life})))
            for life in Lifecycle
        }
    yield from _family("facts", "gauge", "Facts, by what became of them.")
    for life, count in by_life.items():
        yield f'tilth_facts{{lifecycle="{life}"}} {count}'
    waiting = waiting_in(brain)
    yield from _gauge("review_waiting", "Proposals that wait for a human.", waiting)
    spent = brain.models.spent_today().spent
    yield from _gauge("model_calls_today", "Requests to language models today.", spent.calls)
    yield from _gauge("model_tokens_today", "Tokens of language models today.", spent.tokens)


def _worker_metrics(where: str) -> Iterator[str]:
    stages, unread = bootstrap.stage_log(where).read(), spool_state(os.environ)
    told: Iterable[tuple[str, str, str]] = (
        ("stage_found_total", "found_count", "What stages of the worker found to do."),
        ("stage_made_total", "made_count", "What came of it."),
        ("stage_failed_runs", "failed_runs", "Runs that failed in a row."),
    )
    for name, attribute, meaning in told:
        yield from _family(name, "counter" if name.endswith("total") else "gauge", meaning)
        for stage, one in stages.items():
            yield f'tilth_{name}{{stage="{stage}"}} {getattr(one, attribute)}'
    yield from _gauge(
        "hook_bytes_waiting", "What hooks wrote and no store has.", unread.waiting_bytes
    )
    yield from _gauge("hook_events_lost", "Events of hooks that were lost.", unread.lost_count)


def _gauge(name: str, meaning: str, value: float) -> Iterator[str]:
    yield from _family(name, "gauge", meaning)
    yield f"tilth_{name} {value}"


def _family(name: str, kind: str, meaning: str) -> Iterator[str]:
    yield f"# HELP tilth_{name} {meaning}"
    yield f"# TYPE tilth_{name} {kind}"
