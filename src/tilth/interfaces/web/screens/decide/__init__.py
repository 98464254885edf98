"""What waits for a person: proposals, gaps, playbooks, skills, and what agents are told."""
