"""The worker asks about names that came in by facts and edges."""

import pytest


@pytest.mark.row("KB-032")
def test_the_worker_asks_about_names_that_come_close_and_goes_on_where_it_was(ready):
    ready("edge", "add", "Grafana dashboard", "runs_on", "proxmox")
    ready("edge", "add", "Grafana dashbord", "runs_on", "proxmox")
    assert ready("review", "list", "--json").answer["proposals"] == []

    assert ready("worker", "--once", "--json").answer["asked_count"] == 1
    (asked,) = ready("review", "list", "--json").answer["proposals"]
    assert asked["draft"]["kind"] == "merge"
    assert asked["by"]["kind"] == "job"
    assert ready("worker", "--once", "--json").answer["asked_count"] == 0
