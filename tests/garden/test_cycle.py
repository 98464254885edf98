"""A cycle: eight steps, within a budget, once however often it is killed."""

import re
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta

import pytest

from tests.garden.plots import DAY, crowded, cycle, days, planted, plot
from tilth.context.model import BriefRequest
from tilth.core.errors import UnavailableError
from tilth.core.scope import GLOBAL
from tilth.discovery.model import UnreachableError
from tilth.episodes.tables import Episodes
from tilth.garden.cycle import run as running
from tilth.garden.cycle.folder import GardenFolder
from tilth.garden.events import CycleStepEnded, GardenSpent
from tilth.garden.model import CANDIDATES_MAX, READS_MAX, SEARCHES_MAX, Step, Unit
from tilth.garden.tables import Cycles

EVERY = timedelta(days=1)
# What either engine says where a constraint holds.
REFUSED = r"(?i)check|unique|constraint"


def spent(brain, unit):
    with brain.parts.store.read() as view:
        last = Cycles(view).last(brain.parts.recorder.owner)[0]
        return [one for one in Cycles(view).spent(last.id) if one.unit is unit]


def evidence_text(brain, fact):
    (one,) = fact.evidence
    with brain.parts.store.read() as view:
        return (
            Episodes(view).get(one.episode_id, brain.parts.within(None)).text[one.start : one.end]
        )


@pytest.mark.row("GA-001", "GA-015", "GA-036")
def test_a_cycle_without_a_human_leaves_candidates_with_source_and_quote_and_nothing_current(
    garden,
):
    garden.topics.add("backups", priority=5)

    report = cycle(garden)

    found = garden.garden.candidates()
    assert report.cycle.ended_at is not None
    assert 2 <= len(found) <= CANDIDATES_MAX
    sources = {one.id for one in garden.sources.list()}
    for one in found:
        assert (one.fact.life.lifecycle, one.fact.life.review) == ("draft", "unreviewed")
        assert one.source_id in sources
        assert one.quote == evidence_text(garden, one.fact)
        assert "ackup" in one.fact.said.text
    assert garden.state().count == 0
    assert all(hit.tier == "episode" for hit in garden.recall("backups at four").hits)
    assert "four in the morning" not in garden.brief(BriefRequest()).text


@pytest.mark.row("GA-007")
def test_a_week_that_was_missed_is_caught_up_by_one_run_and_the_next_wake_is_told(garden, place):
    garden.topics.add("backups")
    first = cycle(garden)
    assert first.next_at == first.cycle.begun_at + DAY
    assert cycle(garden).cycle is None

    place.clock.at += 7 * DAY

    assert garden.garden.next() <= place.clock.at
    assert cycle(garden).cycle is not None
    assert cycle(garden).cycle is None
    with garden.parts.store.read() as view:
        assert len(Cycles(view).last(garden.parts.recorder.owner, limit=10)) == 2


@pytest.mark.row("GA-007")
def test_a_clock_that_went_back_neither_holds_a_cycle_up_nor_repeats_it(garden, place):
    garden.topics.add("backups")
    assert cycle(garden).cycle is not None

    place.clock.at -= 30 * DAY

    assert cycle(garden).cycle is not None
    assert cycle(garden).cycle is None


def test_no_cycle_runs_without_a_topic(garden):
    assert cycle(garden).cycle is None


@pytest.mark.row("GA-008", "GA-022")
def test_the_log_begins_with_the_wake_and_ends_with_counts_and_the_next_wake(garden, folder):
    garden.topics.add("backups")

    report = cycle(garden)

    lines = (folder / "logs/activity.md").read_text().splitlines()
    assert lines[0] == "# Activity"
    assert lines[2].endswith(f"cycle {report.cycle.id}")
    found = len(garden.garden.candidates())
    assert any(line.startswith("- tend:") and f"candidates {found}," in line for line in lines)
    assert any(re.fullmatch(r"- inbox: through \d+", line) for line in lines)
    assert lines[-1].startswith(f"- {report.cycle.id} ended; next wake ")


@pytest.mark.row("GA-014")
def test_of_ten_needy_topics_three_are_tended_and_only_they_are_marked(garden):
    for number in range(10):
        garden.topics.add(f"backups {number}", priority=1 + number % 5)

    report = cycle(garden)

    tended = {one.id for one in garden.topics.list() if one.last_tended is not None}
    assert len(tended) == 3
    assert set(report.cycle.ended[Step.TEND]["topics"]) == tended
    assert {one.priority for one in garden.topics.list() if one.id in tended} <= {4, 5}


class Counting:
    """A ground that counts what it is asked, and fails when it is told to."""

    name = "counting"

    def __init__(self, inner, fails=()):
        self.inner, self.fails, self.searches, self.was_read = inner, set(fails), 0, []

    @property
    def within(self):
        return self.inner.within

    @property
    def all(self):
        return (self,)

    def search(self, question, *, limit):
        self.searches += 1
        if "search" in self.fails:
            raise UnreachableError("nobody answers")
        return self.inner.all[0].search(question, limit=limit)

    def read(self, address):
        self.was_read.append(address)
        if "read" in self.fails:
            raise UnreachableError("nobody answers")
        return self.inner.read(address)

    def pieces(self, address):
        return self.inner.pieces(address)

    def located(self, address, words):
        return self.inner.located(address, words)


def counted(brain, fails=()):
    """Return a gardener whose searches and reads are counted, and what counts them."""
    gardener = brain.parts.gardener
    ground = Counting(gardener.ground_of(GLOBAL), fails)
    return replace(gardener, ground_of=lambda _: ground), ground


@pytest.mark.row("GA-016", "C-19", "I30")
@pytest.mark.parametrize("fails", [(), ("search",), ("read",)])
def test_a_cycle_never_makes_a_sixth_search_nor_a_fourth_read(garden, fails):
    for name in ("backups", "release", "monitoring"):
        garden.topics.add(name, priority=5)
    gardener, ground = counted(garden, fails)

    running.run(gardener, EVERY)

    assert ground.searches == SEARCHES_MAX
    assert len(ground.was_read) <= READS_MAX
    assert len(spent(garden, Unit.SEARCH)) == SEARCHES_MAX
    assert len(spent(garden, Unit.READ)) == len(ground.was_read)


@pytest.mark.row("GA-017")
def test_of_forty_sentences_ten_become_candidates_and_thirty_are_put_off(store, place, tmp_path):
    brain = crowded(store, place.clock, tmp_path, 40)

    report = cycle(brain)

    assert len(brain.garden.candidates()) == CANDIDATES_MAX
    assert report.cycle.ended[Step.TEND]["deferred"] == 40 - CANDIDATES_MAX
    place.clock.at += DAY
    cycle(brain)
    assert len(brain.garden.candidates()) == 2 * CANDIDATES_MAX


@pytest.mark.row("C-21", "GA-017")
def test_a_sentence_with_a_private_value_is_no_candidate_and_ends_no_cycle(store, place, tmp_path):
    brain = plot(store, place.clock, tmp_path)
    said = [
        "Backups of the shop must be stored on <private>node1</private>, because it stands apart.",
        "Backups of the mill must be stored on the machine `node2`, because it stands apart.",
    ]
    planted(brain, {"hosts": "# Backups\n\n" + "\n\n".join(said)})
    brain.topics.add("backups")

    report = cycle(brain)

    assert report.cycle.ended_at is not None
    assert [one.fact.said.text for one in brain.garden.candidates()] == [said[1]]


@pytest.mark.row("GA-026")
@pytest.mark.parametrize("nth", range(1, 40, 3))
def test_a_cycle_that_dies_at_any_write_goes_on_within_its_budget(garden, nth, monkeypatch):
    for name in ("backups", "release"):
        garden.topics.add(name)
    gardener, ground = counted(garden)
    killed_at(garden, nth, gardener, monkeypatch)

    running.run(gardener, EVERY)

    texts = [one.fact.said.text for one in garden.garden.candidates()]
    assert texts
    assert len(texts) == len(set(texts))
    assert ground.searches <= SEARCHES_MAX
    # What is its own is read to the end under the payment that it has.
    assert len(set(ground.was_read)) <= READS_MAX
    assert len(spent(garden, Unit.READ)) == len(set(ground.was_read))


class Meddled(Counting):
    """A ground beside which a person does something, the *nth* time that it is asked."""

    def __init__(self, inner, nth, act):
        super().__init__(inner)
        self.nth, self.act = nth, act

    def search(self, question, *, limit):
        self.meddled()
        return super().search(question, limit=limit)

    def read(self, address):
        self.meddled()
        return super().read(address)

    def meddled(self):
        self.nth -= 1
        if not self.nth:
            self.act()


@pytest.mark.row("GA-025", "GA-026", "X-06")
@pytest.mark.parametrize("nth", [1, 2, 3, 5, 6, 7])
@pytest.mark.parametrize("act", ["undo", "restore", "archive"])
@pytest.mark.on_sqlite(but=6)
def test_a_cycle_whose_topic_is_taken_away_meanwhile_ends_without_it(garden, place, nth, act):
    kept = garden.topics.add("release")
    day = garden.snapshots.take().day
    place.clock.at += DAY
    gone = garden.topics.add("backups", priority=5)

    def restored():
        plan = garden.snapshots.restore(day)
        garden.snapshots.restore(day, confirm=plan.confirm, reason="a mistake")

    acts = {
        "undo": lambda: garden.undo(gone.id, with_dependants=True),
        "restore": restored,
        "archive": lambda: garden.topics.archive(gone.id, reason="not ours"),
    }
    gardener = garden.parts.gardener
    ground = Meddled(gardener.ground_of(GLOBAL), nth, acts[act])

    report = running.run(replace(gardener, ground_of=lambda _: ground), EVERY)

    assert report.cycle.ended_at is not None
    assert [one.id for one in garden.topics.list() if one.last_tended] == [kept.id]
    assert list(garden.parts.store.verify()) == []


@pytest.mark.row("GA-025", "GA-026")
@pytest.mark.parametrize("nth", [6, 11, 17, 23])
def test_a_cycle_that_was_killed_goes_on_without_the_topic_that_was_undone(
    garden, nth, monkeypatch
):
    kept, gone = (garden.topics.add(name) for name in ("backups", "release"))
    killed_at(garden, nth, garden.parts.gardener, monkeypatch)
    garden.undo(gone.id, with_dependants=True)

    report = running.run(garden.parts.gardener, EVERY)

    assert report.cycle.ended_at is not None
    assert [one.id for one in garden.topics.list()] == [kept.id]


@pytest.mark.row("GA-026")
def test_a_kill_costs_none_of_the_brains_own_material(make_place_on, tmp_path, monkeypatch):
    found = {}
    # Before it records what a search found (14), and what each of three reads said.
    for nth in (0, 14, 16, 18, 21):
        place = make_place_on("sqlite")
        brain = plot(place.open(), place.clock, tmp_path / str(nth))
        planted(brain)
        for name in ("backups", "release"):
            brain.topics.add(name)
        killed_at(brain, nth, brain.parts.gardener, monkeypatch)
        cycle(brain)
        found[nth] = [one.fact.said.text for one in brain.garden.candidates()]
        brain.close()
    assert {nth for nth, texts in found.items() if texts != found[0]} == set()
    assert found[0]


def killed_at(garden, nth, gardener, monkeypatch):
    """Run a cycle that dies at its *nth* write."""
    begin, count = type(garden.parts.store).begin, [0]

    def dying(store):
        count[0] += 1
        if count[0] == nth:
            raise UnavailableError("killed")
        return begin(store)

    with monkeypatch.context() as patch:
        patch.setattr(type(garden.parts.store), "begin", dying)
        with suppress(UnavailableError):
            running.run(gardener, EVERY)


@pytest.mark.row("GA-016")
def test_the_store_has_no_room_for_a_sixth_search(garden):
    garden.topics.add("backups")
    cycle(garden)
    parts = garden.parts
    with parts.store.read() as view:
        last = Cycles(view).last(parts.recorder.owner)[0]
        paid = Cycles(view).spent(last.id)

    event = one_more_search(last.id, paid[0].topic_id)
    with pytest.raises(Exception, match=REFUSED):
        append_one(parts, event)


def append_one(parts, event):
    with parts.store.begin() as tx:
        tx.append(event, by=parts.by, owner=parts.recorder.owner)


def one_more_search(cycle_id, topic_id):
    return GardenSpent(
        cycle_id=cycle_id,
        topic_id=topic_id,
        unit=Unit.SEARCH,
        nth=SEARCHES_MAX + 1,
        what="one more",
    )


@pytest.mark.row("DU-061")
def test_a_second_run_beside_the_first_does_nothing_and_says_so(garden):
    garden.topics.add("backups")
    with garden.parts.gardener.folder.alone() as is_free:
        assert is_free

        report = cycle(garden)

    assert (report.is_busy, report.exit_code, report.cycle) == (True, 3, None)
    assert garden.garden.candidates() == []


@pytest.mark.row("DU-061")
def test_a_run_by_hand_only_shows_what_it_would_do(garden, folder):
    garden.topics.add("backups")

    report = garden.garden.run()

    assert report.is_dry_run
    assert [one.topic.name for one in report.needy] == ["backups"]
    assert len(report.asked) == SEARCHES_MAX
    assert garden.garden.candidates() == []
    assert not folder.exists()


@pytest.mark.row("C-19")
@pytest.mark.parametrize("more", [(), ("--apply",)])
def test_a_garden_without_topics_says_what_it_lacks_and_no_time(ready, more):
    told = ready("garden", "run", *more)

    state = "HEALTHY: nothing is tended yet" if more else "DEGRADED: folder"
    assert told.out == f"{state}\n"
    assert "there is no topic to tend; name one: tilth topic add NAME" in told.err
    assert "cycle" not in told.out + told.err
    state = ready("garden", "status")
    assert "there is no topic to tend; name one: tilth topic add NAME" in state.err
    assert "next cycle" not in state.out


@pytest.mark.row("DU-061", "GA-029")
def test_the_first_line_is_the_state_and_the_exit_code_says_it_too(ready, as_person):
    """0 healthy, 1 degraded, 2 asked for what cannot be, 3 another one runs."""
    ready("topic", "add", "backups")
    folder = GardenFolder(ready.home / "tilth/tilth.db.garden", ready.home / "tilth/snapshots")

    def told(*words):
        run = ready("garden", *words)
        return run.code, run.out.splitlines()[:1]

    assert told("status") == (1, ["DEGRADED: folder"])
    assert told("run", "--apply") == (0, ["HEALTHY"])
    assert told("status") == (0, ["HEALTHY"])
    printed = [line.split()[0] for line in ready("garden", "metrics").out.splitlines()]
    assert printed == ["coverage", "freshness", "accuracy", "efficiency", "engagement"]
    refused = ready("garden", "run", "--hours", "0")
    assert (refused.code, refused.out) == (2, "")
    assert "--hours" in refused.err
    with folder.alone() as is_free:
        assert is_free
        assert told("run", "--apply", "--force") == (3, ["HEALTHY"])
    (folder.root / "inbox/approvals.json").write_text("[no json")
    assert told("run", "--apply", "--force") == (1, ["DEGRADED: inbox"])


@pytest.mark.parametrize("is_followed", [False, True])
def test_a_garden_that_was_copied_or_moved_leads_to_its_own_snapshots(
    ready, as_person, tmp_path, is_followed
):
    """A program that copies folders keeps a link that leads to the old place, or follows it."""
    assert ready("garden", "init").code == 0
    link = ready.home / "tilth/tilth.db.garden/snapshots"
    own = link.readlink()
    elsewhere = link if is_followed else tmp_path / "elsewhere"
    link.unlink()
    elsewhere.mkdir()
    (elsewhere / "2026-01-01.json").write_text("[]")
    if not is_followed:
        link.symlink_to(elsewhere)

    done = ready("worker", "--once")

    assert done.code == 0, done.err
    assert link.readlink() == own
    kept = link.with_name("snapshots.copy") if is_followed else elsewhere
    assert (kept / "2026-01-01.json").read_text() == "[]"


@pytest.mark.row("DU-061")
def test_what_takes_something_away_soaks_for_seven_days_and_waits_for_a_person(garden, place):
    """Archiving a topic is all that a cycle would take away; what is confirmed it never touches."""
    topic = garden.topics.add("the weather on the moon", freshness_days=1)

    def asked():
        found = garden.review.list(kinds=["suggestion"], limit=100).proposals
        return [one for one in found if one.draft.detail["suggests"] == "archiving"]

    for _ in range(7):
        cycle(garden)
        assert asked() == []
        place.clock.at += DAY
    days(garden, place.clock, 2)
    (one,) = asked()
    assert [one.id for one in garden.topics.list()] == [topic.id], "nobody has said yes"
    garden.review.confirm(one.id, digest=garden.review.show(one.id).digest)
    assert garden.topics.list() == []


@pytest.mark.row("DU-061")
def test_what_soaks_begins_anew_once_something_is_found_and_a_no_is_for_good(garden, place):
    topic = garden.topics.add("the weather on the moon", freshness_days=1)

    def asked(**which):
        found = garden.review.list(kinds=["suggestion"], limit=100, **which).proposals
        return [one for one in found if one.draft.detail["suggests"] == "archiving"]

    days(garden, place.clock, 6)
    dust = "# The moon\n\nThe weather on the moon is recorded by `dust-log` at least once a day.\n"
    planted(garden, {"moon": dust})
    days(garden, place.clock, 1)
    (found,) = garden.garden.candidates(topic_id=topic.id)
    for _ in range(7):
        cycle(garden)
        assert asked() == [], f"{found.fact.said.text} was found less than seven days ago"
        place.clock.at += DAY
    days(garden, place.clock, 2)

    (one,) = asked()
    garden.review.reject(one.id, digest=garden.review.show(one.id).digest)
    days(garden, place.clock, 9)

    assert asked() == []
    assert [one.id for one in garden.topics.list()] == [topic.id]


@pytest.mark.row("DU-061")
def test_nine_signs_are_told_and_one_that_is_bad_degrades(garden, folder):
    garden.topics.add("backups")
    cycle(garden)

    well = garden.garden.status()

    assert len(well.signals) == 9
    assert (well.is_healthy, well.exit_code) == (True, 0)
    (folder / "inbox/approvals.json").write_text("[no json")
    cycle(garden, is_forced=True)
    bad = garden.garden.status()
    assert [one.name for one in bad.signals if not one.is_well] == ["inbox"]
    assert bad.exit_code == 1


def test_a_garden_that_kept_no_snapshot_yet_says_so_in_words(garden):
    garden.garden.init()

    told = {one.name: one.told for one in garden.garden.status().signals}

    assert told["folder"] == "no cycle has kept a snapshot in it"


@pytest.mark.row("GA-012", "GA-014")
def test_a_topic_that_is_fresh_and_has_enough_is_left_alone(garden, place):
    topic = garden.topics.add("backups", freshness_days=30)
    days(garden, place.clock, 2)
    for one in garden.garden.candidates():
        shown = garden.review.show(one.proposal.id)
        garden.review.confirm(one.proposal.id, digest=shown.digest)
    known = garden.facts.add("Backups of the wiki are made by hand.", about=["wiki"]).fact
    garden.topics.contain(topic.id, known.id)

    assert garden.topics.get(topic.id).topic.counts.confirmed >= 5
    report = garden.garden.run()

    assert report.needy == []


def test_a_cycle_is_forced_with_a_budget_of_its_own_and_counted(garden):
    garden.topics.add("backups")
    first = cycle(garden).cycle

    second = cycle(garden, is_forced=True).cycle

    assert (first.turn, second.turn) == (0, 1)
    assert len(spent(garden, Unit.SEARCH)) == SEARCHES_MAX


def test_a_garden_is_rebuilt_from_the_ledger_to_the_same_state(garden, place):
    garden.topics.add("backups")
    days(garden, place.clock, 2)
    store = garden.parts.store
    before = store.digest()

    store.rebuild()

    assert store.digest() == before
    assert list(store.verify()) == []


@pytest.mark.row("C-19")
def test_each_step_is_one_event_and_a_second_one_is_refused(garden):
    garden.topics.add("backups")
    report = cycle(garden)
    parts = garden.parts

    with pytest.raises(Exception, match=REFUSED):
        append_one(parts, CycleStepEnded(cycle_id=report.cycle.id, step=Step.TEND))
