"""Recall: from a question to ranked, explained hits within a budget."""
