"""Pages of the web: which addresses are safe, fetching them, and their readable text."""
