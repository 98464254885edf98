"""
Find the words of a message that a person typed: not fenced, quoted, wrapped or pasted.

Doubt always means that they did not. What is taken for pasted is kept and found all the same; it
only makes no rule.

No host tells its hooks what was pasted. So a page that stands in a prompt without fences is known
by what people write around it ("summarise this page:"), by its form (headings, the head of a mail,
the speakers of a chat), and by being more than anybody types between two answers.
"""

import re
from functools import lru_cache
from itertools import pairwise

from tilth.core.text.pattern import AnyOf, Worded, pattern
from tilth.core.text.prose import blanked

# Of 2,800 prompts of developers one in a hundred is longer than 420 characters (bench/data), so
# there is room here for who dictates. Of what is longer, the first line alone may have been.
_TYPED_CHARS_MAX, _TYPED_LINES_MAX = 1_500, 25
_FIRST_LINE_CHARS_MAX = 500
_READ_CHARS_MAX = 20_000
# So much must stand before "summarise the above" to be what that speaks of.
_PASTED_CHARS_MIN = 60
_MESSAGES_KEPT = 8

_FENCE = pattern(r"^[ \t>]*(?:(?:[-*+]|\d{1,3}[.)])[ \t]+)?(`{3,}|~{3,})")
_TAG = pattern(r"<(!--|[A-Za-z][\w:.-]{0,60})(?:\s[^<>]{0,500})?>?")
_QUOTED = pattern(
    r"(`{3,}).*?(?:\1|\Z)|(`{1,2})[^`\n]{1,500}\2"
    r"|\"[^\"]{1,1500}\"|“[^”]{1,1500}”|„[^“”]{1,1500}[“”]|«[^»]{1,1500}»"
    r"|(?<!\w)[\u2018'][^\u2018\u2019'\n]{1,1000}[\u2019'](?!\w)",
    re.DOTALL,
)
# What a button puts into a prompt is nobody's word: "build the plan" of Cursor is two such lines.
_BUTTON_PROMPT = pattern(
    r"Implement the plan as specified, it is attached\b[^\n]{0,200}"
    r"|To-do'?s from the plan have already been created\b[^\n]{0,300}"
)
_ENDINGS = "md txt htm html pdf rst doc docx yml yaml json toml log"
_FILE = rf"[\w-]{{1,60}}\.(?:{'|'.join(_ENDINGS.split())})"
# What other people and programs write, by the names that people give it who hand it on.
_WRITTEN = """
    article blog changelog chat comment contract conversation description doc document
    documentation email e-mail error excerpt export file guide handbook issue letter log mail
    manual memo message minutes newsletter note output page paper passage pdf policy post pr
    prompt quote readme reply report runbook screenshot site snippet spec text thread ticket
    transcript tweet wiki website vendor colleague customer client boss manager support
    seite datei nachricht correo página
"""
_FOREIGN = rf"(?:(?:{'|'.join(_WRITTEN.split())}|pull request)s?|{_FILE})"
_NAMES = [name for one in _WRITTEN.split() if one.isalpha() for name in (one, f"{one}s")]
_OF_FOREIGN = AnyOf(", ".join([*_NAMES, "pull", *_ENDINGS.split()]))
_SAYS = (
    r"(?:says?|said|reads?|goes|states?|tells?|told|wrote|writes?|mentions?|replied|sent|wants?)"
)
_DIGEST = (
    r"(?:summari[sz]e|translate|proof-?read|rephrase|paraphrase|tl;?dr|zusammen|übersetze|fasse"
    r"|resume|résume|tradu\w{1,4})"
)
# What somebody does with a text that is not theirs, and how they point at it.
_READS = (
    r"(?:read|review|look at|analy[sz]e|explain|improve|consider|compare|rate|grade"
    r"|what(?:'s| is| are| was) in|what do(?:es)?|thoughts on|opinions? on|saw|heard)"
)
_THIS = rf"(?:this|these|that|the following|{_FILE})"
# Each by itself: making one pattern of all takes twice as long, and few lines may have many.
_INTRODUCTIONS = (
    Worded(rf"\b{_FOREIGN}\b[^:\n]{{0,100}}:(?=\s|$)", ":", _OF_FOREIGN),
    Worded(
        rf"\b{_FOREIGN}\b[^.!?\n]{{0,40}}\b{_SAYS}\b",
        "say said read goes state tell told wrote write mention replied sent want",
        _OF_FOREIGN,
    ),
    Worded(
        rf"\b{_DIGEST}\b[^:\n]{{0,100}}(?::|$)",
        "summari translate proof rephrase paraphrase tldr tl;dr zusammen fasse resume tradu",
    ),
    Worded(
        rf"\b(?:this|that|following) {_FOREIGN}\b[^.:\n]{{0,60}}$",
        "this that following",
        _OF_FOREIGN,
    ),
    Worded(
        r"\b(?:got|received|found|copied|pasted?|forwarded|fwd?|fyi|quot(?:e|ing)|below|attached"
        r"|see this|here is what|here's what)\b[^.:\n]{0,80}(?::|$)",
        "got received found copied paste forwarded fw fyi quot below attached see here",
    ),
    # Without a colon only where a line ends: what follows there may be it.
    Worded(
        rf"\b{_READS}\b[^.:\n]{{0,60}}\b{_THIS}(?![\w-])[^.:\n]{{0,60}}(?::|$)",
        "read review look analy explain improve consider compare rate grade what thoughts opinion"
        " saw heard",
        f"this these that following {_ENDINGS}",
    ),
    Worded(
        r"\b(?:the following|reword|shorten|polish|(?:turn|make) (?:this|it|the)|put that)\b"
        r"[^.:!?\n]{0,80}[.:!?]?",
        "following reword shorten polish turn make put",
    ),
    # Where no question ends near, that is told at once.
    Worded(
        r"(?=[^.!?\n]{0,305}\?)[^.!?\n]{0,200}\b(?:this|that|these|those|it)\b[^.!?\n]{0,100}\?",
        "?",
        "this that these those it",
    ),
    Worded(
        r"\b(?:gave|sent|told|showed|shown|suggest\w*|answered|printed|returned|responded)\b"
        r"[^.:\n]{0,40}(?::|$)",
        "gave sent told show suggest answered printed returned responded",
    ),
)
_POINTS_BACK = pattern(
    rf"\b(?:{_DIGEST}|explain|review|answer|reply to)\b[^.\n]{{0,40}}\b(?:this|that|it)\b"
    rf"|\babove\b|(?<![^\n])[ \t]*\^|\b(?:this|that) {_FOREIGN}\b"
    r"|\b(?:is|are|was|were|does|do|would|should) (?:this|that|these|those|it|they)\b"
    r"[^.\n]{0,60}\?",
    re.IGNORECASE,
)
_PASTED_LINE = pattern(
    r"[ \t]*(?:(?:from|to|cc|bcc|subject|date|sent|reply-to|message-id|author|von|an|betreff|de"
    r"|objet|asunto)[ \t]*:[ \t]*\S|on .{4,120} wrote:|am .{4,120} schrieb.{0,80}:"
    r"|-{2,}[ \t]*(?:original|forwarded|begin)\b|begin forwarded message"
    r"|(?:dear|hi|hello) \w+,|(?:kind|best|warm)? ?regards\b|cheers,|(?:--|[\u2013\u2014]) ?\w"
    r"|\[?(?:user|human|assistant|system|ai|developer|tool)\]?[ \t]*:"
    r"|(?:[\w.-]+[ \t]+){0,3}\[?\d{1,2}:\d\d(?::\d\d)?(?: ?[AP]M)?\]?(?:[ \t]+\S|$)"
    r"|(?:https?://|www\.)\S+[ \t]*$"
    r"|[-=+*_]{3,}[ \t]*$|<[!?/a-z]|\|.*\|[ \t]*$|\[[^\]\n]{1,200}\]\([^)\n]{1,500}\)[ \t]*$"
    r"|(?:table of contents|skip to|last updated|published|posted|copyright|©|home [>|/\u203a])"
    r"|\[[A-Za-z][\w.-]{1,30}\][ \t]+\S"
    r"|\[[^\]\n]{0,40}\d:\d\d[^\]\n]{0,20}\] "
    r"|(?-i:(?:\S+ )?(?:WARN(?:ING)?|ERR(?:OR)?!?|INFO|DEBUG|FATAL)[ :])"
    r"|[\w./\\-]{1,200}:\d+(?::\d+)?:? |\[pasted text|diff --git|@@ |traceback|[{}]|\$ \S|\u276f|➜"
    r"|⏺|⎿)",
    re.IGNORECASE,
)
# What somebody else says, or a program, even where it is all of a message.
_FOREIGN_LINE = pattern(
    r"[ \t]*(?:[-*+\u2022][ \t]+)?(?:"
    # Who speaks: a role, a handle, a name with what it is, or somebody who "said:".
    r"\[?(?:user|human|assistant|system|ai|bot|agent|model|developer|tool|person)\]?[ \t]*:"
    r"|<?@?[\w.-]{1,40}>?[ \t]*\([^()\n]{1,60}\)[ \t]*:|<[\w.-]{1,40}>[ \t]|@[\w.-]{1,40}[ \t]*:"
    r"|(?!(?:I|We)\b)(?-i:[A-Z][\w'\u2019-]{1,30} ){1,3}"
    r"(?:says?|said|told|wrote|writes|asked|replied"
    r"|thinks?|thought|believes?|claims?|claimed|suggests?|suggested|wants|wanted)\b"
    r"|according to\b|did you mean\b"
    # When it was said, or logged; a shell before a command; what a program warns of.
    r"|[\[(]?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|[\[(]?\d{1,2}[/.]\d{1,2}[/.]\d{2,4},? \d{1,2}:\d\d"
    r"|[\w.-]{1,40}@[\w.-]{1,60}:[^\s$#]{0,200}[$#] "
    r"|(?:[\w.]{0,120}(?:Exception|(?-i:\w(?:Error|Warning)))|warning|error|fatal|panic|hint|caution)"
    r"(?:\[[^\]\n]{0,40}\])?:[ \t]"
    r"|[A-Z]{2,10}-\d{1,7}(?:\t| {2,})\S|[EWF]:[ \t]|[\w./\\-]{1,200}\.\w{1,5}:\d+)",
    re.IGNORECASE,
)
_LABELLED = pattern(
    r"[ \t]*(?:[-*+\u2022][ \t]+)?((?-i:[A-Z][\w'\u2019-]{1,30}(?: [A-Z][\w'\u2019-]{0,30}){0,2})"
    r"|[\w-]{2,30}):[ \t]+\S",
    re.IGNORECASE,
)
# What people who type set before a colon themselves: a word about what they say, or a topic.
_OUR_LABEL = AnyOf(
    "agreed, also, always, and, answer, api, aside, ask, backend, bonus, branch, bug, build, but,"
    " careful, ci, code, commit, commits, constraint, context, correction, database, decided,"
    " decision, default, deploy, doc, docs, done, edit, example, fix, format, frontend, fyi,"
    " general, global, goal, hint, idea, important, instead, issue, last, learning, lint, more, nb,"
    " never, next, no, note, oh, ok, okay, one, option, plan, please, policy, preference,"
    " preferences, problem, ps, question, reason, release, remember, reminder, result, rule, rules,"
    " so, status, style, summary, task, the, then, thing, this, tip, todo, update, warning, wish,"
    " workflow, yes, you"
)
_LABEL_ENDS = (
    *("ing", "tion", "tions", "sion", "sions", "ment", "ments"),
    *("ness", "ity", "est", "ests"),
)
# Nobody begins a list with its fifth item.
_IS_CUT_OUT = pattern(r"(?:[2-9]|\d{2,3})(?:\.\d{1,3})*[.)][ \t]")
_SIGNED = pattern(r"(?:--|[\u2013\u2014])[ \t]*\w")
_HEADING = pattern(r"#{1,6}[ \t]+\S|[^\n]*\n(?:=|-){3,}[ \t]*(?:\n|$)")
# A page's title: a few words that all begin large, and no end of a sentence.
_LARGE = r"[A-Z0-9][\w'\u2019&/:-]*"
_TITLE = pattern(rf"{_LARGE}(?: (?:{_LARGE}|of|for|and|the|to|in|a|on|[-|:\u2013\u2014])){{1,9}}")
_RULES = pattern(r"\b(?:rule|convention|preference|requirement|guideline)s?\b", re.IGNORECASE)
_ASKS = pattern(r"(?:always|never|please|don'?t|do not|from now on|remember)\b", re.IGNORECASE)
# Who prefixes line after line is a program, or the writer of a form.
_PREFIX = pattern(r"([A-Za-z][\w-]{0,30}):[ \t]")
_CUT = pattern(r"[a-z]-$")
# To nobody, and from nobody: so long a paragraph is out of a book or a page.
_TO_SOMEBODY = pattern(
    r"\b(?:i|i'[dmv]\w{0,2}|me|my|we|we'\w{1,2}|us|our|you|you'\w{1,2}|your|please|let's|lets)\b",
    re.IGNORECASE,
)
_PARAGRAPH_CHARS_MIN, _PARAGRAPH_SENTENCES_MIN = 200, 3
_SENTENCE_END = pattern(r"[.!?](?=\s|$)")
_ITEM = pattern(r"(?:[-*+•]|\d{1,3}[.)])[ \t]")
_LINE = pattern(r"[^\n]*\n|[^\n]+")


@lru_cache(maxsize=_MESSAGES_KEPT)
def typed_in(text: str) -> str:
    """
    Return what a person typed of the message *text*, with the rest blanked.

    It has the length of *text* and its line ends, so every offset is valid in the recorded text.
    """
    said = _without_tags(_without_fences(text[:_READ_CHARS_MAX]))
    begin, end = _typed_span(said, _lines(said))
    said = blanked(said[:begin]) + said[begin:end] + blanked(said[end:])
    said = _QUOTED.sub(lambda quoted: blanked(quoted[0]), said)
    if "the plan" in said:
        said = _BUTTON_PROMPT.sub(lambda found: blanked(found[0]), said)
    return said + blanked(text[_READ_CHARS_MAX:])


def _lines(said: str) -> list[tuple[int, int]]:
    return [line.span() for line in _LINE.finditer(said) if line[0].strip()]


def _typed_span(said: str, lines: list[tuple[int, int]]) -> tuple[int, int]:
    """Return from where to where *said* was typed; *lines* are those that hold something."""
    if not lines:
        return 0, 0
    begin, end = lines[0][0], lines[-1][1]
    if end - begin > _TYPED_CHARS_MAX or len(lines) > _TYPED_LINES_MAX:
        end = _end_of_introduction(said, begin, min(lines[0][1], begin + _FIRST_LINE_CHARS_MAX))
        return begin, end or begin
    if lines[-1][0] - begin > _PASTED_CHARS_MIN and _POINTS_BACK.search(said, *lines[-1]):
        lines = lines[-1:]
    if _is_machine_written([said[start:stop].strip() for start, stop in lines]) or _is_signed(
        said, lines
    ):
        return begin, begin
    return lines[0][0], _typed_until(said, lines, end)


def _typed_until(said: str, lines: list[tuple[int, int]], end: int) -> int:
    """Return where the typed words of *lines* end; the first line may have any beginning."""
    begin, before = lines[0][0], ""
    for start, stop in lines:
        line = said[start:stop].strip()
        if (
            _is_pasted_paragraph(line)
            or _is_foreign_line(line)
            or (before and not _continues(before, line))
        ):
            return start
        if handed_on := _end_of_introduction(said, start, stop):
            return min(handed_on, end)
        if len(lines) > 1 and (
            _PASTED_LINE.match(said, start, stop) or _starts_page(said, start, begin)
        ):
            return start
        before = line
    return end


def _end_of_introduction(said: str, start: int, stop: int) -> int:
    """Return where the first words end that hand on another's text; 0 if there are none."""
    found = [one for form in _INTRODUCTIONS if (one := form.search(said, start, stop))]
    return min(found, key=re.Match.start).end() if found else 0


def _is_machine_written(lines: list[str]) -> bool:
    """
    Say whether lines are written as programs, chats and pages are, line by line.

    They begin amid a list, one prefix comes again ("remote: …", "ana: …"), each question has its
    answer after it, cells stand between commas, or words are cut at the ends of lines.
    """
    if _IS_CUT_OUT.match(lines[0]):
        return True
    if len(lines) == 1:
        return False
    prefixes = [found[1].lower() if (found := _PREFIX.match(line)) else "" for line in lines]
    may_be_ours = any(_RULES.match(one) or _ASKS.match(one) for one in prefixes)
    comes_again = prefixes[0] and prefixes[0] == prefixes[1]
    is_prefixed = comes_again or (all(prefixes) and len({*prefixes}) < len(prefixes))
    asked = [line.endswith("?") for line in lines]
    pairs = list(zip(asked[::2], asked[1::2], strict=False))
    answers = len(pairs) > 1 and all(asks and not also for asks, also in pairs)
    cells = {line.count(",") for line in lines}
    is_table = len(cells) == 1 and min(cells) > 1 and not any(", " in line for line in lines)
    is_cut = any(_CUT.search(line) and then[0].islower() for line, then in pairwise(lines))
    return (is_prefixed and not may_be_ours) or answers or is_table or is_cut


def _is_foreign_line(line: str) -> bool:
    """Say whether a line has the form of somebody else's words, or a program's."""
    if _FOREIGN_LINE.match(line):
        return True
    label = _LABELLED.match(line)
    return label is not None and not (
        _ASKS.match(label[1])
        or _RULES.search(label[1])
        or _OUR_LABEL.search(label[1])
        or label[1].lower().endswith(_LABEL_ENDS)
        or label[1].isupper()
    )


def _is_signed(said: str, lines: list[tuple[int, int]]) -> bool:
    """Say whether the last line names the author of what stands above it."""
    *above, last = (said[start:stop].strip() for start, stop in lines)
    return bool(above) and bool(_SIGNED.match(last)) and not _SIGNED.match(above[-1])


def _is_pasted_paragraph(line: str) -> bool:
    return (
        len(line) >= _PARAGRAPH_CHARS_MIN
        and len(_SENTENCE_END.findall(line)) >= _PARAGRAPH_SENTENCES_MIN
        and _TO_SOMEBODY.search(line) is None
    )


def _continues(before: str, line: str) -> bool:
    """
    Say whether somebody who typed the line *before* types on in *line*.

    Who types ends a sentence, or a list's heading, or writes on in small letters; where a line
    ends otherwise, what follows was mostly put there.
    """
    if _ITEM.match(before):
        return _ITEM.match(line) is not None or before.endswith((".", "!"))
    if before.endswith(":"):
        return _RULES.search(before) is not None
    if before.endswith((".", "!", "?", ")", "…")):
        return True
    if _RULES.search(before) or _ASKS.match(before):
        return True
    return before.islower() and line[0].islower()


def _starts_page(said: str, start: int, begin: int) -> bool:
    """Say whether a page begins at *start*: with a heading, or as the message with its title."""
    if _HEADING.match(said, start):
        return True
    title = said[start:].split("\n", 1)[0].strip() if start == begin else ""
    return _TITLE.fullmatch(title) is not None and _RULES.search(title) is None


def _without_fences(text: str) -> str:
    """Return *text* without its fenced blocks; one that nobody closed goes on to the end."""
    kept, fence = [], ""
    for line in _LINE.findall(text):
        mark = _FENCE.match(line)
        is_quote = line.lstrip().startswith(">")
        kept.append(blanked(line) if fence or mark or is_quote else line)
        if fence:
            ends = line.strip(" \t>\n")
            fence = "" if ends and set(ends) == {fence[0]} and len(ends) >= len(fence) else fence
        elif mark is not None and mark[1] not in line[mark.end() :]:
            fence = mark[1]
    return "".join(kept)


def _without_tags(text: str) -> str:
    """
    Return *text* without its tags and what they enclose.

    One that begins a line and that nobody closed encloses all that follows.
    """
    kept: list[str] = []
    unclosed: set[str] = set()
    at = 0
    while found := _TAG.search(text, at):
        tag, end = found[1], -1
        closing = "-->" if tag == "!--" else f"</{tag}"
        # Once a tag is known to have no end any more, it is not looked for again: linear time.
        if closing not in unclosed:
            end = text.find(closing, found.end())
        begins_line = not text[text.rfind("\n", 0, found.start()) + 1 : found.start()].strip()
        if end < 0:
            unclosed.add(closing)
            stop = len(text) if begins_line else found.end()
        else:
            stop = text.find(">", end) + 1 or len(text)
        kept += [text[at : found.start()], blanked(text[found.start() : stop])]
        at = stop
    return "".join([*kept, text[at:]])
