"""What is known and what happened: to read, and to put right in place."""
