"""From what was experienced to what is known how to do: ordered stages, each on its own."""
