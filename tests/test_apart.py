"""Memory knows nothing of knowledge, and every part of the brain can be put in from outside."""

import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import grimp
import pytest
from platformdirs import user_config_path, user_data_path, user_state_path

from tests.brains import a_brain, a_model_pool
from tests.fakes import FixedClock, HashingEmbedder
from tests.model_server import ModelServer
from tilth.context.model import BriefRequest
from tilth.llm.providers.openai_chat import OpenAiChatModel
from tilth.llm.task import Task

ROOT = Path(__file__).parent.parent
MEMORY = ("core", "privacy", "embedding", "ledger", "episodes")
TIER = (
    "knowledge",
    "learning",
    "practice",
    "playbooks",
    "skills",
    "reflection",
    "maintenance",
    "pages",
    "gaps",
    "garden",
)


def test_what_a_test_opens_without_a_home_is_not_the_users():
    users = Path(pwd.getpwuid(os.getuid()).pw_dir)
    for folder in (user_data_path("tilth"), user_state_path("tilth"), user_config_path("tilth")):
        assert folder.is_relative_to(tempfile.gettempdir())
        assert not folder.is_relative_to(users / ".local")


@pytest.mark.row("KB-060")
def test_memory_imports_nothing_of_what_is_made_of_it_not_even_by_way_of_others():
    graph = grimp.build_graph("tilth")
    for low in MEMORY:
        for high in TIER:
            chain = graph.find_shortest_chain(f"tilth.{low}", f"tilth.{high}", as_packages=True)
            assert chain is None, chain


@pytest.mark.row("KB-060")
def test_what_ci_runs_refuses_an_import_from_memory_to_knowledge(tmp_path):
    shutil.copytree(ROOT / "src" / "tilth", tmp_path / "tilth")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    guilty = tmp_path / "tilth" / "episodes" / "remember.py"
    guilty.write_text(guilty.read_text() + "\nimport tilth.knowledge.facts.fact\n")

    lint = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run(
        [lint, "--no-cache", "--contract", "floors"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 1, done.stdout
    assert "tilth.episodes.remember -> tilth.knowledge.facts.fact" in done.stdout
    assert "lint-imports" in (ROOT / "Makefile").read_text()


@pytest.mark.row("KB-063")
def test_a_brain_is_made_of_what_it_is_given(store, place, server: ModelServer):
    second = HashingEmbedder(32)
    brain = a_brain(store, FixedClock(), second=second)
    model = OpenAiChatModel(server.url, "small", "a-key")
    parts = brain.parts

    assert (parts.second, parts.store) == (second, store)
    assert a_model_pool(model, [Task.DRAFT_PLAYBOOK]).workers[Task.DRAFT_PLAYBOOK].model is model
    said = brain.remember("The lid is green.", session_id="s1")
    assert brain.recall("which colour has the lid").hits[0].id == said
    assert brain.embed_backlog() == 1
    assert brain.embed_backlog() == 0
    assert [one.error for one in brain.reflect().stages if one.error] == []
    assert "The lid" not in brain.brief(BriefRequest(via="test")).text
