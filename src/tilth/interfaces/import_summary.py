"""What became of an import, added up by format."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import field

from tilth.core.dataclass import dataclass
from tilth.transfer.imports import SourceReport


@dataclass(slots=True, kw_only=True)
class Tally:
    """What came of some sources."""

    source_count: int = 0
    unchanged_count: int = 0
    session_count: int = 0
    new_count: int = 0
    known_count: int = 0
    skipped_count: int = 0
    gone_count: int = 0
    reasons: Counter[str] = field(default_factory=Counter)

    def add(self, report: SourceReport) -> None:
        """Count one more source. Reasons are counted as far as they were kept."""
        self.source_count += 1
        self.unchanged_count += report.is_unchanged
        self.session_count += report.session_count
        self.new_count += report.new_count
        self.known_count += report.known_count
        self.skipped_count += report.skipped_count
        self.gone_count += report.source.is_gone and not report.is_unchanged
        for skipped in report.skipped:
            self.reasons[skipped.reason] += skipped.count


@dataclass(slots=True, kw_only=True)
class Summary:
    """A whole import: all of it, and each format by itself."""

    is_dry_run: bool
    total: Tally = field(default_factory=Tally)
    formats: dict[str, Tally] = field(default_factory=dict)
    seconds: float = 0.0

    def add(self, reports: Iterable[SourceReport]) -> None:
        """Count what became of each source."""
        for report in reports:
            self.total.add(report)
            self.formats.setdefault(report.source.format, Tally()).add(report)
