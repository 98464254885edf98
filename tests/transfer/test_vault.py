"""A brain as a folder of markdown, and what somebody changed in it, on both engines."""

import json
import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.brains import a_brain
from tests.playbooks.deployments import deployment
from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import ConflictError, InvalidInputError, NotFoundError
from tilth.core.lifecycle import Lifecycle
from tilth.core.scope import DEFAULT_OWNER, GLOBAL
from tilth.pages.events import PageRemoved
from tilth.privacy.exclusion import COVER
from tilth.runtime import connect
from tilth.runtime.brain import Brain
from tilth.runtime.settings import Settings
from tilth.transfer import ledger_file
from tilth.transfer.vault.folder import VaultFolder
from tilth.transfer.vault.page_text import (
    MARKER,
    Page,
    bullets_in,
    fact_line,
    paths_for,
    safe_title,
)
from tilth.transfer.vault.views import read


@pytest.fixture
def cast(whole_store, place):
    """Make a brain for any kind of actor on a store that is whole in the end."""
    return lambda kind: a_brain(whole_store, place.clock, by=Actor("ada", ActorKind(kind)))


@pytest.fixture
def human(cast):
    return cast("human")


@pytest.fixture
def agent(cast):
    return cast("agent")


@pytest.fixture
def scene(human, agent):
    """A little of everything."""
    human.entities.add("pve2", type="host", aliases=["proxmox-2", "10.0.30.4"])
    human.entities.add("VLAN 30", type="service")
    human.edges.add("pve2", "depends_on", "VLAN 30")
    runs = human.facts.add("It runs Proxmox VE 9 on VLAN 30.", about=["pve2", "VLAN 30"]).fact
    green = agent.facts.add("It is in the rack: #3 [[left]] <b>.", about=["pve2"]).fact
    old = human.facts.add(subject="pve2", predicate="phase", object="pilot")
    human.facts.add(subject="pve2", predicate="phase", object="rollout")
    alone = human.facts.add("Write tests first.", about=["tests"], scope="project:work/shop").fact
    human.gaps.add("convert a page to PDF")
    agent.review.question(green.id, reason="is it?")
    return {"runs": runs, "green": green, "old": old.fact, "alone": alone}


@pytest.fixture
def vault(tmp_path):
    return tmp_path / "vault"


def files(vault):
    return {
        one.relative_to(vault).as_posix(): one.read_bytes()
        for one in sorted(vault.rglob("*"))
        if one.is_file()
    }


def edit(vault, path, before, after):
    file = vault / path
    text = file.read_text()
    assert before in text
    file.write_text(text.replace(before, after))


def ids_in(vault):
    """Return each brain_id and each block of a fact that stands in a vault."""
    text = "\n".join(one.read_text() for one in sorted(vault.rglob("*.md")))
    return {
        *re.findall(r'^brain_id: "([^"]+)"$', text, re.MULTILINE),
        *re.findall(r" \^(fct-[0-9a-z]{26})$", text, re.MULTILINE),
    }


PVE2 = "entities/Host/pve2.md"


class TestExport:
    @pytest.mark.row("GA-035", "C-24")
    def test_a_page_says_what_is_known_of_a_thing(self, human, scene, vault, place):
        human.vault.export(str(vault))
        today = f"{place.clock.at:%Y-%m-%d}"
        block = scene["runs"].id.replace("_", "-").lower()
        page = (vault / PVE2).read_text()

        assert page.startswith(
            '---\ntitle: "pve2"\naliases: ["10.0.30.4", "proxmox-2"]\n'
            'tags: ["tilth/entity", "type/host", "scope/global"]\nbrain_id: "ent_'
        )
        assert (
            f"- It runs Proxmox VE 9 on VLAN 30. — *unreviewed {today}* ^{block}\n" in page
            or f"^{block}\n" in page
        )
        assert r"It is in the rack: \#3 \[[left\]] \<b>." in page
        assert "- ~~pve2 phase pilot~~ superseded" in page
        assert "- depends on [[VLAN 30]]" in page
        assert re.search(rf"^{MARKER} \([0-9a-f]{{16}}\) %%\n\Z", page, re.MULTILINE)
        other = (vault / "entities/Service/VLAN 30.md").read_text()
        assert f"[[pve2#^{block}|It runs Proxmox VE 9 on VLAN 30.]]" in other
        alone = scene["alone"].id.replace("_", "-").lower()
        shop = (vault / "projects/shop.md").read_text()
        assert f"- [[tests#^{alone}|Write tests first.]]" in shop
        assert "convert a page to PDF" in (vault / "gaps.md").read_text()
        assert "is it?" in (vault / "inbox.md").read_text()
        assert "[[pve2]]" in (vault / "index.md").read_text()
        assert {"AGENTS.md", "log.md", ".tilth/manifest.json"} <= set(files(vault))

    @pytest.mark.row("XR-09", "C-01")
    def test_a_draft_is_marked_wherever_it_stands(self, human, agent, scene, vault, place):
        agent.facts.propose(
            "Write no tests.", about=["tests"], scope="project:work/shop",
            supersedes=scene["alone"].id,
        )  # fmt: skip
        human.vault.export(str(vault))

        for name in ("projects/shop.md", f"digests/{place.clock.at:%G-W%V}.md"):
            listed = (vault / name).read_text().splitlines()
            (draft,) = [line for line in listed if "Write no tests." in line]
            (holds,) = [line for line in listed if "Write tests first." in line]
            assert draft.endswith("]] — *draft*")
            assert holds.endswith("]]")

    @pytest.mark.row("KB-071", "C-05")
    def test_a_compiled_page_leads_to_the_facts_that_it_cites(self, human, scene, vault):
        human.pages.compile("entity", "pve2")
        human.vault.export(str(vault))
        (page,) = [one for one in (vault / "pages").iterdir() if "pve2" in one.name]
        block = scene["runs"].id.replace("_", "-").lower()

        assert f"It runs Proxmox VE 9 on VLAN 30. [[pve2#^{block}|source]]" in page.read_text()
        assert f"[[{page.stem}|pve2]]" in (vault / "index.md").read_text()

    @pytest.mark.row("GA-035", "KB-066")
    @pytest.mark.parametrize("links", ["wiki", "md"])
    def test_exporting_twice_gives_an_empty_diff_wherever_it_lies(
        self, human, scene, vault, tmp_path, links
    ):
        human.vault.export(str(vault), links=links)
        first = files(vault)
        again = human.vault.export(str(vault), links=links)
        human.vault.export(str(tmp_path / "other"), links=links)

        assert files(vault) == first == files(tmp_path / "other")
        assert (again.written, again.renamed, again.removed) == ([], [], [])
        if links == "md":
            assert "](../../entities/Service/VLAN%2030.md)" in first[PVE2].decode()
            assert not re.search(r"(?<!\\)\[\[", first[PVE2].decode())

    @pytest.mark.row("C-05", "GA-035")
    def test_what_is_below_the_marker_stays_and_follows_its_page(self, human, scene, vault):
        human.vault.export(str(vault))
        with (vault / PVE2).open("a") as file:
            file.write("\n## Mine\nMy own words.\n")
        human.facts.add("It hums.", about=["pve2"])
        human.vault.export(str(vault))

        page = (vault / PVE2).read_text()
        assert "- It hums." in page
        assert MARKER in page
        assert page.endswith(" %%\n\n## Mine\nMy own words.\n")
        (vault / "entities/Host/my server.md").write_text(page)
        (vault / PVE2).unlink()
        human.facts.add("It blinks.", about=["pve2"])
        done = human.vault.export(str(vault))
        assert done.renamed == [PVE2]
        assert "My own words." in (vault / PVE2).read_text()

    @pytest.mark.row("GA-035", "KB-066", "C-24")
    def test_every_id_of_a_vault_survives_a_brain_that_is_exported_and_made_again(
        self, human, scene, vault, tmp_path, monkeypatch
    ):
        human.pages.compile("entity", "pve2")
        human.vault.export(str(vault))
        ids = ids_in(vault)
        human.export(str(tmp_path / "all.jsonl"), is_whole=True)
        monkeypatch.setenv("TILTH_HOME", str(tmp_path / "another machine"))
        where = str(tmp_path / "again.db")
        connect.load_store(ledger_file.opened(str(tmp_path / "all.jsonl")), where, Settings())
        again = a_brain(
            connect.open_store(where, settings=Settings()), human.parts.clock,
            by=Actor("ada", ActorKind.HUMAN),
        )  # fmt: skip

        # What somebody moved to another folder and name is known by its ID, in the new brain too.
        (vault / PVE2).rename(vault / "my server.md")
        read = again.vault.import_edits(str(vault))
        assert (read.corrections, read.removals, read.statements, read.conflicts) == ([],) * 4
        done = again.vault.export(str(vault))

        assert ids_in(vault) == ids
        assert (done.renamed, done.removed) == ([PVE2], [])
        kinds = Counter(one.split("_")[0].split("-")[0] for one in ids)
        assert kinds["ent"] >= 3
        assert kinds["fct"] >= 4
        for one in ids:
            if one.startswith("ent_"):
                assert again.entities.get(one).entity.id == one
            elif one.startswith("fct-"):
                assert again.facts.get(one.upper().replace("FCT-", "fct_")).said.text
        again.close()

    @pytest.mark.row("XR-12", "C-24")
    def test_a_vault_with_plain_links_is_one_concept_a_file_each_with_its_type(
        self, human, agent, scene, vault
    ):
        """What the Open Knowledge Format asks: YAML with a type, and standard links that lead."""
        agent.remember("said", session_id="s1")
        human.pages.compile("entity", "pve2")
        human.vault.export(str(vault), links="md", is_raw=True)
        types, named = {}, []
        for path in sorted(vault.rglob("*.md")):
            name, text = path.relative_to(vault).as_posix(), path.read_text()
            head, is_there, _ = text.removeprefix("---\n").partition("\n---\n")
            if text.startswith("---\n") and is_there:
                told = dict(line.split(": ", 1) for line in head.splitlines())
                types[name] = told["type"].strip('"')
                named += [told["brain_id"]] if "brain_id" in told else []
            for target in re.findall(r"(?<!\\)\]\(<?([^)>\s]+)>?\)", text.split(MARKER)[0]):
                file = unquote(target.partition("#")[0])
                assert (path.parent / file).is_file(), (name, target)
            assert "[[" not in re.sub(r"\\\[\[|\[\\\[|\\\[", "", text), name
        every = {one.relative_to(vault).as_posix() for one in vault.rglob("*.md")}

        assert every - set(types) == {"index.md", "log.md"}
        assert types[PVE2] == "host"
        assert types["projects/shop.md"] == "project"
        assert {"gaps", "inbox", "agents", "digest", "session", "page entity"} <= {*types.values()}
        assert all(types.values())
        assert len(named) == len(set(named)), "a concept stands in one file"

    @pytest.mark.row("XR-09")
    def test_each_week_has_a_digest_and_what_was_said_is_there_where_asked_for(
        self, human, agent, scene, vault, place
    ):
        agent.remember("# Loud\n[[nowhere]] and <b>", session_id="s1")
        agent.remember("said in none")
        human.vault.export(str(vault))
        assert not (vault / "raw").exists()
        week = f"{place.clock.at:%G-W%V}"
        digest = (vault / f"digests/{week}.md").read_text()
        block = scene["runs"].id.replace("_", "-").lower()
        assert f"- [[pve2#^{block}|It runs Proxmox VE 9 on VLAN 30.]]" in digest
        assert f"[[{week}]]" in (vault / "index.md").read_text()

        human.vault.export(str(vault), is_raw=True)
        said = (vault / f"raw/{place.clock.at:%Y/%m}/s1.md").read_text()
        assert "> # Loud\n> \\[[nowhere\\]] and \\<b>\n" in said
        assert "said in none" in (vault / f"raw/{place.clock.at:%Y/%m/%Y-%m-%d}.md").read_text()
        human.vault.export(str(vault))
        assert not (vault / "raw").exists()

    @pytest.mark.row("XR-09")
    def test_every_file_is_within_two_hops_of_the_index_and_the_log_is_only_added_to(
        self, human, scene, vault
    ):
        human.pages.compile("entity", "pve2")
        human.vault.export(str(vault), links="md", is_raw=True)

        def led_to(path):
            targets = re.findall(r"(?<!\\)\]\(<?([^)>\s#]+)", (vault / path).read_text())
            found = ((vault / path).parent / unquote(one) for one in targets)
            return {one.resolve().relative_to(vault.resolve()).as_posix() for one in found}

        near = {"index.md", *led_to("index.md")}
        near |= {two for one in near if one.endswith(".md") for two in led_to(one)}
        assert {one for one in files(vault) if one.endswith(".md")} <= near

        before = (vault / "log.md").read_text().partition(MARKER)[0].rstrip()
        assert "It runs Proxmox VE 9 on VLAN 30." in before
        human.facts.retire(scene["runs"].id)
        hums = human.facts.add("It hums.", about=["pve2"]).fact.id
        human.facts.relate(hums, "extends", scene["runs"].id)
        human.vault.export(str(vault), links="md", is_raw=True)
        after = (vault / "log.md").read_text().partition(MARKER)[0].rstrip()
        assert after.startswith(before)
        assert len(after) > len(before)
        tail = f"…{hums[-4:]}) supports “It runs Proxmox VE 9 on VLAN"
        assert f"“It hums.” (fct_{tail}" in after

    @pytest.mark.row("XR-09")
    def test_the_log_holds_every_change_however_many_there_are(self, human, vault):
        """Changes of one transaction: what each of them says is all that the log tells."""
        removed = [PageRemoved(scope=GLOBAL, name=f"p{number:04}") for number in range(1_100)]
        with human.parts.store.begin() as tx:
            for one in removed:
                tx.append(one, by=human.parts.recorder.by, owner=DEFAULT_OWNER)

        human.vault.export(str(vault))

        lines = (vault / "log.md").read_text().splitlines()
        assert [one.partition("] ")[2] for one in lines if one.startswith("## [")] == [
            f"page removed | {one.name}" for one in removed
        ]

    @pytest.mark.row("I37")
    def test_a_killed_export_is_taken_up_as_if_it_had_not_been(
        self, human, scene, vault, tmp_path, monkeypatch
    ):
        human.vault.export(str(vault))
        human.facts.add("It hums.", about=["pve2"])
        left = []

        def killed(folder, path, text):
            if len(left) == 3:
                (folder.root / ".index.md.0123abcd.tilth").write_text("half")
                raise KeyboardInterrupt
            left.append(path)
            write(folder, path, text)

        write = VaultFolder.write
        monkeypatch.setattr(VaultFolder, "write", killed)
        for where in (vault, tmp_path / "new"):
            left.clear()
            with pytest.raises(KeyboardInterrupt):
                human.vault.export(str(where))
        monkeypatch.setattr(VaultFolder, "write", write)
        human.facts.add("It blinks.", about=["pve2"])
        for where in (vault, tmp_path / "new"):
            done = human.vault.export(str(where))
            assert (done.edited, done.conflicts) == ([], [])
        human.vault.export(str(tmp_path / "whole"))
        assert files(vault) == files(tmp_path / "new") == files(tmp_path / "whole")

    def test_two_exports_at_once_leave_what_one_would(self, human, agent, scene, vault, tmp_path):
        with ThreadPoolExecutor(2) as both:
            done = list(both.map(lambda one: one.vault.export(str(vault)), (human, agent)))
        human.vault.export(str(tmp_path / "other"))

        assert files(vault) == files(tmp_path / "other")
        assert sorted(bool(one.written) for one in done) == [False, True]

    def test_one_that_ended_before_its_first_manifest_is_gone_on_with(self, human, scene, vault):
        (vault / ".tilth").mkdir(parents=True)
        (vault / ".tilth" / ".manifest.json.01234567.tilth").write_text("{")

        human.vault.export(str(vault))

        assert [one.name for one in (vault / ".tilth").iterdir()] == ["manifest.json"]

    def test_a_file_of_somebody_elses_is_not_written_over(self, human, scene, vault):
        human.vault.export(str(vault))
        (vault / "entities/Host/PVE3.md").write_text("mine, and no page\n")
        human.entities.add("pve3", type="host")
        human.vault.export(str(vault))

        assert (vault / "entities/Host/PVE3.md").read_text() == "mine, and no page\n"
        (made,) = (vault / "entities/Host").glob("pve3 *.md")
        assert made.read_text().startswith('---\ntitle: "pve3"')

    def test_a_vault_is_neither_put_over_other_files_nor_over_another_brains(
        self, human, scene, vault, tmp_path
    ):
        vault.mkdir()
        (vault / "mine.md").write_text("mine")
        with pytest.raises(InvalidInputError, match="no vault of ours"):
            human.vault.export(str(vault))
        other = tmp_path / "other"
        human.vault.export(str(other))
        manifest = json.loads((other / ".tilth/manifest.json").read_text())
        manifest["store_id"] = "01KAR"
        (other / ".tilth/manifest.json").write_text(json.dumps(manifest))
        with pytest.raises(ConflictError, match="store 01KAR"):
            human.vault.export(str(other))

    @pytest.mark.row("I37")
    def test_no_link_leads_out_of_a_vault(self, human, scene, vault, tmp_path):
        human.vault.export(str(vault))
        outside = tmp_path / "outside"
        outside.mkdir()
        for one in (vault / "entities/Host").iterdir():
            one.unlink()
        (vault / "entities/Host").rmdir()
        (vault / "entities/Host").symlink_to(outside)

        with pytest.raises(ConflictError, match="is a link"):
            human.vault.export(str(vault))
        assert list(outside.iterdir()) == []

    def test_only_what_may_be_seen_is_written(self, human, scene, vault):
        human.facts.add("The offer is secret.", about=["pve2"], scope="project:work/offer")
        human.vault.export(str(vault), scope="project:work/shop")

        said = b"\n".join(files(vault).values())
        assert b"Write tests first." in said
        assert b"secret" not in said

    @pytest.mark.row("KB-066")
    @pytest.mark.parametrize(
        ("links", "leads", "leads_back"),
        [
            ("wiki", "- uses [[redis]]", "- [[shop]] uses redis"),
            (
                "md",
                "- uses [redis](../../entities/Thing/redis.md)",
                "- [shop](../../entities/Thing/shop.md) uses redis",
            ),
        ],
    )
    def test_an_edge_reads_the_way_it_leads_on_the_pages_of_both_ends(
        self, human, vault, links, leads, leads_back
    ):
        human.edges.add("shop", "uses", "redis")
        human.vault.export(str(vault), links=links)

        for name, line in (("shop", leads), ("redis", leads_back)):
            page = (vault / f"entities/Thing/{name}.md").read_text()
            assert page.partition("## Related\n")[2].splitlines()[0] == line

    def test_every_gap_edge_and_proposal_is_told_however_many_there_are(
        self, human, agent, vault, monkeypatch
    ):
        monkeypatch.setattr("tilth.ledger.snapshot._PAGE", 2)
        for gap in ("convert to PDF", "print in colour", "send a fax"):
            human.gaps.add(gap)
        for service in ("redis", "postgres", "nginx"):
            human.edges.add("shop", "uses", service)
            fact = agent.facts.add(f"The {service} is old.", about=[service]).fact
            agent.review.question(fact.id, reason=f"is {service}?")

        human.vault.export(str(vault))

        counts = {"gaps.md": "seen 1 times", "inbox.md": ": is ", "shop": "- uses"}
        pages = {name: vault / name for name in ("gaps.md", "inbox.md")}
        pages["shop"] = vault / "entities/Thing/shop.md"
        assert {n: pages[n].read_text().count(line) for n, line in counts.items()} == dict.fromkeys(
            counts, 3
        )

    @pytest.mark.row("KB-113")
    def test_excluded_terms_are_nowhere_in_it(self, human, scene, vault):
        human.facts.add("Project Nightjar begins.", about=["pve2"])
        parts = human.parts
        settings = replace(parts.settings, excluded_terms=("nightjar",))
        Brain(replace(parts, settings=settings)).vault.export(str(vault))

        assert b"ightjar" not in b"\n".join(files(vault).values())

    @pytest.mark.row("KB-113")
    def test_excluded_terms_are_in_the_name_of_nothing_of_it(self, human, scene, vault):
        for term in ("kanarie", "blue-bird"):
            place = f"project:work/{term}"
            for day in range(3):
                deployment(human, f"{term}-{day}", day=day, scope=place, line=f"./ship.sh {term}")
            human.facts.add(f"The {term} has wings.", about=[term], scope=place)
            human.edges.add(term, "uses", "shop", scope=place)
            human.gaps.add(f"feed a {term}")
            human.pages.compile("entity", term, scope=place)
            human.pages.compile("project", scope=place)
        human.skills.add(
            "---\nname: feed-the-blue-bird\ndescription: Use to feed.\n---\n\n# Feed\n"
        )
        human.reflect()
        for book in human.playbooks.list():
            human.playbooks.confirm(book.id, digest=book.digest)
        told = re.compile("kanarie|blue.bird", re.IGNORECASE)
        human.vault.export(str(vault), is_raw=True)
        assert sum(bool(told.search(path)) for path in files(vault)) > 4

        parts = human.parts
        settings = replace(parts.settings, excluded_terms=("kanarie", "blue bird", "blue-bird"))
        covered = Brain(replace(parts, settings=settings))
        covered.vault.export(str(vault), is_raw=True)
        for path, text in files(vault).items():
            assert not told.search(path)
            assert not told.search(text.decode()), (path, told.findall(text.decode()))
        before = files(vault)
        covered.vault.export(str(vault), is_raw=True)
        assert files(vault) == before
        home = next(one for one in (vault / "projects").iterdir() if COVER in one.name)
        edit(vault, home.relative_to(vault).as_posix(), "\n# ", "\n- It is of a new kind.\n# ")
        (refused,) = covered.vault.import_edits(str(vault)).refused
        assert "excluded" in refused.refused

    @pytest.mark.row("T13")
    def test_what_was_erased_is_gone_from_the_next_export(self, human, scene, vault):
        human.vault.export(str(vault))
        edit(vault, PVE2, "It runs Proxmox", "It runs my Proxmox")
        plan = human.erase.plan(entity="pve2")
        human.erase.confirm(plan.digest, entity="pve2")
        human.vault.export(str(vault))

        assert b"Proxmox" not in b"\n".join(files(vault).values())


class TestImport:
    @pytest.mark.row("C-05", "C-24", "KB-071", "GA-035")
    def test_edits_become_proposals_of_the_vault_and_change_nothing_by_themselves(
        self, human, scene, vault
    ):
        human.vault.export(str(vault))
        edit(vault, PVE2, "It runs Proxmox VE 9 on VLAN 30.", "It runs Proxmox VE 10 on VLAN 30.")
        page = (vault / PVE2).read_text()
        gone = next(one for one in page.splitlines(keepends=True) if "in the rack" in one)
        (vault / PVE2).write_text(page.replace(gone, "- It has 64 GB of memory.\n"))
        done = human.vault.import_edits(str(vault))

        (correction,), (removal,), (new,) = done.corrections, done.removals, done.statements
        assert (correction.before, correction.after) == (
            "It runs Proxmox VE 9 on VLAN 30.", "It runs Proxmox VE 10 on VLAN 30.",
        )  # fmt: skip
        assert removal.fact_id == scene["green"].id
        assert new.after == "It has 64 GB of memory."
        assert human.facts.get(scene["runs"].id).life.lifecycle is Lifecycle.CURRENT
        assert human.facts.get(scene["green"].id).life.lifecycle is Lifecycle.CURRENT
        assert human.facts.get(new.fact_id).life.lifecycle is Lifecycle.DRAFT
        asked = [human.review.show(one.proposal_id) for one in (correction, removal, new)]
        assert {one.proposal.by.name for one in asked} == {"vault"}
        assert human.vault.import_edits(str(vault)).corrections == []

        kept = human.vault.export(str(vault))
        assert (kept.waiting, kept.edited, kept.conflicts) == ([PVE2], [], [])
        assert "VE 10" in (vault / PVE2).read_text()
        for one in asked:
            human.review.confirm(
                one.proposal.id, digest=one.digest, retires=one.proposal.draft.retires
            )
        human.vault.export(str(vault))
        page = (vault / PVE2).read_text()
        assert "- It runs Proxmox VE 10 on VLAN 30. — *confirmed" in page
        assert "- It has 64 GB of memory. — *confirmed" in page
        assert "- ~~It is in the rack" in page

    @pytest.mark.row("C-05")
    def test_where_both_sides_changed_both_are_shown_and_nothing_is_lost(self, human, scene, vault):
        human.vault.export(str(vault))
        human.facts.add(subject="pve2", predicate="phase", object="done")
        edit(vault, PVE2, "pve2 phase rollout", "pve2 phase test")
        done = human.vault.export(str(vault))
        assert done.conflicts == [PVE2]
        (conflict,) = human.vault.import_edits(str(vault)).conflicts

        assert (conflict.after, conflict.theirs) == ("pve2 phase test", "pve2 phase done")
        assert "pve2 phase test" in (vault / PVE2).read_text()

    @pytest.mark.row("C-05", "KB-067")
    def test_what_proposes_nothing_is_kept_below_the_marker_and_never_lost(
        self, human, scene, vault
    ):
        human.vault.export(str(vault))
        human.facts.add(subject="pve2", predicate="phase", object="done")
        edit(vault, PVE2, "pve2 phase rollout", "pve2 phase test")
        edit(vault, PVE2, "# pve2\n", "# pve2\nA word of mine.\n")
        edit(vault, PVE2, "## Related\n", "## Related\n- near [[VLAN 30]]\n")
        edit(vault, PVE2, "aliases: [", 'aliases: ["big one", ')
        edit(vault, "gaps.md", "convert a page to PDF", "convert a page to paper")
        done = human.vault.import_edits(str(vault))
        assert {PVE2, "gaps.md"} <= set(done.missed)
        assert "the line of a fact, which ends in its name" in "\n".join(map("".join, read(done)))
        assert (done.corrections, done.statements) == ([], [])
        human.vault.export(str(vault))

        ours, _, theirs = (vault / PVE2).read_text().partition("## Yours, and not taken over")
        assert "pve2 phase done" in ours
        assert "A word of mine." not in ours
        assert {"A word of mine.", "- near [[VLAN 30]]"} <= set(theirs.splitlines())
        assert "pve2 phase test" in theirs
        assert "big one" in theirs
        assert "convert a page to paper" in (vault / "gaps.md").read_text()
        assert "convert a page to PDF" in (vault / "gaps.md").read_text()
        before = files(vault)
        human.vault.export(str(vault))
        assert files(vault) == before

    @pytest.mark.row("C-05")
    def test_the_file_of_a_skill_stays_as_it_was_edited_and_that_is_told(self, human, vault):
        text = "---\nname: release\ndescription: Use to release.\n---\n\n# Release\n\n1. Tag.\n"
        human.skills.add(text)
        human.vault.export(str(vault))
        path = "skills/release/SKILL.md"
        edit(vault, path, "1. Tag.", "1. Tag and push.")

        for _ in range(2):
            (refused,) = human.vault.import_edits(str(vault)).refused
            assert refused.path == path
            assert "tilth skill add" in refused.refused
            assert human.vault.export(str(vault)).edited == [path]
        assert "Tag and push" in (vault / path).read_text()
        (vault / path).unlink()
        human.vault.export(str(vault))
        assert (vault / path).read_text() == text

    @pytest.mark.row("C-05", "KB-067", "KB-071")
    @pytest.mark.parametrize("links", ["wiki", "md"])
    def test_a_line_of_a_compiled_page_corrects_the_fact_that_it_cites(
        self, human, scene, vault, links
    ):
        human.pages.compile("entity", "pve2")
        human.vault.export(str(vault), links=links)
        (page,) = [one for one in (vault / "pages").iterdir() if "pve2" in one.name]
        path = page.relative_to(vault).as_posix()
        edit(vault, path, "It runs Proxmox VE 9 on VLAN 30.", "It runs Proxmox VE 10 on VLAN 30.")
        (made,) = human.vault.import_edits(str(vault)).corrections

        assert made.fact_id == scene["runs"].id
        asked = human.review.show(made.proposal_id)
        human.review.confirm(
            asked.proposal.id, digest=asked.digest, retires=asked.proposal.draft.retires
        )
        human.pages.compile("entity", "pve2")
        human.vault.export(str(vault), links=links)
        assert "It runs Proxmox VE 10 on VLAN 30." in page.read_text()
        assert "VE 9 on" not in page.read_text()

    @pytest.mark.row("KB-067")
    def test_the_day_before_a_line_of_a_page_is_no_part_of_what_is_proposed(self, human, vault):
        shop = "project:work/shop"
        said = "We keep the till in `till.py`."
        fact = human.facts.add(said, about=["till"], scope=shop).fact
        human.pages.compile("project", scope=shop)
        human.vault.export(str(vault))
        (page,) = [one for one in (vault / "pages").iterdir() if said in one.read_text()]
        edit(vault, page.relative_to(vault).as_posix(), said, "We keep the till in `shop.py`.")

        (made,) = human.vault.import_edits(str(vault)).corrections

        assert (made.before, made.after) == (said, "We keep the till in `shop.py`.")
        proposed = human.review.show(made.proposal_id)
        assert proposed.proposal.draft.retires == (fact.id,)
        assert f"{fact.life.valid_from:%Y-%m-%d}: {said}" in page.read_text().replace(
            "shop.py", "till.py"
        )

    @pytest.mark.row("KB-067")
    def test_a_page_that_was_saved_in_part_proposes_nothing_and_says_why(self, human, scene, vault):
        human.vault.export(str(vault))
        whole = (vault / PVE2).read_text()
        for kept in ("", whole[: len(whole) // 2], "---\n: : bad\n"):
            (vault / PVE2).write_text(kept)

            done = human.vault.import_edits(str(vault))

            assert (done.removals, done.corrections, done.statements) == ([], [], [])
            (refused,) = done.refused
            assert refused.path == PVE2
            assert "its last line is missing" in refused.refused
            human.vault.export(str(vault))
            assert (vault / PVE2).read_text() == kept
        (vault / PVE2).write_text(whole)
        assert human.vault.import_edits(str(vault)).refused == []

    def test_a_page_that_was_deleted_proposes_that_its_facts_end(self, human, scene, vault):
        human.vault.export(str(vault))
        (vault / PVE2).unlink()
        done = human.vault.import_edits(str(vault))

        assert {one.fact_id for one in done.removals} >= {scene["runs"].id, scene["green"].id}
        assert human.facts.get(scene["runs"].id).life.lifecycle is Lifecycle.CURRENT
        human.vault.export(str(vault))
        assert not (vault / PVE2).exists()

    @pytest.mark.row("KB-113")
    def test_excluded_terms_and_secrets_are_not_brought_in(self, human, scene, vault):
        human.vault.export(str(vault))
        key = "sk-" + "a1B2c3D4" * 4
        edit(vault, PVE2, "- It runs", f"- The key is {key} today.\n- Nightjar begins.\n- It runs")
        parts = human.parts
        settings = replace(parts.settings, excluded_terms=("nightjar",))
        done = Brain(replace(parts, settings=settings)).vault.import_edits(str(vault))

        assert [one.after for one in done.refused] == ["Nightjar begins."]
        assert "tilth settings" in done.refused[0].refused
        (new,) = done.statements
        assert key not in human.facts.get(new.fact_id).said.text

    def test_no_vault_is_told(self, human, vault):
        with pytest.raises(NotFoundError, match="no vault"):
            human.vault.import_edits(str(vault))


TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=("Cs",)), min_size=1)


@given(text=TEXTS)
def test_whatever_a_fact_says_its_line_reads_back(text):
    said = " ".join(text.split())
    line = fact_line("fct_01KAR000000000000000000000", said, "confirmed 2026-11-23")
    if said:
        assert [one.text for one in bullets_in(f"# x\n{line}\n")] == [said]
        assert "[[" not in line.replace("\\[[", "")


def test_names_are_taken_by_every_file_system():
    awkward = [
        "COM¹",
        "nul.txt",
        "trailing. ",
        "🧊" * 90,
        "é",
        "é",
        "CONIN$",
        "a" * 300,
        "Run `make`",
    ]
    names = [safe_title(one) for one in awkward]

    assert names[:3] == ["_COM¹", "_nul.txt", "trailing"]
    assert names[4] == names[5]
    assert names[6] == "_CONIN$"
    assert names[8] == "Run make", "a backtick in a link begins code for some readers"
    assert max(len(one.encode()) for one in names) <= 200


@given(titles=st.lists(TEXTS, max_size=8))
def test_names_are_those_of_files_and_no_two_alike(titles):
    pages = [
        Page(id=f"ent_{number:026d}", folder="entities", title=title)
        for number, title in enumerate(titles)
    ]
    paths = paths_for(pages, {})

    assert len({one.casefold() for one in paths.values()}) == len(pages)
    assert paths_for(pages, paths) == paths
    for title in titles:
        name = safe_title(title)
        assert name
        assert not set(name) & set(':\\/#^[]|*"<>?%`\n\0')
        assert Path(name).name == name


@pytest.mark.row("T13", "C-04")
def test_an_erase_cleans_a_vault_and_names_what_of_it_only_its_keeper_can(ready, as_person):
    def answer(*words):
        return ready(*words, "--json").answer

    codes = ("4711-0815-canary", "1234-5678-canary")
    answer("fact", "add", "It is green.", "--about", "door1")
    facts = [
        answer("fact", "add", f"The code of door {code[0]} is {code}.", "--about", f"door{code[0]}")
        for code in codes
    ]
    vault = ready.home / "vault"
    done = ready("vault", "export", vault, "--raw", "--json")
    assert done.code == 0, done.err
    (vault / ".git").mkdir()
    page = next(one for one in vault.rglob("door1.md"))
    page.write_text(page.read_text().replace("# door1\n", "# door1\nMy words.\n"))
    for one, kept in zip(facts, ([], [page, vault / ".tilth/manifest.json"]), strict=True):
        plan = answer("erase", "--fact", one["fact"]["id"])
        done = answer("erase", "--fact", one["fact"]["id"], "--confirm", "--digest", plan["digest"])
        assert str(vault) in done["cleaned"]
        assert set(map(str, [*kept, vault / ".git"])) == set(done["copies"])
    said = {str(one) for one in vault.rglob("*") if one.is_file() and "canary" in one.read_text()}
    assert said == {str(page), str(vault / ".tilth/manifest.json")}
