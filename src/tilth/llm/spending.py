"""What was spent on language models, as it is added up and told; light, for pages tell it."""

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
