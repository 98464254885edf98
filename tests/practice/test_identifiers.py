"""What calls of tools name: programs, packages, services and files, by identifiers alone."""

import json

import pytest

from tilth.episodes.episode import EpisodeDraft, EpisodeKind, Role
from tilth.practice.calls import call_of
from tilth.practice.identifiers import named_in


def of(text, kind=EpisodeKind.TOOL_CALL, role=Role.ASSISTANT):
    draft = EpisodeDraft(text=text, kind=kind, role=role)
    found = named_in(draft, call_of(draft))
    return [(one.form.value, one.name) for one in found]


def ran(line):
    return of(f"Bash: {json.dumps({'command': line})}")


def showed(text):
    return of(text, EpisodeKind.TOOL_RESULT, Role.TOOL)


@pytest.mark.parametrize(
    ("line", "programs"),
    [
        ("git status && bun test | jq .total", ["git", "bun", "jq"]),
        ("FOO=1 timeout 60 npx vitest run", ["vitest"]),
        ("bash -c 'docker ps; gh pr list'", ["docker", "gh"]),
        ("for f in *.go; do gofmt -l $f; done", ["gofmt"]),
        ("ls -la | grep x; cd src; echo done; cat a | sort", []),
        ("command -v beads || true", []),
        ("./scripts/release.sh --now; $TOOL run; python3 - <<EOF\nimport os\nEOF", ["python3"]),
        ('owner=$(gh repo view -q ".(name)") && echo $owner', ["gh"]),
        ("git commit -m 'run terraform; then helm'", ["git"]),
    ],
)
def test_programs_are_those_that_ran(line, programs):
    assert [name for form, name in ran(line) if form == "program"] == programs


@pytest.mark.parametrize(
    ("line", "packages"),
    [
        ("npm install zod@4 @types/node --save-dev", ["zod", "@types/node"]),
        ("pnpm --filter web add -D vitest", ["vitest"]),
        ("pnpm add -D vitest --filter web", ["vitest"]),
        ("pip install -r requirements.txt 'httpx[http2]>=0.27' ./local", ["httpx"]),
        ("uv add pydantic && cargo add serde", ["pydantic", "serde"]),
        ("go get github.com/spf13/cobra@v1.8.0", ["github.com/spf13/cobra"]),
        ("npm install; npm ci; pip install -e .", []),
        ("npm run add zod", []),
    ],
)
def test_packages_are_those_that_a_manager_is_told_to_add(line, packages):
    assert [name for form, name in ran(line) if form == "added"] == packages


@pytest.mark.parametrize(
    ("line", "services"),
    [
        ("docker compose -f dev.yml up -d api worker", ["api", "worker"]),
        ("docker compose exec db psql -U app", ["db"]),
        ("sudo systemctl restart nginx.service", ["nginx"]),
        ("systemctl --user status caddy.service", ["caddy"]),
        ("kubectl -n shop rollout restart deployment/checkout", ["checkout"]),
        ("kubectl get pods; docker ps; docker logs 3f2a9c81d0aa", []),
        ("docker logs -f grafana", ["grafana"]),
    ],
)
def test_services_are_those_that_were_acted_on(line, services):
    assert [name for form, name in ran(line) if form == "service"] == services


def test_files_are_those_that_a_tool_changed_or_read():
    assert of('Edit: {"file_path": "/w/shop/src/pay.py"}') == [("file", "/w/shop/src/pay.py")]
    assert of("Read: `./pkg/spi/provider.go`") == [("file", "./pkg/spi/provider.go")]
    assert of('Grep: {"pattern": "a.b", "path": "src"}') == []
    assert of("Edit") == []


def test_what_code_imports_is_told_apart_from_what_is_listed():
    call = {"file_path": "a.ts", "new_string": 'import { z } from "zod";\nimport x from "./x";'}
    assert of(f"Edit: {json.dumps(call)}") == [("file", "a.ts"), ("imported", "zod")]


def test_packages_are_those_that_a_manifest_lists():
    manifest = {"name": "shop", "dependencies": {"zod": "^4.0.0", "@shop/core": "workspace:*"}}
    assert showed(json.dumps(manifest, indent=2)) == [("listed", "zod")]
    assert showed(
        "     1→module x\n     2→require (\n     3→\tgithub.com/spf13/cobra v1.8.0\n"
        "     4→\tgopkg.in/yaml.v3 v3.0.1 // indirect\n"
    ) == [("listed", "github.com/spf13/cobra")]
    assert showed("httpx==0.27\nuvicorn[standard]>=0.30\n") == [
        ("listed", "httpx"),
        ("listed", "uvicorn"),
    ]
    assert showed('[dependencies]\nserde = "1"\n\n[profile.release]\nlto = "1"\n') == [
        ("listed", "serde")
    ]


def test_a_lock_file_and_prose_list_nothing():
    lock = {"packages": {"a": {"integrity": "x", "dependencies": {"b": "^1.0.0"}}}}
    assert showed(json.dumps(lock, indent=2)) == []
    assert showed("We moved from express to hono, and require zod from now on.") == []
    assert of("Install redis and run terraform.", EpisodeKind.MESSAGE, Role.USER) == []


def test_a_program_that_was_not_there_is_missing():
    assert showed("zsh: command not found: bd") == [("missing", "bd")]
    assert showed("error: record not found\nPage not found") == []
    assert showed("bash: line 1: bd: command not found") == [("missing", "bd")]


@pytest.mark.parametrize(
    "text", ["-\n" * 90_000, '"dependencies": {\n' * 9_000, "a/" * 90_000 + "."]
)
def test_no_text_takes_long(text):
    assert len(showed(text)) == len(of(f"Read: `{text}`")) == 0
