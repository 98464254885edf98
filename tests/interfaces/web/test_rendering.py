"""What was recorded, as a page shows it."""

import pytest

from tilth.interfaces.web.rendering import markdown


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
