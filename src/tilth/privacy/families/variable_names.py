"""The names under which programs keep secrets, as patterns to be used in any case."""

_NAMES = (
    r"pass[_-]?word|passwd|passwort|pass[_-]?phrase|pass[_-]?code|pwd|psk|contrase.a"
    r"|mot[_ ]de[_ ]passe|kennwort|wachtwoord|senha"
    r"|[_-]pass|secret|private[_-]?key|secret[_-]?key|encryption[_-]?key|signing[_-]?key"
    r"|master[_-]?key|(?:[a-z]{2,12}[_-]?)?token|api[_-]?key|access[_-]?key(?:[_-]?id)?"
    r"|account[_-]?key|auth[_-]?key|license[_-]?key|subscription[_-]?key|shared[_-]?key"
    r"|credentials?|webhook[_-]?key|app[_-]?key|api[_-]?secret|client[_-]?secret"
)

QUALIFIED_NAME = (
    rf"(?P<key>{_NAMES})"
    r"(?:[_-]?(?:[0-9]{1,2}|prod(?:uction)?|dev|test|staging|live|value|base64|b64|old|new|plain"
    r"|base|text))?"
)

# Found wherever one of the names is, and quick to look for.
NAME_HINT = (
    r"(?i:pass[_-]?(?:w|phrase|code)|[_-]pass|pwd|psk|contrase|mot[_ ]de[_ ]passe|kennwort"
    r"|wachtwoord|senha|secret|token|credential"
    r"|(?:api|access|private|encryption|signing|master|account|auth|license|subscription|shared"
    r"|webhook|app)[_-]?key)"
)
