"""Going back: daily snapshots of what is known, rollback to one of them, and undo."""
