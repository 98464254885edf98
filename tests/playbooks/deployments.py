"""Sessions in which the same thing is deployed."""

from tests.practice.sessions import SHOP, Session

DEPLOY = "./scripts/deploy.sh production"
DENIED = "Exit code 1\nerror: denied: requested access to the resource is denied"


def deployment(brain, name, *, day=0, scope=SHOP, failed=False, line=DEPLOY, **told):
    """One session that builds, tests and deploys."""
    session = Session(brain, name, day=day, scope=scope, **told)
    session.asks("Please deploy the shop to production now.")
    session.ran("make test 2>&1 | tail -3", "14 passed in 3.1s")
    session.ran("make build", "Built shop:1.4 for production.")
    outcome = DENIED if failed else f"Deployed the shop of session {name} to production."
    return session.ran(line, outcome, failed=failed).says("That is how it went.")


def troubled(brain, name, *, line=DEPLOY, **told):
    """One deployment that fails until somebody logs in."""
    session = Session(brain, name, **told).asks("Deploy the shop to production, please.")
    session.ran("make test", "14 passed in 3.1s").ran("make build", "Built shop:1.4.")
    session.ran(line, DENIED, failed=True)
    session.says("It failed because the registry token of this machine had expired last night.")
    session.ran("make login", "Login succeeded").ran(line, "Deployed the shop to production.")
    return session.says("Deployed.")
