"""Erasure for privacy: what goes, what stays, and the proof."""
