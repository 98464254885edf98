"""
What is said in ten days, and what of it ends what was said before.

A week's work on three projects: rules are set and lifted, decisions are made and replaced,
promises are made and kept, what was wrong is corrected. `ENDS` names the words by which others
no longer hold; whatever stands in no row of it holds to the end.
"""

from prove.days.playing import DONE, Act, Turn

DAYS = 10
# Nobody works, and nothing is recorded or distilled.
IDLE_DAY = 6


def act(
    day: int, hour: float, host: str, place: str, *said: str, ran: str = DONE, **how: str
) -> Act:
    """Return a session whose prompts and reports follow one another."""
    turns = tuple(Turn(*one) for one in zip(said[::2], said[1::2], strict=True))
    return Act(day, hour, host, place, turns, ran=ran, **how)


CLAUDE, CODEX, GEMINI, OPENCODE = "claude-code", "codex", "gemini-cli", "opencode"
STORY = (
    act(
        0,
        8,
        CLAUDE,
        "ledger",
        "From now on run the linter before each commit.",
        "Understood, I will run the linter before each commit.",
        "Which database should the ledger use? Compare SQLite and PostgreSQL.",
        "We decided to use PostgreSQL for the ledger, because row-level security settles tenancy."
        " Next: write the migration of the accounts table.",
        ran="make lint",
    ),
    act(
        0,
        9,
        CODEX,
        "ledger-worktree",
        "Set up the queue for outgoing invoices.",
        "We decided to use Redis for the invoice queue, because it is already deployed."
        " I left the retry policy of the queue for later.",
        ran="make lint",
    ),
    act(
        0,
        10,
        GEMINI,
        "kettle",
        "Which colour shall the kettle's lid have?",
        "We decided to paint the lid green, because green hides limescale.",
        ran="npm test",
    ),
    act(
        0,
        11,
        OPENCODE,
        "kettle",
        "Always measure the water temperature in kelvin.",
        "Understood, temperatures are in kelvin.",
        ran="npm test",
    ),
    act(
        0,
        12,
        CLAUDE,
        "scratch",
        "From now on always delete the whole build folder first.",
        "We decided to throw the scratch build away each time.",
    ),
    act(
        1,
        8,
        CLAUDE,
        "ledger",
        "Write the migration of the accounts table.",
        "The migration of the accounts table is written and its tests pass.",
        ran="make migrate",
    ),
    act(
        1,
        9,
        GEMINI,
        "ledger-clone",
        "On which port does staging listen?",
        "Staging listens on port 8443, as deploy/staging.toml says.",
        "Write that down in the README.",
        "The README now says that staging listens on port 8443.",
        ran="make lint",
    ),
    act(
        1,
        10,
        CODEX,
        "kettle",
        "Where do we keep the firmware images?",
        "We decided to keep the firmware images in the bucket kettle-images, because releases"
        " are read from there.",
        ran="npm test",
    ),
    act(
        2,
        8,
        CODEX,
        "ledger",
        "The retry policy of the queue: try five times, then give up.",
        "The retry policy of the invoice queue is in place: five tries, then a dead letter.",
        ran="make lint",
    ),
    act(
        2,
        8.5,
        CLAUDE,
        "ledger-worktree",
        "Never push to main without asking me.",
        "Understood, I ask before each push to main.",
        ran="make lint",
        beside="at once",
    ),
    act(
        2,
        23.9,
        GEMINI,
        "kettle",
        "I prefer short commit messages.",
        "Understood.",
        ran="npm test",
    ),
    act(
        3,
        8,
        CLAUDE,
        "ledger",
        "Move the invoice queue to RabbitMQ, Redis lost messages last night.",
        "We switched the invoice queue from Redis to RabbitMQ, because Redis lost messages"
        " during a failover.",
        ran="make lint",
    ),
    act(
        3,
        9,
        CLAUDE,
        "ledger",
        "Try the same with NATS and tell me which one is faster.",
        "NATS was two milliseconds faster, but we keep RabbitMQ for the invoice queue.",
        ran="make bench",
        failed="python3 scripts/measure_nosuch.py --env staging",
        beside="fork",
    ),
    act(
        3,
        10,
        OPENCODE,
        "kettle",
        "Paint the lid blue instead of green, the customers asked for it.",
        "We decided to paint the lid blue instead of green, because the customers asked for it.",
        ran="npm test",
    ),
    act(
        4,
        8,
        CODEX,
        "ledger",
        "Add a column for the currency to the accounts table.",
        "The accounts table has a column currency now. I have not updated the API"
        " documentation yet.",
        ran="make migrate",
    ),
    act(
        4,
        9,
        CLAUDE,
        "ledger",
        "What failed in the pipeline this morning?",
        "The pipeline failed because the runner had no disk space left; clearing its cache"
        " mended it.",
        ran="make lint",
        beside="resume",
    ),
    act(
        4,
        13,
        GEMINI,
        "kettle",
        "No, that was wrong: measure the water temperature in celsius, not in kelvin.",
        "Understood, temperatures are in celsius from now on.",
        ran="npm test",
    ),
    act(
        5,
        8,
        CODEX,
        "ledger",
        "You no longer need to run the linter before each commit.",
        "Understood, no linter before commits.",
        ran="make test",
    ),
    act(
        5,
        9,
        OPENCODE,
        "ledger",
        "Update the API documentation for the currency column.",
        "The API documentation now covers the currency column.",
        ran="make docs",
    ),
    act(
        5,
        10,
        CLAUDE,
        "kettle",
        "Remind me to order new heating elements before the next release.",
        "Noted: order new heating elements before the next release.",
        ran="npm test",
    ),
    act(
        5,
        14,
        CLAUDE,
        "ledger",
        "Which proxy stands in front of staging?",
        "We decided to use Caddy for the proxy of staging, because it renews certificates.",
        "Caddy cannot do mutual TLS with our tokens, take Traefik.",
        "We decided on Traefik for the proxy of staging instead of Caddy, because Caddy lacks"
        " mutual TLS for tokens.",
        ran="make proxy",
        beside="set back",
    ),
    act(
        5,
        11.5,
        CODEX,
        "ledger-worktree",
        "Which proxy does staging use now?",
        "Staging uses Traefik.",
        ran="make lint",
    ),
    # The clock stays behind: what follows is dated before what it replaces.
    act(
        5,
        11.6,
        CLAUDE,
        "ledger-clone",
        "Traefik drops our websockets, take HAProxy.",
        "We decided on HAProxy for the proxy of staging instead of Traefik, because Traefik drops"
        " websockets.",
        ran="make proxy",
    ),
    act(
        5,
        11.8,
        CLAUDE,
        "kettle",
        "Count the files of the firmware, by a helper.",
        "The helper counted two files.",
        ran="npm test",
        beside="subagent",
    ),
    act(
        7,
        8,
        GEMINI,
        "ledger",
        "Correction: staging listens on port 9443 since Monday, not on 8443.",
        "The README says port 9443 for staging now.",
        ran="make docs",
    ),
    act(
        7,
        9,
        CLAUDE,
        "ledger-clone",
        "Use PostgreSQL 15 after all, 16 breaks the driver.",
        "We decided on PostgreSQL 15 for the ledger, because 16 breaks the driver.",
        "Run the migrations once more.",
        "All migrations ran.",
        ran="make migrate",
        beside="compact",
    ),
    act(
        7,
        9.1,
        CODEX,
        "kettle",
        "Move the firmware images to the bucket kettle-releases.",
        "We moved the firmware images from the bucket kettle-images to kettle-releases,"
        " because the old bucket is public.",
        ran="npm run publish",
        beside="at once",
    ),
    act(
        8,
        8,
        CODEX,
        "ledger-worktree",
        "Which queue carries the invoices?",
        "RabbitMQ carries the invoices.",
        ran="make test",
    ),
    act(
        8,
        9,
        GEMINI,
        "kettle",
        "The heating elements are ordered.",
        "Good, the reminder is done.",
        ran="npm test",
    ),
    act(
        8,
        10,
        CLAUDE,
        "ledger",
        "Forget the rule about pushing: you may push to main yourself.",
        "Understood, I push to main myself.",
        ran="make test",
    ),
    act(
        8,
        11,
        CLAUDE,
        "ledger-clone",
        "Count the migrations, by a helper.",
        "The helper counted two migrations.",
        ran="make migrate",
        beside="subagent",
    ),
    act(
        9,
        8,
        CLAUDE,
        "ledger",
        "Which database do we use for the ledger, and on which port is staging?",
        "PostgreSQL 15, and staging is on port 9443.",
        ran="make test",
    ),
    act(
        9,
        9,
        CODEX,
        "ledger",
        "What is left to do?",
        "Nothing is left to do.",
        ran="make test",
    ),
    act(
        9,
        10,
        GEMINI,
        "kettle",
        "Which colour has the lid, and where are the firmware images?",
        "The lid is blue, and the firmware images are in kettle-releases.",
        ran="npm test",
    ),
    act(
        9,
        11,
        CLAUDE,
        "kettle",
        "In which unit is the water temperature?",
        "The water temperature is in celsius.",
        ran="npm test",
    ),
)
# By which words others no longer hold, in any session after the one that said them.
ENDS = {
    "we switched the invoice queue from redis to rabbitmq": (
        "we decided to use redis for the invoice queue",
    ),
    "we decided on traefik for the proxy of staging": ("we decided to use caddy for the proxy",),
    "we decided on haproxy for the proxy of staging": (
        "we decided to use caddy for the proxy",
        "we decided on traefik for the proxy of staging",
        "staging uses traefik",
    ),
    "we decided to paint the lid blue": ("we decided to paint the lid green",),
    "measure the water temperature in celsius": (
        "always measure the water temperature in kelvin",
        "temperatures are in kelvin",
    ),
    "you no longer need to run the linter": (
        "from now on run the linter",
        "i will run the linter before each commit",
    ),
    "correction: staging listens on port 9443": (
        "staging listens on port 8443",
        "the readme now says that staging listens on port 8443",
    ),
    "we moved the firmware images from the bucket": (
        "we decided to keep the firmware images in the bucket",
    ),
    "you may push to main yourself": (
        "never push to main without asking me",
        "i ask before each push to main",
    ),
    "the retry policy of the invoice queue is in place": (
        "i left the retry policy of the queue for later",
    ),
    "the api documentation now covers": ("i have not updated the api",),
    "the migration of the accounts table is written": (
        "next: write the migration of the accounts table",
    ),
    "the heating elements are ordered": (
        "remind me to order new heating elements",
        "noted: order new heating elements",
    ),
}
# What a person ended at the desk, on which day, before this hour; nothing tells of it after.
ENDED_BY_HAND, BY_HAND_UNTIL = {7: "from now on run the linter"}, 9
# What a correction makes of a sentence: nobody said it in these words.
SAID_ANEW = ("always measure the water temperature in celsius.",)
# What a brief must tell: on which day and where, that it says so, and at which event.
_BEGINS = "SessionStart"
MUST_TELL = (
    (1, "ledger", "from now on run the linter", _BEGINS),
    (1, "ledger", "we decided to use postgresql for the ledger", _BEGINS),
    (1, "kettle", "always measure the water temperature in kelvin", _BEGINS),
    (4, "ledger", "never push to main without asking me", _BEGINS),
    (5, "kettle", "measure the water temperature in celsius", "SubagentStart"),
    (7, "kettle", "contested", _BEGINS),
    (8, "ledger-worktree", "postgresql 15", _BEGINS),
    (8, "ledger-clone", "postgresql 15", "SubagentStart"),
    (9, "ledger", "taken back?", _BEGINS),
    (9, "ledger", "we decided on haproxy for the proxy of staging", _BEGINS),
)
# In which project a place is.
PROJECT = {
    "ledger": "ledger",
    "ledger-worktree": "ledger",
    "ledger-clone": "ledger",
    "kettle": "kettle",
    "scratch": "scratch",
}
