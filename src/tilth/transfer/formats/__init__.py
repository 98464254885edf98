"""The formats that are imported, one module each."""
