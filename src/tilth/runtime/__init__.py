"""The running system: settings, connecting to a store, the worker, and the doctor."""
