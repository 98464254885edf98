"""Facts: how they are written, which slot they fill, what supersedes what, and how they end."""
