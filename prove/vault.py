"""
A vault opened by two parsers of Obsidian's markdown, from npm: no link of it may be broken.

Both see the same links and no tag that nobody gave; names of files hold on Windows, macOS and in
Obsidian, and no two differ by case alone; properties are such as Obsidian shows.

The parsers (remark with wiki links, one for Obsidian's own flavour, and yaml) are installed once
into a folder of the user's choice, or a temporary one, and never into this repository. Where npm
or its registry is not there, nothing is proven, and that is said with its reason.

    python -m prove.vault [VAULT] [--modules FOLDER] [--things 200]

Without a vault one is made, of awkward names and texts.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random  # noqa: TID251 - always seeded

import tilth

PACKAGES = (
    "unified@11", "remark-parse@11", "remark-frontmatter@5", "remark-wiki-link@2", "yaml@2",
    "mdast-util-from-markdown@2", "mdast-util-frontmatter@2", "micromark-extension-frontmatter@2",
    "@moritzrs/micromark-extension-ofm-wikilink@0", "@moritzrs/mdast-util-ofm-wikilink@0",
    "@moritzrs/micromark-extension-ofm-tag@0", "@moritzrs/mdast-util-ofm-tag@0",
)  # fmt: skip
_AWKWARD = (
    "see [[nowhere]] and #hashtag", "<script>alert(1)</script>", "a %%comment%% and ^block",
    "`code` with | pipe", "naïve — dashes — everywhere", "C:\\temp\\[x]", "*stars* ~~struck~~",
)  # fmt: skip
_NAMES = (
    "pve", "VLAN", "db:main", "a/b", "CON", "[x]", "Ünïcode", "same", "Same", "#1", "x" * 190,
    "run `make it`", "Straße", "STRASSE", "e\u0301te\u0301", "\u00e9t\u00e9",
)  # fmt: skip


def main() -> int:
    """Fill a brain, export it, and let the parser follow every link."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("vault", type=Path, nargs="?", help="a vault that is there")
    parser.add_argument("--modules", type=Path, default=None)
    parser.add_argument("--things", type=int, default=200)
    told = parser.parse_args()
    if shutil.which("node") is None or shutil.which("npm") is None:
        print("SKIPPED: there is no npm here")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        modules = told.modules or Path(folder) / "modules"
        if problem := _installed(modules):
            print(f"SKIPPED: {problem}")
            return 0
        vault = told.vault or Path(folder) / "vault"
        if told.vault is None:
            _fill(Path(folder) / "tilth.db", vault, told.things)
        found = _opened(vault, modules)
    print(json.dumps(found))
    return 1 if found["broken"] or not found["links"] else 0


def _installed(modules: Path) -> str:
    """Install the parser where it is not there; return why that cannot be."""
    names = [one.rpartition("@")[0] for one in PACKAGES]
    if all((modules / "node_modules" / one).is_dir() for one in names):
        return ""
    modules.mkdir(parents=True, exist_ok=True)
    (modules / "package.json").write_text("{}")
    done = subprocess.run(
        ["npm", "install", "--no-audit", "--no-fund", *PACKAGES],  # noqa: S607 - the user's npm
        cwd=modules,
        capture_output=True,
        text=True,
        check=False,
    )
    return "" if done.returncode == 0 else f"npm installs nothing: {done.stderr.strip()[-200:]}"


def _fill(store: Path, vault: Path, things: int) -> None:
    """Make a brain of awkward names and texts, and write its vault."""
    chance = Random(7)
    with tilth.connect(store, create=True, actor=tilth.Human("ada")) as brain:
        made = [
            brain.entities.add(
                f"{_NAMES[number % len(_NAMES)]} {number // len(_NAMES)}", type="host"
            ).entity.id
            for number in range(things)
        ]
        for number in range(3 * things):
            about = chance.sample(made, 2)
            text = f"{_AWKWARD[number % len(_AWKWARD)]} {number}"
            brain.facts.add(text, about=about, scope=chance.choice(["global", "project:work/shop"]))
        for number in range(things):
            for phase in ("pilot", "rollout"):
                brain.facts.add(subject=made[number], predicate="phase", object=phase)
            brain.remember(_AWKWARD[number % len(_AWKWARD)], session_id=f"s{number % 9}")
        brain.pages.compile("entity", made[0])
        brain.vault.export(str(vault), is_raw=True)
        first = {one: one.read_bytes() for one in vault.rglob("*.md")}
        again = brain.vault.export(str(vault), is_raw=True)
        if again.written or {one: one.read_bytes() for one in vault.rglob("*.md")} != first:
            sys.exit("exporting twice gives a diff")


def _opened(vault: Path, modules: Path) -> dict[str, object]:
    # What it imports is looked for beside it.
    program = shutil.copy(Path(__file__).with_suffix(".mjs"), modules)
    done = subprocess.run(
        ["node", program, str(vault)],  # noqa: S607 - the user's node
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    found: dict[str, object] = json.loads(done.stdout)
    return found


if __name__ == "__main__":
    sys.exit(main())
