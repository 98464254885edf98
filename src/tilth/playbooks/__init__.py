"""How a class of work is done here: drafted from sessions that succeeded, confirmed by a human."""
