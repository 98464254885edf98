"""What agents saw: each brief and injection, beside its session, and what came of it."""

from tilth.interfaces.web.screen import PAGE, Ask, Told, screen


@screen("/seen", title="What agents saw", group="Decide", place=90)
def seen(ask: Ask) -> Told:
    """Gather receipts, the newest first."""
    session = ask.maybe("session")
    return {"receipts": ask.brain.receipts.list(session_id=session, limit=PAGE), "session": session}


@screen("/seen/{receipt}", title="What an agent saw")
def trace(ask: Ask) -> Told:
    """Gather a receipt, and each thing that it names as it stands now."""
    return {"trace": ask.brain.receipts.trace(ask.brain.whole_id(ask.text("receipt")))}
