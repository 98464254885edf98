"""What shells and `man` are given of the index: completion scripts, and a manual page."""

from collections.abc import Iterator, Mapping
from datetime import UTC
from typing import Annotated, Literal

import tilth
from tilth.core.instant import written_day
from tilth.core.verb import Arg
from tilth.interfaces.cli.parser import EVERYWHERE
from tilth.interfaces.cli.terminal import Terminal, command
from tilth.runtime.index import SECTIONS, Entry, index
from tilth.runtime.system import SystemClock

_BASH = """\
_tilth() {
    local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}"
    local path="" word found
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        [ -n "$(_tilth_words "${path:+$path }$word -")" ] && path="${path:+$path }$word"
    done
    found="$(_tilth_words "$path $previous")"
    if [ -z "$found" ]; then
        case "$current" in
            -*) found="$(_tilth_words "${path:+$path }-")" ;;
            *) found="$(_tilth_words "$path")" ;;
        esac
    fi
    COMPREPLY=($(compgen -W "$found" -- "$current"))
}
complete -o default -F _tilth tilth
"""
_ZSH = """\
_tilth() {
    local path_="" word found
    for word in ${words[2,CURRENT-1]}; do
        [[ -n "$(_tilth_words "${path_:+$path_ }$word -")" ]] && path_="${path_:+$path_ }$word"
    done
    found="$(_tilth_words "$path_ ${words[CURRENT-1]}")"
    if [[ -z "$found" ]]; then
        if [[ "${words[CURRENT]}" == -* ]]; then
            found="$(_tilth_words "${path_:+$path_ }-")"
        else
            found="$(_tilth_words "$path_")"
        fi
    fi
    if [[ -n "$found" ]]; then compadd -- ${=found}; else _files; fi
}
compdef _tilth tilth
"""
_FISH = """\
function _tilth
    set -l path
    for word in (commandline -opc)[2..-1]
        test -n "$(_tilth_words (string join -- ' ' $path $word -))"; and set -a path $word
    end
    set -l found (_tilth_words (string join -- ' ' $path (commandline -opc)[-1]))
    if test -z "$found"
        if string match -q -- '-*' (commandline -ct)
            set found (_tilth_words (string join -- ' ' $path -))
        else
            set found (_tilth_words (string join -- ' ' $path))
        end
    end
    string split -n ' ' -- $found
end
# Files where nothing of ours can stand.
complete -c tilth -f -a '(_tilth)'
complete -c tilth -F -n 'test -z "$(_tilth)"'
"""


@command("completion", examples=("tilth completion bash", "tilth completion fish"))
def completion(
    terminal: Terminal,
    shell: Annotated[Literal["bash", "zsh", "fish"], Arg("the shell")],
) -> int:
    """
    Write what completes commands in a shell.

    For bash: `tilth completion bash >> ~/.bash_completion`. For zsh, behind
    `compinit`: `source <(tilth completion zsh)`. For fish: `tilth completion
    fish > ~/.config/fish/completions/tilth.fish`.
    """
    script = "\n".join(_fish() if shell == "fish" else _posix(shell))
    terminal.screen.answer({"script": script}, script.splitlines())
    return 0


@command("man", examples=("tilth man | man -l -",))
def man(terminal: Terminal) -> int:
    """
    Write the manual page, in the form that `man` reads.

    To keep it: `tilth man > ~/.local/share/man/man1/tilth.1`.
    """
    page = "\n".join(_page(written_day(SystemClock().now().astimezone(UTC))))
    terminal.screen.answer({"page": page}, page.splitlines())
    return 0


def words() -> Mapping[str, str]:
    """
    Return what can follow on a line, by what stands before it.

    The words of a command lead to those of its arguments, with ` -` behind them to
    its options, and with an option to the values of that.
    """
    known = index()
    named = [*known["groups"], *(path for path in known["commands"] if " " not in path)]
    found = {"": " ".join([*named, "help"]), "-": " ".join([*EVERYWHERE, "--version"])}
    for noun in known["groups"]:
        inner = [path for path in known["commands"] if path.startswith(f"{noun} ")]
        found[noun] = " ".join(path.removeprefix(f"{noun} ") for path in inner)
        found[f"{noun} -"] = " ".join(EVERYWHERE)
    for path, entry in known["commands"].items():
        flags = [flag for one in entry["arguments"] for flag in one.get("flags", ())]
        found[f"{path} -"] = " ".join([*flags, *EVERYWHERE])
        for one in entry["arguments"]:
            if choices := one.get("choices"):
                for flag in one.get("flags", [""]):
                    found[f"{path} {flag}".rstrip()] = " ".join(choices)
    return found


def _posix(shell: str) -> Iterator[str]:
    if shell == "zsh":
        yield "#compdef tilth"
    yield "_tilth_words() {"
    yield '    case "$1" in'
    for before, told in words().items():
        yield f'        "{before}") echo "{told}" ;;'
    yield "    esac"
    yield "}"
    yield _BASH if shell == "bash" else _ZSH


def _fish() -> Iterator[str]:
    yield "function _tilth_words"
    yield '    switch "$argv"'
    for before, told in words().items():
        yield f"        case '{before}'; echo '{told}'"
    yield "    end"
    yield "end"
    yield _FISH


def _page(day: str) -> Iterator[str]:
    known = index()
    yield f'.TH TILTH 1 "{day}" "tilth {tilth.__version__}"'
    yield ".SH NAME\ntilth \\- a local\\-first memory and knowledge brain for AI agents"
    yield ".SH SYNOPSIS\n.B tilth\n.I COMMAND\n[\\fIARGUMENT\\fR ...] [\\-\\-json]"
    yield '.SH DESCRIPTION\nCommands by what they are for. "tilth help COMMAND" says the same.'
    for section in SECTIONS:
        yield f'.SH "{section.upper()}"'
        for path, entry in known["commands"].items():
            noun = known["groups"].get(path.split()[0])
            if (entry if noun is None else noun)["section"] == section:
                yield from _manual(path, entry)
    yield ".SH FILES\nSee \\fBtilth settings\\fR for the store, the settings and the folders."


def _manual(path: str, entry: Entry) -> Iterator[str]:
    positional = [
        one.get("metavar", one["dest"]) for one in entry["arguments"] if "flags" not in one
    ]
    yield f".SS tilth {_roff(' '.join([path, *positional]))}"
    yield _roff(entry["description"]).replace("\n\n", "\n.PP\n")
    for one in entry["arguments"]:
        flags = ", ".join(one.get("flags", ()))
        value = "" if one.get("action") == "store_true" else one.get("metavar", "")
        value = value or "|".join(one.get("choices", ()))
        yield f".TP\n\\fB{_roff(flags)}\\fR \\fI{_roff(value)}\\fR\n{_roff(one.get('help', ''))}"
    for example in entry["examples"]:
        yield f".PP\n.EX\n  {_roff(example)}\n.EE"


def _roff(text: str) -> str:
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join(
        f"\\&{line}" if line[:1] in (".", "'") else line for line in escaped.split("\n")
    )
