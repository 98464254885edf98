"""
The background worker: it records what hooks wrote, makes vectors, and more, stage by stage.

Each store has at most one worker, by a lock that the system frees however the worker ends. Each
batch is committed by itself, so a worker may be killed at any moment, and the next one continues.
"""
