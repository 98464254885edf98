"""Checks of `tilth.runtime.doctor`: whether what is known hangs together, what is gone is gone."""

from collections import Counter, defaultdict
from collections.abc import Mapping

from tilth.core.json import Json
from tilth.core.scope import Visibility
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.tables import Facts
from tilth.ledger.store import Store
from tilth.runtime.checkup import Check, Status

# What is looked at to see what metadata is used for: the last facts tell what is done today.
FACTS_MAX = 2000
# A key that more facts than this carry says something that ought to have a field (DU-026).
_SHARE_MAX = 0.5
_ALIKE_MIN = 100
# What Tilth itself writes there, for good.
_OURS = frozenset({"legacy", "declined", "rationale"})
_PLAIN = "plain"


def check_orphans(store: Store, within: Visibility) -> Check:
    """Find facts that are about nothing, or rest on nothing; there are none (KB-014)."""
    with store.read() as view:
        count = Facts(view).orphan_count(within)
    name, detail = "knowledge.orphans", {"orphan_count": count}
    if count:
        summary = f"{count:,} facts are about nothing, or rest on nothing"
        return Check(name, Status.FAIL, summary, "tilth rebuild", dict(detail))
    summary = "every fact is about something, and rests on something"
    return Check(name, Status.OK, summary, "", dict(detail))


def check_erasures(store: Store) -> Check:
    """Find erasures after which the database's files were not cleaned (I33)."""
    name, due = "store.erased", len(store.erasures.unpurged())
    if due:
        summary = f"after {due:,} erasures the store's files still hold what was erased"
        return Check(name, Status.FAIL, summary, "tilth worker --once", {"due_count": due})
    known = len(store.erasures.known())
    return Check(name, Status.OK, f"{known:,} erasures, each to the last byte")


def check_metadata(store: Store, within: Visibility) -> Check:
    """Say what the metadata of facts is used for, by channel, and how much (DU-026)."""
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
    told = sum(len(keys) for keys in shares.values())
    summary = f"{told:,} keys in the metadata of the last {len(facts):,} facts"
    return Check("knowledge.metadata", Status.OK, summary, "", detail)


def _common(shares: Mapping[str, Mapping[str, float]], totals: Mapping[str, int]) -> list[str]:
    return [
        f"{channel}.{key}"
        for channel, keys in shares.items()
        for key, share in keys.items()
        if key not in _OURS and share > _SHARE_MAX and totals[channel] >= _ALIKE_MIN
    ]
