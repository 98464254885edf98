"""People: where they are reached, how they are, and the conversations with them."""
