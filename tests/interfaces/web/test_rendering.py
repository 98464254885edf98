"""What was recorded, as a page shows it."""

import pytest

from tilth.interfaces.web.rendering import markdown, of_count


@pytest.mark.parametrize(
    "address",
    ["/home/ada/x.ts:1", "./docs/a.md", "settings", "#top", "?q=1", "javascript:alert(1)",
     "file:///etc/passwd", "data:text/html,x", "//host/x"],
)  # fmt: skip
def test_a_link_of_a_transcript_leads_to_none_of_our_own_pages(address):
    assert "<a " not in markdown(f"See [the file]({address}).")


@pytest.mark.parametrize("address", ["https://example.org/a", "HTTP://x.org", "mailto:a@b.org"])
def test_a_link_to_elsewhere_is_one(address):
    assert "<a href=" in markdown(f"See [the file]({address}).")


@pytest.mark.parametrize(
    ("several", "one"),
    [("changes", "change"), ("entities", "entity"), ("aliases", "alias"), ("pages", "page"),
     ("summaries", "summary"), ("new episodes", "new episode"), ("searches", "search")],
)  # fmt: skip
def test_a_noun_takes_the_number_of_its_count(several, one):
    assert of_count(several, 1) == one
    assert of_count(several, 0) == of_count(several, 2) == several
