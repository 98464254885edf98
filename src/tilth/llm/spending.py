"""Sums of spending on language models, and how they are shown; light, for the pages."""

from tilth.core.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Spending:
    """Calls, tokens and money, in millionths."""

    calls: int = 0
    tokens: int = 0
    millionths: int = 0

    def plus(self, more: "Spending") -> "Spending":
        """Return both together."""
        return Spending(
            self.calls + more.calls,
            self.tokens + more.tokens,
            self.millionths + more.millionths,
        )


NOTHING_SPENT = Spending()
