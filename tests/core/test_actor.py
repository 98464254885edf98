import pytest

import tilth
from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import InvalidInputError


def test_a_program_vouches_for_a_person():
    assert tilth.Human("ana") == Actor("ana", ActorKind.HUMAN)
    with pytest.raises(InvalidInputError):
        tilth.Human("")
