"""When an agent is asked for a note beside a prompt, on both engines."""

from datetime import timedelta

import pytest

from tests.brains import a_brain
from tests.context.test_brief import FIRST, SECOND, WORK, said
from tilth.context.context import Context, words_digest
from tilth.context.injection import ASKED_AFTER, ASKED_AGAIN_AFTER, Strategy
from tilth.context.verbs import NOTE_ASKED
from tilth.core.scope import GLOBAL, UNFILED, Scope
from tilth.episodes.episode import EpisodeKind, Role
from tilth.runtime.settings import Settings

NEXT = "And the tests?"


@pytest.fixture
def session(captured, place):
    """A session that goes on by the hour; who asks is the worker that answers hooks."""

    class Session:
        def goes_on(self, prompts=1, **about):
            for _ in range(prompts):
                place.clock.at += timedelta(hours=1)
                at = place.clock.now()
                told = {"occurred_at": at} | about
                captured.remember_many(
                    [
                        said(f"Sort the shelf of {at:%d %H:%M}.", **told),
                        said("It is sorted.", role=Role.ASSISTANT, **told),
                        said("ls", role=Role.ASSISTANT, kind=EpisodeKind.TOOL_CALL, **told),
                    ]
                )

        def is_asked(self, brain=captured, prompt=NEXT, session=FIRST, scope=WORK):
            return brain.note_wanted(session, prompt, scope=scope)

        def was_asked(self):
            place.clock.at += timedelta(minutes=1)
            captured.receipts.keep(
                Context(
                    via=f"claude-code UserPromptSubmit{NOTE_ASKED}",
                    session_id=FIRST,
                    scope=WORK,
                    tokens=100,
                    shown=words_digest("note it"),
                    items=(),
                )
            )

        def is_noted(self, scope=WORK):
            place.clock.at += timedelta(minutes=1)
            a_brain(captured.parts.store, place.clock).remember(
                "The shelf is sorted by hand.", kind="note", role="assistant", scope=scope
            )

    return Session()


@pytest.mark.row("OB-027")
def test_an_agent_is_asked_once_a_session_went_on_without_a_note(session):
    session.goes_on(ASKED_AFTER - 1)
    assert not session.is_asked()

    session.goes_on()
    assert session.is_asked()
    assert not session.is_asked(session=SECOND)


def test_the_prompt_that_was_just_typed_was_not_answered(session, captured):
    session.goes_on(ASKED_AFTER - 1)
    captured.remember_many([said(NEXT)])

    assert not session.is_asked()


@pytest.mark.parametrize("what", ["was_asked", "is_noted"])
def test_who_noted_something_or_was_asked_is_asked_much_later(session, what):
    session.goes_on(ASKED_AFTER)
    getattr(session, what)()
    session.goes_on(ASKED_AGAIN_AFTER - 1)
    assert not session.is_asked()

    session.goes_on()
    assert session.is_asked()


def test_what_was_noted_before_the_session_or_elsewhere_is_no_note_of_it(session):
    session.is_noted()
    session.goes_on(ASKED_AFTER)
    session.is_noted(Scope("project:acme/web"))
    session.is_noted(GLOBAL)

    assert session.is_asked()


@pytest.mark.parametrize("scope", [None, GLOBAL, UNFILED])
def test_where_no_project_is_worked_on_nobody_is_asked(session, scope):
    session.goes_on(ASKED_AFTER, scope=scope or GLOBAL)

    assert not session.is_asked(scope=scope)


def test_of_a_project_at_rest_nobody_is_asked(session, human):
    session.goes_on(ASKED_AFTER)
    human.projects.move(WORK, "paused")

    assert not session.is_asked()


@pytest.mark.row("KB-120")
@pytest.mark.parametrize(
    "chosen",
    [
        {"injection": Strategy.NONE},
        {"injection": Strategy.MANUAL_ONLY},
        {"injection": Strategy.ON_KEYWORD},
        {"injection_asks": False},
    ],
)
@pytest.mark.on_sqlite(but=2)
def test_settings_that_tell_nothing_unasked_ask_for_nothing(session, store, place, chosen):
    session.goes_on(ASKED_AFTER)

    assert not session.is_asked(a_brain(store, place.clock, settings=Settings(**chosen)))
    assert session.is_asked(a_brain(store, place.clock))
