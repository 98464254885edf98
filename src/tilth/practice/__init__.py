"""Practice: the commands that agents ran, their outcomes, and failures that were overcome."""
