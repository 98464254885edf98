"""What can be asked, and how; a module for each family of commands. Only light modules."""
