"""Agent programs that Tilth serves: their hooks, and their configuration."""
