"""What words say, whatever they are about: prose, sentences, clauses, names, triples."""
