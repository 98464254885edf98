"""Language models: providers, prompts, validated answers, and budgets."""
