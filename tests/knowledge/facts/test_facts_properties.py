"""Whatever is said, ended, decided and undone, facts are what a model in plain Python says."""

from random import Random  # noqa: TID251 - seeded

import pytest

from prove.facts.play import Hand, Play

STEPS = 100
# A rejected value of a thing that was merged then, and was split since.
AFTER_A_SPLIT = (7_700_231, 112)


@pytest.mark.row("DU-010", "I12", "I15")
@pytest.mark.parametrize(("seed", "steps"), [*((seed, STEPS) for seed in range(3)), AFTER_A_SPLIT])
def test_facts_slots_and_reviews_are_those_of_the_model(place, seed, steps):
    """`python -m prove.facts` plays 10,000 steps, 250 a store."""
    hand = Hand()
    store = place.open(clock=hand)
    play = Play(store, hand, Random(seed))
    for _ in range(steps):
        play.step()

    play.replay()

    store.close()
