"""How alike two statements are, and whether they contradict each other."""
