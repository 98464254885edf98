"""Words by which a statement is known to be one: the verbs that people state things with."""

# Stems to which endings are added, and forms that have none.
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


# Verbs that tell of somebody or something that was named before them.
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
# Forms that are no orders and no names of things when a clause begins with them.
PREDICATES = "|".join([*_LEFT_ALONE.split(), *map(_inflected, _STEMS.split())])
