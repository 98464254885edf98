"""
Recognise the verb of a statement, and what stands around it.

Verbs that people use in statements are listed; others are recognised by their ending and by what
stands around them, such as a pronoun.
"""

import re

# Stems that take endings, and forms that take none.
_STEMS = (
    "run use live own take want go stay work move leave end start close change expect deliver "
    "throttle cost know handle sit set lead let lower raise offer speak eat drink play get keep "
    "hold hate make need require allow accept belong support ship brick break die freeze point "
    "serve host store manage teach study travel meet arrive pay sell buy send share cover "
    "contain include exclude report write read sign come depend connect expire renew open begin "
    "finish last chair maintain do give bring replace retire organise organize prefer "
    "listen build deploy test sync mirror call name count weigh measure charge bill refuse "
    "reject ban forbid block limit cap follow switch adopt marry join quit turn apply mean "
    "talk sound provide return visit drive fly cook clean feed walk suffer attend graduate "
    "consist compile load save cache log back hang rent lend borrow owe inherit carry wear grow "
    "produce publish record repeat rotate trigger fetch pull push poll scrape bind map route "
    "redirect forward proxy encrypt decrypt hash index partition replicate shard scale idle put "
    "say tell ask mean think believe hear watch help fix solve park plug mount paint bake fetch "
    "collect order owe review check teach clean drop pick stand shine rain snow smell taste fit "
    "match wait"
    " see seem love like prefer wish fill empty lock turn act sleep wake swim fall rise split merge"
    " transfer export import parse render print scan sign guard protect encrypt expose listen speak"
    " refer link "
    "reckon arrive retire promise insist weigh think estimate earn smoke snore bark"
)
_IRREGULAR = (
    "is are was were isn't aren't wasn't am has have had hasn't haven't does did doesn't don't "
    "didn't will won't can can't cannot must mustn't should shouldn't may goes ran lived took "
    "went left cost knew sat led spoke ate drank got kept held made broke died froze taught met "
    "paid sold bought sent wrote came began gave brought built became lost won found grew "
    "ripped banned stopped planned swapped dropped married studies carries tries replies capped "
    "applies relies lies lay lends hung wore drove flew meant ain't"
)


# Verbs whose subject was named before them.
_LEFT_ALONE = (
    "has had does did goes went ran lived took left cost knew sat led spoke ate drank got kept "
    "held "
    "made broke died froze taught met paid sold bought sent wrote came began gave brought built "
    "became "
    "lost won found grew wore drove flew meant used will must needs was were"
)


def _endings(stem: str) -> str:
    if stem.endswith("y") and stem[-2] not in "aeiou":
        return f"{stem[:-1]}(?:y|ies|ied)"
    return f"{stem[:-1]}(?:e|es|ed)" if stem.endswith("e") else f"{stem}(?:s|es|ed)?"


def _inflected(stem: str) -> str:
    if stem.endswith("y") and stem[-2] not in "aeiou":
        return f"{stem[:-1]}ie[sd]"
    return f"{stem[:-1]}(?:es|ed)" if stem.endswith("e") else f"{stem}(?:s|es|ed)"


VERBS = "|".join([*_IRREGULAR.split(), *map(_endings, _STEMS.split())])
# Forms that are neither orders nor names of things at the beginning of a clause.
PREDICATES = "|".join([*_LEFT_ALONE.split(), *map(_inflected, _STEMS.split())])


_VERB = re.compile(rf"(?:(?<=\w)'(?:s|re|m|ve|ll)(?=\s)|(?<=\s)(?:{VERBS})\b)", re.IGNORECASE)
# Words before a noun, after which a possible verb is none.
_BEFORE_NOUN = re.compile(
    r"\b(?:the|an?|our|my|your|their|his|her|its|this|that|these|those|of|to|for|with|no|each|"
    r"every|some|any|new|old|in|on|at|by|from|and|or|than|as)\s+$",
    re.IGNORECASE,
)
_SUBJECT_WORDS_MAX = 9
_NO_VERB = (
    r"this|his|its|always|perhaps|besides|plus|minus|versus|thus|less|across|towards|sometimes|"
    r"afterwards|news|needed|indeed|used|supposed|based|called|was|has|does|these|those|"
    r"in|on|at|of|for|to|with|by|from|and|or|as|than|that|who|which|when|where|if|but|so|like|is|"
    r"are|per|via|until|before|after|under|over|about|into|between|vs|not|all|both|\w+ly"
)
_THING = r"(?:(?:the|an?|our|my|his|her|your|their|this|that|every|each)\s+)?(?:[\w'-]+\s+){0,3}?"
# What follows a verb: its object, or a place, time or manner.
_AFTER = (
    r"(?:the|an?|our|my|his|her|their|your|all|no|only|in|on|at|to|with|by|from|for|into|after|"
    r"before|until|when|again|down|up|out|off|over|back|\d|(?-i:[A-Z]))"
)
_SHAPES = (
    # A verb after a pronoun.
    re.compile(
        rf"(?:[\w'-]+\s+){{0,5}}?(?:i|we|they)\s+(?:\w+ly\s+)?"
        rf"(?!(?:{_NO_VERB}|two|three|both|all)\b)[a-z]{{2,}}\b",
        re.IGNORECASE,
    ),
    # A verb with one subject.
    re.compile(
        rf"{_THING}[\w'-]*[^\Ws]\s+(?!(?:{_NO_VERB})\b)[a-z]{{2,}}(?:[^\Ws]s|ed)\s+\S",
        re.IGNORECASE,
    ),
    # A past form.
    re.compile(
        rf"{_THING}[\w'-]+\s+(?!(?:{_NO_VERB})\b)[a-z]{{2,}}ed\s+{_AFTER}\b",
        re.IGNORECASE,
    ),
    # A verb with several subjects.
    re.compile(
        rf"(?:[\w'-]+\s+){{0,3}}?[a-z]{{2,}}s\s+"
        rf"(?!(?:{_NO_VERB})\b)[a-z]{{2,}}[^\Ws]\s+{_AFTER}\b",
        re.IGNORECASE,
    ),
)


def is_claim(plain: str) -> bool:
    """Say whether words claim something, by a verb near their beginning."""
    for verb in _VERB.finditer(plain):
        subject = plain[: verb.start()]
        if len(subject.split()) > _SUBJECT_WORDS_MAX:
            break
        if not _BEFORE_NOUN.search(subject):
            return True
    return any(shape.match(plain) for shape in _SHAPES)
