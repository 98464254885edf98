"""
Find what a person typed that is worth telling in another session: whole sentences.

Two things decide: the form of speech (`tilth.exchanges.worth`, learned from real sessions), and the
position: right after the agent was stopped, a sentence is a correction. Questions, orders for one
step, and sentences that need their neighbours are no statements; the card of their exchange shows
them. What an agent reports is shown by cards only.
"""

import functools
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tilth.core.text.prose import Sentence, with_straight_quotes
from tilth.core.text.tokens import index_terms
from tilth.core.text.typed_text import typed_in
from tilth.episodes.episode import AGENT_PROMPTED, Episode, Role
from tilth.exchanges.model import tells_of_failure
from tilth.exchanges.sentences import (
    EVERYDAY,
    names_something,
    own_sentences,
    stands_alone,
    supposes,
    without_opening,
)
from tilth.exchanges.worth import worth
from tilth.knowledge.facts.statement import Statement
from tilth.learning.candidate import Candidate, StatementKind, Turn
from tilth.learning.text.valid_from import later_opening
from tilth.privacy.remainder import OF_A_KEY
from tilth.recall.order.replacement import states_replacement

CHARS_MIN, CHARS_MAX = 20, 320
RULE_CHARS_MIN = 12
# How many content words beside a removed key still state something.
_TELLING_MIN = 2
# In characters. A longer message is a plan or review that somebody handed over.
TYPED_CHARS_MAX = 700
# The least worth. What is below is almost always a step of a task.
LEAST = 0.12
# The least worth of a correction, which its position marks, and of habits and plain rules, which
# their words mark.
_LEAST_CORRECTION, _LEAST_HABIT, _LEAST_PLAIN = 0.08, 0.03, 0.01
# How reviews, and messages that programs hand over, begin.
_HANDED_OVER = re.compile(
    r"\W*(?:let'?s address\b|consider \w+ing\b|document\b|full transcript\b)", re.IGNORECASE
)
# In characters. A person who types this much to an agent says "we", "you" or "please"; reviews and
# release notes do not.
_UNADDRESSED_CHARS = 200
_ADDRESSES = re.compile(
    r"\b(?:i|me|my|we|us|our|you|your|let'?s|please)\b|\b(?:i|we|you)'", re.IGNORECASE
)
# A request for a habit in so many words, which needs no weighing.
_STANDING = re.compile(
    r"(?:(?:and|also|so|please|plus|but|then)\b,? )*(?:from now on|going forward"
    r"|in (?:the )?future\b|for (?:future|later) reference\b|next time,? (?!(?:i|we)\b)"
    r"|remember\s*[:,]|remember (?:that|to)\b"
    r"|(?:rule|convention)\s*:"
    r"|(?:you (?:must|should) )?(?:always|never)\b"
    # "Always on the go", "never been there" say how something is, not how it should be.
    r"(?! (?:mind|a|an|the|on|in|at|so|been|had|seen|heard|knew|thought|would|could|nice|good)\b)"
    r"|(?:don'?t|do not) ever\b|whenever you\b|every time you\b"
    r"|(?:periodically|regularly|every so often|from time to time),? \w+)",
    re.IGNORECASE,
)
# Anywhere in the sentence: "the API should listen on 4200 from now on".
_FROM_NOW = re.compile(r"\b(?:from now on|from here on|going forward)\b", re.IGNORECASE)
_OF_RULE = 0.9
# What people will do, said as what they do: "(starting Monday) we deploy on Thursdays".
_WE_DO = re.compile(
    r"we (?:(?:only|no longer|don'?t|do not) )?"
    r"(?!(?:are|were|have|had|need|want|will|would|can|could|may|might|should|go|get|fly|meet|only"
    r"|no|do|don'?t)\b)[a-z]+(?<!ed)\b",
    re.IGNORECASE,
)
# The worth of a sentence about how to work, which holds whatever is asked next.
_OF_HABIT = 0.5
_RULE = re.compile(
    r"\b(?:from now on|going forward|in (?:the )?future|always|never|every time|whenever"
    r"|(?:rule|convention)\s*:|remember (?:that|to)|make sure|be sure|(?:must|should) (?:not )?"
    # What should have been was not, and is over.
    r"(?:be|use|have(?! (?:been|\w+ed)\b)|go|live|only|always|never|keep)|(?:don'?t|do not) ever"
    # What we want or need to do is done once.
    r"|we (?:don'?t|do not|never|always|only|no longer|use|(?:want|need)(?! to\b))"
    r"|(?:should|must)n'?t(?! have\b)|instead of|rather than|by default|no longer|not allowed)\b"
    r"|^\W*(?:don'?t|do not|never|always|use|prefer|keep|avoid|only|no)\b"
    r"|^\W*(?:for|in|on|with|when) [^.;?]{3,80}?\b(?:don'?t|do not|never)\b",
    re.IGNORECASE,
)
_PREFERS = re.compile(
    # A wish to do something, or to have it done, asks once.
    r"\bi(?:'d| would)? (?:much |really |strongly )?(?:prefer|rather|hate|dislike"
    r"|(?:don'?t|do not) (?:like|want)|(?:want|like)(?! (?:to|you|it|this|that|option)\b))\b"
    r"|\bmy preference\b|\blet'?s instead\b",
    re.IGNORECASE,
)
# How to work in general: what comes before what, and as is done here.
_HABIT = re.compile(
    r"\b(?:discuss|agree|check|confirm|clear|verify|go over) (?:[\w']+ ){0,3}with me\b"
    r"|\bask (?:me |any |your |for )[^.;]{0,40}\b(?:first|before)\b"
    r"|\bbefore (?:you (?:do|start|make|change|begin|touch|write|edit|commit|push|call)"
    r"|(?:doing|making|starting|changing|touching|writing|editing|committing|pushing|considering)"
    r" \w+)|\bwithout (?:asking|discussing|checking|telling)\b"
    r"|\b(?:like|as|the way|how) we (?:always |usually |normally |typically |already )?"
    r"(?:do|did|have)[^.;]{0,20}\b(?:everywhere|elsewhere|else|other)\b|\b(?:like|as) everywhere\b"
    r"|\bwe (?:usually|normally|typically|generally)\b"
    # Who does it: "I'll run the app myself".
    r"|\bi(?:'?ll| will)? (?:always )?(?:run|start|stop|do|test|check|commit|push|merge|deploy"
    r"|review|restart|handle|install) [^.;?]{0,40}\bmyself\b",
    re.IGNORECASE,
)
# A rule for a whole kind: "Commit messages must be in the imperative".
_OF_A_KIND = re.compile(
    r"\W*(?:(?:all|any|our) )?(?!(?:the|these|those|that|this|your|my|an?|it|they)\b)"
    r"(?:[a-z-]+ ){0,2}?(?!(?:this|its|does|has|is|was|as|us)\b)[\w-]*[^\Ws]s must "
    r"(?:not |never |always |only )?(?!have (?:been|\w+ed)\b)\w+",
    re.IGNORECASE,
)
_SWEEPING = re.compile(r"\b(?:always|never)\b", re.IGNORECASE)
_PLAINLY = re.compile(
    r"\W*(?:i (?:much |really |strongly )?(?:prefer|hate|dislike|love|don'?t like)\b"
    r"|(?:we|i)(?:'ve| have)? (?:finally |now )?(?:decided|agreed|settled)\b"
    r"|(?:decision|decided|agreed|resolved|still (?:open|to do|missing)|left to do|open items?)\s*:"
    # "Use `this`, not `that`" holds whatever one works on.
    r"|(?:please )?use \S[^.;]{0,60}?\W(?:and )?(?:not|never|instead of|rather than)\W)",
    re.IGNORECASE,
)
# "Just run it with `this`, not `that`": one named thing in place of another, with any verb.
_IN_PLACE = re.compile(
    r"`[^`]+`,? (?:and )?(?:not|never|instead of|rather than) (?:the |with |by )?`[^`]+`"
    r"|(?:\bnot|n't \w+) `[^`]+`,? but (?:rather )?`[^`]+`",
    re.IGNORECASE,
)
_DECIDES = re.compile(
    r"\b(?:we|i)(?:'ve| have)? (?:finally |now )?(?:decided|agreed|settled|chose|chosen|opted)\b"
    r"|\bdeci(?:sion|ded)\b|\blet'?s (?:go with|use|stick|keep|drop|switch|not|call|have|make)\b"
    r"|\b(?:go|going|went) with\b|\bdeprecat|\bsupersede",
    re.IGNORECASE,
)
# What is intended for a named thing: "pass rates should align with the standard"; not a question
# ("should agents retry"), what should have been, or an order for now.
_INTENDS = re.compile(
    r"(?<![\w'])(?!(?:also|then|so|and|or|but|how|what|where|which|who|why|when|i|you|it|that|this"
    r"|they|he|she)\s)[\w./`-]+ should (?:(?:not|also|only|now) )?(?!(?:have|i|we|you|it|they|the|a"
    r"|an|be|not|also|only|now)\b)\w+"
    r"|\bwe(?: are|'re) (?:now )?going to (?!be\b)\w+"
    r"|\bno need (?:for|to (?:keep|maintain|support|preserve)) \w+"
    r"|\bi(?:'d| would)? (?:suggest|propose) (?:that )?we\b"
    r"|\b(?:every|each) (?:[\w-]+ ){1,5}?(?:needs?|must|has to) ",
    re.IGNORECASE,
)
# An order is spent when it is carried out, and what it gives up is not wanted later.
_GIVES_UP = re.compile(
    r"(?:\b(?:i|we) (?:really )?|[,;] )(?:no longer|(?:don'?t|do not)(?! \w+ the\b))"
    r" (?:want|need|use) (?!(?:to|it|this|that|them|these|those|any)\b)\w"
    r"|\bno longer (?:needed|used|supported|valid)\b"
    r"|(?:\b(?:is|was|are|were)|'s) (?:now )?replaced by \w",
    re.IGNORECASE,
)
_WEIGHS = re.compile(r"\b(?:whether|if)\b.*\bshould\b", re.IGNORECASE)
_OPEN = re.compile(
    # A mark of something put off; "Read TODO.md" and "what is on the TODO" name a list.
    r"^\W*TODO\b(?!\.\w)|\b(?:an?|is|as) TODO\b(?!\.\w)|(?<![@/\w])TODO(?=\s*[:(])"
    r"|\b(?i:still (?:open|unresolved|to do|missing|failing|needs?)|follow[- ]?up"
    r"|at some point|later on|look into|investigate|(?:will|need|have) to fix|not (?:yet )?solved"
    r"|intermittent|left to do|for another (?:day|pr)|open (?:item|question|issue))\b"
)
_REFUSES = re.compile(
    r"^\W*(?:no|nope|wait|stop|hold on|don'?t|do not|why (?:are|did) you|you (?:are|were|should|did"
    r"|deleted|forgot|missed|(?:just )?\w{3,}ed\b(?=.*, not\b))|that'?s (?:not|wrong)|not what"
    r"|i (?:said|told|asked|meant))\b",
    re.IGNORECASE,
)
_ORDERS = re.compile(
    r"^\W*(?:(?:ok|okay|no|now|and|also|so|then|please|yes|yeah|nah|let'?s|we need to|just)\W+)*"
    # A wish after a clause: "Instead of finishing the tests, I would like to …".
    r"(?:[^,;.]{5,60}, (?=i(?:'d| would| want| need)))?"
    r"(?:(?:be|make) sure (?:to|you|that you) (?!.*\b(?:every|each|whenever|always|never)\b))?"
    r"(?:(?:can|could|would|will) (?:you|we)|i (?:want|would like|need)(?: you)? to"
    # What must be done is done once; what must be, or be kept, holds.
    r"|we (?:need|have) to (?!(?:be|have|keep|use|avoid|support|stay|remain|preserve|always|never"
    r"|only|not)\b)\w+|i'd like(?: you)? to|need an?\b|commit|push|run|check|look|show|read|find"
    r"|investigate|explain|continue|proceed|try|start|spawn|open|give|think|take|consider|list"
    r"|help|rename|delete|roll"
    r"|definitely|drop|remove|move|replace|make(?! sure)"
    r"|tell|get|go|do|see|review|create|add|update|implement|fix|merge|rebase|pull|write)\b"
    # "Let's go with" decides, and "do not" forbids.
    r"(?<!go)(?! not\b)",
    re.IGNORECASE,
)
# An imperative with its object, whatever the verb: "Put a comment in go.mod".
_VERB_FIRST = re.compile(
    r"\W*(?!(?:in|on|at|for|with|of|to|from|by|as|about|after|before|until|per|that|is|are|was|were"
    r"|all|both|only|not|no|what|where|when|if)\b)[a-z]+ (?:an?|the|some|your|its|any)\b",
    re.IGNORECASE,
)
# An order for this task: "use the new helper", "only count lines", "no, don't mock it". It holds
# for others if it names one thing in place of another, or is about how tests, docs or commits are.
_BIDS = re.compile(
    r"^\W*(?:(?:ok|okay|no|now|and|also|so|but|then|please|yes|yeah|nah|just)\W+)*"
    r"(?:don'?t|do not|use|keep|avoid|only|(?P<in_place>instead of|rather than))\b",
    re.IGNORECASE,
)
_SWEEPS = re.compile(
    r"\b(?:always|never|ever|every|each|any|all|we|our|whenever|must|should|by default|no longer"
    r"|(?:from now|going forward))\b|\b\w+n'?t (?:want|like|need)\b",
    re.IGNORECASE,
)
_DEFINITE = re.compile(r"\bthe \w+", re.IGNORECASE)
_OF_PRACTICE = re.compile(
    r"\b(?:tests|comments|commits?|(?:commit )?messages|docs|docstrings|emojis?|imports"
    r"|dependencies|PRs?|branches|makefiles?|code|functions|files|names|types)\b",
    re.IGNORECASE,
)
_CONTRASTS_NAMES = re.compile(
    r"\b(?:not|never|instead of|rather than|over)\b.*\w|(?:don'?t|do not) use\b.*\buse\b",
    re.IGNORECASE,
)
# A report of what somebody has just done or seen.
_REPORTS = re.compile(
    r"^\W*(?:(?:ok|okay|now|and|also|so|but|sorry|well|yes|no|hmm)\W+)*"
    r"(?:got|i (?:didn'?t|did not|never|"
    r"(?:do|ca|could)n'?t(?! (?:want|like|need|care|think)\b))"
    r"|i(?:'ve| have| had| just| also| already| only)* "
    r"(?!(?:need|decid|agree|settl|us)ed\b)(?:\w{2,}ed|did|ran|made|got|get|put|saw|see|note"
    r"|took|went|wrote|found|built|think|thought|guess|mean))\b",
    re.IGNORECASE,
)
# A symptom: "When I open A instead of B, I am sent to C".
_SYMPTOM = re.compile(
    r"\W*(?:when(?:ever)?|if|after|once) i (?!(?:say|ask|tell|write|type|mention|want|need)\b)\w+ "
    r"[^;?]{3,200}?, (?:i(?:'m| am| just| still| only)* "
    r"(?:get(?:ting)?|see(?:ing)?|being|can(?:'?t|not))\b"
    r"|(?:it|nothing|(?:the|an?) [\w-]+)(?: just| still| only)* "
    r"(?!(?:should|must|needs?|has|have|shall|may|can|will|is|are|always|never)\b)\w+)",
    re.IGNORECASE,
)
# A verdict on a thing at hand, or a statement without a subject.
_OF_A_THING_AT_HAND = re.compile(
    r"\b(?:is|are|should be|would be|looks?|seems?) (?:fine|ok|okay|enough|good|great|nice)\b"
    r"|^\W*(?:don'?t|doesn'?t|no) need\b",
    re.IGNORECASE,
)
# "They must remain": the sentence before names what must.
_DEMANDS_OF_THEM = re.compile(r"(?:they|it|these|those) (?:must|have to|has to)\b", re.IGNORECASE)
_CONTRASTS = re.compile(
    r"\b(?:not|no|never|only|instead|rather|already|must|should|wrong|stop|keep|remain"
    r"|(?:do|does|did|is|are|was|should|ca|wo|would|could|must|have|has)n'?t)\b",
    re.IGNORECASE,
)
_OTHERWISE = re.compile(r"\b(?:need to|should|must|instead|replace|no longer)\b", re.IGNORECASE)
_DEMANDS = re.compile(
    r"\b(?:we|please|let'?s|should|must|never|always|not|only|instead)\b|n't\b", re.IGNORECASE
)
# A description, which names the thing, says so, and does not guess.
_TELLS = re.compile(
    r"\b(?:is|are|was|means|uses|contains|holds|runs|requires?|depends|comes|needs|writes|reads"
    r"|(?:tests?|checks?|builds?) (?:now |all |still )*(?:pass|fail)(?:es|ed|s)?)\b",
    re.IGNORECASE,
)
# "Tick off what is done" describes nothing.
_BY_THE_WAY = re.compile(
    r"\b(?:what|which|who|that|so (?:that )?(?:it|they|we)) (?:\w+ )?\w+", re.IGNORECASE
)


def statements(turn: Turn) -> Iterator[Candidate]:
    """Yield what a person states in a turn, each with its worth."""
    episode = turn.episode
    is_users = episode.role is Role.USER and AGENT_PROMPTED not in episode.metadata
    if not turn.is_spoken or not is_users:
        return
    said = own_sentences(episode.text, Role.USER)
    is_page = is_handed_over(said)
    typed = with_straight_quotes(typed_in(episode.text))
    for sentence in _with_what_they_name(said, episode.text):
        text = " ".join(sentence.said.split())
        if is_standing_rule(sentence, typed):
            yield Candidate(Statement(text=text), sentence.text, StatementKind.RULE, _OF_RULE)
            continue
        if not CHARS_MIN <= len(text) <= CHARS_MAX:
            continue
        if not (is_page or sentence.is_item) and (later := _for_later(sentence, typed, episode)):
            yield later
            continue
        # A list item answers another, or was copied.
        is_part = is_page or sentence.is_item
        kind = kind_of(text, is_after_stop=turn.is_after_stop)
        # A description before a wish for something else says how it was.
        is_part |= kind is StatementKind.FACT and any(map(_changes, said))
        if is_part or kind is None:
            continue
        is_habit = _asks_for_a_habit(text)
        likely = worth(text, Role.USER)
        least = _LEAST_CORRECTION if kind is StatementKind.CORRECTION else LEAST
        least = _LEAST_HABIT if is_habit or intends(text) or gives_up(text) else least
        least = _LEAST_PLAIN if _is_plain(text) else least
        if likely >= least:
            likely = max(likely, _OF_HABIT) if is_habit else likely
            told = Statement(text=without_opening(text))
            yield Candidate(told, sentence.text, kind, round(likely, 3))


def _for_later(sentence: Sentence, typed: str, episode: Episode) -> Candidate | None:
    """Return what a sentence lays down from a later day on, without that day."""
    opening = later_opening(sentence.plain, episode.occurred_at)
    if opening is None or sentence.text.endswith("?") or supposes(sentence.said):
        return None
    begins, start = opening
    is_rule = _STANDING.match(typed, sentence.start + start) is not None
    is_plan = _WE_DO.match(typed, sentence.start + start) is not None
    rest = " ".join(sentence.said[start:].split())
    if not (is_rule or is_plan) or not stands_alone(sentence.said):
        return None
    return Candidate(
        Statement(text=rest[0].upper() + rest[1:]),
        sentence.text,
        StatementKind.RULE if is_rule else StatementKind.DECISION,
        _OF_RULE if is_rule else _OF_HABIT,
        valid_from=begins,
    )


def _is_plain(text: str) -> bool:
    """Say whether the words alone show that it lasts."""
    forms = (_PLAINLY.match, _IN_PLACE.search, _OF_A_KIND.match)
    return any(form(text) for form in forms) or states_replacement(text)


def _with_what_they_name(said: Sequence[Sentence], text: str) -> Sequence[Sentence]:
    """Return sentences; one on what "they" must be comes with the one before."""
    whole: list[Sentence] = []
    for one in said:
        before = whole[-1] if whole else None
        if (
            before is not None
            and _DEMANDS_OF_THEM.match(one.said)
            and not text[before.end : one.start].strip()
            and not supposes(before.said)
        ):
            both, plain = text[before.start : one.end], f"{before.plain} {one.plain}"
            whole[-1] = replace(before, text=both, plain=plain)
        else:
            whole.append(one)
    return whole


def _changes(sentence: Sentence) -> bool:
    """Say whether a sentence wants something otherwise than it is."""
    return _OTHERWISE.search(sentence.said) is not None


def is_handed_over(said: Sequence[Sentence]) -> bool:
    """Say whether a message is a plan, review or page: very long, or long and unaddressed."""
    chars = sum(len(one.text) for one in said)
    is_addressed = any(_ADDRESSES.search(one.said) for one in said)
    return chars > TYPED_CHARS_MAX or (chars > _UNADDRESSED_CHARS and not is_addressed)


def is_standing_rule(sentence: Sentence, typed: str) -> bool:
    """Say whether a sentence in typed words asks for a habit, and so is a rule."""
    is_fit = RULE_CHARS_MIN <= len(sentence.text) <= CHARS_MAX
    if not is_fit or sentence.text.endswith("?"):
        return False
    if _STANDING.match(typed, sentence.start):
        return True
    is_from_now = _FROM_NOW.search(typed, sentence.start, sentence.end)
    return is_from_now is not None and not supposes(sentence.said)


def states_by_itself(text: str) -> bool:
    """Say whether words still lay something down without the keys taken out of them (KB-125)."""
    own = OF_A_KEY.sub(" ", _STANDING.sub("", text, count=1))
    terms = set(index_terms(own)) - _said_to_anyone()
    is_asking = _STANDING.match(text) is not None or _FROM_NOW.search(text) is not None
    return len(terms) >= _TELLING_MIN and (
        is_asking or kind_of(text, is_after_stop=False) is not None
    )


@functools.cache
def _said_to_anyone() -> frozenset[str]:
    """Return the stems and words that people say to any agent."""
    return EVERYDAY | frozenset(index_terms(" ".join(EVERYDAY)))


def reports(text: str) -> bool:
    """Say whether somebody only reports what they did or saw."""
    return _REPORTS.match(text) is not None or _SYMPTOM.match(text) is not None


def describes(text: str) -> bool:
    """Say whether a sentence describes something, and demands nothing."""
    return _TELLS.search(text) is not None and _DEMANDS.search(text) is None


def intends(text: str) -> bool:
    """Say whether a sentence lays down what a named thing is to be."""
    return _INTENDS.search(text) is not None and _WEIGHS.search(text) is None


def gives_up(text: str) -> bool:
    """Say whether a request says what is no longer wanted."""
    is_request = _ORDERS.match(text) is not None and not text.rstrip().endswith("?")
    return is_request and _GIVES_UP.search(text) is not None


def kind_of(text: str, *, is_after_stop: bool) -> StatementKind | None:
    """
    Return the kind of a person's sentence; None if it states nothing lasting.

    An order for one step is spent when done, and a report of one is over.
    """
    # A failure is over when it is mended; its exchange's card says how.
    is_of_now = (
        _HANDED_OVER.match(text) or _OF_A_THING_AT_HAND.search(text) or tells_of_failure(text)
    )
    is_given_up = gives_up(text)
    is_open = supposes(text) and not is_given_up
    if is_open or not stands_alone(text) or is_of_now:
        return None
    if _asks_for_a_habit(text) or _IN_PLACE.search(text):
        return StatementKind.PREFERENCE
    # "We switched from A to B" is a decision, and overrules an intention.
    is_intent = intends(text) and not _RULE.search(text)
    if _DECIDES.search(text) or is_intent or is_given_up or states_replacement(text):
        return StatementKind.DECISION
    is_spent = (
        _ORDERS.match(text) or _is_bid_once(text) or (reports(text) and not _OPEN.search(text))
    )
    return None if is_spent else _kind_by_words(text, is_after_stop=is_after_stop)


def _is_bid_once(text: str) -> bool:
    """Say whether it orders something for this task only."""
    bid = _BIDS.match(text)
    if bid is None or bid["in_place"]:
        return bid is not None
    is_by_name = names_something(text) and _CONTRASTS_NAMES.search(text)
    is_lasting = not _DEFINITE.search(text) and (is_by_name or _OF_PRACTICE.search(text))
    return not (is_lasting or _SWEEPS.search(text))


def _asks_for_a_habit(text: str) -> bool:
    """Say whether it is about how to work; "never ask before" is weighed instead."""
    if _OF_A_KIND.match(text):
        return True
    return _HABIT.search(text) is not None and _SWEEPING.search(text) is None


def _kind_by_words(text: str, *, is_after_stop: bool) -> StatementKind | None:
    if _OPEN.search(text):
        return StatementKind.DEFERRAL
    is_refusing = (is_after_stop or _REFUSES.search(text)) and _CONTRASTS.search(text)
    is_put_right = is_after_stop and names_something(text) and not _VERB_FIRST.match(text)
    if is_refusing or is_put_right:
        return StatementKind.CORRECTION
    if _RULE.search(text) or _PREFERS.search(text):
        return StatementKind.PREFERENCE
    is_told = _TELLS.search(_BY_THE_WAY.sub("", text)) and names_something(text)
    return StatementKind.FACT if is_told else None
