"""What holds in a project, written into a file that agents read, on a person's word."""
