"""
What a brief reads of the words of exchanges.

It is the same whenever it is read, and to read it takes most of a brief, so each function here is
asked by way of `tilth.context.work.readings`: it takes texts alone, and returns what JSON holds.
"""

from collections.abc import Sequence

from tilth.core.text.pattern import Worded, pattern
from tilth.episodes.episode import Role
from tilth.exchanges.passage import passages
from tilth.exchanges.report_sentences import sentences_of
from tilth.exchanges.speech import (
    objects,
    own_sentences,
    own_terms,
    points_at_a_list,
    stands_alone,
    supposes,
    tells_own_deed,
    wants_nothing,
    without_opening,
)
from tilth.exchanges.taken_out import taken_out_by
from tilth.exchanges.worth import (
    announces,
    gives_a_reason,
    reports_a_deed,
    tells_a_decision,
    tells_of_a_deed,
    tells_of_a_fault,
    without_nod,
    worth,
)
from tilth.recall.order.replaced import replaced_in, settles

# So far an ask is read, and of what was wanted so much counts.
ASK_CHARS, _WANTED_CHARS = 600, 150
# What is shown of an ask is no longer, whatever white space is in it.
_OPENED_CHARS = 1_000
# A sentence of a report that is told, and a reason, are no longer; how a session ended, no shorter.
_SENTENCE_CHARS, _END_CHARS_MIN = 180, 30
# What names fewer things was an answer: "yes, and the second".
_NAMED_MIN = 4
# How an exchange ended is told where it is worth so much, and what else a report says.
_TOLD_FROM, _REPORTED_FROM = 0.6, 0.3
# Hosts name a file once for each part of it that they laid beside an ask.
_MENTIONED_AGAIN = pattern(r"(?<!\S)(@\S+)(?:\s+\1(?!\S))+")
# "CI failed, please fix": over with that run.
_OF_ONE_RUN = pattern(r"/(?:runs?|jobs?|pipelines|builds)/\d+")
# "alex/better-state-tracking": what is being worked on, and no file.
_BRANCH = pattern(r"(?<![\w/.@])[\w-]+/[\w/-]+(?![\w.])")
# What a report may name that was run: code in its line, and a test by the form of its name.
_RUN = pattern(r"`([^`\n]+)`|\b(Test[A-Z]\w+|test_\w+)\b")
# Who says that it should be mended now has not seen it.
_HOPES = Worded(
    r"\bshould (?:(?:now |all )*be (?:fixed|resolved|solved|working|gone)"
    r"|(?:now |all )+(?:be able|be visible|work|compile|build|pass|load|run|display|show))\b",
    "should",
)
# Item after item, of which the first says little: nobody begins a task with "1. yes".
_ANSWERS_ITEMS = pattern(r"\s*1[.):] +\S[^\n]{0,24}\n+2[.):] ")
# What leads on to a list or names a link tells nothing by itself.
_LEADS_ON = pattern(r"[:…]\W*$|^\W*\[[^\]]*\]\(")


def opened(ask: str) -> str:
    """Return an ask from where it says what is wanted, as far as any of it is shown."""
    return without_opening(_MENTIONED_AGAIN.sub(r"\1", ask))[:_OPENED_CHARS]


def wish(ask: str) -> tuple[str, bool, bool]:
    """
    Return what a person typed as an ask, if it names what it is about; else nothing.

    With it: whether it objects, and whether it only asks or supposes.
    """
    said = own_sentences(ask[:ASK_CHARS], Role.USER)
    typed = " ".join(each.said for each in said if not tells_own_deed(each.said))
    told = without_opening(_MENTIONED_AGAIN.sub(r"\1", " ".join(typed.split())))
    terms = own_terms(_BRANCH.sub("", told[:_WANTED_CHARS]))
    named = [one for one in terms if not one.isdigit()]
    is_told = len(named) >= _NAMED_MIN and not wants_nothing(told)
    # The marks of a list are no words: "1. the former" answers what was put before somebody.
    is_answer = points_at_a_list(told) or _ANSWERS_ITEMS.match(ask) is not None
    if not is_told or is_answer or _OF_ONE_RUN.search(told):
        return "", False, False
    return told, objects(told), supposes(told)


def end(ask: str, report: str) -> tuple[str, bool, Sequence[str]]:
    """
    Return how an exchange ended, where that tells how something is; else nothing.

    With it: whether that says that something is wrong, and what it names that was run.
    """
    told = _told_end(ask[:ASK_CHARS], report)
    return told, tells_of_a_fault(told), [code or test for code, test in _RUN.findall(told)]


def gone(said: str) -> Sequence[Sequence[object]]:
    """Return what a text says to be replaced, as a `Replaced` is made of it."""
    return [
        [sorted(one.old), sorted(one.subject), sorted(one.topic), one.is_settled]
        for one in replaced_in(said[:ASK_CHARS])
    ]


def taken_out(ask: str) -> Sequence[Sequence[Sequence[str]]]:
    """Return what an ask has taken out, as a `TakenOut` is made of it."""
    return [[sorted(one.what), sorted(one.within)] for one in taken_out_by(ask)]


def said_next(text: str, sentence: str) -> str:
    """Return what belongs to a *sentence* of what a person typed, and stands behind it."""
    for one in passages(text, Role.USER):
        alone = one.alone
        # Without the words that join it to what came before, it begins with a capital letter.
        if alone.lower().endswith(sentence.lower()):
            return one.whole[len(alone) :]
    return ""


def told(report: str) -> Sequence[Sequence[object]]:
    """Return the sentences of a report that may be told; see `tilth.exchanges.reported`."""
    return [[*one] for one in sentences_of(report, least=_REPORTED_FROM)]


def _told_end(ask: str, report: str) -> str:
    told = _end_of(report)
    if not told or not (stands_alone(told) or stands_alone(ask)):
        return ""
    # What was done the repository tells; not why one thing came in place of another.
    is_over = (reports_a_deed(told) and not _is_choice(told)) or without_opening(told) != told
    is_short = len(report) <= _SENTENCE_CHARS
    is_answer = is_short and (gives_a_reason(told) or tells_a_decision(told))
    is_told = is_answer or worth(told, Role.ASSISTANT) >= _TOLD_FROM
    return told if is_told and not is_over else ""


def _is_choice(told: str) -> bool:
    """Say whether a report tells what came in place of what, and why: it overrules a decision."""
    return gives_a_reason(told) and settles(told)


def _end_of(report: str) -> str:
    """Return the sentence of a report that is worth most; nothing, where it only announces."""
    said = [
        text
        for one in own_sentences(report, Role.ASSISTANT)
        if (text := without_nod(one.text))
        and _END_CHARS_MIN <= len(text) <= _SENTENCE_CHARS
        # An item of a list that only names something was an answer to what stands above it.
        and not (one.is_item and not tells_of_a_deed(text))
        and not (supposes(text) or _is_no_end(text))
    ]
    # Of what is too short to be a sentence of a report, the last line is the answer.
    last = report if len(report) <= _SENTENCE_CHARS else ""
    last = last.rstrip().rpartition("\n")[2] if _is_no_end(last) else last
    whole = "" if _is_no_end(last) else without_nod(last)
    # A mark of emphasis that began before the sentence is left alone in it.
    return max(said, key=lambda text: worth(text, Role.ASSISTANT), default=whole).replace("**", "")


def _is_no_end(text: str) -> bool:
    """Say whether a text announces, hopes, or leads on to a list or a link."""
    return announces(text) or bool(_HOPES.search(text) or _LEADS_ON.search(text))
