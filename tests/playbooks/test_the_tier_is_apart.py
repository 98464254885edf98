"""Reflection on, off or failing: what is captured and recalled is the same, byte for byte."""

import json
import re
from pathlib import Path

import pytest

import tilth as tilth_package
from tests.brains import a_brain
from tests.conftest import a_draft
from tests.playbooks.deployments import deployment
from tests.practice.sessions import SHOP
from tilth.context.model import BriefRequest
from tilth.core.scope import Visibility
from tilth.episodes.episode import EpisodeKind
from tilth.knowledge.entities.tables import Entities
from tilth.runtime.doctor import check_orphans

ASKED = ("How is the shop deployed?", "make test", "Which port does the router use?")


def golden(brain):
    """Return what a caller reads of the core, in full."""
    told = [
        [brain.recall(question, scope=SHOP) for question in ASKED],
        brain.sessions.list(),
        brain.facts.list(),
        brain.commands.list(is_all=True),
        brain.fixes.list(is_all=True),
        brain.brief(BriefRequest(via="test"), scope=SHOP).blocks,
    ]
    return json.dumps([repr(one) for one in told])


@pytest.mark.row("KB-007", "KB-062", "C-20")
def test_candidates_change_no_answer(brain):
    for day in range(3):
        deployment(brain, f"s{day}", day=day)
    before = golden(brain)

    assert brain.reflect().made_count > 0

    assert golden(brain) == before


@pytest.mark.row("KB-007")
def test_a_tier_that_crashes_changes_no_answer(brain, monkeypatch):
    for day in range(3):
        deployment(brain, f"s{day}", day=day)
    before = golden(brain)
    for name in ("find_experiences", "draft", "observe", "retire", "lift", "archive"):
        monkeypatch.setattr(f"tilth.playbooks.playbook_stages.{name}", lambda *_, **__: 1 / 0)

    done = brain.reflect()

    assert sum(bool(one.error) for one in done.stages) >= 6
    assert golden(brain) == before


def tier(brain):
    """Let the whole tier work over what was captured, as the worker does."""
    brain.distil(is_asked=True)
    brain.entities.tidy()
    brain.review.scan()
    brain.dedup()
    brain.archive()
    brain.consolidate()
    brain.gaps.run()
    brain.reflect()
    brain.pages.sweep()


def off(_brain):
    """Let nothing work over it."""


# What the stages stand on, each of which may break.
CRASHES = (
    "tilth.learning.distil.extract_statements",
    "tilth.learning.distil.state_habits",
    "tilth.maintenance.verbs.deduplicating.dedup",
    "tilth.maintenance.verbs.archiving.sweep",
    "tilth.maintenance.verbs.consolidating.consolidate",
    "tilth.maintenance.verbs.contradictions.scan_contradictions",
    "tilth.pages.verbs.page_verbs.sweep_pages",
)
STAGES = ("find_experiences", "draft", "observe", "retire", "lift", "archive")


def crashing(brain):
    """Let every stage of the tier break in the midst of its work."""
    with pytest.MonkeyPatch.context() as patch:
        for name in CRASHES:
            patch.setattr(name, lambda *_, **__: 1 / 0)
        for name in STAGES:
            patch.setattr(f"tilth.playbooks.playbook_stages.{name}", lambda *_, **__: 1 / 0)
        for stage in (
            lambda: brain.distil(is_asked=True),
            brain.review.scan,
            brain.dedup,
            brain.archive,
            brain.consolidate,
            brain.pages.sweep,
        ):
            with pytest.raises(ZeroDivisionError):
                stage()
        assert sum(bool(one.error) for one in brain.reflect().stages) >= len(STAGES)


SAMPLE = Path(tilth_package.__file__).parent / "runtime/sample/codex-backup-restore.jsonl"
SAID = "From now on always deploy with make ship. Ada owns the billing service."


def remembered(brain, does):
    """Return what the memory of episodes answers while a tier *does*; IDs and times masked."""
    told = []
    for day in range(3):
        deployment(brain, f"s{day}", day=day)
    told.append(brain.remember(SAID, role="user", session_id="talk", scope=SHOP))
    does(brain)
    told.append(brain.remember("The lid is green.", session_id="talk", scope=SHOP))
    told.append(brain.remember_many([a_draft("one"), a_draft("two", session_id="talk")]))
    does(brain)
    told += [brain.sessions.list(), brain.exchanges.list(scope=SHOP), brain.documents.list()]
    told += [brain.sessions.get("talk"), brain.episodes.list(limit=1000)]
    told += [brain.episodes.get(told[0]), brain.exchanges.list(session_id="talk")]
    found = [
        brain.recall(question, scope=SHOP, kinds=list(EpisodeKind))
        for question in (*ASKED, "who owns billing")
    ]
    seen = {}

    def masked(answer):
        said = re.sub(r"datetime\.datetime\([^)]*\)", "<time>", repr(answer))
        named = r"(?<=_)[0-9A-HJKMNP-TV-Z]{26}\b|seq=\d+"
        return re.sub(named, lambda one: seen.setdefault(one[0], f"<{len(seen)}>"), said)

    known = masked(told)
    # Likeness of meaning is measured about the mean of all that is there, facts among it; so what
    # is found is the same with the tier on, and how near it is need not be.
    hits = [sorted((masked(hit.id), hit.text) for hit in one.hits) for one in found]
    return known, hits, masked(found)


@pytest.mark.row("KB-007", "KB-062", "C-20")
@pytest.mark.parametrize("does", [tier, crashing])
def test_capture_and_recall_are_the_same_byte_for_byte_with_the_tier_on_off_or_crashing(
    make_place, does
):
    places = make_place(), make_place()
    without, with_ = (a_brain(place.open(), place.clock) for place in places)

    told = remembered(without, off), remembered(with_, does)

    assert told[0][:2] == told[1][:2]
    if does is crashing:
        assert told[0] == told[1]
    assert "make ship" in told[0][0]
    if does is tier:
        assert with_.facts.list(scope=SHOP)
        assert with_.playbooks.list()
    assert without.facts.list(scope=SHOP) == []
    for brain in (without, with_):
        assert list(brain.parts.store.verify()) == []
        brain.close()


@pytest.mark.row("KB-062", "C-20")
def test_a_worker_that_is_not_to_learn_learns_nothing_and_what_waits_is_learned_later(tilth):
    quiet = {"TILTH_EMBEDDER": "none"}
    off = quiet | {"TILTH_LEARNING": "false"}

    def worked(environ):
        assert tilth("worker", "--once", "--json", environ=environ).code == 0
        facts = tilth("fact", "list", "--json", environ=environ).answer["facts"]
        asked = tilth("recall", "where do backups go", "--json", environ=environ).answer
        return sorted(one["said"]["text"] for one in facts), asked["hits"][0]["text"]

    assert tilth("init").code == 0
    assert tilth("import", SAMPLE, "--no-background", environ=off).code == 0
    before = tilth("verify", "--json").answer

    assert worked(off)[0] == []
    assert tilth("verify", "--json").answer == before
    learned = worked(quiet)
    assert learned[0]
    assert worked(off) == learned
    assert worked(quiet) == learned


@pytest.mark.row("KB-062")
def test_a_worker_whose_tier_is_off_leaves_the_ledger_as_it_is(tilth):
    off = {"TILTH_REFLECTION": "false", "TILTH_EMBEDDER": "none"}
    assert tilth("init").code == 0
    assert tilth("worker", "--once", "--json", environ=off).code == 0

    assert tilth("playbook", "list", "--json", environ=off).answer == {"playbooks": []}
    # Asked for, it runs all the same, and nothing that was there is lost.
    assert tilth("reflect", "--json", environ=off).code == 0


@pytest.mark.row("KB-006")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("./deploy.sh --port 5432", "./deploy.sh --port 5433"),
        ("./release.sh 1.4", "./release.sh 1.5"),
        ("terraform apply -var provider=aws", "terraform apply -var provider=gcp"),
        ("helm upgrade shop --namespace staging", "helm upgrade shop --namespace production"),
        ("kubectl apply -f k8s/a.yaml", "kubectl apply -f k8s/b.yaml"),
    ],
)
@pytest.mark.on_sqlite(but=2)
def test_another_port_version_provider_environment_or_file_is_never_folded(brain, one, other):
    for day in range(2):
        deployment(brain, f"a{day}", day=day, line=one)
        deployment(brain, f"b{day}", day=day, line=other)

    brain.reflect()

    ends = sorted(book.draft.steps[-1] for book in brain.playbooks.list())
    assert ends == sorted(f"Deploy with `{line}`" for line in (one, other))


@pytest.mark.row("KB-006")
def test_a_hundred_sessions_are_one_playbook_and_a_hundred_more_are_no_other(brain):
    for day in range(50):
        deployment(brain, f"s{day}", day=day)
    brain.reflect()
    before = [one.id for one in brain.playbooks.list()]

    for day in range(50, 100):
        deployment(brain, f"s{day}", day=day)
    for _ in range(2):
        brain.reflect()

    assert [one.id for one in brain.playbooks.list()] == before
    assert len(before) == 1
    (book,) = brain.playbooks.list()
    assert book.evidence.seeds + book.evidence.ok == 100


@pytest.mark.row("KB-068", "KB-070")
def test_the_days_and_what_holds_are_counted(brain):
    for day in range(3):
        deployment(brain, f"s{day}", day=day)
    brain.reflect()

    told = brain.growth()

    assert (told.playbooks, told.skills, told.orphans) == (1, 0, 0)
    assert told.episodes == sum(one.episodes for one in told.days) == 24
    assert told.compression == round(24 / (told.facts + 1), 1)
    assert brain.growth(scope="project:other").playbooks == 0
    in_scope = brain.growth(scope=SHOP)
    assert [one.episodes for one in in_scope.days] == [one.episodes for one in told.days]


@pytest.mark.row("KB-010", "KB-068", "KB-069")
def test_doctor_and_growth_tell_the_same_of_how_the_knowledge_is_built(brain, store):
    for day in range(3):
        deployment(brain, f"s{day}", day=day)
    brain.reflect()
    for scope in (SHOP, "project:other"):
        brain.facts.add("The till is of oak.", about=["till"], scope=scope)

    told = brain.growth()
    with store.read() as view:
        entities = Entities(view).count(Visibility())
    detail = check_orphans(store, Visibility()).detail

    assert told.nodes == told.facts + entities + told.playbooks + told.skills
    assert (told.playbooks, told.collision_rate) == (1, 0.5)
    assert detail == {
        "orphan_count": told.orphans,
        "node_count": told.nodes,
        "edge_count": told.edges,
        "collision_rate": told.collision_rate,
        "compression_ratio": told.compression,
    }
    assert told.compression == round(told.episodes / (told.facts + 1), 1)


@pytest.mark.row("I28")
def test_what_is_out_of_scope_moves_no_number_of_any_day(brain):
    deployment(brain, "s0")
    before = brain.growth(scope=SHOP)

    brain.remember("The cellar is damp.", session_id="c", scope="project:cellar")
    brain.facts.add("The cellar is damp.", system="cellar", scope="project:cellar")

    assert brain.growth(scope=SHOP) == before
    assert brain.growth().days != before.days
