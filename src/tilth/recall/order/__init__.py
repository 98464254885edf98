"""Order an answer: signals, ranking, and comparisons between the best candidates."""
