"""Feeds, against a server that speaks HTTP and files on the disk, on both engines."""

import json
from dataclasses import replace

import pytest

from tests.discovery.internet import PUBLIC, Answers, a_private_machine
from tests.discovery.test_own_material import material
from tests.garden.plots import cycle, plot
from tilth.core.errors import InvalidInputError, NotFoundError
from tilth.core.scope import GLOBAL, parse_scope
from tilth.discovery.model import FETCHED, PageStore, RefusedError, UnreachableError, WebAccess
from tilth.discovery.web.feed_entries import ENTRIES_MAX, feed_text
from tilth.discovery.web.feeds import Feeds, FeedSearch
from tilth.discovery.web.fetch import Fetcher
from tilth.discovery.web.providers import parse_provider
from tilth.discovery.web.robots import Robots
from tilth.discovery.web.web_access import web_access
from tilth.episodes.filters import EpisodeFilter
from tilth.episodes.tables import Episodes
from tilth.runtime.brain import Brain

URL = "http://news.example.co.uk/feed.xml"
QUOTE = "Backups of the database must run at four in the morning on every host."
RSS = f"""<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel>
<title>Operations &amp; news</title><link>http://news.example.co.uk/</link>
<item><title>Backups</title><link>http://news.example.co.uk/backups</link>
<guid>tag:1</guid><pubDate>Tue, 05 Mar 2024 10:00:00 GMT</pubDate>
<description>A teaser.</description>
<content:encoded><![CDATA[<p>{QUOTE}</p><script>alert(1)</script>
<p>They are kept for <b>thirty</b> days.</p>]]></content:encoded></item>
<item><title>Cake</title><link>http://news.example.co.uk/cake</link>
<description>The kitchen has cake on Friday.</description></item>
</channel></rss>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title>Log</title><entry>
<id>urn:uuid:1</id><title>Checkpoint</title><link href="/checkpoint"/>
<updated>2024-03-05T10:00:00Z</updated>
<summary type="html">A checkpoint &lt;i&gt;copies&lt;/i&gt; the pages back.</summary>
</entry></feed>"""


def sent(text=RSS, kind="application/rss+xml", **headers):
    body = text if isinstance(text, bytes) else text.encode()
    return Answers(body=body, headers={"Content-Type": kind, **headers})


class Watch:
    """Seconds that pass as they are told."""

    at = 0.0

    def __call__(self):
        return self.at


@pytest.fixture
def opened(brain, fetcher):
    """Return what opens a feed as a new process would; each has a watch of its own."""

    def one(url=URL, scope=GLOBAL, watch=None, fetcher=fetcher):
        parts = brain.parts
        store = PageStore(parts.store, parts.first, parts.clock, parts.recorder, scope)
        feeds = Feeds(fetcher, Robots(fetcher), watch or Watch())
        return FeedSearch(feeds, str(url), store, material(brain))

    return one


def kept(brain):
    with brain.parts.store.read() as view:
        return Episodes(view).select(EpisodeFilter(within=brain.parts.within(None)), limit=1000)


def head(brain):
    with brain.parts.store.read() as view:
        return view.head().seq


def asked(internet):
    return [headers for url, headers in internet.requests if url == URL]


@pytest.mark.row("GA-015")
def test_an_entry_is_found_read_and_quoted_letter_by_letter(brain, opened, internet):
    internet.sites[URL] = sent()

    (found,) = opened().search("when do backups of the database run", limit=1)

    assert found.provider == "feed news.example.co.uk"
    assert found.title == "Backups"
    own = material(brain)
    said = own.read(found.address)
    assert said.text == f"{QUOTE}\n\nThey are kept for thirty days.\n"
    assert said.domain == "example.co.uk"
    assert own.located(found.address, QUOTE).text == QUOTE
    assert {one.metadata[FETCHED]["url"].partition("#")[0] for one in kept(brain)} == {URL}
    hit = brain.recall("when do backups of the database run").hits[0]
    assert hit.who == "fetched: example.co.uk"


@pytest.mark.row("GA-015")
def test_a_candidate_of_a_cycle_rests_on_the_words_of_a_feed(
    store, place, tmp_path, internet, fetcher
):
    internet.sites[URL] = sent()
    feeds = Feeds(fetcher, Robots(fetcher))
    web_access = WebAccess(feeds=(lambda store, own: FeedSearch(feeds, URL, store, own),))
    brain = Brain(replace(plot(store, place.clock, tmp_path).parts, web_access=web_access))
    brain.topics.add("backups of the database")

    cycle(brain)

    (one,) = [found for found in brain.garden.candidates() if QUOTE in found.quote]
    assert one.fact.life.review == "unreviewed"
    assert brain.sources.list()[0].domain == "example.co.uk"
    assert len(asked(internet)) == 1  # however many searches the cycle made


@pytest.mark.row("GA-020", "GA-015")
def test_a_feed_that_fails_in_a_cycle_is_an_alert_and_hides_no_other_place(
    store, place, tmp_path, internet, fetcher
):
    gone, feeds = tmp_path / "gone.xml", Feeds(fetcher, Robots(fetcher))
    web_access = WebAccess(
        feeds=tuple(
            lambda store, own, at=at: FeedSearch(feeds, str(at), store, own) for at in (gone, URL)
        )
    )
    brain = Brain(replace(plot(store, place.clock, tmp_path).parts, web_access=web_access))
    brain.remember(QUOTE, session_id="docs:backups.md", kind="document")
    brain.topics.add("backups of the database")

    report = cycle(brain)

    alerts = (brain.parts.gardener.folder.root / "outbox/alerts.md").read_text()
    assert alerts.count("- Could not be searched: feed gone.xml: no file") == 1
    assert alerts.count("- Could not be searched: feed news.example.co.uk: ") == 1
    assert [one.name for one in report.signals if not one.is_well] == ["sources"]
    assert any(one.quote == QUOTE for one in brain.garden.candidates())


def test_a_feed_is_asked_again_only_for_what_changed(brain, opened, internet):
    told = {"ETag": '"a1"', "Last-Modified": "Tue, 05 Mar 2024 10:00:00 GMT"}
    internet.sites[URL] = sent(**told)
    opened().search("backups", limit=5)
    before = head(brain)

    found = opened().search("backups", limit=5)[0]  # another process

    second = asked(internet)[1]
    assert second["If-None-Match"] == '"a1"'
    assert second["If-Modified-Since"] == told["Last-Modified"]
    assert found.title == "Backups"
    assert head(brain) == before  # nothing at all was recorded
    internet.sites[URL] = sent(RSS.replace("on Friday", "on Monday"), **told | {"ETag": '"b2"'})
    opened().search("cake", limit=5)
    assert [one.text for one in kept(brain)][-1] == "The kitchen has cake on Monday.\n"
    assert len(kept(brain)) == 3  # what did not change is not kept again


def test_a_feed_is_asked_once_in_a_quarter_of_an_hour_also_if_it_fails(opened, internet):
    watch = Watch()
    feed = opened(watch=watch)
    internet.sites[URL] = Answers(status=503, body=b"", headers={})
    for _ in range(2):
        with pytest.raises(UnreachableError, match="answers 503"):
            feed.search("backups", limit=5)
    assert len(asked(internet)) == 1
    internet.sites[URL] = sent()
    watch.at += 15 * 60

    assert feed.search("backups", limit=5)
    assert feed.search("cake", limit=5)
    assert len(asked(internet)) == 2


def test_entries_are_kept_in_the_scope_that_asks(brain, opened, internet):
    internet.sites[URL] = sent()
    lab = parse_scope("project:lab")

    opened(scope=lab).search("backups", limit=5)

    assert {one.scope for one in kept(brain)} == {lab}


@pytest.mark.row("GA-036")
def test_a_feed_in_a_file_needs_no_network(brain, opened, internet, tmp_path):
    file = tmp_path / "news.xml"
    file.write_text(RSS)

    (found,) = opened(file).search("when do backups of the database run", limit=1)

    assert found.provider == "feed news.xml"
    assert material(brain).read(found.address).domain == "own"
    assert material(brain).located(found.address, QUOTE)
    assert internet.requests == internet.connected == []
    count = len(kept(brain))
    opened(file).search("cake", limit=1)
    assert len(kept(brain)) == count


@pytest.mark.parametrize(
    ("answer", "error", "said"),
    [
        (Answers(), RefusedError, "sends 'text/html', which is not read"),
        (sent("<html><body>hi</body></html>"), RefusedError, "news.example.co.uk holds no feed"),
        (sent(""), RefusedError, "holds no feed"),
        (sent("http://127.0.0.1/secret"), RefusedError, "holds no feed"),
        (sent("/etc/passwd"), RefusedError, "holds no feed"),
        (sent("x" * ((2 << 20) + 1)), RefusedError, "more than 2 MB"),
        (Answers(status=404, body=b"", headers={}), NotFoundError, "answers 404"),
        (Answers(status=304, body=b"", headers={}), RefusedError, "answers 304"),
    ],
)  # fmt: skip
@pytest.mark.on_sqlite(but=2)
def test_what_is_no_feed_is_named(brain, opened, internet, answer, error, said):
    internet.sites[URL] = answer

    with pytest.raises(error, match=said) as refused:
        opened().search("backups", limit=5)

    assert refused.value.hint or "2 MB" in said or "404" in said
    assert kept(brain) == []


def test_a_file_that_is_missing_or_no_feed_is_named(opened, tmp_path):
    (tmp_path / "notes.txt").write_text("no feed at all")

    with pytest.raises(NotFoundError, match=r"gone\.xml"):
        opened(tmp_path / "gone.xml").search("x", limit=1)
    with pytest.raises(RefusedError, match=r"feed notes\.txt holds no feed"):
        opened(tmp_path / "notes.txt").search("x", limit=1)


@pytest.mark.parametrize("host", ["127.0.0.1", "169.254.169.254", "10.0.0.1", "[::1]"])
@pytest.mark.on_sqlite(but=2)
def test_no_feed_leads_into_a_private_network(opened, internet, host):
    with a_private_machine() as (port, visits):
        there = f"http://{host}:{port}/feed.xml"
        internet.names["inside.example.org"] = [[host.strip("[]")]]
        internet.sites[URL] = Answers(status=302, body=b"", headers={"Location": there})
        way = Fetcher(ports={port}, network=internet.network)
        for url in (there, f"http://inside.example.org:{port}/feed.xml", URL):
            with pytest.raises(RefusedError):
                opened(url, fetcher=way).search("backups", limit=5)

    assert visits == []
    assert set(internet.connected) <= {PUBLIC}


def test_a_feed_that_robots_are_not_to_read_is_not_read(opened, internet):
    internet.sites[URL] = sent()
    internet.sites["http://news.example.co.uk/robots.txt"] = Answers(
        body=b"User-agent: *\nDisallow: /", headers={"Content-Type": "text/plain"}
    )

    with pytest.raises(RefusedError, match=r"robots\.txt"):
        opened().search("backups", limit=5)


def test_atom_and_rdf_are_read_and_an_entry_without_words_is_left_out():
    (entry,) = feed_text(ATOM.encode(), "feed x").entries
    assert (entry.key, entry.title) == ("urn:uuid:1", "Checkpoint")
    assert entry.text == "A checkpoint copies the pages back.\n"
    assert entry.published.isoformat() == "2024-03-05T10:00:00+00:00"
    assert entry.link == ""  # it is relative to nothing that is known
    rdf = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    xmlns="http://purl.org/rss/1.0/"><channel><title>C</title></channel>
    <item><title>Empty</title><link>http://a.example/1</link></item>
    <item><title>Full</title><link>http://a.example/2</link><description>Words.</description></item>
    </rdf:RDF>"""
    (entry,) = feed_text(rdf.encode(), "feed x").entries
    assert (entry.link, entry.text) == ("http://a.example/2", "Words.\n")


def test_a_hostile_feed_ends_and_opens_nothing(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("the key")
    outside = f'<!DOCTYPE r [<!ENTITY x SYSTEM "file://{secret}">]>'
    items = "<item><title>a{0}</title><description>says {0} &x;</description></item>"
    body = f'{outside}<rss version="2.0"><channel>{"".join(map(items.format, range(200)))}'
    feed = feed_text(f"{body}</channel></rss>".encode(), "feed x")
    assert 0 < len(feed.entries) <= ENTRIES_MAX
    assert "the key" not in json.dumps([one.text for one in feed.entries])
    deep = (
        '<rss version="2.0"><channel><item><title>t</title><description>' + "&lt;div&gt;" * 50_000
    )
    assert feed_text(f"{deep}words</description></item></channel></rss>".encode(), "x").title == ""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("feed", "a file"),
        ("feed ftp://example.org/feed", "a file"),
        ("feed http://a.example/f key=KEY", "without a key"),
        ("feed http://a.example/f /tmp/feed.xml", "one URL"),
    ],
)
def test_a_feed_that_cannot_be_meant_is_refused(words, said):
    with pytest.raises(InvalidInputError, match=said):
        parse_provider(words)


def test_feeds_are_set_up_as_search_providers_are(brain, tmp_path):
    file = tmp_path / "news.xml"
    file.write_text(RSS)
    choices = [parse_provider(f"feed {file}"), parse_provider(f"feed {URL}")]

    found = web_access(choices, {}, is_fetching=False, ports=())

    parts = brain.parts
    store = PageStore(parts.store, parts.first, parts.clock, parts.recorder, GLOBAL)
    names = [feed(store, material(brain)).name for feed in found.feeds]
    assert names == ["feed news.xml", "feed news.example.co.uk"]
    assert found.problems == ()
