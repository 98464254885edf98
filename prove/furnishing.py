"""
What a machine of some weeks holds beside sessions: people, threads, doubles, what is in question.

Each of these has a screen of its own, and a stream of sessions alone leaves most of them empty.
"""

from datetime import timedelta
from pathlib import Path

from tilth.context.model import BriefRequest
from tilth.runtime.brain import Brain

_SKILL = """---
name: release-notes
description: Write the notes of a release from the merged pull requests.
---

1. List the pull requests since the last tag.
2. Write a line for each that a user would notice.
3. Ask the maintainer before anything is published.
"""
_TALK = (
    ("inbound", "Hello, can the export be ready by Friday? The auditors ask for it."),
    ("outbound", "I will send you the export by Thursday evening."),
    ("inbound", "Thank you. I prefer CSV to Excel, and I am in Lisbon until March."),
    ("outbound", "Noted: CSV. I'll also check whether the totals agree with the ledger."),
    ("inbound", "Could you share the test account with Grace, too?"),
    ("outbound", "I will ask the admin to open an account for Grace."),
)
_NOTES = """# restic

restic 0.19 requires a repository of format 2. The command `restic check` reads packs in parallel
since version 0.19. The flag `--cache-dir-legacy` is removed in version 0.19.
"""


def furnish(person: Brain, agent: Brain, folder: Path) -> None:
    """Put something of each kind into a store, some as a person and some as an agent."""
    _people(person, agent)
    _things(person, agent)
    _questions(person, agent)
    _work(person, agent)
    _garden(person, folder)


def _people(person: Brain, agent: Brain) -> None:
    person.people.introduce(
        "Ada Lovelace", transport="email", address="ada@example.org", display_name="Ada L.",
        confidence="confirmed", aliases=["Countess"], traits={"role": "accountant"},
    )  # fmt: skip
    person.people.introduce("Grace Hopper", transport="matrix", address="@grace:example.org")
    person.people.tell("Ada Lovelace", "time zone", "Europe/London", confidence="low")
    person.people.tell("Ada Lovelace", "time zone", "Europe/Lisbon", confidence="high")
    person.facts.add("Ada Lovelace approves every payment above 500 euro.", about=["Ada Lovelace"])
    agent.people.link("Grace Hopper", "email", "grace@example.org")
    talk = person.conversations.create(
        "Ada Lovelace", "email", address="ada@example.org", topic="The export for the audit"
    ).conversation
    began = person.parts.clock.now() - timedelta(days=3)
    for number, (direction, text) in enumerate(_TALK):
        person.conversations.add(
            talk.id, text, direction=direction, at=began + timedelta(minutes=7 * number)
        )
    person.conversations.summarise(talk.id)
    person.conversations.add(
        talk.id, "The export arrived, and the totals agree.", direction="inbound",
        at=began + timedelta(days=1),
    )  # fmt: skip
    person.conversations.summarise(talk.id)


def _things(person: Brain, agent: Brain) -> None:
    """Name one thing twice, so that an agent asks whether they are one, and link some."""
    for name, type_ in (("Kubernetes", "tool"), ("k8s cluster", "tool"), ("billing", "service")):
        person.entities.add(name, type=type_)
    person.facts.add("Kubernetes runs version 1.34.", about=["Kubernetes"])
    person.facts.add("The k8s cluster has three nodes.", about=["k8s cluster"])
    person.edges.add("billing", "depends_on", "Kubernetes")
    person.edges.add("billing", "part_of", "Ada Lovelace")
    agent.entities.merge("Kubernetes", "k8s cluster", reason="both are named for the same nodes")


def _questions(person: Brain, agent: Brain) -> None:
    """Have facts contradict each other, and some wait that would end what a person confirmed."""
    for text in (
        "The staging database keeps backups for 30 days.",
        "The staging database keeps backups for 14 days.",
    ):
        person.facts.add(text, system="staging database")
    person.review.scan(limit=1_000_000)
    for number, port in ((1, 8443), (2, 8444), (3, 8445)):
        for brain, at in ((person, 8080 + number), (agent, port)):
            told = f"The gateway {number} listens on {at}."
            brain.facts.add(told, system="gateway", component=f"port{number}")


def _work(person: Brain, agent: Brain) -> None:
    """Want a thing that cannot be done, write a skill, and have a brief told."""
    for said in ("Can you export the invoices to Excel?", "Again: export invoices to Excel."):
        episode = person.remember(said, session_id="wishes")
        person.gaps.add("It should export invoices to Excel.", evidence=[episode])
    person.skills.add(_SKILL)
    agent.receipts.keep(agent.brief(BriefRequest()).context)


def _garden(person: Brain, folder: Path) -> None:
    """Tend a topic from a document, so that candidates with their quotes wait."""
    file = folder / "restic.md"
    file.write_text(_NOTES, encoding="utf-8")
    for _ in person.import_sources(person.find_sources(str(file))):
        pass
    person.topics.add("restic")
    person.garden.run(is_applied=True, is_forced=True)
