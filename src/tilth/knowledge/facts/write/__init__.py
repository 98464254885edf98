"""Write a fact: normalise its words, find its entities and slot, and decide what becomes of it."""
