"""Embedders: what turns texts into vectors. Two are bundled; the others are configured."""
