import shlex
import shutil
from pathlib import Path

import pytest

import tilth as package
from tests.program import acting

SAMPLE = Path(package.__file__).parent / "runtime" / "sample"


def statuses(answer):
    return {check["id"]: check["status"] for check in answer["checks"]}


def test_a_machine_without_a_store_fails_and_names_the_fix(tilth):
    examined = tilth("doctor", "--json")

    assert examined.code == 1
    assert statuses(examined.answer)["store.opens"] == "fail"
    assert "mend store.opens: make one with: tilth init" in tilth("doctor").out


@pytest.mark.row("OB-073")
def test_a_store_with_memories_passes_its_canary(ready):
    ready("import", SAMPLE / "claude-code-payments.jsonl", "--no-background")

    examined = ready("doctor", "--json")

    assert examined.code == 0
    assert statuses(examined.answer)["recall.canary"] == "ok"
    assert statuses(examined.answer)["store.whole"] == "ok"


def test_a_warning_counts_as_a_failure_when_strict(ready):
    relaxed, strict = ready("doctor", "--json"), ready("doctor", "--json", "--strict")

    assert relaxed.answer["status"] == "warn"
    assert (relaxed.code, strict.code) == (0, 1)


def test_a_backup_is_remembered(ready):
    ready("backup", ready.home / "one.db")

    assert statuses(ready("doctor", "--json").answer)["store.backup"] == "ok"


@pytest.mark.parametrize(
    "name", ["tilth (conflicted copy).db", "tilth.sync-conflict-20261128-010203-ABCDEFG.db"]
)
def test_what_a_synchronised_folder_left_beside_the_store_is_told_and_taken_in_as_told(ready, name):
    with acting("human"):
        ready("fact", "add", "The kettle is on.", "--about", "kettle")
        aside = ready.store.with_name(name)
        shutil.copy(ready.store, aside)
        ready("fact", "add", "The pot is red.", "--about", "pot", "--store", aside)
    (check,) = (
        one for one in ready("doctor", "--json").answer["checks"] if one["id"] == "store.copies"
    )
    assert (check["status"], check["detail"]["paths"]) == ("warn", [str(aside)])

    commands = check["fix"].split("; ")[:3]
    with acting("human"):
        done = [ready(*shlex.split(one)[1:]) for one in commands]

    assert [one.code for one in done] == [0, 0, 0]
    assert "tilth fact import FILE --execute" in done[1].out
    told = ready("fact", "list", "--lifecycle", "historical").out + ready("fact", "list").out
    assert (told.count("The pot is red."), told.count("The kettle is on.")) == (1, 1)


def test_settings_that_are_not_understood_are_a_finding_and_no_crash(ready):
    examined = ready("doctor", "--json", environ={"TILTH_RECALL_LIMT": "7"})

    assert examined.code == 1
    assert statuses(examined.answer)["settings"] == "fail"


def test_transcripts_that_were_never_imported_are_told(ready):
    folder = ready.home / ".claude" / "projects" / "-home-mira"
    folder.mkdir(parents=True)
    source = SAMPLE / "claude-code-payments.jsonl"
    (folder / source.name).write_bytes(source.read_bytes())

    before = statuses(ready("doctor", "--json").answer)["import.transcripts"]
    ready("import", "--no-background")
    after = statuses(ready("doctor", "--json").answer)["import.transcripts"]

    assert (before, after) == ("warn", "ok")


def test_the_host_s_own_clean_up_period_is_read(ready):
    folder = ready.home / ".claude" / "projects" / "-home-mira"
    folder.mkdir(parents=True)
    source = SAMPLE / "claude-code-payments.jsonl"
    (folder / source.name).write_bytes(source.read_bytes())
    (ready.home / ".claude" / "settings.json").write_text('{"cleanupPeriodDays": 3}')

    checks = {check["id"]: check for check in ready("doctor", "--json").answer["checks"]}

    assert checks["import.transcripts"]["detail"] == {"waiting_count": 1, "expiring_count": 1}


def metadata(ready):
    checks = ready("doctor", "--json").answer["checks"]
    return next(check for check in checks if check["id"] == "knowledge.metadata")


def brain_of(ready):
    return package.connect(ready.store)


@pytest.mark.row("DU-026")
def test_the_doctor_lists_what_metadata_is_used_for_by_channel(ready):
    with brain_of(ready) as brain:
        brain.facts.add("It is green.", about=["kettle"], metadata={"colour": "green"})
        brain.facts.add("It is hot.", about=["kettle"])
        brain.kg.add("decision", "kettle", "is", "replaced", rationale="it leaks")

    told = metadata(ready)

    assert told["status"] == "ok"
    assert told["summary"] == (
        "in the metadata of 3 facts: decision rationale 100%, plain colour 50%"
    )
    assert told["detail"] == {
        "fact_count": 3,
        "shares": {"decision": {"rationale": 1.0}, "plain": {"colour": 0.5}},
    }


@pytest.mark.row("DU-026")
def test_a_key_that_most_facts_of_a_channel_carry_needs_a_field(ready):
    with brain_of(ready) as brain:
        brain.facts.add_many(
            [
                {"text": f"It is {number}.", "about": ["kettle"], "metadata": {"colour": "green"}}
                for number in range(100)
            ]
        )

    told = metadata(ready)

    assert told["status"] == "warn"
    assert "plain.colour" in told["summary"]


@pytest.mark.row("KB-108")
def test_what_somebody_changed_in_a_skill_and_lies_aside_is_named_until_it_is_gone(ready):
    def told():
        checks = ready("doctor", "--json").answer["checks"]
        return [one for one in checks if one["id"] == "skills.aside"]

    outbox = ready.store.with_name("tilth.db.outbox")
    outbox.mkdir()
    (outbox / f"todo-{1:026}.md").write_text("- [ ] a draft\n")
    assert told() == []
    mine = outbox / "greet-0123456789ab.md"
    mine.write_text("1. Mine.\n")

    (check,) = told()

    assert (check["status"], check["detail"]) == ("warn", {"paths": [str(mine)]})
    assert str(mine) in check["fix"]
    mine.unlink()
    assert told() == []
