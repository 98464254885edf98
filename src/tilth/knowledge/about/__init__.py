"""Everything that is known about one entity."""
