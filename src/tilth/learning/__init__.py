"""Learning: what sessions state, found by rules or by a language model."""
