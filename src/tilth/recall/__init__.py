"""Recall: from a question to ranked and explained hits, within a budget."""
