"""
Find the sentences of an agent's report that may be shown in another session.

Advice, intentions, possibilities, progress and lead-ins are left out. Each remaining sentence comes
with the sentence that belongs to it.
"""

import re
from collections.abc import Iterator

from tilth.core.text.pattern import pattern
from tilth.episodes.episode import Role
from tilth.exchanges.passage import passages
from tilth.exchanges.sentences import passes, supposes
from tilth.exchanges.worth import announces, without_nod, worth

# Advice, intentions and possibilities: none of them is how something is.
_NOT_SO_YET = pattern(
    r"\b(?:will|should|would|could|might|may|can now|you can|you'?ll|i'?ll|next (?:phase|step)|once"
    r"|likely|probably|possibl[ey]|seems?)\b",
    re.IGNORECASE,
)
# Progress: "✅ Types fixed", "Status: done", "Progress update".
_OF_THE_HOUR = pattern(
    r"\W*(?:progress|summary|note|best practices|status|results?)\b|.*[✅❌🎉🎯]"
    r"|.*\b(?:is|are) (?:still |currently |now |all )*(?:failing|green)\b|.*\bsuccessfully\b"
    r"|(?:verified|confirmed|checked|validated)\b.*\bnow\b"
    r"|.*\b(?:untracked|dirty (?:state|tree|files?)|working (?:tree|copy))\b",
    re.IGNORECASE,
)
# List items without a subject: "Uses `refactor` since …", "Lists the key changes".
_NO_SUBJECT = pattern(
    r"\W*(?:Adds|Allows|Covers|Creates|Describes|Documents|Ensures|Explains|Follows|Groups|Handles"
    r"|Includes|Keeps|Lists|Maintains|Makes|Notes|Preserves|Provides|References|Removes|Returns"
    r"|Separates|Shows|Supports|Tells|Uses)\b"
    r"(?! (?:is|are|was|were|must|should|can|cannot|do|have|need)\b)"
)
# What the agent is about to do, and references to the sentence before.
_UNDER_WAY = pattern(
    r"\W*(?:(?:looking at|investigating|examining|checking|verifying|tracing|reading)\b"
    r"|i(?:'m| am) \w+ing\b|i (?:need|have) to\b|the user (?:wants?|asked|is)\b"
    # Requests of a person, which count as that person's words.
    r"|(?:so )?you(?:'d| would)? (?:want(?:ed)?|asked|requested|mentioned|like)\b"
    r"|the (?:goal|plan|idea|task|aim) is to\b"
    r"|(?:however,? )?there (?:is|are) (?:still |several |some |a few )?(?:\w+ )?"
    r"(?:error|issue|problem)s?\b"
    r"|(?:it|this|that|they|these|those)\b|(?:fixed|changed|updated|solution|problem solved):)",
    re.IGNORECASE,
)
# Lead-ins to a list that is not shown with them, hosts' notes on tools, and code.
_LEADS_ON = pattern(
    r"(?::|\b(?:either|following|as follows|below))\W*$|^\W*here(?:'s| is| are)\b|</?[a-z]+>"
    r"|\s//\s",
    re.IGNORECASE,
)
# Items that only name a thing and its topics: "Detailed rules covering A, B and C".
_NAMES_ONLY = pattern(
    r"\W*(?:an? |the )?(?:[\w-]+ ){1,4}"
    r"(?:covering|explaining|describing|for|of|with|about|to|that|which)\b"
    r"(?!.*\b(?:is|are|was|were|has|have|had|does|do|did|can|must|cannot|\w+n't)\b)",
    re.IGNORECASE,
)
_NAMES_A_LINK = pattern(r"\]\(|https?://")
# In characters. A shorter sentence is a heading or a nod, a longer one a plan.
_CHARS = range(40, 301)


def sentences_of(report: str, *, least: float) -> Iterator[tuple[str, float]]:
    """
    Yield the sentences of a report that may be shown, each with what belongs to it.

    Each comes with the worth of the sentence alone, from 0 to 1, which is *least* or more.
    """
    for text, whole in _sentences(report):
        if (weight := worth(text, Role.ASSISTANT)) >= least:
            yield whole, weight


def _sentences(report: str) -> Iterator[tuple[str, str]]:
    """Yield each sentence that may be shown, and the same with what belongs to it."""
    for one in passages(report, Role.ASSISTANT):
        text = without_nod(one.alone)
        is_part = one.sentence.is_item and not text.endswith(".") and _NAMES_ONLY.match(text)
        if len(text) in _CHARS and not (is_part or _is_of_no_use(text)):
            whole = without_nod(one.whole)
            yield text, text if announces(whole) else whole


def _is_of_no_use(text: str) -> bool:
    if (
        _UNDER_WAY.match(text)
        or _NO_SUBJECT.match(text)
        or _OF_THE_HOUR.match(text)
        or _LEADS_ON.search(text)
        or _NAMES_A_LINK.search(text)
        or _NOT_SO_YET.search(text)
    ):
        return True
    return passes(text) or announces(text) or supposes(text)
