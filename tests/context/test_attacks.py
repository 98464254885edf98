"""Nobody but a person gives orders in the user's name."""

import pytest

from prove.attacks.__main__ import run
from prove.attacks.injections import INJECTIONS


@pytest.mark.row("XR-01", "I22")
def test_no_injection_becomes_a_rule_and_what_a_user_typed_stays_one():
    report, failures = run()

    assert failures == []
    assert report["injections"] == len(INJECTIONS) >= 48 + 60
    assert report["typed"] > 40
