"""Whole sentences that a person typed, and how far they may be relied on."""

import pytest

from tests.brains import a_brain
from tests.learning.turns import an_episode
from tests.learning.voices import a_turn
from tilth.core.actor import Actor, ActorKind
from tilth.episodes.episode import Role
from tilth.exchanges.sentences import without_opening
from tilth.knowledge.facts.life import Grade
from tilth.learning.candidate import StatementKind, Turn
from tilth.learning.statements import describes, statements

WORK = "project:acme/api"


def kinds(text, **about):
    return [one.kind for one in statements(a_turn(text, **about))]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("From now on, write the tests first.", StatementKind.RULE),
        ("for future reference: use the venv in ~/venvs/ledger", StatementKind.RULE),
        ("I'll run the fly commands myself, just tell me which.", StatementKind.PREFERENCE),
        (
            "There's no need to maintain backward compatibility with the existing API.",
            StatementKind.DECISION,
        ),
        ("The API should listen on 4200 from now on, 4100 is taken.", StatementKind.RULE),
        ("Still open: rate limiting and pagination.", StatementKind.DEFERRAL),
        ("When I ask for a plan, never begin to write code.", StatementKind.PREFERENCE),
        ("When I open a branch, the tests must always be run.", StatementKind.PREFERENCE),
        ("We don't want a separate debug.go file in the providers.", StatementKind.PREFERENCE),
        ("Let's go with the factory approach for `color-system.js`.", StatementKind.DECISION),
        ("I used --no-verify, I will have to fix that at some point.", StatementKind.DEFERRAL),
        (
            "We settled on Redis for the queue, and wrote down why in its ADR.",
            StatementKind.DECISION,
        ),
        ("Decision: a restore drill on the first Monday of every month.", StatementKind.DECISION),
        ("No man, we already extract path hints for `shell` tools.", StatementKind.CORRECTION),
        ("For the release process, we always use `make release`.", StatementKind.PREFERENCE),
        ("In the commit message, we don't mention tickets of Linear.", StatementKind.PREFERENCE),
        ("We don't want Phoenix for the traces of agents.", StatementKind.PREFERENCE),
        (
            "`rotate` is unused, but should not be removed for that reason.",
            StatementKind.PREFERENCE,
        ),
        ("Make sure to update `docs/` whenever an option is added.", StatementKind.PREFERENCE),
        ("use `uv pip` and not `pip` for packages", StatementKind.PREFERENCE),
        ("Don't use emojis in commit messages.", StatementKind.CORRECTION),
        ("we should call ours `rate_limit` as well to be consistent.", StatementKind.DECISION),
        ("but exit codes should follow the standard of sysexits", StatementKind.DECISION),
        ("We are going to adopt the OpenAPI contract.", StatementKind.DECISION),
        ("nobody installed v2 yet, so no need for a migration of tenants", StatementKind.DECISION),
        ("also every example in docs needs a fixture beside the code.", StatementKind.DECISION),
        ("I suggest we drop the `labels` field from invoices.", StatementKind.DECISION),
        # What is asked for, or ordered, is spent; what is given up with it stays given up.
        (
            "can we send metrics to our own server, don't want users counted by others",
            StatementKind.DECISION,
        ),
        ("can we remove the old mail queue as it's replaced by Postgres", StatementKind.DECISION),
        ("move all reports to docs, we no longer need a wiki", StatementKind.DECISION),
        # Whatever a keyboard makes of an apostrophe, or a slip beside its key.
        ("We don\u2019t want Phoenix for the traces of agents.", StatementKind.PREFERENCE),
        ("We don;t want Phoenix for the traces of agents.", StatementKind.PREFERENCE),
        ("From now on, don\u2019t mock the clock.", StatementKind.RULE),
        ("next time, tell me before you touch the schema.", StatementKind.RULE),
        ("just run the suite with `uv`, not `pip`", StatementKind.PREFERENCE),
        ("you changed the spec in the main clone, not the worktree", StatementKind.CORRECTION),
        (
            "For closed invoices only a summary, don't list lines on the page of that invoice.",
            StatementKind.PREFERENCE,
        ),
        # "This" takes up what stands before it in the same sentence.
        (
            "we don't need aliases for the old names this makes the CLI slow",
            StatementKind.PREFERENCE,
        ),
    ],
)
def test_a_sentence_has_the_kind_of_its_form(text, kind):
    assert kinds(text) == [kind]


@pytest.mark.parametrize(
    "text",
    [
        "Should we always use `fsnotify` for the watchers of providers?",
        "Should the API listen on port 4200 from now on?",
        "If the API listens on 4200 from now on, the proxy breaks.",
        "commit this and push it",
        "I like option 1 and not the others.",
        "This should never be a problem of ours.",
        "If we use `go.work` then we never need the replace directive.",
        "```\nWe never use polling in the watchers of providers.\n```",
        "Use the new cache instead of the inlined dictionary.",
        "only count lines that hold more than spaces",
        "no, don't mock the completion.",
        "Instead of counting words, call `find_blocks` on every chunk.",
        "After a cloud sync we want to show a link to the cloud.",
        "also should the exporter write the headers of invoices.",
        "how should we compare tenants with invoices.",
        "check whether the exporter should write invoices twice",
        "We're going to hire workers for the exporter soon.",
        "That should have gone into the exporter of invoices.",
        "can we drop the old mail queue as it's replaced by Postgres?",
        "remove the preview of invoices, we don't need it",
        "The whole point of this is to never fetch invoices twice.",
        "We never export invoices of tenants when this is fixed.",
        "No exporter: this is how we always write invoices.",
        "I know that's for later but we should sort the invoices.",
        "I no longer recall why the exporter never sorts the invoices.",
        "For closed invoices don't list lines on that page.",
        "Next time I meet the tenants of Acme.",
    ],
)
def test_what_asks_orders_leans_supposes_or_is_quoted_states_nothing(text):
    assert kinds(text) == []


def test_what_an_agent_reports_states_nothing_by_itself():
    assert kinds("We never use polling in the watchers.", role=Role.ASSISTANT) == []


def test_what_is_typed_right_after_the_agent_was_stopped_corrects():
    turn = Turn(an_episode("The watchers use `fsnotify` in our repository."), is_after_stop=True)

    assert [one.kind for one in statements(turn)] == [StatementKind.CORRECTION]


PLAIN = "The `orders` table of our shop is only written by the importer, not by the API."


def test_an_order_right_after_the_agent_was_stopped_corrects_nothing():
    ordered = "Put a comment in go.mod about the 3 other places that need a change of version"

    assert list(statements(Turn(an_episode(ordered), is_after_stop=True))) == []


def test_what_only_tells_how_something_is_counts_once_a_test_bore_it_out(captured):
    captured.remember(PLAIN, session_id="s1", scope=WORK)
    captured.remember(PLAIN.replace("orders", "carts"), session_id="s2", scope=WORK)
    call = 'Bash: {"command": "pytest"}'
    captured.remember(call, session_id="s2", scope=WORK, role="assistant", kind="tool_call")
    captured.remember("9 passed", session_id="s2", scope=WORK, role="tool", kind="tool_result")

    captured.distil()

    (fact,) = captured.facts.list(scope=WORK)
    assert "carts" in fact.said.text
    assert fact.grade is Grade.CORROBORATED


def test_a_rule_that_a_person_typed_is_known_and_one_that_was_handed_over_is_told_as_that(
    captured, brain
):
    captured.remember("Always write a test first.", session_id="s1", scope=WORK)
    brain.remember("Always deploy on Fridays.", session_id="s2", scope=WORK)

    captured.distil()

    facts = {fact.said.text: fact for fact in captured.facts.list(scope=WORK)}
    assert facts["Always write a test first."].grade is Grade.KNOWN
    assert facts["Always deploy on Fridays."].grade is Grade.CANDIDATE
    assert "came_by" not in facts["Always write a test first."].metadata
    assert facts["Always deploy on Fridays."].metadata["came_by"] == "passed"


def test_nobody_but_a_job_of_ours_says_how_far_a_fact_may_be_relied_on(brain):
    told = brain.facts.add("The api is down.", about=["api"], metadata={"grade": "known"})

    assert told.fact.grade is Grade.CANDIDATE


def test_what_a_person_states_as_a_fact_is_known(store, place):
    human = a_brain(store, place.clock, by=Actor("ada", ActorKind.HUMAN))
    told = human.facts.add("The api is up.", about=["api"])

    assert told.fact.grade is Grade.KNOWN


@pytest.mark.parametrize(
    "text",
    [
        "open up an appropriate branch off main (but main is in a different worktree)",
        "The tool use that starts on line 62 should be in `markdown.go`.",
        "But we want them just to note the issue and move on with the rest.",
        "I added `command` to the pathFields, not the other one.",
        "We must not break the original parameter structure of the shop.",
        "The two files of the exporter must be merged.",
        "Those headers must have been broken by the exporter.",
        "For the Claude Code change, let's use a TDD approach.",
        "for the prepare worker spawn that should be done in parallel, we only need one",
        "No man, that's simply not true, we already extract path hints for `shell` tools.",
        "Don't need a comment about what Claude Code uses, it's immaterial here.",
        "Instead of finishing the tests, I would like to merge the undo code.",
        "Only at that point would the manual get sub-sections of its own, not before.",
        "Before you continue, the importer must not write to `orders`.",
        "One file, canvas-transforms.md should be enough.",
        "The intended functionality is only to roll back a visual change.",
        "parent on the PR is alex/type-consolidation, not main",
        "Each one should have prose too, on the options that appear in the table.",
        "We must talk about the progress indications before that step.",
        "We need to talk about the progress indications for 5 before we write the index.",
        "No, we're not ready to proceed with a concrete schema for the index.",
        "we want a world class experience of search here",
        "we did a migration from `orders` to `orders/v2`, which should have been run once",
        "dunno that we need an estimate which only counts down",
        "make sure to get rid of SearchWithSnippets, we don't need the method",
        "need a little patch for `entire explain`, it should print the help",
        "I would like to merge the changes into main without the history.",
        "- entire enable now installs hooks by default, not by a flag\n\nThis is not right.",
        "Let's use the mode: print option for improvement 1 with the analytics.",
        "In the tests of redirects I don't see mention of `>file` without the gap.",
        "Although all tests passed, there is an error and the canvas never appears.",
        "When I open shop.acme.io instead of the till, I am getting redirected to the admin.",
        "After I click save instead of cancel, the form just reloads.",
    ],
)
def test_what_is_spent_points_passes_or_reports_is_not_for_weeks(text):
    assert kinds(text) == []


def test_what_must_be_of_them_is_told_with_the_sentence_that_names_them():
    (one,) = statements(a_turn("You are deleting coinflip and randomLayer. They must remain."))

    assert one.said.text == "You are deleting coinflip and randomLayer. They must remain."
    assert one.kind is StatementKind.CORRECTION
    assert kinds("Shall I delete coinflip and randomLayer? They must remain.") == []


@pytest.mark.parametrize(
    "text",
    [
        "Discuss with me any delta you find before doing anything about it.",
        "just use slog like we do everywhere else.",
        "Ask me before you change how the watchers of providers start.",
        "Commit messages must be in the imperative, max 50 chars.",
        "All endpoints must return JSON.",
        "API keys must never be logged.",
    ],
)
def test_how_one_goes_about_things_here_is_a_preference(text):
    assert kinds(text) == [StatementKind.PREFERENCE]


@pytest.mark.parametrize(
    ("text", "told", "day"),
    [
        ("Starting Monday we deploy on Thursdays", "We deploy on Thursdays", "2026-03-16"),
        ("From 1 March, we no longer sign tags.", "We no longer sign tags.", "2027-03-01"),
        ("As of 2027-01-01 always use pnpm.", "Always use pnpm.", "2027-01-01"),
        ("And from December we use `uv` for tools.", "We use `uv` for tools.", "2026-12-01"),
    ],
)
def test_what_people_do_from_a_later_day_on_is_stated_from_that_day(text, told, day):
    (one,) = statements(a_turn(text))

    assert (one.said.text, one.quote) == (told, text)
    assert f"{one.valid_from:%Y-%m-%d %H:%M}" == f"{day} 00:00"
    rule = told.startswith("Always")
    assert one.kind is (StatementKind.RULE if rule else StatementKind.DECISION)


@pytest.mark.parametrize(
    "text",
    [
        # Which day of it is not said.
        "Starting next week we deploy on Thursdays.",
        "Starting Monday we have two new colleagues here.",
        "Starting Monday we could deploy on Thursdays.",
        "Starting Monday we deploy on Thursdays?",
        "Starting last Monday we deploy on Thursdays.",
        "From Monday to Friday we deploy on our own.",
        "If all goes well, from Monday we deploy by hand.",
        "Starting Monday we use it everywhere.",
    ],
)
def test_what_is_about_later_and_lays_nothing_down_is_not_stated(text):
    assert kinds(text) == []


def test_a_review_that_was_handed_over_is_nobodys_preference():
    review = (
        "The main entry point lacks test coverage. Critical behaviors that must be tested are the"
        " skipping of hidden commands, the skipping of empty versions, and the interval of a day"
        " between two checks, which the default configuration of the command sets to 24 hours."
    )

    assert kinds(review) == []
    assert kinds("We should always test the skipping of hidden commands in `versioncheck.go`.") == [
        StatementKind.PREFERENCE
    ]


def test_what_only_describes_an_event_demands_nothing():
    assert describes("The watcher of droids uses a poll while the others use an event.")
    assert not describes("The watcher of droids uses a poll, which we don't want.")


@pytest.mark.parametrize(
    "text",
    [
        "Please investigate why the animated images are broken on the desktop of `tdesktop`.",
        "Rework PLAN.md and TODO.md so that they list the things that are to come next.",
        "Study @src and extend @TODO.md to be more precise about the plan of release.",
        "Tidy that chapter, tick off what is done and go on with what is left on the TODO.",
        "Shall the parser or its tests give way? Only then pick which side to adjust.",
        "We need to clear up @shop — there are new folders that double the old ones.",
        "We have to port the importer to the new reader of archives.",
    ],
)
def test_an_order_of_one_session_states_nothing(text):
    assert kinds(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "TODO: warn where the export is broken beyond repair.",
        "The reader of archives is a TODO of ours until the summer release.",
    ],
)
def test_a_mark_says_that_something_is_put_off(text):
    assert kinds(text) == [StatementKind.DEFERRAL]


@pytest.mark.parametrize(
    "text",
    [
        "Plus always use pnpm, never npm!",
        "Periodically run `python ./tidy.py status` to see what lints and tests say.",
        "But from now on, ask the vault for tokens.",
    ],
)
def test_a_rule_may_follow_a_word_that_adds_it(text):
    assert kinds(text) == [StatementKind.RULE]


def test_what_is_used_instead_is_told_though_most_of_it_is_code():
    (one,) = statements(a_turn("Read the plan. Use `pnpm add` not `npm install`. Then go on."))

    assert (one.quote, one.kind) == (
        "Use `pnpm add` not `npm install`.",
        StatementKind.PREFERENCE,
    )


def test_what_must_be_kept_holds_longer_than_its_session():
    text = "We need to keep the old endpoints for the partners of our shop."

    assert StatementKind.DEFERRAL not in kinds(text)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("also we don't want Phoenix for the traces.", "we don't want Phoenix for the traces."),
        ("Ok so we don't want Phoenix for the traces.", "We don't want Phoenix for the traces."),
        ("And we don't want Phoenix in CI.", "We don't want Phoenix in CI."),
        # A part of what is said, and no joint.
        ("so far we keep Phoenix out", "so far we keep Phoenix out"),
        ("and/or lists are not allowed", "and/or lists are not allowed"),
        ("Also this", "Also this"),
    ],
)
def test_what_joins_a_sentence_to_the_one_before_is_left_out(text, told):
    assert without_opening(text) == told


def test_a_statement_is_told_without_it_and_quotes_it():
    text = "Also we don't want Phoenix for the traces of agents."

    (one,) = statements(a_turn(text))

    assert (one.said.text, one.quote) == (text[5].upper() + text[6:], text)


RESULTS = """what do these results say?

Maria Silva - Head of Data - Nordwind | LinkedIn
https://linkedin.example/in/maria
Maria Silva is the head of data at Nordwind. She lives in Porto. Before, she worked at Contoso.

Jonas Weber joined Nordwind as CTO
https://news.example/nordwind
Jonas Weber is the CTO of Nordwind. The API listens on port 8443. Ana works for Contoso.
"""


def stated_of(place, text):
    with a_brain(place.open(), place.clock) as brain:
        brain.remember(text, role=Role.USER, session_id="s1", scope=WORK)
        brain.distil(is_asked=True)
        return [one.said.text for one in brain.facts.list(scope=WORK)]


@pytest.mark.parametrize(
    "pasted",
    [
        RESULTS,
        "```\nMaria Silva is the head of data at Nordwind.\nThe API listens on port 8443.\n```",
        "> Maria Silva is the head of data at Nordwind.\n> The API listens on port 8443.",
        "[Web] Listening on http://localhost:3000/\nweb: API is ready\nweb: API listens on port 84",
    ],
)
@pytest.mark.on_sqlite(but=2)
def test_what_a_person_pastes_is_not_what_they_say(place, pasted):
    assert stated_of(place, pasted) == []


@pytest.mark.on_sqlite(but=1)
@pytest.mark.parametrize(
    "typed",
    [
        "Maria Silva is the head of data at Nordwind.",
        "Our API listens on port 8443.",
        "Our API listens on port 8443.\n```\nboom\n```",
    ],
)
def test_what_a_person_types_beside_a_paste_is(place, typed):
    assert stated_of(place, typed)
