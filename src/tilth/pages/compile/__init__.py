"""Compile pages: the choice of subjects, the facts of each, and the form of the document."""
