"""What a site's robots.txt lets be read."""

import pytest

from tests.discovery.internet import Answers
from tilth.discovery.model import RefusedError, UnreachableError
from tilth.discovery.web.public_addresses import checked_url
from tilth.discovery.web.robots import Robots

ROBOTS = "http://example.org/robots.txt"
TEXT = {"Content-Type": "text/plain; charset=utf-8"}
OPEN = checked_url("http://example.org/open")


def said(text, **how):
    return Answers(body=text.encode(), headers=TEXT, **how)


class Time:
    """A clock that only sleeping moves."""

    def __init__(self):
        self.now, self.slept = 0.0, []

    def sleep(self, seconds):
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture
def time():
    return Time()


@pytest.fixture
def robots(fetcher, time):
    return Robots(fetcher, now=lambda: time.now, sleep=time.sleep)


def test_what_is_forbidden_is_refused_and_the_rest_is_read(internet, robots):
    internet.sites[ROBOTS] = said("User-agent: *\nDisallow: /private*/x\nAllow: /\n")

    robots.admit(OPEN)
    with pytest.raises(RefusedError, match=r"robots\.txt of example\.org"):
        robots.admit(checked_url("http://example.org/private-one/x"))


def test_what_is_said_to_this_program_counts_before_what_is_said_to_all(internet, robots):
    internet.sites[ROBOTS] = said("User-agent: *\nDisallow: /\n\nUser-agent: tilth\nDisallow:\n")

    robots.admit(OPEN)


@pytest.mark.parametrize("answer", [Answers(status=404), Answers(status=403), Answers()])
def test_a_site_without_rules_lets_everything_be_read(answer, internet, robots):
    internet.sites[ROBOTS] = answer

    robots.admit(OPEN)


@pytest.mark.parametrize("answer", [said("", status=500), said("", status=429), said("", length=9)])
def test_a_site_that_cannot_be_asked_lets_nothing_be_read(answer, internet, robots):
    internet.sites[ROBOTS] = answer

    with pytest.raises(UnreachableError, match=r"robots\.txt"):
        robots.admit(OPEN)


def test_a_site_is_asked_once_in_a_day(internet, robots, time):
    internet.sites[ROBOTS] = said("")

    robots.admit(OPEN)
    robots.admit(OPEN)
    assert internet.urls() == [ROBOTS]

    time.now += 25 * 60 * 60
    robots.admit(OPEN)
    assert internet.urls() == [ROBOTS, ROBOTS]


def test_the_pause_between_visits_is_kept(internet, robots, time):
    internet.sites[ROBOTS] = said("User-agent: *\nCrawl-delay: 7\n")

    robots.admit(OPEN)
    assert time.slept == []
    time.now += 3
    robots.admit(OPEN)
    assert time.slept == [4.0]


def test_a_pause_that_nobody_keeps_is_refused(internet, robots, time):
    internet.sites[ROBOTS] = said("User-agent: *\nCrawl-delay: 3600\n")

    with pytest.raises(RefusedError, match="3600 seconds between visits"):
        robots.admit(OPEN)
    assert time.slept == []


def test_rules_are_not_fetched_from_a_machine_that_is_not_public(internet, robots):
    internet.sites[ROBOTS] = Answers(
        status=302, headers={"Location": "http://127.0.0.1/robots.txt"}
    )

    with pytest.raises(RefusedError):
        robots.admit(OPEN)
