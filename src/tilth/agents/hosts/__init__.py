"""The agent programs that Tilth plugs into, one module each."""
