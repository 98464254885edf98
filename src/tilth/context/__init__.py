"""What agents are shown unasked: briefs, receipts of them, and warnings of known failures."""
