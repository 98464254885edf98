"""Entities: things and their names, merged and split by people."""
