"""The brain as an MCP server: tools, resources and prompts over stdio and loopback HTTP."""
