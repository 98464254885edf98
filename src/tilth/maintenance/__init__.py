"""Maintenance: archiving, deduplication, consolidation, contradictions, integrity."""
