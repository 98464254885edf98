"""
How a sentence of a document reads alone, weeks later and without its neighbours.

Marks of markup go, "this PEP" gets its name, and a sentence whose subject was named further up
("the flag is off") gets the title and heading that it stands under. What hangs on a condition or
an example in another sentence, speaks of the text itself, or praises, cannot be read alone.
"""

import re

from tilth.core.dataclass import dataclass
from tilth.core.text.tokens import index_terms
from tilth.exchanges.speech import stands_alone, supposes

CHARS_MIN, CHARS_MAX = 45, 320
_ENDS = re.compile(r"[.!][)\"'`_]*$")
_BEGINS = re.compile(r"[\"'`_(]*(?:[A-Z]|`)")
_OF_DOCUMENT = re.compile(
    r"\bth(?:is|e) (?:PEP|ADR|RFC)\b(?! ?\d)"
    r"|^This (?:document|proposal|record|specification)\b(?!'s)",
    re.IGNORECASE,
)
# What joins a sentence to the one before says nothing in it.
_LEAD = re.compile(
    r"^(?:additionally|however|furthermore|moreover|in addition|also|note that|therefore|thus|hence"
    r"|consequently|finally|specifically|in particular|as a result),? +(?=\S)"
    # Nor does what only says that there is something before: "To address these issues, …".
    r"|^(?:to (?:\w+ ){1,3}|for |because of )(?:this|these|that|those)(?: [\w-]+){0,2}, +(?=\S)",
    re.IGNORECASE,
)
_LABEL = re.compile(r"^((?:PEP|ADR|RFC) ?\d+)\b[:.\s-]*(.*)$", re.IGNORECASE)
# Marks of Markdown and reStructuredText, and what is read where each stood.
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
# Words about the text itself, its authors or its making say nothing of the topic.
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
    # That there are some says nothing of which.
    r"|(?:several|various|many|some|a (?:number|lot) of) (?:[\w-]+ ){0,2}(?:problem|issue|reason"
    r"|drawback|way|option|challenge|inconsistency|inconsistencie)s?\b|the examples? )(?![.\w-]*/)"
    r"|\(?#\d{2,}\b|(?<![\w`])@[a-z]\w+",
    re.IGNORECASE,
)
# Who likes, hopes or tries says something of himself, and praise says nothing that can be checked.
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
# What points at something else, goes through cases or is yet to be settled cannot be kept alone.
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
# What is told of the moment of writing holds no more when somebody reads it.
_OF_A_MOMENT = re.compile(
    r"^(?:Currently|Today|Nowadays|At (?:present|the moment)|Recently|Traditionally|Historically"
    r"|Until now|So far|As of (?:now|today|this writing))\b"
    r"|\b(?:has|have) (?:traditionally|historically|so far|until now)\b"
    # What a document sets out from is what it changes.
    r"|\b[Tt]he (?:current|existing|present) (?:\w+ )?(?:implementation|behaviou?r|situation"
    r"|approach|practice|design|mechanism|state of)\b"
)
# What says what is done and not by what, as beside a parameter or in a comment; and an example.
_NO_SUBJECT = re.compile(
    r"^[A-Z][a-z]+s (?:the|an?|whether|if|all|any|its|how|what|which|that)\b"
    r"|^(?:Required|Optional|Recommended|Deprecated|Default|Called|Used|Emitted|Same|Unused"
    r"|Only (?:useful|if|when|for|supported|supporting|used|available))\b"
    r"(?! \w+s\b)|^`[^`]*\([^`]{12,}\)[^`]*` (?:is|will|would|returns|gives|matches|prints)\b"
)
_ASIDE = re.compile(r"\s*\([^()]*\)")
# What joins ends nowhere: such a sentence lost its other half.
_CUT = re.compile(r"\b(?:the|a|an|of|to|and|or|for|with|in)[.!]$|[:;,]$|\(\s*$", re.IGNORECASE)
# What came with a version is news, and what contributors read says nothing of the matter.
_NEWS_UNDER = re.compile(
    r"^\W*(?:v|version )\d+(?:\.\d+)+|^\W*\d+(?:\.\d+)+\W*(?:\d{4}\b|$|\()"
    r"|^\W*(?:added|fixed|changed|removed|deprecated|security|(?:bug ?)?fix(?:es)?"
    r"|(?:new )?features?|internal changes|contribut\w+|sponsors?|licen[sc]es?|credits|community"
    r"|support)\W*$|\b(?:change ?log|release notes|code of conduct|what's new)\b",
    re.IGNORECASE,
)
# A line that says when what it leads to holds.
_IN_CASE = re.compile(
    r"\b(?:if|when(?:ever)?|unless|where|(?:in|for) (?:the|that|this|some|other|each) cases?|while"
    r"|without|until|otherwise|example|instance)\b[^.]*:\s*$",
    re.IGNORECASE,
)
# A subject that was named before: "the flag is", "its value must", with nothing that says which.
_NAMED_BEFORE = re.compile(
    r"^(?:[\w .-]{3,40}: )?"
    r"(?:(?:because|since|as|while|although|once|by default|in practice),? )?(?:the|its|their)"
    r" ((?:[a-z][\w-]* ){1,3}?)(?:is|are|was|were|will|can|cannot|must|should|shall|may|might|has"
    r"|have|had|does|do|only|also|always|never|takes?|uses?|returns?|accepts?|contains?|provides?"
    r"|allows?|supports?|requires?|defines?|ensures?|specifies|means)\b",
    re.IGNORECASE,
)
_SAYS_WHICH = re.compile(r"\b(?:of|that|which|who|for|in|on|to|from|between|with|at|by)\b")
# What whoever writes brings or changes: "A decorator is provided", and it is not said where.
_BROUGHT = re.compile(
    r"\b(?:is|are|will be) (?:also |then |now )?"
    r"(?:provided|introduced|added|proposed|defined|available|changed|extended|renamed|replaced"
    r"|removed|dropped|deprecated)\b|\bproposed\b"
)
# Who speaks, and what there will be, is known from where it stands.
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
class Stand:
    """
    Where a sentence stands: under which title and heading, and behind which line if one leads in.

    `standing` is what the document says of itself if it is not in force, such as `rejected`;
    `is_first` says whether a paragraph begins there.
    """

    title: str
    heading: str = ""
    lead_in: str = ""
    standing: str = ""
    is_first: bool = False


def labelled(title: str) -> tuple[str, str] | None:
    """Return the label and the name of a title such as `PEP 8: Style`; None if it has no label."""
    found = _LABEL.match(title)
    return (found[1], found[2].strip()) if found and found[2].strip() else None


def are_of_two(one: str, other: str) -> bool:
    """Say whether two sentences are about documents of two labels, such as PEP 314 and PEP 345."""
    labels = [found[1].casefold() for text in (one, other) if (found := _LABEL.match(text))]
    return len(set(labels)) > 1


def read_alone(text: str, where: Stand) -> str | None:
    """Return a sentence as it can be read alone; None if it cannot, or says nothing that holds."""
    if _NEWS_UNDER.search(where.heading) or _IN_CASE.search(where.lead_in):
        return None
    text = _unmarked(text)
    told = _LEAD.sub("", text)
    if told != text:
        told = f"{told[:1].upper()}{told[1:]}"
    # A name in lower case may begin a sentence, such as `pip`; what lost its beginning may not.
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


def _name(where: Stand, text: str) -> str:
    """Return what a document is called in a sentence of it."""
    if (label := labelled(where.title)) is None:
        return where.title
    said = ", ".join(filter(None, (label[1], where.standing)))
    return label[0] if label[0] in text else f"{label[0]} ({said})"


def _is_whole(text: str) -> bool:
    """Say whether a sentence has its beginning and its end, and is no heading."""
    # What stands in brackets makes no sentence of a heading.
    is_fit = len(_ASIDE.sub("", text)) >= CHARS_MIN and len(text) <= CHARS_MAX
    return bool(is_fit and _ENDS.search(text) and not _CUT.search(text) and not _is_torn(text))


def _is_torn(text: str) -> bool:
    """Say whether a bracket or quotation is open: the other half stands in another sentence."""
    is_open = text.count("(") != text.count(")") or text.count("**") % 2
    return bool(is_open) or any(text.count(mark) % 2 for mark in '"`')


def _placed(text: str, where: Stand, name: str) -> str | None:
    """
    Return a sentence with where it stands, if its subject was named there; None if nowhere.

    What a document says that is not in force, or what it brings, is told with its name.
    """
    if name and name in text:
        return text
    is_told = labelled(where.title) and (where.standing or _BROUGHT.search(text))
    if name and (is_told or text.startswith(("There is no ", "There are no "))):
        placed = f"{name}: {text}"
        if len(placed) <= CHARS_MAX:
            return placed
        # What is not in force is never told as if it were.
        return None if where.standing else text
    found = _NAMED_BEFORE.match(text)
    if found is None or _SAYS_WHICH.search(found[1]):
        return _headed(text, where, name) or text if _FROM_THERE.search(text) else text
    # It has a name, as the Present extension, which is that one wherever it is read.
    is_clear = not found[1].islower() or any(
        _is_mostly(found[1], one) for one in _parts(where, name)
    )
    return text if is_clear else _headed(text, where, name)


def _parts(where: Stand, name: str) -> list[str]:
    """Return title and heading, as far as they name anything."""
    heading = " ".join(_unmarked(where.heading).split()).strip(" :.#")
    heading = "" if heading == where.title else heading
    return [one for one in dict.fromkeys((name, heading)) if one and not _GENERAL.match(one)]


def _headed(text: str, where: Stand, name: str) -> str | None:
    """Return a sentence behind title and heading; None if they name nothing, or are too long."""
    parts = _parts(where, name)
    placed = f"{', '.join(parts)}: {text}"
    fits = len(placed) <= CHARS_MAX and all(len(one) <= _HEADING_CHARS_MAX for one in parts[1:])
    return placed if parts and fits else None


def _is_mostly(words: str, title: str) -> bool:
    """Say whether words hold at least half of the terms of a title, so that they say which."""
    wanted = set(index_terms(title))
    return len(wanted & set(index_terms(words))) >= _HALF * len(wanted)
