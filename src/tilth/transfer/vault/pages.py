"""Choose the pages of a vault and write their lines, in a reproducible order."""

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
from tilth.transfer.vault.history_pages import DRAFT_MARK, digest_pages, log_page, session_pages
from tilth.transfer.vault.page_text import (
    Page,
    Parts,
    Ref,
    block_of,
    fact_line,
    inert_line,
    properties_of,
)
from tilth.transfer.vault.visibility import VisibleBrain, short_line

_PAST_MAX = 50
_SCHEMA = Path(__file__).with_name("schema.md")


def pages_of(
    view: Snapshot,
    within: Visibility,
    cover: Callable[[str], str],
    now: datetime,
    excluded: Exclusion,
    *,
    is_raw: bool,
) -> list[Page]:
    """
    Return every page but the index.

    Args:
        view: The state to write.
        within: The owner and the visible scopes.
        cover: Covers secrets and excluded terms in a text.
        now: The present instant, by which compiled pages are stale or not.
        excluded: The terms that no page contains.
        is_raw: Whether sessions get pages as well.
    """
    brain = VisibleBrain(view, within, cover, now, excluded)
    entities = {one.id: one for one in brain.entities()}
    homes: defaultdict[str, list[Fact]] = defaultdict(list)
    mentions: defaultdict[str, list[tuple[str, Fact]]] = defaultdict(list)
    past: defaultdict[str, list[Fact]] = defaultdict(list)
    for fact in brain.facts():
        home, others = _home_of(fact, entities, view, within)
        if _has_ended(fact):
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
    made += [*_compiled_pages(brain, where), *_playbook_pages(brain), *_skill_pages(brain)]
    drafts = {one.id for facts in homes.values() for one in facts if _is_draft(one)}
    made += [
        _gaps_page(brain),
        _inbox_page(brain, where),
        log_page(brain),
        *digest_pages(brain, where, drafts),
    ]
    made += session_pages(brain) if is_raw else ()
    schema = [(line,) for line in _SCHEMA.read_text(encoding="utf-8").splitlines()]
    return [_fixed_page("AGENTS", schema), *made]


def _fixed_page(title: str, lines: Iterable[Parts]) -> Page:
    """Return a page that the vault always has, under a fixed name."""
    properties = {"type": title.lower()}
    return Page(
        id=title.lower(), folder="", title=title, properties=properties, lines=lines, is_fixed=True
    )


def index_page(pages: Sequence[Page]) -> Page:
    """Return the page with links to all others."""
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


def _has_ended(fact: Fact) -> bool:
    """Say whether a fact has ended; imported history without an end has not."""
    life = fact.life
    is_ended = life.lifecycle is Lifecycle.HISTORICAL and life.valid_to is not None
    return is_ended or life.lifecycle is Lifecycle.SUPERSEDED


def _home_of(
    fact: Fact, entities: dict[EntityId, Entity], view: Snapshot, within: Visibility
) -> tuple[str, list[str]]:
    """Return the page on which a fact stands, and those on which it is mentioned."""
    known: list[str] = []
    for one in fact.about:
        root = one if one in entities else _canonical_id(view, one, within)
        if root in entities and root not in known:
            known.append(root)
    return (known[0], known[1:]) if known else (fact.life.scope, [])


def _canonical_id(view: Snapshot, entity_id: EntityId, within: Visibility) -> EntityId:
    try:
        return Entities(view).canonical(entity_id, within).id
    except NotFoundError:
        # It is not visible, or was erased.
        return entity_id


def _entity_page(
    brain: VisibleBrain,
    entity: Entity,
    facts: Sequence[Fact],
    past: Sequence[Fact],
    mentions: Sequence[tuple[str, Fact]],
) -> Page:
    edges = Edges(brain.view).around(entity.id, brain.within, limit=sys.maxsize)
    lines: list[Parts] = [(f"# {inert_line(brain.cover(entity.name))}",)]
    lines += _facts(brain, facts)
    lines += _mentions(brain, mentions, "Mentioned in")
    lines += _edges(brain, edges, entity)
    lines += _past(brain, past)
    names = {one.name for one in Entities(brain.view).merged(entity.id, brain.within)}
    aliases = sorted({*entity.aliases, *names} - {entity.name})
    sure = [one.confidence.value for one in facts]
    properties = {
        "title": brain.cover(entity.name),
        "aliases": [brain.cover(one) for one in aliases],
        "tags": ["tilth/entity", f"type/{entity.type}", brain.scope_tag(entity.scope)],
        "brain_id": entity.id,
        "type": entity.type.value,
        "as_of": max(
            [entity.recorded_at, *(one.recorded_at for one in (*facts, *past))]
        ).isoformat(),
        "confidence": round(sum(sure) / len(sure), 2) if sure else None,
        "sources": len({one.episode_id for fact in facts for one in fact.evidence}),
        "related": [Ref(brain.page_id(one)) for one in dict.fromkeys(home for home, _ in mentions)],
    }
    return Page(
        id=entity.id,
        folder=f"entities/{entity.type.value.capitalize()}",
        title=brain.cover(entity.name),
        properties=properties,
        lines=lines,
        facts={one.id: _text(brain, one) for one in facts},
    )


def _scope_page(
    brain: VisibleBrain,
    scope: Scope,
    facts: Sequence[Fact],
    past: Sequence[Fact],
    mentions: Sequence[tuple[str, Fact]],
) -> Page:
    kind, _, key = scope.partition(":")
    name = brain.cover_name((key or kind).rstrip("/").rpartition("/")[2] if key else kind)
    id_ = brain.page_id(scope)
    return Page(
        id=id_,
        folder="projects" if scope != GLOBAL else "",
        title=name or kind,
        properties=properties_of(
            name or kind, ["tilth/project", brain.scope_tag(scope)], id_, "project"
        ),
        lines=[
            (f"# {inert_line(name or kind)}",),
            *_facts(brain, facts),
            *_mentions(brain, mentions, "Stated here"),
            *_past(brain, past),
        ],
        facts={one.id: _text(brain, one) for one in facts},
    )


def _mentions(
    brain: VisibleBrain, mentions: Sequence[tuple[str, Fact]], heading: str
) -> list[Parts]:
    lines: list[Parts] = [
        (
            "- ",
            Ref(brain.page_id(home), fact.id, short_line(brain.cover(fact.said.text))),
            DRAFT_MARK if _is_draft(fact) else "",
        )
        for home, fact in mentions
    ]
    return [("",), (f"## {heading}",), *lines] if lines else []


def _is_draft(fact: Fact) -> bool:
    return fact.life.lifecycle is Lifecycle.DRAFT


def _facts(brain: VisibleBrain, facts: Sequence[Fact]) -> list[Parts]:
    return [(fact_line(one.id, _text(brain, one), _label(one)),) for one in facts]


def _past(brain: VisibleBrain, past: Sequence[Fact]) -> list[Parts]:
    lines: list[Parts] = []
    for one in past[-_PAST_MAX:]:
        ended = one.life.valid_to
        verb = "superseded" if one.life.successor else "ended"
        until = f" {written_day(ended)}" if ended else ""
        text = inert_line(_text(brain, one)).replace("~~", "~")
        lines.append((f"- ~~{text}~~ {verb}{until} ^{block_of(one.id)}",))
    return [("",), ("## Past",), *lines] if lines else []


def _edges(brain: VisibleBrain, edges: Sequence[Edge], entity: Entity) -> list[Parts]:
    """Return a line for each edge; an incoming one begins with its other end."""
    name = inert_line(brain.cover(entity.name))
    lines: list[Parts] = []
    for one in edges:
        kind = one.kind.replace("_", " ")
        leaves = one.source == entity.id
        reaching: Parts = ("- ", Ref(one.source), f" {kind} {name}")
        lines.append((f"- {kind} ", Ref(one.target)) if leaves else reaching)
    return [("",), ("## Related",), *lines] if lines else []


def _playbook_pages(brain: VisibleBrain) -> Iterator[Page]:
    for one in sorted(
        Playbooks(brain.view).select(brain.within, states=LIVE), key=lambda one: one.seq
    ):
        title = brain.cover(one.draft.title)
        tags = ["tilth/playbook", f"state/{one.state}", brain.scope_tag(one.draft.scope)]
        yield Page(
            id=one.id,
            folder="playbooks",
            title=title,
            properties=properties_of(title, tags, one.id, "playbook"),
            lines=[(_inert_document_line(brain.cover(line)),) for line in document(one)],
        )


def _compiled_pages(brain: VisibleBrain, where: Mapping[str, str]) -> Iterator[Page]:
    """
    Yield the compiled pages, whose sentences link to the facts that they cite.

    An edit of a sentence that cites one fact alone corrects that fact.
    """
    for one in sorted(brain.compiled(), key=lambda one: (one.scope, one.name)):
        title = brain.cover(one.title)
        lines: list[Parts] = [(f"# {inert_line(title)}",)]
        alone: dict[str, str] = {}
        for part in one.sections:
            lines += [("",), (f"## {inert_line(brain.cover(part.section.title))}",)]
            if part.lock is not None:
                locked = brain.cover(part.lock.text).splitlines()
                lines += [(inert_line(line),) for line in locked]
                continue
            for said in part.section.sentences:
                cited = [id_ for id_ in said.cites if id_ in where]
                refs = [Ref(brain.page_id(where[id_]), id_, "source") for id_ in cited]
                parts = [piece for ref in refs for piece in (" ", ref)]
                text = " ".join(brain.cover(said.text).split())
                lines.append((f"- {inert_line(text)}", *parts))
                if len(said.cites) == len(cited) == 1:
                    alone.setdefault(cited[0], text)
        id_ = brain.named_id(f"page:{one.scope}/{one.name}")
        tags = ["tilth/page", f"kind/{one.kind}", brain.scope_tag(one.scope)]
        yield Page(
            id=id_,
            folder="pages",
            title=title,
            properties={
                **properties_of(title, tags, id_, f"page {one.kind}"),
                "status": "stale" if one.is_stale else "current",
                "as_of": one.generated_at.isoformat(),
                "sources": len(one.compiled_from),
            },
            lines=lines,
            facts=alone,
        )


def _inert_document_line(line: str) -> str:
    """Return a line of a document as inert text; a heading stays one."""
    return f"# {inert_line(line[2:])}" if line.startswith("# ") else inert_line(line)


def _skill_pages(brain: VisibleBrain) -> Iterator[Page]:
    states = frozenset({SkillState.APPROVED, SkillState.CANDIDATE})
    taken: set[str] = set()
    for one in sorted(
        Skills(brain.view).select(brain.within, states=states), key=lambda one: one.seq
    ):
        called = brain.cover_name(one.draft.name)
        text = brain.cover(one.draft.text.replace(one.draft.name, called))
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


def _gaps_page(brain: VisibleBrain) -> Page:
    found = every(partial(Gaps(brain.view).select, GapFilter(within=brain.within)))
    lines: list[Parts] = [("# Gaps",)]
    for one in sorted(found, key=lambda one: one.seq):
        status = one.status.replace("_", " ")
        text = inert_line(brain.cover(one.description))
        lines.append((f"- {text} — *{status}, seen {one.frequency} times* ^{block_of(one.id)}",))
    return _fixed_page("gaps", lines)


def _inbox_page(brain: VisibleBrain, where: Mapping[str, str]) -> Page:
    which = ProposalFilter(within=brain.within, states=frozenset({ProposalState.OPEN}))
    lines: list[Parts] = [
        ("# Inbox",), ("What waits for a person. It is decided with `tilth review`.",), ("",)
    ]  # fmt: skip
    for one in every(partial(Proposals(brain.view).select, which)):
        draft = one.draft
        kind = draft.kind.replace("_", " ")
        line: list[str | Ref] = [f"- {kind}: {inert_line(brain.cover(draft.reason))}"]
        for id_ in (*draft.facts, *draft.retires):
            if id_ in where:
                line += [" ", Ref(brain.page_id(where[id_]), id_, id_)]
        lines.append((*line, f" ^{block_of(one.id)}"))
    return _fixed_page("inbox", lines)


def _label(fact: Fact) -> str:
    review, life = fact.life.review, fact.life.lifecycle
    word = review.value if review is not Review.UNREVIEWED else f"{life.value}, unreviewed"
    doubt = ", contested" if fact.is_contested else ""
    return f"{word} {written_day(fact.life.valid_from)}{doubt}"


def _text(brain: VisibleBrain, fact: Fact) -> str:
    return " ".join(brain.cover(fact.said.text).split())
