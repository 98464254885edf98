"""What goes with what is erased, and what may stay of it."""

from typing import get_args

from tilth.erasure import model as erasure
from tilth.erasure.model import goes_with
from tilth.ledger.events import Event


def test_every_kind_of_event_says_what_it_goes_with():
    assert set(erasure._GOES_WITH) == set(get_args(Event))
    assert callable(goes_with)
