"""What people and agents say in so many words: settle, want, promise, put off, put right."""
