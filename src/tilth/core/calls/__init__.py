"""What functions are called with: their parameters, and how much of a list is asked for."""
