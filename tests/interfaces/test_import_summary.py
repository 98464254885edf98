from tilth.core.view import Dim
from tilth.interfaces.cli.commands.imports import summary_lines
from tilth.interfaces.import_transcripts import Summary
from tilth.transfer.import_sources import SourceReport
from tilth.transfer.model import Mended, Skipped, Source


def make_report(format_="codex", **changes):
    return SourceReport(source=Source("file:///a", format_, 10), **changes)


def test_reports_add_up_by_format_and_in_all():
    summary = Summary(is_dry_run=False)

    summary.add(
        [
            make_report(new_count=2, session_count=1),
            make_report(known_count=3, is_unchanged=True),
            make_report("slack", new_count=5),
        ]
    )

    assert summary.total.new_count == 7
    assert summary.formats["codex"].source_count == 2
    assert summary.formats["codex"].unchanged_count == 1
    assert summary.formats["codex"].known_count == 3
    assert summary.formats["slack"].session_count == 0


def test_what_was_skipped_is_counted_by_its_reason():
    summary = Summary(is_dry_run=True)
    skipped = [Skipped("a:1", "broken JSON"), Skipped("a", "thoughts", 4), Skipped("b", "thoughts")]

    summary.add([make_report(skipped=skipped, skipped_count=6)])

    assert summary.total.reasons == {"thoughts": 5, "broken JSON": 1}
    assert summary.total.skipped_count == 6


def test_reasons_that_differ_in_what_they_quote_are_one_line():
    summary = Summary(is_dry_run=True)
    skipped = [Skipped("a", f"bad name '{day}'; it is left out", day) for day in (1, 2, 3)]
    skipped.append(Skipped("b", "broken JSON"))

    summary.add([make_report(skipped=skipped)])

    told = ["".join(map(str, line)) for line in summary_lines(summary)]
    assert [line for line in told if "skipped" in line and ":" in line] == [
        str(Dim("skipped 6: such as bad name '3'; it is left out")),
        str(Dim("skipped 1: broken JSON")),
    ]


def test_what_was_read_and_mended_is_no_part_of_what_was_skipped():
    summary = Summary(is_dry_run=True)
    mended = [Mended("a:1", "bad timestamp 'soon'; the time before it is taken instead", 2)]
    skipped = [Skipped("a:2", "broken JSON")]

    summary.add([make_report(skipped=skipped, skipped_count=1, mended=mended, mended_count=2)])

    told = ["".join(map(str, line)) for line in summary_lines(summary)]
    assert (summary.total.skipped_count, summary.total.mended_count) == (1, 2)
    assert "skipped 1: broken JSON" in told
    assert "read, and mended 2: bad timestamp 'soon'; the time before it is taken instead" in told
