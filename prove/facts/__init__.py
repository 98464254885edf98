"""Facts, slots and reviews beside a model of them in plain Python."""
