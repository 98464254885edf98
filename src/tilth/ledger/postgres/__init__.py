"""The engine for teams: PostgreSQL with pgvector, through psycopg. Loaded only when asked for."""
