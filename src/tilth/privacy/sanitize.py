"""
Make stored text harmless for an agent that reads it.

What was recorded may try to close our fence, to speak as the program around the agent, or to fetch
something when it is rendered. It keeps its letters, but no tag in it is a tag any more: where `<`
would open one, a quotation mark stands. Nothing is taken out, so nothing can grow together into a
tag again (T9, I35).
"""

import re
import textwrap

from tilth.core.text.pattern import pattern
from tilth.privacy.terminal_text import inert

# With these begin the tags that agent programs and models take for the voice of the machinery.
_VOICES = """
    antml assistant bash- command- developer environment_ function_ human ide_ instructions invoke
    local-command- parameter permissions session_ skills_ system task- thinking tilth- tool_ turn_
    user- user_
"""
# Elements of HTML that act or fetch where markdown is rendered.
_ELEMENTS = "audio base embed form frame iframe img link meta object script style svg video"
_TAG = pattern(
    rf"<(?=\s*[/!?]?\s*(?:\||(?:{'|'.join(_VOICES.split())})))"
    rf"|<(?=/?(?:{'|'.join(_ELEMENTS.split())})\b)",
    re.IGNORECASE,
)
# The turns of chat templates: [INST], <<SYS>>, and `![…](…)`, which fetches when it is rendered.
_MARKS = pattern(r"\[(?=/?INST\])|<(?=<\s*/?SYS)|!(?=\[)", re.IGNORECASE)
# Wide forms and a quotation mark: they look like what they stand for, and are nothing.
_HARMLESS = {"[": "\uff3b", "<": "\u2039", "!": "\uff01"}


def sanitized(text: str) -> str:
    """Return *text* with no tag, chat mark, image or control character in force."""
    text = inert(text)
    for form, begun in ((_TAG, "<"), (_MARKS, _HARMLESS)):
        if any(mark in text for mark in begun):
            text = form.sub(lambda mark: _HARMLESS[mark.group()], text)
    return text


def as_block(text: str) -> str:
    """Return *text* as a block that no line leaves, and that markdown shows as it is."""
    # textwrap leaves empty lines empty, which is what keeps a block of code together.
    return textwrap.indent(text.replace("\r", "\n"), "    ")


def shortened(text: str, chars: int) -> str:
    """Return *text*, or its beginning with an ellipsis where it is longer than *chars*."""
    return text if len(text) <= chars else text[: max(chars - 1, 0)].rstrip() + "…"
