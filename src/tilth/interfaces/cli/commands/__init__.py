"""Commands of the program itself, which need more of a terminal than calling one verb."""
