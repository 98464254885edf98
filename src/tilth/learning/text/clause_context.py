"""
Find the context of a clause that does not stand by itself.

"She used to lead the opera choir" is only of use with the words that say who she is: the clause
before it, or what the other side said last.
"""

import re

from tilth.core.text.prose import Sentence, plain, sentences
from tilth.episodes.episode import Role
from tilth.learning.candidate import Turn
from tilth.learning.text.clauses import Clause, asks, unled
from tilth.learning.text.third_person import in_third_person, join_sentences
from tilth.learning.text.verb_forms import is_claim

_CONTEXT_CHARS_MAX = 200
# In events, since the ledger may record something else with a message.
_NEXT = 2
_TYPED_CHARS_MAX, _TYPED_LINES_MAX = 1500, 20
_ASKED = re.compile(
    r"\?[\"')\s]*$|^(?:and |so |ok |hey |since |until |till |by )?(?:what|"
    r"who|where|when|which|how|why)(?:'s| is| are| do| does| did| many| much| long)?\b[^.!]{0,60}$",
    re.IGNORECASE,
)
_POINTING = re.compile(
    r"\b(?:it|that|this|them|those|these|"
    r"(?:that|this|the (?:first|second|third|last|other|same)) one|so|there|then|the (?:first|"
    r"second|latter|former))(?: (?:then|please|pls|myself|too|as well|instead|now))?[.!]*$",
    re.IGNORECASE,
)
# An agent's offer of a next step describes nothing.
_OFFERED = re.compile(
    r"(?:and |or |so |then )?(?:(?:do you |would you )?(?:want|like) (?:me|those|these|them|it) to|"
    r"shall i|should i|ready|sounds? (?:good|right)|want to)\b",
    re.IGNORECASE,
)
_BARE_WORDS_MAX = 2
_NAMING = re.compile(r"\?|\d|(?<=\w )(?-i:[A-Z])|`|\b(?:the|our|my|your)\s+\w", re.IGNORECASE)
_LEANING = re.compile(
    r"(?:he|she|it|they|its|his|her|their|them|him|this|that|these|those|there|one|"
    r"ones|both|same|the other|(?:he|she|it|they|that|there)'(?:s|re|ll|d|ve)|will|starts?|ends?|"
    r"moved|mixed|retired|ripped|replaced|says|said|has|had|is|are|was|were|does|did|got|went|"
    r"came|works?|lives?|runs?|uses?|until|since|only|also|here|because|which|who|where|when|so)\b",
    re.IGNORECASE,
)


def leans(plain: str) -> bool:
    """Say whether a clause depends on what was said before it."""
    return _LEANING.match(plain) is not None


def follows(turn: Turn) -> bool:
    """Say whether nothing was done between the other side's words and these."""
    return turn.before is not None and turn.episode.seq - turn.before.seq <= _NEXT


def is_at_work(turn: Turn) -> bool:
    """Say whether an agent speaks between its tools: it neither answers nor reports."""
    return turn.episode.role is Role.ASSISTANT and not turn.is_last and not follows(turn)


def is_offer(plain: str) -> bool:
    """Say whether somebody offers to do something, or asks whether to go on."""
    return _OFFERED.match(plain) is not None


def is_pasted(turn: Turn) -> bool:
    """Say whether a message is so long that it was composed or pasted: material, not a claim."""
    text = turn.episode.text
    return len(text) > _TYPED_CHARS_MAX or text.count("\n") >= _TYPED_LINES_MAX


def points(plain: str) -> bool:
    """Say whether a clause only points at its subject, or is too short to name it."""
    return _POINTING.search(plain) is not None or len(plain.split()) <= _BARE_WORDS_MAX


def told_with_context(clause: Clause, turn: Turn) -> str:
    """Return a clause after what it depends on, which was said right before it."""
    said = in_third_person(clause.text, turn.episode)
    begin = clause.sentence.text.rfind(clause.prior, 0, clause.start - clause.sentence.start)
    if clause.prior and begin >= 0:
        whole = clause.sentence.text[begin : clause.end - clause.sentence.start]
        return in_third_person(whole, turn.episode)
    if clause.prior:
        prior = in_third_person(without_lead(clause.prior), turn.episode)
        return join_sentences(prior, said) if _tells(clause.prior) else said
    before = last_said(turn)
    if before is None or turn.before is None or not _tells(before.plain):
        return said
    return join_sentences(in_third_person(without_lead(before.text), turn.before), said)


def with_question(question: str, said: str, turn: Turn) -> str:
    """Return an answer after the question or offer of the other side."""
    asked = in_third_person(without_lead(question), turn.before or turn.episode)
    if asks(question) and not asked.endswith("?"):
        asked += "?"
    return join_sentences(asked, in_third_person(said, turn.episode))


def without_lead(text: str) -> str:
    """Return *text* without words that only lead to its statement."""
    begin, _ = unled(plain(text))
    return text[begin:] or text


def _tells(words: str) -> bool:
    """Say whether words tell the topic: they state or ask something, or name it."""
    return is_claim(words) or _NAMING.search(words) is not None


def last_said(turn: Turn) -> Sentence | None:
    """Return the last sentence of the other side; None if it is too long to be of use."""
    if turn.before is None:
        return None
    said = sentences(turn.before.text)
    return said[-1] if said and len(said[-1].text) <= _CONTEXT_CHARS_MAX else None


def last_asked(turn: Turn) -> Sentence | None:
    """Return the other side's last question, if it ends its words or nearly does."""
    if turn.before is None:
        return None
    asked = [one for one in sentences(turn.before.text)[-2:] if _ASKED.search(one.plain)]
    return asked[-1] if asked and len(asked[-1].text) <= _CONTEXT_CHARS_MAX else None
