"""The real agent programs, before a server of ours that plays their model."""
