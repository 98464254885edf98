"""Plain statements: decisions, plans, preferences, news, answers, corrections."""
