"""Going back: daily snapshots of knowledge, rollback to one of them, and undo."""
