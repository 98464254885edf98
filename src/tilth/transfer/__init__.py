"""Files of others: importers of transcripts, exports and notes."""
