"""Sending the forms of a page as a browser does."""

import re
from html import unescape

_FORM = re.compile(r'<form method="post" action="/act".*?</form>', re.DOTALL)
_HIDDEN = re.compile(r'<input type="hidden" name="([^"]*)" value="([^"]*)"')


def pressed(browser, page: str, verb: str, holding: str = "", /, **typed: str | list[str]):
    """Send the first form of a page that calls *verb* and holds a text; return the next page."""
    for form in _FORM.findall(page):
        fields = [(name, unescape(value)) for name, value in _HIDDEN.findall(form)]
        if ("verb", verb) in fields and holding in unescape(form):
            data: dict[str, list[str]] = {}
            for name, value in fields:
                data.setdefault(name, []).append(value)
            data |= {
                name: [text] if isinstance(text, str) else text for name, text in typed.items()
            }
            return browser.post("/act", data=data, follow_redirects=True)
    raise AssertionError(f"no form calls {verb}")


def said(page: str) -> str:
    """Return what a page tells of what was just done."""
    return unescape(page.partition('<div class="flash')[2].partition('<div class="head">')[0])
