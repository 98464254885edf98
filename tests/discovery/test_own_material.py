"""Own material, searched and read on both engines."""

import pytest

from tests.conftest import a_draft
from tilth.core.errors import NotFoundError
from tilth.core.scope import GLOBAL, Visibility, parse_scope, seen_from
from tilth.discovery.model import FETCHED, OWN, PageStore, RefusedError, page_session
from tilth.discovery.own_material import OwnMaterial
from tilth.discovery.web.record_page import PageRecord, record_page
from tilth.episodes.episode import EpisodeKind
from tilth.privacy.exclusion import Exclusion, parse_exclusion

WAL = "The write-ahead log of SQLite is copied back at a checkpoint."
GUIDE = "markdown:file:///home/ada/my notes/wal.md"


def material(brain, *, scope=None, excluded=()):
    parts = brain.parts
    within = Visibility(parts.recorder.owner)
    if scope:
        within = seen_from(parts.recorder.owner, parse_scope(scope), frozenset())
    out = parse_exclusion(excluded) if excluded else Exclusion()
    return OwnMaterial(parts.store, parts.recaller, within, out)


def section(text, line, *, session=GUIDE, **how):
    how = {"kind": EpisodeKind.DOCUMENT, "session_id": session} | how
    metadata = {"line": line} | how.pop("metadata", {})
    return a_draft(text, metadata=metadata, **how)


@pytest.fixture
def told(brain):
    brain.remember_many(
        [
            section(WAL + "\n\n", 1),
            section("A checkpoint runs at one thousand pages.\n", 5),
            a_draft("Rain again in Bergen, said the radio.", session_id="weather"),
        ]
    )
    return brain


@pytest.mark.row("GA-015", "GA-036")
def test_a_document_is_found_and_read_whole_without_a_network(told):
    own = material(told)

    first = own.search("what does a checkpoint of the write-ahead log do", limit=5)[0]
    document = own.read(first.address)

    assert (
        first.address
        == "tilth:document/markdown%3Afile%3A%2F%2F%2Fhome%2Fada%2Fmy%20notes%2Fwal.md"
    )
    assert first.provider == own.name == "own"
    assert document.text == f"{WAL}\n\nA checkpoint runs at one thousand pages.\n"
    assert document.domain == OWN


def test_a_document_that_is_gone_and_a_section_that_was_cut_are_no_material(brain, tmp_path):
    kept, gone = tmp_path / "notes" / "wal.md", tmp_path / "notes" / "pump.md"
    kept.parent.mkdir()
    long = "and nobody needs to do anything for that at all " * 8
    kept.write_text(f"# Log\n\n{WAL} {long}\n\n# Old\n\nA checkpoint takes a lock. {long}\n")
    gone.write_text("# Pump\n\nA checkpoint of the pump is in room four.\n")
    found = brain.find_sources(str(kept.parent))
    assert [one.new_count for one in brain.import_sources(found)] == [1, 2]
    gone.unlink()
    kept.write_text(f"# Log\n\n{WAL} {long}\n")
    list(brain.import_sources(brain.find_sources(str(kept.parent))))

    (only,) = material(brain).search("a checkpoint", limit=5)

    assert only.address.endswith("wal.md")
    assert "takes a lock" not in only.snippet


def test_a_message_is_found_and_read_by_its_own_address(told):
    own = material(told)

    found = own.search("rain in Bergen", limit=3)[0]

    assert found.address.startswith("tilth:episode/epi_")
    assert own.read(found.address).text == "Rain again in Bergen, said the radio."


@pytest.mark.row("GA-015")
def test_words_are_located_in_the_episode_that_says_them(told):
    own = material(told)
    address = own.search("checkpoint of the write-ahead log", limit=1)[0].address

    span = own.located(address, "runs at one thousand pages")

    assert told.episodes.get(span.episode_id).text == "A checkpoint runs at one thousand pages.\n"
    assert own.located(address, "runs at two thousand pages") is None
    assert own.located(address, "  ") is None


def test_no_more_is_found_than_was_asked_for(brain):
    brain.remember_many([a_draft(f"The kettle number {n} boils.") for n in range(9)])

    assert len(material(brain).search("which kettle boils", limit=4)) == 4


def test_what_another_scope_holds_is_neither_found_nor_read(brain):
    brain.remember("The vault code of acme is kept by Ruth.", scope="project:acme")
    address = material(brain).search("who keeps the vault code", limit=1)[0].address
    elsewhere = material(brain, scope="project:other")

    assert elsewhere.search("who keeps the vault code", limit=5) == ()
    with pytest.raises(NotFoundError):
        elsewhere.read(address)


def test_what_a_tool_put_out_is_no_source(brain):
    said = a_draft("Checkpoints are bad for you.", kind=EpisodeKind.TOOL_RESULT)
    (result,) = brain.remember_many([said])
    own = material(brain)

    assert own.search("are checkpoints bad", limit=5) == ()
    with pytest.raises(RefusedError, match="what a tool put out"):
        own.read(f"tilth:episode/{result}")


def test_a_page_that_was_fetched_keeps_the_domain_it_came_from(brain):
    url = "https://www.sqlite.org/wal.html"
    parts = brain.parts
    store = PageStore(parts.store, parts.first, parts.clock, parts.recorder, GLOBAL)
    session = page_session(url)
    page = {"title": "Write-ahead log", "text": WAL, "published": None}
    record_page(store, PageRecord(session_id=session, url=url, domain="sqlite.org", **page))
    own = material(brain)

    assert own.read(own.search(WAL, limit=1)[0].address).domain == "sqlite.org"


def test_what_an_agent_says_was_fetched_has_no_domain_but_the_brains_own(brain):
    origin = {"url": "https://www.sqlite.org/wal.html", "domain": "sqlite.org", "sha256": "0"}
    brain.remember_many([section(WAL, 1, session="web:x", metadata={FETCHED: origin})])
    own = material(brain)

    assert own.read(own.search(WAL, limit=1)[0].address).domain == OWN


@pytest.mark.row("KB-113")
def test_excluded_terms_are_covered_in_what_is_found_and_read(told):
    own = material(told, excluded=["checkpoint"])

    found = own.search("write-ahead log of SQLite", limit=1)[0]
    texts = [found.title, found.snippet, own.read(found.address).text]

    assert not any("checkpoint" in text.lower() for text in texts)
    assert "█" in texts[2]


@pytest.mark.parametrize(
    "address",
    [
        "",
        "tilth:document/nothing",
        "https://example.org",
        "tilth:episode/epi_01KAR00000000000000000000A",
    ],
)
def test_what_is_not_there_is_said_so(brain, address):
    with pytest.raises(NotFoundError):
        material(brain).read(address)
