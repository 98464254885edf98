"""What agents are told unasked, by strategy, on both engines."""

import pytest

from tests.brains import a_brain
from tests.context.test_brief import FIRST, SECOND, WORK, said
from tilth.agents.state_folder import StateFolder
from tilth.context.injection import ANSWERS_MAX, LIMIT_MAX, Strategy
from tilth.context.model import Block, BriefRequest
from tilth.context.pitfalls import ToolFailure
from tilth.core.errors import InvalidInputError
from tilth.episodes.episode import EpisodeKind, Role
from tilth.episodes.session import SessionInfo
from tilth.exchanges.model import PASSAGE_CHARS
from tilth.interfaces.hooks.brief_files import BriefFiles
from tilth.runtime.settings import Settings, load

QUESTION = "where is the job queue kept"
SILENT = (Strategy.NONE, Strategy.MANUAL_ONLY)


@pytest.fixture
def make(store, place):
    return lambda **chosen: a_brain(store, place.clock, settings=Settings(**chosen))


@pytest.fixture
def story(captured):
    captured.remember_many(
        [
            said("Move the job queue off Redis. From now on, write tests first."),
            said("We decided to keep the job queue within the data center of Oslo."),
            *(
                said(f"{words} kept in Postgres, table {number}.", hours=number, role=role)
                for number in range(9)
                for words, role in (
                    ("The job queue is", Role.USER),
                    ("Noted, it is", Role.ASSISTANT),
                )
            ),
        ]
    )
    captured.distil()


def told(brain, question="", *, is_asked=False, budget=0):
    request = BriefRequest(
        question=question, session_id=SECOND, via="hook", is_asked=is_asked, budget_tokens=budget
    )
    brief = brain.brief(request, scope=WORK)
    return {block.kind: [item.text for item in block.items] for block in brief.blocks}


@pytest.mark.row("KB-120")
def test_the_default_is_not_none(make, story):
    assert Settings().injection == Strategy.HYBRID
    assert load({}).settings.injected.strategy is Strategy.HYBRID
    assert Block.RULES in told(make())
    assert Block.RECALLED in told(make(), QUESTION)


@pytest.mark.row("KB-120")
@pytest.mark.parametrize("strategy", SILENT)
@pytest.mark.parametrize("question", ["", QUESTION])
def test_none_and_manual_only_say_nothing_unasked(make, story, strategy, question):
    assert told(make(injection=strategy), question) == {}


@pytest.mark.row("KB-120")
def test_manual_only_speaks_when_it_is_asked_and_none_never(make, story):
    assert Block.RULES in told(make(injection="manual_only"), is_asked=True)
    assert told(make(injection="none"), is_asked=True) == {}


@pytest.mark.row("KB-120")
@pytest.mark.parametrize("limit", [1, 3])
def test_top_k_recent_opens_with_the_last_and_adds_nothing_to_prompts(make, story, limit):
    brain = make(injection="top_k_recent", injection_limit=limit)

    opening = told(brain)

    assert set(opening) == {Block.RULES, Block.RECENT}
    assert len(opening[Block.RECENT]) == limit
    assert "table 8" in opening[Block.RECENT][0]
    assert told(brain, QUESTION) == {}


@pytest.mark.row("KB-120")
@pytest.mark.parametrize("limit", [1, 3])
def test_top_k_relevant_opens_with_rules_and_answers_with_k(make, story, limit):
    brain = make(injection="top_k_relevant", injection_limit=limit)
    brain.remember("The job queue is kept alive by systemd where Ada works.", scope=WORK)
    brain.remember("Letters of the job queue are kept for nine years.", scope=WORK)

    assert set(told(brain)) == {Block.RULES}
    assert len(told(brain, QUESTION)[Block.RECALLED]) == limit


@pytest.mark.row("KB-120")
def test_who_asks_what_is_told_beside_a_prompt_is_shown_no_more_than_hosts_are(make, captured):
    kept = [
        f"We keep the job queue in Postgres, in the {name} schema of {place}."
        for name, place in (
            ("billing", "Oslo"), ("mail", "Turin"), ("search", "Lyon"), ("audit", "Kiel"),
            ("media", "Graz"), ("risk", "Porto"), ("tax", "Ghent"), ("fleet", "Malmö"),
        )
    ]  # fmt: skip
    captured.remember_many([said(one, hours=no * 30) for no, one in enumerate(kept)])
    captured.distil()

    hosts = told(make(), QUESTION)
    assert len(hosts[Block.RECALLED]) == ANSWERS_MAX
    assert told(make(), QUESTION, is_asked=True) == hosts
    more = told(make(), QUESTION, is_asked=True, budget=1500)
    assert len(more[Block.RECALLED]) > ANSWERS_MAX


@pytest.mark.row("KB-120")
def test_on_keyword_answers_at_its_words_alone(make, story):
    assert told(make(injection="on_keyword", injection_keywords=("JOB queue",)), QUESTION)
    for others in ((), ("job que",), ("jobs", "déjà")):
        brain = make(injection="on_keyword", injection_keywords=others)
        assert told(brain) == {}
        assert told(brain, QUESTION) == {}


@pytest.mark.row("KB-120")
@pytest.mark.parametrize("strategy", Strategy)
def test_whatever_the_strategy_a_bullet_has_at_most_300_characters(make, strategy):
    brain = make(injection=strategy)
    brain.remember_many([said("the job queue is kept in Postgres " + "and so on " * 90)])

    for blocks in (told(brain), told(brain, f"again: {QUESTION}")):
        for lines in blocks.values():
            assert all(len(line.partition(": ")[2]) <= PASSAGE_CHARS + 2 for line in lines)


@pytest.mark.row("KB-120")
@pytest.mark.parametrize("limit", [0, LIMIT_MAX + 1, -1])
def test_more_than_fifty_are_refused(limit):
    with pytest.raises(InvalidInputError, match="1 to 50"):
        load({"TILTH_INJECTION_LIMIT": str(limit)})


@pytest.mark.row("KB-120")
def test_a_strategy_that_is_none_of_these_is_refused_with_the_list():
    with pytest.raises(InvalidInputError) as refused:
        load({"TILTH_INJECTION": "sometimes"})
    assert "hybrid" in refused.value.hint


@pytest.mark.row("KB-120")
@pytest.mark.parametrize("strategy", SILENT)
def test_who_is_silent_warns_of_no_pitfall(make, strategy):
    loud = make()
    call = 'Bash: {"command": "make migrate"}'
    loud.remember_many(
        [
            said(call, kind=EpisodeKind.TOOL_CALL),
            said("no rule to make target", kind=EpisodeKind.TOOL_FAILURE, role=Role.TOOL),
            said('Bash: {"command": "make migrate V=1"}', kind=EpisodeKind.TOOL_CALL),
            said("done", kind=EpisodeKind.TOOL_RESULT, role=Role.TOOL),
        ]
    )
    failure = ToolFailure(tool="Bash", call=call, error="no rule to make target")

    assert loud.pitfall(failure, scope=WORK)
    assert make(injection=strategy).pitfall(failure, scope=WORK) is None


@pytest.mark.row("KB-120")
def test_what_was_written_to_stand_in_goes_when_nothing_may_be_told(make, place, story, tmp_path):
    brain = make()
    brain.sessions.describe(FIRST, SessionInfo(folder="/home/ada/acme/api"), scope=WORK)
    state = StateFolder(tmp_path / "state")
    assert BriefFiles(brain, state, place.clock).run().made == 1
    assert len(list((tmp_path / "state" / "briefs").iterdir())) == 1

    BriefFiles(make(injection="manual_only"), state, place.clock).run()

    assert list((tmp_path / "state" / "briefs").iterdir()) == []
