"""Snapshots of what is known, and going back to one, on both engines."""

import errno
import json
import os
import stat
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from tests.brains import a_brain
from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import (
    ConflictError,
    CorruptionError,
    ForbiddenError,
    NotFoundError,
    UnavailableError,
)
from tilth.core.lifecycle import Lifecycle, Review
from tilth.runtime.brain import Brain
from tilth.snapshots import views
from tilth.snapshots.folder import SnapshotFolder

DAY = timedelta(days=1)


@pytest.fixture
def folder(tmp_path):
    return SnapshotFolder(tmp_path / "snapshots")


@pytest.fixture
def cast(whole_store, place, folder):
    """Make a brain for any kind of actor on a store that is whole in the end."""

    def make(kind):
        parts = a_brain(whole_store, place.clock, by=Actor("ada", ActorKind(kind))).parts
        return Brain(replace(parts, snapshots=folder))

    return make


@pytest.fixture
def human(cast):
    return cast("human")


@pytest.fixture
def agent(cast):
    return cast("agent")


def state(brain, text, *about):
    return brain.facts.add(text, about=about or ["kettle"]).fact


def held(brain):
    return sorted(one.said.text for one in brain.facts.list())


def known(store):
    with store.read() as view:
        return view.knowledge_digest()


def day_of(place):
    return f"{place.clock.at:%Y-%m-%d}"


def go_back(human, day, **told):
    return human.snapshots.restore(day, confirm=human.snapshots.restore(day).confirm, **told)


class TestTaking:
    @pytest.mark.row("GA-021")
    def test_of_31_days_30_are_kept_and_each_restores_to_what_was_known_then(
        self, human, whole_store, place
    ):
        then = {}
        for number in range(31):
            state(human, f"The kettle was descaled {number} times.")
            then[day_of(place)] = (human.snapshots.take().digest, known(whole_store))
            place.clock.at += DAY

        days = [one.day for one in human.snapshots.list()]
        assert days == sorted(then, reverse=True)[:30]
        on_disk = sorted(one.name for one in human.parts.snapshots.path.iterdir())
        assert on_disk == sorted(f"{day}.json" for day in days)
        state(human, "The kettle is gone.")
        for day in (days[0], days[29], days[7]):
            assert known(whole_store) != then[day][1]
            assert go_back(human, day).is_equal
            assert known(whole_store) == then[day][1] == then[day][0]

    def test_a_file_is_for_its_owner_alone_and_says_what_it_holds(self, human, place):
        state(human, "The kettle is green.")
        human.remember("what somebody said is not in it")
        taken = human.snapshots.take()

        text = Path(taken.path).read_text()
        header, *rows, seal = json.loads(text)
        assert stat.S_IMODE(human.parts.snapshots.path.stat().st_mode) == 0o700
        assert stat.S_IMODE((human.parts.snapshots.path / f"{taken.day}.json").stat().st_mode) == (
            0o600
        )
        assert (header["through"], header["chain"]) == (taken.through, taken.chain)
        assert seal == {"type": "end", "sha256": taken.sha256}
        assert {row["kind"] for row in rows} == {"entity_recorded", "fact_recorded"}
        assert "The kettle is green." in text
        assert "what somebody said" not in text

    @pytest.mark.row("I37", "GA-021")
    def test_one_that_finds_no_room_leaves_that_of_the_day_as_it_was(self, human, monkeypatch):
        state(human, "The kettle is green.")
        first = human.snapshots.take()
        state(human, "The kettle whistles.")

        def full(_handle):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", full)
            with pytest.raises(UnavailableError, match="No space left"):
                human.snapshots.take()

        left = human.parts.snapshots.path / ".2020-01-01.json.999999999.new"
        left.write_text("what a killed process left")
        (kept,) = human.parts.snapshots.path.glob("[!.]*")
        assert kept.name == f"{first.day}.json"
        assert human.snapshots.get(first.day).sha256 == first.sha256
        assert human.snapshots.take().digest != first.digest
        assert list(human.parts.snapshots.path.iterdir()) == [kept]

    def test_a_second_one_of_a_day_replaces_the_first(self, human):
        human.snapshots.take()
        state(human, "The kettle is green.")
        second = human.snapshots.take()

        assert [one.digest for one in human.snapshots.list()] == [second.digest]

    def test_agents_neither_take_them_nor_go_back(self, agent, human, cast, place):
        human.snapshots.take()
        with pytest.raises(ForbiddenError):
            agent.snapshots.take()
        assert cast("job").snapshots.take().day == day_of(place)
        with pytest.raises(ForbiddenError):
            cast("job").snapshots.restore(day_of(place))

    def test_a_file_that_somebody_changed_is_refused(self, human, folder, place):
        state(human, "The kettle is green.")
        taken = human.snapshots.take()
        file = folder.path / f"{taken.day}.json"
        file.write_text(file.read_text().replace("green", "black"))

        with pytest.raises(CorruptionError, match="not as it was written"):
            human.snapshots.restore(taken.day)
        with pytest.raises(NotFoundError, match="no snapshot of 1999-01-01"):
            human.snapshots.get("1999-01-01")

    def test_that_of_another_store_is_refused(self, human, folder, place):
        taken = human.snapshots.take()
        file = folder.path / f"{taken.day}.json"
        header = json.loads(file.read_text())[0]
        folder.put(taken.day, {**header, "chain": "00" * 32}, ())

        with pytest.raises(ConflictError, match="another store"):
            human.snapshots.restore(taken.day)


class TestGoingBack:
    @pytest.mark.row("GA-025")
    def test_what_is_known_is_what_it_was_and_what_came_since_waits_aside(
        self, human, agent, whole_store, place
    ):
        old = state(human, "The kettle is green.")
        taken = human.snapshots.take()
        place.clock.at += DAY
        new = state(agent, "The kettle whistles.", "whistle")
        human.facts.retire(old.id, reason="it was painted")
        human.remember("we painted the kettle")
        later = known(whole_store)

        plan = human.snapshots.restore(taken.day)
        assert {one.made for one in plan.aside} >= {new.id}
        assert held(human) == ["The kettle whistles."]
        done = go_back(human, taken.day, reason="a bad day")

        assert done.is_equal
        assert known(whole_store) == taken.digest
        assert held(human) == ["The kettle is green."]
        assert "we painted the kettle" in [one.text for one in human.recall("painted").hits]
        with pytest.raises(NotFoundError):
            human.facts.get(new.id)
        (aside,) = human.snapshots.aside()
        assert aside.by.text == "a bad day"
        assert {one.kind for one in aside.operations} >= {"fact_recorded", "fact_retired"}

        back = human.snapshots.reapply(done.id)
        assert known(whole_store) == later
        assert held(human) == ["The kettle whistles."]
        assert human.snapshots.aside() == []
        with pytest.raises(ConflictError, match="back already"):
            human.snapshots.reapply(done.id)
        assert {one.id for one in back.operations} == {one.id for one in done.aside}

    @pytest.mark.row("T30")
    def test_a_rejection_stays_with_what_it_names(self, human, agent, place):
        taken = human.snapshots.take()
        place.clock.at += DAY
        fact = human.facts.add(
            "DNS answers on .110.", system="lab", component="dns", scope="global"
        ).fact
        asked = agent.facts.add(
            "DNS answers on .120.", system="lab", component="dns", scope="global"
        )
        seen = human.review.show(asked.proposal_id)
        human.review.reject(asked.proposal_id, digest=seen.digest)
        state(human, "The kettle is green.")
        done = go_back(human, taken.day)

        assert "The kettle is green." not in held(human)
        assert {one.kind for one in done.kept} >= {"proposal_decided", "proposal_opened"}
        assert human.facts.get(asked.fact.id).life.review is Review.REJECTED
        assert human.facts.get(fact.id).life.lifecycle is Lifecycle.CURRENT
        with pytest.raises(ForbiddenError, match="rejected this statement"):
            agent.facts.add("DNS answers on .120.", system="lab", component="dns", scope="global")

    @pytest.mark.row("GA-025")
    def test_whom_a_conversation_is_with_stays_with_it_and_is_the_whole_difference(
        self, human, place
    ):
        state(human, "The kettle is green.")
        then = (held(human), [one.id for one in human.entities.list()])
        taken = human.snapshots.take()
        place.clock.at += DAY
        ada = human.entities.add("Ada", type="person").entity
        human.conversations.create(ada.id, "matrix")
        state(human, "Ada likes tea.", "Ada")

        done = go_back(human, taken.day)

        assert [one.made for one in done.kept] == [ada.id]
        assert not done.is_equal
        now = [one.id for one in human.entities.list()]
        assert (held(human), [one for one in now if one != ada.id]) == then
        (thread,) = human.conversations.list()
        assert thread.draft.entity_id == ada.id
        told = "\n".join(map(str, views.rollback(done)))
        assert "whom conversations are with" in told
        assert "but for what stays" in told

    def test_a_rejection_that_was_taken_back_since_goes(self, human, agent, place):
        fact = state(agent, "The kettle is green.")
        asked = agent.review.question(fact.id, reason="is it?")
        taken = human.snapshots.take()
        place.clock.at += DAY
        human.review.reject(asked.id, digest=human.review.show(asked.id).digest)
        human.review.undo(asked.id)

        assert go_back(human, taken.day).is_equal
        assert human.review.list().waiting == 1

    def test_another_word_than_the_plans_changes_nothing(self, human, whole_store, place):
        taken = human.snapshots.take()
        plan = human.snapshots.restore(taken.day)
        state(human, "The kettle is green.")
        before = known(whole_store)

        with pytest.raises(ConflictError, match="not what was shown"):
            human.snapshots.restore(taken.day, confirm=plan.confirm)
        assert known(whole_store) == before

    def test_going_back_and_forth_arrives_at_each_day_again(self, human, whole_store, place):
        days = []
        for word in ("green", "black", "white"):
            state(human, f"The kettle is {word}.", word)
            days.append(human.snapshots.take())
            place.clock.at += DAY
        for at in (0, 2, 1, 0, 1, 2):
            assert go_back(human, days[at].day).is_equal
            assert known(whole_store) == days[at].digest

    def test_one_operation_alone_comes_back_and_not_over_what_was_recorded_since(
        self, human, place
    ):
        old = state(human, "The kettle is green.")
        taken = human.snapshots.take()
        place.clock.at += DAY
        whistles = state(human, "The kettle whistles.")
        human.facts.retire(old.id, reason="painted")
        done = go_back(human, taken.day)
        human.facts.retire(old.id, reason="it was sold")

        human.snapshots.reapply(done.id, only=[whistles.id])
        assert held(human) == ["The kettle whistles."]
        with pytest.raises(ConflictError, match="recorded since"):
            human.snapshots.reapply(done.id)


@pytest.mark.usefixtures("as_person")
def test_a_day_goes_by_its_name_at_the_command_line(ready):
    day = ready("snapshot", "take", "--json").answer["day"]

    assert ready("snapshot", "show", "today", "--json").answer["day"] == day
    assert ready("snapshot", "restore", "today").code == 0
    assert "no snapshot of" in ready("snapshot", "restore", "yesterday").err
    assert "or a day such as yesterday" in ready("snapshot", "restore", "the day we met").err


@pytest.mark.row("GA-025", "T13")
def test_what_was_erased_is_in_no_snapshot_and_comes_back_with_none(ready, as_person):
    def answer(*words):
        return ready(*words, "--json").answer

    fact = answer("fact", "add", "The vault code is 4711-0815-canary.", "--about", "vault")
    answer("snapshot", "take")
    (shown,) = answer("snapshot", "list")["snapshots"]
    # What a process left that was killed while it took one; no process has this number.
    left = Path(shown["path"]).with_name(".2020-01-01.json.999999999.new")
    left.write_text(Path(shown["path"]).read_text())
    plan = answer("erase", "--fact", fact["fact"]["id"])
    done = answer("erase", "--fact", fact["fact"]["id"], "--confirm", "--digest", plan["digest"])

    assert {shown["path"], str(left)} <= {*done["cleaned"]}
    assert done["found"] == []
    assert not left.exists()
    assert "canary" not in Path(shown["path"]).read_text()
    assert answer("snapshot", "show", shown["day"])["erased"] > 0
    answer("fact", "add", "The vault is blue.", "--about", "vault")
    back = answer("snapshot", "restore", shown["day"])
    answer("snapshot", "restore", shown["day"], "--confirm", back["confirm"])
    assert answer("fact", "list")["facts"] == []
    assert ready("verify").code == 0
