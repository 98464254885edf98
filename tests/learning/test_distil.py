"""From what was said to what is known, on both engines."""

import logging
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta

import pytest

from tests.brains import a_brain
from tests.conftest import a_draft
from tests.fakes import START, FixedClock
from tilth.context.model import BriefRequest
from tilth.core.actor import DISTILLER, HOOKS, Actor, ActorKind
from tilth.core.errors import ForbiddenError, InvalidInputError
from tilth.core.lifecycle import Lifecycle, Review
from tilth.core.scope import DEFAULT_OWNER
from tilth.episodes.events import EpisodeRecorded
from tilth.knowledge.facts.life import Authority
from tilth.knowledge.vocabulary.registries import Channel
from tilth.learning.distil import EPISODES_AT_ONCE, SESSIONS_AT_ONCE
from tilth.learning.events import SessionsDistilled
from tilth.learning.model import CHARACTERS_FROM, Trigger, Window, parse_thresholds
from tilth.runtime.settings import Settings

WORK = "project:acme/api"
# That of a product, whose pages are its own.
RULE = "Never show prices in the page header."
MARINA = '/remember "Marina is CTO at Acme"'


@pytest.fixture
def store(whole_store, place):
    # What is recorded a day on is said then.
    place.clock.at = START + timedelta(days=1)
    return whole_store


@pytest.fixture
def clock():
    return FixedClock(START + timedelta(days=1))


@pytest.fixture
def brain(store, clock):
    # As the worker records what hooks captured.
    return a_brain(store, clock, by=HOOKS)


def say(brain, text, *, ago=0, session="s1", **how):
    at = START + timedelta(days=1) - timedelta(seconds=ago)
    return brain.remember(text, session_id=session, at=at, scope=WORK, **how)


def stated(brain):
    return [fact.said.triple for fact in brain.facts.list(scope=WORK)]


@pytest.mark.row("DU-019")
def test_what_a_person_says_is_to_be_remembered_is_stated_as_a_triple(brain):
    episode_id = say(brain, MARINA)

    done = brain.distil(is_asked=False)

    (fact,) = brain.facts.list(scope=WORK)
    triple = fact.said.triple
    assert (triple.subject, triple.predicate, triple.object) == (
        "Marina",
        "role_at",
        "urn:client:acme/CTO",
    )
    assert (fact.said.text, fact.said.channel) == ("Marina is CTO at Acme", Channel.RELATIONSHIP)
    (span,) = fact.evidence
    said = brain.episodes.get(span.episode_id)
    assert (said.id, said.text[span.start : span.end]) == (episode_id, "Marina is CTO at Acme")
    assert fact.life.valid_from == said.occurred_at
    assert [one.trigger for one in done.windows] == [Trigger.MANUAL]


@pytest.mark.row("DU-019")
def test_nothing_becomes_confirmed_by_it(brain):
    say(brain, MARINA)

    brain.distil()

    (fact,) = brain.facts.list(scope=WORK)
    assert fact.by.kind is ActorKind.JOB
    assert fact.life.review is Review.UNREVIEWED
    assert not fact.is_vouched


@pytest.mark.row("DU-019")
def test_what_has_no_triple_is_kept_in_words_about_the_project(brain):
    say(brain, "/remember Deployments wait for Monday")

    brain.distil()

    (fact,) = brain.facts.list(scope=WORK)
    assert (fact.said.text, fact.said.triple) == ("Deployments wait for Monday", None)
    assert len(fact.about) == 1


@pytest.mark.row("DU-008", "DU-015", "DU-019")
@pytest.mark.parametrize("order", [1, -1], ids=["remembered-first", "spoken-first"])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Anna lives in Berlin", "Anna lives in Rome now"),
        ("Marina is CTO at Acme", "Marina is the CEO of Acme"),
        ("Marina is the CTO of Acme", "Marina is CEO at Acme"),
        ("Tom's email is tom@acme.io", "Tom's email is tom@globex.io"),
        ("Anna works on the parser", "Anna works on the lexer"),
    ],
)
@pytest.mark.on_sqlite(but=3)
def test_what_is_remembered_and_what_is_spoken_replace_each_other(brain, place, order, old, new):
    forms = ('/remember "{}"', "{}.")[::order]
    for days, (form, words) in enumerate(zip(forms, (old, new), strict=True)):
        place.clock.at = START + timedelta(days=1 + days)
        brain.remember(form.format(words), session_id=f"s{days}", at=place.clock.at, scope=WORK)
        brain.distil()

    told = brain.facts.list(scope=WORK, lifecycles=["current", "superseded"])
    assert sorted((one.said.text.strip("."), one.life.lifecycle) for one in told) == sorted(
        [(old, "superseded"), (new, "current")]
    )


@pytest.mark.row("DU-015")
def test_what_an_agent_writes_down_stays_in_the_channel_that_it_names(brain):
    say(brain, "Anna lives in Berlin.", ago=9)
    brain.distil()
    say(brain, "MEMORY: wrote=(entity | Anna | lives_in | Rome)", role="assistant", session="s2")
    brain.distil()

    told = {one.said.triple.object: one.said.channel for one in brain.facts.list(scope=WORK)}
    assert told == {"Berlin": Channel.RELATIONSHIP, "Rome": Channel.ENTITY}


@pytest.mark.row("DU-008", "DU-015", "DU-019")
@pytest.mark.parametrize("order", [1, -1], ids=["remembered-first", "spoken-first"])
def test_another_value_of_one_thing_waits_for_a_human_however_it_is_told(brain, order):
    forms = ('/remember "The API listens on port {}"', "The API listens on port {} now.")[::order]
    for number, form in enumerate(forms):
        say(brain, form.format(9090 + number), ago=10 - number, session=f"s{number}")
        brain.distil()

    told = brain.facts.list(scope=WORK, lifecycles=["current", "draft"])
    assert sorted((one.said.triple.object, one.life.lifecycle) for one in told) == [
        ("9090", "current"),
        ("9091", "draft"),
    ]
    assert {one.slot for one in told} == {'["entity","api","port"]'}


@pytest.mark.row("DU-015", "DU-019")
def test_a_role_that_is_told_in_other_words_is_no_new_truth(brain):
    said = (MARINA, "Marina is the CTO of Acme.", '/remember "Marina is the CTO of Acme"')
    for number, words in enumerate(said):
        say(brain, words, ago=10 - number, session=f"s{number}")
        brain.distil()

    (fact,) = brain.facts.list(scope=WORK, lifecycles=["current", "superseded"])
    assert len(fact.evidence) == len(said)
    (found,) = brain.kg.query("urn:client:acme", depth=2, scope=WORK).triples
    assert (found.subject, found.object) == ("Marina", "urn:client:acme/CTO")


@pytest.mark.row("C-21", "DU-019")
@pytest.mark.parametrize("words", ["<private>secret</private>", "<private>a</private>, [private]."])
def test_what_is_private_as_a_whole_is_no_fact(brain, words):
    say(brain, f'/remember "{words}"')

    assert brain.distil().refused_count == 1
    assert brain.facts.list(scope=WORK) == []
    with pytest.raises(InvalidInputError, match="private as a whole"):
        brain.facts.add(words, about=["kettle"], scope=WORK)


@pytest.mark.on_sqlite(but=1)
@pytest.mark.row("C-21", "DU-019")
@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("The shed opens at 9 (<private>the code is 4711</private>).", "The shed opens at 9."),
        ("The shed opens at 9. <private>The code is 4711.</private>", "The shed opens at 9."),
        ("<private>The code is 4711</private>. The shed opens at 9.", "The shed opens at 9."),
    ],
)
def test_what_stands_outside_of_a_private_span_is_a_fact(brain, words, told):
    say(brain, f'/remember "{words}"')

    brain.distil()
    brain.facts.add(words, about=["shed"], scope="project:other")

    assert [one.said.text for one in brain.facts.list(scope=WORK)] == [told]
    assert [one.said.text for one in brain.facts.list(scope="project:other")] == [told]


@pytest.mark.row("C-21", "DU-019")
@pytest.mark.parametrize(
    "words",
    [
        '/remember "The code of the shed is <private>4711</private>."',
        "/remember Anna lives in <private>Rome</private>.",
        '/remember "<private>Anna</private> lives in Rome."',
        "We decided to use <private>Acme</private> as the supplier of kettles.",
        "From now on, send every invoice to <private>Anna</private> first.",
        "No, the port is <private>5433</private>, not 5432.",
    ],
)
@pytest.mark.on_sqlite(but=2)
def test_what_is_private_of_a_statement_is_neither_its_value_nor_its_subject(brain, words):
    say(brain, words)

    brain.distil()

    assert brain.facts.list(scope=WORK) == []
    assert brain.entities.list() == []
    assert "[private]" in brain.recall("the code Anna supplier invoice port").hits[0].text


@pytest.mark.row("C-21", "DU-020")
def test_a_line_of_an_agent_states_no_private_value(brain):
    say(brain, "MEMORY: wrote=(Anna | lives_in | <private>Rome</private>)", role="assistant")

    brain.distil()

    assert brain.facts.list(scope=WORK) == []


@pytest.mark.row("C-21")
def test_a_private_value_or_subject_is_refused_from_everybody(brain):
    with pytest.raises(InvalidInputError, match="private in part"):
        brain.facts.add("The code is <private>4711</private>.", about=["shed"], scope=WORK)
    with pytest.raises(InvalidInputError, match="private in part"):
        brain.facts.add("It opens at 9.", about=["<private>shed</private>"], scope=WORK)
    with pytest.raises(InvalidInputError, match="private in part"):
        brain.kg.add(
            subject="Anna",
            predicate="lives_in",
            object="<private>Rome</private>",
            channel="entity",
            scope=WORK,
        )

    assert brain.facts.list(scope=WORK) == []


@pytest.mark.row("C-21", "KB-125")
def test_what_is_asked_for_with_a_private_span_is_no_habit_and_ends_no_run(brain):
    for number in range(3):
        words = "push the billing image to <private>Acme</private> with every tag"
        say(brain, words, session=f"s{number}", ago=3 - number)
    say(brain, RULE, session="s9")

    brain.distil()

    assert [one.said.text for one in brain.facts.list(scope=WORK)] == [RULE]


@pytest.mark.parametrize("scope", ["global", "unfiled"])
def test_what_is_said_in_no_project_is_about_the_user(brain, scope):
    brain.remember('/remember "The kettle whistles at dawn."', session_id="s1", scope=scope)

    brain.distil(is_asked=False)

    (fact,) = brain.facts.list(scope=scope)
    assert [brain.entities.get(one).entity.name for one in fact.about] == ["user"]


@pytest.mark.row("KB-114")
@pytest.mark.parametrize(
    "order", ["don't mention Zephyr in the wiki", "forget that Zephyr runs on thor"]
)
def test_an_order_to_the_memory_is_not_remembered_as_a_fact(brain, order):
    say(brain, f"/remember {order}")

    assert brain.distil().refused_count == 1
    assert brain.facts.list(scope=WORK) == []


@pytest.mark.row("KB-114")
@pytest.mark.parametrize(
    "order",
    [
        "Don't ever mention Quokka in the wiki.",
        "Never show Quokka in the brief.",
        "Please don't ever bring up Quokka in the wiki.",
        "Always leave Quokka out of your project page.",
        "Stop writing about Quokka in the project page.",
    ],
)
@pytest.mark.on_sqlite(but=2)
def test_who_tells_the_memory_what_to_leave_out_lays_down_no_rule(brain, order):
    say(brain, order)
    say(brain, RULE)

    brain.distil()

    assert [one.said.text for one in brain.facts.list(scope=WORK)] == [RULE]
    brain.pages.compile("project", scope=WORK)
    assert "Quokka" not in brain.pages.get("api", scope=WORK).markdown


@pytest.mark.row("KB-114")
def test_how_a_product_shows_its_project_page_is_a_rule_of_the_project(brain):
    say(brain, "Never show PayPal on the project page.")

    brain.distil()

    (fact,) = brain.facts.list(scope=WORK)
    assert fact.said.text == "Never show PayPal on the project page."
    assert fact.life.authority is Authority.INSTRUCTION


@pytest.mark.row("KB-125")
@pytest.mark.parametrize(
    "words",
    [
        "The deploy key is {}.",
        "We always log in with {} on staging.",
        "We decided to use api_key={} because rotation is slow.",
        "From now on, send {} as the token of the shop.",
        "/remember the deploy key is {}",
        '/remember "Marina uses {}"',
        "No, the deploy key is {}, not the old one.",
    ],
)
@pytest.mark.on_sqlite(but=2)
def test_what_rested_on_a_secret_becomes_neither_a_fact_nor_an_entity(brain, words):
    for number, key in enumerate(("sk-proj-" + "a1B2c3D4" * 5, "AKIA" + "Q7RZK3M2W5X9T4BN")):
        said = say(brain, words.format(key), session=f"s{number}")
        assert "[secret:" in brain.episodes.get(said).text

    done = brain.distil()

    assert (done.stated, done.refused_count) == ([], 0)
    assert brain.facts.list(scope=WORK) == []
    assert brain.entities.list() == []
    assert brain.distil().windows == []


@pytest.mark.row("KB-125")
@pytest.mark.parametrize(
    "words",
    [
        "Always sign the images before a release, the key is {}.",
        "From now on, tag every release with its date (token: {}).",
        "Never push the key {} to the public mirror.",
        "Never print tokens such as {} in the build log.",
        "Always run `SHOP_TOKEN={} make seed` before the tests.",
        "/remember always sign the images, the key is {}",
        "We decided to use Postgres 17, the password is {}.",
    ],
)
@pytest.mark.on_sqlite(but=2)
def test_a_rule_beside_a_key_stays_with_the_key_taken_out(brain, words):
    key = "sk-proj-" + "a1B2c3D4" * 5
    kept = brain.episodes.get(say(brain, words.format(key))).text

    brain.distil()

    (fact,) = brain.facts.list(scope=WORK)
    assert fact.said.text == kept.removeprefix("/remember ")
    assert "[secret:" in fact.said.text
    assert key not in fact.said.text


@pytest.mark.row("KB-125")
@pytest.mark.parametrize(
    "words",
    [
        "Remember that the password of the staging database is {}.",
        "For the staging database, the password is {}.",
        "Always use the token {}.",
        "Never use the token {}.",
        "Never share the key {}, please.",
        "From now on the key is {}.",
        "Always log in to the shop as Anna with {}.",
    ],
)
@pytest.mark.on_sqlite(but=2)
def test_a_rule_that_rests_on_a_key_is_left_out(brain, words):
    say(brain, words.format("sk-proj-" + "a1B2c3D4" * 5))

    brain.distil()

    assert brain.facts.list(scope=WORK) == []


@pytest.mark.row("KB-125")
def test_what_stands_beside_a_secret_is_stated(brain):
    say(brain, "The key is " + "sk-proj-" + "a1B2c3D4" * 5 + ". We decided to use Postgres 17.")

    brain.distil()

    assert [one.said.text for one in brain.facts.list(scope=WORK)] == [
        "We decided to use Postgres 17."
    ]


@pytest.mark.on_sqlite(but=1)
@pytest.mark.row("DU-019")
@pytest.mark.parametrize("role", ["assistant", "tool", "system"])
def test_only_a_persons_word_is_a_command(brain, role):
    say(brain, MARINA, role=role)

    assert brain.distil().found_count == 0


@pytest.mark.row("DU-020")
def test_the_line_of_an_agent_is_stated_triple_by_triple(brain):
    say(
        brain,
        "Done.\nMEMORY: wrote=(Acme | uses | Postgres), (decision | api | keeps | the queue)",
        role="assistant",
    )

    brain.distil()

    facts = {fact.said.triple.predicate: fact for fact in brain.facts.list(scope=WORK)}
    assert facts["uses"].said.channel is Channel.ENTITY
    assert facts["keeps"].said.channel is Channel.DECISION
    assert facts["keeps"].said.triple.object == "the queue"


@pytest.mark.row("DU-020")
@pytest.mark.parametrize(
    "line",
    [
        "MEMORY: wrote=(Acme | uses)",
        "MEMORY: wrote=(Acme | uses | Postgres) and more",
        "MEMORY: wrote=(gossip | Acme | uses | Postgres)",
        "MEMORY: wrote=(Acme | uses | Postgres) (broken)",
        "MEMORY: wrote=(Acme |  | Postgres)",
        "MEMORY: wrote (Acme | uses | Postgres)",
        'MEMORY: wrote="it just works"',
        "MEMORY: wrote=(Acme | uses | " + "x" * 300 + ")",
        '/remember "Marina is CTO at Acme',
        "/remember",
    ],
)
@pytest.mark.on_sqlite(but=2)
def test_what_is_malformed_is_logged_and_not_stored(brain, caplog, line):
    role = "assistant" if line.startswith("MEMORY") else "user"
    episode_id = say(brain, line, role=role)

    with caplog.at_level(logging.WARNING):
        done = brain.distil()

    assert stated(brain) == []
    assert done.refused_count == 1
    assert episode_id in caplog.text
    assert "Acme" not in caplog.text


@pytest.mark.row("DU-020")
@pytest.mark.parametrize(
    "text",
    [
        "MEMORY: wrote=",
        "MEMORY: wrote=none",
        "```\nMEMORY: wrote=(Acme | uses | Postgres)\n```",
        "The format is `MEMORY: wrote=(a | b | c)`.",
        "MEMORY: 16 GiB",
    ],
)
@pytest.mark.on_sqlite(but=2)
def test_a_line_that_says_nothing_or_is_shown_as_an_example_is_none(brain, text):
    say(brain, text, role="assistant")

    assert brain.distil().found_count == 0


@pytest.mark.row("DU-020")
@pytest.mark.parametrize("role", ["user", "tool"])
def test_nobody_but_the_agent_writes_such_a_line(brain, role):
    say(brain, "MEMORY: wrote=(Acme | uses | Postgres)", role=role)

    assert brain.distil().found_count == 0


@pytest.mark.row("KB-119")
def test_six_messages_are_looked_through_once(brain):
    for number in range(5):
        say(brain, f"message {number}")
    assert brain.distil(is_asked=False).windows == []

    say(brain, "message 5")

    assert [one.trigger for one in brain.distil(is_asked=False).windows] == [Trigger.MESSAGES]
    assert brain.distil(is_asked=False).windows == []


@pytest.mark.row("KB-119")
def test_so_many_characters_are_looked_through_once(brain):
    say(brain, "x" * (CHARACTERS_FROM - 1))
    assert brain.distil(is_asked=False).windows == []

    say(brain, "x")

    assert [one.trigger for one in brain.distil(is_asked=False).windows] == [Trigger.CHARACTERS]
    assert brain.distil(is_asked=False).windows == []


@pytest.mark.row("KB-119")
def test_a_quiet_session_is_looked_through_once(brain, clock):
    say(brain, "one message")
    clock.at += timedelta(seconds=59)
    assert brain.distil(is_asked=False).windows == []

    clock.at += timedelta(seconds=1)

    assert [one.trigger for one in brain.distil(is_asked=False).windows] == [Trigger.IDLE]
    assert brain.distil(is_asked=False).windows == []


@pytest.mark.row("KB-119")
def test_whoever_asks_gets_it_looked_through_once(brain):
    say(brain, "one message")

    assert [one.trigger for one in brain.distil().windows] == [Trigger.MANUAL]
    assert brain.distil().windows == []


@pytest.mark.row("KB-119")
def test_two_hundred_episodes_are_looked_through_at_once_and_no_more(brain):
    said = [say(brain, f"message {number}") for number in range(EPISODES_AT_ONCE + 1)]

    (window,) = brain.distil(is_asked=False).windows

    assert window.through == brain.episodes.get(said[199]).seq
    (rest,) = brain.distil().windows
    assert (rest.through, rest.trigger) == (brain.episodes.get(said[200]).seq, Trigger.MANUAL)


@pytest.mark.row("KB-119")
def test_each_session_has_triggers_of_its_own(brain):
    for number in range(6):
        say(brain, f"message {number}", session=f"s{number % 2}")

    assert brain.distil(is_asked=False).windows == []


def test_a_round_ends_after_as_many_sessions_as_were_asked_for(brain):
    said = [{"text": f"message {number}", "session_id": f"s{number}"} for number in range(101)]
    brain.remember_many(said)

    assert len(brain.distil(at_most=1).windows) == SESSIONS_AT_ONCE
    assert len(brain.distil(at_most=1).windows) == 101 - SESSIONS_AT_ONCE


def test_whoever_distils_is_told_after_every_few_sessions_how_many_were(brain):
    brain.remember_many([{"text": "a message", "session_id": f"s{one}"} for one in range(12)])
    told = []

    brain.distil(progress=told.append)

    assert told == sorted(told)
    assert len({*told}) > 2
    assert told[-1] == 12


def test_a_session_that_goes_on_between_two_looks_waits_until_it_is_quiet(brain):
    say(brain, "a message", session="s1", ago=80)
    say(brain, "another", session="s2", ago=70)

    def go_on(_count):
        if not brain.episodes.list(session_id="s2")[1:]:
            say(brain, "and one more", session="s2")

    done = brain.distil(is_asked=False, progress=go_on)

    assert [one.session_id for one in done.windows] == ["s1"]
    (rest,) = brain.distil().windows
    assert rest.through == brain.episodes.list(session_id="s2")[-1].seq


def test_what_a_tool_put_out_counts_for_no_trigger(brain):
    for _ in range(9):
        say(brain, "x" * 1000, role="tool", kind="tool_result")

    assert brain.distil(is_asked=False).windows == []


def test_a_long_session_is_looked_through_in_stretches_and_whole(brain):
    # A stretch has 200: what stands at either side of a seam is found, as is every tenth.
    telling = {number for number in range(401) if number % 10 == 0 or number % 200 in {1, 199}}
    brain.remember_many(
        [
            {
                "text": f'/remember "Ana uses tool{number}"'
                if number in telling
                else f"Go {number}.",
                "session_id": "s1",
                "scope": WORK,
            }
            for number in range(401)
        ]
    )

    done = brain.distil()

    assert len(done.windows) == 3
    told = {f"tool{number}" for number in telling}
    assert {one.fact.said.text.split()[-1].strip('".') for one in done.stated} == told
    assert len(done.stated) == len({one.fact.id for one in done.stated}) == len(telling)


def test_what_was_looked_through_states_nothing_again(brain, store):
    say(brain, MARINA)
    brain.distil()
    with store.read() as view:
        head = view.head()

    assert brain.distil().windows == []
    with store.read() as view:
        assert view.head() == head


class KilledError(BaseException):
    """What ends a process anywhere."""


class DyingTransaction:
    """A transaction whose process is killed when it is about to say that all was looked through."""

    def __init__(self, tx):
        self._tx = tx

    def __getattr__(self, name):
        return getattr(self._tx, name)

    def append(self, event, **how):
        if isinstance(event, SessionsDistilled):
            raise KilledError
        return self._tx.append(event, **how)


class DyingStore:
    """A store of which each transaction ends so."""

    def __init__(self, store):
        self._store = store

    def read(self):
        return self._store.read()

    @contextmanager
    def begin(self):
        with self._store.begin() as tx:
            yield DyingTransaction(tx)


@pytest.mark.row("DU-020")
def test_a_worker_that_dies_leaves_nothing_half_done_and_the_next_states_it_once(
    brain, store, clock
):
    say(brain, MARINA)
    say(brain, '/remember "Ana uses Postgres"')

    with pytest.raises(KilledError):
        a_brain(DyingStore(store), clock).distil()

    assert stated(brain) == []
    brain.distil()
    brain.distil()
    assert len(stated(brain)) == 2


def test_two_that_look_at_once_state_it_once(store, clock, brain):
    for number in range(20):
        say(brain, f'/remember "Ana uses tool{number}"', session=f"s{number}")

    with ThreadPoolExecutor(2) as threads:
        both = list(threads.map(lambda one: one.distil(), [brain, a_brain(store, clock)]))

    assert sum(len(done.stated) for done in both) == 20
    assert len(stated(brain)) == 20


@pytest.mark.row("C-23")
def test_what_an_import_brought_is_stated_as_history(brain, store):
    draft = a_draft(MARINA, session_id="old", scope=WORK, occurred_at=START)
    with store.begin() as tx:
        tx.append(
            EpisodeRecorded(draft), by=Actor("importer", ActorKind.IMPORT), owner=DEFAULT_OWNER
        )

    brain.distil()

    assert brain.facts.list(scope=WORK, lifecycles=["current"]) == []
    (fact,) = brain.facts.list(scope=WORK)
    assert fact.life.lifecycle is Lifecycle.HISTORICAL


def test_a_later_word_comes_in_the_place_of_an_earlier_one(brain):
    say(brain, '/remember "Marina lives in Porto"', ago=20)
    say(brain, '/remember "Marina lives in Lisbon"', ago=10)

    brain.distil()

    assert [triple.object for triple in stated(brain)] == ["Lisbon"]
    (old,) = brain.facts.list(scope=WORK, lifecycles=["superseded"])
    assert old.said.triple.object == "Porto"


def test_who_says_i_and_whom_a_note_calls_the_user_are_one(brain):
    for text in ("I moved to Lisbon.", "The user moved to Lisbon.", "The user lives in Lisbon."):
        say(brain, text)

    brain.distil()

    triples = [(one.subject, one.predicate, one.object) for one in stated(brain)]
    assert triples == [("user", "lives_in", "Lisbon")]


@pytest.mark.parametrize("told", ['/remember "Marina lives in Lisbon"', "Marina lives in Lisbon."])
def test_what_a_human_wrote_is_asked_about_and_not_replaced(brain, store, clock, told):
    human = a_brain(store, clock, by=Actor("ada", ActorKind.HUMAN))
    human.facts.add(
        subject="Marina", predicate="lives_in", object="Porto", scope=WORK, valid_from=START
    )
    say(brain, told)

    (one,) = brain.distil().stated

    assert one.verdict == "proposed"
    assert [triple.object for triple in stated(brain)] == ["Porto"]


PORT = "The kettle service listens on port 5433."


@pytest.mark.row("DU-021")
def test_the_threshold_of_a_channel_is_a_setting_and_what_is_below_is_counted(store, clock):
    strict = a_brain(store, clock, settings=Settings(distil_confidence=("entity=0.99",)))
    episode_id = say(strict, PORT, role="assistant")

    done = strict.distil()

    assert stated(strict) == []
    assert done.left["unsure"] >= 1
    assert strict.fetch([episode_id])[0].text == PORT


@pytest.mark.row("DU-021")
def test_what_is_sure_enough_is_stated_with_its_kind(brain):
    say(brain, PORT)

    brain.distil()

    (fact,) = brain.facts.list(scope=WORK)
    assert (fact.said.channel, fact.metadata["kind"]) == (Channel.ENTITY, "fact")
    assert fact.said.triple.object == "5433"


@pytest.mark.row("DU-021")
@pytest.mark.parametrize("words", ["entity", "entity=2", "gossip=0.5", "entity=high"])
def test_a_threshold_that_cannot_be_read_is_refused(words):
    with pytest.raises(InvalidInputError, match="is no threshold"):
        parse_thresholds([words])


def test_a_fact_is_about_the_known_things_that_its_words_name(brain):
    say(brain, MARINA)
    brain.distil()
    say(brain, "We decided that Marina signs the invoices for the lab.")

    brain.distil()

    (marina,) = (one for one in brain.entities.list(scope=WORK) if one.name == "Marina")
    about = brain.facts.list(scope=WORK, about=marina.id)
    assert {fact.metadata["kind"] for fact in about} == {"relationship", "decision"}


def things(brain):
    """Return what is known of a type besides the project, by name."""
    known = {one.name: one.type.value for one in brain.entities.list(scope=WORK)}
    return {name: type_ for name, type_ in known.items() if type_ != "project"}


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("The functions are located in sketch.js", {}),
        ("The nvm default is set to 22", {}),
        ("The staging database listens on port 5433.", {}),
        ("redis listens on port 6380.", {"redis": "thing"}),
        ("The `staging database` listens on port 5433.", {"staging database": "thing"}),
        ("Yes, Marina is CTO at Acme.", {"Marina": "person"}),
    ],
)
@pytest.mark.on_sqlite(but=2)
def test_a_subject_becomes_a_thing_where_it_has_the_form_of_a_name(brain, text, named):
    say(brain, text)

    brain.distil()

    (fact,) = brain.facts.list(scope=WORK)
    assert things(brain) == named
    if not named:
        (project,) = brain.entities.list(scope=WORK)
        assert (fact.about, project.type.value) == ((project.id,), "project")
        assert fact.said.triple.subject in text


def test_what_two_sessions_tell_of_is_a_thing_whatever_it_is_called(brain):
    say(brain, "The staging database listens on port 5433.")
    brain.distil()
    say(brain, "The staging database listens on port 5434.", ago=-60)
    brain.distil()
    assert things(brain) == {}

    say(brain, "The staging database is hosted on thor.", session="s2", ago=-7200)
    brain.distil()

    assert things(brain) == {"staging database": "thing"}


@pytest.fixture
def human(store, clock):
    return a_brain(store, clock, by=Actor("ada", ActorKind.HUMAN))


def test_a_person_has_everything_looked_through_again_and_nothing_is_stated_twice(brain, human):
    say(brain, MARINA)
    say(brain, PORT)
    brain.distil()
    before = [fact.id for fact in brain.facts.list(scope=WORK)]

    human.reopen_sessions()
    done = human.distil()

    assert (len(done.windows), done.stated) == (1, [])
    assert done.left["repeated"] >= 2
    assert [fact.id for fact in brain.facts.list(scope=WORK)] == before


def test_what_a_person_took_away_does_not_come_back_with_it(brain, human):
    say(brain, MARINA)
    (one,) = brain.distil().stated
    human.facts.archive(one.fact.id)

    human.reopen_sessions()
    human.distil()

    assert stated(brain) == []
    assert human.verify().is_whole


USE = "From now on, use tabs and never spaces in this project, and run gofmt before each commit."


def read_by_an_older_version(store, episode_id, text, quote, *, by=DISTILLER):
    """State *text* as versions did that noted no grade, and read clauses with names put in."""
    older = a_brain(store, FixedClock(START + timedelta(days=1)), by=by)
    return older.facts.add(
        text,
        scope=WORK,
        about=["project:acme/api"],
        evidence=[(episode_id, quote)],
        metadata={"kind": "rule"},
    ).fact


OF_AN_IMPORT = Actor("distil", ActorKind.IMPORT)


@pytest.mark.parametrize("by", [DISTILLER, OF_AN_IMPORT], ids=["captured", "imported"])
@pytest.mark.parametrize("text", ["Use tabs and never spaces.", USE], ids=["clause", "same words"])
def test_what_an_older_version_read_of_the_same_words_is_told_once(brain, human, store, text, by):
    episode_id = say(brain, USE)
    old = read_by_an_older_version(store, episode_id, text, USE[:40], by=by)

    human.reopen_sessions()
    (new,) = human.distil().stated

    assert [fact.id for fact in brain.facts.list(scope=WORK)] == [new.fact.id]
    assert new.fact.grade == "known"
    assert human.facts.get(old.id).life.lifecycle is Lifecycle.ARCHIVED
    human.reopen_sessions()
    assert human.distil().stated == []
    assert [fact.id for fact in brain.facts.list(scope=WORK)] == [new.fact.id]
    assert human.verify().is_whole


@pytest.mark.parametrize("act", ["confirm", "archive"])
def test_what_a_person_did_with_an_older_reading_stands(brain, human, store, act):
    episode_id = say(brain, USE)
    old = read_by_an_older_version(store, episode_id, "Use tabs, no spaces.", USE[:40])
    if act == "archive":
        human.facts.archive(old.id)
    else:
        human.facts.add("Use tabs, no spaces.", scope=WORK, about=["project:acme/api"])
    before = human.facts.get(old.id).life

    human.reopen_sessions()

    assert human.distil().stated == []
    assert human.facts.get(old.id).life == before


def test_an_older_reading_of_other_words_stays_beside(brain, human, store):
    episode_id = say(brain, f"The depot opens at nine.\n{USE}")
    old = read_by_an_older_version(store, episode_id, "It opens at nine.", "opens at nine")

    human.reopen_sessions()
    (new,) = human.distil().stated

    assert {fact.id for fact in brain.facts.list(scope=WORK)} == {old.id, new.fact.id}


@pytest.mark.parametrize("kind", ["agent", "job", "import", "anonymous"])
@pytest.mark.on_sqlite(but=1)
def test_nobody_but_a_person_has_sessions_looked_through_again(store, clock, kind):
    with pytest.raises(ForbiddenError):
        a_brain(store, clock, by=Actor("x", ActorKind(kind))).reopen_sessions()


def test_sessions_that_an_older_list_of_extractors_looked_through_are_counted(brain, store):
    say(brain, "It rains.")
    window = Window(session_id="s1", scope=WORK, through=brain_head(store), trigger=Trigger.MANUAL)
    with store.begin() as tx:
        tx.append(SessionsDistilled((window,)), by=DISTILLER, owner=DEFAULT_OWNER)
    say(brain, "It pours.")

    assert brain.distil().outdated_count == 1
    assert brain.distil().outdated_count == 1


def brain_head(store):
    with store.read() as view:
        return view.head().seq


@pytest.mark.row("DU-054")
def test_ten_of_a_stretch_are_stated_and_the_next_stretch_has_ten_of_its_own(brain):
    said = " ".join(
        f"Service alpha{number} listens on port {5000 + number}." for number in range(12)
    )
    # "For you": so long a paragraph that speaks to nobody is taken for pasted.
    said += " That is all for you."
    for _ in range(6):
        say(brain, said)
    other = said.replace("alpha", "beta")
    for _ in range(6):
        say(brain, other)

    done = brain.distil()

    assert len({one.fact.id for one in done.stated}) <= 20
    assert len(stated(brain)) == 20
    assert done.left["over"] >= 4


@pytest.mark.row("I19")
def test_looking_through_again_and_again_never_loses_a_root(brain, human):
    for number in range(5):
        say(brain, f"The kettle service listens on port {5433 + number}.", role="assistant")
    say(brain, MARINA)
    brain.distil()
    before = roots(brain)

    human.reopen_sessions()
    human.distil()

    assert before
    assert before <= roots(brain)


def roots(brain):
    every = [one.value for one in Lifecycle]
    facts = brain.facts.list(scope=WORK, lifecycles=every, limit=100)
    return {span.episode_id for fact in facts for span in fact.evidence}


@pytest.mark.row("DU-015")
@pytest.mark.parametrize("channel", ["agent_diary", "entity"])
def test_what_was_stated_in_a_session_is_not_read_from_it_once_more(brain, channel):
    said = ("Lotse", "learned", "use perl")
    fact = brain.kg.add(channel, *said, session_id="s1", scope=WORK).fact
    say(brain, "The harbour kiosks run Debian 12 now.")

    brain.distil()

    assert [one.id for one in brain.facts.list(scope=WORK) if "perl" in one.said.text] == [fact.id]


@pytest.mark.row("DU-055")
@pytest.mark.parametrize(
    ("words", "due"),
    [
        ("I will send Ingrid the invoice by Friday.", "2026-01-09"),
        ("Die Fähre fährt bald.", None),
    ],
)
def test_what_is_to_be_remembered_has_its_deadline(brain, words, due):
    say(brain, f'/remember "{words}"')

    brain.distil()

    (fact,) = brain.facts.list(scope=WORK)
    told = fact.metadata.get("due")
    assert (told and told[:10]) == due


def test_what_begins_on_a_later_day_holds_and_is_told_from_that_day_on(brain, clock):
    say(brain, "Starting Monday we deploy on Thursdays.")
    say(brain, "And from Monday, never push to the release branch.")
    brain.distil()
    told = {"We deploy on Thursdays", "Never push to the release branch"}

    def shown():
        text = brain.brief(BriefRequest(), scope=WORK).text
        held = {one.fact.said.text for one in brain.state(scope=WORK).facts}
        return {one for one in told if one in text}, {one for one in told if f"{one}." in held}

    assert shown() == (set(), set())
    clock.at += timedelta(days=7)
    assert shown() == (told, told)
