"""Finding and fetching, as people ask for it."""

from dataclasses import replace

import pytest

from tests.discovery.internet import Answers, a_private_machine
from tests.discovery.test_own_material import section
from tilth.core.errors import ForbiddenError, InvalidInputError, UnsupportedError
from tilth.discovery.model import Found, UnreachableError, WebAccess
from tilth.discovery.web.read_pages import Web, WebPages
from tilth.discovery.web.robots import Robots
from tilth.runtime.brain import Brain
from tilth.runtime.settings import Settings, load

URL = "http://example.org/log"


class Provider:
    """A search provider by script."""

    def __init__(self, *found, name="fake", error=None):
        self.name, self.found, self.error, self.asked = name, found, error, []

    def search(self, question, *, limit):
        self.asked.append(question)
        if self.error:
            raise self.error
        return self.found[:limit]


PAGE = Found(address=URL, title="The log of Bluebird", snippet="Bluebird logs.", provider="fake")


@pytest.fixture
def out(human, fetcher):
    """A person's brain with a way to the scripted internet, and other changes of its parts."""
    web = Web(fetcher, Robots(fetcher))

    def made(*searches, **changes):
        web_access = WebAccess(tuple(searches), lambda store: WebPages(web, store))
        return Brain(replace(human.parts, web_access=web_access, **changes))

    return made


@pytest.mark.row("GA-015")
def test_a_person_finds_in_the_brain_and_with_every_provider(out):
    brain = out(Provider(PAGE), Provider(name="second"))
    brain.remember_many([section("The write-ahead log of SQLite.", 1)])

    found = brain.documents.find("write-ahead log").found

    assert [one.provider for one in found] == ["own", "fake"]


def test_a_provider_that_fails_hides_no_other(out):
    broken = Provider(name="broken", error=UnreachableError("it is away", hint="try later"))

    finds = out(broken, Provider(PAGE)).documents.find("log")

    assert finds.found == (PAGE,)
    assert finds.notes == ("broken: it is away (try later)",)


@pytest.mark.row("KB-113")
def test_excluded_terms_and_secrets_never_reach_a_provider(out):
    provider = Provider(PAGE)
    brain = out(provider, settings=Settings(excluded_terms=("Bluebird",)))
    token = "ghp_" + "a1B2c3D4e5F6" * 3

    found = brain.documents.find(f"the log of Bluebird with {token}").found

    assert "Bluebird" not in provider.asked[0]
    assert token not in provider.asked[0]
    assert "Bluebird" not in found[0].title + found[0].snippet


@pytest.mark.row("GA-015")
def test_a_person_fetches_a_page_and_reads_it_as_a_document(out, internet):
    internet.sites[URL] = Answers()
    brain = out()

    page = brain.documents.fetch(URL)

    (kept, _), *_ = brain.documents.list()
    assert kept.title == page.title == "How the log works"
    assert (page.domain, page.word_count) == ("example.org", 41)
    assert "one thousand pages" in brain.documents.read(page.slug)[1][0].text


def test_what_is_fetched_belongs_to_the_scope_that_was_told(out, internet):
    internet.sites[URL] = Answers()

    out().documents.fetch(URL, scope="project:acme")

    assert out().documents.list(scope="project:other") == []
    assert len(out().documents.list(scope="project:acme")) == 1


@pytest.mark.row("KB-113")
def test_excluded_terms_are_covered_in_what_a_fetch_gives_out(out, internet):
    internet.sites[URL] = Answers()
    brain = out(settings=Settings(excluded_terms=("SQLite", "the log")))

    assert brain.documents.fetch(URL).title == "How ███████ works"
    document = brain.parts.places(None).read(URL)
    assert "SQLite" not in document.text
    assert "██████ writes changes" in document.text


@pytest.mark.parametrize("kind", ["agent", "job", "import", "anonymous"])
@pytest.mark.on_sqlite(but=1)
def test_only_a_person_asks_the_web(kind, make, internet):
    for act in (make(kind).documents.find, make(kind).documents.fetch):
        with pytest.raises(ForbiddenError):
            act(URL)


@pytest.mark.row("I39")
def test_nothing_is_fetched_before_somebody_turns_it_on(human):
    with pytest.raises(UnsupportedError, match="fetching is off") as refused:
        human.documents.fetch(URL)
    assert "web_fetch true" in refused.value.hint


@pytest.mark.row("I39")
@pytest.mark.parametrize(
    ("word", "is_on"), [("false", False), ("0", False), ("off", False), ("", None), ("true", True)]
)
def test_the_switch_is_what_it_says(word, is_on):
    environ = {"TILTH_WEB_FETCH": word}
    if is_on is None:
        with pytest.raises(InvalidInputError, match="web_fetch"):
            load(environ)
    else:
        assert load(environ).settings.web_fetch is is_on


@pytest.mark.parametrize("port", ["0", "65536", "http", "-1"])
def test_a_port_that_is_none_is_refused(port):
    with pytest.raises(InvalidInputError, match="web_ports"):
        load({"TILTH_WEB_PORTS": port})


@pytest.mark.row("I39")
def test_the_command_line_leads_nowhere_but_to_the_public_internet(ready, as_person):
    with a_private_machine() as (port, visits):
        environ = {"TILTH_WEB_FETCH": "true", "TILTH_WEB_PORTS": str(port)}
        done = ready("document", "fetch", f"http://localhost:{port}/", environ=environ)
    assert done.code != 0
    assert "localhost is not on the public internet" in done.err
    assert visits == []


def test_the_command_line_says_how_fetching_is_turned_on(ready, as_person):
    done = ready("document", "fetch", URL)

    assert done.code != 0
    assert "tilth settings set web_fetch true" in done.err


def test_the_command_line_finds_own_material_without_a_network(ready, as_person):
    ready("remember", "The write-ahead log of SQLite is short.")

    done = ready("document", "find", "write-ahead", "log")

    assert "(own)" in done.out
    assert "tilth:episode/epi_" in done.out


def test_the_doctor_says_what_is_set_up(ready):
    off = ready("doctor", "--json").answer
    environ = {"TILTH_SEARCH_PROVIDERS": "duckduckgo, brave key=NO_SUCH", "TILTH_WEB_FETCH": "on"}
    on = ready("doctor", "--json", environ=environ).answer

    def web(checks):
        return next(one for one in checks["checks"] if one["id"] == "web")

    assert web(off)["status"] == "skip"
    assert "brave: the variable NO_SUCH holds no key" in web(on)["summary"]
