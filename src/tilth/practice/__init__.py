"""What works here: the commands that agents ran, how they ended, and how failures were overcome."""
