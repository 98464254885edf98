"""A cycle: one round of the garden, in eight steps that each end with an event."""
