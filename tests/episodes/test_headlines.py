"""Whatever is told as a change has a line."""

import pytest

from tilth.episodes import headlines
from tilth.ledger import changed, events


def imported(module):
    """Return the kinds of events that a module names."""
    return {getattr(module, name) for name in vars(module) if name in events.__all__}


@pytest.mark.row("OB-028")
def test_every_kind_of_event_that_is_told_has_a_headline():
    told = imported(changed) - {events.Event}

    assert len(told) > 30
    assert told <= imported(headlines)
