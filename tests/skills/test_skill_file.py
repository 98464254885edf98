"""The file of a skill is YAML and markdown, whatever its playbook is called."""

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from tilth.playbooks.model import PlaybookDraft
from tilth.skills.skill_file import front_of, skill_text


def text_of(title):
    return skill_text(
        PlaybookDraft(
            key="deploy:./deploy.sh",
            title=title,
            applies_when="The shop is to be deployed.",
            steps=("Test with `make test`", "Build with `make build`", "Run `./deploy.sh`"),
            evidence=(),
            scope="project:work/shop",
            signature="x",
        )
    )


def as_yaml(text):
    """Read the front matter as the agent programs do."""
    first, *rest = text.split("\n")
    assert first == "---"
    return yaml.safe_load("\n".join(rest[: rest.index("---")]))


@pytest.mark.row("KB-107")
@given(st.text(max_size=300))
@example('Deploy "the shop": now')
@example("Deploy\nthe\r\nshop\u2028---\x85now")
@example("\u90e8\u7f72 \u5546\u5e97 \u5230 \u751f\u4ea7 \u73af\u5883")
@example("x" * 150 + " " + "y" * 150)
@example("2026-11-29 !!")
@example("12345 !!!!!!!")
@example("1e5 .........")
@example("True .........")
@example("Null .........")
@example("No: .........")
def test_the_front_matter_is_read_as_two_texts_whatever_the_title(title):
    text = text_of(title)

    front = as_yaml(text)

    assert list(front) == ["name", "description"]
    assert all(isinstance(one, str) for one in front.values())
    assert front == front_of(text)
    assert 1 <= len(front["name"]) <= 60
    assert 1 <= len(front["description"]) <= 200
