"""Which engines a test runs on."""

import pytest


@pytest.mark.on_sqlite(but=1)
@pytest.mark.parametrize("case", "abc")
def test_the_first_cases_of_a_test_run_on_both_engines_and_all_on_sqlite(request, make_place, case):
    if request.config.getoption("--every-engine"):
        pytest.skip("every case runs on every engine")
    here = {
        (each.callspec.params["case"], each.callspec.params["make_place"])
        for each in request.session.items
        if getattr(each, "originalname", "") == request.node.originalname
    }
    assert here == {("a", "sqlite"), ("a", "postgres"), ("b", "sqlite"), ("c", "sqlite")}
