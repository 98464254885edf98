"""Pages: documents on a subject, compiled from facts that hold; every sentence cites its facts."""
