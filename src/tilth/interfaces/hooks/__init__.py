"""What the worker tells hooks, and keeps for them."""
