"""What an import says when it is done."""

import json


def test_an_import_names_what_it_lost_and_folds_what_holds_nothing(ready):
    asked = {"role": "user", "content": "We keep the kettle on the left."}
    said = {"type": "user", "sessionId": "s1", "uuid": "u1", "message": asked,
            "timestamp": "2026-01-02T03:04:05Z", "cwd": "/home/ada/kettle"}  # fmt: skip
    lines = [json.dumps(said), *(json.dumps({"type": kind, "sessionId": "s1"})
             for kind in ("progress", "mode", "mode")), "{broken"]  # fmt: skip
    path = ready.home / "s1.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")

    seen = ready("import", str(path), "--dry-run")

    told = [line for line in seen.out.splitlines() if line.startswith("skipped")]
    assert told[-1] == "skipped 3 that hold nothing to remember; --json says what they are"
    assert len(told) == 2
    assert "left out" in json.dumps(ready("import", str(path), "--dry-run", "--json").answer)
