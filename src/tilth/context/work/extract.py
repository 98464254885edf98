"""
What a brief reads from the words of exchanges.

A text always reads the same, and reading takes most of the time of a brief. So each function takes
texts only and returns what JSON can hold, and callers go through
`tilth.context.work.reading_cache`, which keeps the results.
"""

from collections.abc import Sequence

from tilth.core.text.pattern import Worded, pattern
from tilth.episodes.episode import Role
from tilth.exchanges.passage import passages
from tilth.exchanges.removals import removals_in
from tilth.exchanges.report_sentences import sentences_of
from tilth.exchanges.sentences import (
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
from tilth.playbooks.gate import is_safe
from tilth.recall.order.replacement import read_replacements, states_replacement

# In characters: how much of an ask is read, and how much of it counts as the wish.
ASK_CHARS, _WANTED_CHARS = 600, 150
# In characters: what is shown of an ask is never longer, whatever white space it has.
_OPENED_CHARS = 1_000
# In characters: the longest sentence or reason quoted from a report, and the shortest end.
_SENTENCE_CHARS, _END_CHARS_MIN = 180, 30
# With fewer terms, an ask answered something: "yes, and the second".
_NAMED_MIN = 4
# The worth from which the end of an exchange is shown, and from which another sentence of a report
# is.
_TOLD_FROM, _REPORTED_FROM = 0.6, 0.3
# A file's mention repeated beside an ask: hosts write it once for each part of the file.
_MENTIONED_AGAIN = pattern(r"(?<!\S)(@\S+)(?:\s+\1(?!\S))+")
# About one run of a pipeline, and over with it: "CI failed, please fix".
_OF_ONE_RUN = pattern(r"/(?:runs?|jobs?|pipelines|builds)/\d+")
# The name of a branch, which is no file: "alex/better-state-tracking".
_BRANCH = pattern(r"(?<![\w/.@])[\w-]+/[\w/-]+(?![\w.])")
# What a report names as run: code within a line, or a test by the form of its name.
_RUN = pattern(r"`([^`\n]+)`|\b(Test[A-Z]\w+|test_\w+)\b")
# Wordings that hope for a result: their speaker has not seen it.
_HOPES = Worded(
    r"\bshould (?:(?:now |all )*be (?:fixed|resolved|solved|working|gone)"
    r"|(?:now |all )+(?:be able|be visible|work|compile|build|pass|load|run|display|show))\b",
    "should",
)
# A list of answers, such as "1. yes": no task begins like this.
_ANSWERS_ITEMS = pattern(r"\s*1[.):] +\S[^\n]{0,24}\n+2[.):] ")
# A line that leads on to a list, or is mainly a link, tells nothing by itself.
_LEADS_ON = pattern(r"[:…]\W*$|^\W*\[[^\]]*\]\(")


def shown_ask(ask: str) -> str:
    """Return an ask from where it says what is wanted, as far as it is shown."""
    return without_opening(_MENTIONED_AGAIN.sub(r"\1", ask))[:_OPENED_CHARS]


def wish(ask: str) -> tuple[str, bool, bool]:
    """
    Return the wish of an ask that names what it is about; else an empty text.

    The two flags say whether it objects to something, and whether it only asks or supposes.
    """
    said = own_sentences(ask[:ASK_CHARS], Role.USER)
    typed = " ".join(each.said for each in said if not tells_own_deed(each.said))
    told = without_opening(_MENTIONED_AGAIN.sub(r"\1", " ".join(typed.split())))
    terms = own_terms(_BRANCH.sub("", told[:_WANTED_CHARS]))
    named = [one for one in terms if not one.isdigit()]
    is_told = len(named) >= _NAMED_MIN and not wants_nothing(told)
    # The number of an item is no word: "1. the former" answers a list of options.
    is_answer = points_at_a_list(told) or _ANSWERS_ITEMS.match(ask) is not None
    if not is_told or is_answer or _OF_ONE_RUN.search(told):
        return "", False, False
    return told, objects(told), supposes(told)


def end(ask: str, report: str) -> tuple[str, bool, Sequence[str]]:
    """
    Return how an exchange ended, if that tells how something is; else an empty text.

    The flag says whether the end reports a fault; the sequence names what it says was run.
    """
    told = _told_end(ask[:ASK_CHARS], report)
    return told, tells_of_a_fault(told), [code or test for code, test in _RUN.findall(told)]


def replacements(said: str) -> Sequence[Sequence[object]]:
    """Return what a text says was replaced, each as the arguments of a `Replacement`."""
    return [
        [sorted(one.old), sorted(one.subject), sorted(one.topic), one.is_settled]
        for one in read_replacements(said[:ASK_CHARS])
    ]


def taken_out(ask: str) -> Sequence[Sequence[Sequence[str]]]:
    """Return what an ask takes out of the project, each as the arguments of a `Removal`."""
    return [[sorted(one.what), sorted(one.within)] for one in removals_in(ask)]


def said_next(text: str, sentence: str) -> str:
    """Return what follows a *sentence* of a person's *text* and belongs to it."""
    for one in passages(text, Role.USER):
        alone = one.alone
        # Cut of the words that join it to what came before, a sentence begins with a capital.
        if alone.lower().endswith(sentence.lower()):
            return one.whole[len(alone) :]
    return ""


def report_sentences(report: str) -> Sequence[Sequence[object]]:
    """Return the sentences of a report that may be shown; see `tilth.exchanges.reported`."""
    return [[*one] for one in sentences_of(report, least=_REPORTED_FROM)]


def _told_end(ask: str, report: str) -> str:
    told = _end_of(report)
    if not told or not (stands_alone(told) or stands_alone(ask)):
        return ""
    # The repository shows what was done, but not why one thing replaced another.
    is_over = (reports_a_deed(told) and not _is_choice(told)) or without_opening(told) != told
    is_short = len(report) <= _SENTENCE_CHARS
    is_answer = is_short and (gives_a_reason(told) or tells_a_decision(told))
    is_told = is_answer or worth(told, Role.ASSISTANT) >= _TOLD_FROM
    # An agent may repeat something it read. Tilth does not advise anybody to run it.
    return told if is_told and not is_over and is_safe(told) else ""


def _is_choice(told: str) -> bool:
    """Say whether a report tells what replaced what, and why: it overrules a decision."""
    return gives_a_reason(told) and states_replacement(told)


def _end_of(report: str) -> str:
    """Return the most worthy sentence of a report; empty if it only announces."""
    said = [
        text
        for one in own_sentences(report, Role.ASSISTANT)
        if (text := without_nod(one.text))
        and _END_CHARS_MIN <= len(text) <= _SENTENCE_CHARS
        # A list item that only names something answered the line above the list.
        and not (one.is_item and not tells_of_a_deed(text))
        and not (supposes(text) or _is_no_end(text))
    ]
    # If a report is too short for a sentence, its last line is the answer.
    last = report if len(report) <= _SENTENCE_CHARS else ""
    last = last.rstrip().rpartition("\n")[2] if _is_no_end(last) else last
    whole = "" if _is_no_end(last) else without_nod(last)
    # A mark of emphasis may have begun before the sentence: drop its other half.
    return max(said, key=lambda text: worth(text, Role.ASSISTANT), default=whole).replace("**", "")


def _is_no_end(text: str) -> bool:
    """Say whether a text announces, hopes, or leads on to a list or a link."""
    return announces(text) or bool(_HOPES.search(text) or _LEADS_ON.search(text))
