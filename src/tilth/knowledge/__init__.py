"""What is known: facts with a time and a life, and the entities that they are about."""
