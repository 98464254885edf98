"""What agents are shown unasked: briefs, their receipts, and warnings about known failures."""
