"""Outcomes: results of tests of facts by others than their authors."""
