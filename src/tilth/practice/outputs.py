"""Read the output of a command: whether it failed, what was wrong, and why."""

import re

from tilth.core.text.pattern import AnyOf, AnyPart, linear, pattern
from tilth.practice.model import SYMPTOM_CHARS, RunResult

# In characters, how much is read at each end of a long output.
_EDGE_CHARS = 20_000
_LINE_CHARS_MIN = 9
_CAUSE_CHARS = (40, 320)
# RE2 on bytes, since these read each output whole, megabytes in an import.
_BAD = linear(
    rb"(?m)^(?:--- )?FAIL(?:ED|URES?)?\b|\bpanic: |npm ERR!|npm error|ERR_PNPM|^error(?:\[\w+\])?: "
    rb"|\berror TS\d+|Traceback \(most recent|^make: \*\*\*|command not found"
    rb"|\bexit(?:ed)?(?: with)?(?: status| code)?:? [1-9]"
    rb"|\b[1-9]\d*\)? (?:tests? )?(?:failed|failing|fail|errors?|problems?|issues?)\b"
    + "|[✗✖✘]".encode()
)
_GOOD = linear(
    rb"(?m)^ok\s+\S|^PASS\b|\b[1-9]\d* (?:tests? )?pass(?:ed|ing)?\b"
    rb"|\b0 (?:errors?|issues?|failed|failures|fail|problems?)\b|All checks passed"
    rb"|Success: no issues|^\s*Finished |BUILD SUCCESS|Build succeeded|test result: ok"
    + "|[✓✔]".encode()
)
# What a host returns while a command still runs, with the name of the run.
_RUNNING = pattern(
    r"(?:Process running with session ID|running in background with ID:|shellId:?) ?\"?(\w+)"
)
_RUNNING_WITHIN = 400
_ANSI = pattern(r"\x1b\[[0-9;?]*[A-Za-z]")
_TELLING = AnyPart(
    "error, fail, panic, undefined, cannot, can't, not found, unexpected, no such, missing, denied,"
    " refused, invalid, unknown, unable, fatal, conflict, time out, timeout, timed out, timedout,"
    " expected, mismatch, unused, ineffectual, deprecated, not defined, unsupported, required,"
    " stale"
)
# The name of a checker at the end of a finding: "(errcheck-lint)".
_BY_A_LINTER = pattern(r"lint\w*\)$", re.IGNORECASE)
# A line that only repeats that, or where, something failed.
_EMPTY_WORDS = pattern(
    r"^(?:exit code:? \d+|process exited.*|error trace:.*|=== \w+ .*|npm (?:err!|error) (?:code"
    r"|errno|path|a complete).*|fail(?:ed)?\b[\t :]*\S*(?: .*s)?|\[\w+\] (?:\$|error).*|error:?"
    r"|errors?:|failures?:|chunk id.*|\(pass\).*|--- pass.*|.* info .*|.* debug .*"
    r"|.*\bwithout errors\b.*|[✓✔].*|\d+ +\d* *[│|].*|found \d+ errors?\.?"
    r"|.*some errors were emitted.*|wall time.*|original token.*|output:|at .*|\s*\^+\s*"
    r"|--- fail: .*|make: \*\*\*.*|exit status \d+|\d+ (?:issues|problems|errors|failed).*"
    r"|\d+ passed.*|error: script .* exited.*|.*\bok\b.*|<?/?tool_use_error>?)$",
    re.IGNORECASE,
)
# A line with the place of a finding is more useful than one without.
_PLACED = pattern(r"(?:\[\w+\] )?[\w./-]+\.\w{1,5}[:(]\d+")
_FAILED_TEST = pattern(
    r"^\s*(?:--- FAIL: |\(fail\) |FAILED |[✗✖✘] )(\S.{2,100}?)(?: [(\[][\d.]+ ?m?s[)\]])?$",
    re.MULTILINE,
)
_SENTENCE_END = pattern(r"(?<=[.!?])\s+(?=[A-Z`*\"'(])|\n+")
_CAUSAL = pattern(
    r"\bbecause\b|\broot cause\b|\bcaused by\b|\bdue to\b|\bturns out\b|\bthe (?:actual |real )?"
    r"(?:issue|problem|bug|cause|reason|culprit) (?:is|was)\b|\bwas (?:missing|stale|wrong|never)\b"
    r"|\b(?:doesn't|does not|didn't|did not) (?:exist|support|match|have|exclude|include|handle)\b",
    re.IGNORECASE,
)
_EXPLAINS = AnyOf(
    "because, due to, since, need, needs, require, requires, expect, expects, only, never, always,"
    " cannot, lack, lacks, isn't, aren't, doesn't, don't, can't, won't, is not, are not, does not,"
    " do not, can not, will not"
)
_PAST = AnyOf("was, were, had, did, wasn't, weren't, didn't")
_INTENTION = pattern(
    r"^(?:let me|i'll|i will|i'm going|now (?:i|let)|let's|i need to|wait|hmm|okay|ok,|next,"
    r"|should i|do you|would you|want me|this is acceptable)\b|\?$|[❌✅👍]"
    r"|\bmy (?:change|edit)|\bi (?:just )?(?:added|changed|removed|suppressed|forgot)\b"
    r"|\b(?:likely|probably|maybe|perhaps|might|possibly|seems?)\b",
    re.IGNORECASE,
)
_CHECKS = pattern(
    r"(?:wait|hmm|actually|let me (?:check|verify|confirm|double-check|see if|test))\b",
    re.IGNORECASE,
)
# A named error that a program raises.
_RAISED = pattern(
    r"^.{0,80}?(?P<said>\b(?:[A-Z]\w*(?:Error|Exception)|(?:[Ee]rror|fatal|panic)(?:\[\w+\])?)"
    r": \S.{9,})$",
    re.MULTILINE,
)
_VARIES = pattern(
    r"0x[0-9a-f]+|\b[0-9a-f]{7,40}\b|\d+|(?:[\w.@-]*/)+[\w.@-]+|'[^']*'|\"[^\"]*\"|`[^`]*`"
)
# A name in code: two words, or a dot or underscore.
_CODE_NAME = pattern(r"\b\w*[a-z0-9][A-Z]\w*\b|\b\w+(?:[._]\w+)+\b")
# "Api/lid.go:90:12: ", before a checker's finding.
_PLACE = pattern(r"^\S+[:(]\d+(?:[:,]\d+)?\)?:\s+")
# The words that say what is wrong, before those that say with what.
_SAID = pattern(r"(?:[^\s:]+\s+){3,}[^\s:]*(?=:\s|:?$)")
# A word that is long enough for a name.
_NAMED = pattern(r"[A-Za-z_]{5,}")
# In characters: a command that was itself wrong says so within this much of its output.
_MISUSED_WITHIN = 500
_MISUSED = AnyPart(
    "command not found, not recognized, missing script, no rule to make target, unknown command,"
    " unknown flag, unknown option, unknown argument, unknown shorthand, unrecognized option,"
    " unrecognized argument, unrecognized command, no such option, no such command, no such task,"
    " no such tool, script not found, is not installed, no module named, cannot find module,"
    " cannot find main module, could not determine executable, executable file not found,"
    " no such file or directory, usage:, externally-managed, go.mod file not found,"
    " matched no packages, no test found, no tests found, no test files, no tests files"
)
_MISUSED_ALSO = pattern(
    r"not a (?:git|go) |no tasks? |directory prefix .* does not contain", re.IGNORECASE
)


def head_and_tail(text: str) -> str:
    """Return the beginning and end of a long text, without colour codes."""
    if len(text) > 2 * _EDGE_CHARS:
        text = f"{text[:_EDGE_CHARS]}\n{text[-_EDGE_CHARS:]}"
    return _ANSI.sub("", text)


def guess_result(text: str) -> RunResult:
    """Return how a command ended judging by its output, since a pipe hid its exit code."""
    data = text.encode("utf-8", "surrogatepass")
    if _BAD.search(data):
        return RunResult.FAILED
    return RunResult.OK if _GOOD.search(data) else RunResult.UNKNOWN


def still_running(text: str) -> str:
    """Return the name of a run that goes on in the background; empty if it ended."""
    found = _RUNNING.search(text[:_RUNNING_WITHIN])
    return found[1] if found else ""


def is_misused(text: str) -> bool:
    """Say whether a shell or program refused the command itself, which it says at once."""
    said = text[:_MISUSED_WITHIN]
    return _MISUSED.search(said) or _MISUSED_ALSO.search(said) is not None


def symptom_of(output: str) -> str:
    """Return the first line of an output that says what was wrong; empty if none does."""
    lines = [" ".join(line.split()) for line in head_and_tail(output).splitlines()]
    telling = [
        one
        for one in lines
        if len(one) >= _LINE_CHARS_MIN and (_TELLING.search(one) or _BY_A_LINTER.search(one))
    ]
    found = [one for one in telling if not _EMPTY_WORDS.match(one)]
    if not found and (failed := _FAILED_TEST.search(output)):
        return f"{failed[1]} failed"[:SYMPTOM_CHARS]
    placed = [one for one in found if _PLACED.match(one)]
    return (placed or found or [""])[0][:SYMPTOM_CHARS]


def raised_in(text: str) -> str:
    """Return the first error that *text* quotes by name; empty if none."""
    found = _RAISED.search(head_and_tail(text))
    return " ".join(found["said"].split())[:SYMPTOM_CHARS] if found else ""


def cause_in(text: str) -> str:
    """
    Return the first whole sentence that gives a reason; empty if none does.

    A reason that the same message goes on to check or withdraws was a guess.
    """
    least, most = _CAUSE_CHARS
    sentences = [sentence.strip(" *-#>\t") for sentence in _SENTENCE_END.split(text)]
    doubted = max((at for at, one in enumerate(sentences) if _CHECKS.match(one)), default=-1)
    whole = (one for one in sentences[doubted + 1 :] if least <= len(one) <= most)
    reasons = (one for one in whole if _CAUSAL.search(one) and not _INTENTION.search(one))
    return next(reasons, "")


def explains(cause: str) -> bool:
    """Say whether a reason describes the present; a past state ends with its fix."""
    said = cause.replace("\u2019", "'")
    return _EXPLAINS.search(said) and not _PAST.search(said)


def is_about(cause: str, symptom: str) -> bool:
    """Say whether a reason names something in the symptom, and so belongs to it."""
    shared = {word.casefold() for word in _NAMED.findall(symptom)}
    return any(word.casefold() in shared for word in _NAMED.findall(cause))


def without_place(symptom: str) -> str:
    """Return a checker's finding without its place."""
    return _PLACE.sub("", symptom)


def symptom_key(symptom: str) -> str:
    """
    Return a key that reports of one symptom share, without numbers, files and names.

    If the rest says what is wrong, it suffices: what follows a colon is what it is wrong with.
    """
    unnamed = " ".join(_CODE_NAME.sub(" ", _VARIES.sub(" ", symptom)).split())
    if said := _SAID.search(unnamed.casefold()):
        return said[0]
    return " ".join(_VARIES.sub(" ", symptom.casefold()).split())
