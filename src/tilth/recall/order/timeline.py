"""
What happened in a time: a question that asks for nothing else is answered in order, by session.

Likeness cannot tell what of a day matters. So each session of the time gets its share: what a
person first asked for, what was reported last, then what else people said.
"""

from collections import defaultdict
from collections.abc import Sequence
from itertools import chain, islice, zip_longest

from tilth.episodes.episode import Place, Role


def timeline(places: Sequence[Place], limit: int) -> list[Place]:
    """
    Return at most *limit* of *places*, in order: sessions by when they began, then their turns.

    Where there are more sessions than room, those of which most was said speak.
    """
    sessions: dict[int, list[Place]] = defaultdict(list)
    for place in sorted(places, key=lambda one: (one.occurred_at, one.seq)):
        sessions[place.session_no or -place.seq].append(place)
    told = sorted(sessions.values(), key=lambda one: (-len(one), -one[-1].seq))[:limit]
    shares = zip_longest(*map(_by_worth, told))
    kept = set(islice((one for one in chain.from_iterable(shares) if one), limit))
    in_order = sorted(told, key=lambda one: (one[0].occurred_at, one[0].seq))
    return [place for session in in_order for place in session if place in kept]


def _by_worth(session: Sequence[Place]) -> list[Place]:
    asked = [one for one in session if one.role is Role.USER]
    reported = [one for one in reversed(session) if one.role is Role.ASSISTANT]
    best = [*asked[:1], *reported[:1], *asked[1:], *reported[1:]]
    return best + [one for one in session if one not in best]
