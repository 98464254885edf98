"""Whatever a model writes: it is refused in our words, or all that it says was shown."""

import json
from dataclasses import asdict, fields, is_dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilth.core.errors import InvalidInputError
from tilth.core.ids import EpisodeId, FactId
from tilth.episodes.episode import Quote
from tilth.llm import answers
from tilth.llm.answer_schema import Given, read_answer, schema_of
from tilth.llm.prompts import ASSIGNMENTS, fenced
from tilth.llm.task import STRENGTHS, Task

EPISODES = {"epi_1": "The kettle boils at noon.", "epi_2": "“Über” costs 5 €.\nNo more."}
FACTS = ("fct_1", "fct_2", "fct_3")
GIVEN = Given(EPISODES, frozenset(FACTS))
KINDS = sorted((one.answer for one in ASSIGNMENTS.values()), key=lambda kind: kind.__name__)


@st.composite
def quotes(draw):
    episode_id = draw(st.sampled_from(sorted(EPISODES)))
    text = EPISODES[episode_id]
    begin = draw(st.integers(0, len(text) - 1))
    words = text[begin : draw(st.integers(begin + 1, len(text)))]
    return Quote(EpisodeId(episode_id), words if words.strip() else text)


texts = st.text(st.characters(codec="utf-8"), max_size=40)
st.register_type_strategy(Quote, quotes())
st.register_type_strategy(float, st.floats(0, 1))
claims = st.builds(answers.Claim, statement=texts.filter(str.strip), quote=quotes())
ends = st.builds(answers.Overtaken, fact=st.sampled_from(FACTS).map(FactId), quote=quotes())
findings = st.builds(answers.TopicFinding, statement=texts.filter(str.strip), quote=quotes())
conflicts = st.permutations(FACTS).flatmap(
    lambda ids: st.builds(answers.ConflictSeen, first=st.just(ids[0]), second=st.just(ids[1]))
)
judgements = st.permutations(FACTS).flatmap(
    lambda ids: st.builds(
        answers.Judgement,
        fact=st.just(ids[0]),
        verdict=st.just(answers.Fate.DUPLICATE),
        survivor=st.just(ids[1]),
    )
)
lines = st.builds(
    answers.SentenceDraft,
    text=texts.filter(str.strip),
    cites=st.lists(st.sampled_from(FACTS).map(FactId), min_size=1, max_size=3).map(tuple),
)
sections = st.builds(
    answers.SectionDraft,
    heading=texts.filter(str.strip),
    sentences=st.lists(lines, max_size=3).map(tuple),
)
PARTS = {
    answers.Claims: {
        "claims": st.lists(claims, max_size=3).map(tuple),
        "over": st.lists(ends, max_size=3).map(tuple),
    },
    answers.TopicFindings: {"findings": st.lists(findings, max_size=3).map(tuple)},
    answers.Contradictions: {"conflicts": st.lists(conflicts, max_size=3).map(tuple)},
    answers.Judged: {"verdicts": st.lists(judgements, max_size=3).map(tuple)},
    answers.PageDraft: {"sections": st.lists(sections, max_size=3).map(tuple)},
}
jsons = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts | st.sampled_from(FACTS),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=12,
)


def good(kind):
    return st.builds(kind, **PARTS.get(kind, {}))


def all_shown(value):
    """Say whether every quote and ID in an answer was shown."""
    if isinstance(value, Quote):
        return bool(value.text.strip()) and value.text in EPISODES[value.episode_id]
    if isinstance(value, tuple):
        return all(map(all_shown, value))
    if isinstance(value, answers.ConflictSeen):
        return {value.first, value.second} <= set(FACTS)
    if isinstance(value, answers.SentenceDraft):
        return bool(value.cites) and set(value.cites) <= set(FACTS)
    if is_dataclass(value):
        return all(all_shown(getattr(value, one.name)) for one in fields(value))
    return not isinstance(value, float) or 0 <= value <= 1


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@given(data=st.data())
def test_a_good_answer_comes_through_as_it_is(kind, data):
    answer = data.draw(good(kind))

    assert read_answer(kind, json.dumps(asdict(answer)), GIVEN) == answer


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@given(data=st.data())
def test_an_answer_that_was_meddled_with_is_refused_or_still_says_what_was_shown(kind, data):
    told = asdict(data.draw(good(kind)))
    _meddle(data, told)

    try:
        read = read_answer(kind, json.dumps(told), GIVEN)
    except InvalidInputError:
        return
    assert all_shown(read)


def _meddle(data, told):
    """Put something else into one place of *told*."""
    place = told
    for _ in range(data.draw(st.integers(0, 4))):
        keys = [key for key, value in _items(place) if isinstance(value, dict | list | tuple)]
        if not keys:
            break
        key = data.draw(st.sampled_from(keys))
        if isinstance(place[key], tuple):
            place[key] = list(place[key])
        place = place[key]
    if keys := [key for key, _ in _items(place)]:
        place[data.draw(st.sampled_from(keys))] = data.draw(jsons)


def _items(place):
    return list(place.items()) if isinstance(place, dict) else list(enumerate(place))


@given(st.sampled_from(KINDS), jsons.map(json.dumps) | st.text(max_size=60))
def test_no_text_at_all_is_more_than_refused(kind, text):
    try:
        read = read_answer(kind, text, GIVEN)
    except InvalidInputError:
        return
    assert all_shown(read)


@pytest.mark.parametrize(
    "wrapped",
    [
        "```json\n{}\n```",
        "<think>Is {it} done?</think>\n{}",
        "Here you are: {}",
        "{}\n\nAnything else?",
    ],
)
def test_a_model_may_talk_around_its_answer(wrapped):
    told = '{"is_idle": false, "reason": "", "pending": []}'
    text = wrapped.replace("{}", told)

    assert read_answer(answers.IdleJudgement, text, GIVEN).is_idle is False


def test_half_a_character_is_none():
    told = '{"is_idle": false, "reason": "\\ud800", "pending": []}'

    with pytest.raises(InvalidInputError, match="half a character"):
        read_answer(answers.IdleJudgement, told, GIVEN)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_schema_is_of_the_kind_that_every_server_can_hold_an_answer_to(kind):
    def check(schema):
        if schema["type"] == "object":
            assert schema["required"] == list(schema["properties"])
            assert schema["additionalProperties"] is False
            for inner in schema["properties"].values():
                check(inner)
        if schema["type"] == "array":
            check(schema["items"])
        known = {"type", "properties", "required", "additionalProperties", "items", "enum"}
        assert schema.keys() <= known

    check(schema_of(kind))


def test_every_task_has_words_an_answer_of_its_own_and_somebody_who_does_it():
    assert set(ASSIGNMENTS) == set(STRENGTHS) == set(Task)
    assert len({one.answer for one in ASSIGNMENTS.values()}) == len(Task)


@pytest.mark.row("X-15")
@given(st.lists(st.dictionaries(texts, texts, max_size=3), max_size=4))
def test_no_text_leaves_its_line(items):
    shown = fenced(items, "DATA-1").splitlines()

    assert len(shown) == len(items) + 2
    assert [json.loads(line) for line in shown[1:-1]] == items
