"""What must not be stored or shown: pure functions over text."""
