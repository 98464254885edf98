"""What everything else is made of: IDs, time, actors, scopes, errors, and JSON."""
