"""The structured tier in tables: facts and their lives, entities, edges, proposals, words."""
