"""The verbs of people and conversations; importing this declares them."""

from tilth.people.verbs import conversation_verbs as conversation_verbs
from tilth.people.verbs import identity_verbs as identity_verbs
