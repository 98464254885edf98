"""Read text whatever it is about: prose, sentences, clauses, names, triples."""
