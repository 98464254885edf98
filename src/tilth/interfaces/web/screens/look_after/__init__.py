"""What is looked after: health, settings, imports, and what is forgotten."""
