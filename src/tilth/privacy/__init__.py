"""
What must not be stored or shown: private spans, secrets, personal data.

Every write passes `redaction.scrub` before ledger, index, log or model see it.
All of this is pure: text in, text out, in time linear in the text.
"""
