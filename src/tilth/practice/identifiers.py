"""
Find what tool calls name: programs, packages, services and files.

Only identifiers count that a program must have understood: the first word of a command, arguments
of package and service managers, paths of files that a tool touched, and what `manifests` finds. No
sentence is read. The functions accept any text, in linear time.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, dropwhile, islice

from tilth.core.errors import InvalidInputError, LimitExceededError
from tilth.core.text.names import parse_name
from tilth.core.text.pattern import pattern
from tilth.episodes.episode import AGENT_PROMPTED, EpisodeDraft, EpisodeKind, Role
from tilth.knowledge.entities.sighting import Form, Named
from tilth.practice.calls import Call
from tilth.practice.command_lines import invocations
from tilth.practice.manifests import imported, listed
from tilth.practice.model import SOME_FILE

NAMED_MAX = 60
_NAME_CHARS_MAX = 200
# In characters, how much is read from the beginning of a text, and from the end of an output.
_READ_CHARS, _ENDING_CHARS = 200_000, 1_000


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Programs of every Unix, by POSIX.1-2024 (XCU 3), the GNU core utilities, tar, gzip and less, and
# shells with their built-ins and keywords. Running one of these tells nothing.
_OF_EVERY_SHELL = _words(
    """
    admin alias ar asa at awk basename batch bc bg c17 c99 cal cat cd cflow chgrp chmod chown cksum
    cmp comm command compress cp crontab csplit ctags cut cxref date dd delta df diff dirname du
    echo ed env ex expand expr false fc fg file find fold fort77 fuser gencat get getconf getopts
    getopt gettext grep hash head iconv id ipcrm ipcs jobs join kill lex link ln locale localedef
    logger logname lp ls m4 mailx make man mesg mkdir mkfifo more msgfmt mv newgrp ngettext nice nl
    nm nohup od paste patch pathchk pax pr printf prs ps pwd qalter qdel read readlink realpath
    renice rm rmdel rmdir sact sccs sed sh sleep sort split strings strip stty tabs tail talk tee
    test time timeout touch tput tr true tsort tty type ulimit umask unalias uname uncompress
    unexpand unget uniq unlink uucp uudecode uuencode uustat uux val vi wait wc what who write xargs
    xgettext yacc zcat arch b2sum base32 base64 basenc chcon chroot dir dircolors factor fmt groups
    hostid hostname install md5sum mktemp mknod nproc numfmt pinky printenv ptx runcon seq sha1sum
    sha224sum sha256sum sha384sum sha512sum shred shuf stat stdbuf sum sync tac truncate uptime
    users vdir whoami yes bind break builtin caller case compgen complete compopt continue coproc
    declare dirs disown do done elif else enable esac eval exec exit export fi for function
    history if in let local logout mapfile popd pushd readarray readonly return select set shift
    shopt source suspend then times trap typeset unset until while egrep fgrep which whereis bash
    zsh dash ksh fish sudo
    tar gzip gunzip less
    """
)
_PROGRAM = pattern(r"[A-Za-z][A-Za-z0-9_.+-]*")
_IS_FILE = pattern(r"\.\w{1,8}$")
# A tool that reads a file, and the argument that names it.
_READ_TOOL = pattern(r"(?:^|[._])(?:read|view|open)(?:_file|File)?$", re.IGNORECASE)
_TOLD_PATH = pattern(
    r'"(?:file_?path|filePath|path|target_file|AbsolutePath)"\s*:\s*"(?P<json>[^"\\]+)"'
    r"|`(?P<retold>[^`\n]+)`"
)
# A word with an ending or a dot, like a file's name.
_PATH = pattern(
    r"(?:~|\.{1,2})?/?(?:[\w@()\[\].+-]+/)*[\w@()\[\]+-]*\.[\w.+-]{1,40}|(?:[\w.-]+/)*[A-Z][A-Za-z]*file"
)
_NOT_FOUND = pattern(
    r"command not found: ([A-Za-z][\w.+-]*)"
    r"|(?:^|[\s:])(?!command\b)([A-Za-z][\w.+-]*): (?:command )?not found(?!: )\b"
)
_VERSION = pattern(r"(?<=.)(?:@[^/]*|\[.*|[=<>~!;].*)$")
_PACKAGE = pattern(r"@?[A-Za-z0-9][\w.-]*(?:/[\w.-]+)*")
# How package managers add something: the program and its subcommands.
_ADDING = {
    "npm": {"install", "i", "add"},
    "pnpm": {"install", "i", "add"},
    "yarn": {"add"},
    "bun": {"install", "i", "add"},
    "deno": {"add"},
    "pip": {"install"},
    "pip3": {"install"},
    "pipx": {"install"},
    "uv": {"add"},
    "poetry": {"add"},
    "cargo": {"add", "install"},
    "go": {"get"},
    "gem": {"install"},
    "brew": {"install"},
    "apt": {"install"},
    "apt-get": {"install"},
    "dnf": {"install"},
    "apk": {"add"},
    "composer": {"require"},
}
_LOCAL = pattern(r"[./~$*{(]|\w+:|https?$")
# Flags followed by a word that is no package.
_TAKES_A_WORD = pattern(
    r"-(?:r|c|e|C|F|p|t|w)|--(?:filter|cwd|prefix|index-url|python|registry|target|group|features|requirement|constraint|editable|workspace|dir)"
)
# Programs that act on services: the subcommands, and where the service stands.
_COMPOSE = _words("up start stop restart logs exec run build rm pull kill")
_CONTAINER = _words("start stop restart logs exec rm kill inspect attach top")
# What runs inside follows the service.
_INSIDE = _words("exec run")
_UNITS = _words(
    "start stop restart reload status enable disable cat show is-active is-enabled mask unmask"
)
_WORKLOAD = pattern(
    r"(?:deploy(?:ments?)?|svc|services?|sts|statefulsets?|ds|daemonsets?|cronjobs?)(?:\.apps)?"
)
_SERVICE = pattern(r"(?![0-9a-f]{12,}$)[A-Za-z][\w.@-]*")
_UNIT = pattern(r"\.(?:service|socket|timer)$")


def named_in(draft: EpisodeDraft, call: Call | None) -> list[Named]:
    """Return what an episode names by identifiers; *call* is its call, if it is one."""
    if call is not None:
        return _some(_of_call(call, draft.text[:_READ_CHARS]))
    match draft.kind:
        case EpisodeKind.TOOL_RESULT | EpisodeKind.TOOL_FAILURE:
            return _some(chain(listed(draft.text[:_READ_CHARS]), _missing(draft.text)))
        case EpisodeKind.MESSAGE if (
            draft.role is Role.USER and AGENT_PROMPTED not in draft.metadata
        ):
            return [Named(Form.SPEAKER, name)] if (name := _speaker(draft.speaker)) else []
        case _:
            return []


def _speaker(told: str) -> str:
    """Return the speaker, if that can be a name."""
    try:
        return parse_name(told) if told else ""
    except (InvalidInputError, LimitExceededError):
        return ""


def _some(named: Iterable[Named]) -> list[Named]:
    short = (one for one in named if len(one.name) <= _NAME_CHARS_MAX)
    return list(islice(dict.fromkeys(short), NAMED_MAX))


def _missing(text: str) -> Iterator[Named]:
    if "not found" in text[-_ENDING_CHARS:]:
        for one in _NOT_FOUND.finditer(text[-_ENDING_CHARS:]):
            yield Named(Form.MISSING, one[1] or one[2])


def _of_call(call: Call, text: str) -> Iterator[Named]:
    for words in invocations(call.line) if call.line else ():
        yield from _of_words(words)
    if not call.line:
        for path in call.files or _read_path(call, text):
            if path != SOME_FILE and _PATH.fullmatch(path):
                yield Named(Form.FILE, path)
        yield from listed(text)
        yield from imported(text)


def _of_words(words: Sequence[str]) -> Iterator[Named]:
    program, rest = words[0].rpartition("/")[2], words[1:]
    if "/" in words[0] and _IS_FILE.search(program):
        return
    if not _PROGRAM.fullmatch(program) or program in _OF_EVERY_SHELL or _IS_FILE.search(program):
        return
    yield Named(Form.PROGRAM, program)
    for name in _added(program, rest):
        yield Named(Form.ADDED, name)
    for name in _services(program, rest):
        yield Named(Form.SERVICE, name)


def _read_path(call: Call, text: str) -> tuple[str, ...]:
    """Return the file that a call reads, if its tool reads files."""
    found = _TOLD_PATH.search(text) if _READ_TOOL.search(call.tool) else None
    return (found["json"] or found["retold"],) if found else ()


def _plain(words: Iterable[str]) -> Iterator[str]:
    """Yield the words of a command except flags and their values."""
    is_told = False
    for word in words:
        if is_told:
            is_told = False
        elif word.startswith("-"):
            is_told = _TAKES_A_WORD.fullmatch(word) is not None
        else:
            yield word.strip("'\"")


def _added(program: str, rest: Sequence[str]) -> Iterator[str]:
    if program == "uv" and rest[:1] == ["pip"]:
        program, rest = "pip", rest[1:]
    if program.startswith("python") and list(rest[:2]) == ["-m", "pip"]:
        program, rest = "pip", rest[2:]
    acts = _ADDING.get(program)
    told = list(_plain(rest))
    if acts is None or not told or told[0] not in acts:
        return
    for word in told[1:]:
        name = _VERSION.sub("", word)
        if not _LOCAL.match(word) and _PACKAGE.fullmatch(name):
            yield name


def _services(program: str, rest: Sequence[str]) -> Iterator[str]:
    told = list(_plain(rest))
    if program == "docker" and told[:1] == ["compose"]:
        program, told = "docker-compose", list(dropwhile(_IS_FILE.search, told[1:]))
    for word in _acted_on(program, told[0], told[1:]) if told else ():
        name = _UNIT.sub("", word)
        if _SERVICE.fullmatch(name) and not _IS_FILE.search(name):
            yield name


def _acted_on(program: str, act: str, names: Sequence[str]) -> Sequence[str]:
    match program:
        case "docker-compose" if act in _COMPOSE:
            return names[:1] if act in _INSIDE else names
        case "docker" | "podman" if act in _CONTAINER:
            return names[:1]
        case "systemctl" if act in _UNITS:
            return names
        case "service" if names:
            return [act]
        case "kubectl":
            return list(_of_cluster(names))
        case _:
            return ()


def _of_cluster(words: Sequence[str]) -> Iterator[str]:
    for word, behind in zip(words, [*words[1:], ""], strict=True):
        kind, slash, name = word.partition("/")
        if _WORKLOAD.fullmatch(kind):
            yield name if slash else behind
