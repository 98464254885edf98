"""Providers of language models: APIs of servers, and agent programs."""
