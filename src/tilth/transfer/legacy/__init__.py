"""Facts of other stores: read them, state them as history, and promote them."""
