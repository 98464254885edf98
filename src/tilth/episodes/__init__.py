"""Episodes: what was said and done, word for word, in sessions and documents."""
