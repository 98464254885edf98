"""Facts of other stores: reading them, stating them as the past, and making them current."""
