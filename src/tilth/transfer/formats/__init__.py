"""The import formats, one module each."""
