"""The ways in: parse, call one use case, render."""
