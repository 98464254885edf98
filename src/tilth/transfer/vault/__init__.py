"""A brain as a folder of markdown: written for Obsidian and git, read back as proposals."""
