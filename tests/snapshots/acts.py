"""One way to do what each verb does, for every verb that changes what is known."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace

from tests.brains import a_model_pool, with_model_pool
from tests.garden.plots import planted
from tests.playbooks.deployments import deployment
from tests.practice.sessions import Session
from tilth.context.model import BriefRequest
from tilth.gaps.events import GapsMerged, GapsParted
from tilth.garden.events import SourceRead
from tilth.llm.budget import Usage
from tilth.llm.model import Reply
from tilth.llm.task import Task
from tilth.playbooks.events import DraftDeclined, PlaybookRevised
from tilth.playbooks.model import SessionEnd
from tilth.skills.events import SkillUsed
from tilth.transfer.model import Told

TOLD = Told("1", {"text": "The kettle is green.", "about": ["kettle"]})
# What it takes is made ready first; what is returned does it.
ACTS: dict[str, Callable[[SimpleNamespace], Callable[[], object]]] = {}


def act(*verbs):
    """Declare what several verbs do alike."""

    def declared(ready):
        for verb in verbs:
            ACTS[verb] = lambda on, verb=verb: ready(on, on.call(verb))
        return ready

    return declared


def green(on, text="The kettle is green.", **told):
    return on.human.facts.add(text, about=["kettle"], **told).fact


def book(on):
    for day in range(3):
        deployment(on.human, f"s{day}", day=day, scope="global")
    on.human.reflect()
    return on.human.playbooks.list()[0]


def page(on):
    green(on)
    return on.human.pages.compile("entity", "kettle").page.name


def locked(on):
    name = page(on)
    slug = on.human.pages.get(name).page.sections[0].section.slug
    on.human.pages.lock(name, slug, "My own words.")
    green(on, "The kettle whistles.")
    on.human.pages.refresh(name)
    there = next(one for one in on.human.pages.get(name).page.sections if one.lock)
    return name, slug, there.lock.signature


@act("facts.add")
def stating(_on, call):
    return lambda: call("The kettle is green.", about=["kettle"])


@act("facts.add_many")
def stating_many(_on, call):
    return lambda: call([{"text": f"The pump {n} is blue.", "about": [f"pump{n}"]} for n in "123"])


@act("facts.import_rows")
def importing(_on, call):
    return lambda: call(
        [Told("1", {"text": "The kettle is green.", "about": ["kettle"]})], is_dry_run=False
    )


@act("facts.apply")
def applying(on, call):
    plan = on.human.facts.plan("The kettle is green.", about=["kettle"])
    return lambda: call("The kettle is green.", about=["kettle"], token=plan.token)


@act("facts.retire", "facts.archive")
def ending(on, call):
    fact = green(on)
    return lambda: call(fact.id, reason="it was painted")


@act("facts.restore")
def restoring(on, call):
    fact = green(on)
    on.human.facts.archive(fact.id)
    return lambda: call(fact.id)


@act("facts.undo")
def undoing_a_fact(on, call):
    on.human.facts.add(subject="kettle", predicate="phase", object="pilot")
    new = on.human.facts.add(subject="kettle", predicate="phase", object="rollout").fact
    return lambda: call(new.id)


@act("facts.propose")
def proposing(on, call):
    fact = green(on)
    return lambda: call("The kettle is black.", about=["kettle"], supersedes=fact.id)


@act("facts.reword")
def rewording(on, call):
    fact = green(on)
    return lambda: call(fact.id, "The kettle is black.")


@act("facts.promote", "facts.promote_many")
def promoting(on, call):
    on.human.facts.import_rows(
        [Told("1", {"text": "The kettle is green.", "about": ["kettle"]})], is_dry_run=False
    )
    (fact,) = on.human.facts.promotable()
    return lambda: call([fact.id]) if call.verb.endswith("many") else call(fact.id)


@act("facts.relate")
def relating(on, call):
    one, other = green(on), green(on, "The kettle is black.")
    return lambda: call(one.id, "extends", other.id)


@act("facts.outcome")
def testing_a_fact(on, call):
    fact = green(on)
    seen = on.human.remember("the test passed")
    return lambda: call(fact.id, "test_passed", evidence=[seen])


@act("facts.revoke")
def revoking(on, call):
    fact = green(on)
    seen = on.human.remember("the test passed")
    tested = on.human.facts.outcome(fact.id, "test_passed", evidence=[seen])
    return lambda: call(tested.outcomes[0].id)


@act("kg.add")
def joining_a_triple(_on, call):
    return lambda: call("entity", "kettle", "phase", "pilot")


@act("kg.archive")
def closing(on, call):
    on.human.kg.add("milestone", "kettle", "phase", "pilot")
    return lambda: call("kettle")


@act("entities.add")
def naming(_on, call):
    return lambda: call("kettle", type="host")


@act("people.introduce")
def introducing(_on, call):
    return lambda: call("Ada", transport="email", address="ada@example.org")


@act("entities.alias")
def alias(on, call):
    box = on.human.entities.add("pve2", type="host").entity
    return lambda: call(box.id, "proxmox-2")


@act("entities.unalias")
def unalias(on, call):
    box = on.human.entities.add("pve2", type="host", aliases=["proxmox-2"]).entity
    return lambda: call(box.id, "proxmox-2")


@act("entities.retype")
def retyping(on, call):
    box = on.human.entities.add("pve2", type="thing").entity
    return lambda: call(box.id, "host")


@act("entities.merge")
def merging(on, call):
    one, other = (on.human.entities.add(name).entity.id for name in ("kettle", "boiler"))
    return lambda: call(one, other, reason="the same thing")


@act("entities.split")
def splitting(on, call):
    one, other = (on.human.entities.add(name).entity.id for name in ("kettle", "boiler"))
    on.human.entities.merge(one, other)
    return lambda: call(other, reason="they are two")


@act("entities.tidy")
def tidying(on, call):
    for scope in ("project:shop", "global"):
        on.agent.entities.add("Redis", type="tech", scope=scope)
    return call


@act("edges.add")
def joining(on, call):
    one, other = (on.human.entities.add(name, type="host").entity.id for name in ("pve1", "pve2"))
    return lambda: call(one, "depends_on", other)


@act("edges.retire")
def parting(on, call):
    joining(on, on.human.edges.add)()
    return lambda: call(on.human.edges.list()[0].id, reason="it was moved")


@act("people.tell")
def telling(on, call):
    ada = on.human.people.introduce("Ada").added.entity.id
    return lambda: call(ada, "likes", "tea")


@act("people.link")
def linking(on, call):
    ada = on.human.people.introduce("Ada").added.entity.id
    return lambda: call(ada, "email", "ada@example.org")


@act("people.unlink", "people.verify")
def addressed(on, call):
    on.human.people.introduce("Ada", transport="email", address="ada@example.org")
    why = {"reason": "she left"} if call.verb.endswith("unlink") else {}
    return lambda: call("email", "ada@example.org", **why)


@act("words.register")
def registering(_on, call):
    return lambda: call("predicate", "sits_beside")


@act("words.alias")
def naming_a_word(on, call):
    on.human.words.register("predicate", "sits_beside")
    return lambda: call("predicate", "sits_near", of="sits_beside")


@act("words.ignore")
def ignoring(on, call):
    on.human.facts.add(subject="kettle", predicate="sits_beside", object="pump")
    return lambda: call("predicate", "sits_beside")


@act("review.question")
def asking(on, call):
    fact = green(on)
    return lambda: call(fact.id, reason="is it?")


@act("review.confirm", "review.reject")
def deciding(on, call):
    asked = on.human.review.question(green(on).id, reason="is it?")
    return lambda: call(asked.id, digest=on.human.review.show(asked.id).digest)


@act("review.decide")
def deciding_by_action(on, call):
    asked = on.human.review.question(green(on).id, reason="is it?")
    return lambda: call(asked.id, "confirm", digest=on.human.review.show(asked.id).digest)


@act("review.decide_many")
def deciding_many(on, call):
    asked = on.human.review.question(green(on).id, reason="is it?")
    digest = on.human.review.show(asked.id).digest
    return lambda: call([{"proposal_id": asked.id, "action": "confirm", "digest": digest}])


@act("review.undo")
def taking_a_decision_back(on, call):
    asked = on.human.review.question(green(on).id, reason="is it?")
    on.human.review.reject(asked.id, digest=on.human.review.show(asked.id).digest)
    return lambda: call(asked.id)


@act("review.snooze")
def snoozing(on, call):
    asked = on.human.review.question(green(on).id, reason="is it?")
    return lambda: call(asked.id, until=on.clock.at + timedelta(days=2))


@act("review.scan")
def scanning(on, call):
    for colour in ("green", "black"):
        green(on, f"The kettle is {colour} all over.")
    on.human.facts.add("The kettle must be on at night.", about=["kettle"])
    on.human.facts.add("The kettle must not be on at night.", about=["kettle"])
    return call


@act("dedup", "consolidate")
def doubling(on, call):
    for end in ("", " now", " today", " here"):
        green(on, f"The kettle in the kitchen upstairs is painted green{end}.")
    return call


class Condemns:
    """A model that finds one fact out of date."""

    name, overhead_tokens = "small", 0

    def __init__(self, fact):
        self._verdict = {"fact": fact, "verdict": "stale", "reason": "so it is", "survivor": fact}

    def ask(self, _request, _patience):
        return Reply(text=json.dumps({"verdicts": [self._verdict]}), usage=Usage(1, 1))


@act("clean")
def reading_over(on, _call):
    fact = on.agent.facts.add("The kettle is green.", about=["kettle"]).fact
    on.clock.at += timedelta(days=2)
    return with_model_pool(on.human, a_model_pool(Condemns(fact.id), (Task.CLEAN,))).clean


@act("archive")
def sweeping(on, call):
    on.agent.facts.add("The kettle is green.", about=["kettle"])
    on.clock.at += timedelta(days=2000)
    return call


@act("unarchive")
def unsweeping(on, call):
    sweeping(on, on.human.archive)()
    return call


@act("gaps.add")
def seeing_a_gap(_on, call):
    return lambda: call("convert a page to PDF")


@act("gaps.move")
def moving_a_gap(on, call):
    gap = on.human.gaps.add("convert a page to PDF").gap.id
    return lambda: call(gap, todo_ref="JIRA-7")


@act("gaps.resolve", "gaps.todo")
def gap(on, call):
    found = on.human.gaps.add("convert a page to PDF").gap.id
    return lambda: call(found)


@act("gaps.scan", "gaps.run")
def looking_for_gaps(on, call):
    for session in ("s1", "s2", "s3"):
        on.human.remember("Can you book me a flight?", session_id=session)
        on.human.remember("Sorry, I can't do that here.", role="assistant", session_id=session)
    return call


@act("gaps.opt_in")
def filing(on, call):
    (on.folder / ".git").mkdir(exist_ok=True)
    return lambda: call(str(on.folder))


@act("gaps.opt_out")
def unfiling(on, call):
    filing(on, on.human.gaps.opt_in)()
    return call


@act("feedback")
def voting(on, call):
    fact = green(on)
    return lambda: call(fact.id, "useful")


@act("topics.add")
def topic(_on, call):
    return lambda: call("Backups")


@act("topics.edit", "topics.archive")
def changing_a_topic(on, call):
    made = on.human.topics.add("Backups").id
    return lambda: call(made, **({"priority": 1} if call.verb.endswith("edit") else {}))


@act("topics.restore")
def restoring_a_topic(on, call):
    made = on.human.topics.add("Backups").id
    on.human.topics.archive(made)
    return lambda: call(made)


@act("topics.contain")
def containing(on, call):
    made = on.human.topics.add("Backups").id
    fact = green(on)
    return lambda: call(made, fact.id)


@act("sources.rate")
def rating(on, call):
    tending(on, on.human.garden.run)()
    source = on.human.sources.list()[0].id
    return lambda: call(source, "high")


@act("garden.run")
def tending(on, call):
    planted(on.human)
    on.human.topics.add("Backups")
    return lambda: call(is_applied=True)


@act("pages.compile")
def compiling(on, call):
    green(on)
    return lambda: call("entity", "kettle")


@act("pages.refresh")
def refreshing(on, call):
    name = page(on)
    green(on, "The kettle whistles.")
    return lambda: call(name)


@act("pages.sweep")
def sweeping_pages(on, call):
    page(on)
    green(on, "The kettle whistles.")
    on.clock.at += timedelta(minutes=3)
    return call


@act("pages.edit")
def editing(on, call):
    name = page(on)
    text = on.human.pages.get(name).markdown
    return lambda: call(name, text.replace("green", "black") + "\n## Mine\nOf my own.\n")


@act("pages.lock")
def locking(on, call):
    name = page(on)
    slug = on.human.pages.get(name).page.sections[0].section.slug
    return lambda: call(name, slug, "My own words.")


@act("pages.unlock")
def unlocking(on, call):
    name, slug, _ = locked(on)
    return lambda: call(name, slug)


@act("pages.arrange")
def arranging(on, call):
    name = page(on)
    slug = on.human.pages.get(name).page.sections[0].section.slug
    return lambda: call(name, slug, is_pinned=True)


@act("pages.take", "pages.decline")
def answering_the_compiler(on, call):
    name, slug, signature = locked(on)
    return lambda: call(name, slug, signature=signature)


@act("pages.remove")
def removing_a_page(on, call):
    name = page(on)
    return lambda: call(name)


@act("distil")
def distilling(on, call):
    on.human.remember(
        "We decided to use PostgreSQL for the shop, because SQLite locks too long.",
        session_id="s1", role="user",
    )  # fmt: skip
    on.clock.at += timedelta(hours=2)
    return call


@act("acquaint")
def knowing_what_sessions_name(on, call):
    for day in range(2):
        Session(on.human, f"named{day}", day=day).ran("bun add zod@4")
    return call


@act("reflect")
def reflecting(on, call):
    for day in range(3):
        deployment(on.human, f"s{day}", day=day, scope="global")
    return call


@act("playbooks.confirm")
def confirming_a_playbook(on, call):
    made = book(on)
    return lambda: call(made.id, digest=made.digest)


@act("playbooks.veto")
def moving_a_playbook(on, call):
    made = book(on).id
    return lambda: call(made)


@act("playbooks.restore")
def restoring_a_playbook(on, call):
    made = book(on).id
    on.human.playbooks.veto(made)
    return lambda: call(made)


@act("playbooks.retire")
def retiring_a_playbook(on, call):
    made = book(on)
    on.human.playbooks.confirm(made.id, digest=made.digest)
    return lambda: call(made.id)


@act("playbooks.revise")
def revising_a_playbook(on, call):
    made = book(on)
    on.human.playbooks.confirm(made.id, digest=made.digest)
    return lambda: call(made.id, title="Deploy the shop to production")


@act("playbooks.report")
def reporting(on, call):
    made = book(on).id
    return lambda: call(made, "ok", session_id="s0")


@act("skills.add")
def adding_a_skill(_on, call):
    text = "---\nname: greet\ndescription: Use to greet.\n---\n\n# Greet\n\n1. Say hello.\n"
    return lambda: call(text)


@act("skills.approve")
def approving(on, call):
    adding_a_skill(on, on.human.skills.add)()
    (skill,) = on.human.skills.list()
    return lambda: call(skill.id, digest=skill.digest, folder=str(on.folder / "home"))


@act("skills.disable", "skills.revoke")
def moving_a_skill(on, call):
    approving(on, on.human.skills.approve)()
    return lambda: call(on.human.skills.list()[0].id)


@act("vault.import_edits")
def reading_a_vault(on, call):
    green(on)
    vault = on.folder / "vault"
    on.human.vault.export(str(vault))
    file = next(vault.rglob("kettle.md"))
    file.write_text(file.read_text().replace("is green.", "is black."))
    return lambda: call(str(vault))


@act("undo")
def undoing(on, call):
    fact = green(on)
    return lambda: call(fact.id, with_dependants=True)


@act("snapshots.restore")
def going_back(on, call):
    day = on.human.snapshots.take().day
    on.clock.at += timedelta(days=1)
    green(on)
    return lambda: call(day, confirm=on.human.snapshots.restore(day).confirm)


@act("snapshots.reapply")
def bringing_back(on, call):
    fact = green(on)
    done = on.human.undo(fact.id, with_dependants=True)
    return lambda: call(done.id)


@act("skills.draft")
def drafting(on, call):
    for day in range(2):
        deployment(on.human, f"s{day}", day=day, scope="global")
    on.human.reflect()
    return lambda: call(on.human.playbooks.list()[0].id)


@act("garden.sign")
def signing(on, call):
    tending(on, on.human.garden.run)()
    found = on.human.garden.candidates()[0].fact.id
    file = on.human.parts.gardener.folder.root / "inbox" / "approvals.json"
    file.write_text(json.dumps([{"id": found}]))
    return call


@act("projects.move")
def pausing(on, call):
    on.human.remember("The till is old.", scope="project:shop")
    return lambda: call("project:shop", "paused")


@act("receipts.keep")
def showing(on, call):
    green(on)
    brief = on.human.brief(BriefRequest(session_id="s9"))
    return lambda: call(brief.context)


# What makes the kinds of events that none of these make, by their kinds. What takes a cycle, a
# session or a decision to come about is recorded as that would.
MORE: dict[str, Callable[[SimpleNamespace], Callable[[], object]]] = {}


def more(kind):
    """Declare what makes an event of one kind."""

    def declared(ready):
        MORE[kind] = ready
        return ready

    return declared


def recorded(on, event):
    """Record what only a cycle or a session would."""
    with on.store.begin() as tx:
        said = on.human.parts.recorder
        return tx.append(event, by=said.by, owner=said.owner)


@more("fact_reinforced")
def saying_it_too(on):
    on.agent.facts.add("The kettle is green.", about=["kettle"])
    return lambda: green(on)


@more("page_checked")
def looking_at_a_page_again(on):
    name = page(on)
    on.agent.facts.add("The kettle may whistle.", about=["kettle"])
    return lambda: on.human.pages.refresh(name)


@more("lines_removed")
def taking_off_a_line(on):
    green(on, "The kettle whistles.")
    name = page(on)
    lines = on.human.pages.get(name).markdown.splitlines()
    kept = "\n".join(one for one in lines if "whistles" not in one)
    return lambda: on.human.pages.edit(name, kept)


@more("gap_filed")
def filing_a_gap(on):
    found = on.human.gaps.add("convert a page to PDF").gap.id
    on.human.gaps.move(found, todo_ref="JIRA-7")
    return lambda: on.human.gaps.move(found, todo_ref="JIRA-8")


def two_gaps(on):
    asks = ("convert a page to PDF", "book a flight")
    winner, loser = (on.human.gaps.add(one).gap.id for one in asks)
    return {"winner": winner, "loser": loser}


@more("gaps_merged")
def merging_gaps(on):
    pair = two_gaps(on)
    return lambda: recorded(on, GapsMerged(**pair))


@more("gaps_parted")
def parting_gaps(on):
    pair = two_gaps(on)
    recorded(on, GapsMerged(**pair))
    return lambda: recorded(on, GapsParted(**pair))


@more("playbook_revised")
def doing_it_once_more(on):
    made = book(on)
    event = PlaybookRevised(playbook_id=made.id, draft=replace(made.draft, title="Deploy it"))
    return lambda: recorded(on, event)


@more("draft_declined")
def declining_a_draft(on):
    event = DraftDeclined(scope="global", key="deploy", signature="1", why="two steps alone")
    return lambda: recorded(on, event)


@more("skill_used")
def loading_a_skill(on):
    adding_a_skill(on, on.human.skills.add)()
    event = SkillUsed(skill_id=on.human.skills.list()[0].id, root="s1", ended=SessionEnd.UNKNOWN)
    return lambda: recorded(on, event)


@more("source_read")
def reading_a_source_again(on):
    tending(on, on.human.garden.run)()
    event = SourceRead(source_id=on.human.sources.list()[0].id, cluster="again")
    return lambda: recorded(on, event)


@more("verdict_suggested")
def answering_unsigned(on):
    tending(on, on.human.garden.run)()
    found = on.human.garden.candidates()[0].fact.id
    file = on.human.parts.gardener.folder.root / "inbox" / "approvals.json"
    file.write_text(json.dumps([{"id": found}]))
    on.clock.at += timedelta(days=1)
    return lambda: on.human.garden.run(is_applied=True)
