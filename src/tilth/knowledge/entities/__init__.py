"""Entities with their names; people merge and split them."""
