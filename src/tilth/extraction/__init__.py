"""Finding what a text states: pure functions over one message and what was said before it."""
