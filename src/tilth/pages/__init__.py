"""Pages: what is known of a subject, compiled from facts that hold; each sentence cites them."""
