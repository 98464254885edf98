"""Read values, relations and outcomes from a text."""
