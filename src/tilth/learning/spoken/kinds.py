"""
Determine the kind of a plain statement: a decision, a deed, a relation, or a fact.

"Rye goes in oven 1 then" has no verb of deciding, and settles something. A statement in none of
these forms is a fact.
"""

import re

from tilth.learning.candidate import StatementKind, Turn
from tilth.learning.spoken.clause_forms import is_agents
from tilth.learning.spoken.decisions import is_task
from tilth.learning.text.clauses import Clause
from tilth.learning.text.third_person import NAME
from tilth.learning.values.relations import KIN, ROLE

_WHO = rf"(?:{NAME}|he|she|who|it's|that's|this is)"
_SETTLED = re.compile(
    r"(?:from (?:now|then|today|tomorrow|next|the next|\w+day)\b|(?:un)?till? then\b|"
    r"(?:no|nothing)\b.{2,60}\b(?:then|till|until|this (?:week|month|year|time)|"
    r"for now|any ?more)\b|.{2,60}\b(?:stays?|remains?|goes|go|becomes?)(?: "
    r"(?:in|on|to|at|with|as|the|off|out|local|open|closed|where|how|side)\b|[.!]*$|,)|.{2,40} "
    r"(?:is|are) (?:enough|the (?:limit|ceiling|maximum|minimum))\b|.{2,60}\b(?:from|as of) "
    r"(?:now|today|tomorrow|next (?:week|month|year)|this summer)\b|.{2,60} shall\b|.{2,60}, "
    r"(?:yes|not \w+)[.!]*$|.{1,40}\b(?:it is|then)[.!]*$|.{2,40}\boff(?: by default|, except)\b|"
    r"(?:.{3,40} )?we(?:'ll| will|'re| are)? (?:do|submit|ship|release|switch|cut|close|open|take|"
    r"drop|skip|bill|archive|make|move|retire|stop|keep|put|send|hold|leave|export|leaving)\b)",
    re.IGNORECASE,
)
_DONE = (
    r"(?:back|in place|ready|done|moved|lost|gone|"
    r"(?!not\b|used|based|called|allowed|supposed|needed|required|read\b|stored|configured|located|"
    r"limited|blocked|overloaded|expired|closed|tired|marked|missed|caused|failed)\w+ed)"
)
_RESULT = re.compile(
    rf"(?:done:? |changed:? |both done:? |report:? )?.{{2,90}}?"
    rf"(?:(?:\b(?:is|are)|'s) (?:now\b|{_DONE}\b)|\b(?:has|have) been {_DONE}\b)|"
    rf"(?:all|both|\d[\d,.]*) .{{2,40}}(?:\b(?:was|were) {_DONE}\b|\bno failures?\b|"
    r"\bno mismatch\b|\b0 (?:errors|failed)\b|\bpassed\b|\bmatch\b)|"
    r".{2,90}\b(?:went|fell|rose|dropped|grew) from\b|.{2,90}\bnow [^,]{1,40}$|.{2,60}\bnow[.!]*$|"
    r"(?:already )?(?:booked|sent|written|renewed|implemented|released|pushed|tagged|bumped) .{2,}",
    re.IGNORECASE,
)
_WISHED = re.compile(
    r"(?:no|not|only|please no)\b.{2,80}\b(?:please|pls|kindly)\b|.{2,80}\bif you please\b|"
    r"not (?:the|a|an|on|in|with|for)?\s*\w+.{0,40}(?:,|\bthough\b)|.{0,40}\bkindly\b",
    re.IGNORECASE,
)
_RELATED = re.compile(
    rf"{_WHO}(?:'s| is| are|'re)? (?:now |still |also |only )*"
    rf"(?:(?:my|our|his|her|their|the|a|an|{NAME}'s) (?:[\w-]+ ){{0,2}}?(?:{KIN}|{ROLE}|"
    r"one who|chap|guy|girl)\b|in charge|new\b|responsible|\d{1,2}(?=[.!,]|$)|from (?-i:[A-Z]))|"
    rf"(?:my|our|his|her|their|{NAME}'s) (?:new |old )?(?:[\w-]+ )?(?:{KIN}|{ROLE}|co-author)"
    rf"(?: [\w ]{{1,25}})? (?:is|are|=) (?:called |named )?{NAME}|{_WHO} (?:belongs?|stepped down|"
    r"turns \d|works (?:at|for|in)|has (?:the )?(?:keys?|login))\b|.{2,40} belongs to (?-i:[A-Z])|"
    rf".{{1,30}}\bcalled (?-i:[A-Z])|ours is {NAME}|{NAME} ?= ?\w+",
    re.IGNORECASE,
)


def kind_of(clause: Clause, turn: Turn) -> StatementKind:
    """Return the kind of a plain statement."""
    plain = clause.plain
    if is_agents(turn):
        return StatementKind.MILESTONE if _RESULT.match(plain) else StatementKind.FACT
    if _WISHED.match(plain):
        return StatementKind.PREFERENCE
    if _SETTLED.match(plain) or is_task(plain):
        return StatementKind.DECISION
    return StatementKind.RELATIONSHIP if _RELATED.match(plain) else StatementKind.FACT
