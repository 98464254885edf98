"""Choose what of a brain a vault contains, page by page, in a reproducible order."""

import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

from tilth.core.errors import NotFoundError
from tilth.core.ids import EntityId
from tilth.core.instant import written_day
from tilth.core.lifecycle import Lifecycle, Review
from tilth.core.scope import GLOBAL, Scope, Visibility
from tilth.gaps.tables import GapFilter, Gaps
from tilth.knowledge.entities.entity import Entity
from tilth.knowledge.entities.tables import Entities
from tilth.knowledge.facts.fact import Fact
from tilth.knowledge.graph.edge import Edge
from tilth.knowledge.graph.edges import Edges
from tilth.knowledge.proposals.proposal import ProposalState
from tilth.knowledge.proposals.tables import ProposalFilter, Proposals
from tilth.ledger.snapshot import Snapshot, every
from tilth.playbooks.model import LIVE
from tilth.playbooks.tables import Playbooks
from tilth.playbooks.views import document
from tilth.privacy.exclusion import Exclusion
from tilth.skills.model import SkillState
from tilth.skills.tables import Skills
from tilth.transfer.vault.history_pages import DRAFT_MARK, digests_of, log_of, raw_of
from tilth.transfer.vault.page_text import Page, Parts, Ref, block_of, fact_line, inert_line
from tilth.transfer.vault.visibility import Seen, short_line

_PAST_MAX = 50
_SCHEMA = Path(__file__).with_name("schema.md")


def pages_of(
    view: Snapshot,
    within: Visibility,
    shown: Callable[[str], str],
    now: datetime,
    excluded: Exclusion,
    *,
    is_raw: bool,
) -> list[Page]:
    """
    Return every page, without the index.

    Args:
        view: The state that is written down.
        within: What may be seen.
        shown: What is left of a text: secrets and excluded terms are covered.
        now: When it is: a page may have become stale by then.
        excluded: The terms that no page tells.
        is_raw: Whether what was said stands in it, too.
    """
    brain = Seen(view, within, shown, now, excluded)
    entities = {one.id: one for one in brain.entities()}
    homes: defaultdict[str, list[Fact]] = defaultdict(list)
    mentions: defaultdict[str, list[tuple[str, Fact]]] = defaultdict(list)
    past: defaultdict[str, list[Fact]] = defaultdict(list)
    for fact in brain.facts():
        home, others = _home_of(fact, entities, view, within)
        if _is_over(fact):
            past[home].append(fact)
            continue
        homes[home].append(fact)
        for other in others:
            mentions[other].append((home, fact))
        if fact.life.scope not in {home, GLOBAL}:
            mentions[fact.life.scope].append((home, fact))
    made = [
        _entity_page(brain, one, homes[one.id], past[one.id], mentions[one.id])
        for one in entities.values()
    ]
    scopes = sorted({one for one in (*homes, *past, *mentions) if one not in entities})
    made += [_scope_page(brain, Scope(one), homes[one], past[one], mentions[one]) for one in scopes]
    where: dict[str, str] = {fact.id: home for home, facts in homes.items() for fact in facts}
    made += [*_compiled(brain, where), *_playbooks(brain), *_skills(brain)]
    drafts = {one.id for facts in homes.values() for one in facts if _is_draft(one)}
    made += [_gaps(brain), _inbox(brain, where), log_of(brain), *digests_of(brain, where, drafts)]
    made += raw_of(brain) if is_raw else ()
    schema = [(line,) for line in _SCHEMA.read_text(encoding="utf-8").splitlines()]
    return [_listing("AGENTS", schema), *made]


def _listing(title: str, lines: Iterable[Parts]) -> Page:
    """Return a page that the vault always has; index and log, which list others, are of no type."""
    properties = {"type": title.lower()}
    return Page(
        id=title.lower(), folder="", title=title, properties=properties, lines=lines, is_fixed=True
    )


def index_of(pages: Sequence[Page]) -> Page:
    """Return the page that leads to every other."""
    folders: defaultdict[str, list[Page]] = defaultdict(list)
    for one in pages:
        folders[one.folder.split("/")[0]].append(one)
    lines: list[Parts] = [("# Index",)]
    for folder in sorted(folders):
        lines += [("",), (f"## {(folder or 'vault').capitalize()}",)]
        for one in sorted(folders[folder], key=lambda one: (one.folder, one.title, one.id)):
            kind = one.folder.partition("/")[2] if one.folder.startswith("entities/") else ""
            held = len(one.facts)
            count = f" — {held} fact{'s' * (held > 1)}" if held else ""
            label = one.title if not one.is_verbatim else one.folder.partition("/")[2]
            lines.append(("- ", Ref(one.id, label=label), f" ({kind})" * bool(kind), count))
    return Page(id="index", folder="", title="index", lines=lines, is_fixed=True)


def _is_over(fact: Fact) -> bool:
    """Say whether a fact held once: what an import told is history that nobody ended."""
    life = fact.life
    is_ended = life.lifecycle is Lifecycle.HISTORICAL and life.valid_to is not None
    return is_ended or life.lifecycle is Lifecycle.SUPERSEDED


def _home_of(
    fact: Fact, entities: dict[EntityId, Entity], view: Snapshot, within: Visibility
) -> tuple[str, list[str]]:
    """Return the page on which a fact stands, and those on which it is mentioned."""
    known: list[str] = []
    for one in fact.about:
        root = one if one in entities else _root(view, one, within)
        if root in entities and root not in known:
            known.append(root)
    return (known[0], known[1:]) if known else (fact.life.scope, [])


def _root(view: Snapshot, entity_id: EntityId, within: Visibility) -> EntityId:
    try:
        return Entities(view).canonical(entity_id, within).id
    except NotFoundError:
        # It may not be seen from here, or is gone.
        return entity_id


def _entity_page(
    brain: Seen,
    entity: Entity,
    facts: Sequence[Fact],
    past: Sequence[Fact],
    mentions: Sequence[tuple[str, Fact]],
) -> Page:
    edges = Edges(brain.view).around(entity.id, brain.within, limit=sys.maxsize)
    lines: list[Parts] = [(f"# {inert_line(brain.shown(entity.name))}",)]
    lines += _facts(brain, facts)
    lines += _mentions(brain, mentions, "Mentioned in")
    lines += _edges(brain, edges, entity)
    lines += _past(brain, past)
    names = {one.name for one in Entities(brain.view).merged(entity.id, brain.within)}
    aliases = sorted({*entity.aliases, *names} - {entity.name})
    sure = [one.confidence.value for one in facts]
    properties = {
        "title": brain.shown(entity.name),
        "aliases": [brain.shown(one) for one in aliases],
        "tags": ["tilth/entity", f"type/{entity.type}", brain.scope_tag(entity.scope)],
        "brain_id": entity.id,
        "type": entity.type.value,
        "as_of": _newest((*facts, *past), entity),
        "confidence": round(sum(sure) / len(sure), 2) if sure else None,
        "sources": len({one.episode_id for fact in facts for one in fact.evidence}),
        "related": [Ref(brain.page_id(one)) for one in dict.fromkeys(home for home, _ in mentions)],
    }
    return Page(
        id=entity.id,
        folder=f"entities/{entity.type.value.capitalize()}",
        title=brain.shown(entity.name),
        properties=properties,
        lines=lines,
        facts={one.id: _text(brain, one) for one in facts},
    )


def _scope_page(
    brain: Seen,
    scope: Scope,
    facts: Sequence[Fact],
    past: Sequence[Fact],
    mentions: Sequence[tuple[str, Fact]],
) -> Page:
    kind, _, key = scope.partition(":")
    name = brain.called((key or kind).rstrip("/").rpartition("/")[2] if key else kind)
    id_ = brain.page_id(scope)
    return Page(
        id=id_,
        folder="projects" if scope != GLOBAL else "",
        title=name or kind,
        properties={
            "title": name or kind,
            "tags": ["tilth/project", brain.scope_tag(scope)],
            "brain_id": id_,
            "type": "project",
        },
        lines=[
            (f"# {inert_line(name or kind)}",),
            *_facts(brain, facts),
            *_mentions(brain, mentions, "Stated here"),
            *_past(brain, past),
        ],
        facts={one.id: _text(brain, one) for one in facts},
    )


def _mentions(brain: Seen, mentions: Sequence[tuple[str, Fact]], heading: str) -> list[Parts]:
    lines: list[Parts] = [
        (
            "- ",
            Ref(brain.page_id(home), fact.id, short_line(brain.shown(fact.said.text))),
            DRAFT_MARK if _is_draft(fact) else "",
        )
        for home, fact in mentions
    ]
    return [("",), (f"## {heading}",), *lines] if lines else []


def _is_draft(fact: Fact) -> bool:
    return fact.life.lifecycle is Lifecycle.DRAFT


def _facts(brain: Seen, facts: Sequence[Fact]) -> list[Parts]:
    return [(fact_line(one.id, _text(brain, one), _label(one)),) for one in facts]


def _past(brain: Seen, past: Sequence[Fact]) -> list[Parts]:
    lines: list[Parts] = []
    for one in past[-_PAST_MAX:]:
        ended = one.life.valid_to
        verb = "superseded" if one.life.successor else "ended"
        until = f" {written_day(ended)}" if ended else ""
        text = inert_line(_text(brain, one)).replace("~~", "~")
        lines.append((f"- ~~{text}~~ {verb}{until} ^{block_of(one.id)}",))
    return [("",), ("## Past",), *lines] if lines else []


def _edges(brain: Seen, edges: Sequence[Edge], entity: Entity) -> list[Parts]:
    """Return a line for each edge: what leaves begins with its kind, what reaches with its end."""
    name = inert_line(brain.shown(entity.name))
    lines: list[Parts] = []
    for one in edges:
        kind = one.kind.replace("_", " ")
        leaves = one.source == entity.id
        reaching: Parts = ("- ", Ref(one.source), f" {kind} {name}")
        lines.append((f"- {kind} ", Ref(one.target)) if leaves else reaching)
    return [("",), ("## Related",), *lines] if lines else []


def _playbooks(brain: Seen) -> Iterator[Page]:
    for one in sorted(
        Playbooks(brain.view).select(brain.within, states=LIVE), key=lambda one: one.seq
    ):
        yield Page(
            id=one.id,
            folder="playbooks",
            title=brain.shown(one.draft.title),
            properties={
                "title": brain.shown(one.draft.title),
                "tags": ["tilth/playbook", f"state/{one.state}", brain.scope_tag(one.draft.scope)],
                "brain_id": one.id,
                "type": "playbook",
            },
            lines=[(inert_line_of(brain.shown(line)),) for line in document(one)],
        )


def _compiled(brain: Seen, where: Mapping[str, str]) -> Iterator[Page]:
    """
    Yield the compiled pages, whose sentences lead to the facts that they cite.

    A sentence that rests on one fact alone may be edited: that fact is corrected.
    """
    for one in sorted(brain.compiled(), key=lambda one: (one.scope, one.name)):
        title = brain.shown(one.title)
        lines: list[Parts] = [(f"# {inert_line(title)}",)]
        alone: dict[str, str] = {}
        for part in one.sections:
            lines += [("",), (f"## {inert_line(brain.shown(part.section.title))}",)]
            if part.lock is not None:
                locked = brain.shown(part.lock.text).splitlines()
                lines += [(inert_line(line),) for line in locked]
                continue
            for said in part.section.sentences:
                cited = [id_ for id_ in said.cites if id_ in where]
                refs = [Ref(brain.page_id(where[id_]), id_, "source") for id_ in cited]
                parts = [piece for ref in refs for piece in (" ", ref)]
                text = " ".join(brain.shown(said.text).split())
                lines.append((f"- {inert_line(text)}", *parts))
                if len(said.cites) == len(cited) == 1:
                    alone.setdefault(cited[0], text)
        id_ = brain.named_id(f"page:{one.scope}/{one.name}")
        yield Page(
            id=id_,
            folder="pages",
            title=title,
            properties={
                "title": title,
                "tags": ["tilth/page", f"kind/{one.kind}", brain.scope_tag(one.scope)],
                "brain_id": id_,
                "type": f"page {one.kind}",
                "status": "stale" if one.is_stale else "current",
                "as_of": one.generated_at.isoformat(),
                "sources": len(one.compiled_from),
            },
            lines=lines,
            facts=alone,
        )


def inert_line_of(line: str) -> str:
    """Return a line of a document whose heading stays one."""
    return f"# {inert_line(line[2:])}" if line.startswith("# ") else inert_line(line)


def _skills(brain: Seen) -> Iterator[Page]:
    states = frozenset({SkillState.APPROVED, SkillState.CANDIDATE})
    taken: set[str] = set()
    for one in sorted(
        Skills(brain.view).select(brain.within, states=states), key=lambda one: one.seq
    ):
        called = brain.called(one.draft.name)
        text = brain.shown(one.draft.text.replace(one.draft.name, called))
        name = called if called not in taken else f"{called}-{one.seq}"
        taken.add(name)
        yield Page(
            id=one.id,
            folder=f"skills/{name}",
            title="SKILL",
            lines=[(text if text.endswith("\n") else f"{text}\n",)],
            is_fixed=True,
            is_verbatim=True,
        )


def _gaps(brain: Seen) -> Page:
    found = every(partial(Gaps(brain.view).select, GapFilter(within=brain.within)))
    lines: list[Parts] = [("# Gaps",)]
    for one in sorted(found, key=lambda one: one.seq):
        status = one.status.replace("_", " ")
        text = inert_line(brain.shown(one.description))
        lines.append((f"- {text} — *{status}, seen {one.frequency} times* ^{block_of(one.id)}",))
    return _listing("gaps", lines)


def _inbox(brain: Seen, where: Mapping[str, str]) -> Page:
    which = ProposalFilter(within=brain.within, states=frozenset({ProposalState.OPEN}))
    lines: list[Parts] = [
        ("# Inbox",), ("What waits for a person. It is decided with `tilth review`.",), ("",)
    ]  # fmt: skip
    for one in every(partial(Proposals(brain.view).select, which)):
        draft = one.draft
        kind = draft.kind.replace("_", " ")
        line: list[str | Ref] = [f"- {kind}: {inert_line(brain.shown(draft.reason))}"]
        for id_ in (*draft.facts, *draft.retires):
            if id_ in where:
                line += [" ", Ref(brain.page_id(where[id_]), id_, id_)]
        lines.append((*line, f" ^{block_of(one.id)}"))
    return _listing("inbox", lines)


def _label(fact: Fact) -> str:
    review, life = fact.life.review, fact.life.lifecycle
    word = review.value if review is not Review.UNREVIEWED else f"{life.value}, unreviewed"
    doubt = ", contested" if fact.is_contested else ""
    return f"{word} {written_day(fact.life.valid_from)}{doubt}"


def _text(brain: Seen, fact: Fact) -> str:
    return " ".join(brain.shown(fact.said.text).split())


def _newest(facts: Iterable[Fact], entity: Entity) -> str:
    return max([entity.recorded_at, *(one.recorded_at for one in facts)]).isoformat()
