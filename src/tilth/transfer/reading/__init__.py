"""Reading the files of other programs within limits."""
