"""
Read what a text bans, in whatever words: "never touch the seeds", "the seeds stay untouched".

The words of banning do not tell what is banned; their objects do. Any addition (why, except for
what, until when) makes it another ban, and so does anything that is read as none of these: in doubt
two bans are different. The words are English.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeVar

from tilth.core.dataclass import dataclass
from tilth.core.text.pattern import pattern
from tilth.core.text.prose import with_straight_quotes
from tilth.core.text.tokens import index_terms

T = TypeVar("T")
# In characters. A longer text bans several things, and explains why.
_CHARS_MAX = 400
_TOUCH = (
    r"(?:touch(?:e[ds]|ing)?|chang(?:e[ds]?|ing)|edit(?:s|ed|ing)?"
    r"|modif(?:y|ied|ies|ying|ications?)|alter(?:s|ed|ing|ations?)?|amend(?:s|ed|ing)?"
    r"|(?:tamper|mess|fiddl|meddl|interfer)\w*(?: around)? with)"
)
_ALONE = r"(?:alone|untouched|unchanged|unmodified|unedited|unaltered|intact|asis)"
# The thing stays, or whoever works keeps away from it. "The seeds are unchanged" describes them.
_STAYS = pattern(
    rf"(?<!is )(?<!are )(?<!was )(?<!were )(?<!be )\b{_ALONE}\b"
    rf"|\b(?:to|must|should) (?:be|stay) {_ALONE}\b"
    r"|\b(?:stay|keep|steer)(?:s|ing)?(?: well)?(?: your| our)?(?: hands| fingers)?"
    r" (?:away|clear|out|off)(?: from| of)?(?= |$)|\bhands[ -]off\b"
    r"|\b(?:off[ -](?:limits|bounds)|out of bounds|no[ -]go(?: area| zone)?|taboo|untouchable)\b"
)
_TOUCHES = pattern(rf"\b{_TOUCH}(?!\w)")
_DENIES = pattern(
    r"\b(?:forbid(?:den|s)?|prohibit(?:ed|s)?|banned|ruled out|unwanted"
    r"|(?:is|are)(?: not|n't) (?:allowed|permitted|wanted|to)"
    r"|(?:do|does|must|should|shall|may|can|will)(?: ?not|n'?t)|can'?t|won'?t|never|not"
    r"|(?:nobody|no one)(?= (?:may|must|should|shall|can|is to|ever)\b)"
    r"|no(?! (?:longer|need|one)\b)|nor|neither|avoid|refrain from|stop)\b"
)
# Descriptions of the present or past, which ban nothing, and words that lift a ban.
_IS_SO = pattern(
    r"\b(?:did|was|were|has|have|had|need)(?: not|n'?t)\b|\bno need\b|\b(?:is|are) now\b"
    r"|\b(?:is|are)(?: not|n't)(?! (?:allowed|permitted|wanted|to)\b)"
    r"|\bdo(?:es)?(?: not|n'?t) (?:change|alter)\W*$"
)
_LIFTS = pattern(
    r"\b(?:no longer|any ?more|again|over|lifted|ended|used to|free to|(?:ok|fine|welcome) to"
    r"|(?<!nobody )(?<!no one )(?:may|can)(?! ?not|'?t)|(?:is|are|be) (?:allowed|fine|ok|okay))\b"
)
_FREES = pattern(
    r"\b(?:no longer|any ?more|lifted|free to|(?:ok|fine|welcome|allowed) to"
    r"|(?<!nobody )(?<!no one )(?:may|can)(?! ?not|'?t)|(?:is|are) (?:allowed|fine|ok|okay))\b"
)
_NO_MORE = pattern(r"\b(?:no longer|any ?more)\b")
_BAN_ON = pattern(r"\b(?:the )?(?:ban|freeze) (?:on|of)\b")
_AS_IT_IS = pattern(r"\b(?:just |exactly )?as(?:-is| is| it is| they are| it stands| they stand)\b")
_SENTENCE = pattern(r"(?<=[.!?])\s+|\n+")
_CLAUSE = pattern(
    r"[;()\u2014\u2013]|:(?=\s|$)|\s-+\s|[.!?]+$|,?\s+(?=(?:because|since|as(?! well)|so|otherwise"
    r"|or else|given|which|who|but|except|unless|until|apart from|other than|without|besides|only"
    r"|while|when|if|before|after|during|outside)\b)"
)
_REASON = pattern(r"(?:because|since|as|so|otherwise|or else|given|which|who)\b")
_LIMIT = pattern(
    r"(?:except|unless|until|apart from|other than|without|besides|only|while|when|if|before|after"
    r"|during|outside)\b"
)
# Who wants it, at the beginning.
_WHO = pattern(
    r"^\W*(?:(?:the |our )?[\w']+(?: \w+)? )?(?P<denies>(?:do not|don't|does not|doesn't|never) )?"
    r"(?:wants?|asks|asked|insists?|insisted|says?|said|told|wishes|prefers|likes?)\b"
    r"(?: (?:that|us|agents|you|me|for|anyone|anybody|to have|to see|to)\b)*"
)
_AND = pattern(r",|&|\b(?:and|or|nor|neither|plus|as well as)\b")
_STANDS_FOR = pattern(r"(?: (?!the\b|want\b|wants\b)[a-z-]+){1,3} \(([\w.~*-]*/[\w./~*-]*)\)")
# "Calib/ comes from the institute and is off limits": the rest gives the reason.
_PREDICATE = pattern(
    r"\b(?P<why>(?:comes?|is|are|belongs?|has|have)\b.*?) and (?=(?:is|are|must|should)\b)"
)
_PATH = pattern(r"[\w.~*-]*/[\w./~*-]*")
# Stems that go with any ban, and of what anything is kept in.
_SAID_ANYHOW = frozenset(
    index_terms(
        "please always ever strictly absolutely completely entirely circumstances remember note"
        " rule important agent agents anyone anybody everyone must shall may should might project"
        " repo repository keep kept leave left leaving stay stays remain remains make makes made"
        " reason still now get go let thing things want wants wanted alone way use using again"
        " said say says saying told tells repeated repeat twice session user really just"
        " ok okay hey no nope wait sure be"
    )
)
_ANY_KIND = frozenset(index_terms("file files folder directory dir data content contents path"))
# Stems of the words of banning.
BANNING = frozenset(
    index_terms(
        "alone untouched unchanged unmodified unedited unaltered intact touch change edit modify"
        " alter amend tamper mess fiddle meddle interfere limits bounds hands away clear"
    )
)
_FEW, _TOPIC_MAX = 2, 4


class _Banned(NamedTuple):
    """A thing not to be touched, or a deed not to be done, as its terms in order."""

    terms: frozenset[str]
    path: str = ""
    deed: tuple[str, ...] = ()

    def is_of(self, other: "_Banned") -> bool:
        """Say whether *other* is the same; one of them may lack the path."""
        is_apart = self.path and other.path and not _ends_alike(self.path, other.path)
        is_one_deed = len(self.terms) <= _FEW or self.deed == other.deed
        is_kind = bool(self.deed) is bool(other.deed)
        return self.terms == other.terms and is_kind and is_one_deed and not is_apart


@dataclass(frozen=True, slots=True)
class Bans:
    """What a text bans, and the terms of its reason and its exceptions."""

    banned: Sequence[_Banned]
    more: frozenset[str]
    limits: frozenset[str]

    def hold(self, other: "Bans") -> bool:
        """Say whether this bans all that *other* does, and *other* has no further terms."""
        return all(any(mine.is_of(one) for mine in self.banned) for one in other.banned) and (
            other.more <= self.more and other.limits <= self.limits
        )


def drop_repeated_bans(
    items: Iterable[T], text: Callable[[T], str], *, told: Iterable[str] = ()
) -> list[T]:
    """
    Return *items* without those that only ban what another bans.

    Of two that ban the same, the one that says more is kept, or else the earlier; *told* texts come
    before all of them, and are never left out.
    """
    before = [bans for one in told if (bans := bans_of(one))]
    every = [(one, bans_of(text(one))) for one in items]
    banning = [bans for _, bans in every if bans]
    kept: list[T] = []
    for one, bans in every:
        if bans is None or not _is_covered(bans, before, banning):
            kept.append(one)
        if bans:
            before.append(bans)
    return kept


def _is_covered(bans: Bans, before: Iterable[Bans], every: Iterable[Bans]) -> bool:
    """Say whether an earlier text says all of it, or a later one says that and more."""
    if any(other.hold(bans) for other in before):
        return True
    # An older ban does not override a newer one's exception.
    return any(
        other.hold(bans) and not bans.hold(other) and other.limits == bans.limits for other in every
    )


@lru_cache(maxsize=512)
def bans_of(text: str) -> Bans | None:
    """Return what *text* bans; None if nothing, or if that is not sure."""
    line = _plain(text)
    if len(line) > _CHARS_MAX or not (_DENIES.search(line) or _STAYS.search(line)):
        return None
    found = _Found([], set(), set())
    for sentence in _SENTENCE.split(line):
        _read_sentence(sentence, found)
    if not found.banned:
        return None
    return Bans(found.banned, frozenset(found.more), frozenset(found.limits))


class _Found(NamedTuple):
    """What was found in a text so far."""

    banned: list[_Banned]
    more: set[str]
    limits: set[str]


def _read_sentence(sentence: str, found: _Found) -> None:
    topic, count = "", len(found.banned)
    for clause in filter(str.strip, _CLAUSE.split(sentence)):
        said = clause.strip()
        if _REASON.match(said):
            found.more.update(_terms(said))
        elif _LIMIT.match(said) or _LIFTS.search(said):
            found.limits.update(index_terms(said))
        elif not _is_ban(said):
            found.more.update(_terms(topic))
            topic = said
        else:
            if why := _PREDICATE.search(said):
                found.more.update(_terms(why["why"]))
                said = _PREDICATE.sub(" ", said)
            things = list(_banned_in(said))
            # "Never touch them" refers to what stands before the colon.
            if not things and len(found.banned) == count and len(_terms(topic)) <= _TOPIC_MAX:
                things, topic = list(_things(topic)), ""
            found.banned.extend(things)
    found.more.update(_terms(topic))


def left_alone(text: str) -> frozenset[str]:
    """Return the terms of the things that *text* wants left alone."""
    bans = bans_of(text)
    return (
        frozenset(term for one in bans.banned if not one.deed for term in one.terms)
        if bans
        else frozenset()
    )


def lifted_by(newer: str, older: str) -> bool:
    """Say whether *newer* allows all that *older* bans."""
    bans = bans_of(older)
    if bans is None or not (free := _freed_in(newer)):
        return False
    return all(any(thing.is_of(one) for thing in free) for one in bans.banned)


def lifts(text: str) -> bool:
    """Say whether *text* may allow what was banned."""
    return bool(_freed_in(text))


@lru_cache(maxsize=512)
def _freed_in(text: str) -> Sequence[_Banned]:
    """Return what *text* allows unconditionally."""
    line = _plain(text)
    if len(line) > _CHARS_MAX or not _FREES.search(line):
        return ()
    found: list[_Banned] = []
    for sentence in _SENTENCE.split(line):
        clauses = [one.strip() for one in _CLAUSE.split(sentence) if one.strip()]
        if not ("?" in sentence or any(map(_LIMIT.match, clauses))):
            for clause in clauses:
                found += _freed(clause)
    return found


def _freed(clause: str) -> Iterator[_Banned]:
    if _FREES.search(clause) is None or (_DENIES.search(clause) and not _NO_MORE.search(clause)):
        return
    # "We no longer touch the seeds" is a ban.
    if _NO_MORE.search(clause) and not (_STAYS.search(clause) or _DENIES.search(clause)):
        return
    yield from _banned_in(_BAN_ON.sub(" asis ", _FREES.sub(" ", clause)))


def _plain(text: str) -> str:
    """Return *text* in small letters, with a path in brackets in the place of what it explains."""
    line = _AS_IT_IS.sub("asis", with_straight_quotes(text).lower().replace("`", ""))
    return _STANDS_FOR.sub(r" \1", line)


def _is_ban(clause: str) -> bool:
    """Say whether a clause bans something, with a single negation, since two allow it."""
    denied = len(_DENIES.findall(clause))
    return denied == (0 if _STAYS.search(clause) else 1) and not _IS_SO.search(clause)


def _banned_in(clause: str) -> Iterator[_Banned]:
    """Yield what a clause that bans something bans."""
    who = _WHO.match(clause)
    said = clause[who.end() :] if who else clause
    is_of_things = _STAYS.search(said) or _TOUCHES.search(said)
    for words in (_STAYS, _DENIES, _TOUCHES):
        said = words.sub(" ", said)
    if is_of_things:
        yield from _things(said)
    elif deed := tuple(one for one in index_terms(said) if one not in _SAID_ANYHOW):
        yield _Banned(frozenset(deed), deed=deed)


def _things(said: str) -> Iterator[_Banned]:
    for words in _AND.split(said):
        path = next(iter(_PATH.findall(words)), "").strip("./")
        named = _PATH.sub(lambda found: found[0].rstrip("/").rpartition("/")[2], words)
        terms = frozenset(index_terms(named)) - _SAID_ANYHOW
        if terms:
            yield _Banned(terms - _ANY_KIND or terms, path)


def _terms(clause: str) -> frozenset[str]:
    return frozenset(index_terms(clause)) - _SAID_ANYHOW


def _ends_alike(one: str, other: str) -> bool:
    longer, shorter = sorted((one, other), key=len, reverse=True)
    return f"/{longer}".endswith(f"/{shorter}")
