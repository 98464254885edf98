"""What several sessions of a project name by identifiers is known as what it is."""

import json

import pytest

from tests.conftest import append_all
from tests.practice.sessions import SHOP, Session
from tilth.core.actor import HOOKS, Actor, ActorKind
from tilth.core.scope import key_of
from tilth.episodes.episode import EpisodeDraft, EpisodeKind, Role
from tilth.episodes.session import SessionInfo
from tilth.knowledge.vocabulary.registries import EdgeKind, EntityType

DRAWN = "toolu_01StzELnaj2em7SYjr8kmxG2"


def works(brain, name, *, day=0, scope=SHOP, by=HOOKS):
    """Let a session run, add, restart and change something."""
    return (
        Session(brain, name, scope=scope, day=day, by=by)
        .asks("Add a check of the payload.")
        .ran("git status && bun add zod@4")
        .ran("docker compose restart payments")
        .edited("src/pay.ts")
    )


def known(brain, scope=SHOP):
    """Return what is known in a scope, by name."""
    return {one.name: one for one in brain.entities.list(scope=scope) if one.scope == scope}


def test_what_two_sessions_name_is_known_by_its_type(brain):
    for day in range(2):
        works(brain, f"s{day}", day=day)

    done = brain.distil()

    assert {name: one.type.value for name, one in known(brain).items()} == {
        "work/shop": "project",
        "git": "tool",
        "bun": "tool",
        "docker": "tool",
        "zod": "tech",
        "payments": "service",
        "src/pay.ts": "file",
    }
    assert done.acquainted_count == 6
    assert brain.distil().acquainted_count == 0


def test_what_one_session_names_is_not_known(brain):
    works(brain, "s0")
    works(brain, "s0/agent-1")

    assert brain.distil().acquainted_count == 0
    assert known(brain) == {}


def test_what_another_project_names_is_not_known_here(brain):
    works(brain, "s0")
    works(brain, "s1", scope="project:work/other")

    brain.distil()

    assert not {"git", "zod"} & known(brain).keys()


@pytest.mark.row("I24")
def test_a_fork_that_repeats_a_session_is_none_of_its_own(brain):
    call = f"Bash: {json.dumps({'command': 'terraform plan'})}"
    for name in ("s0", "fork"):
        draft = EpisodeDraft(
            text=call,
            kind=EpisodeKind.TOOL_CALL,
            role=Role.ASSISTANT,
            session_id=f"claude-code:{name}",
            scope=SHOP,
            metadata={"tool_use_id": DRAWN},
        )
        append_all(brain.parts.store, [draft], by=HOOKS)

    brain.distil()

    assert "terraform" not in known(brain)


def test_what_an_agent_hands_over_is_seen_by_nobody(brain):
    for day in range(2):
        works(brain, f"s{day}", day=day, by=Actor("bot", ActorKind.AGENT))

    brain.distil()

    assert "zod" not in known(brain)


OTHER = "project:work/other"


def test_what_an_older_version_recorded_is_known_scope_by_scope(brain):
    for scope in (SHOP, OTHER):
        for day in range(2):
            works(brain, f"{key_of(scope)[5:]}{day}", day=day, scope=scope)

    seen, after = [], 0
    # Each time another worker goes on from there.
    while (told := brain.acquaint(after=after, limit=1)).scope_count:
        after = told.cursor
        seen.append([scope for scope in (SHOP, OTHER) if "zod" in known(brain, scope)])

    assert seen[-2:] == [[SHOP], [SHOP, OTHER]]
    assert brain.acquaint().new == []


def test_sentences_make_nothing_known(brain):
    for day in range(3):
        session = Session(brain, f"s{day}", day=day)
        session.asks("We run Kafka and Redis, please install terraform.").says("I ran `helm`.")

    assert brain.distil().acquainted_count == 0


def test_people_who_speak_in_two_sessions_are_persons(brain):
    for day in range(2):
        drafts = [
            EpisodeDraft(text=text, speaker=who, session_id=f"slack:c{day}", scope="global")
            for who, text in (("Ada Berg", "Morning!"), ("Bo", "Hello, how was the lake?"))
        ]
        append_all(brain.parts.store, drafts, by=HOOKS)

    brain.distil()

    assert {one.name: one.type for one in brain.entities.list()} == {
        "Ada Berg": EntityType.PERSON,
        "Bo": EntityType.PERSON,
    }


def test_it_is_told_how_often_and_where_something_is_named(brain):
    for day in range(3):
        works(brain, f"s{day}", day=day)
    brain.distil()

    about = brain.about("zod", scope=SHOP)

    named = about.card.entity.named
    assert named.session_count == 3
    assert set(named.session_ids) == {f"claude-code:s{day}" for day in range(3)}
    assert [(edge.kind, edge.target) for edge in about.graph.edges] == [
        (EdgeKind.USES, about.card.entity.id)
    ]


def test_a_file_has_one_name_in_every_clone(brain):
    for day, folder in enumerate(("/home/ada/shop", "/tmp/worktrees/fix-1")):
        name = f"claude-code:s{day}"
        Session(brain, f"s{day}", day=day).edited(f"{folder}/src/pay.ts").edited("/etc/hosts")
        brain.sessions.describe(name, SessionInfo(folder=folder), scope=SHOP)

    brain.distil()

    assert known(brain).keys() == {"work/shop", "src/pay.ts"}


def test_nobody_is_asked_whether_two_identifiers_are_one(brain):
    for day in range(2):
        Session(brain, f"s{day}", day=day).ran("npm add @acme/client @acme/clients left-pad")
    brain.distil()

    brain.entities.tidy()

    assert brain.review.list().count == 0
    assert {"@acme/client", "@acme/clients"} <= known(brain).keys()
