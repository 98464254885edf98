"""
Charts as plain shapes, made on the server; the page shows the same numbers as a table beside.

Pure: points in, rectangles out. One unit is one user unit of the SVG's view box.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta

from tilth.core.dataclass import dataclass

WIDTH, HEIGHT = 360, 96
_GAP = 0.25
# What is there at all is seen, however small beside the largest.
_LEAST = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One bar: where it stands, how high it is, and what it says."""

    x: float
    y: float
    width: float
    height: float
    label: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A row of bars, with what the highest of them stands for, and the sum of all."""

    title: str
    bars: Sequence[Bar]
    most: str
    total: str
    width: int = WIDTH
    height: int = HEIGHT

    @property
    def is_empty(self) -> bool:
        """Whether nothing is to be seen."""
        return all(bar.height == 0 for bar in self.bars)


def chart(
    title: str, points: Sequence[tuple[str, float]], *, form: str = "{:,.0f}", total: str = ""
) -> Chart:
    """
    Return the bars of *points*: what each is called, and how much it is, none below 0.

    Args:
        title: What is counted.
        points: From left to right.
        form: How a value is written, as `str.format` takes it.
        total: What is written for all of them; without it, their sum.
    """
    most = max((value for _, value in points), default=0)
    step = WIDTH / max(1, len(points))
    bars = [
        Bar(
            x=round(step * at + step * _GAP / 2, 2),
            y=round(HEIGHT - height, 2),
            width=round(step * (1 - _GAP), 2),
            height=round(height, 2),
            label=label,
            value=form.format(value),
        )
        for at, (label, value) in enumerate(points)
        for height in [max(_LEAST, HEIGHT * value / most) if value else 0.0]
    ]
    all_ = total or form.format(sum(value for _, value in points))
    return Chart(title=title, bars=bars, most=form.format(most), total=all_)


def by_day(counts: Mapping[str, float], last: date, days: int) -> Sequence[tuple[str, float]]:
    """Return *counts*, by ISO date, of each of the last *days*; a day without any counts 0."""
    dates = (last - timedelta(days=back) for back in reversed(range(days)))
    return [(day.isoformat(), counts.get(day.isoformat(), 0)) for day in dates]


def quantile(values: Iterable[float], share: float) -> float:
    """Return the value that *share* of *values* do not exceed; 0 without any."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0
