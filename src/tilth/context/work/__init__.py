"""Earlier work in an opening brief: the lines on it, and what they are read from."""
