"""What is decided without a store: needs, order, questions, sentences, words, figures."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from tests.garden.plots import DAY, cycle, days, planted, plot
from tilth.core.actor import GARDENER
from tilth.core.scope import GLOBAL
from tilth.garden.assess import (
    Need,
    assess,
    candidates_allowed,
    chosen,
    is_stagnant,
    questions,
)
from tilth.garden.extract import findings
from tilth.garden.model import Counts, Outcomes, Topic, TopicId
from tilth.garden.reports import OutboxContents, alerts_page, digest_page, uncertainty

NOW = datetime(2026, 3, 2, 8, tzinfo=UTC)
ENOUGH = Counts(confirmed=5)


def a_topic(number, *, age, priority=3, freshness=7, counts=ENOUGH):
    return Topic(
        id=TopicId(f"top_{number:026}"),
        seq=number,
        owner="local",
        by=GARDENER,
        added_at=NOW - timedelta(days=100),
        name=f"topic {number}",
        priority=priority,
        freshness_days=freshness,
        scope=GLOBAL,
        last_tended=None if age is None else NOW - timedelta(days=age),
        is_archived=False,
        counts=counts,
    )


@pytest.mark.row("GA-012")
def test_stale_sparse_and_disputed_are_exact_at_the_boundary_day():
    at_bound, past = a_topic(1, age=7), replace(a_topic(2, age=7), last_tended=None)
    just_past = replace(a_topic(3, age=7), last_tended=NOW - timedelta(days=7, seconds=1))
    sparse = a_topic(4, age=0, counts=Counts(confirmed=4))
    disputed = a_topic(5, age=0)
    fine = a_topic(6, age=6)
    every = [at_bound, past, just_past, sparse, disputed, fine]

    found = assess(every, {disputed.id: 1}, NOW)

    assert {one.topic.seq: one.needs for one in found} == {
        2: (Need.STALE,),
        3: (Need.STALE,),
        4: (Need.SPARSE,),
        5: (Need.DISPUTED,),
    }


@pytest.mark.row("GA-013", "GA-014")
def test_what_weighs_is_priority_times_staleness_and_ties_keep_their_order():
    topics = [
        a_topic(1, age=14, priority=2),
        a_topic(2, age=28, priority=3),
        a_topic(3, age=14, priority=2),
        a_topic(4, age=60, priority=1, freshness=30),
        a_topic(5, age=None, priority=5),
    ]

    found = assess(topics, {}, NOW)

    assert [(one.topic.seq, one.weight) for one in found[1:]] == [(2, 12), (1, 4), (3, 4), (4, 2)]
    assert found[0].topic.seq == 5
    assert [one.seq for one in chosen(found)] == [5, 2, 1]


def test_questions_go_round_the_topics_and_a_request_comes_first():
    one, other = a_topic(1, age=8), a_topic(2, age=8)

    asked = questions([one, other], {other.id: ["why so?"]}, {}, {})

    assert [(ask.topic_id, ask.form) for ask in asked] == [
        (one.id, "name"), (other.id, "request"), (one.id, "decision"), (other.id, "name"),
        (one.id, "rule"),
    ]  # fmt: skip


@pytest.mark.row("GA-033")
def test_the_form_that_confirmed_most_is_asked_before_others_that_wait_as_long():
    topic = a_topic(1, age=8)
    yields = {"limit": Outcomes(confirmed=9), "name": Outcomes(rejected=9)}

    asked = questions([topic], {}, yields, {})

    assert asked[0].form == "limit"
    assert "name" not in [one.form for one in asked]


@pytest.mark.row("GA-028")
@pytest.mark.parametrize(
    ("waiting", "lately", "allowed"),
    [
        (0, Outcomes(), 10),
        (29, Outcomes(), 1),
        (30, Outcomes(), 0),
        (99, Outcomes(), 0),
        (0, Outcomes(confirmed=1, rejected=7), 4),
        (0, Outcomes(confirmed=4, rejected=4), 10),
        (0, Outcomes(confirmed=0, rejected=7), 10),
    ],
)
def test_a_backlog_pauses_and_rejections_lower_what_is_added(waiting, lately, allowed):
    assert candidates_allowed(waiting, lately) == allowed


@pytest.mark.row("GA-028")
def test_a_topic_stagnates_after_three_cycles_over_seven_days():
    topic = replace(a_topic(1, age=1), barren=3, barren_since=NOW - timedelta(days=7))

    assert is_stagnant(topic, NOW)
    assert not is_stagnant(replace(topic, barren=2), NOW)
    assert not is_stagnant(topic, NOW - timedelta(days=1))


@pytest.mark.row("GA-030")
@pytest.mark.parametrize(
    ("value", "said"),
    [
        (1.0, "almost certain (1)"),
        (0.9, "almost certain (0.9)"),
        (0.75, "very likely (0.75)"),
        (0.7, "likely (0.7)"),
        (0.55, "likely (0.55)"),
        (0.45, "as likely as not (0.45)"),
        (0.25, "doubtful (0.25)"),
        (0.1, "very doubtful (0.1)"),
    ],
)
def test_how_sure_is_said_in_words_beside_the_number(value, said):
    assert uncertainty(value) == said


@pytest.mark.row("GA-015")
def test_a_finding_is_found_at_its_place_word_for_word_whatever_its_wrapping():
    text = (
        "# PEP 9: Backups\n\n"
        "This PEP requires that backups of every\nhost are kept for `30` days.\n"
        "```\nbackups must never be read from here at all.\n```\n"
        "See also the list of backups.\n- Is a backup enough?\n"
    )

    (one,) = findings("PEP 9: Backups", text, "backups")

    assert one.text == "PEP 9 (Backups) requires that backups of every host are kept for `30` days."
    assert text[one.start : one.end] == one.quote
    assert one.quote.startswith("This PEP requires")


@pytest.mark.parametrize(
    "text",
    [
        "Backups could perhaps be discussed in the following section of the handbook.",
        "This is why backups must be kept in another building than the servers.",
        "Are backups kept in another building than the servers that they are of?",
        "If backups are kept, they must be kept in another building, not in this one.",
        "Backups are kept in another building, because the",
        "See https://example.org/backups for what must be done with all of these hosts.",
    ],
)
def test_what_asks_points_or_speaks_of_the_text_is_no_finding(text):
    assert findings("Handbook", f"# Handbook\n\n{text}\n", "backups") == []


@pytest.mark.row("GA-029")
def test_five_figures_equal_what_is_counted_by_hand(garden, place):
    garden.topics.add("backups", freshness_days=10)
    garden.topics.add("release", freshness_days=10)
    days(garden, place.clock, 2)
    found = garden.garden.candidates()
    for number, one in enumerate(found):
        digest = garden.review.show(one.proposal.id).digest
        answer = garden.review.reject if number == 0 else garden.review.confirm
        answer(one.proposal.id, digest=digest)

    told = garden.garden.metrics()

    confirmed = len(found) - 1
    assert told.coverage == round(confirmed / 2, 4)
    assert told.accuracy == round(confirmed / len(found), 4)
    assert told.efficiency == round(confirmed / 10, 4)
    assert told.engagement == 0.25
    assert told.freshness == pytest.approx(0.1, abs=0.01)
    assert sum(told.by_week.values()) == confirmed
    assert set(told.by_week) <= {f"{place.clock.at:%G-W%V}"}
    assert sum(one.confirmed for one in told.sources.values()) == confirmed
    assert sum(one.confirmed for one in told.questions.values()) == confirmed


@pytest.mark.row("GA-020", "GA-027")
def test_a_week_that_is_over_has_one_summary_and_one_digest_to_acknowledge(garden, folder, place):
    garden.topics.add("backups")
    days(garden, place.clock, 16)

    def asked():
        found = garden.review.list(kinds=["suggestion"], limit=100).proposals
        return [one for one in found if one.draft.detail["suggests"] == "digest"]

    weeks = sorted(one.name for one in (folder / "outbox/weekly").iterdir())
    assert len(weeks) == 2
    # Nobody answered the first, so no second one joined it.
    assert [f"{one.draft.detail['week']}.md" for one in asked()] == weeks[:1]
    first = asked()[0].id
    garden.review.confirm(first, digest=garden.review.show(first).digest)
    assert asked() == []
    days(garden, place.clock, 7)
    (later,) = asked()
    assert later.draft.detail["week"] > weeks[-1].removesuffix(".md")


@pytest.mark.row("GA-028", "GA-034")
def test_a_stagnant_topic_is_suggested_for_the_archive_and_that_is_undone(garden, place):
    topic = garden.topics.add("zebras")
    days(garden, place.clock, 12)

    (asked,) = [
        one for one in garden.review.list(kinds=["suggestion"], limit=100).proposals
        if one.draft.detail["suggests"] == "archiving"
    ]  # fmt: skip
    garden.review.confirm(asked.id, digest=garden.review.show(asked.id).digest)

    assert [one.id for one in garden.topics.list(is_archived=True)] == [topic.id]
    garden.review.undo(asked.id)
    assert [one.id for one in garden.topics.list()] == [topic.id]


@pytest.mark.row("GA-019", "GA-034")
def test_a_name_in_two_topics_is_a_pattern_that_cites_both(store, place, tmp_path):
    texts = {
        "a": "# Backups\n\nBackups of the shop are made by ResticTool on each of the hosts.\n"
        "Backups must be checked by ResticTool before the tape is written.\n",
        "b": "# Releases\n\nReleases are uploaded with ResticTool after the tag is signed.\n"
        "Releases must be kept in the store of ResticTool for ten years.\n",
    }
    brain = plot(store, place.clock, tmp_path)
    planted(brain, texts)
    one, other = brain.topics.add("backups"), brain.topics.add("releases")
    days(brain, place.clock, 2)

    (asked,) = [
        found for found in brain.review.list(kinds=["suggestion"]).proposals
        if found.draft.detail["suggests"] == "pattern"
    ]  # fmt: skip

    assert "ResticTool" in asked.draft.reason
    assert f"{one.name!r}" in asked.draft.reason
    assert f"{other.name!r}" in asked.draft.reason
    cycle(brain)
    place.clock.at += DAY
    brain.review.reject(asked.id, digest=brain.review.show(asked.id).digest)
    cycle(brain)
    assert len(brain.review.list(kinds=["suggestion"]).proposals) == 0


@pytest.mark.row("GA-015")
@pytest.mark.parametrize(
    "text",
    [
        "The backups API has been in use for years and has served us reasonably well.",
        "The backups command makes life much easier, and it is a joy to use every day.",
        "Backups are always printed, which is easy (for me at least) to remember.",
        "In general, we are looking to limit backups that are required by only one host.",
        "Likewise, backups of the mail server must be removed after thirty days.",
        "When false, backups are stored on the machine of the user alone.",
        "And by default, the age of backups is set to 3600 seconds on every host.",
        "Note how backups must not be given a key of their own in this example.",
        "A notable exception is when backups have just been removed from the host.",
        "Only some backups (`--deny hosts::single_match,hosts::box_vec`, etc.).",
    ],
)
def test_praise_opinion_and_what_hangs_on_another_sentence_are_no_candidates(text):
    assert findings("Backups", f"# Backups\n\n{text}\n", "backups") == []


@pytest.mark.parametrize(
    "text",
    [
        "Backups must be encrypted with age, because gpg works only with one key.",
        "A backup (a copy of all tables, at one moment) is stored by night on the host `vault`.",
        "The only host that stores backups is `vault`, which stands in another building.",
    ],
)
def test_what_holds_stays_a_candidate_beside_the_rules_against_praise(text):
    assert [one.text for one in findings("Backups", f"# Backups\n\n{text}\n", "backups")] == [text]


@pytest.mark.row("GA-015")
@pytest.mark.parametrize(
    ("title", "text", "said"),
    [
        (  # A condition that stands in the line before goes with it.
            "Backups",
            (
                "# Backups\n\n* `BACKUPS_OFF=1` — if set, backups of the host are not made, even\n"
                "  where the backups job is installed and enabled by the policy of the host.\n"
            ),
            (
                "`BACKUPS_OFF=1` — if set, backups of the host are not made, even where the backups"
                " job is installed and enabled by the policy of the host."
            ),
        ),
        (  # What was named further up is named.
            "Bluebird handbook",
            (
                "# Bluebird handbook\n\n## Rotation job\n\n"
                "Because the change is risky, the old backups must be kept for thirty days.\n"
            ),
            (
                "Bluebird handbook, Rotation job: Because the change is risky, the old backups must"
                " be kept for thirty days."
            ),
        ),
        (  # A heading that is the title is told once.
            "PEP 9: Backups",
            "# PEP 9: Backups\n\nSince the change is risky, the old backups must be kept.\n",
            "PEP 9 (Backups): Since the change is risky, the old backups must be kept.",
        ),
        (  # What a document brings, and what one says that is not in force, has its name.
            "PEP 9: Backups",
            "# PEP 9: Backups\n\nA job for backups is provided which runs on every host.\n",
            "PEP 9 (Backups): A job for backups is provided which runs on every host.",
        ),
        (
            "PEP 9: Backups",
            (
                "# PEP 9: Backups\n\n:Status: Rejected\n\n"
                "Backups of the hosts must be made at 4 by night.\n"
            ),
            "PEP 9 (Backups, rejected): Backups of the hosts must be made at 4 by night.",
        ),
        (
            "Move the backups",
            "# Move the backups\n\nThere is no risk, because the old host is used for ten days.\n",
            "Move the backups: There is no risk, because the old host is used for ten days.",
        ),
        (  # What says itself which is meant stays as it is.
            "Handbook",
            (
                "# Handbook\n\n## Rotation\n\n"
                "The backups of the mail server must be kept for thirty days on two machines.\n"
            ),
            "The backups of the mail server must be kept for thirty days on two machines.",
        ),
        (  # Marks of markup are not read.
            "Backups",
            (
                "# Backups\n\n[Backups](https://example.org/a_(b)) **must** be made by ``restic``"
                " as :pep:`517` and `the guide <x.html>`_ require [1]_.\n\n"
            ),
            "Backups must be made by `restic` as PEP 517 and the guide require.",
        ),
        (  # Roles with a title, too.
            "Backups",
            (
                "# Backups\n\n:ref:`Backups <b:ups>` must use :external+py3.13:class:`keep.Key`"
                " on each of the hosts.\n"
            ),
            "Backups must use `keep.Key` on each of the hosts.",
        ),
        (  # A name in lower case begins a paragraph.
            "Tools",
            "# Tools\n\nrestic makes backups of each host, and backups must be kept ten days.\n",
            "restic makes backups of each host, and backups must be kept ten days.",
        ),
    ],
)
def test_a_sentence_is_told_so_that_it_can_be_read_alone_and_quoted_as_it_stands(title, text, said):
    (one,) = findings(title, text, "backups")

    assert one.text == said
    assert text[one.start : one.end] == one.quote


@pytest.mark.row("GA-015")
@pytest.mark.parametrize(
    "text",
    [
        "If the host is a laptop:\n\n- Backups are only kept for two days and then removed.\n",
        "## v2.1.0\n\nBackups are no longer removed by the job that rotates the logs.\n",
        "## 2.1.0 (2024-05-01)\n\nBackups must be rotated by the job instead of the host.\n",
        "### Fixed\n\nBackups are no longer removed by the job that rotates the logs.\n",
        "Returns the backups that are stored on the machine of the user by default.\n",
        "**backups** `list[str]`: It is required that a\nbackups** list is given by default.\n",
        "In the next minor release backups will be stored on a machine of their own.\n",
        "All other backups are stored on the machine of the user and are removed by hand.\n",
        'Supporting "backups", which describe files that a host must keep, such as their age.\n',
        "A job for backups which must be removed by hand from the shelves of the cellar.\n",
        "Meanwhile, the use of backups has been required by law in the last decade.\n",
        "Currently, backups of the host must be distributed manually by an operator.\n",
        "There has traditionally been little order in what backups are required to hold.\n",
        "Such backups can only be read by the host, and are removed after thirty days.\n",
        "There are several problems with backups, because hosts have no key of their own.\n",
        "Use cases for backups have been identified, because libraries are stored there.\n",
        "## Motivation\n\nHosts are forced to store backups by hand, which only people can do.\n",
    ],
)
def test_news_lost_conditions_and_what_has_no_subject_are_no_candidates(text):
    assert findings("Backups", f"# Backups\n\n{text}", "backups") == []


@pytest.mark.row("GA-028", "GA-020")
def test_a_digest_of_a_thousand_topics_is_a_page_and_counts_all_that_wait():
    """Those that were tended come first; of the rest a number is told."""
    topics = [a_topic(one, age=1, counts=Counts(candidates=10)) for one in range(1000)]
    told = OutboxContents(
        now=NOW,
        week="2026-W10",
        next_at=NOW + DAY,
        topics=topics,
        tended={topics[997].id: 0},
        sources={},
        new=(),
        waiting=(),
        waiting_count=10_000,
        clashes=(),
        suggestions=(),
        requests=(),
        answered=Outcomes(confirmed=1_500, rejected=2),
        alerts=("10000 candidates are waiting",),
    )

    page = digest_page(told)

    assert len(page) < 4_000
    assert "10000 candidates are waiting for your answer." in page
    assert page.index("## topic 997") < page.index("## topic 0\n")
    assert "On 988 more topics 9880 are waiting: `tilth topic list`." in page
    assert "1500 candidates were confirmed, and 2 were rejected." in page
    assert "- and 1480 more" in page
    assert len(alerts_page(told).splitlines()) == 3


@pytest.mark.row("GA-015")
@pytest.mark.parametrize(
    ("said", "read"),
    [
        (
            "We will allow the required machines to mount the resource with backups.",
            "Asset master: We will allow the required machines to mount the resource with backups.",
        ),
        (
            "There will be a larger distance between the backups and their keys.",
            "Asset master: There will be a larger distance between the backups and their keys.",
        ),
        (
            "In the new building we will replace the tapes with backups on disks.",
            "Asset master: In the new building we will replace the tapes with backups on disks.",
        ),
        (
            "To address these issues, backups must be written by a job of their own.",
            "Backups must be written by a job of their own.",
        ),
        (
            "For this reason, backups must be written to two machines by night.",
            "Backups must be written to two machines by night.",
        ),
    ],
)
def test_who_we_are_is_told_and_what_only_points_back_goes(said, read):
    text = f"# Asset master\n\n## Decision\n\n{said}\n"

    (one,) = findings("Asset master", text, "backups")

    assert (one.text, one.quote) == (read, said)


@pytest.mark.row("GA-015")
@pytest.mark.parametrize(
    "said",
    [
        "To restore backups of this, the key of the archive must be at hand.",
        "With this change, backups are written to two machines by one job.",
    ],
)
def test_what_points_back_and_says_when_it_holds_stays_out(said):
    assert findings("Asset master", f"# Asset master\n\n{said}\n", "backups") == []


@pytest.mark.row("GA-015")
@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("The distinction between backups of hosts and of mail is dropped.", "PEP 9 (Tapes): "),
        ("With the proposed job, backups use only one tape for each host.", "PEP 9 (Tapes): "),
        (
            "Backups of the mail server are replaced by a copy in another building.",
            "PEP 9 (Tapes): ",
        ),
        ("Backups of the mail server must be kept in another building.", ""),
        ("The current implementation of backups is kept by only one host in the cellar.", None),
        ("Backups have proven to be useful, and they must be kept by each host.", None),
    ],
)
def test_what_a_proposal_changes_is_told_with_it_and_what_it_sets_out_from_is_not(said, read):
    found = findings("PEP 9: Tapes", f"# PEP 9: Tapes\n\n{said}\n", "backups")

    assert [one.text for one in found] == ([] if read is None else [read + said])


@pytest.mark.row("GA-015")
def test_the_number_behind_it_says_which_document_is_meant():
    said = "The job must keep backups as the PEP 100 says, on each of the hosts by night."

    (one,) = findings("PEP 9: Tapes", f"# PEP 9: Tapes\n\n{said}\n", "backups")

    assert one.text == f"PEP 9 (Tapes): {said}"


@pytest.mark.row("GA-015")
def test_what_a_rejected_proposal_found_amiss_is_its_motive_and_no_candidate():
    text = "Backups of a host must be read twice, which makes it difficult to restore one."

    kept, motive = (
        findings("PEP 9: Tapes", f"# PEP 9: Tapes\n\n:Status: {state}\n\n{text}\n", "backups")
        for state in ("Final", "Rejected")
    )

    assert ([one.text for one in kept], motive) == ([text], [])
