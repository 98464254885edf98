"""A local-first memory and knowledge brain for AI agents."""
