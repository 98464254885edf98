"""Learning how likely a sentence is to be wanted in another session."""

import json

from bench.train_worth import main
from tilth.episodes.episode import Role
from tilth.exchanges.worth import all_forms, worth

KEPT = "We never use `poll` here, since the watcher of project {n} is fsnotify."
TALK = "ok, go on with number {n} please"


def test_what_is_kept_scores_above_what_is_talk_in_a_project_that_nothing_was_learned_from(
    tmp_path, capsys, monkeypatch
):
    (tmp_path / "dev").mkdir()
    labels = [
        {"file": f"{project}/{n}", "role": role, "text": text.format(n=n), "label": label}
        for project in ("one", "two", "three")
        for n in range(8)
        for role in ("user", "agent")
        for text, label in ((KEPT, "keep"), (TALK, "trivial"))
    ]
    told = "\n".join(map(json.dumps, labels))
    (tmp_path / "dev" / "labels.jsonl").write_text(told, encoding="utf-8")
    monkeypatch.setattr("sys.argv", ["train_worth", str(tmp_path)])

    main()

    report = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert report["kept"] == 48
    assert report["auc"] == 1.0


def test_the_weights_in_the_package_prefer_what_holds_to_what_is_over_when_it_is_said():
    assert worth(KEPT.format(n=1), Role.USER) > 4 * worth(TALK.format(n=1), Role.USER)
    assert len(set(all_forms())) == len(all_forms())
