"""Recall, on a real store of either engine."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.brains import a_brain
from tests.conftest import a_draft, append
from tests.fakes import START, HashingEmbedder
from tilth.context.model import BriefRequest
from tilth.core.errors import InvalidInputError, UnavailableError
from tilth.core.lifecycle import Freshness, Lifecycle
from tilth.core.scope import DEFAULT_OWNER, Owner, Scope, Visibility
from tilth.episodes.episode import EpisodeKind
from tilth.recall.model import FETCH_MAX
from tilth.recall.recall import fetch
from tilth.recall.views import hits
from tilth.runtime.brain import IMPORTER

DAY = timedelta(days=1)
LEDGER = "We chose PostgreSQL for the ledger, after a long talk."


def texts(found):
    return [hit.text for hit in found.hits]


@pytest.fixture
def told(brain):
    """A brain that was told a few things, and the IDs of them."""
    said = (LEDGER, "The kettle is on.", "Rain again in Bergen.", "Tea at four, as always.")
    ids = brain.remember_many(
        [
            a_draft(text, session_id=f"s{number}", occurred_at=START - number * DAY)
            for number, text in enumerate(said)
        ]
    )
    return brain, ids


@pytest.mark.row("OB-073")
def test_a_real_question_finds_real_text(told):
    brain, ids = told

    found = brain.recall("What did we say of PostgreSQL and the ledger?")

    assert (found.hits[0].id, found.hits[0].text) == (ids[0], LEDGER)
    assert found.answerable


@pytest.mark.row("OB-067")
def test_no_episode_needs_to_hold_every_word(told):
    brain, _ = told

    found = brain.recall("ledger kettle bergen tea unheard unseen unknown unsaid")

    assert len(found.hits) == 4
    assert (*found,) == found.hits


@pytest.mark.row("OB-067")
def test_a_question_of_many_words_is_answered(told):
    brain, _ = told
    filler = " ".join(f"word{number}" for number in range(60))

    assert texts(brain.recall(f"ledger {filler}"))[0] == LEDGER


@pytest.mark.row("MP-01")
def test_what_is_recalled_is_what_was_said_to_the_byte(brain):
    text = "  Zażółć\r\n\tgęślą \u202ejaźń\u202c, {42} 🌱  "
    brain.remember(text)

    assert texts(brain.recall("gesla jazn")) == [text]


@pytest.mark.row("MP-04")
def test_without_vectors_words_still_find(told, place):
    brain, _ = told
    with brain._parts.store.begin() as tx:
        tx.drop_space(HashingEmbedder().space)

    assert texts(brain.recall("Which database for the ledger?"))[0] == LEDGER


class Unavailable(HashingEmbedder):
    """A model that was there once."""

    def __init__(self):
        super().__init__(32)
        self.is_there = True

    def embed(self, texts):
        if not self.is_there:
            raise UnavailableError("the model does not answer")
        return super().embed(texts)


@pytest.mark.row("MP-04")
def test_a_model_that_does_not_answer_leaves_a_note(store, place):
    second = Unavailable()
    brain = a_brain(store, place.clock, second=second)
    brain.remember(LEDGER)
    brain.embed_backlog()
    second.is_there = False

    found = brain.recall("Which database for the ledger?")

    assert texts(found) == [LEDGER]
    assert "does not answer" in found.notes[0]


@pytest.mark.row("KB-124")
def test_search_works_while_a_space_is_being_filled(store, place):
    brain = a_brain(store, place.clock, second=HashingEmbedder(32))
    brain.remember_many([a_draft(f"kettle number {number}") for number in range(9)])
    brain.embed_backlog(limit=4)

    found = brain.recall("kettle number", limit=9)

    assert len(found.hits) == 9
    assert sum("cosine_second" in hit.signals for hit in found.hits) == 4
    assert all("cosine_first" in hit.signals for hit in found.hits)


@pytest.mark.row("MP-05")
def test_a_prompt_in_front_of_a_question_changes_nothing(told):
    brain, _ = told
    prompt = "You are a careful assistant. Rain, kettle and tea are words you like.\n" * 40
    asked = "Which database did we choose for the ledger?"

    assert brain.recall(prompt + asked).hits == brain.recall(asked).hits


@pytest.mark.row("OB-064")
def test_skim_gives_snippets_and_fetch_the_whole(brain):
    long = "so it went " * 100 + "the kettle broke at last " + "and so on " * 100
    brain.remember(long)

    (hit,) = brain.recall("when did the kettle break?", is_full=False).hits

    assert "kettle broke" in hit.text
    assert len(hit.text.split()) <= 42
    assert (hit.word_count, hit.is_snippet) == (len(long.split()), True)
    assert [episode.text for episode in brain.fetch([hit.id])] == [long]


@pytest.mark.row("OB-064")
def test_fetch_drops_what_is_bad_or_foreign(told):
    brain, ids = told
    unknown = ids[0][:-4] + "0000"

    found = brain.fetch([ids[1], "no id", unknown, ids[0], ids[1]])

    assert [episode.id for episode in found] == [ids[1], ids[0]]
    store = brain._parts.store
    assert fetch(store, ids, Visibility(Owner("someone-else"))) == []
    assert fetch(store, ids, Visibility(DEFAULT_OWNER, frozenset({Scope("project:x")}))) == []


@pytest.mark.row("OB-064")
def test_fetch_takes_no_more_than_twenty(told):
    brain, ids = told

    with pytest.raises(InvalidInputError, match="at most 20"):
        brain.fetch([ids[0]] * (FETCH_MAX + 1))


@pytest.mark.row("OB-065")
def test_a_hit_carries_its_raw_signals(told):
    brain, _ = told

    hit = brain.recall("Which database for the ledger?").hits[0]

    expected = {"bm25", "covered", "cosine_first", "session_bm25", "rank_lexical", "arms"}
    assert expected <= hit.signals.keys()
    assert (hit.signals["rank_lexical"], hit.signals["arms"]) == (1.0, 2.0)
    assert sum(hit.parts.values()) == pytest.approx(hit.score)


@pytest.mark.row("C-13")
def test_recall_finds_what_is_outdated_too(brain):
    for number, colour in enumerate(("red", "blue", "green")):
        at = START + number * DAY
        brain.remember(f"The deploy key lives in the {colour} vault.", at=at)

    found = brain.recall("Where does the deploy key live?")

    assert [text.split()[-2] for text in texts(found)] == ["green", "blue", "red"]
    assert len({hit.group for hit in found.hits}) == 1


def test_as_of_leaves_out_what_happened_later_and_known_at_what_was_learnt_later(brain, place):
    brain.remember("kettle early", at=START - 9 * DAY)
    place.clock.at = START + DAY
    brain.remember("kettle late", at=START - DAY)

    assert texts(brain.recall("kettle", as_of=START - 9 * DAY)) == ["kettle early"]
    assert texts(brain.recall("kettle", known_at=START + DAY / 2)) == ["kettle early"]
    assert len(brain.recall("kettle", as_of=START, known_at=START + 2 * DAY).hits) == 2
    end = datetime.max.replace(tzinfo=UTC)
    assert len(brain.recall("kettle", as_of=end, known_at=end).hits) == 2


def test_a_question_can_be_kept_to_a_session_and_to_kinds(brain):
    brain.remember("kettle one", session_id="a")
    brain.remember("kettle two", session_id="b")
    brain.remember("kettle three", session_id="b", kind=EpisodeKind.NOTE)

    assert texts(brain.recall("kettle", session_id="a")) == ["kettle one"]
    assert texts(brain.recall("kettle", session_id="b", kinds=["note"])) == ["kettle three"]


def test_a_date_alone_finds_what_happened_then(brain):
    ids = [brain.remember("Nothing new.", at=START - number * DAY) for number in range(40)]

    found = brain.recall("what was said on 2025-12-22?", limit=1, is_grouped=False)

    assert [hit.id for hit in found.hits] == [ids[10]]


def test_a_budget_ends_the_answer_with_whole_hits(told):
    brain, _ = told

    found = brain.recall("ledger kettle bergen tea", budget_tokens=20)

    assert 0 < sum(len(hit.text) for hit in found.hits) <= 80
    assert set(texts(found)) <= set(texts(brain.recall("ledger kettle bergen tea")))


@pytest.mark.parametrize(
    ("days", "label"),
    [(6, "fresh"), (8, "ageing"), (89, "ageing"), (91, "verify"), (399, "verify"), (401, "guess")],
)
@pytest.mark.on_sqlite(but=2)
def test_age_has_a_label(brain, days, label):
    brain.remember("the kettle is on", at=START - days * DAY)

    (hit,) = brain.recall("kettle").hits

    assert hit.freshness is Freshness(label)


def test_what_a_wrong_clock_dates_ahead_ages_from_when_it_was_recorded(brain, place):
    brain.remember("the kettle is on", at=START + 365_000 * DAY)
    (new,) = brain.recall("kettle").hits
    place.clock.at = START + 401 * DAY

    (old,) = brain.recall("kettle").hits

    assert (new.freshness, old.freshness) == (Freshness.FRESH, Freshness.GUESS)
    told = "".join("".join(line) for line in hits(brain.recall("kettle")))
    assert f"(guess, recorded {START:%Y-%m-%d})" in told


def test_sessions_come_with_the_answer_best_first(told):
    brain, _ = told

    assert brain.recall("Which database for the ledger?").sessions[0] == "s0"


def test_an_empty_brain_answers_that_it_does_not_know(brain):
    found = brain.recall("Which database?")

    assert (found.hits, found.sessions, found.answerable) == ((), (), False)


@pytest.mark.row("MP-06")
def test_what_was_said_before_is_named_with_its_likeness_and_stays(brain):
    known = brain.remember("the red kettle is on the stove in the kitchen")
    brain.remember("it rains in the garden, and the cat is outside")
    brain.remember("ada moved the meeting to thursday at noon")

    (same,) = brain.duplicates("the red kettle is on the stove in the kitchen")

    assert (same.id, same.likeness) == (known, pytest.approx(1.0, abs=0.01))
    assert brain.duplicates("nobody ever said this about a submarine") == []
    assert [one.text for one in brain.episodes.list()].count(same.text) == 1
    with pytest.raises(InvalidInputError):
        brain.duplicates("x", likeness_min=1.1)


@pytest.mark.row("MP-06")
def test_a_duplicate_of_somebody_else_is_not_named(store, place):
    alice, bob = (a_brain(store, place.clock, owner=Owner(name)) for name in ("alice", "bob"))
    alice.remember("the red kettle is on the stove in the kitchen")

    assert bob.duplicates("the red kettle is on the stove in the kitchen") == []


def test_the_only_episode_of_a_store_can_answer(brain):
    brain.remember(LEDGER)

    found = brain.recall("PostgreSQL for the ledger?")

    assert found.answerable
    assert found.hits[0].signals["cosine_first"] > 0.3


def test_either_of_two_notes_answers_and_neither_what_it_does_not_say(brain):
    serviced = brain.remember("The boiler is serviced every October by Hansen.")
    brain.remember("The garage door code is changed each spring.")

    for asked in ("when is the boiler serviced", "who services the boiler?"):
        found = brain.recall(asked)
        assert (found.answerable, found.hits[0].id) == (True, serviced), asked
    for asked in ("when was the dishwasher serviced", "who is Larsen", "where is the ladder"):
        assert not brain.recall(asked).answerable, asked


def test_a_few_statements_of_one_thing_still_answer_what_is_asked_of_it(brain):
    for said in (
        "The API port is 4300.",
        "API: port = 4400",
        "The API port is 4400.",
        "the port of the API is 4400 now",
        "API port 4400",
        "We keep the API at port 4400.",
    ):
        brain.remember(said)

    assert brain.recall("which port does the API use").answerable
    assert not brain.recall("which database does the API use").answerable


@pytest.mark.row("MP-04")
def test_a_hit_brings_what_was_said_around_it(brain):
    said = ["Tea?", "Later.", LEDGER, "Good.", "Then lunch."]
    brain.remember_many([a_draft(text, session_id="s") for text in said])
    brain.remember("PostgreSQL, in another session", session_id="other")

    hit = brain.recall("PostgreSQL for the ledger", around=1).hits[0]

    assert [(near.offset, near.text) for near in hit.around] == [(-1, "Later."), (1, "Good.")]
    assert brain.recall("PostgreSQL for the ledger").hits[0].around == ()
    with pytest.raises(InvalidInputError):
        brain.recall("PostgreSQL", around=11)


@pytest.mark.row("C-23")
def test_what_an_import_brought_is_historical_and_unreviewed(told, store):
    brain, ids = told
    append(store, a_draft("The ledger of 2019 was a spreadsheet."), by=IMPORTER)

    found = {hit.text: hit for hit in brain.recall("What is the ledger?").hits}

    imported = found["The ledger of 2019 was a spreadsheet."]
    assert (imported.lifecycle, imported.review) == ("historical", "unreviewed")
    assert (found[LEDGER].lifecycle, found[LEDGER].review) == ("current", "unreviewed")
    assert brain.episodes.get(imported.id).lifecycle is Lifecycle.HISTORICAL
    assert brain.episodes.get(ids[0]).lifecycle is Lifecycle.CURRENT


@pytest.mark.row("EM-061")
def test_an_id_is_never_searched_for_as_words(brain):
    known = brain.remember("the kettle is on")
    brain.remember(f"what was said in {known} was wrong, see {known}")

    for asked in (known, f" {known.lower()} ", "fct_01JD3ZK9Q2C5T0V8XW7YB4N6HM"):
        with pytest.raises(InvalidInputError, match="is an id") as refused:
            brain.recall(asked)
        assert "by its id" in refused.value.hint
    assert brain.recall(f"what was said in {known}").hits
    assert brain.brief(BriefRequest(question=known)).text == ""


def test_what_holds_no_words_is_found_by_its_signs(brain):
    said = [brain.remember(text) for text in ("🦊 🦊", "🦊 🐻", "🦊")]

    answer = brain.recall("🦊", limit=5)

    assert {hit.id for hit in answer.hits} <= set(said)
