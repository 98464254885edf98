"""A brain as a folder of Markdown: written for Obsidian and git, read back as proposals."""
