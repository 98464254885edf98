"""What else a statement is about: the known things that its words name."""

import re
from dataclasses import replace

from tilth.episodes.remember import Recorder
from tilth.knowledge.facts.fact import ANCHORS_MAX, FactDraft
from tilth.knowledge.facts.fact_entities import find
from tilth.ledger.snapshot import Snapshot

_LOOKED_UP_MAX = 10
# What may be a name: words in capitals, together and one by one, and what people call machines.
_NAMES = re.compile(
    r"(?<!\w)(?:[^\W\d_a-z][\w.'-]*(?: [^\W\d_a-z][\w.'-]*){0,3}|[a-z]\w*(?:[-_.]\w+)+|[a-z]+\d+)"
)


def mentioned(view: Snapshot, draft: FactDraft, words: str, recorder: Recorder) -> FactDraft:
    """
    Return *draft* as being about what *words* name too.

    Only what is known already counts: a name in passing makes no new thing.
    """
    names: dict[str, None] = {}
    for found in _NAMES.findall(words):
        names |= dict.fromkeys([found, *found.split()])
    known = [
        one
        for name in list(names)[:_LOOKED_UP_MAX]
        for one in find(view, name.strip(".'-"), draft.scope, recorder)[:1]
    ]
    about = dict.fromkeys([*draft.about, *(str(one.id) for one in known)])
    return replace(draft, about=tuple(about)[:ANCHORS_MAX])
