"""The agent programs that Tilth serves: what their hooks tell, and where they are configured."""
