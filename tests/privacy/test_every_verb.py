"""No text that any verb takes brings a secret or a private span into what is kept."""

import pytest

import tilth
from tests.interfaces.anothers import keep_anothers
from tests.interfaces.sampling import told_to
from tests.interfaces.test_conformance import by_python
from tilth.core.actor import Human
from tilth.core.verb import VERBS
from tilth.interfaces.http import call_verb

# In two parts, so that no scan of this file finds it; the number tells which argument it was.
KEY = "ghp_aaaaBBBBcccc" + "DDDDeeeeFFFFgggg0000{:04}"
HIDDEN = "hiddencanary{:04}"
# They take away what others are tried on.
LAST = ("erase", "snapshots.restore")


def texts_of(verb):
    """Yield the arguments of *verb* that take words of one's own, and the paths to them."""
    for option in call_verb.options_of(verb):
        if option.arg.rows:
            yield from (
                (option, one.name) for one in VERBS[option.arg.rows].options if is_text(one)
            )
        elif is_text(option):
            yield option, ""


def is_text(option):
    is_named = bool(option.choices or getattr(option.kind, "prefix", "") or option.arg.id)
    return isinstance(option.kind, type) and issubclass(option.kind, str) and not is_named


def known(value, ids):
    """Return *value* with the IDs of things that are there in the place of made ones."""
    if isinstance(value, list):
        return [known(one, ids) for one in value]
    is_id = isinstance(value, str) and value.endswith("0" * 26)
    return ids.get(value[:4], value) if is_id else value


def with_words(told, option, row, words):
    if row:
        (first,) = told[option.name]
        return told | {option.name: [first | {row: words}]}
    return told | {option.name: [words] if option.is_many else words}


@pytest.mark.row("EM-040", "EM-041", "C-21")
def test_no_text_of_any_verb_keeps_a_secret_or_a_private_span(ready, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    theirs = keep_anothers(ready.store, "local")
    ids = {one[:4]: one for one in theirs.values() if one[3:4] == "_"}
    tried, taken = [], 0
    verbs = sorted(call_verb.offered().values(), key=lambda one: one.python.startswith(LAST))
    with tilth.connect(ready.store, actor=Human("ana")) as brain:
        for verb in verbs:
            sample = {one: known(said, ids) for one, said in told_to(verb, brain.parts).items()}
            for option, row in texts_of(verb):
                number = len(tried)
                words = f"tea {KEY} <private>{HIDDEN}</private> on".format(number, number)
                tried.append(f"{verb.python}({row or option.name}=)")
                answer = by_python(brain, verb, with_words(sample, option, row, words))
                taken += not (isinstance(answer, dict) and "error" in answer)
    kept = b"".join(one.read_bytes() for one in ready.home.rglob("*") if one.is_file())
    assert not [
        where
        for number, where in enumerate(tried)
        if KEY.format(number).encode() in kept or HIDDEN.format(number).encode() in kept
    ]
    assert len(tried) > 150
    assert taken > 60
