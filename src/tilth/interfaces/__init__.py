"""The ways in: parse, call one verb, render."""
