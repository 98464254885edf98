"""What somebody says outright: decisions, plans, preferences, news, answers, corrections."""
