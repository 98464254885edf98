"""
Reduce command lines to what other runs share, and find what each command is for.

A shell line is split at `&&`, `||`, `;` and line ends. Of a pipe the first program counts, unless
it only shows something. Changes of folder, variables, time limits and redirections are removed. A
command without a known purpose (`ls`, `git status`) is left out.

Nothing is expanded and nothing is run. A text that is no shell line gives nothing.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import dropwhile

from tilth.core.dataclass import dataclass
from tilth.core.text.pattern import pattern
from tilth.practice.model import CommandKind

# In characters. A longer line is a script.
LINE_CHARS_MAX = 160
_NESTED_MAX = 2
# The words of a shell with a flag and a command.
_TOLD_WORDS_MIN = 3
_TOKEN = pattern(
    r"""(?P<gap>[^\S\n]+)|(?P<joint>&&|\|\||\|&?|;|\n|&(?![>\d]))|(?P<redirect>\d?[<>]{1,3}&?|&>>?)
    |(?P<word>(?:'[^']*'|"(?:\\.|[^"\\])*"|\$\([^()]*\)|`[^`]*`|\\.|[^\s|;&<>'"`\\])+)|(?P<odd>.)""",
    re.VERBOSE | re.DOTALL,
)
_VARIABLE = pattern(r"[A-Za-z_]\w*=")
_SHELLS = frozenset({"bash", "sh", "zsh"})
# Programs that set conditions for the next one, with their time arguments.
_BEFORE = frozenset({"time", "nohup", "exec", "command", "env", "nice", "timeout"})
# Programs that run a command with other rights, or once for each line.
_AS_ANOTHER = frozenset({"sudo", "doas", "xargs"})
# Shell keywords before a command.
_LEADING = frozenset({"if", "then", "else", "elif", "do", "while", "until", "!", "{"})
_SPAN = pattern(r"\d+(?:\.\d+)?[smhd]?")
# Runners of a project's programs, whose purpose is that of the program.
_VIA = pattern(
    r"(?:npx(?: --?y(?:es)?)?|bunx|uvx|pnpm dlx|pnpm exec|yarn dlx|uv run|poetry run|pipenv run"
    r"|hatch run|bundle exec|mise exec --|rye run|python3?(?:\.\d+)? -m|go tool) (?=\S)"
)
_PROJECT_BIN = pattern(r"^(?:\S*/)?(?:node_modules/\.bin|\.venv/bin|venv/bin|target/\w+)/")
_TASK_RUNNER = pattern(
    r"(?:(?:npm|pnpm|yarn|bun)(?: (?:--?filter|-F|-C|--cwd|--prefix|-w|--workspace)[= ]\S+)*"
    r"(?: run(?:-script)?)?|make(?: -\S+)*|mise run|just|task|turbo(?: run)?|nx(?: run)?"
    r"|poe|rake|composer(?: run)?|invoke|\./gradlew|gradle|mvn|\./mvnw|lerna run|deno task) "
    r"(?P<task>[\w:.@/-]+)"
)
_IS_TASK = pattern(r"(?:npm|pnpm|yarn|bun) run|make|mise run|just|task|rake|invoke|poe|deno task")
# Commands that publish work, whatever their arguments.
_SHIPS = pattern(
    r"(?:git (?:commit|push|tag|merge|rebase|cherry-pick)|gh pr (?:create|merge|ready)"
    r"|glab mr create)\b"
)
_OF_FOLDER = pattern(r"^(git) -C \S+ ")
# Programs that operate something; those that only show how it is are none, and no sign-in is.
_OPERATES = pattern(
    r"(?:kubectl (?!get|describe|logs|explain)|helm (?!list|get|show|status|registry)"
    r"|systemctl (?!status|list)"
    r"|docker(?: compose|-compose)? (?!ps|logs|images|inspect|exec|run|login)"
    r"|terraform (?!show|state|output)|alembic |prisma migrate |(?:bundle exec )?rails db:"
    r"|php artisan migrate|flask db )\S"
)
_TASKS: tuple[tuple[CommandKind, re.Pattern[str]], ...] = (
    (CommandKind.DEPLOY, pattern(r"deploy|release|publish|rollout|ship\b")),
    (CommandKind.FORMAT, pattern(r"\bfmt|format|prettier")),
    (CommandKind.LINT, pattern(r"lint|clippy|\bvet\b|style|^check$|^verify$")),
    (CommandKind.TYPES, pattern(r"typecheck|type-check|types\b|tsc|mypy|pyright")),
    (CommandKind.TEST, pattern(r"test|spec\b|e2e|coverage|bench")),
    (CommandKind.BUILD, pattern(r"build|compile|bundle|assemble|package\b|generate")),
    (CommandKind.SETUP, pattern(r"^(?:install|i|ci|add|setup|bootstrap|sync|link)$|deps")),
    (CommandKind.RUN, pattern(r"^(?:dev|start|serve|run|preview|up|watch)\b|:dev|:start")),
)
# Purposes by the beginning of a command; the longest match counts.
_PROGRAM_LIST = """
test: go test, gotestsum, pytest, unittest, tox, nox, cargo test, cargo nextest, bun test, vitest
test: jest, mocha, ava, playwright test, cypress run, rspec, rails test, phpunit, ctest
test: swift test, mix test, deno test, dotnet test, flutter test, zig build test, bats, node --test
lint: golangci-lint, go vet, staticcheck, eslint, biome check, biome lint, biome ci, oxlint, ruff
lint: flake8, pylint, cargo clippy, cargo check, shellcheck, rubocop, stylelint, markdownlint
lint: hadolint, pre-commit run, lint-imports, terraform validate, deno lint, swiftlint, ktlint
lint: phpcs, yamllint, actionlint, buf lint, sqlfluff lint
types: tsc, vue-tsc, mypy, pyright, pyre, sorbet, phpstan
format: gofmt, goimports, prettier, biome format, ruff format, black, isort, cargo fmt, rustfmt
format: deno fmt, terraform fmt, dart format, mix format, clang-format, stylua
build: go build, go generate, go install, cargo build, docker build, docker buildx, swift build
build: dotnet build, zig build, cmake, bazel build, webpack, vite build, rollup, esbuild, next build
build: nuxt build, astro build, mix compile, hugo, mkdocs build, make
run: go run, cargo run, vite, next dev, nuxt dev, uvicorn, gunicorn, flask run, rails server
run: docker compose up, docker-compose up, dotnet run, deno run, swift run, http-server
deploy: kubectl apply, kubectl rollout, helm upgrade, helm install, terraform apply, pulumi up
deploy: fly deploy, flyctl deploy, vercel deploy, vercel --prod, netlify deploy, wrangler deploy
deploy: wrangler publish, firebase deploy, gcloud run deploy, gcloud app deploy, cdk deploy
deploy: serverless deploy, cap production deploy, ansible-playbook, docker push, npm publish
deploy: bun publish, cargo publish, twine upload, uv publish, goreleaser release, gh workflow run
deploy: gh release create, eas submit, heroku container:release, git push heroku
setup: npm install, npm i, npm ci, pnpm install, pnpm i, yarn install, bun install, bun i, uv sync
setup: uv pip install, pip install, poetry install, bundle install, go mod tidy, go mod download
setup: mise install, cargo fetch, composer install, terraform init, mix deps.get, dotnet restore
setup: pre-commit install, playwright install
"""
_PROGRAMS = {
    program.strip(): CommandKind(kind)
    for kind, _, programs in (line.partition(": ") for line in _PROGRAM_LIST.split("\n") if line)
    for program in programs.split(",")
}
# A formatter that only says what it would change.
_CHECKS_FORMAT = pattern(
    r"[\s:_-](?:check|verify)(?![a-z])|\b(?:check|verify)[:_-]"
    r"|\s--(?:dry-run|diff|list-different|set-exit-if-changed)\b|(?:prettier|isort)\b.*\s-c\b"
    r"|prettier\b.*\s-l\b|go(?:fmt|imports)\b(?!.*\s-w\b).*\s-[ld]\b"
    r"|biome format\b(?!.*\s--(?:write|fix)\b)"
)
_BEGINNING_WORDS_MAX = max(len(one.split()) for one in _PROGRAMS)
# A script of the project, whose purpose is in its name.
_SCRIPT = pattern(
    r"^(?:(?:bash|sh|zsh|python3?|node|bun|ruby) )?(?:\./)?(?:[\w.-]+/)*"
    r"(?P<task>[\w-]+)\.(?:sh|bash|py|js|mjs|ts|rb)\b"
)
# Arguments that select a test or change only the output, which do not count in grouping.
_PICKED = pattern(
    r"(?P<flag>-run|-bench|-k|-t|--grep|--testNamePattern|--test-name-pattern)[ =]"
    r"(?:'[^']*'|\"[^\"]*\"|\S+)"
)
_CHATTER = pattern(
    r" (?:-v{1,3}|-q|-s|-x|--verbose|--quiet|--silent|-count[ =]\d+|-race|-failfast|-json|--tb=\S+"
    r"|--no-color|--color=\S+|-timeout[ =]\S+|--timeout[ =]\S+|--maxfail=\d+|--reporter[ =]\S+"
    r"|-o /dev/null|-p \d+|-n \d+|--bail|-cover|--no-cache|--no-coverage)(?= |$)"
)
_PATH = pattern(
    r"(?<= )(?:\.(?=\s|$)|\.{0,2}/[^\s'\"]*|\S+::\S+|[\w.][\w.@-]*(?:/[\w.@*-]+)+/?(?:\.\.\.)?"
    r"|[\w.*-]+\.(?:go|py|ts|tsx|js|jsx|mjs|rs|rb|json|md|ya?ml|vue|sh|java|kt))(?=\s|$)"
)
_EVERYTHING = frozenset({".", "./", "./...", "..."})
_HOME = pattern(
    r"(?:^|(?<=[\s=]))(?:/(?:Users|home|root|private|tmp|var|work|workspace|mnt)\b|~)\S*"
)
# Purposes for which the files in question do not matter.
ON_FILES = frozenset(
    {
        CommandKind.TEST,
        CommandKind.LINT,
        CommandKind.TYPES,
        CommandKind.FORMAT,
        CommandKind.BUILD,
    }
)
# Adding a package is done once.
_ADDS = pattern(
    r"(?:npm|pnpm|yarn|bun|(?:uv )?pip3?|poetry|composer|cargo|go|gem|brew) (?:install|i|add)"
    r"(?: -r \S+| -\S+)*+ [^-.\s]"
)
_ELSEWHERE = pattern(r"\$\(|`|\[REDACTED|<<|\bEOF\b|://")


@dataclass(frozen=True, slots=True)
class Command:
    """
    One command of a line.

    `key` is the same for all runs of it, whichever tests or files they select. It ended as its line
    did, unless something behind it hides the result (`is_hidden`).
    """

    line: str
    key: str
    kind: CommandKind
    is_hidden: bool


@lru_cache(maxsize=4096)
def commands_in(line: str) -> tuple[Command, ...]:
    """Return the commands with a purpose in a shell line, in order."""
    parts = list(_parts(line))
    found: list[Command] = []
    for number, (part, is_piped, hides) in enumerate(parts):
        text, kind = _named(part)
        if kind is None or is_of_one_run(text):
            continue
        behind = parts[number + 1 :]
        found.append(
            Command(
                line=text,
                key=f"{kind}:{key_of(text, kind)}",
                kind=kind,
                is_hidden=is_piped or hides or any(one[2] for one in behind),
            )
        )
    return tuple(found)


def _named(text: str) -> tuple[str, CommandKind | None]:
    """Return the name of a command and its purpose; for publishing, only the action."""
    if shipped := _SHIPS.match(_OF_FOLDER.sub(r"\1 ", text)):
        return shipped[0], CommandKind.SHIP
    return text, kind_of(text)


def kind_of(text: str) -> CommandKind | None:
    """Return the purpose of a command without its surroundings; None if unknown."""
    kind = _kind_by_name(text)
    is_check = kind is CommandKind.FORMAT and _CHECKS_FORMAT.search(text) is not None
    return CommandKind.LINT if is_check else kind


def _kind_by_name(text: str) -> CommandKind | None:
    text = _PROJECT_BIN.sub("", text)
    while via := _VIA.match(text):
        text = _PROJECT_BIN.sub("", text[via.end() :])
    words = text.split()
    for count in range(min(_BEGINNING_WORDS_MAX, len(words)), 0, -1):
        kind = _PROGRAMS.get(" ".join(words[:count]))
        if kind is not None and not (count == 1 and kind is CommandKind.BUILD and len(words) > 1):
            return kind
    if named := _TASK_RUNNER.match(text) or _SCRIPT.match(text):
        is_task = _IS_TASK.match(text) or _SCRIPT.match(text)
        task = named["task"].casefold()
        known = (kind for kind, name in _TASKS if name.search(task))
        return next(known, CommandKind.TASK if is_task else None)
    return CommandKind.TASK if _OPERATES.match(text) else None


def key_of(text: str, kind: CommandKind) -> str:
    """
    Return the key of all runs of a command: no selection, no file, no output options.

    A command that operates something is another one for another target.
    """
    if kind not in ON_FILES:
        return without_chatter(text)
    text = without_chatter(_PICKED.sub(r"\g<flag> …", text))
    # A project's script is the command itself, and files follow it.
    own = script.end() if (script := _SCRIPT.match(text)) else 0
    text = text[:own] + _PATH.sub("…", text[own:])
    return re.sub(r"(?: (?:-run |-k |-t |-m )?…)+", " …", text).removesuffix(" …")


def unpicked(text: str) -> str:
    """Return a command without the test that it selects."""
    return " ".join(_PICKED.sub("", text).split())


def is_whole(text: str) -> bool:
    """Say whether a command selects no test or file, and runs everything."""
    return _PICKED.search(text) is None and not (
        {found.strip() for found in _PATH.findall(text)} - _EVERYTHING
    )


def without_chatter(text: str) -> str:
    """Return a command without options for output or repetition."""
    while (less := _CHATTER.sub("", text)) != text:
        text = less
    return text


def is_of_one_run(text: str) -> bool:
    """Say whether a command holds what is nothing to repeat: a place, an address, a secret."""
    is_long = len(text) > LINE_CHARS_MAX
    return is_long or any(one.search(text) for one in (_ELSEWHERE, _HOME, _ADDS))


def invocations(line: str, nested: int = 0) -> Iterator[Sequence[str]]:
    """Yield the words of every simple command in a line, those behind pipes too."""
    words: list[str] = []
    for joint, word in (*_tokens(line), ("\n", "")):
        if word:
            words.append(word)
        if joint:
            yield from _invoked(words, nested)
            words = []


def _invoked(words: Sequence[str], nested: int) -> Iterator[Sequence[str]]:
    while words and (words[0] in _LEADING or words[0] == "("):
        words = words[1:]
    if words and _VARIABLE.match(words[0]) and words[0].count("$(") > words[0].count(")"):
        # The value is another command, too nested to be one word.
        words = [words[0].partition("$(")[2], *words[1:]]
    if list(words[:1]) == ["command"] and words[1:2] and words[1].startswith("-"):
        # It only tests whether the program exists.
        return
    words = _bare(words)
    if words and words[0] in _AS_ANOTHER:
        words = _bare([*dropwhile(lambda word: word.startswith("-"), words[1:])])
    if not words:
        return
    if _is_told_shell(words) and nested < _NESTED_MAX:
        yield from invocations(words[2].strip("'\""), nested + 1)
        return
    text = " ".join([words[0].lstrip("("), *words[1:]])
    while via := _VIA.match(text):
        text = text[via.end() :]
    yield _PROJECT_BIN.sub("", text).split(" ")


def _is_told_shell(words: Sequence[str]) -> bool:
    return words[0] in _SHELLS and len(words) >= _TOLD_WORDS_MIN and words[1] in {"-c", "-lc"}


def _parts(line: str, nested: int = 0) -> Iterator[tuple[str, bool, bool]]:
    """Yield the parts of a line, each with whether a pipe or a later part hides its result."""
    words: list[str] = []
    is_piped = skips = False
    for joint, word in _tokens(line):
        if word and not is_piped:
            words.append(word)
        if not joint:
            continue
        if joint.startswith("|") and joint != "||":
            is_piped = True
            continue
        skips = joint in {";", "\n", "&", "||"}
        yield from _part(words, nested, is_piped=is_piped, hides=skips)
        words, is_piped = [], False
    yield from _part(words, nested, is_piped=is_piped, hides=False)


def _tokens(line: str) -> Iterator[tuple[str, str]]:
    """Yield operators and words of a line, without redirections, up to a here-document."""
    is_target = False
    for token in _TOKEN.finditer(line):
        match token.lastgroup:
            case "joint":
                is_target = False
                yield token[0], ""
            case "redirect":
                if token[0].startswith("<<"):
                    return
                is_target = True
            case "word" if not is_target:
                yield "", token[0]
            case "word":
                is_target = False
            case _:
                pass


def _part(
    words: Sequence[str], nested: int, *, is_piped: bool, hides: bool
) -> Iterator[tuple[str, bool, bool]]:
    words = _bare(words)
    if not words or words[0] == "cd":
        return
    if _is_told_shell(words) and nested < _NESTED_MAX:
        inner = words[2].strip("'\"")
        yield from (
            (text, is_piped or piped, hides or hid)
            for text, piped, hid in _parts(inner, nested + 1)
        )
        return
    yield " ".join(words), is_piped, hides


def _bare(words: Sequence[str]) -> Sequence[str]:
    """Return *words* without variables and programs that only set conditions."""
    kept = words
    while kept:
        if _VARIABLE.match(kept[0]):
            kept = kept[1:]
        elif kept[0] in _BEFORE:
            kept = kept[1:]
            while kept and (kept[0].startswith("-") or _SPAN.fullmatch(kept[0])):
                kept = kept[1:]
        else:
            break
    return kept
