"""People: their addresses, their profiles, and conversations with them."""
