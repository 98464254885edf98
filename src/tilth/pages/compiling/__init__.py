"""From what holds to a document that cites it: of what, from which facts, in which form."""
