"""Documents at the command line: imported, named in the brief, read by section."""

import pytest


@pytest.mark.row("KB-116")
def test_what_the_brief_names_is_read_on_demand(ready, home):
    folder = home / "notes"
    folder.mkdir()
    (folder / "guide.md").write_text(
        "# Guide\n\n" + "About the kettle. " * 20 + "\n\n## Set up\n\n" + "Fill it first. " * 20
    )
    assert ready("import", folder).code == 0

    brief = ready("brief", "--scope", "global").out
    (listed,) = ready("document", "list", "--json").answer["documents"]
    shown = ready("document", "show", listed["slug"], "set-up")

    assert listed["slug"] in brief
    assert "guide, set-up" in brief
    assert "Fill it first." in shown.out
    assert "About the kettle" not in shown.out
    assert ready("document", "show", "gude").err.strip().endswith(f"did you mean {listed['slug']}?")


@pytest.mark.row("OB-066")
def test_a_new_tag_of_a_document_is_on_every_hit_in_it_at_once(ready, home):
    (home / "guide.md").write_text(
        "---\ntags: [kitchen]\n---\n# Guide\n\n"
        + "About the kettle and its lid. " * 20
        + "\n\n## Descale\n\n"
        + "Vinegar takes the scale off. " * 20
    )
    assert ready("import", home / "guide.md").code == 0

    def tags(question):
        (hit, *_) = ready("recall", question, "--json").answer["hits"]
        return hit["session_tags"]

    assert tags("what takes the scale off?") == ["kitchen"]
    assert "#kitchen  #home" in ready("document", "tag", "guide", "home").out
    assert tags("what takes the scale off?") == ["kitchen", "home"]
    assert tags("the kettle and its lid") == ["kitchen", "home"]
    ready("document", "tag", "guide", "kitchen", "--remove")
    assert tags("what takes the scale off?") == ["home"]
    assert ready("document", "tag", "gude", "home").code != 0
    assert "at most 50 tags" in ready("document", "tag", "guide", *map(str, range(60))).err
