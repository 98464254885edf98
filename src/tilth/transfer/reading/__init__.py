"""Read files of other programs, within limits."""
