"""
A running worker answers what only reads, so that nobody waits for models to load.

The worker runs the very command, with a brain that is open already, and gives back what it
wrote. So its answer is that of a fresh process, which is where whoever gets none goes on.
"""

# Commands that anybody may give, and that change nothing.
COMMANDS = frozenset({"recall", "brief"})
