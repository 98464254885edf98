"""The pages: what the brain knows, what waits for a decision, and what agents were shown."""
