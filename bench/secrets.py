"""
How well secrets are found, and how rarely anything else is.

`python -m bench.secrets [LOCOMO_JSONL_GZ] [PATH…]` prints recall by family and by
disguise, false positives on negatives, on LoCoMo's turns and on source and docs (this
repository's, and each PATH), throughput, and the worst time on hostile input.
The last line is one JSON object.
"""

import argparse
import gzip
import json
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from bench.secrets_corpus import COMMON, DISGUISES, Positive, disguised, negatives, positives
from tilth.privacy.families import FAMILIES
from tilth.privacy.redaction import redact, scrub

ROOT = Path(__file__).parent.parent
HOSTILE_LENGTH = 20_000
# Texts that hold secrets on purpose, or describe what they look like.
_EXCLUDED = ("bench/data", "bench/secrets", "unit/privacy", "test_privacy", "privacy/families")
_READ = {".py", ".md", ".toml", ".txt", ".js", ".ts", ".json", ".html", ".css", ".yaml", ".yml"}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("locomo", nargs="?", type=Path, help="uniform haystacks, gzipped")
    parser.add_argument("paths", nargs="*", type=Path, help="more source and docs")
    arguments = parser.parse_args()
    results: dict[str, object] = {"families": len({family.name for family in FAMILIES})}
    results |= _recall()
    results |= _false_positives_on_negatives()
    results["false_positives_own"] = _false_positives_in_files(ROOT)
    for path in arguments.paths:
        results[f"false_positives_{path.name}"] = _false_positives_in_files(path)
    if arguments.locomo:
        results |= _dialogue(list(_turns(arguments.locomo)))
    results |= _hostile()
    print(json.dumps(results))


def _recall() -> dict[str, object]:
    results: dict[str, object] = {}
    for split, held_out in (("dev", False), ("held_out", True)):
        chosen = [positive for positive in positives() if positive.held_out == held_out]
        common = [positive for positive in chosen if positive.family in COMMON]
        results[f"positives_{split}"] = len(chosen)
        results[f"recall_{split}"] = _share(_is_covered(positive) for positive in chosen)
        results[f"recall_common_{split}"] = _share(_is_covered(positive) for positive in common)
        results[f"recall_disguised_{split}"] = {
            form: _share(_is_hidden(positive, form) for positive in common) for form in DISGUISES
        }
    _print_by_family()
    return results


def _print_by_family() -> None:
    found: dict[str, list[bool]] = defaultdict(list)
    for positive in positives():
        found[positive.family].append(_is_covered(positive))
    for family, hits in sorted(found.items()):
        print(f"{family:26} {sum(hits):3} of {len(hits):3}")


def _is_covered(positive: Positive) -> bool:
    """Tell whether every letter and digit of the secret falls in some finding."""
    return _covers(positive.text, positive.start, positive.end)


def _is_hidden(positive: Positive, form: str) -> bool:
    text = disguised(positive, form)
    if form == "cjk-adjacent":
        return positive.secret not in redact(text).text
    return _covers(text, positive.start, positive.end + len(text) - len(positive.text))


def _covers(text: str, start: int, end: int) -> bool:
    findings = redact(text).findings
    return all(
        any(finding.start <= position < finding.end for finding in findings)
        for position in range(start, end)
        if text[position].isalnum()
    )


def _false_positives_on_negatives() -> dict[str, object]:
    texts = negatives()
    flagged = [text for text in texts if redact(text).findings]
    for text in flagged:
        print(f"false positive: {text!r}")
    return {"negatives": len(texts), "false_positives_negatives": len(flagged)}


def _false_positives_in_files(root: Path) -> dict[str, float]:
    size = count = 0
    for path in _files(root):
        text = path.read_text(encoding="utf-8", errors="replace")
        size += len(text)
        for finding in redact(text).findings:
            count += 1
            line = text.count("\n", 0, finding.start) + 1
            print(f"found in {path.relative_to(root)}:{line}: {finding.family}")
    megabytes = size / 1e6
    return {
        "found": count,
        "megabytes": round(megabytes, 2),
        "per_megabyte": round(count / megabytes, 2) if megabytes else 0.0,
    }


def _files(root: Path) -> Iterator[Path]:
    for path in sorted(root.rglob("*")):
        inner = path.relative_to(root)
        hidden = any(part.startswith(".") for part in inner.parts)
        excluded = any(part in inner.as_posix() for part in _EXCLUDED)
        if path.suffix in _READ and path.is_file() and not hidden and not excluded:
            yield path


def _turns(path: Path) -> Iterator[str]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            for document in json.loads(line)["docs"]:
                yield document["text"]


def _dialogue(turns: list[str]) -> dict[str, object]:
    flagged = sum(bool(redact(turn).findings) for turn in turns)
    size = sum(map(len, turns))
    return {
        "dialogue_turns": len(turns),
        "false_positives_dialogue": flagged,
        "megabytes_per_second_turns": round(size / _seconds(turns) / 1e6, 1),
        "megabytes_per_second_whole": round(size / _seconds(["\n".join(turns)]) / 1e6, 1),
    }


def _hostile() -> dict[str, object]:
    times = {name: _seconds([text]) * 1000 for name, text in hostile_texts().items()}
    for name, milliseconds in sorted(times.items(), key=lambda item: -item[1]):
        print(f"hostile {name:24} {milliseconds:6.1f} ms")
    return {"hostile_ms_max": round(max(times.values()), 1), "hostile_texts": len(times)}


def hostile_texts(length: int = HOSTILE_LENGTH) -> dict[str, str]:
    """Return texts of *length*, each made to be slow for some part of the scrubber."""
    secret = next(p.secret for p in positives() if p.family == "aws_access_key")
    bricks = {
        "letters": "a",
        "digits": "1",
        "openers": "<",
        "private openers": "<private>",
        "half tags": "<privat",
        "unclosed attribute": "<private a='",
        "percent": "%41",
        "nested percent": "%2541",
        "escapes": "\\u0041",
        "backslashes": "\\",
        "entities": "&#65;",
        "terminal": "\x1b[",
        "zero width": "\u200b",
        "full width": "\uff21",
        "base64": "QUJD",
        "wrapped base64": "QUJD" * 19 + "\n",
        "assignments": "password=",
        "quoted assignments": "password='",
        "assigned words": "password=hunter22 ",
        "hints": "secret token key ",
        "key headers": "-----BEGIN PRIVATE KEY-----",
        "key header and body": "-----BEGIN PRIVATE KEY-----" + "QUJD" * 20,
        "urls": "a://b:",
        "url users": "a://b:c@",
        "web tokens": "eyJhbGciOiJI.",
        "headers": "Authorization: Bearer ",
        "tokens": secret + " ",
        "tokens in base64": "QUtJQUlPU0ZPRE5ON0VYQU1QTEU= ",
        "placeholders": "[secret:assignment]",
        "glued tokens": "EZAK" + "a1" * 27,
        "curl": "curl -u a",
        "cookies": "cookie: sess",
    }
    return {name: (brick * length)[:length] for name, brick in bricks.items()}


def _seconds(texts: Iterable[str]) -> float:
    """Return the fastest of three runs."""
    texts = list(texts)
    runs = []
    for _ in range(3):
        begun = time.perf_counter()
        for text in texts:
            scrub(text)
        runs.append(time.perf_counter() - begun)
    return min(runs)


def _share(hits: Iterable[bool]) -> float:
    counted = list(hits)
    return round(sum(counted) / len(counted), 4)


if __name__ == "__main__":
    main()
