"""Ten days of simulated work, and a model of what is true in them."""
