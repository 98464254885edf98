"""
Decide what a text still says after parts of it were removed.

"Anna lives in [private]" says nothing of where she lives; "Deploys go out on Fridays ([private])"
says what it did. So does "Always sign the images, the key is [secret:…]"; of "The key is
[secret:…]" nothing is left, whichever key it was.
"""

import re

from tilth.core.text.pattern import pattern
from tilth.privacy.finding import PLACEHOLDER, has_placeholder
from tilth.privacy.private_tags import MARKER

_PRIVATE = re.escape(MARKER)
# In parentheses with nothing else, or as a sentence. "[private] Smith lives here" begins with one
# that may be a part of it.
_IN_PARENTHESES = pattern(rf"[ \t]?\([^\w()]{{0,9}}(?:{_PRIVATE}[^\w()\[]{{0,9}})+\)")
_SENTENCE = pattern(
    rf"(?:(?<=[.!?])|^)[ \t]*(?:{_PRIVATE}[ \t]*)+(?:[.!?]+(?=\s|$)|$)", re.MULTILINE
)

_GONE = rf"[`\"']?{PLACEHOLDER}[`\"']?"
_KEY = (
    r"(?:keys?|tokens?|passwords?|passphrases?|passcodes?|pins?|secrets?|credentials?|logins?"
    r"|cookies?)\b"
)
# What only names the kind of what was taken out.
OF_A_KEY = pattern(rf"\b(?:api |{_KEY})", re.IGNORECASE)
_BESIDE = (
    # In parentheses with nothing else, or with what it is.
    pattern(rf"[ \t]?\((?:[^()\n]{{0,60}}\W)?{_GONE}[^()\n]{{0,20}}\)"),
    # "keys such as …"
    pattern(rf",? (?:such as|like|e\.g\.,?|for example) {_GONE}", re.IGNORECASE),
    # A clause that says nothing else: "…, the key of the shop is …"
    pattern(
        r"(?:^|[,;:\u2013\u2014]| -|\b(?:and|because|since)\b)\s*(?:and |with )?"
        rf"(?:[\w'-]+ ){{0,4}}{_KEY}(?: [\w'-]+){{0,4}}?(?: (?:is|are|was|being)|:| =)\s*{_GONE}",
        re.IGNORECASE,
    ),
    # "never push the key … to the mirror": what is not to be done is so with any.
    pattern(
        rf"(?P<kept>\b(?:never|not|n't|avoid|stop)\b[^.;\n]{{0,60}}\b{_KEY}) {_GONE}",
        re.IGNORECASE,
    ),
    # "run `SHOP_TOKEN=… make seed`": the variable is named.
    pattern(rf"(?P<kept>\b[A-Z][A-Z0-9_]{{2,60}})={_GONE}(?= [\w./])"),
)


def without_private(text: str) -> str:
    """Return *text*, as it was kept, without the private spans that stand by themselves in it."""
    if MARKER not in text:
        return text
    rest = _SENTENCE.sub("", _IN_PARENTHESES.sub("", text))
    return rest.strip() if any(map(str.isalnum, rest)) else text


def hides_private(text: str) -> bool:
    """Say whether a private span is a part of what *text* says, as it was kept."""
    return MARKER in without_private(text)


def without_keys(text: str) -> str | None:
    """
    Return *text* without what only told a key, so that it can be seen whether it reads whole.

    None if a key is a part of what the rest says.
    """
    for form in _BESIDE:
        text = form.sub(lambda found: found.groupdict().get("kept") or "", text)
    return None if has_placeholder(text) else text.strip()
