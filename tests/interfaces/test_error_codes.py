from tilth.core import errors
from tilth.core.errors import TilthError
from tilth.interfaces.error_codes import OUTCOMES, error_body, outcome_of


def every_error(kind=TilthError):
    for child in kind.__subclasses__():
        if child.__module__ == errors.__name__:
            yield child
            yield from every_error(child)


def test_every_error_has_an_outcome_and_a_code_of_its_own():
    codes = [kind.code for kind in every_error()]

    assert len(codes) == len(set(codes))
    assert all(outcome_of(kind("")) for kind in every_error())


def test_the_second_level_of_the_tree_is_the_table():
    assert set(TilthError.__subclasses__()) == set(OUTCOMES)


def test_exit_codes_are_those_that_are_documented():
    codes = {kind.code: outcome.exit_code for kind, outcome in OUTCOMES.items()}

    assert codes == {
        "invalid_input": 2,
        "not_found": 3,
        "conflict": 4,
        "forbidden": 5,
        "unsupported": 6,
        "unavailable": 7,
        "corruption": 8,
    }


def test_a_special_error_answers_as_its_ancestor_does():
    assert outcome_of(errors.StoreMissingError("")) == OUTCOMES[errors.NotFoundError]


def test_an_error_has_one_shape():
    assert error_body("conflict", "it changed", "read it again") == {
        "error": {"code": "conflict", "message": "it changed", "hint": "read it again"}
    }
