"""The default engine: one SQLite file, through apsw."""
