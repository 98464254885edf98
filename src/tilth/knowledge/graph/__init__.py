"""The graph: edges between entities, and triples in channels."""
