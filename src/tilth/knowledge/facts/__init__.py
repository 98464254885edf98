"""Facts: how they are written, which slot they fill, what supersedes them, and how they end."""
