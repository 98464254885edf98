"""The verbs of skills, and of what becomes of playbooks; importing this declares them."""

from tilth.skills.verbs import playbook_verbs as playbook_verbs
from tilth.skills.verbs import skill_verbs as skill_verbs
