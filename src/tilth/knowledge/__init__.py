"""Knowledge: facts with their time and life, and the entities that they are about."""
