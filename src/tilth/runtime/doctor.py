"""
Check that a store and its surroundings are in order, and say what mends what is not.

A check is data. What is known of the machine is gathered outside and passed in, nothing here
writes, and the canary is a question about something that is already stored.
"""

import re
import shlex
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from datetime import datetime, timedelta

from tilth.core.dataclass import dataclass
from tilth.core.errors import TilthError
from tilth.core.event import Event, events_by_kind
from tilth.core.instant import from_micros
from tilth.core.json import Json
from tilth.core.scope import Owner, Visibility
from tilth.core.view import number_of, of_count
from tilth.discovery.model import WebAccess
from tilth.embedding.embedder import Embedder
from tilth.episodes.filters import EpisodeFilter
from tilth.episodes.tables import Episodes
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.tables import Facts
from tilth.ledger.log import tail_of
from tilth.ledger.search import Search
from tilth.ledger.store import Store
from tilth.llm.client import ModelPool
from tilth.llm.status import model_statuses, silences
from tilth.llm.views import silence
from tilth.reflection.growth import growth
from tilth.runtime.check import Check, Status
from tilth.runtime.stages import StageCounts, alarm
from tilth.transfer.tables import unimported

# The most facts whose metadata is read: the newest show how it is used today.
FACTS_MAX = 2000
# A metadata key on a greater share of facts ought to be a field (DU-026).
_SHARE_MAX = 0.5
_ALIKE_MIN = 100
# Keys that Tilth itself writes to metadata on purpose.
_OWN_KEYS = frozenset({"legacy", "declined", "rationale"})
_PLAIN = "plain"
_PLACES_NAMED = 3
_KEYS_NAMED = 12


def check_orphans(store: Store, within: Visibility) -> Check:
    """
    Check that no fact is about nothing or rests on nothing (KB-014).

    The details show how the knowledge is built, as `tilth growth` does: its nodes and edges, the
    share of facts that repeat another, and the episodes for each fact, playbook and skill.
    """
    name = "knowledge.orphans"
    with store.read() as view:
        now = growth(view, within, days=0)
    count, ratio = now.orphans, now.compression
    detail = {
        "orphan_count": count,
        "node_count": now.nodes,
        "edge_count": now.edges,
        "collision_rate": now.collision_rate,
        "compression_ratio": ratio,
    }
    share = f"{ratio:g} {of_count('episodes', ratio)} to each fact, playbook and skill"
    built = (
        f"{number_of(now.nodes, 'node')}, {number_of(now.edges, 'edge')},"
        f" {now.collision_rate:.1%} of the facts said twice,"
        f" {share if ratio else 'no fact, playbook or skill holds yet'}"
    )
    if count:
        summary = f"{number_of(count, 'fact')} about nothing, or resting on nothing: {built}"
        return Check(name, Status.FAIL, summary, "tilth rebuild", detail)
    summary = f"every fact is about something, and rests on something: {built}"
    return Check(name, Status.OK, summary, "", detail)


def check_erasures(store: Store) -> Check:
    """Check for erasures after which the database's files were not cleaned (I33)."""
    name, due = "store.erased", len(store.erasures.unpurged())
    if due:
        summary = f"after {number_of(due, 'erasure')} the store's files still hold what was erased"
        return Check(name, Status.FAIL, summary, "tilth worker --once", {"due_count": due})
    known = len(store.erasures.known())
    return Check(name, Status.OK, f"{number_of(known, 'erasure')}, each to the last byte")


def check_metadata(store: Store, within: Visibility) -> Check:
    """Report which keys the metadata of facts has, by channel, and how often (DU-026)."""
    with store.read() as view:
        facts = Facts(view).select(FactFilter(within=within), limit=FACTS_MAX)
    totals = Counter(fact.said.channel or _PLAIN for fact in facts)
    used: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for fact in facts:
        used[fact.said.channel or _PLAIN].update(fact.metadata.keys())
    shares = {
        channel: {key: round(count / totals[channel], 3) for key, count in keys.most_common()}
        for channel, keys in sorted(used.items())
        if keys
    }
    common = _common(shares, totals)
    detail: dict[str, Json] = {"fact_count": len(facts), "shares": shares}
    if common:
        summary = f"so many facts carry {', '.join(common)} in their metadata that it needs a field"
        return Check("knowledge.metadata", Status.WARN, summary, "", detail)
    counted = number_of(len(facts), "fact")
    keys = _named_keys(shares)
    summary = f"in the metadata of {counted}: {keys}" if keys else f"{counted} without metadata"
    return Check("knowledge.metadata", Status.OK, summary, "", detail)


def _named_keys(shares: Mapping[str, Mapping[str, float]]) -> str:
    """Return the keys of each channel, and which share of its facts carries each."""
    keys = [
        f"{channel} {key} {share:.0%}"
        for channel, of_keys in shares.items()
        for key, share in of_keys.items()
    ]
    more = len(keys) - _KEYS_NAMED
    return ", ".join(keys[:_KEYS_NAMED]) + (f" and {more} more" if more > 0 else "")


def check_unused(store: Store, owner: Owner) -> Check:
    """Report the parts of the brain that nobody has used yet, judged by their events."""
    with store.read() as view:
        rows = view.conn.rows(
            "SELECT kind, count(*) FROM ledger WHERE owner = ? GROUP BY kind", (owner,)
        )
    uses: Counter[str] = Counter({_feature_of(one): 0 for one in events_by_kind().values()})
    for kind, count in rows:
        uses[_feature_of(events_by_kind()[kind])] += int(count)
    unused = sorted(part for part, count in uses.items() if not count)
    detail: dict[str, Json] = {"events": dict(sorted(uses.items())), "unused": list(unused)}
    summary = f"not used yet: {', '.join(unused)}" if unused else "every part is in use"
    return Check("knowledge.unused", Status.OK, summary, "", detail)


def _feature_of(kind: type[Event]) -> str:
    return kind.__module__.split(".")[1]


def _common(shares: Mapping[str, Mapping[str, float]], totals: Mapping[str, int]) -> list[str]:
    return [
        f"{channel}.{key}"
        for channel, keys in shares.items()
        for key, share in keys.items()
        if key not in _OWN_KEYS and share > _SHARE_MAX and totals[channel] >= _ALIKE_MIN
    ]


DISK_FREE_LOW_BYTES = 1 << 30
DISK_FREE_LEAST_BYTES = 100 << 20
BACKUP_AGE_MAX = timedelta(days=7)
CLOCK_AHEAD_MAX = timedelta(days=1)
# A transcript that its agent removes within this time is about to be lost.
EXPIRY_NEAR = timedelta(days=7)
# In bytes. A worker reads this much within a minute; if more waits, no worker runs.
SPOOL_HIGH_BYTES = 8 << 20
# Whoever sets up a host uses it within this time.
SILENCE_MAX = timedelta(days=1)
# The most events whose projection is rebuilt and compared: that takes a millisecond an event where
# much was learned. Checking the chain alone takes a second for 200,000 events (DESIGN §9).
VERIFIED_EVENTS_MAX = 2_000
_CHAINED_EVENTS_MAX = 200_000
_BACKLOG_COUNTED_MAX = 10_000
_SESSIONS_READ = 200
_OTHERS = 0o077
# The parts of a store from which the rest can be rebuilt.
_IRREPLACEABLE = frozenset({"ledger", "heads"})
_CANARY_EPISODES = 20
_CANARY_WORDS = 6
_WORD = re.compile(r"\w{4,}")


@dataclass(frozen=True, slots=True)
class Place:
    """A folder or file: its path, and its mode if it exists."""

    name: str
    path: str
    mode: int | None


@dataclass(frozen=True, slots=True)
class Transcript:
    """A transcript on this machine, and when its agent removes it, if ever."""

    uri: str
    format: str
    expires_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class SpoolState:
    """What hooks wrote and the store lacks: waiting, lost, or unreadable."""

    waiting_bytes: int = 0
    lost_count: int = 0
    aside_bytes: int = 0


@dataclass(frozen=True, slots=True)
class ConnectedHost:
    """A host that was set up, and when; `problem` says why its setup does not work."""

    host: str
    at: datetime
    problem: str = ""


@dataclass(frozen=True, slots=True)
class HostTools:
    """
    Whether a host has the memory's tools: how many its server offers, or why none.

    `only_in` are folders in which only a manual entry gives it the tools, `twice_in` those in which
    it has them a second time. `fix` is the remedy where setting up the host again is not.
    """

    host: str
    is_plugged: bool = False
    tool_count: int = 0
    problem: str = ""
    fix: str = ""
    only_in: Sequence[str] = ()
    twice_in: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """What is known of the machine. An empty problem means that there is none."""

    now: datetime
    python: str
    sqlite: str
    sqlite_problem: str = ""
    settings_problem: str = ""
    store_problem: str = ""
    store_fix: str = ""
    store: str
    places: Sequence[Place] = ()
    disk_free_bytes: int
    conflicts: Sequence[str] = ()
    skills_aside: Sequence[str] = ()
    has_heads: bool = False
    restore_command: str = ""
    last_backup_at: datetime | None = None
    transcripts: Sequence[Transcript] = ()
    hosts: Sequence[ConnectedHost] = ()
    receipts_problem: str = ""
    host_tools: Sequence[HostTools] | None = None
    spool: SpoolState = SpoolState()
    spool_problem: str = ""
    is_paused: bool = False
    stages: Mapping[str, StageCounts] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Patient:
    """An open brain, as far as it is examined; *ask* returns the texts that answer a question."""

    store: Store
    first: Embedder
    second: Embedder | None
    within: Visibility
    ask: Callable[[str], Sequence[str]]
    model_pool: ModelPool
    web_access: WebAccess = WebAccess()


def examine_machine(machine: Machine) -> list[Check]:
    """Make the checks that need no open store."""
    return [
        Check("runtime.python", Status.OK, f"Python {machine.python}"),
        _verdict("runtime.sqlite", machine.sqlite_problem, f"SQLite {machine.sqlite}"),
        _verdict("settings", machine.settings_problem, "every setting is understood"),
        *(
            _check_place(place)
            for place in machine.places
            if not _is_reported_missing(place, machine)
        ),
        _check_disk(machine),
        _verdict("hooks.receipts", machine.receipts_problem, "what was set up can be taken back"),
        *([] if machine.host_tools is None else [_check_tools(machine.host_tools)]),
        _check_spool(machine.spool, machine.spool_problem),
        _check_paused(machine),
        _check_stages(machine.stages),
        _verdict(
            "store.opens",
            machine.store_problem,
            f"{machine.store} opens, with the schema of this version",
            fix=machine.store_fix,
        ),
        *([_check_conflicts(machine.conflicts)] if machine.conflicts else []),
        *([_check_aside(machine.skills_aside)] if machine.skills_aside else []),
    ]


def examine_store(patient: Patient, machine: Machine) -> list[Check]:
    """Check the open store, its models, and that a question gets an answer."""
    examinations: Mapping[str, Callable[[], Check]] = {
        "store.heads": lambda: _check_heads(patient.store, machine),
        "store.same": lambda: _check_same(patient.store, machine.restore_command),
        "store.clock": lambda: _check_clock(patient.store, machine.now),
        "store.backup": lambda: _check_backup(machine),
        "store.whole": lambda: _check_whole(patient.store, machine.restore_command),
        "vectors.first": lambda: _check_embedder("vectors.first", patient.first),
        "vectors.second": lambda: _check_second(patient.second),
        "models": lambda: _check_models(patient, machine.now),
        "web": lambda: _check_web(patient.web_access),
        "vectors.spaces": lambda: _check_spaces(patient),
        "vectors.backlog": lambda: _check_backlog(patient),
        "knowledge.orphans": lambda: check_orphans(patient.store, patient.within),
        "knowledge.metadata": lambda: check_metadata(patient.store, patient.within),
        "knowledge.unused": lambda: check_unused(patient.store, patient.within.owner),
        "store.erased": lambda: check_erasures(patient.store),
        "recall.canary": lambda: _check_canary(patient),
        "import.transcripts": lambda: _check_transcripts(patient, machine),
        "hooks.heard": lambda: _check_heard(patient, machine),
    }
    return [_guarded(name, examine) for name, examine in examinations.items()]


def _guarded(name: str, examine: Callable[[], Check]) -> Check:
    """Run a check, and turn an error in it into its result."""
    try:
        return examine()
    except TilthError as error:
        return Check(name, Status.FAIL, str(error), error.hint, {"code": error.code})


def _verdict(name: str, problem: str, summary: str, *, fix: str = "") -> Check:
    return Check(name, Status.FAIL, problem, fix) if problem else Check(name, Status.OK, summary)


def _is_reported_missing(place: Place, machine: Machine) -> bool:
    """Say whether a place is the missing store, which another check already reports."""
    return place.mode is None and place.path == machine.store and bool(machine.store_problem)


def _check_place(place: Place) -> Check:
    name = f"places.{place.name}"
    if place.mode is None:
        return Check(name, Status.SKIP, f"{place.path} is not there yet")
    if place.mode & _OTHERS:
        return Check(
            name,
            Status.WARN,
            f"others may read {place.path}",
            f"chmod go= {place.path}",
            {"mode": f"{place.mode:03o}"},
        )
    return Check(name, Status.OK, f"{place.path} is yours alone", "", {"mode": f"{place.mode:03o}"})


def _check_conflicts(conflicts: Sequence[str]) -> Check:
    """Report copies that a sync program made, which may hold records that the store lacks."""
    count, first = len(conflicts), shlex.quote(conflicts[0])
    found = f"{count} conflicting {of_count('copies', count)}"
    summary = f"{found} beside the store: what was recorded there alone is not here"
    fix = (
        f"tilth export copy.jsonl --store {first}; tilth import copy.jsonl;"
        " tilth fact import copy.jsonl --execute; then move that copy elsewhere"
    )
    detail: dict[str, Json] = {"paths": list(conflicts)}
    return Check("store.copies", Status.WARN, summary, fix, detail)


def _check_aside(paths: Sequence[str]) -> Check:
    """Report edits of skill files that were moved aside in favour of the approved text."""
    count, first = len(paths), shlex.quote(paths[0])
    summary = (
        f"{number_of(count, 'file')} of skills that somebody changed"
        f" {'lies' if count == 1 else 'lie'} aside, and what was approved in"
        f" {'its' if count == 1 else 'their'} place"
    )
    fix = f"read {first}; to propose it: tilth skill add - --scope SCOPE < {first}; then remove it"
    return Check("skills.aside", Status.WARN, summary, fix, {"paths": list(paths)})


def _check_disk(machine: Machine) -> Check:
    free = machine.disk_free_bytes
    status = Status.WARN if free < DISK_FREE_LOW_BYTES else Status.OK
    if free < DISK_FREE_LEAST_BYTES:
        status = Status.FAIL
    fix = "" if status is Status.OK else "free some disk space"
    return Check("disk", status, f"{free >> 20:,} MiB are free", fix, {"free_bytes": free})


def _check_tools(host_tools: Sequence[HostTools]) -> Check:
    name, plugged = "mcp.tools", [one for one in host_tools if one.is_plugged]
    detail: dict[str, Json] = {one.host: one.tool_count for one in plugged}
    if failing := [one for one in plugged if one.problem]:
        summary = "; ".join(f"{one.host}: {one.problem}" for one in failing)
        again = f"tilth init {' '.join(one.host for one in failing)} --mcp"
        fix = next((one.fix for one in failing if one.fix), again)
        return Check(name, Status.FAIL, summary, fix, detail)
    if not plugged:
        lacking = " ".join(one.host for one in host_tools) or "HOST"
        summary = f"plugged into no agent, which is your choice: tilth init {lacking} --mcp"
        return Check(name, Status.SKIP, summary, "", detail)
    if doubled := [one for one in plugged if one.twice_in]:
        said = [f"{one.host}: has the tools twice in {_named(one.twice_in)}" for one in doubled]
        return Check(name, Status.WARN, "; ".join(said), doubled[0].fix, detail)
    started = [one for one in plugged if not one.only_in]
    apart = [one for one in plugged if one.only_in]
    said = [f"{one.host}: by hand, in {_named(one.only_in)} alone" for one in apart]
    if started:
        count = min(one.tool_count for one in started)
        names = ", ".join(one.host for one in started)
        said = [f"{names}: the server starts, and offers {number_of(count, 'tool')}", *said]
    return Check(name, Status.OK, "; ".join(said), "", detail)


def _named(places: Sequence[str]) -> str:
    more = len(places) - _PLACES_NAMED
    return ", ".join(places[:_PLACES_NAMED]) + (f" and {more} more" if more > 0 else "")


def _check_spool(spool: SpoolState, problem: str) -> Check:
    detail: dict[str, Json] = {
        "waiting_bytes": spool.waiting_bytes,
        "lost_count": spool.lost_count,
        "aside_bytes": spool.aside_bytes,
    }
    name, waits = "hooks.spool", f"{spool.waiting_bytes >> 10:,} KiB wait to be recorded"
    if problem:
        summary = f"the spool takes nothing, and what agents tell is lost: {problem}"
        fix = "make it a folder with room that you may write to, or name another by TILTH_HOME"
        return Check(name, Status.FAIL, summary, fix, detail)
    if spool.lost_count:
        summary = (
            f"{number_of(spool.lost_count, 'event')} of hooks"
            f" {'was' if spool.lost_count == 1 else 'were'} lost, for the spool took nothing"
        )
        fix = "tilth worker --once, then remove `lost` from the state folder"
        return Check(name, Status.WARN, summary, fix, detail)
    if spool.aside_bytes:
        summary = "some of what hooks told could not be read"
        fix = "read spool/aside.jsonl in the data folder, then remove it"
        return Check(name, Status.WARN, summary, fix, detail)
    if spool.waiting_bytes > SPOOL_HIGH_BYTES:
        return Check(name, Status.WARN, waits, "tilth worker --once", detail)
    return Check(name, Status.OK, waits, "", detail)


def _check_paused(machine: Machine) -> Check:
    if machine.is_paused:
        return Check("hooks.paused", Status.WARN, "no session is captured", "tilth resume")
    return Check("hooks.paused", Status.OK, "capturing is not paused")


def _check_stages(stages: Mapping[str, StageCounts]) -> Check:
    name = "worker.stages"
    if not stages:
        return Check(name, Status.SKIP, "no worker has had anything to do yet")
    alarms = [f"{stage} {found}" for stage, counts in stages.items() if (found := alarm(counts))]
    if alarms:
        return Check(name, Status.WARN, "; ".join(alarms), "tilth worker --once, and see its log")
    return Check(name, Status.OK, f"none of {len(stages)} stages makes nothing of what it finds")


def _check_heard(patient: Patient, machine: Machine) -> Check:
    """Report hosts that were set up and never called: Codex skips hooks that nobody trusts."""
    with patient.store.read() as view:
        sessions = Episodes(view).sessions(patient.within, limit=_SESSIONS_READ)
    last = {session.info.host: session.last_at for session in reversed(sessions)}
    name, silent = "hooks.heard", list[str]()
    for one in machine.hosts:
        is_heard = one.host in last and last[one.host] >= one.at
        if not is_heard and machine.now - one.at > SILENCE_MAX:
            silent.append(one.host)
    if not machine.hosts:
        return Check(name, Status.SKIP, "no agent program was set up", "tilth init HOST")
    if useless := [f"{one.host}: {one.problem}" for one in machine.hosts if one.problem]:
        fix = "go on with the version that is served, or: tilth unplug HOST"
        return Check(name, Status.WARN, "; ".join(useless), fix)
    if silent:
        summary = f"not heard since it was set up: {', '.join(silent)}"
        return Check(name, Status.WARN, summary, "does the host trust the hooks? See its /hooks")
    names = ", ".join(sorted({one.host for one in machine.hosts}))
    return Check(name, Status.OK, f"set up: {names}")


def _check_heads(store: Store, machine: Machine) -> Check:
    """Report events that could be cut off unnoticed, since no signed head follows them."""
    name = "store.heads"
    if not machine.has_heads:
        return Check(
            name,
            Status.WARN,
            "no signed heads lie beside the store, so a lost tail would not show",
            "tilth verify, to see what is there; the next write signs a head",
        )
    # Others may write to a database too, and sign with keys of their own.
    count = 0 if "://" in machine.store else store.unsigned()
    if count:
        last = "last event has" if count == 1 else f"last {count:,} events have"
        summary = f"the {last} no signed head, so a loss would not show"
        fix = f"let {machine.store}.heads be written, on a disk with room; the next write signs one"
        return Check(name, Status.WARN, summary, fix)
    return Check(name, Status.OK, "signed heads lie beside the store")


def _check_same(store: Store, restore_command: str) -> Check:
    """Report a store that somebody replaced by another, or a newer one by an older (I5)."""
    if (swapped := store.swapped()) is None:
        return Check("store.same", Status.OK, "it is the store that was here before")
    fix = _accept_or_restore(restore_command) + " --accept another-store" * (swapped.seq is None)
    return Check("store.same", Status.FAIL, swapped.problem, fix)


def _accept_or_restore(restore_command: str) -> str:
    former = restore_command or "tilth restore BACKUP --replace"
    return f"if you put it here: tilth verify --accept; if not: {former}"


def _check_clock(store: Store, now: datetime) -> Check:
    """Report a clock that was once ahead, which dates later records no earlier than that."""
    with store.read() as view:
        last = tail_of(view.conn).recorded_at
    ahead = from_micros(last) - now
    if ahead <= CLOCK_AHEAD_MAX:
        return Check("store.clock", Status.OK, "nothing was recorded in the future")
    summary = f"what was recorded last is dated {ahead.days:,} days ahead of this clock"
    fix = "set the clock right; what is recorded until then is dated so too"
    return Check("store.clock", Status.WARN, summary, fix, {"ahead_days": ahead.days})


def _check_backup(machine: Machine) -> Check:
    fix = "tilth backup TARGET"
    if "://" in machine.store:
        return Check("store.backup", Status.SKIP, "a server's stores are backed up by pg_dump")
    if machine.last_backup_at is None:
        return Check("store.backup", Status.WARN, "no backup was made on this machine", fix)
    age = machine.now - machine.last_backup_at
    summary = f"the last backup is {age.days} days old"
    if age > BACKUP_AGE_MAX:
        return Check("store.backup", Status.WARN, summary, fix)
    return Check("store.backup", Status.OK, summary)


def _check_whole(store: Store, restore_command: str) -> Check:
    with store.read() as view:
        count = view.head().seq
    detail = {"event_count": count}
    if count > _CHAINED_EVENTS_MAX:
        summary = f"{number_of(count, 'event')} take a while to prove"
        return Check("store.whole", Status.SKIP, summary, "tilth verify", detail)
    is_compared = count <= VERIFIED_EVENTS_MAX
    if finding := next(store.verify() if is_compared else store.verify_chain(), None):
        summary = f"{finding.part}: {finding.problem}"
        # What the database reports of a page may concern a page of the ledger.
        is_lost = finding.part in _IRREPLACEABLE or any(
            one.part == "ledger" for one in store.verify_chain()
        )
        fix = _accept_or_restore(restore_command) if is_lost else "tilth rebuild"
        return Check("store.whole", Status.FAIL, summary, fix, detail)
    summary = f"{number_of(count, 'event')} as they were written"
    if not is_compared:
        summary += "; `tilth verify` also compares the tables made from them"
    return Check("store.whole", Status.OK, summary, "", detail)


def _check_embedder(name: str, embedder: Embedder) -> Check:
    shape = embedder.embed(["soil that has been tended"]).shape
    if shape != (1, embedder.dimensions):
        summary = f"{embedder.space} gives vectors of shape {shape}"
        return Check(name, Status.FAIL, summary, "see: tilth settings")
    summary = f"{embedder.space} answers with {embedder.dimensions} dimensions"
    return Check(name, Status.OK, summary, "", {"space": embedder.space})


def _check_second(embedder: Embedder | None) -> Check:
    if embedder is None:
        return Check("vectors.second", Status.SKIP, "switched off by embedder = none")
    return _check_embedder("vectors.second", embedder)


def _check_models(patient: Patient, now: datetime) -> Check:
    """Report what keeps language models from working, from the last call of each."""
    with patient.store.read() as view:
        silent = silences(view, patient.within.owner, now)
    chosen = model_statuses(patient.model_pool, silent)
    if not chosen:
        return Check("models", Status.SKIP, "no language model is set, and none is needed")
    if problems := [f"{one.name}: {why}" for one in chosen for why in one.problems]:
        return Check("models", Status.WARN, "; ".join(problems), "tilth model")
    if failed := [f"{one.name}: {why}" for one in chosen if (why := silence(one))]:
        return Check("models", Status.WARN, "; ".join(failed), "tilth model try")
    tasks, names = len(patient.model_pool.workers), ", ".join(sorted(one.name for one in chosen))
    goes = "goes" if tasks == 1 else "go"
    return Check("models", Status.OK, f"{number_of(tasks, 'task')} {goes} to {names}")


def _check_web(web_access: WebAccess) -> Check:
    """Report what is set up to search and read the web; no request is made."""
    if web_access.problems:
        return Check("web", Status.WARN, "; ".join(web_access.problems), "tilth settings")
    names = ", ".join(one.name for one in web_access.searches) or "no search provider"
    if web_access.feeds:
        count = len(web_access.feeds)
        names += f", {count} feed{'' if count == 1 else 's'}"
    if not (web_access.searches or web_access.feeds or web_access.pages):
        return Check("web", Status.SKIP, "no search provider is set, and pages are not fetched")
    pages = "pages are fetched" if web_access.pages else "pages are not fetched"
    return Check("web", Status.OK, f"{names}; {pages}")


def _check_spaces(patient: Patient) -> Check:
    used = {embedder.space for embedder in (patient.first, patient.second) if embedder}
    first = patient.first.space
    with patient.store.read() as view:
        counts: dict[str, Json] = {
            stats.space: stats.vector_count for stats in Search(view).spaces()
        }
        # Each row is made together with the record that it indexes, so some lack only after a loss.
        lacking = Search(view).unembedded_count(first, at_most=_BACKLOG_COUNTED_MAX)
    if strange := sorted(counts.keys() - used):
        summary = f"vectors of a space that is not in use: {', '.join(strange)}"
        return Check("vectors.spaces", Status.WARN, summary, "tilth rebuild", counts)
    if lacking:
        summary = _lacking_vectors(lacking, f"no vector of {first}")
        return Check("vectors.spaces", Status.FAIL, summary, "tilth rebuild", counts)
    return Check(
        "vectors.spaces", Status.OK, "every stored vector is of a model in use", "", counts
    )


def _check_backlog(patient: Patient) -> Check:
    if patient.second is None:
        return Check("vectors.backlog", Status.SKIP, "there is no second tier to fill")
    with patient.store.read() as view:
        search, space = Search(view), patient.second.space
        count = search.unembedded_count(space, at_most=_BACKLOG_COUNTED_MAX)
    detail = {"episode_count": count}
    if count == 0:
        summary = "no episode or fact waits for its vector"
        return Check("vectors.backlog", Status.OK, summary, "", detail)
    summary = _lacking_vectors(count, "no vector yet")
    return Check("vectors.backlog", Status.WARN, summary, "tilth worker --once", detail)


def _lacking_vectors(count: int, lack: str) -> str:
    """Say how many records lack a vector, and what that means for search."""
    more = " or more" if count == _BACKLOG_COUNTED_MAX else ""
    return (
        f"{count:,}{more} of the episodes and facts have {lack}: they are found by their"
        " words alone, not by what they mean"
    )


def _check_canary(patient: Patient) -> Check:
    with patient.store.read() as view:
        episodes = Episodes(view).select(
            EpisodeFilter(within=patient.within), limit=_CANARY_EPISODES, newest_first=True
        )
    question = next(filter(None, (_question_from(episode.text) for episode in episodes)), None)
    if question is None:
        if not episodes:
            return Check("recall.canary", Status.SKIP, "nothing is stored yet", "tilth import")
        return Check("recall.canary", Status.SKIP, "what was said last has too few words to ask by")
    texts = patient.ask(question)
    if any(text.strip() for text in texts):
        summary = (
            f"a question about a stored episode brings {number_of(len(texts), 'hit')} with text"
        )
        return Check("recall.canary", Status.OK, summary)
    summary = "a question about a stored episode brings no text"
    return Check("recall.canary", Status.FAIL, summary, "tilth rebuild")


def _question_from(text: str) -> str | None:
    """Return a question made of a text's longest words; None if it has too few."""
    words = sorted(set(_WORD.findall(text)), key=lambda word: (-len(word), word))
    return " ".join(words[:_CANARY_WORDS]) if len(words) >= _CANARY_WORDS // 2 else None


def expiring(transcripts: Sequence[Transcript], now: datetime) -> Sequence[Transcript]:
    """Return those of *transcripts* that their agent removes within days."""
    soon = now + EXPIRY_NEAR
    return [one for one in transcripts if one.expires_at is not None and one.expires_at < soon]


def _check_transcripts(patient: Patient, machine: Machine) -> Check:
    with patient.store.read() as view:
        waiting = unimported(view, patient.within.owner, machine.transcripts)
    near = expiring(waiting, machine.now)
    detail = {"waiting_count": len(waiting), "expiring_count": len(near)}
    if not waiting:
        summary = f"all {len(machine.transcripts)} transcripts on this machine were imported"
        return Check("import.transcripts", Status.OK, summary, "", detail)
    summary = f"{number_of(len(waiting), 'transcript')} on this machine never imported"
    if near:
        summary += f"; their agent removes {len(near)} of them within {EXPIRY_NEAR.days} days"
    return Check("import.transcripts", Status.WARN, summary, "tilth import", detail)
