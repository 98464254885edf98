"""
The labelled corpus of secrets, expanded from templates that hold none.

The templates are written by hand after the formats that vendors document. A secret
stands between ⟦ and ⟧ and its random part is a macro such as {b62:36}, so that the
repository has no string that a scanner would take for a real token; {b62:0} expands
to nothing and only breaks up a marker.
"""

import base64
import json
import random  # noqa: TID251 - seeded, so that the corpus is one corpus
import re
import string
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

DATA = Path(__file__).parent / "data"
HELD_OUT_EVERY = 3  # each third positive is kept for the last look

_MACRO = re.compile(r"\{([a-zA-Z0-9]+):(\d+)\}")
_BASE62 = string.ascii_letters + string.digits
_ALPHABETS = {
    "b62": _BASE62,
    "alpha": string.ascii_letters,
    "low": string.ascii_lowercase + string.digits,
    "UP": string.ascii_uppercase + string.digits,
    "hex": "0123456789abcdef",
    "HEX": "0123456789ABCDEF",
    "dig": string.digits,
    "b32": string.ascii_uppercase + "234567",
    "b32l": string.ascii_lowercase + "234567",
    "b64": _BASE62 + "+/",
    "b64url": _BASE62 + "-_",
}


@dataclass(frozen=True, slots=True)
class Positive:
    """A text with one secret, from *start* to *end*."""

    family: str
    text: str
    start: int
    end: int
    held_out: bool

    @property
    def secret(self) -> str:
        """What must not be left."""
        return self.text[self.start : self.end]


# Formats that speak for themselves, which the disguises are measured on.
COMMON = frozenset(
    {
        "anthropic_key", "aws_access_key", "databricks_token", "digitalocean_token",
        "docker_token", "github_token", "gitlab_token", "google_api_key", "groq_key",
        "huggingface_token", "json_web_token", "linear_key", "npm_token", "openai_key",
        "openrouter_key", "private_key", "pypi_token", "replicate_token", "sendgrid_key",
        "sentry_token", "shopify_token", "slack_token", "stripe_key", "supabase_key",
        "vault_token", "xai_key",
    }
)  # fmt: skip


def positives() -> list[Positive]:
    """Return the positives, the same ones each time."""
    return list(_positives())


def negatives() -> list[str]:
    """Return texts without a secret, most of them close to having one."""
    chance = random.Random(11)
    lines = (DATA / "secrets.negative.txt").read_text(encoding="utf-8").splitlines()
    return [_expanded(line, chance) for line in lines]


def _positives() -> Iterator[Positive]:
    chance = random.Random(7)
    lines = (DATA / "secrets.positive.txt").read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, start=1):
        family, _, template = line.partition("\t")
        before, _, rest = _expanded(template, chance).partition("⟦")
        secret, _, after = rest.partition("⟧")
        start = len(before)
        yield Positive(
            family,
            before + secret + after,
            start,
            start + len(secret),
            held_out=number % HELD_OUT_EVERY == 0,
        )


def _expanded(template: str, chance: random.Random) -> str:
    plain = re.sub(r"\\([\\nte])", lambda match: _ESCAPES[match[1]], template)
    return _MACRO.sub(lambda match: _generated(match[1], int(match[2]), chance), plain)


_ESCAPES = {"\\": "\\", "n": "\n", "t": "\t", "e": "\x1b"}


def _generated(kind: str, count: int, chance: random.Random) -> str:
    if kind in _ALPHABETS:
        return "".join(chance.choices(_ALPHABETS[kind], k=count))
    if kind == "uuid":
        digits = _generated("hex", 32, chance)
        return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))
    if kind == "jwt":
        return _web_token(chance)
    lines = [_generated("b64", 64, chance) for _ in range(count)]
    return {"pem": "\n", "pemi": "\n    ", "pemj": "\\n"}[kind].join(lines)


def _web_token(chance: random.Random) -> str:
    subject = _generated("dig", 10, chance)
    parts = ({"alg": "HS256", "typ": "JWT"}, {"sub": subject, "iat": 1767953123})
    encoded = [base64.urlsafe_b64encode(json.dumps(part).encode()).decode() for part in parts]
    return ".".join([part.rstrip("=") for part in encoded] + [_generated("b64url", 43, chance)])


def disguised(positive: Positive, form: str) -> str:
    """Return the text of *positive* with its secret disguised as *form*."""
    secret = DISGUISES[form](positive.secret)
    return positive.text[: positive.start] + secret + positive.text[positive.end :]


def _zero_width(secret: str) -> str:
    middle = len(secret) // 2
    return secret[:2] + "\u200b" + secret[2:middle] + "\u2060\ufeff" + secret[middle:]


def _full_width(secret: str) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in secret)


DISGUISES: dict[str, Callable[[str], str]] = {
    "zero-width": _zero_width,
    "full-width": _full_width,
    "percent": lambda secret: "".join(f"%{ord(c):02X}" for c in secret),
    "base64": lambda secret: base64.b64encode(secret.encode()).decode(),
    "json-escape": lambda secret: "".join(f"\\u{ord(c):04x}" for c in secret),
    "cjk-adjacent": lambda secret: f"令牌是{secret}请保密",
    "bidi": lambda secret: f"\u202a{secret[:5]}\u202c\u00ad{secret[5:]}",
    "terminal-colour": lambda secret: f"{secret[:6]}\x1b[m\x1b[K{secret[6:]}",
    "mathematical": lambda secret: "".join(
        chr(0x1D5BA + ord(c) - 97) if c.islower() else c for c in secret
    ),
}
