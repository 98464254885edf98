"""
Make a sentence of a document readable alone, weeks later and without its neighbours.

Markup is removed, "this PEP" becomes the document's name, and a sentence whose subject was named
earlier ("the flag is off") gets its title and heading in front. A sentence cannot be read alone if
it depends on a condition or example elsewhere, is about the text itself, or praises.
"""

import re

from tilth.core.dataclass import dataclass
from tilth.core.text.tokens import index_terms
from tilth.exchanges.sentences import stands_alone, supposes

CHARS_MIN, CHARS_MAX = 45, 320
_ENDS = re.compile(r"[.!][)\"'`_]*$")
_BEGINS = re.compile(r"[\"'`_(]*(?:[A-Z]|`)")
_OF_DOCUMENT = re.compile(
    r"\bth(?:is|e) (?:PEP|ADR|RFC)\b(?! ?\d)"
    r"|^This (?:document|proposal|record|specification)\b(?!'s)",
    re.IGNORECASE,
)
# Words that join a sentence to the one before.
_LEAD = re.compile(
    r"^(?:additionally|however|furthermore|moreover|in addition|also|note that|therefore|thus|hence"
    r"|consequently|finally|specifically|in particular|as a result),? +(?=\S)"
    # References to the sentence before: "To address these issues, …".
    r"|^(?:to (?:\w+ ){1,3}|for |because of )(?:this|these|that|those)(?: [\w-]+){0,2}, +(?=\S)",
    re.IGNORECASE,
)
_LABEL = re.compile(r"^((?:PEP|ADR|RFC) ?\d+)\b[:.\s-]*(.*)$", re.IGNORECASE)
# Marks of Markdown and reStructuredText, each with what replaces it.
_MARKS = (
    (re.compile(r"!?\[([^\[\]]+)\]\((?:[^()\s]|\([^()\s]*\))*\)"), r"\1"),
    (re.compile(r"\[([^\[\]]+)\]\[[^\[\]]*\]"), r"\1"),
    (re.compile(r":(pep|rfc):`(\d+)`", re.IGNORECASE), lambda one: f"{one[1].upper()} {one[2]}"),
    (re.compile(r":[a-z][\w:+.-]*`[~!]?([^`<>]+)`"), r"`\1`"),
    (re.compile(r":[a-z][\w:+.-]*`([^`<>]+?) ?<[^<>`]+>`"), r"\1"),
    (re.compile(r"``([^`]+)``"), r"`\1`"),
    (re.compile(r"`([^`<>]+?) ?<[^<>`]+>`__?"), r"\1"),
    (re.compile(r"`([^`]+)`__?(?!\w)"), r"\1"),
    (re.compile(r" ?\[(?:\d+|#\w*)\]_"), ""),
    (re.compile(r"\*\*(\S(?:[^*]*\S)?)\*\*"), r"\1"),
    (re.compile(r"(?<![\w*`/])\*(\w(?:[^*`]*\w)?)\*(?![\w*/])"), r"\1"),
)
# Words about the text itself, its authors or its making, which say nothing of the topic.
_META = re.compile(
    r"\b(?:see (?:also|the|below|above)|this section|following (?:section|example|table)|as follows"
    r"|acknowledg|thanks? to|the author|feedback|mailing list|discussed (?:in|on)|is available at"
    r"|copyright|in this (?:pep|document|section)|rest of this|listed below|code of conduct"
    r"|issue tracker|pull requests? (?:is|are) welcome"
    r"|(?:next|upcoming|latest) (?:\S+ )?(?:minor |major |patch )?release"
    r"|more (?:details|information) (?:is|are|on|about)"
    r"|(?:described|explained|discussed|covered|outlined|compared|demonstrated|illustrated)"
    r" (?:in|by|on)"
    r"|(?:as )?(?:shown|seen|noted|mentioned|used) here|in the example\b|above|below|aforementioned"
    r"|is one of (?:two|three|four|several)"
    r"|(?:have|has) been (?:identified|raised|suggested|considered|discussed|requested|reported)"
    # A claim that there are some, which does not say which.
    r"|(?:several|various|many|some|a (?:number|lot) of) (?:[\w-]+ ){0,2}(?:problem|issue|reason"
    r"|drawback|way|option|challenge|inconsistency|inconsistencie)s?\b|the examples? )(?![.\w-]*/)"
    r"|\(?#\d{2,}\b|(?<![\w`])@[a-z]\w+",
    re.IGNORECASE,
)
# Likes, hopes and efforts tell something of the writer; praise cannot be checked.
_PRAISES = re.compile(
    r"\b(?:I|me|my)\b(?![/.])|\b(?i:we(?:'re| are) (?:\w+ )?(?:looking|trying|hoping|planning)"
    r"|we (?:want|wanted|need|would like) (?:to|our|it)\b|let's|let us"
    r"|serve[sd] (?:us|them|you|everyone|people|its? \w+|the \w+) (?:\w+ )?well"
    r"|ha(?:s|ve) (?:\w+ )?proven\b"
    r"|works? (?:\w+ )?(?:well|great|fine|beautifully)|(?:great|excellent|amazing|awesome|wonderful"
    r"|fantastic|proud(?:ly)?|joy|battle-tested|blazing(?:ly)?|world-class|state-of-the-art)\b"
    r"|(?:powerful|robust|elegant|user-friendly|easy-to-use|beautiful),? (?:and )?\w+"
    r"|make[sd]? (?:things|life|it) (?:\w+ )?(?:easy|easier|simple|simpler|nicer))"
)
# References to something else, cases of an alternative, and open questions.
_POINTS = re.compile(
    r"\b(?:this|these|those|[Ss]uch|the (?:above|former|latter|others?|opposite|reverse))\b"
    r"(?! as\b)"
    r"|\bthe same\b(?! (?:\w+ )?as\b)"
    r"|^(?:For (?:example|instance)|At some point|Last(?:ly)?|First(?:ly)?|Second(?:ly)?|Then"
    r"|In th(?:e|at) case|Otherwise|Instead|Once|And|But|Or|So|Yet|E\.g\.|I\.e\.|Note|Notice"
    r"|Meanwhile"
    r"|Remember|Now|Likewise|Similarly|Either|Both|Neither|Previously|Formerly|Originally|Historically"
    r"|(?:All|Any|The|Some|Many|No|Every|Each)(?: of the)? others?"
    r"|When (?:true|false|set|enabled)\b)(?!\w)"
    r"|^(?:An?|One|Another|The (?:only|other|main|first|second|last)) (?:\w+ )?(?:exception|example"
    r"|case|difference|reason|drawback|advantage|benefit|problem|issue|point|alternative|option|way)"
    r" (?:is|are|was|were|would|could|can|might|here)\b"
    r"|\b(?:discuss|decide|consider|unclear|question) (?:whether|if)\b"
    r"|,? (?:instead|too|as well|likewise|either|respectively)[.!]$"
)
# Statements about the moment of writing, which no longer hold when they are read.
_OF_A_MOMENT = re.compile(
    r"^(?:Currently|Today|Nowadays|At (?:present|the moment)|Recently|Traditionally|Historically"
    r"|Until now|So far|As of (?:now|today|this writing))\b"
    r"|\b(?:has|have) (?:traditionally|historically|so far|until now)\b"
    # The state that a document starts from is what it changes.
    r"|\b[Tt]he (?:current|existing|present) (?:\w+ )?(?:implementation|behaviou?r|situation"
    r"|approach|practice|design|mechanism|state of)\b"
)
# Sentences without a subject, as beside a parameter or in a comment; and examples.
_NO_SUBJECT = re.compile(
    r"^[A-Z][a-z]+s (?:the|an?|whether|if|all|any|its|how|what|which|that)\b"
    r"|^(?:Required|Optional|Recommended|Deprecated|Default|Called|Used|Emitted|Same|Unused"
    r"|Only (?:useful|if|when|for|supported|supporting|used|available))\b"
    r"(?! \w+s\b)|^`[^`]*\([^`]{12,}\)[^`]*` (?:is|will|would|returns|gives|matches|prints)\b"
)
_ASIDE = re.compile(r"\s*\([^()]*\)")
# A sentence that ends in a joining word has lost its other half.
_CUT = re.compile(r"\b(?:the|a|an|of|to|and|or|for|with|in)[.!]$|[:;,]$|\(\s*$", re.IGNORECASE)
# Headings over news of a version, or over advice to contributors.
_NEWS_UNDER = re.compile(
    r"^\W*(?:v|version )\d+(?:\.\d+)+|^\W*\d+(?:\.\d+)+\W*(?:\d{4}\b|$|\()"
    r"|^\W*(?:added|fixed|changed|removed|deprecated|security|(?:bug ?)?fix(?:es)?"
    r"|(?:new )?features?|internal changes|contribut\w+|sponsors?|licen[sc]es?|credits|community"
    r"|support)\W*$|\b(?:change ?log|release notes|code of conduct|what's new)\b",
    re.IGNORECASE,
)
# A line that gives the condition for what follows it.
_IN_CASE = re.compile(
    r"\b(?:if|when(?:ever)?|unless|where|(?:in|for) (?:the|that|this|some|other|each) cases?|while"
    r"|without|until|otherwise|example|instance)\b[^.]*:\s*$",
    re.IGNORECASE,
)
# A subject that was named before: "the flag is", "its value must", without saying which.
_NAMED_BEFORE = re.compile(
    r"^(?:[\w .-]{3,40}: )?"
    r"(?:(?:because|since|as|while|although|once|by default|in practice),? )?(?:the|its|their)"
    r" ((?:[a-z][\w-]* ){1,3}?)(?:is|are|was|were|will|can|cannot|must|should|shall|may|might|has"
    r"|have|had|does|do|only|also|always|never|takes?|uses?|returns?|accepts?|contains?|provides?"
    r"|allows?|supports?|requires?|defines?|ensures?|specifies|means)\b",
    re.IGNORECASE,
)
_SAYS_WHICH = re.compile(r"\b(?:of|that|which|who|for|in|on|to|from|between|with|at|by)\b")
# Something that the document introduces: "A decorator is provided", without saying where.
_BROUGHT = re.compile(
    r"\b(?:is|are|will be) (?:also |then |now )?"
    r"(?:provided|introduced|added|proposed|defined|available|changed|extended|renamed|replaced"
    r"|removed|dropped|deprecated)\b|\bproposed\b"
)
# "We", and what "there will be", are clear only from the document.
_FROM_THERE = re.compile(r"\b(?:[Ww]e|[Oo]urs?|us)\b(?![.-])|^There will be\b")
# Titles and headings that name nothing.
_GENERAL = re.compile(
    r"^\W*(?:\d+(?:\.\d+)*\.?\s*)?(?:read ?me|overview|introduction|abstract|summary"
    r"|description|usage|notes?|details|index|general|basics|api|examples?|options|arguments|parameters|returns?"
    r"|decisions?|context|consequences|status|specification|rationale|background|motivation"
    r"|documentation|user (?:guide|documentation)|api documentation|faq|remarks?)?\W*$",
    re.IGNORECASE,
)
_HEADING_CHARS_MAX, _HALF = 80, 0.5
_UNFIT = (_META, _PRAISES, _POINTS, _NO_SUBJECT, _OF_A_MOMENT)


@dataclass(frozen=True, slots=True, kw_only=True)
class SentencePlace:
    """
    Where a sentence stands: its title, its heading, and the line that leads to it, if one does.

    `status` is the document's own status if it is not in force, such as `rejected`; `is_first`
    says whether the sentence begins a paragraph.
    """

    title: str
    heading: str = ""
    lead_in: str = ""
    status: str = ""
    is_first: bool = False


def labelled(title: str) -> tuple[str, str] | None:
    """Return the label and the name of a title such as `PEP 8: Style`; None if it has no label."""
    found = _LABEL.match(title)
    return (found[1], found[2].strip()) if found and found[2].strip() else None


def name_two_documents(one: str, other: str) -> bool:
    """Say whether two sentences name different documents of a series, as PEP 314 and PEP 345."""
    labels = [found[1].casefold() for text in (one, other) if (found := _LABEL.match(text))]
    return len(set(labels)) > 1


def make_standalone(text: str, where: SentencePlace) -> str | None:
    """Return a sentence in a form that can be read alone; None if it has none or says nothing."""
    if _NEWS_UNDER.search(where.heading) or _IN_CASE.search(where.lead_in):
        return None
    text = _unmarked(text)
    told = _LEAD.sub("", text)
    if told != text:
        told = f"{told[:1].upper()}{told[1:]}"
    # A sentence may begin with a name in lower case, such as `pip`; one torn from its line may not.
    elif not _BEGINS.match(text) and not where.is_first:
        return None
    name = _name(where, told)
    told = _OF_DOCUMENT.sub(lambda _: name, told, count=1) if name else told
    if not _is_whole(told) or any(one.search(told) for one in _UNFIT):
        return None
    if supposes(told) or not stands_alone(told):
        return None
    return _placed(told, where, name)


def _unmarked(text: str) -> str:
    for mark, said in _MARKS:
        text = mark.sub(said, text)
    return text


def _name(where: SentencePlace, text: str) -> str:
    """Return the name of a document for use in a sentence."""
    if (label := labelled(where.title)) is None:
        return where.title
    said = ", ".join(filter(None, (label[1], where.status)))
    return label[0] if label[0] in text else f"{label[0]} ({said})"


def _is_whole(text: str) -> bool:
    """Say whether a sentence is whole, and no heading."""
    # Words in brackets do not make a sentence of a heading.
    is_fit = len(_ASIDE.sub("", text)) >= CHARS_MIN and len(text) <= CHARS_MAX
    return bool(is_fit and _ENDS.search(text) and not _CUT.search(text) and not _is_torn(text))


def _is_torn(text: str) -> bool:
    """Say whether a bracket or quotation mark is left open."""
    is_open = text.count("(") != text.count(")") or text.count("**") % 2
    return bool(is_open) or any(text.count(mark) % 2 for mark in '"`')


def _placed(text: str, where: SentencePlace, name: str) -> str | None:
    """
    Return a sentence with its title and heading if it needs them; None if these name nothing.

    Sentences of a document that is not in force, or on what it introduces, get its name.
    """
    if name and name in text:
        return text
    is_told = labelled(where.title) and (where.status or _BROUGHT.search(text))
    if name and (is_told or text.startswith(("There is no ", "There are no "))):
        placed = f"{name}: {text}"
        if len(placed) <= CHARS_MAX:
            return placed
        # A document that is not in force is never quoted as if it were.
        return None if where.status else text
    found = _NAMED_BEFORE.match(text)
    if found is None or _SAYS_WHICH.search(found[1]):
        return _headed(text, where, name) or text if _FROM_THERE.search(text) else text
    # A name, as in "the Present extension", is clear wherever it is read.
    is_clear = not found[1].islower() or any(
        _is_mostly(found[1], one) for one in _parts(where, name)
    )
    return text if is_clear else _headed(text, where, name)


def _parts(where: SentencePlace, name: str) -> list[str]:
    """Return the title and the heading, as far as they name something."""
    heading = " ".join(_unmarked(where.heading).split()).strip(" :.#")
    heading = "" if heading == where.title else heading
    return [one for one in dict.fromkeys((name, heading)) if one and not _GENERAL.match(one)]


def _headed(text: str, where: SentencePlace, name: str) -> str | None:
    """Return a sentence behind title and heading; None if they name nothing or it gets too long."""
    parts = _parts(where, name)
    placed = f"{', '.join(parts)}: {text}"
    fits = len(placed) <= CHARS_MAX and all(len(one) <= _HEADING_CHARS_MAX for one in parts[1:])
    return placed if parts and fits else None


def _is_mostly(words: str, title: str) -> bool:
    """Say whether words contain at least half of a title's terms, so that they identify it."""
    wanted = set(index_terms(title))
    return len(wanted & set(index_terms(words))) >= _HALF * len(wanted)
