"""The verbs of people and conversations; importing this declares them."""

from tilth.people.verbs import conversations as conversations
from tilth.people.verbs import people as people
