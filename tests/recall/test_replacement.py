"""What a statement says has been replaced."""

import pytest

from tilth.recall.order.replacement import read_replacements


@pytest.mark.parametrize(
    "text",
    [
        "We switched the queue from Redis to Kafka.",
        "We moved from Redis to Kafka.",
        "We migrated away from Redis to Kafka.",
        "We changed the queue from Redis to Kafka.",
        "We ported the queue from Redis to Kafka.",
        "We transitioned from Redis to Kafka.",
        "We converted the queue from Redis to Kafka.",
        "We replaced Redis with Kafka.",
        "WE SWAPPED REDIS FOR KAFKA.",
        "We run Kafka instead of Redis.",
        "We run Kafka in place of Redis.",
        "We no longer use Redis.",
        "We don't use Redis any more.",
        "We stopped using Redis.",
        "We dropped Redis.",
        "We retired Redis.",
        "We removed Redis.",
        "We ditched Redis.",
        "We got rid of Redis.",
        "Redis is gone.",
        "Redis was decommissioned.",
        "Redis has been switched off.",
        "Redis has been shut down.",
        # Letters beyond ASCII, of which one is an s in a form that is seldom seen.
        "Wir in Köln: we \u017fwitched from Redis to Kafka.",
    ],
)
def test_each_form_names_what_is_gone(text):
    assert [one.old for one in read_replacements(text)] == [{"redi"}]


@pytest.mark.parametrize("text", ["We use Redis.", "We may switch from Redis to Kafka."])
def test_what_only_names_a_thing_replaces_none(text):
    assert not list(read_replacements(text))
