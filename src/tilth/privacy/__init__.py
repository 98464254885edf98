"""
Keep private spans, secrets and personal data from being stored or shown.

Every write passes `redaction.scrub` before ledger, index, log or model see it. All of this is pure:
text in, text out, in time linear in the text.
"""
