"""What is known about one thing, from all that knows of it."""
