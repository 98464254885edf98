"""The review queue: proposals that wait for a human, and deciding them."""
