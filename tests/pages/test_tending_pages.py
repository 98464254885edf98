"""Pages are put into words, looked after, read at the start of a session, and erased."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from random import Random  # noqa: TID251 - seeded

import pytest

from prove.staleness import interleaved
from tests.brains import AMPLE, PRICED, a_model_pool, with_model_pool
from tests.conftest import a_draft
from tests.learning.values.test_choices import ANSWERED, APPROVED, ASKED, WORK, used
from tests.model_server import Says, says
from tests.pages.test_pages import cited_places, told
from tests.playbooks.deployments import troubled
from tests.practice.sessions import Session
from tests.reads import steps_of
from tilth.core.errors import ForbiddenError, NotFoundError
from tilth.core.event import encode
from tilth.core.scope import Visibility
from tilth.episodes.views import effect_line
from tilth.llm.providers.openai_chat import OpenAiChatModel
from tilth.llm.task import Task
from tilth.pages import views
from tilth.pages.events import PageCompiled
from tilth.pages.tables import Pages
from tilth.transfer.legacy.fact_lines import read_legacy_facts

SHOP = "project:work/shop"
WHY = """git commit -m "$(cat <<'EOF'
Log to one file

Files per session were hard
to follow. Nobody read them, and their number grew day by day by day by day by day by day, so it did
and it did, and it did, until there were more of them than anybody had asked for.

Co-Authored-By: Somebody <nobody@example.org>
EOF
)\""""


@pytest.fixture
def worded(human, server):
    """A brain with a model that writes pages."""
    model = OpenAiChatModel(server.url, "small", "a-key")
    return with_model_pool(human, a_model_pool(model, [Task.COMPILE_PAGE]))


def page_said(*lines):
    sentences = [{"text": text, "cites": list(cites)} for text, cites in lines]
    return {"title": "", "sections": [{"heading": "Now", "sentences": sentences}]}


@pytest.mark.row("KB-025", "OB-018")
def test_a_model_puts_the_facts_into_words_and_every_sentence_cites_them(worded, server):
    facts = [told(worded, "The rack is full."), told(worded, "The rack is locked.")]
    server.script = [says(page_said(("The full rack is locked.", [one.id for one in facts])))]

    page = worded.pages.compile("summary", name="all").page

    assert page.form == "small"
    shown = worded.pages.get("all")
    assert "- The full rack is locked. [" in shown.markdown
    assert sorted(cited_places(shown.markdown)) == sorted(one.id for one in facts)
    assert "verify" in shown.markdown


@pytest.mark.row("KB-025", "OB-018")
@pytest.mark.parametrize("cites", [[], ["fct_" + "0" * 26]])
def test_a_sentence_without_a_citation_that_resolves_leaves_the_plain_form(worded, server, cites):
    told(worded, "The rack is full.")
    server.script = [says(page_said(("The rack is on fire.", cites)))]

    page = worded.pages.compile("summary", name="all").page

    assert page.form == "template"
    assert page.why
    shown = worded.pages.get("all").markdown
    assert "The rack is full." in shown
    assert "fire" not in shown
    assert "not put into words" in shown


@pytest.mark.row("KB-113", "KB-110")
def test_what_is_left_out_is_shown_to_no_model_and_not_taken_from_it(human, worded, server):
    full = told(human, "The rack is full.")
    told(human, "The budget is large.")
    told(human, "The key is small.")
    human.pages.compile("summary", name="all", without=["budget"])
    human.pages.arrange("all", "what-is-so", without=["key"])
    cites = [full.id]
    lines = [("The rack is full.", cites), ("So is the budget.", cites), ("And the rest.", cites)]
    server.script = [says(page_said(*lines))]

    told(human, "The rack is locked.")
    page = worded.pages.refresh("all").page

    asked = json.dumps(server.requests)
    assert "The rack is locked." in asked
    assert "budget" not in asked
    assert "The key" not in asked
    (section,) = page.sections
    assert [line.text for line in section.section.sentences] == [
        "The rack is full.",
        "And the rest.",
    ]
    assert section.maintainer == "ai"


def test_what_other_projects_do_costs_the_look_after_a_page_nothing(place, human, store):
    told(human, "The shop is open.", scope=SHOP)
    human.pages.compile("project", scope=SHOP)

    def practised():
        with store.read() as view:
            (page,) = Pages(view).select(Visibility(), place.clock.now())
            return steps_of(view, lambda: Pages(view).practised(page)), Pages(view).practised(page)

    before, _ = practised()
    human.remember_many(
        [a_draft(f"pot {n}", session_id="s", scope="project:work/other") for n in range(2000)]
    )
    after, at = practised()
    assert (after <= before + 1, at) == (True, None)
    human.remember("It is done.", role="assistant", session_id="t", scope=SHOP)
    assert practised()[1] is not None


@pytest.mark.row("OB-016", "C-06")
def test_no_model_is_asked_while_facts_are_stated(worded, server):
    told(worded, "The rack is full.")
    server.script = [Says(text="nothing")]
    worded.pages.compile("summary", name="all")
    asked = len(server.requests)

    for number in range(100):
        told(worded, f"Port {number} is in use.")

    assert len(server.requests) == asked
    assert worded.pages.get("all").page.is_stale


@pytest.mark.row("OB-019", "I16")
def test_no_page_is_fresh_that_should_be_stale_however_writes_and_compilations_fall(human):
    """Twenty here; a thousand in `prove.staleness`."""
    for seed in range(20):
        assert interleaved(human, Random(seed), name=f"page-{seed}") == []


@pytest.mark.row("OB-017")
def test_an_erase_destroys_the_pages_that_cite_what_is_erased(human, whole_store):
    gone = told(human, "Marina keeps the spare key at the harbour office.", about=["Marina"])
    told(human, "The rack is full.")
    human.pages.compile("summary", name="all")
    human.pages.compile("entity", "Marina")
    human.pages.lock("all", "what-is-so", "Marina has the spare key at the harbour office.")
    human.pages.compile("entity", "place", name="other")

    plan = human.erase.plan(facts=[gone.id])
    human.erase.confirm(facts=[gone.id], digest=plan.digest)

    assert [one.name for one in human.pages.list()] == ["other"]
    with whole_store.read() as view:
        said = json.dumps([repr(one) for one in view.events(limit=10_000)])
    assert "harbour" not in said


@pytest.mark.row("OB-027", "KB-115")
def test_a_session_reads_foundational_pages_whole_and_the_rest_as_far_as_there_is_room(human):
    for number in range(30):
        told(human, f"Convention {number}: name hosts after rivers.", about=["conventions"])
        told(human, f"Project note {number}: the till is old.", scope=SHOP, about=["till"])
    human.pages.compile("entity", "conventions", is_foundational=True, scope="global")
    human.pages.compile("project", scope=SHOP)
    told(human, "Convention 99: no dashes.", about=["conventions"])

    reading = human.pages.read(budget=100, scope=SHOP)

    first, *rest = reading.pages
    assert (first.name, first.is_foundational, first.is_whole, first.is_stale) == (
        "conventions",
        True,
        True,
        True,
    )
    assert reading.text.count("Convention") == 30
    assert "stale since" in reading.text
    assert not any(one.is_whole for one in rest)
    roomy = human.pages.read(budget=4000, scope=SHOP)
    assert [one.name for one in roomy.pages] == ["conventions", "shop"]
    assert all(one.is_whole for one in roomy.pages)


def test_only_a_person_says_what_every_session_reads(agent, human):
    told(human, "The rack is full.")
    with pytest.raises(ForbiddenError):
        agent.pages.compile("summary", is_foundational=True)
    human.pages.compile("summary", name="all", is_foundational=True)

    assert agent.pages.compile("summary", name="all").page.is_foundational


@pytest.mark.row("OB-028")
def test_a_page_that_went_stale_is_told_once_in_what_changed(human):
    rack = told(human, "The rack is full.")
    human.pages.compile("summary", name="all")
    cursor = human.changes().cursor

    human.facts.retire(rack.id)
    told(human, "The rack is empty.")
    page = human.changes(cursor)

    stale = [one.id for effects in page.effects.values() for one in effects if one.now == "stale"]
    assert stale == ["all"]
    told_ = [effect_line(one) for effects in page.effects.values() for one in effects]
    assert f"went stale: the page “{human.pages.get('all').page.title}” all" in told_
    assert human.changes(page.cursor).items == ()


@pytest.mark.row("OB-015", "KB-071")
def test_the_page_of_a_project_tells_how_to_run_it_and_what_bites(human, brain, place):
    for day in range(2):
        troubled(brain, f"s{day}", day=day)
        session = Session(brain, f"t{day}", day=day).asks("commit")
        session.ran("git commit -m 'Sell kettles'", "ok").ran(f"pytest tests/{day}", "1 passed")
    session.ran(WHY, "ok")
    told(human, "Never deploy on Fridays.", scope=SHOP)

    page = human.pages.compile("project", scope=SHOP).page
    text = human.pages.get("shop").markdown

    assert "Test: `make test`" in text
    assert "registry token" in text
    assert "Sell kettles [" in text
    assert "Log to one file — Files per session were hard to follow. [" in text
    assert "Co-Authored" not in text
    assert "`pytest …` (such as `pytest tests/" in text
    assert "Never deploy on Fridays." in text
    assert list(page.compiled_from) == list(dict.fromkeys(cited_places(text)))
    Session(brain, "s9", day=9).asks("again").ran("git commit -m 'Sell cups'", "ok")
    assert human.pages.get("shop").page.is_stale
    place.clock.at += timedelta(days=20)
    human.pages.sweep(at_most=5)
    assert not human.pages.get("shop").page.is_stale


@pytest.mark.row("OB-015", "KB-071")
def test_where_nothing_was_committed_the_page_tells_what_agents_reported(human, brain):
    told(human, "Never deploy on Fridays.", scope=SHOP)
    one = Session(brain, "s1", day=1).asks("Read the port from the settings.")
    one.edited("src/till.py").says("Done! Updated `src/till.py` to read the port from `PORT`.")
    doubted = Session(brain, "s2", day=2).asks("Remove the old till.")
    doubted.edited("src/old.py").says("Removed `src/old.py` and all that used it.")
    doubted.asks("No, that is wrong, put it back.").edited("src/old.py").says("It is back.")
    idle = Session(brain, "s3", day=3).asks("Where is the port read?")
    idle.says("The port is read somewhere in `src/till.py`, I think. Should I change it?")

    human.pages.compile("project", scope=SHOP)
    lines = human.pages.get("shop").markdown.splitlines()

    at = lines.index("## Done last, as agents reported")
    (line,) = [one for one in lines[at + 1 :] if one.startswith("- ")]
    assert line.startswith(
        "- 2026-01-02: Updated `src/till.py` to read the port from `PORT`. [epi_"
    )
    later = Session(brain, "s4", day=4).asks("And the host?")
    later.says("Added the setting `HOST` to `src/till.py`.")
    assert human.pages.get("shop").page.is_stale
    assert "Added the setting `HOST`" not in human.pages.get("shop").markdown
    assert "`HOST`" in str(human.pages.refresh("shop").page.sections)


@pytest.mark.row("OB-017", "OB-020")
def test_a_page_of_a_project_is_stale_only_by_what_it_would_say_otherwise(human, brain, place):
    for day in range(2):
        troubled(brain, f"s{day}", day=day)
    told(human, "Never deploy on Fridays.", scope=SHOP)
    human.pages.compile("project", scope=SHOP)
    before = human.pages.get("shop").page

    work = Session(brain, "s5", day=5).asks("How is it?").says("All is well.")
    work.ran("make test", "12 passed").asks("Thanks.").says("You are welcome.")

    assert human.pages.get("shop").page == before
    assert [one.is_stale for one in human.pages.list()] == [False]
    assert "stale" not in human.pages.read(scope=SHOP).text
    assert "stale" not in {str(one.flaw) for one in human.pages.lint()}
    place.clock.at += timedelta(days=20)
    human.pages.sweep(at_most=5)
    assert human.pages.get("shop").page.generated_at == before.generated_at
    with brain.parts.store.read() as view:
        written = view.head()
    human.pages.sweep(at_most=5)
    with brain.parts.store.read() as view:
        assert view.head() == written
    work.ran("git commit -m 'Sell kettles'", "ok")
    (listed,) = human.pages.list(is_stale=True)
    assert (listed.name, listed.stale_since) == ("shop", human.pages.get("shop").page.stale_since)
    assert human.pages.refresh("shop").is_new
    assert not human.pages.get("shop").page.is_stale


@pytest.mark.row("KB-071", "OB-015", "XR-09")
def test_where_no_tool_was_seen_the_page_tells_what_sessions_say(human, brain):
    told(human, "Never deploy on Fridays.", scope=SHOP)
    told(human, "Do not use `npm publish`.", scope=SHOP, channel="intent", about=["npm"])
    for day in range(2):
        session = Session(brain, f"s{day}", day=day).asks("How do I run it?")
        session.says(
            "Install it, then start it:\n\n```sh\n$ npm install  # once\nnpm run dev\n```\n\n"
            'Ship it with `npm publish`; `vitest` tests it.\n\n```json\n"a": "npm run build"\n```'
        )
    session.asks("And `npm start`?").says("Use `npm start` if you must.")
    asked = Session(brain, "s3", day=3).asks("It fails:\n\nTypeError: a.split is not a function")
    asked.says("That is known. It fails because `standard` 16 does not know Node 22.")
    asked.asks("Please write a commit message for it.").says(
        "Here it is:\n\n```\nfix: raise standard to 17\n\n- Version 16 breaks on Node 22\n"
        "- Lint again\n```\n"
    )

    human.pages.compile("project", scope=SHOP)
    text = human.pages.get("shop").markdown

    assert "- Setup, as sessions tell: `npm install` [epi_" in text
    assert "- Run, as sessions tell: `npm run dev` [epi_" in text
    assert text.index("Setup") < text.index("Run, as")
    assert not any(
        one in text for one in ("npm publish` [", "`npm start`", "vitest", "npm run build")
    )
    assert (
        "- “TypeError: a.split is not a function”: It fails because `standard` 16 does not know"
        " Node 22. [epi_" in text
    )
    assert "fix: raise standard to 17 — Version 16 breaks on Node 22 [epi_" in text
    assert text.count("Lint again") == 0


@pytest.mark.row("KB-071")
def test_a_report_that_only_touches_something_is_not_told(human, brain):
    told(human, "Never deploy on Fridays.", scope=SHOP)
    reports = (
        "The `till.py` and `shop.py` files have been updated.",
        "Added 2 new test cases to `till_test.py` confirming that it opens.",
        "Renamed `err` to `failed` to avoid confusion.",
        "Updated the import path in `src/till.py`.",
        "Added the flag `--slow` so that the till waits for the drawer.",
        "Removed `src/old.py` since `src/till.py` opens the drawer.",
    )
    for number, report in enumerate(reports):
        Session(brain, f"s{number}", day=number).asks("Go on.").edited("a.py").says(report)

    human.pages.compile("project", scope=SHOP)
    lines = human.pages.get("shop").markdown.splitlines()

    told_ = [
        one for one in lines[lines.index("## Done last, as agents reported") :] if one[:1] == "-"
    ]
    assert ["--slow" in told_[1], "opens the drawer" in told_[0], len(told_)] == [True, True, 2]


def test_an_erased_session_takes_the_page_that_tells_its_command(human, brain):
    for day in range(2):
        Session(brain, f"s{day}", day=day).asks("test").ran("pytest tests/harbour", "12 passed")
    told(human, "Never deploy on Fridays.", scope=SHOP)
    human.pages.compile("project", scope=SHOP)
    assert "tests/harbour" in human.pages.get("shop").markdown

    for day in range(2):
        plan = human.erase.plan(session=f"claude-code:s{day}")
        human.erase.confirm(session=f"claude-code:s{day}", digest=plan.digest)

    with pytest.raises(NotFoundError):
        human.pages.get("shop")


def test_what_a_sweep_compiles_is_a_jobs_doing_whoever_starts_it(human):
    told(human, "Never deploy on Fridays.", scope=SHOP)

    assert human.pages.sweep(at_most=9).made

    made = [one for one in human.changes(limit=100).items if one.headline.kind == "page compiled"]
    assert {(one.by.name, str(one.by.kind)) for one in made} == {("pages", "job")}


@pytest.mark.row("C-06", "C-19")
def test_a_sweep_compiles_what_is_stale_a_few_at_a_time_and_makes_what_is_missing(human, place):
    for number in range(4):
        told(human, f"System {number} runs.", system=f"s{number}")
        human.pages.compile("system-state", system=f"s{number}")
        told(human, f"System {number} runs well.", system=f"s{number}")
    early = human.pages.sweep(at_most=9)
    assert early.compiled == 0
    assert any("at once: tilth page refresh" in str(line) for line in views.swept(early))
    place.clock.at += timedelta(minutes=3)

    assert human.pages.sweep(at_most=3).compiled == 3
    assert len(human.pages.list(is_stale=True)) == 1
    told(human, "Never deploy on Fridays.", scope=SHOP)
    swept = human.pages.sweep(at_most=3)
    assert (swept.compiled, swept.made) == (1, 1)
    assert human.pages.get("shop").page.kind == "project"
    assert human.pages.sweep(at_most=3).compiled == 0
    assert human.pages.sweep(at_most=0).made == 0


@pytest.mark.row("KB-071", "XR-10")
def test_lint_tells_what_is_stale_contradicted_missing_and_led_to_by_nothing(human, agent):
    full = told(human, "The rack is full.", about=["rack"])
    human.pages.compile("entity", "rack")
    for number in range(5):
        told(human, f"pve2 has part {number}.", about=["pve2", f"part{number}", "rack"])
    human.facts.retire(full.id)
    told(human, "Never deploy on Fridays.", scope=SHOP)

    found = {(one.flaw, one.page or one.scope) for one in human.pages.lint()}

    assert ("stale", "rack") in found
    assert ("stale citation", "rack") in found
    flaw = next(one for one in human.pages.lint() if one.flaw == "stale citation")
    assert full.id in human.pages.get("rack").markdown.splitlines()[flaw.line - 1]
    assert flaw.detail == f"line {flaw.line}: {full.id} is historical by now"
    assert ("missing", "global") in found
    assert ("missing", SHOP) in found
    fix = next(one.fix for one in human.pages.lint() if one.flaw == "missing" and "pve2" in one.fix)
    assert fix == "tilth page compile entity 'pve2' --scope global"
    human.pages.compile("entity", "pve2")
    assert ("orphan", "pve2") in {(one.flaw, one.page) for one in human.pages.lint()}
    human.pages.refresh("rack")
    assert "orphan" not in {one.flaw for one in human.pages.lint()}
    assert [one.name for one in human.pages.get("pve2").links] == ["rack"]


@pytest.mark.row("XR-09")
def test_every_page_is_on_the_list_and_what_it_leads_to_too(human):
    told(human, "pve2 stands in rack4.", about=["pve2", "rack4"])
    for name in ("pve2", "rack4"):
        human.pages.compile("entity", name)
    listed = {one.name for one in human.pages.list()}

    led_to = {link.name for name in listed for link in human.pages.get(name).links}

    assert led_to <= listed == {"pve2", "rack4"}


@pytest.mark.row("XR-09")
def test_one_source_touches_the_pages_of_a_dozen_things_and_no_others(human, place, tmp_path):
    """Nothing changes while what it says is unreviewed; then one sweep brings all up to date."""
    names = [f"host{number:02}" for number in range(15)]
    for name in names:
        told(human, f"{name} runs.", about=[name])
        human.pages.compile("entity", name)
    source = tmp_path / "inventory.jsonl"
    rows = [
        {"type": "entity", "name": name, "entityType": "host", "observations": ["needs a disk"]}
        for name in names[:10]
    ]
    rows.append(
        {"type": "relation", "from": names[10], "relationType": "backs up", "to": names[11]}
    )
    source.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    human.facts.import_rows(read_legacy_facts(str(source)), is_dry_run=False)
    assert human.pages.list(is_stale=True) == []

    facts = [one.id for one in human.facts.promotable()]
    assert len(human.facts.promote_many(facts).confirmed) == 11
    assert [one.name for one in human.pages.list(is_stale=True)] == names[:12]
    place.clock.at += timedelta(minutes=3)
    assert human.pages.sweep(at_most=12).compiled == 12

    pages = {one.name: one for one in human.pages.list()}
    assert not any(one.is_stale for one in pages.values())
    touched = [len(set(facts) & set(pages[name].compiled_from)) for name in names]
    assert touched == [1] * 12 + [0] * 3


def test_what_a_setting_excludes_is_on_no_page(human):
    told(human, "The budget is large.")
    told(human, "The rack is full.")
    settings = replace(human.parts.settings, excluded_terms=("budget",))
    covered = type(human)(replace(human.parts, settings=settings))

    assert len(covered.pages.compile("summary", name="all").page.compiled_from) == 1


@pytest.mark.row("XR-09", "XR-10")
def test_lint_tells_what_is_contested_on_a_page_and_which_links_of_people_lead_nowhere(
    human, agent
):
    told(human, "The rack does lock at night.", system="rack")
    human.pages.compile("summary", name="where")
    assert human.pages.lint() == []
    agent.facts.add("The rack does not lock at night.", system="rack")
    (asked,) = agent.review.scan().asked
    human.entities.add("rack")
    human.pages.lock("where", "notes", "See [[rack]], [[where]],\nand [[the attic|up there]].")

    found = {one.flaw: one for one in human.pages.lint()}

    assert asked in found["contradiction"].fix
    broken = found["broken link"]
    assert "[[the attic]]" in broken.detail
    assert human.pages.get("where").markdown.splitlines()[broken.line - 1].startswith("and [[the")
    assert [one.flaw for one in human.pages.lint()].count("broken link") == 1


@pytest.mark.row("KB-101")
@pytest.mark.parametrize("answer", [Says(declines=True), says(page_said())])
def test_ten_sweeps_ask_once_for_each_page_and_then_for_the_one_alone_that_changed(
    worded, server, place, answer
):
    for name in ("shop", "forge"):
        for text in ("opens at nine", "is green", "sells tea", "has a cat", "is at the market"):
            told(worded, f"The {name} {text}.", about=[name], scope=f"project:work/{name}")
    server.script = [answer]
    for _ in range(10):
        place.clock.at += timedelta(minutes=3)
        worded.pages.sweep()
    first = len(server.requests)
    asked = [name for name in ("shop", "forge") for one in server.requests if name in str(one)]
    assert sorted(set(asked)) == ["forge", "shop"]
    assert len(worded.pages.list()) == 2

    told(worded, "The forge is shut in May.", about=["forge"], scope="project:work/forge")
    for _ in range(10):
        place.clock.at += timedelta(minutes=3)
        worded.pages.sweep()

    since = [str(one) for one in server.requests[first:]]
    assert len(since) == first // 2
    assert all("shut in May" in one and "shop" not in one for one in since)


@pytest.mark.row("C-06", "XR-07", "KB-036")
def test_a_sweep_stays_within_the_money_of_the_day_and_goes_on_in_plain_form(
    human, server, place, make
):
    """What was spent stands in the ledger: another program gets none of it back."""
    model = OpenAiChatModel(server.url, "small", "a-key")

    def program(run):
        budget = replace(AMPLE, day=replace(AMPLE.day, calls=2))
        model_pool = a_model_pool(model, [Task.COMPILE_PAGE], budget=budget, price=PRICED)
        return with_model_pool(human, replace(model_pool, run=run))

    for number in range(5):
        told(human, f"System {number} runs.", system=f"s{number}")
        human.pages.compile("system-state", system=f"s{number}")
        told(human, f"System {number} runs well.", system=f"s{number}")
    place.clock.at += timedelta(minutes=3)
    server.script = [says({"sections": []})]

    assert program("one").pages.sweep(at_most=2).compiled == 2
    assert program("two").pages.sweep(at_most=9).compiled == 3

    assert len(server.requests) == 2
    assert human.pages.list(is_stale=True) == []
    assert sum(one.cost.calls for one in human.pages.manifest()) == 2
    assert [one.why for one in human.pages.list()].count(
        "calls would exceed the setting spend_day"
    ) >= 3


@pytest.mark.row("XR-07", "OB-018")
def test_a_page_that_the_budget_left_plain_is_put_into_words_the_next_day(human, server, place):
    """Once a day, whatever sweeps do, and only while a model may be asked."""
    model = OpenAiChatModel(server.url, "small", "a-key")

    def with_calls(calls):
        budget = replace(AMPLE, day=replace(AMPLE.day, calls=calls))
        return with_model_pool(
            human, a_model_pool(model, [Task.COMPILE_PAGE], budget=budget, price=PRICED)
        )

    facts = [told(human, f"System {n} runs.", system=f"s{n}") for n in range(3)]
    server.script = [says(page_said(("It runs.", [facts[0].id])))]
    one_call = with_calls(1)
    plain = [one_call.pages.compile("system-state", system=f"s{n}").page for n in range(3)][1:]
    assert {(one.form, one.why) for one in plain} == {
        ("template", "calls would exceed the setting spend_day")
    }
    assert one_call.pages.sweep(at_most=9).compiled == 0, "the day is the same"

    place.clock.at += timedelta(days=1)
    assert human.pages.sweep(at_most=9).compiled == 0, "no model is there"
    server.script = [says(page_said(("It still runs.", [facts[1].id])))]
    assert one_call.pages.sweep(at_most=1).compiled == 1
    assert one_call.pages.sweep(at_most=9).compiled == 1
    assert one_call.pages.sweep(at_most=9).compiled == 0, "each was tried today"
    pages = {one.name: one for one in human.pages.list()}
    first, second = (pages[one.name] for one in plain)
    assert (first.form, first.why, first.cost.calls) == ("small", "", 1)
    assert "It still runs." in human.pages.get(first.name).markdown
    assert (second.form, second.version) == ("template", plain[1].version), "no words twice"
    assert not second.is_stale

    place.clock.at += timedelta(days=1)
    server.script = [says({"sections": []})]
    assert with_calls(9).pages.sweep(at_most=9).compiled == 1
    asked = len(server.requests)
    place.clock.at += timedelta(days=1)
    assert with_calls(9).pages.sweep(at_most=9).compiled == 0, "what a model refused is no want"
    assert len(server.requests) == asked


@pytest.mark.row("XR-06", "C-06")
def test_days_on_which_a_model_was_asked_in_vain_belong_to_the_cost_of_a_page(human, server, place):
    """Each day has one call, which is refused, so that none is left to mend it."""
    model = OpenAiChatModel(server.url, "small", "a-key")
    budget = replace(AMPLE, day=replace(AMPLE.day, calls=1))
    worded = with_model_pool(
        human, a_model_pool(model, [Task.COMPILE_PAGE], budget=budget, price=PRICED)
    )
    fact = told(human, "The rack is full.", about=["rack"])
    server.script = [says(page_said(("The rack burns.", [])))]
    first = worded.pages.compile("entity", "rack").page
    spent = worded.models.spent_today().spent
    assert (first.form, first.is_put_off, first.cost, spent.calls) == ("template", True, spent, 1)

    for _ in range(2):
        place.clock.at += timedelta(days=1)
        told(human, "The door is red.", about=["door"])
        human.pages.compile("entity", "door")
        assert worded.pages.sweep(at_most=9).compiled == 1
        spent = spent.plus(worded.models.spent_today().spent)
        (page,) = (one for one in human.pages.manifest() if one.name == "rack")
        assert (page.version, page.form, page.cost) == (first.version, "template", spent)

    place.clock.at += timedelta(days=1)
    server.script = [says(page_said(("The rack holds no more.", [fact.id])))]
    assert worded.pages.sweep(at_most=9).compiled == 1
    spent = spent.plus(worded.models.spent_today().spent)
    (page,) = (one for one in human.pages.manifest() if one.name == "rack")
    assert (page.form, page.cost, page.cost.calls) == ("small", spent, 4)


@pytest.mark.row("XR-07", "OB-018")
@pytest.mark.parametrize("why", ["calls would exceed the setting spend_day", ""])
def test_a_page_of_before_that_a_spent_budget_left_plain_is_put_into_words(
    human, server, place, whole_store, why
):
    """Its event says why it is plain, and not yet whether that passes."""
    fact = told(human, "The rack is full.", about=["rack"])
    human.pages.compile("entity", "rack")
    human.pages.remove("rack")
    with whole_store.begin() as tx:
        (event,) = [one.event for one in tx.events(limit=99) if isinstance(one.event, PageCompiled)]
        draft = replace(event.draft, read_to=tx.head().seq, why=why, is_put_off=None)
        assert "is_put_off" not in encode(PageCompiled(draft))
        tx.append(PageCompiled(draft), by=human.parts.recorder.by, owner=human.parts.recorder.owner)
    model = OpenAiChatModel(server.url, "small", "a-key")
    worded = with_model_pool(human, a_model_pool(model, [Task.COMPILE_PAGE]))
    server.script = [says(page_said(("The rack holds no more.", [fact.id])))]

    place.clock.at += timedelta(days=30)
    assert human.pages.sweep(at_most=9).compiled == 0, "no model is there"
    assert worded.pages.sweep(at_most=9).compiled == bool(why)
    assert human.pages.get("rack").page.form == ("small" if why else "template")
    assert worded.pages.sweep(at_most=9).compiled == 0


@pytest.mark.row("XR-07", "C-06")
def test_compilers_at_once_never_exceed_the_cap_and_a_model_without_a_price_is_not_asked(
    human, server
):
    model = OpenAiChatModel(server.url, "small", "a-key")
    budget = replace(AMPLE, run=replace(AMPLE.day, calls=3))
    capped = with_model_pool(
        human, a_model_pool(model, [Task.COMPILE_PAGE], budget=budget, price=PRICED)
    )
    facts = [told(human, f"System {n} runs.", system=f"s{n}") for n in range(8)]
    server.script = [says(page_said(("It runs.", [one.id for one in facts[:1]])))]

    def compiled(number):
        return capped.pages.compile("system-state", system=f"s{number}").page

    with ThreadPoolExecutor(8) as at_once:
        pages = list(at_once.map(compiled, range(8)))

    assert len(server.requests) == 3
    assert sum(one.cost.calls for one in human.pages.manifest()) == 3
    assert sum("spend_run" in one.why for one in pages) >= 5
    unpriced = with_model_pool(human, a_model_pool(model, [Task.COMPILE_PAGE], price=None))
    told(human, "System 0 is loud.", system="s0")
    assert "nobody said what small costs" in unpriced.pages.refresh("system-state-s0").page.why
    assert len(server.requests) == 3


@pytest.mark.row("KB-071")
@pytest.mark.parametrize(
    ("called", "outcome", "line"),
    [
        (
            ASKED,
            ANSWERED,
            "Asked “Where should the diagram go?”, the user chose docs/generated/",
        ),
        (
            "ExitPlanMode: {}",
            APPROVED.format(
                "Cover `PostCommit` with tests\n\n## Context\n\n"
                "Before the loop is split, we need tests of `PostCommit`.\n"
            ),
            "Approved plan: Before the loop is split, we need tests of `PostCommit`.",
        ),
    ],
)
def test_the_page_tells_what_a_person_chose_and_which_plan_they_approved(
    human, brain, called, outcome, line
):
    used(brain, called, outcome)

    human.pages.compile("project", scope=WORK)
    lines = human.pages.get("api").markdown.splitlines()

    at = lines.index("## Decided and asked for")
    assert f": {line}" in lines[at + 1]


@pytest.mark.row("KB-071")
def test_an_order_of_the_moment_and_what_the_other_side_said_are_no_decisions_of_a_project(
    human, brain
):
    orders = (
        "Commit, push and open a draft PR for `till.py`.",
        'Let\'s go with your recommendation, "TillCollection", for `till.py`.',
        "We decided to keep the ledger in SQLite.",
    )
    for day, order in enumerate(orders):
        Session(brain, f"s{day}", day=day).asks(order).says("Done.")
    brain.distil()

    human.pages.compile("project", scope=SHOP)
    text = human.pages.get("shop").markdown

    assert "keep the ledger in SQLite" in text
    assert not any(one in text for one in ("draft PR", "TillCollection"))
