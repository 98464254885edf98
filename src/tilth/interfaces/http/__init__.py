"""The brain over HTTP: every verb under `/v1`, and what guards it."""
