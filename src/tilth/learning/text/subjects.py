"""What words name, and what only points at what was named elsewhere."""

_SPEAKERS = frozenset({"i", "we"})
_POINTING_WORDS = """
    it this that these those he she they you there here what who which one ones both each all some
    none others something anything everything everyone someone nothing how why when where also then
    me us him them its thing things result results line lines step steps first second next last
    other another same issue problem error errors bug reason point question answer idea fix change
    changes output code test tests function method loop query call script still already always
    only even again today tomorrow yesterday tonight life love everybody time
"""
# Where one of these stands before a verb, the verb is not what the claim says.
_ACTS = frozenset(
    ("i'll", "we'll", "you'll", "can", "will", "would", "must", "may", "should", "see", "i'm")
)
_ORDER_WORDS = """
    turn add use run make put check fix create update install write read show give take keep try
    get find change remove delete ask tell send bring look see go let please pls don't dont never
    call ping wait stop start set move includes uses has
"""
_ORDERS = frozenset(_ORDER_WORDS.split())
_OPEN_ENDS = frozenset({"and", "or", "to", "not", "of", "for", "in", "on", "at", "with", "from"})
_POINTING = frozenset(_POINTING_WORDS.split())


def is_named(name: str) -> bool:
    """Say whether words name what a claim is about: they do not point, and give no order."""
    words = name.casefold().split()
    is_open = words[-1] in _OPEN_ENDS or words[0] in _ORDERS or not _ACTS.isdisjoint(words)
    return not is_open and not is_pointing(name)


def is_pointing(name: str) -> bool:
    """Say whether words only point at something that was named elsewhere."""
    words = name.casefold().split()
    if words[0] in _SPEAKERS and len(words) > 1:
        return True
    return words[0] in _POINTING or words[-1] in _POINTING or not any(map(str.isalpha, name))
