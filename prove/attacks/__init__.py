"""Attacks on what a store holds true: see `python -m prove.attacks`."""
