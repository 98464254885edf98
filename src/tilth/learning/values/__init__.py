"""Values, relations and outcomes that a text states."""
