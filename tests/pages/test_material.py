"""What a page of a project is made of, before any of it is written."""

from datetime import timedelta

from tests.fakes import START
from tilth.pages.compile.material import Commit, last_commits


def test_a_title_that_is_used_again_stands_where_it_is_newest():
    told = [("Fix the build", 1), ("Add a harbour", 2), ("Fix the build", 3), ("Drop Redis", 0)]
    commits = [Commit(title, "", START + timedelta(days=day), ()) for title, day in told]

    assert [(one.title, (one.at - START).days) for one in last_commits(commits)] == [
        ("Fix the build", 3),
        ("Add a harbour", 2),
        ("Drop Redis", 0),
    ]
