"""
What happens in the background: what hooks wrote is recorded, and vectors catch up.

One worker at a time has a store, by a lock that the system frees however the
worker ends. Each batch is committed on its own, so it may be killed at any
moment and the next one goes on where it stopped.
"""
