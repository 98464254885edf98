"""The ground of everything else: IDs, time, actors, scopes, errors, and JSON."""
