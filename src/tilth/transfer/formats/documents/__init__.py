"""The formats of documents: what people write for people."""
