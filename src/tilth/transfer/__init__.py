"""Import and export: transcripts, notes, exports, vaults, and other stores."""
