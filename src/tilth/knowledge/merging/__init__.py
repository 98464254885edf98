"""Entities that are one: merging and splitting them, asking whether they are, tidying."""
