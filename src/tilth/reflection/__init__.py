"""Reflection: turn experience into playbooks and skills, in ordered and independent stages."""
