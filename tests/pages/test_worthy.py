"""What earns a page by itself: a reader would look it up, and it lasts."""

from datetime import timedelta

import pytest


def missing(human):
    return [one.fix for one in human.pages.lint() if one.flaw == "missing"]


@pytest.mark.row("XR-11")
def test_what_lasts_earns_a_page_and_a_status_does_not(human, agent, place):
    until = place.clock.at + timedelta(days=2)
    for number in range(6):
        about = {"about": ["deploy17", f"host{number}", "pipeline"]}
        human.facts.add(f"deploy17 waits for host{number}.", valid_to=until, **about)
        agent.facts.add(
            f"ghost has guessed part {number}.", about=["ghost", f"host{number}", "attic"]
        )
    assert missing(human) == []
    assert human.pages.sweep().made == 0

    for number in range(5):
        human.facts.add(f"pve2 holds disk {number}.", about=["pve2", f"disk{number}", "rack"])

    assert any("entity 'pve2'" in one for one in missing(human))
    assert not any("deploy17" in one or "ghost" in one for one in missing(human))
    human.pages.sweep()
    assert {one.name for one in human.pages.list()} & {"pve2", "deploy17", "ghost"} == {"pve2"}
