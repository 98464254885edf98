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
